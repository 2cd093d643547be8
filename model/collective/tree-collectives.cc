/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers, broadcasts and reductions along a tree of members; they differ in the direction alone.

#include "software-collective.h"
#include "tree-schedules.h"

#include "ns3/string.h"

namespace ns3
{

namespace
{

/**
 * A collective along a tree. In a barrier every member sends to its parent when its children have,
 * and the root's result comes down the same path; a reduction is the way up, a broadcast the way
 * down.
 *
 * The tree is MakeCommunicationTree's; fibo is made for the s and r of the root's software and the
 * path from there to another member's host, fibo-levels and fibo-composed for what MakeLevels
 * tells.
 *
 * @tparam SOFTWARE SoftwareBarrier, SoftwareBroadcast or SoftwareReduction
 */
template <class SOFTWARE>
class TreeCollective : public SOFTWARE
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SOFTWARE::template MakeTypeId<TreeCollective>("Tree").AddAttribute(
            "Tree",
            "Its name: sequential, chain, binary, kary-K, binomial, block-B, fibo, fibo-S-R; for "
            "the levels of host, switch and fabric, fibo-levels, as a whole, or fibo-composed, a "
            "Fibo-tree for each.",
            StringValue("binomial"),
            MakeStringAccessor(&TreeCollective::m_tree),
            MakeStringChecker());
        return tid;
    }

    /// @return the members' schedules @param request the group
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        const TreeSchedules schedules(m_tree, request);
        if constexpr (std::is_same_v<SOFTWARE, SoftwareBarrier>)
        {
            return schedules.MakeBarrier();
        }
        else if constexpr (std::is_same_v<SOFTWARE, SoftwareBroadcast>)
        {
            return schedules.MakeBroadcast();
        }
        else
        {
            return schedules.MakeReduction();
        }
    }

  private:
    std::string m_tree; ///< attribute
};

/// A barrier up and down a tree.
using TreeBarrier = TreeCollective<SoftwareBarrier>;
/// A broadcast down a tree.
using TreeBroadcast = TreeCollective<SoftwareBroadcast>;
/// A reduction up a tree.
using TreeReduction = TreeCollective<SoftwareReduction>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(TreeBarrier);
NS_OBJECT_ENSURE_REGISTERED(TreeBroadcast);
NS_OBJECT_ENSURE_REGISTERED(TreeReduction);

} // namespace ns3
