// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"
#include "ns3/tree-shapes.h"

#include <algorithm>

namespace ns3
{

/// A collective along a binomial tree: in each step everybody who has the vector sends it to one
/// who has not, and a reduction goes the same way backwards (the usual algorithm for short vectors,
/// as in Thakur et al., 2005). With SegmentBytes the segments follow one another.
///
/// Time: broadcast log2(n) (alpha + beta m), reduction log2(n) (alpha + beta m + gamma m). There
/// are n - 1 messages.
///
/// Order is kept where it must be: with rank 0 as the tree's root, subtrees are intervals of ranks;
/// it then sends the result to the root.
static GroupSchedules
MakeBinomial(const ScheduleRequest& request)
{
    return MakeTreeSchedules(MakeBinomialTree(request.members), request);
}

/// A gather, or scatter, along a binomial tree of ranks relative to the root: the member 2^k ranks
/// below another one whose relative rank is a multiple of 2^(k + 1) is its child, and the members
/// of a subtree follow one another, so that a message holds all their parts. A gather goes from the
/// smallest subtrees to the largest, a scatter the other way (Thakur et al., 2005).
///
/// Time, for powers of two: log2(n) alpha + (n - 1) beta m.
static GroupSchedules
MakeBinomialParts(const ScheduleRequest& request)
{
    const auto n = request.members;
    const bool isUp = request.kind == DataKind::GATHER;
    GroupSchedules schedules(request, request.MakeParts());
    std::vector<uint32_t> sizes; // of subtrees, in the order in which they send or receive
    for (uint32_t size = 1; size < n; size *= 2)
    {
        sizes.insert(isUp ? sizes.end() : sizes.begin(), size);
    }
    for (const auto size : sizes)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t child = size; child < n; child += 2 * size)
        {
            const auto lower = (child + request.root) % n;
            const auto upper = (child - size + request.root) % n;
            messages.push_back({isUp ? lower : upper,
                                isUp ? upper : lower,
                                FindRingRanges(lower, std::min(size, n - child), n)});
        }
        schedules.Step(messages);
    }
    return schedules;
}

const SoftwareAlgorithm<MakeBinomial, DataKind::BROADCAST, DataKind::REDUCTION> g_binomial{
    "Binomial"};
const SoftwareAlgorithm<MakeBinomialParts, DataKind::GATHER, DataKind::SCATTER> g_binomialParts{
    "Binomial"};

} // namespace ns3
