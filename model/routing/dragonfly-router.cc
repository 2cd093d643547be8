/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dragonfly-router.h"

#include "channel-dependency.h"

#include "ns3/wormhole-error.h"

#include <set>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

/// Most switches of a dragonfly all of whose routes are looked at; that takes seconds.
constexpr uint32_t MAX_SWITCHES = 1024;

} // namespace

DragonflyRouter::DragonflyRouter(const DragonflyTopology& dragonfly, RouteSpread::Rule spread)
    : RegularRouter(spread),
      m_dragonfly(dragonfly),
      m_leavesAtOnce(LeavesAtOnce())
{
}

uint32_t
DragonflyRouter::GetNKinds() const
{
    return 2; // within groups and between them
}

uint32_t
DragonflyRouter::GetKind(Node node, Port port) const
{
    return m_dragonfly.GetGroup(m_dragonfly.Peer(node, port).node) != m_dragonfly.GetGroup(node);
}

bool
DragonflyRouter::MayFollow(uint32_t kind, uint32_t next) const
{
    // A way has one cable between groups at most, one cable within a group before it and after it.
    return kind != next && (kind == 1 || !m_leavesAtOnce);
}

const RegularTopology&
DragonflyRouter::GetTopology() const
{
    return m_dragonfly;
}

bool
DragonflyRouter::LeavesAtOnce() const
{
    for (Node node = 0; node < m_dragonfly.GetNSwitches(); ++node)
    {
        std::set<uint32_t> groups{m_dragonfly.GetGroup(node)};
        for (uint32_t port = 0; port < m_dragonfly.GetNPorts(); ++port)
        {
            const auto far = m_dragonfly.Peer(node, static_cast<Port>(port)).node;
            if (far != FabricGraph::NONE)
            {
                groups.insert(m_dragonfly.GetGroup(far));
            }
        }
        if (groups.size() < m_dragonfly.GetNGroups())
        {
            return false;
        }
    }
    return true;
}

void
DragonflyRouter::CheckDeadlockFree(const FabricGraph& graph)
{
    if (m_leavesAtOnce) // no local channel waits for a global one
    {
        return;
    }
    const auto nSwitches = m_dragonfly.GetNSwitches();
    const auto nGroups = m_dragonfly.GetNGroups();
    const auto group = nSwitches / nGroups;                 // switches of each
    const auto hosts = m_dragonfly.GetNHosts() / nSwitches; // of each switch
    const bool first = GetSpread() == RouteSpread::Rule::FIRST;
    const auto nChoices = first ? 1 : m_dragonfly.GetNGlobalCables();
    const auto add = [&](ChannelDependency& routes, Node from, Node to) {
        for (uint32_t choice = 0; from != to && choice < nChoices; ++choice)
        {
            WormRoute::Ports ports;
            ports.push_back(0);
            AppendPorts(from, to, choice, ports);
            routes.Add(graph.HostAt(from * hosts), WormRoute::Path(std::move(ports)));
        }
    };
    ChannelDependency round(graph); // from each group to the next, where circles are likely
    for (Node from = 0; from < nSwitches; ++from)
    {
        const auto next = (m_dragonfly.GetGroup(from) + 1) % nGroups * group;
        for (Node to = next; to < next + group; ++to)
        {
            add(round, from, to);
        }
    }
    round.CheckDeadlockFree();
    if (nSwitches > MAX_SWITCHES)
    {
        throw WormholeError("minimal routes of " + std::to_string(nSwitches) +
                            " switches: too many to prove that worms cannot deadlock; accepted "
                            "are up/down routes, or up to " +
                            std::to_string(MAX_SWITCHES) + " switches");
    }
    ChannelDependency all(graph);
    for (Node from = 0; from < nSwitches; ++from)
    {
        for (Node to = 0; to < nSwitches; ++to)
        {
            add(all, from, to);
        }
    }
    all.CheckDeadlockFree();
}

void
DragonflyRouter::AppendPorts(Node from, Node to, uint32_t choice, WormRoute::Ports& ports) const
{
    const auto step = [&](Node a, Node b) {
        if (a != b)
        {
            ports.push_back(m_dragonfly.PortTo(a, b));
        }
    };
    const auto here = m_dragonfly.GetGroup(from);
    const auto there = m_dragonfly.GetGroup(to);
    if (here == there)
    {
        step(from, to);
        return;
    }
    // Of the best, the next one from that which the number chooses. What is next of some cables is
    // next of fewer among which it is, too, so that the ways of one number form a tree.
    const auto nCables = m_dragonfly.GetNGlobalCables();
    auto best = m_dragonfly.GetGlobalCable(here, there, choice % nCables);
    const auto cost = [&](const auto& cable) { // links, then whether one is before the global one
        return 3 * (cable.from != from) + 2 * (cable.to != to);
    };
    for (uint32_t i = 1; i < nCables && cost(best) > 0; ++i)
    {
        const auto cable =
            m_dragonfly.GetGlobalCable(here, there, (choice % nCables + i) % nCables);
        best = cost(cable) < cost(best) ? cable : best;
    }
    step(from, best.from);
    ports.push_back(best.port);
    step(best.to, to);
}

} // namespace ns3
