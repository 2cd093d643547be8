/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-delays.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-fabric.h"

namespace ns3
{

FabricDelays::FabricDelays(const WormCase& worms, bool uneven)
    : m_case(worms),
      m_uneven(uneven)
{
}

int64_t
FabricDelays::GetFlitTime(FabricGraph::Node node, int port) const
{
    return m_case.GetTiming({node, static_cast<FabricGraph::Port>(port)}).flitTimePs;
}

int64_t
FabricDelays::GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const
{
    // The same seen from either end of the cable.
    const auto far = m_case.graph.Peer(node, port);
    return m_case.GetTiming({node, port}).linkDelayPs *
           (m_uneven ? 1 + (node + far.node + port + far.port) % 4 : 1);
}

int64_t
FabricDelays::GetSwitchDelay(FabricGraph::Node node) const
{
    return m_case.GetTiming({node, 0}).switchDelayPs + (m_uneven ? 13 * (node % 3) : 0);
}

uint32_t
FabricDelays::GetDepth(FabricGraph::Node node, FabricGraph::Port port) const
{
    const auto depth = m_case.GetTiming({node, port}).depth;
    return m_uneven ? 1 + (depth + 5 * node + 3 * port) % (depth + 3) : depth;
}

void
FabricDelays::Apply(WormholeFabric& fabric) const
{
    for (FabricGraph::Node node = 0; node < m_case.graph.GetNSwitches(); ++node)
    {
        auto fabricSwitch = fabric.GetSwitch(node);
        fabricSwitch->SetAttribute("Delay", TimeValue(PicoSeconds(GetSwitchDelay(node))));
        for (FabricGraph::Port number = 0; number < fabricSwitch->GetNPorts(); ++number)
        {
            auto port = fabricSwitch->GetPort(number);
            if (port->IsConnected())
            {
                port->SetAttribute("BufferDepth", UintegerValue(GetDepth(node, number)));
                port->GetChannel()->SetAttribute(
                    "Delay",
                    TimeValue(PicoSeconds(GetLinkDelay(node, number))));
            }
        }
    }
}

} // namespace ns3
