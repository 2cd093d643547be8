/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-router.h"

namespace ns3
{

DirectRouter::DirectRouter(const FullMeshTopology& mesh)
    : m_mesh(mesh)
{
}

const RegularTopology&
DirectRouter::GetTopology() const
{
    return m_mesh;
}

uint32_t
DirectRouter::GetNKinds() const
{
    return 1;
}

uint32_t
DirectRouter::GetKind(Node, Port) const
{
    return 0;
}

bool
DirectRouter::MayFollow(uint32_t, uint32_t) const
{
    return false; // a way has one cable between switches
}

void
DirectRouter::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    if (from != to)
    {
        ports.push_back(FullMeshTopology::PortTo(from, to));
    }
}

} // namespace ns3
