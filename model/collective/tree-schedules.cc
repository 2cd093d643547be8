/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-schedules.h"

#include "schedule-levels.h"
#include "tree-shapes.h"

#include <utility>

namespace ns3
{

namespace
{

/// @return ranks, the root's first @param request the group
std::vector<uint32_t>
RootFirst(const ScheduleRequest& request)
{
    std::vector<uint32_t> ranks{request.root};
    for (uint32_t rank = 0; rank < request.members; ++rank)
    {
        if (rank != request.root)
        {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

} // namespace

TreeSchedules::TreeSchedules(const std::string& tree, const ScheduleRequest& request)
    : TreeSchedules(IsTreeOfLevels(tree)
                        ? MakeCommunicationTree(tree, MakeLevels(request, RootFirst(request)))
                        : MakeCommunicationTree(tree, request.members, request.s, request.r),
                    RootFirst(request))
{
}

TreeSchedules::TreeSchedules(CommunicationTree tree, std::vector<uint32_t> ranks)
    : m_tree(std::move(tree)),
      m_ranks(std::move(ranks))
{
}

std::vector<CommunicationSchedule>
TreeSchedules::MakeBarrier() const
{
    return Make(true, true);
}

std::vector<CommunicationSchedule>
TreeSchedules::MakeBroadcast(const std::vector<std::vector<Time>>& waits) const
{
    return Make(false, true, waits);
}

std::vector<CommunicationSchedule>
TreeSchedules::MakeReduction() const
{
    return Make(true, false);
}

std::vector<CommunicationSchedule>
TreeSchedules::Make(bool up, bool down, const std::vector<std::vector<Time>>& waits) const
{
    std::vector<CommunicationSchedule> schedules(m_ranks.size());
    for (uint32_t process = 0; process < m_ranks.size(); ++process)
    {
        auto& schedule = schedules[m_ranks[process]];
        const auto parent = m_tree.GetParent(process);
        const auto& children = m_tree.GetChildren(process);
        for (std::size_t i = 0; up && i < children.size(); ++i)
        {
            schedule.Receive(ScheduleStep::COMBINE, m_ranks[children[i]]);
        }
        if (up && parent != CommunicationTree::NO_PARENT)
        {
            schedule.Send(m_ranks[parent]);
        }
        if (down && parent != CommunicationTree::NO_PARENT)
        {
            schedule.Receive(ScheduleStep::REPLACE, m_ranks[parent]);
        }
        for (std::size_t i = 0; down && i < children.size(); ++i)
        {
            schedule.Send(m_ranks[children[i]], 0, waits.empty() ? Time(0) : waits[process][i]);
        }
    }
    return schedules;
}

} // namespace ns3
