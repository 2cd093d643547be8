/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dragonfly-topology.h"

#include "full-mesh-topology.h"

#include <algorithm>

namespace ns3
{

DragonflyTopology::DragonflyTopology(const Parameters& parameters)
    : m_switches(parameters.switches),
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

DragonflyTopology::End
DragonflyTopology::SwitchOf(uint32_t host) const
{
    return {host / m_hosts, static_cast<Port>(m_switches - 1 + m_globals + host % m_hosts)};
}

uint32_t
DragonflyTopology::GetNGroups() const
{
    return m_groups;
}

uint32_t
DragonflyTopology::GetNGlobalCables() const
{
    return m_copies;
}

uint32_t
DragonflyTopology::GetGroup(Node node) const
{
    return node / m_switches;
}

DragonflyTopology::Port
DragonflyTopology::PortTo(Node from, Node to) const
{
    return FullMeshTopology::PortTo(from % m_switches, to % m_switches);
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

} // namespace ns3
