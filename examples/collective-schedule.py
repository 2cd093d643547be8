#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""collective-schedule.cc from Python: a parallel program of computations and collectives.

In each round, every process computes, takes part in an all-reduction, computes again and receives
a broadcast. Prints how long the program and each of the two collectives take with the given
algorithms.

Examples: collective-schedule.py --tasksPerHost=2 "--allreduction=smp[Inner=pairwise]"
          collective-schedule.py --allreduction=btin --explain
"""

import argparse
import sys

import ns3_wormhole as wh
from ns3_wormhole import ns


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    cluster = parser.add_mutually_exclusive_group()
    cluster.add_argument("--fabric", help="fabric file; default: a random fabric")
    cluster.add_argument("--topology", help="text of the fabric, such as torus:8x8,hosts=2")
    cluster.add_argument("--switches", type=int, default=24, help="number of switches of a random fabric")
    parser.add_argument("--hosts", type=int, help="number of hosts [64; all hosts of a given fabric]")
    parser.add_argument("--tasksPerHost", type=int, default=1, help="processes per host")
    parser.add_argument("--compute", default="50us", help="mean time of a computation")
    parser.add_argument("--rounds", type=int, default=10, help="how often each process computes and communicates")
    parser.add_argument("--allreduction", default="dissemination", help="algorithm of the all-reduction")
    parser.add_argument("--broadcast", default="tree", help="algorithm of the broadcast")
    parser.add_argument("--split", action="store_true",
                        help="wait for the all-reduction only after the second computation")
    parser.add_argument("--explain", action="store_true",
                        help="explain the latency of the slowest round and, by cause, of all "
                        "rounds")
    return parser.parse_args()


def make_fabric(arguments):
    if arguments.fabric:
        return wh.Fabric.from_file(arguments.fabric)
    if arguments.topology:
        return wh.Fabric.from_text(arguments.topology)
    return wh.Fabric.irregular(arguments.switches, arguments.hosts or 64, stream=1)


def run(arguments):
    fabric = make_fabric(arguments)
    total = ns.CollectiveHelper.MakeCollective("allreduction", arguments.allreduction)
    given = ns.CollectiveRegistry.GetSettings(arguments.allreduction)
    for name, value in {"Operation": "MAX", "WidthBits": 32}.items():
        if not given.count(name):
            wh.set_attribute(total, name, value)
    news = ns.CollectiveHelper.MakeBroadcast(arguments.broadcast)

    # Each computation takes up to a tenth more or less than the mean.
    seconds = wh.time(arguments.compute).GetSeconds()
    computation = f"ns3::UniformRandomVariable[Min={0.9 * seconds:g}|Max={1.1 * seconds:g}]"
    program = ns.CollectiveApplicationHelper()
    program.SetAttribute("Repetitions", ns.UintegerValue(arguments.rounds))
    program.AddComputation(computation)
    if arguments.split:
        program.AddEnter(total)
        program.AddComputation(computation)
        program.AddWait(total)
    else:
        program.AddCollective(total)
        program.AddComputation(computation)
    program.AddCollective(news)

    members = arguments.hosts or int(fabric.domain.GetNHosts())
    hosts = [host for host in range(members) for _ in range(arguments.tasksPerHost)]
    explainer = ns.RoundExplainer(fabric.domain) if arguments.explain else None
    timings = {"allreduction": ns.CollectiveTiming(total), "broadcast": ns.CollectiveTiming(news)}
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
    for kind, timing in timings.items():
        print(f"since all came until all left, {kind}: {timing.ToText()}")
    for kind, group in {"allreduction": total, "broadcast": news}.items():
        if explainer:
            print(f"\nwhat that went into, {kind}, "
                  f"{ns.ExplainRounds(explainer, group, group.GetRound(0))}", end="")


if __name__ == "__main__":
    try:
        with wh.translated():
            run(parse_arguments())
    except wh.WormholeError as error:
        sys.exit(f"collective-schedule: {error}")
