/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_COLUMNS_H
#define TRAFFIC_COLUMNS_H

#include "ns3/csv-table.h"
#include "ns3/traffic-beside.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What rows of studies tell of traffic beside their collectives: columns load, pattern and
 *        flits, which are there only if there is some.
 *
 * @tparam Row what a row is, with such members
 */
template <typename Row>
class TrafficColumns
{
  public:
    /// @return whether there was traffic @param row a row
    static bool AreThere(const Row& row)
    {
        return row.load > 0;
    }

    /**
     * @param table the other columns
     * @param percentiles names and members of times that 99 % of the rounds do not exceed, us
     * @return the table with the columns at its end, before them the percentiles
     */
    static CsvTable<Row> AddTo(
        CsvTable<Row> table,
        const std::vector<std::pair<const char*, double Row::*>>& percentiles)
    {
        constexpr int LOAD = 6; // loads of large fabrics are small
        for (const auto& [name, member] : percentiles)
        {
            table.AddOptional(AreThere,
                              {{name, "us", "What 99 % of the rounds do not exceed", member}});
        }
        table.AddOptional(AreThere,
                          {{"load", "", "Load of traffic beside", &Row::load, LOAD},
                           {"pattern", "", "Who sends that to whom", &Row::pattern},
                           {"flits", "", "Length of its worms", &Row::flits}});
        return table;
    }

    /// Fills them in. @param traffic what there was @param row where to
    static void Fill(const TrafficBeside::Parameters& traffic, Row& row)
    {
        if (traffic.IsThere())
        {
            row.load = traffic.load;
            row.pattern = traffic.pattern;
            row.flits = traffic.flits;
        }
    }
};

} // namespace ns3

#endif /* TRAFFIC_COLUMNS_H */
