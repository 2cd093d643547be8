#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""fabric-benchmark.cc from Python: the cost of simulating a fabric, with the same results except times.

Example: fabric-benchmark.py --fabrics=torus:4x4 --loads=0.05 --flits=2,64 --worms=1000 --members=16
"""

import pathlib
import sys

import click
from ns3_wormhole import WormholeError, benchmark, options

OUTPUT = [click.Option(["--csv"], metavar="FILE", help="file for the traffic table, instead of standard output"),
          click.Option(["--barrierCsv", "barrier_csv"], metavar="FILE",
                       help="file for the barrier table, instead of standard output")]
SCALE = [click.Option(["--hosts"], type=options.Listed(int),
                      help="instead measures fabrics with these numbers of hosts, and a barrier of all hosts"),
         click.Option(["--switches"], type=int,
                      help="number of switches of these fabrics; default: 300 per 1024 hosts")]


def write(frame, path):
    """Writes a table to a file or standard output."""
    if path:
        pathlib.Path(path).write_text(frame.attrs["csv"], encoding="utf-8")
    else:
        print(frame.attrs["csv"], end="")


def main(csv, barrier_csv, hosts, switches, **values):
    given = options.arguments_from(values)
    if hosts is None:
        if switches is not None:
            raise WormholeError("--switches has no effect without --hosts; expected both")
        traffic, barriers = benchmark.fabrics(**given)
        write(traffic, csv)
        if len(barriers):
            write(barriers, barrier_csv)
        return
    wrong = set(given) - {"schedulers", "progress"} | ({"barrierCsv"} if barrier_csv else set())
    if wrong:
        raise WormholeError(f"--{options.camel(min(wrong))} has no effect with --hosts; expected "
                            "one of the two")
    write(benchmark.scale(hosts=hosts, switches=switches or 0, **given), csv)


if __name__ == "__main__":
    command = click.Command("fabric-benchmark", callback=main, help=__doc__.splitlines()[0],
                            params=options.parameters_of(benchmark.fabrics) + SCALE + OUTPUT)
    sys.exit(options.run(command, "fabric-benchmark"))
