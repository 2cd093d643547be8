/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-form.h"

#include "study-plot.h"
#include "traffic-options.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/file-name.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param get getter of OptionValues
 * @param name name of an option
 * @param set takes its value
 * @param limits what the getter accepts
 * @return what reads the option
 */
template <typename T, typename Value, typename... Limits, typename... Given>
std::function<void(const OptionValues&)>
ReadBy(Value (OptionValues::*get)(const std::string&, Limits...) const,
       const std::string& name,
       const std::function<void(const T&)>& set,
       const Given&... limits)
{
    return [=](const OptionValues& values) { set((values.*get)(name, limits...)); };
}

/// @return a parameter with its range @param parameter the parameter
/// @param min least number accepted @param max greatest number accepted
StudyParameter&
SetRange(StudyParameter& parameter, uint32_t min, uint32_t max)
{
    parameter.min = min;
    parameter.max = max;
    return parameter;
}

/// Prints on standard error how far a study is: on a terminal one line that changes, elsewhere a
/// line each time.
class ProgressLine
{
  public:
    /// @param program name of the program @param wanted whether to print even where there is no
    /// terminal
    ProgressLine(const std::string& program, bool wanted)
        : m_program(program),
          m_start(std::chrono::steady_clock::now()),
          m_terminal(isatty(STDERR_FILENO)),
          m_on(wanted || m_terminal)
    {
    }

    ~ProgressLine()
    {
        if (m_terminal && m_left > 0)
        {
            std::fputc('\n', stderr); // a message follows
        }
    }

    ProgressLine(const ProgressLine&) = delete;            ///< one line, one writer
    ProgressLine& operator=(const ProgressLine&) = delete; ///< one line, one writer

    /// Something is done. @param done number of runs done @param all number of runs
    void Tell(uint32_t done, uint32_t all)
    {
        m_left = all - done;
        if (!m_on)
        {
            return;
        }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - m_start;
        const char* end = done < all ? "   " : "   \n";
        std::fprintf(stderr,
                     "%s%s: %u of %u runs, %.0f s left%s",
                     m_terminal ? "\r" : "",
                     m_program.c_str(),
                     done,
                     all,
                     spent.count() / done * (all - done),
                     m_terminal ? end : "\n");
    }

  private:
    std::string m_program;                         ///< name of the program
    std::chrono::steady_clock::time_point m_start; ///< when the study began
    bool m_terminal;                               ///< whether standard error is a terminal
    bool m_on;                                     ///< whether to print
    uint32_t m_left{0};                            ///< runs left
};

} // namespace

StudyForm::StudyForm(Description description)
    : m_description(std::move(description))
{
}

StudyForm::~StudyForm() = default;

const StudyForm::Description&
StudyForm::GetDescription() const
{
    return m_description;
}

const std::vector<StudyParameter>&
StudyForm::GetParameters() const
{
    return m_parameters;
}

StudyParameter&
StudyForm::Add(const StudyParameter& parameter)
{
    m_parameters.push_back(parameter);
    return m_parameters.back();
}

void
StudyForm::Declare(OptionValues& values) const
{
    for (const auto& parameter : m_parameters)
    {
        values.Declare(parameter.name, parameter.placeholder, parameter.defaultValue);
    }
}

void
StudyForm::SetDataFolder(const std::string& folder)
{
    m_dataFolder = folder;
}

void
StudyForm::Read(OptionValues& values)
{
    for (const auto& parameter : m_parameters)
    {
        if (!parameter.attribute.empty())
        {
            values.RefuseAttribute(parameter.attribute, parameter.name);
        }
    }
    for (const auto& attribute : m_own)
    {
        values.TellIgnored(attribute, m_description.program);
    }
    CheckTogether(values);
    for (const auto& parameter : m_parameters)
    {
        const auto isGiven = values.Has(parameter.name) ||
                             (!parameter.attribute.empty() &&
                              values.TakeFromMachine(parameter.name, parameter.attribute));
        if (parameter.use != StudyParameter::PLOT && parameter.set &&
            (isGiven || !(parameter.isSetWhenGiven || parameter.defaultValue.empty())))
        {
            parameter.set(values);
        }
    }
    Finish(values);
    for (const auto& needed : m_needed)
    {
        for (const auto& name : needed.names)
        {
            if (values.Has(name) && !needed.isThere(values))
            {
                std::cerr << m_description.program << ": " << values.Show(name, values.Get(name))
                          << " has no effect without " << needed.what << std::endl;
            }
        }
    }
}

void
StudyForm::AddCondition(const std::vector<std::string>& names,
                        const std::string& needed,
                        Condition isThere)
{
    m_needed.push_back({names, needed, std::move(isThere)});
}

