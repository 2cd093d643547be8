/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-blocks.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

BlockRanges
MakeRanges(std::vector<uint32_t> blocks)
{
    std::sort(blocks.begin(), blocks.end());
    BlockRanges ranges;
    for (const auto block : blocks)
    {
        if (!ranges.empty() && ranges.back().first + ranges.back().count == block)
        {
            ++ranges.back().count;
        }
        else
        {
            ranges.push_back({block, 1});
        }
    }
    return ranges;
}

/// Adds a step; who sends nothing in it takes what came before first.
void
AddStep(GroupSchedules& schedules, const std::vector<BlockMessage>& messages)
{
    std::vector<bool> sends(schedules.members.size(), false);
    for (const auto& message : messages)
    {
        sends[message.from] = true;
    }
    for (const auto& message : messages)
    {
        if (!sends[message.to])
        {
            schedules.Wait(message.to);
        }
    }
    schedules.Step(messages);
}

} // namespace

std::vector<uint32_t>
MakeRanksFrom(uint32_t members, uint32_t root)
{
    std::vector<uint32_t> ranks(members);
    for (uint32_t i = 0; i < members; ++i)
    {
        ranks[i] = (root + i) % members;
    }
    return ranks;
}

std::vector<uint32_t>
ListBlocks(const BlockRange& range)
{
    std::vector<uint32_t> blocks(range.count);
    std::iota(blocks.begin(), blocks.end(), range.first);
    return blocks;
}

std::vector<BlockRanges>
CutIntoMessages(const BlockLayout& layout, const std::vector<uint32_t>& blocks, uint64_t longest)
{
    std::vector<BlockRanges> messages;
    std::vector<uint32_t> message;
    uint64_t length = 0;
    for (const auto block : blocks)
    {
        const auto bytes = layout.GetBytes(block);
        if (longest > 0 && !message.empty() && length + bytes > longest)
        {
            messages.push_back(MakeRanges(message));
            message.clear();
            length = 0;
        }
        if (bytes > 0)
        {
            message.push_back(block);
            length += bytes;
        }
    }
    if (!message.empty())
    {
        messages.push_back(MakeRanges(message));
    }
    return messages;
}

void
AddExchange(GroupSchedules& schedules,
            const ScheduleRequest& request,
            const std::vector<BlockMessage>& messages)
{
    std::vector<BlockMessage> cut;
    for (const auto& message : messages)
    {
        for (const auto& range : message.sent)
        {
            const auto blocks = ListBlocks(range);
            for (auto& part : CutIntoMessages(schedules.layout, blocks, request.segmentBytes))
            {
                cut.push_back({message.from, message.to, part, message.kind, message.isLeft});
            }
        }
    }
    AddStep(schedules, cut);
}

void
AddRingAllGather(GroupSchedules& schedules,
                 const std::vector<uint32_t>& ranks,
                 const std::vector<uint32_t>& firsts)
{
    const auto n = static_cast<uint32_t>(ranks.size());
    uint32_t longest = 0; // in segments
    for (uint32_t share = 0; share < n; ++share)
    {
        longest = std::max(longest, firsts[share + 1] - firsts[share]);
    }
    for (uint32_t step = 1; step < n; ++step)
    {
        for (uint32_t segment = 0; segment < longest; ++segment)
        {
            std::vector<BlockMessage> messages;
            for (uint32_t place = 0; place < n; ++place)
            {
                const auto share = (place + n + 1 - step) % n;
                const auto block = firsts[share] + segment;
                if (block < firsts[share + 1] && schedules.layout.GetBytes(block) > 0)
                {
                    messages.push_back({ranks[place], ranks[(place + 1) % n], {{block, 1}}});
                }
            }
            AddStep(schedules, messages);
        }
    }
}

FoldedRanks::FoldedRanks(uint32_t members, uint32_t root)
{
    uint32_t size = 1;
    while (size <= members / 2)
    {
        size *= 2;
    }
    const auto nPairs = members - size;
    for (uint32_t pair = 0; pair < nPairs; ++pair)
    {
        const auto even = 2 * pair;
        m_pairs.push_back(root == even ? Pair{even + 1, even} : Pair{even, even + 1});
        m_ranks.push_back(m_pairs.back().kept);
    }
    for (auto rank = 2 * nPairs; rank < members; ++rank)
    {
        m_ranks.push_back(rank);
    }
}

uint32_t
FoldedRanks::GetLog() const
{
    uint32_t log = 0;
    while ((GetSize() >> log) > 1)
    {
        ++log;
    }
    return log;
}

