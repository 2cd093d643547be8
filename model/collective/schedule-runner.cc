/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-runner.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/time-limit.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ScheduleRunner");

ScheduleRunner::ScheduleRunner(Collective& group,
                               const std::vector<CommunicationSchedule>& schedules,
                               const Settings& settings)
    : m_group(&group),
      m_settings(settings),
      m_schedules(schedules),
      m_ideal(group.GetDomain().IsIdeal()),
      m_levels(m_ideal ? group.GetDomain().GetLevels() : nullptr),
      m_routes(m_schedules.GetFirst(m_schedules.GetNMembers()))
{
    const auto n = m_schedules.GetNMembers();
    m_members.reserve(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        Member member{};
        member.software = &group.GetSoftware(rank);
        member.task = group.GetTask(rank);
        member.software->AddTask(member.task);
        m_members.push_back(member);
    }
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (auto index = m_schedules.GetFirst(rank); index < m_schedules.GetFirst(rank + 1);
             ++index)
        {
            if (m_schedules.At(index).kind == ScheduleStep::MULTICAST)
            {
                CheckMulticast(rank, index);
            }
        }
    }
}

void
ScheduleRunner::CheckMulticast(uint32_t rank, uint32_t index) const
{
    if (m_ideal)
    {
        throw WormholeError("there are no tree worms on an ideal network; accepted is the fabric "
                            "(CollectiveDomain::Network)");
    }
    for (const auto receiver : m_schedules.GetReceivers(index))
    {
        if (m_members[receiver].task > 0 || AreNeighbours(rank, receiver))
        {
            throw WormholeError("host " +
                                m_group->GetDomain().GetHostName(m_group->GetHost(receiver)) +
                                " has several members; a tree worm is for one member of each host, "
                                "so use it within smp");
        }
    }
}

void
ScheduleRunner::Stop()
{
    m_group = nullptr;
    m_inner = nullptr;
}

void
ScheduleRunner::SetInner(Ptr<Collective> inner, const std::vector<uint32_t>& ranks)
{
    m_inner = inner;
    m_innerRanks.assign(m_members.size(), 0);
    for (uint32_t place = 0; place < ranks.size(); ++place)
    {
        m_innerRanks[ranks[place]] = place;
        inner->SetLeaveCallback(place,
                                MakeBoundCallback(&ScheduleRunner::LeaveInner, this, ranks[place]));
    }
}

void
ScheduleRunner::EnterInner(uint32_t rank)
{
    if (m_inner)
    {
        m_inner->Enter(m_innerRanks[rank], m_members[rank].value);
    }
}

void
ScheduleRunner::LeaveInner(ScheduleRunner* runner, uint32_t rank, uint64_t result)
{
    auto& member = runner->m_members[rank];
    member.value = result;
    member.time = Simulator::Now();
    ++member.next;
    runner->Run(rank);
}

void
ScheduleRunner::Enter(uint32_t rank, uint64_t value)
{
    auto& member = m_members[rank];
    ++member.round;
    member.value = value;
    member.next = m_schedules.GetFirst(rank);
    member.time = Simulator::Now();
    Run(rank);
}

void
ScheduleRunner::Run(uint32_t rank)
{
    auto& member = m_members[rank];
    const auto end = m_schedules.GetFirst(rank + 1);
    while (member.next < end)
    {
        const auto& step = m_schedules.At(member.next);
        if (step.kind == ScheduleStep::CALL)
        {
            Simulator::Schedule(member.time - Simulator::Now(),
                                &ScheduleRunner::EnterInner,
                                Ptr<ScheduleRunner>(this),
                                rank);
            return;
        }
        if (!step.IsReceive())
        {
            SendAll(rank);
            continue;
        }
        Post(rank);
        if (member.awaited > 0)
        {
            return;
        }
        member.next = member.groupEnd;
    }
    const auto result = m_group->GetsResult(rank) ? member.value : 0;
    const auto wait = member.time - Simulator::Now();
    if (!m_settings.done.IsNull())
    {
        Simulator::Schedule(wait, &ScheduleRunner::Finish, Ptr<ScheduleRunner>(this), rank, result);
    }
    else if (wait.IsStrictlyPositive())
    {
        Simulator::Schedule(wait, &Collective::Leave, Ptr<Collective>(m_group), rank, result);
    }
    else
    {
        m_group->Leave(rank, result);
    }
}

void
ScheduleRunner::Finish(uint32_t rank, uint64_t result)
{
    if (m_group)
    {
        m_settings.done(rank, result);
    }
}

