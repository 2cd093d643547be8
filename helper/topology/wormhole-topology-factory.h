/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_TOPOLOGY_FACTORY_H
#define WORMHOLE_TOPOLOGY_FACTORY_H

#include "ns3/fabric-graph.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-routing-engine.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A fabric's graph and its routes, as WormholeHelper takes them.
struct WormholeTopology
{
    std::string family;         ///< name of the family
    std::string routing;        ///< name of the routes
    FabricGraph graph;          ///< the fabric
    Ptr<WormholeRouter> router; ///< its routes, made for this graph and free of deadlock
};

/**
 * @ingroup wormhole
 * @brief Makes a topology of a short text, so that programs can offer all of them by one option.
 *
 * The text is a family, a colon, and entries with commas:
 *
 * - `mesh:4x4x4`, `torus:8x8,hosts=2`: see GridTopology
 * - `kary-tree:k=4,n=3`: see FatTreeTopology::KAryNTree
 * - `clos:ports=16,levels=2`: see FatTreeTopology::Clos; or, by level from the leaves up,
 *   `clos:down=8x16,up=4,cables=2`, see FatTreeTopology
 * - `dragonfly:a=4,h=2,g=9,hosts=2`: see DragonflyTopology; without g, as many groups as can be
 * - `full:8,hosts=4`: see FullMeshTopology
 * - `irregular:switches=75,ports=8,hosts=256,f=0.75,law=recursive,parallel=no,stream=0`: see
 *   IrregularTopologyHelper; all entries have these defaults
 * - `roadrunner:wiring=mesh,cables=2`, with these defaults: see MakeRoadrunnerGraph
 * - any of them: `rate=100Gbps,length=3m,uplink-rate=400Gbps,switch-delay=90ns`: see
 *   TopologyProperties
 * - `file:cluster.json`, or the name of a file that ends in .json: see ReadFabricFile
 *
 * `hosts` is the number at each switch, 1 by default, and of all in irregular. In every family
 * `routing` chooses the routes, a RoutingEngine: `up-down`, with `root` for the switch on top;
 * `balanced`, `depth-first[Root=best|Length=any]` and the like; and the family's own, by default
 * `dimension-order` (mesh; also for a torus with a length of 3 at most), `nearest-ancestor`
 * (kary-tree, clos) and `direct` (full); also `minimal` for a dragonfly of two groups and the like.
 * `spread` is how routes share parallel cables and equally short legal paths, see RouteSpread:
 * `hash`, `in-turn`, `first` or `each`. The default is `hash`, but in fabrics that papers drew:
 * `first` in irregular, `in-turn` in roadrunner. A file has its own routing, root and spread (see
 * ReadFabricFile); entries go before these.
 *
 * @param text the text
 * @param engine its routes in place of those that it names, and of a root and spread beside these;
 *        null: none
 * @return the topology
 * @throws WormholeError if there is no such family, key, word or file, a value is out of its range,
 *         or worms on the routes can deadlock
 */
