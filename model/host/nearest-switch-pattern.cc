/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nearest-switch-pattern.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NearestSwitchPattern);

TypeId
NearestSwitchPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NearestSwitchPattern")
                            .SetParent<TrafficPattern>()
                            .SetGroupName("Wormhole")
                            .AddConstructor<NearestSwitchPattern>();
    return tid;
}

void
NearestSwitchPattern::DoPrepare(const FabricGraph& graph)
{
    graph.Validate();
    m_switchOf.resize(graph.GetNHosts());
    std::vector<std::vector<uint32_t>> hosts(graph.GetNSwitches());
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        m_switchOf[host] = graph.SwitchOf(graph.HostAt(host)).node;
        hosts[m_switchOf[host]].push_back(host);
    }
    m_nearest = hosts;
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        if (hosts[node].size() == 1)
        {
            m_nearest[node] = FindNearest(graph, node);
        }
    }
}

std::vector<uint32_t>
NearestSwitchPattern::FindNearest(const FabricGraph& graph, FabricGraph::Node from) const
{
    std::vector<bool> seen(graph.GetNSwitches());
    seen[from] = true;
    std::vector<uint32_t> found;
    for (std::vector<FabricGraph::Node> level{from}, next; found.empty(); level.swap(next))
    {
        next.clear();
        for (const auto node : level)
        {
            for (const auto port : graph.PortsToSwitches(node))
            {
                const auto far = graph.Peer(node, port).node;
                if (!seen[far])
                {
                    seen[far] = true;
                    next.push_back(far);
                    for (const auto hostPort : graph.PortsToHosts(far))
                    {
                        found.push_back(graph.Peer(far, hostPort).node - graph.GetNSwitches());
                    }
                }
            }
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

uint32_t
NearestSwitchPattern::Draw(uint32_t source)
{
    const auto& hosts = m_nearest[m_switchOf[source]];
    const auto own = std::lower_bound(hosts.begin(), hosts.end(), source);
    const bool among = own != hosts.end() && *own == source;
    const auto last = static_cast<uint32_t>(hosts.size()) - 1 - among;
    const auto index = DrawInteger(0, last);
    return hosts[index + (among && index >= static_cast<uint32_t>(own - hosts.begin()))];
}

std::vector<TrafficPattern::Share>
NearestSwitchPattern::GetShares(uint32_t source) const
{
    std::vector<Share> shares;
    for (const auto host : m_nearest[m_switchOf[source]])
    {
        if (host != source)
        {
            shares.emplace_back(host, 1);
        }
    }
    for (auto& share : shares)
    {
        share.second /= static_cast<double>(shares.size());
    }
    return shares;
}

} // namespace ns3
