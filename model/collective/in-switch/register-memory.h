/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REGISTER_MEMORY_H
#define REGISTER_MEMORY_H

#include "ns3/callback.h"
#include "ns3/simple-ref-count.h"
#include "ns3/worm-route.h"
#include "ns3/wormhole-collective.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{

/// Registers of one group's barrier tree that are held in hosts' memory (Moh et al., sections 2.2
/// and 3.1).
///
/// A register is held by the representative of its switch; without members there, by the host on
/// the switch's lowest port; without hosts there, by the member that sets the register up: the
/// representative of the nearest member switch above. The switch forwards the group's messages to
/// that host, whose software processes them one after the other. The host sends the resulting
/// messages: as one worm on the ports of its own switch, or as a message to a more distant switch,
/// which forwards it.
///
/// A register that has been in a switch may arrive (SAVE) and leave again (FETCH). A message that
/// arrives for one that has left is sent back to the switch, behind the register.
class RegisterMemory : public SimpleRefCount<RegisterMemory>
{
  public:
    /// Called when a register sends a message to its own host; arguments: the host, the message.
    typedef Callback<void, uint32_t, CollectiveMessage> TakeCallback;

    /// Called when a register was written (SETUP) or freed (RELEASE), or has arrived from a switch
    /// (SAVE); arguments: the switch, the host, the type.
    typedef Callback<void, uint32_t, uint32_t, CollectiveMessage::Type> ChangeCallback;

    /// @param take receives registers' messages to their own hosts
    RegisterMemory(const Collective& group,
                   Time time,
                   uint64_t setupFlits,
                   TakeCallback take,
                   ChangeCallback change);

    /// Holds the register of a switch from the start.
    uint32_t Hold(const BarrierTree::SwitchEntry& entry);

    Ptr<const WormRoute> GetRouteToHost(const BarrierTree::SwitchEntry& entry) const;

    bool IsHeldFromStart(uint32_t host, uint32_t fabricSwitch) const;

    /// Makes the host that holds a register process a message, which takes time.
    void Take(uint32_t host, const CollectiveMessage& message);

    /// Discards all registers.
    void Clear()
    {
        m_held.clear();
    }

    /// @return the switches whose registers are held, and their hosts
    std::vector<std::pair<uint32_t, uint32_t>> GetPlaces() const;

    void Stop(); ///< Detaches from the group: further messages are ignored.

  private:
    struct Held
    {
        uint32_t host{0};
        bool isBackup{false}; ///< whether it was in the switch before
        Ptr<const WormRoute> toSwitch;
        BarrierRegister reg; ///< the register, once written
    };

    uint32_t ChooseHost(const BarrierTree::SwitchEntry& entry) const;
    void Apply(uint32_t host, CollectiveMessage message);
    void GiveBack(uint32_t fabricSwitch);

    /// Returns a message for a register that has left.
    void Return(uint32_t host, CollectiveMessage message);

    /// Sends from a host on ports of the register's switch.
    void Send(const Held& held, CollectiveMessage message, std::vector<uint16_t> ports);

    void SendBy(uint32_t host,
                const CollectiveMessage& message,
                uint64_t flits,
                Ptr<const WormRoute> route);

    const Collective* m_group;       ///< the group; null once stopped
    Time m_time;                     ///< software time for a message
    uint64_t m_setupFlits;           ///< length of messages that carry a register, flits
    TakeCallback m_take;             ///< receives messages to the host itself
    ChangeCallback m_change;         ///< called on changes of registers
    std::map<uint32_t, Held> m_held; ///< by switch
};

} // namespace ns3

#endif /* REGISTER_MEMORY_H */
