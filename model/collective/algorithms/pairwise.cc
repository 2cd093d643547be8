/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Reduce-scatters and all-to-alls in which each member sends to each other one, one after the
// other.

#include "ns3/exchange-blocks.h"
#include "ns3/software-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

/**
 * A reduce-scatter in n - 1 steps: in step k = 1, 2, ... a member sends to the one k ranks above it
 * that one's part, and combines what comes from the one k ranks below it with its own (Thakur,
 * Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, 2005).
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * (n - 1) (alpha + (beta + gamma) m / n).
 *
 * With KeepsOrder contributions are combined in order of ranks, in as many steps: what comes from
 * higher ranks is kept apart, and combined with the rest in the end.
 */
struct PairwiseReduceScatterSchedules
{
    static constexpr const char* NAME = "Pairwise"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        return MakePairwiseReduceScatter(request);
    }
};

/**
 * An all-to-all in n - 1 steps, in each of which a member sends one part and receives one: in step
 * k = 1, 2, ... it exchanges them with the one whose rank is its own XOR k, if their number is a
 * power of two; else it sends to the one k ranks above it, and receives from the one k ranks below
 * it (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH,
 * 2005).
 *
 * Time, of messages of S bytes by alpha + beta S, for parts of m bytes: (n - 1) (alpha + beta m).
 *
 * Nothing is combined.
 */
struct PairwiseAllToAllSchedules
{
    static constexpr const char* NAME = "Pairwise"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        const auto n = request.members;
        GroupSchedules schedules(request, request.MakeParts());
        for (uint32_t step = 1; step < n; ++step)
        {
            std::vector<BlockMessage> messages;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                const auto to = (n & (n - 1)) == 0 ? rank ^ step : (rank + step) % n;
                messages.push_back({rank, to, {{rank * n + to, 1}}});
            }
            schedules.Step(messages);
        }
        return schedules;
    }
};

} // namespace

/// Registers the algorithms.
static const SoftwareAlgorithm<PairwiseReduceScatterSchedules, DataKind::REDUCE_SCATTER>
    g_pairwiseReduceScatterSchedules;
static const SoftwareAlgorithm<PairwiseAllToAllSchedules, DataKind::ALL_TO_ALL>
    g_pairwiseAllToAllSchedules;

} // namespace ns3