void
ScheduleRunner::SendAll(uint32_t rank)
{
    auto& member = m_members[rank];
    auto& software = *member.software;
    const auto end = m_schedules.GetFirst(rank + 1);
    const auto start = software.Occupy(member.task, member.time, Time(0));
    m_ports.assign(software.GetPorts(), start);
    auto last = start;
    for (; member.next < end && m_schedules.At(member.next).IsSend(); ++member.next)
    {
        const auto& step = m_schedules.At(member.next);
        const bool isFlag = step.kind == ScheduleStep::SEND && UseFlags(rank, step.peer);
        auto port = std::min_element(m_ports.begin(), m_ports.end());
        const auto begin =
            std::max(*port, TimeLimit::Add(start, m_schedules.GetAfter(member.next)));
        const auto* cost = FindCost(rank, step.peer);
        *port = TimeLimit::Add(begin,
                               isFlag ? software.GetFlagTime()
                               : cost ? cost->Busy()
                                      : software.SendTime(m_settings.transport));
        last = std::max(last, *port);
        Launch(rank, member.next, *port);
    }
    member.time = software.Occupy(member.task, start, last - start);
}

void
ScheduleRunner::Launch(uint32_t rank, uint32_t index, Time end)
{
    auto& member = m_members[rank];
    const auto& step = m_schedules.At(index);
    const bool isInMemory = step.kind == ScheduleStep::SEND &&
                            m_settings.within != WithinHost::INTERFACE &&
                            AreNeighbours(rank, step.peer);
    const auto* cost = FindCost(rank, step.peer);
    // The message leaves while its sender is still busy with it.
    const bool isFlag = isInMemory && UseFlags(rank, step.peer);
    const auto start =
        isFlag ? end
               : end - (cost ? cost->c : member.software->GetTransferTime(m_settings.transport));
    if (isInMemory || m_ideal)
    {
        const Ptr<ScheduleRunner> self(this);
        const Arrival arrival{step.slot, member.round, member.value, Time(0)};
        const auto wait = start - Simulator::Now();
        if (isInMemory)
        {
            Simulator::Schedule(wait, &ScheduleRunner::ArriveNow, self, step.peer, arrival);
        }
        else if (member.software->GetInterfaceTime(Direction::SENT).IsZero())
        {
            const auto whole = TimeLimit::Add(start, GetFlight(rank, step.peer)) - Simulator::Now();
            Simulator::Schedule(whole, &ScheduleRunner::Reach, self, step.peer, arrival);
        }
        else
        {
            Simulator::Schedule(wait, &ScheduleRunner::Pass, self, rank, step.peer, arrival);
        }
        return;
    }
    HostMessage message;
    message.group = m_group->GetGroup();
    message.from = rank;
    message.to = step.kind == ScheduleStep::SEND ? step.peer : HostMessage::ANYONE;
    message.tag = step.slot;
    message.round = member.round;
    message.value = member.value;
    member.software->HandOver(
        Create<HostMessageWorm>(
            message,
            m_group->GetDomain().GetFabric()->GetFlits(m_settings.messageBytes + step.extraBytes),
            GetRoute(rank, index)),
        start);
}

void
ScheduleRunner::Pass(uint32_t from, uint32_t rank, Arrival arrival)
{
    if (m_group)
    {
        const auto wait = m_members[from].software->PassInterface(Direction::SENT);
        Simulator::Schedule(TimeLimit::Add(wait, GetFlight(from, rank)),
                            &ScheduleRunner::Reach,
                            Ptr<ScheduleRunner>(this),
                            rank,
                            arrival);
    }
}

void
ScheduleRunner::Reach(uint32_t rank, Arrival arrival)
{
    const auto wait =
        m_group ? m_members[rank].software->PassInterface(Direction::RECEIVED) : Time(0);
    if (wait.IsStrictlyPositive())
    {
        Simulator::Schedule(wait,
                            &ScheduleRunner::ArriveNow,
                            Ptr<ScheduleRunner>(this),
                            rank,
                            arrival);
        return;
    }
    ArriveNow(rank, arrival);
}

const Ptr<const WormRoute>&
ScheduleRunner::GetRoute(uint32_t rank, uint32_t index)
{
    auto& route = m_routes[index];
    if (!route)
    {
        auto router = m_group->GetDomain().GetFabric()->GetRouter();
        const auto& step = m_schedules.At(index);
        const auto from = m_group->GetHost(rank);
        if (step.kind == ScheduleStep::SEND && AreNeighbours(rank, step.peer))
        {
            // To the host's switch and back.
            const auto& graph = m_group->GetDomain().GetGraph();
            const auto end = graph.SwitchOf(graph.HostAt(from));
            route = Create<WormRoute>(WormRoute::Path({0, static_cast<uint16_t>(end.port)}));
        }
        else if (step.kind == ScheduleStep::SEND)
        {
            route = router->GetRoute(from, m_group->GetHost(step.peer));
        }
        else
        {
            std::vector<uint32_t> others;
            for (const auto receiver : m_schedules.GetReceivers(index))
            {
                others.push_back(m_group->GetHost(receiver));
            }
            route = router->GetTreeRoute(from, others);
        }
    }
    return route;
}

