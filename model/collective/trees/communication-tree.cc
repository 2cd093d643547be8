/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communication-tree.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

CommunicationTree::CommunicationTree(std::vector<std::vector<uint32_t>> children)
    : m_children(std::move(children)),
      m_parents(m_children.size(), NO_PARENT)
{
    const auto size = m_children.size();
    if (size == 0 || size >= NO_PARENT)
    {
        throw WormholeError("communication tree of " + std::to_string(size) +
                            " processes: expected 1 to " + std::to_string(NO_PARENT - 1));
    }
    m_order.reserve(size);
    m_order.push_back(0);
    for (std::size_t i = 0; i < m_order.size(); ++i)
    {
        const auto parent = m_order[i];
        for (auto child : m_children[parent])
        {
            const auto place = "communication tree: child " + std::to_string(child) +
                               " of process " + std::to_string(parent);
            if (child >= size)
            {
                throw WormholeError(place + ": expected 1 to " + std::to_string(size - 1));
            }
            if (child == 0 || m_parents[child] != NO_PARENT)
            {
                throw WormholeError(
                    place +
                    (child == 0 ? " is the root"
                                : " is a child of process " + std::to_string(m_parents[child])) +
                    " already: expected each process but 0 once");
            }
            m_parents[child] = parent;
            m_order.push_back(child);
        }
    }
    if (m_order.size() < size)
    {
        const auto lost = std::find(m_parents.begin() + 1, m_parents.end(), NO_PARENT);
        throw WormholeError("communication tree: process " +
                            std::to_string(lost - m_parents.begin()) +
                            " is not below process 0: expected each process but 0 once");
    }
}

uint32_t
CommunicationTree::GetHeight() const
{
    std::vector<uint32_t> depths(GetSize(), 0);
    uint32_t height = 0;
    for (auto process : m_order)
    {
        for (auto child : m_children[process])
        {
            depths[child] = depths[process] + 1;
            height = std::max(height, depths[child]);
        }
    }
    return height;
}

std::vector<uint32_t>
CommunicationTree::GetSubtreeSizes() const
{
    std::vector<uint32_t> sizes(GetSize(), 1);
    for (auto process = m_order.rbegin(); *process != 0; ++process)
    {
        sizes[m_parents[*process]] += sizes[*process];
    }
    return sizes;
}

CommunicationTree
CommunicationTree::LargestFirst() const
{
    const auto sizes = GetSubtreeSizes();
    auto sorted = m_children;
    for (auto& children : sorted)
    {
        std::stable_sort(children.begin(), children.end(), [&sizes](uint32_t a, uint32_t b) {
            return sizes[a] > sizes[b];
        });
    }
    return CommunicationTree(std::move(sorted));
}

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
