/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REDUCTION_H
#define REDUCTION_H

#include "collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A reduction: the root leaves with all members' values combined, after everybody came.
 *
 * The others get no result: they leave with 0, as soon as they have done their part, and may be
 * rounds ahead of the root.
 */
class Reduction : public Collective
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool GetsResult(uint32_t rank) const override;
};

} // namespace ns3

#endif /* REDUCTION_H */