StudyForm::Condition
StudyForm::HasOneOf(const std::string& name, const std::vector<std::string>& words)
{
    return [name, words](const OptionValues& values) {
        const auto entries = values.GetWords(name);
        return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
            return std::any_of(words.begin(), words.end(), [&](const auto& word) {
                return entry.compare(0, word.size(), word) == 0;
            });
        });
    };
}

void
StudyForm::AddOwnAttributes(const std::vector<std::string>& attributes)
{
    for (const auto& attribute : attributes)
    {
        m_own.push_back("ns3::" + attribute);
    }
}

void
StudyForm::ReadPlotting(const OptionValues& values)
{
    for (const auto& parameter : m_parameters)
    {
        const auto isPlotting =
            parameter.use == StudyParameter::PLOT || parameter.use == StudyParameter::BOTH;
        if (isPlotting && parameter.set &&
            (values.Has(parameter.name) || !parameter.defaultValue.empty()))
        {
            parameter.set(values);
        }
    }
}

void
StudyForm::SetJobs(uint32_t jobs)
{
    m_jobs = jobs;
}

uint32_t
StudyForm::GetJobs() const
{
    return m_jobs;
}

void
StudyForm::CheckTogether(const OptionValues&) const
{
}

std::vector<std::string>
StudyForm::GetRemarks() const
{
    return {};
}

std::vector<CsvColumn>
StudyForm::GetColumns() const
{
    return {};
}

std::vector<StudyPlot>
StudyForm::MakePlots() const
{
    return {};
}

std::vector<std::string>
StudyForm::WritePlots(const std::string& folder, const std::string& prefix) const
{
    return StudyPlot::Write(MakePlots(), folder, prefix);
}

void
StudyForm::MeasureAndTell(bool isAsked)
{
    ProgressLine line(m_description.program, isAsked);
    Measure([&](uint32_t done, uint32_t all) { line.Tell(done, all); });
}

StudyParameter&
StudyForm::Add(const Row& row,
               StudyParameter::Kind kind,
               bool isList,
               std::function<void(const OptionValues&)> set)
{
    StudyParameter parameter;
    parameter.name = row.name;
    parameter.placeholder = row.placeholder;
    parameter.unit = row.unit;
    parameter.help = row.help;
    parameter.defaultValue = row.defaultValue;
    parameter.kind = kind;
    parameter.isList = isList;
    parameter.set = std::move(set);
    return Add(parameter);
}

StudyParameter&
StudyForm::AddWhole(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set)
{
    return SetRange(Add(row,
                        StudyParameter::WHOLE,
                        false,
                        ReadBy(&OptionValues::GetWhole, row.name, set, min, max)),
                    min,
                    max);
}

StudyParameter&
StudyForm::AddWholes(const Row& row, uint32_t min, uint32_t max, Setter<std::vector<uint32_t>> set)
{
    return SetRange(Add(row,
                        StudyParameter::WHOLE,
                        true,
                        ReadBy(&OptionValues::GetWholes, row.name, set, min, max)),
                    min,
                    max);
}

StudyParameter&
StudyForm::AddRatio(const Row& row, uint32_t max, Setter<double> set)
{
    return SetRange(
        Add(row, StudyParameter::RATIO, false, ReadBy(&OptionValues::GetRatio, row.name, set, max)),
        0,
        max);
}

StudyParameter&
StudyForm::AddRatios(const Row& row, uint32_t max, Setter<std::vector<double>> set)
{
    return SetRange(
        Add(row, StudyParameter::RATIO, true, ReadBy(&OptionValues::GetRatios, row.name, set, max)),
        0,
        max);
}

StudyParameter&
StudyForm::AddTime(const Row& row, Setter<Time> set)
{
    return Add(row, StudyParameter::TIME, false, ReadBy(&OptionValues::GetTime, row.name, set));
}

StudyParameter&
StudyForm::AddTimeAboveZero(const Row& row, Setter<Time> set)
{
    auto& parameter = Add(row,
                          StudyParameter::TIME,
                          false,
                          ReadBy(&OptionValues::GetTimeAboveZero, row.name, set));
    parameter.aboveZero = true;
    return parameter;
}

StudyParameter&
StudyForm::AddTimes(const Row& row, Setter<std::vector<Time>> set)
{
    return Add(row, StudyParameter::TIME, true, ReadBy(&OptionValues::GetTimes, row.name, set));
}

StudyParameter&
StudyForm::AddBytes(const Row& row, uint32_t min, uint32_t max, Setter<uint32_t> set)
{
    return SetRange(Add(row,
                        StudyParameter::BYTES,
                        false,
                        ReadBy(&OptionValues::GetBytes, row.name, set, min, max)),
                    min,
                    max);
}

