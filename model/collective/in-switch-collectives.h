// SPDX-License-Identifier: GPL-2.0-only

#ifndef IN_SWITCH_COLLECTIVES_H
#define IN_SWITCH_COLLECTIVES_H

#include "ns3/event-id.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RegisterMemory;

/// @ingroup wormhole
/// @brief Collectives by registers in the switches of a group's barrier tree (BTIN, Moh et al.).
///
/// Create makes hosts send a Setup_Register message to every switch of the tree: for each switch,
/// its representative (the member on its lowest port) is the sender. For a switch without members,
/// the sender is the representative of the next switch with members towards the root. The same
/// hosts send Release messages.
///
/// With the attribute Announcement, member 0 first broadcasts the list of members and the topology.
/// Each member then finds the root: from every switch with members, it makes a breadth-first tree
/// over all switches. After that, hosts send their Setup_Register messages.
///
/// When members change, a register is written only if its ports in the new tree are different. A
/// register outside the new tree is freed by the host that set it up; if this host has no member
/// any more, the new root host frees it. If a round was cut off, or a register is lost or in a
/// host's memory, all registers are released and set up anew.
///
/// If a switch has no free register, the attribute Exhaustion decides. "fail": creation fails.
/// "memory": a host, the representative if the switch has one, holds the register (RegisterMemory).
/// "backup": the least recently used register moves to a host; it returns when a register is free.
///
/// With the attribute Requests, each Setup_Register message is a request, which the switch grants
/// or refuses; without it, the group's creator knows which switches have free registers.
/// With KeepAliveInterval, hosts renew the leases of the registers that they set up.
class InSwitchCollective : public Collective
{
  public:
    InSwitchCollective();
    ~InSwitchCollective() override;

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

    /// @return route from a switch to the host that would hold this group's register (Exhaustion
    ///         "backup"); null: the group's register can't move @param fabricSwitch the switch
    Ptr<const WormRoute> GetRouteToKeeper(uint32_t fabricSwitch) const override;

    bool IsKept(uint32_t fabricSwitch) const override;

    /// @return how long each member computes to find the root, once the group is created
    Time GetComputeTime() const
    {
        return m_computeTime;
    }

    /// @return number of registers that the last set-up or change wrote or freed
    uint32_t GetNRegisterChanges() const
    {
        return m_nChanges;
    }

    /// @return switches whose register is in a host's memory, each with the number of that host
    std::vector<std::pair<uint32_t, uint32_t>> GetInMemory() const;

    /// Callback of traces InMemory, BackedUp. @param fabricSwitch,host numbers of switch and host
    typedef void (*InMemoryTracedCallback)(uint32_t fabricSwitch, uint32_t host);

    /// Callback of the trace source Restored. @param fabricSwitch number of the switch
    typedef void (*RestoredTracedCallback)(uint32_t fabricSwitch);

    /// Callback of the trace source Answered. @param fabricSwitch number of the switch
    /// @param granted whether the switch grants a register
    typedef void (*AnsweredTracedCallback)(uint32_t fabricSwitch, bool granted);

  protected:
    /// @return the type of a kind, with the attributes common to all kinds @param kind the kind
    static TypeId MakeTypeId(DataKind kind);

    /// Sends a message from a member's host to the host's switch. @param rank the member
    /// @param type,value its contents @return time until software has prepared it (start-up)
    Time SendToSwitch(uint32_t rank, CollectiveMessage::Type type, uint64_t value);

    /// @return whether messages to switches carry the round's number: only if the attribute Timeout
    ///         is set and no register is in a host's memory
    bool NumbersRounds() const;

    /// Starts KEEP_ALIVE messages, which go on until the group is ready with no member in a round.
    void StayAlive();

    /// Sets the registers up, or throws a WormholeError if that is impossible.
    void DoCreate() override;

  private:
    void DoStop() override;
    virtual void Take(uint32_t host, const CollectiveMessage& message) = 0;
    void DoRelease() override;

    bool HoldsRegisters() const override
    {
        return true;
    }

    bool CanKeepTree() const override;

    /// Called when a host's software has received a worm's message.
    void TakeNow(uint32_t host, Ptr<const CollectiveWorm> worm)
    {
        const auto& message = worm->GetMessage();
        if (message.group != GetGroup())
        {
            return; // the group has failed and changed meanwhile
        }
        const bool isAnswer = message.type == CollectiveMessage::GRANTED ||
                              message.type == CollectiveMessage::REFUSED;
        isAnswer ? TakeAnswer(message) : Take(host, message);
    }

    /// Called when a switch has granted or refused a register.
    void TakeAnswer(const CollectiveMessage& answer);
    void GiveBack();      ///< A switch refused: frees registers that other switches granted.
    void EndGivingBack(); ///< All granted registers are freed: asks again later, or fails.
    void AskAgain(uint16_t group); ///< Asks all switches, unless the group's identifier changed.
    void Beat();                   ///< Hosts renew the leases of registers that they set up.

    /// @return number of the host that sets up a register @param entry the register's switch
    uint32_t GetInstaller(const BarrierTree::SwitchEntry& entry) const
    {
        return entry.installer - GetDomain().GetGraph().GetNSwitches();
    }

    /// @return why the group can't be set up @param full numbers of switches without free registers
    std::string ExplainExhaustion(const std::set<uint32_t>& full) const;

    /// Frees the registers of switches that are in the former tree but not in the new one.
    void FreeFormer(const BarrierTree& former);

    /// Finds which registers to write; `former` is the tree whose registers still exist, or null.
    void CompareTrees(const BarrierTree* former);

