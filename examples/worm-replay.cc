/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Replays a case of worms with given times and trees and prints when each of them started and left
// every channel and arrived, as JSON. Times are in ps. See doc/wormhole.rst, "Worm replay".

#include "ns3/command-line.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/worm-case-file.h"
#include "ns3/worm-replay.h"
#include "ns3/wormhole-error.h"

#include <iostream>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string file;
    CommandLine cmd(__FILE__);
    cmd.Usage("Replays worms flit by flit exactly and prints their times as JSON.\n"
              "Example: worm-replay --case=case.json\n"
              "The case holds flit_time, link_delay, switch_delay (ps), depth, replication, hosts, "
              "links and worms.");
    cmd.AddValue("case", "file of the case, JSON", file);
    cmd.Parse(argc, argv);

    try
    {
        if (file.empty())
        {
            throw WormholeError("--case is missing; give the file of a case, as --case=case.json");
        }
        Time::SetResolution(Time::PS);
        const auto worms = ReadWormCase(file);
        const auto outcome = ReplayWorms(worms);
        PrintReplay(std::cout, worms, outcome);
    }
    catch (const WormholeError& error)
    {
        std::cerr << "worm-replay: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
