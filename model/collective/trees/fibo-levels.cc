/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fibo-levels.h"

#include "fibo-tree.h"
#include "level-placement.h"

#include "ns3/wormhole-error.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t MAX_STATES = 1024;  ///< of LevelGrowth: a fraction of a second
constexpr uint32_t FIRST_ATTEMPTS = 8; ///< times that are tried one by one

/// Refuses levels at which messages take their senders no time.
void
CheckCosts(const ProcessHierarchy& hierarchy)
{
    for (uint32_t level = 1; level <= hierarchy.GetNLevels() && hierarchy.GetSize() > 1; ++level)
    {
        const auto& cost = hierarchy.GetCost(level);
        if (cost.Busy().IsZero())
        {
            std::ostringstream message;
            message << "Fibo-tree for s = " << cost.s.As(Time::US)
                    << ", r = " << cost.r.As(Time::US) << ", c = " << cost.c.As(Time::US)
                    << ": expected s + c above 0 and r of 0 and above";
            throw WormholeError(message.str());
        }
    }
}

/// @return a Fibo-tree that knows no levels
CommunicationTree
MakeFlatTree(uint32_t size, const MessageCost& cost)
{
    const auto s = cost.Busy().GetTimeStep();
    const auto r = cost.r.GetTimeStep();
    const auto unit = std::gcd(s, r);
    return unit == 0 ? MakeFiboTree(size, 1, 0) : MakeFiboTree(size, s / unit, r / unit);
}

/// @return processes in the largest group of each level but the last
std::vector<uint32_t>
GetMaxSizes(const ProcessHierarchy& hierarchy)
{
    std::vector<uint32_t> most;
    for (uint32_t level = 1; level < hierarchy.GetNLevels(); ++level)
    {
        std::vector<uint32_t> sizes(hierarchy.GetSize());
        for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
        {
            ++sizes[hierarchy.GetGroup(level, process)];
        }
        most.push_back(*std::max_element(sizes.begin(), sizes.end()));
    }
    return most;
}

/// @return processes in the root's group of each level but the last
std::vector<uint32_t>
GetRootSizes(const ProcessHierarchy& hierarchy)
{
    std::vector<uint32_t> sizes(hierarchy.GetNLevels() - 1, 0);
    for (uint32_t level = 1; level < hierarchy.GetNLevels(); ++level)
    {
        for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
        {
            sizes[level - 1] += hierarchy.GetGroup(level, process) == hierarchy.GetGroup(level, 0);
        }
    }
    return sizes;
}

/// @return processes in a group of each level but the last, on average, rounded up
std::vector<uint32_t>
GetMeanSizes(const ProcessHierarchy& hierarchy)
{
    std::vector<uint32_t> means;
    for (uint32_t level = 1; level < hierarchy.GetNLevels(); ++level)
    {
        uint32_t groups = 0;
        for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
        {
            groups = std::max(groups, hierarchy.GetGroup(level, process) + 1);
        }
        means.push_back((hierarchy.GetSize() + groups - 1) / groups);
    }
    return means;
}

LevelGrowth
MakeGrowth(const ProcessHierarchy& hierarchy, const std::vector<uint32_t>& sizes, bool roundsUp)
{
    std::vector<LevelGrowth::Cost> costs;
    for (uint32_t level = 1; level <= hierarchy.GetNLevels(); ++level)
    {
        const auto& cost = hierarchy.GetCost(level);
        costs.push_back({cost.Busy().GetTimeStep(), cost.r.GetTimeStep()});
    }
    return LevelGrowth(costs, sizes, MAX_STATES, roundsUp);
}

/// Adds the Fibo-tree of each level within a group. @param members the group's processes, the first
/// one being its root
void
AddComposed(const ProcessHierarchy& hierarchy,
            uint32_t level,
            const std::vector<uint32_t>& members,
            std::vector<std::vector<uint32_t>>& children)
{
    std::vector<std::vector<uint32_t>> groups; // of the level below, by their first members
    std::vector<uint32_t> numbers;
    for (const auto process : members)
    {
        const auto number = level > 1 ? hierarchy.GetGroup(level - 1, process) : process;
        const auto known = std::find(numbers.begin(), numbers.end(), number) - numbers.begin();
        if (static_cast<std::size_t>(known) == numbers.size())
        {
            numbers.push_back(number);
            groups.emplace_back();
        }
        groups[known].push_back(process);
    }
    const auto tree = MakeFlatTree(static_cast<uint32_t>(groups.size()), hierarchy.GetCost(level));
    for (const auto group : tree.GetOrder())
    {
        for (const auto child : tree.GetChildren(group))
        {
            children[groups[group].front()].push_back(groups[child].front());
        }
    }
    for (std::size_t group = 0; level > 1 && group < groups.size(); ++group)
    {
        AddComposed(hierarchy, level - 1, groups[group], children);
    }
}

