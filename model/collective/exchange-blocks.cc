/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-blocks.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return the places for work that StepInOrder uses
BlockRanges
FindWork(const GroupSchedules& schedules, const BlockRanges& ranges)
{
    auto work = ranges;
    for (auto& range : work)
    {
        range.first += schedules.layout.GetNData();
    }
    return work;
}

/// A reduce-scatter in pairs that combines in order of ranks. What comes from lower ranks is
/// combined from the left as it comes, from the own rank downwards; what comes from higher ones,
/// from the last rank downwards, is kept apart until all of it is there. @return the schedules
GroupSchedules
MakeOrderedPairwise(const ScheduleRequest& request)
{
    const auto n = request.members;
    auto layout = request.MakeParts();
    layout.AddWork(layout.GetAll()); // what has come, see StepInOrder
    const auto higher = layout.AddWork(layout.GetAll());
    GroupSchedules schedules(request, layout);
    for (uint32_t step = 1; step < n; ++step)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t to = 0; to < n; ++to)
        {
            const auto place = step == to + 1 ? higher + to : n + to;
            messages.push_back(
                {(to + n - step) % n, to, {{to, 1}}, ScheduleStep::REPLACE, false, {{place, 1}}});
        }
        schedules.Step(messages);
        for (uint32_t to = 0; to < n; ++to)
        {
            if (step != to + 1 && layout.GetBytes(to) > 0)
            {
                schedules.members[to].MergeBlocks({step <= to ? to : higher + to, 1},
                                                  {n + to, 1},
                                                  true);
            }
        }
    }
    for (uint32_t rank = 0; rank + 1 < n; ++rank)
    {
        if (layout.GetBytes(rank) > 0)
        {
            schedules.members[rank].MergeBlocks({rank, 1}, {higher + rank, 1});
        }
    }
    return schedules;
}

} // namespace

BlockRanges
FindRingRanges(uint32_t first, uint32_t count, uint32_t n)
{
    first %= n;
    const auto upToEnd = std::min(count, n - first);
    BlockRanges ranges{{first, upToEnd}};
    if (upToEnd < count)
    {
        ranges.push_back({0, count - upToEnd});
    }
    return ranges;
}

GroupSchedules
FallBackOn(GroupSchedules schedules, const std::string& name, const std::string& reason)
{
    schedules.fallback = name + ": " + reason;
    return schedules;
}

void
StepInOrder(GroupSchedules& schedules, const std::vector<BlockMessage>& messages)
{
    auto apart = messages;
    for (auto& message : apart)
    {
        message.kind = ScheduleStep::REPLACE;
        message.received = FindWork(schedules, message.sent);
    }
    schedules.Step(apart);
    for (const auto& message : messages)
    {
        for (const auto& range : message.sent)
        {
            if (message.from != message.to && schedules.layout.GetBytes(range) > 0)
            {
                schedules.members[message.to].MergeBlocks(range,
                                                          FindWork(schedules, {range}).front(),
                                                          message.isLeft);
            }
        }
    }
}

GroupSchedules
MakeRingAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t step = 1; step < n; ++step)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            messages.push_back({rank, (rank + 1) % n, {{(rank + n + 1 - step) % n, 1}}});
        }
        schedules.Step(messages);
    }
    return schedules;
}

GroupSchedules
MakeBruckAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t held = 1; held < n; held *= 2)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            messages.push_back(
                {rank, (rank + n - held) % n, FindRingRanges(rank, std::min(held, n - held), n)});
        }
        schedules.Step(messages);
    }
    return schedules;
}

GroupSchedules
MakePairwiseReduceScatter(const ScheduleRequest& request)
{
    if (request.keepsOrder)
    {
        return MakeOrderedPairwise(request);
    }
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (uint32_t step = 1; step < n; ++step)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const auto to = (rank + step) % n;
            messages.push_back({rank, to, {{to, 1}}, ScheduleStep::COMBINE});
        }
        schedules.Step(messages);
    }
    return schedules;
}

} // namespace ns3
