/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-engine.h"
#include "transit-engine.h"
#include "wormhole-port.h"
#include "wormhole-scheduler.h"

#include "ns3/lane-engine.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace ns3
{

/// The event of a worm that arrives at a host. Used again and again.
class RunEngine::Arrival : public EventImpl
{
  public:
    WormholeNodeState* node{nullptr};      ///< the host's interface
    uint32_t port{0};                      ///< number of the port it comes by
    boost::intrusive_ptr<const Worm> worm; ///< the worm; null: the host passes on what is due

  private:
    void Notify() override
    {
        node->engine->OnArrival(*this);
    }
};

/// The event of switches that take worms at one instant.
class RunEngine::PendingDeliveries : public EventImpl
{
  public:
    /// @param when the instant, ns-3 time units
    explicit PendingDeliveries(int64_t when)
        : time(when)
    {
    }

    const int64_t time;                    ///< the instant, ns-3 time units
    std::vector<WormholeNodeState*> nodes; ///< the switches; one may be there several times

  private:
    void Notify() override
    {
        nodes.front()->engine->OnDeliveries(*this);
    }
};

/// Worms to be injected at one instant: those handed over one after the other.
class RunEngine::PendingInjections : public EventImpl
{
  public:
    /// @param when the instant, ns-3 time units
    PendingInjections(RunEngine& theEngine, int64_t when)
        : time(when),
          engine(theEngine)
    {
    }

    /// A worm to come.
    struct Injection
    {
        Ptr<Worm> worm;       ///< the worm
        WormholeInput* input; ///< the interface's queue
        int64_t delay;        ///< until its head asks for the channel, ns-3 time units
    };

    const int64_t time;           ///< the instant, ns-3 time units
    std::vector<Injection> worms; ///< the worms

  private:
    void Notify() override
    {
        engine.OnInjections(*this);
    }

    RunEngine& engine; ///< who injects them
};

/// The event of a round, scheduled again and again.
class RunEngine::Round : public EventImpl
{
  public:
    explicit Round(RunEngine& engine)
        : m_engine(engine)
    {
    }

  private:
    void Notify() override
    {
        m_engine.OnRound();
    }

    RunEngine& m_engine; ///< the engine
};

RunEngine::RunEngine()
    : m_round(Create<Round>(*this))
{
}

RunEngine::~RunEngine()
{
    WormholeScheduler::Forget(*this);
}

void
RunEngine::SetWatch(int64_t interval, uint64_t minEvents, Watcher noProgress, Watcher watch)
{
    m_eventsToWatch = minEvents;
    m_watchInterval = interval;
    m_noProgress = noProgress;
    m_watch = watch;
}

bool
RunEngine::Ask(WormHop* hop)
{
    auto input = hop->input;
    if (input->front != hop || hop->GetNArrivals() == 0)
    {
        return false;
    }
    const auto head = hop->DropsFlit() ? hop->routeFlit : hop->arrivals.GetFirstTime();
    const auto time = std::max(input->left, head);
    if (hop->DropsFlit())
    {
        DropRouteFlit(*hop, time);
    }
    AskOutputs(hop, time, input->upstream ? input->number : -1);
    return true;
}

void
RunEngine::AskOutputs(WormHop* hop, int64_t time, int32_t number)
{
    hop->asked = true;
    m_observer.Ask(*hop, time);
    for (auto& branch : hop->branches)
    {
        auto& output = *branch.output;
        branch.since = time;
        branch.number = number;
        output.AddRequest(branch);
    }
    // A switch asks itself only when all other requests of the instant are there.
    // Grants of those with choices come in an order of their own (S12).
    const auto known = number < 0 && !m_hasChoices ? m_now : WormholeOutput::ALWAYS;
    for (const auto& branch : hop->branches)
    {
        Arm(*branch.output, known);
    }
}

void
RunEngine::Arm(WormholeOutput& output, int64_t known)
{
    if (output.owner || !output.requests)
    {
        return;
    }
    auto& first = *output.requests;
    const auto time = std::max(first.since, output.freeAt);
    if (!output.arbitrated || time <= known)
    {
        Grant(output, first, time);
    }
    else if (time < output.decisionAt)
    {
        output.decisionAt = time;
        m_decisions.Push(time, &output);
        ScheduleRound(time);
    }
}

void
RunEngine::ScheduleRound(int64_t time)
{
    const bool isSeenTo = m_deciding || (HasDecisions() && WormholeScheduler::Await(*this));
    if (!isSeenTo && (m_rounds.empty() || time < m_rounds.back()))
    {
        m_rounds.push_back(time);
        ++m_counts.eventsPending;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       TimeStep(time - m_now),
                                       GetPointer(Ptr<EventImpl>(m_round)));
    }
}

