/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPAIRED_ROUTER_H
#define REPAIRED_ROUTER_H

#include "engine-router.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Routes of a fabric that has lost parts: those from before where all their cables are left,
 *        and others that were computed anew for the rest.
 *
 * Nodes and ports are those of the same names and numbers before. A route is kept only if the ranks
 * of the new routes increase along it, so that both together are free of deadlock.
 */
class RepairedRouter : public EngineRouter
{
  public:
    /**
     * @param graph the fabric
     * @param engine name of the engine of the new routes, for messages
     * @param routes the new routes, of one lane
     * @param whole the fabric before
     * @param before its routes, of one lane
     */
    RepairedRouter(const FabricGraph& graph,
                   const std::string& engine,
                   std::shared_ptr<const LaneRoutes> routes,
                   const FabricGraph& whole,
                   Ptr<WormholeRouter> before);

    bool AreBySwitch() const override;
    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    Ptr<const WormRoute> MakeChoiceOrTransitRoute(uint32_t from, uint32_t to) override;

    Ptr<WormholeRouter> m_before;  ///< routes before
    std::vector<uint32_t> m_hosts; ///< indexes of hosts before, by index
    std::vector<bool> m_isKept;    ///< by IndexOf: whether the cable was there before
};

} // namespace ns3

#endif /* REPAIRED_ROUTER_H */
