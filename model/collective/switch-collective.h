// SPDX-License-Identifier: GPL-2.0-only

#ifndef SWITCH_COLLECTIVE_H
#define SWITCH_COLLECTIVE_H

#include "wormhole-collective.h"

#include "ns3/collective-unit.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief A collective whose messages are processed by a program in the switches: the base of
///        user-defined in-switch algorithms, see doc/design/write-your-own.rst.
///
/// A derived class defines what a member does when it enters and when it receives a message, and
/// what a switch does with a message. The switches of the group's barrier tree (GetTree) run the
/// program. A member sends messages to its own switch; a switch sends messages by one or more ports
/// to neighbours in the tree or to members. A host may have only one member. No set-up messages are
/// sent: the group is ready at once.
///
/// If a TypeId ends in its kind of collective, it has a short name: flood for ns3::FloodBroadcast.
class SwitchCollective : public Collective, private SwitchProgram
{
  public:
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;

  protected:
    /// Sends a message from a member's host to its switch.
    /// @param rank the member @param value value of the message
    /// @param type REDUCTION or DISTRIBUTION, by which the program can tell messages apart
    void SendToSwitch(uint32_t rank, uint64_t value, CollectiveMessage::Type type);

    /// Sends a message from a switch on several ports. @param fabricSwitch number of the switch
    /// @param value,type as for SendToSwitch @param ports ports of the switch, from GetPorts
    void SendFromSwitch(uint32_t fabricSwitch,
                        uint64_t value,
                        CollectiveMessage::Type type,
                        std::vector<uint16_t> ports);

    /// @return a switch's ports to members and to its neighbours in the tree, ascending;
    ///         GetTree().Find tells which is which @param fabricSwitch number of a tree's switch
    std::vector<uint16_t> GetPorts(uint32_t fabricSwitch) const;

  private:
    virtual void EnterMember(uint32_t rank, uint64_t value) = 0;

    /// Called when a message has reached a member's host and the member's software has received it.
    virtual void ReceiveAtMember(uint32_t rank, const CollectiveMessage& message) = 0;

    /// Called when a member's software has received a worm with a message.
    void Take(uint32_t rank, Ptr<const CollectiveWorm> worm)
    {
        const auto& message = worm->GetMessage();
        if (message.group == GetGroup()) // else the group has failed and changed meanwhile
        {
            ReceiveAtMember(rank, message);
        }
    }

    void DoCreate() override
    {
        CheckOneMemberAHost("a collective in the switches takes one member per host");
        SetProgram(this);
        NotifyReady();
    }

    void DoDispose() override;

    void DoEnter(uint32_t rank, uint64_t value) override
    {
        EnterMember(rank, value);
    }

    void DoRelease() override
    {
        SetProgram(nullptr);
        NotifyReleased();
    }

    /// Makes the tree's switches pass the group's messages to a program from now on; null: to none.
    void SetProgram(SwitchProgram* program)
    {
        for (const auto& entry : GetTree().GetSwitches())
        {
            GetDomain().GetUnit(entry.node)->SetProgram(GetGroup(), program);
        }
    }
};

/// @ingroup wormhole @brief The base of in-switch algorithms for one kind of collective.
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
