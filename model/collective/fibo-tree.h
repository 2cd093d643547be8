/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIBO_TREE_H
#define FIBO_TREE_H

#include "communication-tree.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The tree that is first to have a message at all processes, after Cordsen et al. (1997),
 *        section 4.
 *
 * With f of FiboSequence and t the first step with f(t) >= processes, the root's subtrees are those
 * of the times t - s - r, t - 2 s - r, and so on, as long as these are not negative, and theirs
 * likewise. If f(t) is more than there are processes, only such are left out as would have been the
 * last ones; those below earlier children first. Every parent serves its largest subtree first.
 * Subtrees are numbered in the order served, each process just before those below it.
 *
 * The listing in the paper has a recurrence of its own, which contradicts its equation (2); this is
 * equation (2). With r = 0 this is a binomial tree.
 *
 * @param processes number of processes
 * @param s steps that a message keeps its sender busy
 * @param r steps from then until the receiver is active
 * @return the tree
 * @throws WormholeError if there is no process, or as FiboSequence
 */
CommunicationTree MakeFiboTree(uint32_t processes, uint64_t s, uint64_t r);

} // namespace ns3

#endif /* FIBO_TREE_H */
