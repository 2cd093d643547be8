// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_OPTION_VALUES_H
#define WORMHOLE_OPTION_VALUES_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

struct WormholeTopology;

/// @ingroup wormhole @brief Option values by name, as text; each is checked when it is read.
///
/// Names may be written as groupSizes, group-sizes or group_sizes. Messages use the caller's
/// notation for the option and its value.
class OptionValues
{
  public:
    /// The source of the values, which determines the notation in messages.
    enum Origin
    {
        COMMAND_LINE, ///< --groupSizes=4
        PYTHON        ///< group_sizes=4
    };

    /// Makes a set of options for a source; no option is declared yet.
    explicit OptionValues(Origin origin = COMMAND_LINE)
        : m_origin(origin)
    {
    }

    /// Adds an option; its placeholder, such as FILE, stands for the value in messages, and is
    /// empty for a switch, that is, an option without a value.
    void Declare(const std::string& name,
                 const std::string& placeholder,
                 const std::string& defaultValue = "");

    /// Adds an alias of an option.
    void AddAlias(const std::string& name, const std::string& alias);

    /// Sets an option, in any spelling, to a value (empty for a switch); throws a WormholeError if
    /// there is no such option, it is already set, or a value is missing or unexpected.
    void Set(const std::string& name, const std::string& value);

    /// Sets an existing fabric instead of the option `fabric`; label is its name in results and
    /// messages.
    void SetTopology(std::shared_ptr<const WormholeTopology> topology, const std::string& label)
    {
        Set("fabric", label);
        m_topology = std::move(topology);
    }

    /// @return the fabric set by SetTopology; null if none
    std::shared_ptr<const WormholeTopology> GetTopology() const
    {
        return m_topology;
    }

    /// Finds the declared name of an option given in any spelling; empty if unknown.
    std::string Find(const std::string& name) const;

    /// @return names of all options as declared, in alphabetical order
    std::vector<std::string> GetNames() const;

    /// Tells whether the option was given.
    bool Has(const std::string& name) const
    {
        return m_options.at(name).isGiven;
    }

    /// Gives the option's value.
    const std::string& Get(const std::string& name) const
    {
        return m_options.at(name).value;
    }

    /// Writes an option in the caller's notation, with a value unless that is empty.
    std::string Show(const std::string& name, const std::string& value = "") const;

    /// Gives an option's name in Python, such as group_sizes for groupSizes, or search for the
    /// switch noSearch.
    static std::string GetPythonName(const std::string& name, bool isSwitch);

    /// Throws a WormholeError that shows the option's value and says what is wrong or expected.
    [[noreturn]] void Refuse(const std::string& name, const std::string& trouble) const;

    /// Throws the error of Refuse if `isWrong` is true.
    void RefuseIf(bool isWrong, const std::string& name, const std::string& trouble) const
    {
        if (isWrong)
        {
            Refuse(name, trouble);
        }
    }

    /// Runs an action; adds the option's name to any WormholeError that it throws.
    void Check(const std::string& name, const std::function<void()>& action) const;

    /// Throws a WormholeError if an option is given together with another that conflicts with it.
    void RefuseTogether(const std::string& name, const std::vector<std::string>& others) const;

    /// Throws for an option that has no effect unless another is given (with a value, if any).
    [[noreturn]] void RefuseAlone(const std::string& name,
                                  const std::string& other,
                                  const std::string& value = "") const
    {
        Refuse(name, "has no effect without " + Show(other, value) + "; expected both");
    }

    /// Records that an attribute, such as ns3::Class::Attribute, was given.
    void NoteAttribute(const std::string& attribute)
    {
        m_attributes.insert(attribute);
    }

    /// Throws a WormholeError if an attribute is given that would have no effect, since an option
    /// corresponds to it or, if `option` is empty, since the program sets it itself.
    void RefuseAttribute(const std::string& attribute, const std::string& option = "") const;

    /// Records the value that a machine has set as an attribute's default, with file and line.
    void RecordMachineDefault(const std::string& attribute,
                              const std::string& value,
                              const std::string& place)
    {
        m_machine[attribute] = {value, place};
    }

    /// If the option is not given and a machine sets the attribute, takes the machine's value;
    /// returns whether it did.
    bool TakeFromMachine(const std::string& name, const std::string& attribute);

    /// Warns on standard error, in a line that begins with the name of the program, that the value
    /// of an attribute, given by a machine or as an option, has no effect.
    void WarnIgnored(const std::string& attribute, const std::string& program) const;

    /// Throws a WormholeError if two of these options name the same file, even by different paths;
    /// several options may name the same device.
    void RefuseSameFile(const std::vector<std::string>& names) const;

    /// Gives the option's value, which must be one of the allowed words.
    std::string GetWord(const std::string& name, const std::vector<std::string>& words) const;

    /// Gives the option's value, a comma-separated list of distinct entries, each one of `words`
    /// unless `words` is empty; the list is empty if the value is empty.
    std::vector<std::string> GetWords(const std::string& name,
                                      const std::vector<std::string>& words = {}) const;

