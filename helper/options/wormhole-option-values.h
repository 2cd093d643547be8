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
 * @brief Values of options by name, as text, each checked when it is read.
 *
 * Names may be written as groupSizes, group-sizes or group_sizes. A message names the option and
 * its value the way its reader wrote them.
 */
class OptionValues
{
  public:
    /// Who gives the values, and so how messages name an option.
    enum Origin
    {
        COMMAND_LINE, ///< --groupSizes=4
        PYTHON        ///< group_sizes=4
    };

    /// @param origin who gives the values
    explicit OptionValues(Origin origin = COMMAND_LINE);

    /// Adds an option.
    /// @param name its name, as groupSizes
    /// @param placeholder what stands for the value in messages, such as FILE; empty: it has none
    /// @param defaultValue value without the option
    void Declare(const std::string& name,
                 const std::string& placeholder,
                 const std::string& defaultValue = "");

    /// Adds a further name of an option. @param name its name @param alias the further one
    void AddAlias(const std::string& name, const std::string& alias);

    /// Gives an option.
    /// @param name its name, in any spelling
    /// @param value its value; empty for one that has none
    /// @throws WormholeError if there is no such option, it is given twice, has a value where it
    /// takes none or none where it takes one
    void Set(const std::string& name, const std::string& value);

    /// Gives a fabric that is there already, in place of the option `fabric`.
    /// @param topology the fabric
    /// @param label its name, in results and messages
    void SetTopology(std::shared_ptr<const WormholeTopology> topology, const std::string& label);

    /// @return the fabric that SetTopology gave; null if it was not called
    std::shared_ptr<const WormholeTopology> GetTopology() const
    {
        return m_topology;
    }

    /// @return the name of an option as declared; empty if there is none
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

    /// @return an option as its giver writes it
    /// @param name its name
    /// @param value its value; empty: without one
    std::string Show(const std::string& name, const std::string& value = "") const;

    /// @param name name of an option, as declared
    /// @param isSwitch whether it has no value
    /// @return its name in Python: group_sizes for groupSizes, search for the switch noSearch
    static std::string GetPythonName(const std::string& name, bool isSwitch);

    /// Refuses the value of an option.
    /// @param name its name
    /// @param trouble what is wrong, or what is accepted
    /// @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& name, const std::string& trouble) const;

    /// Does what an option's value is for, so that what is wrong with it names the option.
    /// @param name its name
    /// @param action what to do
    /// @throws WormholeError if the action does
    void Check(const std::string& name, const std::function<void()>& action) const;

    /// Refuses options that would have no effect.
    /// @param name an option
    /// @param others options that make no sense with it
    /// @throws WormholeError if it is given, and one of them, too
    void RefuseTogether(const std::string& name, const std::vector<std::string>& others) const;

    /// Refuses an option that would have no effect.
    /// @param name the option
    /// @param other an option that it needs
    /// @param value value of that one that it needs; empty: any
    /// @throws WormholeError always
    [[noreturn]] void RefuseAlone(const std::string& name,
                                  const std::string& other,
                                  const std::string& value = "") const;

    /// Notes that an attribute was given. @param attribute its name, as ns3::Class::Attribute
    void NoteAttribute(const std::string& attribute)
    {
        m_attributes.insert(attribute);
    }

    /// Refuses an attribute that would have no effect.
    /// @param attribute its name, as ns3::Class::Attribute
    /// @param option name of the option that stands for it; empty: the program sets it by itself
    /// @throws WormholeError if it is given
    void RefuseAttribute(const std::string& attribute, const std::string& option = "") const;

    /// Notes a machine's value of an attribute, whose default it is by now.
    /// @param attribute its name, as ns3::Class::Attribute
    /// @param value its value
    /// @param place file and line, for messages
    void RecordMachineDefault(const std::string& attribute,
                              const std::string& value,
                              const std::string& place)
    {
        m_machine[attribute] = {value, place};
    }

    /// Has a machine's value of an attribute stand for an option that is not given.
    /// @param name name of the option
    /// @param attribute the attribute that it stands for
    /// @return whether the machine gives it and the option is not given
    bool TakeFromMachine(const std::string& name, const std::string& attribute);

    /// Says on standard error that a machine's value has no effect, if it gives one, or that of an
    /// attribute that was given.
    /// @param attribute an attribute that the program sets by itself
    /// @param program name of the program, which begins the line
    void WarnIgnored(const std::string& attribute, const std::string& program) const;

    /// Refuses one file for several outputs, even under different paths. Devices take any number.
    /// @param names options that name files to write
    /// @throws WormholeError if two of them name the same one
    void RefuseSameFile(const std::vector<std::string>& names) const;

    /// @param name name of an option @param words words accepted @return its value, one of them
    std::string GetWord(const std::string& name, const std::vector<std::string>& words) const;

    /// @param name name of an option
    /// @param words words accepted; empty: any
    /// @return its value, a list with commas, each entry once; empty if the value is
    std::vector<std::string> GetWords(const std::string& name,
                                      const std::vector<std::string>& words = {}) const;

    /// @param name name of an option
    /// @param min least value accepted
    /// @param max greatest value accepted
    /// @return its value, a whole number
    uint32_t GetWhole(const std::string& name, uint32_t min, uint32_t max) const;

    /// @copydoc GetWhole @return its value, a list of whole numbers; empty if the value is
    std::vector<uint32_t> GetWholes(const std::string& name, uint32_t min, uint32_t max) const;

    /// @param name name of an option
    /// @param min least value accepted
    /// @param max greatest value accepted
    /// @return its value, a number of bytes as ParseByteSize reads it, such as 64kB
    uint32_t GetBytes(const std::string& name, uint32_t min, uint32_t max) const;

