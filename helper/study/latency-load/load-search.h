/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOAD_SEARCH_H
#define LOAD_SEARCH_H

#include "ns3/csv-table.h"
#include "ns3/load-measurement.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// Rows of one length of worms in one run, and the search for the load that saturates it.
class LoadSearch
{
  public:
    LoadSearch(const CsvTable& table, uint32_t run, const std::string& flits);

    CsvRow& GetCommon()
    {
        return m_common;
    }

    /// Looks for the saturation.
    void Search(const LoadMeasurement& measurement,
                const std::function<void(const CsvRow&)>& progress);

    CsvRow Measure(const LoadMeasurement& measurement, double load);

    /// Takes rows that were found by another search of the same.
    void Take(const std::vector<CsvRow>& rows);

    void Add(const CsvRow& row)
    {
        m_rows.insert_or_assign(row["load"], row);
    }

    /// @return all rows, by load, with what is known of saturation
    std::vector<CsvRow> GetRows() const;

    bool Has(double load) const
    {
        return m_rows.count(load) > 0;
    }

    /// @return some ten loads up to saturation, nearer to each other there, and one or two beyond
    std::vector<double> ChooseLoads() const;

    void AppendTo(std::vector<CsvRow>& rows) const;

  private:
    /// Measures a load, if that has not been done yet.
    bool IsSteady(double load);
    static bool IsSteady(const CsvRow& row);

    /// @return whether the fabric was observed for long enough to judge it
    static bool IsObserved(const CsvRow& row);

    /// Notes a load as one that is not steady, unless the simulation was too short to tell.
    void NoteLimit(double load);

    const CsvRow& MakeRow(double load);

    const LoadMeasurement* m_measurement{nullptr}; ///< measures a load
    CsvRow m_common;                               ///< what all rows have in common
    std::function<void(const CsvRow&)> m_progress; ///< told of every row; may be null
    std::map<double, CsvRow> m_rows;               ///< by load
};

} // namespace ns3

#endif /* LOAD_SEARCH_H */
