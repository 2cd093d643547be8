// SPDX-License-Identifier: GPL-2.0-only

// The algorithms tree, chain, binary, unicast and mpich: TreeSchedules, each with its own tree.

#include "ns3/new-type.h"
#include "ns3/ordering.h"
#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

#include <algorithm>

namespace ns3
{

namespace
{

std::vector<MessageCost>
GetSwitchCosts(const ScheduleRequest& request, const std::vector<uint32_t>& hosts)
{
    std::map<uint32_t, uint32_t> firsts; // first host of each switch
    Time near = request.r;
    bool isNearKnown = false;
    for (const auto host : hosts)
    {
        const auto [first, isNew] = firsts.emplace(request.paths->GetSwitch(host), host);
        if (!isNew && !isNearKnown && first->second != host)
        {
            near = request.paths->GetPath(first->second, host).r;
            isNearKnown = true;
        }
    }
    Time far(0);
    for (const auto& [number, host] : firsts)
    {
        if (number != request.paths->GetSwitch(hosts.front()))
        {
            far += request.paths->GetPath(hosts.front(), host).r;
        }
    }
    const auto nOthers = static_cast<int64_t>(firsts.size()) - 1;
    return {{request.s, near, Time(0)},
            {request.s, nOthers > 0 ? Time(far.GetTimeStep() / nOthers) : near, Time(0)}};
}

/// The hierarchy of a group's members, from the smallest groups on: tasks of a host, which exchange
/// flags; hosts of a switch; all others. An ideal network has its own levels.
///
/// Between hosts of different switches, r is that of the root's messages to one host of each other
/// switch, on average. A flag that takes no time counts as one unit.
/// @param ranks ranks of the members, by their number in the hierarchy
ProcessHierarchy
MakeLevels(const ScheduleRequest& request, const std::vector<uint32_t>& ranks)
{
    const auto hosts = MadeOf(ranks, [&](auto rank) { return request.GetHost(rank); });
    std::vector<MessageCost> costs{{std::max(request.flag, Time(1)), request.flag, Time(0)}};
    std::vector<std::vector<uint32_t>> groups{hosts};
    const auto addGroups = [&](const auto& groupOf) { groups.push_back(MadeOf(hosts, groupOf)); };
    if (request.levels)
    {
        for (uint32_t level = 1; level <= request.levels->GetNLevels(); ++level)
        {
            costs.push_back(request.levels->GetCost(level));
            if (level < request.levels->GetNLevels())
            {
                addGroups([&](auto host) { return request.levels->GetGroup(level, host); });
            }
        }
    }
    else if (request.paths)
    {
        const auto between = GetSwitchCosts(request, hosts);
        costs.insert(costs.end(), between.begin(), between.end());
        addGroups([&](auto host) { return request.paths->GetSwitch(host); });
    }
    else
    {
        costs.push_back({request.s, request.r, Time(0)});
    }
    return ProcessHierarchy(static_cast<uint32_t>(ranks.size()), costs, groups);
}

/// A collective along a tree by its name, see MakeCommunicationTree: down (broadcast, scatter), up
/// (reduction, gather), or up and then down (barrier, all-reduction): every member sends to its
/// parent when its children have, and the root's result comes down the same path. With SegmentBytes
/// the segments follow one another.
///
/// Tree fibo is made for the s and r that a message, of data one of the vector or of a segment, has
/// at the root (Cordsen, Pohl and Schröder-Preikschat, Performance considerations in software
/// multicasts, 1997), fibo-levels and fibo-composed for what MakeLevels tells.
///
/// Time of a broadcast, a segment and a vector being the same, is the tree's in the (s, r) model;
/// see TreeCost. There are n - 1 messages a segment, in an all-reduction 2 (n - 1). In a scatter or
/// gather a child's message holds the parts of its subtree.
///
/// Order is kept where it must be: the tree's processes are then numbered such that subtrees are
/// intervals of ranks, and rank 0 sends the result to the root. Trees of levels place their
/// processes by host, so that binomial serves instead.
class TreeCollective : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("Tree",
                 "The tree's name: sequential, chain, binary, kary-K, binomial, block-B, fibo, "
                 "fibo-S-R; or, by the levels of host, switch and fabric, fibo-levels (one tree) "
                 "or fibo-composed (a Fibo-tree per level).",
                 Sets::Text(&TreeCollective::m_tree, "binomial"));
    }

