/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_DELAYS_H
#define FABRIC_DELAYS_H

#include "ns3/uinteger.h"
#include "ns3/worm-replay.h"
#include "ns3/wormhole-fabric.h"

namespace ns3
{

/// The delays and depths of a case's fabric: the case's own everywhere, or uneven ones around them.
class FabricDelays
{
  public:
    FabricDelays(const WormCase& worms, bool uneven)
        : m_case(worms),
          m_uneven(uneven)
    {
    }

    /// @return flit time of the cable at a port, ps
    int64_t GetFlitTime(FabricGraph::Node node, int port) const
    {
        return m_case.GetTiming({node, static_cast<FabricGraph::Port>(port)}).flitTimePs;
    }

    /// @return propagation delay p of the cable at a port, ps
    int64_t GetLinkDelay(FabricGraph::Node node, FabricGraph::Port port) const
    {
        // The same seen from either end of the cable.
        const auto far = m_case.graph.Peer(node, port);
        return m_case.GetTiming({node, port}).linkDelayPs *
               (m_uneven ? 1 + (node + far.node + port + far.port) % 4 : 1);
    }

    /// @return delay t_r of a switch, ps
    int64_t GetSwitchDelay(FabricGraph::Node node) const
    {
        return m_case.GetTiming({node, 0}).switchDelayPs + (m_uneven ? 13 * (node % 3) : 0);
    }

    /// @return depth D of the buffer at a port, flits
    uint32_t GetDepth(FabricGraph::Node node, FabricGraph::Port port) const
    {
        const auto depth = m_case.GetTiming({node, port}).depth;
        return m_uneven ? 1 + (depth + 5 * node + 3 * port) % (depth + 3) : depth;
    }

    /// Sets a fabric's attributes accordingly.
    void Apply(WormholeFabric& fabric) const
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

  private:
    const WormCase& m_case; ///< the case
    bool m_uneven;          ///< whether cables, switches and buffers differ
};

} // namespace ns3

#endif /* FABRIC_DELAYS_H */
