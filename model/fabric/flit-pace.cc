/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flit-pace.h"

namespace ns3
{

FlitPart
FlitPart::MeetOther(uint64_t flit,
                    FlitPart one,
                    FlitPart other,
                    FlitPace channel,
                    const FlitTimes& times)
{
    return one.MeetAny(flit, other, channel, times);
}

} // namespace ns3
