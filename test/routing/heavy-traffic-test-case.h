/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HEAVY_TRAFFIC_TEST_CASE_H
#define HEAVY_TRAFFIC_TEST_CASE_H

#include "../test-case.h"
#include "../test-fabrics.h"

#include "ns3/double.h"
#include "ns3/wormhole-net-device.h"
#include "ns3/wormhole-port.h"
#include "ns3/wormhole-switch.h"
#include "ns3/wormhole-traffic-helper.h"
#include "ns3/wormhole-traffic.h"

namespace ns3
{

/// Worms on a topology whose hosts send nearly as much as they can: all arrive.
class HeavyTrafficTestCase : public SimulationTestCase
{
  protected:
    static constexpr uint64_t WORMS = 1500; ///< worms that are made

    /// @param text the topology, with its routing engine
    HeavyTrafficTestCase(const std::string& name, const std::string& text)
        : SimulationTestCase(name),
          m_text(text)
    {
    }

    /// A head starts on a port's channel.
    virtual void OnHead(const WormholePort& port, const Ptr<const Worm>& worm) = 0;

    /// A worm has been made.
    virtual void OnMade(const Ptr<const TrafficWorm>& worm) = 0;

    /// Counts a head that starts in a lane. @param lane the lane
    void CountIn(uint32_t lane)
    {
        m_used.resize(std::max<std::size_t>(m_used.size(), lane + 1U));
        ++m_used[lane];
    }

    /// @return heads by lane, as they were counted
    const std::vector<uint64_t>& GetUsed() const
    {
        return m_used;
    }

    /// @return the fabric's lanes, after all worms
    /// @param isHostToo whether OnHead is called for channels of hosts, too
    uint64_t Run(bool isHostToo)
    {
        const auto graph = MakeTopology(m_text).graph;
        auto fabric = WormholeHelper().Install(graph);
        UintegerValue lanes;
        fabric->GetAttribute("Lanes", lanes);
        for (uint32_t s = 0; s < fabric->GetNSwitches(); ++s)
        {
            for (uint32_t i = 0; i < fabric->GetSwitch(s)->GetNPorts(); ++i)
            {
                ListenTo(fabric->GetSwitch(s)->GetPort(i));
            }
        }
        for (uint32_t h = 0; isHostToo && h < fabric->GetNHosts(); ++h)
        {
            ListenTo(fabric->GetHost(h)->GetPort());
        }
        WormholeTrafficHelper helper;
        helper.SetAttribute("Load", DoubleValue(0.9));
        const auto traffic = helper.Install(fabric, graph, WormLength::Fixed(40), 1);
        uint64_t nMade = 0;
        Listen(traffic, "Generated", [&](Ptr<const TrafficWorm> worm) {
            OnMade(worm);
            if (++nMade == WORMS)
            {
                traffic->Stop();
            }
        });
        traffic->Start();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(traffic->GetCounts().deliveredWorms, WORMS, "all arrive");
        return lanes.Get();
    }

  private:
    void ListenTo(const Ptr<WormholePort>& port)
    {
        Listen(port, "HeadStart", [this, its = PeekPointer(port)](Ptr<const Worm> worm) {
            OnHead(*its, worm);
        });
    }

    std::string m_text;           ///< the topology
    std::vector<uint64_t> m_used; ///< heads by lane
};

} // namespace ns3

#endif /* HEAVY_TRAFFIC_TEST_CASE_H */
