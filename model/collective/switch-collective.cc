/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-collective.h"

#include "ns3/collective-unit.h"
#include "ns3/host-software.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <string>

namespace ns3
{

template <class KIND>
TypeId
SwitchCollective<KIND>::GetTypeId()
{
    const auto kind = KIND::GetTypeId().GetName().substr(std::string("ns3::").size());
    static TypeId tid = TypeId(("ns3::Switch" + kind).c_str()) // no std::string until ns-3.36
                            .template SetParent<KIND>()
                            .SetGroupName("Wormhole");
    return tid;
}

template <class KIND>
void
SwitchCollective<KIND>::SetProgram(SwitchProgram* program)
{
    for (const auto& entry : this->GetTree().GetSwitches())
    {
        this->GetDomain().GetUnit(entry.node)->SetProgram(this->GetGroup(), program);
    }
}

template <class KIND>
void
SwitchCollective<KIND>::DoCreate()
{
    this->CheckOneMemberAHost("a collective in the switches has one member of a host");
    SetProgram(this);
    this->BeReady();
}

template <class KIND>
void
SwitchCollective<KIND>::DoEnter(uint32_t rank, uint64_t value)
{
    EnterMember(rank, value);
}

template <class KIND>
void
SwitchCollective<KIND>::DoRelease()
{
    SetProgram(nullptr);
    this->BeReleased();
}

template <class KIND>
void
SwitchCollective<KIND>::SendToSwitch(uint32_t rank, uint64_t value, CollectiveMessage::Type type)
{
    CollectiveMessage message;
    message.type = type;
    message.group = this->GetGroup();
    message.value = value;
    this->GetSoftware(rank).Send(
        ns3::Create<CollectiveWorm>(message,
                                    this->GetMessageFlits(),
                                    ns3::Create<WormRoute>(WormRoute::Path({0}))));
}

template <class KIND>
void
SwitchCollective<KIND>::SendFromSwitch(uint32_t fabricSwitch,
                                       uint64_t value,
                                       CollectiveMessage::Type type,
                                       std::vector<uint16_t> ports)
{
    if (ports.empty())
    {
        return;
    }
    CollectiveMessage message;
    message.type = type;
    message.group = this->GetGroup();
    message.value = value;
    std::sort(ports.begin(), ports.end());
    this->GetDomain().GetUnit(fabricSwitch)->Send(message, ports, this->GetMessageFlits());
}

template <class KIND>
std::vector<uint16_t>
SwitchCollective<KIND>::GetPorts(uint32_t fabricSwitch) const
{
    const auto entry = this->GetTree().Find(fabricSwitch);
    if (!entry)
    {
        throw WormholeError("switch " + this->GetDomain().GetGraph().GetName(fabricSwitch) +
                            " is none of the group's tree; accepted are its " +
                            std::to_string(this->GetTree().GetSwitches().size()) + " switches");
    }
    auto ports = entry->GetPorts();
    std::sort(ports.begin(), ports.end());
    return ports;
}

template <class KIND>
void
SwitchCollective<KIND>::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto software = this->GetDomain().GetSoftware(host);
    const auto wait = software->OccupyReceive();
    software->GetActivities().InvokeAfter(software->GetLastActivity(),
                                          wait,
                                          &SwitchCollective::ReceiveAtMember,
                                          Ptr<SwitchCollective>(this),
                                          this->GetRank(host),
                                          static_cast<const CollectiveWorm&>(*worm).GetMessage());
}

template class SwitchCollective<Barrier>;
template class SwitchCollective<Broadcast>;
template class SwitchCollective<Reduction>;

} // namespace ns3
