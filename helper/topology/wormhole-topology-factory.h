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
/// @brief A fabric's graph and its routes, as used by WormholeHelper.
struct WormholeTopology
{
    std::string family;         ///< name of the family
    std::string routing;        ///< name of the routes
    FabricGraph graph;          ///< the fabric
    Ptr<WormholeRouter> router; ///< its routes, made for this graph and deadlock-free
};

/**
 * @ingroup wormhole
 * @brief Creates a topology from a short text, so that programs offer all topologies by one option.
 *
 * The text is a family, a colon, and comma-separated entries:
 *
 * - `mesh:4x4x4`, `torus:8x8,hosts=2`: see GridTopology
 * - `kary-tree:k=4,n=3`: see FatTreeTopology::KAryNTree
 * - `clos:ports=16,levels=2`: see FatTreeTopology::Clos; or, by level from the leaves up,
 *   `clos:down=8x16,up=4,cables=2`, see FatTreeTopology
 * - `dragonfly:a=4,h=2,g=9,hosts=2`: see DragonflyTopology; without g, the maximum number of groups
 * - `full:8,hosts=4`: see FullMeshTopology
 * - `irregular:switches=75,ports=8,hosts=256,f=0.75,law=recursive,parallel=no,stream=0`: see
 *   IrregularTopologyHelper; these are the defaults
 * - `roadrunner:wiring=mesh,cables=2`: see MakeRoadrunnerGraph; these are the defaults
 * - all families: `rate=100Gbps,length=3m,uplink-rate=400Gbps,switch-delay=90ns`: see
 *   TopologyProperties
 * - `file:cluster.json`, or the name of a file that ends in .json: see ReadFabricFile
 *
 hosts` is the number per switch, by default 1; in irregular it is the total. In every family
 `routing` selects the routes, a RoutingEngine: `up-down`, with `root` for its root; `balanced`,
 `depth-first[Root=best|Length=any]` and the like; or the family's own, by default `dimension-order`
 (mesh; also a torus with lengths up to 3), `nearest-ancestor` (kary-tree, clos) and `direct`
 (full); also `minimal` for a dragonfly that needs no lanes, such as one of two groups. `spread`
 determines how routes share parallel cables and equally short legal paths, see RouteSpread: `hash`,
 `in-turn`, `first` or `each`. The default is `hash`, except for fabrics from papers: `first` in
 irregular, `in-turn` in roadrunner. A file has its own routing, root and spread (see
 ReadFabricFile), which entries override.
 *
 * @param text the text
 * @param engine its routes, in place of those that the text names with root and spread; null: none
 * @return the topology
 * @throws WormholeError if there is no such family, key, word or file, a value is out of range, or
 *         worms on the routes can deadlock
 */
