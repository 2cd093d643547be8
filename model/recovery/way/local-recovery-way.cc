/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/fallback-router.h"
#include "ns3/recovery-way.h"
#include "ns3/wormhole-error.h"

namespace ns3
{

/**
 * @brief Where a cable is known to be down, the switch at it takes another legal port at once.
 *
 * Every switch on a worm's way knows further channels that lead to its end, in order of distance.
 * They follow an order of all channels that the routes follow, too (TurnSet), so that worms by them
 * can't deadlock with others. Nobody computes anything; a worm with none left is lost. When the
 * cable is up again the first port is taken again.
 */
class LocalRecoveryWay : public RecoveryWay
{
  public:
    static TypeId GetTypeId()
    {
        static const auto tid = MakeTypeId<LocalRecoveryWay>("ns3::LocalRecoveryWay");
        return tid;
    }

    bool TakesFirstChoice() const override
    {
        return true;
    }

    Ptr<WormholeRouter> Prepare(const FabricGraph& graph, Ptr<WormholeRouter> router) const override
    {
        if (router->GetInTransit() != InTransit::NONE ||
            (graph.GetNHosts() > 1 && router->GetRoute(0, 1)->HasChoices()))
        {
            throw WormholeError("recovery local adds choices to routes; expected routes that have "
                                "none and that no hosts pass on, or another recovery");
        }
        return Create<FallbackRouter>(graph, router);
    }
};

NS_OBJECT_ENSURE_REGISTERED(LocalRecoveryWay);

} // namespace ns3
