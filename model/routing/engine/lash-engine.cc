/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Shortest routes in layers of lanes.

#include "lane-layers.h"
#include "routing-engine.h"

#include "ns3/uinteger.h"

namespace ns3
{

/**
 * @brief Shortest routes, each in the first lane where it closes no circle (Skeie, Lysne and
 * Theiss, Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002).
 */
class LashRoutingEngine : public RoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::LashRoutingEngine")
                .SetParent<RoutingEngine>()
                .SetGroupName("Wormhole")
                .AddConstructor<LashRoutingEngine>()
                .AddAttribute("Lanes",
                              "Lanes that there are; routes use as few as they can.",
                              UintegerValue(16),
                              MakeUintegerAccessor(&LashRoutingEngine::m_lanes),
                              MakeUintegerChecker<uint32_t>(1, 255));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        LaneLayers layers(graph, GetName(), m_lanes, false);
        layers.PutFirst();
        return layers.Make();
    }

    uint32_t m_lanes; ///< lanes that there are
};

NS_OBJECT_ENSURE_REGISTERED(LashRoutingEngine);

} // namespace ns3
