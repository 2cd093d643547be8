/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "level-placement.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

LevelGrowth::LevelGrowth(const std::vector<Cost>& costs,
                         const std::vector<uint32_t>& places,
                         uint32_t maxStates,
                         bool roundsUp)
    : m_costs(costs),
      m_share(places.size(), 1),
      m_alone(places.size(), 1),
      m_most(places)
{
    const auto product = [this] {
        return std::accumulate(m_most.begin(), m_most.end(), uint64_t{1}, std::multiplies<>());
    };
    while (product() > maxStates)
    {
        const auto level = std::max_element(m_most.begin(), m_most.end()) - m_most.begin();
        m_share[level] *= 2;
        m_alone[level] = roundsUp ? 0 : 1;
        m_most[level] = (places[level] + m_share[level] - 1) / m_share[level];
    }
    for (const auto most : m_most)
    {
        m_scale.push_back(m_nStates);
        m_nStates *= most;
    }
    m_steps.push_back({0, std::vector<uint64_t>(m_nStates, 1)});
    AddComing(0);
}

bool
LevelGrowth::IsExact() const
{
    return std::all_of(m_share.begin(), m_share.end(), [](auto share) { return share == 1; });
}

void
LevelGrowth::AddComing(int64_t time)
{
    for (const auto& [s, r] : m_costs)
    {
        m_coming.insert(time + s);
        m_coming.insert(time + s + r);
    }
}

const LevelGrowth::Step*
LevelGrowth::Find(int64_t time) const
{
    if (time < 0)
    {
        return nullptr;
    }
    const auto next =
        std::upper_bound(m_steps.begin(), m_steps.end(), time, [](int64_t at, const Step& step) {
            return at < step.time;
        });
    return &*(next - 1);
}

template <typename TELL>
void
LevelGrowth::ForChoices(int64_t time, uint32_t state, TELL tell) const
{
    const auto nLevels = m_costs.size();
    std::vector<uint32_t> shares(m_most.size());
    uint32_t fresh = 0; // places of a new group, of the levels below
    for (std::size_t level = 1; level <= nLevels; ++level)
    {
        const auto& [s, r] = m_costs[level - 1];
        const auto* child = Find(time - s - r);
        const auto* rest = Find(time - s);
        const auto first = level - 1; // of the levels whose places are divided
        bool isPossible = child != nullptr;
        uint32_t least = 0; // what the receiver takes at least, as part of the number of places
        for (auto m = first; m < m_most.size(); ++m)
        {
            isPossible = isPossible && state / m_scale[m] % m_most[m] >= m_alone[m];
            least += m_alone[m] * m_scale[m];
        }
        uint32_t more = 0;
        std::fill(shares.begin(), shares.end(), 0);
        while (isPossible)
        {
            const auto receiver = fresh + more;
            const auto left = state - least - more;
            tell(Choice{static_cast<uint32_t>(level), receiver, left},
                 child->reached[receiver] + rest->reached[left]);
            auto m = first;
            for (; m < m_most.size(); ++m)
            {
                if (shares[m] + m_alone[m] < state / m_scale[m] % m_most[m])
                {
                    ++shares[m];
                    more += m_scale[m];
                    break;
                }
                more -= shares[m] * m_scale[m];
                shares[m] = 0;
            }
            isPossible = m < m_most.size();
        }
        if (level < nLevels)
        {
            fresh += (m_most[first] - 1) * m_scale[first];
        }
    }
}

void
LevelGrowth::Advance()
{
    const auto time = *m_coming.begin();
    m_coming.erase(m_coming.begin());
    auto reached = m_steps.back().reached;
    for (uint32_t state = 0; state < m_nStates; ++state)
    {
        ForChoices(time, state, [&](const Choice&, uint64_t value) {
            reached[state] = std::max(reached[state], value);
        });
    }
    if (reached != m_steps.back().reached)
    {
        m_steps.push_back({time, std::move(reached)});
        AddComing(time);
    }
}

int64_t
LevelGrowth::AdvanceTo(uint64_t processes, uint32_t state)
{
    while (m_steps.back().reached[state] < processes)
    {
        Advance();
    }
    const auto step = std::lower_bound(
        m_steps.begin(),
        m_steps.end(),
        processes,
        [state](const Step& at, uint64_t wanted) { return at.reached[state] < wanted; });
    return step->time;
}

void
LevelGrowth::AdvanceUntil(int64_t time)
{
    while (*m_coming.begin() <= time)
    {
        Advance();
    }
}

uint32_t
LevelGrowth::GetPlaces(const std::vector<uint32_t>& places) const
{
    uint32_t state = 0;
    for (std::size_t m = 0; m < m_most.size(); ++m)
    {
        const auto shares = std::max(places[m], uint32_t{1}) / m_share[m] +
                            (std::max(places[m], uint32_t{1}) % m_share[m] > 0);
        state += (std::min(shares, m_most[m]) - 1) * m_scale[m];
    }
    return state;
}

uint32_t
LevelGrowth::Restrict(uint32_t state, const std::vector<uint32_t>& places) const
{
    const auto other = GetPlaces(places);
    uint32_t both = 0;
    for (std::size_t m = 0; m < m_most.size(); ++m)
    {
        both +=
            std::min(state / m_scale[m] % m_most[m], other / m_scale[m] % m_most[m]) * m_scale[m];
    }
    return both;
}

uint32_t
LevelGrowth::FindStep(int64_t time) const
{
    return static_cast<uint32_t>(Find(time) - m_steps.data());
}

int64_t
LevelGrowth::GetTime(uint32_t step) const
{
    return m_steps[step].time;
}

