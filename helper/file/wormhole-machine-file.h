// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_MACHINE_FILE_H
#define WORMHOLE_MACHINE_FILE_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A machine file: attribute defaults that describe a machine, as a TOML file with a table
///        for each class; the table has a key for each attribute.
///
/// Read checks the whole file, so SetDefaults can set its values without further checks.
class MachineFile
{
  public:
    /// The default that the file gives to one attribute.
    struct Entry
    {
        std::string attribute; ///< full name, such as ns3::HostSoftware::StartUp
        std::string value;     ///< value, in ns-3's format
        std::string source;    ///< where the value is from; empty if the file does not say
        std::size_t line;      ///< number of the line with the value, counted from 1

        /// @return whether the value is an estimate: its source begins with "estimated"
        bool IsEstimated() const
        {
            return source.rfind("estimated", 0) == 0;
        }
    };

    /// Reads a preset, given its name, or any file, given its path, which ends in .toml or contains
    /// a slash; throws a WormholeError if the file is missing or wrong.
    static MachineFile Read(const std::string& nameOrPath, const std::string& folder = "");

    /// @return whether this build can read TOML, which needs the headers of toml++
    static bool ReadsToml();

    /// Lists the presets of the module's data folder, in alphabetical order.
    static std::vector<std::string> GetNames(const std::string& folder = "");

    /// @return the machine's name; if the file states none, the file's name without suffix
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return where the machine's values are from; empty if the file does not say
    const std::string& GetSource() const
    {
        return m_source;
    }

    /// @return the path of the file
    const std::string& GetPath() const
    {
        return m_path;
    }

    /// @return the attribute defaults, in the order of the file
    const std::vector<Entry>& GetEntries() const
    {
        return m_entries;
    }

    /// @return whether the file states, by the key inSwitch, if switches support collectives
    bool SaysInSwitch() const
    {
        return m_inSwitch.has_value();
    }

    /// @return where the value of inSwitch is from; empty if the file does not say
    const std::string& GetInSwitchSource() const
    {
        return m_inSwitchSource;
    }

    /// @return why switches do not support collectives; empty if they do, or the file does not say
    std::string GetWhyNotInSwitch() const
    {
        const std::string why = m_inSwitchSource.empty() ? "its file says so" : m_inSwitchSource;
        return m_inSwitch.value_or(true) ? "" : why;
    }

    /// Gives the path of the file and the line of an entry, as "path:line".
    std::string GetLocation(const Entry& entry) const
    {
        return m_path + ":" + std::to_string(entry.line);
    }

    /// Sets each default of the file, as Config::SetDefault would.
    void SetDefaults() const;

  private:
    MachineFile() = default;

    void Parse(const std::string& text);

    std::string m_name;
    std::string m_source;           ///< where the machine's values are from
    std::string m_path;             ///< the file
    std::optional<bool> m_inSwitch; ///< whether switches support collectives, if stated
    std::string m_inSwitchSource;   ///< where the value of m_inSwitch is from
    std::vector<Entry> m_entries;   ///< attribute defaults
};

} // namespace ns3

#endif /* WORMHOLE_MACHINE_FILE_H */
