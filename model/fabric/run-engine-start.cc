/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-engine.h"
#include "transit-engine.h"
#include "wormhole-port.h"
#include "wormhole-scheduler.h"

#include "ns3/exact-time.h"
#include "ns3/lane-engine.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

void
RunEngine::RefuseTime(const WormholeOutput& output)
{
    throw WormholeError("a flit is to start at " + output.GetPort().GetName() + " after " +
                        ExactTime::Print(TimeStep(MAX_TIME)) +
                        ", the last time that fabrics know: shorten what is simulated, or choose a "
                        "longer unit of time with Time::SetResolution");
}

void
RunEngine::Configure(bool sync, uint32_t routeBytes)
{
    m_times.Reset();
    m_lanes = nullptr;
    m_transit = nullptr;
    m_sync = sync;
    m_routeBytes = routeBytes;
}

void
RunEngine::Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time)
{
    m_now = Simulator::Now().GetTimeStep();
    m_observer.Refresh();
    RefuseIfClosed(input.node->name);
    RefuseWorm(*worm, *input.node, time);
    if (m_decidedTo >= m_now + m_hostLookahead)
    {
        throw WormholeError(input.node->name + " sends a worm for a time whose grants are made " +
                            "already: a WormholeScheduler may be replaced only while no worms " +
                            "are on their way");
    }
    if (m_lanes)
    {
        m_lanes->Inject(worm, *input.node, time);
    }
    else
    {
        if (m_transit)
        {
            m_transit->PutDue(*input.node);
        }
        PutIntoQueue(Start(worm, input.node, time), input);
    }
    if (IsStuck())
    {
        // One more is behind those that are blocked. The round tells so, not whoever sends it.
        ScheduleRound(std::max(m_decidedTo, m_now));
    }
}

void
RunEngine::PutIntoQueue(WormHop* hop, WormholeInput& input)
{
    input.Push(hop);
    if (input.front == hop)
    {
        Wake(hop);
        Propagate();
    }
}

void
RunEngine::Originate(Ptr<Worm> worm, WormholeNodeState& node)
{
    m_now = Simulator::Now().GetTimeStep();
    m_observer.Refresh();
    RefuseIfClosed(node.name);
    if (m_lookahead > 0 || m_now < m_decidedTo)
    {
        throw WormholeError(node.name + " is to send a worm of its own, but without a collective " +
                            "unit, or so soon after it got one that grants of now are made: "
                            "install units before worms are on their way");
    }
    RefuseWorm(*worm, node, m_now);
    if (m_lanes)
    {
        m_lanes->Originate(worm, node);
        return;
    }
    AskOutputs(Start(worm, &node, m_now), m_now, -1);
    Propagate();
}

WormHop*
RunEngine::Start(const Ptr<Worm>& worm, WormholeNodeState* node, int64_t time)
{
    auto hop = StartFrom(worm, node, 0);
    CountStart(worm, *node); // its first port is there
    m_hasChoices = m_hasChoices || hop->route->HasChoices();
    hop->arrivals.Append(hop->flits, time, GetFlowPace<FlitTimes>(*hop, 0), m_times);
    m_observer.Begin(*hop, time);
    return hop;
}

WormHop*
RunEngine::StartFrom(const Ptr<const Worm>& worm, WormholeNodeState* node, WormRoute::Stop stop)
{
    const auto& route = *worm->GetRoute();
    const auto flits = worm->GetFlits() + GetRouteFlits(route, stop);
    auto hop = NewHop(PeekPointer(worm),
                      &route,
                      flits,
                      stop,
                      node,
                      node->ports.data(),
                      node->ports.size());
    // A stream keeps no times of the flits that come to a host.
    hop->isStream = !m_buffersCover && route.GetNEnds() == 1 && !GetRecorder() &&
                    !(m_transit && m_transit->IsAsItComes());
    return hop;
}

