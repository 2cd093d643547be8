/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The up/down routes of UpDownRouter, as a routing engine.

#include "ns3/keyword-attribute.h"
#include "ns3/string.h"
#include "ns3/up-down-routing.h"
#include "ns3/wormhole-route-spread.h"
#include "ns3/wormhole-routing-engine.h"

namespace ns3
{

/// Up/down routing, see UpDownRouting: of the shortest legal routes one by RouteSpread.
class UpDownRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static const AttributeKeywords SPREADS("Spread", RouteSpread::GetNames());
        static TypeId tid =
            MakeTypeId<UpDownRoutingEngine>("ns3::UpDownRoutingEngine")
                .AddAttribute("Root",
                              "Switch on top: first, degree, center or the name of a switch.",
                              StringValue("first"),
                              MakeStringAccessor(&UpDownRoutingEngine::m_root),
                              MakeStringChecker())
                .AddAttribute(
                    "Spread",
                    "How routes share equally short legal paths: hash, in-turn, first or each.",
                    StringValue("first"),
                    MakeKeywordAccessor(SPREADS,
                                        MakeStringAccessor(&UpDownRoutingEngine::m_spread)),
                    MakeKeywordChecker(SPREADS));
        return tid;
    }

    bool UsesSpread(const FabricRoutes& routes) const override
    {
        return routes.routing == "up-down";
    }

    void Name(FabricRoutes& routes) const override
    {
        routes.routing = "up-down";
        for (const auto& setting : GetSettings())
        {
            const auto equals = setting.find('=');
            (setting.compare(0, equals, "Root") == 0 ? routes.root : routes.spread) =
                setting.substr(equals + 1);
        }
    }

    void Follow(const FabricRoutes& routes) override
    {
        if (routes.routing == "up-down") // else brackets say it
        {
            m_root = routes.root;
            m_spread = routes.spread;
        }
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        return Create<UpDownRouter>(graph, m_root, m_spread);
    }

    std::string m_root;   ///< switch on top
    std::string m_spread; ///< how routes share paths
};

NS_OBJECT_ENSURE_REGISTERED(UpDownRoutingEngine);

} // namespace ns3
