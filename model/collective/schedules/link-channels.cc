/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-channels.h"

#include <algorithm>

namespace ns3
{

LinkChannels::LinkChannels(const SwitchPaths* paths)
    : m_paths(paths)
{
}

std::vector<Time>&
LinkChannels::GetEnds(const SwitchPath& path, std::size_t link)
{
    // A switch has 4,096 ports at most; 0 stands for any.
    const auto& [from, to] = path.links[link];
    const uint64_t port = path.ports.empty() ? 0 : path.ports[link] + 1;
    return m_busy[uint64_t{from} << 40 | uint64_t{to} << 16 | port];
}

Time
LinkChannels::GetFreeAt(const SwitchPath& path, std::size_t link, Time now)
{
    auto& ends = GetEnds(path, link);
    ends.erase(std::remove_if(ends.begin(), ends.end(), [&](Time end) { return end <= now; }),
               ends.end());
    if (ends.empty() ||
        (path.ports.empty() && ends.size() < m_paths->CountChannels(path.links[link])))
    {
        return now;
    }
    return *std::min_element(ends.begin(), ends.end());
}

bool
LinkChannels::IsFree(const SwitchPath& path, Time now)
{
    for (std::size_t link = 0; link < path.links.size(); ++link)
    {
        if (GetFreeAt(path, link, now) > now)
        {
            return false;
        }
    }
    return true;
}

Time
LinkChannels::GetFree(const SwitchPath& path, Time now)
{
    auto free = now;
    for (std::size_t link = 0; link < path.links.size(); ++link)
    {
        free = std::max(free, GetFreeAt(path, link, now));
    }
    return free;
}

void
LinkChannels::Occupy(const SwitchPath& path, Time end)
{
    for (std::size_t link = 0; link < path.links.size(); ++link)
    {
        GetEnds(path, link).push_back(end);
    }
}

} // namespace ns3