    void CheckRegisters() const; ///< Throws if a switch is full and Exhaustion is "fail".
    void Reserve(); ///< Reserves a register for each switch, in the switch or in a host.

    /// Moves another group's register to a host, and reserves its place; false: none can move.
    bool ReserveByBackup(const BarrierTree::SwitchEntry& entry);

    CollectiveMessage MakeSetup(const BarrierTree& tree,
                                const BarrierTree::SwitchEntry& entry) const;

    /// Sends SETUP or RELEASE to a switch.
    void ChangeRegister(const BarrierTree::SwitchEntry& entry, CollectiveMessage::Type type);

    void Know(uint32_t rank);                    ///< A member learns of the group.
    void SetUpBy(uint32_t rank, uint16_t group); ///< A member sends its SETUP messages.
    void CountDown(); ///< One of m_changesLeft is done; after the last, the next stage begins.

    /// Called when the announcement's group is ready: all its members enter the broadcast.
    void Announce(Time)
    {
        for (uint32_t rank = 0; rank < m_announcement->GetNMembers(); ++rank)
        {
            m_announcement->Enter(rank);
        }
    }

    void DropAnnouncement();

    void LeavePart(const Collective&, uint32_t rank, uint64_t) override
    {
        Know(rank);
    }

    /// Called when a register in a host's memory is written or freed, or arrives from its switch.
    void MemoryChanged(uint32_t fabricSwitch, uint32_t host, CollectiveMessage::Type type);

    std::string m_exhaustion;
    uint32_t m_setupSize{0}; ///< attribute SetupSize, bytes
    Time m_memoryTime;
    std::string m_announcedBy;
    uint32_t m_memberSize{0}; ///< attribute MemberSize, bytes
    uint32_t m_cableSize{0};  ///< attribute CableSize, bytes
    Time m_searchTimePerSwitch;
    Time m_searchTimePerMember;

    bool m_requests{false};  ///< attribute Requests
    uint32_t m_maxRetries{}; ///< attribute MaxRetries
    Time m_retryInterval;
    Time m_keepAliveInterval;

    Ptr<const WormRoute> m_toSwitch; ///< from a host to its own switch
    Ptr<RegisterMemory> m_memory;    ///< registers in memory; null before the group is created
    Ptr<Collective> m_announcement;  ///< broadcast during creation, if there is one
    std::vector<const BarrierTree::SwitchEntry*> m_new;     ///< switches without a register so far
    std::vector<const BarrierTree::SwitchEntry*> m_written; ///< m_new, and registers to rewrite
    uint32_t m_nChanges{0};    ///< registers written or freed by the last set-up or change
    uint32_t m_changesLeft{0}; ///< registers not yet written or freed, plus members not yet ready
    bool m_isReleasing{false}; ///< whether the group is being released
    bool m_givesBack{false};   ///< whether registers are freed because others were refused
    std::set<uint32_t> m_refused; ///< switches that have refused a register
    uint32_t m_nRetries{0};       ///< how often the group has asked again
    EventId m_retry;              ///< when the group will ask again
    EventId m_beat;               ///< the next KEEP_ALIVE messages
    Time m_lastSign;              ///< when the group was last active
    Time m_computeTime;

    TracedCallback<uint32_t, uint32_t> m_inMemoryTrace;
    TracedCallback<uint32_t, uint32_t> m_backedUpTrace;
    TracedCallback<uint32_t> m_restoredTrace;
    TracedCallback<uint32_t, bool> m_answeredTrace;
};

/// @ingroup wormhole @brief A barrier, or all-reduction, by registers (BTIN paper, section 3.2):
/// arrivals are combined on their way to the root host; switches copy the host's answer to members.
class InSwitchBarrier : public InSwitchCollective
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId(DataKind::BARRIER).AddConstructor<InSwitchBarrier>();
        return tid;
    }

  private:
    void DoCreate() override
    {
        m_top = GetRank(GetTree().GetRootHost() - GetDomain().GetGraph().GetNSwitches());
        m_rootCame = m_othersCame = false;
        InSwitchCollective::DoCreate();
    }

    void DoEnter(uint32_t rank, uint64_t value) override;
    void Take(uint32_t host, const CollectiveMessage& message) override;

    void TryDistribute(); ///< Starts the distribution once the root and all others have arrived.

    uint32_t m_top{0}; ///< rank of the root host's member; the attribute Root does not matter
    bool m_rootCame{false};
    bool m_othersCame{false};
    uint64_t m_rootValue{0};
    uint64_t m_othersValue{0};
};

/// @ingroup wormhole
/// @brief A broadcast by registers: only the distribution of a barrier (BTIN paper, section 6).
///
/// The source, set by the attribute Root, may be any member. Each switch copies the message to all
/// its tree ports except the input, so that the message crosses every link of the tree once, away
/// from the source. A member's interface queues values that arrive before the member enters.
class InSwitchBroadcast : public InSwitchCollective
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId(DataKind::BROADCAST).AddConstructor<InSwitchBroadcast>();
        return tid;
    }

  private:
    void DoCreate() override
    {
        m_receivers.assign(GetNMembers(), Receiver());
        InSwitchCollective::DoCreate();
    }

    void DoEnter(uint32_t rank, uint64_t value) override;
    void Take(uint32_t host, const CollectiveMessage& message) override;

    void TryLeave(uint32_t rank); ///< Lets a waiting member leave if a value has arrived.

    struct Receiver
    {
        bool waits{false};
        std::deque<uint64_t> values; ///< values not consumed yet, oldest first
    };

    std::vector<Receiver> m_receivers; ///< by rank
};

} // namespace ns3

#endif /* IN_SWITCH_COLLECTIVES_H */
