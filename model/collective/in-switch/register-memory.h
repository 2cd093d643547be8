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

/**
 * @ingroup wormhole
 * @brief Registers of one group's barrier tree that hosts hold in their memory (Moh et al.,
 * sections 2.2 and 3.1).
 *
 * A register is held by the representative of its switch; where there are no members, by the host
 * on the switch's lowest port; where there are no hosts, by the member that sets the register up,
 * the representative of the nearest member switch above. The switch passes the group's messages on
 * to that host, whose software takes them one after the other. What follows from them comes from
 * that host: as one worm by the ports of its own switch, or by a message to a switch farther off,
 * which sends it on.
 *
 * A register that has been in a switch may come (SAVE) and leave again (FETCH). A message that
 * comes for one that has left goes back to the switch, behind the register itself.
 */
class RegisterMemory : public SimpleRefCount<RegisterMemory>
{
  public:
    /// A register sends its own host a message; arguments: the host, the message.
    typedef Callback<void, uint32_t, CollectiveMessage> TakeCallback;

    /// A register has been written (SETUP), freed (RELEASE) or has come from a switch (SAVE);
    /// arguments: the switch, the host, which of them.
    typedef Callback<void, uint32_t, uint32_t, CollectiveMessage::Type> ChangeCallback;

    /// @param group the group, which calls Stop at its disposal
    /// @param time time that a host's software takes for a message to a register
    /// @param setupFlits length of messages that carry a register, flits
    /// @param take told of what registers send to their own hosts
    /// @param change told of what becomes of registers
    RegisterMemory(const Collective& group,
                   Time time,
                   uint64_t setupFlits,
                   TakeCallback take,
                   ChangeCallback change);

    /// Holds the register of a switch from the start. @param entry the switch
    /// @return the host that does
    uint32_t Hold(const BarrierTree::SwitchEntry& entry);

    /// @return way from a switch to the host that would hold its register
    /// @param entry the switch, of the group's tree
    Ptr<const WormRoute> GetRouteToHost(const BarrierTree::SwitchEntry& entry) const;

    /// @return whether a host has held a switch's register from the start
    /// @param host the host @param fabricSwitch the switch
    bool IsHeldFromStart(uint32_t host, uint32_t fabricSwitch) const;

    /// Lets a host that holds a register take a message, which takes it some time. @param host the
    /// host @param message the message, whose place is the register's switch
    void Take(uint32_t host, const CollectiveMessage& message);

    void Clear(); ///< Forgets all registers.

    /// @return the switches whose registers are held, and by which hosts
    std::vector<std::pair<uint32_t, uint32_t>> GetPlaces() const;

    void Stop(); ///< Lets go of the group: whatever comes is ignored.

  private:
    struct Held
    {
        uint32_t host{0};              ///< number of the host
        bool isBackup{false};          ///< whether it has been in the switch
        Ptr<const WormRoute> toSwitch; ///< way from the host to the switch
        BarrierRegister reg;           ///< the register, once written
    };

    uint32_t ChooseHost(const BarrierTree::SwitchEntry& entry) const;
    void Apply(uint32_t host, CollectiveMessage message);
    void GiveBack(uint32_t fabricSwitch);

    /// Returns a message for a register that has been given back.
    void Return(uint32_t host, CollectiveMessage message);

    /// Sends from a host by ports of the register's switch.
    void Send(const Held& held, CollectiveMessage message, std::vector<uint16_t> ports);

    void SendBy(uint32_t host,
                const CollectiveMessage& message,
                uint64_t flits,
                Ptr<const WormRoute> route);

    const Collective* m_group;       ///< the group; null once stopped
    Time m_time;                     ///< what a message takes a host's software
    uint64_t m_setupFlits;           ///< length of messages that carry a register, flits
    TakeCallback m_take;             ///< told of what goes to the host itself
    ChangeCallback m_change;         ///< told of what becomes of registers
    std::map<uint32_t, Held> m_held; ///< by switch
};

} // namespace ns3

#endif /* REGISTER_MEMORY_H */
