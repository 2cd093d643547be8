// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/ordering.h"
#include "ns3/software-collective.h"

namespace ns3
{

/// An all-gather in n / 2 steps: first even ranks exchange their parts with the next rank; then
/// each member exchanges, by turns with its other and its first neighbour, the two parts that it
/// received last (Chen, Zhang, Zhang and Yuan, Performance evaluation of allgather algorithms on
/// terascale Linux cluster with fast Ethernet, 2005). Only neighbours in the ring exchange
/// messages, half as many as in a ring. With odd numbers of members the ring serves in its place.
///
/// Time, for even n: n / 2 alpha + (n - 1) beta m.
static GroupSchedules
MakeNeighbourExchangeAllGather(const ScheduleRequest& request)
{
    const auto n = request.members;
    if (n % 2 != 0 && n > 1)
    {
        return FallBackOn(request, "ring", std::to_string(n) + " members are an odd number");
    }
    GroupSchedules schedules(request, request.MakeParts());
    // What each passes on.
    auto last = MadeOfNumbers(n, [](uint32_t rank) { return BlockRange{rank, 1}; });
    for (uint32_t step = 0; step < n / 2; ++step)
    {
        std::vector<BlockMessage> messages;
        std::vector<BlockRange> came(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const bool isUp = (rank + step) % 2 == 0;
            const auto to = isUp ? (rank + 1) % n : (rank + n - 1) % n;
            messages.push_back({rank, to, {last[rank]}});
            came[to] = last[rank];
        }
        schedules.Step(messages);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            last[rank] = step == 0 ? BlockRange{rank / 2 * 2, 2} : came[rank];
        }
    }
    return schedules;
}

const SoftwareAlgorithm<MakeNeighbourExchangeAllGather, DataKind::ALL_GATHER>
    g_neighbourExchangeAllGather{"NeighbourExchange"};

} // namespace ns3
