/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FILE_H
#define FABRIC_FILE_H

#include "ns3/fabric-graph.h"

#include <string>

namespace ns3
{

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

#endif /* FABRIC_FILE_H */
