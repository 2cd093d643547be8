/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_PATTERN_H
#define FIXED_PATTERN_H

#include "traffic-pattern.h"

#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A pattern by which each host sends to one other host all the time.
class FixedPattern : public TrafficPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    bool IsSilent(uint32_t source) const override;
    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;

  private:
    void DoPrepare(const FabricGraph& graph) override;

    /// @return destination of each host; a host whose destination is itself is silent
    virtual std::vector<uint32_t> MakeDestinations(uint32_t nHosts) = 0;

    std::vector<uint32_t> m_destinations; ///< by source
};

} // namespace ns3

#endif /* FIXED_PATTERN_H */
