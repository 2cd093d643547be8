// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/software-collective.h"

namespace ns3
{

/// A gather, or scatter, in which each other member sends its part to the root, or receives it from
/// there (Thakur et al., 2005). The root takes what comes first first, and sends in the order of
/// ranks from its own upwards.
///
/// Time, of messages of S bytes that keep their sender busy for s + beta_s S, fly for l and keep
/// their receiver busy for r + beta_r S, for parts of m bytes: gather s + beta_s m + l + (n - 1) (r
/// + beta_r m), scatter (n - 1) (s + beta_s m) + l + r + beta_r m.
static GroupSchedules
MakeLinear(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    schedules.Step(ListMessages(n - 1, [&](uint32_t place) -> BlockMessage {
        const auto other = (request.root + 1 + place) % n;
        const bool isUp = request.kind == DataKind::GATHER;
        return {isUp ? other : request.root, isUp ? request.root : other, {{other, 1}}};
    }));
    return schedules;
}

/// An all-to-all in which each member sends all that it has to send, from the next rank on, and
/// then takes all that it receives, what comes first first (Thakur et al., 2005).
///
/// Time, of messages of S bytes that keep their sender busy for s + beta_s S, fly for l and keep
/// their receiver busy for r + beta_r S, with a = s + beta_s m and b = r + beta_r m for parts of m
/// bytes: (n - 1) a + max((n - 1) b, l + b), and a + l + (n - 1) b if that is longer.
static GroupSchedules
MakeLinearAllToAll(const ScheduleRequest& request)
{
    const auto n = request.members;
    GroupSchedules schedules(request, request.MakeParts());
    for (const bool isSend : {true, false})
    {
        for (uint32_t step = 1; step < n; ++step)
        {
            for (uint32_t from = 0; from < n; ++from)
            {
                const auto to = (from + step) % n;
                const auto part = from * n + to;
                if (schedules.layout.GetBytes(part) == 0)
                {
                    continue;
                }
                if (isSend)
                {
                    schedules.members[from].SendBlocks(to, {{part, 1}});
                }
                else
                {
                    schedules.members[to].ReceiveBlocks(ScheduleStep::REPLACE, from, {{part, 1}});
                }
            }
        }
    }
    return schedules;
}

/// A scan along a chain: each member waits for the one before it, combines what comes from the left
/// and passes it on (the linear one of Open MPI; Pjesivac-Grbovic et al., Performance analysis of
/// MPI collective operations, 2007). With SegmentBytes segments follow one another down the chain.
///
/// Time: (n - 1) (alpha + (beta + gamma) m).
///
/// Contributions are always combined in order of ranks.
static GroupSchedules
MakeLinearScan(const ScheduleRequest& request)
{
    GroupSchedules schedules(request, request.MakeSegments());
    for (uint32_t segment = 0; segment < schedules.layout.GetNData(); ++segment)
    {
        for (uint32_t rank = 1; rank < request.members; ++rank)
        {
            schedules.Pass({rank - 1, rank, {{segment, 1}}, ScheduleStep::COMBINE, true});
        }
    }
    return schedules;
}

const SoftwareAlgorithm<MakeLinear, DataKind::GATHER, DataKind::SCATTER> g_linear{"Linear"};
const SoftwareAlgorithm<MakeLinearAllToAll, DataKind::ALL_TO_ALL> g_linearAllToAll{"Linear"};
const SoftwareAlgorithm<MakeLinearScan, DataKind::SCAN> g_linearScan{"Linear"};

} // namespace ns3
