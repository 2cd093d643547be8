/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "level-growth.h"

#include <algorithm>
#include <functional>
#include <numeric>

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

int64_t
LevelGrowth::GetNextTime() const
{
    return *m_coming.begin();
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

} // namespace ns3
