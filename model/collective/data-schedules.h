/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATA_SCHEDULES_H
#define DATA_SCHEDULES_H

// What these were called before all collectives had schedules of blocks.

#include "group-schedules.h"

namespace ns3
{

/// @ingroup wormhole
/// @brief See ScheduleRequest.
using DataRequest = ScheduleRequest;
/// @ingroup wormhole
/// @brief See BlockMessage.
using DataMessage = BlockMessage;
/// @ingroup wormhole
/// @brief See GroupSchedules.
using DataSchedules = GroupSchedules;
/// @ingroup wormhole
/// @brief See ScheduleMaker.
using DataScheduleMaker = ScheduleMaker;

} // namespace ns3

#endif /* DATA_SCHEDULES_H */
