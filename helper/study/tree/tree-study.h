/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_STUDY_H
#define TREE_STUDY_H

#include "ns3/nstime.h"
#include "ns3/study-hosts.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Has processes spread messages over a tree, one after the other as BackgroundTraffic has
 * rounds begin; process i is at host i. Ends the simulation.
 * @param hosts where processes are; on an ideal network if there are several levels
 * @param tree name of the tree, as MakeCommunicationTree takes it
 * @param levels the processes, and what messages cost
 * @param rounds how many messages; of several levels one
 * @return when each process is active, by round and process, the root at 0
 * @throws WormholeError if some process never is, or traffic is more than the fabric takes
 */
std::vector<std::vector<Time>> MeasureTree(const StudyHosts& hosts,
                                           const std::string& tree,
                                           const ProcessHierarchy& levels,
                                           uint32_t rounds = 1);

} // namespace ns3

#endif /* TREE_STUDY_H */
