/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_STUDY_H
#define TABLE_STUDY_H

#include "ns3/csv-table.h"
#include "ns3/job-placement.h"
#include "ns3/study-definition.h"
#include "ns3/wormhole-background-traffic.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// A file of figures that a paper prints, see data/README.md.
struct PublishedFigures
{
    std::string columns; ///< names of its columns, with commas
    /// Columns, and the words one of which a row must have there to be read.
    std::vector<std::pair<std::string, std::vector<std::string>>> wanted;
    std::string unit; ///< which those rows must have; empty: any

    /// @return its table; values are numbers, other columns what they are in rows of a study
    CsvTable MakeTable(const CsvTable& table) const;
};

/// Rows that are all combinations of some values, of which the last ones vary fastest.
class StudySweep
{
  public:
    /// Measures a row.
    /// @param row what it is of
    /// @return it, measured
    using Measurement = std::function<CsvRow(const CsvRow& row, std::size_t number)>;

    /// @param common what all rows have in common
    explicit StudySweep(const CsvRow& common)
        : m_rows{common}
    {
    }

    /// Has each row be measured with each of some values.
    /// @param column what they are of
    template <typename T>
    StudySweep& Over(const std::string& column, const std::vector<T>& values)
    {
        std::vector<CsvRow> rows;
        for (const auto& row : m_rows)
        {
            for (const auto& value : values)
            {
                rows.push_back(row);
                rows.back()[column] = value;
            }
        }
        m_rows = rows;
        return *this;
    }

    const std::vector<CsvRow>& GetRows() const
    {
        return m_rows;
    }

    /// Measures rows, each by itself, by several processes.
    /// @param jobs worker processes, see WorkerPool
    /// @param progress is told how far it is, if it is there
    /// @return the rows, in order
    /// @throws WormholeError as WorkerPool::Run
    static std::vector<CsvRow> Measure(const std::vector<CsvRow>& rows,
                                       const Measurement& measure,
                                       uint32_t jobs,
                                       const StudyDefinition::Progress& progress);

  private:
    std::vector<CsvRow> m_rows;
};

/// A study whose results are rows of a table, which reads and writes them.
class TableStudy : public StudyDefinition
{
  public:
    void ReadPlotting(const OptionValues& values) override;
    void Measure(const Progress& progress) override;
    bool ReadCsv(const std::string& path) override;

    void WriteCsv(std::ostream& os) const override
    {
        m_table.Write(os, m_rows);
    }

    const std::vector<CsvRow>& GetRows() const override
    {
        return m_rows;
    }

    const CsvTable& GetTable() const override
    {
        return m_table;
    }

    std::vector<StudyPlot> MakePlots() const override;

    std::vector<std::string> GetRemarks() const override;

  protected:
    using Rows = std::vector<CsvRow>; ///< rows of a table

    /// Draws rows, and published figures, of their tables.
    using Draw = std::function<std::vector<StudyPlot>(const Rows& rows, const Rows& published)>;

    /// @param description what it is called, and is for
    /// @param draw draws what there is; null: MakePlots does, if there are plots
    TableStudy(const Description& description, CsvTable table, Draw draw = nullptr);

    void AddPublished(const PublishedFigures& figures);

    /// Adds placement and placements, where members are. @param law placement without the option
    /// @param number of random placements without the option
    /// @param keys columns of what is measured @param value column of what is found there
    /// @param besides what the help text says besides @param alias another name; empty: none
    void AddPlacement(const std::string& law,
                      uint32_t number,
                      const Words& keys,
                      const std::string& value,
                      const std::string& besides = "",
                      const std::string& alias = "");

    /// Takes them. @param values values of all parameters @param graph the fabric
    /// @param job placement, number of hosts, and of their switches
    /// @param name option of these numbers; empty: placement
    /// @throws WormholeError if that can't be
    void ReadPlacement(const OptionValues& values,
                       const FabricGraph& graph,
                       const JobPlacement::Parameters& job,
                       const std::string& name = "");

    /// @return numbers of the placements that rows are measured for, from 1 on; 0: there is one
    Wholes GetPlacements() const;

    /// @return hosts of the members of a row, by rank; the row gets at how many switches they are
    /// @param graph the fabric @param row the row @param hosts how many; 0: as ReadPlacement had it
    /// @param stream stream of random placements, by default beyond all others
    Wholes PlaceMembers(const FabricGraph& graph,
                        CsvRow& row,
                        uint32_t hosts = 0,
                        int64_t stream = 1 << 20) const;

    /// @return of what a row is one placement @param row the row
    std::string Describe(const CsvRow& row) const;

    /// @return the rows to measure, with what is known of them before; of none Measure has its own
    virtual Rows ListRows()
    {
        return {};
    }

    /// Measures a row, which may be in another process.
    /// @param row what it is of
    /// @return it, measured
    virtual CsvRow MeasureRow(CsvRow row, std::size_t number);

    const CsvTable m_table; ///< the columns
    Rows m_rows;            ///< what was found
    Rows m_published;       ///< figures to draw in

    JobPlacement::Parameters m_job; ///< where members are
    uint32_t m_nPlacements{0};      ///< how many are told apart; 0: it is one

  private:
    Draw m_draw;                         // may be null
    Words m_keys;                        // columns of what is measured
    std::string m_value;                 // column of what is found in a placement
    std::unique_ptr<CsvTable> m_figures; // table of published figures; null: there are none
};

/// What rows of studies tell of several random placements, in columns that are there only
/// then.
struct PlacementColumns
{
    /// @param table the other columns @return the table with these at its end
    static CsvTable AddTo(CsvTable table);
};

/// What rows of studies tell of traffic beside their collectives, in columns that are there
/// only if there is some.
struct TrafficColumns
{
    /// @param percentiles names of times that 99 % of the rounds do not exceed, us
    /// @return the table with the percentiles and these columns at its end
    static CsvTable AddTo(CsvTable table, const std::vector<std::string>& percentiles);

    static void Set(CsvRow& row, const BackgroundTraffic::Parameters& traffic);
};

} // namespace ns3

#endif /* TABLE_STUDY_H */
