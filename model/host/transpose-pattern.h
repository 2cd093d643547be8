/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSPOSE_PATTERN_H
#define TRANSPOSE_PATTERN_H

#include "fixed-pattern.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Hosts stand in a square, row by row, and send to the place mirrored at its diagonal.
 *
 * Host r m + c of m m hosts sends to host c m + r; where m is a power of two, that swaps the halves
 * of the bits of its number. The m hosts on the diagonal are silent.
 */
class TransposePattern : public FixedPattern
{
  public:
    /// @brief Get the type ID. @return the object TypeId
    static TypeId GetTypeId();

  private:
    std::vector<uint32_t> MakeDestinations(uint32_t nHosts) override;
};

} // namespace ns3

#endif /* TRANSPOSE_PATTERN_H */
