/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_PROGRAM_OPTIONS_H
#define WORMHOLE_PROGRAM_OPTIONS_H

#include "wormhole-option-values.h"

#include "ns3/command-line.h"
#include "ns3/wormhole-routing-engine.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Shows the progress of a slow routing engine on the terminal, while this object exists: a
///        line on standard error that is removed when the routes are computed.
class RoutingProgressLine
{
  public:
    RoutingProgressLine();
    ~RoutingProgressLine();

    RoutingProgressLine(const RoutingProgressLine&) = delete;            ///< one line, one writer
    RoutingProgressLine& operator=(const RoutingProgressLine&) = delete; ///< one line, one writer

  private:
    /// Writes the line anew. @param what,done,all see RoutingProgress::Listener
    void Tell(const std::string& what, uint64_t done, uint64_t all);

    std::size_t m_width{0};             ///< characters of the line
    RoutingProgress::Listener m_before; ///< who was told before
};

/**
 * @ingroup wormhole
 * @brief Options of a program, on ns-3's CommandLine, every mistake refused in one line.
 *
 * CommandLine answers a mistake with its whole help text, and ignores arguments that are no
 * options. Here all arguments are checked first. What is left to CommandLine is --PrintAttributes
 * and its like, and attributes as --ns3::Class::Attribute=value or
 * --attribute=Class::Attribute=value. A machine's attributes, of --machine, are set before these,
 * whatever the order of the arguments. Seed and run of random numbers are the program's business,
 * so
 * --RngSeed and --RngRun are refused.
 */
class ProgramOptions : public OptionValues
{
  public:
    /// @param sourceFile __FILE__ of the program @param usage what the program is for
    ProgramOptions(const std::string& sourceFile, const std::string& usage);

    ProgramOptions(const ProgramOptions&) = delete;            ///< there is one command line
    ProgramOptions& operator=(const ProgramOptions&) = delete; ///< there is one command line

    /// Adds an option that has a value.
    /// @param name its name, without dashes
    /// @param placeholder what stands for the value in messages, such as FILE
    /// @param help what it does
    /// @param defaultValue value without the option
    void Add(const std::string& name,
             const std::string& placeholder,
             const std::string& help,
             const std::string& defaultValue = "");

    /// Adds an option without a value. @param name its name @param help what it does
    void AddSwitch(const std::string& name, const std::string& help);

    /// Reads the command line. Prints and exits with 0 if it asks for help.
    /// @param argc number of arguments
    /// @param argv arguments
    /// @throws WormholeError for an argument that is no option, an option given twice, an option
    /// without a value, and an attribute or value of it that does not exist
    void Parse(int argc, char* argv[]);

    /// @return the help text, of at most 80 columns
    std::string GetHelp() const;

    /// @return schedulers that programs may be asked for, such as Map for ns3::MapScheduler
    static const std::vector<std::string>& GetSchedulerNames();

    /// Has simulations from now on use a scheduler. @param name one of GetSchedulerNames
    static void UseScheduler(const std::string& name);

    /// Makes the folder that an option names, unless it is there.
    /// @param name name of the option
    /// @throws WormholeError if it can't be made, or written to
    void MakeFolder(const std::string& name) const;

    /// Refuses a file that can't be written, before anything runs: ns-3 ends the program there.
    /// @param name name of the option whose value the file's name begins with
    /// @param rest what follows in its name
    /// @throws WormholeError if it can't be written
    void CheckFile(const std::string& name, const std::string& rest = "") const;

  private:
    /// Makes the machine's values attributes' defaults.
    /// @throws WormholeError if there is no such machine, or something in it is refused
    void SetMachine();

    /// Checks an argument, and takes it if it is an option of the program.
    /// @return what CommandLine has to read; empty: nothing
    std::string Take(const std::string& argument);

    [[noreturn]] void RefuseArgument(const std::string& name, const std::string& value) const;

    /// Checks an attribute.
    /// @param option the option that gives it, with a blank or empty, for messages
    void CheckAttribute(const std::string& option,
                        const std::string& name,
                        const std::string& value);

    CommandLine m_commandLine;         ///< ns-3's
    std::string m_name;                ///< the program's name
    std::string m_usage;               ///< what the program is for
    std::string m_help;                ///< options and what they do
    std::string m_outages;             ///< of --outage, with ; between
    RoutingProgressLine m_routingLine; ///< tells how far routes are that take long
};

} // namespace ns3

#endif /* WORMHOLE_PROGRAM_OPTIONS_H */
