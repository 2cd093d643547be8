/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Replays a case of worms with given times and trees and prints when each of them started and left
// every channel and arrived, as JSON. Times are in ps. See doc/wormhole.rst, "Worm replay".

#include "ns3/worm-replay.h"

#include "ns3/nstime.h"
#include "ns3/program-options.h"
#include "ns3/worm-case-file.h"
#include "ns3/wormhole-error.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    try
    {
        ProgramOptions options(
            __FILE__,
            "Replays worms exactly to the flit and prints their times, in ps, as JSON.\n\n"
            "Example: worm-replay --case=case.json\n\n"
            "The case holds flit_time, link_delay, switch_delay (ps), depth (flits), replication "
            "(async or sync),\nhosts, links and worms, see doc/wormhole.rst. Printed are for each "
            "worm the channels that it took,\n\"node:port\": [when its head started, when its "
            "tail had left, or null], and when it arrived at hosts;\nthen the indices of worms "
            "that never arrived everywhere. Why they did not is told on standard error.");
        options.Add("case", "FILE", "File of the case, JSON");
        options.Parse(argc, argv);
        if (!options.Has("case"))
        {
            throw WormholeError("--case is missing; give the file of a case, as --case=case.json");
        }
        Time::SetResolution(Time::PS);
        const auto worms = ReadWormCase(options.Get("case"));
        const auto outcome = ReplayWorms(worms);
        PrintReplay(std::cout, worms, outcome);
        if (!outcome.deadlock.empty())
        {
            std::cerr << "worm-replay: " << outcome.deadlock << std::endl;
        }
    }
    catch (const WormholeError& error)
    {
        std::cerr << "worm-replay: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
