/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "group-messages.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("GroupMessages");

GroupMessages::GroupMessages(Collective& group, Transport transport)
    : m_group(&group),
      m_transport(transport),
      m_ideal(group.GetDomain().IsIdeal())
{
    m_processes.reserve(group.GetNMembers());
    for (uint32_t rank = 0; rank < group.GetNMembers(); ++rank)
    {
        const Process process{&group.GetSoftware(rank), group.GetTask(rank)};
        process.software->AddTask(process.task);
        m_processes.push_back(process);
    }
}

void
GroupMessages::Stop()
{
    m_group = nullptr;
}

bool
GroupMessages::SendParcel(const Parcel& parcel, Time end)
{
    const auto& software = GetSoftware(parcel.message.from);
    // The message leaves while its sender is still busy with it.
    const auto start = end - software.GetTransferTime(m_transport);
    if (!software.NeedsHandshake(m_transport, parcel.bytes))
    {
        Carry(parcel, start);
        return false;
    }
    const auto number = ++m_nRequests;
    NS_LOG_LOGIC("request " << number << " for " << parcel.message);
    m_pending[number] = {parcel, parcel.nReceivers};
    auto request = parcel;
    request.message.phase = HostMessage::REQUEST;
    request.message.value = number;
    request.bytes = software.GetRendezvousBytes();
    Carry(request, start);
    return true;
}

Time
GroupMessages::Answer(uint32_t rank, uint32_t to, uint64_t request, Time start)
{
    auto& software = GetSoftware(rank);
    const auto taken = software.ChargeReceive(GetTask(rank),
                                              start,
                                              software.DrawReceiveCosts(m_transport, false, 0));
    const auto end = software.Occupy(GetTask(rank),
                                     taken,
                                     software.DrawSendCosts(m_transport, 0),
                                     HostSoftware::Activity::SEND);
    Parcel parcel;
    parcel.message.from = rank;
    parcel.message.to = to;
    parcel.message.value = request;
    parcel.message.phase = HostMessage::CLEAR;
    parcel.bytes = software.GetRendezvousBytes();
    parcel.route = m_ideal ? nullptr : FindRoute(rank, to);
    parcel.flight = m_group->GetDomain().GetLatency();
    const ActivityRecorder::Scope scope(software.GetActivities(),
                                        software.GetLastActivity(GetTask(rank)));
    Carry(parcel, end - software.GetTransferTime(m_transport));
    return end;
}

uint64_t
GroupMessages::GetPendingValue(uint64_t request) const
{
    return m_pending.at(request).parcel.message.value;
}

void
GroupMessages::TakeAnswer(uint32_t rank, uint64_t request)
{
    auto& software = GetSoftware(rank);
    const auto taken = software.ChargeReceive(GetTask(rank),
                                              Simulator::Now(),
                                              software.DrawReceiveCosts(m_transport, false, 0));
    const auto found = m_pending.find(request);
    if (--found->second.nMissing > 0)
    {
        return;
    }
    const auto parcel = std::move(found->second.parcel);
    m_pending.erase(found);
    const auto end = software.Occupy(GetTask(rank),
                                     taken,
                                     software.DrawSendCosts(m_transport, parcel.bytes),
                                     HostSoftware::Activity::SEND);
    const ActivityRecorder::Scope scope(software.GetActivities(),
                                        software.GetLastActivity(GetTask(rank)));
    Carry(parcel, end - software.GetTransferTime(m_transport));
    EndSend(parcel.message, end);
}

