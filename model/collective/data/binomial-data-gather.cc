/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Gathers and scatters along a binomial tree.

#include "data-exchange-parts.h"
#include "software-data-collective.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

namespace
{

/**
 * A gather, or scatter, along a binomial tree of ranks relative to the root: the member 2^k ranks
 * below another one whose relative rank is a multiple of 2^(k + 1) is its child, and the members of
 * a subtree follow one another, so that a message holds all their parts. A gather goes from the
 * smallest subtrees to the largest, a scatter the other way (Thakur, Rabenseifner and Gropp,
 * Optimization of collective communication operations in MPICH, 2005).
 *
 * Time, of messages of S bytes by alpha + beta S, for parts of m bytes and powers of two:
 * log2(n) alpha + (n - 1) beta m.
 *
 * Nothing is combined.
 *
 * @tparam KIND the kind
 */
template <DataKind KIND>
class BinomialPartsData : public SoftwareData<KIND>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = SoftwareData<KIND>::template MakeTypeId<BinomialPartsData>("Binomial");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        const auto n = request.members;
        const bool isUp = KIND == DataKind::GATHER;
        DataSchedules schedules(request, request.MakeParts());
        std::vector<uint32_t> sizes; // of subtrees, in the order in which they send or receive
        for (uint32_t size = 1; size < n; size *= 2)
        {
            sizes.insert(isUp ? sizes.end() : sizes.begin(), size);
        }
        for (const auto size : sizes)
        {
            std::vector<DataMessage> messages;
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
};

/// A gather along a binomial tree.
using BinomialDataGather = BinomialPartsData<DataKind::GATHER>;
/// A scatter along a binomial tree.
using BinomialDataScatter = BinomialPartsData<DataKind::SCATTER>;

} // namespace

NS_OBJECT_ENSURE_REGISTERED(BinomialDataGather);
NS_OBJECT_ENSURE_REGISTERED(BinomialDataScatter);

} // namespace ns3
