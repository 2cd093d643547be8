// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-topology-factory.h"

#include "irregular-topology-helper.h"

#include "ns3/destination-routes.h"
#include "ns3/dragonfly-topology.h"
#include "ns3/fat-tree-topology.h"
#include "ns3/grid-topology.h"
#include "ns3/memory-limit.h"
#include "ns3/ordering.h"
#include "ns3/switch-levels.h"
#include "ns3/topology-text.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace ns3
{

namespace
{

using Rule = std::shared_ptr<const RegularTopology>;

struct Family
{
    std::string example;               ///< a text
    std::string first;                 ///< what its value without a key is
    std::vector<std::string> keys;     ///< its keys, but routing, root, spread
    std::vector<std::string> routings; ///< names of its routes, the default first; none: a file's
    Rule (*rule)(const TopologyText&); ///< makes the rule of its cables; null: there is none
    FabricGraph (*make)(const TopologyText&){nullptr}; ///< makes the graph without a rule
};

template <GridTopology::Ends ENDS>
Rule
MakeGrid(const TopologyText& text)
{
    return GridTopology(text.GetWholes(""), ENDS, text.GetWhole("hosts", 1)).Copy();
}

Rule
MakeClos(const TopologyText& text)
{
    const bool byLevel = text.Has("down") || text.Has("up") || text.Has("cables");
    WormholeError::ThrowIf(byLevel && (text.Has("ports") || text.Has("levels")),
                           "ports or levels beside down, up or cables: expected "
                           "ports and levels, or numbers by level");
    if (byLevel)
    {
        // One by one: where one of them is refused inside the braces of a temporary, GCC 12
        // destroys the others when their storage is gone.
        FatTreeTopology::Parameters numbers;
        numbers.down = text.GetWholes("down");
        numbers.up = text.GetWholes("up");
        numbers.cables = text.GetWholes("cables");
        return FatTreeTopology(numbers).Copy();
    }
    return FatTreeTopology::Clos(text.GetWhole("ports"), text.GetWhole("levels", 2)).Copy();
}

Rule
MakeDragonfly(const TopologyText& text)
{
    DragonflyTopology::Parameters parameters;
    parameters.switches = text.GetWhole("a");
    parameters.globals = text.GetWhole("h");
    parameters.groups = text.Has("g") ? text.GetWhole("g") : 0;
    parameters.hosts = text.GetWhole("hosts", 1);
    WormholeError::ThrowIf(text.Has("g") && parameters.groups == 0,
                           "g = 0: expected 2 groups or more");
    return DragonflyTopology(parameters).Copy();
}

FabricGraph
MakeIrregular(const TopologyText& text)
{
    IrregularTopologyHelper::Parameters parameters;
    parameters.switches = text.GetWhole("switches", parameters.switches);
    parameters.ports = text.GetWhole("ports", parameters.ports);
    parameters.connectivity = text.GetNumber("f", parameters.connectivity);
    parameters.hosts = text.GetWhole("hosts", parameters.hosts);
    parameters.law = IrregularTopologyHelper::ModelByName(text.Get("law", "recursive"));
    parameters.parallelLinks = text.GetWord("parallel", {"no", "yes"}) == "yes";
    IrregularTopologyHelper helper(parameters);
    helper.AssignStreams(text.GetWhole("stream", 0));
    return helper.Create();
}

/// The Roadrunner cluster: a switch's back ports lead to the others in order, parallel cables next
/// to each other.
FabricGraph
MakeRoadrunner(const TopologyText& text)
{
    constexpr uint32_t SWITCHES = 4;
    constexpr uint32_t FRONT = 16;
    constexpr uint32_t BACK = 8;

    struct Wiring
    {
        uint32_t most;                                    ///< most links of a switch
        std::vector<std::pair<uint32_t, uint32_t>> pairs; ///< switches that are cabled
    };

    static const std::map<std::string, Wiring> wirings{
        {"mesh", {3, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}}},
        {"ring", {2, {{0, 1}, {0, 3}, {1, 2}, {2, 3}}}},
        {"line", {2, {{0, 1}, {1, 2}, {2, 3}}}},
        {"star", {3, {{0, 1}, {0, 2}, {0, 3}}}}};
    const auto wiring = text.GetWord("wiring", {"mesh", "ring", "line", "star"});
    const auto cables = text.GetWhole("cables", 2);
    FabricGraph graph(SWITCHES, SWITCHES * FRONT, FRONT + BACK);
    for (uint32_t host = 0; host < graph.GetNHosts(); ++host)
    {
        graph.Connect(graph.HostAt(host),
                      0,
                      host / FRONT,
                      static_cast<FabricGraph::Port>(host % FRONT));
    }
    const auto& [most, pairs] = wirings.at(wiring);
    WormholeError::ThrowIf(cables == 0 || cables > BACK / most,
                           std::to_string(cables) + " cables between two switches; with wiring " +
                               wiring + ", expected 1 to " + std::to_string(BACK / most) +
                               ", for " + std::to_string(BACK) + " back ports");
    std::vector<FabricGraph::Port> next(SWITCHES, FRONT);
    for (const auto& [a, b] : pairs)
    {
        for (uint32_t cable = 0; cable < cables; ++cable)
        {
            graph.Connect(a, next[a]++, b, next[b]++);
        }
    }
    // The paper's figures are of cables that are used in turn.
    graph.SetRoutes({"up-down", "first", "in-turn", "", nullptr});
    return graph;
}

const std::map<std::string, Family>&
GetFamilies()
{
    using Ends = GridTopology::Ends;
    static const std::map<std::string, Family> families{
        {"mesh",
         {"mesh:4x4x4",
          "lengths",
          {"hosts"},
          {"dimension-order", "up-down"},
          MakeGrid<Ends::OPEN>}},
        {"torus",
         {"torus:8x8,hosts=2",
          "lengths",
          {"hosts"},
          {"up-down", "dimension-order"},
          MakeGrid<Ends::JOINED>}},
        {"kary-tree",
         {"kary-tree:k=4,n=3",
          "",
          {"k", "n"},
          {"nearest-ancestor", "up-down"},
          [](const TopologyText& text) {
              return FatTreeTopology::KAryNTree(text.GetWhole("k"), text.GetWhole("n")).Copy();
          }}},
        {"clos",
         {"clos:ports=16,levels=2",
          "",
          {"ports", "levels", "down", "up", "cables"},
          {"nearest-ancestor", "up-down"},
          MakeClos}},
        {"dragonfly",
         {"dragonfly:a=4,h=2,hosts=2",
          "",
          {"a", "h", "g", "hosts"},
          {"up-down", "minimal"},
          MakeDragonfly}},
        {"full",
         {"full:8,hosts=4",
          "switches",
          {"hosts"},
          {"direct", "up-down"},
          [](const TopologyText& text) {
              return FullMeshTopology(text.GetWhole(""), text.GetWhole("hosts", 1)).Copy();
          }}},
        {"irregular",
         {"irregular:switches=75,hosts=256,f=0.75",
          "",
          {"switches", "ports", "hosts", "f", "law", "parallel", "stream"},
          {"up-down"},
          nullptr,
          MakeIrregular}},
        {"roadrunner",
         {"roadrunner:wiring=mesh,cables=2",
          "",
          {"wiring", "cables"},
          {"up-down"},
          nullptr,
          MakeRoadrunner}},
        {"file", {"file:cluster.json", "file name", {}, {}, nullptr, [](const TopologyText& text) {
                      return ReadFabricFile(text.GetFirst());
                  }}}};
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

const Family&
GetFamily(const std::string& name)
{
    const auto& families = GetFamilies();
    const auto family = families.find(name);
    WormholeError::ThrowIf(family == families.end(),
                           "there is no family '" + name + "'; there are " +
                               WordList::WithCommas(KeysOf(families)) + ", as in " +
                               families.at("torus").example);
    return family->second;
}

/// @throws WormholeError if there is none of that name, or it has no such attribute or value
Ptr<RoutingEngine>
MakeEngine(const std::string& name, std::vector<std::string> first)
{
    if (!RoutingEngine::Has(name))
    {
        const auto others = ThoseOf(RoutingEngine::GetNames(),
                                    [&](const auto& engine) { return !IsIn(first, engine); });
        first.insert(first.end(), others.begin(), others.end());
        throw WormholeError("routing '" + name + "': expected " + WordList::WithCommas(first));
    }
    return RoutingEngine::Make(name);
}

/// Has a graph take the routes that a text asks for.
/// @param engine the routes in place of those of the text, and of a root and spread beside them;
/// null: none @return the engine of these routes
Ptr<RoutingEngine>
ChooseRoutes(const TopologyText& text,
             const Family& family,
             Ptr<RoutingEngine> engine,
             FabricGraph& graph)
{
    auto routes = graph.GetRoutes();
    const bool isFile = family.routings.empty();
    const bool isReplaced = engine && text.Has("routing");
    const bool isFilesOwn = isFile && !engine && !text.Has("routing");
    if (!engine)
    {
        const auto usual = isFile ? routes.routing : family.routings.front();
        engine = MakeEngine(text.Get("routing", usual),
                            isFile ? std::vector{routes.routing} : family.routings);
    }
    if (!isFilesOwn)
    {
        engine->Name(routes);
    }
    if (!isFile)
    {
        auto others = TopologyProperties::GetKeys();
        others.insert(others.end(), {"routing", "root", "spread"});
        // Other routes that may be chosen later follow its rule.
        routes.family = family.rule ? text.Without(others) : "";
    }
    if (!isReplaced)
    {
        WormholeError::ThrowIf(text.Has("root") && !HaveRoot(routes),
                               "root " + text.Get("root", "") + " with routing " + routes.routing +
                                   ": only routing=up-down has a root");
        routes.root = text.Get("root", routes.root);
        if (text.Has("spread"))
        {
            routes.spread = text.GetWord("spread", RouteSpread::GetNames());
        }
        WormholeError::ThrowIf(text.Has("spread") && !engine->UsesSpread(routes),
                               "spread " + routes.spread + " with routing " + routes.routing +
                                   ": it has one route between two switches; expected "
                                   "routing=up-down");
    }
    graph.SetRoutes(routes);
    return engine;
}

/// Refuses a graph that is not what its routes are for.
void
CheckSame(const FabricGraph& graph, const RegularTopology& topology)
{
    const auto& routes = graph.GetRoutes();
    const auto refuse = [&](const std::string& trouble) {
        throw WormholeError("routing " + routes.routing + " of " + routes.family + ": " + trouble +
                            "; expected the cables of that topology, or routing up-down");
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
        for (FabricGraph::Port port = 0; port < graph.GetNPorts(node); ++port)
        {
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

/// Refuses a rule's graph that is far too large to be simulated, before it is made. Where it comes
/// near the limit, cables are counted when it is installed.
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

/// @return the router of a graph's own routes @param graph the graph @param engine their engine
/// @param rule the rule that the graph was just made by; null: that of the routes' family, if any
Ptr<WormholeRouter>
RouteBy(const FabricGraph& graph, RoutingEngine& engine, Rule rule = nullptr)
{
    const auto& routes = graph.GetRoutes();
    engine.Follow(routes);
    if (!rule && engine.UsesTopologyRule() && !routes.family.empty())
    {
        const TopologyText text(routes.family);
        const auto& family = GetFamily(text.GetFamily());
        text.Accept(family.first, family.keys, family.example);
        if (family.rule)
        {
            rule = family.rule(text);
            CheckSame(graph, *rule);
        }
    }
    return engine.MakeRouter(graph, rule.get());
}

} // namespace

bool
RoutesAreShared(const FabricGraph& graph)
{
    const auto& routes = graph.GetRoutes();
    return RoutingEngine::Has(routes.routing) &&
           RoutingEngine::Make(routes.routing)->UsesSpread(routes);
}

bool
HaveRoot(const FabricRoutes& routes)
{
    const auto& routing = routes.routing;
    return routing.substr(0, routing.find('[')) == "up-down" &&
           RoutingEngine::Make(routing)->UsesSpread(routes);
}

void
SetRouting(FabricGraph& graph, const std::string& routing)
{
    auto routes = graph.GetRoutes();
    MakeEngine(routing, {routes.routing})->Name(routes);
    graph.SetRoutes(routes);
}

bool
ChooseRouting(FabricGraph& graph)
{
    graph.Validate();
    const bool isFatTree = graph.GetNSwitches() > 1 && SwitchLevels(graph).isFatTree;
    if (isFatTree)
    {
        SetRouting(graph, "fat-tree");
    }
    return isFatTree;
}

Ptr<WormholeRouter>
MakeRepairedRouter(const FabricGraph& graph, const FabricGraph& whole, Ptr<WormholeRouter> before)
{
    WormholeError::ThrowIf(before->GetNLanes() > 1,
                           "routes of " + std::to_string(before->GetNLanes()) +
                               " lanes can't be repaired; expected routes of one lane");
    return MakeRepairedRoutes(graph, SwitchLevels(graph).ranks, whole, before);
}

Ptr<WormholeRouter>
MakeRouter(const FabricGraph& graph)
{
    return RouteBy(graph, *RoutingEngine::Make(graph.GetRoutes().routing));
}

WormholeTopology
MakeTopology(FabricGraph graph, const std::string& family, Ptr<RoutingEngine> engine)
{
    if (engine)
    {
        auto routes = graph.GetRoutes();
        engine->Name(routes);
        graph.SetRoutes(routes);
    }
    auto router = engine ? RouteBy(graph, *engine) : MakeRouter(graph);
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
MakeTopology(const std::string& text, Ptr<RoutingEngine> engine)
{
    const auto word = text.substr(0, text.find(':'));
    const bool isFile = word == "file" || (!GetFamilies().count(word) && IsFileName(text));
    std::string place;
    try
    {
        const auto parsed = Parse(text);
        const auto& family = GetFamily(parsed.GetFamily());
        auto keys = family.keys;
        keys.insert(keys.end(), {"routing", "root", "spread"});
        const auto& properties = TopologyProperties::GetKeys();
        keys.insert(keys.end(), properties.begin(), properties.end());
        parsed.Accept(family.first, keys, family.example);
        Rule rule;
        if (family.rule)
        {
            rule = family.rule(parsed);
            CheckSize(*rule);
        }
        auto graph = rule ? rule->MakeGraph() : family.make(parsed);
        TopologyProperties::Read(parsed, graph);
        const auto chosen = ChooseRoutes(parsed, family, engine, graph);
        place = isFile ? parsed.GetFirst() + ": " : "";
        auto router = RouteBy(graph, *chosen, rule);
        const auto routing = graph.GetRoutes().routing;
        return {parsed.GetFamily(), routing, std::move(graph), router};
    }
    catch (const WormholeError& error)
    {
        const auto whole = engine ? WithRouting(text, engine->GetText()) : text;
        throw WormholeError((isFile ? place : "topology '" + whole + "': ") + error.what());
    }
}

std::vector<std::string>
GetTopologyExamples()
{
    return MadeOf(GetFamilies(), [](const auto& family) { return family.second.example; });
}

} // namespace ns3
