/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "smp-programs.h"

#include <unordered_map>

namespace ns3
{

std::vector<CollectiveProgram>
MakeSmpPrograms(const ProgramRequest& request, const ProgramMaker& inner, bool up, bool down)
{
    auto hosts = request.hosts;
    for (auto rank = static_cast<uint32_t>(hosts.size()); rank < request.members; ++rank)
    {
        hosts.push_back(rank);
    }
    std::unordered_map<uint32_t, uint32_t> placeOf; // of a host among the masters'
    std::vector<uint32_t> masters;
    auto innerRequest = request;
    innerRequest.hosts.clear();
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (placeOf.emplace(hosts[rank], masters.size()).second)
        {
            masters.push_back(rank);
            innerRequest.hosts.push_back(hosts[rank]);
        }
    }
    innerRequest.members = static_cast<uint32_t>(masters.size());
    innerRequest.root = placeOf.at(hosts[request.root]);
    masters[innerRequest.root] = request.root;

    // Tags are the inner algorithm's own: a flag's other end is on the same host, a message's not.
    std::vector<CollectiveProgram> programs(request.members);
    const auto forOthers = [&](auto action) {
        for (uint32_t rank = 0; rank < request.members; ++rank)
        {
            const auto master = masters[placeOf.at(hosts[rank])];
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
    const auto innerPrograms = inner.MakePrograms(innerRequest);
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

} // namespace ns3
