/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAIN_TWO_TREES_H
#define PLAIN_TWO_TREES_H

#include "../ideal-data-run.h"

#include "ns3/data-kind.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole-tests
 * Time of a collective along two trees on the ideal network, by the recurrence of the
 * documentation (Collectives of data, Two trees), which knows nothing of schedules.
 * @param kind BROADCAST, REDUCTION or ALL_REDUCTION
 * @param q binary logarithm of the number of members, at least 1
 * @param k segments of each half
 * @param bytes length of a segment
 * @param costs what messages cost
 * @return when the last member leaves, ns
 */
double PlainTwoTreesTime(DataKind kind,
                         uint32_t q,
                         uint64_t k,
                         double bytes,
                         const IdealCosts& costs);

} // namespace ns3

#endif /* PLAIN_TWO_TREES_H */
