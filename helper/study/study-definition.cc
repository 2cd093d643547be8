/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "study-definition.h"

#include "wormhole-traffic-options.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/file-name.h"
#include "ns3/study-plot.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{

namespace
{

const std::string LINK_DELAY = "linkDelay=20ns (20ns): Propagation delay of a cable, t_p";
const std::string SWITCH_DELAY =
    "switchDelay=300ns (300ns): Delay of a switch and of an interface, t_r";

} // namespace

StudyDefinition::StudyDefinition(Description description)
    : m_description(std::move(description))
{
}

StudyDefinition::~StudyDefinition() = default;

StudyParameter&
StudyDefinition::Add(const StudyParameter& parameter)
{
    m_parameters.push_back(parameter);
    return m_parameters.back();
}

void
StudyDefinition::Declare(OptionValues& values) const
{
    for (const auto& parameter : m_parameters)
    {
        values.Declare(parameter.name, parameter.placeholder, parameter.defaultValue);
    }
}

void
StudyDefinition::Read(OptionValues& values)
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
        values.WarnIgnored(attribute, m_description.program);
    }
    for (const auto& refuse : m_refusals)
    {
        refuse(values);
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
            parameter.set(values, parameter);
        }
    }
    Validate(values);
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
StudyDefinition::AddExclusion(const std::string& name, const std::vector<std::string>& others)
{
    m_refusals.emplace_back(
        [name, others](const OptionValues& values) { values.RefuseTogether(name, others); });
}

void
StudyDefinition::AddNeed(const std::vector<std::string>& names,
                         const std::string& other,
                         const std::string& value,
                         bool isExample)
{
    const auto wanted = isExample ? "" : value;
    m_refusals.emplace_back([names, other, value, wanted](const OptionValues& values) {
        const auto isThere = values.Has(other) && (wanted.empty() || values.Get(other) == wanted);
        for (const auto& name : names)
        {
            if (values.Has(name) && !isThere)
            {
                values.RefuseAlone(name, other, value);
            }
        }
    });
}

void
StudyDefinition::AddCondition(const std::vector<std::string>& names,
                              const std::string& needed,
                              Condition isThere)
{
    m_needed.push_back({names, needed, std::move(isThere)});
}

StudyDefinition::Condition
StudyDefinition::HasOneOf(const std::string& name, const std::vector<std::string>& words)
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
StudyDefinition::AddOwnAttributes(const std::string& attributes)
{
    std::istringstream names(attributes);
    for (std::string name; names >> name;)
    {
        m_own.push_back("ns3::" + name);
    }
}

void
StudyDefinition::ReadPlotting(const OptionValues& values)
{
    for (const auto& parameter : m_parameters)
    {
        const auto isPlotting =
            parameter.use == StudyParameter::PLOT || parameter.use == StudyParameter::BOTH;
        if (isPlotting && parameter.set &&
            (values.Has(parameter.name) || !parameter.defaultValue.empty()))
        {
            parameter.set(values, parameter);
        }
    }
}

std::vector<StudyPlot>
StudyDefinition::MakePlots() const
{
    return {};
}

void
StudyDefinition::MeasureWithProgress(bool isAsked)
{
    // A message ends a line that is not complete.
    struct Line
    {
        ~Line()
        {
            if (isOpen)
            {
                std::fputc('\n', stderr);
            }
        }

        bool isOpen{false};
    };

    Line line;
    const auto start = std::chrono::steady_clock::now();
    const bool isTerminal = isatty(STDERR_FILENO);
    Measure([&](uint32_t done, uint32_t all) {
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        line.isOpen = isTerminal && done < all;
        if (isAsked || isTerminal)
        {
            // On a terminal one line that changes, elsewhere a line each time.
            std::fprintf(stderr,
                         "%s%s: %u of %u runs, %.0f s left%s%s",
                         isTerminal ? "\r" : "",
                         m_description.program.c_str(),
                         done,
                         all,
                         spent.count() / done * (all - done),
                         isTerminal ? "   " : "",
                         line.isOpen ? "" : "\n");
        }
    });
}

