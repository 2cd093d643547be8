/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Collectives of data along any tree of members.

#include "data-parts.h"
#include "data-tree-schedules.h"
#include "software-data-collective.h"

#include "ns3/schedule-levels.h"
#include "ns3/string.h"
#include "ns3/tree-shapes.h"

namespace ns3
{

namespace
{

/**
 * A collective along a tree by its name, see MakeCommunicationTree: down (broadcast, scatter), up
 * (reduction, gather), or up and then down (all-reduction). With SegmentBytes the segments follow
 * one another. Trees fibo, fibo-levels and fibo-composed are made for the s and r that a message of
 * the vector, or of a segment, has (Cordsen, Pohl and Schröder-Preikschat, Performance
 * considerations in software multicasts, 1997).
 *
 * Time of a broadcast, a segment and a vector being the same, is the tree's in the (s, r) model;
 * see TreeCost. There are n - 1 messages a segment, in an all-reduction 2 (n - 1). In a scatter or
 * gather a child's message holds the parts of its subtree.
 *
 * Order is kept where it must be: the tree's processes are then numbered such that subtrees are
 * intervals of ranks, and rank 0 sends the result to the root. Trees of levels place their
 * processes by host, so that binomial serves instead.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class TreeData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<TreeData>("Tree").AddAttribute(
            "Tree",
            "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo, fibo-S-R; "
            "for the levels of host, switch and fabric, fibo-levels, as a whole, or "
            "fibo-composed, a Fibo-tree for each.",
            StringValue("binomial"),
            MakeStringAccessor(&TreeData::m_tree),
            MakeStringChecker());
        return tid;
    }

    /// @return whether the tree is made for costs
    bool UsesCosts() const override
    {
        return m_tree == "fibo" || IsTreeOfLevels(m_tree);
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        if (!IsTreeOfLevels(m_tree))
        {
            const auto tree = MakeCommunicationTree(m_tree, request.members, request.s, request.r);
            return MakeTreeDataSchedules(tree, request);
        }
        if (DataKindLaw::Combines(KIND) && request.keepsOrder)
        {
            auto schedules = MakeTreeDataSchedules(MakeBinomialTree(request.members), request);
            schedules.fallback = "binomial: " + m_tree + " does not combine in order of ranks";
            return schedules;
        }
        const auto ranks = MakeRanksFrom(request.members, request.root);
        const auto tree = MakeCommunicationTree(m_tree, MakeLevels(request, ranks));
        return MakeTreeDataSchedules(tree, request);
    }

  private:
    std::string m_tree; ///< attribute
};

/// A broadcast down a tree.
using TreeDataBroadcast = TreeData<DataKind::BROADCAST>;
/// A reduction up a tree.
using TreeDataReduction = TreeData<DataKind::REDUCTION>;
/// An all-reduction up and down a tree.
using TreeDataAllReduction = TreeData<DataKind::ALL_REDUCTION>;
/// A gather up a tree.
using TreeDataGather = TreeData<DataKind::GATHER>;
/// A scatter down a tree.
using TreeDataScatter = TreeData<DataKind::SCATTER>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TreeDataBroadcast);
NS_OBJECT_ENSURE_REGISTERED(TreeDataReduction);
NS_OBJECT_ENSURE_REGISTERED(TreeDataAllReduction);
NS_OBJECT_ENSURE_REGISTERED(TreeDataGather);
NS_OBJECT_ENSURE_REGISTERED(TreeDataScatter);

} // namespace ns3
