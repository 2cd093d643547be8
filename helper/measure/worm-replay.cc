// SPDX-License-Identifier: GPL-2.0-only

#include "worm-replay.h"

#include "ns3/boolean.h"
#include "ns3/json-file.h"
#include "ns3/memory-limit.h"
#include "ns3/ordering.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/uinteger.h"
#include "ns3/worm-explainer.h"
#include "ns3/wormhole-helper.h"
#include "ns3/wormhole-latency-report.h"

#include <algorithm>
#include <deque>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

/// A worm of a case. The fabric's numbers are no places in the case: they are given when worms come
/// into sending queues, where hosts pass worms on host by host.
class CaseWorm : public Worm
{
  public:
    CaseWorm(std::size_t place, const WormCase::Worm& worm)
        : Worm(RAW, nullptr, worm.flits, Create<WormRoute>(worm.route)),
          m_place(place)
    {
    }

    std::size_t GetPlace() const
    {
        return m_place;
    }

  private:
    std::size_t m_place; ///< place in the case
};

class ReplayRecorder
{
  public:
    ReplayRecorder(ReplayOutcome& outcome, uint32_t nLanes)
        : m_outcome(outcome),
          m_nLanes(nLanes)
    {
    }

    void Watch(Ptr<WormholePort> port)
    {
        const auto name = port->GetName();
        m_watched.push_back({port, name, {}});
        port->TraceConnectWithoutContext(
            "HeadStart",
            MakeCallback(&ReplayRecorder::HeadStart, this).Bind(&m_watched.back()));
        port->TraceConnectWithoutContext(
            "TailLeft",
            MakeCallback(&ReplayRecorder::TailLeft, this).Bind(&m_watched.back()));
        port->TraceConnect("Delivered",
                           GetNode(name),
                           MakeCallback(&ReplayRecorder::Delivered, this));
    }

    void NoteDeadlock(WormholeFabric* fabric, const std::string& /* report */)
    {
        auto deadlock = fabric->FindDeadlock();
        const auto places = GetPlaces();
        for (auto& wait : deadlock.cycle)
        {
            wait.worm = places[wait.worm];
            wait.forWorm = places[wait.forWorm];
        }
        for (auto& worm : deadlock.blocked)
        {
            worm = places[worm];
        }
        std::sort(deadlock.blocked.begin(), deadlock.blocked.end());
        m_outcome.deadlock = deadlock.Print();
        m_outcome.reports.push_back(std::move(deadlock));
    }

    /// @return places in the case by number in the fabric, of the worms injected so far
    std::vector<std::size_t> GetPlaces() const
    {
        std::vector<std::size_t> places;
        for (const auto& worm : worms)
        {
            if (worm->GetRoot())
            {
                places.resize(std::max<std::size_t>(places.size(), worm->GetId() + 1));
                places[worm->GetId()] = worm->GetPlace();
            }
        }
        return places;
    }

    void NoteLoss(const WormholeLoss& loss)
    {
        Of(loss.worm).lost[loss.GetPlace()] += loss.flits;
    }

    void NoteCut(const FabricGraph* graph, const WormholeCut& cut)
    {
        const auto node = GetNode(cut.input->GetName());
        if (cut.isEnd && !graph->IsSwitch(graph->Find(node)))
        {
            Of(cut.worm).cut[node] = {cut.flits, Simulator::Now().GetTimeStep()};
        }
    }

    std::vector<Ptr<CaseWorm>> worms; ///< the worms of the case that have been made

  private:
    struct Watched
    {
        Ptr<WormholePort> port; ///< the port
        std::string name;       ///< its name
        /// Legs of the worms that have its output, by worm: what the next one begins may be told
        /// before what the last one ends at the same instant.
        std::map<uint64_t, std::string> legs;
    };

    /// @return name of the node of a port, of which that of the port is told
    static std::string GetNode(const std::string& port)
    {
        return port.substr(0, port.rfind(':'));
    }

    ReplayOutcome::Worm& Of(const Ptr<const Worm>& worm)
    {
        return m_outcome.worms[static_cast<const CaseWorm&>(*worm).GetPlace()];
    }

