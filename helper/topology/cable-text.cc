/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cable-text.h"

#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"
#include "ns3/wormhole-port.h"

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cstdint>
#include <limits>
#include <regex>

namespace ns3
{

namespace
{

/// Refuses a value. @param text the value @param accepted what would be accepted
[[noreturn]] void
Refuse(const std::string& text, const std::string& accepted)
{
    throw WormholeError("'" + text + "' is not accepted; expected " + accepted);
}

/// @return a time above 0 @param text the time @param example a time, for the message
Time
ReadTime(const std::string& text, const std::string& example)
{
    const auto time = ExactTime::Parse(text);
    if (!time.IsStrictlyPositive())
    {
        Refuse(text, "a time above 0, such as " + example);
    }
    return time;
}

/// @return a rate in the largest unit that it is a whole number of @param bitRate bit/s
std::string
PrintRate(uint64_t bitRate)
{
    for (const auto& [unit, bits] :
         {std::pair<const char*, uint64_t>("Gbps", 1000000000), {"Mbps", 1000000}})
    {
        if (bitRate % bits == 0)
        {
            return std::to_string(bitRate / bits) + unit;
        }
    }
    return std::to_string(bitRate) + "bps";
}

uint32_t
ReadNumber(const std::string& text, uint32_t least, uint32_t most)
{
    constexpr std::size_t DIGITS = 3;
    const bool isNumber = !text.empty() && text.size() <= DIGITS &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    if (!isNumber || std::stoul(text) < least || std::stoul(text) > most)
    {
        throw WormholeError("'" + text + "' is not accepted; expected whole numbers from " +
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

Time
CableText::GetDefaultPace()
{
    return NanoSeconds(5); // light in glass, and signals in copper, take 4.3 to 5.2
}

const std::vector<std::string>&
CableText::GetNames()
{
    static const std::vector<std::string> names{"rate", "flit_time", "delay", "length", "depth"};
    return names;
}

CableText::CableText(Time pace)
    : m_pace(pace)
{
}

DataRate
CableText::ReadRate(const std::string& text)
{
    // ns-3 ends the program where a text is no rate, and wraps around beyond 64 bits.
    static const std::regex FORM(
        R"(([0-9]{1,18}(\.[0-9]{1,12})?|[0-9]{1,9}(\.[0-9]{1,12})?([kKMG]|[KMG]i))(bps|b/s|Bps|B/s))");
    DataRateValue value;
    if (!std::regex_match(text, FORM) ||
        !value.DeserializeFromString(text, MakeDataRateChecker()) || value.Get().GetBitRate() == 0)
    {
        Refuse(text, "a data rate above 0, such as 100Gbps");
    }
    return value.Get();
}

Time
CableText::ReadLength(const std::string& text) const
{
    // Six digits behind the point are micrometres.
    static const std::regex FORM("([0-9]{1,7})(?:\\.([0-9]{1,6}))?(m|km)");
    std::smatch match;
    if (!std::regex_match(text, match, FORM))
    {
        Refuse(text, "a length in m or km, such as 3m");
    }
    auto fraction = match[2].str();
    fraction.resize(6, '0');
    constexpr int64_t MICROMETRES = 1'000'000;
    auto length = std::stoll(match[1]) * MICROMETRES + std::stoll(fraction);
    length *= match[3] == "km" ? 1000 : 1;
    const auto most = TimeLimit::GetLongest();
    const auto pace = m_pace.GetTimeStep();
    if (length == 0 || length > std::numeric_limits<int64_t>::max() / pace ||
        length * pace / MICROMETRES > most)
    {
        Refuse(text, "a length above 0 that takes an hour at most");
    }
    if (length * pace % MICROMETRES != 0)
    {
        Refuse(text,
               "a length that takes a whole number of time units at " + ExactTime::Print(m_pace) +
                   " a metre");
    }
    return TimeStep(length * pace / MICROMETRES);
}

void
CableText::Read(const std::string& name, const std::string& text, CableProperties& cable) const
{
    const auto twice = [&](bool isTwice, const std::string& words) {
        if (isTwice)
        {
            Refuse(text, "one of " + words + " for a cable");
        }
    };
    if (name == "rate" || name == "flit_time")
    {
        twice(cable.rate || cable.flitTime, "rate and flit_time");
        if (name == "rate")
        {
            const bool isNearest = !text.empty() && text[0] == '~';
            cable.rate = ReadRate(text.substr(isNearest ? 1 : 0));
            if (isNearest)
            {
                cable.flitTime = Time(0);
            }
        }
        else
        {
            cable.flitTime = ReadTime(text, "5.12ns");
        }
    }
    else if (name == "delay" || name == "length")
    {
        twice(cable.delay.has_value(), "delay and length");
        cable.delay = name == "delay" ? ReadTime(text, "15ns") : ReadLength(text);
    }
    else
    {
        twice(cable.depth || cable.depthBytes, "depth in flits and in bytes");
        const bool isNumber = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
            return c >= '0' && c <= '9';
        });
        const auto flits = isNumber && text.size() < 10 ? std::stoul(text) : 0;
        if (!isNumber)
        {
            cable.depthBytes =
                static_cast<uint32_t>(ParseByteSize(text, 1, std::numeric_limits<uint32_t>::max()));
        }
        else if (flits < 1 || flits > WormholePort::MAX_DEPTH)
        {
            Refuse(text,
                   "a depth of 1 to " + std::to_string(WormholePort::MAX_DEPTH) +
                       " flits, or one in bytes, such as 16KiB");
        }
        else
        {
            cable.depth = static_cast<uint32_t>(flits);
        }
    }
}

std::vector<std::pair<std::string, std::string>>
CableText::Print(const CableProperties& cable)
{
    std::vector<std::pair<std::string, std::string>> texts;
    if (cable.rate)
    {
        texts.emplace_back("rate",
                           (cable.flitTime ? "~" : "") + PrintRate(cable.rate->GetBitRate()));
    }
    else if (cable.flitTime)
    {
        texts.emplace_back("flit_time", ExactTime::Print(*cable.flitTime));
    }
    if (cable.delay)
    {
        texts.emplace_back("delay", ExactTime::Print(*cable.delay));
    }
    if (cable.depth)
    {
        texts.emplace_back("depth", std::to_string(*cable.depth));
    }
    if (cable.depthBytes)
    {
        texts.emplace_back("depth", std::to_string(*cable.depthBytes) + "B");
    }
    return texts;
}

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
        std::vector<std::string> parts;
        boost::split(parts, text, boost::is_any_of("+"));
        for (const auto& part : parts)
        {
            lanes.priorities.push_back(ReadNumber(part, 0, MAX_PRIORITY));
        }
    }
    else if (name == "grant" && (text == "flit" || text == "worm"))
    {
        lanes.grant = text;
    }
    else
    {
        throw WormholeError("'" + text + "' is not accepted; expected flit or worm");
    }
}

void
LaneText::Check(const LaneProperties& lanes)
{
    const auto count = lanes.lanes.value_or(1);
    if (count > 1 && lanes.grant.value_or("flit") != "worm")
    {
        throw WormholeError("lanes: " + std::to_string(count) +
                            " without grant worm; expected 1, or grant worm");
    }
    if (!lanes.priorities.empty() && lanes.priorities.size() != count)
    {
        throw WormholeError("priorities: '" + PrintPriorities(lanes) + "' are of " +
                            std::to_string(lanes.priorities.size()) +
                            " lanes; expected one for each of " + std::to_string(count));
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
