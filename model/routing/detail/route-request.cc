/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "route-request.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

const FabricGraph&
RouteRequest::CheckFabric(const FabricGraph& graph)
{
    graph.Validate();
    if (graph.GetNSwitches() == 0)
    {
        throw WormholeError("a fabric of no switches: routing takes one at least");
    }
    return graph;
}

void
RouteRequest::CheckExists(const char* role, uint32_t number, uint32_t count)
{
    if (number >= count)
    {
        throw WormholeError(std::string(role) + " " + std::to_string(number) +
                            ": this fabric has 0 to " + std::to_string(count - 1));
    }
}

void
RouteRequest::CheckPair(uint32_t from, uint32_t to, uint32_t nHosts)
{
    CheckExists("sending host", from, nHosts);
    CheckExists("receiving host", to, nHosts);
    if (from == to)
    {
        throw WormholeError("a route from host " + std::to_string(from) +
                            " to itself: expected another host");
    }
}

std::vector<uint32_t>
RouteRequest::CheckTree(uint32_t from, const std::vector<uint32_t>& to, uint32_t nHosts)
{
    CheckExists("sending host", from, nHosts);
    auto hosts = to;
    std::sort(hosts.begin(), hosts.end());
    const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
    if (hosts.empty() || twice != hosts.end() ||
        std::binary_search(hosts.begin(), hosts.end(), from))
    {
        throw WormholeError("a tree route from host " + std::to_string(from) + " to " +
                            (hosts.empty()          ? "no host"
                             : twice != hosts.end() ? "host " + std::to_string(*twice) + " twice"
                                                    : "itself") +
                            ": expected other hosts, each once");
    }
    CheckExists("receiving host", hosts.back(), nHosts);
    return hosts;
}

} // namespace ns3
