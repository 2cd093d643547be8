/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-cost.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ns3
{

TreeCost::TreeCost(Time s, Time r, uint32_t ports, Time c)
    : m_cost{s, r, c},
      m_ports(ports)
{
    if (std::min({s, r, c}).IsStrictlyNegative() || ports == 0)
    {
        std::ostringstream message;
        message << "costs of a tree: s = " << s.As(Time::US) << ", r = " << r.As(Time::US)
                << ", c = " << c.As(Time::US) << ", " << ports
                << " ports: expected times of 0 and above, and 1 port at least";
        throw WormholeError(message.str());
    }
}

TreeCost::TreeCost(const ProcessHierarchy& hierarchy)
    : m_cost(hierarchy.GetCost(hierarchy.GetNLevels())),
      m_ports(1),
      m_levels(std::make_shared<ProcessHierarchy>(hierarchy))
{
}

std::vector<Time>
TreeCost::GetArrivals(const CommunicationTree& tree) const
{
    if (m_levels && m_levels->GetSize() != tree.GetSize())
    {
        throw WormholeError("costs of a tree of " + std::to_string(tree.GetSize()) +
                            " processes in a hierarchy of " + std::to_string(m_levels->GetSize()) +
                            ": expected as many");
    }
    std::vector<Time> arrivals(tree.GetSize(), Time(0));
    for (auto process : tree.GetOrder())
    {
        uint32_t nServed = 0;
        auto sent = arrivals[process];
        for (auto child : tree.GetChildren(process))
        {
            const auto& cost = m_levels ? m_levels->GetCost(process, child) : m_cost;
            if (nServed++ % m_ports == 0)
            {
                sent = TimeLimit::Add(sent, cost.Busy());
            }
            arrivals[child] = TimeLimit::Add(sent, cost.r);
        }
    }
    return arrivals;
}

Time
TreeCost::GetFinish(const CommunicationTree& tree) const
{
    const auto arrivals = GetArrivals(tree);
    return *std::max_element(arrivals.begin(), arrivals.end());
}

} // namespace ns3