void
StudyDefinition::SetKind(StudyParameter& parameter, std::size_t type)
{
    constexpr StudyParameter::Kind KINDS[] = {StudyParameter::WHOLE,
                                              StudyParameter::RATIO,
                                              StudyParameter::TIME,
                                              StudyParameter::TEXT,
                                              StudyParameter::SWITCH};
    parameter.isList = type >= std::size(KINDS);
    parameter.kind = KINDS[type % std::size(KINDS)];
}

StudyDefinition::Value
StudyDefinition::Get(const OptionValues& values, const StudyParameter& of)
{
    const auto get = [&](auto one, auto all) { return of.isList ? Value(all()) : Value(one()); };
    const auto& name = of.name;
    switch (of.kind)
    {
    case StudyParameter::WHOLE:
        return get([&] { return values.GetWhole(name, of.min, of.max); },
                   [&] { return values.GetWholes(name, of.min, of.max); });
    case StudyParameter::BYTES:
        return get([&] { return values.GetBytes(name, of.min, of.max); },
                   [&] { return values.GetByteSizes(name, of.min, of.max); });
    case StudyParameter::RATIO:
        return get([&] { return values.GetRatio(name, of.max); },
                   [&] { return values.GetRatios(name, of.max); });
    case StudyParameter::TIME:
        return get(
            [&] { return of.aboveZero ? values.GetTimeAboveZero(name) : values.GetTime(name); },
            [&] { return values.GetTimes(name); });
    case StudyParameter::WORD:
        return get([&] { return values.GetWord(name, of.words); },
                   [&] { return values.GetWords(name, of.words); });
    case StudyParameter::SWITCH:
        return values.Has(name);
    default:
        return get([&] { return values.Get(name); }, [&] { return values.GetWords(name); });
    }
}

void
StudyDefinition::AddFabric(const std::string& without, const std::string& defaultText)
{
    for (const auto& parameter : FabricOptions::GetParameters(without, defaultText))
    {
        Add(parameter);
    }
}

void
StudyDefinition::AddSoftwareTime(const std::string& attribute,
                                 const std::string& text,
                                 CollectiveHelper& software)
{
    AddBy<Time>(text, [&software, attribute](Time time) {
        software.SetSoftwareAttribute(attribute, TimeValue(time));
    }).attribute = "ns3::HostSoftware::" + attribute;
}

void
StudyDefinition::AddMessageCosts(const std::string& startUp,
                                 const std::string& receive,
                                 CollectiveHelper& software)
{
    const std::string keeps = "): How long a message keeps its ";
    AddSoftwareTime("StartUp",
                    "startUp=2us (" + startUp + keeps + "sender's software busy",
                    software);
    AddSoftwareTime("ReceiveOverhead",
                    "receive=1us (" + receive + keeps + "receiver's software busy",
                    software);
}

void
StudyDefinition::AddFabricDelays(WormholeHelper& fabrics)
{
    auto& linkDelay = AddBy<Time>(LINK_DELAY, [&fabrics](Time time) {
        fabrics.SetChannelAttribute("Delay", TimeValue(time));
    });
    linkDelay.aboveZero = linkDelay.isSetWhenGiven = true;
    AddBy<Time>(SWITCH_DELAY, [&fabrics](Time time) {
        fabrics.SetSwitchAttribute("Delay", TimeValue(time));
        fabrics.SetDeviceAttribute("Delay", TimeValue(time));
    }).isSetWhenGiven = true;
}

void
StudyDefinition::AddHosts(const std::string& topology)
{
    AddFabric(topology.empty() ? "one switch" : topology, topology);
    for (const auto& text : {LINK_DELAY, SWITCH_DELAY})
    {
        auto& parameter = Add(StudyParameter::FromText(text));
        parameter.kind = StudyParameter::TIME;
        parameter.aboveZero = text == LINK_DELAY;
    }
}

void
StudyDefinition::AddTraffic(uint32_t* rounds)
{
    for (const auto& parameter : TrafficOptions::GetParameters())
    {
        Add(parameter);
    }
    if (rounds)
    {
        Add("rounds=100 (20): Rounds beside this traffic to average over, with pauses between them",
            *rounds)
            .Range(1, 1'000'000);
    }
}

std::string
StudyDefinition::FindData(const std::string& name) const
{
    return DataFile::Find(name, m_dataFolder);
}

} // namespace ns3