WormholeTopology MakeTopology(const std::string& text, Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Completes a graph by the routes of its own, see FabricGraph::GetRoutes.
/// @param graph the graph
/// @param family name of its family, or what it was made from
/// @param engine its routes in place of its own; null: none
/// @return the topology
/// @throws WormholeError if it cannot have such routes
WormholeTopology MakeTopology(FabricGraph graph,
                              const std::string& family,
                              Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Makes the router of a graph's own routes, see FabricGraph::GetRoutes.
/// @param graph the graph
/// @return the router
/// @throws WormholeError if there are no such routes, the graph is not that of the topology whose
/// rule they follow, a table does not lead to every host, or worms on them can deadlock
Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph);

/// @ingroup wormhole @brief Has a graph's own routes be those of a name.
/// @param graph the graph
/// @param routing name of a RoutingEngine, perhaps with attributes in brackets; or what the graph's
/// routes are
/// @throws WormholeError if there is none of that name, or it has no such attribute or value
void SetRouting(FabricGraph& graph, const std::string& routing);

/// @ingroup wormhole @brief Has a fabric of which nobody said what its routes are have those that
/// suit it: a fat tree gets "fat-tree", any other keeps what it has.
/// @param graph the graph
/// @return whether it is a fat tree; see SwitchLevels for what that is
/// @throws WormholeError if no traffic could use it, as FabricGraph::Validate
bool ChooseRouting(FabricGraph& graph);

/// @ingroup wormhole @brief Makes routes of a fat tree that has lost parts: all routes whose cables
/// are left stay what they were, the others are as those of "fat-tree", spread beside them.
/// @param graph the graph; nodes and ports have the names and numbers that they had before
/// @param whole the graph before
/// @param before its routes
/// @return the router
/// @throws WormholeError if a host was not there before, or those routes take several lanes
Ptr<WormholeRouter> MakeRepairedRouter(const FabricGraph& graph,
                                       const FabricGraph& whole,
                                       Ptr<WormholeRouter> before);

/// @ingroup wormhole @brief Has a text's routes be those of a name.
/// @param text the text, as MakeTopology takes it
/// @param routing name of the routes
/// @return the text with these; a routing that it had goes, with the root and spread beside it
/// @throws WormholeError if an entry is none
std::string WithRouting(const std::string& text, const std::string& routing);

/// @ingroup wormhole
/// @return whether a graph's own routes have several ways to share
/// @param graph the graph
bool RoutesAreShared(const FabricGraph& graph);

/// @ingroup wormhole
/// @return an example of each family's text, for the help text of a program's option
std::vector<std::string> GetTopologyExamples();

class JsonValue;

/**
 * @ingroup wormhole
 * @brief Reads a fabric from a JSON file.
 *
 * The file is an object:
 *
 * - "hosts": the hosts' names; every other node is a switch
 * - "links": cables, [node, port, node, port] each; a host has the one port 0, a switch 4096 at
 *   most; several cables between two switches are fine
 * - "ports", optional: number of ports of each switch; without it, the highest port used plus 1
 * - a fifth entry of a link, optional: what the cable has of its own, {"rate": "100Gbps", "delay":
 *   "15ns" or "length": "3m", "depth": 4096}; see CableText. "depth" is in flits, or a text in
 * bytes
 * - "switches", optional: delays of switches, {"s3": {"delay": "90ns"}}
 * - "defaults", optional: the same for all, {"rate": "100Gbps", "length": "3m", "depth": "16KiB",
 *   "switch_delay": "90ns"}; "delay_per_metre", "5ns" without it, is how fast lengths are. What is
 *   nowhere in the file is as the attributes say; what is there stands before attributes
 * - "lanes", "priorities" and "grant", optional: number of lanes of all channels, a list of their
 *   priorities, and "flit" or "worm" (S11), as WormholeFabric's attributes, before which they
 * stand; several lanes want grant worm, and routes that take more lanes than this get them
 * - "interfaces", optional: computers of several interfaces, each of which is a host of its own,
 *   [["h0", "h0b"], ["h1", "h1b"]], the first interface first; all further ones are last in
 * "hosts". HostSoftware::InterfaceRule says which of them a message takes
 * - "routing", optional: name of the routes; "table" needs "routes", others need "topology".
 * Without it, and without "root" and "spread", a fat tree has "fat-tree" (ChooseRouting), any other
 * fabric "up-down"
 * - "topology", optional: text of the topology whose rule such routes follow, as MakeTopology reads
 *   it, such as "clos:ports=16,levels=2"; the cables are to be that topology's. Beside other routes
 *   it has no effect until such are chosen in their place
 * - "root", optional: root of up/down routes, "first" without it; see UpDownRouting::RootByName
 * - "spread", optional: how routes share parallel cables and equally short legal paths: "hash" as
 *   without it, "in-turn", "first" or "each"; see RouteSpread
 * - "routes", with "table" only: for each switch, by its name, a text with the output port for each
 *   host, in the order of "hosts", with blanks between; "-" where no route to that host passes
 *
 * The keys that a case file has besides are passed over (see ReadWormCase). Hosts are numbered in
 * the order of "hosts", switches by their names, runs of digits compared as numbers: s2 is before
 * s10. All nodes keep their names.
 *
 * @param path the file
 * @return the fabric, connected, every host cabled to a switch
 * @throws WormholeError for any mistake, in one line that names file, line, place, value and what
 *         would be accepted
 */
FabricGraph ReadFabricFile(const std::string& path);

/// @ingroup wormhole @brief Reads a fabric from within a JSON file that holds more than that.
/// @param root an object as in ReadFabricFile, whose keys the caller has checked
/// @return the fabric, with routes "up-down" where nothing is said of them
/// @throws WormholeError as ReadFabricFile does
FabricGraph ReadFabric(const JsonValue& root);

/// @ingroup wormhole @brief Writes a fabric to a JSON file, from which ReadFabricFile makes it
/// again: nodes have equal names, and the same numbers if the switches' numbers follow their names,
/// as they do where nothing has been renamed.
/// @param graph the fabric
/// @param path the file; one that is there is replaced
/// @throws WormholeError if the file can't be written, or traffic could not use the fabric
void WriteFabricFile(const FabricGraph& graph, const std::string& path);

} // namespace ns3

#endif /* WORMHOLE_TOPOLOGY_FACTORY_H */
