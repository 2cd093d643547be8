/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-measurement.h"

#include "ns3/broadcast.h"
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
    CollectiveHelper helper;
    helper.SetSoftwareAttribute("StartUp", TimeValue(m_s));
    auto domain = m_hosts.Install(processes, helper);
    const auto overhead = m_hosts.GetReceiveOverhead(*domain, m_r);
    for (uint32_t host = 0; host < domain->GetNHosts(); ++host)
    {
        domain->GetSoftware(host)->SetAttribute("ReceiveOverhead", TimeValue(overhead));
    }
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
    std::vector<uint32_t> hosts(processes);
    std::iota(hosts.begin(), hosts.end(), 0);
    auto times = StudyHosts::Run(domain, broadcast, hosts, 1).front();

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
