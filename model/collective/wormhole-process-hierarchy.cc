// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-process-hierarchy.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace ns3
{

std::string
MessageCost::Print() const
{
    std::ostringstream text;
    text << "s = " << s.As(Time::US) << ", r = " << r.As(Time::US) << ", c = " << c.As(Time::US);
    return text.str();
}

ProcessHierarchy::ProcessHierarchy(uint32_t size,
                                   const std::vector<MessageCost>& costs,
                                   const std::vector<std::vector<uint32_t>>& groups)
    : m_size(size),
      m_costs(costs),
      m_groups(groups.size(), std::vector<uint32_t>(size))
{
    const std::string place = "hierarchy of " + std::to_string(size) + " processes";
    WormholeError::ThrowIf(size == 0 || costs.size() != groups.size() + 1,
                           place + " with costs of " + std::to_string(costs.size()) +
                               " levels and groups of " + std::to_string(groups.size()) +
                               ": expected 1 process at least, and groups of each level but the "
                               "last");
    for (const auto& cost : costs)
    {
        WormholeError::ThrowIf(std::min({cost.s, cost.r, cost.c}).IsStrictlyNegative(),
                               place + ": " + cost.Print() + ": expected times of 0 and above");
    }
    for (std::size_t level = groups.size(); level-- > 0;)
    {
        WormholeError::ThrowIf(groups[level].size() != size,
                               place + ": level " + std::to_string(level + 1) + " has groups of " +
                                   std::to_string(groups[level].size()) +
                                   " processes: expected a group for each");
        // Groups are numbered anew in the order of their first processes.
        std::unordered_map<uint32_t, uint32_t> numbers;
        std::vector<uint32_t> above;
        for (uint32_t process = 0; process < size; ++process)
        {
            const auto [entry, isNew] =
                numbers.emplace(groups[level][process], static_cast<uint32_t>(numbers.size()));
            const auto parent = GetGroup(static_cast<uint32_t>(level + 2), process);
            if (isNew)
            {
                above.push_back(parent);
            }
            else if (above[entry->second] != parent)
            {
                throw WormholeError(place + ": group " + std::to_string(groups[level][process]) +
                                    " of level " + std::to_string(level + 1) +
                                    " is in several groups of the level above: expected "
                                    "nested groups");
            }
            m_groups[level][process] = entry->second;
        }
    }
}

ProcessHierarchy
ProcessHierarchy::Regular(uint32_t size,
                          const std::vector<uint32_t>& groupSizes,
                          const std::vector<MessageCost>& costs)
{
    std::vector<std::vector<uint32_t>> groups;
    uint32_t below = 1;
    for (const auto groupSize : groupSizes)
    {
        WormholeError::ThrowIf(groupSize == 0 || groupSize % below != 0,
                               "groups of " + std::to_string(groupSize) +
                                   " processes: expected multiples of " + std::to_string(below));
        below = groupSize;
        groups.push_back(
            MadeOfNumbers(size, [=](uint32_t process) { return process / groupSize; }));
    }
    return ProcessHierarchy(size, costs, groups);
}

ProcessHierarchy
ProcessHierarchy::Simplify() const
{
    std::vector<MessageCost> costs;
    std::vector<std::vector<uint32_t>> groups;
    auto below = NumbersBelow(m_size); // each process is a group of its own
    for (uint32_t level = 1; level <= GetNLevels(); ++level)
    {
        const auto& cost = GetCost(level);
        auto here = level < GetNLevels() ? m_groups[level - 1] : std::vector<uint32_t>(m_size, 0);
        // Both are numbered by first processes, so that equal groups have equal numbers.
        if (here == below)
        {
            continue;
        }
        if (!costs.empty() && costs.back().Busy() == cost.Busy() && costs.back().r == cost.r)
        {
            groups.back() = here;
        }
        else
        {
            costs.push_back(cost);
            groups.push_back(here);
        }
        below = std::move(here);
    }
    if (costs.empty())
    {
        costs.push_back(m_costs.back()); // one process
    }
    else
    {
        groups.pop_back(); // all processes
    }
    return ProcessHierarchy(m_size, costs, groups);
}

} // namespace ns3
