/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CENTRAL_BARRIER_H
#define CENTRAL_BARRIER_H

#include "barrier.h"

namespace ns3
{

class HostMessage;

/**
 * @ingroup wormhole
 * @brief Barriers in which every member sends a message to the root, which combines the values.
 *
 * How the root tells the members is the derived class's business. Sets nothing up in the fabric.
 */
class CentralBarrier : public Barrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

  protected:
    /// @return a message of this group @param from sender's rank @param value its value
    HostMessage MakeMessage(uint32_t from, uint64_t value) const;

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    /// Counts a member. @param value its value
    void Arrive(uint64_t value);

    /// Tells all other members that all have come. @param result all values combined
    virtual void Distribute(uint64_t result) = 0;

    uint32_t m_nArrived{0}; ///< members counted in this round
    uint64_t m_data{0};     ///< their values combined
};

} // namespace ns3

#endif /* CENTRAL_BARRIER_H */
