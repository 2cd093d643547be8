/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "deadlock.h"

#include "ns3/exact-time.h"

#include <algorithm>
#include <set>

namespace ns3
{

namespace
{

/// @return what a wait is for, to stand between place and worm
std::string
PrintCause(Deadlock::Cause cause, const std::string& place)
{
    switch (cause)
    {
    case Deadlock::OUTPUT:
        return "wants output " + place + " held by";
    case Deadlock::TURN:
        return "wants output " + place + " after";
    case Deadlock::CREDIT:
        return "at output " + place + " lacks room in the next buffer, taken by";
    case Deadlock::FLIT:
        return "at " + place + " lacks its next flit, held up with";
    case Deadlock::FIFO:
        return "at " + place + " is behind";
    case Deadlock::LEAVE:
        break;
    }
    return "at " + place + " waits for another branch of";
}

} // namespace

std::string
Deadlock::Print() const
{
    const auto name = [](uint64_t worm) { return "worm " + std::to_string(worm); };
    std::set<uint64_t> members;
    for (const auto& wait : cycle)
    {
        members.insert(wait.worm);
    }
    std::string text;
    for (const auto& wait : cycle)
    {
        // That a worm waits for other parts of itself goes without saying.
        if (wait.worm != wait.forWorm || members.size() == 1)
        {
            text += (text.empty() ? "" : "; ") + name(wait.worm) + " " +
                    PrintCause(wait.cause, wait.place) + " " + name(wait.forWorm);
        }
    }
    text = "deadlock, " + std::to_string(members.size()) + " worms wait for each other since " +
           ExactTime::Print(closed) + ": " + text;
    constexpr std::size_t SHOWN = 64;
    text += "; blocked: ";
    for (std::size_t i = 0; i < std::min(SHOWN, blocked.size()); ++i)
    {
        text += (i ? ", " : "") + name(blocked[i]);
    }
    if (blocked.size() > SHOWN)
    {
        text += " and " + std::to_string(blocked.size() - SHOWN) + " more";
    }
    if (depth > 0)
    {
        text += "; the longest tree worm, such as a broadcast frame, has " + std::to_string(depth) +
                " flits: with a WormholePort::BufferDepth of that at every port no worm so far "
                "could deadlock";
    }
    return text;
}

} // namespace ns3
