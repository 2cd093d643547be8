/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_MEASUREMENT_H
#define TREE_MEASUREMENT_H

#include "ns3/nstime.h"
#include "ns3/process-hierarchy.h"
#include "ns3/study-hosts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Has processes spread a message over a tree, one process a host, and notes when each has
 *        it. Process i is at host i.
 */
class TreeMeasurement
{
  public:
    /**
     * @param hosts where processes are; must outlive this
     * @param cost what a message costs
     */
    TreeMeasurement(const StudyHosts& hosts, const MessageCost& cost);

    /**
     * Spreads a message; ends the simulation.
     * @param tree name of the tree, as MakeCommunicationTree takes it
     * @param processes number of processes
     * @return when each process is active, the root at 0
     * @throws WormholeError if some process never is
     */
    std::vector<Time> Run(const std::string& tree, uint32_t processes) const;

    /**
     * Spreads a message in a hierarchy, which must be that of an ideal network; ends the
     * simulation.
     * @param tree name of the tree, as MakeCommunicationTree takes it
     * @param hierarchy the processes
     * @return when each process is active, the root at 0
     * @throws WormholeError if some process never is
     */
    std::vector<Time> Run(const std::string& tree, const ProcessHierarchy& hierarchy) const;

    /**
     * Spreads messages one after the other, as TrafficBeside has rounds begin; ends the simulation.
     * @param tree name of the tree, as MakeCommunicationTree takes it
     * @param processes number of processes
     * @param rounds how many messages
     * @return when each process is active, by round and process, the root at 0
     * @throws WormholeError if some process never is, or traffic is more than the fabric takes
     */
    std::vector<std::vector<Time>> RunRounds(const std::string& tree,
                                             uint32_t processes,
                                             uint32_t rounds) const;

  private:
    /**
     * @param tree name of the tree
     * @param levels the processes; one level on a fabric
     * @param task what is run, but for the hosts
     * @return when each process is active, by round
     */
    std::vector<std::vector<Time>> Run(const std::string& tree,
                                       const ProcessHierarchy& levels,
                                       StudyHosts::Task task) const;

    const StudyHosts& m_hosts; ///< where processes are
    MessageCost m_cost;        ///< what a message costs
};

} // namespace ns3

#endif /* TREE_MEASUREMENT_H */
