/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "working-switches.h"

#include <algorithm>
#include <map>

namespace ns3
{

WorkingSwitches::WorkingSwitches(const ProgramRequest& request)
    : s(request.s)
{
    std::map<uint32_t, uint32_t> indexOf; // of working switches, by their numbers in the fabric
    const auto hostOf = [&](uint32_t rank) {
        return request.hosts.empty() ? rank : request.hosts[rank];
    };
    const auto add = [&](uint32_t rank) {
        const auto number = request.ways ? request.ways->GetSwitch(hostOf(rank)) : 0;
        const auto index = indexOf.emplace(number, static_cast<uint32_t>(ranks.size())).first;
        ranks.resize(indexOf.size());
        ranks[index->second].push_back(rank);
    };
    add(request.root);
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (rank != request.root)
        {
            add(rank);
        }
    }

    const auto n = GetSize();
    ways.assign(n, std::vector<Way>(n));
    std::map<SwitchLink, uint32_t> links;
    for (uint32_t from = 0; from < n; ++from)
    {
        for (uint32_t to = 0; to < n; ++to)
        {
            if (from == to)
            {
                continue;
            }
            const auto found =
                request.ways->GetWay(hostOf(ranks[from].front()), hostOf(ranks[to].front()));
            auto& way = ways[from][to];
            way.r = found.r;
            for (const auto& link : found.links)
            {
                const auto [entry, isNew] =
                    links.emplace(link, static_cast<uint32_t>(channels.size()));
                if (isNew)
                {
                    channels.push_back(request.ways->CountChannels(link));
                }
                way.links.push_back(entry->second);
                way.isEdge =
                    way.isEdge && (&link == &found.links.back() || indexOf.count(link.second) == 0);
            }
        }
    }
}

uint32_t
WorkingSwitches::GetSize() const
{
    return static_cast<uint32_t>(ranks.size());
}

} // namespace ns3
