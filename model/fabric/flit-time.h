/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLIT_TIME_H
#define FLIT_TIME_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief The flit time of a channel.
 * @param flitSize size of a flit, bytes
 * @param rate the channel's data rate
 * @param where the attribute that it comes from, for the message
 * @param rates all data rates of the fabric, for the message
 * @return how long a flit takes
 * @throws WormholeError if that is no whole number of ns-3 time units; names a resolution, and the
 *         flit sizes that would do for all rates
 */
Time FlitTimeOf(uint32_t flitSize,
                DataRate rate,
                const std::string& where,
                const std::vector<DataRate>& rates);

} // namespace ns3

#endif /* FLIT_TIME_H */
