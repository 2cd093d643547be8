/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Barriers and reductions by a butterfly, and by its form with radix 2 throughout.

#include "butterfly-schedules.h"
#include "software-collective.h"

#include "ns3/string.h"

namespace ns3
{

namespace
{

/**
 * A collective by a butterfly: in each phase the members of sets as large as its radix exchange
 * messages. Members beyond the product of the radices fold in: they send to a partner first, and
 * in a barrier receive from it last. A reduction's butterfly is turned so that its root ends it.
 *
 * @tparam SOFTWARE SoftwareBarrier or SoftwareReduction
 */
template <class SOFTWARE>
class ButterflyCollective : public SOFTWARE
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid =
            SOFTWARE::template MakeTypeId<ButterflyCollective>("Butterfly")
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

    /// @return the members' schedules @param request the group
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        const auto radices = ParseRadices(m_radices, request.members);
        if constexpr (IS_BARRIER)
        {
            return MakeButterflySchedules(request.members, radices);
        }
        else
        {
            return RotateToRoot(MakeButterflySchedules(request.members, radices, false),
                                request.root);
        }
    }

    /// @return whether schedules depend on the root
    bool UsesRoot() const override
    {
        return !IS_BARRIER;
    }

  private:
    /// Whether all members learn the result.
    static constexpr bool IS_BARRIER = std::is_same_v<SOFTWARE, SoftwareBarrier>;

    std::string m_radices; ///< attribute
};

/// A barrier by a butterfly.
using ButterflyBarrier = ButterflyCollective<SoftwareBarrier>;
/// A reduction by a butterfly.
using ButterflyReduction = ButterflyCollective<SoftwareReduction>;

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
class PairwiseExchangeBarrier : public SoftwareBarrier
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<PairwiseExchangeBarrier>("PairwiseExchange");
        return tid;
    }

    /// @return the members' schedules @param request the group
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {
        return MakeButterflySchedules(request.members, ButterflyTwos(request.members));
    }

    /// @return whether schedules depend on the root
    bool UsesRoot() const override
    {
        return false;
    }
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ButterflyBarrier);
NS_OBJECT_ENSURE_REGISTERED(ButterflyReduction);
NS_OBJECT_ENSURE_REGISTERED(PairwiseExchangeBarrier);

} // namespace ns3
