// SPDX-License-Identifier: GPL-2.0-only

#ifndef LEVEL_GROWTH_H
#define LEVEL_GROWTH_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace ns3
{

/// Processes of a hierarchy that can have a message by a time: FiboSequence for levels.
///
/// A(t, k) is the maximum number of processes that one process with the message can have informed
/// after time t, including itself, if at most k[m] of them are reached by messages of levels 1 to m
/// alone. The first message has some level l: its receiver has t - s(l) - r(l) left and gets a
/// share of k[m] for m >= l, and all places of a new group for m < l; the sender has t - s(l) left,
/// and the rest of k. A is the maximum over all such messages. A ignores that processes reached
/// from outside may share a group, and does not limit the number of groups: it is an upper bound.
///
/// Only the times at which A grows are stored. Each time costs about (g(1) g(2) ...)^2 / 4 sums for
/// groups of g(1), g(2), ... processes; large groups are therefore divided into shares of several
/// processes. Then A is rounded: either a receiver gets whole shares, and A may be too small; or
/// its last share is also counted for the sender, and A is too large.
class LevelGrowth
{
  public:
    static constexpr uint32_t N_VARIANTS = 8; ///< variants of tie-breaking, see LevelPlacement

    /// Costs of a level, in units of time.
    struct Cost
    {
        int64_t s; ///< time for which the sender is busy, above 0
        int64_t r; ///< time from then until the receiver is active
    };

    /// A first message, and the remaining places.
    struct Choice
    {
        uint32_t level; ///< its level; 0: there is none
        uint32_t child; ///< places of the receiver, see GetPlaces
        uint32_t rest;  ///< places left to the sender
    };

    /// @param places processes in a group of each level but the last
    /// @param maxStates maximum number of combinations of shares; more are merged
    /// @param roundsUp whether A may be too large if shares consist of several processes
    LevelGrowth(const std::vector<Cost>& costs,
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

    bool IsExact() const
    {
        return std::all_of(m_share.begin(), m_share.end(), [](auto share) { return share == 1; });
    }

    /// Advances until A reaches a value.
    int64_t AdvanceTo(uint64_t processes, uint32_t state)
    {
        while (m_steps.back().reached[state] < processes)
        {
            Advance();
        }
        return std::partition_point(
                   m_steps.begin(),
                   m_steps.end(),
                   [&](const auto& step) { return step.reached[state] < processes; })
            ->time;
    }

    void AdvanceUntil(int64_t time)
    {
        while (*m_coming.begin() <= time)
        {
            Advance();
        }
    }

    /// @return the next time at which A may grow
    int64_t GetNextTime() const
    {
        return *m_coming.begin();
    }

    /// @param places processes reachable in a group of each level but the last, limited to its size
    uint32_t GetPlaces(const std::vector<uint32_t>& places) const
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

    /// @param places the processes that may be reached, as for GetPlaces
    uint32_t Restrict(uint32_t state, const std::vector<uint32_t>& places) const
    {
        const auto other = GetPlaces(places);
        uint32_t both = 0;
        for (std::size_t m = 0; m < m_most.size(); ++m)
        {
            both += std::min(state / m_scale[m] % m_most[m], other / m_scale[m] % m_most[m]) *
                    m_scale[m];
        }
        return both;
    }

    /// @return index of the last time at which A grew @param time the time, at least 0
    uint32_t FindStep(int64_t time) const
    {
        return static_cast<uint32_t>(Find(time) - m_steps.data());
    }

    int64_t GetTime(uint32_t step) const
    {
        return m_steps[step].time;
    }

    /// Finds a first message that attains A.
    /// @param time the time, at least 0
    /// @param preference tie-breaking: bit 0, the highest level; bit 1, the smallest share for the
    /// receiver
    /// @return the first message
    Choice Choose(int64_t time, uint32_t state, uint32_t preference) const
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

    const Cost& GetCost(uint32_t level) const
    {
        return m_costs[level - 1];
    }

  private:
    struct Step
    {
        int64_t time;
        std::vector<uint64_t> reached; ///< A, by index of the places
    };

    /// @return the last step up to a time; null if the time is negative
    const Step* Find(int64_t time) const
    {
        if (time < 0)
        {
            return nullptr;
        }
        const auto next =
            std::upper_bound(m_steps.begin(),
                             m_steps.end(),
                             time,
                             [](int64_t at, const Step& step) { return at < step.time; });
        return &*(next - 1);
    }

    /// Processes the next time at which A may grow.
    void Advance()
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

    void AddComing(int64_t time)
    {
        for (const auto& [s, r] : m_costs)
        {
            m_coming.insert(time + s);
            m_coming.insert(time + s + r);
        }
    }

    /// Enumerates all first messages.
    template <typename TELL>
    void ForChoices(int64_t time, uint32_t state, TELL tell) const
    {
        const auto nLevels = m_costs.size();
        std::vector<uint32_t> shares(m_most.size());
        uint32_t fresh = 0; // places of the levels below in a new group
        for (std::size_t level = 1; level <= nLevels; ++level)
        {
            const auto& [s, r] = m_costs[level - 1];
            const auto* child = Find(time - s - r);
            const auto* rest = Find(time - s);
            const auto first = level - 1; // index of the lowest level whose places are divided
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

    std::vector<Cost> m_costs;     ///< by level
    std::vector<uint32_t> m_share; ///< processes in a share, by level but the last
    std::vector<uint32_t> m_alone; ///< 1 if no share has two processes; else 0
    std::vector<uint32_t> m_most;  ///< shares of a new group
    std::vector<uint32_t> m_scale; ///< increment of the index per share
    uint32_t m_nStates{1};         ///< combinations of shares
    std::vector<Step> m_steps;     ///< found so far
    std::set<int64_t> m_coming;    ///< times at which A may grow next
};

} // namespace ns3

#endif /* LEVEL_GROWTH_H */
