// SPDX-License-Identifier: GPL-2.0-only

#include "schedule-runner.h"

#include "data-contents.h"

#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ScheduleRunner");

ScheduleRunner::ScheduleRunner(Collective& group,
                               LinkedSchedules schedules,
                               const Settings& settings)
    : GroupMessages(group, settings.transport),
      m_settings(settings),
      m_schedules(std::move(schedules)),
      m_levels(IsIdeal() ? group.GetDomain().GetLevels() : nullptr),
      m_members(m_schedules.GetNMembers()),
      m_routes(m_schedules.GetFirst(m_schedules.GetNMembers()))
{
    const auto n = m_schedules.GetNMembers();
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
    WormholeError::ThrowIf(IsIdeal(),
                           "there are no tree worms on an ideal network; expected the fabric "
                           "(CollectiveDomain::Network)");
    for (const auto receiver : m_schedules.GetReceivers(index))
    {
        if (GetTask(receiver) > 0 || AreNeighbours(rank, receiver))
        {
            throw WormholeError("host " +
                                GetGroup()->GetDomain().GetHostName(GetGroup()->GetHost(receiver)) +
                                " has several members; a tree worm is for one member of each host, "
                                "so use it within smp");
        }
    }
    const auto& step = m_schedules.At(index);
    // Refuses addresses that leave no room in buffers that must hold whole worms.
    GetGroup()->GetSoftware(rank).GetFlits(GetBytes(step), step.extraBytes);
}

std::vector<uint32_t>
ScheduleRunner::FindAwaited(uint32_t rank) const
{
    const auto& member = m_members[rank];
    std::set<uint32_t> hosts;
    for (auto index = member.next; member.awaited > 0 && index < member.groupEnd; ++index)
    {
        if (!IsIn(member.taken, index))
        {
            hosts.insert(GetGroup()->GetHost(m_schedules.At(index).peer));
        }
    }
    return {hosts.begin(), hosts.end()};
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
        const auto& member = m_members[rank];
        const auto& step = m_schedules.At(member.next);
        if (m_settings.contents && step.nRanges > 0)
        {
            m_settings.contents->GiveToInner(rank, step, *m_inner, m_innerRanks[rank]);
        }
        m_inner->Enter(m_innerRanks[rank], member.value);
    }
}

void
ScheduleRunner::LeaveInner(ScheduleRunner* runner, uint32_t rank, uint64_t result)
{
    auto& member = runner->m_members[rank];
    const auto& step = runner->m_schedules.At(member.next);
    if (runner->m_settings.contents && step.nRanges > 0)
    {
        runner->m_settings.contents->TakeFromInner(rank,
                                                   step,
                                                   *runner->m_inner,
                                                   runner->m_innerRanks[rank]);
    }
    member.value = result;
    ++member.next;
    runner->GoOn(rank);
}

void
ScheduleRunner::Enter(uint32_t rank, uint64_t value)
{
    NS_LOG_FUNCTION(this << rank << value);
    auto& member = m_members[rank];
    ++member.round;
    member.value = value;
    member.next = m_schedules.GetFirst(rank);
    member.ahead.clear();
    GoOn(rank);
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
            GetSoftware(rank).GetActivities().ScheduleAfter(member.cause,
                                                            member.time - Simulator::Now(),
                                                            &ScheduleRunner::EnterInner,
                                                            Ptr<ScheduleRunner>(this),
                                                            rank);
            return;
        }
        if (step.IsSend())
        {
            SendAll(rank);
            continue;
        }
        if (!step.IsReceive())
        {
            DoLocally(rank);
            continue;
        }
        Post(rank);
        if (member.awaited > 0)
        {
            return;
        }
        member.next = member.groupEnd;
    }
    member.isEnding = member.nPending > 0;
    if (member.isEnding)
    {
        return;
    }
    member.cause = member.sent > member.time ? member.sentCause : member.cause;
    member.time = std::max(member.time, member.sent);
    const auto result = GetGroup()->GetsResult(rank) ? member.value : 0;
    const auto wait = member.time - Simulator::Now();
    auto& activities = GetSoftware(rank).GetActivities();
    if (!m_settings.done.IsNull())
    {
        activities.ScheduleAfter(member.cause,
                                 wait,
                                 &ScheduleRunner::Finish,
                                 Ptr<ScheduleRunner>(this),
                                 rank,
                                 result);
        return;
    }
    const ActivityRecorder::Scope scope(activities, member.cause);
    activities.InvokeAfter(member.cause,
                           wait,
                           &Collective::EndRound,
                           Ptr<Collective>(GetGroup()),
                           rank,
                           GetGroup()->GetRound(rank),
                           result);
}

