// SPDX-License-Identifier: GPL-2.0-only

#include "goal-program.h"

#include "ns3/group-messages.h"
#include "ns3/message-matching.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/schedule-costs.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-message.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/// Runs a GOAL schedule over the hosts' software, for a GoalProgram.
class GoalRun : public GroupMessages
{
  public:
    /// @param group the program; it calls Stop at its disposal at the latest @param schedule what
    /// its members do; must outlive this
    GoalRun(Collective& group,
            const GoalSchedule& schedule,
            HostSoftware::Transport transport,
            bool usesInterface)
        : GroupMessages(group, transport),
          m_schedule(schedule),
          m_transport(transport),
          m_usesInterface(usesInterface),
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
            state.waits = std::make_unique<GoalSchedule::Waits>(schedule.At(rank));
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

    void Enter(uint32_t rank)
    {
        auto& state = m_ranks[rank];
        ++state.round;
        state.isInside = true;
        state.nDone = 0;
        // What is possible at once is done in this order; what that lets go on comes behind it.
        const auto able = state.waits->Reset();
        for (const auto index : able)
        {
            Do(rank, index);
        }
        if (m_schedule.At(rank).operations.empty())
        {
            state.isInside = false;
            GetGroup()->Leave(rank, 0);
        }
    }

    uint64_t GetNDone() const
    {
        return SumOf(m_ranks, [](const auto& state) { return uint64_t{state.nDone}; });
    }

    std::string ExplainWait() const
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

  private:
    /// A message that has come, or the request for one.
    struct Arrival
    {
        uint32_t from{0}; ///< sender's rank
        uint32_t operation{0};
        uint64_t number{0};
        Time time;
        bool isRequest{false};
        bool isAwaited{false}; ///< whether its send returns when it has been taken
    };

    struct RankState
    {
        std::unique_ptr<GoalSchedule::Waits> waits;
        std::vector<uint32_t> tasks;       ///< by processor, number of its process on the host
        MessageMatching receives;          ///< posted receives without a message
        MessageMatching messages;          ///< messages that have come without a receive
        std::map<uint64_t, Arrival> early; ///< what is known of the latter, by sender and send
        std::map<uint64_t, std::pair<uint32_t, Time>>
            answered;         ///< receives whose requests were answered, and when they were posted
        uint64_t nDone{0};    ///< operations that have ended
        bool isInside{false}; ///< whether it has begun and is not through
        uint64_t round{0};
    };

    const GoalSchedule::Operation& Get(uint32_t rank, uint32_t index) const
    {
        return m_schedule.At(rank).operations[index];
    }

    static uint64_t Key(uint32_t from, uint32_t operation)
    {
        return uint64_t{from} << 32 | operation;
    }

