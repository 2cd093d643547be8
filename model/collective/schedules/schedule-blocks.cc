// SPDX-License-Identifier: GPL-2.0-only

#include "schedule-blocks.h"

#include "ns3/ordering.h"

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
        AppendRange(ranges, {block, 1});
    }
    return ranges;
}

/// @return the places for work that StepInOrder uses
BlockRanges
FindWork(const GroupSchedules& schedules, const BlockRanges& ranges)
{
    return MadeOf(ranges, [&](const auto& range) {
        return BlockRange{range.first + schedules.layout.GetNData(), range.count};
    });
}

} // namespace

std::vector<uint32_t>
MakeRanksFrom(uint32_t members, uint32_t root)
{
    return MadeOfNumbers(members, [=](uint32_t i) { return (root + i) % members; });
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
    // Who sends nothing in the step takes what came before first.
    std::vector<bool> sends(schedules.members.size(), false);
    for (const auto& message : cut)
    {
        sends[message.from] = true;
    }
    for (const auto& message : cut)
    {
        if (!sends[message.to])
        {
            schedules.Wait(message.to);
        }
    }
    schedules.Step(cut);
}

void
PassOnRing(const std::vector<uint32_t>& ranks,
           const std::vector<uint32_t>& firsts,
           uint32_t offset,
           ScheduleStep::Kind kind,
           const std::function<void(const std::vector<BlockMessage>&)>& add)
{
    const auto n = static_cast<uint32_t>(ranks.size());
    const auto longest = GreatestOf(0U, NumbersBelow(n), [&](uint32_t share) {
        return firsts[share + 1] - firsts[share]; // in segments
    });
    for (uint32_t segment = 0; segment < longest; ++segment)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t place = 0; place < n; ++place)
        {
            const auto share = (place + offset) % n;
            if (firsts[share] + segment < firsts[share + 1])
            {
                messages.push_back(
                    {ranks[place], ranks[(place + 1) % n], {{firsts[share] + segment, 1}}, kind});
            }
        }
        add(messages);
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

void
FoldedRanks::AddFolding(GroupSchedules& schedules, const ScheduleRequest& request) const
{
    AddExchange(schedules, request, ListMessages(m_pairs.size(), [&](uint32_t i) -> BlockMessage {
                    const auto& pair = m_pairs[i];
                    return {pair.folded,
                            pair.kept,
                            {schedules.layout.GetAll()},
                            ScheduleStep::COMBINE,
                            pair.folded < pair.kept};
                }));
}

BlockRanges
FindRingRanges(uint32_t first, uint32_t count, uint32_t n)
{
    first %= n;
    const auto upToEnd = std::min(count, n - first);
    BlockRanges ranges{{first, upToEnd}};
    AppendRange(ranges, {0, count - upToEnd});
    return ranges;
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

std::vector<CommunicationSchedule>
AddressExchange::MakeSchedules(const std::string& name, uint32_t members)
{
    const bool isDirect = name == "direct";
    std::vector<CommunicationSchedule> schedules(members);
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        auto& schedule = schedules[rank];
        const auto receive = [&](uint32_t distance) {
            schedule.Receive(ScheduleStep::IGNORE, (rank + members - distance) % members);
        };
        for (uint32_t distance = 1; distance < members; distance += isDirect ? 1 : distance)
        {
            const auto known = isDirect ? 1 : std::min(distance, members - distance);
            schedule.Send((rank + distance) % members, 0, Time(0), known * ADDRESS_BYTES);
            if (!isDirect)
            {
                receive(distance);
            }
        }
        for (uint32_t distance = 1; isDirect && distance < members; ++distance)
        {
            receive(distance);
        }
    }
    return schedules;
}

} // namespace ns3
