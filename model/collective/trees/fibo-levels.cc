// SPDX-License-Identifier: GPL-2.0-only

#include "level-growth.h"
#include "tree-shapes.h"

#include "ns3/ordering.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

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
        WormholeError::ThrowIf(hierarchy.GetCost(level).Busy().IsZero(),
                               "Fibo-tree for " + hierarchy.GetCost(level).Print() +
                                   ": expected s + c above 0 and r of 0 and above");
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

/// Numbers of processes in groups of each level but the last.
struct GroupSizes
{
    std::vector<uint32_t> most;   ///< in the largest group
    std::vector<uint32_t> ofRoot; ///< in the root's group
    std::vector<uint32_t> means;  ///< on average, rounded up

    explicit GroupSizes(const ProcessHierarchy& hierarchy)
    {
        for (uint32_t level = 1; level < hierarchy.GetNLevels(); ++level)
        {
            std::map<uint32_t, uint32_t> sizes; // by group
            for (uint32_t process = 0; process < hierarchy.GetSize(); ++process)
            {
                ++sizes[hierarchy.GetGroup(level, process)];
            }
            const auto groups = static_cast<uint32_t>(sizes.size());
            means.push_back((hierarchy.GetSize() + groups - 1) / groups);
            ofRoot.push_back(sizes.at(hierarchy.GetGroup(level, 0)));
            most.push_back(GreatestOf(0U, sizes, [](const auto& entry) { return entry.second; }));
        }
    }
};

LevelGrowth
MakeGrowth(const ProcessHierarchy& hierarchy, const std::vector<uint32_t>& sizes, bool roundsUp)
{
    const auto costs = MadeOfNumbers(hierarchy.GetNLevels(), [&](uint32_t below) {
        const auto& cost = hierarchy.GetCost(below + 1);
        return LevelGrowth::Cost{cost.Busy().GetTimeStep(), cost.r.GetTimeStep()};
    });
    return LevelGrowth(costs, sizes, MAX_STATES, roundsUp);
}

/// Adds the Fibo-tree of each level within a group. @param members its processes, the root first
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

/// Carries out the plan of a LevelGrowth among the processes of a hierarchy, starting from process
/// 0, up to a time.
class LevelPlacement
{
  public:
    /// @param growth what tells the plan; must outlive this
    /// @param variant how to decide between equals: bits 0 and 1, see LevelGrowth::Choose; bit 2, a
    ///        receiver's share is no more than the places that nobody else plans to take
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
                // Groups are numbered by first processes: a new one has the next number.
                if (level > 0 && (group.members.empty() || group.members.back() < member))
                {
                    group.members.push_back(member);
                }
            }
        }
    }

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
        return within.free > m_groups[level - 1][m_groupOf[level - 1][from]].free;
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
        const auto process = FindPlace(message.from, message.level, CountPlanned(left, places));
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

    /// Carries out plans for groups of some size, for shorter and shorter times.
    /// @param sizes processes in a group of each level but the last
    /// @param ofRoot the same in the root's group
    void Improve(const std::vector<uint32_t>& sizes,
                 const std::vector<uint32_t>& ofRoot,
                 bool roundsUp)
    {
        auto growth = MakeGrowth(m_hierarchy, sizes, roundsUp);
        if (roundsUp && growth.IsExact())
        {
            return; // nothing is rounded
        }
        const auto state = growth.GetPlaces(ofRoot);
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
            LevelPlacement placement(m_hierarchy, growth, time, state, variant);
            if (placement.IsComplete())
            {
                Consider(placement.TakeTree());
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
    std::vector<std::vector<uint32_t>> children(simple.GetSize());
    AddComposed(simple, simple.GetNLevels(), NumbersBelow(simple.GetSize()), children);
    return CommunicationTree(std::move(children));
}

Time
GetHierarchyBound(const ProcessHierarchy& hierarchy)
{
    const auto simple = hierarchy.Simplify();
    CheckCosts(simple);
    const GroupSizes sizes(simple);
    auto growth = MakeGrowth(simple, sizes.most, true);
    return Time(growth.AdvanceTo(simple.GetSize(), growth.GetPlaces(sizes.ofRoot)));
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
    const GroupSizes all(simple);
    for (const auto& sizes : {all.most, all.means})
    {
        best.Improve(sizes, all.ofRoot, false);
        best.Improve(sizes, all.ofRoot, true);
    }
    return best.GetTree();
}

} // namespace ns3
