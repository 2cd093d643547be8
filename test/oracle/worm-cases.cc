// SPDX-License-Identifier: GPL-2.0-only

#include "worm-cases.h"

#include "flit-oracle.h"

namespace ns3
{

/// Gives many cables and some switches times and depths of their own. @param longer whether worms
/// are longer than most buffers
static void
DrawProperties(const Dice& draw, FabricGraph& graph, bool longer)
{
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        if (graph.IsSwitch(node) && draw(0, 2) == 0)
        {
            graph.ChangeProperties().SetSwitchDelay(node,
                                                    TimeStep(draw.Pick({0, 90, 1000, 300'000})));
        }
        for (uint32_t port = 0; port < graph.GetNPorts(node); ++port)
        {
            const auto far = graph.Peer(node, static_cast<FabricGraph::Port>(port));
            if (far.node == FabricGraph::NONE || far.node < node || draw(0, 2) == 0)
            {
                continue;
            }
            CableProperties cable;
            if (draw(0, 3) > 0)
            {
                cable.flitTime = TimeStep(draw.Pick({5, 7, 12, 1000, 2500, 6250}));
            }
            if (draw(0, 2) == 0)
            {
                cable.delay = TimeStep(draw.Pick({1, 90, 20'000}));
            }
            if (draw(0, 2) == 0)
            {
                cable.depth = static_cast<uint32_t>(longer ? draw.Pick({1, 2, 5, 20, 64, 150})
                                                           : draw.Pick({1, 2, 5, 64, 150}));
            }
            graph.SetCable(node, static_cast<FabricGraph::Port>(port), cable);
        }
    }
}

static void
DrawTimes(const Dice& draw, WormCase& made)
{
    made.timing.flitTimePs = draw.Pick({7, 6250});
    made.timing.linkDelayPs = draw.Pick({1, 3, 20'000});
    made.timing.switchDelayPs = draw.Pick({0, 11, 300'000});
}

/// @return the depth of its buffers @param longer whether many worms are to be longer than they are
static uint32_t
DrawDepth(const Dice& draw, bool longer)
{
    return static_cast<uint32_t>(longer ? draw.Pick({1, 2, 4, 7, 50})
                                        : draw.Pick({1, 2, 3, 8, 100}));
}

WormCase
MakeRandomCase(Ptr<UniformRandomVariable> rng, const RandomCaseOptions& options)
{
    const Dice draw(rng);
    const auto q = draw(2, 8);
    std::vector<std::pair<uint32_t, uint32_t>> links;
    const bool isLine = options.sourceRouted && draw(0, 1);
    for (uint32_t i = 1; i < q; ++i)
    {
        links.emplace_back(i, draw(isLine ? i - 1 : 0, i - 1));
    }
    for (uint32_t i = 0; !options.treeOfSwitches && i < q; ++i)
    {
        const auto a = draw(0, q - 1);
        const auto b = draw(0, q - 1);
        if (a != b)
        {
            links.emplace_back(a, b);
        }
    }
    std::vector<uint32_t> hostsAt(q);
    uint32_t nHosts = 0;
    for (auto& n : hostsAt)
    {
        n = draw(1, 3);
        nHosts += n;
    }

    FabricGraph graph(q, nHosts, 3 + 2 * static_cast<uint32_t>(links.size()));
    std::vector<FabricGraph::Port> used(q, 0);
    for (const auto& [a, b] : links)
    {
        graph.Connect(a, used[a]++, b, used[b]++);
    }
    for (uint32_t s = 0, host = 0; s < q; ++s)
    {
        for (uint32_t i = 0; i < hostsAt[s]; ++i)
        {
            graph.Connect(graph.HostAt(host++), 0, s, used[s]++);
        }
    }

    std::vector<WormCase::Worm> worms(draw(2, options.maxWorms));
    for (auto& worm : worms)
    {
        const bool many = rng->GetValue(0, 1) < options.multicast;
        worm.timePs = draw(0, 6'000'000);
        worm.flits = options.longer ? draw.Pick({2, 40, 150, 151, 400, 600})
                                    : draw.Pick({1, 2, 3, 5, 17, 64});
        worm.root = graph.HostAt(draw(0, nHosts - 1));
        std::set<FabricGraph::Node> to;
        const auto wanted = std::min<std::size_t>(nHosts - 1, many ? draw(2, 5) : 1);
        while (to.size() < wanted)
        {
            const auto host = graph.HostAt(draw(0, nHosts - 1));
            if (host != worm.root)
            {
                to.insert(host);
            }
        }
        // A random tree that spans the switches; the worm takes its branches to those hosts.
        const auto first = graph.SwitchOf(worm.root).node;
        std::map<FabricGraph::Node, std::pair<FabricGraph::Node, FabricGraph::Port>> parent;
        std::vector<FabricGraph::Node> reached{first};
        while (reached.size() < q)
        {
            const auto from = draw.Pick(reached);
            const auto port = draw.Pick(graph.PortsToSwitches(from));
            const auto next = graph.Peer(from, port).node;
            if (next != first && !parent.count(next))
            {
                parent[next] = {from, port};
                reached.push_back(next);
            }
        }
        std::map<FabricGraph::Node, std::set<uint16_t>> tree;
        for (const auto host : to)
        {
            auto [at, port] = graph.SwitchOf(host);
            tree[at].insert(port);
            for (; at != first; at = parent[at].first)
            {
                tree[parent[at].first].insert(parent[at].second);
            }
        }
        tree[worm.root] = {0};
        std::vector<std::vector<uint16_t>> ports;
        worm.stopNodes = {worm.root};
        for (std::size_t stop = 0; stop < worm.stopNodes.size(); ++stop)
        {
            const auto node = worm.stopNodes[stop];
            ports.emplace_back(tree[node].begin(), tree[node].end()); // none where it ends
            for (const auto port : ports.back())
            {
                worm.stopNodes.push_back(graph.Peer(node, port).node);
            }
        }
        worm.route = WormRoute::Tree(ports);
    }

    WormCase made{graph};
    DrawTimes(draw, made);
    made.timing.depth = DrawDepth(draw, options.longer);
    made.sync = options.sync;
    made.sourceRouted = options.sourceRouted;
    made.flitBytes = options.sourceRouted ? static_cast<uint32_t>(draw.Pick({1, 1, 2, 3, 8})) : 1;
    made.worms = worms;
    if (options.rates)
    {
        DrawProperties(draw, made.graph, options.longer);
    }
    return made;
}

WormCase
MakeLaneCase(Ptr<UniformRandomVariable> rng, const LaneCaseOptions& options)
{
    const Dice draw(rng);
    const auto nSwitches = draw(3, 6);
    const auto nHosts = nSwitches * 2;
    FabricGraph graph(nSwitches, nHosts, 10);
    std::vector<FabricGraph::Port> used(nSwitches, 0);
    // A line of switches, or a ring, of one to three cables between neighbours.
    std::vector<std::vector<FabricGraph::Port>> right(nSwitches);
    for (uint32_t s = 0; s + (options.ring ? 0 : 1) < nSwitches; ++s)
    {
        const auto next = (s + 1) % nSwitches;
        for (auto n = options.choices ? draw(1, 3) : 1; n > 0; --n)
        {
            right[s].push_back(used[s]);
            graph.Connect(s, used[s]++, next, used[next]++);
            if (options.rates && draw(0, 1))
            {
                CableProperties cable;
                cable.flitTime = TimeStep(draw.Pick({7, 1000, 2500}));
                cable.delay = TimeStep(draw.Pick({1, 90, 20'000}));
                graph.SetCable(s, right[s].back(), cable);
            }
        }
    }
    for (uint32_t h = 0; h < nHosts; ++h)
    {
        graph.Connect(graph.HostAt(h), 0, h / 2, used[h / 2]++);
    }
    WormCase made{graph};
    made.lanes = options.lanes;
    made.whole = options.whole;
    made.priorities.resize(options.lanes);
    for (auto& priority : made.priorities)
    {
        priority = draw(0, 2);
    }
    DrawTimes(draw, made);
    made.timing.depth =
        static_cast<uint32_t>(options.whole ? draw.Pick({64, 70, 150}) : draw.Pick({1, 2, 8, 100}));
    made.sync = !options.whole && draw(0, 1);
    const auto drawLane = [&] { return static_cast<uint8_t>(draw(0, options.lanes - 1)); };
    const auto nWorms = draw(2, options.ring ? 60 : 25);
    for (uint32_t w = 0; w < nWorms; ++w)
    {
        WormCase::Worm worm;
        worm.timePs = draw(0, options.ring ? 100'000 : 2'000'000);
        worm.flits = draw.Pick({1, 2, 5, 17, 64});
        const auto from = draw(0, nHosts - 1);
        auto to = draw(0, nHosts - 2);
        to += to >= from;
        worm.root = graph.HostAt(from);
        // From switch to switch to the right, round the ring; on a line, either way.
        std::vector<std::vector<WormRoute::Choice>> nodes{{{0, drawLane(), 1}}};
        std::vector<FabricGraph::Node> at{worm.root};
        bool many = false;
        for (auto s = from / 2; s != to / 2;)
        {
            const bool isRight = options.ring || to / 2 > s;
            const auto next = isRight ? (s + 1) % nSwitches : s - 1;
            const auto& cables = isRight ? right[s] : right[next];
            at.push_back(s);
            nodes.emplace_back();
            const auto nPorts = options.choices ? draw(1, static_cast<uint32_t>(cables.size())) : 1;
            for (uint32_t i = 0; i < nPorts; ++i)
            {
                const auto port = isRight ? cables[i] : graph.Peer(next, cables[i]).port;
                nodes.back().push_back({port, drawLane(), static_cast<uint32_t>(nodes.size())});
            }
            many = many || nPorts > 1;
            s = next;
        }
        at.push_back(to / 2);
        nodes.push_back({{graph.SwitchOf(graph.HostAt(to)).port,
                          drawLane(),
                          static_cast<uint32_t>(nodes.size() + 1)}});
        nodes.emplace_back();
        at.push_back(graph.HostAt(to));
        if (many)
        {
            worm.route = WormRoute::Adaptive(nodes);
            worm.stopNodes = {worm.root};
            for (const auto& choices : nodes)
            {
                for (const auto& choice : choices)
                {
                    worm.stopNodes.push_back(at[choice.nextNode]);
                }
            }
        }
        else
        {
            // The last switch's other host gets a copy of some.
            const bool isTree = options.trees && draw(0, 2) == 0 && to / 2 != from / 2;
            std::vector<std::vector<uint16_t>> ports(nodes.size());
            WormRoute::Lanes lanes;
            for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
            {
                ports[i].push_back(nodes[i].front().port);
                lanes.push_back(nodes[i].front().lane);
            }
            worm.stopNodes = at;
            if (isTree)
            {
                ports[ports.size() - 2].push_back(graph.SwitchOf(graph.HostAt(to ^ 1)).port);
                lanes.push_back(drawLane());
                ports.emplace_back();
                worm.stopNodes.push_back(graph.HostAt(to ^ 1));
            }
            worm.route = WormRoute::Tree(ports).InLanes(lanes);
        }
        made.worms.push_back(worm);
    }
    return made;
}

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
GoTo(const FabricGraph& graph, TransitWalk& walk, GraphNode to, const Dice& draw)
{
    const auto end = graph.SwitchOf(to);
    auto left = CountStepsFrom(end.node, [&](GraphNode node) {
        return MadeOf(graph.PortsToSwitches(node),
                      [&](auto port) { return graph.Peer(node, port).node; });
    });
    Go(graph, walk, 0);
    while (walk.nodes.back() != end.node)
    {
        const auto node = walk.nodes.back();
        const auto nearer = ThoseOf(graph.PortsToSwitches(node), [&](auto port) {
            return left[graph.Peer(node, port).node] < left[node];
        });
        Go(graph, walk, draw.Pick(nearer));
    }
    Go(graph, walk, end.port);
}

} // namespace

WormCase
MakeTransitCase(Ptr<UniformRandomVariable> rng, const TransitCaseOptions& options)
{
    const Dice draw(rng);
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
            cable.flitTime = TimeStep(draw.Pick({5, 7, 1000, 2500, 6250}));
            cable.delay = TimeStep(draw.Pick({1, 90, 20'000}));
            cable.depth = static_cast<uint32_t>(draw.Pick({1, 3, 20, 150}));
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
            cable.flitTime = TimeStep(draw.Pick({7, 2500, 6250}));
            graph.SetCable(graph.HostAt(host), 0, cable);
        }
    }
    WormCase made{graph};
    made.inTransit = options.mode;
    made.inTransitDelayPs = draw.Pick({0, 1, 6250, 475'000});
    made.hostDelayPs = draw.Pick({0, 11, 300'000});
    DrawTimes(draw, made);
    made.timing.depth = DrawDepth(draw, options.longer);
    made.sourceRouted = options.sourceRouted;
    made.flitBytes = options.sourceRouted ? static_cast<uint32_t>(draw.Pick({1, 1, 2, 3})) : 1;
    const auto nWorms = options.circles ? draw(30, 60) : draw(2, 25);
    const auto horizon =
        static_cast<uint32_t>(options.circles ? 20'000 : draw.Pick({20'000, 400'000, 6'000'000}));
    for (uint32_t w = 0; w < nWorms; ++w)
    {
        WormCase::Worm worm;
        worm.timePs = made.hostDelayPs + draw(0, horizon);
        worm.flits = options.longer ? draw.Pick({2, 40, 150, 151, 400, 600})
                                    : draw.Pick({1, 2, 3, 5, 17, 64});
        TransitWalk walk;
        do
        {
            walk = {};
            std::vector<GraphNode> hosts;
            for (auto n = draw(0, 3) + 2; n > 0; --n)
            {
                const auto host = graph.HostAt(draw(0, graph.GetNHosts() - 1));
                if (!IsIn(hosts, host))
                {
                    hosts.push_back(host);
                }
            }
            walk.isSimple = hosts.size() > 1;
            walk.nodes.push_back(hosts.front());
            for (std::size_t i = 1; i < hosts.size(); ++i)
            {
                GoTo(graph, walk, hosts[i], draw);
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
    const auto outcome = AskOracle(worms);
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
                for (auto s = static_cast<WormRoute::Stop>(stop); s + 1 < nodes.size(); ++s)
                {
                    ports.push_back(worms.worms[w].route.At(s)[0].port);
                }
                rival.route = WormRoute::Path(ports);
                worms.worms.push_back(std::move(rival));
                break; // what follows may be another way then
            }
        }
    }
}

void
AddOutages(Ptr<UniformRandomVariable> rng, WormCase& worms)
{
    const Dice dice(rng);
    const auto draw = [&](std::size_t n) { return dice(0, static_cast<uint32_t>(n) - 1); };
    const auto& graph = worms.graph;
    const auto [tau, p, delay, depth] = worms.timing;
    std::vector<int64_t> instants;
    for (const auto& worm : AskOracle(worms).worms)
    {
        for (const auto& entry : worm.legs)
        {
            instants.push_back(entry.second.headStart);
            instants.push_back(entry.second.tailEnd.value_or(0));
        }
        for (const auto& entry : worm.delivered)
        {
            instants.push_back(entry.second);
        }
    }
    const auto last = *std::max_element(instants.begin(), instants.end());
    worms.detectionDelayPs = dice.Pick({0, 0, 11, tau, 500'000});
    for (auto n = dice.Pick({1, 1, 2, 4}); n > 0; --n)
    {
        WormCase::Outage outage{};
        const auto kind = draw(5); // three in five are cables, one is a switch, one a host
        outage.node = kind == 3   ? draw(graph.GetNSwitches())
                      : kind == 4 ? graph.HostAt(draw(graph.GetNHosts()))
                                  : draw(graph.GetNNodes());
        auto shortest = worms.detectionDelayPs;
        std::vector<FabricGraph::Port> ports;
        for (uint32_t number = 0; number < graph.GetNPorts(outage.node); ++number)
        {
            const auto port = static_cast<FabricGraph::Port>(number);
            if (graph.Peer(outage.node, port).node != FabricGraph::NONE)
            {
                ports.push_back(port);
                shortest = std::max(shortest, worms.GetTiming({outage.node, port}).linkDelayPs);
            }
        }
        if (kind < 3)
        {
            outage.port = ports[draw(ports.size())];
        }
        const auto instant = draw(2) ? instants[draw(instants.size())] : draw(last + 1);
        outage.fromPs = std::max<int64_t>(
            0,
            instant +
                dice.Pick({0, 0, p, tau + p, tau + p + delay, -1, 1, -worms.detectionDelayPs}));
        const auto length = [&] { return shortest + dice.Pick({0, 1, 1'000, 100'000, 1'000'000}); };
        if (draw(5) < 3)
        {
            outage.toPs = outage.fromPs + length();
        }
        worms.outages.push_back(outage);
        if (outage.toPs && draw(3) == 0)
        {
            outage.fromPs = *outage.toPs + dice.Pick({0, 1, p, 100'000});
            outage.toPs = outage.fromPs + length();
            worms.outages.push_back(outage);
        }
    }
}

} // namespace ns3
