/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-router.h"

#include "channel-dependency.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

TableRouter::TableRouter(const FabricGraph& graph)
    : m_graph(graph),
      m_table(graph.GetRoutes().table)
{
    if (!m_table || m_table->GetNSwitches() != graph.GetNSwitches() ||
        m_table->GetNHosts() != graph.GetNHosts())
    {
        throw WormholeError(
            "routing table: " +
            (m_table ? "the table is of " + std::to_string(m_table->GetNSwitches()) +
                           " switches and " + std::to_string(m_table->GetNHosts()) + " hosts"
                     : std::string("the fabric has no table")) +
            "; accepted is one of its " + std::to_string(graph.GetNSwitches()) + " switches and " +
            std::to_string(graph.GetNHosts()) + " hosts");
    }
    const auto nPorts = graph.GetNSwitches() ? graph.GetNPorts(0) : 0;
    const auto nChannels = std::size_t{graph.GetNSwitches()} * nPorts;
    Use use{std::vector<bool>(nChannels, false), std::vector<std::vector<uint32_t>>(nChannels)};
    std::vector<uint32_t> done(graph.GetNSwitches(), UINT32_MAX);
    for (uint32_t to = 0; to < graph.GetNHosts(); ++to)
    {
        FollowAllTo(to, done, use);
    }
    Rank(use);
}

std::size_t
TableRouter::IndexOf(Node node, Port port) const
{
    return std::size_t{node} * m_graph.GetNPorts(node) + port;
}

FabricGraph::End
TableRouter::EndOf(uint32_t host) const
{
    return m_graph.SwitchOf(m_graph.HostAt(host));
}

FabricGraph::End
TableRouter::Next(Node node, uint32_t to) const
{
    return m_graph.Peer(node, m_table->Get(node, to));
}

void
TableRouter::Refuse(Node node, uint32_t to, const std::string& trouble) const
{
    throw WormholeError("routes to " + m_graph.GetName(m_graph.HostAt(to)) + ": " +
                        m_graph.GetName(node) + " " + trouble +
                        "; accepted are ports that lead there from every host");
}

void
TableRouter::FollowAllTo(uint32_t to, std::vector<uint32_t>& done, Use& use) const
{
    const auto own = m_graph.HostAt(to);
    std::vector<Node> way;
    for (uint32_t from = 0; from < m_graph.GetNHosts(); ++from)
    {
        auto node = EndOf(from).node;
        if (from == to || done[node] == to)
        {
            continue;
        }
        way.clear();
        for (auto before = UINT32_MAX;;)
        {
            const auto port = m_table->Get(node, to);
            if (port == RouteTable::NONE || port >= m_graph.GetNPorts(node))
            {
                Refuse(node,
                       to,
                       port == RouteTable::NONE ? "has no port for it"
                                                : "has no port " + std::to_string(port));
            }
            const auto far = m_graph.Peer(node, port).node;
            if (far == FabricGraph::NONE || (!m_graph.IsSwitch(far) && far != own))
            {
                Refuse(node,
                       to,
                       "leaves by port " + std::to_string(port) + ", which leads to " +
                           (far == FabricGraph::NONE ? "nothing" : m_graph.GetName(far)));
            }
            const auto out = static_cast<uint32_t>(IndexOf(node, port));
            use.used[out] = true;
            if (before != UINT32_MAX && far != own)
            {
                auto& next = use.turns[before];
                if (std::find(next.begin(), next.end(), out) == next.end())
                {
                    next.push_back(out);
                }
            }
            if (done[node] == to) // known from here on, unless this route came here before
            {
                if (const auto again = std::find(way.begin(), way.end(), node); again != way.end())
                {
                    std::string circle;
                    for (auto each = again; each != way.end(); ++each)
                    {
                        circle += m_graph.GetName(*each) + " -> ";
                    }
                    Refuse(node, to, "leads in a circle, " + circle + m_graph.GetName(node));
                }
                break;
            }
            done[node] = to;
            way.push_back(node);
            if (far == own)
            {
                break;
            }
            before = out;
            node = far;
        }
    }
}

