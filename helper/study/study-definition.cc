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
#include "ns3/json-file.h"
#include "ns3/study-makers.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{

StudyDefinition::StudyDefinition(Description description)
    : m_description(std::move(description))
{
}

StudyDefinition::~StudyDefinition() = default;

void
StudyDefinition::Add(const std::vector<StudyParameter>& parameters)
{
    m_parameters.insert(m_parameters.end(), parameters.begin(), parameters.end());
}

void
StudyDefinition::Declare(OptionValues& values) const
{
    for (const auto& parameter : m_parameters)
    {
        values.Declare(parameter.name, parameter.placeholder, parameter.defaultValue);
        if (!parameter.alias.empty())
        {
            values.AddAlias(parameter.name, parameter.alias);
        }
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
    for (const auto& parameter : m_parameters)
    {
        const auto isGiven = values.Has(parameter.name) ||
                             (!parameter.attribute.empty() &&
                              values.TakeFromMachine(parameter.name, parameter.attribute));
        if (parameter.use != StudyParameter::PLOT && !parameter.isRaw)
        {
            m_values[parameter.name] =
                Read(values, parameter, isGiven || !parameter.defaultValue.empty());
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
StudyDefinition::AddRefusal(std::function<void(const OptionValues&)> refuse)
{
    m_refusals.push_back(std::move(refuse));
}

void
StudyDefinition::AddExclusion(const std::string& name, const Words& others)
{
    AddRefusal([name, others](const OptionValues& values) { values.RefuseTogether(name, others); });
}

void
StudyDefinition::AddNeed(const Words& names,
                         const std::string& other,
                         const std::string& value,
                         bool isExample)
{
    AddRefusal([=, wanted = isExample ? "" : value](const OptionValues& values) {
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
StudyDefinition::AddCondition(const Words& names, const std::string& needed, Condition isThere)
{
    m_needed.push_back({names, needed, std::move(isThere)});
}

StudyDefinition::Condition
StudyDefinition::HasOneOf(const std::string& name, const Words& words)
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
        if (parameter.use == StudyParameter::PLOT || parameter.use == StudyParameter::BOTH)
        {
            m_values[parameter.name] =
                Read(values,
                     parameter,
                     values.Has(parameter.name) || !parameter.defaultValue.empty());
        }
    }
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

StudyDefinition::Value
StudyDefinition::Read(const OptionValues& values, const StudyParameter& of, bool isThere)
{
    const auto get = [&](auto one, auto all) {
        return of.isList ? Value(isThere ? all() : decltype(all())())
                         : Value(isThere ? one() : decltype(one())());
    };
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
        return get([&] { return std::string(values.Get(name)); },
                   [&] { return values.GetWords(name); });
    }
}

void
StudyDefinition::AddFabric(const std::string& without, const std::string& defaultText)
{
    Add(FabricOptions::GetParameters(without, defaultText));
}

void
StudyDefinition::AddDelays()
{
    Add(FabricOptions::GetDelays());
}

void
StudyDefinition::AddHosts(const std::string& topology)
{
    AddFabric(topology.empty() ? "one switch" : topology, topology);
    AddDelays();
}

void
StudyDefinition::AddTraffic(bool hasRounds)
{
    Add(TrafficOptions::GetParameters());
    if (hasRounds)
    {
        Add({"rounds=100 (20) [1..1000000]: Rounds beside this traffic to average over, with "
             "pauses between them"});
        AddRefusal(
            [](const OptionValues& values) { TrafficOptions::RefuseWithout(values, "rounds"); });
    }
}

std::string
StudyDefinition::FindData(const std::string& name) const
{
    return DataFile::Find(name, m_dataFolder);
}

namespace
{

/// Make the studies, in the order of the papers, others after them.
StudyMaker* const MAKERS[] = {MakeBarrierStudy,
                              MakeLatencyLoadStudy,
                              MakeTreeStudy,
                              MakeRdmaStudy,
                              MakeSmpStudy,
                              MakeSyncStudy,
                              MakeSplitStudy,
                              MakeBroadcastLoadStudy,
                              MakeLoadedBarrierStudy,
                              MakeNetworkDoneStudy};

bool
IsInPython(const StudyParameter& parameter)
{
    return parameter.use == StudyParameter::MEASURE || parameter.use == StudyParameter::BOTH;
}

/// Names of kinds of parameters, for Python, in the order of StudyParameter::Kind.
const char* const KINDS[] =
    {"whole", "ratio", "time", "bytes", "word", "text", "file", "switch", "fabric"};

} // namespace

std::vector<std::string>
StudyRegistry::GetNames()
{
    std::vector<std::string> names;
    for (const auto make : MAKERS)
    {
        names.push_back(make()->GetDescription().python);
    }
    return names;
}

std::unique_ptr<StudyDefinition>
StudyRegistry::Make(const std::string& name)
{
    for (const auto make : MAKERS)
    {
        auto form = make();
        if (form->GetDescription().python == name || form->GetDescription().program == name)
        {
            return form;
        }
    }
    throw WormholeError("there is no study '" + name + "'; there are " +
                        WordList::WithCommas(GetNames()) + NearestName::Hint(name, GetNames()));
}

void
StudyRegistry::PrintJson(std::ostream& os)
{
    os << "[";
    const char* comma = "";
    for (const auto make : MAKERS)
    {
        os << comma;
        PrintJson(os, *make());
        comma = ",\n";
    }
    os << "]\n";
}

void
StudyRegistry::PrintJson(std::ostream& os, const StudyDefinition& form)
{
    const auto quote = JsonFile::Quote;
    const auto& description = form.GetDescription();
    os << "{\"name\": " << quote(description.python)
       << ", \"program\": " << quote(description.program)
       << ",\n \"summary\": " << quote(description.summary)
       << ",\n \"rows\": " << quote(description.rows)
       << ", \"jobs\": " << (description.hasJobs ? "true" : "false") << ",\n \"parameters\": [";
    const char* comma = "\n";
    for (const auto& parameter : form.GetParameters())
    {
        if (!IsInPython(parameter))
        {
            continue;
        }
        os << comma << "  {\"name\": " << quote(parameter.GetPythonName())
           << ", \"option\": " << quote(parameter.name) << ", \"alias\": " << quote(parameter.alias)
           << ", \"kind\": " << quote(KINDS[parameter.kind])
           << ", \"list\": " << (parameter.isList ? "true" : "false")
           << ", \"default\": " << quote(parameter.defaultValue)
           << ",\n   \"help\": " << quote(parameter.GetHelp()) << "}";
        comma = ",\n";
    }
    os << "],\n \"columns\": [";
    comma = "\n";
    for (const auto& column : form.GetTable().GetColumns())
    {
        os << comma << "  {\"name\": " << quote(column.name) << ", \"unit\": " << quote(column.unit)
           << ", \"help\": " << quote(column.doc) << "}";
        comma = ",\n";
    }
    os << "]}";
}

void
StudyRegistry::PrintRst(std::ostream& os)
{
    os << ".. Printed by print-attributes --studies=rst; do not edit.\n";
    for (const auto make : MAKERS)
    {
        PrintRst(os, *make());
    }
}

void
StudyRegistry::PrintRst(std::ostream& os, const StudyDefinition& form)
{
    const auto& description = form.GetDescription();
    os << "\n"
       << description.program << "\n"
       << std::string(description.program.size(), '~') << "\n\n"
       << description.summary << " In Python: ``ns3_wormhole.studies." << description.python
       << "``.\n\n.. list-table::\n   :header-rows: 1\n   :widths: 20 20 20 40\n\n"
       << "   * - Option\n     - In Python\n     - Default\n     - Meaning\n";
    const auto cell = [&](const std::string& text) {
        os << "     -" << (text.empty() ? "" : " ``" + text + "``") << "\n";
    };
    for (const auto& parameter : form.GetParameters())
    {
        os << "   * - ``--" << parameter.name << "``\n";
        cell(IsInPython(parameter) ? parameter.GetPythonName() : "");
        cell(parameter.defaultValue);
        os << "     - " << parameter.GetHelp() << "\n";
    }
    os << "\nColumns: " << description.rows << ".\n\n.. list-table::\n   :header-rows: 1\n"
       << "   :widths: 30 10 60\n\n   * - Column\n     - Unit\n     - Meaning\n";
    for (const auto& column : form.GetTable().GetColumns())
    {
        os << "   * - ``" << column.name << "``\n";
        cell(column.unit);
        os << "     - " << column.doc << "\n";
    }
}

} // namespace ns3
