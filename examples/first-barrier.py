#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""first-barrier.cc from Python, with ns-3's own names.

Generates an irregular fabric, makes a group of four hosts, and lets them meet at a barrier in the
switches.
"""

import sys

from ns3_wormhole import WormholeError, connect, ns, translated


def in_us(time):
    """Returns a time as ns-3 prints it."""
    return f"+{time.GetPicoSeconds() / 1e6:.6g}us"


def main():
    graph = ns.IrregularTopologyHelper().Create()
    fabric = ns.WormholeHelper().Install(graph)
    domain = ns.CollectiveHelper().Install(fabric, graph)
    barrier = ns.CollectiveHelper.MakeBarrier("btin")

    def enter_all(setup):
        print(f"set up in {in_us(setup)}")
        for rank in range(barrier.GetNMembers()):
            barrier.Enter(rank)

    def left(rank, _result):
        print(f"{in_us(ns.Simulator.Now())}: member {rank} leaves")

    connect(barrier, "Ready", enter_all)
    connect(barrier, "Leave", left)
    barrier.Create(domain, [0, 17, 42, 200])
    ns.Simulator.Run()
    ns.Simulator.Destroy()


if __name__ == "__main__":
    try:
        with translated():
            main()
    except WormholeError as error:
        sys.exit(f"first-barrier: {error}")
