// SPDX-License-Identifier: GPL-2.0-only

#include "timeline-log.h"

#include "ns3/collective-message.h"
#include "ns3/engine-observer.h"
#include "ns3/fabric-engine.h"
#include "ns3/graph-walk.h"
#include "ns3/lane-engine.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/slot-message.h"
#include "ns3/wormhole-host-message.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

// Places of tracks at a node, after those of processes and registers.
constexpr uint32_t OUT_ORDER = 1U << 24;         ///< of outputs, by port
constexpr uint32_t IN_ORDER = OUT_ORDER + 65536; ///< of what comes in

/// Writes a fabric's worms to a timeline: grants of each output, arrivals at each interface, arrows
/// between them, and the number of worms that wait for each output, or lane. It stores only the
/// worms in flight.
class FabricTimeline : public WormTimeline
{
  public:
    FabricTimeline(Ptr<TimelineLog> log,
                   Ptr<WormholeFabric> fabric,
                   const FabricGraph& graph,
                   Ptr<TimelineExplainer> explainer)
        : m_log(log),
          m_explainer(explainer),
          m_fabric(PeekPointer(fabric)),
          m_graph(graph)
    {
    }

    void Watch()
    {
        ForEachEnd(m_graph, [this](FabricGraph::End end, FabricGraph::End) {
            AddOutput(end.node, end.port);
        });
        const Ptr<FabricTimeline> made(this);
        m_fabric->TraceConnectWithoutContext("FlitsLost",
                                             MakeCallback(&FabricTimeline::Lose, made));
        m_log->AtEnd([made] { made->End(); });
    }

    void EndAt(const Ptr<const Worm>& worm,
               const TimelineLog::LazyTrack& track,
               bool isWithin) override
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

  private:
    struct Counter
    {
        std::string name;     ///< its name
        uint64_t nWaiting{0}; ///< number of worms that wait
        uint64_t nWritten{0}; ///< that number as last written
        Time changed{0};      ///< time of its last change
    };

    struct Output
    {
        FabricGraph::Node node;
        FabricGraph::End far;          ///< far end of its cable
        Time delay;                    ///< delay of the cable
        WormholePort* port;            ///< its port, which holds this object
        TimelineLog::LazyTrack track;  ///< track of its worms
        std::vector<Counter> counters; ///< counters of waiting worms: one, or one per lane
    };

    struct Leg
    {
        uint32_t output; ///< number of the output
        Time requested;  ///< time of the request
        Time granted;    ///< time of the grant
        Time head;       ///< start of its head; the maximum: none yet
        bool isGranted;  ///< whether it was granted
        int32_t lane;    ///< lane of the grant; -1 if there is only one
    };

    struct Voyage
    {
        Ptr<const Worm> worm;   ///< the worm
        std::string name;       ///< its name
        bool isShown{true};     ///< whether it is shown
        uint32_t nEnds{1};      ///< number of ends not reached yet
        FabricGraph::Node end;  ///< the last of its ends
        bool hasStarted{false}; ///< whether its head has left its root
        uint32_t root{0};       ///< output at its root
        Time started;           ///< when
        std::vector<Leg> legs;  ///< outputs requested and not left
        std::vector<std::pair<FabricGraph::Node, Time>> arrivals; ///< heads that came to hosts
    };

