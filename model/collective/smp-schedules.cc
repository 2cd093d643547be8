/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-schedules.h"

#include <unordered_map>
#include <unordered_set>

namespace ns3
{

namespace
{

/// @return host of a member @param request the group @param rank the member
uint32_t
HostOf(const ScheduleRequest& request, uint32_t rank)
{
    return rank < request.hosts.size() ? request.hosts[rank] : rank;
}

} // namespace

std::vector<uint32_t>
FindMasters(const ScheduleRequest& request)
{
    std::vector<uint32_t> masters;
    std::unordered_set<uint32_t> seen;
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        const auto host = HostOf(request, rank);
        if (seen.insert(host).second)
        {
            masters.push_back(host == HostOf(request, request.root) ? request.root : rank);
        }
    }
    return masters;
}

std::vector<CommunicationSchedule>
MakeSmpSchedules(const ScheduleRequest& request, const ScheduleMaker* inner, bool up, bool down)
{
    const auto masters = FindMasters(request);
    std::unordered_map<uint32_t, uint32_t> masterOf; // by host
    auto innerRequest = request;
    innerRequest.members = static_cast<uint32_t>(masters.size());
    innerRequest.hosts.clear();
    for (const auto master : masters)
    {
        if (master == request.root)
        {
            innerRequest.root = static_cast<uint32_t>(innerRequest.hosts.size());
        }
        innerRequest.hosts.push_back(HostOf(request, master));
        masterOf[HostOf(request, master)] = master;
    }

    // Tags are the inner algorithm's own: a flag's other end is on the same host, a message's not.
    std::vector<CommunicationSchedule> schedules(request.members);
    const auto forOthers = [&](auto action) {
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            const auto master = masterOf.at(HostOf(request, rank));
            if (rank != master)
            {
                action(rank, master);
            }
        }
    };
    if (up)
    {
        forOthers([&](uint32_t rank, uint32_t master) {
            schedules[rank].Send(master);
            schedules[master].Receive(ScheduleStep::COMBINE, rank);
        });
    }
    const auto innerSchedules =
        inner ? inner->MakeSchedules(innerRequest)
              : std::vector<CommunicationSchedule>(masters.size(), CommunicationSchedule().Call());
    for (std::size_t place = 0; place < masters.size(); ++place)
    {
        schedules[masters[place]].Append(innerSchedules[place], masters);
    }
    if (down)
    {
        forOthers([&](uint32_t rank, uint32_t master) {
            schedules[master].Send(rank);
            schedules[rank].Receive(ScheduleStep::REPLACE, master);
        });
    }
    return schedules;
}

Ptr<Collective>
FindInnerCollective(Ptr<Collective> inner,
                    const ScheduleRequest& request,
                    std::vector<uint32_t>& ranks)
{
    if (dynamic_cast<const ScheduleMaker*>(PeekPointer(inner)))
    {
        return nullptr;
    }
    ranks = FindMasters(request);
    return inner;
}

} // namespace ns3
