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
 * @brief A group that does one collective, round after round, beside traffic of all hosts.
 *
 * The group is made, and does one round, before there is traffic. Then traffic runs for some time,
 * and the rounds that count follow one another, see BackgroundTraffic: in each, all members come at
 * once. Traffic ends with the last round.
 */
class LoadedBench
{
  public:
    /// What there is beside the collective.
    using Traffic = BackgroundTraffic::Parameters;

    /// The traffic is more than the fabric takes.
    using Overload = BacklogLimit::Overload;

    /// Makes the group, and the traffic.
    /// @param collective a collective without a group
    /// @param domain the collective domain of a fabric that nothing else uses
    /// @param hosts numbers of the members' hosts, by rank
    /// @param traffic what there is beside it
    /// @throws WormholeError as Collective::Create, if there is no fabric, or the traffic can't be
    LoadedBench(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const std::vector<uint32_t>& hosts,
                const Traffic& traffic);

    /// Makes the traffic beside a group that there is.
    /// @param collective a collective whose group is ready
    /// @param unloaded how long a round takes without traffic
    /// @param traffic what there is beside it
    /// @throws WormholeError if there is no fabric, or the traffic can't be
    LoadedBench(Ptr<Collective> collective, Time unloaded, const Traffic& traffic);
    ~LoadedBench();

    LoadedBench(const LoadedBench&) = delete;            ///< traces point to it
    LoadedBench& operator=(const LoadedBench&) = delete; ///< traces point to it

    /// Does rounds beside traffic, once, and waits until all worms have arrived.
    /// @param rounds how many, at least 1
    /// @return how long each took, until its last member left
    /// @throws WormholeError if there are no rounds, or a member does not leave; an Overload if the
    ///         traffic is more than the fabric takes. The simulation must be destroyed then: worms
    ///         are still on their way
    std::vector<Time> Cross(uint32_t rounds);

    /// Has Cross tell how far it is while it is simulated, by the machine's clock. No time of a
    /// round depends on it.
    /// @param tell is told how many rounds are done, and of how many; returns whether to go on.
    /// What does not is refused as rounds that come to a stop
    /// @param seconds between two calls
    void SetProgress(ProgressTeller::Tell tell, double seconds)
    {
        m_progress.Set(std::move(tell), seconds);
    }

    /// Has Cross explain each round. Before Cross: no worms may be on their way.
    void Record();

    /// Tells why a round of Cross took as long as it did; after Record. Worms of the traffic are
    /// named by their hosts.
    /// @param round its number, from 1 on
    /// @return intervals of simulated time, from when the members came to when the last one left.
    ///         This must outlive it
    LatencyReport GetReport(uint32_t round) const;

    /// @return these intervals, by round from 0 on; none without Record
    const std::vector<LatencyIntervals>& GetPaths() const
    {
        return m_paths;
    }

    /// @return by rank, how long rounds took until it left, all together
    const std::vector<Time>& GetSums() const
    {
        return m_sums;
    }

  private:
    /// Tells how far it is, and stops the simulation if that is wanted.
    void Enter();
    void Leave(uint32_t rank, uint64_t result);

    Ptr<Collective> m_collective;                ///< what the group does
    Time m_unloaded;                             ///< how long a round takes without traffic
    LoadedRounds m_rounds;                       ///< what is done
    std::unique_ptr<RoundExplainer> m_explainer; ///< explains rounds; null: nobody asks
    ProgressTeller m_progress;
    uint32_t m_nMembers;                   ///< number of members
    uint32_t m_nLeft{0};                   ///< members that have left this round
    std::vector<Time> m_durations;         ///< of rounds that are done
    std::vector<LatencyIntervals> m_paths; ///< why they took so long, if that is asked
    std::vector<Time> m_sums;              ///< by rank, of these until it left
};

} // namespace ns3

#endif /* LOADED_BENCH_H */
