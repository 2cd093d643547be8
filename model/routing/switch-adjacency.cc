/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-adjacency.h"

#include <algorithm>
#include <utility>

namespace ns3
{

SwitchAdjacency::SwitchAdjacency(const FabricGraph& graph)
{
    const auto nSwitches = graph.GetNSwitches();
    m_first.reserve(std::size_t{nSwitches} + 1);
    m_to.reserve(2 * std::size_t{graph.GetNSwitchLinks()});
    m_ports.reserve(m_to.capacity());
    std::vector<std::pair<Node, Port>> links;
    for (Node node = 0; node < nSwitches; ++node)
    {
        links.clear();
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto peer = graph.Peer(node, static_cast<Port>(port)).node;
            if (peer < nSwitches)
            {
                links.emplace_back(peer, static_cast<Port>(port));
            }
        }
        std::sort(links.begin(), links.end());
        m_first.push_back(static_cast<uint32_t>(m_to.size()));
        for (const auto& [to, port] : links)
        {
            m_to.push_back(to);
            m_ports.push_back(port);
        }
    }
    m_first.push_back(static_cast<uint32_t>(m_to.size()));
}

SwitchAdjacency::Search
SwitchAdjacency::SearchFrom(const std::vector<Node>& starts) const
{
    Search search{std::vector<uint32_t>(GetNSwitches(), UNREACHED), starts};
    auto& [distances, order] = search;
    for (const auto node : starts)
    {
        distances[node] = 0;
    }
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const auto next = distances[order[i]] + 1;
        for (const auto& link : Of(order[i]))
        {
            if (distances[link.to] == UNREACHED)
            {
                distances[link.to] = next;
                order.push_back(link.to);
            }
        }
    }
    return search;
}

} // namespace ns3