    void HeadStart(Watched* watched, Ptr<const Worm> worm)
    {
        auto name = watched->name;
        if (m_nLanes > 1)
        {
            name += ":" + std::to_string(watched->port->GetLane());
        }
        watched->legs[worm->GetId()] = name;
        Of(worm).legs[name].headStart = Simulator::Now().GetTimeStep();
    }

    void TailLeft(Watched* watched, Ptr<const Worm> worm)
    {
        const auto leg = watched->legs.extract(worm->GetId());
        Of(worm).legs[leg.mapped()].tailEnd = Simulator::Now().GetTimeStep();
    }

    void Delivered(std::string host, Ptr<const Worm> worm)
    {
        Of(worm).delivered[host] = Simulator::Now().GetTimeStep();
    }

    ReplayOutcome& m_outcome;      ///< where to write
    uint32_t m_nLanes;             ///< number of lanes
    std::deque<Watched> m_watched; ///< the ports
};

/// Refuses to explain what takes too much memory: a worm that is longer than a buffer that does not
/// cover its round trip waits at it every few flits, and each time is some intervals.
void
CheckExplained(const WormCase& worms)
{
    constexpr double EACH = 2000; // bytes, with the text
    double bytes = 0;
    for (const auto& worm : worms.worms)
    {
        uint64_t nWaits = 0;
        for (WormRoute::Stop stop = 0; stop < worm.route.GetNStops(); ++stop)
        {
            for (const auto branch : worm.route.At(stop))
            {
                const auto from = worm.stopNodes[stop];
                const auto [tau, p, delay, depth] = worms.GetTiming({from, branch.port});
                const auto far = worms.GetTiming(worms.graph.Peer(from, branch.port));
                const auto isShallow = 1.0 * depth * tau < 1.0 * tau + 2.0 * p + far.switchDelayPs;
                if (worms.graph.IsSwitch(worm.stopNodes[branch.next]) && isShallow)
                {
                    nWaits = std::max(nWaits, worm.flits / depth);
                }
            }
        }
        bytes += EACH * nWaits * worm.route.GetNDestinations();
    }
    MemoryLimit::Check(bytes, [&] {
        return "explaining worms that are longer than buffers shorter than a cable's round trip "
               "takes";
    });
}

void
Explain(const WormCase& worms,
        const WormRecorder& recorder,
        const std::vector<std::size_t>& places,
        ReplayOutcome& outcome)
{
    const WormExplainer explainer(recorder);
    const auto describe = [](const Worm& worm) {
        return "worm " + std::to_string(static_cast<const CaseWorm&>(worm).GetPlace());
    };
    for (std::size_t id = 0; id < places.size(); ++id)
    {
        const auto& worm = worms.worms[places[id]];
        for (WormRoute::Stop end = 1; end < worm.route.GetNStops(); ++end)
        {
            auto intervals = explainer.Explain(id, end);
            if (!intervals.empty())
            {
                std::ostringstream text;
                LatencyReport(std::move(intervals), describe).WriteJson(text);
                outcome.worms[places[id]].explained[worms.graph.GetName(worm.stopNodes[end])] =
                    text.str();
            }
        }
    }
}

/// Tells a fabric of a case's outages (S14): before it starts; or, if worms are sent in time, each
/// at the latest instant.
void
TellOutages(const WormCase& worms, Ptr<WormholeFabric> fabric, ReplaySending sending)
{
    for (const auto& outage : worms.outages)
    {
        const bool isSwitch = worms.graph.IsSwitch(outage.node);
        const auto own = isSwitch ? fabric->GetSwitch(outage.node) : nullptr;
        const auto host =
            isSwitch ? nullptr : fabric->GetHost(outage.node - worms.graph.GetNSwitches());
        Ptr<Object> part = isSwitch ? Ptr<Object>(own) : Ptr<Object>(host);
        if (outage.port)
        {
            part = (isSwitch ? own->GetPort(*outage.port) : host->GetPort())->GetChannel();
        }
        const WormholeOutage told{part,
                                  TimeStep(outage.fromPs),
                                  outage.toPs ? TimeStep(*outage.toPs) : Time::Max()};
        const auto latest = told.from - fabric->GetOutageLead(part);
        if (sending == ReplaySending::IN_TIME && latest.IsStrictlyPositive())
        {
            Simulator::Schedule(latest, [fabric, told] { fabric->ScheduleOutage(told); });
        }
        else
        {
            fabric->ScheduleOutage(told);
        }
    }
}

