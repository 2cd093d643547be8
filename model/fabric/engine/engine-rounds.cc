// SPDX-License-Identifier: GPL-2.0-only

#include "engine-rounds.h"

#include "ns3/make-event.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

/// The event of a worm that arrives at a host. Used again and again.
class EngineRounds::Arrival : public EventImpl
{
  public:
    explicit Arrival(EngineRounds& rounds)
        : m_rounds(rounds)
    {
    }

    WormholeNodeState* node{nullptr};
    uint32_t port{0};
    boost::intrusive_ptr<const Worm> worm; ///< the worm; null: the host passes on what is due

  private:
    void Notify() override
    {
        m_rounds.OnArrival(*this);
    }

    EngineRounds& m_rounds;
};

struct EngineRounds::PendingDeliveries : SimpleRefCount<PendingDeliveries>
{
    int64_t time{0};                       ///< the instant, ns-3 time units
    std::vector<WormholeNodeState*> nodes; ///< the switches; one may be there several times
};

struct EngineRounds::PendingInjections : SimpleRefCount<PendingInjections>
{
    struct Injection
    {
        Ptr<Worm> worm;
        WormholeInput* input; ///< the interface's queue
        int64_t delay;        ///< until its head asks for the channel, ns-3 time units
    };

    int64_t time{0}; ///< the instant, ns-3 time units
    std::vector<Injection> worms;
};

EngineRounds::EngineRounds(Client& client)
    : m_client(client),
      m_round(MakeEvent(&EngineRounds::OnRound, this), false)
{
}

EngineRounds::~EngineRounds()
{
    WormholeScheduler::Forget(*this);
}

void
EngineRounds::Update()
{
    now = Simulator::Now().GetTimeStep();
    observer.Refresh();
}

void
EngineRounds::ScheduleRound(int64_t time)
{
    const bool isSeenTo = m_deciding || (HasDecisions() && WormholeScheduler::Await(*this));
    if (!isSeenTo && (m_rounds.empty() || time < m_rounds.back()))
    {
        m_rounds.push_back(time);
        ++counts.eventsPending;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       TimeStep(time - now),
                                       GetPointer(m_round));
    }
}

template <class END>
bool
EngineRounds::Decide(END end)
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
            CloseOnError([&] { m_client.Decide(output, time); });
        }
    }
    m_deciding = false;
    return any;
}

void
EngineRounds::OnRound()
{
    --counts.eventsPending;
    Update();
    m_rounds.pop_back();
    const auto end = now + std::max<int64_t>(1, m_lookahead);
    Decide([end] { return end; });
    ScheduleDecisions();
    CheckProgress();
}

void
EngineRounds::ScheduleDecisions()
{
    now = Simulator::Now().GetTimeStep();
    if (HasDecisions())
    {
        ScheduleRound(GetDecisionTime());
    }
}

bool
EngineRounds::DecideBetweenEvents(const WormholeScheduler& scheduler, int64_t others)
{
    Update();
    // Events of decisions made, such as arrivals, may come next.
    const bool any =
        Decide([&] { return std::min(scheduler.GetNextTime(), others) + m_lookahead; });
    if (any && counts.eventsPending == 0 && !HasDecisions())
    {
        ScheduleRound(std::max(m_decidedTo, now)); // finds out whether any worm moves
    }
    return any; // events of what follows check the progress, each at its time
}

void
EngineRounds::ScheduleArrival(int64_t time,
                              WormholeNodeState* node,
                              uint32_t port,
                              boost::intrusive_ptr<const Worm> worm)
{
    if (m_spareArrivals.empty())
    {
        m_spareArrivals.push_back(Create<Arrival>(*this));
    }
    auto arrival = std::move(m_spareArrivals.back());
    m_spareArrivals.pop_back();
    arrival->node = node;
    arrival->port = port;
    arrival->worm = std::move(worm);
    ++counts.eventsPending;
    Simulator::ScheduleWithContext(node->context, TimeStep(time - now), GetPointer(arrival));
}

