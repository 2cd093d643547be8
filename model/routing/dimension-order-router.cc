/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dimension-order-router.h"

#include "channel-dependency.h"

namespace ns3
{

DimensionOrderRouter::DimensionOrderRouter(const GridTopology& grid)
    : m_grid(grid)
{
}

const RegularTopology&
DimensionOrderRouter::GetTopology() const
{
    return m_grid;
}

uint32_t
DimensionOrderRouter::GetNKinds() const
{
    return 2 * m_grid.GetNDimensions();
}

uint32_t
DimensionOrderRouter::GetKind(Node, Port port) const
{
    return port;
}

bool
DimensionOrderRouter::MayFollow(uint32_t kind, uint32_t next) const
{
    const auto dimension = kind / 2;
    const bool goesOn = m_grid.GetEnds() == GridTopology::Ends::JOINED
                            ? m_grid.GetLength(dimension) > 3
                            : m_grid.GetLength(dimension) > 2;
    return next / 2 > dimension || (next == kind && goesOn);
}

void
DimensionOrderRouter::CheckDeadlockFree(const FabricGraph& graph)
{
    const bool wraps = m_grid.GetEnds() == GridTopology::Ends::JOINED;
    const auto hosts = m_grid.GetNHosts() / m_grid.GetNSwitches(); // of each switch
    Node stride = 1;
    for (uint32_t i = 0; i < m_grid.GetNDimensions(); ++i)
    {
        const auto length = m_grid.GetLength(i);
        if (wraps && length > 3) // else no way makes two steps round an end
        {
            ChannelDependency ring(graph);
            for (uint32_t at = 0; at < length; ++at)
            {
                const auto from = at * stride * hosts;
                ring.Add(graph.HostAt(from), *GetRoute(from, (at + 2) % length * stride * hosts));
            }
            ring.CheckDeadlockFree();
        }
        stride *= length;
    }
}

void
DimensionOrderRouter::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    for (uint32_t i = 0; i < m_grid.GetNDimensions(); ++i)
    {
        const auto length = m_grid.GetLength(i);
        const auto a = m_grid.GetCoordinate(from, i);
        const auto b = m_grid.GetCoordinate(to, i);
        bool up = b > a;
        auto steps = up ? b - a : a - b;
        const auto around = length - steps;
        if (m_grid.GetEnds() == GridTopology::Ends::JOINED && length > 2 &&
            (around < steps || (around == steps && !up)))
        {
            up = !up;
            steps = around;
        }
        ports.insert(ports.end(), steps, static_cast<Port>(up ? 2 * i : 2 * i + 1));
    }
}

} // namespace ns3
