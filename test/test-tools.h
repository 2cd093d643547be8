/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TEST_TOOLS_H
#define TEST_TOOLS_H

#include "ns3/nstime.h"
#include "ns3/object-factory.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-error.h"

#include <fstream>
#include <string>

namespace ns3
{

/// Sets ns-3's resolution to ps, which flits of 6.25 ns need, unless it is that.
inline void
NeedPicoseconds()
{
    if (Time::GetResolution() != Time::PS)
    {
        Time::SetResolution(Time::PS);
    }
}

/// Sets ns-3's seed and run of random numbers to 1.
inline void
FixRandomNumbers()
{
    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
}

/// Sets ns-3's resolution to ps, and its seed and run to 1, and ends the simulation before.
inline void
StartAnew()
{
    NeedPicoseconds();
    Simulator::Destroy();
    FixRandomNumbers();
}

/// Has the simulation use another scheduler. @param name one of ns-3's, such as Map, or Wormhole
inline void
UseScheduler(const std::string& name)
{
    ObjectFactory factory;
    factory.SetTypeId("ns3::" + name + "Scheduler");
    Simulator::SetScheduler(factory);
}

/// Whether this build looks for memory errors (make sanitize), and takes ten times as long.
#ifdef WORMHOLE_SANITIZE
constexpr bool IS_SANITIZED = true;
#else
constexpr bool IS_SANITIZED = false;
#endif

/**
 * What sanitizers look for lies in lines of code, which a few random cases pass as well as many.
 * @param n how many cases a QUICK test tries
 * @return as many, or a third of them where this build looks for memory errors
 */
constexpr uint32_t
FewIfSanitized(uint32_t n)
{
    return IS_SANITIZED ? (n + 2) / 3 : n;
}

/// @return message of the WormholeError that an action throws, empty if it throws none
/// @param action what to do
template <typename ACTION>
std::string
ErrorOf(ACTION action)
{
    try
    {
        action();
    }
    catch (const WormholeError& error)
    {
        return error.what();
    }
    return "";
}

/// @return what an action is refused with, or "accepted" @param action the action
template <typename ACTION>
std::string
Refusal(ACTION action)
{
    const auto error = ErrorOf(action);
    return error.empty() ? "accepted" : error;
}

/// Writes a file. @return its path @param path the path @param text what is in it
inline std::string
WriteText(const std::string& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

} // namespace ns3

#endif /* TEST_TOOLS_H */
