/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// All-reductions of data by recursive doubling.

#include "data-parts.h"
#include "software-data-collective.h"

namespace ns3
{

namespace
{

/**
 * An all-reduction by recursive doubling: in step b = 0, 1, ... members exchange all that they have
 * with that whose rank differs in bit b, and both combine it; best for short vectors. Members that
 * are more than a power of two are folded first, and told the result at the end (Thakur,
 * Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, 2005).
 *
 * Time, of messages of S bytes by alpha + beta S and combining by gamma S, for a vector of m bytes:
 * log2(n) (alpha + beta m + gamma m). There are n log2(n) messages. With SegmentBytes each is cut,
 * and the segments follow one another.
 *
 * Order is kept: what has been combined is an interval of ranks, and the lower one is the left.
 */
class RecursiveDoublingDataAllReduction : public SoftwareData<DataKind::ALL_REDUCTION>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = MakeTypeId<RecursiveDoublingDataAllReduction>("RecursiveDoubling");
        return tid;
    }

    /// @return the schedules @param request the group
    DataSchedules MakeDataSchedules(const DataRequest& request) const override
    {
        return MakeRecursiveDoublingAllReduction(request);
    }
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoublingDataAllReduction);

} // namespace ns3
