// SPDX-License-Identifier: GPL-2.0-only

#include "reduction-slots.h"

#include "ns3/log.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ReductionSlots");

NS_OBJECT_ENSURE_REGISTERED(SlotMessageHeader);

namespace
{

/// @return a route over one channel for each port that there is
std::vector<Ptr<const WormRoute>>
MakeRoutes(std::vector<uint16_t> ports)
{
    ports.erase(std::remove(ports.begin(), ports.end(), SlotPlan::NO_PORT), ports.end());
    return MadeOf(ports, [](auto port) {
        return Ptr<const WormRoute>(Create<WormRoute>(WormRoute::Path({port})));
    });
}

} // namespace

void
ReductionSlots::Take(Ptr<const SlotWorm> worm, uint16_t port)
{
    const auto& message = worm->GetSlotMessage();
    NS_LOG_FUNCTION(m_name << message << port);
    switch (message.kind)
    {
    case SlotMessage::ADMIT:
        Admit(*worm);
        break;
    case SlotMessage::FREE:
        Free(*worm);
        break;
    case SlotMessage::INWARD:
        if (message.bytes > 0 && (m_combineRate.GetBitRate() > 0 || !m_combineTime.IsZero()))
        {
            // The segment is in its slot at once, the combiner comes to it in its turn.
            auto& group = FindGroup(*worm);
            Hold(group, {0, message.segment}, worm->GetMessage().group);
            group.waiting[{message.segment, m_nCame++}] = {worm, port};
            if (!m_combining.worm)
            {
                CombineNext();
            }
            break;
        }
        Count(*worm, port);
        break;
    case SlotMessage::OUTWARD:
        Spread(*worm);
        break;
    case SlotMessage::THROUGH:
    case SlotMessage::CREDIT:
        Pass(*worm);
        break;
    default:
        throw WormholeError("an answer about slots ended in switch " + m_name);
    }
}

void
ReductionSlots::Resume()
{
    if (m_combining.worm && m_combinedAt <= Simulator::Now().GetTimeStep())
    {
        const ActivityRecorder::Scope scope(*m_activities, m_combiningActivity);
        const auto done = std::exchange(m_combining, {});
        if (HasGroup(done.worm->GetMessage().group))
        {
            Count(*done.worm, done.port);
        }
        CombineNext();
    }
}

void
ReductionSlots::CombineNext()
{
    Group* next = nullptr;
    for (auto& entry : m_groups)
    {
        auto& group = entry.second;
        const auto first = group.waiting.begin();
        if (first != group.waiting.end() && first->first.first == group.nCombined &&
            (!next || first->first.second < next->waiting.begin()->first.second))
        {
            next = &group;
        }
    }
    if (!next)
    {
        return;
    }
    m_combining = next->waiting.begin()->second;
    next->waiting.erase(next->waiting.begin());
    const auto bytes = next->plan->newsBytes + m_combining.worm->GetSlotMessage().bytes;
    const auto end = TimeLimit::Add(Simulator::Now() + m_combineTime,
                                    ExactTime::RoundTransmission(bytes, m_combineRate));
    m_combinedAt = end.GetTimeStep();
    m_combiningActivity = m_activities->AddNext(LatencyCause::COMBINE,
                                                Simulator::Now(),
                                                end - Simulator::Now(),
                                                m_name);
    m_resume(end);
}

std::vector<uint16_t>
ReductionSlots::GetAwaited(uint16_t group) const
{
    const auto found = m_groups.find(group);
    if (found == m_groups.end() || found->second.held.empty())
    {
        return {};
    }
    auto awaited = found->second.plan->expected;
    for (const auto port : found->second.held.begin()->second.arrived.GetPorts())
    {
        awaited.Remove(port);
    }
    return awaited.GetPorts();
}

ReductionSlots::Group&
ReductionSlots::FindGroup(const SlotWorm& worm)
{
    const auto found = m_groups.find(worm.GetMessage().group);
    if (found == m_groups.end())
    {
        throw WormholeError("a segment of group " + std::to_string(worm.GetMessage().group) +
                            " came to switch " + m_name + ", which has granted it no slots");
    }
    return found->second;
}

ReductionSlots::Slot&
ReductionSlots::Hold(Group& group, const SegmentKey& key, uint16_t id)
{
    const auto [found, isNew] = group.held.emplace(key, Slot());
    if (isNew && group.held.size() > group.granted)
    {
        throw WormholeError("group " + std::to_string(id) + " has more segments in switch " +
                            m_name + " than the " + std::to_string(group.granted) +
                            " slots that it was granted");
    }
    return found->second;
}

void
ReductionSlots::Admit(const SlotWorm& worm)
{
    const auto slots = worm.GetSlotMessage().slots;
    const bool grants = slots <= GetNFree();
    if (grants)
    {
        auto& group = m_groups[worm.GetMessage().group];
        group.granted = slots;
        group.plan = worm.plan;
        const auto& plan = *worm.plan;
        group.toParent = MakeRoutes({plan.parent});
        group.toOutward = MakeRoutes(plan.outward);
        group.toRoot = MakeRoutes({plan.root});
        group.toOthers =
            MakeRoutes(ThoseOf(plan.outward, [&](auto port) { return port != plan.root; }));
        m_nGranted += slots;
    }
    NS_LOG_INFO(m_name << (grants ? " grants " : " refuses ") << slots << " slots to group "
                       << worm.GetMessage().group << "; " << GetNFree() << " of " << m_nSlots
                       << " are free");
    Answer(worm, grants ? SlotMessage::GRANTED : SlotMessage::REFUSED);
}

