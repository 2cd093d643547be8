// SPDX-License-Identifier: GPL-2.0-only

#ifndef BROADCAST_HINT_H
#define BROADCAST_HINT_H

#include "ns3/channel-dependency.h"
#include "ns3/fabric-graph.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <map>
#include <numeric>
#include <vector>

namespace ns3
{

/**
 * Warns on standard error if broadcast frames may deadlock because buffers are too short.
 *
 * WormholeHelper connects it to the fabrics that it installs. The warning appears before the first
 * broadcast or multicast frame that exceeds the buffers, if such frames on the fabric's routes can
 * wait for each other in a cycle, and names the attribute to set.
 */
class BroadcastHint
{
  public:
    /// Makes a fabric warn about too shallow buffers, once.
    static void Connect(Ptr<WormholeFabric> fabric)
    {
        // A plain pointer: the fabric must not keep itself.
        const WormholeFabric* itself = PeekPointer(fabric);
        fabric->TraceConnectWithoutContext("LongGroupFrame", MakeBoundCallback(&Print, itself));
    }

  private:
    /// Checks the routes of broadcasts from up to 32 hosts, spread over the fabric, and those
    /// between these hosts.
    /// @return whether frames longer than the buffers can wait for each other in a cycle
    static bool CanDeadlock(const WormholeFabric& fabric)
    {
        constexpr uint32_t MOST_HOSTS = 32; // routes are quadratic in these
        constexpr uint32_t MOST_ENDS = 100'000;
        const auto nHosts = fabric.GetNHosts();
        if (fabric.GetNSwitches() < 2 || nHosts < 2)
        {
            return false;
        }
        const auto graph = GetGraph(fabric);
        const auto router = fabric.GetRouter();
        ChannelDependency waits(graph, ChannelDependency::Branches::COUPLED, router->GetNLanes());
        std::vector<uint32_t> some;
        const auto n = std::clamp(MOST_ENDS / nHosts, 2U, std::min(MOST_HOSTS, nHosts));
        for (uint32_t i = 0; i < n; ++i)
        {
            some.push_back(static_cast<uint32_t>(uint64_t{i} * (nHosts - 1) / (n - 1)));
        }
        try
        {
            for (const auto from : some)
            {
                std::vector<uint32_t> others(nHosts);
                std::iota(others.begin(), others.end(), 0);
                others.erase(others.begin() + from);
                waits.Add(graph.HostAt(from), *router->GetTreeRoute(from, others));
                for (const auto to : some)
                {
                    if (to != from)
                    {
                        waits.Add(graph.HostAt(from), *router->GetRoute(from, to));
                    }
                }
            }
        }
        catch (const WormholeError&) // a tree that passes a switch twice is not known to be safe
        {
            return true;
        }
        return !waits.FindCycle().empty();
    }

    /// Prints the hint if there is a danger; see WormholeFabric's trace source LongGroupFrame.
    static void Print(const WormholeFabric* fabric, uint32_t host, uint64_t flits, uint32_t depth)
    {
        if (!CanDeadlock(*fabric))
        {
            return;
        }
        std::clog << "wormhole: hint: " << fabric->GetHost(host)->GetName()
                  << " sends a broadcast or multicast frame of " << flits << " flits, ";
        if (depth == 0)
        {
            std::clog << "with sync replication";
        }
        else
        {
            std::clog << "and a switch's buffer holds " << depth;
        }
        std::clog << ": such frames may wait for each other for ever; set "
                     "ns3::WormholeFabric::Buffers to frame"
                  << (depth == 0 ? " and Replication to async" : "") << std::endl;
    }

    static FabricGraph GetGraph(const WormholeFabric& fabric)
    {
        const auto nSwitches = fabric.GetNSwitches();
        uint32_t nPorts = 1;
        std::map<Ptr<const WormholePort>, FabricGraph::Node> nodeOf;
        for (uint32_t s = 0; s < nSwitches; ++s)
        {
            const auto fabricSwitch = fabric.GetSwitch(s);
            nPorts = std::max(nPorts, fabricSwitch->GetNPorts());
            for (uint32_t port = 0; port < fabricSwitch->GetNPorts(); ++port)
            {
                nodeOf[fabricSwitch->GetPort(port)] = s;
            }
        }
        for (uint32_t h = 0; h < fabric.GetNHosts(); ++h)
        {
            nodeOf[fabric.GetHost(h)->GetPort()] = nSwitches + h;
        }
        FabricGraph graph(nSwitches, fabric.GetNHosts(), nPorts);
        for (const auto& [port, node] : nodeOf)
        {
            const auto channel = port->GetChannel();
            if (channel && channel->GetPort(0) == port)
            {
                const auto far = channel->GetPort(1);
                graph.Connect(node,
                              static_cast<FabricGraph::Port>(port->GetNumber()),
                              nodeOf.at(far),
                              static_cast<FabricGraph::Port>(far->GetNumber()));
            }
        }
        return graph;
    }
};

} // namespace ns3

#endif /* BROADCAST_HINT_H */
