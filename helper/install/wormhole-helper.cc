// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-helper.h"

#include "wormhole-install-observer.h"

#include "ns3/channel-dependency.h"
#include "ns3/graph-walk.h"
#include "ns3/memory-limit.h"
#include "ns3/names.h"
#include "ns3/net-device-queue-interface.h"
#include "ns3/ordering.h"
#include "ns3/route-recovery.h"
#include "ns3/string.h"
#include "ns3/text-tools.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-topology-factory.h"

#include <algorithm>
#include <iostream>
#include <set>

namespace ns3
{

namespace
{

/// Refuses a fabric that is too large, before much of it is built.
void
CheckMemory(const FabricGraph& graph)
{
    const auto nCables = uint64_t{graph.GetNSwitchLinks()} + graph.GetNHosts();
    const auto needed =
        MemoryLimit::OfFabric(graph.GetNSwitches(), graph.GetNHosts(), 1.0 * nCables);
    MemoryLimit::Check(needed, [&] {
        return "a fabric of " + std::to_string(graph.GetNSwitches()) + " switches, " +
               std::to_string(graph.GetNHosts()) + " hosts and " + std::to_string(nCables) +
               " cables takes";
    });
}

/// Refuses a unit of time in which ns-3 has rounded the default delays, 20 and 300 ns, without a
/// word.
void
RefuseCoarseUnit()
{
    const auto unit = Time::GetResolution();
    WormholeError::ThrowIf(unit != Time::NS && unit != Time::PS && unit != Time::FS,
                           "ns-3's unit of time is longer than a nanosecond here, too long for the "
                           "delays of a fabric; expected Time::SetResolution(Time::PS), NS and "
                           "FS");
}

/// @return flit time of a cable, the nearest one to its rate where it says so; 0 where the rate
/// says it @param cable the cable @param fabric its fabric
Time
ReadFlitTime(const CableProperties& cable, const WormholeFabric& fabric)
{
    constexpr double MAX_ERROR = 0.01;
    if (!cable.rate || !cable.flitTime || !cable.flitTime->IsZero())
    {
        return cable.flitTime.value_or(Time(0));
    }
    UintegerValue flitSize;
    fabric.GetAttribute("FlitSize", flitSize);
    const auto time = ExactTime::RoundTransmission(flitSize.Get(), *cable.rate);
    const auto exact = 8.0 * static_cast<double>(flitSize.Get()) /
                       static_cast<double>(cable.rate->GetBitRate()) * Seconds(1).GetDouble();
    WormholeError::ThrowIf(std::abs(time.GetDouble() / exact - 1) > MAX_ERROR,
                           "the rate ~" + std::to_string(cable.rate->GetBitRate()) +
                               "bps: the nearest flit time is more than 1 % off; expected a longer "
                               "WormholeFabric::FlitSize than " +
                               std::to_string(flitSize.Get()) + " bytes, such as 64");
    return time;
}

/// Refuses nodes of different MPI ranks: worms of one fabric would be lost between them.
void
RefuseRanks(const FabricGraph& graph, const NodeContainer& switches, const NodeContainer& hosts)
{
    const auto nodeOf = [&](FabricGraph::Node node) {
        return graph.IsSwitch(node) ? switches.Get(node) : hosts.Get(node - switches.GetN());
    };
    const auto tell = [&](FabricGraph::Node node) {
        return "node " + std::to_string(nodeOf(node)->GetId()) + " (" + graph.GetName(node) +
               ") is of rank " + std::to_string(nodeOf(node)->GetSystemId());
    };
    for (FabricGraph::Node node = 1; node < graph.GetNNodes(); ++node)
    {
        if (nodeOf(node)->GetSystemId() != nodeOf(0)->GetSystemId())
        {
            throw WormholeError("a fabric across MPI ranks: " + tell(0) + ", " + tell(node) +
                                "; expected a fabric of one rank, and point-to-point links "
                                "between fabrics");
        }
    }
}

/// Has a fabric the lanes that its graph says, and as many as its routes take, if those are more:
/// then outputs are granted to whole worms (S11); and hosts pass worms on as these say (S13).
void
GiveLanes(WormholeFabric& fabric, const LaneProperties& own, const WormholeRouter& router)
{
    if (own.lanes)
    {
        fabric.SetAttribute("Lanes", UintegerValue(*own.lanes));
    }
    for (const auto& outage : own.outages)
    {
        StringValue schedule;
        fabric.GetAttribute("OutageSchedule", schedule);
        fabric.SetAttribute("OutageSchedule", StringValue(schedule.Get() + "; " + outage));
    }
    if (!own.priorities.empty())
    {
        fabric.SetAttribute("Priorities", StringValue(PrintNumbers(own.priorities, ",")));
    }
    if (own.grant)
    {
        fabric.SetAttribute("Grant", StringValue(*own.grant));
    }
    UintegerValue lanes;
    fabric.GetAttribute("Lanes", lanes);
    if (router.GetNLanes() > lanes.Get())
    {
        if (own.grant.value_or("worm") != "worm")
        {
            throw WormholeError("the fabric's grant is " + *own.grant + ", but its routes take " +
                                std::to_string(router.GetNLanes()) +
                                " lanes; expected grant worm, or routes of one lane");
        }
        fabric.SetAttribute("Lanes", UintegerValue(router.GetNLanes()));
        fabric.SetAttribute("Grant", StringValue("worm"));
    }
    if (router.GetInTransit() != InTransit::NONE)
    {
        fabric.SetAttribute("InTransit", StringValue(NameInTransit(router.GetInTransit())));
    }
}

/// @return nodes for switches, of their first host's rank @param n how many @param hosts the hosts
NodeContainer
MakeSwitches(uint32_t n, const NodeContainer& hosts)
{
    NodeContainer switches;
    switches.Create(n, hosts.GetN() > 0 ? hosts.Get(0)->GetSystemId() : 0);
    return switches;
}

/// Gives a cable what it has of its own.
void
SetProperties(const CableProperties& properties,
              WormholeChannel& channel,
              const WormholeFabric& fabric)
{
    if (properties.rate || properties.flitTime)
    {
        channel.SetAttribute("DataRate", DataRateValue(properties.rate.value_or(DataRate(0))));
        channel.SetAttribute("FlitTime", TimeValue(ReadFlitTime(properties, fabric)));
    }
    if (properties.delay)
    {
        channel.SetAttribute("Delay", TimeValue(*properties.delay));
    }
    auto depth = properties.depth;
    if (properties.depthBytes)
    {
        UintegerValue flitSize;
        fabric.GetAttribute("FlitSize", flitSize);
        const auto flits = *properties.depthBytes / flitSize.Get();
        if (flits == 0 || flits > WormholePort::MAX_DEPTH)
        {
            throw WormholeError("a buffer of " + std::to_string(*properties.depthBytes) +
                                " bytes at " + channel.GetPort(0)->GetName() + " or " +
                                channel.GetPort(1)->GetName() + ": expected 1 to " +
                                std::to_string(WormholePort::MAX_DEPTH) + " flits of " +
                                std::to_string(flitSize.Get()) + " bytes");
        }
        depth = static_cast<uint32_t>(flits);
    }
    for (const std::size_t end : {0, 1})
    {
        if (depth)
        {
            channel.GetPort(end)->SetAttribute("BufferDepth", UintegerValue(*depth));
        }
    }
}

/// @return routes of what is left of a fabric: of the same kind where that fits, of no more lanes,
/// and else up/down; on a fat tree those that can stay are the same
/// @param piece what is left; its routes are of the whole fabric's kind
/// @param before routes of the whole fabric
Ptr<WormholeRouter>
MakePieceRouter(const FabricGraph& piece, const FabricGraph& whole, Ptr<WormholeRouter> before)
{
    auto routes = piece.GetRoutes();
    const auto base = routes.routing.substr(0, routes.routing.find('['));
    auto tree = whole;
    if (base == "fat-tree" || base == "nearest-ancestor" ||
        (base == "balanced" && ChooseRouting(tree)))
    {
        return MakeRepairedRouter(piece, whole, before);
    }
    try
    {
        const auto router = MakeRouter(piece);
        if (router->GetNLanes() <= before->GetNLanes() &&
            (router->GetInTransit() == InTransit::NONE ||
             router->GetInTransit() == before->GetInTransit()))
        {
            return router;
        }
    }
    catch (const WormholeError&)
    {
        if (base == "up-down")
        {
            throw;
        }
    }
    routes.routing = "up-down";
    routes.family.clear();
    routes.table = nullptr;
    auto routed = piece;
    routed.SetRoutes(routes);
    return MakeRouter(routed);
}

FabricGraph
GetGraph(const WormholeFabric& fabric)
{
    const auto nSwitches = fabric.GetNSwitches();
    uint32_t nPorts = 1;
    std::map<Ptr<const WormholePort>, FabricGraph::Node> nodeOf;
    for (uint32_t s = 0; s < nSwitches; ++s)
    {
        const auto fabricSwitch = fabric.GetSwitch(s);
        nPorts = std::max(nPorts, fabricSwitch->GetNPorts());
        for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
        {
            nodeOf[fabricSwitch->GetPort(port)] = s;
        }
    }
    for (uint32_t h = 0; h < fabric.GetNHosts(); ++h)
    {
        nodeOf[fabric.GetHost(h)->GetPort()] = nSwitches + h;
    }
    FabricGraph graph(nSwitches, fabric.GetNHosts(), nPorts);
    for (const auto& [port, node] : nodeOf)
    {
        const auto channel = port->GetChannel();
        if (channel && channel->GetPort(0) == port)
        {
            const auto far = channel->GetPort(1);
            graph.Connect(node,
                          static_cast<FabricGraph::Port>(port->GetNumber()),
                          nodeOf.at(far),
                          static_cast<FabricGraph::Port>(far->GetNumber()));
        }
    }
    return graph;
}

/// Checks the routes of broadcasts from up to 32 hosts, spread over the fabric, and those between
/// these hosts. @return whether frames longer than the buffers can wait for each other in a cycle
bool
CanDeadlock(const WormholeFabric& fabric)
{
    constexpr uint32_t MOST_HOSTS = 32; // routes are quadratic in these
    constexpr uint32_t MOST_ENDS = 100'000;
    const auto nHosts = fabric.GetNHosts();
    if (fabric.GetNSwitches() < 2 || nHosts < 2)
    {
        return false;
    }
    const auto graph = GetGraph(fabric);
    const auto router = fabric.GetRouter();
    ChannelDependency waits(graph, ChannelDependency::Branches::COUPLED, router->GetNLanes());
    const auto n = std::clamp(MOST_ENDS / nHosts, 2U, std::min(MOST_HOSTS, nHosts));
    const auto some = MadeOfNumbers(n, [nHosts, n](uint64_t i) {
        return static_cast<uint32_t>(i * (nHosts - 1) / (n - 1));
    });
    try
    {
        for (const auto from : some)
        {
            const auto others = NumbersWith(nHosts, [from](uint32_t to) { return to != from; });
            waits.Add(graph.HostAt(from), *router->GetTreeRoute(from, others));
            for (const auto to : some)
            {
                if (to != from)
                {
                    waits.Add(graph.HostAt(from), *router->GetRoute(from, to));
                }
            }
        }
    }
    catch (const WormholeError&) // a tree that passes a switch twice is not known to be safe
    {
        return true;
    }
    return !waits.FindCycle().empty();
}

/// Warns on standard error if broadcast frames may deadlock because buffers are too short: before
/// the first one that exceeds them, see WormholeFabric's trace source LongGroupFrame.
void
WarnOfBroadcasts(const WormholeFabric* fabric, uint32_t host, uint64_t flits, uint32_t depth)
{
    if (!CanDeadlock(*fabric))
    {
        return;
    }
    std::clog << "wormhole: hint: " << fabric->GetHost(host)->GetName()
              << " sends a broadcast or multicast frame of " << flits << " flits, "
              << (depth == 0 ? "with sync replication"
                             : "and a switch's buffer holds " + std::to_string(depth))
              << ": such frames may wait for each other for ever; set "
                 "ns3::WormholeFabric::Buffers to frame"
              << (depth == 0 ? " and Replication to async" : "") << std::endl;
}

} // namespace

std::vector<InstallObserver*> InstallObserver::s_all;

WormholeHelper::WormholeHelper()
{
    m_fabricFactory.SetTypeId("ns3::WormholeFabric");
    m_switchFactory.SetTypeId("ns3::WormholeSwitch");
    m_deviceFactory.SetTypeId("ns3::WormholeNetDevice");
    m_channelFactory.SetTypeId("ns3::WormholeChannel");
    SetQueue("ns3::DropTailQueue");
}

void
WormholeHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    WormholeError::ThrowIf(name == "DataRate",
                           "SetDeviceAttribute(\"DataRate\"): cables have rates; expected "
                           "SetFabricAttribute(\"DataRate\") for all and SetChannelAttribute for "
                           "some");
    WormholeError::ThrowIf(name == "Address",
                           "SetDeviceAttribute(\"Address\"): each interface gets an address of its "
                           "own; expected SetAddress of an interface");
    SetFactoryAttribute(m_deviceFactory, name, value);
}

