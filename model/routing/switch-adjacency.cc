/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-adjacency.h"

#include <algorithm>

namespace ns3
{

SwitchAdjacency::SwitchAdjacency(const FabricGraph& graph)
{
    const auto nSwitches = graph.GetNSwitches();
    m_first.reserve(nSwitches + 1);
    m_links.reserve(2 * std::size_t{graph.GetNSwitchLinks()});
    for (FabricGraph::Node node = 0; node < nSwitches; ++node)
    {
        m_first.push_back(static_cast<uint32_t>(m_links.size()));
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto peer = graph.Peer(node, static_cast<FabricGraph::Port>(port)).node;
            if (peer < nSwitches)
            {
                m_links.push_back({peer, static_cast<FabricGraph::Port>(port)});
            }
        }
        std::sort(m_links.begin() + m_first.back(),
                  m_links.end(),
                  [](const Link& a, const Link& b) {
                      return a.to != b.to ? a.to < b.to : a.port < b.port;
                  });
    }
    m_first.push_back(static_cast<uint32_t>(m_links.size()));
}

std::vector<uint32_t>
SwitchAdjacency::Distances(FabricGraph::Node root, uint32_t limit) const
{
    std::vector<uint32_t> distance(GetNSwitches(), UNREACHED);
    std::vector<FabricGraph::Node> queue{root};
    distance[root] = 0;
    for (std::size_t i = 0; i < queue.size() && distance[queue[i]] <= limit; ++i)
    {
        for (const auto& link : Of(queue[i]))
        {
            if (distance[link.to] == UNREACHED)
            {
                distance[link.to] = distance[queue[i]] + 1;
                queue.push_back(link.to);
            }
        }
    }
    return distance;
}

} // namespace ns3
