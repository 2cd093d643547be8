/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOADED_BENCH_H
#define LOADED_BENCH_H

#include "ns3/collective.h"
#include "ns3/event-id.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-traffic.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A group that does one collective, round after round, beside traffic of all hosts.
 *
 * The group is made, and does one round, before there is traffic. Then traffic runs for some time,
 * and the rounds that count follow one another: in each, all members come at once. Between two
 * rounds there is a pause, until what a round has held up is through. Traffic ends with the last
 * round.
 */
class LoadedBench
{
  public:
    /// What there is beside the collective.
    struct Traffic
    {
        double load{0.3};               ///< offered load, over a host's channel
        std::string flits{"64"};        ///< length of worms, see WormLength::Parse
        std::string pattern{"uniform"}; ///< who sends to whom, see WormholeTrafficHelper
        int64_t stream{1};              ///< first of three streams of random numbers
    };

    /// The traffic is more than the fabric takes.
    struct Overload : public WormholeError
    {
        using WormholeError::WormholeError;
    };

    /**
     * Makes the group, and the traffic.
     * @param collective a collective without a group
     * @param domain the collective domain of a fabric that nothing else uses
     * @param graph the graph that the fabric was built from
     * @param hosts numbers of the members' hosts, by rank
     * @param traffic what there is beside it
     * @throws WormholeError as Collective::Create, if there is no fabric, or the traffic can't be
     */
    LoadedBench(Ptr<Collective> collective,
                Ptr<CollectiveDomain> domain,
                const FabricGraph& graph,
                const std::vector<uint32_t>& hosts,
                const Traffic& traffic);
    ~LoadedBench();

    LoadedBench(const LoadedBench&) = delete;            ///< traces point to it
    LoadedBench& operator=(const LoadedBench&) = delete; ///< traces point to it

    /**
     * Does rounds beside traffic, once. The simulation must be destroyed afterwards: worms are
     * still on their way.
     * @param rounds how many, at least 1
     * @return how long each took, until its last member left
     * @throws WormholeError if there are no rounds, or a member does not leave; an Overload if the
     *         traffic is more than the fabric takes
     */
    std::vector<Time> Cross(uint32_t rounds);

    /// @return how long a round takes without traffic
    Time GetUnloaded() const;

  private:
    /// Begins a round, unless worms still wait.
    void Begin();
    /// A member leaves. @param rank the member @param result its result
    void Leave(uint32_t rank, uint64_t result);

    Ptr<Collective> m_collective;   ///< what the group does
    Ptr<CollectiveDomain> m_domain; ///< where
    Ptr<WormholeTraffic> m_traffic; ///< what there is beside it
    double m_load;                  ///< its load
    uint32_t m_nMembers;            ///< number of members
    uint32_t m_rounds{0};           ///< rounds to be done
    uint32_t m_nLeft{0};            ///< members that have left this round
    Time m_pause;                   ///< least time between rounds
    Time m_waited;                  ///< time since the end of the last round
    Time m_begin;                   ///< of this round
    Time m_lastLook;                ///< when a round began, or was to
    Time m_unloaded;                ///< how long a round takes without traffic
    EventId m_event;                ///< begins a round
    std::vector<Time> m_durations;  ///< of rounds that are done
};

} // namespace ns3

#endif /* LOADED_BENCH_H */
