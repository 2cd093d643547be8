/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIBO_LEVELS_H
#define FIBO_LEVELS_H

#include "communication-tree.h"

#include "ns3/nstime.h"
#include "ns3/wormhole-process-hierarchy.h"

namespace ns3
{

/// A Fibo-tree over a whole hierarchy: Cordsen et al. (1997), section 6. Process 0 is the root.
///
/// LevelGrowth determines the levels of messages, and the earliest time at which all processes
/// could be active. Its plan is then carried out with the available places, message by message in
/// the order of arrival: a message to another group goes to the one whose free places best match
/// the planned subtree; if its group is full, it goes to another one, provided that is in time. If
/// some processes remain without a place, the next longer time is tried. If the result takes no
/// longer than GetHierarchyBound, it is optimal. It is never slower than MakeComposedFiboTree or a
/// Fibo-tree that ignores levels. With one level it is MakeFiboTree.
/// @throws WormholeError if a level that is used has s + c = 0
CommunicationTree MakeHierarchicalFiboTree(const ProcessHierarchy& hierarchy);

/// A Fibo-tree for each level separately: first among the first processes of the
/// largest groups, then within each of these, and so on; the root's groups begin with the root.
/// @throws WormholeError if a level that is used has s + c = 0
CommunicationTree MakeComposedFiboTree(const ProcessHierarchy& hierarchy);

/// A lower bound of the time of any tree, by LevelGrowth; with one level, the time of the
/// Fibo-tree. It is less tight for groups of more than a thousand processes, or several levels of
/// large ones.
/// @return lower bound of the time until all are active
/// @throws WormholeError if a level that is used has s + c = 0
Time GetHierarchyBound(const ProcessHierarchy& hierarchy);

} // namespace ns3

#endif /* FIBO_LEVELS_H */
