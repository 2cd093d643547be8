/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "address-exchange.h"

#include <algorithm>

namespace ns3
{

const std::vector<std::string>&
AddressExchange::GetNames()
{
    static const std::vector<std::string> names{NONE, "direct", "dissemination"};
    return names;
}

std::vector<CommunicationSchedule>
AddressExchange::MakeSchedules(const std::string& name, uint32_t members)
{
    const bool isDirect = name == "direct";
    std::vector<CommunicationSchedule> schedules(members);
    for (uint32_t rank = 0; rank < members; ++rank)
    {
        auto& schedule = schedules[rank];
        const auto receive = [&](uint32_t distance) {
            schedule.Receive(ScheduleStep::IGNORE, (rank + members - distance) % members);
        };
        for (uint32_t distance = 1; distance < members; distance += isDirect ? 1 : distance)
        {
            const auto known = isDirect ? 1 : std::min(distance, members - distance);
            schedule.Send((rank + distance) % members, 0, Time(0), known * ADDRESS_BYTES);
            if (!isDirect)
            {
                receive(distance);
            }
        }
        for (uint32_t distance = 1; isDirect && distance < members; ++distance)
        {
            receive(distance);
        }
    }
    return schedules;
}

} // namespace ns3
