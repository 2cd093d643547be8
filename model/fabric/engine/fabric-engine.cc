// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-engine.h"

#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

void
FabricEngine::Configure(bool sync, uint32_t routeBytes, InTransit mode)
{
    m_rounds.times.Reset();
    m_lanes = nullptr;
    m_flits = nullptr;
    m_transit = mode == InTransit::NONE
                    ? nullptr
                    : std::make_unique<ForwardingEngine>(m_rounds, m_runs, mode);
    m_runs.Configure(sync, routeBytes, m_transit.get());
}

void
FabricEngine::SetOutages(FlitSettings settings, const std::vector<Ptr<WormholePort>>& ports)
{
    m_flits = std::make_unique<FlitEngine>(m_rounds,
                                           m_runs.GetHops(),
                                           m_transit.get(),
                                           std::move(settings),
                                           ports);
}

void
FabricEngine::Decide(WormholeOutput& output, int64_t time)
{
    if (m_lanes)
    {
        m_lanes->Decide(static_cast<WormholePortState&>(output), time);
    }
    else
    {
        m_runs.Decide(output, time);
    }
}

void
FabricEngine::Inject(Ptr<Worm> worm, WormholeInput& input, int64_t time)
{
    m_rounds.Update();
    m_rounds.RefuseIfClosed(input.node->name);
    RefuseWorm(*worm, *input.node, time);
    if (m_rounds.HasDecidedForHosts())
    {
        throw WormholeError(input.node->name + " sends a worm for a time whose grants are made " +
                            "already: a WormholeScheduler may be replaced only while no worms " +
                            "are on their way");
    }
    if (m_flits)
    {
        m_flits->Inject(worm, *input.node, time);
    }
    else if (m_lanes)
    {
        m_lanes->Inject(worm, *input.node, time);
    }
    else
    {
        if (m_transit)
        {
            m_transit->PutDue(*input.node);
        }
        m_runs.PutIntoQueue(m_runs.Start(worm, input.node, time), input);
    }
    m_rounds.CheckStart();
}

void
FabricEngine::Inject(Ptr<Worm> worm, WormholeInput& input, Time wait)
{
    m_rounds.now = Simulator::Now().GetTimeStep();
    auto time = GetTime(wait);
    time += time == WormholeOutput::NEVER ? 0 : input.node->delay;
    if (!m_transit || m_flits || !wait.IsStrictlyPositive())
    {
        Inject(std::move(worm), input, time);
        return;
    }
    m_rounds.RefuseIfClosed(input.node->name);
    RefuseWorm(*worm, *input.node, time);
    m_transit->InjectAhead(std::move(worm), *input.node, wait);
}

void
FabricEngine::InjectLater(Ptr<Worm> worm, WormholeInput& input, Time wait)
{
    m_rounds.now = Simulator::Now().GetTimeStep();
    m_rounds.RefuseIfClosed(input.node->name);
    RefuseWorm(*worm, *input.node, GetTime(wait));
    m_rounds.ScheduleInjection(std::move(worm), input, wait, input.node->delay);
}

void
FabricEngine::Originate(Ptr<Worm> worm, WormholeNodeState& node)
{
    m_rounds.Update();
    m_rounds.RefuseIfClosed(node.name);
    if (m_rounds.HasDecidedForSwitches())
    {
        throw WormholeError(node.name + " is to send its own worm, but has no collective unit, " +
                            "or got it only after the grants of this time were made: install "
                            "units before worms are on their way");
    }
    RefuseWorm(*worm, node, m_rounds.now);
    if (m_flits)
    {
        m_flits->Originate(worm, node);
    }
    else if (m_lanes)
    {
        m_lanes->Originate(worm, node);
    }
    else
    {
        m_runs.Originate(worm, node);
    }
}

int64_t
FabricEngine::GetTime(Time wait) const
{
    return wait.GetTimeStep() > TimeLimit::LATEST - m_rounds.now
               ? WormholeOutput::NEVER
               : m_rounds.now + wait.GetTimeStep();
}

void
FabricEngine::RefuseWorm(const Worm& worm, const WormholeNodeState& node, int64_t time) const
{
    const auto most =
        static_cast<uint64_t>(TimeLimit::LONGEST_LENGTH / m_rounds.times.GetLongest());
    const auto refuse = [&](const std::string& what) {
        throw WormholeError(node.name + " is to send a worm " + what);
    };
    if (!worm.GetRoute() || worm.GetRoute()->At(0).size() == 0)
    {
        refuse("without a route; expected one with a port of the host's and one of each switch");
    }
    const auto routeFlits = m_runs.GetHops().GetRouteFlits(*worm.GetRoute(), 0);
    if (worm.GetFlits() < 1 || worm.GetFlits() > most || routeFlits > most - worm.GetFlits())
    {
        refuse("of " + std::to_string(worm.GetFlits()) + " flits" +
               (routeFlits > 0 ? " behind " + std::to_string(routeFlits) + " of its route" : "") +
               "; expected 1 to " + std::to_string(most));
    }
    if (worm.GetKind() == Worm::FRAME && !worm.GetPacket())
    {
        refuse("of the kind FRAME without a packet; expected RAW where only times matter");
    }
    if (time < m_rounds.now)
    {
        refuse("at a time that has passed; expected a wait of 0 or more");
    }
    if (time > TimeLimit::LATEST)
    {
        refuse("too late; the last time that fabrics know is " +
               ExactTime::Print(TimeStep(TimeLimit::LATEST)));
    }
    const auto& route = *worm.GetRoute();
    if (route.HasChoices() && m_runs.GetHops().BringRoutes())
    {
        refuse("that has choices on its way, but with WormholeFabric::RouteHeader = source it "
               "brings its route; expected one without choices");
    }
    if (m_lanes)
    {
        m_lanes->RefuseWorm(worm, node);
    }
    else if (route.GetMaxLane() > 0)
    {
        refuse("in lane " + std::to_string(route.GetMaxLane()) +
               "; expected lane 0, unless WormholeFabric::Lanes are more, with Grant = worm");
    }
    else if (route.HasChoices() && route.At(0).size() > 1)
    {
        refuse("that has choices at its host; expected its only port");
    }
}

} // namespace ns3
