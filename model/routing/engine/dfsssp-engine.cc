/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Balanced shortest routes in layers of lanes.

#include "lane-layers.h"
#include "routing-engine.h"

#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @brief Shortest routes spread by load, moved to further lanes until none has a circle (Domke,
 *        Hoefler and Nagel, Deadlock-Free Oblivious Routing for Arbitrary Topologies, IPDPS 2011).
 */
class DfssspRoutingEngine : public RoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::DfssspRoutingEngine")
                .SetParent<RoutingEngine>()
                .SetGroupName("Wormhole")
                .AddConstructor<DfssspRoutingEngine>()
                .AddAttribute("Lanes",
                              "Lanes that there are; routes use as few as they can.",
                              UintegerValue(16),
                              MakeUintegerAccessor(&DfssspRoutingEngine::m_lanes),
                              MakeUintegerChecker<uint32_t>(1, 255));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        LaneLayers layers(graph, GetName(), m_lanes, true);
        layers.BreakCircles();
        return layers.Make();
    }

    uint32_t m_lanes; ///< lanes that there are
};

NS_OBJECT_ENSURE_REGISTERED(DfssspRoutingEngine);

} // namespace ns3
