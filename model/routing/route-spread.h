/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROUTE_SPREAD_H
#define ROUTE_SPREAD_H

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

} // namespace ns3

#endif /* ROUTE_SPREAD_H */
