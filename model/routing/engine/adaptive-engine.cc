/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Routes with choices, found on the way.

#include "adaptive-routes.h"
#include "routing-engine.h"
#include "up-down-order.h"
#include "up-down-search.h"

#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/word-attribute.h"

namespace ns3
{

/**
 * @brief Minimal adaptive routing: at each switch a worm takes the first output that is granted to
 *        it of all that lead nearer to its end (rule S12), see AdaptiveRoutes.
 *
 * With several lanes these are all shortest ways, and up/down routes in lane 0 are the escape. With
 * one lane they are the shortest up/down routes.
 */
class AdaptiveRoutingEngine : public RoutingEngine
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static const AttributeWords ORDERS("Order", {"breadth-first", "depth-first"});
        static TypeId tid =
            TypeId("ns3::AdaptiveRoutingEngine")
                .SetParent<RoutingEngine>()
                .SetGroupName("Wormhole")
                .AddConstructor<AdaptiveRoutingEngine>()
                .AddAttribute("Lanes",
                              "Number of lanes; with several the first is the escape.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&AdaptiveRoutingEngine::m_lanes),
                              MakeUintegerChecker<uint32_t>(1, 255))
                .AddAttribute("Root",
                              "Switch where the search begins by whose order a channel of the "
                              "escape is up or down: best, the one of several with the least load "
                              "of the busiest channel; first, degree, center or the name of a "
                              "switch.",
                              StringValue("best"),
                              MakeStringAccessor(&AdaptiveRoutingEngine::m_root),
                              MakeStringChecker())
                .AddAttribute("Candidates",
                              "Switches tried as the best root.",
                              UintegerValue(24),
                              MakeUintegerAccessor(&AdaptiveRoutingEngine::m_candidates),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute(
                    "Order",
                    "How that search goes on: breadth-first or depth-first.",
                    StringValue("depth-first"),
                    MakeWordAccessor(ORDERS, MakeStringAccessor(&AdaptiveRoutingEngine::m_order)),
                    MakeWordChecker(ORDERS));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        UpDownSearch search(graph,
                            m_order == "depth-first" ? UpDownSearch::Order::DEPTH_FIRST
                                                     : UpDownSearch::Order::BREADTH_FIRST,
                            RouteBalance::SHORTEST);
        const auto root = search.FindRoot(m_root, m_candidates);
        return Create<AdaptiveRoutes>(
            graph,
            m_lanes,
            UpDownOrder(search.GetChannels(), search.MakeTree(root).GetRanks()).OrderChannels());
    }

    uint32_t m_lanes;      ///< number of lanes
    std::string m_root;    ///< switch where the search begins
    uint32_t m_candidates; ///< switches tried
    std::string m_order;   ///< how the search goes on
};

NS_OBJECT_ENSURE_REGISTERED(AdaptiveRoutingEngine);

} // namespace ns3
