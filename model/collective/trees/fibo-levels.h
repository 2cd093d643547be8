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

/**
 * @ingroup wormhole
 * @brief A Fibo-tree over a hierarchy, as a whole: Cordsen et al. (1997), section 6. Process 0 is
 *        the root.
 *
 * LevelGrowth tells who should send at which level, and by when all could be active. Its plan is
 * then carried out with the places that there are, message by message in the order of arrival: a
 * message to another group goes to the one whose free places fit best what is to come below it; one
 * that finds its group full goes to another, if that is in time. If not everybody has a place, the
 * next longer time is tried. Where the result takes no longer than GetHierarchyBound, it is
 * optimal. It never takes longer than MakeComposedFiboTree and a Fibo-tree that knows no levels. On
 * one level it is MakeFiboTree.
 *
 * @param hierarchy the processes
 * @return the tree
 * @throws WormholeError if a level that is used has s + c = 0
 */
CommunicationTree MakeHierarchicalFiboTree(const ProcessHierarchy& hierarchy);

/// @ingroup wormhole @brief A Fibo-tree for each level by itself: first among the first processes
/// of the largest groups, then within each of these, and so on; the root's groups begin with the
/// root. @param hierarchy the processes @return the tree @throws WormholeError if a level that is
/// used has s + c = 0
CommunicationTree MakeComposedFiboTree(const ProcessHierarchy& hierarchy);

/// @ingroup wormhole
/// @brief A time that no tree is faster than, by LevelGrowth: on one level that of the Fibo-tree.
///        For groups of more than a thousand processes, or several levels of large ones, it is
///        less close.
/// @param hierarchy the processes
/// @return the time until all are active, at least
/// @throws WormholeError if a level that is used has s + c = 0
Time GetHierarchyBound(const ProcessHierarchy& hierarchy);

} // namespace ns3

#endif /* FIBO_LEVELS_H */
