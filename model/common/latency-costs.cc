/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-costs.h"

#include "time-limit.h"

namespace ns3
{

Time
LatencyCosts::GetTotal() const
{
    Time total;
    for (const auto& cost : *this)
    {
        total = TimeLimit::Add(total, cost.time);
    }
    return total;
}

} // namespace ns3
