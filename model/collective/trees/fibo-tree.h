/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIBO_TREE_H
#define FIBO_TREE_H

#include "communication-tree.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/// The number of processes that can have a message after some steps: the generalised Fibonacci
/// sequence of Cordsen et al. (1997), equation (2).
///
/// f(t) = 0 for t < 0, 1 for 0 <= t < s + r, and f(t - s) + f(t - s - r) from then on. Only the
/// steps at which f grows are stored, so that s and r may be large.
class FiboSequence
{
  public:
    /// @param s steps that a message keeps its sender busy @param r steps from then until the
    ///        receiver is active
    /// @throws WormholeError if s is 0, or one of them exceeds 10^15
    FiboSequence(uint64_t s, uint64_t r);

    /// @return f(t), the maximum number of processes that have the message then
    /// @throws WormholeError if that is 2^62 or more
    uint64_t GetPopulation(int64_t t)
    {
        return t < 0 ? 0 : Find(t).population;
    }

    /// @return f(t) - f(t - 1), the number that get it at step t
    uint64_t GetGrowth(int64_t t);

    /// @return the first step with f(t) >= processes @param processes below 2^62
    int64_t GetSteps(uint64_t processes);

    /// The growth rate of f: f(t) / lambda^t tends to a positive constant. It is the root above 1
    /// of x^-s + x^-(s + r) = 1.
    /// @param s time for which a message keeps its sender busy, above 0, in any unit
    /// @param r time from then until the receiver is active, in the same unit
    /// @return lambda, the growth per unit of time
    /// @throws WormholeError if s <= 0, r < 0, or one is not finite
    static double GetLambda(double s, double r);

  private:
    struct Step
    {
        int64_t time;
        uint64_t growth;
        uint64_t population;
    };

    void Advance(); ///< Finds the next step at which f grows.

    /// @return the last step up to t at which f grows @param t the time, at least 0
    const Step& Find(int64_t t);

    int64_t m_s;                          ///< steps that a message keeps its sender busy
    int64_t m_r;                          ///< steps from then until the receiver is active
    std::vector<Step> m_steps;            ///< found so far, by time
    std::map<int64_t, uint64_t> m_coming; ///< growth that follows from these, by time
};

/// The tree that delivers a message to all processes soonest, after Cordsen et al. (1997), section
/// 4.
///
/// With f of FiboSequence and t the first step with f(t) >= processes, the root's subtrees are
/// those of the times t - s - r, t - 2 s - r, and so on, while these are not negative, and
/// recursively. If f(t) exceeds the number of processes, some of those that would be last are
/// omitted, below earlier children first. Every parent serves its largest subtree first. Subtrees
/// are numbered in the order served, each process before its descendants.
///
/// The listing in the paper has a different recurrence, which contradicts its equation (2); this
/// implements equation (2). With r = 0 this is a binomial tree.
/// @param s steps that a message keeps its sender busy
/// @param r steps from then until the receiver is active
/// @throws WormholeError if there is no process, or as FiboSequence
CommunicationTree MakeFiboTree(uint32_t processes, uint64_t s, uint64_t r);

} // namespace ns3

#endif /* FIBO_TREE_H */