void
ScheduleRunner::SendAll(uint32_t rank)
{
    auto& member = m_members[rank];
    auto& software = GetSoftware(rank);
    const auto end = m_schedules.GetFirst(rank + 1);
    const ActivityRecorder::Scope scope(software.GetActivities(), member.cause);
    const auto start = software.Occupy(GetTask(rank), member.time, Time(0));
    const auto startCause = software.GetLastActivity(GetTask(rank));
    auto lastCause = startCause;
    m_ports.assign(software.GetMaxConcurrentSends(), start);
    m_portCauses.assign(m_ports.size(), startCause);
    auto last = start;
    for (; member.next < end && m_schedules.At(member.next).IsSend(); ++member.next)
    {
        auto costs = DrawStepCosts(rank, m_schedules.At(member.next));
        auto port = std::min_element(m_ports.begin(), m_ports.end());
        const auto begin =
            std::max(*port, TimeLimit::Add(start, m_schedules.GetAfter(member.next)));
        software.ShareMemory(begin, costs);
        auto& cause = m_portCauses[static_cast<std::size_t>(port - m_ports.begin())];
        cause = RecordSend(rank, cause, *port, begin, costs);
        *port = TimeLimit::Add(begin, costs.GetTotal());
        lastCause = *port > last ? cause : lastCause;
        last = std::max(last, *port);
        const ActivityRecorder::Scope sending(software.GetActivities(), cause);
        Launch(rank, member.next, *port);
    }
    member.time = software.Occupy(GetTask(rank), start, last - start, HostSoftware::Activity::SEND);
    software.SetLastActivity(GetTask(rank), lastCause);
    member.cause = lastCause;
}

LatencyCosts
ScheduleRunner::DrawStepCosts(uint32_t rank, const LinkedSchedules::Step& step) const
{
    auto& software = GetSoftware(rank);
    if (step.kind == ScheduleStep::SEND && UseFlags(rank, step.peer))
    {
        return GetFlagCosts(software, step);
    }
    if (step.kind == ScheduleStep::SEND && UseMemory(rank, step.peer))
    {
        return software.DrawSendCosts(m_settings.transport, GetBytes(step), Path::MEMORY);
    }
    const auto* cost = FindCost(rank, step.peer);
    return cost ? LatencyCosts(LatencyCause::SEND_OVERHEAD, cost->Busy())
                : DrawSendCosts(rank, GetBytes(step));
}

void
ScheduleRunner::Launch(uint32_t rank, uint32_t index, Time end)
{
    auto& member = m_members[rank];
    const auto& step = m_schedules.At(index);
    const bool isUnicast = step.kind == ScheduleStep::SEND;
    const auto nReceivers =
        isUnicast ? 1 : static_cast<uint32_t>(m_schedules.GetReceivers(index).size());
    const auto value = step.nRanges > 0 && m_settings.contents
                           ? m_settings.contents->PickUp(rank, step, nReceivers)
                           : member.value;
    Parcel parcel;
    parcel.message.from = rank;
    parcel.message.to = isUnicast ? step.peer : HostMessage::ANYONE;
    parcel.message.tag = step.slot;
    parcel.message.round = member.round;
    parcel.message.value = value;
    parcel.message.bytes = GetBytes(step);
    if (isUnicast && UseMemory(rank, step.peer))
    {
        // The message leaves while its sender is still busy with it.
        PassInMemory(parcel.message,
                     UseFlags(rank, step.peer)
                         ? end
                         : end - GetSoftware(rank).GetTransferTime(m_settings.transport,
                                                                   parcel.message.bytes));
        return;
    }
    if (!isUnicast)
    {
        parcel.addressBytes = step.extraBytes;
        parcel.nReceivers = nReceivers;
        if (GetSoftware(rank).Retransmits())
        {
            auto transmission = Create<Transmission>();
            for (const auto receiver : m_schedules.GetReceivers(index))
            {
                transmission->receivers.push_back({GetGroup()->GetHost(receiver), 0, 0});
            }
            parcel.transmission = transmission;
        }
    }
    if (const auto* cost = FindCost(rank, step.peer))
    {
        Carry(parcel, end - cost->c);
        return;
    }
    if (IsIdeal())
    {
        parcel.flight = GetGroup()->GetDomain().GetLatency();
    }
    else
    {
        parcel.route = GetRoute(rank, index);
    }
    member.nPending += SendParcel(std::move(parcel), end);
}