ReplayOutcome
Replay(const WormCase& worms,
       const std::function<void(WormholeFabric&)>& prepare,
       ReplaySending sending,
       bool isExplained)
{
    if (isExplained)
    {
        CheckExplained(worms);
    }
    Simulator::Destroy();
    WormholeHelper helper;
    helper.SetFabricAttribute("FlitTime", TimeValue(TimeStep(worms.timing.flitTimePs)));
    helper.SetFabricAttribute("Replication", StringValue(worms.sync ? "sync" : "async"));
    helper.SetFabricAttribute("RouteHeader", StringValue(worms.sourceRouted ? "source" : "none"));
    helper.SetFabricAttribute("FlitSize", UintegerValue(worms.flitBytes));
    helper.SetFabricAttribute("Lanes", UintegerValue(worms.lanes));
    helper.SetFabricAttribute("Priorities", StringValue(PrintNumbers(worms.priorities, ",")));
    helper.SetFabricAttribute("Grant", StringValue(worms.whole ? "worm" : "flit"));
    helper.SetFabricAttribute("ThrowOnDeadlock", BooleanValue(false));
    helper.SetFabricAttribute("Outages", BooleanValue(!worms.outages.empty()));
    helper.SetFabricAttribute("DetectionDelay", TimeValue(TimeStep(worms.detectionDelayPs)));
    helper.SetSwitchAttribute("Delay", TimeValue(TimeStep(worms.timing.switchDelayPs)));
    helper.SetFabricAttribute("InTransit", StringValue(NameInTransit(worms.inTransit)));
    helper.SetDeviceAttribute("InTransitDelay", TimeValue(TimeStep(worms.inTransitDelayPs)));
    // A case says when heads ask for the injection channel: the interface's delay is over by then.
    helper.SetDeviceAttribute("Delay", TimeValue(TimeStep(worms.hostDelayPs)));
    helper.SetChannelAttribute("Delay", TimeValue(TimeStep(worms.timing.linkDelayPs)));
    helper.SetPortAttribute("BufferDepth", UintegerValue(worms.timing.depth));
    auto fabric = helper.Install(worms.graph);
    if (prepare)
    {
        prepare(*fabric);
    }

    const auto explained = isExplained ? Create<WormRecorder>() : nullptr;
    if (explained)
    {
        fabric->SetRecorder(explained);
    }
    ReplayOutcome outcome;
    outcome.worms.resize(worms.worms.size());
    ReplayRecorder recorder(outcome, worms.lanes);
    fabric->TraceConnectWithoutContext(
        "Deadlock",
        MakeCallback(&ReplayRecorder::NoteDeadlock, &recorder).Bind(PeekPointer(fabric)));
    if (!worms.outages.empty())
    {
        fabric->TraceConnectWithoutContext("FlitsLost",
                                           MakeCallback(&ReplayRecorder::NoteLoss, &recorder));
        fabric->TraceConnectWithoutContext(
            "WormCut",
            MakeCallback(&ReplayRecorder::NoteCut, &recorder).Bind(&worms.graph));
        TellOutages(worms, fabric, sending);
    }
    for (uint32_t s = 0; s < fabric->GetNSwitches(); ++s)
    {
        for (uint32_t port = 0; port < fabric->GetSwitch(s)->GetNPorts(); ++port)
        {
            if (fabric->GetSwitch(s)->GetPort(port)->IsConnected())
            {
                recorder.Watch(fabric->GetSwitch(s)->GetPort(port));
            }
        }
    }
    for (uint32_t h = 0; h < fabric->GetNHosts(); ++h)
    {
        recorder.Watch(fabric->GetHost(h)->GetPort());
    }

    const auto order =
        NumbersBy(worms.worms.size(), [&](uint32_t i) { return worms.worms[i].timePs; });
    const auto nSwitches = worms.graph.GetNSwitches();
    recorder.worms.reserve(order.size());
    for (const auto i : order)
    {
        const auto& worm = worms.worms[i];
        const auto send =
            [i, &worm, &recorder, device = fabric->GetHost(worm.root - nSwitches)](Time delay) {
                recorder.worms.push_back(Create<CaseWorm>(i, worm));
                device->SendWorm(recorder.worms.back(), delay);
            };
        const auto time = TimeStep(worm.timePs - worms.hostDelayPs);
        if (sending == ReplaySending::IN_TIME)
        {
            Simulator::Schedule(time, [send] { send(Time(0)); });
        }
        else
        {
            send(time);
        }
    }
    Simulator::Run();
    outcome.events = Simulator::GetEventCount();
    for (std::size_t i = 0; i < worms.worms.size(); ++i)
    {
        outcome.worms[i].blocked =
            outcome.worms[i].delivered.size() < worms.worms[i].route.GetNDestinations();
    }
    if (!worms.outages.empty())
    {
        const auto places = recorder.GetPlaces();
        for (auto& worm : outcome.worms)
        {
            worm.blocked = false;
        }
        for (const auto worm : fabric->FindDeadlock().blocked)
        {
            outcome.worms[places[worm]].blocked = true;
        }
    }
    if (explained)
    {
        Explain(worms, *explained, recorder.GetPlaces(), outcome);
    }
    Simulator::Destroy();
    return outcome;
}

} // namespace