uint32_t
FoldedRanks::FindPlace(uint32_t rank) const
{
    return static_cast<uint32_t>(std::lower_bound(m_ranks.begin(), m_ranks.end(), rank) -
                                 m_ranks.begin());
}

void
FoldedRanks::AddFolding(GroupSchedules& schedules, const ScheduleRequest& request) const
{
    std::vector<BlockMessage> messages;
    for (const auto& pair : m_pairs)
    {
        messages.push_back({pair.folded,
                            pair.kept,
                            {schedules.layout.GetAll()},
                            ScheduleStep::COMBINE,
                            pair.folded < pair.kept});
    }
    AddExchange(schedules, request, messages);
}

void
FoldedRanks::AddUnfolding(GroupSchedules& schedules, const ScheduleRequest& request) const
{
    std::vector<BlockMessage> messages;
    for (const auto& pair : m_pairs)
    {
        messages.push_back({pair.kept, pair.folded, {schedules.layout.GetAll()}});
    }
    AddExchange(schedules, request, messages);
}

RecursiveHalving::RecursiveHalving(const ScheduleRequest& request, uint32_t root)
    : m_ranks(request.members, root),
      m_layout(request.MakeSegments(m_ranks.GetSize(), m_firsts))
{
}

GroupSchedules
RecursiveHalving::MakeSchedules(const ScheduleRequest& request) const
{
    return {request, m_layout};
}

BlockRange
RecursiveHalving::GetKept(uint32_t place, uint32_t steps) const
{
    uint32_t first = 0;
    auto size = m_ranks.GetSize();
    for (uint32_t bit = 0; bit < steps; ++bit)
    {
        size /= 2;
        first += place >> bit & 1 ? size : 0;
    }
    return {m_firsts[first], m_firsts[first + size] - m_firsts[first]};
}

void
RecursiveHalving::AddReduceScatter(GroupSchedules& schedules, const ScheduleRequest& request) const
{
    for (uint32_t bit = 0; bit < m_ranks.GetLog(); ++bit)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t place = 0; place < m_ranks.GetSize(); ++place)
        {
            const auto other = place ^ (1U << bit);
            messages.push_back({m_ranks.GetRank(place),
                                m_ranks.GetRank(other),
                                {GetKept(other, bit + 1)},
                                ScheduleStep::COMBINE,
                                place < other});
        }
        AddExchange(schedules, request, messages);
    }
}

void
RecursiveHalving::AddAllGather(GroupSchedules& schedules, const ScheduleRequest& request) const
{
    for (auto steps = m_ranks.GetLog(); steps > 0; --steps)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t place = 0; place < m_ranks.GetSize(); ++place)
        {
            messages.push_back({m_ranks.GetRank(place),
                                m_ranks.GetRank(place ^ (1U << (steps - 1))),
                                {GetKept(place, steps)}});
        }
        AddExchange(schedules, request, messages);
    }
}

void
RecursiveHalving::AddGather(GroupSchedules& schedules,
                            const ScheduleRequest& request,
                            uint32_t place) const
{
    for (auto steps = m_ranks.GetLog(); steps > 0; --steps)
    {
        const auto bit = 1U << (steps - 1);
        std::vector<BlockMessage> messages;
        for (uint32_t low = 0; low < bit; ++low)
        {
            // Those that have what is still to come differ from the root in lower bits alone.
            const auto receiver = (place & ~(bit - 1)) | low;
            messages.push_back({m_ranks.GetRank(receiver ^ bit),
                                m_ranks.GetRank(receiver),
                                {GetKept(receiver ^ bit, steps)}});
        }
        AddExchange(schedules, request, messages);
    }
}

GroupSchedules
MakeRecursiveDoublingAllReduction(const ScheduleRequest& request)
{
    GroupSchedules schedules(request, request.MakeSegments());
    const FoldedRanks ranks(request.members, FoldedRanks::NO_ROOT);
    ranks.AddFolding(schedules, request);
    for (uint32_t distance = 1; distance < ranks.GetSize(); distance *= 2)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t place = 0; place < ranks.GetSize(); ++place)
        {
            const auto other = place ^ distance;
            messages.push_back({ranks.GetRank(place),
                                ranks.GetRank(other),
                                {schedules.layout.GetAll()},
                                ScheduleStep::COMBINE,
                                place < other});
        }
        AddExchange(schedules, request, messages);
    }
    ranks.AddUnfolding(schedules, request);
    return schedules;
}

} // namespace ns3
