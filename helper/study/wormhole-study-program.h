// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_STUDY_PROGRAM_H
#define WORMHOLE_STUDY_PROGRAM_H

#include "study-definition.h"

#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-program-options.h"

#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class GnuplotProgram;

/// @ingroup wormhole @brief A program with options, and its main function.
struct OptionProgram
{
    std::string name;                                ///< the program's name, also in its messages
    std::string sourceFile;                          ///< the __FILE__ of the program's source
    std::string usage;                               ///< the program's purpose
    std::function<void(ProgramOptions&)> addOptions; ///< adds the program's options
    std::function<void(ProgramOptions&)> run;        ///< runs the program with its options
    bool hasTimeline{true};                          ///< whether the program has TimelineOptions

    /// Sets ns-3's resolution to ps (flits of 6.25 ns need it), reads the command line and runs the
    /// program; returns the exit status: 0, or 1 after an exception, which is printed in one line.
    int Main(int argc, char* argv[]) const;

    /// Prints the current exception in one line, on standard error, and returns the exit status, 1.
    static int PrintError(const std::string& name);
};

/// @ingroup wormhole
/// @brief The program of a study. Its options are the study's parameters and the destinations of
///        results: a file or standard output for CSV, and a folder for plots. If an output can't be
///        written, the program throws before anything runs.
class StudyProgram
{
  public:
    /// Makes a study's program, given its source's __FILE__; the study must outlive the program.
    StudyProgram(const std::string& sourceFile, StudyDefinition& form)
        : m_sourceFile(sourceFile),
          m_form(form)
    {
    }

    /// Runs like OptionProgram::Main.
    int Main(int argc, char* argv[]) const;

    /// Adds the options of the study, and the options for its output.
    void AddOptions(ProgramOptions& options) const;

  private:
    std::vector<std::string> GetNames(const std::set<StudyParameter::Use>& uses) const;
    void CheckPlotting(const ProgramOptions& options) const;
    void Run(ProgramOptions& options) const;
    void MakePlots(const ProgramOptions& options, const GnuplotProgram& gnuplot) const;

    std::string m_sourceFile; ///< the __FILE__ of the program's source
    StudyDefinition& m_form;  ///< the study
};

/// @ingroup wormhole @brief Writes a table to the file that an option names, or to standard output.
class CsvOutput
{
  public:
    /// Opens the file that an option names; throws a WormholeError if it can't be written.
    CsvOutput(const ProgramOptions& options, const std::string& option);

    /// Calls `write` to write the table; throws a WormholeError if not all of it can be written.
    void Write(const std::function<void(std::ostream&)>& write);

  private:
    std::unique_ptr<AtomicFile> m_file; ///< the file; null: standard output
};

} // namespace ns3

/// @ingroup wormhole
/// @brief Runs the program of a study, as the study's file in examples/ does, for users who have
///        only the library.
///
/// It has C linkage, so that it can be called without C++'s headers, as Python's ctypes does.
/// @param argc number of arguments
/// @param argv arguments; the first is the program's name, such as "btin-comparison"
/// @return exit status, see OptionProgram::Main
extern "C" int WormholeStudyMain(int argc, char* argv[]);

#endif /* WORMHOLE_STUDY_PROGRAM_H */
