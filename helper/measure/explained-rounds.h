/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPLAINED_ROUNDS_H
#define EXPLAINED_ROUNDS_H

#include "ns3/collective.h"
#include "ns3/round-explainer.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Tells what the time of a collective's rounds went into, each from when its last member
 *        came to when the last one left: of the slowest, and on average by cause; and in how much
 *        of it traffic is in the way, if it is.
 * @param explainer has recorded them
 * @param collective the collective
 * @param rounds how many it has done, from 1 on
 * @return text of some lines
 */
std::string ExplainRounds(const RoundExplainer& explainer,
                          const Ptr<Collective>& collective,
                          uint64_t rounds);

} // namespace ns3

#endif /* EXPLAINED_ROUNDS_H */
