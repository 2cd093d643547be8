/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_MACHINE_FILE_H
#define WORMHOLE_MACHINE_FILE_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A machine: defaults of attributes in a TOML file, a table per class, a key per attribute.
 *
 * Everything in it is checked when it is read, so that values can be set without a further check.
 */
class MachineFile
{
  public:
    /// A default that the machine gives.
    struct Entry
    {
        std::string attribute; ///< its full name, as ns3::HostSoftware::StartUp
        std::string value;     ///< its value, as ns-3 reads it
        std::string source;    ///< where it comes from; empty: the file does not say
        std::size_t line;      ///< its line in the file, from 1

        /// @return whether nobody measured or published it: its source begins with "estimated"
        bool IsEstimated() const;
    };

    /// @param nameOrPath name of a preset, or a file, which ends with .toml or has a slash
    /// @param folder the module's data folder, if known
    /// @return the machine
    /// @throws WormholeError if there is none, or something in it is refused: one line with file,
    /// line, value and what is accepted
    static MachineFile Read(const std::string& nameOrPath, const std::string& folder = "");

    /// @return whether this build reads TOML, for which it needs the headers of toml++
    static bool ReadsToml();

    /// @return names of the presets, in alphabetical order
    /// @param folder the module's data folder, if known
    static std::vector<std::string> GetNames(const std::string& folder = "");

    /// @return what it is, or the file's name without a suffix
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return where its figures come from; may be empty
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @return the file
    const std::string& GetPath() const
    {
        return m_path;
    }

    /// @return the defaults that it gives, in the file's order
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    /// @return whether it says if switches do collectives, by registers or slots
    bool SaysInSwitch() const
    {
        return m_inSwitch.has_value();
    }

    /// @return where that comes from; may be empty
    const std::string& GetInSwitchSource() const
    {
        return m_inSwitchSource;
    }

    /// @return why its switches do no collectives; empty: they do, or the file does not say
    std::string GetWhyNotInSwitch() const;

    /// @return file and line of an entry, for messages @param entry the entry
    std::string GetLocation(const Entry& entry) const
    {
        return m_path + ":" + std::to_string(entry.line);
    }

    /// Makes all its values attributes' defaults, as Config::SetDefault does.
    void SetDefaults() const;

  private:
    MachineFile() = default;

    /// Reads a text. @param text the text of the file m_path
    void Parse(const std::string& text);

    std::string m_name;             ///< what it is
    std::string m_source;           ///< where its figures come from
    std::string m_path;             ///< the file
    std::optional<bool> m_inSwitch; ///< whether switches do collectives, if it says so
    std::string m_inSwitchSource;   ///< where that comes from
    std::vector<Entry> m_entries;   ///< defaults that it gives
};

} // namespace ns3

#endif /* WORMHOLE_MACHINE_FILE_H */
