/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tree-cost.h"

#include "ns3/time-limit.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

TreeCost::TreeCost(Time s, Time r, uint32_t ports)
    : m_s(s),
      m_r(r),
      m_ports(ports)
{
    if (s.IsStrictlyNegative() || r.IsStrictlyNegative() || ports == 0)
    {
        std::ostringstream message;
        message << "costs of a tree: s = " << s.As(Time::US) << ", r = " << r.As(Time::US) << ", "
                << ports << " ports: accepted are times of 0 and above, and 1 port at least";
        throw WormholeError(message.str());
    }
}

std::vector<Time>
TreeCost::GetArrivals(const CommunicationTree& tree) const
{
    std::vector<Time> arrivals(tree.GetSize(), Time(0));
    for (auto process : tree.GetOrder())
    {
        int64_t nServed = 0;
        for (auto child : tree.GetChildren(process))
        {
            const auto turn = static_cast<uint64_t>(nServed++ / m_ports + 1);
            const auto sent = TimeLimit::Add(arrivals[process], TimeLimit::Multiply(m_s, turn));
            arrivals[child] = TimeLimit::Add(sent, m_r);
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
