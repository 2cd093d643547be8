// SPDX-License-Identifier: GPL-2.0-only

#include "channel-dependency.h"

#include "ns3/ordering.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-route-set.h"

#include <algorithm>
#include <utility>

namespace ns3
{

ChannelDependency::ChannelDependency(const FabricGraph& graph, Branches branches, uint32_t nLanes)
    : m_graph(graph),
      m_branches(branches),
      m_nLanes(nLanes),
      m_nChannels((graph.GetNSwitches() * (graph.GetNSwitches() ? graph.GetNPorts(0) : 0) +
                   graph.GetNHosts()) *
                  nLanes)
{
}

uint32_t
ChannelDependency::IndexOf(Node node, Port port, uint8_t lane) const
{
    const auto nSwitches = m_graph.GetNSwitches();
    const auto cable = m_graph.IsSwitch(node)
                           ? node * m_graph.GetNPorts(node) + port
                           : m_nChannels / m_nLanes - m_graph.GetNHosts() + (node - nSwitches);
    return cable * m_nLanes + lane;
}

ChannelDependency::Channel
ChannelDependency::ChannelAt(uint32_t index) const
{
    const auto nOfSwitches = m_nChannels / m_nLanes - m_graph.GetNHosts();
    const auto cable = index / m_nLanes;
    const auto lane = static_cast<uint8_t>(index % m_nLanes);
    if (cable >= nOfSwitches)
    {
        return {m_graph.HostAt(cable - nOfSwitches), 0, lane};
    }
    const auto nPorts = m_graph.GetNPorts(0);
    return {cable / nPorts, static_cast<Port>(cable % nPorts), lane};
}

void
ChannelDependency::Depend(uint32_t from, uint32_t to)
{
    m_next.resize(m_nChannels);
    if (from != ChannelWaitGraph::NO_CHANNEL && !IsIn(m_next[from], to))
    {
        m_next[from].push_back(to);
        ++m_nDependencies;
    }
}

void
ChannelDependency::Add(Node source, const WormRoute& route)
{
    const auto nodes = m_graph.Walk(source, route);
    if (route.GetMaxLane() >= m_nLanes)
    {
        throw WormholeError("a route from " + m_graph.GetName(source) + " takes lane " +
                            std::to_string(route.GetMaxLane()) + "; expected 0 to " +
                            std::to_string(m_nLanes - 1));
    }
    if (route.HasChoices())
    {
        AddChoices(nodes.size(), [&](std::size_t stop) {
            return MadeOf(route.At(static_cast<WormRoute::Stop>(stop)), [&](const auto& branch) {
                return std::pair(IndexOf(nodes[stop], branch.port, route.GetLane(branch.next)),
                                 branch.next);
            });
        });
        return;
    }
    std::vector<uint32_t> channels;                                           // of each branch
    std::vector<uint32_t> before(nodes.size(), ChannelWaitGraph::NO_CHANNEL); // of each stop
    bool forks = false;
    for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
    {
        forks = forks || route.At(stop).size() > 1;
        for (const auto& branch : route.At(stop))
        {
            channels.push_back(IndexOf(nodes[stop], branch.port, route.GetLane(branch.next)));
            before[branch.next] = channels.back();
        }
    }
    if (!forks || m_branches == Branches::INDEPENDENT)
    {
        for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
        {
            for (const auto& branch : route.At(stop))
            {
                // A host that passes it on takes all of it (S13).
                const bool isTaken = stop > 0 && !m_graph.IsSwitch(nodes[stop]);
                Depend(isTaken ? ChannelWaitGraph::NO_CHANNEL : before[stop], before[branch.next]);
            }
        }
        return;
    }
    auto passed = nodes;
    std::sort(passed.begin(), passed.end());
    if (const auto twice = std::adjacent_find(passed.begin(), passed.end()); twice != passed.end())
    {
        throw WormholeError("a tree route from " + m_graph.GetName(source) + " passes " +
                            m_graph.GetName(*twice) + " twice: expected every node once at most");
    }
    m_trees.Add(route, channels);
    m_nDependencies += channels.size() - route.At(0).size();
}

void
ChannelDependency::Add(const Channel& first, const Channel& next)
{
    Depend(IndexOf(first.node, first.port, first.lane), IndexOf(next.node, next.port, next.lane));
}

void
ChannelDependency::AddAllPairs(const UpDownRouting& routing)
{
    m_pending.push_back(
        {&routing, [&routing](ChannelDependency& all) { all.AddEachPair(routing); }});
}

void
ChannelDependency::AddAllPairs(WormholeRouter& router)
{
    if (const auto rule = dynamic_cast<const TurnRule*>(&router))
    {
        m_pending.push_back({rule, [&router](ChannelDependency& all) { all.AddEachPair(router); }});
        return;
    }
    AddEachPair(router);
}

void
ChannelDependency::AddChoices(
    std::size_t nNodes,
    const std::function<std::vector<std::pair<uint32_t, uint32_t>>(std::size_t)>& choicesAt)
{
    std::vector<std::vector<uint32_t>> before(nNodes); // channels by which the worm may come there
    for (std::size_t node = 0; node < nNodes; ++node)
    {
        const auto choices = choicesAt(node);
        for (std::size_t i = 0; i < choices.size(); ++i)
        {
            const auto [channel, next] = choices[i];
            before[next].push_back(channel);
            for (const auto last : before[node])
            {
                if (m_nLanes == 1 || i + 1 == choices.size())
                {
                    Depend(last, channel);
                }
            }
        }
    }
}

void
ChannelDependency::AddAllPairs(const RouteSet& routes)
{
    const auto& channels = routes.GetChannels();
    const auto nLanes = routes.GetNLanes();
    const auto index = [&](uint32_t vertex) {
        const auto channel = vertex / nLanes;
        return IndexOf(channels.From(channel),
                       channels.PortOf(channel),
                       static_cast<uint8_t>(vertex % nLanes));
    };
    RouteSet::Way way;
    for (uint32_t from = 0; from < m_graph.GetNHosts(); ++from)
    {
        for (uint32_t to = 0; to < m_graph.GetNHosts(); ++to)
        {
            if (from == to)
            {
                continue;
            }
            way.clear();
            routes.Append(from, to, way);
            // A host's own channel waits for others, and its switch's for it; none closes a circle.
            const auto add = [&](const RouteSet::Way& added) {
                for (std::size_t i = 0; i + 1 < added.size(); ++i)
                {
                    Depend(index(added[i]), index(added[i + 1]));
                }
            };
            add(way);
            for (const auto& segment : routes.MakeRouteSegments(from, to))
            {
                add(segment.way);
            }
        }
    }
    const auto ends = routes.HasChoices() ? routes.GetHosts().FindSwitches() : std::vector<Node>();
    for (const auto from : ends)
    {
        for (const auto to : ends)
        {
            const auto choices = routes.MakeChoices(from, to);
            AddChoices(choices.size(), [&](std::size_t node) {
                return MadeOf(choices[node], [&](const auto& choice) {
                    return std::pair(index(choice.vertex), choice.next);
                });
            });
        }
    }
}

void
ChannelDependency::AddPending()
{
    for (const auto& allPairs : std::exchange(m_pending, {}))
    {
        allPairs.addAll(*this);
    }
}

void
ChannelDependency::AddEachPair(const UpDownRouting& routing)
{
    std::vector<Node> seen(2 * std::size_t{m_graph.GetNSwitches()}, FabricGraph::NONE);
    for (Node destination = 0; destination < m_graph.GetNSwitches(); ++destination)
    {
        AddAllTo(routing, destination, seen);
    }
}

void
ChannelDependency::AddEachPair(WormholeRouter& router)
{
    for (uint32_t from = 0; from < m_graph.GetNHosts(); ++from)
    {
        for (uint32_t to = 0; to < m_graph.GetNHosts(); ++to)
        {
            if (from != to)
            {
                Add(m_graph.HostAt(from), *router.GetRoute(from, to));
            }
        }
    }
}

void
ChannelDependency::AddAllTo(const UpDownRouting& routing, Node destination, std::vector<Node>& seen)
{
    const auto exits = m_graph.PortsToHosts(destination);
    for (Node source = 0; source < m_graph.GetNSwitches() && !exits.empty(); ++source)
    {
        // Channels by which a worm to there comes to the node.
        auto before = MadeOf(m_graph.PortsToHosts(source), [&](Port port) {
            return IndexOf(m_graph.Peer(source, port).node, 0);
        });
        bool known = before.empty();
        bool goneDown = false;
        for (auto node = source; node != destination && !known;)
        {
            const auto port = routing.NextPort(node, destination, goneDown);
            const auto out = IndexOf(node, port);
            for (auto channel : before)
            {
                Depend(channel, out);
            }
            auto& last = seen[2 * std::size_t{node} + goneDown];
            known = last == destination;
            last = destination;
            goneDown = goneDown || !routing.IsUp(node, port);
            node = m_graph.Peer(node, port).node;
            before.assign(1, out);
        }
        for (auto channel : before)
        {
            for (auto port : exits)
            {
                const auto host = m_graph.Peer(destination, port).node;
                if (!known && channel != IndexOf(host, 0)) // not back to the sender
                {
                    Depend(channel, IndexOf(destination, port));
                }
            }
        }
    }
}

std::vector<ChannelDependency::Channel>
ChannelDependency::FindCycle()
{
    const bool onlyAllPairs = m_pending.size() == 1 && m_next.empty() && m_trees.IsEmpty();
    if (onlyAllPairs && !m_pending.front().rule->HasCycle(m_graph))
    {
        return {};
    }
    AddPending();
    m_next.resize(m_nChannels);
    ChannelWaitGraph waits;
    std::vector<Node> nodeOf;
    for (uint32_t channel = 0; channel < m_next.size(); ++channel)
    {
        waits.AddVertex(channel);
        nodeOf.push_back(ChannelAt(channel).node);
        for (auto next : m_next[channel])
        {
            waits.AddEdge(channel, next);
        }
    }
    auto trees = m_trees;
    trees.AddTo(waits, m_next);
    return MadeOf(waits.FindCycle(nodeOf), [this](uint32_t channel) { return ChannelAt(channel); });
}

void
ChannelDependency::CheckDeadlockFree()
{
    auto cycle = FindCycle();
    if (cycle.empty())
    {
        return;
    }
    cycle.push_back(cycle.front());
    std::string list;
    for (const auto& channel : cycle)
    {
        list += (list.empty() ? "" : " -> ") + m_graph.GetName(channel.node) + ":" +
                std::to_string(channel.port) +
                (m_nLanes > 1 ? " lane " + std::to_string(channel.lane) : "");
    }
    throw WormholeError(
        "worms on these routes can wait for each other in a cycle, " + list +
        "; expected routes without one, such as up/down routes" +
        (m_trees.IsEmpty() ? "" : ", or tree worms that fit into every input buffer whole"));
}

std::size_t
ChannelDependency::GetNDependencies()
{
    AddPending();
    return m_nDependencies;
}

} // namespace ns3
