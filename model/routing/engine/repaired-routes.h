/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPAIRED_ROUTES_H
#define REPAIRED_ROUTES_H

#include "destination-routes.h"
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
class RepairedRoutes : public DestinationRoutes
{
  public:
    /**
     * @param graph the fabric
     * @param ranks place of each switch in the order of up*\/down*, see DestinationRoutes
     * @param kept routes from before
     */
    RepairedRoutes(const FabricGraph& graph, const std::vector<uint32_t>& ranks, KeptRoutes kept);

    void Append(uint32_t from, uint32_t to, Way& way) const override;

    bool AreBySwitch() const override;
    bool AddLoads(uint32_t to, const std::vector<double>& senders, Loads& loads) const override;

  private:
    KeptRoutes m_kept; ///< routes from before
};

} // namespace ns3

#endif /* REPAIRED_ROUTES_H */
