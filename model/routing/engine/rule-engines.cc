// SPDX-License-Identifier: GPL-2.0-only

// A family's own routes, by the rule of its cables.

#include "ns3/regular-topology.h"
#include "ns3/wormhole-routing-engine.h"

namespace ns3
{

namespace
{

struct RuleFamily
{
    const char* type;     ///< name of the engine's class
    const char* accepted; ///< its fabrics
    bool hasSeveralWays;  ///< between two switches
};

constexpr RuleFamily FULL_MESH{"ns3::DirectRoutingEngine",
                               "a full mesh; expected one such as full:8,hosts=4",
                               false};
constexpr RuleFamily GRID{"ns3::DimensionOrderRoutingEngine",
                          "a torus or mesh; expected one such as mesh:8x8",
                          false};
constexpr RuleFamily TREE{
    "ns3::NearestAncestorRoutingEngine",
    "a k-ary tree or Clos network; expected one such as clos:ports=16,levels=2",
    true};
constexpr RuleFamily DRAGONFLY{"ns3::MinimalRoutingEngine",
                               "a dragonfly; expected one such as dragonfly:a=4,h=2",
                               true};

template <const RuleFamily& FAMILY>
class RuleRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RuleRoutingEngine<FAMILY>>(FAMILY.type);
        return tid;
    }

    bool UsesTopologyRule() const override
    {
        return true;
    }

    bool UsesSpread(const FabricRoutes&) const override
    {
        return FAMILY.hasSeveralWays;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology* rule) const override
    {
        if (!rule)
        {
            RefuseRule(FAMILY.accepted);
        }
        WormholeError::ThrowIf(rule->GetRouting() != GetName(),
                               "routing " + GetName() +
                                   ": the fabric was made by another rule; expected " +
                                   rule->GetRouting() + " or up-down");
        const auto spread = RouteSpread::ByName(graph.GetRoutes().spread);
        auto router = Create<RegularRouter>(rule->Copy(), spread);
        router->CheckDeadlockFree(graph);
        return router;
    }
};

} // namespace

using DirectRoutingEngine = RuleRoutingEngine<FULL_MESH>;     //!< direct
using DimensionOrderRoutingEngine = RuleRoutingEngine<GRID>;  //!< dimension-order
using NearestAncestorRoutingEngine = RuleRoutingEngine<TREE>; //!< nearest-ancestor
using MinimalRoutingEngine = RuleRoutingEngine<DRAGONFLY>;    //!< minimal

NS_OBJECT_ENSURE_REGISTERED(DirectRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(DimensionOrderRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(NearestAncestorRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(MinimalRoutingEngine);

} // namespace ns3
