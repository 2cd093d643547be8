/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_UNIT_H
#define COLLECTIVE_UNIT_H

#include "barrier-register.h"
#include "collective-message.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/wormhole-activity-recorder.h"
#include "ns3/wormhole-sparse-traced-callback.h"
#include "ns3/wormhole-switch.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief What switches do with the messages of one group, in place of barrier registers.
class SwitchProgram
{
  public:
    virtual ~SwitchProgram() = default;

    /// A message of the group has ended in a switch: its last flit is ready, in front of its
    /// buffer.
    /// @param fabricSwitch number of the switch
    /// @param port number of the port that it came by
    /// @param message the message
    virtual void ReceiveAtSwitch(uint32_t fabricSwitch,
                                 uint16_t port,
                                 const CollectiveMessage& message) = 0;
};

class ReductionSlots;

/**
 * @ingroup wormhole
 * @brief A switch's barrier registers and what it does with them (BTIN paper, Table 1), and its
 *        reduction slots.
 *
 * Takes the messages that end in the switch, each when it is in front of its input buffer with its
 * last flit ready, and sends at that instant what follows from it. Aggregated to the switch.
 *
 * Reduction slots hold segments of vectors (ReductionSlots). They are the switch's, besides its
 * registers, and are granted to groups that ask for them by messages. Combining takes time there,
 * by CombineRate, one segment after the other.
 */
class CollectiveUnit : public Object, private WormSink
{
  public:
    /// Told when a register has been written, freed, or written again after a backup; arguments:
    /// number of the switch, group, SETUP, RELEASE or RESTORE.
    typedef Callback<void, uint32_t, uint16_t, CollectiveMessage::Type> ChangeCallback;

    static TypeId GetTypeId(); ///< @return the object TypeId

    CollectiveUnit();
    ~CollectiveUnit() override;

    /// Becomes the switch's collective unit. @param fabricSwitch the switch
    void Install(Ptr<WormholeSwitch> fabricSwitch);

    uint32_t GetNFree() const; ///< @return number of registers that no group uses or has reserved

    /// @return number of registers
    uint32_t GetNRegisters() const
    {
        return m_nRegisters;
    }

    /// Keeps a register for a group whose SETUP message is under way.
    /// @param group group identifier
    /// @throws WormholeError if there is no free register
    void Reserve(uint16_t group);

    /// Notes that the group's register is in the memory of a host: its messages are passed on
    /// there.
    /// @param group group identifier
    /// @param toKeeper way from this switch to that host
    void ReserveInMemory(uint16_t group, Ptr<const WormRoute> toKeeper);

    /// Groups that may give their registers up to others: those set up here and not yet chosen.
    /// @return their identifiers, the one whose register has been idle longest first, then by
    /// number
    std::vector<uint16_t> GetLeastRecentlyUsed() const;

    /// Keeps a register for a group whose SETUP message is under way, in place of another group's.
    /// When that message comes, the other's register, if it is still here, is sent to the host that
    /// is to hold it; from then on that group's messages are passed on there. As soon as a register
    /// is free, the one that was sent away first is fetched back.
    /// @param group group identifier
    /// @param victim the other group, one of GetLeastRecentlyUsed
    /// @param toKeeper way from this switch to the host that is to hold its register
    void ReserveInPlaceOf(uint16_t group, uint16_t victim, Ptr<const WormRoute> toKeeper);

    /// Gives back what was reserved in memory for a group. @param group group identifier
    void ReleaseFromMemory(uint16_t group);

    /// Hands the messages of a group to a program rather than to a register.
    /// @param group group identifier
    /// @param program the program, which must outlive the group's messages; null: none any more
    void SetProgram(uint16_t group, SwitchProgram* program);

    /// Sends a message from this switch, one copy by each of some ports, as one worm.
    /// @param message the message
    /// @param ports numbers of the ports, increasing
    /// @param flits length of the worm, flits
    void Send(const CollectiveMessage& message, const std::vector<uint16_t>& ports, uint64_t flits);

    /// @param group group identifier @return its register if it is set up in this switch, else null
    const BarrierRegister* Find(uint16_t group) const;

    /// @return number of reduction slots
    uint32_t GetNSlots() const
    {
        return m_nSlots;
    }

    /// @return number of reduction slots that are granted to no group
    uint32_t GetNFreeSlots() const;

    /// @return what one of them holds, bytes
    uint32_t GetSlotBytes() const
    {
        return m_slotBytes;
    }

