/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BARRIER_ROW_H
#define LOADED_BARRIER_ROW_H

#include "ns3/latency-parts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of barriers under load tells of one barrier and load: a row of its CSV.
 *
 * Loads are ratios of a channel's rate, for each host. Latencies, from all members' coming to the
 * last one's leaving, are NaN unless the state is steady; so are their parts, if they are
 * explained.
 */
struct LoadedBarrierRow : public LatencyParts
{
    std::string algorithm;     ///< the barrier
    uint32_t members{0};       ///< number of members
    std::string pattern;       ///< who sends data to whom
    std::string flits;         ///< length of data worms, as WormLength::Parse
    double load{0};            ///< offered load; 0: no traffic
    std::string state;         ///< steady; saturated: worms pile up; or deadlock
    uint32_t rounds{0};        ///< barriers measured
    double latencyUsMean{0};   ///< their mean latency, us
    double latencyUsCi95{0};   ///< half width of the mean's 95 % interval, us; NaN without traffic
    double latencyUsMedian{0}; ///< their median, us
    double latencyUs99{0};     ///< latency that 99 % of them do not exceed, us

    /// @return its columns
    static const CsvTable<LoadedBarrierRow>& GetTable();
};

} // namespace ns3

#endif /* LOADED_BARRIER_ROW_H */
