/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives along any tree of members, of a value or of data; they differ in the direction alone.

#include "ns3/schedule-blocks.h"
#include "ns3/schedule-levels.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a tree by its name, see MakeCommunicationTree: down (broadcast, scatter), up
 * (reduction, gather), or up and then down (barrier, all-reduction): every member sends to its
 * parent when its children have, and the root's result comes down the same path. With SegmentBytes
 * the segments follow one another.
 *
 * Tree fibo is made for the s and r that a message, of data one of the vector or of a segment, has
 * at the root (Cordsen, Pohl and Schröder-Preikschat, Performance considerations in software
 * multicasts, 1997), fibo-levels and fibo-composed for what MakeLevels tells.
 *
 * Time of a broadcast, a segment and a vector being the same, is the tree's in the (s, r) model;
 * see TreeCost. There are n - 1 messages a segment, in an all-reduction 2 (n - 1). In a scatter or
 * gather a child's message holds the parts of its subtree.
 *
 * Order is kept where it must be: the tree's processes are then numbered such that subtrees are
 * intervals of ranks, and rank 0 sends the result to the root. Trees of levels place their
 * processes by host, so that binomial serves instead.
 *
 * @tparam KIND class of the kind
 */
template <class KIND>
class TreeCollective : public SoftwareCollective<KIND>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            SoftwareCollective<KIND>::template MakeTypeId<TreeCollective>("Tree").AddAttribute(
                "Tree",
                "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo, fibo-S-R; "
                "for the levels of host, switch and fabric, fibo-levels, as a whole, or "
                "fibo-composed, a Fibo-tree for each.",
                StringValue("binomial"),
                MakeStringAccessor(&TreeCollective::m_tree),
                MakeStringChecker());
        return tid;
    }

    bool UsesCosts() const override
    {
        return m_tree == "fibo" || IsTreeOfLevels(m_tree);
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        const auto n = request.members;
        const bool isInOrder = request.keepsOrder && DataKindLaw::Combines(KIND::THE_KIND);
        if (isInOrder && IsTreeOfLevels(m_tree))
        {
            auto schedules = MakeTreeSchedules(MakeBinomialTree(n), request);
            schedules.fallback = "binomial: " + m_tree + " does not combine in order of ranks";
            return schedules;
        }
        // Values have always gone by ranks in order, data by ranks from the root on.
        const auto ranks = this->IS_DATA ? MakeRanksFrom(n, request.root) : RootFirst(request);
        const auto tree = IsTreeOfLevels(m_tree)
                              ? MakeCommunicationTree(m_tree, MakeLevels(request, ranks))
                              : MakeCommunicationTree(m_tree, n, request.s, request.r);
        return (isInOrder ? TreeSchedules::MakeInOrder(tree) : TreeSchedules(tree, ranks))
            .Make(request);
    }

  private:
    std::string m_tree; ///< attribute
};

/// Registers the algorithm.
const RegisteredKinds<TreeCollective,
                      Barrier,
                      Broadcast,
                      Reduction,
                      DataCollectiveOf<DataKind::BROADCAST>,
                      DataCollectiveOf<DataKind::REDUCTION>,
                      DataCollectiveOf<DataKind::ALL_REDUCTION>,
                      DataCollectiveOf<DataKind::GATHER>,
                      DataCollectiveOf<DataKind::SCATTER>>
    g_tree;

} // namespace

} // namespace ns3