/// The best tree so far.
class Candidate
{
  public:
    Candidate(const ProcessHierarchy& hierarchy, CommunicationTree tree)
        : m_hierarchy(hierarchy),
          m_cost(hierarchy),
          m_tree(std::move(tree)),
          m_finish(m_cost.GetFinish(m_tree).GetTimeStep())
    {
    }

    void Consider(CommunicationTree tree)
    {
        const auto finish = m_cost.GetFinish(tree).GetTimeStep();
        if (finish < m_finish)
        {
            m_tree = std::move(tree);
            m_finish = finish;
        }
    }

    /// Carries out plans for groups of some size, for shorter and shorter times. @param sizes
    /// processes in a group of each level but the last
    void Improve(const std::vector<uint32_t>& sizes, bool roundsUp)
    {
        auto growth = MakeGrowth(m_hierarchy, sizes, roundsUp);
        if (roundsUp && growth.IsExact())
        {
            return; // nothing is rounded
        }
        const auto state = growth.GetPlaces(GetRootSizes(m_hierarchy));
        auto failed = growth.AdvanceTo(m_hierarchy.GetSize(), state) - 1;
        // The first times one by one, as the least is the optimum if it suffices; then by halves,
        // as if what suffices once would do so at all later times.
        for (uint32_t attempt = 0; failed + 1 < m_finish; ++attempt)
        {
            const auto time =
                attempt < FIRST_ATTEMPTS ? failed + 1 : failed + (m_finish - failed) / 2;
            growth.AdvanceUntil(time);
            if (!Try(growth, time, state))
            {
                failed = attempt < FIRST_ATTEMPTS ? growth.GetNextTime() - 1 : time;
            }
        }
    }

    const CommunicationTree& GetTree() const
    {
        return m_tree;
    }

  private:
    /// @return whether a plan leads to a tree that is done in time
    bool Try(const LevelGrowth& growth, int64_t time, uint32_t state)
    {
        for (uint32_t variant = 0; variant < LevelGrowth::N_VARIANTS && time < m_finish; ++variant)
        {
            if (auto tree = PlaceLevels(m_hierarchy, growth, time, state, variant))
            {
                Consider(std::move(*tree));
            }
        }
        return m_finish <= time;
    }

    const ProcessHierarchy& m_hierarchy;
    TreeCost m_cost;
    CommunicationTree m_tree;
    int64_t m_finish;
};

} // namespace

CommunicationTree
MakeComposedFiboTree(const ProcessHierarchy& hierarchy)
{
    const auto simple = hierarchy.Simplify();
    CheckCosts(simple);
    std::vector<uint32_t> all(simple.GetSize());
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::vector<uint32_t>> children(simple.GetSize());
    AddComposed(simple, simple.GetNLevels(), all, children);
    return CommunicationTree(std::move(children));
}

Time
GetHierarchyBound(const ProcessHierarchy& hierarchy)
{
    const auto simple = hierarchy.Simplify();
    CheckCosts(simple);
    auto growth = MakeGrowth(simple, GetMaxSizes(simple), true);
    return Time(growth.AdvanceTo(simple.GetSize(), growth.GetPlaces(GetRootSizes(simple))));
}

CommunicationTree
MakeHierarchicalFiboTree(const ProcessHierarchy& hierarchy)
{
    const auto simple = hierarchy.Simplify();
    CheckCosts(simple);
    const auto size = simple.GetSize();
    const auto& top = simple.GetCost(simple.GetNLevels());
    if (simple.GetNLevels() == 1)
    {
        return MakeFlatTree(size, top);
    }
    Candidate best(simple, MakeComposedFiboTree(simple));
    for (uint32_t level = 1; level <= simple.GetNLevels(); ++level)
    {
        best.Consider(MakeFlatTree(size, simple.GetCost(level)));
    }
    for (const auto& sizes : {GetMaxSizes(simple), GetMeanSizes(simple)})
    {
        best.Improve(sizes, false);
        best.Improve(sizes, true);
    }
    return best.GetTree();
}

} // namespace ns3
