// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_UNIT_H
#define COLLECTIVE_UNIT_H

#include "barrier-register.h"
#include "collective-message.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-sparse-traced-callback.h"
#include "ns3/wormhole-switch.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief Processes the messages of one group in switches, in place of barrier registers.
class SwitchProgram
{
  public:
    virtual ~SwitchProgram() = default;

    /// Processes a message that ends in a switch: it is first in its buffer, with all flits ready.
    /// @param fabricSwitch number of the switch
    /// @param port number of the input port
    /// @param message the message
    virtual void ReceiveAtSwitch(uint32_t fabricSwitch,
                                 uint16_t port,
                                 const CollectiveMessage& message) = 0;
};

class ReductionSlots;

/// @ingroup wormhole
/// @brief A switch's collective engine: its barrier registers (BTIN paper, Table 1) and reduction
///        slots.
///
/// The unit is aggregated to the switch. When a message that ends there is first in its input
/// buffer and its last flit is ready, the unit consumes it and sends the messages that result.
///
/// Reduction slots hold segments of vectors (ReductionSlots). Slots are separate from registers,
/// are granted to groups that request them by messages, and combine one segment at a time.
///
/// If the attribute Lease is not 0, the switch frees a register when no message of its group has
/// arrived for that time, unless the group is at rest (SetKept).
class CollectiveUnit : public Object, private WormSink
{
  public:
    /// Called with the switch's number, a group and the type of a message: after a SETUP (but no
    /// RegisterRequest) or RESTORE, the group's register is written; after a RELEASE, it is free;
    /// a message of any other type was dropped, since the group's register or slots are lost.
    typedef Callback<void, uint32_t, uint16_t, CollectiveMessage::Type> ChangeCallback;

    static TypeId GetTypeId(); ///< @return the object TypeId

    CollectiveUnit();
    ~CollectiveUnit() override;

    /// Installs this as the switch's collective engine. @param fabricSwitch the switch
    void Install(Ptr<WormholeSwitch> fabricSwitch)
    {
        m_switch = fabricSwitch;
        m_switch->SetSink(this);
        m_switch->AggregateObject(this);
    }

    /// @return number of registers neither used nor reserved
    uint32_t GetNFree() const
    {
        // A group whose victim has not left yet has no register so far.
        return m_nRegisters - std::min(m_nRegisters, static_cast<uint32_t>(m_entries.size()));
    }

    /// @return number of registers
    uint32_t GetNRegisters() const
    {
        return m_nRegisters;
    }

    /// @param isKept tells whether a group is at rest, so that its register is kept without
    ///        KEEP_ALIVE messages; false for an unknown group
    void SetKept(std::function<bool(uint16_t group)> isKept)
    {
        m_isKept = std::move(isKept);
    }

    /// Renews the lease of a group's register, if this switch has one. @param group identifier
    void Renew(uint16_t group);

    /// @return the attribute Lease
    Time GetLease() const
    {
        return m_lease;
    }

    /// Frees the registers whose leases have ended, except those of groups at rest (SetKept).
    void CheckLeases();

    /// Reserves a register for a group whose SETUP message is in flight. @param group identifier
    /// @throws WormholeError if no register is free
    void Reserve(uint16_t group);

    /// Declares that a host's memory holds a group's register: messages are forwarded to this host.
    /// @param group group identifier
    /// @param toKeeper route from this switch to the host
    void ReserveInMemory(uint16_t group, Ptr<const WormRoute> toKeeper);

    /// @return groups whose registers are set up here, except victims of ReserveInPlaceOf; the
    ///         least recently used group is first, equally recent ones are by number
    std::vector<uint16_t> GetLeastRecentlyUsed() const;

    /// Reserves a register for a group whose SETUP message is in flight, in place of a victim's.
    /// When the SETUP message arrives, the victim's register, unless freed since, is sent to a
    /// host, which gets the victim's messages from then on. When a register of this switch becomes
    /// free, the register that was displaced first is fetched back.
    /// @param group group identifier
    /// @param victim the group whose register is displaced, one of GetLeastRecentlyUsed
    /// @param toKeeper route from this switch to the host that will hold the victim's register
    void ReserveInPlaceOf(uint16_t group, uint16_t victim, Ptr<const WormRoute> toKeeper);

    /// Undoes ReserveInMemory. @param group group identifier
    void ReleaseFromMemory(uint16_t group)
    {
        m_inMemory.erase(group);
    }

    /// Routes the messages of a group to a program rather than to a register.
    /// @param group group identifier
    /// @param program the program, which must outlive the group's messages; null: none
    void SetProgram(uint16_t group, SwitchProgram* program);

    /// Sends a message from this switch as one worm, with a copy on each of several ports.
    /// @param message the message
    /// @param ports numbers of the ports, increasing
    /// @param flits length of the worm, flits
    void Send(const CollectiveMessage& message, const std::vector<uint16_t>& ports, uint64_t flits)
    {
        std::vector<std::vector<uint16_t>> stops(1 + ports.size());
        stops[0] = ports;
        SendBy(Create<WormRoute>(WormRoute::Tree(stops)), message, flits);
    }

    /// Frees all that a group has in this switch, and ignores later messages of the group.
    /// @param group group identifier, which must not be used again
    void Drop(uint16_t group);

