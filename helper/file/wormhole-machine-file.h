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
/// @brief A machine: attribute defaults in a TOML file, with a table per class and a key per
///        attribute.
///
/// The whole file is checked when it is read, so that its values can be set without further checks.
class MachineFile
{
  public:
    /// An attribute default of the machine.
    struct Entry
    {
        std::string attribute; ///< full name, such as ns3::HostSoftware::StartUp
        std::string value;     ///< value, in ns-3's format
        std::string source;    ///< source; empty if the file does not state one
        std::size_t line;      ///< its line in the file, from 1

        /// @return whether the value is an estimate: its source begins with "estimated"
        bool IsEstimated() const
        {
            return source.rfind("estimated", 0) == 0;
        }
    };

    /// Reads a preset of the module's data folder, or a file (a name with .toml or a slash); if it
    /// is missing or wrong, throws a WormholeError with file, line, value and what is expected.
    static MachineFile Read(const std::string& nameOrPath, const std::string& folder = "");

    /// @return whether this build can read TOML, which needs the headers of toml++
    static bool ReadsToml();

    /// Lists the presets of the module's data folder, in alphabetical order.
    static std::vector<std::string> GetNames(const std::string& folder = "");

    /// @return the machine's name, or the file's name without suffix
    const std::string& GetName() const
    {
        return m_name;
    }

    /// @return the source of the machine's values; may be empty
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

    /// @return whether the file states that switches do, or do not, support collectives
    bool SaysInSwitch() const
    {
        return m_inSwitch.has_value();
    }

    /// @return source of the file's statement on switches' support of collectives; may be empty
    const std::string& GetInSwitchSource() const
    {
        return m_inSwitchSource;
    }

    /// @return why switches do not support collectives; empty if they do, or nothing is stated
    std::string GetWhyNotInSwitch() const
    {
        const std::string why = m_inSwitchSource.empty() ? "its file says so" : m_inSwitchSource;
        return m_inSwitch.value_or(true) ? "" : why;
    }

    /// Gives file and line of an entry, for messages.
    std::string GetLocation(const Entry& entry) const
    {
        return m_path + ":" + std::to_string(entry.line);
    }

    /// Sets all of the machine's attribute defaults, like Config::SetDefault.
    void SetDefaults() const;

  private:
    MachineFile() = default;

    void Parse(const std::string& text);

    std::string m_name;
    std::string m_source;           ///< source of its values
    std::string m_path;             ///< the file
    std::optional<bool> m_inSwitch; ///< whether switches support collectives, if stated
    std::string m_inSwitchSource;   ///< source of that statement
    std::vector<Entry> m_entries;   ///< attribute defaults
};

} // namespace ns3

#endif /* WORMHOLE_MACHINE_FILE_H */
