/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GOAL_BENCH_H
#define GOAL_BENCH_H

#include "wormhole-background-traffic.h"

#include "ns3/collective-domain.h"
#include "ns3/goal-schedule.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/wormhole-latency-interval.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class GoalProgram;

/**
 * @ingroup wormhole
 * @brief Runs programs that follow GOAL schedules, all at once, and tells when their ranks end.
 *
 * Runs the simulator until nothing is left to do, so nothing else should be going on in this
 * simulation.
 */
class GoalBench
{
  public:
    /// Is told how many operations of how many are done.
    typedef std::function<void(uint64_t done, uint64_t all)> Progress;

    /// @param domain where
    explicit GoalBench(Ptr<CollectiveDomain> domain);
    ~GoalBench();

    GoalBench(const GoalBench&) = delete;            ///< traces point to it
    GoalBench& operator=(const GoalBench&) = delete; ///< traces point to it

    /// Adds a program.
    /// @param schedule what its ranks do
    /// @param hosts their hosts, by rank
    /// @param transport sendrecv or rdma
    /// @throws WormholeError as Collective::Create
    void Add(std::shared_ptr<const GoalSchedule> schedule,
             const std::vector<uint32_t>& hosts,
             const std::string& transport);

    /// Records what happens from now on, for Explain and ExplainUnderTraffic. Before Run, behind
    /// all programs.
    void Record();

    /// Runs all programs; they begin at once.
    /// @param progress is told every now and then; may be empty
    /// @throws WormholeError if a rank waits for ever, or a message is never received
    void Run(const Progress& progress = {});

    /// Runs all programs again beside traffic, once, after Run: round after round, in each of which
    /// they begin at once, see BackgroundTraffic.
    /// @param traffic what there is beside them
    /// @param rounds how many, at least 1
    /// @throws WormholeError if there are no rounds, or the traffic can't be or is too much; the
    ///         simulation must be destroyed then
    void RunUnderTraffic(const BackgroundTraffic::Parameters& traffic, uint32_t rounds);

    /// @return by round of RunUnderTraffic, when the ranks of a program ended, from its start on
    /// @param program its number
    const std::vector<std::vector<Time>>& GetRounds(uint32_t program) const;

    /// @return when the ranks of a program ended in Run, from the start on
    /// @param program its number
    const std::vector<Time>& GetFinishTimes(uint32_t program) const;

    /// Tells why the last rank of a program ended when it did; after Record and Run. Other programs
    /// are named by their numbers.
    /// @param program its number
    /// @return intervals from the start, which is 0, until then
    const LatencyIntervals& Explain(uint32_t program) const;

    /// @return the same by round of RunUnderTraffic, where the traffic is named, too
    /// @param program its number
    const std::vector<LatencyIntervals>& ExplainUnderTraffic(uint32_t program) const;

    /// @return a worm in words @param worm the worm
    std::string Describe(const Worm& worm) const;

  private:
    struct Job
    {
        Ptr<GoalProgram> program;                ///< the program
        std::vector<Time> present;               ///< when ranks have ended, this time
        std::vector<Time> ends{};                ///< when ranks ended without traffic
        std::vector<std::vector<Time>> rounds{}; ///< the same, by round beside traffic
        LatencyIntervals path{};                 ///< why the last one did; empty: not recorded
        std::vector<LatencyIntervals> paths{};   ///< the same, by round beside traffic
    };

    static void Leave(GoalBench* bench, uint32_t job, uint32_t rank, uint64_t value);
    void Begin();

    /// All ranks have ended in a round beside traffic.
    void EndRound();

    /// @return why the last rank of a program has ended, now that all have
    LatencyIntervals FindPath(const Job& job) const;

    Ptr<CollectiveDomain> m_domain;              ///< where
    std::vector<Job> m_jobs;                     ///< programs
    Time m_start;                                ///< when they begin
    std::unique_ptr<RoundExplainer> m_explainer; ///< records; null: nothing is recorded
    std::unique_ptr<LoadedRounds> m_rounds;      ///< beside traffic; null: none yet
    uint64_t m_nInside{0};                       ///< ranks that have not ended
};

/// @ingroup wormhole
/// @brief Algorithms by software as GOAL schedules, so that other simulators can run them.
class GoalCollective
{
  public:
    /// @param kind a kind of collective, see CollectiveHelper::GetKindNames
    /// @param name name of an algorithm by software: of data, or else of one value
    /// @param members number of members, each on a host of its own
    /// @param bytes length, as the attribute Bytes; of one value the length of messages
    /// @param root rank of the root
    /// @return the schedule
    /// @throws WormholeError if there is no such algorithm, or it is not by software alone
    static GoalSchedule Make(const std::string& kind,
                             const std::string& name,
                             uint32_t members,
                             uint64_t bytes,
                             uint32_t root = 0);

    /**
     * Puts an algorithm in the place of operations, see GoalConversion::Replace.
     * @param schedule where
     * @param kind kind of collective
     * @param name name of the algorithm
     * @param bytes its length
     * @param root rank of the root, of the schedule
     * @param labels a line for each rank: the rank, and labels of its operations
     * @throws WormholeError as Make, or if there is no such rank or label
     */
    static void Replace(GoalSchedule& schedule,
                        const std::string& kind,
                        const std::string& name,
                        uint64_t bytes,
                        uint32_t root,
                        const std::string& labels);
};

} // namespace ns3

#endif /* GOAL_BENCH_H */
