// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/butterfly-schedules.h"
#include "ns3/software-collective.h"

namespace ns3
{

/// A barrier by recursive doubling, after Gupta et al. (2002), section 5.1: in step k members whose
/// ranks differ by 2^k exchange messages.
///
/// If the number of members is no power of two, those beyond the greatest below it send to a
/// partner among the others first, and receive from it last: floor(log2 N) + 2 steps. With the
/// attribute Transport rdma it is the paper's barrier, where the receiver tests for its barrier
/// number or a greater one, since a member may be one barrier ahead; here a member sees the write
/// of its own barrier, which comes first.
static GroupSchedules
MakePairwiseExchange(const ScheduleRequest& request)
{
    return MakeValueButterfly(request, ButterflyTwos(request.members));
}

const SoftwareAlgorithm<MakePairwiseExchange, DataKind::BARRIER> g_pairwiseExchange{
    "PairwiseExchange"};

} // namespace ns3
