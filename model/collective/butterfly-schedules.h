/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUTTERFLY_SCHEDULES_H
#define BUTTERFLY_SCHEDULES_H

#include "communication-schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief Schedules of a butterfly: phase by phase, the members whose ranks differ in one digit
 * only, in the number system that the radices are, tell each other. Pure.
 *
 * Members beyond the product of the radices fold in: each tells a partner among the others before
 * the first phase, and is told the result after the last.
 *
 * @param members number of members
 * @param radices radix of each phase; their product is at most the number of members
 * @param tellFolded whether those folded in are told the result
 * @return every member's schedule, by rank
 */
std::vector<CommunicationSchedule> MakeButterflySchedules(uint32_t members,
                                                          const std::vector<uint32_t>& radices,
                                                          bool tellFolded = true);

/// @ingroup wormhole
/// @return as many 2s as fit into a number @param members the number
std::vector<uint32_t> ButterflyTwos(uint32_t members);

/**
 * @ingroup wormhole
 * @param text auto, or radices with commas
 * @param members number of members
 * @return the radices; auto: the prime factors of the number, or, if one is above 7, 2s
 * @throws WormholeError if the text is none of these, or the product above the number of members
 */
std::vector<uint32_t> ParseRadices(const std::string& text, uint32_t members);

/**
 * @ingroup wormhole
 * Turns ranks so that rank 0 of some schedules becomes the root.
 * @param schedules schedules, by rank
 * @param root the root
 * @return the schedules turned
 */
std::vector<CommunicationSchedule> RotateToRoot(const std::vector<CommunicationSchedule>& schedules,
                                                uint32_t root);

} // namespace ns3

#endif /* BUTTERFLY_SCHEDULES_H */
