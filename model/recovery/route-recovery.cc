// SPDX-License-Identifier: GPL-2.0-only

#include "route-recovery.h"

#include "ns3/channel-dependency.h"
#include "ns3/flit-engine.h"
#include "ns3/log.h"
#include "ns3/new-type.h"
#include "ns3/recovery-node.h"
#include "ns3/recovery-tokens.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("RouteRecovery");

NS_OBJECT_ENSURE_REGISTERED(RouteRecovery);

/// Gives each host's worms the ways that it knows.
class RecoveryRouter : public DerivedRouter
{
  public:
    /// @param first routes to begin with
    RecoveryRouter(const RouteRecovery& recovery, Ptr<WormholeRouter> first)
        : DerivedRouter(first),
          m_recovery(recovery)
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        const auto route = m_recovery.FindRoute(from, to);
        return route ? route : m_router->GetRoute(from, to); // Renew finds that there is none
    }

    Ptr<const WormRoute> GetSwitchPath(uint32_t from, uint32_t to) override
    {
        return m_recovery.m_hosts[from].routes ? GetPath(from, to)
                                               : m_router->GetSwitchPath(from, to);
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        const auto route = m_recovery.FindRouteToSwitch(from, toSwitch);
        return route ? route : m_router->GetRouteToSwitch(from, toSwitch);
    }

  private:
    const RouteRecovery& m_recovery;
};

TypeId
RouteRecovery::GetTypeId()
{
    static TypeId tid = [] {
        const auto bytes = [](uint32_t RouteRecovery::* member, uint32_t initial) {
            return Sets::Number(member, initial, 1, 1U << 20);
        };
        return NewType::Of<RouteRecovery, WormholeRouteManager>("ns3::RouteRecovery")
            .Add("Way",
                 "How routes change in a fabric with outages: none, static, local, overlapping or "
                 "double; empty: the fabric has no RouteRecovery.",
                 Sets::Text(&RouteRecovery::m_wayName))
            .Add("HandlingTime",
                 "Time that a switch takes to handle a message about routes.",
                 Sets::Duration(&RouteRecovery::m_handlingTime, MicroSeconds(1)))
            .Add("ComputeTime",
                 "Time to compute new routes, besides ComputeTimePerSwitch.",
                 Sets::Duration(&RouteRecovery::m_computeTime, MicroSeconds(10)))
            .Add("ComputeTimePerSwitch",
                 "Time to compute new routes, for each switch that is left.",
                 Sets::Duration(&RouteRecovery::m_computeTimePerSwitch, MicroSeconds(1)))
            .Add("PollInterval",
                 "Time between two checks whether worms on old routes are gone.",
                 Sets::Duration(&RouteRecovery::m_pollInterval, MicroSeconds(1)))
            .Add("MessageBytes",
                 "Length of a message about routes, without SwitchBytes and RouteBytes.",
                 bytes(&RouteRecovery::m_messageBytes, 16))
            .Add("SwitchBytes",
                 "Bytes that a message between switches has for each switch that it describes.",
                 bytes(&RouteRecovery::m_switchBytes, 8))
            .Add("RouteBytes",
                 "Bytes that a message to a host has for each host to which it gives a route.",
                 bytes(&RouteRecovery::m_routeBytes, 8))
            .Add("Change",
                 "The last host has received new routes.",
                 &RouteRecovery::m_changeTrace,
                 "ns3::RouteRecovery::ChangeTracedCallback")
            .Add("Host",
                 "A host stops, continues or takes other routes.",
                 &RouteRecovery::m_hostTrace,
                 "ns3::RouteRecovery::HostTracedCallback");
    }();
    return tid;
}

RouteRecovery::RouteRecovery() = default;

RouteRecovery::~RouteRecovery() = default;

void
RouteRecovery::DoDispose()
{
    m_tokens.clear();
    m_nodes.clear();
    m_hosts.clear();
    m_first = m_plain = nullptr;
    m_maker = nullptr;
    m_fabric = nullptr;
    m_engine = nullptr;
    WormholeRouteManager::DoDispose();
}

uint32_t
RouteRecovery::Host::GetNumber() const
{
    return routes ? routes->number : 0;
}

