/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOTSPOT_PATTERN_H
#define HOTSPOT_PATTERN_H

#include "traffic-pattern.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A fraction of all worms goes to one host, the others to a random other host.
 *
 * The hot host is among those that the others go to, and sends all of its own worms to random other
 * hosts. So with n hosts at load a, and fraction f, a (f (n - 1) + 1 - f) is sent to the hot host.
 */
class HotspotPattern : public TrafficPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    double m_fraction{0}; ///< attribute
    uint32_t m_host{0};   ///< attribute
};

} // namespace ns3

#endif /* HOTSPOT_PATTERN_H */
