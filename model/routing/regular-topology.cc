/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "regular-topology.h"

#include "ns3/wormhole-error.h"

#include <cstdio>

namespace ns3
{

namespace
{

/// Ports of all switches of a fabric; channels are numbered with 32 bits.
constexpr double MAX_PORTS = UINT32_MAX / 2;

/// @return a number without a fraction, as text @param value the number
std::string
Whole(double value)
{
    char text[32];
    std::snprintf(text, sizeof(text), value < 1e15 ? "%.0f" : "%.3g", value);
    return text;
}

} // namespace

uint32_t
RegularTopology::GetNSwitches() const
{
    return m_nSwitches;
}

uint32_t
RegularTopology::GetNHosts() const
{
    return m_nHosts;
}

uint32_t
RegularTopology::GetNPorts() const
{
    return m_nPorts;
}

void
RegularTopology::SetSize(const std::string& what, double nSwitches, double nHosts, double nPorts)
{
    if (nPorts > UINT16_MAX)
    {
        throw WormholeError(what + ": switches of " + Whole(nPorts) +
                            " ports; a switch has at most " + std::to_string(UINT16_MAX));
    }
    if (nSwitches * nPorts > MAX_PORTS || nHosts > MAX_PORTS)
    {
        throw WormholeError(what + ": " + Whole(nSwitches) + " switches of " + Whole(nPorts) +
                            " ports and " + Whole(nHosts) + " hosts; accepted are " +
                            Whole(MAX_PORTS) + " ports in all and as many hosts at most");
    }
    m_nSwitches = static_cast<uint32_t>(nSwitches);
    m_nHosts = static_cast<uint32_t>(nHosts);
    m_nPorts = static_cast<uint32_t>(nPorts);
}

void
RegularTopology::CheckRange(const std::string& what,
                            uint32_t value,
                            uint32_t least,
                            uint32_t greatest)
{
    if (value < least || value > greatest)
    {
        throw WormholeError(what + " = " + std::to_string(value) + ": accepted are " +
                            std::to_string(least) + " to " + std::to_string(greatest));
    }
}

FabricGraph
RegularTopology::MakeGraph() const
{
    FabricGraph graph(m_nSwitches, m_nHosts, m_nPorts);
    for (Node node = 0; node < m_nSwitches; ++node)
    {
        for (uint32_t port = 0; port < m_nPorts; ++port)
        {
            const auto far = Peer(node, static_cast<Port>(port));
            if (far.node != FabricGraph::NONE && far.node > node) // else laid from there
            {
                graph.Connect(node, static_cast<Port>(port), far.node, far.port);
            }
        }
    }
    for (uint32_t host = 0; host < m_nHosts; ++host)
    {
        const auto end = SwitchOf(host);
        graph.Connect(graph.HostAt(host), 0, end.node, end.port);
    }
    return graph;
}

void
RegularTopology::CheckDeadlockFree(const FabricGraph&, RouteSpread::Rule) const
{
    // The rule of its turns leaves no circle.
}

} // namespace ns3