std::vector<uint32_t>
TableRouter::FindDepths() const
{
    const auto nSwitches = m_graph.GetNSwitches();
    std::vector<uint32_t> depths(nSwitches, UINT32_MAX);
    std::vector<Node> order;
    for (uint32_t host = 0; host < m_graph.GetNHosts(); ++host)
    {
        const auto node = EndOf(host).node;
        if (depths[node] != 0)
        {
            depths[node] = 0;
            order.push_back(node);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (uint32_t port = 0; port < m_graph.GetNPorts(order[i]); ++port)
        {
            const auto far = m_graph.Peer(order[i], static_cast<Port>(port)).node;
            if (far < nSwitches && depths[far] == UINT32_MAX)
            {
                depths[far] = depths[order[i]] + 1;
                order.push_back(far);
            }
        }
    }
    return depths;
}

void
TableRouter::Rank(const Use& use)
{
    const auto nChannels = static_cast<uint32_t>(use.used.size());
    std::vector<uint32_t> before(nChannels, 0); // channels that are to be ranked first
    for (const auto& next : use.turns)
    {
        for (const auto channel : next)
        {
            ++before[channel];
        }
    }
    std::vector<uint32_t> order;
    std::vector<uint32_t> others;
    for (uint32_t channel = 0; channel < nChannels; ++channel)
    {
        if (!use.used[channel])
        {
            others.push_back(channel);
        }
        else if (before[channel] == 0)
        {
            order.push_back(channel);
        }
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        for (const auto channel : use.turns[order[i]])
        {
            if (--before[channel] == 0)
            {
                order.push_back(channel);
            }
        }
    }
    if (order.size() + others.size() < nChannels)
    {
        CheckDeadlockFree(use);
    }
    const auto depths = FindDepths();
    const auto nPorts = m_graph.GetNSwitches() ? m_graph.GetNPorts(0) : 1;
    std::stable_sort(others.begin(), others.end(), [&](uint32_t a, uint32_t b) {
        return depths[a / nPorts] < depths[b / nPorts];
    });
    order.insert(order.end(), others.begin(), others.end());
    m_ranks.assign(nChannels, 0);
    uint32_t rank = 0;
    for (const auto channel : order)
    {
        m_ranks[channel] = ++rank;
    }
}

void
TableRouter::CheckDeadlockFree(const Use& use) const
{
    ChannelDependency dependency(m_graph);
    const auto nPorts = m_graph.GetNPorts(0);
    const auto channelAt = [nPorts](uint32_t index) {
        return ChannelDependency::Channel{index / nPorts, static_cast<Port>(index % nPorts)};
    };
    for (uint32_t channel = 0; channel < use.turns.size(); ++channel)
    {
        for (const auto next : use.turns[channel])
        {
            dependency.Add(channelAt(channel), channelAt(next));
        }
    }
    dependency.CheckDeadlockFree();
}

uint32_t
TableRouter::GetNKinds() const
{
    return static_cast<uint32_t>(m_ranks.size()) + 1;
}

uint32_t
TableRouter::GetKind(Node node, Port port) const
{
    return m_ranks[IndexOf(node, port)];
}

bool
TableRouter::MayFollow(uint32_t kind, uint32_t next) const
{
    return kind < next;
}

bool
TableRouter::HasCircle(const FabricGraph&) const
{
    return false; // ranks increase
}

uint32_t
TableRouter::CheckHost(const char* role, uint32_t host) const
{
    if (host >= m_graph.GetNHosts())
    {
        throw WormholeError(std::string(role) + " " + std::to_string(host) +
                            ": this fabric has 0 to " + std::to_string(m_graph.GetNHosts() - 1));
    }
    return host;
}

void
TableRouter::AppendPorts(Node node, uint32_t to, WormRoute::Ports& ports) const
{
    while (m_graph.IsSwitch(node))
    {
        ports.push_back(m_table->Get(node, to));
        node = Next(node, to).node;
    }
}

Ptr<const WormRoute>
TableRouter::GetRoute(uint32_t from, uint32_t to)
{
    if (CheckHost("sending host", from) == CheckHost("receiving host", to))
    {
        throw WormholeError("a route from host " + std::to_string(from) +
                            " to itself: accepted is another host");
    }
    WormRoute::Ports ports{0};
    AppendPorts(EndOf(from).node, to, ports);
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

TableRouter::Path
TableRouter::FindPath(const Visits& visits, Node to) const
{
    /// A channel that was reached, or a switch to begin at.
    struct Step
    {
        Node node;        ///< switch that it leads to
        uint32_t rank;    ///< its rank
        Port port;        ///< port that it leaves by
        std::size_t from; ///< step before it, its own number where the path begins
    };

    std::vector<Step> steps;
    for (const auto& [node, visit] : visits)
    {
        steps.push_back({node, visit.rank, 0, 0});
    }
    std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
        return a.node < b.node;
    });
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        steps[i].from = i;
    }
    std::vector<bool> seen(m_ranks.size(), false);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        const auto [node, rank, lastPort, lastFrom] = steps[i];
        if (node == to)
        {
            Path path;
            auto at = i;
            for (; steps[at].from != at; at = steps[at].from)
            {
                path.ports.push_back(steps[at].port);
            }
            std::reverse(path.ports.begin(), path.ports.end());
            path.first = steps[at].node;
            return path;
        }
        for (uint32_t port = 0; port < m_graph.GetNPorts(node); ++port)
        {
            const auto out = static_cast<Port>(port);
            const auto far = m_graph.Peer(node, out).node;
            const auto channel = IndexOf(node, out);
            if (far < m_graph.GetNSwitches() && m_ranks[channel] > rank && !seen[channel] &&
                !visits.count(far))
            {
                seen[channel] = true;
                steps.push_back({far, m_ranks[channel], out, i});
            }
        }
    }
    return {};
}

