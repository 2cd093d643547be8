/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_UNIT_H
#define COLLECTIVE_UNIT_H

#include "barrier-register.h"
#include "switch-program.h"

#include "ns3/callback.h"
#include "ns3/object.h"
#include "ns3/sparse-traced-callback.h"
#include "ns3/wormhole-switch.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A switch's barrier registers and what it does with them (BTIN paper, Table 1).
 *
 * Takes the messages that end in the switch, each when it is in front of its input buffer with its
 * last flit ready, and sends at that instant what follows from it. Aggregated to the switch.
 */
class CollectiveUnit : public Object, private WormSink
{
  public:
    /// Told when a register has been written or freed; arguments: number of the switch, group,
    /// SETUP or RELEASE.
    typedef Callback<void, uint32_t, uint16_t, CollectiveMessage::Type> ChangeCallback;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Becomes the switch's collective unit.
     * @param fabricSwitch the switch
     */
    void Install(Ptr<WormholeSwitch> fabricSwitch);

    /// @return number of registers that no group uses or has reserved
    uint32_t GetNFree() const;

    /// @return number of registers
    uint32_t GetNRegisters() const;

    /**
     * Keeps a register for a group whose SETUP message is under way.
     * @param group group identifier
     * @throws WormholeError if there is no free register
     */
    void Reserve(uint16_t group);

    /**
     * Notes that the group's register is in the memory of a host at this switch: its messages
     * are passed on there.
     * @param group group identifier
     * @param hostPort port of that host
     */
    void ReserveInMemory(uint16_t group, uint16_t hostPort);

    /**
     * Gives back what was reserved in memory for a group.
     * @param group group identifier
     */
    void ReleaseFromMemory(uint16_t group);

    /**
     * Hands the messages of a group to a program rather than to a register.
     * @param group group identifier
     * @param program the program, which must outlive the group's messages; null: none any more
     */
    void SetProgram(uint16_t group, SwitchProgram* program);

    /**
     * Sends a message from this switch, one copy by each of some ports, as one worm.
     * @param message the message
     * @param ports numbers of the ports, increasing
     * @param flits length of the worm, flits
     */
    void Send(const CollectiveMessage& message, const std::vector<uint16_t>& ports, uint64_t flits);

    /**
     * @param group group identifier
     * @return its register if it is set up in this switch, else null
     */
    const BarrierRegister* Find(uint16_t group) const;

    /**
     * @param changed whom to tell when a register has been written or freed; one serves all units
     * @param fabricSwitch number of the switch, to be told too
     */
    void SetChangeCallback(ChangeCallback changed, uint32_t fabricSwitch);

    /**
     * Callback of the trace sources.
     * @param message the message
     * @param port port that it came by, or that it goes to
     */
    typedef void (*MessageTracedCallback)(const CollectiveMessage& message, uint32_t port);

  protected:
    void DoDispose() override;

  private:
    // From WormSink: a CollectiveWorm that has ended in the switch
    void ConsumeWorm(Ptr<const Worm> worm, uint32_t port) override;

    /// What the switch has for one group.
    struct Entry
    {
        bool written{false};             ///< whether SETUP has come
        BarrierRegister reg;             ///< the register, once written
        Ptr<const WormRoute> toParent;   ///< one channel to the parent
        Ptr<const WormRoute> toChildren; ///< one channel to each child
    };

    /// Sends a message from this switch. @param route its route @param message the message
    /// @param flits length of the worm, flits
    void SendBy(Ptr<const WormRoute> route, const CollectiveMessage& message, uint64_t flits);

    /// Writes a register. @param message SETUP
    void Write(const CollectiveMessage& message);

    uint32_t m_nRegisters{0};                      ///< attribute
    Ptr<WormholeSwitch> m_switch;                  ///< the switch
    std::map<uint16_t, Entry> m_entries;           ///< registers reserved or written, by group
    std::map<uint16_t, uint16_t> m_inMemory;       ///< port of the host that holds the register
    std::map<uint16_t, SwitchProgram*> m_programs; ///< programs in place of registers, by group
    ChangeCallback m_changed;                      ///< whom to tell
    uint32_t m_number{0};                          ///< number of the switch, to tell

    /// A trace source that reports messages.
    typedef SparseTracedCallback<const CollectiveMessage&, uint32_t> MessageTrace;

    MessageTrace m_receiveTrace; ///< trace source Receive
    MessageTrace m_sendTrace;    ///< trace source Send
};

} // namespace ns3

#endif /* COLLECTIVE_UNIT_H */
