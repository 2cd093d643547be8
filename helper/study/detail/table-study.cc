/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-study.h"

#include "ns3/fabric-options.h"
#include "ns3/sample-summary.h"
#include "ns3/study-plot.h"
#include "ns3/worker-pool.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

CsvTable
PublishedFigures::MakeTable(const CsvTable& table) const
{
    CsvTable figures{};
    const auto& known = table.GetColumns();
    std::istringstream names(columns);
    for (std::string name; std::getline(names, name, ',');)
    {
        const auto found = std::find_if(known.begin(), known.end(), [&](const auto& column) {
            return column.name == name;
        });
        figures.Add({name,
                     found != known.end() ? found->decimals
                     : name == "value"    ? CsvColumn::NUMBER
                                          : CsvColumn::TEXT});
    }
    return figures.SetFilter([wanted = wanted, unit = unit](const CsvFile& file, std::size_t i) {
        for (const auto& [column, words] : wanted)
        {
            if (std::find(words.begin(), words.end(), file.Get(i, column)) == words.end())
            {
                return false;
            }
        }
        if (!unit.empty() && file.Get(i, "unit") != unit)
        {
            file.Refuse(i, "unit", unit);
        }
        return true;
    });
}

TableStudy::TableStudy(const Description& description, CsvTable table, Draw draw)
    : StudyDefinition(description),
      m_table(std::move(table)),
      m_draw(std::move(draw))
{
}

bool
TableStudy::ReadCsv(const std::string& path)
{
    const auto some = m_table.Read(path);
    m_rows.insert(m_rows.end(), some.begin(), some.end());
    return !some.empty();
}

std::vector<StudyPlot>
TableStudy::MakePlots() const
{
    return m_draw(m_rows, m_published);
}

void
TableStudy::AddPublished(const PublishedFigures& figures)
{
    Add({"published=FILE [file plot]: Published figures to draw in, CSV"});
    m_figures = std::make_unique<CsvTable>(figures.MakeTable(m_table));
}

void
TableStudy::ReadPlotting(const OptionValues& values)
{
    StudyDefinition::ReadPlotting(values);
    if (m_figures && values.Has("published"))
    {
        m_published = m_figures->Read(values.Get("published"));
    }
}

void
TableStudy::AddPlacement(const std::string& law,
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
             ") [1..100000]: Number of random placements; given, it tells how " + value +
             " spreads over them"});
}

void
TableStudy::ReadPlacement(const OptionValues& values,
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
            values.Refuse("placements", "has no effect where placement is no random one");
        }
        m_job.law = "random";
    }
    const auto ofPlacement = name.empty() || !JobPlacement::IsRule(m_job.law);
    values.Check(ofPlacement ? "placement" : name,
                 [&] { m_job.hosts = JobPlacement(graph, m_job).GetNHosts(); });
}

std::vector<uint32_t>
TableStudy::GetPlacements() const
{
    Wholes numbers(std::max(m_nPlacements, 1U));
    std::iota(numbers.begin(), numbers.end(), m_nPlacements > 0 ? 1U : 0U);
    return numbers;
}

std::vector<uint32_t>
TableStudy::PlaceMembers(const FabricGraph& graph,
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
TableStudy::Describe(const CsvRow& row) const
{
    std::string text;
    for (const auto& column : m_keys)
    {
        text += column + " " + row.GetText(column) + ", ";
    }
    return text + m_value + " over placements";
}

std::vector<std::string>
TableStudy::GetRemarks() const
{
    std::vector<std::pair<std::string, SampleSummary>> spreads; // of all, and by number of switches
    for (std::size_t i = 0; m_nPlacements > 0 && i < m_rows.size(); ++i)
    {
        const auto all = Describe(m_rows[i]);
        for (const auto& what : {all, all + " on " + m_rows[i].GetText("switches") + " switches"})
        {
            auto found = std::find_if(spreads.begin(), spreads.end(), [&](const auto& each) {
                return each.first == what;
            });
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
TableStudy::Measure(const Progress& progress)
{
    m_rows = StudySweep::Measure(
        ListRows(),
        [this](const CsvRow& row, std::size_t number) { return MeasureRow(row, number); },
        GetJobs(),
        progress);
}

CsvRow
TableStudy::MeasureRow(CsvRow row, std::size_t)
{
    return row;
}

std::vector<CsvRow>
StudySweep::Measure(const std::vector<CsvRow>& rows,
                    const Measurement& measure,
                    uint32_t jobs,
                    const StudyDefinition::Progress& progress)
{
    std::vector<CsvRow> measured;
    const auto all = static_cast<uint32_t>(rows.size());
    const auto work = [&](uint32_t piece) {
        return rows[piece].GetTable().Pack({measure(rows[piece], piece)});
    };
    const auto take = [&](uint32_t piece, const std::string& result) {
        measured.push_back(rows[piece].GetTable().Unpack(result).front());
        if (progress)
        {
            progress(piece + 1, all);
        }
    };
    WorkerPool(jobs).Run(all, work, take);
    return measured;
}

CsvTable
PlacementColumns::AddTo(CsvTable table)
{
    return table.AddOptional([](const CsvRow& row) { return row["placement"] > 0; },
                             {{"placement: Number of the random placement", CsvColumn::WHOLE},
                              {"switches: Switches that members are at", CsvColumn::WHOLE}});
}

CsvTable
TrafficColumns::AddTo(CsvTable table, const std::vector<std::string>& percentiles)
{
    constexpr int LOAD = 6; // loads of large fabrics are small
    const auto isThere = [](const CsvRow& row) { return row["load"] > 0; };
    for (const auto& name : percentiles)
    {
        table.AddOptional(
            isThere,
            {{name + " (us): What 99 % of the rounds do not exceed", CsvColumn::NUMBER}});
    }
    return table.AddOptional(isThere,
                             {{"load: Load of traffic beside", LOAD},
                              {"pattern: Who sends that to whom"},
                              {"flits: Length of its worms"}});
}

void
TrafficColumns::Set(CsvRow& row, const BackgroundTraffic::Parameters& traffic)
{
    if (traffic.IsThere())
    {
        row["load"] = traffic.load;
        row["pattern"] = traffic.pattern;
        row["flits"] = traffic.flits;
    }
}

} // namespace ns3
