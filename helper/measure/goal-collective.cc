/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "goal-bench.h"

#include "ns3/collective-helper.h"
#include "ns3/goal-conversion.h"
#include "ns3/group-schedules.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// @return whether a name is that of an algorithm of data
bool
IsOfData(const std::string& kind, const std::string& name)
{
    if (kind == "barrier")
    {
        return false;
    }
    const auto names = CollectiveHelper::GetDataNames(kind);
    return std::find(names.begin(), names.end(), name.substr(0, name.find('['))) != names.end();
}

/// Refuses an algorithm that is not by software. @param name its name
[[noreturn]] void
Refuse(const std::string& name)
{
    throw WormholeError("'" + name +
                        "' is not by software alone, so that there is no schedule of "
                        "it; expected algorithms by software");
}

} // namespace

GoalSchedule
GoalCollective::Make(const std::string& kind,
                     const std::string& name,
                     uint32_t members,
                     uint64_t bytes,
                     uint32_t root)
{
    const auto kindName = CollectiveHelper::GetKindName(kind);
    if (members == 0 || root >= members)
    {
        throw WormholeError("root " + std::to_string(root) + " of " + std::to_string(members) +
                            " members; expected one member or more, and a rank of theirs");
    }
    const bool isData = IsOfData(kindName, name);
    const auto made = isData ? Ptr<Collective>(CollectiveHelper::MakeData(kindName, name))
                             : CollectiveHelper::MakeCollective(kindName, name);
    const auto maker = dynamic_cast<const ScheduleMaker*>(PeekPointer(made));
    if (!maker)
    {
        Refuse(name);
    }
    if (!isData && kindName != "broadcast" && bytes > 8)
    {
        throw WormholeError("'" + name + "' moves up to 8 bytes; there are " +
                            std::to_string(bytes));
    }
    ScheduleRequest request;
    request.kind = made->GetKind();
    request.members = members;
    request.root = root;
    if (!isData)
    {
        return GoalConversion::Convert(LinkedSchedules(maker->MakeSchedules(request)), bytes);
    }
    request.hosts.resize(members);
    std::iota(request.hosts.begin(), request.hosts.end(), 0);
    request.elementBytes = bytes % 4 == 0 ? 4 : 1;
    const auto nParts = DataKindInvariant::GetNParts(request.kind, members);
    request.parts.assign(nParts, bytes);
    if (request.kind == DataKind::REDUCE_SCATTER)
    {
        const auto even = BlockLayout::MakeEven(bytes, members, request.elementBytes);
        for (uint32_t part = 0; part < members; ++part)
        {
            request.parts[part] = even.GetBytes(part);
        }
    }
    const auto schedules = maker->MakeGroupSchedules(request);
    return GoalConversion::Convert(LinkedSchedules(schedules.members, schedules.layout), 0);
}

void
GoalCollective::Replace(GoalSchedule& schedule,
                        const std::string& kind,
                        const std::string& name,
                        uint64_t bytes,
                        uint32_t root,
                        const std::string& labels)
{
    GoalConversion::Set set;
    std::istringstream lines(labels);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream words(line);
        uint32_t rank = 0;
        words >> rank;
        if (rank >= schedule.GetNRanks())
        {
            throw WormholeError("there is no rank " + std::to_string(rank) + "; ranks are 0 to " +
                                std::to_string(schedule.GetNRanks() - 1));
        }
        std::vector<uint32_t> operations;
        for (std::string label; words >> label;)
        {
            const auto found = schedule.At(rank).labels.find(label);
            if (found == schedule.At(rank).labels.end())
            {
                throw WormholeError("rank " + std::to_string(rank) + " has no operation '" + label +
                                    "'; expected labels of a schedule as text");
            }
            operations.push_back(found->second);
        }
        set.push_back({rank, operations});
    }
    const auto place = std::find_if(set.begin(), set.end(), [=](const auto& entry) {
        return entry.first == root;
    });
    const auto rootPlace = place == set.end() ? 0 : place - set.begin();
    GoalConversion::Replace(schedule,
                            set,
                            Make(kind,
                                 name,
                                 static_cast<uint32_t>(set.size()),
                                 bytes,
                                 static_cast<uint32_t>(rootPlace)));
}

} // namespace ns3