StudyParameter&
StudyForm::AddByteSizes(const Row& row,
                        uint32_t min,
                        uint32_t max,
                        Setter<std::vector<uint32_t>> set)
{
    return SetRange(Add(row,
                        StudyParameter::BYTES,
                        true,
                        ReadBy(&OptionValues::GetByteSizes, row.name, set, min, max)),
                    min,
                    max);
}

StudyParameter&
StudyForm::AddWord(const Row& row, const std::vector<std::string>& words, Setter<std::string> set)
{
    auto& parameter =
        Add(row, StudyParameter::WORD, false, ReadBy(&OptionValues::GetWord, row.name, set, words));
    parameter.words = words;
    return parameter;
}

StudyParameter&
StudyForm::AddWords(const Row& row,
                    const std::vector<std::string>& words,
                    Setter<std::vector<std::string>> set)
{
    auto& parameter =
        Add(row, StudyParameter::WORD, true, ReadBy(&OptionValues::GetWords, row.name, set, words));
    parameter.words = words;
    return parameter;
}

StudyParameter&
StudyForm::AddText(const Row& row, Setter<std::string> set)
{
    return Add(row, StudyParameter::TEXT, false, ReadBy(&OptionValues::Get, row.name, set));
}

StudyParameter&
StudyForm::AddTexts(const Row& row, Setter<std::vector<std::string>> set)
{
    return Add(row,
               StudyParameter::TEXT,
               true,
               ReadBy(&OptionValues::GetWords, row.name, set, std::vector<std::string>()));
}

StudyParameter&
StudyForm::AddFile(const Row& row, Setter<std::string> set)
{
    return Add(row, StudyParameter::FILE, false, ReadBy(&OptionValues::Get, row.name, set));
}

StudyParameter&
StudyForm::AddSwitch(const std::string& name, const std::string& help, Setter<bool> set)
{
    return Add({name, "", "", help, ""},
               StudyParameter::SWITCH,
               false,
               [set = std::move(set), name](const OptionValues& values) { set(values.Has(name)); });
}

void
StudyForm::AddFabric(const std::string& without, const std::string& defaultText)
{
    for (const auto& parameter : FabricOptions::GetParameters(without, defaultText))
    {
        Add(parameter);
    }
}

void
StudyForm::AddMessageCosts(const std::string& startUp,
                           const std::string& receive,
                           Time& forStartUp,
                           Time& forReceive)
{
    AddTime({"startUp", "2us", "", "How long a message keeps its sender's software busy", startUp},
            Into(forStartUp))
        .attribute = "ns3::HostSoftware::StartUp";
    AddTime(
        {"receive", "1us", "", "How long a message keeps its receiver's software busy", receive},
        Into(forReceive))
        .attribute = "ns3::HostSoftware::ReceiveOverhead";
}

StudyForm::Row
StudyForm::GetLinkDelayRow()
{
    return {"linkDelay", "20ns", "", "Propagation delay of a cable, t_p", "20ns"};
}

StudyForm::Row
StudyForm::GetSwitchDelayRow()
{
    return {"switchDelay", "300ns", "", "Delay of a switch and of an interface, t_r", "300ns"};
}

void
StudyForm::AddFabricDelays(WormholeHelper& fabrics)
{
    AddTimeAboveZero(GetLinkDelayRow(), [&fabrics](Time time) {
        fabrics.SetChannelAttribute("Delay", TimeValue(time));
    }).isSetWhenGiven = true;
    AddTime(GetSwitchDelayRow(), [&fabrics](Time time) {
        fabrics.SetSwitchAttribute("Delay", TimeValue(time));
        fabrics.SetDeviceAttribute("Delay", TimeValue(time));
    }).isSetWhenGiven = true;
}

void
StudyForm::AddHosts(const std::string& topology)
{
    AddFabric(topology.empty() ? "one switch" : topology, topology);
    Add(GetLinkDelayRow(), StudyParameter::TIME, false, nullptr).aboveZero = true;
    Add(GetSwitchDelayRow(), StudyParameter::TIME, false, nullptr);
}

void
StudyForm::AddTraffic(uint32_t* rounds)
{
    for (const auto& parameter : TrafficOptions::GetParameters())
    {
        Add(parameter);
    }
    if (rounds)
    {
        constexpr uint32_t MANY = 1'000'000;
        AddWhole({"rounds",
                  "100",
                  "",
                  "Rounds beside this traffic to average over, with pauses between them",
                  "20"},
                 1,
                 MANY,
                 Into(*rounds));
    }
}

std::string
StudyForm::FindData(const std::string& name) const
{
    return DataFile::Find(name, m_dataFolder);
}

} // namespace ns3
