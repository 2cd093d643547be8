// SPDX-License-Identifier: GPL-2.0-only

#ifndef ROUTE_REQUEST_H
#define ROUTE_REQUEST_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// Checks that all routers share: of a fabric, and of the hosts and switches of a route.
class RouteRequest
{
  public:
    /// Refuses a fabric that has no routes.
    /// @throws WormholeError if traffic could not use it, or it has no switches
    static const FabricGraph& CheckFabric(const FabricGraph& graph)
    {
        graph.Validate();
        WormholeError::ThrowIf(graph.GetNSwitches() == 0,
                               "a fabric of no switches: routing takes one at least");
        return graph;
    }

    static void CheckExists(const char* role, uint32_t number, uint32_t count)
    {
        if (number >= count)
        {
            throw WormholeError(std::string(role) + " " + std::to_string(number) +
                                ": this fabric has 0 to " + std::to_string(count - 1));
        }
    }

    static void CheckPair(uint32_t from, uint32_t to, uint32_t nHosts)
    {
        CheckExists("sending host", from, nHosts);
        CheckExists("receiving host", to, nHosts);
        if (from == to)
        {
            throw WormholeError("a route from host " + std::to_string(from) +
                                " to itself: expected another host");
        }
    }

    /// Refuses a tree worm's destinations if there are none, or a host twice, or the sender.
    /// @return the receivers, sorted
    static std::vector<uint32_t> CheckTree(uint32_t from,
                                           const std::vector<uint32_t>& to,
                                           uint32_t nHosts)
    {
        CheckExists("sending host", from, nHosts);
        auto hosts = to;
        std::sort(hosts.begin(), hosts.end());
        const auto twice = std::adjacent_find(hosts.begin(), hosts.end());
        if (hosts.empty() || twice != hosts.end() ||
            std::binary_search(hosts.begin(), hosts.end(), from))
        {
            throw WormholeError("a tree route from host " + std::to_string(from) + " to " +
                                (hosts.empty() ? "no host"
                                 : twice != hosts.end()
                                     ? "host " + std::to_string(*twice) + " twice"
                                     : "itself") +
                                ": expected other hosts, each once");
        }
        CheckExists("receiving host", hosts.back(), nHosts);
        return hosts;
    }

    /// Makes the route of a tree worm, stop by stop.
    /// @param exitsOf called once per node, in order of stops; returns the output ports that the
    /// worm takes there, sorted; an empty list if the node is a host
    /// @param farOf returns the node that a node's port leads to
    template <typename EXITS, typename FAR>
    static WormRoute MakeTree(uint32_t first, EXITS exitsOf, FAR farOf)
    {
        std::vector<std::vector<uint16_t>> stops{{0}};
        std::vector<uint32_t> nodes{first}; // of all stops after the first
        for (std::size_t i = 0; i < nodes.size(); ++i)
        {
            stops.push_back(exitsOf(nodes[i]));
            for (const auto port : stops.back())
            {
                nodes.push_back(farOf(nodes[i], port));
            }
        }
        return WormRoute::Tree(stops);
    }
};

} // namespace ns3

#endif /* ROUTE_REQUEST_H */