WormholeTopology MakeTopology(const std::string& text, Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Adds the routes of a graph's own, see FabricGraph::GetRoutes.
/// @param graph the graph
/// @param family name of its family, or of its source
/// @param engine its routes in place of the graph's own; null: none
/// @return the topology
/// @throws WormholeError if such routes are impossible for it
WormholeTopology MakeTopology(FabricGraph graph,
                              const std::string& family,
                              Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Creates the router of a graph's own routes, see FabricGraph::GetRoutes.
/// @param graph the graph
/// @return the router
/// @throws WormholeError if there are no such routes, the graph is not that of the topology whose
///         rule they follow, a table does not lead to every host, or worms on them can deadlock
Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph);

/// @ingroup wormhole @brief Sets a graph's own routes by name.
/// @param graph the graph
/// @param routing name of a RoutingEngine, optionally with attributes in brackets; or the current
///        name of the graph's routes
/// @throws WormholeError if there is no such name, attribute or value
void SetRouting(FabricGraph& graph, const std::string& routing);

/// @ingroup wormhole @brief Selects suitable routes for a fabric for which none were specified: a
/// fat tree gets "fat-tree", any other is unchanged.
/// @param graph the graph
/// @return whether it is a fat tree; see SwitchLevels for the definition
/// @throws WormholeError if traffic could not use it, as FabricGraph::Validate
bool ChooseRouting(FabricGraph& graph);

/// @ingroup wormhole @brief Makes routes of a fat tree that has lost parts: routes whose cables are
/// all left are unchanged, the others are as those of "fat-tree", balanced along with the former.
/// @param graph the graph; nodes and ports keep their names and numbers
/// @param whole the graph before the loss
/// @param before its routes
/// @return the router
/// @throws WormholeError if a host was not there before, or those routes need several lanes
Ptr<WormholeRouter> MakeRepairedRouter(const FabricGraph& graph,
                                       const FabricGraph& whole,
                                       Ptr<WormholeRouter> before);

/// @ingroup wormhole @brief Replaces the routes in a topology text.
/// @param text the text, as for MakeTopology
/// @param routing name of the routes
/// @return the text with these routes, without its previous routing, root and spread
/// @throws WormholeError if an entry is invalid
std::string WithRouting(const std::string& text, const std::string& routing);

/// @ingroup wormhole
/// @return whether a graph's own routes share several paths
/// @param graph the graph
bool RoutesAreShared(const FabricGraph& graph);

/// @ingroup wormhole @brief Tells whose root a fabric's routes have.
/// @param routes a fabric's own routes
/// @return whether FabricRoutes::root is theirs: up-down, whose name has no root of its own
bool HaveRoot(const FabricRoutes& routes);

/// @ingroup wormhole
/// @return an example of each family's text, for the help text of a program's option
std::vector<std::string> GetTopologyExamples();

class JsonValue;

/**
 * @ingroup wormhole
 * @brief Reads a fabric from a JSON file.
 *
 * The file contains an object:
 *
 * - "hosts": the hosts' names; every other node is a switch
 * - "links": cables, [node, port, node, port] each; a host has only port 0, a switch up to 4096
 *   ports; parallel cables are allowed
 * - "ports", optional: number of ports of each switch; default: the highest port used plus 1
 * - a fifth entry of a link, optional: the cable's own properties, {"rate": "100Gbps", "delay":
 *   "15ns" or "length": "3m", "depth": 4096}; see CableText. "depth" is in flits, or a text in
 *   bytes
 * - "switches", optional: delays of switches, {"s3": {"delay": "90ns"}}
 * - "defaults", optional: the same for all, {"rate": "100Gbps", "length": "3m", "depth": "16KiB",
 *   "switch_delay": "90ns"}; "delay_per_metre", by default "5ns", converts lengths. Properties in
 *   the file override attributes; others follow the attributes
 * - "lanes", "priorities" and "grant", optional: number of lanes of all channels, a list of their
 *   priorities, and "flit" or "worm" (S11), which override WormholeFabric's attributes; several
 *   lanes require grant worm; routes that need more lanes get them
 * - "interfaces", optional: computers with several interfaces, each of which is a host of its own,
 *   [["h0", "h0b"], ["h1", "h1b"]], the first interface first; all further ones are last in
 *   "hosts". HostSoftware::InterfaceRule selects the interface of a message
 * - "routing", optional: name of the routes; "table" needs "routes", routes by a rule need
 *   "topology". Without it, and without "root" and "spread", the default is "fat-tree" for a fat
 *   tree (ChooseRouting), "up-down" for any other fabric
 * - "topology", optional: text of the topology whose rule such routes follow, as for MakeTopology,
 *   such as "clos:ports=16,levels=2"; the cables must be that topology's. It has no effect on other
 *   routes
 * - "root", optional: root of up/down routes, by default "first"; see UpDownRouting::RootByName
 * - "spread", optional: how routes share parallel cables and equally short legal paths: "hash"
 *   (default), "in-turn", "first" or "each"; see RouteSpread
 * - "routes", with "table" only: for each switch, by its name, a text with the output port for each
 *   host, in the order of "hosts", separated by blanks; "-" if no route to that host passes the
 *   switch
 *
 * The additional keys of case files are ignored (see ReadWormCase). Hosts are numbered in the order
 * of "hosts", switches by their names, with runs of digits compared as numbers: s2 precedes s10.
 * All nodes keep their names.
 *
 * @param path the file
 * @return the fabric, connected, with every host cabled to a switch
 * @throws WormholeError for any error: one line with file, line, place, value and what is expected
 */
FabricGraph ReadFabricFile(const std::string& path);

/// @ingroup wormhole @brief Reads a fabric from a JSON file that contains further data.
/// @param root an object as in ReadFabricFile, whose keys the caller has checked
/// @return the fabric; its routes default to "up-down"
/// @throws WormholeError as ReadFabricFile does
FabricGraph ReadFabric(const JsonValue& root);

/// @ingroup wormhole @brief Writes a fabric to a JSON file, from which ReadFabricFile restores it:
/// nodes have the same names, and also the same numbers if the switches' numbers follow their
/// names, as they do unless they were renamed.
/// @param graph the fabric
/// @param path the file; an existing one is replaced
/// @throws WormholeError if the file can't be written, or traffic could not use the fabric
void WriteFabricFile(const FabricGraph& graph, const std::string& path);

} // namespace ns3

#endif /* WORMHOLE_TOPOLOGY_FACTORY_H */
