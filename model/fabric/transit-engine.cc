/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transit-engine.h"

#include "run-engine.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace ns3
{

TransitEngine::TransitEngine(RunEngine& engine, InTransit mode)
    : m_engine(engine),
      m_mode(mode)
{
}

void
TransitEngine::AddHost(WormholeInput& queue, int64_t delay)
{
    auto& host = m_hosts[queue.node];
    host.queue = &queue;
    host.delay = delay;
}

void
TransitEngine::InjectAhead(Ptr<Worm> worm, WormholeNodeState& node, Time wait)
{
    const auto now = Simulator::Now().GetTimeStep();
    m_engine.m_now = now;
    m_engine.RefuseIfClosed(node.name);
    const auto time =
        wait.GetTimeStep() > RunEngine::MAX_TIME ? RunEngine::MAX_TIME : now + wait.GetTimeStep();
    m_engine.RefuseWorm(*worm, node, time + node.delay);
    m_hosts[&node].Add({time, true, std::move(worm), nullptr, 0, nullptr});
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   wait,
                                   &TransitEngine::OnAhead,
                                   this,
                                   std::cref(node));
}

void
TransitEngine::OnTime(const WormholeNodeState& node)
{
    if (m_engine.m_closed.empty())
    {
        m_engine.m_now = Simulator::Now().GetTimeStep();
        m_engine.m_observer.Refresh();
        PutDue(node);
    }
}

void
TransitEngine::OnAhead(const WormholeNodeState& node)
{
    OnTime(node);
    m_engine.CheckProgress(); // one more may be blocked
}

void
TransitEngine::PutDue(const WormholeNodeState& node)
{
    auto& host = m_hosts[&node];
    auto& queue = *host.queue;
    while (auto due = host.TakeDue(m_engine.m_now))
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
                                 m_engine.m_times);
        }
        else if (!queue.front)
        {
            queue.left = std::max(queue.left, due->time); // it asks no earlier
        }
        m_engine.m_observer.Pass(*hop, due->time, !IsAsItComes());
        host.GetMaxFlits(m_engine.m_now); // counts, so that little is kept
        if (node.sink)
        {
            node.sink->NoteTransit(due->passed);
        }
        m_engine.PutIntoQueue(hop, queue);
    }
}

void
TransitEngine::Receive(TransitEngine* transit,
                       const WormHop& hop,
                       const WormBranch& branch,
                       uint64_t first,
                       const FlitPart& arrivals)
{
    const auto& node = *branch.output->GetFar().input.node;
    const auto refuse = [&](const std::string& accepted) {
        throw WormholeError(node.name + ": a route goes on beyond this host; accepted are " +
                            accepted);
    };
    if (!transit)
    {
        refuse(
            "routes that end at hosts, unless WormholeFabric::InTransit has hosts pass worms on");
    }
    if (hop.route->GetNEnds() > 1 || hop.route->HasChoices())
    {
        refuse("only routes of one end and without choices");
    }
    if (first == 0)
    {
        transit->ReceiveHead(hop, branch, arrivals.time);
    }
    if (transit->IsAsItComes())
    {
        auto& leg = *transit->m_hosts[&node].incoming;
        const auto& times = transit->m_engine.m_times;
        // S1b: the host may have read the last byte of the first flit, which goes no further.
        const auto dropped = hop.flits - leg.flits;
        if (arrivals.end > dropped)
        {
            leg.arrivals.Append(arrivals.end - dropped,
                                arrivals.After(first < dropped ? dropped - first : 0, times),
                                arrivals.pace,
                                times);
        }
        if (leg.input && leg.input->front == &leg)
        {
            transit->m_engine.TellFront(leg);
        }
    }
}

void
TransitEngine::ReceiveHead(const WormHop& hop, const WormBranch& branch, int64_t ready)
{
    const auto node = branch.output->GetFar().input.node;
    auto& host = m_hosts[node];
    host.NoteEntry(ready, hop.worm->GetFlits() + m_engine.GetRouteFlits(*hop.route, branch.next));
    if (IsAsItComes())
    {
        host.incoming = m_engine.StartFrom(hop.GetWorm(), node, branch.next);
        host.Add({ready + host.delay, false, nullptr, hop.GetWorm(), branch.next, host.incoming});
        m_engine.ScheduleArrival(ready + host.delay, node, 0, nullptr);
    }
}

void
TransitEngine::ReceiveTail(const WormHop& hop, const WormBranch& branch, int64_t ready)
{
    if (!IsAsItComes())
    {
        const auto node = branch.output->GetFar().input.node;
        auto& host = m_hosts[node];
        host.Add({ready + host.delay, false, nullptr, hop.GetWorm(), branch.next, nullptr});
        m_engine.ScheduleArrival(ready + host.delay, node, 0, nullptr);
    }
}

void
TransitEngine::NoteExit(const WormHop& hop, int64_t left)
{
    m_hosts[hop.node].NoteExit(left, hop.flits);
}

uint64_t
TransitEngine::GetMaxFlits(const WormholeNodeState& node)
{
    return m_hosts[&node].GetMaxFlits(Simulator::Now().GetTimeStep());
}

} // namespace ns3
