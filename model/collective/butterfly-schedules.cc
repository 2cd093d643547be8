/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "butterfly-schedules.h"

#include "ns3/wormhole-error.h"

#include <sstream>

namespace ns3
{

std::vector<CommunicationSchedule>
MakeButterflySchedules(uint32_t members, const std::vector<uint32_t>& radices, bool tellFolded)
{
    uint32_t product = 1;
    for (const auto radix : radices)
    {
        product *= radix;
    }
    std::vector<CommunicationSchedule> schedules(members);
    for (auto rank = product; rank < members; ++rank)
    {
        schedules[rank].Send(rank % product);
        schedules[rank % product].Receive(ScheduleStep::COMBINE, rank);
    }
    uint32_t place = 1;
    for (const auto radix : radices)
    {
        for (uint32_t rank = 0; rank < product; ++rank)
        {
            const auto digit = rank / place % radix;
            const auto zero = rank - digit * place;
            // Everybody serves the next first, so that nobody is served by all at once.
            for (uint32_t i = 1; i < radix; ++i)
            {
                schedules[rank].Send(zero + (digit + i) % radix * place);
            }
            for (uint32_t i = 1; i < radix; ++i)
            {
                schedules[rank].Receive(ScheduleStep::COMBINE,
                                        zero + (digit + radix - i) % radix * place);
            }
        }
        place *= radix;
    }
    for (auto rank = product; tellFolded && rank < members; ++rank)
    {
        schedules[rank % product].Send(rank);
        schedules[rank].Receive(ScheduleStep::REPLACE, rank % product);
    }
    return schedules;
}

std::vector<uint32_t>
ButterflyTwos(uint32_t members)
{
    std::vector<uint32_t> radices;
    for (; members > 1; members /= 2)
    {
        radices.push_back(2);
    }
    return radices;
}

std::vector<uint32_t>
ParseRadices(const std::string& text, uint32_t members)
{
    std::vector<uint32_t> radices;
    if (text == "auto")
    {
        auto rest = members;
        for (uint32_t prime : {2, 3, 5, 7})
        {
            for (; rest % prime == 0; rest /= prime)
            {
                radices.push_back(prime);
            }
        }
        return rest == 1 ? radices : ButterflyTwos(members);
    }
    uint64_t product = 1;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, ',');)
    {
        const bool isNumber = !word.empty() && word.size() < 9 &&
                              word.find_first_not_of("0123456789") == std::string::npos;
        const auto radix = isNumber ? std::stoul(word) : 0;
        if (radix < 2)
        {
            throw WormholeError("Radices is '" + text + "', of which '" + word +
                                "' is no radix; accepted are auto and whole numbers from 2 on with "
                                "commas, such as 4,2");
        }
        product *= radix;
        if (product > members)
        {
            throw WormholeError("Radices is '" + text + "', which is for " +
                                std::to_string(product) + " members or more; there are " +
                                std::to_string(members) +
                                ", and accepted is a product of at most "
                                "that");
        }
        radices.push_back(static_cast<uint32_t>(radix));
    }
    return radices;
}

std::vector<CommunicationSchedule>
RotateToRoot(const std::vector<CommunicationSchedule>& schedules, uint32_t root)
{
    const auto n = static_cast<uint32_t>(schedules.size());
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        ranks.push_back((rank + root) % n);
    }
    std::vector<CommunicationSchedule> turned(n);
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        turned[ranks[rank]].Append(schedules[rank], ranks);
    }
    return turned;
}

} // namespace ns3
