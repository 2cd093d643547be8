/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

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

/**
 * @ingroup wormhole
 * @brief A group that performs one collective round by round, under background traffic of all
 *        hosts.
 *
 * The group is created, and performs one round, before the traffic starts. After a warm-up of the
 * traffic, the measured rounds follow, see BackgroundTraffic: in each, all members arrive at once.
 * Traffic ends with the last round.
 */
class LoadedBench
{
  public:
    /// Parameters of the background traffic.
    using Traffic = BackgroundTraffic::Parameters;

    /// Thrown when the traffic overloads the fabric.
    using Overload = BacklogLimit::Overload;

    /// Creates the group, and the traffic.
    /// @param collective a collective without a group
    /// @param domain the collective domain of a fabric without other users
    /// @param hosts numbers of the members' hosts, by rank
    /// @param traffic the background traffic
    /// @throws WormholeError as Collective::Create, if there is no fabric, or the traffic is
    ///         invalid
    LoadedBench(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                const Traffic& traffic);

    /// Creates traffic for an existing group.
    /// @param collective a collective whose group is ready
    /// @param unloaded time of a round without traffic
    /// @param traffic the background traffic
    /// @throws WormholeError if there is no fabric, or the traffic is invalid
    LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic);
    ~LoadedBench();

    LoadedBench(const LoadedBench&) = delete;            ///< traces point to it
    LoadedBench& operator=(const LoadedBench&) = delete; ///< traces point to it

    /// Performs rounds under traffic, once, and waits until all worms have arrived.
    /// @param rounds number of rounds, at least 1
    /// @return time of each, until its last member left
    /// @throws WormholeError if there are no rounds, or a member does not leave; an Overload if the
    ///         traffic overloads the fabric. The simulation must be destroyed then: worms are still
    ///         in flight
    std::vector<Time> Cross(uint32_t rounds);

    /// Enables progress reports of Cross, by wall-clock time. They do not affect simulated times.
    /// @param tell receives the numbers of completed and of all rounds; returns whether to
    ///        continue. Rounds that are stopped are refused like rounds that do not end
    /// @param seconds interval between calls
    void SetProgress(ProgressTeller::Tell tell, double seconds)
    {
        m_progress.Set(std::move(tell), seconds);
    }

    /// Enables recording of each round of Cross. Call it before Cross: no worms may be in flight.
    void Record();

    /// Explains the latency of a round of Cross; after Record. Background worms are identified by
    /// their hosts.
    /// @param round its number, from 1
    /// @return intervals of simulated time, from the members' arrival to the last one's departure.
    ///         This object must outlive it
    LatencyReport GetReport(uint32_t round) const;

    /// @return these intervals, by round from 0; empty without Record
    const std::vector<LatencyIntervals>& GetPaths() const
    {
        return m_paths;
    }

    /// @return by rank, the sum of its round times
    const std::vector<Time>& GetSums() const
    {
        return m_sums;
    }

  private:
    /// Reports progress, and stops the simulation on request.
    void Enter();
    void Leave(uint32_t rank, uint64_t result);

    Ptr<Collective> m_collective;
    Time m_unloaded; ///< time of a round without traffic
    LoadedRounds m_rounds;
    std::unique_ptr<RoundExplainer> m_explainer; ///< explains rounds; null: not recording
    ProgressTeller m_progress;
    uint32_t m_nMembers;                   ///< number of members
    uint32_t m_nLeft{0};                   ///< members that have left this round
    std::vector<Time> m_durations;         ///< times of completed rounds
    std::vector<LatencyIntervals> m_paths; ///< their critical paths, if recorded
    std::vector<Time> m_sums;              ///< by rank, the sum of its round times
};

} // namespace ns3

#endif /* LOADED_BENCH_H */
