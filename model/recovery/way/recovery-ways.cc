// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/bracketed-name.h"
#include "ns3/ordering.h"
#include "ns3/recovery-way.h"
#include "ns3/route-recovery.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecoveryWay);

TypeId
RecoveryWay::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecoveryWay").SetParent<Object>().SetGroupName("Wormhole");
    return tid;
}

Ptr<RecoveryWay>
RecoveryWay::Make(const std::string& name)
{
    const BracketedName parts(name, "static");
    const auto list = NamedTypes::List(GetTypeId());
    const auto found = list.find(parts.GetBaseName());
    if (found == list.end())
    {
        const auto names = KeysOf(list);
        throw WormholeError("there is no recovery '" + name + "'; expected " +
                            WordList::WithOr(names) +
                            NearestName::Hint(parts.GetBaseName(), names));
    }
    return NamedTypes::Make<RecoveryWay>(found->second, parts);
}

std::vector<std::string>
RecoveryWay::GetNames()
{
    return KeysOf(NamedTypes::List(GetTypeId()));
}

/// Routes stay what they are.
class NoneRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<NoneRecoveryWay>("ns3::NoneRecoveryWay");
        return tid;
    }
};

NS_OBJECT_ENSURE_REGISTERED(NoneRecoveryWay);

/// Hosts stop, the fabric drains, and they go on by new routes: worms on old and new routes never
/// meet.
class StaticRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<StaticRecoveryWay>("ns3::StaticRecoveryWay");
        return tid;
    }

    bool Explores() const override
    {
        return true;
    }

    bool HoldsHosts() const override
    {
        return true;
    }

    bool MayGo(RouteRecovery& recovery, const RecoveryRoutes& routes) const override
    {
        return recovery.IsDrained(routes);
    }
};

NS_OBJECT_ENSURE_REGISTERED(StaticRecoveryWay);

/// Hosts take new routes one by one, as they get them, while worms are still on old ones.
///
/// Both together are proved free of deadlock before; where they close a cycle, RecoveryTokens keep
/// them apart, or, if these can't, hosts stop, as with static.
class OverlappingRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<OverlappingRecoveryWay>("ns3::OverlappingRecoveryWay");
        return tid;
    }

    bool Explores() const override
    {
        return true;
    }

    bool HasTokens() const override
    {
        return true;
    }

    bool MayGo(RouteRecovery& recovery, const RecoveryRoutes& routes) const override
    {
        return recovery.MayOverlap(routes);
    }
};

NS_OBJECT_ENSURE_REGISTERED(OverlappingRecoveryWay);

namespace
{

/// Routes in one of two sets of lanes. Cables of hosts have lane 0 alone.
class LaneSetRouter : public DerivedRouter
{
  public:
    /// @param set number of the set, 0 or 1
    LaneSetRouter(Ptr<WormholeRouter> router, uint8_t set)
        : DerivedRouter(router),
          m_offset(static_cast<uint8_t>(set * router->GetNLanes()))
    {
    }

    Ptr<const WormRoute> GetRoute(uint32_t from, uint32_t to) override
    {
        const auto route = m_router->GetRoute(from, to);
        return InSet(route, route->GetNChannels());
    }

    Ptr<const WormRoute> GetRouteToSwitch(uint32_t from, uint32_t toSwitch) override
    {
        const auto route = m_router->GetRouteToSwitch(from, toSwitch);
        return InSet(route, route->GetNChannels() + 1);
    }

    uint32_t GetNLanes() const override
    {
        return 2 * m_router->GetNLanes();
    }

  private:
    /// @return a route in lanes of the set @param end the first stop after those among switches
    Ptr<const WormRoute> InSet(const Ptr<const WormRoute>& route, std::size_t end) const
    {
        if (m_offset == 0)
        {
            return route;
        }
        WormRoute::Lanes lanes(route->GetNChannels(), 0);
        for (WormRoute::Stop stop = 2; stop < end; ++stop)
        {
            lanes[stop - 1] = static_cast<uint8_t>(route->GetLane(stop) + m_offset);
        }
        return Create<WormRoute>(route->InLanes(lanes));
    }

    uint8_t m_offset; ///< first lane of the set
};

} // namespace

/// Two sets of lanes (Pinkston, Pang and Duato, Deadlock-Free Dynamic Reconfiguration Schemes for
/// Increased Network Dependability, IEEE TPDS 14(8), 2003): routes alternate between them, so that
/// worms on old and new ones wait for each other at hosts' own cables alone.
///
/// Hosts go on meanwhile. New routes wait until the last worm has gone that took their set before.
class DoubleRecoveryWay : public OverlappingRecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<DoubleRecoveryWay>("ns3::DoubleRecoveryWay");
        return tid;
    }

    bool HasTokens() const override
    {
        return false;
    }

    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router) const override
    {
        WormholeError::ThrowIf(router->GetInTransit() != InTransit::NONE ||
                                   router->GetNLanes() > 128 ||
                                   (graph.GetNHosts() > 1 && router->GetRoute(0, 1)->HasChoices()),
                               "recovery double doubles the lanes of routes that are paths by "
                               "switches; expected routes without choices, of at most 128 lanes, "
                               "or another recovery");
        return Create<LaneSetRouter>(router, uint8_t{0});
    }

    Ptr<WormholeRouter> Adapt(Ptr<WormholeRouter> router, uint32_t number) const override
    {
        return Create<LaneSetRouter>(router, static_cast<uint8_t>(number % 2));
    }
};

NS_OBJECT_ENSURE_REGISTERED(DoubleRecoveryWay);

} // namespace ns3
