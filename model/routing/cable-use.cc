/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cable-use.h"

#include "switch-adjacency.h"

#include <algorithm>
#include <random>
#include <utility>

namespace ns3
{

namespace
{

/// @return a range as text, such as 2 to 8 @param range least and greatest
std::string
RangeText(const std::pair<uint32_t, uint32_t>& range)
{
    const auto& [least, most] = range;
    return std::to_string(least) + (most > least ? " to " + std::to_string(most) : "");
}

} // namespace

std::vector<CableUse::Bundle>
CableUse::FindBundles(const FabricGraph& graph)
{
    const SwitchAdjacency adjacency(graph);
    std::vector<Bundle> bundles;
    for (Node from = 0; from < graph.GetNSwitches(); ++from)
    {
        Bundle bundle{from, FabricGraph::NONE, {}, 0};
        const auto close = [&](Node next) {
            if (bundle.ports.size() > 1)
            {
                bundles.push_back(bundle);
            }
            bundle.to = next;
            bundle.ports.clear();
        };
        for (const auto& link : adjacency.Of(from))
        {
            if (link.to != bundle.to)
            {
                close(link.to);
            }
            bundle.ports.push_back(link.port);
        }
        close(FabricGraph::NONE);
    }
    return bundles;
}

std::vector<CableUse::Bundle>
CableUse::Count(const FabricGraph& graph, WormholeRouter& router)
{
    auto bundles = FindBundles(graph);
    const auto nPorts = graph.GetNSwitches() > 0 ? graph.GetNPorts(0) : 0;
    std::vector<bool> isUsed(std::size_t{graph.GetNSwitches()} * nPorts, false);
    const auto use = [&](uint32_t from, uint32_t to) {
        const auto route = router.GetRoute(from, to);
        auto node = graph.SwitchOf(graph.HostAt(from)).node;
        for (WormRoute::Stop stop = 1; graph.IsSwitch(node); ++stop)
        {
            const auto port = route->At(stop)[0].port;
            isUsed[std::size_t{node} * nPorts + port] = true;
            node = graph.Peer(node, port).node;
        }
    };
    const uint64_t nHosts = graph.GetNHosts();
    if (nHosts * nHosts <= MAX_PAIRS)
    {
        for (uint32_t from = 0; from < nHosts; ++from)
        {
            for (uint32_t to = 0; to < nHosts; ++to)
            {
                if (from != to)
                {
                    use(from, to);
                }
            }
        }
    }
    else
    {
        std::mt19937_64 random(1);
        for (uint64_t i = 0; i < MAX_PAIRS; ++i)
        {
            const auto from = static_cast<uint32_t>(random() % nHosts);
            const auto to = static_cast<uint32_t>(random() % (nHosts - 1));
            use(from, to + (to >= from)); // another host
        }
    }
    for (auto& bundle : bundles)
    {
        bundle.nUsed = std::count_if(bundle.ports.begin(), bundle.ports.end(), [&](Port port) {
            return isUsed[std::size_t{bundle.from} * nPorts + port];
        });
    }
    return bundles;
}

std::string
CableUse::Describe(const FabricGraph& graph, const std::function<Ptr<WormholeRouter>()>& makeRouter)
{
    if (FindBundles(graph).empty())
    {
        return "";
    }
    const auto bundles = Count(graph, *makeRouter());
    std::pair<uint32_t, uint32_t> cables{UINT32_MAX, 0};
    std::pair<uint32_t, uint32_t> used{UINT32_MAX, 0};
    for (const auto& bundle : bundles)
    {
        const auto n = static_cast<uint32_t>(bundle.ports.size());
        cables = {std::min(cables.first, n), std::max(cables.second, n)};
        used = {std::min(used.first, bundle.nUsed), std::max(used.second, bundle.nUsed)};
    }
    const uint64_t nHosts = graph.GetNHosts();
    return std::to_string(bundles.size() / 2) + " bundles of " + RangeText(cables) +
           " parallel cables: " + RangeText(used) + " of each used, each way" +
           (nHosts * nHosts > MAX_PAIRS
                ? ", by " + std::to_string(MAX_PAIRS) + " pairs of hosts that were looked at"
                : "");
}

} // namespace ns3
