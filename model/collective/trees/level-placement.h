/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEVEL_PLACEMENT_H
#define LEVEL_PLACEMENT_H

#include "communication-tree.h"

#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace ns3
{

/// The number of processes of a hierarchy that can have a message after some time: FiboSequence for
/// several levels, by dynamic programming. Pure.
///
/// A(t, k) is the maximum number of processes that one with the message can have informed after
/// time t, including itself, if at most k[m] of them are reached by messages of levels 1 to m
/// alone. Its first message is of some level l: the receiver has t - s(l) - r(l) left and gets a
/// share of k[m] for m >= l, and all places of a new group for m < l; the sender has t - s(l) left,
/// and the rest of k. A is the maximum over these. Processes of one group that are reached by
/// messages from outside are not known to share it, and the number of groups is not limited: A is
/// an upper bound.
///
/// Only the times at which A grows are stored. Each time costs about (g(1) g(2) ...)^2 / 4 sums for
/// groups of g(1), g(2), ... processes; large groups are therefore divided into shares of several
/// processes. Then A is rounded: either a receiver gets whole shares, and A may be too small; or
/// its last share is also counted for the sender, and A is too large.
class LevelGrowth
{
  public:
    static constexpr uint32_t N_VARIANTS = 8; ///< number of tie-breaking variants, see PlaceLevels

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
                bool roundsUp);

    bool IsExact() const;

    /// Advances until A reaches a value.
    int64_t AdvanceTo(uint64_t processes, uint32_t state);

    void AdvanceUntil(int64_t time);

    /// @return the next time at which A may grow
    int64_t GetNextTime() const
    {
        return *m_coming.begin();
    }

    /// @param places processes that may be reached in a group of each level but the last; limited
    /// to the group sizes
    uint32_t GetPlaces(const std::vector<uint32_t>& places) const;

    /// @param places the processes that may be reached, as for GetPlaces
    uint32_t Restrict(uint32_t state, const std::vector<uint32_t>& places) const;

    /// @return index of the last time at which A grew @param time the time, at least 0
    uint32_t FindStep(int64_t time) const;

    int64_t GetTime(uint32_t step) const;

    /// Finds a first message that attains A.
    /// @param time the time, at least 0
    /// @param preference tie-breaking: bit 0, the highest level; bit 1, the smallest share for the
    /// receiver
    /// @return the first message
    Choice Choose(int64_t time, uint32_t state, uint32_t preference) const;

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
    const Step* Find(int64_t time) const;

    void Advance(); ///< Processes the next time at which A may grow.

    void AddComing(int64_t time);

    /// Enumerates all first messages.
    template <typename TELL>
    void ForChoices(int64_t time, uint32_t state, TELL tell) const;

    std::vector<Cost> m_costs;     ///< by level
    std::vector<uint32_t> m_share; ///< processes in a share, by level but the last
    std::vector<uint32_t> m_alone; ///< 1 if no share has two processes; else 0
    std::vector<uint32_t> m_most;  ///< shares of a new group
    std::vector<uint32_t> m_scale; ///< increment of the index per share
    uint32_t m_nStates{1};         ///< combinations of shares
    std::vector<Step> m_steps;     ///< found so far
    std::set<int64_t> m_coming;    ///< times at which A may grow next
};

/// Carries out the plan of a LevelGrowth among the processes of a hierarchy, starting from process
/// 0, up to a time. Pure.
/// @param variant tie-breaking: bits 0 and 1, see LevelGrowth::Choose; bit 2, a receiver's share is
/// limited to the places that no other process has reserved
/// @return the tree, if all processes are active in time
std::optional<CommunicationTree> PlaceLevels(const ProcessHierarchy& hierarchy,
                                             const LevelGrowth& growth,
                                             int64_t time,
                                             uint32_t state,
                                             uint32_t variant);

} // namespace ns3

#endif /* LEVEL_PLACEMENT_H */
