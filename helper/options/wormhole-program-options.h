// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_PROGRAM_OPTIONS_H
#define WORMHOLE_PROGRAM_OPTIONS_H

#include "wormhole-option-values.h"

#include "ns3/command-line.h"
#include "ns3/wormhole-routing-engine.h"

#include <cstddef>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Shows progress on standard error: on a terminal one updated line, elsewhere new lines.
///
/// Progress of slow routing engines is shown on terminals only, and cleared when routing has ended.
class ProgressLine
{
  public:
    ProgressLine();
    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;            ///< not copyable
    ProgressLine& operator=(const ProgressLine&) = delete; ///< not copyable

    /// @param program name with which lines begin
    /// @param isAsked whether to show lines even if standard error is not a terminal
    /// @return a listener whose lines show the program's name, the numbers of steps done and of all
    ///         steps, and the time left; or, if the number of all steps is unknown, the name and a
    ///         description. The listener is empty if there is no terminal and `isAsked` is false
    ProgressListener GetListener(const std::string& program, bool isAsked);

  private:
    void Show(const std::string& text, const std::string& end);

    bool m_isTerminal;
    std::size_t m_width{0};    ///< length of an open line in characters
    ProgressListener m_before; ///< the previous listener of routing engines
};

/// @ingroup wormhole
/// @brief Command-line options, based on ns-3's CommandLine; every error is one line.
///
/// CommandLine responds to an error with its complete help text, and ignores arguments that are not
/// options. Here all arguments are checked first. CommandLine then processes only its own options,
/// such as --PrintAttributes, and settings of attributes (--ns3::Class::Attribute=value or
/// --attribute=Class::Attribute=value). Attributes that --machine=FILE lists are set before those
/// in arguments, whatever the order of the arguments. Programs control the random seed and run
/// themselves, so --RngSeed and --RngRun are refused.
class ProgramOptions : public OptionValues
{
  public:
    /// Makes the options of a program, given its __FILE__ and its purpose.
    ProgramOptions(const std::string& sourceFile, const std::string& usage);

    /// Adds an option with a value; messages show its placeholder, such as FILE, for the value.
    void Add(const std::string& name,
             const std::string& placeholder,
             const std::string& help,
             const std::string& defaultValue = "");

    /// Adds an option for a parameter of a study.
    void Add(const StudyParameter& parameter);

    /// Adds a switch, that is, an option without a value.
    void AddSwitch(const std::string& name, const std::string& help);

    /// Parses the command line, or prints help and exits with 0 if requested; throws a
    /// WormholeError for an argument that is not an option, an option given twice or without its
    /// value, an attribute that is unknown or has an invalid value; options are checked when read.
    void Parse(int argc, char* argv[]);

    /// @return the help text, at most 80 columns wide
    std::string GetHelp() const;

    /// @return the selectable schedulers, such as Map for ns3::MapScheduler
    static const std::vector<std::string>& GetSchedulerNames();

    /// Makes all later simulations use the scheduler with this name, one of GetSchedulerNames.
    static void UseScheduler(const std::string& name);

    /// Creates the folder that an option names, unless it exists; throws a WormholeError if the
    /// folder can't be created or written to.
    void MakeFolder(const std::string& name) const;

    /// Throws a WormholeError if a file, whose name is the option's value followed by `rest`, can't
    /// be written; without this check, ns-3 would abort later, when it opens the file.
    void CheckFile(const std::string& name, const std::string& rest = "") const;

  private:
    /// Checks an argument, and processes it if it is an option of the program.
    /// @return the argument that CommandLine is to process; empty if there is nothing left for it
    std::string Take(const std::string& argument);

    [[noreturn]] void RefuseArgument(const std::string& name, const std::string& value) const;

    void CheckAttribute(const std::string& option,
                        const std::string& name,
                        const std::string& value);

    CommandLine m_commandLine;
    std::string m_name;         ///< the program's name
    std::string m_usage;        ///< what the program is for
    std::string m_help;         ///< options and what they do
    std::string m_outages;      ///< values of all --outage options, with ; between them
    ProgressLine m_routingLine; ///< shows progress of slow routing
};

} // namespace ns3

#endif /* WORMHOLE_PROGRAM_OPTIONS_H */