    /// @return what a group's register or slots await, such as "s3 waits for port 2"; or empty
    /// @param group group identifier
    std::string ExplainAwaited(uint16_t group) const;

    /// @param group group identifier @return its register in this switch; null if not set up
    const BarrierRegister* Find(uint16_t group) const
    {
        const auto found = m_entries.find(group);
        return found != m_entries.end() && found->second.written ? &found->second.reg : nullptr;
    }

    /// @return number of reduction slots
    uint32_t GetNSlots() const
    {
        return m_nSlots;
    }

    /// @return number of free reduction slots
    uint32_t GetNFreeSlots() const;

    /// @return capacity of a slot, bytes
    uint32_t GetSlotBytes() const
    {
        return m_slotBytes;
    }

    /// @param activities the domain's activity recorder
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = activities;
    }

    /// @param changed called as ChangeCallback says; shared by all switches
    /// @param fabricSwitch number of the switch, passed to `changed`
    void SetChangeCallback(ChangeCallback changed, uint32_t fabricSwitch)
    {
        m_changed = changed;
        m_number = fabricSwitch;
    }

    /// Callback of the trace sources Receive and Send.
    /// @param message the message
    /// @param port input or output port
    typedef void (*MessageTracedCallback)(const CollectiveMessage& message, uint32_t port);

    /// Callback of the trace source Expired. @param group identifier
    typedef void (*GroupTracedCallback)(uint16_t group);

    /// Callback of the trace source Taken.
    /// @param worm the worm
    /// @param port number of the input port
    typedef void (*WormTracedCallback)(Ptr<const Worm> worm, uint32_t port);

  protected:
    void DoDispose() override;

  private:
    // From WormSink: consumes a CollectiveWorm that has ended in the switch
    void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) override;

    // From WormSink: called when a segment may have been combined
    void Resume() override;

    // From WormSink: registers and slots are lost
    void NotifyDown() override;

    struct Entry
    {
        bool written{false};  ///< whether SETUP has arrived
        bool isVictim{false}; ///< whether the register will be displaced
        Time lastUse;         ///< time of the group's last message except KEEP_ALIVE
        Time renewed;         ///< start of the register's lease
        Ptr<const WormRoute>
            toKeeper;        ///< route to the host that will hold the victim's register; or null
        uint16_t victim{0};  ///< group of the register that this one displaces, if any
        BarrierRegister reg; ///< the register, once written
        Ptr<const WormRoute> toParent;
        Ptr<const WormRoute> toChildren;
    };

    /// A group's register that is held by a host.
    struct Kept
    {
        Ptr<const WormRoute> toKeeper;
        bool isBackup{false};  ///< whether the register was displaced from here, and will return
        bool isLeaving{false}; ///< whether the register is on its way back, or released
        uint64_t number{0};    ///< sequence number of the backup
    };

    /// @return whether a message finds no register, slots or program of its group here
    bool IsLost(const CollectiveMessage& message);

    void SendBy(Ptr<const WormRoute> route, const CollectiveMessage& message, uint64_t flits)
    {
        SendWorm(Create<CollectiveWorm>(message, flits, route));
    }

    void SendWorm(Ptr<CollectiveWorm> worm);
    void Write(const CollectiveMessage& message, uint64_t flits);
    void Answer(const RegisterRequest& request); ///< Grants or refuses a register.

    /// Fetches the oldest backup if a register is free.
    void FetchBackup(uint64_t flits);

    /// Applies a message to a register here, or forwards it to the host that holds it.
    void Act(CollectiveMessage message, uint16_t port, uint64_t flits);

    /// Combines a child's value into a register.
    void Combine(Entry& entry, CollectiveMessage message, uint16_t port, uint64_t flits);

    void Free(uint16_t group, uint64_t flits);

    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    uint32_t m_nRegisters{0};
    uint32_t m_nSlots{0};
    uint32_t m_slotBytes{0};
    DataRate m_combineRate;
    Time m_combineTime;
    Time m_lease; ///< attribute; 0: leases never end
    Ptr<WormholeSwitch> m_switch;
    std::map<uint16_t, Entry> m_entries;           ///< registers reserved or written, by group
    std::map<uint16_t, Kept> m_inMemory;           ///< registers held by hosts, by group
    std::map<uint16_t, SwitchProgram*> m_programs; ///< programs in place of registers, by group
    std::unique_ptr<ReductionSlots> m_slots;       ///< created on first request
    ChangeCallback m_changed;                      ///< called on changes of registers
    uint32_t m_number{0};
    uint64_t m_nBackups{0};
    bool m_hasLost{false}; ///< whether an outage, or the end of a lease, has cleared a register
    std::function<bool(uint16_t)> m_isKept; ///< see SetKept; or empty
    EventId m_leaseCheck;                   ///< event at the end of the first lease to end
    std::set<uint16_t> m_dropped;           ///< groups whose messages are ignored

    /// A trace source that reports messages.
    typedef SparseTracedCallback<const CollectiveMessage&, uint32_t> MessageTrace;

    MessageTrace m_receiveTrace;
    MessageTrace m_sendTrace;
    SparseTracedCallback<Ptr<const Worm>, uint32_t> m_takenTrace;
    TracedCallback<uint16_t> m_expiredTrace;
};

} // namespace ns3

#endif /* COLLECTIVE_UNIT_H */
