/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "level-placement.h"

#include <algorithm>
#include <tuple>

namespace ns3
{

LevelPlacement::LevelPlacement(const ProcessHierarchy& hierarchy,
                               const LevelGrowth& growth,
                               int64_t time,
                               uint32_t state,
                               uint32_t variant)
    : m_growth(growth),
      m_time(time),
      m_variant(variant),
      m_nLevels(hierarchy.GetNLevels()),
      m_children(hierarchy.GetSize())
{
    CountGroups(hierarchy);
    Enter(0, 0, state, m_nLevels);
    while (!m_coming.empty() && !IsComplete())
    {
        const auto message = m_coming.top();
        m_coming.pop();
        Arrive(message);
    }
}

CommunicationTree
LevelPlacement::TakeTree()
{
    return CommunicationTree(std::move(m_children));
}

void
LevelPlacement::CountGroups(const ProcessHierarchy& hierarchy)
{
    const auto size = hierarchy.GetSize();
    m_groupOf.assign(m_nLevels + 1, std::vector<uint32_t>(size));
    m_groups.resize(m_nLevels + 1);
    for (uint32_t level = 0; level <= m_nLevels; ++level)
    {
        auto& groups = m_groups[level];
        for (uint32_t process = 0; process < size; ++process)
        {
            const auto number = level == 0 ? process : hierarchy.GetGroup(level, process);
            m_groupOf[level][process] = number;
            if (number >= groups.size())
            {
                groups.resize(number + 1);
            }
            auto& group = groups[number];
            ++group.size;
            ++group.free;
            ++group.unplanned;
            const auto member = level > 0 ? m_groupOf[level - 1][process] : NONE;
            // Groups are numbered by their first processes, so that a new one has the next number.
            if (level > 0 && (group.members.empty() || group.members.back() < member))
            {
                group.members.push_back(member);
            }
        }
    }
}

uint64_t
LevelPlacement::KeyOf(int64_t time, uint32_t state) const
{
    // What is best between two steps is what is best at the first of them.
    return uint64_t{m_growth.FindStep(time)} << 32 | state;
}

const LevelGrowth::Choice&
LevelPlacement::Choose(int64_t time, uint32_t state)
{
    const auto [entry, isNew] = m_choices.try_emplace(KeyOf(time, state));
    if (isNew)
    {
        const auto exact = m_growth.GetTime(m_growth.FindStep(time));
        entry->second = m_growth.Choose(exact, state, m_variant);
    }
    return entry->second;
}

const std::vector<uint32_t>&
LevelPlacement::CountPlanned(int64_t time, uint32_t state)
{
    const auto key = KeyOf(time, state);
    const auto known = m_planned.find(key);
    if (known != m_planned.end())
    {
        return known->second;
    }
    std::vector<uint32_t> planned(m_nLevels, 1);
    const auto choice = Choose(time, state);
    if (choice.level > 0)
    {
        const auto [s, r] = m_growth.GetCost(choice.level);
        const auto exact = m_growth.GetTime(m_growth.FindStep(time));
        planned = CountPlanned(exact - s, choice.rest);
        const auto& below = CountPlanned(exact - s - r, choice.child);
        for (auto level = choice.level; level < m_nLevels; ++level)
        {
            planned[level] += below[level];
        }
    }
    return m_planned.emplace(key, std::move(planned)).first->second;
}

void
LevelPlacement::AddMessage(Message message)
{
    const auto [s, r] = m_growth.GetCost(message.level);
    message.arrival = message.start + s + r;
    message.number = m_nMessages++;
    m_coming.push(message);
}

void
LevelPlacement::Plan(uint32_t process, int64_t start, uint32_t state)
{
    if (start > m_time)
    {
        return;
    }
    const auto choice = Choose(m_time - start, state);
    if (choice.level > 0)
    {
        AddMessage({0, 0, process, choice.level, choice.child, choice.rest, start});
    }
}

bool
LevelPlacement::HasPlace(uint32_t from, uint32_t level) const
{
    const auto& within = m_groups[level][m_groupOf[level][from]];
    const auto& own = m_groups[level - 1][m_groupOf[level - 1][from]];
    return within.free > own.free;
}

uint32_t
LevelPlacement::FindPlace(uint32_t from, uint32_t level, const std::vector<uint32_t>& planned)
{
    auto number = m_groupOf[level][from];
    const auto own = m_groupOf[level - 1][from];
    for (auto below = level; below-- > 0;)
    {
        auto& group = m_groups[below + 1][number];
        auto& groups = m_groups[below];
        while (groups[group.members[group.next]].free == 0)
        {
            ++group.next;
        }
        uint32_t best = NONE;
        std::tuple<bool, int64_t, uint32_t> bestFit;
        for (auto i = group.next; i < group.members.size(); ++i)
        {
            const auto candidate = group.members[i];
            const auto& other = groups[candidate];
            if (other.free == 0 || (below + 1 == level && candidate == own))
            {
                continue;
            }
            if (below == 0)
            {
                return candidate;
            }
            // The tightest that has room for all that is planned; else that with most room.
            const bool isShort = other.unplanned < static_cast<int64_t>(planned[below]);
            const std::tuple<bool, int64_t, uint32_t> fit{isShort,
                                                          isShort ? -other.unplanned
                                                                  : other.unplanned,
                                                          isShort ? other.size - other.free : 0};
            if (best == NONE || fit < bestFit)
            {
                best = candidate;
                bestFit = fit;
            }
        }
        number = best;
    }
    return number;
}

void
LevelPlacement::Enter(uint32_t process, int64_t time, uint32_t state, uint32_t fresh)
{
    ++m_nActive;
    const auto planned = CountPlanned(m_time - time, state);
    for (uint32_t level = 0; level <= m_nLevels; ++level)
    {
        auto& group = m_groups[level][m_groupOf[level][process]];
        --group.free;
        if (level > 0 && level < fresh)
        {
            group.unplanned -= planned[level];
        }
    }
    Plan(process, time, state);
}

void
LevelPlacement::Arrive(const Message& message)
{
    if (!HasPlace(message.from, message.level))
    {
        // The group is full. Another may have a place that is reached in time. If none has, none
        // will have later, and the sender is done.
        auto other = message;
        other.arrival = m_time + 1;
        for (uint32_t level = 1; level <= m_nLevels; ++level)
        {
            const auto [s, r] = m_growth.GetCost(level);
            if (HasPlace(message.from, level) && message.start + s + r < other.arrival)
            {
                other.arrival = message.start + s + r;
                other.level = level;
            }
        }
        if (other.arrival <= m_time)
        {
            AddMessage(other);
        }
        return;
    }
    const auto left = m_time - message.arrival;
    auto places = message.child;
    const auto planned = CountPlanned(left, places);
    const auto process = FindPlace(message.from, message.level, planned);
    if (m_variant & 4)
    {
        // Of new groups, no more than what is left.
        std::vector<uint32_t> most(m_nLevels - 1, UINT32_MAX);
        for (uint32_t level = 1; level < message.level; ++level)
        {
            const auto& group = m_groups[level][m_groupOf[level][process]];
            most[level - 1] = static_cast<uint32_t>(
                std::max<int64_t>(std::min<int64_t>(group.free, group.unplanned), 1));
        }
        places = m_growth.Restrict(places, most);
    }
    m_children[message.from].push_back(process);
    Enter(process, message.arrival, places, message.level);
    const auto [s, r] = m_growth.GetCost(message.level);
    Plan(message.from, message.start + s, message.rest);
}

} // namespace ns3
