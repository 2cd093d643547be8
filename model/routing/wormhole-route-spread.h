// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_ROUTE_SPREAD_H
#define WORMHOLE_ROUTE_SPREAD_H

#include "fabric-graph.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief How the routes between hosts share parallel cables and equally short permitted paths.
///
/// At a switch, a route may often continue by several equally good ports: they are ordered by the
/// number of the neighbouring switch, then by port, and the numbers of the route's two hosts select
/// one. So a pair of hosts always has the same route, on every machine and in every run. Only the
/// rule EACH gives every worm a route of its own; then worms of a pair may overtake each other.
class RouteSpread
{
  public:
    /// Which of the equally good ports is selected; the default is HASH.
    enum class Rule : uint8_t
    {
        HASH,    ///< "hash": by a hash of sending host, receiving host and switch
        IN_TURN, ///< "in-turn": by the receiving host's number, modulo the number of good ports
        FIRST,   ///< "first": always the first of the equally good ports
        EACH     ///< "each": anew for each worm, by a hash of both hosts and the worm's number
    };

    /// @return the rules' names, in their order
    static const std::vector<std::string>& GetNames()
    {
        static const std::vector<std::string> names{"hash", "in-turn", "first", "each"};
        return names;
    }

    /// Finds a rule by its name, or throws a WormholeError if there is none.
    static Rule ByName(const std::string& name);

    /// @return the name of a rule @param rule the rule
    static const std::string& NameOf(Rule rule)
    {
        return GetNames().at(static_cast<std::size_t>(rule));
    }

    /// Makes the choices for a route between two hosts, given by number; with EACH, `worm` is the
    /// worm's number: the number of routes made before this one.
    RouteSpread(Rule rule, uint32_t from, uint32_t to, uint64_t worm = 0);

    /// Makes a spread that always selects the first port.
    static RouteSpread First()
    {
        return {Rule::FIRST, 0, 0};
    }

    /// Selects one of `count` (at least 1) equally good ports at the switch of number `place`, and
    /// returns the port's index among these ports.
    uint32_t Choose(uint32_t place, uint32_t count) const;

    /// @return a number by which regular topologies select a path: 0 for FIRST, the receiving
    ///         host's number for IN_TURN, a hash for HASH and EACH
    uint32_t GetNumber() const
    {
        return static_cast<uint32_t>(m_number);
    }

    /// @return whether the first port is always selected
    bool IsFirst() const
    {
        return m_rule == Rule::FIRST;
    }

  private:
    Rule m_rule;
    uint64_t m_number;
};

/// @ingroup wormhole
/// @brief Finds the relative time per bit on each channel.
/// @param graph a fabric
/// @return times by node, then by port; empty if no property of a cable or switch is set: then all
///         are equal. Cables without a rate have WormholeFabric::DataRate's default
std::vector<double> FindChannelTimes(const FabricGraph& graph);

/// @ingroup wormhole
/// @brief Gives the index of each node's first port among the ports of all nodes; the last element
///        is the number of all ports.
std::vector<std::size_t> FindFirstPorts(const FabricGraph& graph);

/// @ingroup wormhole
/// @brief Computes channel loads by destination, which is faster than pair by pair of hosts.
class DestinationLoads
{
  public:
    /// Loads of channels.
    struct Loads
    {
        std::vector<double> channels; ///< by node, then by port, see FindFirstPorts
        uint32_t longest{0};          ///< number of channels between switches on the longest route
    };

    virtual ~DestinationLoads() = default;

    /// @return whether all hosts of a switch have the same route to any given host, except for the
    ///         sender's own channel
    virtual bool AreBySwitch() const = 0;

    /// Adds the traffic to one host to the loads of the channels between switches, in time linear
    /// in the number of channels. Arguments: the index of that host; the traffic to it from the
    /// hosts of each switch, in the order of switches; the loads to increase.
    ///
    /// @return false if the router does not support this and has added nothing
    virtual bool AddLoads(uint32_t /* to */,
                          const std::vector<double>& /* senders */,
                          Loads& /* loads */) const
    {
        return false;
    }
};

/// @ingroup wormhole
/// @brief Counts how many cables of each bundle the routes between hosts use. A bundle is several
///        parallel cables between two switches, seen from one of them.
///
/// The routes of all pairs of hosts are counted; if there are more than MAX_PAIRS pairs, only
/// routes of MAX_PAIRS random pairs are counted, the same pairs every time.
class CableUse
{
  public:
    using Node = FabricGraph::Node; ///< number of a switch
    using Port = FabricGraph::Port; ///< number of a port

    /// Maximum number of pairs of hosts whose routes are counted.
    static constexpr uint64_t MAX_PAIRS = uint64_t{1} << 20;

    /// Several cables from one switch to another.
    struct Bundle
    {
        Node from;               ///< the switch from which the bundle is seen
        Node to;                 ///< the switch at the other end
        std::vector<Port> ports; ///< ports of `from` that lead to `to`
        uint32_t nUsed;          ///< number of `ports` that some route uses
    };

    /// Finds the bundles of a fabric, with no cable marked as used.
    static std::vector<Bundle> FindBundles(const FabricGraph& graph);

    /// Counts the cables of each bundle that a router's routes use; sorts bundles by switches.
    static std::vector<Bundle> Count(const FabricGraph& graph, WormholeRouter& router);

    /// @param graph a fabric
    /// @param makeRouter creates the router; called only if there are bundles
    /// @return a summary in one line; empty if there are no bundles
    static std::string Describe(const FabricGraph& graph,
                                const std::function<Ptr<WormholeRouter>()>& makeRouter);
};

} // namespace ns3

#endif /* WORMHOLE_ROUTE_SPREAD_H */
