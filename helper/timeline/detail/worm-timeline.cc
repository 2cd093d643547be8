// SPDX-License-Identifier: GPL-2.0-only

#include "worm-timeline.h"

#include "ns3/collective-message.h"
#include "ns3/engine-observer.h"
#include "ns3/fabric-engine.h"
#include "ns3/lane-engine.h"
#include "ns3/simulator.h"
#include "ns3/slot-message.h"
#include "ns3/wormhole-host-message.h"

#include <algorithm>
#include <array>
#include <map>

namespace ns3
{

namespace
{

// Places of tracks at a node, after those of processes and registers.
constexpr uint32_t OUT_ORDER = 1U << 24;         ///< of outputs, by port
constexpr uint32_t IN_ORDER = OUT_ORDER + 65536; ///< of what comes in

} // namespace

Ptr<WormTimeline>
WormTimeline::Watch(Ptr<TimelineLog> log,
                    Ptr<WormholeFabric> fabric,
                    const FabricGraph& graph,
                    Ptr<TimelineExplainer> explainer)
{
    const auto made = Create<WormTimeline>(log, graph);
    made->m_explainer = std::move(explainer);
    made->m_fabric = PeekPointer(fabric);
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (FabricGraph::Port port = 0; port < graph.GetNPorts(node); ++port)
        {
            if (graph.Peer(node, port).node != FabricGraph::NONE)
            {
                made->AddOutput(node, port, *fabric);
            }
        }
    }
    log->AtEnd([made] { made->End(); });
    return made;
}

uint32_t
WormTimeline::GetOrder(FabricGraph::Node node) const
{
    // Number 0 is for the simulations.
    return m_graph.IsSwitch(node) ? TimelineLog::FIRST_SWITCH + node
                                  : node - m_graph.GetNSwitches() + 1;
}

void
WormTimeline::AddOutput(FabricGraph::Node node, FabricGraph::Port port, WormholeFabric& fabric)
{
    const auto isSwitch = m_graph.IsSwitch(node);
    const auto found = fabric.GetPort(node, port);
    const auto number = static_cast<uint32_t>(m_outputs.size());
    const auto far = m_graph.Peer(node, port);
    const TimelineLog::LazyTrack track{
        m_graph.GetName(node),
        GetOrder(node),
        (isSwitch ? "output " + std::to_string(port) : std::string("interface")) + " to " +
            m_graph.GetName(far.node),
        OUT_ORDER + port};
    m_outputs.push_back({node,
                         far,
                         found->GetChannel()->GetDelay(),
                         PeekPointer(found),
                         track,
                         {{"waiting at " + found->GetName()}}});
    const auto note = MakeCallback(&WormTimeline::Note, Ptr<WormTimeline>(this)).Bind(number);
    ObservePort(*found,
                {WormholePort::REQUEST,
                 WormholePort::GRANT,
                 WormholePort::HEAD_START,
                 WormholePort::TAIL_LEFT},
                note);
    if (!isSwitch)
    {
        ObservePort(*found, {WormholePort::DELIVERED}, note);
    }
}

std::string
WormTimeline::NameKind(const Worm& worm)
{
    static const std::array<std::string, 8> COLLECTIVES{"reduction",
                                                        "distribution",
                                                        "setup",
                                                        "release",
                                                        "save",
                                                        "fetch",
                                                        "restore",
                                                        "segment"};
    static const std::array<std::string, 4> PHASES{"message", "request", "answer", "notice"};
    switch (worm.GetKind())
    {
    case Worm::FRAME:
        return "frame";
    case Worm::MESSAGE:
        return PHASES.at(static_cast<const HostMessageWorm&>(worm).GetMessage().phase);
    case Worm::COLLECTIVE:
        return COLLECTIVES.at(static_cast<const CollectiveWorm&>(worm).GetMessage().type);
    default:
        return "worm";
    }
}

WormTimeline::Voyage&
WormTimeline::Begin(const Ptr<const Worm>& worm, uint32_t output)
{
    const auto [found, isNew] = m_voyages.try_emplace(PeekPointer(worm));
    auto& voyage = found->second;
    if (!isNew)
    {
        return voyage;
    }
    voyage.worm = worm;
    const auto& route = *worm->GetRoute();
    voyage.nEnds = route.GetNDestinations();
    const auto nodes = m_graph.Walk(m_outputs[output].node, route);
    const auto from = m_graph.GetName(nodes.front());
    voyage.isShown = m_log->Shows(from);
    for (WormRoute::Stop stop = 0; stop < route.GetNStops(); ++stop)
    {
        if (route.At(stop).size() == 0)
        {
            voyage.end = nodes[stop];
            voyage.isShown = voyage.isShown || m_log->Shows(m_graph.GetName(voyage.end));
        }
    }
    voyage.name =
        NameKind(*worm) + " " + from + " to " +
        (voyage.nEnds == 1 ? m_graph.GetName(voyage.end) : std::to_string(voyage.nEnds) + " ends");
    return voyage;
}