void
GroupMessages::Carry(const Parcel& parcel, Time start)
{
    const auto& message = parcel.message;
    auto& software = GetSoftware(message.from);
    m_group->GetDomain().NotifySent(m_group->GetGroup(), message, parcel.nReceivers, start);
    if (!m_ideal)
    {
        auto onWire = message;
        onWire.group = m_group->GetGroup();
        const auto interface = ChooseInterface(message);
        software.HandOverMessage(onWire,
                                 parcel.bytes,
                                 parcel.addressBytes,
                                 interface == 0 ? parcel.route
                                                : FindRoute(message.from, message.to, interface),
                                 start,
                                 interface);
        return;
    }
    const Ptr<GroupMessages> self(this);
    const auto now = Simulator::Now();
    auto& activities = software.GetActivities();
    if (software.PassesAtOnce(Direction::SENT))
    {
        const auto whole = TimeLimit::Add(start, parcel.flight) - now;
        activities.ScheduleAfter(
            activities.AddNext(LatencyCause::IDEAL_NETWORK, start, parcel.flight),
            whole,
            &GroupMessages::Reach,
            self,
            message);
    }
    else
    {
        activities.Schedule(start - now, &GroupMessages::Pass, self, message, parcel.flight);
    }
}

uint32_t
GroupMessages::ChooseInterface(const HostMessage& message) const
{
    auto& software = GetSoftware(message.from);
    const bool takesFirst = software.GetNInterfaces() == 1 || message.to == HostMessage::ANYONE ||
                            AreNeighbours(message.from, message.to);
    return takesFirst ? 0 : software.ChooseInterface(m_group->GetHost(message.to));
}

void
GroupMessages::Pass(HostMessage message, Time flight)
{
    if (m_group)
    {
        auto& software = GetSoftware(message.from);
        auto& activities = software.GetActivities();
        auto id = activities.GetCurrent();
        const auto wait = software.PassInterface(Direction::SENT, message, id);
        const ActivityRecorder::Scope scope(activities, id);
        activities.ScheduleAfter(
            activities.AddNext(LatencyCause::IDEAL_NETWORK, Simulator::Now() + wait, flight),
            TimeLimit::Add(wait, flight),
            &GroupMessages::Reach,
            Ptr<GroupMessages>(this),
            message);
    }
}

void
GroupMessages::Reach(HostMessage message)
{
    if (!m_group)
    {
        return;
    }
    auto& software = GetSoftware(message.to);
    auto id = software.GetActivities().GetCurrent();
    const auto wait = software.PassInterface(Direction::RECEIVED, message, id);
    software.GetActivities().InvokeAfter(id,
                                         wait,
                                         &GroupMessages::Deliver,
                                         Ptr<GroupMessages>(this),
                                         message);
}

void
GroupMessages::Deliver(HostMessage message)
{
    if (m_group)
    {
        Receive(m_group->GetHost(message.to), message);
    }
}

void
GroupMessages::Receive(uint32_t host, const HostMessage& message)
{
    if (!m_group)
    {
        return;
    }
    m_group->GetDomain().NotifyReceived(m_group->GetGroup(), message, host);
    if (message.phase == HostMessage::CLEAR)
    {
        TakeAnswer(message.to, message.value);
    }
    else
    {
        Arrive(host, message);
    }
}

LatencyCosts
GroupMessages::DrawSendCosts(uint32_t rank, uint64_t bytes) const
{
    auto& software = GetSoftware(rank);
    const auto now = software.NeedsHandshake(m_transport, bytes) ? 0 : bytes;
    return software.DrawSendCosts(m_transport, now);
}

Ptr<const WormRoute>
GroupMessages::FindRoute(uint32_t from, uint32_t to, uint32_t interface) const
{
    const auto& domain = m_group->GetDomain();
    const auto host = m_group->GetHost(from);
    if (AreNeighbours(from, to))
    {
        // To the host's switch and back.
        const auto& graph = domain.GetGraph();
        const auto end = graph.SwitchOf(graph.HostAt(host));
        return Create<WormRoute>(WormRoute::Path({0, static_cast<uint16_t>(end.port)}));
    }
    return domain.GetFabric()->GetRouter()->GetRoute(
        domain.GetInterfaceHost(host, interface),
        domain.GetInterfaceHost(m_group->GetHost(to), interface));
}

} // namespace ns3
