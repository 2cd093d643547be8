// SPDX-License-Identifier: GPL-2.0-only

#ifndef TREE_SHAPES_H
#define TREE_SHAPES_H

#include "communication-tree.h"

#include <map>

namespace ns3
{

/// A tree filled level by level: the children of process i are k i + 1 to k i + k, if they exist.
/// With k = 1 it is a chain; with k = processes - 1 the root serves all others itself.
/// @throws WormholeError if there is no process, or k is 0
CommunicationTree MakeKaryTree(uint32_t processes, uint32_t k);

/// A binomial tree: i's children are i + 2^j, if they exist, for j < number of i's trailing 0 bits.
///
/// Parents serve the largest subtree first, which is not always the one with the largest j.
/// @throws WormholeError if there is no process
CommunicationTree MakeBinomialTree(uint32_t processes);

/// Blocks of consecutive processes: their first processes form a binomial tree, and then each of
/// these serves the others of its block in turn. This is the broadcast of early MPICH, whose
/// MPIR_BCAST_BLOCK_SIZE was 3; with blocks of 1 it is a binomial tree.
/// @param block number of processes per block; the last one may have fewer
/// @throws WormholeError if block is 0
CommunicationTree MakeBlockTree(uint32_t processes, uint32_t block);

/// The number of processes that can have a message after some steps: the generalised Fibonacci
/// sequence of Cordsen et al. (1997), equation (2).
///
/// f(t) = 0 for t < 0, 1 for 0 <= t < s + r, and f(t - s) + f(t - s - r) from then on. Only the
/// steps at which f grows are stored, so that s and r may be large.
class FiboSequence
{
  public:
    /// @param s steps of a message at its sender @param r further steps until its receiver has it
    /// @throws WormholeError if s is 0, or one of them exceeds 10^15
    FiboSequence(uint64_t s, uint64_t r);

    /// @return f(t), the maximum number of processes that have the message at step t
    /// @throws WormholeError if it is 2^62 or more
    uint64_t GetPopulation(int64_t t)
    {
        return t < 0 ? 0 : Find(t).population;
    }

    /// @return f(t) - f(t - 1), the number of processes that get the message at step t
    uint64_t GetGrowth(int64_t t)
    {
        if (t < 0)
        {
            return 0;
        }
        const auto& step = Find(t);
        return step.time == t ? step.growth : 0;
    }

    /// @return the first step with f(t) >= processes @param processes below 2^62
    int64_t GetSteps(uint64_t processes);

    /// @return lambda, the growth rate of f per unit of time: f(t) / lambda^t tends to a positive
    ///         constant. It is the root above 1 of x^-s + x^-(s + r) = 1
    /// @param s,r as for the constructor, in any unit
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
/// With f of FiboSequence and t the first step with f(t) >= processes, the root's subtrees are the
/// trees for times t - s - r, t - 2 s - r, and so on, while these are not negative; subtrees are
/// built the same way. If f(t) exceeds the number of processes, some of the last processes are
/// omitted, below earlier children first. Every parent serves its largest subtree first. Subtrees
/// are numbered in the order served, each process before its descendants.
///
/// The listing in the paper has a different recurrence, which contradicts its equation (2); this
/// implements equation (2). With r = 0 this is a binomial tree.
/// @param s,r as for FiboSequence
/// @throws WormholeError if there is no process, or as FiboSequence
CommunicationTree MakeFiboTree(uint32_t processes, uint64_t s, uint64_t r);

/// A Fibo-tree over a whole hierarchy: Cordsen et al. (1997), section 6. Process 0 is the root.
///
/// LevelGrowth determines the levels of messages, and the earliest time at which all processes
/// could be active. Its plan is then carried out with the available places, message by message in
/// the order of arrival. A message to another group goes to the group whose free places best match
/// the planned subtree; a message within a full group goes to another group, if that is in time. If
/// some processes remain without a place, the next longer time is tried. If the result takes no
/// longer than GetHierarchyBound, it is optimal. It is never slower than MakeComposedFiboTree or a
/// Fibo-tree that ignores levels. With one level it is MakeFiboTree.
/// @throws WormholeError if a level that is used has s + c = 0
CommunicationTree MakeHierarchicalFiboTree(const ProcessHierarchy& hierarchy);

/// A Fibo-tree for each level separately: first among the first processes of the largest groups,
/// then within each of these, and so on; the root's groups begin with the root.
/// @throws WormholeError if a level that is used has s + c = 0
CommunicationTree MakeComposedFiboTree(const ProcessHierarchy& hierarchy);

/// @return a lower bound, for any tree, of the time until all are active, by LevelGrowth; with one
///         level, the time of the Fibo-tree. The bound is less tight for groups of more than a
///         thousand processes, or several levels of large groups
/// @throws WormholeError if a level that is used has s + c = 0
Time GetHierarchyBound(const ProcessHierarchy& hierarchy);

/// Makes a tree by its name.
///
/// - `sequential`: the root serves all others itself
/// - `chain`: each process serves one other
/// - `binary`, `kary-K`: see MakeKaryTree
/// - `block-B`: see MakeBlockTree, B processes per block
/// - `binomial`: see MakeBinomialTree
/// - `fibo`: see MakeFiboTree, for the given s and r; only their ratio is significant, and is taken
///   exactly, in units of ns-3's time resolution
/// - `fibo-S-R`: the Fibo-tree for times in the ratio S : R, which are whole numbers
/// - `fibo-levels`, `fibo-composed`: for a hierarchy, see MakeHierarchicalFiboTree and
///   MakeComposedFiboTree; here, with one level, they equal `fibo`
/// @param s time for which a message keeps its sender busy; `fibo` needs more than 0
/// @param r time from then until the receiver is active
/// @throws WormholeError if there is no such tree or no process, or a number is invalid
CommunicationTree MakeCommunicationTree(const std::string& name,
                                        uint32_t processes,
                                        Time s,
                                        Time r);

/// Makes a tree of a hierarchy's processes by its name. All except `fibo-levels` and
/// `fibo-composed` use only the costs of the last level.
/// @param hierarchy the processes; process 0 is the root
/// @throws WormholeError if there is no such tree, or a number or cost is invalid
CommunicationTree MakeCommunicationTree(const std::string& name, const ProcessHierarchy& hierarchy);

bool IsTreeOfLevels(const std::string& name);

/// @return the names that MakeCommunicationTree accepts, for help texts
std::vector<std::string> GetCommunicationTreeNames();

} // namespace ns3

#endif /* TREE_SHAPES_H */