    /// Does an operation that waits for nothing any more.
    void Do(uint32_t rank, uint32_t index)
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
            const ActivityRecorder::Scope scope(software.GetActivities(),
                                                GetLastActivity(rank, index));
            end > now ? At(end, &GoalRun::Post, rank, index) : Post(rank, index);
            return;
        }
        auto before = ActivityRecorder::NONE;
        if (software.GetActivities().IsRecording())
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
        if (m_ranks[rank].waits->IsStartAwaited(index))
        {
            const ActivityRecorder::Scope scope(software.GetActivities(), before);
            At(end - costs.GetTotal(), &GoalRun::Start, rank, index);
        }
        const ActivityRecorder::Scope scope(software.GetActivities(), GetLastActivity(rank, index));
        operation.kind == GoalSchedule::CALC ? At(end, &GoalRun::End, rank, index)
                                             : Send(rank, index, end);
    }

    /// @return what a send or a calculation keeps its processor busy with, jitter included
    LatencyCosts DrawCosts(uint32_t rank, const GoalSchedule::Operation& operation) const
    {
        if (operation.kind == GoalSchedule::CALC)
        {
            return {LatencyCause::COMPUTE, TimeLimit::Multiply(NanoSeconds(1), operation.size)};
        }
        return !m_usesInterface && AreNeighbours(rank, operation.peer)
                   ? GetSoftware(rank).GetFlagCosts(operation.size)
                   : DrawSendCosts(rank, operation.size);
    }

    /// @return what an operation's processor was busy with last, if that is recorded
    ActivityRecorder::Id GetLastActivity(uint32_t rank, uint32_t index) const
    {
        return GetSoftware(rank).GetLastActivity(m_ranks[rank].tasks[Get(rank, index).cpu]);
    }

    void Send(uint32_t rank, uint32_t index, Time end)
    {
        const auto& operation = Get(rank, index);
        Parcel parcel;
        parcel.message.from = rank;
        parcel.message.to = operation.peer;
        parcel.message.tag = operation.tag;
        parcel.message.round = m_ranks[rank].round;
        parcel.message.value = index;
        parcel.message.bytes = std::max<uint64_t>(operation.size, 1);
        if (!m_usesInterface && AreNeighbours(rank, operation.peer))
        {
            PassInMemory(parcel.message, end);
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
        if (SendParcel(std::move(parcel), end) == 0)
        {
            At(end, &GoalRun::End, rank, index);
        }
    }

    void Post(uint32_t rank, uint32_t index)
    {
        const auto& operation = Get(rank, index);
        auto& state = m_ranks[rank];
        Start(rank, index);
        const auto message = state.messages.MatchReceive(operation.peer, operation.tag);
        if (!message)
        {
            state.receives.Add({operation.peer, operation.tag, index});
            return;
        }
        const auto found = state.early.find(Key(message->peer, message->operation));
        const auto arrival = found->second;
        state.early.erase(found);
        Take(rank, index, Simulator::Now(), arrival);
    }

    void Take(uint32_t rank, uint32_t index, Time posted, const Arrival& arrival)
    {
        auto& software = GetSoftware(rank);
        auto& state = m_ranks[rank];
        const auto now = Simulator::Now();
        const auto task = state.tasks[Get(rank, index).cpu];
        if (arrival.isRequest)
        {
            state.answered[Key(arrival.from, arrival.operation)] = {index, posted};
            const auto free = software.GetBusyUntil(task);
            const ActivityRecorder::Scope scope(software.GetActivities(),
                                                free > now ? GetLastActivity(rank, index)
                                                           : software.GetActivities().GetCurrent());
            Answer(rank, arrival.from, arrival.number, std::max(now, free));
            return;
        }
        const auto bytes = Get(arrival.from, arrival.operation).size;
        const bool isInMemory = !m_usesInterface && AreNeighbours(rank, arrival.from);
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
        const auto end = software.ChargeReceive(task, start, costs);
        if (arrival.isAwaited)
        {
            HostMessage message;
            message.from = arrival.from;
            message.value = arrival.operation;
            NotifyTaken(message, rank, end);
        }
        const ActivityRecorder::Scope scope(software.GetActivities(), GetLastActivity(rank, index));
        At(end, &GoalRun::End, rank, index);
    }

    void End(uint32_t rank, uint32_t index)
    {
        auto& state = m_ranks[rank];
        ++state.nDone;
        Notify(rank, index, false);
        if (state.nDone == m_schedule.At(rank).operations.size())
        {
            state.isInside = false;
            GetGroup()->Leave(rank, 0);
        }
    }

    /// Lets those go on that wait for the start of an operation.
    void Start(uint32_t rank, uint32_t index)
    {
        Notify(rank, index, true);
    }

    void Notify(uint32_t rank, uint32_t index, bool isStart)
    {
        m_ranks[rank].waits->Notify(index, isStart, [&](uint32_t next) { Do(rank, next); });
    }

    void At(Time time, void (GoalRun::*what)(uint32_t, uint32_t), uint32_t rank, uint32_t index)
    {
        const auto happen = [self = Ptr<GoalRun>(this), what, rank, index] {
            if (self->GetGroup()) // else it was stopped
            {
                ((*self).*what)(rank, index);
            }
        };
        GetSoftware(rank).GetActivities().Schedule(time - Simulator::Now(), happen);
    }

    void Arrive(uint32_t, const HostMessage& message) override
    {
        const auto rank = message.to;
        auto& state = m_ranks[rank];
        const bool isRequest = message.phase == HostMessage::REQUEST;
        // A request's value is its number: the send is told by the pending message.
        const auto index =
            static_cast<uint32_t>(isRequest ? GetPendingValue(message.value) : message.value);
        const Arrival arrival{message.from,
                              index,
                              message.value,
                              Simulator::Now(),
                              isRequest,
                              message.isAwaited};
        const auto key = Key(message.from, index);
        if (const auto answered = state.answered.find(key);
            !isRequest && answered != state.answered.end())
        {
            const auto [receive, posted] = answered->second;
            state.answered.erase(answered);
            Take(rank, receive, posted, arrival);
            return;
        }
        if (const auto receive = state.receives.MatchMessage(message.from, message.tag))
        {
            Take(rank, receive->operation, Time(0), arrival);
            return;
        }
        state.messages.Add({message.from, message.tag, index});
        state.early[key] = arrival;
    }

    void EndSend(const HostMessage& message, Time end) override
    {
        At(end, &GoalRun::End, message.from, static_cast<uint32_t>(message.value));
    }

    const GoalSchedule& m_schedule;      ///< what members do
    HostSoftware::Transport m_transport; ///< how messages are exchanged
    bool m_usesInterface;                ///< whether ranks on one host exchange messages by it
    std::vector<RankState> m_ranks;      ///< by rank
    std::map<std::pair<uint32_t, uint32_t>, Ptr<const WormRoute>> m_routes; ///< by sender, receiver
};

