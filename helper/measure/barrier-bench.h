/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BARRIER_BENCH_H
#define BARRIER_BENCH_H

#include "ns3/barrier.h"
#include "ns3/collective-helper.h"
#include "ns3/fabric-graph.h"
#include "ns3/wormhole-helper.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief One fabric on which barriers are measured, one group after the other.
 *
 * CreateGroup makes the group, Cross lets all members come at one instant, as often as you like,
 * and Dissolve ends it. Each of them runs the simulator until nothing is left to do, so nothing
 * else should be going on in this simulation; between them simulated time goes on.
 */
class BarrierBench
{
  public:
    /// What one barrier took.
    struct Crossing
    {
        Time latency;            ///< since all members came until the last one left
        uint64_t messageHops{0}; ///< links crossed by messages: worms times channels
        uint64_t flitHops{0};    ///< links crossed by flits: flits times channels
    };

    /**
     * Builds the fabric.
     * @param graph its graph
     * @param fabrics builds its switches, interfaces and cables
     * @param collectives gives it hosts' software and switches' collective units
     */
    BarrierBench(const FabricGraph& graph,
                 const WormholeHelper& fabrics,
                 const CollectiveHelper& collectives);

    /// @return the fabric's collective domain
    Ptr<CollectiveDomain> GetDomain() const;

    /**
     * Makes a group, and waits until its members may enter.
     * @param barrier a barrier without a group
     * @param hosts the members' hosts
     * @throws WormholeError as Collective::Create, or if setting it up came to a stop
     */
    void CreateGroup(Ptr<Barrier> barrier, const std::vector<uint32_t>& hosts);

    /**
     * Lets all members enter at one instant, and waits until all have left.
     * @param barrier a barrier whose group CreateGroup has made
     * @return what it took
     * @throws WormholeError if not all members left
     */
    Crossing Cross(Ptr<Barrier> barrier);

    /**
     * Ends the group, and waits until all it held in the fabric is free.
     * @param barrier a barrier whose group CreateGroup has made
     */
    void Dissolve(Ptr<Barrier> barrier);

  private:
    /// Lets all members enter. @param barrier the barrier
    static void EnterAll(Ptr<Barrier> barrier);

    Ptr<CollectiveDomain> m_domain; ///< the fabric's collective domain
};

} // namespace ns3

#endif /* BARRIER_BENCH_H */
