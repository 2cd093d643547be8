// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/tree-schedules.h"

namespace ns3
{

/// @return a number modulo 2^q @param code the same in base -2, its last q digits
static uint32_t
FromNegabinary(uint32_t code, uint32_t modulus)
{
    // Digits of odd places count negative.
    constexpr uint32_t ODD = 0xAAAAAAAA;
    return ((code ^ ODD) - ODD) % modulus;
}

/// Makes a Bine tree of distances that are halved. With 2^q processes, i is written in base -2,
/// modulo 2^q. One that has the vector sends it in step j = q, q - 1, ..., 1 to the process whose
/// last j digits are the opposite of its own; so a process gets it in the step of as many as its
/// last digits that are alike. A number of processes between is folded, as in FoldedRanks: process
/// 2 i serves 2 i + 1 at the end.
static CommunicationTree
MakeBineTree(uint32_t processes)
{
    const FoldedRanks folded(processes, FoldedRanks::NO_ROOT);
    const auto size = folded.GetSize();
    const auto nPairs = processes - size;
    std::vector<std::vector<uint32_t>> children(processes);
    std::vector<uint32_t> codes{0}; // of those that have it
    for (auto mask = size / 2; mask > 0; mask /= 2)
    {
        for (auto i = codes.size(); i-- > 0;)
        {
            const auto other = (codes[i] ^ (2 * mask - 1)) % size;
            children[folded.GetFirst(FromNegabinary(codes[i], size))].push_back(
                folded.GetFirst(FromNegabinary(other, size)));
            codes.push_back(other);
        }
    }
    for (uint32_t pair = 0; pair < nPairs; ++pair)
    {
        children[2 * pair].push_back(2 * pair + 1);
    }
    return CommunicationTree(std::move(children));
}

/// A collective along a Bine (binomial negabinary) tree: a binomial tree whose messages go about a
/// third less far, by turns to higher and to lower ranks, so that fewer of them leave a group of
/// neighbours (De Sensi, Pasqualoni, Piarulli, Bonato, Ba, Turisini, Domke and Hoefler, Bine trees:
/// enhancing collective operations by optimizing communication locality, 2025). With SegmentBytes
/// the segments follow one another.
///
/// Time without contention is that of the binomial tree. It is: broadcast log2(n) (alpha + beta m),
/// reduction log2(n) (alpha + beta m + gamma m). There are n - 1 messages.
///
/// Contributions are not combined in order of ranks, so that with KeepsOrder binomial serves.
static GroupSchedules
MakeBine(const ScheduleRequest& request)
{
    if (DataKindInvariant::Combines(request.kind) && request.keepsOrder)
    {
        return FallBackOn(request, "binomial", "a Bine tree does not combine in order of ranks");
    }
    return MakeTreeSchedules(MakeBineTree(request.members), request);
}

const SoftwareAlgorithm<MakeBine, DataKind::BROADCAST, DataKind::REDUCTION> g_bine{"Bine"};

} // namespace ns3
