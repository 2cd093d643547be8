/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_LOAD_ROW_H
#define LATENCY_LOAD_ROW_H

#include "ns3/csv-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What a study of latency against load tells of one load: a row of its CSV.
 *
 * Loads are ratios of a channel's rate, for each host that sends. Intervals are half widths at
 * 95 %. Latencies are NaN unless the state is steady.
 */
struct LatencyLoadRow
{
    uint32_t switches{0};     ///< number of switches
    uint32_t hosts{0};        ///< number of hosts
    double connectivity{0};   ///< ratio of the switches' ports in use
    std::string topology;     ///< what the fabric is, as for MakeTopology but for its size
    uint32_t run{0};          ///< number of the run, from 1; each draws its own fabric and traffic
    std::string pattern;      ///< who sends to whom
    std::string arrivals;     ///< poisson or periodic
    std::string flits;        ///< length of worms, as WormLength::Parse
    double load{0};           ///< load asked for
    double offered{0};        ///< load offered in the time that was measured
    double accepted{0};       ///< load delivered in that time
    std::string state;        ///< steady, saturated or unsettled
    double latencyUsMean{0};  ///< mean latency, us
    double latencyUsCi95{0};  ///< its interval, us
    double latencyUs99{0};    ///< latency that 99 % of the worms do not exceed, us
    uint64_t worms{0};        ///< worms delivered in the time that was measured
    double warmUpUs{0};       ///< time before that, us
    double queueGrowth{0};    ///< flits that queues grew by in that time, over flits offered
    double worstGrowth{0};    ///< worms that the worst source's queue grew by, over worms it made
    double saturationLow{0};  ///< greatest steady load found; NaN if not looked for
    double saturationHigh{0}; ///< next load found, not steady; NaN if not looked for, or none to 1

    /// @return its columns
    static const CsvTable<LatencyLoadRow>& GetTable();
};

} // namespace ns3

#endif /* LATENCY_LOAD_ROW_H */