void
EngineRounds::OnArrival(Arrival& arrival)
{
    --counts.eventsPending;
    const auto node = arrival.node;
    const auto port = arrival.port;
    const auto worm = std::move(arrival.worm);
    m_spareArrivals.emplace_back(&arrival);
    now = Simulator::Now().GetTimeStep();
    if (worm)
    {
        node->Deliver(port, Ptr<const Worm>(worm.get()));
    }
    else
    {
        m_client.PassOn(*node);
    }
    CheckProgress();
}

void
EngineRounds::ScheduleDelivery(int64_t time, WormholeNodeState* node)
{
    // Members of a group that come together are often taken together, in many switches.
    if (!m_deliveries || m_deliveries->time != time)
    {
        m_deliveries = Create<PendingDeliveries>();
        m_deliveries->time = time;
        ++counts.eventsPending;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       TimeStep(time - now),
                                       &EngineRounds::OnDeliveries,
                                       this,
                                       m_deliveries);
    }
    m_deliveries->nodes.push_back(node);
}

void
EngineRounds::OnDeliveries(Ptr<PendingDeliveries> deliveries)
{
    --counts.eventsPending;
    if (m_deliveries == deliveries)
    {
        m_deliveries = nullptr;
    }
    now = Simulator::Now().GetTimeStep();
    for (const auto node : deliveries->nodes)
    {
        node->DeliverDue(now);
    }
    CheckProgress();
}

void
EngineRounds::ScheduleInjection(Ptr<Worm> worm, WormholeInput& input, Time wait, int64_t delay)
{
    const auto time = now + wait.GetTimeStep();
    // Hosts that enter a collective together hand over together.
    if (!m_injections || m_injections->time != time)
    {
        m_injections = Create<PendingInjections>();
        m_injections->time = time;
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       wait,
                                       &EngineRounds::OnInjections,
                                       this,
                                       m_injections);
    }
    m_injections->worms.push_back({std::move(worm), &input, delay});
}

void
EngineRounds::OnInjections(Ptr<PendingInjections> injections)
{
    if (m_injections == injections)
    {
        m_injections = nullptr;
    }
    for (auto& [worm, input, delay] : injections->worms)
    {
        if (!IsClosed())
        {
            m_client.Inject(std::move(worm), *input, injections->time + delay);
        }
    }
}

void
EngineRounds::CountStart(const Ptr<Worm>& worm, const WormholeNodeState& node)
{
    const auto nEnds = worm->GetRoute()->GetNDestinations();
    worm->SetInjected(counts.worms++, &node);
    counts.pendingDestinations += nEnds;
    if (nEnds > 1)
    {
        counts.longestTreeWorm = std::max(counts.longestTreeWorm, worm->GetFlits());
    }
}

void
EngineRounds::CheckProgress()
{
    if (IsStuck())
    {
        m_noProgress();
    }
    else if (m_eventsLeft > 0)
    {
        --m_eventsLeft;
    }
    else if (m_watchInterval > 0 && now >= m_nextWatch)
    {
        m_eventsLeft = m_eventsToWatch;
        m_nextWatch = now + m_watchInterval;
        m_watch();
    }
}

void
EngineRounds::Close(const std::string& why)
{
    m_closed = why;
    m_decisions = {};
    m_watchInterval = 0;
    m_noProgress.Nullify();
    m_watch.Nullify();
    WormholeScheduler::Forget(*this);
}

void
EngineRounds::RefuseTime(const WormholeOutput& output)
{
    throw WormholeError("a flit is to start at " + output.GetPort().GetName() + " after " +
                        ExactTime::Print(TimeStep(TimeLimit::LATEST)) +
                        ", the last time that fabrics know: shorten what is simulated, or choose a "
                        "longer unit of time with Time::SetResolution");
}

} // namespace ns3