void
ReductionSlots::Free(const SlotWorm& worm)
{
    const auto& group = FindGroup(worm);
    WormholeError::ThrowIf(!group.held.empty(),
                           "group " + std::to_string(worm.GetMessage().group) +
                               " gives its slots in switch " + m_name + " back, of which " +
                               std::to_string(group.held.size()) + " hold segments");
    m_nGranted -= group.granted;
    m_groups.erase(worm.GetMessage().group);
    Answer(worm, SlotMessage::FREED);
}

void
ReductionSlots::Answer(const SlotWorm& worm, SlotMessage::Kind kind)
{
    auto message = worm.GetSlotMessage();
    message.kind = kind;
    message.slots = GetNFree();
    m_send(Create<SlotWorm>(worm.GetMessage().group, message, worm.GetFlits(), worm.back));
}

void
ReductionSlots::Count(const SlotWorm& worm, uint16_t port)
{
    const auto id = worm.GetMessage().group;
    auto& group = FindGroup(worm);
    const SegmentKey key{0, worm.GetSlotMessage().segment};
    auto& slot = Hold(group, key, id);
    const auto& expected = group.plan->expected;
    if (!expected.Has(port) || slot.arrived.Has(port))
    {
        throw WormholeError("group " + std::to_string(id) + ": segment " +
                            std::to_string(key.second) + " came to switch " + m_name + " by port " +
                            std::to_string(port) +
                            ", where it has come already or is not expected");
    }
    slot.arrived.Add(port);
    if (worm.GetContents())
    {
        slot.contents[port] = worm.GetContents();
    }
    const bool isLast = slot.arrived == expected;
    const auto cause = m_activities->IsRecording()
                           ? m_activities->Arrive(this, key.second << 16 | id, m_name, port, isLast)
                           : ActivityRecorder::NONE;
    if (!isLast)
    {
        return;
    }
    const ActivityRecorder::Scope scope(*m_activities, cause);
    Complete(group, slot, worm);
    ++group.nCombined;
    if (group.plan->parent == SlotPlan::NO_PORT || group.plan->isSpread)
    {
        group.held.erase(key);
    }
}

SlotWorm::Contents
ReductionSlots::Combine(const Group& group, const Slot& slot)
{
    if (slot.contents.empty() || !group.plan->combine ||
        slot.contents.size() < group.plan->expected.GetPorts().size())
    {
        return nullptr; // a member was given no data
    }
    auto sum = std::make_shared<std::vector<uint8_t>>();
    for (const auto& [port, contents] : slot.contents)
    {
        if (sum->empty())
        {
            *sum = *contents;
        }
        else
        {
            group.plan->combine(sum->data(), contents->data(), sum->size());
        }
    }
    return sum;
}

void
ReductionSlots::Complete(Group& group, const Slot& slot, const SlotWorm& worm)
{
    const auto& plan = *group.plan;
    const auto flits = worm.GetFlits();
    const auto bytes = worm.GetSlotMessage().bytes;
    const auto result = Combine(group, slot);
    if (plan.parent != SlotPlan::NO_PORT)
    {
        Send(worm, SlotMessage::INWARD, group.toParent, flits, bytes, result);
    }
    else if (plan.root == SlotPlan::NO_PORT)
    {
        Send(worm, SlotMessage::OUTWARD, group.toOutward, flits, bytes, result);
    }
    else
    {
        // To the root the result; or, if segments come from there, the news that all have it.
        Send(worm, SlotMessage::OUTWARD, group.toRoot, flits, bytes, result);
        if (!plan.isSpread)
        {
            Send(worm, SlotMessage::OUTWARD, group.toOthers, plan.newsFlits, 0, nullptr);
        }
    }
}

void
ReductionSlots::Spread(const SlotWorm& worm)
{
    auto& group = FindGroup(worm);
    const auto& message = worm.GetSlotMessage();
    const SegmentKey key{0, message.segment};
    if (group.plan->isSpread)
    {
        Hold(group, key, worm.GetMessage().group);
    }
    const auto& routes = group.plan->parent == SlotPlan::NO_PORT ? group.toOthers : group.toOutward;
    Send(worm, SlotMessage::OUTWARD, routes, worm.GetFlits(), message.bytes, worm.GetContents());
    if (!group.plan->isSpread)
    {
        group.held.erase(key);
    }
}

void
ReductionSlots::Pass(const SlotWorm& worm)
{
    auto& group = FindGroup(worm);
    const auto& message = worm.GetSlotMessage();
    const SegmentKey key{message.from, message.segment};
    const bool isSegment = message.kind == SlotMessage::THROUGH;
    if (isSegment)
    {
        Hold(group, key, worm.GetMessage().group);
    }
    else
    {
        group.held.erase(key);
    }
    const auto port = group.plan->toMembers.at(isSegment ? message.to : message.from);
    Send(worm,
         message.kind,
         MakeRoutes({port}),
         worm.GetFlits(),
         message.bytes,
         worm.GetContents());
}

void
ReductionSlots::Send(const SlotWorm& worm,
                     SlotMessage::Kind kind,
                     const Routes& routes,
                     uint64_t flits,
                     uint32_t bytes,
                     const SlotWorm::Contents& contents)
{
    auto message = worm.GetSlotMessage();
    message.kind = kind;
    message.bytes = bytes;
    for (const auto& route : routes)
    {
        m_send(Create<SlotWorm>(worm.GetMessage().group, message, flits, route, contents));
    }
}

} // namespace ns3
