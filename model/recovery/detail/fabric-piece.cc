/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-piece.h"

#include "ns3/wormhole-route-table.h"

#include <algorithm>
#include <memory>

namespace ns3
{

FabricPiece::FabricPiece(const FabricGraph& whole, FabricGraph::Node first, const IsUp& isUp)
    : switchOf(whole.GetNSwitches(), FabricGraph::NONE),
      hostOf(whole.GetNHosts(), FabricGraph::NONE)
{
    const auto nSwitches = whole.GetNSwitches();
    const auto visit = [&](FabricGraph::Node node, auto call) {
        for (uint32_t port = 0; port < whole.GetNPorts(node); ++port)
        {
            const auto near = static_cast<FabricGraph::Port>(port);
            const auto far = whole.Peer(node, near);
            if (far.node != FabricGraph::NONE && isUp(node, near) && isUp(far.node, far.port))
            {
                call(near, far);
            }
        }
    };
    std::vector<bool> isHere(whole.GetNNodes(), false);
    std::vector<FabricGraph::Node> reached{first};
    isHere[first] = true;
    while (!reached.empty())
    {
        const auto node = reached.back();
        reached.pop_back();
        visit(node, [&](FabricGraph::Port, FabricGraph::End far) {
            if (!isHere[far.node])
            {
                isHere[far.node] = true;
                if (whole.IsSwitch(far.node))
                {
                    reached.push_back(far.node);
                }
            }
        });
    }
    for (FabricGraph::Node node = 0; node < whole.GetNNodes(); ++node)
    {
        if (isHere[node] && node < nSwitches)
        {
            switchOf[node] = static_cast<uint32_t>(switches.size());
            switches.push_back(node);
        }
        else if (isHere[node])
        {
            hostOf[node - nSwitches] = static_cast<uint32_t>(hosts.size());
            hosts.push_back(node - nSwitches);
        }
    }
    const auto nHere = static_cast<uint32_t>(switches.size());
    graph = FabricGraph(nHere, static_cast<uint32_t>(hosts.size()), whole.GetNPorts(0));
    const auto numberOf = [&](FabricGraph::Node node) {
        return node < nSwitches ? switchOf[node] : nHere + hostOf[node - nSwitches];
    };
    graph.ChangeProperties().lanes = whole.GetProperties().lanes;
    for (FabricGraph::Node node = 0; node < whole.GetNNodes(); ++node)
    {
        if (!isHere[node])
        {
            continue;
        }
        graph.SetName(numberOf(node), whole.GetName(node));
        visit(node, [&](FabricGraph::Port port, FabricGraph::End far) {
            if (node < far.node)
            {
                graph.Connect(numberOf(node), port, numberOf(far.node), far.port);
            }
        });
    }
    auto routes = whole.GetRoutes();
    const auto root = whole.Find(routes.root);
    if (root < nSwitches && switchOf[root] == FabricGraph::NONE)
    {
        routes.root = "first";
    }
    if (const auto table = routes.table)
    {
        auto own = std::make_shared<RouteTable>(nHere, graph.GetNHosts());
        for (uint32_t i = 0; i < nHere; ++i)
        {
            for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
            {
                own->Set(i, host, table->Get(switches[i], hosts[host]));
            }
        }
        routes.table = own;
    }
    graph.SetRoutes(routes);
}

} // namespace ns3
