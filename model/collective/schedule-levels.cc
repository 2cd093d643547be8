/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-levels.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

/// @return costs within a switch and between switches @param hosts hosts of the members, the root's
/// first
std::vector<MessageCost>
GetSwitchCosts(const ScheduleRequest& request, const std::vector<uint32_t>& hosts)
{
    std::map<uint32_t, uint32_t> firsts; // first host of each switch
    Time near = request.r;
    bool isNearKnown = false;
    for (const auto host : hosts)
    {
        const auto [first, isNew] = firsts.emplace(request.paths->GetSwitch(host), host);
        if (!isNew && !isNearKnown && first->second != host)
        {
            near = request.paths->GetPath(first->second, host).r;
            isNearKnown = true;
        }
    }
    Time far(0);
    for (const auto& [number, host] : firsts)
    {
        if (number != request.paths->GetSwitch(hosts.front()))
        {
            far += request.paths->GetPath(hosts.front(), host).r;
        }
    }
    const auto nOthers = static_cast<int64_t>(firsts.size()) - 1;
    return {{request.s, near, Time(0)},
            {request.s, nOthers > 0 ? Time(far.GetTimeStep() / nOthers) : near, Time(0)}};
}

} // namespace

ProcessHierarchy
MakeLevels(const ScheduleRequest& request, const std::vector<uint32_t>& ranks)
{
    std::vector<uint32_t> hosts;
    for (const auto rank : ranks)
    {
        hosts.push_back(rank < request.hosts.size() ? request.hosts[rank] : rank);
    }
    std::vector<MessageCost> costs{{std::max(request.flag, Time(1)), request.flag, Time(0)}};
    std::vector<std::vector<uint32_t>> groups{hosts};
    if (request.levels)
    {
        for (uint32_t level = 1; level <= request.levels->GetNLevels(); ++level)
        {
            costs.push_back(request.levels->GetCost(level));
            if (level < request.levels->GetNLevels())
            {
                groups.emplace_back();
                for (const auto host : hosts)
                {
                    groups.back().push_back(request.levels->GetGroup(level, host));
                }
            }
        }
    }
    else if (request.paths)
    {
        const auto between = GetSwitchCosts(request, hosts);
        costs.insert(costs.end(), between.begin(), between.end());
        groups.emplace_back();
        for (const auto host : hosts)
        {
            groups.back().push_back(request.paths->GetSwitch(host));
        }
    }
    else
    {
        costs.push_back({request.s, request.r, Time(0)});
    }
    return ProcessHierarchy(static_cast<uint32_t>(ranks.size()), costs, groups);
}

} // namespace ns3