LevelGrowth::Choice
LevelGrowth::Choose(int64_t time, uint32_t state, uint32_t preference) const
{
    const bool isHighest = preference & 1;
    const bool isLeast = preference & 2;
    Choice best{0, 0, 0};
    uint64_t most = 1;
    ForChoices(time, state, [&](const Choice& choice, uint64_t value) {
        const bool isHigher = choice.level > best.level;
        const bool isPreferred =
            best.level > 0 && (isHigher ? isHighest : isLeast == (choice.child < best.child));
        if (value > most || (value == most && isPreferred))
        {
            most = value;
            best = choice;
        }
    });
    return best;
}

namespace
{

/// A plan that is being carried out, see PlaceLevels.
class LevelPlacement
{
  public:
    /// @param growth what tells the plan; must outlive this
    /// @param variant how to decide between equals: bits 0 and 1, see LevelGrowth::Choose; bit 2, a
    /// receiver's share is no more than the places that nobody else plans to take
    LevelPlacement(const ProcessHierarchy& hierarchy,
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

    bool IsComplete() const
    {
        return m_nActive == m_children.size();
    }

    CommunicationTree TakeTree()
    {
        return CommunicationTree(std::move(m_children));
    }

    ///< @return the tree, if they are

  private:
    static constexpr uint32_t NONE = UINT32_MAX; ///< no process or group

    struct Message
    {
        int64_t arrival; ///< when its receiver is active
        uint32_t number; ///< by order of planning
        uint32_t from;
        uint32_t level;
        uint32_t child; ///< the receiver's places
        uint32_t rest;  ///< the sender's places then
        int64_t start;  ///< when the sender begins with it

        bool operator>(const Message& other) const
        {
            return std::make_pair(arrival, number) > std::make_pair(other.arrival, other.number);
        }
    };

    struct Group
    {
        uint32_t size{0};
        uint32_t free{0};              ///< processes that are not in the tree
        int64_t unplanned{0};          ///< processes that no plan counts on; below 0: several do
        uint32_t next{0};              ///< members before this one are in the tree
        std::vector<uint32_t> members; ///< groups of the level below
    };

    void CountGroups(const ProcessHierarchy& hierarchy)
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
                // Groups are numbered by their first processes, so that a new one has the next
                // number.
                if (level > 0 && (group.members.empty() || group.members.back() < member))
                {
                    group.members.push_back(member);
                }
            }
        }
    }

    /// @return the best first message
    const LevelGrowth::Choice& Choose(int64_t time, uint32_t state)
    {
        const auto [entry, isNew] = m_choices.try_emplace(KeyOf(time, state));
        if (isNew)
        {
            const auto exact = m_growth.GetTime(m_growth.FindStep(time));
            entry->second = m_growth.Choose(exact, state, m_variant);
        }
        return entry->second;
    }

    /// @return by level, how many processes a plan reaches without leaving its group
    const std::vector<uint32_t>& CountPlanned(int64_t time, uint32_t state)
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

    /// @return what is known of a time and places by one number
    uint64_t KeyOf(int64_t time, uint32_t state) const
    {
        // What is best between two steps is what is best at the first of them.
        return uint64_t{m_growth.FindStep(time)} << 32 | state;
    }

    void Plan(uint32_t process, int64_t start, uint32_t state)
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

    void AddMessage(Message message)
    {
        const auto [s, r] = m_growth.GetCost(message.level);
        message.arrival = message.start + s + r;
        message.number = m_nMessages++;
        m_coming.push(message);
    }

    bool HasPlace(uint32_t from, uint32_t level) const
    {
        const auto& within = m_groups[level][m_groupOf[level][from]];
        const auto& own = m_groups[level - 1][m_groupOf[level - 1][from]];
        return within.free > own.free;
    }

    /// @param planned how many processes of each level but the last follow
    uint32_t FindPlace(uint32_t from, uint32_t level, const std::vector<uint32_t>& planned)
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
                const std::tuple<bool, int64_t, uint32_t> fit{
                    isShort,
                    isShort ? -other.unplanned : other.unplanned,
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

    void Enter(uint32_t process, int64_t time, uint32_t state, uint32_t fresh)
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

    void Arrive(const Message& message)
    {
        if (!HasPlace(message.from, message.level))
        {
            // The group is full. Another may have a place that is reached in time. If none has,
            // none will have later, and the sender is done.
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

    const LevelGrowth& m_growth; ///< tells the plan
    int64_t m_time;              ///< when all should be active
    uint32_t m_variant;          ///< how to decide between equals
    uint32_t m_nLevels;
    uint32_t m_nActive{0};                        ///< processes in the tree
    uint32_t m_nMessages{0};                      ///< planned so far
    std::vector<std::vector<Group>> m_groups;     ///< by level, 0 being processes, and number
    std::vector<std::vector<uint32_t>> m_groupOf; ///< by level and process
    std::vector<std::vector<uint32_t>> m_children;
    std::priority_queue<Message, std::vector<Message>, std::greater<>> m_coming;
    std::unordered_map<uint64_t, LevelGrowth::Choice> m_choices;   ///< known ones, by KeyOf
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_planned; ///< known ones, by KeyOf
};

} // namespace

std::optional<CommunicationTree>
PlaceLevels(const ProcessHierarchy& hierarchy,
            const LevelGrowth& growth,
            int64_t time,
            uint32_t state,
            uint32_t variant)
{
    LevelPlacement placement(hierarchy, growth, time, state, variant);
    return placement.IsComplete() ? std::make_optional(placement.TakeTree()) : std::nullopt;
}

} // namespace ns3
