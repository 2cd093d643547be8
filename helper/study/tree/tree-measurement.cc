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

#include <numeric>

namespace ns3
{

TreeMeasurement::TreeMeasurement(const StudyHosts& hosts, Time s, Time r)
    : m_hosts(hosts),
      m_s(s),
      m_r(r)
{
}

std::vector<Time>
TreeMeasurement::Run(const std::string& tree, uint32_t processes) const
{
    // On a fabric, the broadcast would make a Fibo-tree for the way to some host.
    auto name = tree;
    if (tree == "fibo")
    {
        const auto unit = std::gcd(m_s.GetTimeStep(), m_r.GetTimeStep());
        name += "-" + std::to_string(m_s.GetTimeStep() / unit) + "-" +
                std::to_string(m_r.GetTimeStep() / unit);
    }
    auto broadcast = CollectiveHelper::MakeBroadcast("tree[Tree=" + name + "]");
    broadcast->SetAttribute("Root", IntegerValue(0));
    StudyHosts::Task task;
    task.hosts.resize(processes);
    std::iota(task.hosts.begin(), task.hosts.end(), 0);
    task.s = m_s;
    task.r = m_r;
    auto times = m_hosts.Run(broadcast, task).front();

    // Members leave when they have sent to their children.
    const auto shape = MakeCommunicationTree(name, processes, m_s, m_r);
    for (uint32_t process = 0; process < processes; ++process)
    {
        const auto children = static_cast<int64_t>(shape.GetChildren(process).size());
        times[process] -= Time(m_s.GetTimeStep() * children);
    }
    return times;
}

} // namespace ns3