    bool UsesCosts() const override
    {
        return m_tree == "fibo" || IsTreeOfLevels(m_tree);
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        const auto n = request.members;
        const bool isInOrder = request.keepsOrder && DataKindInvariant::Combines(request.kind);
        if (isInOrder && IsTreeOfLevels(m_tree))
        {
            return FallBackOn(request, "binomial", m_tree + " does not combine in order of ranks");
        }
        // Values have always gone by ranks in order, data by ranks from the root on.
        const auto ranks = MovesData() ? MakeRanksFrom(n, request.root) : RootFirst(request);
        const auto tree = IsTreeOfLevels(m_tree)
                              ? MakeCommunicationTree(m_tree, MakeLevels(request, ranks))
                              : MakeCommunicationTree(m_tree, n, request.s, request.r);
        return (isInOrder ? TreeSchedules::MakeInOrder(tree) : TreeSchedules(tree, ranks))
            .Make(request);
    }

  private:
    std::string m_tree;
};

const RegisteredAlgorithm<TreeCollective> g_tree{
    "Tree",
    {DataKind::BARRIER, DataKind::BROADCAST, DataKind::REDUCTION},
    {DataKind::BROADCAST,
     DataKind::REDUCTION,
     DataKind::ALL_REDUCTION,
     DataKind::GATHER,
     DataKind::SCATTER}};

/// A collective along a tree that is filled level by level, in a pipeline: each member passes a
/// segment on to all its children before it takes the next; a reduction goes the same way
/// backwards. With one child each it is a chain: SegmentBytes matters, since without it the whole
/// vector goes from one to the next (pipelined broadcasts, as in Thakur et al., 2005). With two it
/// is a binary tree (Pjesivac-Grbovic et al., Performance analysis of MPI collective operations,
/// 2007, has both).
///
/// Time, in k segments of S = m / k bytes: of a chain (n + k - 2) (alpha + beta S), of a binary
/// tree about 2 (log2(n) + k - 2) (alpha + beta S), as a member has two messages a segment; a
/// reduction with gamma S more a step. There are k (n - 1) messages.
///
/// Order is kept where it must be: the tree's processes are then numbered such that subtrees are
/// intervals of ranks, and rank 0 sends the result to the root.
///
/// @tparam CHILDREN most children of a member: 1 or 2
template <uint32_t CHILDREN>
GroupSchedules
MakePipeline(const ScheduleRequest& request)
{
    return MakeTreeSchedules(MakeKaryTree(request.members, CHILDREN), request);
}

const SoftwareAlgorithm<MakePipeline<1>, DataKind::BROADCAST, DataKind::REDUCTION> g_chain{"Chain"};
const SoftwareAlgorithm<MakePipeline<2>, DataKind::BROADCAST, DataKind::REDUCTION> g_binary{
    "Binary"};

/// A central barrier: every member sends to the root, which combines the values and sends the
/// result to one member after the other.
class UnicastBarrier : public SoftwareCollective
{
  public:
    static void AddTo(NewType, DataKind)
    {
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return TreeSchedules(
                   MakeCommunicationTree("sequential", request.members, request.s, request.r),
                   RootFirst(request))
            .Make(request);
    }
};

const RegisteredAlgorithm<UnicastBarrier> g_unicast{"Unicast", {DataKind::BARRIER}, {}};

/// The broadcast of early MPICH, which knows nothing of the network: see MakeBlockTree.
///
/// Processes are counted from the root on, in the order of ranks, and from the last rank to rank 0.
/// Versions differ in the size of blocks; with 1 it is the binomial tree of later ones.
class MpichBroadcast : public SoftwareCollective
{
  public:
    static void AddTo(NewType type, DataKind)
    {
        type.Add("BlockSize",
                 "Number of members of a block (MPIR_BCAST_BLOCK_SIZE); a block's first member "
                 "serves the others in turn. 1 makes a binomial tree.",
                 Sets::Number(&MpichBroadcast::m_blockSize, 3, 1))
            .Add("SelfCongestion",
                 "Whether a message that would find too many others on a link waits at its "
                 "sender, which knows when all others send; else it waits in the network.",
                 Sets::Flag(&MpichBroadcast::m_selfCongestion));
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return TreeSchedules(MakeBlockTree(request.members, m_blockSize),
                             MakeRanksFrom(request.members, request.root))
            .Make(request, m_selfCongestion);
    }

    bool UsesCosts() const override
    {
        return m_selfCongestion;
    }

  private:
    uint32_t m_blockSize{3};
    bool m_selfCongestion{false};
};

const RegisteredAlgorithm<MpichBroadcast> g_mpich{"Mpich", {DataKind::BROADCAST}, {}};

} // namespace

} // namespace ns3
