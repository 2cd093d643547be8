/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UP_DOWN_TURNS_H
#define UP_DOWN_TURNS_H

#include "switch-channels.h"
#include "turn-set.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief An order of channels that up/down routes follow: those up from the bottom to the top, then
 *        those down from the top to the bottom.
 * @param channels the channels
 * @param ranks place of each switch in the order, each another one
 * @return every channel once
 */
std::vector<SwitchChannels::Channel> OrderUpDown(const SwitchChannels& channels,
                                                 const std::vector<uint32_t>& ranks);

/**
 * @ingroup wormhole
 * @brief All turns of up/down routing by an order of the switches: a channel is up if the switch
 *        that it leads to comes first, and no channel up follows one down.
 * @param channels the channels
 * @param ranks place of each switch in the order, each another one
 * @return the turns, in one lane; none leads back to the switch it comes from
 */
TurnSet MakeUpDownTurns(const SwitchChannels& channels, const std::vector<uint32_t>& ranks);

} // namespace ns3

#endif /* UP_DOWN_TURNS_H */
