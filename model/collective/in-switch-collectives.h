/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_SWITCH_COLLECTIVES_H
#define IN_SWITCH_COLLECTIVES_H

#include "ns3/collective-kinds.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class GroupAnnouncement;
class RegisterMemory;

/**
 * @ingroup wormhole
 * @brief The BTIN scheme: collectives by registers in the switches of the group's barrier tree.
 *
 * Create sends a Setup_Register message for every switch of the tree: a member switch's is sent by
 * its representative, a nonmember switch's by the representative of the nearest member switch
 * above, straight to the switch (a nonmember switch need not have a host). Release does the same.
 *
 * Before that, if so asked, the first member tells all members by a broadcast who they are and what
 * the fabric is like, and each spends time to find the root: as many breadth-first trees as there
 * are member switches, over all switches. A member's messages follow when it has done both, and the
 * group is ready when all have.
 *
 * Where a switch has no register left, the policy decides: creation fails; or the register is kept
 * in the memory of a host, its representative if the switch has members, see RegisterMemory; or the
 * register of another group is, the one idle longest, to be restored when a register is free.
 */
class InSwitchCollective : public Collective
{
  public:
    InSwitchCollective();
    ~InSwitchCollective() override;

    /// A message has come. @param host where @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

    /// A register has been written or freed.
    /// @param fabricSwitch its switch
    /// @param type which of them
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

    /// @param fabricSwitch the register's switch
    /// @return route to the host that would keep a barrier's register; null for broadcasts, whose
    /// messages might overtake each other
    Ptr<const WormRoute> GetRouteToKeeper(uint32_t fabricSwitch) const override;

    /// @return how long each member computes to find the root, once the group is made
    Time GetComputeTime() const
    {
        return m_computeTime;
    }

    /// @return switches without a register for the group, and the host whose memory serves instead
    std::vector<std::pair<uint32_t, uint32_t>> GetInMemory() const;

    /// Callback of the trace sources InMemory and BackedUp.
    /// @param fabricSwitch number of the switch
    /// @param host number of the host
    typedef void (*InMemoryTracedCallback)(uint32_t fabricSwitch, uint32_t host);

    /// Callback of the trace source Restored. @param fabricSwitch number of the switch
    typedef void (*RestoredTracedCallback)(uint32_t fabricSwitch);

  protected:
    /// @return the type of those of a kind, with the attributes of all of them @param kind the kind
    static TypeId MakeTypeId(DataKind kind);

    /// Sends a message from a member's host to the switch that this is at.
    /// @param rank the member
    /// @param type what the message is
    /// @param value value that the message carries
    /// @return how long until the start-up is over
    Time SendToSwitch(uint32_t rank, CollectiveMessage::Type type, uint64_t value);

    /// Has the registers set up, or refuses to.
    void DoCreate() override;

    /// Forgets all that it points to.
    void DoDispose() override;

  private:
    virtual void Take(uint32_t host, CollectiveMessage message) = 0;
    void DoRelease() override;

    bool HoldsRegisters() const override
    {
        return true;
    }

    /// Refuses switches with too many ports, or, if the policy is that, without a register left.
    void CheckRegisters() const;

    Time FindComputeTime() const;

    void Reserve(); ///< Reserves a register in every switch of the tree, or memory.

    /// Reserves a switch's register in place of another group's.
    /// @return whether there was one that can be backed up
    bool ReserveByBackup(const BarrierTree::SwitchEntry& entry);

    CollectiveMessage MakeSetup(const BarrierTree::SwitchEntry& entry) const;

    /// Sends SETUP or RELEASE for every switch of the tree.
    void ChangeRegisters(CollectiveMessage::Type type);

    /// Sends SETUP or RELEASE for a switch.
    void ChangeRegister(const BarrierTree::SwitchEntry& entry, CollectiveMessage::Type type);

    void Know(uint32_t rank);    ///< A member knows of the group, and finds the root.
    void SetUpBy(uint32_t rank); ///< A member has found the root, and sends what it has to.
    void CountDown(); ///< One more thing is done that the group's set-up or release waits for.

    void EndAnnouncement();

    /// A register in memory was written, freed, or has come.
    void MemoryChanged(uint32_t fabricSwitch, uint32_t host, CollectiveMessage::Type type);

    std::string m_exhaustion;   ///< attribute
    uint32_t m_setupSize{0};    ///< attribute, bytes
    Time m_memoryTime;          ///< attribute
    std::string m_announcedBy;  ///< attribute Announcement
    uint32_t m_memberSize{0};   ///< attribute, bytes
    uint32_t m_cableSize{0};    ///< attribute, bytes
    Time m_searchTimePerSwitch; ///< attribute
    Time m_searchTimePerMember; ///< attribute

    Ptr<const WormRoute> m_toSwitch; ///< from a host to its own switch
    Ptr<RegisterMemory> m_memory;    ///< registers in memory; null before the group is made
    std::unique_ptr<GroupAnnouncement> m_announcement; ///< while the group is made, if there is one
    uint32_t m_changesLeft{0}; ///< registers not yet written or freed, and members not yet ready
    bool m_isReleasing{false}; ///< whether the group is being released
    Time m_computeTime;        ///< how long each member computes

    TracedCallback<uint32_t, uint32_t> m_inMemoryTrace; ///< trace source InMemory
    TracedCallback<uint32_t, uint32_t> m_backedUpTrace; ///< trace source BackedUp
    TracedCallback<uint32_t> m_restoredTrace;           ///< trace source Restored
};

/// @ingroup wormhole @brief A barrier, or all-reduction, by the registers (BTIN paper, section
/// 3.2): arrivals are combined on their way up to the root host, whose distribution is copied on
/// its way down.
class InSwitchBarrier : public InSwitchCollective
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void Take(uint32_t host, CollectiveMessage message) override;

    void TryDistribute(); ///< Starts the distribution if the root is there and all others are.

    uint32_t m_top{0};         ///< member at the tree's root host, whatever Root is
    bool m_rootCame{false};    ///< whether the root is inside
    bool m_othersCame{false};  ///< whether all others are
    uint64_t m_rootValue{0};   ///< the root's value
    uint64_t m_othersValue{0}; ///< the others' values combined
};

/**
 * @ingroup wormhole
 * @brief A broadcast by the registers: the distribution of a barrier alone (BTIN paper, section 6).
 *
 * The source, which is the attribute Root, may be any member. Each switch copies the message to its
 * parent and all children but where it came from, so that it crosses every link of the tree once,
 * away from the source; from the root host that is down the tree once. Members' interfaces keep
 * what comes before they enter.
 */
class InSwitchBroadcast : public InSwitchCollective
{
  public:
    static TypeId GetTypeId(); ///< @return the object TypeId

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void Take(uint32_t host, CollectiveMessage message) override;

    void TryLeave(uint32_t rank); ///< Lets a member leave that is inside and has a value.

    struct Receiver
    {
        bool waits{false};           ///< whether it is inside
        std::deque<uint64_t> values; ///< what has come and was not taken yet, oldest first
    };

    std::vector<Receiver> m_receivers; ///< by rank
};

} // namespace ns3

#endif /* IN_SWITCH_COLLECTIVES_H */
