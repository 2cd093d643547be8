/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPAIRED_ROUTER_H
#define REPAIRED_ROUTER_H

#include "engine-router.h"
#include "kept-routes.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Routes of a fat tree that has lost parts: those from before where all their cables are
 *        left, and for the others new ones, which spread the load beside them.
 */
class RepairedRouter : public EngineRouter
{
  public:
    /**
     * @param graph the fabric
     * @param ranks place of each switch in the order of up*\/down*, see DestinationRoutes
     * @param kept routes from before
     */
    RepairedRouter(const FabricGraph& graph, const std::vector<uint32_t>& ranks, KeptRoutes kept);

    bool AreBySwitch() const override;
    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    Ptr<const WormRoute> MakeChoiceOrTransitRoute(uint32_t from, uint32_t to) override;

    KeptRoutes m_kept; ///< routes from before
};

} // namespace ns3

#endif /* REPAIRED_ROUTER_H */
