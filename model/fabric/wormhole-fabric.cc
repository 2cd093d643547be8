// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-fabric.h"

#include "ns3/abort.h"
#include "ns3/fabric-engine.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/outage-text.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WormholeFabric");

NS_OBJECT_ENSURE_REGISTERED(WormholeFabric);

namespace
{

constexpr int64_t DEFAULT_OUTAGE_STREAM = int64_t{1} << 40; // beyond those that programs assign

template <class NODE>
Ptr<NODE>
AtNumber(const std::vector<Ptr<NODE>>& list, uint32_t number, const std::string& what)
{
    if (number >= list.size())
    {
        throw WormholeError(what + " " + std::to_string(number) + ": this fabric has " +
                            std::to_string(list.size()) + ", counted from 0");
    }
    return list[number];
}

} // namespace

TypeId
WormholeFabric::GetTypeId()
{
    static const TypeId tid = [] {
        auto type = NewType::Of<WormholeFabric, Object>("ns3::WormholeFabric");
        const auto addFixed = [&type](const char* name, const char* help, const Sets& sets) {
            type.AddFixed<WormholeFabric>(name, help, sets);
        };
        addFixed("FlitSize",
                 "Size of a flit in bytes.",
                 Sets::Number(&WormholeFabric::m_flitSize, 1, 1));
        addFixed("DataRate",
                 "Data rate of channels that set none of their own. The default is 160 MB/s.",
                 Sets::Rate(&WormholeFabric::m_dataRate, DataRate("1280Mbps")));
        addFixed("FlitTime",
                 "Flit time tau of channels that set no time or rate. 0: by FlitSize, DataRate.",
                 Sets::Duration(&WormholeFabric::m_flitTime));
        addFixed("Replication",
                 "How tree worms advance: async, each branch on its own; or sync, a flit advances "
                 "when it can do so on all branches.",
                 Sets::Choice({"async", "sync"}, "async", &WormholeFabric::m_isSync));
        addFixed(
            "RouteHeader",
            "What worms carry of their routes: none; or source, as in Myrinet: in front of a "
            "worm's own flits, a byte for each switch that is to forward the worm, in flits of "
            "FlitSize that switches drop after reading. Tree worms carry none (rule S1b).",
            Sets::Choice({"none", "source"}, "none", &WormholeFabric::m_hasRouteHeaders));
        addFixed(
            "Buffers",
            "Depth of the input buffers whose BufferDepth is 0: round-trip, enough for the cable's "
            "round trip; or frame, enough also for a frame of the longest Mtu at the start, so "
            "that with Replication async, broadcast frames never wait for each other in a cycle.",
            Sets::Choice({"round-trip", "frame"},
                         "round-trip",
                         &WormholeFabric::m_buffersHoldFrames));
        addFixed("Lanes",
                 "Number of lanes of every channel, each with its own buffer (rule S11). More "
                 "than one requires Grant = worm.",
                 Sets::Number(&WormholeFabric::m_lanes, 1, 1, MAX_LANES));
        addFixed("Priorities",
                 "Priority of each lane, 0 to 255, separated by commas; lanes of higher priority "
                 "go first. Empty: all are equal.",
                 Sets::Text(&WormholeFabric::m_priorities));
        addFixed("Grant",
                 "When an output is granted: flit, when it is free (rule S5); or worm, when in "
                 "addition the credits of the worm's lane suffice for the whole worm (S11). The "
                 "latter requires Replication = async, RouteHeader = none and InTransit = none.",
                 Sets::Word({"flit", "worm"}, "flit", &WormholeFabric::m_grant));
        addFixed(
            "InTransit",
            "When hosts relay worms whose route continues beyond them (rule S13): none (never; "
            "such routes are refused), whole (when all of the worm has arrived) or as-it-comes "
            "(when its head has). The last two require Grant = flit.",
            Sets::Choice({"none", "whole", "as-it-comes"}, "none", &WormholeFabric::m_inTransit));
        const auto priorityBytes = Sets::Number(&WormholeFabric::m_maxPriorityMessageBytes, 0);
        addFixed("MaxPriorityMessageBytes",
                 "Length in bytes of the longest message, or packet of one, of a collective (in "
                 "switches or by software) that takes extra lanes: one for each lane of routes, "
                 "with its own buffer and a priority above all. 0: none. Requires Grant = worm.",
                 priorityBytes);
        AddFormerAttribute(
            type,
            "SynchronisationBytes",
            "MaxPriorityMessageBytes",
            UintegerValue(UINT32_MAX),
            MakeFixedAccessor<WormholeFabric>("SynchronisationBytes", priorityBytes.accessor),
            priorityBytes.checker);
        addFixed("StarvationTime",
                 "With Grant = worm, how long a worm may wait for an output that is granted to "
                 "others before the trace source Starvation fires; 0: it never fires.",
                 Sets::Duration(&WormholeFabric::m_starvationTime, MilliSeconds(10)));
        addFixed("Outages",
                 "Whether outages of cables, switches and hosts may be scheduled while the "
                 "simulation runs (rule S14); if one is known before the start, this is always "
                 "possible. Worms are then moved flit by flit, which takes longer.",
                 Sets::Flag(&WormholeFabric::m_tellsOutages));
        addFixed("OutageSchedule",
                 "Outages as text, separated by ;: PART at TIME [for TIME [every TIME until "
                 "TIME]], or PART mtbf TIME mttr TIME until TIME, with exponential times. A part "
                 "is a switch or host such as s1, a cable such as s1:3-s2:4 (node and port of both "
                 "ends), each-cable (between switches), each-switch or each-host.",
                 Sets::Text(&WormholeFabric::m_outageSchedule));
        addFixed("OutageStream",
                 "First stream of random numbers of OutageSchedule, one for each part of an entry.",
                 Sets::Number(&WormholeFabric::m_outageStream, DEFAULT_OUTAGE_STREAM, 0));
        addFixed("DetectionDelay",
                 "Time until both ends of a cable notice that it is down (S14). No outage is "
                 "shorter.",
                 Sets::Duration(&WormholeFabric::m_detection));
        type.Add("ThrowOnDeadlock",
                 "Whether a deadlock ends the run with a WormholeError that names the "
                 "wait cycle; else only the trace source Deadlock fires.",
                 Sets::Flag(&WormholeFabric::m_throw, true));
        addFixed("DeadlockCheckInterval",
                 "Minimum time, while some worms move, between two checks for others that wait for "
                 "each other; 0: no checks. If no worm moves, a deadlock is found at once.",
                 Sets::Duration(&WormholeFabric::m_watchInterval, MilliSeconds(1)));
        addFixed("DeadlockCheckEvents",
                 "Minimum number of events per cable between two of these checks; a check "
                 "takes about as long as a few events per cable.",
                 Sets::Number(&WormholeFabric::m_watchEvents, 16));
        type.Add("Deadlock",
                 "Worms are found to wait for each other forever; with the report, before the "
                 "error of ThrowOnDeadlock. Without that error, the source fires again when "
                 "nothing moves any more and other worms are blocked: after DeadlockCheckInterval "
                 "or a sixteenth of the time since the first report, whichever is longer.",
                 &WormholeFabric::m_deadlockTrace,
                 "ns3::WormholeFabric::DeadlockTracedCallback");
        type.Add("Starvation",
                 "A worm has waited at least StarvationTime for an output, although the credits of "
                 "its lane suffice, and the output is now granted to another worm, in a lane of "
                 "higher priority or with a choice of lanes. Once per wait; with the worm, the "
                 "output, the lane, the other worm and how long the first worm has waited.",
                 &WormholeFabric::m_starvationTrace,
                 "ns3::WormholeFabric::StarvationTracedCallback");
        type.Add("Outage",
                 "An outage will begin (S14): one that is known when the fabric starts, is "
                 "scheduled during the run, or comes next at random.",
                 &WormholeFabric::m_outageTrace,
                 "ns3::WormholeFabric::OutageTracedCallback");
        type.Add("FlitsLost",
                 "Flits of a worm are lost in an outage (S14): reported one by one at an output, "
                 "and all at once in a node.",
                 &WormholeFabric::m_lossTrace,
                 "ns3::WormholeFabric::LossTracedCallback");
        type.Add("WormCut",
                 "A worm whose rest was lost in an outage is ended at a port (S14): where the "
                 "cable was down, and at each host or register that a part of the worm reaches.",
                 &WormholeFabric::m_cutTrace,
                 "ns3::WormholeFabric::CutTracedCallback");
        type.Add(
            "LongGroupFrame",
            "A host is about to send a frame to all or a group, in a fabric of several switches "
            "that has sync replication or a buffer shorter than the frame; two such frames may "
            "wait for each other forever, if routes permit. At most once; with the host, the "
            "frame's length and the shallowest buffer's depth (0: sync).",
            &WormholeFabric::m_longGroupFrameTrace,
            "ns3::WormholeFabric::LongGroupFrameTracedCallback");
        return type;
    }();
    return tid;
}

