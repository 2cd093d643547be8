/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BROADCAST_H
#define BROADCAST_H

#include "collective.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A broadcast: every member leaves with the root's value, once a round, after the root came.
 *
 * Members enter to receive; what they enter with does not count. The root may be rounds ahead of
 * them: values wait for those they are for. A member leaves when it has passed the value on.
 */
class Broadcast : public Collective
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

#endif /* BROADCAST_H */
