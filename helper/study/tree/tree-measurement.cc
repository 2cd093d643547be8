/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-measurement.h"

#include "ns3/collective-kinds.h"
#include "ns3/communication-tree.h"
#include "ns3/integer.h"
#include "ns3/tree-shapes.h"

#include <memory>
#include <numeric>

namespace ns3
{

TreeMeasurement::TreeMeasurement(const StudyHosts& hosts, const MessageCost& cost)
    : m_hosts(hosts),
      m_cost(cost)
{
}

std::vector<Time>
TreeMeasurement::Run(const std::string& tree, uint32_t processes) const
{
    return RunRounds(tree, processes, 1).front();
}

std::vector<std::vector<Time>>
TreeMeasurement::RunRounds(const std::string& tree, uint32_t processes, uint32_t rounds) const
{
    // On a fabric, the broadcast would make a Fibo-tree for the way to some host.
    auto name = tree;
    if (tree == "fibo" || IsTreeOfLevels(tree))
    {
        const auto s = m_cost.Busy().GetTimeStep();
        const auto r = m_cost.r.GetTimeStep();
        const auto unit = std::gcd(s, r);
        name = "fibo-" + std::to_string(s / unit) + "-" + std::to_string(r / unit);
    }
    StudyHosts::Task task;
    task.s = m_cost.s;
    task.r = m_cost.r;
    task.c = m_cost.c;
    task.rounds = rounds;
    task.hasPauses = true;
    return Run(name, ProcessHierarchy(processes, {m_cost}), task);
}

std::vector<Time>
TreeMeasurement::Run(const std::string& tree, const ProcessHierarchy& hierarchy) const
{
    StudyHosts::Task task;
    task.levels = std::make_shared<ProcessHierarchy>(hierarchy);
    return Run(tree, hierarchy, task).front();
}

std::vector<std::vector<Time>>
TreeMeasurement::Run(const std::string& tree,
                     const ProcessHierarchy& levels,
                     StudyHosts::Task task) const
{
    auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + tree + "]");
    broadcast->SetAttribute("Root", IntegerValue(0));
    task.hosts.resize(levels.GetSize());
    std::iota(task.hosts.begin(), task.hosts.end(), 0);
    auto rounds = m_hosts.Run(broadcast, task);

    // Members leave when they have sent to their children.
    const auto shape = MakeCommunicationTree(tree, levels);
    for (auto& times : rounds)
    {
        for (uint32_t process = 0; process < levels.GetSize(); ++process)
        {
            for (const auto child : shape.GetChildren(process))
            {
                times[process] -= levels.GetCost(process, child).Busy();
            }
        }
    }
    return rounds;
}

} // namespace ns3