WormholeFabric::WormholeFabric()
    : m_engine(std::make_unique<FabricEngine>())
{
}

WormholeFabric::~WormholeFabric()
{
    for (auto& nodeState : m_nodeStates)
    {
        nodeState->engine = nullptr;
    }
}

void
WormholeFabric::DoDispose()
{
    CheckConservation();
    m_engine->GetRounds().Close("has been disposed of");
    m_report.Cancel();
    m_router = nullptr;
    m_explainer.Nullify();
    m_outageTrace = {}; // who listens may hold this fabric
    // Arrivals may still be under way.
    for (auto& fabricSwitch : m_switches)
    {
        m_nodeStates.push_back(fabricSwitch->GetNodeState());
    }
    for (auto& host : m_hosts)
    {
        m_nodeStates.push_back(host->Leave());
    }
    for (auto& port : m_ports)
    {
        port->CancelStart();
    }
    m_switches.clear();
    m_hosts.clear();
    m_channels.clear();
    m_ports.clear();
    m_segment = nullptr;
    m_outages.clear();
    m_hostOf.clear();
    Object::DoDispose();
}

uint32_t
WormholeFabric::AddSwitch(Ptr<WormholeSwitch> fabricSwitch)
{
    RefuseWhenStarted("switch");
    m_switches.push_back(fabricSwitch);
    return GetNSwitches() - 1;
}

