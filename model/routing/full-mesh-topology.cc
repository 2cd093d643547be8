/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "full-mesh-topology.h"

namespace ns3
{

FullMeshTopology::FullMeshTopology(uint32_t switches, uint32_t hosts)
    : m_hosts(hosts)
{
    CheckRange("hosts a switch", hosts, 1, UINT16_MAX);
    CheckRange("fully meshed switches", switches, 1, UINT16_MAX);
    SetSize("full mesh of " + std::to_string(switches) + " switches",
            switches,
            1.0 * switches * hosts,
            switches - 1.0 + hosts);
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

FullMeshTopology::End
FullMeshTopology::SwitchOf(uint32_t host) const
{
    return {host / m_hosts, static_cast<Port>(GetNSwitches() - 1 + host % m_hosts)};
}

FullMeshTopology::Port
FullMeshTopology::PortTo(Node from, Node to)
{
    return static_cast<Port>(to < from ? to : to - 1);
}

} // namespace ns3
