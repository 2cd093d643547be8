/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Reduce-scatters in which the part of the result that a member works on halves from step to step.

#include "ns3/exchange-blocks.h"
#include "ns3/software-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

/// The members who halve, a power of two; of each pair at the beginning, one.
struct HalvingCore
{
    uint32_t nPairs; ///< number of pairs of ranks, of which the odd ones go on for both
    uint32_t size;   ///< how many go on

    explicit HalvingCore(uint32_t members)
        : size(1)
    {
        while (2 * size <= members)
        {
            size *= 2;
        }
        nPairs = members - size;
    }

    uint32_t Rank(uint32_t place) const
    {
        return place < nPairs ? 2 * place + 1 : place + nPairs;
    }

    /// @return the first part that it works for; the next one's is behind its last
    uint32_t First(uint32_t place) const
    {
        return place < nPairs ? 2 * place : place + nPairs;
    }
};

/// @return parts that a member sends in a step
BlockRanges
FindHalf(const HalvingCore& core, uint32_t to, uint32_t distance, bool isDoubling)
{
    if (!isDoubling)
    {
        const auto first = to / distance * distance;
        return {{core.First(first), core.First(first + distance) - core.First(first)}};
    }
    BlockRanges ranges;
    for (auto place = to % (2 * distance); place < core.size; place += 2 * distance)
    {
        ranges.push_back({core.First(place), core.First(place + 1) - core.First(place)});
    }
    return ranges;
}

/**
 * A reduce-scatter in log2 n steps: members n / 2 ranks apart send each other that half of the
 * vector that the other one's half of the members is for, and combine what comes; then those n / 4
 * ranks apart a quarter, and so on (Thakur, Rabenseifner and Gropp, Optimization of collective
 * communication operations in MPICH, 2005). If n is no power of two, pairs of the first ranks
 * combine their vectors at first, one of each goes on for both, and sends the other its part in the
 * end.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes
 * and powers of two: log2(n) alpha + (n - 1) (beta + gamma) m / n.
 *
 * With KeepsOrder distances double from 1 to n / 2 instead of halving, so that what neighbours have
 * combined is in order of ranks; the parts in a message are then no longer neighbours.
 */
struct RecursiveHalvingReduceScatterSchedules
{
    static constexpr const char* NAME = "RecursiveHalving"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        const HalvingCore core(request.members);
        auto layout = request.MakeParts();
        layout.AddWork(layout.GetAll()); // for StepInOrder
        GroupSchedules schedules(request, layout);
        const auto combine = [&](const std::vector<BlockMessage>& messages) {
            request.keepsOrder ? StepInOrder(schedules, messages) : schedules.Step(messages);
        };
        std::vector<BlockMessage> messages;
        for (uint32_t pair = 0; pair < core.nPairs; ++pair)
        {
            messages.push_back(
                {2 * pair, 2 * pair + 1, {layout.GetAll()}, ScheduleStep::COMBINE, true});
        }
        combine(messages);
        for (uint32_t step = 1; step < core.size; step *= 2)
        {
            const auto distance = request.keepsOrder ? step : core.size / 2 / step;
            messages.clear();
            for (uint32_t place = 0; place < core.size; ++place)
            {
                const auto to = place ^ distance;
                messages.push_back({core.Rank(place),
                                    core.Rank(to),
                                    FindHalf(core, to, distance, request.keepsOrder),
                                    ScheduleStep::COMBINE,
                                    place < to});
            }
            combine(messages);
        }
        messages.clear();
        for (uint32_t pair = 0; pair < core.nPairs; ++pair)
        {
            messages.push_back({2 * pair + 1, 2 * pair, {{2 * pair, 1}}});
        }
        schedules.Step(messages);
        return schedules;
    }
};

} // namespace

/// Registers the algorithms.
static const SoftwareAlgorithm<RecursiveHalvingReduceScatterSchedules, DataKind::REDUCE_SCATTER>
    g_recursiveHalvingReduceScatterSchedules;

} // namespace ns3
