/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-run.h"

#include "ns3/simulator.h"
#include "ns3/time-limit.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

GoalRun::GoalRun(Collective& group,
                 const GoalSchedule& schedule,
                 HostSoftware::Transport transport,
                 WithinHost within)
    : GroupMessages(group, transport),
      m_schedule(schedule),
      m_transport(transport),
      m_within(within),
      m_ranks(schedule.GetNRanks())
{
    std::map<uint32_t, uint32_t> nTasks; // by host, of further processors too
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        auto& count = nTasks[group.GetHost(rank)];
        count = std::max(count, group.GetTask(rank) + 1);
    }
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        auto& state = m_ranks[rank];
        state.onEnd = std::make_unique<GoalSchedule::Successors>(schedule.At(rank), false);
        state.onStart = std::make_unique<GoalSchedule::Successors>(schedule.At(rank), true);
        state.tasks.push_back(GetTask(rank));
        for (const auto& operation : schedule.At(rank).operations)
        {
            while (state.tasks.size() <= operation.cpu)
            {
                state.tasks.push_back(nTasks[group.GetHost(rank)]++);
                GetSoftware(rank).AddTask(state.tasks.back());
            }
        }
    }
}

const GoalSchedule::Operation&
GoalRun::Get(uint32_t rank, uint32_t index) const
{
    return m_schedule.At(rank).operations[index];
}

uint64_t
GoalRun::Key(uint32_t from, uint32_t operation)
{
    return uint64_t{from} << 32 | operation;
}

uint64_t
GoalRun::GetNDone() const
{
    uint64_t count = 0;
    for (const auto& state : m_ranks)
    {
        count += state.nDone;
    }
    return count;
}

std::string
GoalRun::ExplainWait() const
{
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        const auto& state = m_ranks[rank];
        if (const auto receive = state.receives.GetFirst())
        {
            return m_schedule.PrintRank(rank) + ": '" +
                   GoalSchedule::Print(Get(rank, receive->operation)) + "' waits for ever";
        }
        if (const auto message = state.messages.GetFirst())
        {
            return m_schedule.PrintRank(message->peer) + ": '" +
                   GoalSchedule::Print(Get(message->peer, message->operation)) +
                   "' is never received";
        }
    }
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        if (m_ranks[rank].isInside)
        {
            return m_schedule.PrintRank(rank) + " is not through";
        }
    }
    return "";
}

void
GoalRun::Enter(uint32_t rank)
{
    auto& state = m_ranks[rank];
    const auto& operations = m_schedule.At(rank).operations;
    const auto& dependencies = m_schedule.At(rank).dependencies;
    ++state.round;
    state.isInside = true;
    state.nDone = 0;
    state.missing.assign(operations.size(), 0);
    for (const auto& dependency : dependencies)
    {
        ++state.missing[dependency.after];
    }
    // What is possible at once is done in this order; what that lets go on comes behind it.
    std::vector<uint32_t> able;
    for (uint32_t i = 0; i < operations.size(); ++i)
    {
        if (state.missing[i] == 0)
        {
            able.push_back(i);
        }
    }
    for (const auto index : able)
    {
        Do(rank, index);
    }
    if (operations.empty())
    {
        state.isInside = false;
        GetGroup()->Leave(rank, 0);
    }
}

void
GoalRun::At(Time time, void (GoalRun::*what)(uint32_t, uint32_t), uint32_t rank, uint32_t index)
{
    ActivityRecorder::Schedule(time - Simulator::Now(),
                               &GoalRun::Happen,
                               Ptr<GoalRun>(this),
                               what,
                               rank,
                               index);
}

void
GoalRun::Happen(void (GoalRun::*what)(uint32_t, uint32_t), uint32_t rank, uint32_t index)
{
    if (GetGroup())
    {
        (this->*what)(rank, index);
    }
}

ActivityRecorder::Id
GoalRun::GetLastActivity(uint32_t rank, uint32_t index) const
{
    return GetSoftware(rank).GetLastActivity(m_ranks[rank].tasks[Get(rank, index).cpu]);
}

