/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "barrier-tree.h"

#include "ns3/switch-adjacency.h"
#include "ns3/wormhole-error.h"

#include <algorithm>

namespace ns3
{

BarrierTree::BarrierTree(const FabricGraph& graph, const std::vector<Node>& members)
    : m_nMembers(static_cast<uint32_t>(members.size()))
{
    auto memberPorts = PlaceMembers(graph, members);
    std::vector<Node> memberSwitches;
    for (Node node = 0; node < memberPorts.size(); ++node)
    {
        if (!memberPorts[node].empty())
        {
            memberSwitches.push_back(node);
        }
    }
    const SwitchAdjacency adjacency(graph);
    const auto tree = BarrierTreeSearch(adjacency, memberSwitches).FindBest();
    if (tree.empty())
    {
        throw WormholeError(
            "a barrier tree over " + std::to_string(memberSwitches.size()) + " member switches, " +
            graph.GetName(memberSwitches.front()) +
            " the first: no cables join them all; it takes members that are joined");
    }
    m_switches.reserve(tree.size());
    for (const auto& step : tree)
    {
        AddEntry(graph, step, std::move(memberPorts[step.node]));
    }
    for (auto& entry : m_switches)
    {
        std::sort(entry.childPorts.begin(), entry.childPorts.end());
        m_height = std::max(m_height, entry.depth);
        m_nLeaves += entry.childPorts.empty();
    }
}

std::vector<std::vector<BarrierTree::Port>>
BarrierTree::PlaceMembers(const FabricGraph& graph, const std::vector<Node>& members)
{
    if (members.empty())
    {
        throw WormholeError("a barrier group of no members: it takes one host at least");
    }
    auto hosts = members;
    std::sort(hosts.begin(), hosts.end());
    if (const auto twice = std::adjacent_find(hosts.begin(), hosts.end()); twice != hosts.end())
    {
        throw WormholeError("member " + std::to_string(*twice) +
                            " of a barrier group is there twice: it takes each host once");
    }
    std::vector<std::vector<Port>> memberPorts(graph.GetNSwitches());
    for (auto host : hosts)
    {
        if (host >= graph.GetNNodes() || graph.IsSwitch(host))
        {
            throw WormholeError("member " + std::to_string(host) +
                                " of a barrier group: it takes a host, nodes " +
                                std::to_string(graph.GetNSwitches()) + " to " +
                                std::to_string(graph.GetNNodes() - 1) + " of this fabric");
        }
        const auto end = graph.SwitchOf(host);
        if (!graph.IsSwitch(end.node))
        {
            throw WormholeError("member " + graph.GetName(host) +
                                " of a barrier group has no switch: it takes a host cabled to one");
        }
        memberPorts[end.node].push_back(end.port);
    }
    for (auto& ports : memberPorts)
    {
        std::sort(ports.begin(), ports.end());
    }
    return memberPorts;
}

void
BarrierTree::AddEntry(const FabricGraph& graph,
                      const BarrierTreeSearch::Step& found,
                      std::vector<Port> memberPorts)
{
    m_indices.emplace(found.node, static_cast<uint32_t>(m_switches.size()));
    SwitchEntry entry;
    entry.node = found.node;
    entry.parent = found.from;
    entry.depth = found.depth;
    entry.memberPorts = std::move(memberPorts);
    if (entry.IsMember())
    {
        entry.representative = graph.Peer(entry.node, entry.memberPorts.front()).node;
        entry.installer = entry.representative;
    }
    if (!entry.IsRoot())
    {
        auto& above = m_switches[m_indices.at(found.from)];
        above.childPorts.push_back(found.port);
        entry.parentPort = graph.Peer(found.from, found.port).port;
        if (!entry.IsMember())
        {
            entry.installer = above.installer;
        }
    }
    m_switches.push_back(std::move(entry));
}

BarrierTree::Node
BarrierTree::GetRootSwitch() const
{
    return m_switches.front().node;
}

BarrierTree::Node
BarrierTree::GetRootHost() const
{
    return m_switches.front().representative;
}

uint32_t
BarrierTree::GetHeight() const
{
    return m_height;
}

uint32_t
BarrierTree::GetNEdges() const
{
    return static_cast<uint32_t>(m_switches.size()) - 1;
}

uint32_t
BarrierTree::GetNLeaves() const
{
    return m_nLeaves;
}

uint32_t
BarrierTree::GetNMembers() const
{
    return m_nMembers;
}

const std::vector<BarrierTree::SwitchEntry>&
BarrierTree::GetSwitches() const
{
    return m_switches;
}

const BarrierTree::SwitchEntry*
BarrierTree::Find(Node node) const
{
    const auto found = m_indices.find(node);
    return found == m_indices.end() ? nullptr : &m_switches[found->second];
}

uint32_t
BarrierTree::DistanceLinks() const
{
    return m_height + 2;
}

uint64_t
BarrierTree::MessageHops() const
{
    return 2 * (uint64_t{GetNEdges()} + m_nMembers);
}

} // namespace ns3
