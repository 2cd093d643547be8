/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANDOM_GOAL_H
#define RANDOM_GOAL_H

#include "ns3/goal-schedule.h"
#include "ns3/ptr.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @return a random schedule whose ranks go in the same order of messages, so that it ends
inline GoalSchedule
DrawGoal(Ptr<UniformRandomVariable> rng, uint32_t ranks, uint32_t messages)
{
    GoalSchedule schedule(ranks);
    std::vector<std::vector<uint32_t>> last(ranks); // operations that the next may wait for
    const auto add = [&](uint32_t rank, const GoalSchedule::Operation& operation) {
        const auto index = schedule.Add(rank, operation);
        if (!last[rank].empty() && rng->GetInteger(0, 3) > 0)
        {
            const auto before =
                last[rank][rng->GetInteger(0, static_cast<uint32_t>(last[rank].size()) - 1)];
            const bool isOnStart = rng->GetInteger(0, 3) == 0;
            schedule.At(rank).dependencies.push_back({before, index, isOnStart});
        }
        last[rank].push_back(index);
    };
    for (uint32_t i = 0; i < messages; ++i)
    {
        const auto from = rng->GetInteger(0, ranks - 1);
        const auto to = (from + rng->GetInteger(1, ranks - 1)) % ranks;
        const auto bytes = rng->GetInteger(0, 5) == 0 ? 70000 : rng->GetInteger(0, 3000);
        const auto tag = rng->GetInteger(0, 2);
        const auto cpu = static_cast<uint8_t>(rng->GetInteger(0, 1));
        const auto nic = static_cast<uint8_t>(rng->GetInteger(0, 1));
        add(from, {bytes, to, tag, cpu, nic, GoalSchedule::SEND});
        add(to, {bytes, from, tag, cpu, nic, GoalSchedule::RECEIVE});
        if (rng->GetInteger(0, 1))
        {
            add(to, {rng->GetInteger(0, 5000), 0, 0, cpu, 0, GoalSchedule::CALC});
        }
    }
    return schedule;
}

} // namespace ns3

#endif /* RANDOM_GOAL_H */