    /// Gives the option's value, a whole number in a range.
    uint32_t GetWhole(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a list of whole numbers in a range; empty if the value is empty.
    std::vector<uint32_t> GetWholes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a number of bytes in a range, read by ParseByteSize, such as 64kB.
    uint32_t GetBytes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a list of distinct numbers of bytes.
    std::vector<uint32_t> GetByteSizes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a ratio above 0, up to a maximum.
    double GetRatio(const std::string& name, uint32_t max = 1) const
    {
        const auto ratios = GetRatios(name, max);
        RefuseIf(ratios.size() != 1,
                 name,
                 "expected one number above 0, up to " + std::to_string(max));
        return ratios.front();
    }

    /// Gives the option's value, a list of ratios above 0, up to a maximum.
    std::vector<double> GetRatios(const std::string& name, uint32_t max = 1) const;

    /// Gives the option's value, a time that is exact in ns-3's resolution.
    Time GetTime(const std::string& name) const
    {
        return ReadTime(name, Get(name));
    }

    /// Gives the option's value, a time above 0.
    Time GetTimeAboveZero(const std::string& name) const
    {
        const auto time = GetTime(name);
        RefuseIf(time.IsZero(),
                 name,
                 "'" + Get(name) + "' is not accepted; expected a time above 0");
        return time;
    }

    /// Gives the option's value, a list of times, each read as by GetTime.
    std::vector<Time> GetTimes(const std::string& name) const;

  protected:
    /// Throws a WormholeError for an unknown option, stating the nearest name, all names, and what
    /// else is expected.
    [[noreturn]] void RefuseUnknown(const std::string& name, const std::string& others) const;

  private:
    struct Option
    {
        std::string placeholder; ///< placeholder for its value; empty for a switch
        std::string value;       ///< its final value
        bool isGiven{false};     ///< whether it was given
        std::string place;       ///< place where a machine sets it; else empty
    };

    struct MachineValue
    {
        std::string value; ///< the value
        std::string place; ///< file and line
    };

    Time ReadTime(const std::string& name, const std::string& text) const;

    /// @return the option's entries, split at commas outside of brackets; no entry is empty
    std::vector<std::string> Split(const std::string& name) const;

    Origin m_origin;                                    ///< source of the values
    std::map<std::string, Option> m_options;            ///< options by name
    std::map<std::string, std::string> m_names;         ///< declared names by plain spelling
    std::set<std::string> m_attributes;                 ///< attributes that were given
    std::map<std::string, MachineValue> m_machine;      ///< a machine's values, by attribute
    std::shared_ptr<const WormholeTopology> m_topology; ///< an existing fabric
};

/// @ingroup wormhole
/// @brief A parameter of a study: the single source of the command line, its help, Python's
///        arguments and their documentation, campaign keys and the page in doc/.
struct StudyParameter
{
    /// Type of a value, or of a list entry.
    enum Kind
    {
        WHOLE,  ///< a whole number
        RATIO,  ///< a number above 0
        TIME,   ///< a time with its unit
        BYTES,  ///< a number of bytes, optionally with a unit
        WORD,   ///< one of the given words
        TEXT,   ///< any text
        FILE,   ///< name of a file
        SWITCH, ///< a flag; noX is x=False in Python
        FABRIC  ///< name of a fabric file; in Python also a Fabric
    };

    /// When the parameter is read.
    enum Use
    {
        MEASURE, ///< for measurements; ignored if only earlier results are plotted
        PLOT,    ///< for plots; no argument in Python
        BOTH,    ///< always
        PROGRAM  ///< for measurements; no argument in Python
    };

    std::string name;               ///< its name, such as groupSizes
    std::string alias;              ///< an earlier name; empty: none
    std::string placeholder;        ///< example value for messages and help: 2,4,8
    std::string unit;               ///< unit of a number given without one; empty: none
    std::string help;               ///< description
    std::string defaultValue;       ///< default value; empty: see help
    Kind kind{TEXT};                ///< type of a value
    bool isList{false};             ///< whether it is a comma-separated list
    uint32_t min{0};                ///< smallest number allowed
    uint32_t max{0};                ///< largest number allowed
    bool aboveZero{false};          ///< whether a time must be above 0
    bool isRaw{false};              ///< whether the study itself reads the text and may allow 0
    std::vector<std::string> words; ///< allowed words
    Use use{MEASURE};               ///< when it is read
    std::string attribute; ///< full name of the corresponding attribute, which a machine may set
                           ///< but the user may not; empty: none

    StudyParameter() = default;

    /// Reads a definition such as "imbalance=0,50 percent (0,50) [list 0..100]: By how much": name,
    /// example value, unit of numbers given without one, default, allowed values, and description;
    /// the full name of an attribute may precede the description. Only name and description are
    /// required; without an example value the parameter is a switch. The words in brackets are:
    /// list; a range (of whole numbers, unless ratio or bytes is there); time, or time above 0;
    /// file; raw; alias with an earlier name; and plot, both or program, see Use.
    /// @param text the definition
    /// @param words allowed words; empty: any
    StudyParameter(const std::string& text, const std::vector<std::string>& words = {});

    /// Reads a definition, like the other constructor, with any words allowed.
    StudyParameter(const char* text)
        : StudyParameter(std::string(text))
    {
    }

    /// @return allowed values, for help texts, such as "1 to 65535"; empty: any value of its type
    std::string GetAccepted() const;

    /// @return description, unit and allowed values
    std::string GetHelp() const;

    /// @return its name in Python: group_sizes for groupSizes, search for the switch noSearch
    std::string GetPythonName() const
    {
        return OptionValues::GetPythonName(name, kind == SWITCH);
    }

  private:
    void Allow(const std::string& allowed);
};

} // namespace ns3

#endif /* WORMHOLE_OPTION_VALUES_H */