void
ScheduleRunner::EndSend(const HostMessage& message, Time end)
{
    const auto rank = message.from;
    auto& member = m_members[rank];
    if (end >= member.sent)
    {
        member.sentCause = GetSoftware(rank).GetActivities().GetCurrent();
    }
    member.sent = std::max(member.sent, end);
    --member.nPending;
    if (member.isEnding)
    {
        Run(rank);
    }
}

const Ptr<const WormRoute>&
ScheduleRunner::GetRoute(uint32_t rank, uint32_t index)
{
    const auto& step = m_schedules.At(index);
    const bool isUnicast = step.kind == ScheduleStep::SEND;
    // Messages of blocks may be many between the same two.
    auto& route = isUnicast && step.nRanges > 0 ? m_pairRoutes[uint64_t{rank} << 32 | step.peer]
                                                : m_routes[index];
    if (!route && isUnicast)
    {
        route = FindRoute(rank, step.peer);
    }
    else if (!route)
    {
        const auto others = MadeOf(m_schedules.GetReceivers(index),
                                   [this](auto receiver) { return GetGroup()->GetHost(receiver); });
        route = GetGroup()->GetDomain().GetFabric()->GetRouter()->GetTreeRoute(
            GetGroup()->GetHost(rank),
            others);
    }
    return route;
}

void
ScheduleRunner::Post(uint32_t rank)
{
    auto& member = m_members[rank];
    auto& software = GetSoftware(rank);
    const auto end = m_schedules.GetFirst(rank + 1);
    uint32_t nPosted = 0;
    member.groupEnd = member.next;
    while (member.groupEnd < end && m_schedules.At(member.groupEnd).IsReceive())
    {
        nPosted += !FindAhead(member, member.groupEnd) &&
                   !UseFlags(rank, m_schedules.At(member.groupEnd).peer);
        ++member.groupEnd;
    }
    member.awaited = member.groupEnd - member.next;
    member.taken.clear();
    nPosted += PostAhead(rank);
    const auto duration = TimeLimit::Add(
        TimeLimit::Multiply(software.GetReceivePostTime(m_settings.transport), nPosted),
        software.GetStepTime());
    {
        const ActivityRecorder::Scope scope(GetSoftware(rank).GetActivities(), member.cause);
        member.time = software.Occupy(GetTask(rank),
                                      member.time,
                                      {LatencyCause::RECEIVE_POST, duration},
                                      HostSoftware::Activity::POST);
    }
    NoteCause(rank);
    member.posted = member.time;
    for (auto posted = member.ahead.rbegin();
         posted != member.ahead.rend() && posted->time == Time::Max();
         ++posted)
    {
        posted->time = member.posted;
    }

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
        else if (!AnswerAhead(rank, arrival))
        {
            member.early[kept++] = arrival;
        }
    }
    member.early.resize(kept);
}

uint32_t
ScheduleRunner::PostAhead(uint32_t rank)
{
    auto& member = m_members[rank];
    if (m_settings.ahead == 0)
    {
        return 0;
    }
    const auto end = m_schedules.GetFirst(rank + 1);
    const auto isOver = [&](const PostedAhead& posted) { return posted.index < member.next; };
    member.ahead.erase(std::remove_if(member.ahead.begin(), member.ahead.end(), isOver),
                       member.ahead.end());
    uint32_t nPosted = 0;
    uint32_t nAhead = 0;
    for (auto index = member.groupEnd; index < end && nAhead < m_settings.ahead; ++index)
    {
        if (!m_schedules.At(index).IsReceive())
        {
            continue;
        }
        ++nAhead;
        if (member.ahead.empty() || member.ahead.back().index < index)
        {
            member.ahead.push_back({index, Time::Max()}); // the time is set by Post
            nPosted += !UseFlags(rank, m_schedules.At(index).peer);
        }
    }
    return nPosted;
}

bool
ScheduleRunner::AnswerAhead(uint32_t rank, const Arrival& arrival)
{
    auto& member = m_members[rank];
    const auto index = m_schedules.GetFirst(rank) + arrival.slot;
    if (!arrival.isRequest || arrival.round != member.round || index < member.next)
    {
        return false;
    }
    if (const auto* posted = FindAhead(member, index))
    {
        const auto start =
            std::max({arrival.time, posted->time, GetSoftware(rank).GetBusyUntil(GetTask(rank))});
        Answer(rank, m_schedules.At(index).peer, arrival.value, start);
        return true;
    }
    return false;
}

