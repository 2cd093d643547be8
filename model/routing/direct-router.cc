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

void
DirectRouter::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    if (from != to)
    {
        ports.push_back(FullMeshTopology::PortTo(from, to));
    }
}

} // namespace ns3
