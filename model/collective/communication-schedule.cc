/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-schedule.h"

namespace ns3
{

CommunicationSchedule&
CommunicationSchedule::Send(uint32_t to, uint32_t tag, Time after, uint32_t extraBytes)
{
    m_steps.push_back({ScheduleStep::SEND, to, tag, extraBytes, after});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::Multicast(uint32_t extraBytes)
{
    m_steps.push_back({ScheduleStep::MULTICAST, 0, ScheduleStep::MULTICAST_TAG, extraBytes});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::Call(const BlockRanges& blocks)
{
    return Add({ScheduleStep::CALL}, blocks);
}

CommunicationSchedule&
CommunicationSchedule::Receive(ScheduleStep::Kind kind, uint32_t from, uint32_t tag)
{
    m_steps.push_back({kind, from, tag, 0});
    return *this;
}

CommunicationSchedule&
CommunicationSchedule::SendBlocks(uint32_t to, const BlockRanges& blocks, uint32_t tag, Time after)
{
    return Add({ScheduleStep::SEND, to, tag, 0, after}, blocks);
}

CommunicationSchedule&
CommunicationSchedule::ReceiveBlocks(ScheduleStep::Kind kind,
                                     uint32_t from,
                                     const BlockRanges& blocks,
                                     uint32_t tag,
                                     bool isLeft)
{
    ScheduleStep step{kind, from, tag};
    step.isLeft = isLeft;
    return Add(step, blocks);
}

CommunicationSchedule&
CommunicationSchedule::CopyBlocks(const BlockRange& to, const BlockRange& from)
{
    return Add({ScheduleStep::COPY}, {to, from});
}

CommunicationSchedule&
CommunicationSchedule::MergeBlocks(const BlockRange& into, const BlockRange& from, bool isLeft)
{
    ScheduleStep step{ScheduleStep::MERGE};
    step.isLeft = isLeft;
    return Add(step, {into, from});
}

CommunicationSchedule&
CommunicationSchedule::Add(ScheduleStep step, const BlockRanges& ranges)
{
    step.firstRange = static_cast<uint32_t>(m_ranges.size());
    step.nRanges = static_cast<uint32_t>(ranges.size());
    m_ranges.insert(m_ranges.end(), ranges.begin(), ranges.end());
    m_steps.push_back(step);
    return *this;
}

void
CommunicationSchedule::Append(const CommunicationSchedule& schedule,
                              const std::vector<uint32_t>& ranks)
{
    for (auto step : schedule.m_steps)
    {
        step.peer = ranks[step.peer];
        Add(step, schedule.GetBlocks(step));
    }
}

void
CommunicationSchedule::Append(const CommunicationSchedule& schedule,
                              const std::vector<uint32_t>& ranks,
                              const std::vector<BlockRanges>& blocks)
{
    for (auto step : schedule.m_steps)
    {
        if (step.kind != ScheduleStep::COPY && step.kind != ScheduleStep::MERGE)
        {
            step.peer = ranks[step.peer];
        }
        BlockRanges here;
        for (const auto& range : schedule.GetBlocks(step))
        {
            for (auto block = range.first; block < range.first + range.count; ++block)
            {
                here.insert(here.end(), blocks[block].begin(), blocks[block].end());
            }
        }
        Add(step, here);
    }
}

BlockRanges
CommunicationSchedule::GetBlocks(const ScheduleStep& step) const
{
    const auto first = m_ranges.begin() + step.firstRange;
    return {first, first + step.nRanges};
}

} // namespace ns3
