/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "segment-exchange.h"

#include "slot-tree.h"

#include "ns3/simulator.h"
#include "ns3/time-limit.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace ns3
{

SegmentExchange::SegmentExchange(Collective& group, const Setting& setting, LeaveCallback leave)
    : m_group(&group),
      m_setting(setting),
      m_leave(leave),
      m_members(group.GetNMembers()),
      m_toSwitch(Create<WormRoute>(WormRoute::Path({0})))
{
}

void
SegmentExchange::Stop()
{
    m_group = nullptr;
    m_leave.Nullify();
}

const std::vector<uint8_t>&
SegmentExchange::GetOutput(uint32_t rank) const
{
    return m_members[rank].output;
}

void
SegmentExchange::Enter(uint32_t rank, SlotWorm::Contents input, std::vector<uint8_t> own)
{
    auto& member = m_members[rank];
    member.isInside = true;
    member.input = std::move(input);
    if (!own.empty())
    {
        auto& output = member.coming[member.rounds];
        output.resize(std::max(output.size(), own.size()));
        // What others have sent before is in the output already; the rest of the own is 0.
        std::transform(own.begin(), own.end(), output.begin(), output.begin(), std::bit_or<>());
    }
    ++member.rounds;
    if (m_setting.plan.GetNReceived(rank) == 0)
    {
        member.completed = member.rounds;
    }
    if (m_setting.plan.GetNSent(rank) == 0)
    {
        TryLeave(rank);
        return;
    }
    member.hasStarted = false;
    auto& software = m_group->GetSoftware(rank);
    const auto wait = software.OccupySend();
    if (wait.IsZero())
    {
        Start(rank);
        return;
    }
    ActivityRecorder::ScheduleAfter(software.GetLastActivity(),
                                    wait,
                                    &SegmentExchange::Start,
                                    Ptr<SegmentExchange>(this),
                                    rank);
}

void
SegmentExchange::Start(uint32_t rank)
{
    if (m_group)
    {
        m_members[rank].hasStarted = true;
        SendMore(rank);
        TryLeave(rank);
    }
}

void
SegmentExchange::SendMore(uint32_t rank)
{
    auto& member = m_members[rank];
    const auto last = member.rounds * m_setting.plan.GetNSent(rank);
    while (member.hasStarted && member.sent < last && member.sent < member.done + m_setting.window)
    {
        SendSegment(rank, member.sent++);
        ++m_nUnderWay;
    }
}

void
SegmentExchange::SendSegment(uint32_t rank, uint64_t number)
{
    const auto segment = m_setting.plan.GetSegment(rank, number % m_setting.plan.GetNSent(rank));
    SlotMessage message;
    message.kind = SlotTree::GoesThrough(m_setting.kind)   ? SlotMessage::THROUGH
                   : m_setting.kind == DataKind::BROADCAST ? SlotMessage::OUTWARD
                                                           : SlotMessage::INWARD;
    message.segment = number;
    message.bytes = segment.bytes;
    message.from = static_cast<uint16_t>(rank);
    message.to = static_cast<uint16_t>(segment.to);
    SlotWorm::Contents contents;
    if (const auto& input = m_members[rank].input)
    {
        const auto begin = input->begin() + static_cast<std::ptrdiff_t>(segment.inputOffset);
        contents = std::make_shared<const std::vector<uint8_t>>(begin, begin + segment.bytes);
    }
    Send(rank, message, std::move(contents));
}

void
SegmentExchange::Send(uint32_t rank, const SlotMessage& message, SlotWorm::Contents contents)
{
    const auto flits =
        m_group->GetDomain().GetFabric()->GetFlits(m_setting.headerBytes + message.bytes);
    m_group->GetSoftware(rank).HandOver(
        Create<SlotWorm>(m_group->GetGroup(), message, flits, m_toSwitch, std::move(contents)),
        Simulator::Now());
}

void
SegmentExchange::Receive(uint32_t rank, const SlotWorm& worm)
{
    if (!m_group)
    {
        return;
    }
    const auto& message = worm.GetSlotMessage();
    const bool hasSegment = message.bytes > 0;
    if (message.kind == SlotMessage::THROUGH)
    {
        AnswerSegment(rank, SlotMessage::CREDIT, message);
        TakeSegment(rank, worm);
        return;
    }
    if (m_setting.kind == DataKind::BROADCAST && hasSegment)
    {
        AnswerSegment(rank, SlotMessage::INWARD, message);
        TakeSegment(rank, worm);
        return;
    }
    ++m_members[rank].done;
    --m_nUnderWay;
    SendMore(rank);
    if (hasSegment)
    {
        TakeSegment(rank, worm);
    }
    TryLeave(rank);
    if (m_group && IsQuiet())
    {
        m_leave(NOBODY);
    }
}

void
SegmentExchange::AnswerSegment(uint32_t rank, SlotMessage::Kind kind, const SlotMessage& segment)
{
    auto message = segment;
    message.kind = kind;
    message.bytes = 0;
    Send(rank, message, nullptr);
}

void
SegmentExchange::TakeSegment(uint32_t rank, const SlotWorm& worm)
{
    auto& member = m_members[rank];
    const auto& message = worm.GetSlotMessage();
    // The number tells the place: that of the sender, or any member's where all are combined.
    const auto& plan = m_setting.plan;
    const bool isThrough = message.kind == SlotMessage::THROUGH;
    const auto from = isThrough                               ? uint32_t{message.from}
                      : m_setting.kind == DataKind::BROADCAST ? m_setting.root
                                                              : rank;
    const auto nSent = plan.GetNSent(from);
    const auto round = message.segment / nSent;
    if (worm.GetContents())
    {
        auto& output = member.coming[round];
        output.resize(plan.GetOutputBytes(rank));
        const auto offset = plan.GetSegment(from, message.segment % nSent).outputOffset;
        std::copy(worm.GetContents()->begin(),
                  worm.GetContents()->end(),
                  output.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    // A sender may be in its next round while another's segment of this one is on its way.
    auto& received = member.received[round];
    if (++received < plan.GetNReceived(rank))
    {
        return;
    }
    member.received.erase(round);
    auto& software = m_group->GetSoftware(rank);
    const auto wait = software.OccupyReceive();
    if (wait.IsZero())
    {
        Complete(rank);
        return;
    }
    ActivityRecorder::ScheduleAfter(software.GetLastActivity(),
                                    wait,
                                    &SegmentExchange::Complete,
                                    Ptr<SegmentExchange>(this),
                                    rank);
}

void
SegmentExchange::Complete(uint32_t rank)
{
    if (m_group)
    {
        ++m_members[rank].completed;
        TryLeave(rank);
    }
}

void
SegmentExchange::TryLeave(uint32_t rank)
{
    auto& member = m_members[rank];
    if (!member.isInside || member.completed < member.rounds ||
        member.sent < member.rounds * m_setting.plan.GetNSent(rank))
    {
        return;
    }
    member.isInside = false;
    const auto coming = member.coming.find(member.rounds - 1);
    member.output.clear();
    if (coming != member.coming.end())
    {
        member.output = std::move(coming->second);
        member.coming.erase(coming);
    }
    m_leave(rank);
}

} // namespace ns3
