/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNIFORM_PATTERN_H
#define UNIFORM_PATTERN_H

#include "traffic-pattern.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief Each worm goes to a random other host, all of them equally likely.
class UniformPattern : public TrafficPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

    uint32_t Draw(uint32_t source) override;
    std::vector<Share> GetShares(uint32_t source) const override;
};

} // namespace ns3

#endif /* UNIFORM_PATTERN_H */