WormTimeline::Leg&
WormTimeline::FindLeg(Voyage& voyage, uint32_t output)
{
    for (auto& leg : voyage.legs)
    {
        if (leg.output == output)
        {
            return leg;
        }
    }
    const auto now = Simulator::Now();
    voyage.legs.push_back({output, now, now, now, false, -1});
    return voyage.legs.back();
}

void
WormTimeline::Note(uint32_t output, WormholePort::Trace trace, Ptr<const Worm> worm)
{
    if (trace == WormholePort::REQUEST)
    {
        if (m_log->IsOpen())
        {
            FindLeg(Begin(worm, output), output);
            Count(m_outputs[output], 1);
        }
        return;
    }
    const auto found = m_voyages.find(PeekPointer(worm));
    if (found == m_voyages.end())
    {
        return;
    }
    auto& voyage = found->second;
    switch (trace)
    {
    case WormholePort::GRANT:
        Grant(voyage, output);
        break;
    case WormholePort::HEAD_START:
        HeadStart(voyage, output);
        break;
    case WormholePort::TAIL_LEFT:
        TailLeft(voyage, output);
        break;
    default:
        Deliver(voyage, m_outputs[output].node);
    }
}

void
WormTimeline::Grant(Voyage& voyage, uint32_t output)
{
    auto& leg = FindLeg(voyage, output);
    leg.granted = leg.head = Simulator::Now();
    leg.isGranted = true;
    auto& place = m_outputs[output];
    leg.lane = FindLanes(place) ? place.port->GetLane() : -1;
    Count(place, -1);
    // Of choices it asks for the others no more (S12).
    auto& legs = voyage.legs;
    for (auto other = legs.begin(); voyage.worm->GetRoute()->HasChoices() && other != legs.end();)
    {
        if (!other->isGranted)
        {
            Count(m_outputs[other->output], -1);
        }
        other = other->isGranted ? other + 1 : legs.erase(other);
    }
}

void
WormTimeline::HeadStart(Voyage& voyage, uint32_t output)
{
    const auto now = Simulator::Now();
    FindLeg(voyage, output).head = now;
    if (!voyage.hasStarted)
    {
        voyage.hasStarted = true;
        voyage.root = output;
        voyage.started = now;
    }
    const auto& place = m_outputs[output];
    if (!m_graph.IsSwitch(place.far.node))
    {
        voyage.arrivals.emplace_back(place.far.node, now + place.delay);
    }
}

void
WormTimeline::TailLeft(Voyage& voyage, uint32_t output)
{
    const auto leg = std::find_if(voyage.legs.begin(), voyage.legs.end(), [output](const Leg& its) {
        return its.output == output;
    });
    if (leg == voyage.legs.end())
    {
        return;
    }
    const auto now = Simulator::Now();
    WriteLeg(voyage, *leg, now, true);
    voyage.legs.erase(leg);
    const auto& place = m_outputs[output];
    const auto host = place.far.node;
    if (!m_graph.IsSwitch(host) && host != voyage.end &&
        voyage.worm->GetRoute()->GetNDestinations() == 1)
    {
        WriteArrival(voyage, host, now + place.delay, true);
    }
}

void
WormTimeline::WriteLeg(const Voyage& voyage, const Leg& leg, Time until, bool isOver)
{
    if (!voyage.isShown)
    {
        return;
    }
    const auto& worm = *voyage.worm;
    TraceEventArguments arguments;
    arguments.Add("worm", worm.GetId()).Add("flits", worm.GetFlits());
    if (leg.lane >= 0)
    {
        arguments.Add("lane", static_cast<uint64_t>(leg.lane));
    }
    if (worm.GetKind() == Worm::MESSAGE)
    {
        const auto& message = static_cast<const HostMessageWorm&>(worm).GetMessage();
        arguments.Add("group", uint64_t{message.group}).Add("round", message.round);
        arguments.Add("from_rank", uint64_t{message.from});
        if (message.to != HostMessage::ANYONE)
        {
            arguments.Add("to_rank", uint64_t{message.to});
        }
    }
    else if (worm.GetKind() == Worm::COLLECTIVE)
    {
        arguments.Add("group",
                      uint64_t{static_cast<const CollectiveWorm&>(worm).GetMessage().group});
    }
    arguments.Add("waited_us", leg.granted - leg.requested);
    arguments.Add("head_us", leg.head - leg.granted);
    if (!isOver)
    {
        arguments.Add("unfinished", std::string("has not left at the simulation's end"));
    }
    m_log
        ->AddSlice(m_outputs[leg.output].track, "worm", voyage.name, leg.granted, until, arguments);
}

