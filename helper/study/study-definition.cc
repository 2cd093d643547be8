// SPDX-License-Identifier: GPL-2.0-only

#include "study-definition.h"

#include "ns3/csv-table.h"
#include "ns3/fabric-options.h"
#include "ns3/file-name.h"
#include "ns3/ordering.h"
#include "ns3/sample-summary.h"
#include "ns3/study-plot.h"
#include "ns3/study-rows.h"
#include "ns3/wormhole-background-traffic.h"

#include <algorithm>
#include <iostream>
#include <numeric>
#include <sstream>

namespace ns3
{

StudyDefinition::StudyDefinition(Description description, const CsvTable& table, Draw draw)
    : m_columns(std::make_unique<CsvTable>(table)),
      m_table(*m_columns),
      m_description(std::move(description)),
      m_draw(std::move(draw))
{
}

StudyDefinition::~StudyDefinition() = default;

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
    for (const auto& [name, value] : GetPreset(values))
    {
        if (!values.Has(name))
        {
            values.Set(name, value);
        }
    }
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

StudyDefinition::Condition
StudyDefinition::HasOneOf(const std::string& name, const Words& words)
{
    return [name, words](const OptionValues& values) {
        return AnyOf(values.GetWords(name), [&](const auto& entry) {
            return AnyOf(words, [&](const auto& word) {
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
    if (m_figures && values.Has("published"))
    {
        m_published = m_figures->Read(values.Get("published"));
    }
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
StudyDefinition::AddHosts(const std::string& topology, const std::string& without)
{
    Add(FabricOptions::GetParameters(without.empty() ? topology : without, topology));
    Add(FabricOptions::GetDelays());
}

void
StudyDefinition::AddTraffic(bool hasRounds)
{
    Add(TrafficOptions::GetParameters());
    if (hasRounds)
    {
        Add({"rounds=100 (20) [1..1000000]: With load, number of rounds to average over; a pause "
             "follows each round"});
        AddRefusal(
            [](const OptionValues& values) { TrafficOptions::RefuseWithout(values, "rounds"); });
    }
}

std::string
StudyDefinition::FindData(const std::string& name) const
{
    return DataFile::Find(name, m_dataFolder);
}

bool
StudyDefinition::ReadCsv(const std::string& path)
{
    const auto some = m_table.Read(path);
    m_rows.insert(m_rows.end(), some.begin(), some.end());
    return !some.empty();
}

void
StudyDefinition::WriteCsv(std::ostream& os) const
{
    m_table.Write(os, m_rows);
}

std::vector<StudyPlot>
StudyDefinition::MakePlots() const
{
    return m_draw(m_rows, m_published);
}

void
StudyDefinition::AddPublished(const PublishedFigures& figures)
{
    Add({"published=FILE [file plot]: CSV file of published values to add to plots"});
    m_figures = std::make_unique<CsvTable>(figures.MakeTable(m_table));
}

void
StudyDefinition::AddPlacement(const std::string& law,
                              uint32_t number,
                              const Words& keys,
                              const std::string& value,
                              const std::string& besides,
                              const std::string& alias)
{
    m_keys = keys;
    m_value = value;
    Add({FabricOptions::GetPlacement(law, besides, alias),
         "placements=20 (" + std::to_string(number) +
             ") [1..100000]: Number of random placements; if this option is set, the spread of " +
             value + " over them is reported"});
}

void
StudyDefinition::ReadPlacement(const OptionValues& values,
                               const FabricGraph& graph,
                               const JobPlacement::Parameters& job,
                               const std::string& name)
{
    m_job = job;
    m_nPlacements = values.Has("placements") ? Get<uint32_t>("placements") : 0;
    if (m_nPlacements > 0 && !JobPlacement::IsRandom(m_job.law))
    {
        if (values.Has("placement"))
        {
            values.Refuse("placements", "has no effect where placement is not random");
        }
        m_job.law = "random";
    }
    const auto ofPlacement = name.empty() || !JobPlacement::IsRule(m_job.law);
    values.Check(ofPlacement ? "placement" : name,
                 [&] { m_job.hosts = JobPlacement(graph, m_job).GetNHosts(); });
}

std::vector<uint32_t>
StudyDefinition::GetPlacements() const
{
    Wholes numbers(std::max(m_nPlacements, 1U));
    std::iota(numbers.begin(), numbers.end(), m_nPlacements > 0 ? 1U : 0U);
    return numbers;
}

std::vector<uint32_t>
StudyDefinition::PlaceMembers(const FabricGraph& graph,
                              CsvRow& row,
                              uint32_t hosts,
                              int64_t stream) const
{
    auto job = m_job;
    job.hosts = hosts > 0 ? hosts : job.hosts;
    const auto placed = JobPlacement(graph, job).Draw(stream, row["placement"].Whole());
    if (row["placement"] > 0)
    {
        row["switches"] = JobPlacement::CountSwitches(graph, placed);
    }
    return placed;
}

std::string
StudyDefinition::Describe(const CsvRow& row) const
{
    return SumOf(m_keys, [&row](const auto& key) { return key + " " + row.GetText(key) + ", "; }) +
           m_value + " over placements";
}

std::vector<std::string>
StudyDefinition::GetRemarks() const
{
    std::vector<std::pair<std::string, SampleSummary>> spreads; // of all, and by number of switches
    for (std::size_t i = 0; m_nPlacements > 0 && i < m_rows.size(); ++i)
    {
        const auto all = Describe(m_rows[i]);
        for (const auto& what : {all, all + " on " + m_rows[i].GetText("switches") + " switches"})
        {
            auto found = FindIn(spreads, [&](const auto& each) { return each.first == what; });
            found = found == spreads.end() ? spreads.insert(found, {what, {}}) : found;
            found->second.Add(m_rows[i][m_value]);
        }
    }
    std::vector<std::string> remarks;
    std::string last;
    for (const auto& [what, spread] : spreads)
    {
        const auto text = spread.DescribeSpread();
        if (text != last) // else all are on as many switches
        {
            remarks.push_back(what + ": " + text);
        }
        last = text;
    }
    return remarks;
}

void
StudyDefinition::Measure(const ProgressListener& progress)
{
    m_rows = StudySweep::Measure(
        ListRows(),
        [this](const CsvRow& row, std::size_t number) { return MeasureRow(row, number); },
        GetJobs(),
        progress);
}

void
StudyDefinition::Vary(StudySweep& sweep, const std::string& column, const std::string& name) const
{
    const auto& value = m_values.at(name);
    if (const auto words = std::get_if<Words>(&value))
    {
        sweep.Over(column, *words);
    }
    else if (const auto wholes = std::get_if<Wholes>(&value))
    {
        sweep.Over(column, *wholes);
    }
    else if (const auto times = std::get_if<Times>(&value))
    {
        sweep.Over(column, MadeOf(*times, [](Time time) { return time.ToDouble(Time::US); }));
    }
    else
    {
        sweep.Over(column, std::get<Ratios>(value));
    }
}

StudyDefinition::Rows
StudyDefinition::ListRows()
{
    return {};
}

CsvRow
StudyDefinition::MeasureRow(CsvRow row, std::size_t)
{
    return row;
}

} // namespace ns3
