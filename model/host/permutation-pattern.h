/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERMUTATION_PATTERN_H
#define PERMUTATION_PATTERN_H

#include "fixed-pattern.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A random permutation, drawn once, by which nobody sends to itself.
 *
 * All permutations without a fixed point are equally likely.
 */
class PermutationPattern : public FixedPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

} // namespace ns3

#endif /* PERMUTATION_PATTERN_H */
