/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_OPTIONS_H
#define PROGRAM_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Options of a program, on ns-3's CommandLine, every mistake refused in one line.
 *
 * CommandLine answers a mistake with its whole help text, and passes over arguments that are no
 * options. Here all arguments are judged before CommandLine sees them; what is left to it are the
 * help text, --PrintAttributes and its like, and attributes as --ns3::Class::Attribute=value.
 * Seed and run of random numbers are the program's business, so --RngSeed and --RngRun are refused.
 */
class ProgramOptions
{
  public:
    /**
     * @param sourceFile __FILE__ of the program
     * @param usage what the program is for
     */
    ProgramOptions(const std::string& sourceFile, const std::string& usage);

    ProgramOptions(const ProgramOptions&) = delete;            ///< CommandLine keeps references
    ProgramOptions& operator=(const ProgramOptions&) = delete; ///< CommandLine keeps references

    /**
     * Adds an option that has a value.
     * @param name its name, without dashes
     * @param placeholder what stands for the value in messages, such as FILE
     * @param help what it does
     * @param defaultValue value without the option
     */
    void Add(const std::string& name,
             const std::string& placeholder,
             const std::string& help,
             const std::string& defaultValue = "");

    /// Adds an option without a value. @param name its name @param help what it does
    void AddSwitch(const std::string& name, const std::string& help);

    /**
     * Reads the command line. Prints and exits with 0 if it asks for help.
     * @param argc number of arguments
     * @param argv arguments
     * @throws WormholeError for an argument that is no option, an option given twice, an option
     *         without a value, and an attribute or value of it that does not exist
     */
    void Parse(int argc, char* argv[]);

    /// @return whether the option was given @param name its name
    bool Has(const std::string& name) const;

    /// @return its value @param name its name
    const std::string& Get(const std::string& name) const;

    /**
     * Refuses the value of an option.
     * @param name its name
     * @param trouble what is wrong, or what is accepted
     * @throws WormholeError always
     */
    [[noreturn]] void Refuse(const std::string& name, const std::string& trouble) const;

    /**
     * Does what an option's value is for, so that what is wrong with it names the option.
     * @param name its name
     * @param action what to do
     * @throws WormholeError if the action does
     */
    void Check(const std::string& name, const std::function<void()>& action) const;

    /**
     * Refuses options that would have no effect.
     * @param name an option
     * @param others options that make no sense with it
     * @throws WormholeError if it is given, and one of them, too
     */
    void RefuseTogether(const std::string& name, const std::vector<std::string>& others) const;

    /**
     * Refuses one file, by whichever of its names, for several outputs. Devices take any number.
     * @param names options that name files to write
     * @throws WormholeError if two of them name the same one
     */
    void RefuseSameFile(const std::vector<std::string>& names) const;

    /**
     * Refuses an attribute that would have no effect.
     * @param attribute its name, as ns3::Class::Attribute
     * @param option name of the option that stands for it; empty: the program sets it by itself
     * @throws WormholeError if it is given
     */
    void RefuseAttribute(const std::string& attribute, const std::string& option = "") const;

    /// @return schedulers that programs may be asked for, such as Map for ns3::MapScheduler
    static const std::vector<std::string>& GetSchedulerNames();

    /// Has simulations from now on use a scheduler. @param name one of GetSchedulerNames
    static void UseScheduler(const std::string& name);

    /**
     * Makes the folder that an option names, unless it is there.
     * @param name name of the option
     * @throws WormholeError if it can't be made, or written to
     */
    void MakeFolder(const std::string& name) const;

    /**
     * @param name name of an option
     * @param words words accepted
     * @return its value, one of them
     */
    std::string GetWord(const std::string& name, const std::vector<std::string>& words) const;

    /**
     * @param name name of an option
     * @param words words accepted; empty: any
     * @return its value, a list with commas, each entry once; empty if the value is
     */
    std::vector<std::string> GetWords(const std::string& name,
                                      const std::vector<std::string>& words = {}) const;

    /**
     * @param name name of an option
     * @param least least value accepted
     * @param greatest greatest value accepted
     * @return its value, a whole number
     */
    uint32_t GetWhole(const std::string& name, uint32_t least, uint32_t greatest) const;

    /// @copydoc GetWhole @return its value, a list of whole numbers; empty if the value is
    std::vector<uint32_t> GetWholes(const std::string& name,
                                    uint32_t least,
                                    uint32_t greatest) const;

    /**
     * @param name name of an option
     * @param least least value accepted
     * @param greatest greatest value accepted
     * @return its value, a number of bytes as ParseByteSize reads it, such as 64kB
     */
    uint32_t GetBytes(const std::string& name, uint32_t least, uint32_t greatest) const;

    /// @copydoc GetBytes @return its value, a list of such numbers, each once
    std::vector<uint32_t> GetByteSizes(const std::string& name,
                                       uint32_t least,
                                       uint32_t greatest) const;

    /**
     * @param name name of an option
     * @param greatest greatest value accepted
     * @return its value, a list of ratios above 0
     */
    std::vector<double> GetRatios(const std::string& name, uint32_t greatest = 1) const;

    /// @return its value, a time that ns-3's resolution holds exactly @param name name of an option
    Time GetTime(const std::string& name) const;

    /// @copydoc GetTime @return its value, such a time above 0
    Time GetTimeAboveZero(const std::string& name) const;

    /// @return its value, a list of times, each as GetTime @param name name of an option
    std::vector<Time> GetTimes(const std::string& name) const;

  private:
    /// One option.
    struct Option
    {
        std::string placeholder; ///< what stands for its value; empty if it has none
        std::string value;       ///< its value, in the end
        bool on{false};          ///< whether it was given
        bool toggled{false};     ///< CommandLine's own note of that, if it has no value
    };

    /// Judges an argument. @param argument the argument
    void Check(const std::string& argument);

    /// Judges what --PrintAttributes names. @param value the name of a type
    static void CheckPrinted(const std::string& value);

    /// Judges what --SchedulerType names. @param value the name of a type
    static void CheckScheduler(const std::string& value);

    /// Judges an attribute. @param name its name @param value its value
    void CheckAttribute(const std::string& name, const std::string& value);

    /// @return a time @param name the option it is part of @param text the time
    Time ReadTime(const std::string& name, const std::string& text) const;

    /// @return entries between commas that no brackets enclose, none empty @param name name of an
    /// option
    std::vector<std::string> Split(const std::string& name) const;

    CommandLine m_commandLine;               ///< ns-3's
    std::map<std::string, Option> m_options; ///< by name
    std::set<std::string> m_attributes;      ///< attributes that were given
};

} // namespace ns3

#endif /* PROGRAM_OPTIONS_H */
