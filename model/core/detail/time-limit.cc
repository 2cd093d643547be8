/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "time-limit.h"

#include "ns3/exact-time.h"
#include "ns3/wormhole-error.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace ns3
{

void
TimeLimit::CheckLength(const std::string& what, int64_t length)
{
    if (length > LONGEST_LENGTH)
    {
        throw WormholeError(what + " takes " + ExactTime::Print(TimeStep(length)) +
                            "; accepted are at most " + ExactTime::Print(TimeStep(LONGEST_LENGTH)) +
                            ", since times of worms have to fit into 64 bits");
    }
}

Time
TimeLimit::Add(Time time, Time more)
{
    if (time.GetTimeStep() > LATEST - more.GetTimeStep())
    {
        throw WormholeError(Explain());
    }
    return time + more;
}

Time
TimeLimit::Multiply(Time time, uint64_t factor)
{
    const auto step = static_cast<uint64_t>(time.GetTimeStep());
    if (step > 0 && factor > static_cast<uint64_t>(LATEST) / step)
    {
        throw WormholeError(Explain());
    }
    return TimeStep(step * factor);
}

Time
TimeLimit::FromSeconds(double seconds, const std::string& what)
{
    const auto longest = TimeStep(LATEST).GetSeconds();
    if (!(seconds >= 0 && seconds <= longest))
    {
        std::ostringstream text;
        text << what << ' ' << seconds << " s; accepted are 0 s to " << longest << " s";
        throw WormholeError(text.str());
    }
    return Seconds(seconds);
}

int64_t
TimeLimit::GetLongest()
{
    return std::min(Seconds(LONGEST_SECONDS).GetTimeStep(), LATEST / 4); // an hour of fs is more
}

std::string
TimeLimit::Explain()
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(0) << "it takes longer than "
         << TimeStep(LATEST).GetSeconds() << " s, the latest time that fits in 64 bits in units of "
         << TimeStep(1) << "; accepted are shorter delays and costs, or less of what takes them";
    return text.str();
}

} // namespace ns3
