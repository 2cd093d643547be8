// SPDX-License-Identifier: GPL-2.0-only

#include "forwarding-engine.h"

#include "run-engine.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

void
InTransitBuffer::Add(Pending pending)
{
    const auto place = std::upper_bound(m_pending.begin(),
                                        m_pending.end(),
                                        pending,
                                        [](const Pending& a, const Pending& b) {
                                            return std::make_pair(a.time, a.isOwn) <
                                                   std::make_pair(b.time, b.isOwn);
                                        });
    m_pending.insert(place, std::move(pending));
}

std::optional<InTransitBuffer::Pending>
InTransitBuffer::TakeDue(int64_t now)
{
    if (m_pending.empty() || m_pending.front().time > now)
    {
        return std::nullopt;
    }
    auto due = std::move(m_pending.front());
    m_pending.pop_front();
    return due;
}

uint64_t
InTransitBuffer::GetMaxFlits(int64_t now)
{
    // Both are known ahead, each in its own order. A slot is free when the tail has left.
    while (!m_entries.empty() && m_entries.front().first <= now)
    {
        const auto [time, flits] = m_entries.front();
        while (!m_exits.empty() && m_exits.front().first <= time)
        {
            m_flits -= m_exits.front().second;
            m_exits.pop_front();
        }
        m_flits += flits;
        m_maxFlits = std::max(m_maxFlits, m_flits);
        m_entries.pop_front();
    }
    return m_maxFlits;
}

void
ForwardingEngine::InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait)
{
    const auto time = m_rounds.now + wait.GetTimeStep();
    m_hosts[&node].Add({time, true, std::move(worm), nullptr, 0, nullptr});
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, wait, [this, &node] {
        OnTime(node);
        m_rounds.CheckProgress(); // one more may be blocked
    });
}

void
ForwardingEngine::OnTime(const WormholeNodeState& node)
{
    if (!m_rounds.IsClosed())
    {
        m_rounds.Update();
        PutDue(node);
    }
}

void
ForwardingEngine::PutDue(const WormholeNodeState& node)
{
    auto& host = m_hosts[&node];
    auto& queue = *host.queue;
    while (auto due = host.TakeDue(m_rounds.now))
    {
        if (due->isOwn)
        {
            m_engine.PutIntoQueue(m_engine.Start(due->own, queue.node, due->time + node.delay),
                                  queue);
            continue;
        }
        auto hop = due->hop;
        if (!hop)
        {
            hop = m_engine.StartFrom(due->passed, queue.node, due->stop);
            hop->arrivals.Append(hop->flits,
                                 due->time,
                                 hop->branches.front().output->pace,
                                 m_rounds.times);
        }
        else if (!queue.front)
        {
            queue.left = std::max(queue.left, due->time); // it asks no earlier
        }
        m_rounds.observer.Record([&](auto& recorder) {
            recorder.Pass({hop->worm->GetId(), hop->stop}, due->time, !IsAsItComes());
        });
        host.GetMaxFlits(m_rounds.now); // counts, so that little is kept
        if (node.sink)
        {
            node.sink->NotifyInTransit(due->passed);
        }
        m_engine.PutIntoQueue(hop, queue);
    }
}

void
ForwardingEngine::CheckRoute(const ForwardingEngine* transit,
                             const WormholeNodeState& node,
                             const WormRoute& route)
{
    const auto refuse = [&](const std::string& accepted) {
        throw WormholeError(node.name + ": a route goes on beyond this host; expected " + accepted);
    };
    if (!transit)
    {
        refuse(
            "routes that end at hosts, unless WormholeFabric::InTransit has hosts pass worms on");
    }
    if (route.GetNDestinations() > 1 || route.HasChoices())
    {
        refuse("only routes of one end and without choices");
    }
}

void
ForwardingEngine::Receive(const WormBranch& branch, uint64_t first, const FlitPart& arrivals)
{
    const auto& hop = *branch.hop;
    const auto node = branch.output->GetFar().input.node;
    auto& host = m_hosts[node];
    const auto stop = branch.next;
    const auto ready = arrivals.time + host.delay;
    if (first == 0)
    {
        const auto routeFlits = m_engine.GetHops().GetRouteFlits(*hop.route, stop);
        host.NoteEntry(arrivals.time, hop.worm->GetFlits() + routeFlits);
    }
    if (first == 0 && IsAsItComes())
    {
        host.incoming = m_engine.StartFrom(hop.GetWorm(), node, stop);
        host.Add({ready, false, nullptr, hop.GetWorm(), stop, host.incoming});
        m_rounds.ScheduleArrival(ready, node, 0, nullptr);
    }
    if (IsAsItComes())
    {
        auto& leg = *host.incoming;
        // S1b: the host may have read the last byte of the first flit, which goes no further.
        const auto dropped = hop.flits - leg.flits;
        if (arrivals.end > dropped)
        {
            leg.arrivals.Append(
                arrivals.end - dropped,
                arrivals.After(first < dropped ? dropped - first : 0, m_rounds.times),
                arrivals.pace,
                m_rounds.times);
        }
        if (leg.input && leg.input->front == &leg)
        {
            m_engine.NotifyFront(leg);
        }
    }
}

void
ForwardingEngine::ReceiveTail(const WormHop& hop, const WormBranch& branch, int64_t ready)
{
    if (!IsAsItComes())
    {
        const auto node = branch.output->GetFar().input.node;
        auto& host = m_hosts[node];
        host.Add({ready + host.delay, false, nullptr, hop.GetWorm(), branch.next, nullptr});
        m_rounds.ScheduleArrival(ready + host.delay, node, 0, nullptr);
    }
}

} // namespace ns3
