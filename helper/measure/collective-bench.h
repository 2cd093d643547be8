// SPDX-License-Identifier: GPL-2.0-only

#ifndef COLLECTIVE_BENCH_H
#define COLLECTIVE_BENCH_H

#include "wormhole-simulation-progress.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/round-explainer.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-latency-report.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/// @ingroup wormhole
/// @brief A group that performs one collective round by round, with given arrivals and values: the
///        basis of studies, benchmarks and the Python package.
///
/// The constructor creates the group, Cross performs a round, Dissolve releases the group. Each
/// call runs the simulator until no event is left or, in a fabric with outages, until the call's
/// own work is done; so nothing else may run in this simulation. Simulated time continues from one
/// call to the next. To measure a collective next to other traffic, use CollectiveTiming.
class CollectiveBench
{
  public:
    /// Channel crossings of a round's messages.
    struct Traffic
    {
        uint64_t messageHops{0}; ///< channels crossed, summed over worms
        uint64_t flitHops{0};    ///< channels crossed, summed over flits
    };

    /// Creates the group on hosts, listed by rank, and waits until its members may enter; throws as
    /// Collective::Create, or if the group's set-up does not end.
    CollectiveBench(Ptr<Collective> collective,
                    Ptr<CollectiveDomain> domain,
                    const std::vector<uint32_t>& hosts);
    ~CollectiveBench();

    /// Describes what outages in a domain's fabric have lost; empty if nothing was lost.
    static std::string DescribeLosses(const CollectiveDomain& domain)
    {
        const auto lost = domain.IsIdeal() ? 0 : domain.GetFabric()->GetCounts().flitsLost;
        return lost > 0
                   ? "outages lost " + std::to_string(lost) + " flits, of its messages or others"
                   : "";
    }

    /// Performs a round, and returns the time from the last arrival to the last departure; the
    /// arrivals (counted from the round's start) and the values are listed by rank; an empty list
    /// stands for zeros; throws a WormholeError if a list has the wrong size, a time is
    /// negative, a value is too wide, or a member does not leave.
    Time Cross(const std::vector<Time>& arrivals, const std::vector<uint64_t>& values);

    /// Performs warm-up rounds, then measured rounds, back to back: all members enter the first
    /// round at once, and each enters the next as soon as it has left; returns, by rank, the total
    /// time of the measured rounds; throws a WormholeError if `rounds` is 0 or a round never ends.
    std::vector<Time> CrossInLoop(uint32_t warmUp, uint32_t rounds);

    /// Tells the listener, every `seconds` of wall-clock time, how many of the expected departures
    /// have happened; this does not affect simulated times; if the listener returns false, the
    /// round stops with the same error as if a member had not left.
    void SetProgress(ProgressListener listener, double seconds)
    {
        m_progress.Set(std::move(listener), seconds);
    }

    /// Enables recording for GetReport, whose report is valid until the next round begins.
    void Record()
    {
        m_explainer.reset(); // at most one may exist
        m_explainer = std::make_unique<RoundExplainer>(m_domain);
    }

    /// Disables recording.
    void EndRecording()
    {
        m_explainer.reset();
    }

    /// After Record, explains the last round's time, from its first arrival to its last departure.
    LatencyReport GetReport() const
    {
        const auto& explainer = *m_explainer;
        return {explainer.Explain(*m_collective, m_collective->GetRound(0)),
                [&explainer](const Worm& worm) { return explainer.Describe(worm); }};
    }

    /// Adds members on the hosts `joining`, removes the ranks `leaving`, waits until members may
    /// enter, and returns the time taken; throws like Grow and Leave, or if the set-up never ends.
    Time Change(const std::vector<uint32_t>& joining, const std::vector<uint32_t>& leaving);

    /// Releases the group, waits until its resources are free, and returns how long this took.
    Time Dissolve()
    {
        m_collective->Release();
        Simulator::Run();
        return m_release;
    }

    /// @return duration of the group's last set-up or change
    Time GetSetup() const
    {
        return m_setup;
    }

    /// @return departure times of the last round, from the start of Cross or CrossInLoop, by rank
    const std::vector<Time>& GetLeaves() const
    {
        return m_leaves;
    }

    /// @return the members' results of the last round, by rank
    const std::vector<uint64_t>& GetResults() const
    {
        return m_results;
    }

    /// @return channel crossings of the messages of the last Cross or CrossInLoop; 0: no fabric
    const Traffic& GetTraffic() const
    {
        return m_traffic;
    }

  private:
    void RunUntilReady(); ///< Runs until the group is set up. @throws WormholeError if it never is
    void RunUntilLeft(uint64_t due);
    void Disconnect();

