/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "working-switches.h"

#include <algorithm>

namespace ns3
{

WorkingSwitches::WorkingSwitches(const ScheduleRequest& request)
    : m_hosts(request.hosts),
      m_s(request.s),
      m_paths(request.paths)
{
    for (auto rank = static_cast<uint32_t>(m_hosts.size()); rank < request.members; ++rank)
    {
        m_hosts.push_back(rank);
    }
    const auto add = [&](uint32_t rank) {
        const auto number = m_paths ? m_paths->GetSwitch(m_hosts[rank]) : 0;
        const auto [entry, isNew] = m_indexOf.emplace(number, GetSize());
        if (isNew)
        {
            m_ranks.emplace_back();
            m_numbers.push_back(number);
        }
        m_ranks[entry->second].push_back(rank);
    };
    add(request.root);
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (rank != request.root)
        {
            add(rank);
        }
    }
}

std::vector<uint32_t>
WorkingSwitches::GetAllRanks() const
{
    std::vector<uint32_t> all;
    for (const auto& ranks : m_ranks)
    {
        all.insert(all.end(), ranks.begin(), ranks.end());
    }
    return all;
}

Time
WorkingSwitches::GetMinR() const
{
    return m_paths ? m_paths->GetMinR() : Time(0);
}

SwitchPath
WorkingSwitches::GetPath(uint32_t from, uint32_t to) const
{
    return m_paths->GetPath(m_hosts[m_ranks[from].front()], m_hosts[m_ranks[to].front()]);
}

bool
WorkingSwitches::IsEdge(const SwitchPath& path) const
{
    return std::none_of(path.links.begin(), path.links.end(), [&](const auto& link) {
        return &link != &path.links.back() && m_indexOf.count(link.second) > 0;
    });
}

uint32_t
WorkingSwitches::CountChannels(const SwitchLink& link) const
{
    return m_paths->CountChannels(link);
}

std::vector<std::vector<uint32_t>>
WorkingSwitches::FindNearby() const
{
    std::vector<std::vector<uint32_t>> nearby(GetSize());
    std::vector<std::vector<uint32_t>> borders;      // working switches around each idle region
    std::unordered_map<uint32_t, uint32_t> regionOf; // of switches that don't work
    std::vector<std::vector<uint32_t>> regions(GetSize()); // next to each working switch
    const auto explore = [&](uint32_t start) {
        const auto region = static_cast<uint32_t>(borders.size());
        borders.emplace_back();
        std::vector<uint32_t> idle{start};
        for (std::size_t i = 0; i < idle.size(); ++i)
        {
            for (const auto next : m_paths->GetNeighbours(idle[i]))
            {
                if (const auto working = m_indexOf.find(next); working != m_indexOf.end())
                {
                    borders.back().push_back(working->second);
                }
                else if (regionOf.emplace(next, region).second)
                {
                    idle.push_back(next);
                }
            }
        }
    };
    for (uint32_t from = 0; m_paths && from < GetSize(); ++from)
    {
        for (const auto next : m_paths->GetNeighbours(m_numbers[from]))
        {
            if (const auto working = m_indexOf.find(next); working != m_indexOf.end())
            {
                nearby[from].push_back(working->second);
                continue;
            }
            if (regionOf.emplace(next, static_cast<uint32_t>(borders.size())).second)
            {
                explore(next);
            }
            regions[from].push_back(regionOf.at(next));
        }
    }
    const auto sortOnce = [](std::vector<uint32_t>& list) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    };
    for (auto& border : borders)
    {
        sortOnce(border);
    }
    for (uint32_t from = 0; from < GetSize(); ++from)
    {
        sortOnce(regions[from]);
        for (const auto region : regions[from])
        {
            nearby[from].insert(nearby[from].end(), borders[region].begin(), borders[region].end());
        }
        sortOnce(nearby[from]);
        const auto self = std::lower_bound(nearby[from].begin(), nearby[from].end(), from);
        if (self != nearby[from].end() && *self == from)
        {
            nearby[from].erase(self);
        }
    }
    return nearby;
}

} // namespace ns3
