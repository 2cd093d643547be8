/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/recovery-way.h"
#include "ns3/route-recovery.h"

namespace ns3
{

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

} // namespace ns3
