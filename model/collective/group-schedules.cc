// SPDX-License-Identifier: GPL-2.0-only

#include "group-schedules.h"

#include "ns3/wormhole-error.h"

#include <numeric>
#include <utility>

namespace ns3
{

uint64_t
ScheduleRequest::GetBytes() const
{
    return std::accumulate(parts.begin(), parts.end(), uint64_t{0});
}

BlockLayout
ScheduleRequest::MakeParts() const
{
    BlockLayout layout;
    for (const auto bytes : parts)
    {
        layout.Add(bytes);
    }
    return layout;
}

BlockLayout
ScheduleRequest::MakeSegments(uint32_t shares, std::vector<uint32_t>& firsts) const
{
    constexpr uint64_t MAX_SEGMENTS = 1U << 20;
    const auto even = BlockLayout::MakeEven(GetBytes(), shares, elementBytes);
    const auto longest = segmentBytes == 0
                             ? UINT64_MAX
                             : std::max<uint64_t>(1, segmentBytes / elementBytes) * elementBytes;
    WormholeError::ThrowIf(GetBytes() / longest > MAX_SEGMENTS,
                           "SegmentBytes is " + std::to_string(segmentBytes) + ", which cuts " +
                               std::to_string(GetBytes()) + " bytes into more than " +
                               std::to_string(MAX_SEGMENTS) + " segments; expected longer ones");
    BlockLayout layout;
    firsts.clear();
    for (uint32_t share = 0; share < shares; ++share)
    {
        firsts.push_back(layout.GetNData());
        auto left = even.GetBytes(share);
        for (; left > longest; left -= longest)
        {
            layout.Add(longest);
        }
        layout.Add(left);
    }
    firsts.push_back(layout.GetNData());
    return layout;
}

GroupSchedules::GroupSchedules(const ScheduleRequest& request, BlockLayout blocks)
    : layout(std::move(blocks)),
      members(request.members)
{
}

GroupSchedules::GroupSchedules(const ScheduleRequest& request,
                               std::vector<CommunicationSchedule> schedules)
    : layout(request.MakeParts()),
      members(std::move(schedules))
{
}

void
GroupSchedules::Step(const std::vector<BlockMessage>& messages)
{
    const auto has = [this](const BlockMessage& message) {
        return message.from != message.to && layout.GetBytes(message.sent) > 0;
    };
    auto tag = nMessages;
    for (const auto& message : messages)
    {
        if (has(message))
        {
            members[message.from].SendBlocks(message.to, message.sent, nMessages, message.after);
        }
        ++nMessages;
    }
    for (const auto& message : messages)
    {
        if (has(message))
        {
            const auto& target = message.received.empty() ? message.sent : message.received;
            members[message.to].ReceiveBlocks(message.kind,
                                              message.from,
                                              target,
                                              tag,
                                              message.isLeft);
        }
        ++tag;
    }
}

void
GroupSchedules::Wait(uint32_t rank)
{
    const auto& steps = members[rank].GetSteps();
    if (!steps.empty() && steps.back().IsReceive())
    {
        members[rank].CopyBlocks({0, 0}, {0, 0}); // of no block, at no cost
    }
}

} // namespace ns3
