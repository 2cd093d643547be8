/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-study.h"

#include "ns3/study-plot.h"
#include "ns3/worker-pool.h"

#include <algorithm>
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
