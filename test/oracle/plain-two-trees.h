/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_TWO_TREES_H
#define PLAIN_TWO_TREES_H

#include "../ideal-data-run.h"

#include "ns3/data-kind.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/// The two trees of 2^q members, by number from the root on, as the documentation defines them.
class PlainTwoTrees
{
  public:
    explicit PlainTwoTrees(uint32_t q)
        : m_q(q),
          m_n(1U << q)
    {
    }

    /// @param tree 0 or 1 @param member from 1 on
    uint32_t Parent(uint32_t tree, uint32_t member) const
    {
        const auto others = m_n - 1;
        const auto own = tree == 0 ? member : (member + others - 2) % others + 1;
        const auto lowest = own & -own;
        const auto parent = (own - lowest) | 2 * lowest;
        return parent >= m_n ? 0 : tree == 0 ? parent : parent % others + 1;
    }

    /// @return the colour of the edge to a member @param tree 0 or 1 @param member from 1 on
    uint32_t Colour(uint32_t tree, uint32_t member) const
    {
        uint32_t colour = 1 + tree;
        for (auto bits = (member - 1) >> (m_q % 2); bits > 0; bits /= 2)
        {
            colour += bits % 2;
        }
        return colour % 2;
    }

    /// @return first step of a broadcast in which a message comes to a member @param tree 0 or 1
    /// @param member from 1 on
    uint32_t First(uint32_t tree, uint32_t member) const
    {
        const auto parent = Parent(tree, member);
        const auto colour = Colour(tree, member);
        return parent == 0 ? colour
                           : First(tree, parent) + (colour == Colour(tree, parent) ? 2 : 1);
    }

  private:
    uint32_t m_q; ///< binary logarithm of the number of members
    uint32_t m_n; ///< number of members
};

struct PlainMessage
{
    uint32_t from; ///< sender
    uint32_t to;   ///< receiver
    bool isUp;     ///< whether it goes up, and is combined
};

/// @return messages by step, those of the first tree first, in each those up first @param q binary
/// logarithm of the members
inline std::vector<std::vector<PlainMessage>>
ListSteps(DataKind kind, uint32_t q, uint64_t k)
{
    const PlainTwoTrees trees(q);
    const auto last = 2 * q - 1;
    std::vector<std::vector<PlainMessage>> steps(2 * (last + 1) + 2 * k);
    for (uint32_t tree = 0; tree < 2; ++tree)
    {
        for (const bool isUp : {true, false})
        {
            if (kind == (isUp ? DataKind::BROADCAST : DataKind::REDUCTION))
            {
                continue;
            }
            for (uint32_t member = 1; member < 1U << q; ++member)
            {
                const auto parent = trees.Parent(tree, member);
                const auto first = trees.First(tree, member);
                const auto begin =
                    isUp ? last - first : (kind == DataKind::BROADCAST ? 0 : last + 1) + first;
                for (uint64_t segment = 0; segment < k; ++segment)
                {
                    steps[begin + 2 * segment].push_back(
                        {isUp ? member : parent, isUp ? parent : member, isUp});
                }
            }
        }
    }
    return steps;
}

/// Time of a collective along two trees on the ideal network, by the recurrence of the
/// documentation (Collectives of data, Two trees), which knows nothing of schedules. @param kind
/// BROADCAST, REDUCTION or ALL_REDUCTION @param q binary logarithm of the number of members, at
/// least 1 @return when the last member leaves, ns
inline double
PlainTwoTreesTime(DataKind kind, uint32_t q, uint64_t k, double bytes, const IdealCosts& costs)
{
    std::vector<double> done(1U << q, 0.);                           // when members are
    std::vector<std::vector<std::pair<double, bool>>> came(1U << q); // since a member's last send
    const auto takeAll = [&](uint32_t member) {
        std::sort(came[member].begin(), came[member].end());
        for (const auto& [time, isUp] : came[member])
        {
            done[member] = std::max(done[member], time) + costs.Take(bytes) +
                           (isUp ? costs.Combine(bytes) : 0);
        }
        came[member].clear();
    };
    for (const auto& messages : ListSteps(kind, q, k))
    {
        for (const auto& message : messages)
        {
            takeAll(message.from);
        }
        std::vector<std::pair<uint32_t, std::pair<double, bool>>> coming;
        for (const auto& message : messages)
        {
            done[message.from] += costs.Send(bytes);
            coming.push_back({message.to, {done[message.from] + costs.latency, message.isUp}});
        }
        for (const auto& [member, what] : coming)
        {
            came[member].push_back(what);
        }
    }
    for (uint32_t member = 0; member < done.size(); ++member)
    {
        takeAll(member);
    }
    return *std::max_element(done.begin(), done.end());
}

} // namespace ns3

#endif /* PLAIN_TWO_TREES_H */
