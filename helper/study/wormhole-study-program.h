/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_STUDY_PROGRAM_H
#define WORMHOLE_STUDY_PROGRAM_H

#include "study-definition.h"

#include "ns3/wormhole-atomic-file.h"
#include "ns3/wormhole-program-options.h"

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

class GnuplotProgram;

/**
 * @ingroup wormhole
 * @brief A program with options: what its main does.
 */
struct OptionProgram
{
    std::string name;                                ///< its name, which begins its messages
    std::string sourceFile;                          ///< its __FILE__
    std::string usage;                               ///< what it is for
    std::function<void(ProgramOptions&)> addOptions; ///< adds its options
    std::function<void(ProgramOptions&)> run;        ///< does what the options ask for
    bool hasTimeline{true};                          ///< whether it has TimelineOptions

    /// Sets ns-3's resolution to ps, which flits of 6.25 ns need, reads the command line and runs.
    /// @param argc number of arguments
    /// @param argv arguments
    /// @return exit status: 0; 1 after an exception, which is told in one line
    int Main(int argc, char* argv[]) const;

    /// Tells the exception that is being handled in one line, on standard error.
    /// @param name the program's name
    /// @return exit status: 1
    static int PrintError(const std::string& name);
};

/**
 * @ingroup wormhole
 * @brief The program of a study: its options are the study's parameters, and where results go.
 */
class StudyProgram
{
  public:
    /// @param sourceFile its __FILE__ @param form the study, which must outlive this
    StudyProgram(const std::string& sourceFile, StudyDefinition& form);

    /// @param argc number of arguments
    /// @param argv arguments
    /// @return exit status: 0; 1 after a WormholeError, which is printed in one line
    int Main(int argc, char* argv[]) const;

    /// Adds the study's options and those of its output. @param options where to
    void AddOptions(ProgramOptions& options) const;

  private:
    void Run(ProgramOptions& options) const;

    std::string m_sourceFile; ///< its __FILE__
    StudyDefinition& m_form;  ///< the study
};

/**
 * @ingroup wormhole
 * @brief Where a table goes: to the file that an option names, or to standard output.
 */
class CsvOutput
{
  public:
    /// @param options the options
    /// @param option the one that names the file, which is opened
    /// @throws WormholeError if it can't be written
    CsvOutput(const ProgramOptions& options, const std::string& option);

    /// @return whether it is a file
    bool IsFile() const
    {
        return m_file != nullptr;
    }

    /// @param write writes the table
    /// @throws WormholeError if not all of it can be written
    void Write(const std::function<void(std::ostream&)>& write);

  private:
    std::unique_ptr<AtomicFile> m_file; ///< the file; null: standard output
};

/**
 * @ingroup wormhole
 * @brief Where a program's study goes: CSV to a file or standard output, pictures to a folder.
 *
 * What can't be written is refused before anything runs.
 */
class StudyOutput
{
  public:
    /// Adds the options --csv, --fromCsv, --plots, --plotPrefix, --gnuplot and --progress.
    /// @param options where to
    static void AddOptions(ProgramOptions& options);

    /// Adds --csv and --progress alone. @param options where to
    static void AddCsvOptions(ProgramOptions& options);

    /**
     * Refuses options that would have no effect, and opens what is to be written.
     * @param program name of the program, which begins its messages
     * @param options the options, which must outlive this
     * @param measuring options that make no sense with --fromCsv
     * @param drawing options that make no sense without --plots, besides those of AddOptions
     * @throws WormholeError if an option is refused
     */
    StudyOutput(const std::string& program,
                const ProgramOptions& options,
                const std::vector<std::string>& measuring,
                const std::vector<std::string>& drawing = {});
    ~StudyOutput();

    /// Writes CSV where the options say, unless rows are from files and no file is named.
    /// @param write writes it
    /// @throws WormholeError if not all of it can be written
    void WriteCsv(const std::function<void(std::ostream&)>& write);

    /// Makes pictures, if --plots is given. Their names begin with --plotPrefix, or else with the
    /// program's name and a dash.
    /// @param write writes files for gnuplot to a folder, with a prefix, and returns their names
    /// @throws WormholeError if they can't be made; a missing gnuplot is but told
    void MakePlots(const std::function<std::vector<std::string>(const std::string&,
                                                                const std::string&)>& write) const;

  private:
    /// Folders made, innermost first, that are removed again unless something is in them.
    struct NewFolders : public std::vector<std::string>
    {
        ~NewFolders();
    };

    void OpenPlots(const std::vector<std::string>& measuring,
                   const std::vector<std::string>& drawing);

    std::string m_program;                     ///< name of the program
    const ProgramOptions& m_options;           ///< the options
    std::unique_ptr<GnuplotProgram> m_gnuplot; ///< makes pictures, if there are to be
    NewFolders m_folders;                      ///< where they go
    std::unique_ptr<CsvOutput> m_csv;          ///< where CSV goes
};

} // namespace ns3

/**
 * @ingroup wormhole
 * @brief Runs the program of a study, as its file in examples/ does, for whoever has only the
 * library.
 *
 * It has C linkage, so that it can be called without C++'s headers, as Python's ctypes does.
 * @param argc number of arguments
 * @param argv arguments; the first is the program's name, as "btin-comparison"
 * @return exit status: 0; 1 after a mistake, which is printed in one line
 */
extern "C" int WormholeStudyMain(int argc, char* argv[]);

#endif /* WORMHOLE_STUDY_PROGRAM_H */