void
WormholeHelper::SetChannelAttribute(const std::string& name,
                                    const AttributeValue& value,
                                    const CableSelector& selector)
{
    CheckAttributeValue(WormholeChannel::GetTypeId(), name, value);
    m_cableAttributes.push_back({name, value.Copy(), selector, {}});
}

void
WormholeHelper::SetChannelAttribute(const std::string& name,
                                    const AttributeValue& value,
                                    const std::vector<FabricGraph::End>& cables)
{
    const auto selector = [cables](const FabricGraph& graph, FabricGraph::End end) {
        const auto far = graph.Peer(end.node, end.port);
        return AnyOf(cables, [&](const FabricGraph::End& one) {
            return (one.node == end.node && one.port == end.port) ||
                   (one.node == far.node && one.port == far.port);
        });
    };
    SetChannelAttribute(name, value, selector);
    m_cableAttributes.back().cables = cables;
}

void
WormholeHelper::SetQueue(const std::string& type)
{
    m_queued = !type.empty();
    if (m_queued)
    {
        auto name = type;
        QueueBase::AppendItemTypeIfNotPresent(name, "Packet");
        TypeId found;
        WormholeError::ThrowIf(!TypeId::LookupByNameFailSafe(name, &found) ||
                                   !found.IsChildOf(Queue<Packet>::GetTypeId()) ||
                                   !found.HasConstructor(),
                               "SetQueue(\"" + type +
                                   "\"): expected queues of packets, such "
                                   "as ns3::DropTailQueue, or \"\" for none");
        m_queueFactory.SetTypeId(found);
    }
}