void
RouteRecovery::Install(Ptr<WormholeFabric> fabric, const FabricGraph& graph, RouteMaker maker)
{
    m_fabric = PeekPointer(fabric);
    m_graph = graph;
    m_maker = std::move(maker);
    m_hosts.resize(graph.GetNHosts());
    m_pairs.assign(graph.GetNHosts(), std::vector<Pair>(graph.GetNHosts()));
    m_links = std::make_unique<RecoveryLinks>(RecoveryLinks{
        &m_graph,
        m_handlingTime,
        [this](FabricGraph::Node node) {
            if (const auto tokens = FindTokens(node)) // another change cuts this one short
            {
                tokens->Begin(node);
                return true;
            }
            return m_way->HoldsHosts();
        },
        [this](FabricGraph::Node node) {
            if (const auto tokens = FindTokens(node))
            {
                tokens->Begin(node);
            }
        },
        [this](FabricGraph::End end) { return IsDown(end, true); },
        [this](FabricGraph::Node node) { return IsSwitchDown(node); },
        [this](FabricGraph::Node node, FabricGraph::Port port, const RecoveryMessage& message) {
            Send(node, port, message);
        },
        [this](FabricGraph::Node node,
               const RecoveryMessage::Tag& tag,
               Time noticed,
               const RecoveryMessage::Report& report) { Compute(node, tag, noticed, report); }});
    for (FabricGraph::Node node = 0; m_way->Explores() && node < graph.GetNSwitches(); ++node)
    {
        m_nodes.push_back(std::make_unique<RecoveryNode>(*m_links, node));
    }
    fabric->SetRouter(Create<RecoveryRouter>(*this, m_first));
    fabric->TraceConnectWithoutContext("FlitsLost", MakeCallback(&RouteRecovery::OnLoss, this));
    fabric->AggregateObject(this);
}

// What switches and hosts do.

bool
RouteRecovery::IsDown(FabricGraph::End end, bool isKnown) const
{
    return m_engine->IsDown(m_fabric->GetPort(end.node, end.port)->GetState(), isKnown);
}

bool
RouteRecovery::IsSwitchDown(FabricGraph::Node node) const
{
    return m_engine->IsDown(*m_fabric->GetSwitch(node)->GetNodeState());
}

void
RouteRecovery::NotifyLoss()
{
    if (!m_reviews)
    {
        m_reviews = true; // once for all cables of an instant
        Simulator::ScheduleNow([this] {
            m_reviews = false;
            for (uint32_t from = 0; from < m_hosts.size(); ++from)
            {
                ReviewHost(from);
            }
        });
    }
}

void
RouteRecovery::NotifyCable(Ptr<const WormholePort> port, bool isBrief)
{
    NotifyLoss();
    if (m_nodes.empty())
    {
        return;
    }
    const auto node = m_graph.Find(port->GetNode()->name);
    const FabricGraph::End end{node, static_cast<FabricGraph::Port>(port->GetNumber())};
    if (const auto tokens = FindTokens(node))
    {
        tokens->Lose(end);
    }
    if (m_graph.IsSwitch(node))
    {
        m_nodes[node]->NotifyCable(end.port, isBrief);
    }
    else // it waits until its switch sends routes, but not while it is cut off, perhaps for ever
    {
        Hold(node - m_graph.GetNSwitches(), !IsDown(end, true));
    }
}

void
RouteRecovery::Send(FabricGraph::Node node, FabricGraph::Port port, const RecoveryMessage& message)
{
    const auto toSwitch = m_graph.IsSwitch(m_graph.Peer(node, port).node);
    uint64_t bytes = m_messageBytes;
    if (message.report)
    {
        bytes += uint64_t{m_switchBytes} * message.report->size();
    }
    if (message.routes)
    {
        const auto& piece = message.routes->piece;
        bytes += toSwitch ? uint64_t{m_switchBytes} * piece.switches.size()
                          : uint64_t{m_routeBytes} * piece.hosts.size();
    }
    const auto fabricSwitch = m_fabric->GetSwitch(node);
    const auto send = [&](const RecoveryMessage& part, uint64_t flits) {
        ++m_counts.messages;
        m_counts.messageFlits += flits;
        fabricSwitch->Originate(
            Create<RecoveryWorm>(part, flits, Create<WormRoute>(WormRoute::Path({port}))));
    };
    // What ends in a switch is taken out of its buffer whole.
    const auto most =
        toSwitch ? uint64_t{fabricSwitch->GetPort(port)->GetState().depth} : UINT64_MAX;
    auto left = m_fabric->GetFlits(bytes);
    for (; left > most; left -= most)
    {
        send({RecoveryMessage::PART, message.tag}, most);
    }
    send(message, left);
}

