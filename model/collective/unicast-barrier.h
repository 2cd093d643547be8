/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UNICAST_BARRIER_H
#define UNICAST_BARRIER_H

#include "central-barrier.h"

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The unicast scheme of the BTIN paper: 2 (n - 1) point-to-point messages.
 *
 * Every member sends one to the root, the root sends one to every member, one after the other,
 * each with a start-up of its own; needs nothing of the switches.
 */
class UnicastBarrier : public CentralBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

  private:
    void Distribute(uint64_t result) override;
};

} // namespace ns3

#endif /* UNICAST_BARRIER_H */
