/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-programs.h"

#include <unordered_map>
#include <unordered_set>

namespace ns3
{

namespace
{

/// @return host of a member @param request the group @param rank the member
uint32_t
HostOf(const ProgramRequest& request, uint32_t rank)
{
    return rank < request.hosts.size() ? request.hosts[rank] : rank;
}

} // namespace

std::vector<uint32_t>
FindMasters(const ProgramRequest& request)
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

std::vector<CollectiveProgram>
MakeSmpPrograms(const ProgramRequest& request, const ProgramMaker* inner, bool up, bool down)
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
    std::vector<CollectiveProgram> programs(request.members);
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
            programs[rank].Send(master);
            programs[master].Receive(ProgramStep::COMBINE, rank);
        });
    }
    const auto innerPrograms =
        inner ? inner->MakePrograms(innerRequest)
              : std::vector<CollectiveProgram>(masters.size(), CollectiveProgram().Call());
    for (std::size_t place = 0; place < masters.size(); ++place)
    {
        programs[masters[place]].Append(innerPrograms[place], masters);
    }
    if (down)
    {
        forOthers([&](uint32_t rank, uint32_t master) {
            programs[master].Send(rank);
            programs[rank].Receive(ProgramStep::REPLACE, master);
        });
    }
    return programs;
}

Ptr<Collective>
FindInnerCollective(Ptr<Collective> inner,
                    const ProgramRequest& request,
                    std::vector<uint32_t>& ranks)
{
    if (dynamic_cast<const ProgramMaker*>(PeekPointer(inner)))
    {
        return nullptr;
    }
    ranks = FindMasters(request);
    return inner;
}

} // namespace ns3
