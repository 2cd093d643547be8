// SPDX-License-Identifier: GPL-2.0-only

#ifndef TEST_FABRICS_H
#define TEST_FABRICS_H

// Fabrics to test with. The module is included here, and no header of it again by those who include
// this file.

#include "test-case.h"

#include "ns3/invariant-checker.h"
#include "ns3/wormhole-module.h"

namespace ns3
{

using GraphNode = FabricGraph::Node; ///< number of a node
using Port = FabricGraph::Port;      ///< number of a port

/// A line of switches with a host at either end: host 0 at the first, host 1 at the last.
/// @param port the lowest of the three ports of each that have cables
inline FabricGraph
MakeLine(uint32_t nSwitches, FabricGraph::Port port = 0)
{
    FabricGraph graph(nSwitches, 2, port + 3U);
    for (uint32_t s = 1; s < nSwitches; ++s)
    {
        graph.Connect(s - 1, port + 1, s, port);
    }
    graph.Connect(graph.HostAt(0), 0, 0, port + 2);
    graph.Connect(graph.HostAt(1), 0, nSwitches - 1, port + 2);
    return graph;
}

/// @return hosts at one switch @param port the lowest of its ports that have hosts
inline FabricGraph
MakeStar(uint32_t nHosts, FabricGraph::Port port = 0)
{
    FabricGraph graph(1, nHosts, std::max(port + nHosts, 2U));
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        graph.Connect(0, static_cast<FabricGraph::Port>(port + host), graph.HostAt(host), 0);
    }
    return graph;
}

inline std::vector<GraphNode>
ListHosts(const FabricGraph& graph)
{
    return MadeOf(MakeRange(graph.GetNHosts()), [&](uint32_t i) { return graph.HostAt(i); });
}

inline std::vector<Port>
PortsOf(const WormRoute& route)
{
    return MadeOf(MakeRange(route.GetNChannels()),
                  [&](WormRoute::Stop stop) { return Port{route.At(stop)[0].port}; });
}

/// @return whether a way goes up, then down, one of which may be missing @param isUp whether it
/// goes up from one switch to another
template <typename UP>
bool
IsUpThenDown(const std::vector<GraphNode>& way, UP isUp)
{
    bool goneDown = false;
    for (std::size_t i = 1; i < way.size(); ++i)
    {
        if (isUp(way[i - 1], way[i]) && goneDown)
        {
            return false;
        }
        goneDown = !isUp(way[i - 1], way[i]);
    }
    return true;
}

inline Ptr<Worm>
MakeWorm(uint64_t flits, Ptr<const WormRoute> route)
{
    return Create<Worm>(Worm::RAW, nullptr, flits, route);
}

inline Ptr<Worm>
MakeWorm(uint64_t flits, const WormRoute& route)
{
    return MakeWorm(flits, Create<WormRoute>(route));
}

/// Has a host send a worm without a packet. @param wait when, from now on
inline void
SendWorm(const WormholeFabric& fabric,
         uint32_t from,
         uint32_t to,
         uint64_t flits,
         Time wait = Time(0))
{
    fabric.GetHost(from)->SendWorm(MakeWorm(flits, fabric.GetRouter()->GetRoute(from, to)), wait);
}

/// Has an action take all worms without a packet that arrive at hosts.
template <typename ACTION>
void
ReceiveAll(const Ptr<WormholeFabric>& fabric, ACTION action)
{
    for (uint32_t host = 0; host < fabric->GetNHosts(); ++host)
    {
        fabric->GetHost(host)->SetReceiver(Worm::RAW, CallbackOf(action));
    }
}

/// @return ports of switches, by switch, and, if hosts' are wanted, theirs before
inline std::vector<Ptr<WormholePort>>
ListPorts(const Ptr<WormholeFabric>& fabric, bool withHosts)
{
    std::vector<Ptr<WormholePort>> ports;
    for (uint32_t host = 0; withHosts && host < fabric->GetNHosts(); ++host)
    {
        ports.push_back(fabric->GetHost(host)->GetPort());
    }
    for (uint32_t number = 0; number < fabric->GetNSwitches(); ++number)
    {
        const auto node = fabric->GetSwitch(number);
        for (uint32_t port = 0; port < node->GetNPorts(); ++port)
        {
            ports.push_back(node->GetPort(port));
        }
    }
    return ports;
}

/// @return what counts the frames that a network device receives
inline NetDevice::ReceiveCallback
CountFrames(uint32_t& count)
{
    return CallbackOf([&](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
        ++count;
        return true;
    });
}

