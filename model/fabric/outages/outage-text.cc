/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "outage-text.h"

#include "ns3/double.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"

#include <algorithm>
#include <map>
#include <regex>

namespace ns3
{

namespace
{

[[noreturn]] void
Refuse(const std::string& entry)
{
    throw WormholeError("outage '" + entry +
                        "': expected is PART at TIME [for TIME [every TIME until TIME]], or PART "
                        "mtbf TIME mttr TIME until TIME; a part is a switch or host such as s1, a "
                        "cable such as s1:3-s2:4, each-cable, each-switch or each-host; names "
                        "with blanks, colons or dashes in quotes");
}

/// @return the name in a match, without quotes @param match of quoted names @param first its groups
std::string
TakeName(const std::smatch& match, std::size_t first)
{
    return match[first].matched ? match[first].str() : match[first + 1].str();
}

/// @return entries of a schedule, divided at ; outside of quotes
std::vector<std::string>
Divide(const std::string& schedule)
{
    std::vector<std::string> entries(1);
    char quote = 0;
    for (const auto letter : schedule)
    {
        if (letter == ';' && quote == 0)
        {
            entries.emplace_back();
            continue;
        }
        quote = quote == letter                                   ? 0
                : quote == 0 && (letter == '\'' || letter == '"') ? letter
                                                                  : quote;
        entries.back() += letter;
    }
    return entries;
}

Time
ReadTime(const std::string& entry, const std::string& text)
{
    try
    {
        return ExactTime::Parse(text);
    }
    catch (const WormholeError& error)
    {
        throw WormholeError("outage '" + entry + "': " + error.what());
    }
}

OutageText
ReadEntry(const std::string& entry)
{
    // A name in quotes, or one without what divides entries.
    static const std::string NAME = R"((?:["']([^"']+)["']|(each-[a-z]+|[^\s"':;-]+)))";
    static const std::regex PART("\\s*" + NAME + "(?::([0-9]{1,5})-" + NAME +
                                 R"(:([0-9]{1,5}))?((?:\s+[a-z]+\s+\S+)+)\s*)");
    static const std::regex CLAUSE(R"(\s+([a-z]+)\s+(\S+))");
    std::smatch match;
    if (!std::regex_match(entry, match, PART))
    {
        Refuse(entry);
    }
    OutageText read;
    read.text = entry;
    read.node = TakeName(match, 1);
    if (match[3].matched)
    {
        read.port = std::stoul(match[3]);
        read.far = {TakeName(match, 4), std::stoul(match[6])};
    }
    std::map<std::string, Time> times;
    std::string order;
    const auto clauses = match[7].str();
    for (std::sregex_iterator at(clauses.begin(), clauses.end(), CLAUSE), last; at != last; ++at)
    {
        const auto name = (*at)[1].str();
        const auto time = ReadTime(entry, (*at)[2]);
        if (time.IsStrictlyNegative() || (time.IsZero() && name != "at"))
        {
            Refuse(entry);
        }
        order += name + " ";
        times[name] = time;
    }
    if (order == "mtbf mttr until ")
    {
        read.failures = {times["mtbf"], times["mttr"]};
    }
    else if (order != "at " && order != "at for " && order != "at for every until ")
    {
        Refuse(entry);
    }
    read.from = times["at"];
    read.end = times["until"];
    if (times.count("for"))
    {
        read.length = times["for"];
    }
    if (times.count("every"))
    {
        read.period = times["every"];
    }
    return read;
}

} // namespace

std::vector<OutageText>
OutageText::Read(const std::string& schedule)
{
    std::vector<OutageText> read;
    for (const auto& entry : Divide(schedule))
    {
        if (entry.find_first_not_of(" \t\n") != std::string::npos)
        {
            read.push_back(ReadEntry(entry));
        }
    }
    return read;
}

std::vector<std::pair<Time, Time>>
OutageText::MakeOutages(Time shortest, int64_t stream) const
{
    if (!failures)
    {
        std::vector<std::pair<Time, Time>> made;
        auto begin = from;
        do
        {
            made.emplace_back(begin, length ? begin + *length : Time::Max());
            begin += period.value_or(Time(0));
        } while (period && begin < end);
        return made;
    }
    auto random = CreateObject<ExponentialRandomVariable>();
    random->SetStream(stream);
    random->SetAttribute("Mean", DoubleValue(1));
    const auto draw = [&](Time mean) {
        return TimeStep(static_cast<uint64_t>(mean.GetDouble() * random->GetValue()));
    };
    std::vector<std::pair<Time, Time>> made;
    for (auto begin = draw(failures->first); begin < end; begin += draw(failures->first))
    {
        const auto repaired = begin + std::max(draw(failures->second), shortest);
        made.emplace_back(begin, repaired);
        begin = repaired;
    }
    return made;
}

} // namespace ns3
