/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef KEPT_ROUTES_H
#define KEPT_ROUTES_H

#include "destination-routes.h"

#include "ns3/wormhole-router.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The routes of a fabric that are left when it has lost parts: those of which all cables
 * are.
 *
 * Nodes and ports are those of the same names and numbers before. A route is kept only if channels
 * come in the order of up*\/down* along it, as they do in the new routes beside it, so that both
 * together are free of deadlock.
 */
class KeptRoutes
{
  public:
    /**
     * @param graph the fabric
     * @param ranks place of each switch in the order of up*\/down*, see DestinationRoutes
     * @param whole the fabric before
     * @param before its routes, of one lane
     */
    KeptRoutes(const FabricGraph& graph,
               const std::vector<uint32_t>& ranks,
               const FabricGraph& whole,
               Ptr<WormholeRouter> before);

    /// @return the route from one host to another; null if it is not kept @param from,to their
    /// indexes
    Ptr<const WormRoute> Find(uint32_t from, uint32_t to) const;

    /// @return whether routes before were the same for all hosts of a switch
    bool AreBySwitch() const;

    /// @return what they load channels with, and who needs other routes. Looks at all pairs of
    /// hosts, or of switches and hosts where routes before did not depend on the sender.
    RoutesBeside Count() const;

  private:
    FabricGraph m_graph;            ///< the fabric
    SwitchChannels m_channels;      ///< its channels
    HostPlaces m_places;            ///< its hosts
    std::vector<uint32_t> m_order;  ///< by channel: place in the order
    Ptr<WormholeRouter> m_before;   ///< routes before
    std::vector<uint32_t> m_hosts;  ///< indexes of hosts before, by index
    std::vector<bool> m_isKept;     ///< by channel: whether its cable was there before
    std::vector<bool> m_isHostKept; ///< by host: likewise
};

} // namespace ns3

#endif /* KEPT_ROUTES_H */
