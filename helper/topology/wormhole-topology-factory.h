// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_TOPOLOGY_FACTORY_H
#define WORMHOLE_TOPOLOGY_FACTORY_H

#include "ns3/wormhole-routing-engine.h"

#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief A fabric's graph and its routes, as used by WormholeHelper.
struct WormholeTopology
{
    std::string family;         ///< name of the topology's family or source
    std::string routing;        ///< name of the routes, such as up-down
    FabricGraph graph;          ///< the fabric
    Ptr<WormholeRouter> router; ///< its routes, made for this graph and deadlock-free
};

/// @ingroup wormhole
/// @brief Creates a topology from a short text, so that programs offer all topologies by one
///        option.
///
/// The text is a family, a colon, and comma-separated entries:
///
/// - `mesh:4x4x4`, `torus:8x8,hosts=2`: see GridTopology
/// - `kary-tree:k=4,n=3`: see FatTreeTopology::KAryNTree
/// - `clos:ports=16,levels=2`: see FatTreeTopology::Clos; or, by level from the leaves up,
///   `clos:down=8x16,up=4,cables=2`, see FatTreeTopology
/// - `dragonfly:a=4,h=2,g=9,hosts=2`: see DragonflyTopology; g is by default the maximum number of
///   groups
/// - `full:8,hosts=4`: see FullMeshTopology
/// - `irregular:switches=75,ports=8,hosts=256,f=0.75,law=recursive,parallel=no,stream=0`: see
///   IrregularTopologyHelper; these are the defaults
/// - `roadrunner:wiring=mesh,cables=2`: the cluster of Sun et al., "Broadcast on Clusters of SMPs
///   with Optimal Concurrency", section III: 64 hosts of two processors on four switches, each with
///   16 front ports for hosts and 8 back ports. The paper does not specify the wiring of the back
///   ports; `wiring` is mesh (all pairs), ring, line or star; `cables` is the number of parallel
///   cables per connected pair; the defaults are mesh and 2 cables
/// - all families: properties of cables and switches, such as
///   `rate=100Gbps,length=3m,uplink-rate=400Gbps,switch-delay=90ns`: see doc/user/fabric-files.rst
/// - `file:cluster.json`, or the name of a file that ends in .json: see ReadFabricFile
///
/// `hosts` is the number of hosts per switch, by default 1, but in irregular the total. In every
/// family, `routing` selects a RoutingEngine: the default is `dimension-order` for mesh,
/// `nearest-ancestor` for kary-tree and clos, `direct` for full, and `up-down` for all others;
/// `root` is the root of `up-down` routes. `spread` determines how routes share parallel cables and
/// equally short legal paths: by default `first` in irregular, `in-turn` in roadrunner, and `hash`
/// elsewhere (RouteSpread). For a file, the entries routing, root and spread override the file's.
///
/// @param text the text
/// @param engine makes the routes; null: the text's routing, or the default, makes them; if both
///        `engine` and a routing are given, the text's routing, root and spread are ignored
/// @return the topology
/// @throws WormholeError if there is no such family, key, word or file, a value is out of range, or
///         worms on the routes can deadlock
WormholeTopology MakeTopology(const std::string& text, Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Adds routes to a graph: those of `engine` or, if it is null, the
/// graph's own; `family` is the graph's family or source; throws a WormholeError if this fails.
WormholeTopology MakeTopology(FabricGraph graph,
                              const std::string& family,
                              Ptr<RoutingEngine> engine = nullptr);

/// @ingroup wormhole @brief Creates the router of a graph's own routes, see FabricGraph::GetRoutes,
/// or throws a WormholeError if the routing is unknown, a table does not lead to every host, worms
/// can deadlock, or the routes follow a topology's rule and the graph differs from that topology.
Ptr<WormholeRouter> MakeRouter(const FabricGraph& graph);

/// @ingroup wormhole @brief Sets a graph's own routes by the name of a RoutingEngine, perhaps with
/// attributes in brackets, or throws a WormholeError if there is no such name, attribute or value.
void SetRouting(FabricGraph& graph, const std::string& routing);

/// @ingroup wormhole @brief For a fabric whose routes were not specified: if it is a fat tree (see
/// SwitchLevels), selects "fat-tree" routes and returns true; else leaves it unchanged and returns
/// false; throws as FabricGraph::Validate.
bool ChooseRouting(FabricGraph& graph);

/// @ingroup wormhole
/// @brief Makes routes of a fat tree that has lost parts. Routes in `before` whose cables all
///        remain are kept if they still lead up, then down; others are made by fat-tree, balanced.
/// @param graph the fabric that remains
/// @param whole the fabric before the loss; nodes and ports of both fabrics must match
/// @param before routes of the fabric before the loss
/// @return the routes
/// @throws WormholeError if a host is not in `whole`, or the routes in `before` need several lanes
Ptr<WormholeRouter> MakeRepairedRouter(const FabricGraph& graph,
                                       const FabricGraph& whole,
                                       Ptr<WormholeRouter> before);

/// @ingroup wormhole @brief Adds `routing` to a text for MakeTopology; if the text has a routing,
/// its routing, root and spread are removed first; throws a WormholeError if an entry is malformed.
std::string WithRouting(const std::string& text, const std::string& routing);

/// @ingroup wormhole @brief Tells whether a graph's own routes use FabricRoutes::spread.
bool RoutesAreShared(const FabricGraph& graph);

/// @ingroup wormhole @brief Tells whether a fabric's routes use FabricRoutes::root: they do if they
/// are up-down and their name sets neither root nor spread.
bool HaveRoot(const FabricRoutes& routes);

/// @ingroup wormhole
/// @return an example text of each family, for the help text of a program's option
std::vector<std::string> GetTopologyExamples();

class JsonValue;

/// @ingroup wormhole
/// @brief Reads a fabric from a JSON file, in the format of doc/user/fabric-files.rst.
///
/// Required are "hosts", a list of names, and "links", each [node, port, node, port], perhaps with
/// the cable's properties (CableText) last; a host has only port 0, a switch has up to 4096 ports.
/// Optional are:
///
/// - "ports", ports per switch, by default the highest port number in use plus 1; "switches", each
///   switch's delay; and "defaults" of all properties. Properties in the file override attributes
/// - "lanes", "priorities" and "grant" (S11), which override WormholeFabric's attributes; if routes
///   need more, channels get as many, and "grant" can't be "flit"; "outages", for OutageSchedule
/// - "interfaces", such as [["h0", "h0b"]]: a list for each computer with several interfaces;
///   each interface is a host; in "hosts", the computers' first interfaces precede all others
/// - "routing": by default "up-down", or "fat-tree" if the fabric is a fat tree (ChooseRouting) and
///   the file has no "root" or "spread"; "root" (UpDownRouting::RootByName); "spread" (RouteSpread)
/// - "topology", a topology text whose rule routes follow; "routes", the tables of "table" routing
///
/// Keys of case files (ReadWormCase): "switch_delays" is read; "transit", "transit_delay",
/// "host_delay" and "detection_delay" are refused; others are ignored. Hosts are numbered in order
/// of "hosts", switches by name, digits as numbers: s2 precedes s10. All nodes keep their names.
///
/// @param path the file
/// @return the fabric, connected, with every host cabled to a switch
/// @throws WormholeError for any error: one line with file, line, place, value and what is expected
FabricGraph ReadFabricFile(const std::string& path);

/// @ingroup wormhole
/// @brief Reads a fabric from a JSON object as in ReadFabricFile, but with "up-down" as default
///        routes, without "outages"; the caller has checked its keys; throws as ReadFabricFile.
FabricGraph ReadFabric(const JsonValue& root);

/// @ingroup wormhole @brief Writes a fabric to a JSON file, replacing an existing one.
/// @param graph the fabric; ReadFabricFile restores the names of its nodes and, if switches are
///        numbered in the order of their names, also the nodes' numbers
/// @param path the file @throws WormholeError if the file can't be written, the fabric is invalid
///        (FabricGraph::Validate) or has no host, or switches have more than 4096 ports
void WriteFabricFile(const FabricGraph& graph, const std::string& path);

} // namespace ns3

#endif /* WORMHOLE_TOPOLOGY_FACTORY_H */
