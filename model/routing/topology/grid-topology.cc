/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-topology.h"

#include "ns3/channel-dependency.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <utility>

namespace ns3
{

GridTopology::GridTopology(const std::vector<uint32_t>& lengths, Ends ends, uint32_t hosts)
    : RegularFamily("dimension-order", false, static_cast<uint32_t>(2 * lengths.size())),
      m_lengths(lengths),
      m_ends(ends),
      m_hosts(hosts)
{
    if (lengths.empty())
    {
        throw WormholeError("a mesh or torus of no dimensions: expected one length or more");
    }
    CheckRange("hosts a switch", hosts, 1, UINT16_MAX);
    double nSwitches = 1;
    std::string what = ends == Ends::JOINED ? "torus of " : "mesh of ";
    for (uint32_t i = 0; i < lengths.size(); ++i)
    {
        CheckRange("length of dimension " + std::to_string(i), lengths[i], 2, INT32_MAX);
        nSwitches *= lengths[i];
        what += (i ? "x" : "") + std::to_string(lengths[i]);
    }
    SetSize(what, nSwitches, nSwitches * hosts, 2.0 * lengths.size() + hosts);
    SetHosts({0, static_cast<Port>(2 * lengths.size())}, hosts);
    Node stride = 1;
    for (auto length : lengths)
    {
        m_strides.push_back(stride);
        stride *= length;
    }
}

GridTopology::End
GridTopology::Peer(Node node, Port port) const
{
    const uint32_t dimension = port / 2;
    if (dimension >= m_lengths.size())
    {
        return {};
    }
    const auto length = m_lengths[dimension];
    const auto stride = m_strides[dimension];
    const auto at = GetCoordinate(node, dimension);
    const bool up = port % 2 == 0;
    const auto last = up ? length - 1 : 0;
    const auto back = static_cast<Port>(up ? port + 1 : port - 1);
    if (at != last)
    {
        return {up ? node + stride : node - stride, back};
    }
    if (m_ends == Ends::OPEN || length == 2)
    {
        return {};
    }
    const auto around = (length - 1) * stride;
    return {up ? node - around : node + around, back};
}

uint32_t
GridTopology::GetDistance(Node from, Node to) const
{
    uint32_t links = 0;
    for (uint32_t i = 0; i < m_lengths.size(); ++i)
    {
        const auto a = GetCoordinate(from, i);
        const auto b = GetCoordinate(to, i);
        const auto apart = std::max(a, b) - std::min(a, b);
        links += m_ends == Ends::JOINED ? std::min(apart, m_lengths[i] - apart) : apart;
    }
    return links;
}

void
GridTopology::AppendPorts(Node from, Node to, uint32_t, WormRoute::Ports& ports) const
{
    for (uint32_t i = 0; i < m_lengths.size(); ++i)
    {
        const auto length = m_lengths[i];
        const auto a = GetCoordinate(from, i);
        const auto b = GetCoordinate(to, i);
        bool up = b > a;
        auto steps = up ? b - a : a - b;
        const auto around = length - steps;
        if (m_ends == Ends::JOINED && length > 2 && (around < steps || (around == steps && !up)))
        {
            up = !up;
            steps = around;
        }
        ports.insert(ports.end(), steps, static_cast<Port>(up ? 2 * i : 2 * i + 1));
    }
}

void
GridTopology::CheckDeadlockFree(const FabricGraph& graph, RouteSpread::Rule) const
{
    for (uint32_t i = 0; i < m_lengths.size(); ++i)
    {
        const auto length = m_lengths[i];
        if (m_ends == Ends::JOINED && length > 3) // else no way makes two steps round an end
        {
            ChannelDependency ring(graph);
            for (uint32_t at = 0; at < length; ++at)
            {
                const auto from = at * m_strides[i];
                WormRoute::Ports ports{0};
                AppendPorts(from, (at + 2) % length * m_strides[i], 0, ports);
                ring.Add(graph.HostAt(from * m_hosts), WormRoute::Path(std::move(ports)));
            }
            ring.CheckDeadlockFree();
        }
    }
}

bool
GridTopology::MayFollow(uint32_t kind, uint32_t next) const
{
    const auto dimension = kind / 2;
    const bool goesOn = m_lengths[dimension] > (m_ends == Ends::JOINED ? 3 : 2);
    return next / 2 > dimension || (next == kind && goesOn);
}

} // namespace ns3
