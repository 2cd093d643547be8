/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STORED_ROUTES_H
#define STORED_ROUTES_H

#include "lane-routes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Ways that are stored, one for each pair of switches, or for some copies of each pair.
 *
 * A switch's hosts share its ways: the k-th has copy k modulo their number. So traffic between two
 * switches can take several ways.
 */
class StoredRoutes : public LaneRoutes
{
  public:
    /// Ways of all pairs in one list.
    class Store
    {
      public:
        /// @return ways from a switch to another that are worth storing: one for each host of a
        /// switch, fewer on fabrics of many switches @param nSwitches number of switches
        /// @param hosts the hosts
        static uint32_t CountCopies(uint64_t nSwitches, const HostPlaces& hosts);

        /// @param nSwitches number of switches @param nCopies ways from a switch to another
        Store(uint32_t nSwitches, uint32_t nCopies);

        /// Sets a way. @param from,to switches @param copy which of their ways @param way the way
        void Set(Node from, Node to, uint32_t copy, std::vector<Vertex> way);

        /// @return a way @param from,to switches @param copy which of their ways
        const std::vector<Vertex>& Get(Node from, Node to, uint32_t copy) const;

        /// @return number of ways from a switch to another
        uint32_t GetNCopies() const;

      private:
        friend class StoredRoutes;

        /// @return place of a way @param from,to switches @param copy which of their ways
        std::size_t IndexOf(Node from, Node to, uint32_t copy) const;

        uint32_t m_nSwitches;                    ///< number of switches
        uint32_t m_nCopies;                      ///< ways of each pair
        std::vector<std::vector<Vertex>> m_ways; ///< by IndexOf; none once they are packed
    };

    /**
     * @param graph the fabric
     * @param nLanes number of lanes
     * @param store the ways
     * @param turns turns to which they keep
     */
    StoredRoutes(const FabricGraph& graph, uint32_t nLanes, Store store, const TurnSet& turns);

    void Append(uint32_t from, uint32_t to, Way& way) const override;

    bool AreBySwitch() const override;

  private:
    Store m_store; ///< which ways there are
    // Every worm reads its way, another one each time: one after the other they take few lines.
    std::vector<std::size_t> m_begins; ///< by Store::IndexOf, where a way begins; and the end
    std::vector<Vertex> m_vertices;    ///< the ways
};

} // namespace ns3

#endif /* STORED_ROUTES_H */
