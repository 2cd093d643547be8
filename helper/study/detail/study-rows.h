// SPDX-License-Identifier: GPL-2.0-only

#ifndef STUDY_ROWS_H
#define STUDY_ROWS_H

#include "ns3/csv-table.h"
#include "ns3/irregular-topology-helper.h"
#include "ns3/ordering.h"
#include "ns3/worker-pool.h"
#include "ns3/wormhole-background-traffic.h"
#include "ns3/wormhole-progress.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A fabric that is either given, or generated at random in each run.
struct StudyGraph
{
    static constexpr int64_t STREAM = 0; ///< stream of random numbers that generates it

    IrregularTopologyHelper::Parameters drawn; ///< parameters of random fabrics
    std::shared_ptr<const FabricGraph> given;  ///< the fabric of all runs; null: random

    static std::vector<std::string> GetOptions()
    {
        return {"switches", "hosts", "ports", "connectivity", "law"};
    }

    /// @return the fabric of the run whose number ns-3's seed manager has
    FabricGraph Make() const
    {
        if (given)
        {
            return *given;
        }
        IrregularTopologyHelper topology(drawn);
        topology.AssignStreams(STREAM);
        return topology.Create();
    }
};

/// A file of figures that a paper prints, see data/README.md.
struct PublishedFigures
{
    std::string columns; ///< comma-separated names of its columns
    /// Columns, each with a list of words; only rows that have one of these words there are read.
    std::vector<std::pair<std::string, std::vector<std::string>>> wanted;
    std::string unit; ///< unit that these rows must have; empty: any

    /// @param table table of a study, from which it takes the format of common columns
    CsvTable MakeTable(const CsvTable& table) const
    {
        CsvTable figures{};
        const auto& known = table.GetColumns();
        std::istringstream names(columns);
        for (std::string name; std::getline(names, name, ',');)
        {
            const auto found =
                FindIn(known, [&](const auto& column) { return column.name == name; });
            figures.Add({name,
                         found != known.end() ? found->decimals
                         : name == "value"    ? CsvColumn::NUMBER
                                              : CsvColumn::TEXT});
        }
        return figures.SetFilter(
            [wanted = wanted, unit = unit](const CsvFile& file, std::size_t i) {
                for (const auto& [column, words] : wanted)
                {
                    if (!IsIn(words, file.Get(i, column)))
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
};

/// Rows for all combinations of some values; the values added last vary fastest.
class StudySweep
{
  public:
    using Measurement = std::function<CsvRow(const CsvRow& row, std::size_t number)>;

    explicit StudySweep(const CsvRow& common)
        : m_rows{common}
    {
    }

    /// Replaces each row by one row for each of these values.
    template <typename T>
    StudySweep& Over(const std::string& column, const std::vector<T>& values)
    {
        m_rows = JoinedOf(m_rows, [&](const auto& row) {
            return MadeOf(values, [&column, made = row](const auto& value) mutable {
                made[column] = value;
                return made;
            });
        });
        return *this;
    }

    const std::vector<CsvRow>& GetRows() const
    {
        return m_rows;
    }

    /// Measures rows independently, in several processes. @param jobs see WorkerPool
    /// @param progress may be empty @return the rows, in order @throws WormholeError as
    /// WorkerPool::Run
    static std::vector<CsvRow> Measure(const std::vector<CsvRow>& rows,
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

  private:
    std::vector<CsvRow> m_rows;
};

/// Columns of studies' rows that describe random placements; they exist only if there are several.
struct PlacementColumns
{
    static CsvTable AddTo(CsvTable table)
    {
        return table.AddOptional([](const CsvRow& row) { return row["placement"] > 0; },
                                 {{"placement: Number of the random placement", CsvColumn::WHOLE},
                                  {"switches: Number of switches with members", CsvColumn::WHOLE}});
    }
};

/// Columns of studies' rows that describe background traffic; they exist only if there is such
/// traffic.
struct TrafficColumns
{
    /// @param percentiles names of columns with 99th percentiles over the rounds, us
    static CsvTable AddTo(CsvTable table, const std::vector<std::string>& percentiles)
    {
        constexpr int LOAD = 6; // loads of large fabrics are small
        const auto isThere = [](const CsvRow& row) { return row["load"] > 0; };
        for (const auto& name : percentiles)
        {
            table.AddOptional(
                isThere,
                {{name + " (us): 99th percentile over the rounds", CsvColumn::NUMBER}});
        }
        return table.AddOptional(isThere,
                                 {{"load: Offered load of other traffic", LOAD},
                                  {"pattern: Pattern of this traffic"},
                                  {"flits: Length of its worms"}});
    }

    static void Set(CsvRow& row, const BackgroundTraffic::Parameters& traffic)
    {
        if (traffic.IsThere())
        {
            row["load"] = traffic.load;
            row["pattern"] = traffic.pattern;
            row["flits"] = traffic.flits;
        }
    }
};

} // namespace ns3

#endif /* STUDY_ROWS_H */
