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
/// An option's name may be spelled groupSizes, group-sizes or group_sizes. Error messages show the
/// option and its value in the caller's notation (see Origin).
class OptionValues
{
  public:
    /// The source of the values, which determines the notation in messages.
    enum Origin
    {
        COMMAND_LINE, ///< the command line; notation: --groupSizes=4
        PYTHON        ///< a call in Python; notation: group_sizes=4
    };

    /// Makes an empty set of options, whose values will come from the given source.
    explicit OptionValues(Origin origin = COMMAND_LINE)
        : m_origin(origin)
    {
    }

    /// Adds an option; the placeholder, such as FILE, stands for the option's value in messages; an
    /// empty placeholder makes the option a switch, which has no value.
    void Declare(const std::string& name,
                 const std::string& placeholder,
                 const std::string& defaultValue = "");

    /// Adds an alias of an option.
    void AddAlias(const std::string& name, const std::string& alias);

    /// Sets an option, whose name may have any spelling, to a value (empty for a switch); throws a
    /// WormholeError if the option is unknown or set already, or a value is missing or unexpected.
    void Set(const std::string& name, const std::string& value);

    /// Sets an existing fabric in place of one that the option `fabric` would name; `label` is the
    /// fabric's name in results and messages.
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

    /// Finds the declared name of an option from any spelling or alias; empty: no such option.
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

    /// Writes an option, and the value unless that is empty, in the caller's notation.
    std::string Show(const std::string& name, const std::string& value = "") const;

    /// Gives an option's name in Python, such as `group_sizes` for groupSizes; for the switch
    /// noSearch the name in Python is `search`.
    static std::string GetPythonName(const std::string& name, bool isSwitch);

    /// Throws a WormholeError with the option, its value, and `trouble`: what is wrong or expected.
    [[noreturn]] void Refuse(const std::string& name, const std::string& trouble) const;

    /// Throws the error of Refuse if `isWrong` is true.
    void RefuseIf(bool isWrong, const std::string& name, const std::string& trouble) const
    {
        if (isWrong)
        {
            Refuse(name, trouble);
        }
    }

    /// Runs an action; adds the option's name to any WormholeError that the action throws.
    void Check(const std::string& name, const std::function<void()>& action) const;

    /// Throws a WormholeError if the option `name` is given together with any of `others`.
    void RefuseTogether(const std::string& name, const std::vector<std::string>& others) const;

    /// Throws a WormholeError: option `name` needs option `other`, which is shown with `value`.
    [[noreturn]] void RefuseAlone(const std::string& name,
                                  const std::string& other,
                                  const std::string& value = "") const
    {
        Refuse(name, "has no effect without " + Show(other, value) + "; expected both");
    }

    /// Records that the user has given an attribute, such as ns3::Class::Attribute.
    void NoteAttribute(const std::string& attribute)
    {
        m_attributes.insert(attribute);
    }

    /// Throws a WormholeError if the user has given this attribute, which has no effect: `option`
    /// names the option to use instead; if `option` is empty, the program sets the attribute.
    void RefuseAttribute(const std::string& attribute, const std::string& option = "") const;

    /// Records a default that a machine file sets; `place` states the file and the line.
    void RecordMachineDefault(const std::string& attribute,
                              const std::string& value,
                              const std::string& place)
    {
        m_machine[attribute] = {value, place};
    }

    /// If the option is not given but a machine sets the attribute, gives the option the machine's
    /// value; returns whether the option has got the machine's value.
    bool TakeFromMachine(const std::string& name, const std::string& attribute);

    /// If a machine or the user gives the attribute, warns on standard error that the attribute's
    /// value has no effect; each warning is a line that begins with `program`, the program's name.
    void WarnIgnored(const std::string& attribute, const std::string& program) const;

    /// Throws a WormholeError if two of the listed options name the same file, even by different
    /// paths; devices, such as /dev/stdout, may be named by several options.
    void RefuseSameFile(const std::vector<std::string>& names) const;

    /// Gives the option's value, which must be one of the allowed words.
    std::string GetWord(const std::string& name, const std::vector<std::string>& words) const;

    /// Gives the option's value, a comma-separated list of distinct entries, each of which must be
    /// in `words` unless `words` is empty; an empty value gives an empty list.
    std::vector<std::string> GetWords(const std::string& name,
                                      const std::vector<std::string>& words = {}) const;

