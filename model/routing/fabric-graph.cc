// SPDX-License-Identifier: GPL-2.0-only

#include "fabric-graph.h"

#include "ns3/assert.h"
#include "ns3/memory-limit.h"
#include "ns3/ordering.h"
#include "ns3/printable-text.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <set>

namespace ns3
{

namespace
{

/// @return ports of a switch that lead to switches, or to hosts
std::vector<FabricGraph::Port>
PortsTo(const FabricGraph& graph, FabricGraph::Node node, bool isSwitch)
{
    std::vector<FabricGraph::Port> ports;
    for (uint32_t i = 0; i < graph.GetNPorts(node); ++i)
    {
        const auto port = static_cast<FabricGraph::Port>(i);
        const auto peer = graph.Peer(node, port).node;
        if (peer != FabricGraph::NONE && graph.IsSwitch(peer) == isSwitch)
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace

FabricGraph::FabricGraph(uint32_t nSwitches, uint32_t nHosts, uint32_t nPorts)
    : m_nSwitches(nSwitches),
      m_nHosts(nHosts),
      m_nPorts(nPorts)
{
    WormholeError::ThrowIf(nHosts >= NONE - nSwitches,
                           std::to_string(nSwitches) + " switches and " + std::to_string(nHosts) +
                               " hosts: a fabric has at most " + std::to_string(NONE - 1) +
                               " nodes");
    WormholeError::ThrowIf(nPorts > UINT16_MAX,
                           std::to_string(nPorts) + " ports a switch: a switch has at most " +
                               std::to_string(UINT16_MAX));
    // With it go a copy, and lists of neighbours in routers, of the same order.
    constexpr double PORT = 4 * sizeof(End);
    MemoryLimit::Check(PORT * (1.0 * nSwitches * nPorts + nHosts), [&] {
        return "a graph of " + std::to_string(nSwitches) + " switches of " +
               std::to_string(nPorts) + " ports and " + std::to_string(nHosts) +
               " hosts takes with its routes";
    });
    m_ends.resize(std::size_t{nSwitches} * nPorts + nHosts);
}

void
FabricGraph::CheckOpen(Node node, Port port) const
{
    if (node >= GetNNodes())
    {
        throw WormholeError("node " + std::to_string(node) + ": this fabric has nodes 0 to " +
                            std::to_string(GetNNodes() - 1));
    }
    const auto place = [&] { return "port " + std::to_string(port) + " of " + GetName(node); };
    if (port >= GetNPorts(node))
    {
        throw WormholeError(place() + ": it has ports 0 to " + std::to_string(GetNPorts(node) - 1));
    }
    if (const auto taken = Peer(node, port); taken.node != NONE)
    {
        throw WormholeError(place() + " is taken by the cable to port " +
                            std::to_string(taken.port) + " of " + GetName(taken.node) +
                            "; an open port would be accepted");
    }
}

void
FabricGraph::Connect(Node a, Port portA, Node b, Port portB)
{
    CheckOpen(a, portA);
    CheckOpen(b, portB);
    if (a == b)
    {
        throw WormholeError("a cable from " + GetName(a) + " to itself, ports " +
                            std::to_string(portA) + " and " + std::to_string(portB) +
                            ": expected another node");
    }
    m_ends[IndexOf(a, portA)] = {b, portB};
    m_ends[IndexOf(b, portB)] = {a, portA};
    m_nSwitchLinks += IsSwitch(a) && IsSwitch(b);
}

FabricGraph::End
FabricGraph::RequireCable(Node node, Port port) const
{
    const bool exists = node < GetNNodes() && port < GetNPorts(node);
    const auto far = exists ? Peer(node, port) : End();
    WormholeError::ThrowIf(far.node == NONE,
                           "port " + std::to_string(port) + " of node " + std::to_string(node) +
                               " has no cable; expected a port with one");
    return far;
}

void
FabricGraph::SetCable(Node node, Port port, const CableProperties& properties)
{
    const auto far = RequireCable(node, port);
    m_properties.SetCable({node, port}, properties);
    m_properties.SetCable({far.node, far.port}, properties);
}

void
FabricGraph::GroupInterfaces(const std::vector<uint32_t>& hosts)
{
    WormholeError::ThrowIf(hosts.size() < 2,
                           "a computer of " + std::to_string(hosts.size()) +
                               " interfaces; expected groups of two hosts or more");
    WormholeError::ThrowIf(!std::is_sorted(hosts.begin(), hosts.end()),
                           "the interfaces of host " + GetName(HostAt(hosts.front())) +
                               " are not in the hosts' order; expected that order");
    std::set<uint32_t> taken;
    for (const auto& [first, all] : m_interfaces)
    {
        taken.insert(all.begin(), all.end());
    }
    for (const auto host : hosts)
    {
        if (const auto node = HostAt(host); !taken.insert(host).second)
        {
            throw WormholeError("host " + GetName(node) +
                                " is in a group of interfaces already; expected each host once");
        }
    }
    m_interfaces[hosts.front()] = hosts;
}

uint32_t
FabricGraph::GetNFirstInterfaces() const
{
    return m_nHosts - SumOf(m_interfaces, [](const auto& entry) {
               return static_cast<uint32_t>(entry.second.size()) - 1;
           });
}

void
FabricGraph::CheckInterfaces() const
{
    const auto nFirst = GetNFirstInterfaces();
    for (const auto& [first, all] : m_interfaces)
    {
        for (const auto host : all)
        {
            if (host != first && host < nFirst)
            {
                throw WormholeError("host " + GetName(HostAt(host)) +
                                    " is a further interface of " + GetName(HostAt(first)) +
                                    " with a lower number than a first one; expected hosts "
                                    "with the further interfaces last");
            }
        }
    }
}

void
FabricGraph::SetRoutes(const FabricRoutes& routes)
{
    m_routes = routes;
}

const FabricRoutes&
FabricGraph::GetRoutes() const
{
    return m_routes;
}

void
FabricGraph::SetName(Node node, const std::string& name)
{
    if (node >= GetNNodes() || name.empty())
    {
        throw WormholeError("name '" + name + "' for node " + std::to_string(node) +
                            ": expected a name that is not empty and a node from 0 to " +
                            std::to_string(GetNNodes() - 1));
    }
    if (!PrintableText::IsPrintable(name))
    {
        throw WormholeError("name '" + PrintableText::Replace(name, "?") + "' for node " +
                            std::to_string(node) + ": expected " + PrintableText::ACCEPTED);
    }
    const auto holder = m_nodeOf.emplace(name, node).first->second;
    if (holder != node)
    {
        throw WormholeError("name '" + name + "' for node " + std::to_string(node) + ": node " +
                            std::to_string(holder) +
                            " has this name; a name of its own would be accepted");
    }
    m_names.resize(GetNNodes());
    if (m_names[node] != name)
    {
        m_nodeOf.erase(m_names[node]);
        m_names[node] = name;
    }
}

std::string
FabricGraph::DefaultName(Node node) const
{
    return IsSwitch(node) ? "s" + std::to_string(node) : "h" + std::to_string(node - m_nSwitches);
}

std::string
FabricGraph::GetName(Node node) const
{
    return node >= m_names.size() || m_names[node].empty() ? DefaultName(node) : m_names[node];
}

FabricGraph::Node
FabricGraph::Find(const std::string& name) const
{
    if (const auto found = m_nodeOf.find(name); found != m_nodeOf.end())
    {
        return found->second;
    }
    const bool digits = name.size() > 1 && name.size() < 12 &&
                        name.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!digits || (name[0] != 's' && name[0] != 'h'))
    {
        return NONE;
    }
    const auto node = std::stoull(name.substr(1)) + (name[0] == 'h' ? m_nSwitches : 0);
    const bool called = node < GetNNodes() && GetName(static_cast<Node>(node)) == name;
    return called ? static_cast<Node>(node) : NONE;
}

uint32_t
FabricGraph::GetNSwitches() const
{
    return m_nSwitches;
}

uint32_t
FabricGraph::GetNHosts() const
{
    return m_nHosts;
}

uint32_t
FabricGraph::GetNNodes() const
{
    return m_nSwitches + m_nHosts;
}

uint32_t
FabricGraph::GetNPorts(Node node) const
{
    return IsSwitch(node) ? m_nPorts : 1;
}

uint32_t
FabricGraph::GetNSwitchLinks() const
{
    return m_nSwitchLinks;
}

FabricGraph::Node
FabricGraph::HostAt(uint32_t index) const
{
    if (index >= m_nHosts)
    {
        throw WormholeError("there is no host " + std::to_string(index) + "; there are " +
                            std::to_string(m_nHosts) + ", from 0 on");
    }
    return m_nSwitches + index;
}

uint32_t
FabricGraph::FindHost(const std::string& name) const
{
    const auto node = Find(name);
    if (node == NONE || IsSwitch(node))
    {
        throw WormholeError("'" + name + "' is " + (node == NONE ? "no node" : "a switch") +
                            "; expected the name of a host, such as " + GetName(HostAt(0)));
    }
    return node - GetNSwitches();
}

FabricGraph::End
FabricGraph::Peer(Node node, Port port) const
{
    NS_ASSERT_MSG(node < GetNNodes() && port < GetNPorts(node), "port " << node << ":" << port);
    return m_ends[IndexOf(node, port)];
}

FabricGraph::End
FabricGraph::SwitchOf(Node host) const
{
    NS_ASSERT_MSG(!IsSwitch(host), "node " << host << " is a switch");
    return Peer(host, 0);
}

std::vector<FabricGraph::Port>
FabricGraph::PortsToSwitches(Node node) const
{
    auto ports = PortsTo(*this, node, true);
    SortBy(ports, [this, node](Port port) { return Peer(node, port).node; });
    return ports;
}

std::vector<FabricGraph::Port>
FabricGraph::PortsToHosts(Node node) const
{
    return PortsTo(*this, node, false);
}

std::vector<FabricGraph::Node>
FabricGraph::Walk(Node source, const WormRoute& route) const
{
    std::vector<Node> nodes(route.GetNStops(), NONE);
    nodes[0] = source;
    for (WormRoute::Stop stop = 0; stop < nodes.size(); ++stop)
    {
        for (const auto& branch : route.At(stop))
        {
            const auto node = nodes[stop];
            const bool exists = node < GetNNodes() && branch.port < GetNPorts(node);
            nodes[branch.next] = exists ? Peer(node, branch.port).node : NONE;
            if (nodes[branch.next] == NONE)
            {
                throw WormholeError(
                    "a route from " + (source < GetNNodes() ? GetName(source) : "nowhere") +
                    " leaves " + (node < GetNNodes() ? GetName(node) : "nowhere") + " by port " +
                    std::to_string(branch.port) + ": expected a port with a cable");
            }
        }
    }
    return nodes;
}

void
FabricGraph::Validate() const
{
    for (Node host = m_nSwitches; host < GetNNodes(); ++host)
    {
        const auto peer = Peer(host, 0).node;
        if (peer == NONE || !IsSwitch(peer))
        {
            throw WormholeError("host " + GetName(host) + " is cabled to " +
                                (peer == NONE ? "nothing" : "host " + GetName(peer)) +
                                ": expected a cable to a switch");
        }
    }
    CheckConnected();
    CheckNames();
    CheckInterfaces();
}

void
FabricGraph::CheckConnected() const
{
    std::vector<Node> rank(m_nSwitches, 0);
    auto parent = NumbersBelow(m_nSwitches);
    boost::disjoint_sets<Node*, Node*> sets(rank.data(), parent.data());
    for (std::size_t i = 0; i < std::size_t{m_nSwitches} * m_nPorts; ++i)
    {
        if (m_ends[i].node < m_nSwitches)
        {
            sets.union_set(static_cast<Node>(i / m_nPorts), m_ends[i].node);
        }
    }
    std::vector<std::pair<Node, uint32_t>> parts; // lowest switch, size; by the former
    std::map<Node, std::size_t> partOf;           // by set
    for (Node node = 0; node < m_nSwitches; ++node)
    {
        const auto [part, isNew] = partOf.emplace(sets.find_set(node), parts.size());
        if (isNew)
        {
            parts.emplace_back(node, 0);
        }
        ++parts[part->second].second;
    }
    if (parts.size() <= 1)
    {
        return;
    }
    constexpr std::size_t SHOWN = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(parts.size(), SHOWN); ++i)
    {
        list += (i ? ", " : "") + ("the " + std::to_string(parts[i].second)) + " with " +
                GetName(parts[i].first);
    }
    list += parts.size() > SHOWN ? ", ..." : "";
    throw WormholeError("the switches are not all connected: they fall into " +
                        std::to_string(parts.size()) + " parts, " + list +
                        "; cables that join them would be accepted");
}

void
FabricGraph::CheckNames() const
{
    for (Node node = 0; node < m_names.size(); ++node)
    {
        const auto holder =
            m_names[node].empty() ? m_nodeOf.find(DefaultName(node)) : m_nodeOf.end();
        if (holder != m_nodeOf.end())
        {
            throw WormholeError("node " + std::to_string(node) + " was given no name, and " +
                                holder->first + ", its name without one, was given to node " +
                                std::to_string(holder->second) +
                                "; a name of its own would be accepted");
        }
    }
}

} // namespace ns3
