/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTICAST_BARRIER_H
#define MULTICAST_BARRIER_H

#include "central-barrier.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The multicast scheme of the BTIN paper: n - 1 messages to the root, one tree worm back.
 *
 * The tree worm's header lists its destinations, which makes it long in large groups.
 */
class MulticastBarrier : public CentralBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    void Distribute(uint64_t result) override;

    uint32_t m_addressSize{2}; ///< attribute, bytes
};

} // namespace ns3

#endif /* MULTICAST_BARRIER_H */
