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
#include <initializer_list>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The way of a worm through the fabric, carried in its header: a tree of output ports.
 *
 * Stop 0 is the sending host. Every stop lists the ports by which the worm leaves and the stop
 * that each of them leads to. A stop without ports is where the worm ends: a host, or a switch
 * whose collective unit takes it. A unicast route has at most one port at every stop. Nobody
 * changes it on the way, even where worms get shorter (WormholeFabric::RouteHeader), so one route
 * object serves all copies of a worm.
 */
class WormRoute : public SimpleRefCount<WormRoute>
{
  public:
    /// Index of a stop within its route.
    using Stop = uint32_t;

    /// Channels of a usual unicast route, which then takes one piece of memory.
    static constexpr std::size_t USUAL_CHANNELS = 12;

    /// Output ports in order of stops.
    using Ports = boost::container::small_vector<uint16_t, USUAL_CHANNELS>;

    /// One way out of a stop.
    struct Branch
    {
        uint16_t port; ///< output port of the node at the stop
        Stop next;     ///< stop at the far end of that port's cable
    };

    /// The branches of one stop, in the order in which they were added.
    class Branches
    {
      public:
        /// Goes through branches.
        class Iterator
        {
          public:
            /**
             * @param port port of a branch
             * @param next stop that it leads to
             */
            Iterator(const uint16_t* port, Stop next)
                : m_port(port),
                  m_next(next)
            {
            }

            /// @return the branch
            Branch operator*() const
            {
                return {*m_port, m_next};
            }

            /// Goes on. @return the next place
            Iterator& operator++()
            {
                ++m_port;
                ++m_next;
                return *this;
            }

            /// @return whether that is another place @param other a place of the same branches
            bool operator!=(const Iterator& other) const
            {
                return m_port != other.m_port;
            }

          private:
            const uint16_t* m_port; ///< port of the branch
            Stop m_next;            ///< stop that it leads to
        };

        /**
         * @param first port of the first branch
         * @param next stop that it leads to; the others lead to the stops after it
         * @param size number of branches
         */
        Branches(const uint16_t* first, Stop next, std::size_t size)
            : m_first(first),
              m_next(next),
              m_size(size)
        {
        }

        /// @return the first branch
        Iterator begin() const
        {
            return {m_first, m_next};
        }

        /// @return past the last branch
        Iterator end() const
        {
            return {m_first + m_size, static_cast<Stop>(m_next + m_size)};
        }

        /// @return number of branches
        std::size_t size() const
        {
            return m_size;
        }

        /// @return a branch @param i its place among them
        Branch operator[](std::size_t i) const
        {
            return {m_first[i], static_cast<Stop>(m_next + i)};
        }

      private:
        const uint16_t* m_first; ///< port of the first branch
        Stop m_next;             ///< stop that it leads to
        std::size_t m_size;      ///< number of branches
    };

    /**
     * A unicast route.
     * @param ports output port of each node on the way, the sending host's (0) first
     * @return the route; its last stop is the node that the last port leads to
     */
    static WormRoute Path(Ports ports);

    /// As above. @param ports output port of each node on the way @return the route
    static WormRoute Path(const std::vector<uint16_t>& ports);

    /// As above. @param ports output port of each node on the way @return the route
    static WormRoute Path(std::initializer_list<uint16_t> ports);

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
        const auto n = static_cast<Stop>(m_ports.size());
        const auto begin = m_first ? (*m_first)[stop] : std::min(stop, n);
        const auto end = m_first ? (*m_first)[stop + 1] : std::min(stop + 1, n);
        return {m_ports.data() + begin, begin + 1, end - begin};
    }

    /// @return number of stops, the sending host included
    uint32_t GetNStops() const
    {
        return static_cast<uint32_t>(m_first ? m_first->size() - 1 : m_ports.size() + 1);
    }

    /// @return number of stops where the worm ends
    uint32_t GetNEnds() const;

    /// @return number of channels that the worm crosses
    uint32_t GetNChannels() const
    {
        return static_cast<uint32_t>(m_ports.size());
    }

  private:
    /// Index of each stop's first branch, and the total; null if each stop but the last has one.
    std::shared_ptr<const std::vector<uint32_t>> m_first;
    /// Ports of all branches, stop by stop. Branch i leads to stop i + 1.
    Ports m_ports;
};

} // namespace ns3

#endif /* WORM_ROUTE_H */
