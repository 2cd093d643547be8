/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_REPLAY_H
#define WORM_REPLAY_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-deadlock.h"
#include "ns3/wormhole-router.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A fabric, its timing, and worms to send through it: what a case file holds.
 *
 * Times are in picoseconds.
 */
struct WormCase
{
    /// One worm.
    struct Worm
    {
        int64_t timePs{0};                         ///< when its head asks for the injection channel
        uint64_t flits{0};                         ///< length, 1 or more
        FabricGraph::Node root{FabricGraph::NONE}; ///< sending host
        WormRoute route;                           ///< way, stops in breadth-first order
        std::vector<FabricGraph::Node> stopNodes;  ///< node at each stop of the route
        std::vector<std::string> stopNames;        ///< name of the node at each stop
    };

    /// Times and depths, of the whole fabric or of a cable and the switch at one end of it.
    struct Timing
    {
        int64_t flitTimePs{1};    ///< tau, 1 or more
        int64_t linkDelayPs{1};   ///< p, 1 or more
        int64_t switchDelayPs{0}; ///< t_r, 0 or more
        uint32_t depth{1};        ///< D, flits in an input buffer, 1 or more
    };

    /// A part that is down for a time (S14).
    struct Outage
    {
        FabricGraph::Node node;                ///< a switch, a host or where a cable ends
        std::optional<FabricGraph::Port> port; ///< the cable's there; none: the node is down
        int64_t fromPs;                        ///< when it goes down
        std::optional<int64_t> toPs;           ///< when it is up again; none: never
    };

    /// @return times and depths there, of its own or else of the fabric (S10)
    /// @param end an end of a cable
    Timing GetTiming(FabricGraph::End end) const;

    FabricGraph graph;                    ///< the fabric, whose parts may have times of their own
    Timing timing{};                      ///< of all that has none of its own
    bool sync{false};                     ///< whether the branches of a worm advance together
    bool sourceRouted{false};             ///< whether worms bring their route (S1b)
    uint32_t flitBytes{1};                ///< size of a flit, bytes, which matters to routes only
    uint32_t lanes{1};                    ///< lanes of every channel (S11)
    std::vector<uint32_t> priorities{0};  ///< priority of each
    bool whole{false};                    ///< whether outputs are granted to whole worms
    InTransit inTransit{InTransit::NONE}; ///< how hosts pass worms on (S13)
    int64_t inTransitDelayPs{0};          ///< how long they are ready there before
    int64_t hostDelayPs{0};               ///< t_r of hosts' interfaces
    std::vector<Outage> outages{};        ///< parts that are down (S14)
    int64_t detectionDelayPs{0};          ///< how long a cable's ends take to notice
    std::vector<Worm> worms{};            ///< the worms, in the file's order
};

/**
 * @ingroup wormhole
 * @brief Reads a case from a JSON file.
 *
 * The file is a fabric file (see ReadFabricFile) with these keys besides:
 *
 * - "flit_time", "link_delay", "switch_delay": whole picoseconds; "depth": flits
 * - a fifth entry of a link, optional: an object with those of "flit_time", "link_delay" and
 * "depth" that differ there; "switch_delays", optional: an object with the delays of switches that
 * differ
 * - "replication", optional: "async", as it is without the key, or "sync"
 * - "route_header", optional: "none", as it is without the key, or "source"; "flit_size", optional:
 *   bytes, 1 without the key
 * - "transit", optional: "none", as it is without the key, "whole" or "as-it-comes" (S13);
 *   "transit_delay" and "host_delay", optional: whole picoseconds, 0 without the key
 * - "worms": objects with "time", "flits", "root", a host's name, and "tree", an object with the
 *   output ports of each node that the worm passes; {"h0": [0], "s0": [2, 5]}. Or, in place of
 *   "tree", "path", a list of the output ports of the nodes on the way, the root's first
 *
 * - "lanes", "priorities" and "grant", optional: number of lanes of a channel, a list of their
 *   priorities, and "flit" or "worm" (S11). With several lanes a port may be [port, lane]
 * - in place of a port, a worm of one branch may have {"any": [...]} with ports in order of
 *   preference, of which it takes one (S12)
 * - "outages", optional: objects with "cable", [node, port] at one end of it, "switch" or "host",
 *   "from" and, unless it is down for ever, "to"; "detection_delay", optional: whole picoseconds, 0
 *   without the key (S14)
 *
 * A worm's tree starts at its root, passes no node twice, and ends in hosts. A path ends in a host,
 * takes no channel twice, and goes on beyond hosts where "transit" says so. The fabric itself may
 * be any graph.
 *
 * @param path the file
 * @return the case
 * @throws WormholeError for any mistake, in one line that names file, line, place, value and what
 *         would be accepted
 */
WormCase ReadWormCase(const std::string& path);

class WormholeFabric;

/// @ingroup wormhole
/// @brief When the worms of a case started, left and arrived; times in ps.
struct ReplayOutcome
{
    /// A worm on one channel.
    struct Leg
    {
        int64_t headStart{0};           ///< when its head started
        std::optional<int64_t> tailEnd; ///< when its tail had left; none if it never did
    };

    /// A part of a worm that ended too early at a host (S14).
    struct Cut
    {
        uint64_t flits; ///< flits that came
        int64_t timePs; ///< when that was known there
    };

    /// What became of one worm.
    struct Worm
    {
        std::map<std::string, Leg> legs;              ///< by output, "node:port"
        std::map<std::string, int64_t> delivered;     ///< when its tail had arrived, by host
        std::map<std::string, uint64_t> lost;         ///< flits, by output or by node (S14)
        std::map<std::string, Cut> cut;               ///< by host
        bool blocked{false};                          ///< whether some of it never left a buffer
        std::map<std::string, std::string> explained; ///< if asked for, by host that it arrived at,
                                                      ///< LatencyReport::WriteJson
    };

    std::vector<Worm> worms;       ///< in the case's order
    std::vector<Deadlock> reports; ///< deadlocks reported, the last with all blocked worms; their
                                   ///< numbers are those of the case
    std::string deadlock;          ///< the last report in one line, if worms blocked each other
    uint64_t events{0};            ///< events that the fabric's arbiters and interfaces needed
};

/// @ingroup wormhole
/// @brief When a case's worms are handed to their hosts, which sends them at the same times.
enum class ReplaySending : uint8_t
{
    AT_FIRST, ///< all before the simulation
    IN_TIME   ///< each by an event at its time, so that the fabric learns of it on the way; of an
              ///< outage, at the latest instant that it accepts
};

/// Runs a case on a fabric of its own, in a simulation of its own: the simulator is destroyed
/// before and after. ns-3's time resolution must be ps.
/// @param worms the case
/// @param prepare called with the fabric before it starts, to set attributes; may be empty
/// @param sending when worms are handed to their hosts
/// @return what happened
ReplayOutcome ReplayWorms(const WormCase& worms,
                          const std::function<void(WormholeFabric&)>& prepare = {},
                          ReplaySending sending = ReplaySending::AT_FIRST);

/// @ingroup wormhole @brief Runs a case as ReplayWorms, and explains latencies, too.
/// @param worms the case
/// @param prepare as for ReplayWorms
/// @return what happened
ReplayOutcome ExplainWorms(const WormCase& worms,
                           const std::function<void(WormholeFabric&)>& prepare = {});

/// Prints an outcome as JSON.
/// @param os where to
/// @param worms the case
/// @param outcome its outcome
void PrintReplay(std::ostream& os, const WormCase& worms, const ReplayOutcome& outcome);

} // namespace ns3

#endif /* WORM_REPLAY_H */