TimelineLog::LazyTrack
WormTimeline::GetArrivalTrack(FabricGraph::Node host) const
{
    return {m_graph.GetName(host), GetOrder(host), "arrivals", IN_ORDER};
}

Time
WormTimeline::WriteArrival(const Voyage& voyage, FabricGraph::Node host, Time until, bool passes)
{
    auto head = Time(-1);
    for (const auto& [node, time] : voyage.arrivals)
    {
        head = node == host && voyage.isShown ? time : head;
    }
    if (head.IsNegative())
    {
        return head;
    }
    const auto track = GetArrivalTrack(host);
    const auto& worm = *voyage.worm;
    TraceEventArguments arguments;
    arguments.Add("worm", worm.GetId()).Add("flits", worm.GetFlits());
    if (!passes && m_explainer && m_log->IsWanted(head, until))
    {
        arguments.AddJson("explain", m_explainer->ExplainWorm(*m_fabric, worm, track.group));
    }
    m_log->AddSlice(track, passes ? "in-transit" : "arrival", voyage.name, head, until, arguments);
    return head;
}

void
WormTimeline::Deliver(const Voyage& voyage, FabricGraph::Node host)
{
    const auto head = WriteArrival(voyage, host, Simulator::Now(), false);
    if (!head.IsNegative())
    {
        WriteArrow(voyage, GetArrivalTrack(host), head, true);
    }
    CountEnd(voyage);
}

void
WormTimeline::EndAt(const Ptr<const Worm>& worm, const TimelineLog::LazyTrack& track, bool isWithin)
{
    const auto found = m_voyages.find(PeekPointer(worm));
    if (found == m_voyages.end())
    {
        return;
    }
    if (found->second.isShown && found->second.hasStarted)
    {
        WriteArrow(found->second, track, Simulator::Now(), isWithin);
    }
    CountEnd(found->second);
}

void
WormTimeline::CountEnd(const Voyage& voyage)
{
    const auto found = m_voyages.find(PeekPointer(voyage.worm));
    if (--found->second.nEnds == 0)
    {
        m_voyages.erase(found);
    }
}

const LaneEngine*
WormTimeline::FindLanes(const Output& output)
{
    const auto engine = output.port->GetNode()->engine;
    const auto lanes = engine ? engine->GetLanes() : nullptr;
    return lanes && lanes->GetNLanes() > 1 ? lanes : nullptr;
}

void
WormTimeline::Count(Output& output, int change)
{
    auto& counters = output.counters;
    const auto lanes = FindLanes(output);
    if (!lanes)
    {
        Set(output, counters.front(), counters.front().nWaiting + change);
        return;
    }
    // Nobody tells which lane it is, so all are looked at.
    for (uint32_t lane = 0; lane < lanes->GetNLanes(); ++lane)
    {
        if (lane == counters.size())
        {
            counters.push_back({counters.front().name});
        }
        const auto now = Simulator::Now().GetTimeStep();
        Set(output, counters[lane], lanes->GetNWaiting(output.port->GetState(), lane, now));
    }
}

void
WormTimeline::Set(const Output& output, Counter& counter, uint64_t nWaiting)
{
    const auto now = Simulator::Now();
    if (now > counter.changed)
    {
        WriteCount(output, counter);
    }
    counter.nWaiting = nWaiting;
    counter.changed = now;
}

void
WormTimeline::WriteCount(const Output& output, Counter& counter)
{
    // One that is granted at once has not waited: nothing to write.
    if (counter.nWaiting != counter.nWritten && m_log->Shows(output.track.group))
    {
        const auto lane = &counter - output.counters.data();
        const auto name = output.counters.size() > 1
                              ? counter.name + " lane " + std::to_string(lane)
                              : counter.name;
        m_log->AddCount(output.track, name, "worms", counter.changed, counter.nWaiting);
        counter.nWritten = counter.nWaiting;
    }
}

void
WormTimeline::End()
{
    std::map<uint64_t, const Voyage*> left; // in the order of worms
    for (const auto& [worm, voyage] : m_voyages)
    {
        left[worm->GetId()] = &voyage;
    }
    for (const auto& [id, voyage] : left)
    {
        for (const auto& leg : voyage->legs)
        {
            if (leg.isGranted)
            {
                WriteLeg(*voyage, leg, std::max(m_log->GetLatest(), leg.head), false);
            }
        }
    }
    m_voyages.clear();
    for (auto& output : m_outputs)
    {
        for (auto& counter : output.counters)
        {
            WriteCount(output, counter);
        }
    }
}

} // namespace ns3
