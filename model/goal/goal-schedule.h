/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_SCHEDULE_H
#define GOAL_SCHEDULE_H

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief What the ranks of a parallel program do, and what waits for what: a schedule in the Group
 *        Operation Assembly Language (Hoefler, Siebert and Lumsdaine, Group Operation Assembly
 *        Language - A Flexible Way to Express Collective Communication, 2009).
 *
 * Each rank has operations, sends, receives and calculations, without any order but that of their
 * dependencies: an operation may require that others have ended, or (irequires) that they have
 * started. Pure.
 */
class GoalSchedule
{
  public:
    /// What an operation does.
    enum Kind : uint8_t
    {
        SEND = 1,    ///< sends a message to a rank
        RECEIVE = 2, ///< receives one
        CALC = 3,    ///< keeps its processor busy
    };

    /// Any rank, or any tag, of a receive.
    static constexpr uint32_t ANY = UINT32_MAX;

    /// An operation.
    struct Operation
    {
        uint64_t size{0}; ///< length of the message in bytes; CALC: how long it takes, ns
        uint32_t peer{0}; ///< the other rank; a receive's may be ANY
        uint32_t tag{0};  ///< of the message; a receive's may be ANY
        uint8_t cpu{0};   ///< number of the processor
        uint8_t nic{0};   ///< number of the network interface
        Kind kind{CALC};  ///< what it does
    };

    /// One operation waits for another.
    struct Dependency
    {
        uint32_t before;       ///< index of the one waited for
        uint32_t after;        ///< index of the one that waits
        bool isOnStart{false}; ///< whether it waits for the start alone
    };

    /// What a rank does.
    struct Rank
    {
        std::vector<Operation> operations;        ///< the operations
        std::vector<Dependency> dependencies;     ///< what waits for what
        std::map<std::string, uint32_t> labels{}; ///< operations by label, if they are kept
    };

    /// Operations that one lets go on, by the one: entries [first[i], first[i + 1]) of targets.
    struct Successors
    {
        std::vector<uint32_t> first;   ///< by operation, and in the end the number of all
        std::vector<uint32_t> targets; ///< indices of operations

        /// @param rank a rank @param isOnStart which dependencies count
        Successors(const Rank& rank, bool isOnStart);
    };

    /// What the operations of a rank wait for, while they are done.
    class Waits
    {
      public:
        explicit Waits(const Rank& rank); ///< @param rank the rank

        /// Has all operations wait again. @return those that wait for nothing, in order
        std::vector<uint32_t> Reset();

        /// @return whether any operation waits for the start of one @param index its index
        bool IsStartAwaited(uint32_t index) const
        {
            return m_successors[1].first[index] < m_successors[1].first[index + 1];
        }

        /// @return how many others an operation waits for @param index its index
        uint32_t GetNMissing(uint32_t index) const
        {
            return m_missing[index];
        }

        /// An operation has started or ended.
        /// @param index its index
        /// @param isStart which
        /// @param goOn called with the index of each that waits for nothing any more
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
        const Rank& m_rank;                     ///< the rank
        std::array<Successors, 2> m_successors; ///< that wait for ends, and for starts
        std::vector<uint32_t> m_missing;        ///< by operation, how many others it waits for
    };

    explicit GoalSchedule(uint32_t ranks = 0); ///< @param ranks number of ranks

    /// Names it in messages. @param name where it is from, as a file; empty: nowhere
    void SetName(const std::string& name);

    /// @return a rank in words, behind the schedule's name @param rank the rank
    std::string PrintRank(uint32_t rank) const;

    /// @return number of ranks
    uint32_t GetNRanks() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    uint64_t GetNOperations() const; ///< @return number of operations of all ranks

    /// @return what a rank does, to be changed @param rank the rank
    Rank& At(uint32_t rank)
    {
        return m_ranks.at(rank);
    }

    /// @return what a rank does @param rank the rank
    const Rank& At(uint32_t rank) const
    {
        return m_ranks.at(rank);
    }

    /// Adds an operation. @param rank whose @param operation the operation @return its index
    uint32_t Add(uint32_t rank, const Operation& operation);

    /// Refuses what can't be run.
    /// @throws WormholeError for a rank that is none, or operations that wait for each other
    void Check() const;

    /// @return an operation in GOAL's words @param operation the operation
    static std::string Print(const Operation& operation);

  private:
    std::vector<Rank> m_ranks; ///< by rank
    std::string m_name;        ///< where it is from
};

} // namespace ns3

#endif /* GOAL_SCHEDULE_H */