void
GoalRun::Do(uint32_t rank, uint32_t index)
{
    const auto& operation = Get(rank, index);
    auto& software = GetSoftware(rank);
    const auto task = m_ranks[rank].tasks[operation.cpu];
    const auto now = Simulator::Now();
    if (operation.kind == GoalSchedule::RECEIVE)
    {
        const LatencyCosts costs(LatencyCause::RECEIVE_POST,
                                 software.GetReceivePostTime(m_transport));
        const auto end = software.Occupy(task, now, costs, HostSoftware::Activity::POST);
        const ActivityRecorder::Scope scope(GetLastActivity(rank, index));
        if (end > now)
        {
            At(end, &GoalRun::Post, rank, index);
            return;
        }
        Post(rank, index);
        return;
    }
    auto before = ActivityRecorder::NONE;
    if (ActivityRecorder::Get())
    {
        software.Occupy(task, now, Time(0)); // what leads to the start
        before = GetLastActivity(rank, index);
    }
    const auto costs = DrawCosts(rank, operation);
    const auto end =
        software.Occupy(task,
                        now,
                        costs,
                        operation.kind == GoalSchedule::CALC ? HostSoftware::Activity::COMPUTE
                                                             : HostSoftware::Activity::SEND);
    const auto& onStart = *m_ranks[rank].onStart;
    if (onStart.first[index] < onStart.first[index + 1])
    {
        const ActivityRecorder::Scope scope(before);
        At(end - costs.GetTotal(), &GoalRun::Start, rank, index);
    }
    const ActivityRecorder::Scope scope(GetLastActivity(rank, index));
    if (operation.kind == GoalSchedule::CALC)
    {
        At(end, &GoalRun::End, rank, index);
        return;
    }
    Send(rank, index, end);
}

LatencyCosts
GoalRun::DrawCosts(uint32_t rank, const GoalSchedule::Operation& operation) const
{
    if (operation.kind == GoalSchedule::CALC)
    {
        return {LatencyCause::COMPUTE, TimeLimit::Multiply(NanoSeconds(1), operation.size)};
    }
    return m_within == WithinHost::FLAGS && AreNeighbours(rank, operation.peer)
               ? GetSoftware(rank).GetFlagCosts(operation.size)
               : DrawSendCosts(rank, operation.size);
}

void
GoalRun::Send(uint32_t rank, uint32_t index, Time end)
{
    const auto& operation = Get(rank, index);
    Parcel parcel;
    parcel.message.from = rank;
    parcel.message.to = operation.peer;
    parcel.message.tag = operation.tag;
    parcel.message.round = m_ranks[rank].round;
    parcel.message.value = index;
    parcel.bytes = std::max<uint64_t>(operation.size, 1);
    if (m_within == WithinHost::FLAGS && AreNeighbours(rank, operation.peer))
    {
        ActivityRecorder::Schedule(end - Simulator::Now(),
                                   &GoalRun::ArriveInMemory,
                                   Ptr<GoalRun>(this),
                                   parcel.message);
        At(end, &GoalRun::End, rank, index);
        return;
    }
    if (!IsIdeal())
    {
        auto& route = m_routes[{rank, operation.peer}];
        route = route ? route : FindRoute(rank, operation.peer);
        parcel.route = route;
    }
    parcel.flight = GetGroup()->GetDomain().GetLatency();
    if (!SendParcel(parcel, end))
    {
        At(end, &GoalRun::End, rank, index);
    }
}

void
GoalRun::EndSend(const HostMessage& message, Time end)
{
    At(end, &GoalRun::End, message.from, static_cast<uint32_t>(message.value));
}

void
GoalRun::Post(uint32_t rank, uint32_t index)
{
    const auto& operation = Get(rank, index);
    auto& state = m_ranks[rank];
    Start(rank, index);
    MessageMatching::Entry message;
    if (!state.messages.TakeFor(operation.peer, operation.tag, message))
    {
        state.receives.Add({operation.peer, operation.tag, index});
        return;
    }
    const auto found = state.early.find(Key(message.peer, message.operation));
    const auto arrival = found->second;
    state.early.erase(found);
    Take(rank, index, Simulator::Now(), arrival);
}

