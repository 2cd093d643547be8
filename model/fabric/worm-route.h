/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORM_ROUTE_H
#define WORM_ROUTE_H

#include "ns3/simple-ref-count.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The way of a worm through the fabric, carried in its header: a tree of output ports.
 *
 * Stop 0 is the sending host. Every stop lists the ports by which the worm leaves and the stop
 * that each of them leads to. A stop without ports is where the worm ends: a host, or a switch
 * whose collective unit takes it. A unicast route has at most one port at every stop. The worm is
 * neither shortened nor changed on its way, so one route object serves all its copies.
 */
class WormRoute : public SimpleRefCount<WormRoute>
{
  public:
    /// Index of a stop within its route.
    using Stop = uint32_t;

    /// One way out of a stop.
    struct Branch
    {
        uint16_t port; ///< output port of the node at the stop
        Stop next;     ///< stop at the far end of that port's cable
    };

    /// A range over the branches of one stop, in the order in which they were added.
    struct Branches
    {
        const Branch* first; ///< first branch
        const Branch* last;  ///< past the last branch

        const Branch* begin() const
        {
            return first;
        } ///< @return the first branch

        const Branch* end() const
        {
            return last;
        } ///< @return past the last branch

        std::size_t size() const
        {
            return last - first;
        } ///< @return number of branches
    };

    /**
     * A unicast route.
     * @param ports output port of each node on the way, the sending host's (0) first
     * @return the route; its last stop is the node that the last port leads to
     */
    static WormRoute Path(const std::vector<uint16_t>& ports);

    /**
     * Makes a tree route from a listing of ports for each stop, in breadth-first order: the
     * branches of stop 0 lead to stops 1, 2, ..., those of stop 1 to the next ones, and so on.
     * @param ports ports of each stop; an empty list for a stop where the worm ends
     * @return the route
     * @throws WormholeError if the listing has more or fewer stops than its ports lead to
     */
    static WormRoute Tree(const std::vector<std::vector<uint16_t>>& ports);

    /**
     * @param stop a stop of this route
     * @return the branches of that stop; empty where the worm ends
     */
    Branches At(Stop stop) const
    {
        const auto data = m_branches.data();
        if (m_first.empty())
        {
            const auto n = static_cast<Stop>(m_branches.size());
            return {data + std::min(stop, n), data + std::min(stop + 1, n)};
        }
        return {data + m_first[stop], data + m_first[stop + 1]};
    }

    /// @return number of stops, the sending host included
    uint32_t GetNStops() const
    {
        return static_cast<uint32_t>(m_first.empty() ? m_branches.size() + 1 : m_first.size() - 1);
    }

    /// @return number of stops where the worm ends
    uint32_t GetNEnds() const;

    /// @return number of channels that the worm crosses
    uint32_t GetNChannels() const
    {
        return static_cast<uint32_t>(m_branches.size());
    }

  private:
    /// Channels of a usual unicast route, which then takes one piece of memory.
    static constexpr std::size_t USUAL_CHANNELS = 12;

    /// Branches of all stops, stop by stop.
    boost::container::small_vector<Branch, USUAL_CHANNELS> m_branches;
    /// Index of each stop's first branch, and the total; empty if each stop but the last has one.
    std::vector<uint32_t> m_first;
};

} // namespace ns3

#endif /* WORM_ROUTE_H */
