// SPDX-License-Identifier: GPL-2.0-only

#ifndef LOADED_BENCH_H
#define LOADED_BENCH_H

#include "wormhole-background-traffic.h"
#include "wormhole-simulation-progress.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-latency-report.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class RoundExplainer;

/// @ingroup wormhole
/// @brief A group that performs a collective in rounds, under background traffic of all
///        hosts.
///
/// The group is created, and performs one round, before the traffic starts. After the traffic's
/// warm-up, the measured rounds follow, see BackgroundTraffic: all members enter a round together.
/// The traffic ends with the last round.
class LoadedBench
{
  public:
    /// Parameters of the background traffic.
    using Traffic = BackgroundTraffic::Parameters;

    /// Thrown when the traffic overloads the fabric.
    using Overload = BacklogLimit::Overload;

    /// Creates the traffic, and a group whose rank r is on host hosts[r]; nothing else may use the
    /// fabric; throws like Collective::Create, or if there is no fabric, or the traffic is invalid.
    LoadedBench(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                const Traffic& traffic);

    /// Creates traffic for a group that is ready; `unloaded` is the time that a round takes without
    /// traffic; throws a WormholeError if there is no fabric, or the traffic is invalid.
    LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic);
    ~LoadedBench();

    /// Performs rounds under traffic, waits until all worms have arrived, and returns each round's
    /// time until its last member left; call this once; throws an Overload if the traffic
    /// overloads the fabric, and a WormholeError if there are no rounds or a member does not leave;
    /// after an error, the simulation must be destroyed.
    std::vector<Time> Cross(uint32_t rounds);

    /// Enables reports on how many of the rounds of Cross are completed, see
    /// CollectiveBench::SetProgress.
    void SetProgress(ProgressListener listener, double seconds)
    {
        m_progress.Set(std::move(listener), seconds);
    }

    /// Enables recording of each round of Cross. Call it before Cross, while no worm is in flight.
    void Record();

    /// Explains the latency of a round of Cross, where 1 is the first round; call Record before
    /// Cross; the intervals are in simulated time, from the members' arrival to the last departure;
    /// background worms are described by their hosts' names; this object must outlive the report.
    LatencyReport GetReport(uint32_t round) const;

    /// @return each round's latency intervals, in the order of rounds; empty without Record
    const std::vector<LatencyIntervals>& GetPaths() const
    {
        return m_paths;
    }

    /// @return each member's total time, by rank, summed over all rounds
    const std::vector<Time>& GetSums() const
    {
        return m_sums;
    }

  private:
    void Enter();
    void Leave(uint32_t rank, uint64_t result);

    Ptr<Collective> m_collective;
    Time m_unloaded; ///< time of a round without traffic
    LoadedRounds m_rounds;
    std::unique_ptr<RoundExplainer> m_explainer; ///< explains rounds; null: not recording
    SimulationProgress m_progress;
    uint32_t m_nMembers;                   ///< number of members
    uint32_t m_nLeft{0};                   ///< members that have left this round
    std::vector<Time> m_durations;         ///< times of completed rounds
    std::vector<LatencyIntervals> m_paths; ///< critical paths of these rounds, if recorded
    std::vector<Time> m_sums;              ///< sum of each member's round times, by rank
};

} // namespace ns3

#endif /* LOADED_BENCH_H */