void
RouteRecovery::Hold(uint32_t host, bool isHeld)
{
    auto& own = m_hosts[host];
    const auto now = Simulator::Now();
    if (own.isHeld != isHeld)
    {
        m_counts.held += own.isHeld ? now - own.since : Time(0);
        own.isHeld = isHeld;
        own.since = now;
    }
    m_engine->Hold(*m_fabric->GetHost(host)->GetPort()->GetNode(), isHeld);
    m_hostTrace(host, isHeld, own.GetNumber());
}

void
RouteRecovery::ReceiveAtHost(uint32_t host, const RecoveryMessage& message)
{
    auto& own = m_hosts[host];
    if (message.tag < own.tag)
    {
        return;
    }
    own.tag = message.tag;
    if (const auto tokens = FindTokens(m_graph.HostAt(host)))
    {
        tokens->Begin(m_graph.HostAt(host));
    }
    if (message.kind == RecoveryMessage::STOP)
    {
        Hold(host, true);
        return;
    }
    const bool isNew = own.routes != message.routes;
    own.routes = message.routes;
    Hold(host, false);
    if (isNew && own.routes && own.awaited == own.routes->change)
    {
        auto& change = m_changes[own.routes->change];
        if (--change.hostsLeft == 0)
        {
            change.done = Simulator::Now();
            m_changeTrace(change);
        }
    }
    ReviewHost(host);
}

void
RouteRecovery::NotifyDown(const WormholeNodeState& node)
{
    const auto number = m_graph.Find(node.name);
    if (number < m_nodes.size())
    {
        m_nodes[number]->NotifyDown();
        if (const auto tokens = FindTokens(number))
        {
            tokens->Drop(number);
        }
    }
}

void
RouteRecovery::Receive(const WormholeNodeState& node, uint32_t port, Ptr<const ManagementWorm> worm)
{
    const auto& message = static_cast<const RecoveryWorm&>(*worm).message;
    const auto number = m_graph.Find(node.name);
    if (message.kind == RecoveryMessage::PART)
    {
        return;
    }
    if (message.kind == RecoveryMessage::TOKEN)
    {
        const auto tokens = FindTokens(number);
        if (tokens && &tokens->GetRoutes() == PeekPointer(message.routes))
        {
            const auto from = m_graph.Peer(number, static_cast<FabricGraph::Port>(port));
            tokens->Arrive({from.node, from.port, message.lane});
        }
        return;
    }
    if (m_graph.IsSwitch(number))
    {
        m_nodes[number]->Receive(message, static_cast<FabricGraph::Port>(port));
    }
    else
    {
        ReceiveAtHost(number - m_graph.GetNSwitches(), message);
    }
}

WormholeRouteManager::Way
RouteRecovery::Renew(const WormholeNodeState& node, const Worm& worm)
{
    const auto host = m_graph.Find(node.name) - m_graph.GetNSwitches();
    const auto& own = m_hosts[host];
    const auto& route = worm.GetRoute();
    if (!own.routes || route->GetNDestinations() > 1)
    {
        return {route, own.GetNumber()};
    }
    const auto nodes = m_graph.Walk(m_graph.HostAt(host), *route);
    const auto end = nodes.back();
    if (m_graph.IsSwitch(end))
    {
        const auto found = nodes.size() > 2 ? FindRouteToSwitch(host, end) : nullptr;
        return {found ? found : route, own.GetNumber()};
    }
    const auto found = FindRoute(host, end - m_graph.GetNSwitches());
    m_counts.wormsWithoutRoute += !found;
    return {found, own.GetNumber()};
}

Ptr<const WormRoute>
RouteRecovery::FindRoute(const RecoveryRoutes* routes, uint32_t from, uint32_t to) const
{
    if (!routes)
    {
        return m_first->GetRoute(from, to);
    }
    const auto& hostOf = routes->piece.hostOf;
    const auto isHere = routes->router && hostOf[to] != FabricGraph::NONE;
    return isHere ? routes->router->GetRoute(hostOf[from], hostOf[to]) : nullptr;
}

