/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_OPTION_VALUES_H
#define WORMHOLE_OPTION_VALUES_H

#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

struct WormholeTopology;

/**
 * @ingroup wormhole
 * @brief Option values by name, as text; each is checked when it is read.
 *
 * Names may be written as groupSizes, group-sizes or group_sizes. Messages use the caller's
 * notation for the option and its value.
 */
class OptionValues
{
  public:
    /// The source of the values, which determines the notation in messages.
    enum Origin
    {
        COMMAND_LINE, ///< --groupSizes=4
        PYTHON        ///< group_sizes=4
    };

    /// @param origin the source
    explicit OptionValues(Origin origin = COMMAND_LINE);

    /// Adds an option.
    /// @param name its name, as groupSizes
    /// @param placeholder placeholder for the value in messages, such as FILE; empty for a switch
    /// @param defaultValue default value
    void Declare(const std::string& name,
                 const std::string& placeholder,
                 const std::string& defaultValue = "");

    /// Adds an alias of an option. @param name its name @param alias the alias
    void AddAlias(const std::string& name, const std::string& alias);

    /// Sets an option.
    /// @param name its name, in any spelling
    /// @param value its value; empty for a switch
    /// @throws WormholeError if there is no such option, it is set twice, or it wrongly has or
    ///         lacks a value
    void Set(const std::string& name, const std::string& value);

    /// Sets an existing fabric, in place of the option `fabric`.
    /// @param topology the fabric
    /// @param label its name, in results and messages
    void SetTopology(std::shared_ptr<const WormholeTopology> topology, const std::string& label);

    /// @return the fabric set by SetTopology; null if none
    std::shared_ptr<const WormholeTopology> GetTopology() const
    {
        return m_topology;
    }

    /// @return the name of an option as declared; empty if unknown
    /// @param name in any spelling
    std::string Find(const std::string& name) const;

    /// @return names of all options as declared, in alphabetical order
    std::vector<std::string> GetNames() const;

    /// @return whether the option was given @param name its name
    bool Has(const std::string& name) const
    {
        return m_options.at(name).isGiven;
    }

    /// @return its value @param name its name
    const std::string& Get(const std::string& name) const
    {
        return m_options.at(name).value;
    }

    /// @return an option in the caller's notation
    /// @param name its name
    /// @param value its value; empty: none
    std::string Show(const std::string& name, const std::string& value = "") const;

    /// @param name name of an option, as declared
    /// @param isSwitch whether it is a switch
    /// @return its name in Python: group_sizes for groupSizes, search for the switch noSearch
    static std::string GetPythonName(const std::string& name, bool isSwitch);

    /// Refuses the value of an option.
    /// @param name its name
    /// @param trouble what is wrong, or expected
    /// @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& name, const std::string& trouble) const;

    /// Executes an action for an option, whose name is added to errors.
    /// @param name its name
    /// @param action the action
    /// @throws WormholeError if the action does
    void Check(const std::string& name, const std::function<void()>& action) const;

    /// Refuses options that would have no effect.
    /// @param name an option
    /// @param others options that make no sense with it
    /// @throws WormholeError if it is given together with one of them
    void RefuseTogether(const std::string& name, const std::vector<std::string>& others) const;

    /// Refuses an option that would have no effect.
    /// @param name the option
    /// @param other an option that it needs
    /// @param value required value of that option; empty: any
    /// @throws WormholeError always
    [[noreturn]] void RefuseAlone(const std::string& name,
                                  const std::string& other,
                                  const std::string& value = "") const;

    /// Records that an attribute was given. @param attribute its name, as ns3::Class::Attribute
    void NoteAttribute(const std::string& attribute)
    {
        m_attributes.insert(attribute);
    }

    /// Refuses an attribute that would have no effect.
    /// @param attribute its name, as ns3::Class::Attribute
    /// @param option name of the option that corresponds to it; empty: the program sets it by
    ///        itself
    /// @throws WormholeError if it is given
    void RefuseAttribute(const std::string& attribute, const std::string& option = "") const;

    /// Records a machine's value of an attribute, which is now its default.
    /// @param attribute its name, as ns3::Class::Attribute
    /// @param value its value
    /// @param place file and line, for messages
    void RecordMachineDefault(const std::string& attribute,
                              const std::string& value,
                              const std::string& place)
    {
        m_machine[attribute] = {value, place};
    }

    /// Uses a machine's value of an attribute for an option that is not given.
    /// @param name name of the option
    /// @param attribute the corresponding attribute
    /// @return whether the machine has a value and the option is not given
    bool TakeFromMachine(const std::string& name, const std::string& attribute);

    /// Warns on standard error that the value of an attribute, given by a machine or as an option,
    /// has no effect.
    /// @param attribute an attribute that the program sets by itself
    /// @param program name of the program, to begin the line
    void WarnIgnored(const std::string& attribute, const std::string& program) const;

