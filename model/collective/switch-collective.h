/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_COLLECTIVE_H
#define SWITCH_COLLECTIVE_H

#include "collective-kinds.h"

#include "ns3/collective-unit.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A collective whose messages are handled by a program in the switches: the base of one's
 * own in-switch algorithms, see doc/design/write-your-own.rst.
 *
 * A derived class says what a member does when it enters and when a message reaches it, and what a
 * switch does with a message. The switches of the group's barrier tree (GetTree) run the program;
 * messages go from a member to its own switch, and from a switch by one or more of its ports: to
 * neighbours in the tree, or to members. A host may be a member once. Nothing is set up by
 * messages: the group is ready at once.
 *
 * With a TypeId whose name ends in the kind, as ns3::FloodBroadcast, it is found by name, as flood.
 */
class SwitchCollective : public Collective, private SwitchProgram
{
  public:
    /// A message has come. @param host where @param worm the message
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

  protected:
    /// Sends a message from a member's host to the switch that this is at.
    /// @param rank the member
    /// @param value value that the message carries
    /// @param type what the message is: REDUCTION or DISTRIBUTION, for the program to tell them
    /// apart
    void SendToSwitch(uint32_t rank, uint64_t value, CollectiveMessage::Type type);

    /// Sends a message from a switch, one copy by each of some ports.
    /// @param fabricSwitch number of the switch
    /// @param value value that the message carries
    /// @param type what the message is
    /// @param ports ports of the switch: of GetPorts
    void SendFromSwitch(uint32_t fabricSwitch,
                        uint64_t value,
                        CollectiveMessage::Type type,
                        std::vector<uint16_t> ports);

    /// @param fabricSwitch number of a switch of the group's tree
    /// @return its ports to members and to its neighbours in the tree, increasing
    std::vector<uint16_t> GetPorts(uint32_t fabricSwitch) const;

  private:
    virtual void EnterMember(uint32_t rank, uint64_t value) = 0;

    /// A message has reached a member, whose software has received it.
    virtual void ReceiveAtMember(uint32_t rank, const CollectiveMessage& message) = 0;

    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    /// Hands the group's messages to this program, or no longer.
    void SetProgram(SwitchProgram* program);
};

/// @ingroup wormhole @brief A kind of SwitchCollective.
/// @tparam KIND the kind: BARRIER, BROADCAST or REDUCTION
template <DataKind KIND>
class SwitchCollectiveOf : public SwitchCollective
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = CollectiveForm{KIND}.MakeTypeId("Switch", GetFormTypeId({KIND}));
        return tid;
    }
};

/// A barrier, or all-reduction, by a program in the switches.
using SwitchBarrier = SwitchCollectiveOf<DataKind::BARRIER>;
/// A broadcast by a program in the switches.
using SwitchBroadcast = SwitchCollectiveOf<DataKind::BROADCAST>;
/// A reduction by a program in the switches.
using SwitchReduction = SwitchCollectiveOf<DataKind::REDUCTION>;

} // namespace ns3

#endif /* SWITCH_COLLECTIVE_H */
