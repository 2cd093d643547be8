// SPDX-License-Identifier: GPL-2.0-only

#include "group-messages.h"

#include "ns3/log.h"
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
        const Process process{&group.GetProcessor(rank),
                              &group.GetSoftware(rank),
                              group.GetTask(rank)};
        process.software->AddTask(process.task);
        m_processes.push_back(process);
    }
}

uint32_t
GroupMessages::SendParcel(Parcel parcel, Time end)
{
    const auto& software = GetSoftware(parcel.message.from);
    const auto bytes = parcel.message.bytes;
    const auto returns = GetReturn(parcel.message);
    const auto nReturns = returns == HostSoftware::SendReturn::COPIED     ? 0
                          : returns == HostSoftware::SendReturn::RECEIVED ? parcel.nReceivers
                                                                          : 1;
    parcel.message.isAwaited = returns == HostSoftware::SendReturn::RECEIVED;
    parcel.tellsLeft = returns == HostSoftware::SendReturn::LEFT;
    // The message leaves while its sender is still busy with it.
    if (!software.NeedsHandshake(m_transport, bytes))
    {
        Carry(parcel, end - software.GetTransferTime(m_transport, bytes));
        return nReturns;
    }
    const auto number = ++m_nRequests;
    NS_LOG_LOGIC("request " << number << " for " << parcel.message);
    m_pending[number] = {parcel, parcel.nReceivers};
    auto request = parcel;
    request.tellsLeft = false;
    request.message.isAwaited = false;
    request.message.phase = HostMessage::REQUEST;
    request.message.value = number;
    request.message.bytes = software.GetRendezvousBytes();
    Carry(request, end - software.GetTransferTime(m_transport, 0));
    return std::max<uint32_t>(nReturns, 1);
}

void
GroupMessages::PassInMemory(const HostMessage& message, Time arrival)
{
    const auto arrive = [self = Ptr<GroupMessages>(this), message] {
        if (self->m_group)
        {
            self->Arrive(self->m_group->GetHost(message.to), message);
        }
    };
    GetSoftware(message.from).GetActivities().Schedule(arrival - Simulator::Now(), arrive);
}

Time
GroupMessages::Answer(uint32_t rank, uint32_t to, uint64_t request, Time start)
{
    auto& software = GetSoftware(rank);
    const auto taken = software.ChargeReceive(GetTask(rank),
                                              start,
                                              software.DrawReceiveCosts(m_transport, false, 0));
    Parcel parcel;
    parcel.message.from = rank;
    parcel.message.to = to;
    parcel.message.value = request;
    parcel.message.phase = HostMessage::CLEAR;
    parcel.message.bytes = software.GetRendezvousBytes();
    parcel.route = m_ideal ? nullptr : FindRoute(rank, to);
    parcel.flight = m_group->GetDomain().GetLatency();
    return SendNow(parcel, taken, 0);
}

Time
GroupMessages::SendNow(const Parcel& parcel, Time start, uint64_t bytes)
{
    const auto rank = parcel.message.from;
    auto& software = GetSoftware(rank);
    const auto end = software.Occupy(GetTask(rank),
                                     start,
                                     software.DrawSendCosts(m_transport, bytes),
                                     HostSoftware::Activity::SEND);
    const ActivityRecorder::Scope scope(software.GetActivities(),
                                        software.GetLastActivity(GetTask(rank)));
    Carry(parcel, end - software.GetTransferTime(m_transport, bytes));
    return end;
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
    const auto end = SendNow(parcel, taken, parcel.message.bytes);
    if (GetReturn(parcel.message) == HostSoftware::SendReturn::COPIED)
    {
        const ActivityRecorder::Scope scope(software.GetActivities(),
                                            software.GetLastActivity(GetTask(rank)));
        EndSend(parcel.message, end);
    }
}

void
GroupMessages::Carry(const Parcel& parcel, Time leaves)
{
    const auto& message = parcel.message;
    auto& software = GetSoftware(message.from);
    auto& activities = software.GetActivities();
    m_group->GetDomain().NotifySent(m_group->GetGroup(), message, parcel.nReceivers, leaves);
    const auto latency = software.GetLatency(message.bytes);
    const auto start = TimeLimit::Add(leaves, latency);
    const ActivityRecorder::Scope scope(
        activities,
        latency.IsZero() ? activities.GetCurrent()
                         : activities.AddNext(LatencyCause::MESSAGE_LATENCY, leaves, latency));
    if (!m_ideal)
    {
        const auto interface = ChooseInterface(message);
        const bool isOne = message.to != HostMessage::ANYONE;
        HostSoftware::Outgoing outgoing{
            message,
            parcel.addressBytes,
            interface == 0 ? parcel.route : FindRoute(message.from, message.to, interface),
            interface,
            isOne ? m_group->GetHost(message.to) : HostMessage::ANYONE,
            {}};
        outgoing.message.group = m_group->GetGroup();
        outgoing.transmission = parcel.transmission;
        if (parcel.tellsLeft)
        {
            const auto cause = activities.GetCurrent();
            outgoing.left = [self = Ptr<GroupMessages>(this), message, start, cause] {
                self->NotifyLeft(message, start, cause);
            };
        }
        GetInterfaces(message.from).HandOverMessage(std::move(outgoing), start);
        return;
    }
    const Ptr<GroupMessages> self(this);
    const auto now = Simulator::Now();
    if (GetInterfaces(message.from).PassesAtOnce(Direction::SENT) && !parcel.tellsLeft)
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
        activities.Schedule(start - now,
                            &GroupMessages::Pass,
                            self,
                            message,
                            parcel.flight,
                            parcel.tellsLeft);
    }
}

void
GroupMessages::NotifyLeft(const HostMessage& message, Time start, ActivityRecorder::Id cause)
{
    if (m_group)
    {
        auto& activities = GetSoftware(message.from).GetActivities();
        const ActivityRecorder::Scope handedOver(activities, cause);
        const auto now = Simulator::Now();
        const ActivityRecorder::Scope scope(
            activities,
            activities.AddNext(LatencyCause::SEND_RETURN, start, now - start));
        EndSend(message, now);
    }
}

void
GroupMessages::Pass(HostMessage message, Time flight, bool tellsLeft)
{
    if (m_group)
    {
        auto& software = GetInterfaces(message.from);
        auto& activities = software.GetActivities();
        auto id = activities.GetCurrent();
        const auto wait = software.PassInterface(Direction::SENT, message, id);
        const ActivityRecorder::Scope scope(activities, id);
        if (tellsLeft)
        {
            activities.Schedule(wait,
                                &GroupMessages::ReturnSend,
                                Ptr<GroupMessages>(this),
                                message);
        }
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
    auto& software = GetInterfaces(message.to);
    auto id = software.GetActivities().GetCurrent();
    const auto wait = software.PassInterface(Direction::RECEIVED, message, id);
    software.GetActivities().InvokeAfter(id,
                                         wait,
                                         &GroupMessages::Deliver,
                                         Ptr<GroupMessages>(this),
                                         message);
}

void
GroupMessages::Receive(uint32_t host, const HostMessage& message)
{
    if (!m_group)
    {
        return;
    }
    m_group->GetDomain().NotifyReceived(m_group->GetGroup(), message, host);
    message.phase == HostMessage::CLEAR ? TakeAnswer(message.to, message.value)
                                        : Arrive(host, message);
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