template <class END>
bool
RunEngine::DecideAll(END end)
{
    if (m_lanes || m_hasChoices)
    {
        return Decide(end, [this](WormholeOutput& output, int64_t time) {
            auto& port = static_cast<WormholePortState&>(output);
            if (m_lanes)
            {
                m_lanes->Decide(port, time);
            }
            else
            {
                GrantInOrder(*port.input.node, time);
            }
        });
    }
    return Decide(end, [this](WormholeOutput& output, int64_t time) { Arm(output, time); });
}

template <class END, class GRANT>
bool
RunEngine::Decide(END end, GRANT grant)
{
    bool any = false;
    m_deciding = true;
    while (const auto next = m_decisions.NextBefore(end()))
    {
        const auto time = next->time;
        auto& output = *next->output;
        const bool stands = output.decisionAt == time; // else an earlier one has replaced it
        if (stands && m_lookahead == 0 &&
            static_cast<WormholePortState&>(output).input.node->HasDue(time))
        {
            break; // that comes first: its event is there already, the next round's is not
        }
        m_decisions.Pop();
        any = true;
        if (stands)
        {
            output.decisionAt = WormholeOutput::NEVER;
            m_decidedTo = time;
            try
            {
                grant(output, time);
                Propagate();
            }
            catch (...)
            {
                Close(AFTER_ERROR);
                throw;
            }
        }
    }
    m_deciding = false;
    return any;
}

void
RunEngine::OnRound()
{
    --m_counts.eventsPending;
    m_now = Simulator::Now().GetTimeStep();
    m_observer.Refresh();
    m_rounds.pop_back();
    const auto end = m_now + std::max<int64_t>(1, m_lookahead);
    DecideAll([end] { return end; });
    ScheduleDecisions();
    CheckProgress();
}

void
RunEngine::ScheduleDecisions()
{
    m_now = Simulator::Now().GetTimeStep();
    if (HasDecisions())
    {
        ScheduleRound(GetDecisionTime());
    }
}

bool
RunEngine::DecideBetweenEvents(const WormholeScheduler& scheduler, int64_t others)
{
    m_now = Simulator::Now().GetTimeStep();
    m_observer.Refresh();
    // Events of decisions made, such as arrivals, may come next.
    const bool any =
        DecideAll([&] { return std::min(scheduler.GetNextTime(), others) + m_lookahead; });
    if (any && m_counts.eventsPending == 0 && !HasDecisions())
    {
        ScheduleRound(std::max(m_decidedTo, m_now)); // finds out whether any worm moves
    }
    return any; // events of what follows check the progress, each at its time
}

void
RunEngine::GrantInOrder(WormholeNodeState& node, int64_t time)
{
    using Order = std::tuple<int64_t, int32_t, std::ptrdiff_t, std::size_t>;
    while (true)
    {
        WormBranch* best = nullptr;
        Order bestOrder;
        for (auto& port : node.ports)
        {
            if (!port.requests || port.owner || port.freeAt > time)
            {
                continue;
            }
            auto& first = *port.requests;
            const auto& hop = *first.hop;
            const Order order{first.since,
                              first.number,
                              hop.route->HasChoices() ? &first - hop.branches.data() : 0,
                              static_cast<std::size_t>(&port - node.ports.data())};
            if (first.since <= time && (!best || order < bestOrder))
            {
                best = &first;
                bestOrder = order;
            }
        }
        if (!best)
        {
            break;
        }
        auto& granted = best->hop->branches.size() > 1 && best->hop->route->HasChoices()
                            ? TakeChoice(*best)
                            : *best;
        Grant(*granted.output, granted, time);
    }
    for (auto& port : node.ports)
    {
        if (port.decisionAt <= time)
        {
            port.decisionAt = WormholeOutput::NEVER;
        }
        Arm(port, WormholeOutput::ALWAYS);
    }
}

WormBranch&
RunEngine::TakeChoice(WormBranch& branch)
{
    auto& hop = *branch.hop;
    for (auto& other : hop.branches)
    {
        other.output->RemoveRequest(other);
    }
    auto& front = hop.branches.front();
    front.output = branch.output;
    front.since = branch.since;
    front.number = branch.number;
    front.next = branch.next;
    hop.branches.resize(1);
    hop.inStep = false;
    front.flow.missing = 1;
    hop.fits = hop.fits && front.output->CanHold(hop.flits);
    front.output->AddRequest(front);
    if (hop.input && hop.input->upstream)
    {
        hop.isCovered = IsCovered(hop, *hop.input->upstream, m_times);
    }
    return front;
}