void
ScheduleRunner::DoLocally(uint32_t rank)
{
    auto& member = m_members[rank];
    const auto& step = m_schedules.At(member.next);
    auto& software = GetSoftware(rank);
    const auto costs = step.kind == ScheduleStep::COPY ? software.GetCopyCosts(step.bytes)
                                                       : software.GetCombineCosts(step.bytes);
    const ActivityRecorder::Scope scope(software.GetActivities(), member.cause);
    member.time = software.Occupy(GetTask(rank), member.time, costs, HostSoftware::Activity::COPY);
    NoteCause(rank);
    if (m_settings.contents)
    {
        m_settings.contents->DoLocally(rank, step);
    }
    ++member.next;
}

void
ScheduleRunner::Arrive(uint32_t host, const HostMessage& message)
{
    const bool isUnicast = message.to != HostMessage::ANYONE;
    const auto rank = isUnicast ? message.to : GetGroup()->GetRank(host);
    const Arrival arrival{isUnicast ? message.tag
                                    : m_schedules.FindMulticastSlot(rank, message.from),
                          message.round,
                          message.value,
                          Simulator::Now(),
                          message.phase == HostMessage::REQUEST,
                          message.isAwaited};
    auto& member = m_members[rank];
    const auto index = m_schedules.GetFirst(rank) + arrival.slot;
    if (member.awaited == 0 || arrival.round != member.round || index < member.next ||
        index >= member.groupEnd)
    {
        if (!AnswerAhead(rank, arrival))
        {
            member.early.push_back(arrival);
        }
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
    auto& software = GetSoftware(rank);
    const auto index = m_schedules.GetFirst(rank) + arrival.slot;
    const auto& step = m_schedules.At(index);
    const auto start =
        std::max({arrival.time, member.posted, software.GetBusyUntil(GetTask(rank))});
    if (arrival.isRequest)
    {
        member.time = Answer(rank, step.peer, arrival.value, start);
        NoteCause(rank);
        return;
    }
    LatencyCosts costs;
    Time poll;
    if (UseFlags(rank, step.peer))
    {
        costs = GetFlagCosts(software, step);
    }
    else if (const auto* cost = FindCost(step.peer, rank))
    {
        costs = {LatencyCause::RECEIVE_OVERHEAD, TimeLimit::Add(cost->c, cost->r)};
    }
    else
    {
        const auto* ahead = FindAhead(member, index);
        costs =
            software.DrawReceiveCosts(m_settings.transport,
                                      arrival.time < (ahead ? ahead->time : member.posted),
                                      GetBytes(step),
                                      UseMemory(rank, step.peer) ? Path::MEMORY : Path::NETWORK);
        if (m_settings.transport == Transport::RDMA)
        {
            poll = software.GetNextPoll(GetTask(rank), member.posted, start);
        }
    }
    if (step.kind == ScheduleStep::COMBINE && step.nRanges > 0)
    {
        costs.Add(software.GetCombineCosts(GetBytes(step)));
    }
    software.WaitForPoll(GetTask(rank), start, poll);
    member.time = software.ChargeReceive(GetTask(rank), std::max(start, poll), costs);
    NoteCause(rank);
    if (arrival.isAwaited)
    {
        HostMessage message;
        message.from = step.peer;
        NotifyTaken(message, rank, member.time);
    }
    if (step.nRanges > 0)
    {
        if (m_settings.contents)
        {
            m_settings.contents->PutDown(rank, step, arrival.value);
        }
    }
    else if (step.kind == ScheduleStep::COMBINE)
    {
        member.value = GetGroup()->CombineValues(member.value, arrival.value);
    }
    else if (step.kind == ScheduleStep::REPLACE)
    {
        member.value = arrival.value;
    }
    --member.awaited;
    if (GetGroup()->GetTimeout().IsStrictlyPositive())
    {
        member.taken.push_back(index);
    }
}

ActivityRecorder::Id
ScheduleRunner::RecordSend(uint32_t rank,
                           ActivityRecorder::Id before,
                           Time idle,
                           Time begin,
                           const LatencyCosts& costs) const
{
    auto& software = GetSoftware(rank);
    auto& recorder = software.GetActivities();
    if (!recorder.IsRecording())
    {
        return ActivityRecorder::NONE;
    }
    return recorder.AddCosts(LatencyCosts(LatencyCause::PAUSE, begin - idle).Add(costs),
                             idle.GetTimeStep(),
                             before,
                             software.GetProcessName(GetTask(rank)));
}

uint64_t
ScheduleRunner::GetBytes(const LinkedSchedules::Step& step) const
{
    if (step.nRanges > 0)
    {
        return step.bytes;
    }
    // The addresses of a tree worm are for the fabric alone.
    return uint64_t{m_settings.messageBytes} +
           (step.kind == ScheduleStep::MULTICAST ? 0 : step.extraBytes);
}

} // namespace ns3
