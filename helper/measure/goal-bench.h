// SPDX-License-Identifier: GPL-2.0-only

#ifndef GOAL_BENCH_H
#define GOAL_BENCH_H

#include "wormhole-background-traffic.h"

#include "ns3/collective-domain.h"
#include "ns3/goal-schedule.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/wormhole-worm.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class GoalProgram;

/// @ingroup wormhole
/// @brief Runs programs given in GOAL, a schedule format, together; reports when their ranks end.
///
/// It runs the simulator until no event is left, so nothing else may run in this simulation.
class GoalBench
{
  public:
    /// Makes a bench that runs programs in a collective domain.
    explicit GoalBench(Ptr<CollectiveDomain> domain);
    ~GoalBench();

    /// Adds a program: its rank r runs on host hosts[r], and its messages use the transport
    /// "sendrecv" or "rdma"; throws like Collective::Create.
    void Add(std::shared_ptr<const GoalSchedule> schedule,
             const std::vector<uint32_t>& hosts,
             const std::string& transport);

    /// Enables recording for Explain and ExplainUnderTraffic. Call it before Run, after adding all
    /// programs.
    void Record();

    /// Runs all programs, which start at the same time; throws a WormholeError if a rank waits
    /// forever, or a message is never received.
    void Run();

    /// Repeats all programs in `rounds` rounds under background traffic, see BackgroundTraffic: in
    /// each round, all programs start together; call this once, after Run; throws a WormholeError
    /// if there are no rounds, or the traffic is invalid or overloads the fabric; after an error,
    /// the simulation must be destroyed.
    void RunUnderTraffic(const BackgroundTraffic::Parameters& traffic, uint32_t rounds);

    /// Returns each rank's finish time in each round of RunUnderTraffic, from the round's start.
    const std::vector<std::vector<Time>>& GetRounds(uint32_t program) const
    {
        return m_jobs.at(program).rounds;
    }

    /// Returns each rank's finish time in Run, counted from the program's start.
    const std::vector<Time>& GetFinishTimes(uint32_t program) const
    {
        return m_jobs.at(program).ends;
    }

    /// Explains, after Record and Run, a program's time from its start until its last rank ends, by
    /// consecutive intervals; the intervals' times are counted from the program's start.
    const LatencyIntervals& Explain(uint32_t program) const
    {
        return m_jobs.at(program).path;
    }

    /// Like Explain, for each round of RunUnderTraffic; the intervals include delays by traffic.
    const std::vector<LatencyIntervals>& ExplainUnderTraffic(uint32_t program) const
    {
        return m_jobs.at(program).paths;
    }

    /// Describes a worm in words; requires Record.
    std::string Describe(const Worm& worm) const
    {
        return m_explainer->Describe(worm);
    }

  private:
    struct Job
    {
        Ptr<GoalProgram> program;
        std::vector<Time> present;               ///< when ranks ended, in the current run
        std::vector<Time> ends{};                ///< when ranks ended without traffic
        std::vector<std::vector<Time>> rounds{}; ///< when ranks ended, by round under traffic
        LatencyIntervals path{};                 ///< critical path; empty: not recorded
        std::vector<LatencyIntervals> paths{};   ///< critical path of each round under traffic
    };

    static void Leave(GoalBench* bench, uint32_t job, uint32_t rank, uint64_t value);
    void Begin();

    /// Called when all ranks have ended in a round under traffic.
    void EndRound();

    /// @return the critical path of a program, when all ranks have ended
    LatencyIntervals FindPath(const Job& job) const;

    Ptr<CollectiveDomain> m_domain;              ///< the collective domain
    std::vector<Job> m_jobs;                     ///< programs
    Time m_start;                                ///< start of the programs
    std::unique_ptr<RoundExplainer> m_explainer; ///< recorder; null: not recording
    std::unique_ptr<LoadedRounds> m_rounds;      ///< rounds under traffic; null: none yet
    uint64_t m_nInside{0};                       ///< number of ranks that have not ended
};

/// @ingroup wormhole @brief Converts software algorithms to GOAL schedules, for other simulators.
class GoalCollective
{
  public:
    /// Makes the schedule of a software algorithm, with one member per host; for data, `bytes` is
    /// the algorithm's attribute Bytes; for a value, `bytes` is the messages' length, at most 8
    /// except in a broadcast; throws a WormholeError if no software algorithm has the name.
    static GoalSchedule Make(const std::string& kind,
                             const std::string& name,
                             uint32_t members,
                             uint64_t bytes,
                             uint32_t root = 0);

    /// Replaces operations of a schedule by an algorithm's, see GoalConversion::Replace; each line
    /// of `labels` has a rank and the labels of its operations to replace; the root is `root` if a
    /// line has it, else the first line's rank; throws like Make, or for an unknown rank or label.
    static void Replace(GoalSchedule& schedule,
                        const std::string& kind,
                        const std::string& name,
                        uint64_t bytes,
                        uint32_t root,
                        const std::string& labels);
};

} // namespace ns3

#endif /* GOAL_BENCH_H */