    /// @copydoc GetBytes @return its value, a list of such numbers, each once
    std::vector<uint32_t> GetByteSizes(const std::string& name, uint32_t min, uint32_t max) const;

    /// @param name name of an option
    /// @param max greatest value accepted
    /// @return its value, a ratio above 0
    double GetRatio(const std::string& name, uint32_t max = 1) const;

    /// @copydoc GetRatio @return its value, a list of such ratios
    std::vector<double> GetRatios(const std::string& name, uint32_t max = 1) const;

    /// @return its value, a time that ns-3's resolution holds exactly @param name name of an option
    Time GetTime(const std::string& name) const
    {
        return ReadTime(name, Get(name));
    }

    /// @copydoc GetTime @return its value, such a time above 0
    Time GetTimeAboveZero(const std::string& name) const;

    /// @return its value, a list of times, each as GetTime @param name name of an option
    std::vector<Time> GetTimes(const std::string& name) const;

  protected:
    /// @param name name of an option that there is none of
    /// @param others what else is accepted
    /// @throws WormholeError always, with the nearest name and all names
    [[noreturn]] void RefuseUnknown(const std::string& name, const std::string& others) const;

  private:
    struct Option
    {
        std::string placeholder; ///< what stands for its value; empty if it has none
        std::string value;       ///< its value, in the end
        bool isGiven{false};     ///< whether it was given
        std::string place;       ///< where a machine gives it, and as what; empty: it does not
    };

    /// What a machine gives.
    struct MachineValue
    {
        std::string value; ///< the value
        std::string place; ///< file and line
    };

    Time ReadTime(const std::string& name, const std::string& text) const;

    /// @return entries between commas that no brackets enclose, none empty
    std::vector<std::string> Split(const std::string& name) const;

    Origin m_origin;                                    ///< who gives the values
    std::map<std::string, Option> m_options;            ///< by name
    std::map<std::string, std::string> m_names;         ///< names as declared, by plain spelling
    std::set<std::string> m_attributes;                 ///< attributes that were given
    std::map<std::string, MachineValue> m_machine;      ///< a machine's values, by attribute
    std::shared_ptr<const WormholeTopology> m_topology; ///< a fabric that is there already
};

/// @ingroup wormhole
/// @brief A parameter of a study: the one place from which the command line, its help, Python's
/// arguments and their documentation, keys of campaigns and the page in doc/ are made.
struct StudyParameter
{
    /// What a value, or an entry of a list, is.
    enum Kind
    {
        WHOLE,  ///< a whole number
        RATIO,  ///< a number above 0
        TIME,   ///< a time with its unit
        BYTES,  ///< a number of bytes, maybe with a unit
        WORD,   ///< one of some words
        TEXT,   ///< any text
        FILE,   ///< name of a file
        SWITCH, ///< given or not; noX is x=False in Python
        FABRIC  ///< name of a fabric's file; in Python a Fabric, too
    };

    /// When it is read.
    enum Use
    {
        MEASURE, ///< when something is measured, so not for results of earlier runs
        PLOT,    ///< when plots are made; no argument in Python
        BOTH,    ///< always
        PROGRAM  ///< when something is measured; no argument in Python
    };

    std::string name;               ///< its name, as groupSizes
    std::string placeholder;        ///< a value for messages and help, as 2,4,8
    std::string unit;               ///< unit of a number without one; empty: none
    std::string help;               ///< what it does
    std::string defaultValue;       ///< value without it; empty: see help
    Kind kind{TEXT};                ///< what a value is
    bool isList{false};             ///< whether it has several, with commas
    uint32_t min{0};                ///< least number accepted
    uint32_t max{0};                ///< greatest number accepted
    bool aboveZero{false};          ///< whether a time has to be above 0
    bool isFromZero{false};         ///< whether 0 is a ratio that is accepted, too
    std::vector<std::string> words; ///< words accepted
    Use use{MEASURE};               ///< when it is read
    bool isSetWhenGiven{false};     ///< whether its default is not set, but comes from attributes
    std::string attribute; ///< full name of the attribute that it stands for and a machine may
                           ///< give, the attribute itself being refused; empty: none
    /// Reads it from the values; null: the study does.
    std::function<void(const OptionValues&, const StudyParameter&)> set;

    /// @param text what is said of it, as "imbalance=0,50 percent (0,50): By how much": its name, a
    ///        value for messages and help, the unit of numbers without one, the value without it,
    ///        and what it does; unit and value may be left out, of a switch the example, too
    /// @return a parameter, any text
    static StudyParameter FromText(const std::string& text);

    /// Accepts numbers. @param from the least @param to the greatest @return this
    StudyParameter& Range(uint32_t from, uint32_t to);

    /// Accepts numbers of bytes. @param from the least @param to the greatest @return this
    StudyParameter& Bytes(uint32_t from, uint32_t to);

    /// Accepts some words. @param accepted the words @return this
    StudyParameter& OneOf(const std::vector<std::string>& accepted);

    /// Accepts names of files. @return this
    StudyParameter& File();

    /// @return what is accepted, for help texts, as "1 to 65535"; empty: anything of its kind
    std::string GetAccepted() const;

    /// @return help, unit and what is accepted
    std::string GetHelp() const;

    /// @return its name in Python: group_sizes for groupSizes, search for the switch noSearch
    std::string GetPythonName() const
    {
        return OptionValues::GetPythonName(name, kind == SWITCH);
    }
};

} // namespace ns3

#endif /* WORMHOLE_OPTION_VALUES_H */
