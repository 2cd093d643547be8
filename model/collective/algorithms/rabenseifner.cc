/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Reductions and all-reductions of data by Rabenseifner's algorithm.

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

namespace ns3
{

namespace
{

/**
 * Rabenseifner's algorithm for long vectors: a reduce-scatter by recursive halving, and then an
 * all-gather by recursive doubling, or a gather to the root by a binomial tree (Rabenseifner,
 * Optimization of collective reduction operations, 2004; Thakur, Rabenseifner and Gropp, 2005). See
 * RecursiveHalving. Members that are more than a power of two are folded first, and told the result
 * at the end.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * 2 log2(n) alpha + 2 (n - 1) / n beta m + (n - 1) / n gamma m. An all-reduction has 2 n log2(n)
 * messages, a reduction n log2(n) + n - 1. With SegmentBytes each is cut, and the segments follow
 * one another.
 *
 * Order is kept: what has been combined is an interval of ranks, and the lower one is the left.
 */
struct RabenseifnerSchedules
{
    static constexpr const char* NAME = "Rabenseifner"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        const bool hasRoot = request.kind == DataKind::REDUCTION;
        const RecursiveHalving halving(request, hasRoot ? request.root : FoldedRanks::NO_ROOT);
        const auto& ranks = halving.GetRanks();
        auto schedules = halving.MakeSchedules(request);
        ranks.AddFolding(schedules, request);
        halving.AddReduceScatter(schedules, request);
        if (hasRoot)
        {
            halving.AddGather(schedules, request, ranks.FindPlace(request.root));
        }
        else
        {
            halving.AddAllGather(schedules, request);
            ranks.AddUnfolding(schedules, request);
        }
        return schedules;
    }
};

} // namespace

/// Registers the algorithms.
static const SoftwareAlgorithm<RabenseifnerSchedules, DataKind::REDUCTION, DataKind::ALL_REDUCTION>
    g_rabenseifnerSchedules;

} // namespace ns3
