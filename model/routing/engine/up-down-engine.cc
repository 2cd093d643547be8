// SPDX-License-Identifier: GPL-2.0-only

// Up/down routes as routing engines: those of UpDownRouter, and such as balance the load of
// channels.

#include "destination-routes.h"
#include "switch-levels.h"
#include "up-down-search.h"

namespace ns3
{

/// Up/down routing, see UpDownRouting: of the shortest legal routes one by RouteSpread.
class UpDownRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            NewType::Of<UpDownRoutingEngine, RoutingEngine>("ns3::UpDownRoutingEngine")
                .Add("Root",
                     "Root switch: first, degree, center or the name of a switch.",
                     Sets::Text(&UpDownRoutingEngine::m_root, "first"))
                .Add("Spread",
                     "How routes share equally short legal paths: hash, in-turn, first or each.",
                     Sets::Word(RouteSpread::GetNames(), "first", &UpDownRoutingEngine::m_spread));
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

/// Up/down routing whose routes are spread by the load of channels, see RouteBalance.
///
/// Beyond 1,024 switches routes are shortest, by destination, see MakeDestinationRoutes, and the
/// best root is the center. On a fat tree the best root is all top switches at once: routes are
/// those of FatTreeRoutingEngine.
class BalancedRoutingEngine : public TreeRoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            AddRounds(AddCandidates(NewType::Of<BalancedRoutingEngine, RoutingEngine>(
                                        "ns3::BalancedRoutingEngine")
                                        .Add("Root",
                                             "Root switch: best (whose routes load the busiest "
                                             "channel least; on a fat tree all top ones; above "
                                             "1,024 switches center), first, degree, center, name.",
                                             Sets::Text(&BalancedRoutingEngine::m_root, "best"))),
                      12,
                      "all routes are recomputed, up to 1,024 switches")
                .Add("Length",
                     "Legal routes: shortest; or any, up to 1,024 switches if best is no fat tree.",
                     Sets::Choice({"shortest", "any"},
                                  "shortest",
                                  &BalancedRoutingEngine::m_isAnyLength));
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        if (m_root == "best")
        {
            const SwitchLevels levels(graph);
            if (levels.isFatTree)
            {
                return MakeDestinationRoutes(graph, levels.ranks);
            }
        }
        const bool isLarge = graph.GetNSwitches() > MAX_STORED;
        UpDownSearch search(graph,
                            UpDownSearch::Order::BREADTH_FIRST,
                            m_isAnyLength ? RouteBalance::ANY_LENGTH : RouteBalance::SHORTEST);
        const auto root =
            search.FindRoot(isLarge && m_root == "best" ? "center" : m_root, m_candidates);
        if (isLarge)
        {
            return MakeDestinationRoutes(graph, search.MakeTree(root).GetRanks());
        }
        return search.Compute(root, m_rounds);
    }

    /// Switches up to which ways of all pairs of switches are stored; beyond, tables by
    /// destination.
    static constexpr uint32_t MAX_STORED = 1024;

    bool m_isAnyLength; ///< whether routes may be longer than the shortest
};

NS_OBJECT_ENSURE_REGISTERED(BalancedRoutingEngine);

/// Up to a common ancestor, then down, by levels found from all top switches of a fat tree, see
/// SwitchLevels; spread by the load of channels, see MakeDestinationRoutes.
class FatTreeRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<FatTreeRoutingEngine>("ns3::FatTreeRoutingEngine");
        return tid;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology*) const override
    {
        return MakeDestinationRoutes(graph, SwitchLevels(graph).ranks);
    }
};

NS_OBJECT_ENSURE_REGISTERED(FatTreeRoutingEngine);

} // namespace ns3