NS_OBJECT_ENSURE_REGISTERED(GoalProgram);

TypeId
GoalProgram::GetTypeId()
{
    static TypeId tid =
        NewType::Of<GoalProgram, Collective>("ns3::GoalProgram")
            .Add("Transport",
                 "How ranks on different hosts exchange messages: sendrecv or rdma.",
                 Sets::Choice(ScheduleCosts::GetTransportNames(),
                              "sendrecv",
                              &GoalProgram::m_transport))
            .Add("WithinHost",
                 "How ranks on one host exchange messages: flags, by shared memory with a copy at "
                 "either end; or interface, through the host's interface to its switch and back.",
                 Sets::Choice({"flags", "interface"}, "flags", &GoalProgram::m_usesInterface));
    return tid;
}

GoalProgram::GoalProgram() = default;
GoalProgram::~GoalProgram() = default;

void
GoalProgram::DoCreate()
{
    WormholeError::ThrowIf(
        !m_schedule || m_schedule->GetNRanks() != GetNMembers(),
        "a GOAL schedule of " + std::to_string(m_schedule ? m_schedule->GetNRanks() : 0) +
            " ranks is for as many members; there are " + std::to_string(GetNMembers()));
    m_schedule->Check();
    m_run = ns3::Create<GoalRun>(*this, *m_schedule, m_transport, m_usesInterface);
    NotifyReady();
}

void
GoalProgram::DoDispose()
{
    if (m_run)
    {
        m_run->Stop();
    }
    Collective::DoDispose();
}

void
GoalProgram::DoEnter(uint32_t rank, uint64_t)
{
    m_run->Enter(rank);
}

void
GoalProgram::DoRelease()
{
    m_run->Stop();
    NotifyReleased();
}

uint64_t
GoalProgram::GetNDone() const
{
    return m_run ? m_run->GetNDone() : 0;
}

std::string
GoalProgram::ExplainWait() const
{
    return m_run ? m_run->ExplainWait() : "";
}

void
GoalProgram::ReceiveAt(uint32_t, Ptr<const Worm> worm)
{
    const auto& message = static_cast<const HostMessageWorm&>(*worm).GetMessage();
    m_run->Receive(GetHost(message.to), message);
}

} // namespace ns3
