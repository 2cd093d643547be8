/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_MEASUREMENT_H
#define TREE_MEASUREMENT_H

#include "ns3/nstime.h"
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
     * @param s how long a message keeps its sender busy
     * @param r from then until the receiver is active
     */
    TreeMeasurement(const StudyHosts& hosts, Time s, Time r);

    /**
     * Spreads a message; ends the simulation.
     * @param tree name of the tree, as MakeCommunicationTree takes it
     * @param processes number of processes
     * @return when each process is active, the root at 0
     * @throws WormholeError if some process never is
     */
    std::vector<Time> Run(const std::string& tree, uint32_t processes) const;

  private:
    const StudyHosts& m_hosts; ///< where processes are
    Time m_s;                  ///< how long a message keeps its sender busy
    Time m_r;                  ///< from then until the receiver is active
};

} // namespace ns3

#endif /* TREE_MEASUREMENT_H */