Ptr<const WormRoute>
RouteRecovery::FindRouteToSwitch(uint32_t from, uint32_t toSwitch) const
{
    const auto& routes = m_hosts[from].routes;
    if (!routes || !routes->router || routes->piece.switchOf[toSwitch] == FabricGraph::NONE)
    {
        return nullptr;
    }
    try
    {
        return routes->router->GetRouteToSwitch(routes->piece.hostOf[from],
                                                routes->piece.switchOf[toSwitch]);
    }
    catch (const WormholeError&)
    {
        return nullptr; // the routing has none to a switch without hosts
    }
}

std::unique_ptr<const FabricGraph>
RouteRecovery::FindLeft(const std::vector<uint32_t>& hosts) const
{
    const auto routes = m_hosts.empty() ? nullptr : m_hosts[hosts.front()].routes;
    const auto isHere = [&](uint32_t host) {
        return routes->piece.hostOf[host] != FabricGraph::NONE;
    };
    const bool areHere = routes && std::all_of(hosts.begin(), hosts.end(), isHere);
    return areHere ? std::make_unique<const FabricGraph>(routes->piece.GetInWhole()) : nullptr;
}

// How routes change.

void
RouteRecovery::Compute(FabricGraph::Node node,
                       std::pair<uint32_t, FabricGraph::Node> tag,
                       Time noticed,
                       const RecoveryMessage::Report& report)
{
    auto routes = Create<RecoveryRoutes>(
        FabricPiece(m_graph, node, [&](FabricGraph::Node end, FabricGraph::Port port) {
            // That of a host's cable is its switch's affair.
            const auto found = report.find(end);
            return !m_graph.IsSwitch(end) || !m_graph.IsSwitch(m_graph.Peer(end, port).node) ||
                   (found != report.end() && found->second[port]);
        }));
    const auto& piece = routes->piece;
    routes->first = node;
    routes->tag = tag;
    routes->change = m_changes.size();
    routes->number = ++m_number;
    // RouteSets of lanes take turns.
    if (!piece.hosts.empty() && m_hosts[piece.hosts[0]].GetNumber() % 2 == routes->number % 2)
    {
        routes->number = ++m_number;
    }
    if (piece.hosts.size() > 1)
    {
        routes->router = m_way->Adapt(m_maker(piece.graph, m_graph, m_plain), routes->number);
    }
    RouteChange change;
    change.noticed = noticed;
    change.explored = Simulator::Now();
    change.switches = static_cast<uint32_t>(piece.switches.size());
    change.hosts = static_cast<uint32_t>(piece.hosts.size());
    m_changes.push_back(change);
    NS_LOG_INFO("switch " << node << " knows " << change.switches << " switches");
    Simulator::Schedule(m_computeTime + m_computeTimePerSwitch * int64_t{change.switches},
                        &RouteRecovery::TryGo,
                        this,
                        Ptr<const RecoveryRoutes>(routes));
}

void
RouteRecovery::TryGo(Ptr<const RecoveryRoutes> routes)
{
    auto& node = *m_nodes[routes->first];
    if (!node.IsLast(routes->tag) || IsSwitchDown(routes->first))
    {
        return; // there is another exploration, or will be
    }
    auto& change = m_changes[routes->change];
    change.computed = change.computed.IsZero() ? Simulator::Now() : change.computed;
    if (!m_way->MayGo(*this, *routes))
    {
        Simulator::Schedule(m_pollInterval, &RouteRecovery::TryGo, this, routes);
        return;
    }
    change.begun = Simulator::Now();
    if (!change.cycle.empty())
    {
        EndTokens(*routes); // all worms are gone
    }
    CountChanged(*routes, change);
    for (const auto host : routes->piece.hosts)
    {
        if (!IsDown({m_graph.HostAt(host), 0}, true)) // else it gets them when it is up
        {
            m_hosts[host].awaited = routes->change;
            ++change.hostsLeft;
        }
    }
    node.Distribute(RecoveryMessage::ROUTES, routes->tag, routes);
}

bool
RouteRecovery::HoldsWorms(const RecoveryRoutes& routes,
                          const std::function<bool(uint32_t)>& isMeant) const
{
    const auto& piece = routes.piece;
    return std::any_of(piece.switches.begin(),
                       piece.switches.end(),
                       [&](auto node) {
                           const auto state = m_fabric->GetSwitch(node)->GetNodeState();
                           return m_engine->Holds(*state, isMeant);
                       }) ||
           std::any_of(piece.hosts.begin(), piece.hosts.end(), [&](uint32_t host) {
               return !IsDown({m_graph.HostAt(host), 0}, true) &&
                      m_engine->Holds(*m_fabric->GetHost(host)->GetPort()->GetNode(), isMeant);
           });
}

