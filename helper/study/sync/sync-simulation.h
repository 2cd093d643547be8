/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SYNC_SIMULATION_H
#define SYNC_SIMULATION_H

#include "sync-machine.h"
#include "sync-workload.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Runs programs on a machine: a process on every node, and one on the host.
 *
 * A program is a number of supersteps. In each, the host broadcasts what there is to broadcast, one
 * after the other; the nodes take it, compute, wait until messages have arrived, reduce and meet in
 * a barrier, as the workload's rates say: rates that are no multiple of the superstep's are
 * spread evenly. Then the host begins the next one. How it learns that the nodes are through, the
 * paper does not say; here it costs nothing.
 */
class SyncSimulation
{
  public:
    /// @param machine the machine, which must outlive this
    explicit SyncSimulation(const SyncMachine& machine);

    /**
     * Runs one event, all members coming at once. Ends the simulation.
     * @param event the event, not NETWORK_DONE
     * @return until the last member leaves
     */
    Time RunEvent(SyncWorkload::Event event) const;

    /**
     * Runs a workload. Ends the simulation.
     * @param workload the workload
     * @param computePerSecond what its nodes compute in a second of the run that its rates are of,
     *        in s; at least 0
     * @param supersteps number of supersteps, 1 at least
     * @return how long that second takes, in s
     */
    double RunWorkload(const SyncWorkload& workload,
                       double computePerSecond,
                       uint32_t supersteps) const;

  private:
    const SyncMachine& m_machine; ///< the machine
};

} // namespace ns3

#endif /* SYNC_SIMULATION_H */
