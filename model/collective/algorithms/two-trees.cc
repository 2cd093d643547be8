/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts, reductions and all-reductions of data along two trees at once.

#include "ns3/double-tree.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * A collective along two binary trees at once, each for half of the vector: who passes on segments
 * of one half is a leaf for the other, so that everybody sends and receives all the time (Sanders,
 * Speck and Träff, Two-tree algorithms for full bandwidth broadcast, reduction and scan, 2009; as
 * an all-reduction also NCCL's "double binary trees"). See DoubleTree.
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes
 * in 2 k segments of S = m / (2 k): a broadcast takes about (2 k + 2 log2 n) (alpha + beta S), a
 * reduction the same with gamma S more a step; an all-reduction both, of which the broadcast begins
 * when the first segment has come up. Each member sends m bytes at most in a broadcast or
 * reduction, and there are 2 k (n - 1) messages.
 *
 * Order is kept where it must be: by trees whose subtrees are intervals of ranks, with rank 0
 * above, which sends the result to the root.
 */
struct TwoTreesSchedules
{
    static constexpr const char* NAME = "TwoTrees"; ///< see SoftwareAlgorithm

    static GroupSchedules Make(const ScheduleRequest& request)
    {
        const bool isInOrder = request.keepsOrder && DataKindLaw::Combines(request.kind);
        const auto ranks = MakeRanksFrom(request.members, isInOrder ? 0 : request.root);
        const DoubleTree trees(request.members, isInOrder);
        std::vector<uint32_t> firsts;
        GroupSchedules schedules(request, request.MakeSegments(2, firsts));
        // Messages by step.
        std::vector<std::vector<BlockMessage>> steps;
        const auto add = [&](uint32_t step, const BlockMessage& message) {
            steps.resize(std::max<std::size_t>(steps.size(), step + 1));
            steps[step].push_back(message);
        };
        const auto last = trees.GetLastStart();
        for (const auto& edge : trees.GetEdges())
        {
            const auto up = ranks[edge.child];
            const auto down = ranks[edge.parent];
            for (auto block = firsts[edge.tree]; block < firsts[edge.tree + 1]; ++block)
            {
                const auto later = 2 * (block - firsts[edge.tree]);
                // Up, the steps go backwards, and a result is at the top before it comes down.
                const auto rising = last - edge.start + later;
                if (request.kind != DataKind::BROADCAST)
                {
                    add(rising, {up, down, {{block, 1}}, ScheduleStep::COMBINE, up < down});
                }
                if (request.kind == DataKind::REDUCTION && edge.parent == 0 &&
                    ranks[0] != request.root)
                {
                    add(rising + 1, {ranks[0], request.root, {{block, 1}}});
                }
                if (request.kind != DataKind::REDUCTION)
                {
                    const auto begin = request.kind == DataKind::BROADCAST ? 0 : last + 1;
                    add(begin + edge.start + later, {down, up, {{block, 1}}});
                }
            }
        }
        for (const auto& messages : steps)
        {
            schedules.Step(messages);
        }
        return schedules;
    }
};

} // namespace

/// Registers the algorithms.
static const SoftwareAlgorithm<TwoTreesSchedules,
                               DataKind::BROADCAST,
                               DataKind::REDUCTION,
                               DataKind::ALL_REDUCTION>
    g_twoTreesSchedules;

} // namespace ns3