void
WormholeHelper::SetQueueAttribute(const std::string& name, const AttributeValue& value)
{
    WormholeError::ThrowIf(!m_queued,
                           "there is no queue to have the attribute " + name +
                               "; name a type by SetQueue first");
    SetFactoryAttribute(m_queueFactory, name, value);
}

void
WormholeHelper::AddQueue(Ptr<WormholeNetDevice> device) const
{
    if (!m_queued)
    {
        return;
    }
    auto queue = m_queueFactory.Create<Queue<Packet>>();
    device->SetQueue(queue);
    if (m_flowControl)
    {
        auto interface = CreateObject<NetDeviceQueueInterface>();
        interface->GetTxQueue(0)->ConnectQueueTraces(queue);
        device->AggregateObject(interface);
    }
}

Ptr<WormholeRouter>
WormholeHelper::MakeRouter(const FabricGraph& graph) const
{
    if (!m_router)
    {
        if (m_routingRoot.empty())
        {
            return ns3::MakeRouter(graph);
        }
        auto routes = graph.GetRoutes();
        routes.routing = "up-down";
        routes.root = m_routingRoot;
        auto routed = graph;
        routed.SetRoutes(routes);
        return ns3::MakeRouter(routed);
    }
    WormholeError::ThrowIf(!m_routingRoot.empty(),
                           "root '" + m_routingRoot +
                               "' of up/down routes, and a router for other routes: expected one "
                               "of the two");
    if (graph.GetNHosts() < 2)
    {
        return m_router;
    }
    const auto first = graph.HostAt(0);
    const auto last = graph.HostAt(graph.GetNHosts() - 1);
    std::string trouble;
    try
    {
        const auto end = graph.Walk(first, *m_router->GetRoute(0, graph.GetNHosts() - 1)).back();
        trouble = end == last ? "" : "it leads to " + graph.GetName(end);
    }
    catch (const WormholeError& error)
    {
        trouble = error.what();
    }
    WormholeError::ThrowIf(!trouble.empty(),
                           "the router's route from " + graph.GetName(first) + " to " +
                               graph.GetName(last) + " (" + trouble +
                               "): expected a router made for this graph");
    return m_router;
}

