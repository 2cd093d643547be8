#!/usr/bin/env python3
# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""collective-schedule.cc from Python: a parallel program of computations and collectives.

Every process computes, adds up a value with the others, computes again and hears a broadcast, a
number of times. Tells how long that takes with the algorithms named.

Example: collective-schedule.py --tasksPerHost=2 "--allreduction=smp[Inner=pairwise]"
"""

import argparse
import sys

import ns3_wormhole as wh
from ns3_wormhole import ns


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--switches", type=int, default=24, help="number of switches")
    parser.add_argument("--hosts", type=int, default=64, help="number of hosts")
    parser.add_argument("--tasksPerHost", type=int, default=1, help="processes of each host")
    parser.add_argument("--compute", default="50us", help="how long a computation takes on average")
    parser.add_argument("--rounds", type=int, default=10, help="how often each process does so")
    parser.add_argument("--allreduction", default="dissemination", help="its algorithm")
    parser.add_argument("--broadcast", default="tree", help="its algorithm")
    return parser.parse_args()


def run(arguments):
    fabric = wh.Fabric.irregular(arguments.switches, arguments.hosts, stream=1)
    total = ns.CollectiveHelper.MakeCollective("allreduction", arguments.allreduction)
    wh.set_attribute(total, "Operation", "MAX")
    wh.set_attribute(total, "WidthBits", 32)
    news = ns.CollectiveHelper.MakeBroadcast(arguments.broadcast)

    # Every process computes a tenth more or less than others do.
    seconds = wh.time(arguments.compute).GetSeconds()
    computation = f"ns3::UniformRandomVariable[Min={0.9 * seconds:g}|Max={1.1 * seconds:g}]"
    program = ns.CollectiveApplicationHelper()
    program.SetAttribute("Repetitions", ns.UintegerValue(arguments.rounds))
    program.AddComputation(computation)
    program.AddCollective(total)
    program.AddComputation(computation)
    program.AddCollective(news)

    hosts = [host for host in range(arguments.hosts) for _ in range(arguments.tasksPerHost)]
    processes = program.Install(fabric.domain, hosts)
    ns.CollectiveApplicationHelper.AssignStreams(processes, 1000)
    processes.Start(ns.Seconds(0))
    ends = []
    for i in range(processes.GetN()):
        wh.connect(processes.Get(i), "Done", lambda _: ends.append(ns.Simulator.Now()))
    ns.Simulator.Run()
    missing = str(fabric.domain.ExplainMissing())
    if missing:
        raise wh.WormholeError(missing)
    last = ends[-1].GetPicoSeconds() / 1e6
    print(f"{len(hosts)} processes, {arguments.rounds} rounds, allreduction "
          f"{arguments.allreduction}, broadcast {arguments.broadcast}: +{last:.6g}us")


if __name__ == "__main__":
    try:
        with wh.translated():
            run(parse_arguments())
    except wh.WormholeError as error:
        sys.exit(f"collective-schedule: {error}")
