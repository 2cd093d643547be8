/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-factory.h"

#include "fabric-file.h"
#include "irregular-topology-helper.h"
#include "roadrunner-topology.h"
#include "topology-properties.h"
#include "topology-text.h"

#include "ns3/bracketed-name.h"
#include "ns3/dimension-order-router.h"
#include "ns3/direct-router.h"
#include "ns3/dragonfly-router.h"
#include "ns3/fat-tree-router.h"
#include "ns3/host-places.h"
#include "ns3/memory-limit.h"
#include "ns3/repaired-routes.h"
#include "ns3/route-spread.h"
#include "ns3/routing-engine.h"
#include "ns3/switch-channels.h"
#include "ns3/switch-levels.h"
#include "ns3/up-down-router.h"
#include "ns3/word-list.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace ns3
{

namespace
{

/// A family of topologies.
struct Family
{
    std::string example;                      ///< a text
    std::string first;                        ///< what its value without a key is
    std::vector<std::string> keys;            ///< its keys, but routing, root, spread
    FabricGraph (*make)(const TopologyText&); ///< makes one
    std::vector<std::string> routings;        ///< names of its routes, the default first
    /// Makes the router of routes other than up-down; null: there are none. @param text the text
    /// @param graph its graph @param spread how routes share equally good paths
    Ptr<WormholeRouter> (*route)(const TopologyText& text,
                                 const FabricGraph& graph,
                                 RouteSpread::Rule spread);
    bool isShared; ///< whether those routes have anything to share
    /// @return the rule of its cables; null: there is none @param text the text
    std::shared_ptr<const RegularTopology> (*rule)(const TopologyText& text){nullptr};
};

/// @return the rule of a mesh @param text its text
GridTopology
MeshOf(const TopologyText& text)
{
    return {text.GetWholes(""), GridTopology::Ends::OPEN, text.GetWhole("hosts", 1)};
}

/// @return the rule of a torus @param text its text
GridTopology
TorusOf(const TopologyText& text)
{
    return {text.GetWholes(""), GridTopology::Ends::JOINED, text.GetWhole("hosts", 1)};
}

/// @return the rule of a k-ary n-tree @param text its text
FatTreeTopology
KAryTreeOf(const TopologyText& text)
{
    return FatTreeTopology::KAryNTree(text.GetWhole("k"), text.GetWhole("n"));
}

/// @return the rule of a Clos network @param text its text
FatTreeTopology
ClosOf(const TopologyText& text)
{
    const bool byLevel = text.Has("down") || text.Has("up") || text.Has("cables");
    if (byLevel && (text.Has("ports") || text.Has("levels")))
    {
        throw WormholeError("ports or levels beside down, up or cables: accepted are "
                            "ports and levels, or numbers by level");
    }
    if (byLevel)
    {
        // One by one: where one of them is refused inside the braces of a temporary, GCC 12
        // destroys the others when their storage is gone.
        FatTreeTopology::Parameters numbers;
        numbers.down = text.GetWholes("down");
        numbers.up = text.GetWholes("up");
        numbers.cables = text.GetWholes("cables");
        return FatTreeTopology(numbers);
    }
    return FatTreeTopology::Clos(text.GetWhole("ports"), text.GetWhole("levels", 2));
}

/// @return the rule of a dragonfly @param text its text
DragonflyTopology
DragonflyOf(const TopologyText& text)
{
    DragonflyTopology::Parameters parameters;
    parameters.switches = text.GetWhole("a");
    parameters.globals = text.GetWhole("h");
    parameters.groups = text.Has("g") ? text.GetWhole("g") : 0;
    parameters.hosts = text.GetWhole("hosts", 1);
    if (text.Has("g") && parameters.groups == 0)
    {
        throw WormholeError("g = 0: accepted are 2 groups or more");
    }
    return DragonflyTopology(parameters);
}

/// @return the rule of a full mesh @param text its text
FullMeshTopology
FullMeshOf(const TopologyText& text)
{
    return FullMeshTopology(text.GetWhole(""), text.GetWhole("hosts", 1));
}

/// @return the graph of a rule; RULE is a function that reads it @param text its text
template <auto RULE>
FabricGraph
MakeOf(const TopologyText& text)
{
    return RULE(text).MakeGraph();
}

/// @return a rule that is kept; RULE is a function that reads it @param text its text
template <auto RULE>
std::shared_ptr<const RegularTopology>
KeepRule(const TopologyText& text)
{
    return std::make_shared<const decltype(RULE(text))>(RULE(text));
}

/// @return routes of a mesh or torus; RULE reads it @param text its text @param graph its graph
template <auto RULE>
Ptr<WormholeRouter>
RouteGrid(const TopologyText& text, const FabricGraph& graph, RouteSpread::Rule)
{
    auto router = Create<DimensionOrderRouter>(RULE(text));
    router->CheckDeadlockFree(graph);
    return router;
}

/// @return routes of a fat tree; RULE reads it @param text its text @param spread how they share
/// ways
template <auto RULE>
Ptr<WormholeRouter>
RouteTree(const TopologyText& text, const FabricGraph&, RouteSpread::Rule spread)
{
    return Create<FatTreeRouter>(RULE(text), spread);
}

/// @return routes of a dragonfly @param text its text @param graph its graph @param spread how they
/// share ways
Ptr<WormholeRouter>
RouteDragonfly(const TopologyText& text, const FabricGraph& graph, RouteSpread::Rule spread)
{
    auto router = Create<DragonflyRouter>(DragonflyOf(text), spread);
    router->CheckDeadlockFree(graph);
    return router;
}

/// @return routes of a full mesh @param text its text
Ptr<WormholeRouter>
RouteFullMesh(const TopologyText& text, const FabricGraph&, RouteSpread::Rule)
{
    return Create<DirectRouter>(FullMeshOf(text));
}

/// @return a random fabric @param text its text
FabricGraph
MakeIrregular(const TopologyText& text)
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = text.GetWhole("switches", parameters.switches);
    parameters.ports = text.GetWhole("ports", parameters.ports);
    parameters.connectivity = text.GetNumber("f", parameters.connectivity);
    parameters.hosts = text.GetWhole("hosts", parameters.hosts);
    parameters.law = IrregularTopologyHelper::LawByName(text.Get("law", "recursive"));
    parameters.parallelLinks = text.GetWord("parallel", {"no", "yes"}) == "yes";
    IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(text.GetWhole("stream", 0));
    return helper.Create();
}

/// @return Roadrunner's fabric @param text its text
FabricGraph
MakeRoadrunner(const TopologyText& text)
{
    return MakeRoadrunnerGraph(text.GetWord("wiring", GetRoadrunnerWirings()),
                               text.GetWhole("cables", 2));
}

/// @return a fabric from a file @param text its text
FabricGraph
MakeFromFile(const TopologyText& text)
{
    return ReadFabricFile(text.GetFirst());
}

/// @return all families by name
const std::map<std::string, Family>&
GetFamilies()
{
    static const std::vector<std::string> UP_DOWN{"up-down"};
    static const std::map<std::string, Family> families{
        {"mesh",
         {"mesh:4x4x4",
          "lengths",
          {"hosts"},
          MakeOf<MeshOf>,
          {"dimension-order", "up-down"},
          RouteGrid<MeshOf>,
          false,
          KeepRule<MeshOf>}},
        {"torus",
         {"torus:8x8,hosts=2",
          "lengths",
          {"hosts"},
          MakeOf<TorusOf>,
          {"up-down", "dimension-order"},
          RouteGrid<TorusOf>,
          false,
          KeepRule<TorusOf>}},
        {"kary-tree",
         {"kary-tree:k=4,n=3",
          "",
          {"k", "n"},
          MakeOf<KAryTreeOf>,
          {"nearest-ancestor", "up-down"},
          RouteTree<KAryTreeOf>,
          true,
          KeepRule<KAryTreeOf>}},
        {"clos",
         {"clos:ports=16,levels=2",
          "",
          {"ports", "levels", "down", "up", "cables"},
          MakeOf<ClosOf>,
          {"nearest-ancestor", "up-down"},
          RouteTree<ClosOf>,
          true,
          KeepRule<ClosOf>}},
        {"dragonfly",
         {"dragonfly:a=4,h=2,hosts=2",
          "",
          {"a", "h", "g", "hosts"},
          MakeOf<DragonflyOf>,
          {"up-down", "minimal"},
          RouteDragonfly,
          true,
          KeepRule<DragonflyOf>}},
        {"full",
         {"full:8,hosts=4",
          "switches",
          {"hosts"},
          MakeOf<FullMeshOf>,
          {"direct", "up-down"},
          RouteFullMesh,
          false,
          KeepRule<FullMeshOf>}},
        {"irregular",
         {"irregular:switches=75,hosts=256,f=0.75",
          "",
          {"switches", "ports", "hosts", "f", "law", "parallel", "stream"},
          MakeIrregular,
          UP_DOWN,
          nullptr,
          false}},
        {"roadrunner",
         {"roadrunner:wiring=mesh,cables=2",
          "",
          {"wiring", "cables"},
          MakeRoadrunner,
          UP_DOWN,
          nullptr,
          false}},
        {"file", {"file:cluster.json", "file name", {}, MakeFromFile, {}, nullptr, false}}};
    return families;
}

/// @return whether a text is the name of a file, perhaps with entries behind it @param text it
bool
IsFileName(const std::string& text)
{
    const auto name = text.substr(0, text.find(','));
    const std::string ending = ".json";
    return name.size() > ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

/// @return a text in its parts; its family is file if it is the name of one @param text the text
TopologyText
Parse(const std::string& text)
{
    const auto isFamily = GetFamilies().count(text.substr(0, text.find(':'))) > 0;
    return TopologyText(!isFamily && IsFileName(text) ? "file:" + text : text);
}

/// @return a family @param name its name
const Family&
GetFamily(const std::string& name)
{
    const auto& families = GetFamilies();
    const auto family = families.find(name);
    if (family == families.end())
    {
        std::string known;
        for (const auto& entry : families)
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw WormholeError("there is no family '" + name + "'; there are " + known + ", as in " +
                            families.at("torus").example);
    }
    return family->second;
}

/**
 * Has routes be those of a name.
 * @param name name of a routing engine, or one of the others
 * @param others names of routes that are accepted besides engines
 * @param routes the routes; their family remains
 * @throws WormholeError if there is no such name
 */
void
NameRoutes(const std::string& name, const std::vector<std::string>& others, FabricRoutes& routes)
{
    if (name != "up-down" && std::find(others.begin(), others.end(), name) != others.end())
    {
        routes.routing = name;
        return;
    }
    if (!RoutingEngine::Has(name))
    {
        auto known = others;
        for (const auto& engine : RoutingEngine::GetNames())
        {
            if (std::find(known.begin(), known.end(), engine) == known.end())
            {
                known.push_back(engine);
            }
        }
        throw WormholeError("routing '" + name + "': accepted are " + WordList::WithCommas(known));
    }
    RoutingEngine::Make(name); // refuses what is in brackets
    const BracketedName parts(name, "balanced[Root=center]");
    routes.routing = parts.GetBare() == "up-down" ? "up-down" : name;
    for (const auto& setting : parts.GetSettings())
    {
        const auto equals = setting.find('=');
        if (routes.routing == "up-down")
        {
            (setting.compare(0, equals, "Root") == 0 ? routes.root : routes.spread) =
                setting.substr(equals + 1);
        }
    }
}

/**
 * Has a graph take the routes that a text asks for.
 * @param text the text
 * @param family its family
 * @param graph its graph, whose own routes are what it has without such entries
 */
void
ChooseRoutes(const TopologyText& text, const Family& family, FabricGraph& graph)
{
    auto routes = graph.GetRoutes();
    const auto& routings = family.routings;
    if (routings.empty()) // a file's
    {
        if (text.Has("routing"))
        {
            NameRoutes(text.Get("routing", ""), {routes.routing}, routes);
        }
    }
    else
    {
        NameRoutes(text.Get("routing", routings.front()), routings, routes);
        auto others = TopologyProperties::GetKeys();
        others.insert(others.end(), {"routing", "root", "spread"});
        // Other routes that may be chosen later follow its rule.
        routes.family = family.rule || family.route ? text.Without(others) : "";
    }
    if (text.Has("root") && routes.routing != "up-down")
    {
        throw WormholeError("root " + text.Get("root", "") + " with routing " + routes.routing +
                            ": only routing=up-down has a root");
    }
    routes.root = text.Get("root", routes.root);
    if (text.Has("spread"))
    {
        routes.spread = text.GetWord("spread", RouteSpread::GetNames());
    }
    graph.SetRoutes(routes);
    if (text.Has("spread") && !RoutesAreShared(graph))
    {
        throw WormholeError("spread " + routes.spread + " with routing " + routes.routing +
                            ": it has one way between two switches; accepted is routing=up-down");
    }
}

/**
 * Refuses a graph that is not what its routes are for.
 * @param graph the graph
 * @param topology the rule of what it has to be, cable by cable
 */
void
CheckSame(const FabricGraph& graph, const RegularTopology& topology)
{
    const auto& routes = graph.GetRoutes();
    const auto refuse = [&](const std::string& trouble) {
        throw WormholeError("routing " + routes.routing + " of " + routes.family + ": " + trouble +
                            "; accepted are the cables of that topology, or routing up-down");
    };
    if (graph.GetNSwitches() != topology.GetNSwitches() ||
        graph.GetNHosts() != topology.GetNHosts() || graph.GetNPorts(0) != topology.GetNPorts())
    {
        const auto size = [](uint32_t switches, uint32_t ports, uint32_t hosts) {
            return std::to_string(switches) + " switches of " + std::to_string(ports) +
                   " ports and " + std::to_string(hosts) + " hosts";
        };
        refuse("the fabric has " +
               size(graph.GetNSwitches(), graph.GetNPorts(0), graph.GetNHosts()) + " instead of " +
               size(topology.GetNSwitches(), topology.GetNPorts(), topology.GetNHosts()));
    }
    const auto rule = topology.MakeGraph();
    for (FabricGraph::Node node = 0; node < graph.GetNNodes(); ++node)
    {
        for (uint32_t i = 0; i < graph.GetNPorts(node); ++i)
        {
            const auto port = static_cast<FabricGraph::Port>(i);
            const auto own = graph.Peer(node, port);
            const auto wanted = rule.Peer(node, port);
            if (own.node != wanted.node || own.port != wanted.port)
            {
                const auto name = [&](const FabricGraph::End& end) {
                    return end.node == FabricGraph::NONE ? std::string("nothing")
                                                         : "port " + std::to_string(end.port) +
                                                               " of " + graph.GetName(end.node);
                };
                refuse("port " + std::to_string(port) + " of " + graph.GetName(node) +
                       " is cabled to " + name(own) + " instead of " + name(wanted));
            }
        }
    }
}

/**
 * Refuses a rule's graph that is far too large to be simulated, before it is made. Where it comes
 * near the limit, cables are counted when it is installed.
 * @param rule the rule
 */
void
CheckSize(const RegularTopology& rule)
{
    constexpr uint32_t SAMPLE = 64; // switches, which tell how many cables all have
    const auto nSwitches = rule.GetNSwitches();
    const auto nLooked = std::min(nSwitches, SAMPLE);
    double nEnds = 0;
    for (uint32_t i = 0; i < nLooked; ++i)
    {
        const auto node = static_cast<FabricGraph::Node>(uint64_t{i} * nSwitches / nLooked);
        for (uint32_t port = 0; port < rule.GetNPorts(); ++port)
        {
            nEnds +=
                rule.Peer(node, static_cast<FabricGraph::Port>(port)).node != FabricGraph::NONE;
        }
    }
    const auto nCables = nEnds / 2 * nSwitches / nLooked + rule.GetNHosts();
    const auto needed = MemoryLimit::OfFabric(nSwitches, rule.GetNHosts(), nCables);
    if (needed > 2 * MemoryLimit::Get())
    {
        MemoryLimit::Check(needed, [&] {
            return "a fabric of " + std::to_string(nSwitches) + " switches and " +
                   std::to_string(rule.GetNHosts()) + " hosts takes";
        });
    }
}

/// @return the router of a graph whose routes a routing engine computes @param graph the graph
Ptr<WormholeRouter>
MakeEngineRouter(const FabricGraph& graph)
{
    const auto& routes = graph.GetRoutes();
    const auto engine = RoutingEngine::Make(routes.routing);
    std::shared_ptr<const RegularTopology> rule;
    if (!routes.family.empty())
    {
        const TopologyText text(routes.family);
        const auto& family = GetFamily(text.GetFamily());
        text.Accept(family.first, family.keys, family.example);
        if (family.rule && engine->TakesRule())
        {
            rule = family.rule(text);
            CheckSame(graph, *rule);
        }
    }
    return engine->MakeRouter(graph, rule.get());
}

} // namespace

bool
RoutesAreShared(const FabricGraph& graph)
{
    const auto& routes = graph.GetRoutes();
    return routes.routing == "up-down" ||
           (!RoutingEngine::Has(routes.routing) &&
            GetFamily(TopologyText(routes.family).GetFamily()).isShared);
}

void
SetRouting(FabricGraph& graph, const std::string& routing)
{
    auto routes = graph.GetRoutes();
    NameRoutes(routing, {routes.routing}, routes);
    graph.SetRoutes(routes);
}

bool
ChooseRouting(FabricGraph& graph)
{
    graph.Validate();
    const SwitchChannels channels(graph);
    const HostPlaces hosts(graph);
    const bool isFatTree = graph.GetNSwitches() > 1 && SwitchLevels(channels, hosts).IsFatTree();
    if (isFatTree)
    {
        SetRouting(graph, "fat-tree");
    }
    return isFatTree;
}

Ptr<WormholeRouter>
MakeRepairedRouter(const FabricGraph& graph, const FabricGraph& whole, Ptr<WormholeRouter> before)
{
    if (before->GetNLanes() > 1)
    {
        throw WormholeError("routes of " + std::to_string(before->GetNLanes()) +
                            " lanes: accepted to be repaired are those of one");
    }
    const auto ranks = SwitchLevels(SwitchChannels(graph), HostPlaces(graph)).GetRanks();
    return Create<RepairedRoutes>(graph, ranks, KeptRoutes(graph, ranks, whole, before));
}

Ptr<WormholeRouter>
MakeRouter(const FabricGraph& graph)
{
    const auto& routes = graph.GetRoutes();
    if (routes.routing == "up-down")
    {
        return Create<UpDownRouter>(graph);
    }
    if (RoutingEngine::Has(routes.routing))
    {
        return MakeEngineRouter(graph);
    }
    const TopologyText text(routes.family);
    const auto& family = GetFamily(text.GetFamily());
    text.Accept(family.first, family.keys, family.example);
    const auto& known = family.routings;
    if (std::find(known.begin(), known.end(), routes.routing) == known.end() || !family.route)
    {
        throw WormholeError("routing '" + routes.routing + "' of topology '" + routes.family +
                            "': accepted is " +
                            (family.route ? known[0] + " or " + known[1] : "up-down"));
    }
    CheckSame(graph, *family.rule(text)); // all that have routes of their own have one
    return family.route(text, graph, RouteSpread::ByName(routes.spread));
}

WormholeTopology
MakeTopology(FabricGraph graph, const std::string& family)
{
    auto router = MakeRouter(graph);
    const auto routing = graph.GetRoutes().routing;
    return {family, routing, std::move(graph), router};
}

std::string
WithRouting(const std::string& text, const std::string& routing)
{
    auto replaced = text;
    try
    {
        const auto parsed = Parse(text);
        if (parsed.Has("routing"))
        {
            replaced = parsed.Without({"routing", "root", "spread"});
        }
    }
    catch (const WormholeError& error)
    {
        throw WormholeError("topology '" + text + "': " + error.what());
    }
    replaced += replaced.find(':') == std::string::npos && !IsFileName(replaced) ? ":" : ",";
    return replaced + "routing=" + routing;
}

WormholeTopology
MakeTopology(const std::string& text)
{
    const auto word = text.substr(0, text.find(':'));
    const bool isFile = word == "file" || (!GetFamilies().count(word) && IsFileName(text));
    try
    {
        const auto parsed = Parse(text);
        const auto& family = GetFamily(parsed.GetFamily());
        auto keys = family.keys;
        keys.insert(keys.end(), {"routing", "root", "spread"});
        const auto& properties = TopologyProperties::GetKeys();
        keys.insert(keys.end(), properties.begin(), properties.end());
        parsed.Accept(family.first, keys, family.example);
        if (family.rule)
        {
            CheckSize(*family.rule(parsed));
        }
        auto graph = family.make(parsed);
        TopologyProperties::Read(parsed, graph);
        ChooseRoutes(parsed, family, graph);
        const auto& routes = graph.GetRoutes();
        if (isFile)
        {
            try
            {
                return MakeTopology(std::move(graph), parsed.GetFamily());
            }
            catch (const WormholeError& error)
            {
                throw WormholeError(parsed.GetFirst() + ": " + error.what());
            }
        }
        if (routes.routing == "up-down" || RoutingEngine::Has(routes.routing))
        {
            return MakeTopology(std::move(graph), parsed.GetFamily());
        }
        auto router = family.route(parsed, graph, RouteSpread::ByName(routes.spread));
        return {parsed.GetFamily(), routes.routing, std::move(graph), router};
    }
    catch (const WormholeError& error)
    {
        throw WormholeError(isFile ? std::string(error.what())
                                   : "topology '" + text + "': " + error.what());
    }
}

std::vector<std::string>
GetTopologyExamples()
{
    std::vector<std::string> examples;
    for (const auto& entry : GetFamilies())
    {
        examples.push_back(entry.second.example);
    }
    return examples;
}

} // namespace ns3
