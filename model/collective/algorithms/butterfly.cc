// SPDX-License-Identifier: GPL-2.0-only

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wormhole-error.h"

#include <functional>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/// @return as many 2s as fit into a number
std::vector<uint32_t>
ButterflyTwos(uint32_t members)
{
    std::vector<uint32_t> radices;
    for (; members > 1; members /= 2)
    {
        radices.push_back(2);
    }
    return radices;
}

/// @return the radices; auto: the prime factors of the number, or, if one is above 7, 2s
/// @throws WormholeError if the text is none of these, or the product above the number of members
std::vector<uint32_t>
ParseRadices(const std::string& text, uint32_t members)
{
    std::vector<uint32_t> radices;
    if (text == "auto")
    {
        auto rest = members;
        for (uint32_t prime : {2, 3, 5, 7})
        {
            for (; rest % prime == 0; rest /= prime)
            {
                radices.push_back(prime);
            }
        }
        return rest == 1 ? radices : ButterflyTwos(members);
    }
    uint64_t product = 1;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
    {
        const bool isNumber = !word.empty() && word.size() < 9 &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        const auto radix = isNumber ? std::stoul(word) : 0;
        if (radix < 2)
        {
            throw WormholeError("Radices is '" + text + "', of which '" + word +
                                "' is no radix; expected auto and whole numbers from 2 on with "
                                "commas, such as 4,2");
        }
        product *= radix;
        if (product > members)
        {
            throw WormholeError("Radices is '" + text + "', which is for " +
                                std::to_string(product) + " members or more; there are " +
                                std::to_string(members) +
                                ", and expected a product of at most that");
        }
        radices.push_back(static_cast<uint32_t>(radix));
    }
    return radices;
}

/// Makes schedules of a butterfly: phase by phase, the places whose numbers differ in one digit
/// only, in the number system that the radices are, tell each other, and combine what they are
/// told. Those who are folded tell who stays before, and are told the result after, but in a
/// reduction.
/// @param ranks who stays, as many as the product of the radices, and who is folded into whom
GroupSchedules
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
            // Everybody serves the next first, so that nobody is served by all at once.
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
/// radices are folded. In a reduction ranks are turned so that its root, as the first, ends it.
GroupSchedules
MakeValueButterfly(const ScheduleRequest& request, const std::vector<uint32_t>& radices)
{
    const auto product =
        std::accumulate(radices.begin(), radices.end(), uint32_t{1}, std::multiplies<>());
    const auto first = request.kind == DataKind::BARRIER ? 0 : request.root;
    return MakeButterfly(request,
                         FoldedRanks::Beyond(product, MakeRanksFrom(request.members, first)),
                         radices);
}

/// A barrier or reduction by a butterfly: in each phase the members of sets as large as its radix
/// exchange messages, see MakeValueButterfly.
class ButterflyCollective : public SoftwareCollective
{
  public:
    static void AddTo(TypeId type, DataKind)
    {
        type.AddAttribute(
            "Radices",
            "Radix of each phase with commas, such as 4,2; their product is the number "
            "of members that exchange, the others fold in. auto: the prime factors "
            "of the number of members, or, if one is above 7, as many 2s as fit.",
            StringValue("auto"),
            MakeStringAccessor(&ButterflyCollective::m_radices),
            MakeStringChecker());
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeValueButterfly(request, ParseRadices(m_radices, request.members));
    }

    bool UsesRoot() const override
    {
        return GetKind() == DataKind::REDUCTION;
    }

  private:
    std::string m_radices;
};

const RegisteredAlgorithm<ButterflyCollective> g_butterfly{"Butterfly",
                                                           {DataKind::BARRIER, DataKind::REDUCTION},
                                                           {}};

/// A barrier by recursive doubling, after Gupta et al. (2002), section 5.1: in step k members whose
/// ranks differ by 2^k exchange messages.
///
/// If the number of members is no power of two, those beyond the greatest below it send to a
/// partner among the others first, and receive from it last: floor(log2 N) + 2 steps. With the
/// attribute Transport rdma it is the paper's barrier, where the receiver tests for its barrier
/// number or a greater one, since a member may be one barrier ahead; here a member sees the write
/// of its own barrier, which comes first.
GroupSchedules
MakePairwiseExchange(const ScheduleRequest& request)
{
    return MakeValueButterfly(request, ButterflyTwos(request.members));
}

/// An all-reduction by recursive doubling: in step b = 0, 1, ... members exchange all that they
/// have with that whose rank differs in bit b, and both combine it; best for short vectors. Members
/// that are more than a power of two are folded first, and told the result at the end (Thakur et
/// al., 2005).
///
/// Time: log2(n) (alpha + beta m + gamma m). There are n log2(n) messages. With SegmentBytes each
/// is cut, and the segments follow one another.
///
/// Order is kept: what has been combined is an interval of ranks, and the lower one is the left.
GroupSchedules
MakeRecursiveDoublingAllReduction(const ScheduleRequest& request)
{
    return MakeButterfly(request,
                         FoldedRanks(request.members, FoldedRanks::NO_ROOT),
                         ButterflyTwos(request.members));
}

/// Makes schedules of a tournament: in round i, of members whose ranks differ in digit i only, in
/// the number system of the radix, the lowest hears from the others, which are out; the champion,
/// rank 0, wakes those it has beaten, they wake those they have beaten before.
GroupSchedules
MakeTournament(const ScheduleRequest& request, uint32_t radix)
{
    const auto n = request.members;
    std::vector<CommunicationSchedule> schedules(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        auto& schedule = schedules[rank];
        // Who is beaten by whom is known beforehand: a rank plays until its lowest digit that is
        // not 0.
        uint64_t distance = 1;
        for (; distance < n && rank / distance % radix == 0; distance *= radix)
        {
            for (uint64_t i = 1; i < radix && rank + i * distance < n; ++i)
            {
                schedule.Receive(ScheduleStep::COMBINE, static_cast<uint32_t>(rank + i * distance));
            }
        }
        if (rank > 0)
        {
            const auto winner = static_cast<uint32_t>(rank - rank / distance % radix * distance);
            schedule.Send(winner);
            schedule.Receive(ScheduleStep::REPLACE, winner);
        }
        while (distance > 1)
        {
            distance /= radix;
            for (uint64_t i = 1; i < radix && rank + i * distance < n; ++i)
            {
                schedule.Send(static_cast<uint32_t>(rank + i * distance));
            }
        }
    }
    return {request, schedules};
}

/// A barrier by a tournament, after Hyder and Wood (1996), section 2.1: "radix-2" combining and a
/// tree of the same radix to wake; higher radices pay where messages take long to arrive.
class TournamentBarrier : public SoftwareBarrier
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            MakeTypeId<TournamentBarrier>("Tournament")
                .AddAttribute("Radix",
                              "How many members meet in a match: one wins, and hears from the "
                              "others.",
                              UintegerValue(2),
                              MakeUintegerAccessor(&TournamentBarrier::m_radix),
                              MakeUintegerChecker<uint32_t>(2, 1U << 20));
        return tid;
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeTournament(request, m_radix);
    }

  private:
    uint32_t m_radix;
};

NS_OBJECT_ENSURE_REGISTERED(TournamentBarrier);

const SoftwareAlgorithm<MakePairwiseExchange, DataKind::BARRIER> g_pairwiseExchange{
    "PairwiseExchange"};
const SoftwareAlgorithm<MakeRecursiveDoublingAllReduction, DataKind::ALL_REDUCTION>
    g_recursiveDoublingAllReduction{"RecursiveDoubling"};

} // namespace

} // namespace ns3
