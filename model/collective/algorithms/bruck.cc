/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// All-gathers and all-to-alls in a logarithmic number of steps, for any number of members.

#include "ns3/exchange-blocks.h"
#include "ns3/software-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

BlockRanges
FindBruckBlocks(uint32_t rank, uint32_t distance, uint32_t n)
{
    BlockRanges blocks;
    for (uint32_t way = distance; way < n; ++way)
    {
        if ((way & distance) != 0)
        {
            // It has come as far as the lower bits of its way say.
            const auto from = (rank + n - way % distance) % n;
            blocks.push_back({from * n + (from + way) % n, 1});
        }
    }
    return blocks;
}

/**
 * An all-gather in ceil(log2 n) steps: in step k = 0, 1, ... a member passes to the one 2^k ranks
 * below it the first 2^k parts that it has, those of ranks from its own upwards; in the last step
 * only those that are missing (Bruck, Ho, Kipnis, Upfal and Weathersby, Efficient algorithms for
 * all-to-all communications in multiport message-passing systems, 1997). Parts lie where they
 * belong from the first, so that nothing is rotated in the end.
 *
 * Time, of messages of S bytes by alpha + beta S, for parts of m bytes:
 * ceil(log2 n) alpha + (n - 1) beta m.
 *
 * Nothing is combined.
 */
struct BruckAllGatherSchedules
{
    static constexpr const char* NAME = "Bruck"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        return MakeBruckAllGather(request);
    }
};

/**
 * An all-to-all in ceil(log2 n) steps: a part from rank i to rank j has a way of (j - i) mod n
 * ranks, and in step k = 0, 1, ... a member passes to the one 2^k ranks above it all parts whose
 * way has bit k set, in one message (Bruck, Ho, Kipnis, Upfal and Weathersby, Efficient algorithms
 * for all-to-all communications in multiport message-passing systems, 1997). A part keeps its
 * number on its way, so that nothing is rotated before or afterwards. Few messages, for which parts
 * are sent several times: for short parts.
 *
 * Time, of messages of S bytes by alpha + beta S, for parts of m bytes and powers of two:
 * log2(n) (alpha + beta n m / 2).
 *
 * Nothing is combined.
 */
struct BruckAllToAllSchedules
{
    static constexpr const char* NAME = "Bruck"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        const auto n = request.members;
        GroupSchedules schedules(request, request.MakeParts());
        for (uint32_t distance = 1; distance < n; distance *= 2)
        {
            std::vector<BlockMessage> messages;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                messages.push_back(
                    {rank, (rank + distance) % n, FindBruckBlocks(rank, distance, n)});
            }
            schedules.Step(messages);
        }
        return schedules;
    }
};

} // namespace

/// Registers the algorithms.
static const SoftwareAlgorithm<BruckAllGatherSchedules, DataKind::ALL_GATHER>
    g_bruckAllGatherSchedules;
static const SoftwareAlgorithm<BruckAllToAllSchedules, DataKind::ALL_TO_ALL>
    g_bruckAllToAllSchedules;

} // namespace ns3
