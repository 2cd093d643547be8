// SPDX-License-Identifier: GPL-2.0-only

#ifndef BUTTERFLY_SCHEDULES_H
#define BUTTERFLY_SCHEDULES_H

#include "schedule-blocks.h"

#include <functional>
#include <numeric>

namespace ns3
{

/// @return as many radices of 2 as have a product of at most `members`
inline std::vector<uint32_t>
ButterflyTwos(uint32_t members)
{
    std::vector<uint32_t> radices;
    for (; members > 1; members /= 2)
    {
        radices.push_back(2);
    }
    return radices;
}

/// Makes schedules of a butterfly: phase by phase, members whose places differ in one digit only,
/// in the number system of the radices, exchange and combine what they hold. Folded members send to
/// remaining members beforehand, and receive the result afterwards.
/// @param ranks the remaining members, as many as the product of the radices, and folded members
inline GroupSchedules
MakeButterfly(const ScheduleRequest& request,
              const FoldedRanks& ranks,
              const std::vector<uint32_t>& radices)
{
    GroupSchedules schedules(request, request.MakeSegments());
    const BlockRanges all{schedules.layout.GetAll()};
    ranks.AddFolding(schedules, request);
    uint32_t distance = 1;
    for (const auto radix : radices)
    {
        std::vector<BlockMessage> messages;
        for (uint32_t place = 0; place < ranks.GetSize(); ++place)
        {
            const auto digit = place / distance % radix;
            const auto zero = place - digit * distance;
            // Each member sends to the next first, so that no member receives from all at once.
            for (uint32_t i = 1; i < radix; ++i)
            {
                const auto to = zero + (digit + i) % radix * distance;
                messages.push_back({ranks.GetRank(place),
                                    ranks.GetRank(to),
                                    all,
                                    ScheduleStep::COMBINE,
                                    place < to});
            }
        }
        AddExchange(schedules, request, messages);
        distance *= radix;
    }
    if (request.kind != DataKind::REDUCTION)
    {
        ranks.AddUnfolding(schedules, request);
    }
    return schedules;
}

/// Makes schedules of a butterfly of a value, in which the members beyond the product of the
/// radices are folded. In a reduction, ranks are rotated so that the root comes first, and ends it.
inline GroupSchedules
MakeValueButterfly(const ScheduleRequest& request, const std::vector<uint32_t>& radices)
{
    const auto product =
        std::accumulate(radices.begin(), radices.end(), uint32_t{1}, std::multiplies<>());
    const auto first = request.kind == DataKind::BARRIER ? 0 : request.root;
    return MakeButterfly(request,
                         FoldedRanks::Beyond(product, MakeRanksFrom(request.members, first)),
                         radices);
}

} // namespace ns3

#endif /* BUTTERFLY_SCHEDULES_H */
