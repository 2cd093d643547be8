/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_H
#define BARRIER_H

#include "collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A barrier: nobody leaves before everybody came, and everybody leaves.
 *
 * It is an all-reduction as well, which no member can leave before all have come either: everybody
 * leaves with all members' values combined by the attribute Operation.
 */
class Barrier : public Collective
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

#endif /* BARRIER_H */
