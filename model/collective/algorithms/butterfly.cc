/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/schedule-blocks.h"
#include "ns3/software-collective.h"
#include "ns3/string.h"
#include "ns3/wormhole-error.h"

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
                                "' is no radix; accepted are auto and whole numbers from 2 on with "
                                "commas, such as 4,2");
        }
        product *= radix;
        if (product > members)
        {
            throw WormholeError("Radices is '" + text + "', which is for " +
                                std::to_string(product) + " members or more; there are " +
                                std::to_string(members) +
                                ", and accepted is a product of at most "
                                "that");
        }
        radices.push_back(static_cast<uint32_t>(radix));
    }
    return radices;
}

/**
 * Makes schedules of a butterfly: phase by phase, the members whose ranks differ in one digit only,
 * in the number system that the radices are, tell each other.
 *
 * Members beyond the product of the radices fold in: each tells a partner among the others before
 * the first phase, and in a barrier is told the result after the last. In a reduction ranks are
 * turned so that its root, as rank 0, ends it.
 *
 * @param request the group
 * @param radices radix of each phase; their product is at most the number of members
 * @return the schedules
 */
GroupSchedules
MakeButterfly(const ScheduleRequest& request, const std::vector<uint32_t>& radices)
{
    const auto n = request.members;
    const bool isBarrier = request.kind == DataKind::BARRIER;
    const auto ranks = MakeRanksFrom(n, isBarrier ? 0 : request.root);
    GroupSchedules schedules(request, request.MakeParts());
    const BlockRanges all{schedules.layout.GetAll()};
    uint32_t product = 1;
    for (const auto radix : radices)
    {
        product *= radix;
    }
    std::vector<BlockMessage> messages;
    const auto add = [&](uint32_t from, uint32_t to, ScheduleStep::Kind kind) {
        messages.push_back({ranks[from], ranks[to], all, kind});
    };
    const auto endStep = [&] {
        schedules.Step(messages);
        messages.clear();
    };
    for (auto rank = product; rank < n; ++rank)
    {
        add(rank, rank % product, ScheduleStep::COMBINE);
    }
    endStep();
    uint32_t place = 1;
    for (const auto radix : radices)
    {
        for (uint32_t rank = 0; rank < product; ++rank)
        {
            const auto digit = rank / place % radix;
            const auto zero = rank - digit * place;
            // Everybody serves the next first, so that nobody is served by all at once.
            for (uint32_t i = 1; i < radix; ++i)
            {
                add(rank, zero + (digit + i) % radix * place, ScheduleStep::COMBINE);
            }
        }
        endStep();
        place *= radix;
    }
    for (auto rank = product; isBarrier && rank < n; ++rank)
    {
        add(rank % product, rank, ScheduleStep::REPLACE);
    }
    endStep();
    return schedules;
}

/**
 * A collective by a butterfly: in each phase the members of sets as large as its radix exchange
 * messages, see MakeButterfly.
 *
 * @tparam KIND Barrier or Reduction
 */
template <class KIND>
class ButterflyCollective : public SoftwareCollective<KIND>
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid =
            SoftwareCollective<KIND>::template MakeTypeId<ButterflyCollective>("Butterfly")
                .AddAttribute(
                    "Radices",
                    "Radix of each phase with commas, such as 4,2; their product is the number "
                    "of members that exchange, the others fold in. auto: the prime factors "
                    "of the number of members, or, if one is above 7, as many 2s as fit.",
                    StringValue("auto"),
                    MakeStringAccessor(&ButterflyCollective::m_radices),
                    MakeStringChecker());
        return tid;
    }

    GroupSchedules MakeGroupSchedules(const ScheduleRequest& request) const override
    {
        return MakeButterfly(request, ParseRadices(m_radices, request.members));
    }

    bool UsesRoot() const override
    {
        return KIND::THE_KIND == DataKind::REDUCTION;
    }

  private:
    std::string m_radices; ///< attribute
};

const RegisteredKinds<ButterflyCollective, Barrier, Reduction> g_butterfly;

/**
 * A barrier by recursive doubling, after Gupta et al. (2002), section 5.1: in step k members whose
 * ranks differ by 2^k exchange messages.
 *
 * If the number of members is no power of two, those beyond the greatest below it send to a partner
 * among the others first, and receive from it last: floor(log2 N) + 2 steps. With the attribute
 * Transport rdma it is the paper's barrier, where the receiver tests for its barrier number or a
 * greater one, since a member may be one barrier ahead; here a member sees the write of its own
 * barrier, which comes first.
 */
GroupSchedules
MakePairwiseExchange(const ScheduleRequest& request)
{
    return MakeButterfly(request, ButterflyTwos(request.members));
}

} // namespace

static const SoftwareAlgorithmOf<MakePairwiseExchange, Barrier> g_pairwiseExchange{
    "PairwiseExchange"};

} // namespace ns3
