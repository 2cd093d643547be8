#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""worm-replay.cc from Python: when each worm of a case started, left and arrived, as JSON, in ps.

A deadlock is reported on standard error, and the exit status is 1, as for any error.

Examples: worm-replay.py --case=case.json
          worm-replay.py --case=case.json --explain
"""

import argparse
import sys

import cppyy
from ns3_wormhole import WormholeError, ns, translated


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", required=True, metavar="FILE", help="file of the case, JSON")
    parser.add_argument("--explain", action="store_true",
                        help="explain each worm's latency at each of its ends: intervals from its head's "
                        "request until its tail has arrived, each with its cause")
    arguments = parser.parse_args()
    case = ns.ReadWormCase(arguments.case)
    outcome = ns.ExplainWorms(case) if arguments.explain else ns.ReplayWorms(case)
    stream = cppyy.gbl.std.ostringstream()
    ns.PrintReplay(stream, case, outcome)
    print(str(stream.str()), end="")
    if str(outcome.deadlock):
        sys.exit(f"worm-replay: {outcome.deadlock}")


if __name__ == "__main__":
    try:
        with translated():
            main()
    except WormholeError as error:
        sys.exit(f"worm-replay: {error}")