    /// @return the reduction slots; null: nobody has asked for any yet
    const ReductionSlots* GetSlots() const;

    /// @param activities where what it does is recorded
    void SetActivities(Ptr<ActivityRecorder> activities)
    {
        m_activities = activities;
    }

    /// @param changed whom to tell when a register has been written or freed; one serves all units
    /// @param fabricSwitch number of the switch, to be told too
    void SetChangeCallback(ChangeCallback changed, uint32_t fabricSwitch);

    /// Callback of the trace sources.
    /// @param message the message
    /// @param port port that it came by, or that it goes to
    typedef void (*MessageTracedCallback)(const CollectiveMessage& message, uint32_t port);

    /// Callback of the trace source Taken.
    /// @param worm the worm
    /// @param port number of the port that it came by
    typedef void (*WormTracedCallback)(Ptr<const Worm> worm, uint32_t port);

  protected:
    void DoDispose() override;

  private:
    // From WormSink: a CollectiveWorm that has ended in the switch
    void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) override;

    // From WormSink: a segment may have been combined
    void Resume() override;

    // From WormSink: registers and slots are lost
    void NotifyDown() override;

    struct Entry
    {
        bool written{false};             ///< whether SETUP has come
        bool isVictim{false};            ///< whether another group is to have it
        Time lastUse;                    ///< when its last message came
        Ptr<const WormRoute> toKeeper;   ///< of its victim, which leaves when it is set up; or null
        uint16_t victim{0};              ///< the victim's group, if there is one
        BarrierRegister reg;             ///< the register, once written
        Ptr<const WormRoute> toParent;   ///< one channel to the parent
        Ptr<const WormRoute> toChildren; ///< one channel to each child
    };

    /// A group's register that a host holds.
    struct Kept
    {
        Ptr<const WormRoute> toKeeper; ///< way to the host
        bool isBackup{false};          ///< whether it has been here, and comes back
        bool isLeaving{false};         ///< whether it comes back already, or is released
        uint64_t number{0};            ///< of the backup, in order of time
    };

    void SendBy(Ptr<const WormRoute> route, const CollectiveMessage& message, uint64_t flits);
    void SendWorm(Ptr<CollectiveWorm> worm);
    void Write(const CollectiveMessage& message, uint64_t flits);

    /// Sends a group's victim away, if it is still here. @param flits length of the message, flits
    void BackUp(uint16_t group, uint64_t flits);

    /// Fetches the first of the backups if a register is free.
    /// @param flits length of the message, flits
    void FetchBackup(uint64_t flits);

    /// Does what a message asks a register here for, or has it done by the host that holds it.
    void Act(CollectiveMessage message, uint16_t port, uint64_t flits);

    /// A child's value comes to a register.
    void Combine(Entry& entry, CollectiveMessage message, uint16_t port, uint64_t flits);

    /// Frees a register. @param flits length of the message, flits
    void Free(uint16_t group, uint64_t flits);

    /// That of the domain.
    Ptr<ActivityRecorder> m_activities{Create<ActivityRecorder>()};
    uint32_t m_nRegisters{0};                      ///< attribute
    uint32_t m_nSlots{0};                          ///< attribute
    uint32_t m_slotBytes{0};                       ///< attribute
    DataRate m_combineRate;                        ///< attribute
    Ptr<WormholeSwitch> m_switch;                  ///< the switch
    std::map<uint16_t, Entry> m_entries;           ///< registers reserved or written, by group
    std::map<uint16_t, Kept> m_inMemory;           ///< registers that hosts hold, by group
    std::map<uint16_t, SwitchProgram*> m_programs; ///< programs in place of registers, by group
    std::unique_ptr<ReductionSlots> m_slots;       ///< once anybody has asked for one
    ChangeCallback m_changed;                      ///< whom to tell
    uint32_t m_number{0};                          ///< number of the switch, to tell
    uint64_t m_nBackups{0};                        ///< registers ever sent away

    /// A trace source that reports messages.
    typedef SparseTracedCallback<const CollectiveMessage&, uint32_t> MessageTrace;

    MessageTrace m_receiveTrace;                                  ///< trace source Receive
    MessageTrace m_sendTrace;                                     ///< trace source Send
    SparseTracedCallback<Ptr<const Worm>, uint32_t> m_takenTrace; ///< trace source Taken
};

} // namespace ns3

#endif /* COLLECTIVE_UNIT_H */