Ptr<const WormRoute>
TableRouter::GetRouteToSwitch(uint32_t from, uint32_t toSwitch)
{
    CheckHost("sending host", from);
    if (toSwitch >= m_graph.GetNSwitches())
    {
        throw WormholeError("receiving switch " + std::to_string(toSwitch) +
                            ": this fabric has 0 to " + std::to_string(m_graph.GetNSwitches() - 1));
    }
    const auto first = EndOf(from).node;
    WormRoute::Ports ports{0};
    const auto exits = m_graph.PortsToHosts(toSwitch);
    if (first != toSwitch && !exits.empty())
    {
        AppendPorts(first, m_graph.Peer(toSwitch, exits[0]).node - m_graph.GetNSwitches(), ports);
        ports.pop_back();
        return Create<WormRoute>(WormRoute::Path(std::move(ports)));
    }
    const auto path = FindPath({{first, {}}}, toSwitch);
    if (path.first == FabricGraph::NONE)
    {
        throw WormholeError("routes by table: none leads from " +
                            m_graph.GetName(m_graph.HostAt(from)) + " to " +
                            m_graph.GetName(toSwitch) +
                            " without a circle of channels; accepted is a switch that has hosts, "
                            "or up/down routes");
    }
    ports.insert(ports.end(), path.ports.begin(), path.ports.end());
    return Create<WormRoute>(WormRoute::Path(std::move(ports)));
}

void
TableRouter::Graft(Node first, uint32_t to, Visits& visits) const
{
    Path path{first, {}};
    AppendPorts(first, to, path.ports);
    // From the last switch on the way that the tree has.
    auto node = first;
    std::size_t common = 0;
    for (std::size_t i = 0; i < path.ports.size(); ++i)
    {
        if (visits.count(node))
        {
            path.first = node;
            common = i;
        }
        node = m_graph.Peer(node, path.ports[i]).node;
    }
    path.ports.erase(path.ports.begin(), path.ports.begin() + common);
    const auto exit = path.ports.back();
    const auto last = EndOf(to).node;
    if (path.ports.size() > 1 &&
        m_ranks[IndexOf(path.first, path.ports[0])] <= visits.at(path.first).rank)
    {
        path = FindPath(visits, last);
        if (path.first == FabricGraph::NONE)
        {
            throw WormholeError("routes by table: a tree from " + m_graph.GetName(first) +
                                " cannot go on to " + m_graph.GetName(m_graph.HostAt(to)) +
                                " without a circle of channels; accepted are up/down routes");
        }
        path.ports.push_back(exit);
    }
    node = path.first;
    for (const auto port : path.ports)
    {
        auto& ports = visits[node].ports;
        if (std::find(ports.begin(), ports.end(), port) == ports.end())
        {
            ports.push_back(port);
        }
        const auto far = m_graph.Peer(node, port).node;
        if (m_graph.IsSwitch(far))
        {
            visits[far].rank = m_ranks[IndexOf(node, port)];
        }
        node = far;
    }
}

Ptr<const WormRoute>
TableRouter::GetTreeRoute(uint32_t from, const std::vector<uint32_t>& to)
{
    CheckHost("sending host", from);
    auto hosts = to;
    std::sort(hosts.begin(), hosts.end());
    const bool isTwice = std::adjacent_find(hosts.begin(), hosts.end()) != hosts.end();
    if (hosts.empty() || isTwice || std::binary_search(hosts.begin(), hosts.end(), from))
    {
        throw WormholeError("a tree route from host " + std::to_string(from) + " to " +
                            (hosts.empty() ? "no host"
                             : isTwice     ? "a host twice"
                                           : "itself") +
                            ": accepted are other hosts, each once");
    }
    CheckHost("receiving host", hosts.back());
    const auto first = EndOf(from).node;
    Visits visits{{first, {}}};
    for (const auto host : hosts)
    {
        Graft(first, host, visits);
    }
    std::vector<std::vector<uint16_t>> stops{{0}};
    std::vector<Node> nodes{first}; // switches and hosts of stops to come
    for (std::size_t i = 0; i < nodes.size(); ++i)
    {
        stops.emplace_back();
        if (!m_graph.IsSwitch(nodes[i]))
        {
            continue;
        }
        auto& ports = visits.at(nodes[i]).ports;
        std::sort(ports.begin(), ports.end());
        for (const auto port : ports)
        {
            nodes.push_back(m_graph.Peer(nodes[i], port).node);
        }
        stops.back() = ports;
    }
    return Create<WormRoute>(WormRoute::Tree(stops));
}

} // namespace ns3
