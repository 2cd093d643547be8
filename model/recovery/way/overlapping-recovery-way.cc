/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/recovery-way.h"
#include "ns3/route-recovery.h"

namespace ns3
{

/**
 * @brief Hosts take new routes one by one, as they get them, while worms are still on old ones.
 *
 * Both together are proved free of deadlock before; where they close a cycle, hosts stop, as with
 * static.
 */
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

    bool MayGo(RouteRecovery& recovery, const RecoveryRoutes& routes) const override
    {
        return recovery.MayOverlap(routes);
    }
};

NS_OBJECT_ENSURE_REGISTERED(OverlappingRecoveryWay);

} // namespace ns3
