/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Broadcasts, reductions and all-reductions of data along two trees at once.

#include "data-parts.h"
#include "double-tree.h"
#include "software-data-collective.h"

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
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class TwoTreesData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<TwoTreesData>("TwoTrees");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        const bool isInOrder = request.keepsOrder && DataKindLaw::Combines(KIND);
        const auto ranks = MakeRanksFrom(request.members, isInOrder ? 0 : request.root);
        const DoubleTree trees(request.members, isInOrder);
        std::vector<uint32_t> firsts;
        DataSchedules schedules(request, request.MakeSegments(2, firsts));
        // Messages by step.
        std::vector<std::vector<DataMessage>> steps;
        const auto add = [&](uint32_t step, const DataMessage& message) {
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
                if (KIND != DataKind::BROADCAST)
                {
                    add(rising, {up, down, {{block, 1}}, ScheduleStep::COMBINE, up < down});
                }
                if (KIND == DataKind::REDUCTION && edge.parent == 0 && ranks[0] != request.root)
                {
                    add(rising + 1, {ranks[0], request.root, {{block, 1}}});
                }
                if (KIND != DataKind::REDUCTION)
                {
                    const auto begin = KIND == DataKind::BROADCAST ? 0 : last + 1;
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

/// A broadcast along two trees.
using TwoTreesDataBroadcast = TwoTreesData<DataKind::BROADCAST>;
/// A reduction along two trees.
using TwoTreesDataReduction = TwoTreesData<DataKind::REDUCTION>;
/// An all-reduction along two trees.
using TwoTreesDataAllReduction = TwoTreesData<DataKind::ALL_REDUCTION>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TwoTreesDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(TwoTreesDataReduction);
NS_OBJECT_ENSURE_REGISTERED(TwoTreesDataAllReduction);

} // namespace ns3
