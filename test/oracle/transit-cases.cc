/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-oracle.h"
#include "worm-cases.h"

namespace ns3
{

namespace
{

using GraphNode = FabricGraph::Node; ///< number of a node

/// Ports by which a worm leaves nodes, and the nodes that it comes to.
struct TransitWalk
{
    std::vector<uint16_t> ports;                    ///< the ports
    std::vector<GraphNode> nodes;                   ///< the nodes, the sender first
    std::set<std::pair<GraphNode, uint16_t>> taken; ///< channels
    bool isSimple{true};                            ///< whether no channel is there twice
};

void
Go(const FabricGraph& graph, TransitWalk& walk, uint16_t port)
{
    const auto node = walk.nodes.back();
    walk.isSimple = walk.taken.insert({node, port}).second && walk.isSimple;
    walk.ports.push_back(port);
    walk.nodes.push_back(graph.Peer(node, port).node);
}

/// Adds a leg to a walk: a shortest way, by chance among several. @param to host that it leads to
void
GoTo(const FabricGraph& graph, TransitWalk& walk, GraphNode to, Ptr<UniformRandomVariable> rng)
{
    const auto end = graph.SwitchOf(to);
    std::map<GraphNode, uint32_t> left{{end.node, 0}};
    std::vector<GraphNode> reached{end.node};
    for (std::size_t i = 0; i < reached.size(); ++i)
    {
        for (const auto port : graph.PortsToSwitches(reached[i]))
        {
            const auto far = graph.Peer(reached[i], port).node;
            if (left.emplace(far, left[reached[i]] + 1).second)
            {
                reached.push_back(far);
            }
        }
    }
    Go(graph, walk, 0);
    while (walk.nodes.back() != end.node)
    {
        const auto node = walk.nodes.back();
        std::vector<uint16_t> nearer;
        for (const auto port : graph.PortsToSwitches(node))
        {
            if (left[graph.Peer(node, port).node] < left[node])
            {
                nearer.push_back(port);
            }
        }
        Go(graph, walk, nearer[rng->GetInteger(0, static_cast<uint32_t>(nearer.size()) - 1)]);
    }
    Go(graph, walk, end.port);
}

} // namespace

WormCase
MakeTransitCase(Ptr<UniformRandomVariable> rng, const TransitCaseOptions& options)
{
    const auto draw = [&rng](uint32_t low, uint32_t high) { return rng->GetInteger(low, high); };
    const auto pick = [&](const std::vector<int64_t>& values) {
        return values[draw(0, static_cast<uint32_t>(values.size()) - 1)];
    };
    const auto nSwitches = draw(options.circles ? 5 : 2, 6);
    const auto perSwitch = draw(2, 3);
    FabricGraph graph(nSwitches, nSwitches * perSwitch, 12);
    std::vector<FabricGraph::Port> used(nSwitches, 0);
    const auto connect = [&](GraphNode a, GraphNode b) {
        const auto port = used[a]++;
        graph.Connect(a, port, b, used[b]++);
        if (options.rates && draw(0, 1))
        {
            CableProperties cable;
            cable.flitTime = TimeStep(pick({5, 7, 1000, 2500, 6250}));
            cable.delay = TimeStep(pick({1, 90, 20'000}));
            cable.depth = static_cast<uint32_t>(pick({1, 3, 20, 150}));
            graph.SetCable(a, port, cable);
        }
    };
    // A tree, whose ways close no circles; or a ring.
    for (GraphNode s = 1; s < nSwitches; ++s)
    {
        connect(s, options.circles ? s - 1 : draw(0, s - 1));
    }
    if (options.circles)
    {
        connect(0, nSwitches - 1);
    }
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        const auto at = host / perSwitch;
        graph.Connect(graph.HostAt(host), 0, at, used[at]++);
        if (options.rates && draw(0, 2) == 0)
        {
            CableProperties cable;
            cable.flitTime = TimeStep(pick({7, 2500, 6250}));
            graph.SetCable(graph.HostAt(host), 0, cable);
        }
    }
    WormCase made{graph};
    made.inTransit = options.mode;
    made.inTransitDelayPs = pick({0, 1, 6250, 475'000});
    made.hostDelayPs = pick({0, 11, 300'000});
    made.timing.flitTimePs = pick({7, 6250});
    made.timing.linkDelayPs = pick({1, 3, 20'000});
    made.timing.switchDelayPs = pick({0, 11, 300'000});
    made.timing.depth =
        static_cast<uint32_t>(options.longer ? pick({1, 2, 4, 7, 50}) : pick({1, 2, 3, 8, 100}));
    made.sourceRouted = options.sourceRouted;
    made.flitBytes = options.sourceRouted ? static_cast<uint32_t>(pick({1, 1, 2, 3})) : 1;
    const auto nWorms = options.circles ? draw(30, 60) : draw(2, 25);
    const auto horizon =
        static_cast<uint32_t>(options.circles ? 20'000 : pick({20'000, 400'000, 6'000'000}));
    for (uint32_t w = 0; w < nWorms; ++w)
    {
        WormCase::Worm worm;
        worm.timePs = made.hostDelayPs + draw(0, horizon);
        worm.flits =
            options.longer ? pick({2, 40, 150, 151, 400, 600}) : pick({1, 2, 3, 5, 17, 64});
        TransitWalk walk;
        do
        {
            walk = {};
            std::vector<GraphNode> hosts;
            for (auto n = draw(0, 3) + 2; n > 0; --n)
            {
                const auto host = graph.HostAt(draw(0, graph.GetNHosts() - 1));
                if (std::find(hosts.begin(), hosts.end(), host) == hosts.end())
                {
                    hosts.push_back(host);
                }
            }
            walk.isSimple = hosts.size() > 1;
            walk.nodes.push_back(hosts.front());
            for (std::size_t i = 1; i < hosts.size(); ++i)
            {
                GoTo(graph, walk, hosts[i], rng);
            }
        } while (!walk.isSimple);
        worm.root = walk.nodes.front();
        worm.stopNodes = walk.nodes;
        worm.route = WormRoute::Path(walk.ports);
        made.worms.push_back(std::move(worm));
    }
    return made;
}

void
AddTransitRivals(WormCase& worms)
{
    const auto outcome = MoveFlitByFlit(worms, FabricDelays(worms, false));
    const auto nWorms = worms.worms.size();
    for (std::size_t w = 0; w < nWorms; ++w)
    {
        const auto nodes = worms.worms[w].stopNodes;
        for (std::size_t stop = 1; stop + 1 < nodes.size(); ++stop)
        {
            const auto& legs = outcome.worms[w].legs;
            const auto leg = legs.find(worms.graph.GetName(nodes[stop]) + ":0");
            if (!worms.graph.IsSwitch(nodes[stop]) && leg != legs.end())
            {
                auto rival = worms.worms[w];
                rival.timePs = leg->second.headStart + worms.hostDelayPs;
                rival.root = nodes[stop];
                rival.stopNodes = {nodes.begin() + static_cast<std::ptrdiff_t>(stop), nodes.end()};
                WormRoute::Ports ports;
                for (auto s = stop; s + 1 < nodes.size(); ++s)
                {
                    ports.push_back(
                        worms.worms[w].route.At(static_cast<WormRoute::Stop>(s))[0].port);
                }
                rival.route = WormRoute::Path(ports);
                worms.worms.push_back(std::move(rival));
                break; // what follows may be another way then
            }
        }
    }
}

} // namespace ns3
