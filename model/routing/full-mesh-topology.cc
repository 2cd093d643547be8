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

std::shared_ptr<const RegularTopology>
FullMeshTopology::Copy() const
{
    return std::make_shared<FullMeshTopology>(*this);
}

std::string
FullMeshTopology::GetRouting() const
{
    return "direct";
}

bool
FullMeshTopology::HasSeveralWays() const
{
    return false;
}

void
FullMeshTopology::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    if (from != to)
    {
        ports.push_back(PortTo(from, to));
    }
}

uint32_t
FullMeshTopology::GetNKinds() const
{
    return 1;
}

uint32_t
FullMeshTopology::GetKind(Node, Port) const
{
    return 0;
}

bool
FullMeshTopology::MayFollow(uint32_t, uint32_t) const
{
    return false; // a way has one cable between switches
}

} // namespace ns3
