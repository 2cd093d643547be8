// SPDX-License-Identifier: GPL-2.0-only

#ifndef GOAL_SCHEDULE_H
#define GOAL_SCHEDULE_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A schedule in the Group Operation Assembly Language: the operations of a parallel
///        program's ranks, and their dependencies (Hoefler, Siebert and Lumsdaine, Group Operation
///        Assembly Language - A Flexible Way to Express Collective Communication, 2009).
///
/// Each rank has operations (sends, receives and calculations). Their order depends only on their
/// dependencies: an operation may require that others have ended or (irequires) have started.
class GoalSchedule
{
  public:
    /// Kinds of operations.
    enum Kind : uint8_t
    {
        SEND = 1,    ///< sends a message to a rank
        RECEIVE = 2, ///< receives a message
        CALC = 3,    ///< occupies its processor
    };

    /// Stands for any rank, or any tag, in a receive.
    static constexpr uint32_t ANY = UINT32_MAX;

    /// An operation.
    struct Operation
    {
        uint64_t size{0}; ///< length of the message in bytes; CALC: duration in ns
        uint32_t peer{0}; ///< rank to send to or receive from; ANY is possible for a receive
        uint32_t tag{0};  ///< tag of the message; ANY is possible for a receive
        uint8_t cpu{0};   ///< number of the processor
        uint8_t nic{0};   ///< number of the network interface
        Kind kind{CALC};  ///< kind of operation
    };

    /// A dependency: one operation waits for another.
    struct Dependency
    {
        uint32_t before;       ///< index of the required operation
        uint32_t after;        ///< index of the operation that requires it
        bool isOnStart{false}; ///< whether only the start of `before` is required
    };

    /// A rank's operations.
    struct Rank
    {
        std::vector<Operation> operations;        ///< operations by index
        std::vector<Dependency> dependencies;     ///< dependencies between the operations
        std::map<std::string, uint32_t> labels{}; ///< operations by label, if labels are kept
    };

    /// Operations that require operation i: targets[first[i]] to targets[first[i + 1] - 1].
    struct Successors
    {
        std::vector<uint32_t>
            first; ///< index in `targets` of each operation's first; last: their number
        std::vector<uint32_t> targets; ///< indices of the successors

        /// @param rank a rank @param isOnStart whether to list dependencies on starts, not ends
        Successors(const Rank& rank, bool isOnStart);
    };

    /// Tracks the dependencies of a rank's operations during a run.
    class Waits
    {
      public:
        /// @param rank the rank
        explicit Waits(const Rank& rank)
            : m_rank(rank),
              m_successors{Successors(rank, false), Successors(rank, true)}
        {
        }

        /// Resets all dependencies. @return indices of operations without dependencies, ascending
        std::vector<uint32_t> Reset();

        /// @return whether any operation requires an operation's start @param index its index
        bool IsStartAwaited(uint32_t index) const
        {
            return m_successors[1].first[index] < m_successors[1].first[index + 1];
        }

        /// @return number of an operation's dependencies not met yet @param index its index
        uint32_t GetNMissing(uint32_t index) const
        {
            return m_missing[index];
        }

        /// Marks an operation as started or ended.
        /// @param index its index
        /// @param isStart whether it has started; else it has ended
        /// @param goOn called with the index of each operation that becomes ready
        template <typename GO_ON>
        void Notify(uint32_t index, bool isStart, GO_ON goOn)
        {
            const auto& successors = m_successors[isStart];
            for (auto at = successors.first[index]; at < successors.first[index + 1]; ++at)
            {
                if (--m_missing[successors.targets[at]] == 0)
                {
                    goOn(successors.targets[at]);
                }
            }
        }

      private:
        const Rank& m_rank;
        std::array<Successors, 2> m_successors; ///< for dependencies on ends, and on starts
        std::vector<uint32_t> m_missing; ///< by operation, number of dependencies not met yet
    };

    /// @param ranks number of ranks
    explicit GoalSchedule(uint32_t ranks = 0)
        : m_ranks(ranks)
    {
    }

    /// Sets the schedule's name for error messages. @param name such as a file name; empty: none
    void SetName(const std::string& name)
    {
        m_name = name;
    }

    /// @return the schedule's name, if any, and the rank, for error messages @param rank the rank
    std::string PrintRank(uint32_t rank) const
    {
        return (m_name.empty() ? "" : m_name + ": ") + "rank " + std::to_string(rank);
    }

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    uint64_t GetNOperations() const; ///< @return number of operations of all ranks

    /// @return a rank's operations, modifiable @param rank the rank
    Rank& At(uint32_t rank)
    {
        return m_ranks.at(rank);
    }

    /// @return a rank's operations @param rank the rank
    const Rank& At(uint32_t rank) const
    {
        return m_ranks.at(rank);
    }

    /// Adds an operation. @param rank its rank @param operation the operation @return its index
    uint32_t Add(uint32_t rank, const Operation& operation)
    {
        auto& operations = m_ranks.at(rank).operations;
        operations.push_back(operation);
        return static_cast<uint32_t>(operations.size() - 1);
    }

    /// Checks the schedule.
    /// @throws WormholeError for a rank that does not exist, or operations that wait for each other
    void Check() const;

    /// @return an operation in GOAL syntax @param operation the operation
    static std::string Print(const Operation& operation);

  private:
    std::vector<Rank> m_ranks; ///< by rank
    std::string m_name;
};

} // namespace ns3

#endif /* GOAL_SCHEDULE_H */
