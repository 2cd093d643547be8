/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEAREST_SWITCH_PATTERN_H
#define NEAREST_SWITCH_PATTERN_H

#include "traffic-pattern.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Each worm goes to a random one of the hosts at the fewest cables away.
 *
 * That is another host of the same switch; where there is none, a host of the nearest switches that
 * have some. Cables are counted in the fabric, whether routes use them or not.
 */
class NearestSwitchPattern : public TrafficPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    /// @param from a switch with a single host
    /// @return hosts of the nearest other switches that have some
    std::vector<uint32_t> FindNearest(const FabricGraph& graph, FabricGraph::Node from) const;

    std::vector<FabricGraph::Node> m_switchOf;    ///< switch of each host
    std::vector<std::vector<uint32_t>> m_nearest; ///< by switch, hosts that its hosts send to
};

} // namespace ns3

#endif /* NEAREST_SWITCH_PATTERN_H */