uint32_t
WormholeFabric::AddHost(Ptr<WormholeNetDevice> device)
{
    RefuseWhenStarted("host");
    m_hosts.push_back(device);
    ForgetAddresses();
    device->Join(this, GetNHosts() - 1);
    return GetNHosts() - 1;
}

void
WormholeFabric::RefuseWhenStarted(const std::string& what) const
{
    WormholeError::ThrowIf(
        m_started,
        "a " + what + " is added to a fabric that has started; expected before the first worm");
}

void
WormholeFabric::SetExplainer(Explainer explainer)
{
    m_explainer = explainer;
    // It may hold this fabric, which then would outlive a simulation in which it never starts.
    Simulator::ScheduleDestroy(&WormholeFabric::Dispose, Ptr<WormholeFabric>(this));
}

void
WormholeFabric::SetRouter(Ptr<WormholeRouter> router)
{
    m_router = router;
    if (m_router)
    {
        m_router->StartAnew();
    }
}

void
WormholeFabric::Start()
{
    if (m_started)
    {
        return;
    }
    NS_LOG_FUNCTION(this);
    try
    {
        StartParts();
    }
    catch (...)
    {
        CancelStart();
        throw;
    }
    m_started = true;
    Simulator::ScheduleDestroy(&WormholeFabric::Dispose, Ptr<WormholeFabric>(this));
}

