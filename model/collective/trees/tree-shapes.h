/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_SHAPES_H
#define TREE_SHAPES_H

#include "communication-tree.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-process-hierarchy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// A tree that is filled level by level: process i's children are those of k i + 1 to k i + k that
/// exist.
///
/// With k = 1 this is a chain; with k = processes - 1 the root serves all others itself.
/// @throws WormholeError if there is no process, or k is 0
CommunicationTree MakeKaryTree(uint32_t processes, uint32_t k);

/// A binomial tree: process i's children are the existing processes i + 2^j for all j below the
/// number of trailing zero bits of i.
///
/// Every parent serves its largest subtree first, which is not that of the largest j if the number
/// of processes is not a power of two.
/// @throws WormholeError if there is no process
CommunicationTree MakeBinomialTree(uint32_t processes);

/// Blocks of consecutive processes: a binomial tree of their first processes, each of which then
/// serves the others of its block in turn. This is the broadcast of early MPICH, whose
/// MPIR_BCAST_BLOCK_SIZE was 3; with blocks of 1 it is a binomial tree.
/// @param block number of processes per block; the last one may have fewer
/// @throws WormholeError if block is 0
CommunicationTree MakeBlockTree(uint32_t processes, uint32_t block);

/// Makes a tree by its name.
///
/// - `sequential`: the root serves all others itself
/// - `chain`: each process serves one
/// - `binary`, `kary-K`: see MakeKaryTree
/// - `block-B`: see MakeBlockTree, B processes per block
/// - `binomial`: see MakeBinomialTree
/// - `fibo`: see MakeFiboTree, for the given s and r; only their ratio is significant, and is taken
///   exactly, in units of ns-3's time resolution
/// - `fibo-S-R`: the same for other times in the ratio S : R, which are whole numbers
/// - `fibo-levels`, `fibo-composed`: for a hierarchy, see MakeHierarchicalFiboTree and
///   MakeComposedFiboTree; here, with one level, they equal `fibo`
/// @param s time for which a message keeps its sender busy; `fibo` needs more than 0
/// @param r time from then until the receiver is active
/// @throws WormholeError if there is no such tree or no process, or a number is invalid
CommunicationTree MakeCommunicationTree(const std::string& name,
                                        uint32_t processes,
                                        Time s,
                                        Time r);

/// Makes a tree of a hierarchy's processes by its name. All except `fibo-levels` and
/// `fibo-composed` use only the costs of the last level.
/// @param hierarchy the processes; process 0 is the root
/// @throws WormholeError if there is no such tree, or a number or cost is invalid
CommunicationTree MakeCommunicationTree(const std::string& name, const ProcessHierarchy& hierarchy);

bool IsTreeOfLevels(const std::string& name);

/// @return the names that MakeCommunicationTree accepts, for help texts
std::vector<std::string> GetCommunicationTreeNames();

} // namespace ns3

#endif /* TREE_SHAPES_H */
