// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORM_REPLAY_H
#define WORM_REPLAY_H

#include "ns3/fabric-graph.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-router.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief The contents of a case file: a fabric, its timing, and worms to send through it.
///
/// Times are in picoseconds.
struct WormCase
{
    /// One worm.
    struct Worm
    {
        int64_t timePs{0};                         ///< when its head requests its host's channel
        uint64_t flits{0};                         ///< length, at least 1
        FabricGraph::Node root{FabricGraph::NONE}; ///< sending host
        WormRoute route;                           ///< route, with stops in breadth-first order
        std::vector<FabricGraph::Node> stopNodes;  ///< node at each stop of the route
        std::vector<std::string> stopNames;        ///< name of the node at each stop
    };

    /// Times and buffer depth of the whole fabric, or of a cable and the switch at one of its ends.
    struct Timing
    {
        int64_t flitTimePs{1};    ///< flit time tau, at least 1
        int64_t linkDelayPs{1};   ///< propagation delay p, at least 1
        int64_t switchDelayPs{0}; ///< switch delay t_r, at least 0
        uint32_t depth{1};        ///< depth D: flits in an input buffer, at least 1
    };

    /// A part of the fabric that is down for some time (rule S14 of doc/design/timing.rst).
    struct Outage
    {
        FabricGraph::Node node;                ///< a switch, a host, or a node at a cable's end
        std::optional<FabricGraph::Port> port; ///< port of a cable; none: all of `node` is down
        int64_t fromPs;                        ///< when the part goes down
        std::optional<int64_t> toPs;           ///< when the part is up again; none: never
    };

    /// Gives the timing at a cable's end: values in `graph` (S10) or, if unset there, in `timing`.
    Timing GetTiming(FabricGraph::End end) const;

    FabricGraph graph;                    ///< the fabric; it may set times of single parts
    Timing timing{};                      ///< timing of parts for which `graph` sets none
    bool sync{false};                     ///< whether a tree worm's branches advance together
    bool sourceRouted{false};             ///< whether worms carry their routes (rule S1b)
    uint32_t flitBytes{1};                ///< bytes of a flit, for the length of carried routes
    uint32_t lanes{1};                    ///< lanes (virtual channels) per channel (rule S11)
    std::vector<uint32_t> priorities{0};  ///< priority of each lane
    bool whole{false};                    ///< whether a grant needs credits for the whole worm
    InTransit inTransit{InTransit::NONE}; ///< whether and how hosts relay worms (rule S13)
    int64_t inTransitDelayPs{0};          ///< WormholeNetDevice::InTransitDelay of all hosts
    int64_t hostDelayPs{0};               ///< switch delay (t_r) of hosts' interfaces
    std::vector<Outage> outages{};        ///< parts that are down (rule S14)
    int64_t detectionDelayPs{0};          ///< how long a cable's ends take to notice an outage
    std::vector<Worm> worms{};            ///< the worms, in the file's order
};

/// @ingroup wormhole
/// @brief Reads a case from a JSON file: a fabric file with the keys of doc/user/worm-replay.rst,
///        but without routes, topology, defaults, switches and interfaces.
///
/// Required are "flit_time", "link_delay" and "switch_delay" in whole picoseconds, "depth" in
/// flits, and "worms". If a link has another "flit_time", "link_delay" or "depth", its fifth entry
/// states it; if a switch has another delay than "switch_delay", "switch_delays" states it.
///
/// A worm has a "tree" or a "path". A tree starts at the worm's root, passes no node twice and ends
/// in hosts. A path ends in a host and uses no channel twice; if "transit" is set, it may pass
/// through hosts. The fabric may be any connected graph.
///
/// @param path the file
/// @return the case
/// @throws WormholeError for any error: one line with file, line, place, value and what is expected
WormCase ReadWormCase(const std::string& path);

class WormholeFabric;

/// @ingroup wormhole @brief Times at which the worms of a case started, left and arrived, in ps.
struct ReplayOutcome
{
    /// Times of a worm on one channel.
    struct Leg
    {
        int64_t headStart{0};           ///< when the worm's head started on the channel
        std::optional<int64_t> tailEnd; ///< when its tail had left the channel's output, if it did
    };

    /// How much of a worm arrives at a host if an outage cuts the worm (rule S14).
    struct Cut
    {
        uint64_t flits; ///< flits that arrived
        int64_t timePs; ///< when the host learned that no more flits come
    };

    /// What happened to one worm.
    struct Worm
    {
        std::map<std::string, Leg> legs;              ///< times on channels, by output "node:port"
        std::map<std::string, int64_t> delivered;     ///< when the tail had arrived, by host
        std::map<std::string, uint64_t> lost;         ///< flits lost, by output or node (rule S14)
        std::map<std::string, Cut> cut;               ///< incomplete arrivals, by host
        bool blocked{false};                          ///< whether the worm still waits at the end
        std::map<std::string, std::string> explained; ///< latency's breakdown by host, as JSON;
                                                      ///< empty unless ExplainWorms ran the case
    };

    std::vector<Worm> worms;       ///< outcomes of the worms, in the case's order
    std::vector<Deadlock> reports; ///< deadlocks reported, with worms numbered as in the case; the
                                   ///< last report lists all blocked worms
    std::string deadlock;          ///< the last of `reports`, in one line; empty: no deadlock
    uint64_t events{0};            ///< number of events that the simulator executed
};

/// @ingroup wormhole
/// @brief Whether hosts get a case's worms before the simulation, or each worm at its send time.
enum class ReplaySending : uint8_t
{
    AT_FIRST, ///< all worms before the simulation starts
    IN_TIME   ///< each worm by an event at its send time: the fabric knows of no worm earlier;
              ///< outages, too, are announced as late as the fabric permits
};

/// Runs a case on a fabric in a simulation of its own; needs Time::SetResolution(Time::PS); the
/// simulator is destroyed before and after; `prepare` may change the fabric before the run.
ReplayOutcome ReplayWorms(const WormCase& worms,
                          const std::function<void(WormholeFabric&)>& prepare = {},
                          ReplaySending sending = ReplaySending::AT_FIRST);

/// @ingroup wormhole @brief Runs a case like ReplayWorms, and explains the worms' latencies.
ReplayOutcome ExplainWorms(const WormCase& worms,
                           const std::function<void(WormholeFabric&)>& prepare = {});

/// Prints the outcome of a case as JSON.
void PrintReplay(std::ostream& os, const WormCase& worms, const ReplayOutcome& outcome);

} // namespace ns3

#endif /* WORM_REPLAY_H */
