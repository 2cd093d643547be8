/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "kept-routes.h"

#include "routing-progress.h"
#include "up-down-order.h"

#include "ns3/destination-loads.h"

#include <utility>

namespace ns3
{

KeptRoutes::KeptRoutes(const FabricGraph& graph,
                       const std::vector<uint32_t>& ranks,
                       const FabricGraph& whole,
                       Ptr<WormholeRouter> before)
    : m_graph(graph),
      m_channels(graph),
      m_places(graph),
      m_order(m_channels.GetNChannels()),
      m_before(std::move(before)),
      m_isKept(m_channels.GetNChannels())
{
    uint32_t place = 0;
    for (const auto channel : UpDownOrder(m_channels, ranks).OrderChannels())
    {
        m_order[channel] = place++;
    }
    const auto wasThere = [&](FabricGraph::Node node, FabricGraph::Port port) {
        const auto old = whole.Find(graph.GetName(node));
        if (old == FabricGraph::NONE || port >= whole.GetNPorts(old))
        {
            return false;
        }
        const auto far = graph.Peer(node, port);
        const auto oldFar = whole.Peer(old, port);
        return oldFar.node != FabricGraph::NONE && far.port == oldFar.port &&
               graph.GetName(far.node) == whole.GetName(oldFar.node);
    };
    for (uint32_t channel = 0; channel < m_isKept.size(); ++channel)
    {
        m_isKept[channel] = wasThere(m_channels.From(channel), m_channels.PortOf(channel));
    }
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto end = graph.Peer(graph.HostAt(host), 0);
        m_hosts.push_back(whole.FindHost(graph.GetName(graph.HostAt(host))));
        m_isHostKept.push_back(wasThere(end.node, end.port));
    }
}

Ptr<const WormRoute>
KeptRoutes::Find(uint32_t from, uint32_t to) const
{
    if (!m_isHostKept[from] || !m_isHostKept[to])
    {
        return nullptr;
    }
    auto route = m_before->GetRoute(m_hosts[from], m_hosts[to]);
    auto node = m_places.SwitchOf(from);
    auto last = SwitchChannels::NONE;
    for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
    {
        const auto channel = m_channels.At(node, route->At(stop)[0].port);
        if (channel == SwitchChannels::NONE || !m_isKept[channel] ||
            (last != SwitchChannels::NONE && m_order[channel] <= m_order[last]))
        {
            return nullptr;
        }
        last = channel;
        node = m_channels.To(channel);
    }
    return node == m_places.SwitchOf(to) ? route : nullptr;
}

bool
KeptRoutes::AreBySwitch() const
{
    const auto* before = dynamic_cast<const DestinationLoads*>(PeekPointer(m_before));
    return before && before->AreBySwitch();
}

RoutesBeside
KeptRoutes::Count() const
{
    const auto nSwitches = m_channels.GetNSwitches();
    const bool isBySwitch = AreBySwitch();
    std::vector<std::vector<uint32_t>> senders(nSwitches); // those whose routes differ
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        auto& here = senders[m_places.SwitchOf(host)];
        if (!isBySwitch || here.empty())
        {
            here.push_back(host);
        }
    }
    RoutesBeside found;
    found.worms.resize(m_channels.GetNChannels());
    found.missing.resize(nSwitches);
    RoutingProgress progress("hosts whose routes are looked at", m_hosts.size());
    for (uint32_t to = 0; to < m_hosts.size(); ++to)
    {
        const auto last = m_places.SwitchOf(to);
        for (FabricGraph::Node node = 0; node < nSwitches; ++node)
        {
            if (node == last || senders[node].empty())
            {
                continue;
            }
            const auto worms = m_places.CountAt(node) / static_cast<uint32_t>(senders[node].size());
            uint32_t nMissing = 0;
            for (const auto from : senders[node])
            {
                const auto route = Find(from, to);
                if (!route)
                {
                    nMissing += worms;
                    continue;
                }
                auto at = node;
                for (WormRoute::Stop stop = 1; stop + 1 < route->GetNChannels(); ++stop)
                {
                    const auto channel = m_channels.At(at, route->At(stop)[0].port);
                    found.worms[channel] += worms;
                    at = m_channels.To(channel);
                }
            }
            if (nMissing > 0)
            {
                found.missing[last].push_back({m_places.PlaceOf(to), node, nMissing});
            }
        }
        progress.Step();
    }
    return found;
}

} // namespace ns3