void
RunEngine::CountStart(const Ptr<Worm>& worm, const WormholeNodeState& node)
{
    const auto nEnds = worm->GetRoute()->GetNEnds();
    worm->SetInjected(m_counts.worms++, &node);
    m_counts.pendingDestinations += nEnds;
    if (nEnds > 1)
    {
        m_counts.longestTreeWorm = std::max(m_counts.longestTreeWorm, worm->GetFlits());
    }
}

void
RunEngine::RefuseIfClosed(const std::string& name) const
{
    if (!m_closed.empty())
    {
        throw WormholeError(name + " is to send a worm, but its fabric " + m_closed +
                            ": build another");
    }
}

void
RunEngine::RefuseWorm(const Worm& worm, const WormholeNodeState& node, int64_t time) const
{
    const auto most = static_cast<uint64_t>(TimeLimit::LONGEST_LENGTH / m_times.GetLongest());
    const auto refuse = [&](const std::string& what) {
        throw WormholeError(node.name + " is to send a worm " + what);
    };
    if (!worm.GetRoute() || worm.GetRoute()->At(0).size() == 0)
    {
        refuse("without a route; accepted is one with a port of the host's and one of each switch");
    }
    const auto routeFlits = GetRouteFlits(*worm.GetRoute(), 0);
    if (worm.GetFlits() < 1 || worm.GetFlits() > most || routeFlits > most - worm.GetFlits())
    {
        refuse("of " + std::to_string(worm.GetFlits()) + " flits" +
               (routeFlits > 0 ? " behind " + std::to_string(routeFlits) + " of its route" : "") +
               "; accepted are 1 to " + std::to_string(most));
    }
    if (worm.GetKind() == Worm::FRAME && !worm.GetPacket())
    {
        refuse("of the kind FRAME without a packet; accepted is BARE where only times matter");
    }
    if (time < m_now)
    {
        refuse("at a time that has passed; accepted is a wait of 0 or more");
    }
    if (time > MAX_TIME)
    {
        refuse("too late; the last time that fabrics know is " +
               ExactTime::Print(TimeStep(MAX_TIME)));
    }
    RefuseLanes(worm, node);
}

void
RunEngine::RefuseLanes(const Worm& worm, const WormholeNodeState& node) const
{
    const auto& route = *worm.GetRoute();
    const auto refuse = [&](const std::string& what) {
        throw WormholeError(node.name + " is to send a worm " + what);
    };
    if (route.HasChoices() && m_routeBytes > 0)
    {
        refuse("that has choices on its way; with WormholeFabric::RouteHeader = source it brings "
               "its route, so accepted are those without");
    }
    if (m_lanes)
    {
        m_lanes->RefuseWorm(worm, node);
    }
    else if (route.GetMaxLane() > 0)
    {
        refuse("in lane " + std::to_string(route.GetMaxLane()) +
               "; accepted is lane 0, unless WormholeFabric::Lanes are more, with Grant = worm");
    }
    else if (route.HasChoices() && route.At(0).size() > 1)
    {
        refuse("that has choices at its host; accepted is its only port");
    }
}

void
RunEngine::SetLanes(const LaneSettings& settings, const std::vector<Ptr<WormholePort>>& ports)
{
    m_lanes = std::make_unique<LaneEngine>(*this, settings, ports);
}

void
RunEngine::OnTraced(WormholePortState& port)
{
    port.traced = true;
    port.input.traced = true;
    if (m_lanes)
    {
        m_lanes->OnTraced(port);
    }
}

void
RunEngine::SetTransit(InTransit mode)
{
    m_transit = mode == InTransit::NONE ? nullptr : std::make_unique<TransitEngine>(*this, mode);
}

void
RunEngine::Close(const std::string& why)
{
    m_closed = why;
    m_decisions = {};
    m_watchInterval = 0;
    m_noProgress.Nullify();
    m_watch.Nullify();
    WormholeScheduler::Forget(*this);
}

} // namespace ns3
