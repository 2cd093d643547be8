// SPDX-License-Identifier: GPL-2.0-only

#include "study-rows.h"

#include "ns3/worker-pool.h"

#include <algorithm>
#include <sstream>

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

std::vector<CsvRow>
StudySweep::Measure(const std::vector<CsvRow>& rows,
                    const Measurement& measure,
                    uint32_t jobs,
                    const ProgressListener& progress)
{
    std::vector<CsvRow> measured;
    const auto all = static_cast<uint32_t>(rows.size());
    const auto work = [&](uint32_t piece) {
        return rows[piece].GetTable().Pack({measure(rows[piece], piece)});
    };
    const auto take = [&](uint32_t piece, const std::string& result) {
        measured.push_back(rows[piece].GetTable().Unpack(result).front());
        TellProgress(progress, "runs", piece + 1, all);
    };
    WorkerPool(jobs).Run(all, work, take);
    return measured;
}

CsvTable
PlacementColumns::AddTo(CsvTable table)
{
    return table.AddOptional([](const CsvRow& row) { return row["placement"] > 0; },
                             {{"placement: Number of the random placement", CsvColumn::WHOLE},
                              {"switches: Number of switches with members", CsvColumn::WHOLE}});
}

CsvTable
TrafficColumns::AddTo(CsvTable table, const std::vector<std::string>& percentiles)
{
    constexpr int LOAD = 6; // loads of large fabrics are small
    const auto isThere = [](const CsvRow& row) { return row["load"] > 0; };
    for (const auto& name : percentiles)
    {
        table.AddOptional(isThere,
                          {{name + " (us): 99th percentile over the rounds", CsvColumn::NUMBER}});
    }
    return table.AddOptional(isThere,
                             {{"load: Offered load of other traffic", LOAD},
                              {"pattern: Who sends it to whom"},
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
