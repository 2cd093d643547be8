/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OUTAGE_CASES_H
#define OUTAGE_CASES_H

#include "ns3/random-variable-stream.h"
#include "ns3/worm-replay.h"

namespace ns3
{

/// Has one to four parts of a case be down for a time (S14), one of them often once more, and some
/// for ever; often from the instant at which, without outages, a worm would start, leave or arrive.
void AddOutages(Ptr<UniformRandomVariable> rng, WormCase& worms);

} // namespace ns3

#endif /* OUTAGE_CASES_H */
