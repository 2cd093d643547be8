/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// What a fabric's attributes say of lanes (rule S11).

#include "wormhole-fabric.h"

#include "ns3/wormhole-error.h"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{

std::vector<int32_t>
WormholeFabric::ReadPriorities() const
{
    const auto refuse = [](const std::string& what) {
        throw WormholeError("ns3::WormholeFabric::" + what);
    };
    if (m_lanes > 1 && m_grant != "worm")
    {
        refuse("Lanes is " + std::to_string(m_lanes) +
               ", but Grant is flit; accepted is one lane, or Grant = worm");
    }
    if (m_grant == "worm" && m_replication == "sync")
    {
        refuse("Replication is sync, but Grant is worm; accepted is async, or Grant = flit");
    }
    if (m_grant == "worm" && m_routeHeader == "source")
    {
        refuse("RouteHeader is source, but Grant is worm; accepted is none, or Grant = flit");
    }
    if (m_priorities.empty())
    {
        return std::vector<int32_t>(m_lanes, 0);
    }
    std::vector<int32_t> priorities;
    std::istringstream text(m_priorities + ",");
    for (std::string word; std::getline(text, word, ',');)
    {
        constexpr std::size_t DIGITS = 3;
        const bool isNumber = !word.empty() && word.size() <= DIGITS &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        priorities.push_back(isNumber ? std::stoi(word) : UINT8_MAX + 1);
        if (priorities.back() > UINT8_MAX)
        {
            refuse("Priorities: '" + word +
                   "' is not accepted; accepted are whole numbers from 0 "
                   "to 255 with commas between");
        }
    }
    if (priorities.size() != m_lanes)
    {
        refuse("Priorities names " + std::to_string(priorities.size()) + " lanes, but Lanes is " +
               std::to_string(m_lanes) + "; accepted is one priority for each, or none at all");
    }
    return priorities;
}

} // namespace ns3
