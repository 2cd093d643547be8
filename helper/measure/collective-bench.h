/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COLLECTIVE_BENCH_H
#define COLLECTIVE_BENCH_H

#include "wormhole-simulation-progress.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-latency-report.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A group that does one collective, round after round, with arrivals and values of one's
 *        choice: what studies, benchmarks and the Python package measure with.
 *
 * The constructor makes the group, Cross does a round, Dissolve ends it. Each runs the simulator
 * until nothing is left to do, so nothing else should be going on in this simulation; between them
 * simulated time goes on. To measure a collective beside other traffic, see CollectiveTiming.
 */
class CollectiveBench
{
  public:
    /// What the messages of a round crossed.
    struct Traffic
    {
        uint64_t messageHops{0}; ///< links crossed by messages: worms times channels
        uint64_t flitHops{0};    ///< links crossed by flits: flits times channels
    };

    /// Makes the group, and waits until its members may enter.
    /// @param collective a collective without a group
    /// @param domain the fabric's collective domain
    /// @param hosts numbers of the members' hosts, by rank
    /// @throws WormholeError as Collective::Create, or if setting it up came to a stop
    CollectiveBench(Ptr<Collective> collective,
                    Ptr<CollectiveDomain> domain,
                    const std::vector<uint32_t>& hosts);
    ~CollectiveBench();

    CollectiveBench(const CollectiveBench&) = delete;            ///< traces point to it
    CollectiveBench& operator=(const CollectiveBench&) = delete; ///< traces point to it

    /// Does a round, and waits until all members have left.
    /// @param arrivals when each member comes, from now on, by rank; empty: all at once
    /// @param values the members' values, by rank; empty: all 0
    /// @return when the last member left, from the last one's arrival on
    /// @throws WormholeError if the numbers of either are not the group's, a time is negative, a
    ///         value is too wide, or a member does not leave
    Time Cross(const std::vector<Time>& arrivals, const std::vector<uint64_t>& values);

    /// Does rounds back to back: each member comes again as soon as it has left, first all at once.
    /// Waits until all members have left the last one.
    /// @param warmUp rounds before those that count
    /// @param rounds rounds that count, at least 1
    /// @return how long these took each member, by rank
    /// @throws WormholeError if there are no rounds, or a member does not leave
    std::vector<Time> CrossInLoop(uint32_t warmUp, uint32_t rounds);

    /// Has rounds tell how far they are while they are simulated, by the machine's clock. No time
    /// of a round depends on it.
    /// @param tell is told how often members have left, and of how often; returns whether to go on.
    ///        A round that does not is refused as one that members do not leave
    /// @param seconds between two calls
    void SetProgress(ProgressTeller::Tell tell, double seconds)
    {
        m_progress.Set(std::move(tell), seconds);
    }

    /// Has rounds explained from now on, each by GetReport until the next one begins.
    void Record();

    /// Has rounds explained no longer.
    void EndRecording();

    /// @return what the time of the last round went into, from when its first member came to when
    /// the last one left; Record must have been called before
    LatencyReport GetReport() const;

    /// Ends the group, and waits until all it held is free. @return how long that took
    Time Dissolve();

    /// @return how long it took to set up
    Time GetSetup() const
    {
        return m_setup;
    }

    /// @return when members left in the last round, from its start on, by rank
    const std::vector<Time>& GetLeaves() const
    {
        return m_leaves;
    }

    /// @return what members left with in the last round, by rank
    const std::vector<uint64_t>& GetResults() const
    {
        return m_results;
    }

    /// @return what the messages of the last round crossed, if the domain has a fabric
    const Traffic& GetTraffic() const
    {
        return m_traffic;
    }

  private:
    void RunUntilLeft(uint64_t due);
    void Disconnect();
    void Enter(uint32_t rank);
    void EnterAll();
    /// @return what messages have crossed since the fabric was made
    Traffic CountTraffic() const;
    void Leave(uint32_t rank, uint64_t result);
    void Ready(Time duration);
    void Released(Time duration);

    Ptr<Collective> m_collective;                ///< what the group does
    Ptr<CollectiveDomain> m_domain;              ///< where
    std::unique_ptr<RoundExplainer> m_explainer; ///< explains rounds; null: nobody asks
    Time m_setup;                                ///< time to set up
    Time m_release;                              ///< time to end
    Time m_begin;                                ///< of the last round
    uint64_t m_nLeft{0};             ///< times that members have left what was done last
    uint64_t m_loopRounds{0};        ///< rounds of a loop; 0: there is none
    uint64_t m_warmUp{0};            ///< of these, rounds that do not count
    std::vector<uint64_t> m_counts;  ///< rounds of the loop that a member has left, by rank
    std::vector<Time> m_starts;      ///< when those that count began, from the start on, by rank
    std::vector<Time> m_leaves;      ///< by rank, of the last round
    std::vector<uint64_t> m_values;  ///< by rank, of the last round; empty: all 0
    std::vector<uint64_t> m_results; ///< by rank, of the last round
    Traffic m_traffic;               ///< of the last round
    std::vector<EventId> m_entries;  ///< arrivals of the last round
    uint64_t m_nDue{0};              ///< how often members are to leave
    ProgressTeller m_progress;
};

/**
 * @ingroup wormhole
 * @brief Notes how long each round of a collective takes, whatever else a program does: since its
 *        last member came until its last member left, so that waiting for latecomers is no part of
 *        it.
 *
 * Of a broadcast, members that come late find the message there; its root may be the last.
 */
class CollectiveTiming
{
  public:
    /// @param collective the collective, with a group or before it has one
    explicit CollectiveTiming(Ptr<Collective> collective);
    ~CollectiveTiming();

    CollectiveTiming(const CollectiveTiming&) = delete;            ///< traces point to it
    CollectiveTiming& operator=(const CollectiveTiming&) = delete; ///< traces point to it

    /// @return how long rounds took that all members have left, in order
    std::vector<Time> GetDurations() const;

    /// @return mean, least and greatest of these in us, and how many there are, for people
    /// @param with99 whether to tell what 99 % of them do not exceed, too
    std::string ToText(bool with99 = false) const;

  private:
    struct Round
    {
        Time lastEnter;    ///< when the last member came, so far
        Time lastLeave;    ///< when the last member left, so far
        uint32_t nLeft{0}; ///< members that have left
    };

    void Enter(uint32_t rank, uint64_t value);
    void Leave(uint32_t rank, uint64_t result);
    /// @return the round that a member is in, one later each time
    Round& GetNext(std::vector<uint32_t>& rounds, uint32_t rank);

    Ptr<Collective> m_collective;    ///< the collective
    std::vector<Round> m_rounds;     ///< its rounds
    std::vector<uint32_t> m_entered; ///< rounds entered, by rank
    std::vector<uint32_t> m_left;    ///< rounds left, by rank
};

/// @ingroup wormhole
/// @brief Tells what the time of a collective's rounds went into, each from when its last member
///        came to when the last one left: of the slowest, and on average by cause; and in how much
///        of it traffic is in the way, if it is.
/// @param explainer has recorded them
/// @param collective the collective
/// @param rounds how many it has done, from 1 on
/// @return text of some lines
std::string ExplainRounds(const RoundExplainer& explainer,
                          const Ptr<Collective>& collective,
                          uint64_t rounds);

} // namespace ns3

#endif /* COLLECTIVE_BENCH_H */
