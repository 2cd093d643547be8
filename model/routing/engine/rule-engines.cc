// SPDX-License-Identifier: GPL-2.0-only

// A family's own routes, by the rule of its cables.

#include "ns3/regular-topology.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-routing-engine.h"

namespace ns3
{

namespace
{

/// Routes of a fabric's rule, see RegularTopology.
template <typename FAMILY>
class RuleRoutingEngine : public RoutingEngine
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RuleRoutingEngine<FAMILY>>(FAMILY::TYPE);
        return tid;
    }

    bool UsesTopologyRule() const override
    {
        return true;
    }

    bool UsesSpread(const FabricRoutes&) const override
    {
        return FAMILY::HAS_SEVERAL_WAYS;
    }

  private:
    Ptr<WormholeRouter> DoMakeRouter(const FabricGraph& graph,
                                     const RegularTopology* rule) const override
    {
        if (!rule)
        {
            RefuseRule(FAMILY::ACCEPTED);
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

struct FullMeshFamily
{
    static constexpr auto TYPE = "ns3::DirectRoutingEngine"; ///< name of the engine's class
    static constexpr bool HAS_SEVERAL_WAYS = false;
    static constexpr auto ACCEPTED = "a full mesh; expected one such as full:8,hosts=4";
};

/// Meshes and tori.
struct GridFamily
{
    static constexpr auto TYPE = "ns3::DimensionOrderRoutingEngine";
    static constexpr bool HAS_SEVERAL_WAYS = false;
    static constexpr auto ACCEPTED = "a torus or mesh; expected one such as mesh:8x8";
};

/// Trees of several roots.
struct TreeFamily
{
    static constexpr auto TYPE = "ns3::NearestAncestorRoutingEngine";
    static constexpr bool HAS_SEVERAL_WAYS = true;
    static constexpr auto ACCEPTED =
        "a k-ary tree or Clos network; expected one such as clos:ports=16,levels=2";
};

struct DragonflyFamily
{
    static constexpr auto TYPE = "ns3::MinimalRoutingEngine";
    static constexpr bool HAS_SEVERAL_WAYS = true;
    static constexpr auto ACCEPTED = "a dragonfly; expected one such as dragonfly:a=4,h=2";
};

} // namespace

using DirectRoutingEngine = RuleRoutingEngine<FullMeshFamily>;      //!< direct
using DimensionOrderRoutingEngine = RuleRoutingEngine<GridFamily>;  //!< dimension-order
using NearestAncestorRoutingEngine = RuleRoutingEngine<TreeFamily>; //!< nearest-ancestor
using MinimalRoutingEngine = RuleRoutingEngine<DragonflyFamily>;    //!< minimal

NS_OBJECT_ENSURE_REGISTERED(DirectRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(DimensionOrderRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(NearestAncestorRoutingEngine);
NS_OBJECT_ENSURE_REGISTERED(MinimalRoutingEngine);

} // namespace ns3
