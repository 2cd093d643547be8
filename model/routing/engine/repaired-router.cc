/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "repaired-router.h"

#include "ns3/wormhole-error.h"

#include <utility>

namespace ns3
{

RepairedRouter::RepairedRouter(const FabricGraph& graph,
                               const std::string& engine,
                               std::shared_ptr<const LaneRoutes> routes,
                               const FabricGraph& whole,
                               Ptr<WormholeRouter> before)
    : EngineRouter(graph, engine, std::move(routes)),
      m_before(std::move(before))
{
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        m_hosts.push_back(whole.FindHost(graph.GetName(graph.HostAt(host))));
    }
    if (graph.GetNSwitches() > 0)
    {
        m_isKept.resize(std::size_t{graph.GetNSwitches()} * graph.GetNPorts(0), false);
    }
    for (FabricGraph::Node node = 0; node < graph.GetNSwitches(); ++node)
    {
        const auto old = whole.Find(graph.GetName(node));
        for (uint32_t i = 0; i < graph.GetNPorts(node) && old != FabricGraph::NONE; ++i)
        {
            const auto port = static_cast<FabricGraph::Port>(i);
            const auto far = graph.Peer(node, port);
            const auto oldFar =
                i < whole.GetNPorts(old) ? whole.Peer(old, port) : FabricGraph::End();
            m_isKept[IndexOf(node, port)] =
                far.node != FabricGraph::NONE && oldFar.node != FabricGraph::NONE &&
                far.port == oldFar.port && graph.GetName(far.node) == whole.GetName(oldFar.node);
        }
    }
}

bool
RepairedRouter::AreBySwitch() const
{
    const auto* before = dynamic_cast<const DestinationLoads*>(PeekPointer(m_before));
    return EngineRouter::AreBySwitch() && before && before->AreBySwitch();
}

bool
RepairedRouter::AddLoads(uint32_t, const std::vector<double>&, Loads&) const
{
    return false;
}

Ptr<const WormRoute>
RepairedRouter::MakeChoiceOrTransitRoute(uint32_t from, uint32_t to)
{
    const auto old = m_before->GetRoute(m_hosts[from], m_hosts[to]);
    auto node = EndOf(from).node;
    uint32_t rank = 0;
    for (WormRoute::Stop stop = 1; GetGraph().IsSwitch(node); ++stop)
    {
        const auto port = old->At(stop)[0].port;
        if (!m_isKept[IndexOf(node, port)])
        {
            return nullptr;
        }
        const auto far = GetGraph().Peer(node, port).node;
        if (GetGraph().IsSwitch(far))
        {
            const auto next = GetKind(node, port);
            if (next <= rank)
            {
                return nullptr;
            }
            rank = next;
        }
        node = far;
    }
    return old;
}

} // namespace ns3
