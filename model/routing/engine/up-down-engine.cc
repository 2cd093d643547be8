/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Up/down routes as routing engines: those of UpDownRouter, and such as balance the load of
// channels.

#include "destination-routes.h"
#include "switch-levels.h"
#include "up-down-search.h"

#include "ns3/checked-attribute.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
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
        return IsOfFabric(routes);
    }

    void Name(FabricRoutes& routes) const override
    {
        routes.routing = "up-down";
        for (const auto& setting : GetSettings())
        {
            const auto equals = setting.find('=');
            const auto name = setting.substr(0, equals);
            if (name == "FreeLanes")
            {
                routes.routing = "up-down[" + setting + "]";
                continue;
            }
            (name == "Root" ? routes.root : routes.spread) = setting.substr(equals + 1);
        }
    }

    void Follow(const FabricRoutes& routes) override
    {
        if (IsOfFabric(routes)) // else brackets say it
        {
            m_root = routes.root;
            m_spread = routes.spread;
        }
    }

  private:
    /// @return whether root and spread are those of the fabric, as after Name
    static bool IsOfFabric(const FabricRoutes& routes)
    {
        const auto& text = routes.routing;
        return text == "up-down" ||
               (text.compare(0, 18, "up-down[FreeLanes=") == 0 && text.find('|') == text.npos);
    }

    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        return Create<UpDownRouter>(graph, m_root, m_spread);
    }

    std::string m_root;   ///< switch on top
    std::string m_spread; ///< how routes share paths
};

NS_OBJECT_ENSURE_REGISTERED(UpDownRoutingEngine);

namespace
{

/// Switches up to which ways of all pairs of switches are stored; beyond, tables by destination.
constexpr uint32_t MAX_STORED = 1024;

} // namespace

/// Up/down routing whose routes are spread by the load of channels, see RouteBalance.
///
/// Beyond 1,024 switches routes are shortest, by destination, see DestinationRoutes, and the best
/// root is the center. On a fat tree the best root is all top switches at once: routes are those of
/// FatTreeRoutingEngine.
class BalancedRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static const AttributeKeywords LENGTHS("Length", {"shortest", "any"});
        static TypeId tid =
            MakeTypeId<BalancedRoutingEngine>("ns3::BalancedRoutingEngine")
                .AddAttribute("Root",
                              "Switch on top: best, the one with the least load of the busiest "
                              "channel; first, degree, center or the name of a switch.",
                              StringValue("best"),
                              MakeStringAccessor(&BalancedRoutingEngine::m_root),
                              MakeStringChecker())
                .AddAttribute("Candidates",
                              "Switches tried as the best root.",
                              UintegerValue(24),
                              MakeUintegerAccessor(&BalancedRoutingEngine::m_candidates),
                              MakeUintegerChecker<uint32_t>(1))
                .AddAttribute("Rounds",
                              "How often all routes are found anew.",
                              UintegerValue(12),
                              MakeUintegerAccessor(&BalancedRoutingEngine::m_rounds),
                              MakeUintegerChecker<uint32_t>(1, 1000))
                .AddAttribute(
                    "Length",
                    "Which legal routes are taken: the shortest, or any.",
                    StringValue("shortest"),
                    MakeKeywordAccessor(LENGTHS,
                                        MakeStringAccessor(&BalancedRoutingEngine::m_length)),
                    MakeKeywordChecker(LENGTHS));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        if (m_root == "best")
        {
            const SwitchChannels channels(graph);
            const HostAttachment hosts(graph);
            const SwitchLevels levels(channels, hosts);
            if (levels.IsFatTree())
            {
                return Create<DestinationRoutes>(graph, levels.GetRanks());
            }
        }
        const bool isLarge = graph.GetNSwitches() > MAX_STORED;
        UpDownSearch search(graph,
                            UpDownSearch::Order::BREADTH_FIRST,
                            m_length == "any" ? RouteBalance::ANY_LENGTH : RouteBalance::SHORTEST);
        const auto root =
            search.FindRoot(isLarge && m_root == "best" ? "center" : m_root, m_candidates);
        if (isLarge)
        {
            const auto tree = search.MakeTree(root);
            return Create<DestinationRoutes>(graph, tree.GetRanks());
        }
        return search.Compute(root, m_rounds);
    }

    std::string m_root;    ///< switch on top
    uint32_t m_candidates; ///< switches tried
    uint32_t m_rounds;
    std::string m_length; ///< which routes are taken
};

NS_OBJECT_ENSURE_REGISTERED(BalancedRoutingEngine);

} // namespace ns3