void
GoalRun::Arrive(uint32_t, const HostMessage& message)
{
    const auto rank = message.to;
    auto& state = m_ranks[rank];
    const bool isRequest = message.phase == HostMessage::REQUEST;
    // A request's value is its number: the send is told by the pending message.
    const auto index =
        static_cast<uint32_t>(isRequest ? GetPendingValue(message.value) : message.value);
    const Arrival arrival{message.from, index, message.value, Simulator::Now(), isRequest};
    const auto key = Key(message.from, index);
    if (const auto answered = state.answered.find(key);
        !isRequest && answered != state.answered.end())
    {
        const auto [receive, posted] = answered->second;
        state.answered.erase(answered);
        Take(rank, receive, posted, arrival);
        return;
    }
    MessageMatching::Entry receive;
    if (state.receives.TakeBy(message.from, message.tag, receive))
    {
        Take(rank, receive.operation, Time(0), arrival);
        return;
    }
    state.messages.Add({message.from, message.tag, index});
    state.early[key] = arrival;
}

void
GoalRun::ArriveInMemory(HostMessage message)
{
    if (GetGroup())
    {
        Arrive(GetGroup()->GetHost(message.to), message);
    }
}

void
GoalRun::Take(uint32_t rank, uint32_t index, Time posted, const Arrival& arrival)
{
    auto& software = GetSoftware(rank);
    auto& state = m_ranks[rank];
    const auto now = Simulator::Now();
    const auto task = state.tasks[Get(rank, index).cpu];
    if (arrival.isRequest)
    {
        state.answered[Key(arrival.from, arrival.operation)] = {index, posted};
        const auto free = software.GetBusyUntil(task);
        const ActivityRecorder::Scope scope(free > now ? GetLastActivity(rank, index)
                                                       : ActivityRecorder::GetCurrentIfActive());
        Answer(rank, arrival.from, arrival.number, std::max(now, free));
        return;
    }
    const auto bytes = Get(arrival.from, arrival.operation).size;
    const bool isInMemory = m_within == WithinHost::FLAGS && AreNeighbours(rank, arrival.from);
    LatencyCosts costs;
    auto start = std::max(now, software.GetBusyUntil(task));
    if (isInMemory)
    {
        costs = software.GetFlagCosts(bytes);
    }
    else
    {
        costs = software.DrawReceiveCosts(m_transport, arrival.time < posted, bytes);
        if (m_transport == HostSoftware::Transport::RDMA)
        {
            const auto poll = software.GetNextPoll(task, posted, start);
            software.WaitForPoll(task, start, poll);
            start = std::max(start, poll);
        }
    }
    const auto end = software.Take(task, start, costs);
    const ActivityRecorder::Scope scope(GetLastActivity(rank, index));
    At(end, &GoalRun::End, rank, index);
}

void
GoalRun::Start(uint32_t rank, uint32_t index)
{
    auto& state = m_ranks[rank];
    const auto& successors = *state.onStart;
    for (auto at = successors.first[index]; at < successors.first[index + 1]; ++at)
    {
        if (--state.missing[successors.targets[at]] == 0)
        {
            Do(rank, successors.targets[at]);
        }
    }
}

void
GoalRun::End(uint32_t rank, uint32_t index)
{
    auto& state = m_ranks[rank];
    ++state.nDone;
    const auto& successors = *state.onEnd;
    for (auto at = successors.first[index]; at < successors.first[index + 1]; ++at)
    {
        if (--state.missing[successors.targets[at]] == 0)
        {
            Do(rank, successors.targets[at]);
        }
    }
    if (state.nDone == state.missing.size())
    {
        state.isInside = false;
        GetGroup()->Leave(rank, 0);
    }
}

} // namespace ns3