bool
RouteRecovery::IsDrained(const RecoveryRoutes& routes) const
{
    const auto& hosts = routes.piece.hosts;
    const auto isStill = [this](uint32_t host) {
        return m_hosts[host].isHeld || IsDown({m_graph.HostAt(host), 0}, true);
    };
    return std::all_of(hosts.begin(), hosts.end(), isStill) &&
           !HoldsWorms(routes, [](uint32_t) { return true; });
}

bool
RouteRecovery::MayOverlap(const RecoveryRoutes& routes)
{
    auto& change = m_changes[routes.change];
    if (!change.cycle.empty())
    {
        return IsDrained(routes);
    }
    RouteSets sets;
    const auto& switches = routes.piece.switches;
    const bool isCutShort = std::any_of(switches.begin(), switches.end(), [this](auto node) {
        return FindTokens(node) != nullptr;
    });
    for (const auto host : routes.piece.hosts)
    {
        const auto& own = m_hosts[host];
        const auto isOwn = [&own](uint32_t number) { return number == own.GetNumber(); };
        if (!own.isHeld || HoldsWorms(routes, isOwn)) // else it sends no more on these
        {
            sets.emplace(own.GetNumber(), PeekPointer(own.routes));
        }
    }
    if (!isCutShort && HoldsWorms(routes, [&](auto number) { return !sets.count(number); }))
    {
        return false;
    }
    const auto before = sets;
    sets.emplace(routes.number, &routes);
    change.cycle = isCutShort ? "it cuts another change short" : FindCycle(sets);
    change.isProved = true;
    if (!isCutShort && !change.cycle.empty() && CanSendTokens(routes, before))
    {
        change.cycle.clear();
        StartTokens(routes, before);
    }
    else if (!change.cycle.empty())
    {
        m_nodes[routes.first]->Distribute(RecoveryMessage::STOP, routes.tag, nullptr);
    }
    return change.cycle.empty();
}

void
RouteRecovery::VisitRoutes(const RouteSets& sets,
                           const std::function<void(uint32_t, const WormRoute&)>& call) const
{
    for (const auto& [number, set] : sets)
    {
        for (uint32_t from = 0; from < m_graph.GetNHosts(); ++from)
        {
            const bool isHere = !set || set->piece.hostOf[from] != FabricGraph::NONE;
            for (uint32_t to = 0; to < m_graph.GetNHosts(); ++to)
            {
                if (const auto route = from == to || !isHere ? nullptr : FindRoute(set, from, to))
                {
                    call(from, *route);
                }
            }
        }
    }
}

std::string
RouteRecovery::FindCycle(const RouteSets& sets) const
{
    ChannelDependency all(m_graph, ChannelDependency::Branches::COUPLED, m_first->GetNLanes());
    VisitRoutes(sets, [&](uint32_t from, const WormRoute& route) {
        all.Add(m_graph.HostAt(from), route);
    });
    try
    {
        all.CheckDeadlockFree();
    }
    catch (const WormholeError& error)
    {
        return error.what();
    }
    return "";
}

void
RouteRecovery::CountChanged(const RecoveryRoutes& routes, RouteChange& change) const
{
    const auto& piece = routes.piece;
    const auto isSame = [](const WormRoute& a, const WormRoute& b) {
        bool same = a.GetNStops() == b.GetNStops();
        for (WormRoute::Stop stop = 0; same && stop < a.GetNStops(); ++stop)
        {
            const auto own = a.At(stop);
            const auto other = b.At(stop);
            same = own.size() == other.size();
            for (std::size_t i = 0; same && i < own.size(); ++i)
            {
                same = own[i].port == other[i].port;
            }
        }
        return same;
    };
    for (const auto from : piece.hosts)
    {
        change.cutOff += m_graph.GetNHosts() - piece.hosts.size();
        for (const auto to : piece.hosts)
        {
            const auto before = from == to ? nullptr : FindRoute(from, to);
            const auto now = from == to ? nullptr : FindRoute(&routes, from, to);
            change.changed += from != to && !(before && isSame(*before, *now));
        }
    }
}

} // namespace ns3
