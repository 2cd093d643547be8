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

/**
 * @ingroup wormhole
 * @brief How many processes of a hierarchy can have a message after some time: FiboSequence for
 *        several levels, by dynamic programming. Pure.
 *
 * A(t, k) is the most processes that one who has the message can have informed when t has passed,
 * itself included, if k[m] of them at most are reached by messages of levels 1 to m alone. What it
 * sends first is a message of some level l: the receiver has t - s(l) - r(l) left and gets a share
 * of k[m] for m >= l, and all of a new group's places for m < l; the sender has t - s(l) left, and
 * the rest of k. The best of these is A. Processes that share a group through messages from
 * outside are not known to be in one group here, and no number of groups is kept: nothing can be
 * faster than this.
 *
 * Only the times at which A grows are held. A time costs about (g(1) g(2) ...)^2 / 4 sums for
 * groups of g(1), g(2), ... processes, so that large groups are divided into shares of several
 * processes. Then A is rounded: either a receiver takes whole shares, and A may be too small; or it
 * takes its last share together with the sender, and A is too large.
 */
class LevelGrowth
{
  public:
    static constexpr uint32_t N_VARIANTS = 8; ///< ways to decide between equals, see PlaceLevels

    /// Costs of a level, in units of time.
    struct Cost
    {
        int64_t s; ///< how long the sender is busy, above 0
        int64_t r; ///< from then until the receiver is active
    };

    /// A first message, and what it leaves.
    struct Choice
    {
        uint32_t level; ///< its level; 0: there is none
        uint32_t child; ///< places of the receiver, see GetPlaces
        uint32_t rest;  ///< places that are left to the sender
    };

    /// @param costs costs of each level
    /// @param places processes in a group of each level but the last
    /// @param maxStates how many combinations of shares there may be; more are joined
    /// @param roundsUp whether A may be too large if shares are of several processes
    LevelGrowth(const std::vector<Cost>& costs,
                const std::vector<uint32_t>& places,
                uint32_t maxStates,
                bool roundsUp);

    bool IsExact() const; ///< @return whether all shares are of one process

    /// Goes on until A is so much. @param processes how much @param state places, see GetPlaces
    /// @return when that is
    int64_t AdvanceTo(uint64_t processes, uint32_t state);

    void AdvanceUntil(int64_t time); ///< Goes on until a time. @param time the time
    int64_t GetNextTime() const;     ///< @return the next time at which A may grow

    /// @return number of some places @param places processes that may be reached in a group of each
    /// level but the last; as many as there are at most
    uint32_t GetPlaces(const std::vector<uint32_t>& places) const;

    /// @return no more than some places @param state the places
    /// @param places the processes that may be reached, as for GetPlaces
    uint32_t Restrict(uint32_t state, const std::vector<uint32_t>& places) const;

    /// @return number of the last time at which A had grown @param time the time, 0 at least
    uint32_t FindStep(int64_t time) const;

    /// @return a time at which A has grown @param step its number, see FindStep
    int64_t GetTime(uint32_t step) const;

    /// What achieves A. @param time the time, 0 at least @param state the sender's places
    /// @param preference which one of equals: bit 0, of the highest level; bit 1, of the least
    /// share for the receiver @return the first message
    Choice Choose(int64_t time, uint32_t state, uint32_t preference) const;

    /// @return costs of a level @param level the level
    const Cost& GetCost(uint32_t level) const
    {
        return m_costs[level - 1];
    }

  private:
    struct Step
    {
        int64_t time;                  ///< the time
        std::vector<uint64_t> reached; ///< A, by number of the places
    };

    /// @return the last step up to a time; null if it is negative
    const Step* Find(int64_t time) const;

    void Advance(); ///< Looks at the next time at which A may grow.

    void AddComing(int64_t time);

    /// Tells of all first messages.
    template <typename TELL>
    void ForChoices(int64_t time, uint32_t state, TELL tell) const;

    std::vector<Cost> m_costs;     ///< by level
    std::vector<uint32_t> m_share; ///< processes in a share, by level but the last
    std::vector<uint32_t> m_alone; ///< 1 if no share is of two processes; 0 if one may be
    std::vector<uint32_t> m_most;  ///< shares of a new group
    std::vector<uint32_t> m_scale; ///< what a share adds to the number of places
    uint32_t m_nStates{1};         ///< combinations of shares
    std::vector<Step> m_steps;     ///< found so far
    std::set<int64_t> m_coming;    ///< times at which A may grow next
};

/**
 * @ingroup wormhole
 * @brief Carries out the plan of a LevelGrowth among the processes of a hierarchy, from process 0
 *        on, until a time. Pure.
 * @param hierarchy the processes
 * @param growth what tells the plan
 * @param time when all should be active
 * @param state the root's places, see LevelGrowth::GetPlaces
 * @param variant how to decide between equals: bits 0 and 1, see LevelGrowth::Choose; bit 2, a
 *        receiver's share is no more than the places that nobody else plans to take
 * @return the tree, if all processes are active in time
 */
std::optional<CommunicationTree> PlaceLevels(const ProcessHierarchy& hierarchy,
                                             const LevelGrowth& growth,
                                             int64_t time,
                                             uint32_t state,
                                             uint32_t variant);

} // namespace ns3

#endif /* LEVEL_PLACEMENT_H */