/// What comes of a worm that is alone in its fabric.
struct LoneWorm
{
    Time arrived;        ///< when it was there
    uint64_t events{0};  ///< events that took
    FabricCounts counts; ///< what the fabric counted
};

/// Sends a worm without a packet from host 0 to host 1 of a new fabric. @param wait when, from the
/// beginning on
inline LoneWorm
SendLoneWorm(const WormholeHelper& helper,
             const FabricGraph& graph,
             uint64_t flits,
             Time wait = Time(0))
{
    Simulator::Destroy();
    const auto fabric = helper.Install(graph);
    LoneWorm outcome;
    fabric->GetHost(1)->SetReceiver(Worm::RAW, CallbackOf([&](Ptr<const Worm>) {
                                        outcome.arrived = Simulator::Now();
                                    }));
    Simulator::Run(); // ns-3's own initialisation of nodes and channels
    const auto before = Simulator::GetEventCount();
    SendWorm(*fabric, 0, 1, flits, wait);
    Simulator::Run();
    outcome.events = Simulator::GetEventCount() - before;
    outcome.counts = fabric->GetCounts();
    return outcome;
}

/// @return a fabric with the routes of its topology
inline Ptr<WormholeFabric>
InstallFabric(const WormholeTopology& topology, WormholeHelper helper = {})
{
    helper.SetRouter(topology.router);
    return helper.Install(topology.graph);
}

/// @return the collectives of a fabric with the routes of its topology
inline Ptr<CollectiveDomain>
InstallDomain(const WormholeTopology& topology,
              CollectiveHelper helper = {},
              const WormholeHelper& fabrics = {})
{
    return helper.Install(InstallFabric(topology, fabrics), topology.graph);
}

/// @return the collectives of a fabric with up/down routes
inline Ptr<CollectiveDomain>
InstallDomain(const FabricGraph& graph,
              CollectiveHelper helper = {},
              const WormholeHelper& fabrics = {})
{
    return helper.Install(fabrics.Install(graph), graph);
}

/// @return registers and slots of all switches that are in use
inline uint64_t
CountHeld(const CollectiveDomain& domain)
{
    return SumOf(MakeRange(domain.GetFabric()->GetNSwitches()), [&](uint32_t number) -> uint64_t {
        const auto unit = domain.GetUnit(number);
        return unit->GetNRegisters() - unit->GetNFree() + unit->GetNSlots() - unit->GetNFreeSlots();
    });
}

/// @return a collective of any kind, of a value or of data
/// @param name becomes what it is, for messages
/// @param accepts whether an algorithm is wanted, by its name
template <typename ACCEPTS>
Ptr<Collective>
DrawCollective(UniformRandomVariable& random, std::string& name, ACCEPTS accepts)
{
    const auto draw = [&](const std::vector<std::string>& list) {
        return list[random.GetInteger(0, static_cast<uint32_t>(list.size()) - 1)];
    };
    while (true)
    {
        const bool isData = random.GetInteger(0, 1) > 0;
        const auto kind =
            draw(isData ? CollectiveHelper::GetKindNames() : Words("barrier broadcast reduction"));
        if (isData && kind == "barrier")
        {
            continue;
        }
        const auto names = ThoseOf(isData ? CollectiveHelper::GetDataNames(kind)
                                          : CollectiveHelper::GetNames(kind),
                                   accepts);
        if (!names.empty())
        {
            const auto algorithm = draw(names);
            name = kind + (isData ? " of data by " : " by ") + algorithm;
            return isData ? CollectiveHelper::MakeData(kind, algorithm)
                          : CollectiveHelper::MakeCollective(kind, algorithm);
        }
    }
}

/// Has hosts make worms from now on. @param load as WormholeTraffic::Load @param flits as
/// WormLength::Parse has it @param end when they stop, from now on @param stream first stream
inline Ptr<WormholeTraffic>
StartTraffic(const Ptr<WormholeFabric>& fabric,
             const FabricGraph& graph,
             double load,
             const std::string& flits,
             Time end,
             int64_t stream = 1)
{
    WormholeTrafficHelper helper;
    helper.SetAttribute("Load", DoubleValue(load));
    const auto traffic = helper.Install(fabric, graph, WormLength::Parse(flits), stream);
    traffic->Start();
    Simulator::Schedule(end, &WormholeTraffic::Stop, traffic);
    return traffic;
}

/// Joins switches by cables at the first ports of each. @param links pairs of switches @return the
/// first open port of each switch
template <typename LINKS>
std::vector<Port>
ConnectOpen(FabricGraph& graph, const LINKS& links)
{
    std::vector<Port> next(graph.GetNSwitches());
    for (const auto& [a, b] : links)
    {
        graph.Connect(a, next[a]++, b, next[b]++);
    }
    return next;
}