Ptr<WormholeFabric>
WormholeHelper::Install(const FabricGraph& graph) const
{
    CheckMemory(graph);
    NodeContainer switches;
    NodeContainer hosts;
    switches.Create(graph.GetNSwitches());
    hosts.Create(graph.GetNHosts());
    return Install(graph, switches, hosts);
}

Ptr<WormholeFabric>
WormholeHelper::Install(const FabricGraph& graph,
                        const NodeContainer& switches,
                        const NodeContainer& hosts) const
{
    graph.Validate();
    RefuseCoarseUnit();
    CheckMemory(graph);
    WormholeError::ThrowIf(
        switches.GetN() != graph.GetNSwitches() || hosts.GetN() != graph.GetNHosts(),
        "the graph has " + std::to_string(graph.GetNSwitches()) + " switches and " +
            std::to_string(graph.GetNHosts()) + " hosts, but nodes were given for " +
            std::to_string(switches.GetN()) + " and " + std::to_string(hosts.GetN()));
    std::set<uint32_t> ids;
    for (auto node = switches.Begin(); node != switches.End(); ++node)
    {
        WormholeError::ThrowIf((*node)->GetObject<WormholeSwitch>() ||
                                   !ids.insert((*node)->GetId()).second,
                               "node " + std::to_string((*node)->GetId()) +
                                   " is to be a switch twice; expected a node for each switch");
    }
    RefuseRanks(graph, switches, hosts);
    auto router = MakeRouter(graph);
    auto fabric = m_fabricFactory.Create<WormholeFabric>();
    if (const auto& all = graph.GetProperties().cables; all.rate || all.flitTime)
    {
        if (all.rate)
        {
            fabric->SetAttribute("DataRate", DataRateValue(*all.rate));
        }
        fabric->SetAttribute("FlitTime", TimeValue(ReadFlitTime(all, *fabric)));
    }
    auto recovery = CreateObject<RouteRecovery>();
    if (recovery->IsWanted())
    {
        router = recovery->Prepare(graph, router);
    }
    GiveLanes(*fabric, graph.GetProperties().lanes, *router);
    for (FabricGraph::Node s = 0; s < graph.GetNSwitches(); ++s)
    {
        auto fabricSwitch = m_switchFactory.Create<WormholeSwitch>();
        fabricSwitch->SetName(graph.GetName(s));
        if (const auto delay = graph.GetProperties().GetSwitchDelay(s))
        {
            fabricSwitch->SetAttribute("Delay", TimeValue(*delay));
        }
        fabric->AddSwitch(fabricSwitch);
    }
    for (uint32_t h = 0; h < graph.GetNHosts(); ++h)
    {
        auto device = m_deviceFactory.Create<WormholeNetDevice>();
        device->SetName(graph.GetName(graph.HostAt(h)));
        fabric->AddHost(device);
    }
    Connect(graph, fabric);
    fabric->SetRouter(router);
    if (recovery->IsWanted())
    {
        recovery->Install(fabric, graph, MakePieceRouter);
    }
    fabric->Check(); // while the nodes are as they were
    for (FabricGraph::Node s = 0; s < graph.GetNSwitches(); ++s)
    {
        switches.Get(s)->AggregateObject(fabric->GetSwitch(s));
    }
    for (uint32_t h = 0; h < graph.GetNHosts(); ++h)
    {
        auto device = fabric->GetHost(h);
        device->SetAddress(Mac48Address::Allocate());
        hosts.Get(h)->AddDevice(device);
        AddQueue(device);
    }
    // A plain pointer: the fabric must not keep itself.
    const WormholeFabric* itself = PeekPointer(fabric);
    fabric->TraceConnectWithoutContext("LongGroupFrame",
                                       MakeBoundCallback(&WarnOfBroadcasts, itself));
    fabric->GetSegment(); // which keeps the fabric, even if the caller keeps its devices only
    for (auto* observer : InstallObserver::GetAll())
    {
        observer->ObserveFabric(fabric, graph);
    }
    return fabric;
}

