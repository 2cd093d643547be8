/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORMHOLE_ROUTE_SPREAD_H
#define WORMHOLE_ROUTE_SPREAD_H

#include "fabric-graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief How the routes between hosts share parallel cables and equally short legal paths.
 *
 * The one rule of all fabrics, whatever they were made from: at each switch a route may go on by
 * some ports that are equally good, listed by the number of the switch they lead to, then by port;
 * which one it takes, the numbers of the two hosts decide. So a pair of hosts always has one route,
 * the same on every machine and in every run; only with EACH has every worm its own, and worms of a
 * pair may overtake each other.
 */
class RouteSpread
{
  public:
    /// Which of the ports to take; the default of a fabric is the first of these.
    enum class Rule : uint8_t
    {
        HASH,    ///< "hash": by a hash of sending host, receiving host and switch
        IN_TURN, ///< "in-turn": by the receiving host's number, modulo the number of ports
        FIRST,   ///< "first": the first one, always
        EACH     ///< "each": anew for each worm, by a hash of both hosts and its number
    };

    /// @return the rules' names, in their order
    static const std::vector<std::string>& GetNames();

    /// @param name name of a rule
    /// @return the rule
    /// @throws WormholeError if there is none of that name
    static Rule ByName(const std::string& name);

    /// @return the name of a rule @param rule the rule
    static const std::string& NameOf(Rule rule);

    /// @param rule which of the ports to take
    /// @param from number of the sending host
    /// @param to number of the receiving host
    /// @param worm number of the worm: how many routes there were before its own
    RouteSpread(Rule rule, uint32_t from, uint32_t to, uint64_t worm = 0);

    /// @param place number of a switch
    /// @param count number of ports that are equally good there, one at least
    /// @return which of them to take, from 0
    uint32_t Choose(uint32_t place, uint32_t count) const;

    /// @return a number to choose by, for routes that follow a rule: 0, the receiving host's, or
    /// the hash
    uint32_t GetNumber() const
    {
        return static_cast<uint32_t>(m_number);
    }

    /// @return whether the first port is taken always
    bool IsFirst() const
    {
        return m_rule == Rule::FIRST;
    }

  private:
    Rule m_rule;       ///< which of the ports to take
    uint64_t m_number; ///< what it decides by
};

/// @ingroup wormhole @brief How long a bit takes on each channel, to some scale.
/// @param graph a fabric
/// @return by node, then by port; empty: all alike. Cables without a rate of their own have
/// WormholeFabric::DataRate's default
std::vector<double> FindChannelTimes(const FabricGraph& graph);

/// @ingroup wormhole
/// @param graph a fabric
/// @return index of each node's first port among the ports of all nodes; the last entry is the
/// number of ports
std::vector<std::size_t> FindFirstPorts(const FabricGraph& graph);

/// @ingroup wormhole
/// @brief What a router knows of how its routes depend on the sender, so that the loads of channels
/// on large fabrics need not be counted pair by pair.
class DestinationLoads
{
  public:
    /// Loads of channels.
    struct Loads
    {
        std::vector<double> channels; ///< by node, then by port, see FindFirstPorts
        uint32_t longest{0};          ///< channels between switches of the longest route
    };

    virtual ~DestinationLoads() = default;

    /// @return whether routes from all hosts of a switch to a host are the same but for the
    /// sender's own channel
    virtual bool AreBySwitch() const = 0;

    /**
     * Adds what hosts send to one of them to the channels between switches, in time that is linear
     * in the number of channels. Its arguments are the index of that host, what the senders of
     * each switch send to it, in the order of switches, and the loads to which that is added.
     *
     * @return false: the router has no such way, and nothing was added
     */
    virtual bool AddLoads(uint32_t /* to */,
                          const std::vector<double>& /* senders */,
                          Loads& /* loads */) const
    {
        return false;
    }
};

} // namespace ns3

#endif /* WORMHOLE_ROUTE_SPREAD_H */