/// Joins nodes by cables. @param cables each a node and its port, and another node's
inline void
ConnectAll(FabricGraph& graph, const std::vector<std::array<uint32_t, 4>>& cables)
{
    for (const auto& [a, portA, b, portB] : cables)
    {
        graph.Connect(a, static_cast<Port>(portA), b, static_cast<Port>(portB));
    }
}

/// @return the part of Figure 1 of Moh et al. (2001) that its barrier tree needs
inline FabricGraph
MakeFigureOne()
{
    FabricGraph graph(9, 14, 8);
    const uint32_t cables[][2] = {{3, 0}, {3, 1}, {3, 6}, {3, 7}, {1, 4}, {1, 5}, {0, 2}, {7, 8}};
    ConnectOpen(graph, cables);
    uint32_t host = 0;
    for (const auto& name : Words("0.4 0.5 4.4 4.5 5.4 5.5 3.4 3.6 6.4 6.5 6.6 7.4 7.5 7.6"))
    {
        const auto port = static_cast<Port>(name[2] - '0');
        graph.SetName(graph.HostAt(host), "h" + name);
        graph.Connect(name[0] - '0', port, graph.HostAt(host++), 0);
    }
    return graph;
}

/// Joins a graph's first switches in a ring, with a host each: port 0 leads to the next switch, 1
/// to the one before, 2 to the host.
inline void
ConnectRing(FabricGraph& graph, uint32_t nSwitches)
{
    for (uint32_t s = 0; s < nSwitches; ++s)
    {
        graph.Connect(s, 0, (s + 1) % nSwitches, 1);
        graph.Connect(graph.HostAt(s), 0, s, 2);
    }
}

inline FabricGraph
MakeRing(uint32_t nSwitches)
{
    FabricGraph graph(nSwitches, nSwitches, 3);
    ConnectRing(graph, nSwitches);
    return graph;
}

/// Has hosts of a ring send a worm of 1,000 flits each two switches on, so that all of them
/// together block each other. @param first the first of these hosts @param end the first one after
/// them
inline void
SendAround(WormholeFabric& fabric, uint32_t first, uint32_t end)
{
    const auto route = Create<WormRoute>(WormRoute::Path({0, 0, 0, 2}));
    for (auto host = first; host < end; ++host)
    {
        fabric.GetHost(host)->SendWorm(MakeWorm(1000, route));
    }
}

inline FabricGraph
DrawFabric(const IrregularTopologyHelper::Parameters& parameters, int64_t stream)
{
    IrregularTopologyHelper topology(parameters);
    topology.AssignStreams(stream);
    return topology.Create();
}

inline FabricGraph
DrawFabric(uint32_t switches, uint32_t hosts, int64_t stream = 1, bool hasParallelLinks = false)
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = switches;
    parameters.hosts = hosts;
    parameters.parallelLinks = hasParallelLinks;
    return DrawFabric(parameters, stream);
}

/// @return hosts with software of these attributes, as texts
inline CollectiveHelper
WithSoftware(const std::map<std::string, std::string>& attributes)
{
    CollectiveHelper helper;
    for (const auto& [name, value] : attributes)
    {
        helper.SetSoftwareAttribute(name, StringValue(value));
    }
    return helper;
}

/// @return collectives' units in switches with these attributes, as texts
inline CollectiveHelper
WithUnits(const std::map<std::string, std::string>& attributes)
{
    CollectiveHelper helper;
    for (const auto& [name, value] : attributes)
    {
        helper.SetUnitAttribute(name, StringValue(value));
    }
    return helper;
}

/// @return fabrics with these attributes, as texts @param depth of buffers, flits; 0: the round
/// trip
inline WormholeHelper
WithFabric(const std::map<std::string, std::string>& attributes, uint64_t depth = 0)
{
    WormholeHelper helper;
    if (depth > 0)
    {
        helper.SetPortAttribute("BufferDepth", UintegerValue(depth));
    }
    for (const auto& [name, value] : attributes)
    {
        helper.SetFabricAttribute(name, StringValue(value));
    }
    return helper;
}

/// @return fabrics of these times, ps @param depth of buffers, flits; 0: the round trip
inline WormholeHelper
WithTimes(int64_t flit, int64_t cable, int64_t router, int64_t interface, uint64_t depth = 0)
{
    auto helper = WithFabric({{"FlitTime", InPs(flit)}}, depth);
    helper.SetChannelAttribute("Delay", StringValue(InPs(cable)));
    helper.SetSwitchAttribute("Delay", StringValue(InPs(router)));
    helper.SetDeviceAttribute("Delay", StringValue(InPs(interface)));
    return helper;
}

