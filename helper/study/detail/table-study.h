/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_STUDY_H
#define TABLE_STUDY_H

#include "ns3/csv-table.h"
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

  protected:
    using Rows = std::vector<CsvRow>; ///< rows of a table

    /// Draws rows, and published figures, of their tables.
    using Draw = std::function<std::vector<StudyPlot>(const Rows& rows, const Rows& published)>;

    /// @param description what it is called, and is for
    /// @param draw draws what there is; null: MakePlots does, if there are plots
    TableStudy(const Description& description, CsvTable table, Draw draw = nullptr);

    void AddPublished(const PublishedFigures& figures);

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

  private:
    Draw m_draw;                         // may be null
    std::unique_ptr<CsvTable> m_figures; // table of published figures; null: there are none
};

/// What rows of studies tell of traffic beside their collectives, in columns that are there only if
/// there is some.
struct TrafficColumns
{
    /// @param percentiles names of times that 99 % of the rounds do not exceed, us
    /// @return the table with the percentiles and these columns at its end
    static CsvTable AddTo(CsvTable table, const std::vector<std::string>& percentiles);

    static void Set(CsvRow& row, const BackgroundTraffic::Parameters& traffic);
};

} // namespace ns3

#endif /* TABLE_STUDY_H */