void
WormholeFabric::Check() const
{
    ReadLanes();
    ReadOutageSchedule();
    CheckOutages();
    const auto taus = ReadFlitTimes();
    const auto least = GetMinDepth();
    for (const auto& fabricSwitch : m_switches)
    {
        fabricSwitch->ReadAttributes();
    }
    for (const auto& host : m_hosts)
    {
        host->ReadAttributes();
    }
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        m_channels[i]->GetPort(0)->GetFarDepth(taus[i], least);
        m_channels[i]->GetPort(1)->GetFarDepth(taus[i], least);
    }
}

uint64_t
WormholeFabric::GetMinDepth() const
{
    const auto longest = GreatestOf(0U, m_hosts, [this](const auto& host) {
        return m_buffersHoldFrames ? host->GetLongestFrame() : 0;
    });
    return GetFlits(longest);
}

void
WormholeFabric::StartParts()
{
    auto lanes = ReadLanes();
    CheckOutages();
    lanes.onStarvation = [this](const LaneStarvation& starvation) { OnStarvation(starvation); };
    const auto taus = ReadFlitTimes();
    m_tau = ReadFlitTime();
    m_minDepth = UINT64_MAX;
    const auto least = GetMinDepth();
    auto& rounds = m_engine->GetRounds();
    m_engine->Configure(m_isSync, m_hasRouteHeaders ? m_flitSize : 0, m_inTransit);
    rounds.SetWatch(m_watchInterval.GetTimeStep(),
                    uint64_t{m_watchEvents} * m_channels.size(),
                    MakeCallback(&WormholeFabric::OnNoProgress, this),
                    MakeCallback(&WormholeFabric::OnWatch, this));
    bool switchesSend = false;
    for (auto& fabricSwitch : m_switches)
    {
        fabricSwitch->Start(*m_engine);
        switchesSend = switchesSend || fabricSwitch->HasSink();
    }
    for (auto& host : m_hosts)
    {
        host->Start(*m_engine);
    }
    RefuseStrangePorts();
    bool covers = true;
    auto lookahead = std::numeric_limits<int64_t>::max();
    for (std::size_t i = 0; i < m_channels.size(); ++i)
    {
        const auto pace = AddFlitTime(taus[i]);
        for (auto end : {0, 1})
        {
            auto port = m_channels[i]->GetPort(end);
            m_ports.push_back(port);
            port->Start(pace, rounds.times, least);
            const auto& output = port->GetState();
            if (!output.isEjection && GetNSwitches() > 1) // one switch serves such frames in order
            {
                const auto depth = m_isSync ? 0 : output.depth;
                m_minDepth = std::min<uint64_t>(m_minDepth, depth);
            }
            covers = covers && (output.coversRoundTrip || output.isEjection);
            if (!output.arbitrated)
            {
                lookahead = std::min(lookahead, output.hopLatency);
            }
        }
    }
    if (lookahead < std::numeric_limits<int64_t>::max()) // else there is no host to send
    {
        rounds.SetLookahead(lookahead, switchesSend || m_grant == "worm" || HasOutages());
    }
    m_engine->GetRuns().SetBuffersCover(covers);
    if (m_grant == "worm")
    {
        m_engine->SetLanes(lanes, m_ports);
    }
    if (HasOutages())
    {
        StartOutages(lanes);
    }
}

uint8_t
WormholeFabric::AddFlitTime(int64_t tau)
{
    TimeLimit::CheckLength("a flit", tau);
    const auto pace = m_engine->GetRounds().times.Add(tau);
    WormholeError::ThrowIf(!pace,
                           "the cables have more than " + std::to_string(FlitTimes::MOST) +
                               " different flit times; expected at most so many");
    return *pace;
}

void
WormholeFabric::RefuseStrangePorts() const
{
    for (const auto& channel : m_channels)
    {
        for (auto end : {0, 1})
        {
            const auto port = channel->GetPort(end);
            if (port->GetNode()->engine != m_engine.get())
            {
                throw WormholeError(
                    "port " + port->GetName() +
                    " has a cable of this fabric but its node was not added to the fabric");
            }
        }
    }
}

void
WormholeFabric::CancelStart()
{
    for (auto& port : m_ports)
    {
        port->CancelStart();
    }
    m_ports.clear();
    for (auto& fabricSwitch : m_switches)
    {
        fabricSwitch->CancelStart();
    }
    for (auto& host : m_hosts)
    {
        host->CancelStart();
    }
}

