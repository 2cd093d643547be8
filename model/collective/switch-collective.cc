// SPDX-License-Identifier: GPL-2.0-only

#include "switch-collective.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-host-software.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{

void
SwitchCollective::DoDispose()
{
    if (IsReady())
    {
        SetProgram(nullptr); // another group may get this one's identifier
    }
    Collective::DoDispose();
}

void
SwitchCollective::SendToSwitch(uint32_t rank, uint64_t value, CollectiveMessage::Type type)
{
    GetSoftware(rank).Send(
        ns3::Create<CollectiveWorm>(CollectiveMessage::Of(type, GetGroup(), value),
                                    GetMessageFlits(),
                                    ns3::Create<WormRoute>(WormRoute::Path({0}))));
}

void
SwitchCollective::SendFromSwitch(uint32_t fabricSwitch,
                                 uint64_t value,
                                 CollectiveMessage::Type type,
                                 std::vector<uint16_t> ports)
{
    if (!ports.empty())
    {
        std::sort(ports.begin(), ports.end());
        GetDomain()
            .GetUnit(fabricSwitch)
            ->Send(CollectiveMessage::Of(type, GetGroup(), value), ports, GetMessageFlits());
    }
}

std::vector<uint16_t>
SwitchCollective::GetPorts(uint32_t fabricSwitch) const
{
    const auto entry = GetTree().Find(fabricSwitch);
    if (!entry)
    {
        throw WormholeError("switch " + GetDomain().GetGraph().GetName(fabricSwitch) +
                            " is none of the group's tree; expected its " +
                            std::to_string(GetTree().GetSwitches().size()) + " switches");
    }
    auto ports = entry->GetPorts();
    std::sort(ports.begin(), ports.end());
    return ports;
}

void
SwitchCollective::ReceiveAt(uint32_t host, Ptr<const Worm> worm)
{
    const auto software = GetDomain().GetSoftware(host);
    const auto wait = software->OccupyReceive(GetMessageBytes());
    const auto carrier = StaticCast<const CollectiveWorm>(std::move(worm));
    software->InvokeAfter(0, wait, this, &SwitchCollective::Take, GetRank(host), carrier);
}

} // namespace ns3
