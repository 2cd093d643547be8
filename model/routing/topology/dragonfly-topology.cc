/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dragonfly-topology.h"

#include "ns3/channel-dependency.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Most switches of a dragonfly all of whose routes are looked at; that takes seconds.
constexpr uint32_t MAX_SWITCHES = 1024;

} // namespace

DragonflyTopology::DragonflyTopology(const Parameters& parameters)
    : RegularFamily("minimal", true, 2), // kinds: within groups and between them
      m_switches(parameters.switches),
      m_globals(parameters.globals),
      m_groups(parameters.groups),
      m_hosts(parameters.hosts)
{
    CheckRange("switches a group, a", m_switches, 1, UINT16_MAX);
    CheckRange("global ports a switch, h", m_globals, 1, UINT16_MAX);
    CheckRange("hosts a switch", m_hosts, 1, UINT16_MAX);
    const auto most =
        static_cast<uint32_t>(std::min<uint64_t>(uint64_t{m_switches} * m_globals + 1, INT32_MAX));
    m_groups = m_groups == 0 ? most : m_groups;
    CheckRange("groups of " + std::to_string(m_switches) + " switches with " +
                   std::to_string(m_globals) + " global ports each, g",
               m_groups,
               2,
               most);
    m_copies = m_switches * m_globals / (m_groups - 1);
    const auto nSwitches = 1.0 * m_groups * m_switches;
    SetSize("dragonfly of " + std::to_string(m_groups) + " groups",
            nSwitches,
            nSwitches * m_hosts,
            m_switches - 1.0 + m_globals + m_hosts);
    SetHosts({0, static_cast<Port>(m_switches - 1 + m_globals)}, m_hosts);
}

DragonflyTopology::End
DragonflyTopology::Peer(Node node, Port port) const
{
    const auto own = node % m_switches;
    const auto group = GetGroup(node);
    if (port < m_switches - 1)
    {
        const Node far = port < own ? port : port + 1;
        return {group * m_switches + far, FullMeshTopology::PortTo(far, own)};
    }
    const uint32_t global = port - (m_switches - 1);
    const auto slot = own * m_globals + global; // of the group's global ports
    if (global >= m_globals || slot >= m_copies * (m_groups - 1))
    {
        return {};
    }
    const auto further = slot % (m_groups - 1) + 1;
    const auto far = static_cast<uint32_t>((uint64_t{group} + further) % m_groups);
    const auto back = GetGlobalCable(far, group, slot / (m_groups - 1));
    return {back.from, back.port};
}

DragonflyTopology::GlobalCable
DragonflyTopology::GetGlobalCable(uint32_t from, uint32_t to, uint32_t copy) const
{
    const auto further = to > from ? to - from : to + m_groups - from;
    const auto first = copy * (m_groups - 1);
    const auto slot = first + further - 1;
    const auto back = first + (m_groups - further) - 1;
    return {from * m_switches + slot / m_globals,
            static_cast<Port>(m_switches - 1 + slot % m_globals),
            to * m_switches + back / m_globals};
}

bool
DragonflyTopology::LeavesAtOnce() const
{
    // A switch's global ports lead to groups that follow each other; a group's last ones are open.
    return m_globals >= m_groups - 1 && uint64_t{m_copies} * (m_groups - 1) >=
                                            uint64_t{m_switches - 1} * m_globals + m_groups - 1;
}

void
DragonflyTopology::CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule spread) const
{
    if (LeavesAtOnce()) // no local channel waits for a global one
    {
        return;
    }
    const auto nChoices = spread == RouteSpread::Rule::FIRST ? 1 : m_copies;
    const auto add = [&](ChannelDependency& routes, Node from, Node to) {
        for (uint32_t choice = 0; from != to && choice < nChoices; ++choice)
        {
            WormRoute::Ports ports{0};
            AppendPorts(from, to, choice, ports);
            routes.Add(graph.HostAt(from * m_hosts), WormRoute::Path(std::move(ports)));
        }
    };
    ChannelDependency round(graph); // from each group to the next, where circles are likely
    for (Node from = 0; from < GetNSwitches(); ++from)
    {
        const auto next = (GetGroup(from) + 1) % m_groups * m_switches;
        for (Node to = next; to < next + m_switches; ++to)
        {
            add(round, from, to);
        }
    }
    round.CheckDeadlockFree();
    if (GetNSwitches() > MAX_SWITCHES)
    {
        throw WormholeError("minimal routes of " + std::to_string(GetNSwitches()) +
                            " switches: too many to prove that worms cannot deadlock; expected "
                            "up/down routes, or up to " +
                            std::to_string(MAX_SWITCHES) + " switches");
    }
    ChannelDependency all(graph);
    for (Node from = 0; from < GetNSwitches(); ++from)
    {
        for (Node to = 0; to < GetNSwitches(); ++to)
        {
            add(all, from, to);
        }
    }
    all.CheckDeadlockFree();
}

void
DragonflyTopology::AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const
{
    const auto step = [&](Node a, Node b) {
        if (a != b)
        {
            ports.push_back(PortTo(a, b));
        }
    };
    const auto here = GetGroup(from);
    const auto there = GetGroup(to);
    if (here == there)
    {
        step(from, to);
        return;
    }
    // Of the best, the next one from that which the number chooses. What is next of some cables is
    // next of fewer among which it is, too, so that the ways of one number form a tree.
    auto best = GetGlobalCable(here, there, choice % m_copies);
    const auto cost = [&](const auto& cable) { // links, then whether one is before the global one
        return 3 * (cable.from != from) + 2 * (cable.to != to);
    };
    for (uint32_t i = 1; i < m_copies && cost(best) > 0; ++i)
    {
        const auto cable = GetGlobalCable(here, there, (choice % m_copies + i) % m_copies);
        best = cost(cable) < cost(best) ? cable : best;
    }
    step(from, best.from);
    ports.push_back(best.port);
    step(best.to, to);
}

bool
DragonflyTopology::MayFollow(uint32_t kind, uint32_t next) const
{
    // A way has one cable between groups at most, one cable within a group before it and after it.
    return kind != next && (kind == 1 || !LeavesAtOnce());
}

FullMeshTopology::FullMeshTopology(uint32_t switches, uint32_t hosts)
    : RegularFamily("direct", false, 1)
{
    CheckRange("hosts a switch", hosts, 1, UINT16_MAX);
    CheckRange("fully meshed switches", switches, 1, UINT16_MAX);
    SetSize("full mesh of " + std::to_string(switches) + " switches",
            switches,
            1.0 * switches * hosts,
            switches - 1.0 + hosts);
    SetHosts({0, static_cast<Port>(switches - 1)}, hosts);
}

FullMeshTopology::End
FullMeshTopology::Peer(Node node, Port port) const
{
    if (port >= GetNSwitches() - 1)
    {
        return {};
    }
    const Node far = port < node ? port : port + 1;
    return {far, PortTo(far, node)};
}

void
FullMeshTopology::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    if (from != to)
    {
        ports.push_back(PortTo(from, to));
    }
}

bool
FullMeshTopology::MayFollow(uint32_t, uint32_t) const
{
    return false; // a way has one cable between switches
}

} // namespace ns3