    /// Refuses the same file for several outputs, even under different paths. Devices are exempt.
    /// @param names options that name output files
    /// @throws WormholeError if two of them name the same file
    void RefuseSameFile(const std::vector<std::string>& names) const;

    /// @param name name of an option @param words allowed words @return its value, one of them
    std::string GetWord(const std::string& name, const std::vector<std::string>& words) const;

    /// @param name name of an option
    /// @param words allowed words; empty: any
    /// @return its value, a comma-separated list of distinct entries; empty if the value is
    std::vector<std::string> GetWords(const std::string& name,
                                      const std::vector<std::string>& words = {}) const;

    /// @param name name of an option
    /// @param min smallest value allowed
    /// @param max largest value allowed
    /// @return its value, a whole number
    uint32_t GetWhole(const std::string& name, uint32_t min, uint32_t max) const;

    /// @copydoc GetWhole @return its value, a list of whole numbers; empty if the value is
    std::vector<uint32_t> GetWholes(const std::string& name, uint32_t min, uint32_t max) const;

    /// @param name name of an option
    /// @param min smallest value allowed
    /// @param max largest value allowed
    /// @return its value, a number of bytes in ParseByteSize's format, such as 64kB
    uint32_t GetBytes(const std::string& name, uint32_t min, uint32_t max) const;

    /// its value, a list of distinct numbers of bytes
    std::vector<uint32_t> GetByteSizes(const std::string& name, uint32_t min, uint32_t max) const;

    /// @param name name of an option
    /// @param max largest value allowed
    /// @return its value, a ratio above 0
    double GetRatio(const std::string& name, uint32_t max = 1) const;

    /// @copydoc GetRatio @return its value, a list of such ratios
    std::vector<double> GetRatios(const std::string& name, uint32_t max = 1) const;

    /// @return its value, a time that is exact in ns-3's resolution @param name name of an option
    Time GetTime(const std::string& name) const
    {
        return ReadTime(name, Get(name));
    }

    /// its value, a time above 0
    Time GetTimeAboveZero(const std::string& name) const;

    /// @return its value, a list of times, each as GetTime @param name name of an option
    std::vector<Time> GetTimes(const std::string& name) const;

  protected:
    /// @param name name of an unknown option
    /// @param others what else is expected
    /// @throws WormholeError always, with the nearest name and all names
    [[noreturn]] void RefuseUnknown(const std::string& name, const std::string& others) const;

  private:
    struct Option
    {
        std::string placeholder; ///< placeholder for its value; empty for a switch
        std::string value;       ///< its final value
        bool isGiven{false};     ///< whether it was given
        std::string place;       ///< where a machine gives it; empty: it does not
    };

    /// A machine's value.
    struct MachineValue
    {
        std::string value; ///< the value
        std::string place; ///< file and line
    };

    Time ReadTime(const std::string& name, const std::string& text) const;

    /// @return comma-separated entries outside of brackets, none of them empty
    std::vector<std::string> Split(const std::string& name) const;

    Origin m_origin;                                    ///< source of the values
    std::map<std::string, Option> m_options;            ///< by name
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
        MEASURE, ///< for measurements; ignored for results of earlier runs
        PLOT,    ///< for plots; no argument in Python
        BOTH,    ///< always
        PROGRAM  ///< for measurements; no argument in Python
    };

    std::string name;               ///< its name, as groupSizes
    std::string alias;              ///< an earlier name; empty: none
    std::string placeholder;        ///< example value for messages and help, as 2,4,8
    std::string unit;               ///< unit of a number given without one; empty: none
    std::string help;               ///< description
    std::string defaultValue;       ///< default value; empty: see help
    Kind kind{TEXT};                ///< type of a value
    bool isList{false};             ///< whether it is a comma-separated list
    uint32_t min{0};                ///< smallest number allowed
    uint32_t max{0};                ///< largest number allowed
    bool aboveZero{false};          ///< whether a time must be above 0
    bool isRaw{false};              ///< whether the study reads its text, where 0 may be allowed
    std::vector<std::string> words; ///< allowed words
    Use use{MEASURE};               ///< for what it is used
    std::string attribute; ///< full name of the corresponding attribute, which a machine may give
                           ///< and the user may not; empty: none

    StudyParameter() = default;

    /**
     * What a definition says, such as "imbalance=0,50 percent (0,50) [list 0..100]: By how much":
     * name, example value, unit of numbers without one, default, what is allowed, the full name of
     * an attribute and a description. All but name and description may be left out; without an
     * example it is a switch. In brackets are words: list; a range, of whole numbers unless ratio
     * or bytes is there; time, or time above 0; file; raw; alias and an earlier name; and plot,
     * both or program, see Use.
     * @param text the definition
     * @param words allowed words; empty: any
     */
    StudyParameter(const std::string& text, const std::vector<std::string>& words = {});

    /// The same. @param text the definition
    StudyParameter(const char* text)
        : StudyParameter(std::string(text))
    {
    }

    /// @return allowed values, for help texts, as "1 to 65535"; empty: any of its type
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