    void AddOutput(FabricGraph::Node node, FabricGraph::Port port)
    {
        const auto isSwitch = m_graph.IsSwitch(node);
        const auto found = m_fabric->GetPort(node, port);
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
        const auto note =
            MakeCallback(&FabricTimeline::Note, Ptr<FabricTimeline>(this)).Bind(number);
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

    uint32_t GetOrder(FabricGraph::Node node) const
    {
        // Number 0 is for the simulations.
        return m_graph.IsSwitch(node) ? TimelineLog::FIRST_SWITCH + node
                                      : node - m_graph.GetNSwitches() + 1;
    }

    /// Handles an event at an output, or at a host's port.
    void Note(uint32_t output, WormholePort::Trace trace, Ptr<const Worm> worm)
    {
        if (trace == WormholePort::REQUEST)
        {
            if (m_log->IsOpen())
            {
                Request(Begin(worm, output), output);
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

    void Request(Voyage& voyage, uint32_t output)
    {
        auto& place = m_outputs[output];
        const auto isTaken = [&](const Leg& leg) {
            return leg.isGranted && leg.output != output &&
                   m_outputs[leg.output].node == place.node;
        };
        // Of choices, one may be granted at the instant of the request, and reported first.
        if (!voyage.worm->GetRoute()->HasChoices() || !AnyOf(voyage.legs, isTaken))
        {
            FindLeg(voyage, output);
            Count(place, 1);
        }
    }

    void Grant(Voyage& voyage, uint32_t output)
    {
        auto& leg = FindLeg(voyage, output);
        leg.granted = Simulator::Now();
        leg.isGranted = true;
        auto& place = m_outputs[output];
        leg.lane = FindLanes(place) ? place.port->GetLane() : -1;
        Count(place, -1);
        if (voyage.worm->GetRoute()->HasChoices())
        {
            EndRequests(voyage, place.node); // for the others (S12)
        }
    }

    void Lose(const WormholeLoss& loss)
    {
        const auto found = m_voyages.find(PeekPointer(loss.worm));
        if (found != m_voyages.end() && !loss.output)
        {
            EndRequests(found->second, m_graph.Find(loss.node));
        }
    }

    void EndRequests(Voyage& voyage, FabricGraph::Node node)
    {
        auto& legs = voyage.legs;
        for (auto leg = legs.begin(); leg != legs.end();)
        {
            auto& output = m_outputs[leg->output];
            const bool isOver = !leg->isGranted && output.node == node;
            if (isOver)
            {
                Count(output, -1);
            }
            leg = isOver ? legs.erase(leg) : leg + 1;
        }
    }

    void HeadStart(Voyage& voyage, uint32_t output)
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

    void TailLeft(Voyage& voyage, uint32_t output)
    {
        const auto leg = std::find_if(voyage.legs.begin(),
                                      voyage.legs.end(),
                                      [output](const Leg& its) { return its.output == output; });
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

    void Deliver(const Voyage& voyage, FabricGraph::Node host)
    {
        const auto head = WriteArrival(voyage, host, Simulator::Now(), false);
        if (!head.IsNegative())
        {
            WriteArrow(voyage, GetArrivalTrack(host), head, true);
        }
        CountEnd(voyage);
    }

    Voyage& Begin(const Ptr<const Worm>& worm, uint32_t output)
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
        voyage.name = NameKind(*worm) + " " + from + " to " +
                      (voyage.nEnds == 1 ? m_graph.GetName(voyage.end)
                                         : std::to_string(voyage.nEnds) + " ends");
        return voyage;
    }

    static Leg& FindLeg(Voyage& voyage, uint32_t output)
    {
        for (auto& leg : voyage.legs)
        {
            if (leg.output == output)
            {
                return leg;
            }
        }
        const auto now = Simulator::Now();
        voyage.legs.push_back({output, now, now, Time::Max(), false, -1});
        return voyage.legs.back();
    }

    void CountEnd(const Voyage& voyage)
    {
        const auto found = m_voyages.find(PeekPointer(voyage.worm));
        if (--found->second.nEnds == 0)
        {
            m_voyages.erase(found);
        }
    }

    void WriteLeg(const Voyage& voyage, const Leg& leg, Time until, bool isOver)
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
        arguments.Add("head_us", std::min(leg.head, until) - leg.granted);
        if (!isOver)
        {
            arguments.Add("unfinished", std::string("has not left at the simulation's end"));
        }
        m_log->AddSlice(m_outputs[leg.output].track,
                        "worm",
                        voyage.name,
                        leg.granted,
                        until,
                        arguments);
    }

    /// Writes that a worm still waits for an output at the end, on a track of those that do.
    void WriteWait(const Voyage& voyage, const Leg& leg, Time until)
    {
        auto track = m_outputs[leg.output].track;
        if (voyage.isShown)
        {
            track.name = "waiting for " + track.name;
            track.order += IN_ORDER;
            TraceEventArguments arguments;
            arguments.Add("worm", voyage.worm->GetId()).Add("waited_us", until - leg.requested);
            m_log->AddSlice(track, "wait", voyage.name, leg.requested, until, arguments);
        }
    }

    /// Writes the arrival of a worm at a host up to a time, if its head has arrived.
    /// @param passes whether the host relays it (S13)
    /// @return when its head arrived; negative if it did not, or the worm is not shown
    Time WriteArrival(const Voyage& voyage, FabricGraph::Node host, Time until, bool passes)
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
        m_log->AddSlice(track,
                        passes ? "in-transit" : "arrival",
                        voyage.name,
                        head,
                        until,
                        arguments);
        return head;
    }

    void WriteArrow(const Voyage& voyage,
                    const TimelineLog::LazyTrack& to,
                    Time time,
                    bool isWithin)
    {
        m_log->AddArrow("worm", m_outputs[voyage.root].track, voyage.started, to, time, isWithin);
    }

    static const LaneEngine* FindLanes(const Output& output)
    {
        const auto engine = output.port->GetNode()->engine;
        const auto lanes = engine ? engine->GetLanes() : nullptr;
        return lanes && lanes->GetNLanes() > 1 ? lanes : nullptr;
    }

    void Count(Output& output, int change)
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

    void Set(const Output& output, Counter& counter, uint64_t nWaiting)
    {
        const auto now = Simulator::Now();
        if (now > counter.changed)
        {
            WriteCount(output, counter);
        }
        counter.nWaiting = nWaiting;
        counter.changed = now;
    }

    void WriteCount(const Output& output, Counter& counter)
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

    /// Writes what has not ended at the end of the simulation.
    void End()
    {
        std::map<uint64_t, const Voyage*> left; // in the order of worms
        for (const auto& [worm, voyage] : m_voyages)
        {
            left[worm->GetId()] = &voyage;
        }
        const auto end = std::max(m_log->GetLatest(), Simulator::Now());
        for (const auto& [id, voyage] : left)
        {
            for (const auto& leg : voyage->legs)
            {
                leg.isGranted ? WriteLeg(*voyage, leg, end, false) : WriteWait(*voyage, leg, end);
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

    TimelineLog::LazyTrack GetArrivalTrack(FabricGraph::Node host) const
    {
        return {m_graph.GetName(host), GetOrder(host), "arrivals", IN_ORDER};
    }

    Ptr<TimelineLog> m_log;                            ///< the output
    Ptr<TimelineExplainer> m_explainer;                ///< explains worms; null: none
    WormholeFabric* m_fabric;                          ///< the fabric, which holds this object
    FabricGraph m_graph;                               ///< the fabric's graph
    std::vector<Output> m_outputs;                     ///< all outputs
    std::unordered_map<const Worm*, Voyage> m_voyages; ///< of worms in flight
};

} // namespace

Ptr<WormTimeline>
WormTimeline::Watch(Ptr<TimelineLog> log,
                    Ptr<WormholeFabric> fabric,
                    const FabricGraph& graph,
                    Ptr<TimelineExplainer> explainer)
{
    const auto made = Create<FabricTimeline>(log, fabric, graph, explainer);
    made->Watch();
    return made;
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

} // namespace ns3