    /// Gives the option's value, a whole number in a range.
    uint32_t GetWhole(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a list of whole numbers in a range; an empty value: no numbers.
    std::vector<uint32_t> GetWholes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a number of bytes in a range, such as 64kB (see ParseByteSize).
    uint32_t GetBytes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a list of distinct numbers of bytes in a range.
    std::vector<uint32_t> GetByteSizes(const std::string& name, uint32_t min, uint32_t max) const;

    /// Gives the option's value, a ratio above 0 and at most `max`.
    double GetRatio(const std::string& name, uint32_t max = 1) const
    {
        const auto ratios = GetRatios(name, max);
        RefuseIf(ratios.size() != 1,
                 name,
                 "expected one number above 0, up to " + std::to_string(max));
        return ratios.front();
    }

    /// Gives the option's value, a list of ratios, each above 0 and at most `max`.
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
    /// Throws a WormholeError for an unknown option; the error states the most similar name, all
    /// names, and `others`, which tells what else is accepted.
    [[noreturn]] void RefuseUnknown(const std::string& name, const std::string& others) const;

  private:
    struct Option
    {
        std::string placeholder; ///< stands for the option's value; empty for a switch
        std::string value;       ///< the option's value or default
        bool isGiven{false};     ///< whether the option was given
        std::string place;       ///< where a machine sets the value; empty: no machine does
    };

    struct MachineValue
    {
        std::string value; ///< the value
        std::string place; ///< file and line
    };

    Time ReadTime(const std::string& name, const std::string& text) const;

    /// @return entries of the option's value, split at commas outside of brackets; none is empty
    std::vector<std::string> Split(const std::string& name) const;

    Origin m_origin;                                    ///< source of the values
    std::map<std::string, Option> m_options;            ///< options by name
    std::map<std::string, std::string> m_names;         ///< declared names by plain spelling
    std::set<std::string> m_attributes;                 ///< attributes that were given
    std::map<std::string, MachineValue> m_machine;      ///< a machine's values, by attribute
    std::shared_ptr<const WormholeTopology> m_topology; ///< see SetTopology; null: none
};

/// @ingroup wormhole
/// @brief A parameter of a study, defined once: it yields the command-line option and its help, the
///        Python argument and its documentation, the campaign key, and an entry of a page in doc/.
struct StudyParameter
{
    /// Type of the parameter's value or, for a list, of each entry.
    enum Kind
    {
        WHOLE,  ///< a whole number
        RATIO,  ///< a number above 0
        TIME,   ///< a time with its unit
        BYTES,  ///< a number of bytes, optionally with a unit
        WORD,   ///< one of the given words
        TEXT,   ///< any text
        FILE,   ///< name of a file
        SWITCH, ///< a flag without a value; the switch noX becomes x=False in Python
        FABRIC  ///< name of a fabric file; Python also accepts a Fabric object
    };

    /// The stage of a study that reads the parameter.
    enum Use
    {
        MEASURE, ///< for measurements; refused if only the results of an earlier run are plotted
        PLOT,    ///< for plots; Python has no such argument
        BOTH,    ///< for measurements and for plots
        PROGRAM  ///< for measurements; Python has no such argument
    };

    std::string name;               ///< name of the parameter, such as groupSizes
    std::string alias;              ///< former name, still accepted; empty: none
    std::string placeholder;        ///< example value for messages and help, such as 2,4,8
    std::string unit;               ///< unit of values that are given without one; empty: none
    std::string help;               ///< description
    std::string defaultValue;       ///< default value; empty: see help
    Kind kind{TEXT};                ///< type of a value
    bool isList{false};             ///< whether the value is a comma-separated list
    uint32_t min{0};                ///< smallest number allowed; has no effect on ratios
    uint32_t max{0};                ///< largest number allowed
    bool aboveZero{false};          ///< whether a time, not in a list, must be above 0
    bool isRaw{false};              ///< true: the study parses the text, and ratios may be 0
    std::vector<std::string> words; ///< allowed words
    Use use{MEASURE};               ///< when the parameter is read
    std::string attribute; ///< full name of the corresponding attribute: a machine may set it, but
                           ///< the user must use the parameter; empty: none

    StudyParameter() = default;

    /// Reads a definition such as "imbalance=0,50 percent (0,50) [list 0..100]: By how much", which
    /// gives, in this order: name, example value, default unit, default value, allowed values, and
    /// description; an attribute's full name may precede the description. Only name and description
    /// are required; without an example value, the parameter is a switch. The brackets may contain:
    /// "list"; a range (of whole numbers unless "ratio" or "bytes" is added); "time"; "time above
    /// 0"; "file"; "fabric"; "raw" (isRaw); "alias NAME"; "plot", "both" or "program" (Use).
    /// @param text the definition
    /// @param words values that are allowed; empty: any
    StudyParameter(const std::string& text, const std::vector<std::string>& words = {});

    /// Reads a definition, like the other constructor, with any words allowed.
    StudyParameter(const char* text)
        : StudyParameter(std::string(text))
    {
    }

    /// @return text on allowed values, such as "1 to 65535"; empty: all values of the type
    std::string GetAccepted() const;

    /// @return help text: description, unit, alias and allowed values
    std::string GetHelp() const;

    /// @return the parameter's name in Python: `group_sizes` for groupSizes, `search` for noSearch
    std::string GetPythonName() const
    {
        return OptionValues::GetPythonName(name, kind == SWITCH);
    }

  private:
    void Allow(const std::string& allowed);
};

} // namespace ns3

#endif /* WORMHOLE_OPTION_VALUES_H */
