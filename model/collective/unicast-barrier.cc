/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "software-collective.h"
#include "tree-schedules.h"

namespace ns3
{

namespace
{

/**
 * A central barrier: every member sends to the root, which combines the values and sends
 * the result to one member after the other.
 */
class UnicastBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override;
};

TypeId
UnicastBarrier::GetTypeId()
{
    static TypeId tid = MakeTypeId<UnicastBarrier>("Unicast");
    return tid;
}

std::vector<CommunicationSchedule>
UnicastBarrier::MakeSchedules(const ScheduleRequest& request) const
{
    return TreeSchedules("sequential", request).MakeBarrier();
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(UnicastBarrier);

} // namespace ns3