void
ScheduleRunner::Post(uint32_t rank)
{
    auto& member = m_members[rank];
    auto& software = *member.software;
    const auto end = m_schedules.GetFirst(rank + 1);
    uint32_t nPosted = 0;
    member.groupEnd = member.next;
    while (member.groupEnd < end && m_schedules.At(member.groupEnd).IsReceive())
    {
        nPosted += !UseFlags(rank, m_schedules.At(member.groupEnd).peer);
        ++member.groupEnd;
    }
    member.awaited = member.groupEnd - member.next;
    member.time = software.Occupy(
        member.task,
        member.time,
        TimeLimit::Multiply(software.GetReceivePostTime(m_settings.transport), nPosted));
    member.posted = member.time;

    // What has come is taken in the order in which it came; the rest stays.
    const auto first = m_schedules.GetFirst(rank);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < member.early.size(); ++i)
    {
        const auto& arrival = member.early[i];
        if (arrival.round == member.round && arrival.slot + first >= member.next &&
            arrival.slot + first < member.groupEnd)
        {
            Take(rank, arrival);
        }
        else
        {
            member.early[kept++] = arrival;
        }
    }
    member.early.resize(kept);
}

void
ScheduleRunner::Receive(uint32_t host, const HostMessage& message)
{
    if (!m_group)
    {
        return;
    }
    if (message.to != HostMessage::ANYONE)
    {
        Arrive(message.to, {message.tag, message.round, message.value, Simulator::Now()});
        return;
    }
    const auto rank = m_group->GetRank(host);
    Arrive(rank,
           {m_schedules.FindMulticastSlot(rank, message.from),
            message.round,
            message.value,
            Simulator::Now()});
}

void
ScheduleRunner::ArriveNow(uint32_t rank, Arrival arrival)
{
    if (m_group)
    {
        arrival.time = Simulator::Now();
        Arrive(rank, arrival);
    }
}

void
ScheduleRunner::Arrive(uint32_t rank, const Arrival& arrival)
{
    auto& member = m_members[rank];
    const auto index = m_schedules.GetFirst(rank) + arrival.slot;
    if (member.awaited == 0 || arrival.round != member.round || index < member.next ||
        index >= member.groupEnd)
    {
        member.early.push_back(arrival);
        return;
    }
    Take(rank, arrival);
    if (member.awaited == 0)
    {
        member.next = member.groupEnd;
        Run(rank);
    }
}

void
ScheduleRunner::Take(uint32_t rank, const Arrival& arrival)
{
    auto& member = m_members[rank];
    auto& software = *member.software;
    const auto& step = m_schedules.At(m_schedules.GetFirst(rank) + arrival.slot);
    auto start = std::max({arrival.time, member.posted, software.GetBusyUntil(member.task)});
    Time duration;
    if (UseFlags(rank, step.peer))
    {
        duration = software.GetFlagTime();
    }
    else if (const auto* cost = FindCost(step.peer, rank))
    {
        duration = TimeLimit::Add(cost->c, cost->r);
    }
    else
    {
        duration = software.ReceiveTime(m_settings.transport, arrival.time < member.posted);
        if (m_settings.transport == Transport::RDMA)
        {
            start = software.GetNextPoll(member.task, member.posted, start);
        }
    }
    member.time = software.Take(member.task, start, duration);
    if (step.kind == ScheduleStep::COMBINE)
    {
        member.value = m_group->CombineValues(member.value, arrival.value);
    }
    else if (step.kind == ScheduleStep::REPLACE)
    {
        member.value = arrival.value;
    }
    --member.awaited;
}

const MessageCost*
ScheduleRunner::FindCost(uint32_t a, uint32_t b) const
{
    return m_levels && !AreNeighbours(a, b)
               ? &m_levels->GetCost(m_group->GetHost(a), m_group->GetHost(b))
               : nullptr;
}

Time
ScheduleRunner::GetFlight(uint32_t a, uint32_t b) const
{
    return FindCost(a, b) ? Time(0) : m_group->GetDomain().GetLatency();
}

bool
ScheduleRunner::AreNeighbours(uint32_t a, uint32_t b) const
{
    return m_members[a].software == m_members[b].software;
}

bool
ScheduleRunner::UseFlags(uint32_t a, uint32_t b) const
{
    return m_settings.within == WithinHost::FLAGS && AreNeighbours(a, b);
}

} // namespace ns3
