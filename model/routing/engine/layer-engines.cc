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

/// Routes in as few lanes as they can do with.
class LayerRoutingEngine : public RoutingEngine
{
  protected:
    /// @return the type of an engine @tparam ENGINE the engine @param name its name
    template <typename ENGINE>
    static TypeId MakeTypeId(const char* name)
    {
        return TypeId(name)
            .SetParent<RoutingEngine>()
            .SetGroupName("Wormhole")
            .AddConstructor<ENGINE>()
            .AddAttribute("Lanes",
                          "Lanes that there are; routes use as few as they can.",
                          UintegerValue(16),
                          MakeUintegerAccessor(&LayerRoutingEngine::m_lanes),
                          MakeUintegerChecker<uint32_t>(1, 255));
    }

    uint32_t m_lanes; ///< lanes that there are
};

/**
 * @brief Shortest routes, each in the first lane where it closes no circle (Skeie, Lysne and
 * Theiss, Layered Shortest Path (LASH) Routing in Irregular System Area Networks, IPDPS 2002).
 */
class LashRoutingEngine : public LayerRoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<LashRoutingEngine>("ns3::LashRoutingEngine");
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
};

NS_OBJECT_ENSURE_REGISTERED(LashRoutingEngine);

/**
 * @brief Shortest routes spread by load, moved to further lanes until none has a circle (Domke,
 *        Hoefler and Nagel, Deadlock-Free Oblivious Routing for Arbitrary Topologies, IPDPS 2011).
 */
class DfssspRoutingEngine : public LayerRoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<DfssspRoutingEngine>("ns3::DfssspRoutingEngine");
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
};

NS_OBJECT_ENSURE_REGISTERED(DfssspRoutingEngine);

} // namespace ns3