/// Makes a group, and waits until it is set up. @return the group
template <typename GROUP>
Ptr<GROUP>
SetUp(Ptr<GROUP> group, Ptr<CollectiveDomain> domain, const std::vector<uint32_t>& hosts)
{
    group->Create(domain, hosts);
    Simulator::Run();
    return group;
}

/// Has all members enter. @param value what a member enters with, by rank
inline void
EnterAll(
    Collective& group,
    const std::function<uint64_t(uint32_t)>& value = [](uint32_t) { return 0; })
{
    const auto n = group.GetNMembers(); // the last one to enter may end the group
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        group.Enter(rank, value(rank));
    }
}

/// When members left a group, and with what, in order.
struct Leavings
{
    std::vector<Time> times;       ///< when
    std::vector<uint32_t> ranks;   ///< who
    std::vector<uint64_t> results; ///< with what

    /// Notes all that leave from now on, as long as this is there.
    void Watch(const Ptr<Collective>& group)
    {
        Listen(group, "Leave", [this](uint32_t rank, uint64_t result) {
            times.push_back(Simulator::Now());
            ranks.push_back(rank);
            results.push_back(result);
        });
    }
};

/// Has members of a group enter, and ends when all is done. @param late by rank, when they do, ps;
/// all that it does not name enter at once @return by rank, when they left, ps; -1: they did not.
/// Both count from now on
inline std::vector<int64_t>
CrossOnce(const Ptr<Collective>& group, const std::vector<int64_t>& late = {})
{
    const auto start = Simulator::Now();
    std::vector<int64_t> left(group->GetNMembers(), -1);
    Listen(group, "Leave", [&](uint32_t rank, uint64_t) {
        left.at(rank) = (Simulator::Now() - start).GetPicoSeconds();
    });
    for (uint32_t rank = 0; rank < group->GetNMembers(); ++rank)
    {
        const auto delay = PicoSeconds(rank < late.size() ? late[rank] : 0);
        Simulator::Schedule(delay, &Collective::Enter, group, rank, uint64_t{0});
    }
    Simulator::Run();
    group->Dispose(); // nobody notes when members leave any more
    return left;
}

inline std::vector<int64_t>
CrossOnce(const Ptr<CollectiveDomain>& domain,
          const std::string& kind,
          const std::string& name,
          const std::vector<uint32_t>& hosts,
          const std::vector<int64_t>& late = {})
{
    return CrossOnce(SetUp(CollectiveHelper::MakeCollective(kind, name), domain, hosts), late);
}

/// Has members of a group enter rounds, late and early, and releases it. @param latest most that a
/// member waits before it comes again, ps @return the first law that is broken, or nothing
inline std::string
RunByLaws(const Ptr<Collective>& group,
          const Ptr<CollectiveDomain>& domain,
          const std::vector<uint32_t>& hosts,
          uint32_t rounds,
          const Ptr<UniformRandomVariable>& random,
          uint32_t latest)
{
    const InvariantChecker watch(group, rounds, random, latest);
    group->Create(domain, hosts);
    Simulator::Run();
    const auto trouble = watch.GetTrouble() + domain->ExplainMissing();
    group->Release();
    Simulator::Run();
    group->Dispose();
    return trouble;
}

/// @return hosts of members: as many of each @param tasks members of a host
inline std::vector<uint32_t>
TasksOf(uint32_t hosts, uint32_t tasks)
{
    return MadeOf(MakeRange(hosts * tasks), [tasks](uint32_t i) { return i / tasks; });
}

inline std::vector<FabricGraph::Node>
RandomHosts(const FabricGraph& graph, UniformRandomVariable& random, uint32_t count)
{
    auto hosts = ListHosts(graph);
    Shuffle(hosts, random, count);
    hosts.resize(count);
    return hosts;
}

/// @return an explanation, each interval behind a line break
inline std::string
ToLines(const LatencyIntervals& intervals)
{
    std::ostringstream os;
    for (const auto& interval : intervals)
    {
        os << "\n"
           << interval.from << ".." << interval.to << " " << GetName(interval.cause) << " "
           << interval.place << " " << interval.note;
        if (interval.other)
        {
            os << " worm " << interval.other->GetId();
        }
    }
    return os.str();
}

