/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAFFIC_COLUMNS_H
#define TRAFFIC_COLUMNS_H

#include "ns3/csv-table.h"
#include "ns3/wormhole-background-traffic.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What rows of studies tell of traffic beside their collectives, in columns that are there
 *        only if there is some.
 */
struct TrafficRow
{
    double load{0};      ///< load of traffic beside; 0: none
    std::string pattern; ///< who sends that to whom
    std::string flits;   ///< length of its worms, as WormLength::Parse

    /// Fills them in. @param traffic what there was
    void SetTraffic(const BackgroundTraffic::Parameters& traffic)
    {
        if (traffic.IsThere())
        {
            load = traffic.load;
            pattern = traffic.pattern;
            flits = traffic.flits;
        }
    }

    /// @param table the other columns @param percentiles names and members of times that 99 % of
    /// the rounds do not exceed, us
    /// @return the table with the percentiles and these columns at its end
    template <typename Row>
    static CsvTable<Row> AddTo(
        CsvTable<Row> table,
        const std::vector<std::pair<const char*, double Row::*>>& percentiles)
    {
        constexpr int LOAD = 6; // loads of large fabrics are small
        const auto isThere = [](const Row& row) { return row.load > 0; };
        for (const auto& [name, member] : percentiles)
        {
            table.AddOptional(
                isThere,
                {{std::string(name) + " (us): What 99 % of the rounds do not exceed", member}});
        }
        table.AddOptional(isThere,
                          {{"load: Load of traffic beside", &Row::load, LOAD},
                           {"pattern: Who sends that to whom", &Row::pattern},
                           {"flits: Length of its worms", &Row::flits}});
        return table;
    }
};

} // namespace ns3

#endif /* TRAFFIC_COLUMNS_H */
