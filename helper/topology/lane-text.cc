/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "lane-text.h"

#include "ns3/wormhole-error.h"
#include "ns3/wormhole-fabric.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

namespace
{

/**
 * @param text a number
 * @param least the least one
 * @param most the greatest one
 * @return it
 * @throws WormholeError if it is none of these
 */
uint32_t
ReadNumber(const std::string& text, uint32_t least, uint32_t most)
{
    constexpr std::size_t DIGITS = 3;
    const bool isNumber = !text.empty() && text.size() <= DIGITS &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || std::stoul(text) < least || std::stoul(text) > most)
    {
        throw WormholeError("'" + text + "' is not accepted; accepted are whole numbers from " +
                            std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<uint32_t>(std::stoul(text));
}

/// @return the priorities with + between @param lanes what a fabric has
std::string
PrintPriorities(const LaneProperties& lanes)
{
    std::string text;
    for (const auto priority : lanes.priorities)
    {
        text += (text.empty() ? "" : "+") + std::to_string(priority);
    }
    return text;
}

} // namespace

const std::vector<std::string>&
LaneText::GetNames()
{
    static const std::vector<std::string> names{"lanes", "priorities", "grant"};
    return names;
}

void
LaneText::Read(const std::string& name, const std::string& text, LaneProperties& lanes)
{
    if (name == "lanes")
    {
        lanes.lanes = ReadNumber(text, 1, WormholeFabric::MAX_LANES);
    }
    else if (name == "priorities")
    {
        lanes.priorities.clear();
        for (std::size_t begin = 0; begin <= text.size();)
        {
            const auto end = std::min(text.find('+', begin), text.size());
            lanes.priorities.push_back(
                ReadNumber(text.substr(begin, end - begin), 0, MAX_PRIORITY));
            begin = end + 1;
        }
    }
    else if (name == "grant" && (text == "flit" || text == "worm"))
    {
        lanes.grant = text;
    }
    else
    {
        throw WormholeError("'" + text + "' is not accepted; accepted are flit and worm");
    }
}

void
LaneText::Check(const LaneProperties& lanes)
{
    const auto count = lanes.lanes.value_or(1);
    if (count > 1 && lanes.grant.value_or("flit") != "worm")
    {
        throw WormholeError("lanes: " + std::to_string(count) +
                            " without grant worm; accepted is 1, or grant worm");
    }
    if (!lanes.priorities.empty() && lanes.priorities.size() != count)
    {
        throw WormholeError("priorities: '" + PrintPriorities(lanes) + "' are of " +
                            std::to_string(lanes.priorities.size()) +
                            " lanes; accepted is one for each of " + std::to_string(count));
    }
}

std::vector<std::pair<std::string, std::string>>
LaneText::Print(const LaneProperties& lanes)
{
    std::vector<std::pair<std::string, std::string>> texts;
    if (lanes.lanes)
    {
        texts.emplace_back("lanes", std::to_string(*lanes.lanes));
    }
    if (!lanes.priorities.empty())
    {
        texts.emplace_back("priorities", PrintPriorities(lanes));
    }
    if (lanes.grant)
    {
        texts.emplace_back("grant", *lanes.grant);
    }
    return texts;
}

} // namespace ns3