ReplayOutcome
ReplayWorms(const WormCase& worms,
            const std::function<void(WormholeFabric&)>& prepare,
            ReplaySending sending)
{
    return Replay(worms, prepare, sending, false);
}

ReplayOutcome
ExplainWorms(const WormCase& worms, const std::function<void(WormholeFabric&)>& prepare)
{
    return Replay(worms, prepare, ReplaySending::AT_FIRST, true);
}

void
PrintReplay(std::ostream& os, const WormCase& worms, const ReplayOutcome& outcome)
{
    const auto print = [&os](const auto& entries, const char* between, const auto& printEntry) {
        const char* comma = "";
        for (const auto& [name, entry] : entries)
        {
            os << comma << JsonFile::Quote(name) << ": ";
            printEntry(entry);
            comma = between;
        }
        os << "}";
    };
    const auto printPlain = [&os](const auto& number) { os << number; };
    os << "{\"worms\": [";
    std::string blocked;
    for (std::size_t i = 0; i < outcome.worms.size(); ++i)
    {
        const auto& worm = outcome.worms[i];
        os << (i ? ",\n" : "\n") << " {\"legs\": {";
        print(worm.legs, ", ", [&os](const auto& leg) {
            os << "[" << leg.headStart << ", "
               << (leg.tailEnd ? std::to_string(*leg.tailEnd) : "null") << "]";
        });
        os << ",\n  \"delivered\": {";
        print(worm.delivered, ", ", printPlain);
        if (!worms.outages.empty())
        {
            os << ",\n  \"lost\": {";
            print(worm.lost, ", ", printPlain);
            os << ", \"cut\": {";
            print(worm.cut, ", ", [&os](const auto& cut) {
                os << "[" << cut.flits << ", " << cut.timePs << "]";
            });
        }
        if (!worm.explained.empty())
        {
            os << ",\n  \"explained\": {";
            print(worm.explained, ",\n   ", printPlain);
        }
        os << "}";
        if (worm.blocked)
        {
            blocked += (blocked.empty() ? "" : ", ") + std::to_string(i);
        }
    }
    os << (worms.worms.empty() ? "" : "\n") << "],\n\"blocked\": [" << blocked << "]}" << std::endl;
}

} // namespace ns3
