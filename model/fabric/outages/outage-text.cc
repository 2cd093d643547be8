// SPDX-License-Identifier: GPL-2.0-only

#include "outage-text.h"

#include "ns3/double.h"
#include "ns3/object.h"
#include "ns3/ordering.h"
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
RefuseOutage(const std::string& entry)
{
    throw WormholeError("outage '" + entry +
                        "': expected PART at TIME [for TIME [every TIME until TIME]], or PART "
                        "mtbf TIME mttr TIME until TIME; a part is a switch or host such as s1, a "
                        "cable such as s1:3-s2:4, each-cable, each-switch or each-host; names "
                        "with blanks, colons or dashes in quotes");
}

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
        RefuseOutage(entry);
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
            RefuseOutage(entry);
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
        RefuseOutage(entry);
    }
    read.from = times["at"];
    read.end = times["until"];
    const auto getIfTold = [&](const std::string& name) {
        return times.count(name) ? std::make_optional(times[name]) : std::nullopt;
    };
    read.length = getIfTold("for");
    read.period = getIfTold("every");
    return read;
}

} // namespace

std::vector<OutageText>
OutageText::Read(const std::string& schedule)
{
    const auto isThere = [](const std::string& entry) {
        return entry.find_first_not_of(" \t\n") != std::string::npos;
    };
    return MadeOf(ThoseOf(Divide(schedule), isThere), ReadEntry);
}

OutageSequence::OutageSequence(OutageText text, Time shortest, int64_t stream)
    : m_text(std::move(text)),
      m_shortest(shortest)
{
    if (!m_text.failures)
    {
        m_next = {m_text.from, m_text.length ? m_text.from + *m_text.length : Time::Max()};
        return;
    }
    m_random = CreateObject<ExponentialRandomVariable>();
    m_random->SetStream(stream);
    m_random->SetAttribute("Mean", DoubleValue(1));
    m_next.emplace();
    GoOn();
}

void
OutageSequence::GoOn()
{
    auto begin = m_text.period ? m_next->first + *m_text.period : m_text.end;
    auto length = m_text.length.value_or(Time(0));
    if (m_random)
    {
        begin = m_next->second + Draw(m_text.failures->first);
        length = std::max(Draw(m_text.failures->second), m_shortest);
    }
    m_next.reset();
    if (begin < m_text.end)
    {
        m_next = {begin, begin + length};
    }
}

} // namespace ns3