    /// If the fabric can have outages, stops the simulation now, without waiting for later outages.
    void StopEarly() const
    {
        if (m_stopsEarly)
        {
            Simulator::Stop();
        }
    }

    void Enter(uint32_t rank)
    {
        m_collective->Enter(rank, m_values.empty() ? 0 : m_values[rank]);
    }

    void EnterAll()
    {
        for (uint32_t rank = 0; rank < m_leaves.size(); ++rank)
        {
            Enter(rank);
        }
    }

    /// @return number of all channel crossings since the fabric was created
    Traffic CountTraffic() const;
    void Leave(uint32_t rank, uint64_t result);

    void Ready(Time duration)
    {
        m_setup = duration;
        StopEarly();
    }

    void Released(Time duration)
    {
        m_release = duration;
        StopEarly();
    }

    Ptr<Collective> m_collective;
    Ptr<CollectiveDomain> m_domain;              ///< the collective's domain
    bool m_stopsEarly;                           ///< whether the fabric can have outages
    std::unique_ptr<RoundExplainer> m_explainer; ///< explains rounds; null: not recording
    Time m_setup;                                ///< set-up time
    Time m_release;                              ///< release time
    Time m_begin;                                ///< start of the last round
    uint64_t m_nLeft{0};                         ///< number of departures in the current call
    uint64_t m_loopRounds{0};                    ///< number of rounds of a loop; 0: no loop
    uint64_t m_warmUp{0};                        ///< number of unmeasured rounds of the loop
    std::vector<uint64_t> m_counts;              ///< number of loop rounds completed, by rank
    std::vector<Time> m_starts;                  ///< start of the measured rounds, by rank
    std::vector<Time> m_leaves;                  ///< departure times in the last round, by rank
    std::vector<uint64_t> m_values;  ///< values of the last round, by rank; empty: all 0
    std::vector<uint64_t> m_results; ///< results of the last round, by rank
    Traffic m_traffic;               ///< channel crossings of the last round
    std::vector<EventId> m_entries;  ///< events of the last round's arrivals
    uint64_t m_nDue{0};              ///< total number of departures expected
    SimulationProgress m_progress;
};

/// @ingroup wormhole
/// @brief Records, in any program, the time of each round of a collective, from the round's last
///        arrival to its last departure. Waiting for late members is thus excluded.
///
/// If a broadcast's message waits at a host for the last member, the recorded time is short.
class CollectiveTiming
{
  public:
    /// Records the rounds of a collective, which need not have a group yet.
    explicit CollectiveTiming(Ptr<Collective> collective);
    ~CollectiveTiming();

    CollectiveTiming(const CollectiveTiming&) = delete;            ///< not copyable
    CollectiveTiming& operator=(const CollectiveTiming&) = delete; ///< not copyable

    /// @return times of completed rounds, in order; the group must have kept its members
    std::vector<Time> GetDurations() const;

    /// Gives the rounds' mean, minimum, maximum (us) and number; `with99` adds the 99th percentile.
    std::string ToText(bool with99 = false) const;

  private:
    struct Round
    {
        Time lastEnter;    ///< last arrival so far
        Time lastLeave;    ///< last departure so far
        uint32_t nLeft{0}; ///< number of members that have left
    };

    void Enter(uint32_t rank, uint64_t)
    {
        auto& round = GetNext(m_entered, rank);
        round.lastEnter = std::max(round.lastEnter, Simulator::Now());
    }

    void Leave(uint32_t rank, uint64_t)
    {
        auto& round = GetNext(m_left, rank);
        round.lastLeave = std::max(round.lastLeave, Simulator::Now());
        ++round.nLeft;
    }

    Round& GetNext(std::vector<uint32_t>& rounds, uint32_t rank)
    {
        rounds.resize(std::max<std::size_t>(rounds.size(), rank + 1), 0);
        const auto round = rounds[rank]++;
        m_rounds.resize(std::max<std::size_t>(m_rounds.size(), round + 1));
        return m_rounds[round];
    }

    Ptr<Collective> m_collective;    ///< the collective
    std::vector<Round> m_rounds;     ///< its rounds
    std::vector<uint32_t> m_entered; ///< rounds entered, by rank
    std::vector<uint32_t> m_left;    ///< rounds left, by rank
};

/// @ingroup wormhole
/// @brief Explains the time of a collective's rounds, each from its last arrival to its last
///        departure: gives the breakdown of the slowest round, and each cause's share of the total
///        time of all rounds; with background traffic, also the traffic's share of that total.
std::string ExplainRounds(const RoundExplainer& explainer,
                          const Ptr<Collective>& collective,
                          uint64_t rounds);

} // namespace ns3

#endif /* COLLECTIVE_BENCH_H */
