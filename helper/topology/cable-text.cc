// SPDX-License-Identifier: GPL-2.0-only

#include "cable-text.h"

#include "ns3/ordering.h"
#include "ns3/text-tools.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-fabric.h"

#include <boost/algorithm/string.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <regex>

namespace ns3
{

namespace
{

constexpr auto DIGITS = "0123456789";

/// Refuses a value that is wrong. @param text the value @param accepted what would be accepted
void
RefuseIf(bool isWrong, const std::string& text, const std::string& accepted)
{
    WormholeError::ThrowIf(isWrong, "'" + text + "' is not accepted; expected " + accepted);
}

Time
ReadTime(const std::string& text, const std::string& example)
{
    const auto time = ExactTime::Parse(text);
    RefuseIf(!time.IsStrictlyPositive(), text, "a time above 0, such as " + example);
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
    const bool isNumber =
        !text.empty() && text.size() <= 3 && text.find_first_not_of(DIGITS) == std::string::npos;
    const auto number = static_cast<uint32_t>(isNumber ? std::stoul(text) : 0);
    RefuseIf(!isNumber || number < least || number > most,
             text,
             "whole numbers from " + std::to_string(least) + " to " + std::to_string(most));
    return number;
}

} // namespace

DataRate
CableText::ReadRate(const std::string& text)
{
    // ns-3 ends the program where a text is no rate, and wraps around beyond 64 bits.
    static const std::regex FORM(
        R"(([0-9]{1,18}(\.[0-9]{1,12})?|[0-9]{1,9}(\.[0-9]{1,12})?([kKMG]|[KMG]i))(bps|b/s|Bps|B/s))");
    DataRateValue value;
    RefuseIf(!std::regex_match(text, FORM) ||
                 !value.DeserializeFromString(text, MakeDataRateChecker()) ||
                 value.Get().GetBitRate() == 0,
             text,
             "a data rate above 0, such as 100Gbps");
    return value.Get();
}

Time
CableText::ReadLength(const std::string& text) const
{
    // Six digits behind the point are micrometres.
    static const std::regex FORM("([0-9]{1,7})(?:\\.([0-9]{1,6}))?(m|km)");
    std::smatch match;
    RefuseIf(!std::regex_match(text, match, FORM), text, "a length in m or km, such as 3m");
    auto fraction = match[2].str();
    fraction.resize(6, '0');
    constexpr int64_t MICROMETRES = 1'000'000;
    auto length = std::stoll(match[1]) * MICROMETRES + std::stoll(fraction);
    length *= match[3] == "km" ? 1000 : 1;
    const auto most = TimeLimit::GetLongest();
    const auto pace = m_pace.GetTimeStep();
    RefuseIf(length == 0 || length > std::numeric_limits<int64_t>::max() / pace ||
                 length * pace / MICROMETRES > most,
             text,
             "a length above 0 that takes an hour at most");
    RefuseIf(length * pace % MICROMETRES != 0,
             text,
             "a length that takes a whole number of time units at " + ExactTime::Print(m_pace) +
                 " a metre");
    return TimeStep(length * pace / MICROMETRES);
}

void
CableText::Read(const std::string& name, const std::string& text, CableProperties& cable) const
{
    const auto twice = [&](bool isTwice, const std::string& words) {
        RefuseIf(isTwice, text, "one of " + words + " for a cable");
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
        if (text.empty() || text.find_first_not_of(DIGITS) != std::string::npos)
        {
            cable.depthBytes =
                static_cast<uint32_t>(ParseByteSize(text, 1, std::numeric_limits<uint32_t>::max()));
            return;
        }
        const auto flits = text.size() < 10 ? std::stoul(text) : 0;
        RefuseIf(flits < 1 || flits > WormholePort::MAX_DEPTH,
                 text,
                 "a depth of 1 to " + std::to_string(WormholePort::MAX_DEPTH) +
                     " flits, or one in bytes, such as 16KiB");
        cable.depth = static_cast<uint32_t>(flits);
    }
}

std::vector<std::pair<std::string, std::string>>
CableText::Print(const CableProperties& cable)
{
    std::vector<std::pair<std::string, std::string>> texts;
    const auto add = [&texts](const char* name, const auto& value, const auto& print) {
        if (value)
        {
            texts.emplace_back(name, print(*value));
        }
    };
    const auto printTime = [](Time time) { return ExactTime::Print(time); };
    add("rate", cable.rate, [&cable](const DataRate& rate) {
        return (cable.flitTime ? "~" : "") + PrintRate(rate.GetBitRate());
    });
    add("flit_time", cable.rate ? std::nullopt : cable.flitTime, printTime);
    add("delay", cable.delay, printTime);
    add("depth", cable.depth, [](uint32_t flits) { return std::to_string(flits); });
    add("depth", cable.depthBytes, [](uint32_t bytes) { return std::to_string(bytes) + "B"; });
    return texts;
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
        std::vector<std::string> parts;
        boost::split(parts, text, boost::is_any_of("+"));
        lanes.priorities =
            MadeOf(parts, [](const auto& part) { return ReadNumber(part, 0, MAX_PRIORITY); });
    }
    else
    {
        RefuseIf(name != "grant" || (text != "flit" && text != "worm"), text, "flit or worm");
        lanes.grant = text;
    }
}

void
LaneText::Check(const LaneProperties& lanes)
{
    const auto count = lanes.lanes.value_or(1);
    WormholeError::ThrowIf(count > 1 && lanes.grant.value_or("flit") != "worm",
                           "lanes: " + std::to_string(count) +
                               " without grant worm; expected 1, or grant worm");
    WormholeError::ThrowIf(!lanes.priorities.empty() && lanes.priorities.size() != count,
                           "priorities: '" + PrintNumbers(lanes.priorities, "+") + "' are of " +
                               std::to_string(lanes.priorities.size()) +
                               " lanes; expected one for each of " + std::to_string(count));
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
        texts.emplace_back("priorities", PrintNumbers(lanes.priorities, "+"));
    }
    if (lanes.grant)
    {
        texts.emplace_back("grant", *lanes.grant);
    }
    return texts;
}

} // namespace ns3
