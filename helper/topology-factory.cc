/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "topology-factory.h"

#include "fabric-file.h"
#include "irregular-topology-helper.h"
#include "roadrunner-topology.h"
#include "topology-text.h"

#include "ns3/dimension-order-router.h"
#include "ns3/direct-router.h"
#include "ns3/dragonfly-router.h"
#include "ns3/fat-tree-router.h"
#include "ns3/spread-router.h"
#include "ns3/up-down-router.h"
#include "ns3/wormhole-error.h"

#include <map>
#include <utility>

namespace ns3
{

namespace
{

/// A family of topologies.
struct Family
{
    std::string example;                           ///< a text
    std::string first;                             ///< what its value without a key is
    std::vector<std::string> keys;                 ///< its keys, but routing, root, spread
    WormholeTopology (*make)(const TopologyText&); ///< makes one
};

/**
 * Completes a topology by its routing.
 * @param text the text
 * @param graph the fabric
 * @param routings names of the routings that the family has, the default first
 * @param spreads whether up-down routes are spread over parallel cables by default
 * @return the topology; its router is made if it is up-down
 */
WormholeTopology
WithRouting(const TopologyText& text,
            FabricGraph graph,
            const std::vector<std::string>& routings,
            bool spreads = false)
{
    static const std::vector<std::string> NO_YES{"no", "yes"};
    static const std::vector<std::string> YES_NO{"yes", "no"};
    const auto routing = text.GetWord("routing", routings);
    WormholeTopology topology{text.GetFamily(), routing, std::move(graph), nullptr};
    if (routing == "up-down")
    {
        topology.router = Create<UpDownRouter>(topology.graph, text.Get("root", "first"));
        if (text.GetWord("spread", spreads ? YES_NO : NO_YES) == "yes")
        {
            topology.router = Create<SpreadRouter>(topology.router, topology.graph);
        }
    }
    else if (text.Has("spread"))
    {
        throw WormholeError("spread " + text.Get("spread", "") + " with routing " + routing +
                            ": only routing=up-down spreads routes over parallel cables");
    }
    else if (text.Has("root"))
    {
        throw WormholeError("root " + text.Get("root", "") + " with routing " + routing +
                            ": only routing=up-down has a root");
    }
    return topology;
}

/// @return a topology whose routes are of a rule, if not up-down; TOPOLOGY and ROUTER are classes
/// @param text the text @param rule what is cabled to what @param routings see WithRouting
template <typename ROUTER, typename TOPOLOGY>
WormholeTopology
MakeRegular(const TopologyText& text,
            const TOPOLOGY& rule,
            const std::vector<std::string>& routings)
{
    auto topology = WithRouting(text, rule.MakeGraph(), routings);
    if (!topology.router)
    {
        topology.router = Create<ROUTER>(rule);
    }
    return topology;
}

/// @return a mesh @param text its text
WormholeTopology
MakeMesh(const TopologyText& text)
{
    const GridTopology grid(text.GetWholes(""),
                            GridTopology::Ends::OPEN,
                            text.GetWhole("hosts", 1));
    return MakeRegular<DimensionOrderRouter>(text, grid, {"dimension-order", "up-down"});
}

/// @return a torus @param text its text
WormholeTopology
MakeTorus(const TopologyText& text)
{
    const GridTopology grid(text.GetWholes(""),
                            GridTopology::Ends::JOINED,
                            text.GetWhole("hosts", 1));
    auto topology = MakeRegular<DimensionOrderRouter>(text, grid, {"up-down", "dimension-order"});
    if (topology.routing == "dimension-order")
    {
        DimensionOrderRouter(grid).CheckDeadlockFree(topology.graph);
    }
    return topology;
}

/// @return a k-ary n-tree @param text its text
WormholeTopology
MakeKAryTree(const TopologyText& text)
{
    const auto tree = FatTreeTopology::KAryNTree(text.GetWhole("k"), text.GetWhole("n"));
    return MakeRegular<FatTreeRouter>(text, tree, {"nearest-ancestor", "up-down"});
}

/// @return a Clos network @param text its text
WormholeTopology
MakeClos(const TopologyText& text)
{
    const bool byLevel = text.Has("down") || text.Has("up") || text.Has("cables");
    if (byLevel && (text.Has("ports") || text.Has("levels")))
    {
        throw WormholeError("ports or levels beside down, up or cables: accepted are "
                            "ports and levels, or numbers by level");
    }
    // One by one: where one of them is refused inside the braces of a temporary, GCC 12 destroys
    // the others when their storage is gone.
    FatTreeTopology::Parameters numbers;
    numbers.down = text.GetWholes("down");
    numbers.up = text.GetWholes("up");
    numbers.cables = text.GetWholes("cables");
    const auto tree =
        byLevel ? FatTreeTopology(numbers)
                : FatTreeTopology::Clos(text.GetWhole("ports"), text.GetWhole("levels", 2));
    return MakeRegular<FatTreeRouter>(text, tree, {"nearest-ancestor", "up-down"});
}

/// @return a dragonfly @param text its text
WormholeTopology
MakeDragonfly(const TopologyText& text)
{
    DragonflyTopology::Parameters parameters;
    parameters.switches = text.GetWhole("a");
    parameters.globals = text.GetWhole("h");
    parameters.groups = text.Has("g") ? text.GetWhole("g") : 0;
    parameters.hosts = text.GetWhole("hosts", 1);
    if (text.Has("g") && parameters.groups == 0)
    {
        throw WormholeError("g = 0: it takes 2 groups at least");
    }
    const DragonflyTopology dragonfly(parameters);
    auto topology = MakeRegular<DragonflyRouter>(text, dragonfly, {"up-down", "minimal"});
    if (topology.routing == "minimal")
    {
        DragonflyRouter(dragonfly).CheckDeadlockFree(topology.graph);
    }
    return topology;
}

/// @return a full mesh @param text its text
WormholeTopology
MakeFullMesh(const TopologyText& text)
{
    const FullMeshTopology mesh(text.GetWhole(""), text.GetWhole("hosts", 1));
    return MakeRegular<DirectRouter>(text, mesh, {"direct", "up-down"});
}

/// @return a random fabric @param text its text
WormholeTopology
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
    return WithRouting(text, helper.Create(), {"up-down"});
}

/// @return Roadrunner's fabric @param text its text
WormholeTopology
MakeRoadrunner(const TopologyText& text)
{
    auto graph = MakeRoadrunnerGraph(text.GetWord("wiring", GetRoadrunnerWirings()),
                                     text.GetWhole("cables", 2));
    return WithRouting(text, std::move(graph), {"up-down"}, true);
}

/// @return a fabric from a file @param text its text
WormholeTopology
MakeFromFile(const TopologyText& text)
{
    return WithRouting(text, ReadFabricFile(text.GetFirst()), {"up-down"});
}

/// @return all families by name
const std::map<std::string, Family>&
GetFamilies()
{
    static const std::map<std::string, Family> families{
        {"mesh", {"mesh:4x4x4", "lengths", {"hosts"}, MakeMesh}},
        {"torus", {"torus:8x8,hosts=2", "lengths", {"hosts"}, MakeTorus}},
        {"kary-tree", {"kary-tree:k=4,n=3", "", {"k", "n"}, MakeKAryTree}},
        {"clos",
         {"clos:ports=16,levels=2", "", {"ports", "levels", "down", "up", "cables"}, MakeClos}},
        {"dragonfly", {"dragonfly:a=4,h=2,hosts=2", "", {"a", "h", "g", "hosts"}, MakeDragonfly}},
        {"full", {"full:8,hosts=4", "switches", {"hosts"}, MakeFullMesh}},
        {"irregular",
         {"irregular:switches=75,hosts=256,f=0.75",
          "",
          {"switches", "ports", "hosts", "f", "law", "parallel", "stream"},
          MakeIrregular}},
        {"roadrunner",
         {"roadrunner:wiring=mesh,cables=2", "", {"wiring", "cables"}, MakeRoadrunner}},
        {"file", {"file:cluster.json", "file name", {}, MakeFromFile}}};
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

} // namespace

WormholeTopology
MakeTopology(const std::string& text)
{
    const auto& families = GetFamilies();
    const auto word = text.substr(0, text.find(':'));
    const bool isFile = word == "file" || (!families.count(word) && IsFileName(text));
    try
    {
        const TopologyText parsed(isFile && word != "file" ? "file:" + text : text);
        const auto family = families.find(parsed.GetFamily());
        if (family == families.end())
        {
            std::string known;
            for (const auto& entry : families)
            {
                known += (known.empty() ? "" : ", ") + entry.first;
            }
            throw WormholeError("there is no family '" + word + "'; there are " + known +
                                ", as in " + families.at("torus").example);
        }
        auto keys = family->second.keys;
        keys.insert(keys.end(), {"routing", "root", "spread"});
        parsed.Accept(family->second.first, keys, family->second.example);
        return family->second.make(parsed);
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