void
RunEngine::Grant(WormholeOutput& output, WormBranch& branch, int64_t time)
{
    const auto hop = branch.hop;
    auto& flow = hop->inStep ? hop->branches.front().flow : branch.flow;
    output.RemoveRequest(branch);
    output.owner = hop;
    m_observer.Grant(branch, time);
    branch.nextDeparture = WormholeOutput::ALWAYS; // it waits no more
    branch.base = output.sent;
    branch.since = time;
    flow.nextStart = std::max(flow.nextStart, time);
    if (!output.credits.IsOneRun() && output.credits.GetLastTime(m_times) <= time)
    {
        // No flit starts earlier, so it makes no difference when they came.
        output.credits.Join(WormholeOutput::ALWAYS, output.pace);
        output.creditsRead = 0;
    }
    if (--flow.missing == 0)
    {
        Wake(hop);
    }
}

void
RunEngine::Eject(WormHop& hop, const WormBranch& branch, int64_t time)
{
    const auto& input = branch.output->GetFar().input;
    if (hop.route->At(branch.next).size() > 0)
    {
        m_transit->ReceiveTail(hop, branch, time);
        return;
    }
    EngineObserver::Deliver(input, hop, time);
    const bool isLast = hop.branches.size() == 1;
    ScheduleArrival(time, input.node, input.number, isLast ? std::move(hop.worm) : hop.worm);
}

void
RunEngine::ScheduleArrival(int64_t time,
                           WormholeNodeState* node,
                           uint32_t port,
                           boost::intrusive_ptr<const Worm> worm)
{
    if (m_spareArrivals.empty())
    {
        m_spareArrivals.push_back(Create<Arrival>());
    }
    auto arrival = std::move(m_spareArrivals.back());
    m_spareArrivals.pop_back();
    arrival->node = node;
    arrival->port = port;
    arrival->worm = std::move(worm);
    ++m_counts.eventsPending;
    Simulator::ScheduleWithContext(node->context, TimeStep(time - m_now), GetPointer(arrival));
}

void
RunEngine::OnArrival(Arrival& arrival)
{
    --m_counts.eventsPending;
    const auto node = arrival.node;
    const auto port = arrival.port;
    const auto worm = std::move(arrival.worm);
    m_spareArrivals.emplace_back(&arrival);
    m_now = Simulator::Now().GetTimeStep();
    if (worm)
    {
        node->Deliver(port, Ptr<const Worm>(worm.get()));
    }
    else
    {
        m_transit->OnTime(*node);
    }
    CheckProgress();
}

void
RunEngine::ScheduleDelivery(int64_t time, WormholeNodeState* node)
{
    // Members of a group that come together are often taken together, in many switches.
    if (!m_deliveries || m_deliveries->time != time)
    {
        m_deliveries = Create<PendingDeliveries>(time);
        ++m_counts.eventsPending;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       TimeStep(time - m_now),
                                       GetPointer(Ptr<EventImpl>(m_deliveries)));
    }
    m_deliveries->nodes.push_back(node);
}

void
RunEngine::OnDeliveries(PendingDeliveries& deliveries)
{
    --m_counts.eventsPending;
    if (m_deliveries == &deliveries)
    {
        m_deliveries = nullptr;
    }
    m_now = Simulator::Now().GetTimeStep();
    for (const auto node : deliveries.nodes)
    {
        node->DeliverDue(m_now);
    }
    CheckProgress();
}

void
RunEngine::InjectLater(Ptr<Worm> worm, WormholeInput& input, Time wait, int64_t delay)
{
    m_now = Simulator::Now().GetTimeStep();
    RefuseIfClosed(input.node->name);
    const auto time =
        wait.GetTimeStep() > MAX_TIME ? WormholeOutput::NEVER : m_now + wait.GetTimeStep();
    RefuseWorm(*worm, *input.node, time);
    // Hosts that enter a collective together hand over together.
    if (!m_injections || m_injections->time != time)
    {
        m_injections = Create<PendingInjections>(*this, time);
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       wait,
                                       GetPointer(Ptr<EventImpl>(m_injections)));
    }
    m_injections->worms.push_back({std::move(worm), &input, delay});
}

void
RunEngine::OnInjections(PendingInjections& injections)
{
    if (m_injections == &injections)
    {
        m_injections = nullptr;
    }
    for (auto& [worm, input, delay] : injections.worms)
    {
        if (m_closed.empty())
        {
            Inject(std::move(worm), *input, injections.time + delay);
        }
    }
}

void
RunEngine::CheckProgress()
{
    if (IsStuck())
    {
        m_noProgress();
    }
    else if (m_eventsLeft > 0)
    {
        --m_eventsLeft;
    }
    else if (m_watchInterval > 0 && m_now >= m_nextWatch)
    {
        m_eventsLeft = m_eventsToWatch;
        m_nextWatch = m_now + m_watchInterval;
        m_watch();
    }
}

} // namespace ns3