Ptr<WormholeSwitch>
WormholeFabric::GetSwitch(uint32_t number) const
{
    return AtNumber(m_switches, number, "switch");
}

Ptr<WormholeNetDevice>
WormholeFabric::GetHost(uint32_t number) const
{
    return AtNumber(m_hosts, number, "host");
}

Ptr<WormholeSegment>
WormholeFabric::GetSegment()
{
    if (!m_segment)
    {
        m_segment = CreateObject<WormholeSegment>();
        m_segment->SetFabric(this);
    }
    return m_segment;
}

Time
WormholeFabric::GetFlitTime(const WormholeChannel& channel) const
{
    return channel.HasOwnFlitTime() ? ReadFlitTime(channel) : GetFlitTime();
}

uint64_t
WormholeFabric::GetRouteFlits(const WormRoute& route, WormRoute::Stop stop) const
{
    return m_engine->GetRuns().GetHops().GetRouteFlits(route, stop);
}

Ptr<const WormRoute>
WormholeFabric::GetFrameRoute(uint32_t from, Mac48Address to)
{
    Start();
    if (!m_router)
    {
        throw WormholeError(GetHost(from)->GetName() + ", host " + std::to_string(from) +
                            ", sends a frame, but its fabric has no router: "
                            "WormholeFabric::SetRouter, or a helper's SetRouter");
    }
    const auto host = to.IsBroadcast() || to.IsGroup() ? GetNHosts() : FindHost(to);
    if (host == GetNHosts())
    {
        // For all, or for somebody behind a bridge.
        auto others = NumbersBelow(GetNHosts());
        others.erase(others.begin() + from);
        return others.empty() ? nullptr : m_router->GetTreeRoute(from, others);
    }
    return host == from ? nullptr : m_router->GetRoute(from, host);
}

uint32_t
WormholeFabric::FindHost(Mac48Address address)
{
    if (m_hostOf.empty())
    {
        for (const auto& host : m_hosts)
        {
            const auto own = Mac48Address::ConvertFrom(host->GetAddress());
            const auto [entry, isNew] = m_hostOf.emplace(own, host->GetHost());
            if (!isNew || own.IsGroup())
            {
                const auto other = GetHost(entry->second)->GetName();
                m_hostOf.clear();
                std::ostringstream text;
                text << (isNew ? host->GetName() + " has"
                               : other + " and " + host->GetName() + " both have")
                     << " the address " << own
                     << "; expected one of its own for each host (WormholeNetDevice::Address)";
                throw WormholeError(text.str());
            }
        }
    }
    const auto found = m_hostOf.find(address);
    return found == m_hostOf.end() ? GetNHosts() : found->second;
}

const FabricCounts&
WormholeFabric::GetCounts() const
{
    return m_engine->GetRounds().counts;
}

void
WormholeFabric::CheckConservation() const
{
    if (const auto flits = m_engine->GetFlits())
    {
        flits->CheckConservation();
        return;
    }
    for (const auto& port : m_ports)
    {
        const auto& output = port->GetState();
        if (const auto lanes = m_engine->GetLanes())
        {
            lanes->CheckConservation(output);
            continue;
        }
        if (output.isEjection)
        {
            continue;
        }
        auto entered = output.sent;
        if (output.owner)
        {
            for (const auto& branch : output.owner->branches)
            {
                entered += branch.output == &output && branch.far ? branch.far->GetNArrivals() : 0;
            }
        }
        auto accounted = output.credits.GetEnd() - output.depth;
        for (auto hop = output.GetFar().input.front; hop; hop = hop->behind)
        {
            accounted += hop->GetNArrivals() - hop->GetNFreed();
        }
        NS_ABORT_MSG_IF(entered != accounted,
                        "port " << port->GetName() << " sent " << entered << " flits, but "
                                << accounted << " have left the next buffer or are in it");
    }
}

} // namespace ns3