void
WormholeHelper::Connect(const FabricGraph& graph, Ptr<WormholeFabric> fabric) const
{
    for (const auto& attribute : m_cableAttributes)
    {
        for (const auto& end : attribute.cables)
        {
            graph.RequireCable(end.node, end.port);
        }
    }
    ForEachCable(graph, [&](FabricGraph::End end, FabricGraph::End far) {
        auto channel = m_channelFactory.Create<WormholeChannel>();
        auto a = fabric->GetPort(end.node, end.port);
        auto b = fabric->GetPort(far.node, far.port);
        for (const auto& [name, value] : m_portAttributes)
        {
            a->SetAttribute(name, *value);
            b->SetAttribute(name, *value);
        }
        channel->Connect(a, b);
        fabric->AddChannel(channel);
        if (!graph.GetProperties().IsEmpty())
        {
            auto cable = graph.GetProperties().GetCable({end.node, end.port});
            const auto own = graph.GetProperties().FindCable({end.node, end.port});
            if (!own || !(own->rate || own->flitTime))
            {
                cable.rate.reset(); // what all have is the fabric's
                cable.flitTime.reset();
            }
            SetProperties(cable, *channel, *fabric);
        }
        for (const auto& attribute : m_cableAttributes)
        {
            if (attribute.selector(graph, {end.node, end.port}))
            {
                channel->SetAttribute(attribute.name, *attribute.value);
            }
        }
    });
}