/// @return what is wrong with an explanation as a whole, or nothing @param from when it is to begin
/// @param to when it is to end
inline std::string
FindGap(const LatencyIntervals& intervals, int64_t from, int64_t to)
{
    for (const auto& interval : intervals)
    {
        if (interval.from != from || interval.to < from)
        {
            return "an interval does not meet the one before it";
        }
        if (interval.to == from && interval.cause != LatencyCause::REGISTER)
        {
            return "an interval takes no time";
        }
        from = interval.to;
    }
    return from == to ? ""
                      : "it ends at " + std::to_string(from) + ", not at " + std::to_string(to);
}

/// @return how long intervals of a cause take together, ns-3 time units
inline int64_t
SumOf(const LatencyIntervals& intervals, LatencyCause cause)
{
    return SumOf(intervals, [cause](const LatencyInterval& each) {
        return each.cause == cause ? each.to - each.from : 0;
    });
}

/// @return what is wrong with an explanation of all from one time to another, or nothing
inline std::string
FindFault(const LatencyIntervals& intervals, int64_t from, int64_t to)
{
    return SumOf(intervals, LatencyCause::UNEXPLAINED) > 0 ? "an interval without a cause"
                                                           : FindGap(intervals, from, to);
}

inline std::vector<std::pair<std::string, std::string>>
ListAlgorithms(const std::vector<std::string>& kinds = CollectiveHelper::GetKindNames())
{
    std::vector<std::pair<std::string, std::string>> algorithms;
    for (const auto& kind : kinds)
    {
        for (const auto& name : CollectiveHelper::GetNames(kind))
        {
            algorithms.emplace_back(kind, name);
        }
    }
    return algorithms;
}

/// @return load of each host at which the busiest channel is full, if traffic is uniform, channel
/// by channel
inline double
CountBound(const FabricGraph& graph, WormholeRouter& router)
{
    std::map<std::pair<GraphNode, Port>, uint32_t> routes; // by node and its port
    uint32_t most = 0;
    for (const auto& [from, to] : ListPairs(graph.GetNHosts()))
    {
        const auto route = router.GetPath(from, to);
        const auto nodes = graph.Walk(graph.HostAt(from), *route);
        for (WormRoute::Stop stop = 0; stop + 1 < nodes.size(); ++stop)
        {
            most = std::max(most, ++routes[{nodes[stop], route->At(stop)[0].port}]);
        }
    }
    return (graph.GetNHosts() - 1.0) / most;
}

/// @return all cables of a fabric, and its nodes' names, a node a line
inline std::string
Describe(const FabricGraph& graph)
{
    std::string text;
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        text += std::to_string(node) + '=' + graph.GetName(node);
        for (Port port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto end = graph.Peer(node, port);
            text += end.node == FabricGraph::NONE
                        ? " -"
                        : " " + std::to_string(end.node) + ":" + std::to_string(end.port);
        }
        text += '\n';
    }
    return text;
}

inline Ptr<DataCollective>
MakeData(DataKind kind, const std::string& name)
{
    return CollectiveHelper::MakeData(DataKindInvariant::GetName(kind), name);
}

inline std::vector<std::string>
ListDataNames(DataKind kind)
{
    return CollectiveHelper::GetDataNames(DataKindInvariant::GetName(kind));
}

/// Has members enter with contents, and runs on. @param inputs by rank, of those that have any
inline void
EnterWith(const Ptr<DataCollective>& group, const std::vector<std::vector<uint8_t>>& inputs)
{
    for (uint32_t rank = 0; rank < inputs.size(); ++rank)
    {
        if (!group->GetInputParts(rank).empty())
        {
            group->SetInput(rank, inputs[rank]);
        }
    }
    EnterAll(*group);
    Simulator::Run();
}

/// @return what algorithms of data are asked for @param bytes of each part, of elements of 4
inline ScheduleRequest
MakeDataRequest(DataKind kind, uint32_t members, uint64_t bytes)
{
    ScheduleRequest request;
    request.kind = kind;
    request.members = members;
    request.parts.assign(DataKindInvariant::GetNParts(kind, members), bytes);
    request.elementBytes = 4;
    return request;
}

inline GroupSchedules
MakeDataSchedules(const std::string& name, const ScheduleRequest& request)
{
    const auto made = MakeData(request.kind, name);
    return dynamic_cast<const ScheduleMaker&>(*made).MakeGroupSchedules(request);
}

inline std::vector<std::string>
ListSoftwareNames(DataKind kind)
{
    return ThoseOf(ListDataNames(kind), [kind](const auto& name) {
        return dynamic_cast<const ScheduleMaker*>(PeekPointer(MakeData(kind, name))) != nullptr;
    });
}

} // namespace ns3

#endif /* TEST_FABRICS_H */
