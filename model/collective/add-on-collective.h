/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADD_ON_COLLECTIVE_H
#define ADD_ON_COLLECTIVE_H

#include "collective-kinds.h"

#include "ns3/add-on-network.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A collective by a partition of an add-on network: derived classes tell of which. One
 *        member of a host, or within smp.
 *
 * A member's process is busy while it hands its value over and while it fetches a result. In a
 * broadcast the root, and in a reduction all others, leave when they have handed theirs over.
 *
 * @tparam KIND Barrier, Broadcast or Reduction
 */
template <class KIND>
class AddOnCollective : public KIND
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// Refused: its messages do not come over the fabric. @param host the host
    /// @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// Never called, as it has no registers. @param fabricSwitch the switch
    /// @param type what has happened
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

  protected:
    /// Forgets all that it points to.
    void DoDispose() override;

  private:
    virtual std::string GetSetting() const = 0;
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;
    AddOnNetwork::Request MakeRequest() const;
    bool IsTold(uint32_t rank) const;
    void HandOver(uint32_t rank, uint64_t value);
    void Take(uint32_t rank, uint64_t result);

    /// A member that is inside fetches the oldest result.
    void Fetch(uint32_t rank);

    struct Member
    {
        bool waits{false};            ///< whether it has come and waits for a result
        std::deque<uint64_t> results; ///< at its interface, oldest first
    };

    Ptr<AddOnNetwork> m_network;   ///< the network, once there is a group
    uint16_t m_partition{0};       ///< identifier of the partition
    std::vector<Member> m_members; ///< by rank
};

extern template class AddOnCollective<Barrier>;
extern template class AddOnCollective<Broadcast>;
extern template class AddOnCollective<Reduction>;

} // namespace ns3

#endif /* ADD_ON_COLLECTIVE_H */