NetDeviceContainer
WormholeHelper::Install(const NodeContainer& hosts) const
{
    const auto nHosts = hosts.GetN();
    WormholeError::ThrowIf(nHosts == 0, "a fabric for no node: expected one or more");
    FabricGraph graph(1, nHosts, nHosts);
    for (uint32_t h = 0; h < nHosts; ++h)
    {
        graph.Connect(0, static_cast<FabricGraph::Port>(h), graph.HostAt(h), 0);
    }
    return GetDevices(Install(graph, MakeSwitches(1, hosts), hosts));
}

NetDeviceContainer
WormholeHelper::Install(const std::string& topology, const NodeContainer& hosts) const
{
    const auto made = MakeTopology(topology);
    const auto nHosts = made.graph.GetNHosts();
    WormholeError::ThrowIf(hosts.GetN() != nHosts,
                           "topology '" + topology + "' has " + std::to_string(nHosts) +
                               " hosts, but " + std::to_string(hosts.GetN()) + " nodes were given");
    auto helper = *this;
    if (!m_router && m_routingRoot.empty())
    {
        helper.SetRouter(made.router);
    }
    const auto switches = MakeSwitches(made.graph.GetNSwitches(), hosts);
    return GetDevices(helper.Install(made.graph, switches, hosts));
}

NetDeviceContainer
WormholeHelper::Install(const std::string& a, const std::string& b) const
{
    NodeContainer hosts;
    for (const auto& name : {a, b})
    {
        const auto node = Names::Find<Node>(name);
        WormholeError::ThrowIf(!node,
                               "there is no node of the name " + name +
                                   "; expected one that "
                                   "ns-3's Names knows");
        hosts.Add(node);
    }
    return Install(hosts);
}

NetDeviceContainer
WormholeHelper::GetDevices(Ptr<const WormholeFabric> fabric)
{
    NetDeviceContainer devices;
    for (uint32_t h = 0; h < fabric->GetNHosts(); ++h)
    {
        devices.Add(fabric->GetHost(h));
    }
    return devices;
}

} // namespace ns3
