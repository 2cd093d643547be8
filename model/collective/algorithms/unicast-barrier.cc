/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/// A central barrier: every member sends to the root, which combines the values and sends the
/// result to one member after the other.
class UnicastBarrier : public SoftwareBarrier
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<UnicastBarrier>("Unicast");
        return tid;
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return TreeSchedules(
                   MakeCommunicationTree("sequential", request.members, request.s, request.r),
                   RootFirst(request))
            .Make(request);
    }
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(UnicastBarrier);

} // namespace ns3
