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
/// @brief A group that performs one collective round by round, under background traffic of all
///        hosts.
///
/// The group is created, and performs one round, before the traffic starts. After the traffic's
/// warm-up, the measured rounds follow, see BackgroundTraffic: in each, all members arrive at once.
/// Traffic ends with the last round.
class LoadedBench
{
  public:
    /// Parameters of the background traffic.
    using Traffic = BackgroundTraffic::Parameters;

    /// Thrown when the traffic overloads the fabric.
    using Overload = BacklogLimit::Overload;

    /// Creates the traffic, and the group on hosts listed by rank; nothing else may use the fabric;
    /// throws as Collective::Create, or if there is no fabric, or the traffic is invalid.
    LoadedBench(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                const Traffic& traffic);

    /// Creates traffic for a group that is ready; `unloaded` is the time that a round takes without
    /// traffic; throws a WormholeError if there is no fabric, or the traffic is invalid.
    LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic);
    ~LoadedBench();

    /// Performs rounds under traffic, waits until all worms have arrived, and returns each round's
    /// time until its last member left; call it once; if there are no rounds, or a member does not
    /// leave, throws a WormholeError, after which the simulation must be destroyed; if the traffic
    /// overloads the fabric, throws an Overload.
    std::vector<Time> Cross(uint32_t rounds);

    /// Enables reports on how many of the rounds of Cross are completed, see
    /// CollectiveBench::SetProgress.
    void SetProgress(ProgressListener listener, double seconds)
    {
        m_progress.Set(std::move(listener), seconds);
    }

    /// Enables recording of each round of Cross. Call it before Cross: no worms may be in flight.
    void Record();

    /// After Record, explains the latency of a round of Cross (rounds are numbered from 1) by
    /// intervals of simulated time from the members' arrival to the last departure; background
    /// worms are identified by their hosts; this object must outlive the report.
    LatencyReport GetReport(uint32_t round) const;

    /// @return each round's latency intervals, indexed from 0; empty without Record
    const std::vector<LatencyIntervals>& GetPaths() const
    {
        return m_paths;
    }

    /// @return the sum of each member's round times, by rank
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
