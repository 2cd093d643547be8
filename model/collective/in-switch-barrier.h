/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IN_SWITCH_BARRIER_H
#define IN_SWITCH_BARRIER_H

#include "collective-kinds.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The BTIN scheme: barriers by registers in the switches of the group's barrier tree.
 *
 * Create sends a Setup_Register message for every switch of the tree: a member switch's is sent by
 * its representative, a nonmember switch's by the representative of the nearest member switch
 * above, straight to the switch (a nonmember switch need not have a host). Release does the same.
 *
 * Where a switch has no register left, the policy decides: creation fails, or the register is kept
 * in the memory of a host at that switch, its representative if it has members. The switch then
 * passes the group's messages on to that host, and what follows from them comes from that host:
 * more crossings of its link, and time of its software.
 */
class InSwitchBarrier : public Barrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;

    /// @return switches without a register for the group, and the host whose memory serves instead
    std::vector<std::pair<uint32_t, uint32_t>> GetInMemory() const;

    /**
     * Callback of the trace source InMemory.
     * @param fabricSwitch number of the switch
     * @param host number of the host
     */
    typedef void (*InMemoryTracedCallback)(uint32_t fabricSwitch, uint32_t host);

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;
    bool HoldsRegisters() const override;

    /// A register kept by a host.
    struct Memory
    {
        uint32_t host{0};    ///< number of the host
        uint16_t port{0};    ///< port of the switch that it is at
        BarrierRegister reg; ///< the register, once written
    };

    /// Reserves a register in every switch of the tree, or memory, or refuses to.
    void Reserve();

    /// @return a host at a switch to keep its register @param entry the switch
    uint32_t ChooseKeeper(const BarrierTree::SwitchEntry& entry) const;

    /// @return content of a switch's register as a SETUP message @param entry the switch
    CollectiveMessage MakeSetup(const BarrierTree::SwitchEntry& entry) const;

    /// Sends SETUP or RELEASE for every switch of the tree. @param type which of them
    void ChangeRegisters(CollectiveMessage::Type type);

    /**
     * Lets a host that keeps a register take a message, which takes it some time.
     * @param fabricSwitch number of the switch
     * @param message the message; its parent is the port that it came to the switch by
     */
    void TakeInMemory(uint32_t fabricSwitch, CollectiveMessage message);

    /**
     * Does to a register in memory what a message asks for.
     * @param fabricSwitch number of the switch
     * @param message the message
     */
    void ApplyInMemory(uint32_t fabricSwitch, CollectiveMessage message);

    /**
     * Sends from a host that keeps a register by ports of its switch.
     * @param memory the register
     * @param message the message
     * @param ports the ports; the host's own means itself
     */
    void SendFromMemory(const Memory& memory,
                        const CollectiveMessage& message,
                        std::vector<uint16_t> ports);

    /// Takes what has come to a host for itself. @param host the host @param message the message
    void Take(uint32_t host, CollectiveMessage message);

    /// Starts the distribution if the root is there and all others are.
    void TryDistribute();

    std::string m_exhaustion; ///< attribute
    uint32_t m_setupSize{0};  ///< attribute, bytes
    Time m_memoryTime;        ///< attribute

    Ptr<const WormRoute> m_toSwitch;       ///< from a host to its own switch
    uint32_t m_top{0};                     ///< member at the tree's root host, whatever Root is
    std::map<uint32_t, Memory> m_inMemory; ///< registers in memory, by switch
    uint32_t m_changesLeft{0};             ///< registers that are not yet written or freed
    bool m_rootCame{false};                ///< whether the root is inside
    bool m_othersCame{false};              ///< whether all others are
    uint64_t m_rootValue{0};               ///< the root's value
    uint64_t m_othersValue{0};             ///< the others' values combined

    TracedCallback<uint32_t, uint32_t> m_inMemoryTrace; ///< trace source InMemory
};

} // namespace ns3

#endif /* IN_SWITCH_BARRIER_H */
