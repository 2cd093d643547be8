/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BIT_REVERSAL_PATTERN_H
#define BIT_REVERSAL_PATTERN_H

#include "fixed-pattern.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Each host sends to the one whose number has the same bits in reverse order.
 *
 * Hosts whose number reads the same both ways are silent.
 */
class BitReversalPattern : public FixedPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

} // namespace ns3

#endif /* BIT_REVERSAL_PATTERN_H */
