# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole osu."""

from __future__ import annotations

import sys

import click

from . import _arguments as arguments
from . import options
from .errors import WormholeError
from .fabric import Fabric
from .options import examples
from .osu import BENCHMARKS, as_text, measure, sizes_of


def where(fabric: str | None, topology: str | None) -> Fabric:
    """Returns the fabric of --fabric or --topology."""
    if (fabric is None) == (topology is None):
        raise WormholeError("accepted is one of --fabric=FILE and --topology=TEXT")
    return Fabric.from_text(topology) if fabric is None else Fabric.from_file(fabric)


def members_of(text: str | None):
    """Returns members as Fabric.group() takes them."""
    return None if text is None else int(text) if text.isdecimal() else text.split(",")


def common(command):
    """Adds the options that osu and calibrate share."""
    for option in reversed((
            click.option("--fabric", metavar="FILE", help="fabric file"),
            click.option("--topology", metavar="TEXT", help="a family's text, as torus:4x4"),
            click.option("--machine", metavar="NAME|FILE", help="attributes of a machine"),
            click.option("--attribute", "attributes", multiple=True, metavar="NAME=VALUE",
                         help="of the fabric or the hosts' software, before the machine's"),
            click.option("--members", metavar="HOST,...|N",
                         help="members of collectives, or how many random ones; all without it"),
            click.option("--tasks-per-host", type=int, default=1, show_default=True,
                         help="processes of each host"))):
        command = option(command)
    return command


@click.command(epilog=examples("""
  ns3-wormhole osu latency --fabric=cluster.json --attribute=HostSoftware::StartUp=900ns
  ns3-wormhole osu bw --topology=torus:4x4 --hosts=h0,h15 --message-size=1:65536
  ns3-wormhole osu barrier --topology=torus:4x4 --algorithm=tree[Tree=fibo] --full
  ns3-wormhole osu bcast --topology=clos:ports=16 --members=32"""))
@click.argument("benchmark", metavar="|".join(BENCHMARKS))
@common
@click.option("--hosts", metavar="HOST,HOST", help="latency and bw: the two hosts  [default: the "
                                                   "first two]")
@click.option("-m", "--message-size", metavar="[MIN:]MAX", help="lengths in bytes, powers of two")
@click.option("-i", "--iterations", type=int, help="how many count, after a warm-up")
@click.option("--algorithm", metavar="NAME", help="of collectives  [default: "
              + ", ".join(f"{each.name} {each.algorithm}" for each in BENCHMARKS.values()
                          if each.kind) + "]")
@click.option("-f", "--full", is_flag=True, help="least, greatest and iterations, too")
@click.option("--digits", type=click.IntRange(0, 9), default=2, show_default=True,
              help="of values after the point")
@options.interruptible
def osu(benchmark, fabric, topology, machine, attributes, members, tasks_per_host, hosts,
        message_size, iterations, algorithm, full, digits):
    """Prints what an OSU micro benchmark prints, simulated.

    latency: us of a message. bw: MB/s (10^6 bytes/s) of windows of 64 messages. barrier, bcast,
    allreduce (up to 8 bytes): us, mean over members. A broadcast or all-reduction begins at once
    at all members; barriers follow each other.
    """
    arguments.word("benchmark", benchmark, BENCHMARKS)
    made = where(fabric, topology)
    frame = measure(made, benchmark, None if message_size is None else sizes_of(message_size),
                    hosts=members_of(hosts), members=members_of(members),
                    tasks_per_host=tasks_per_host, algorithm=algorithm, iterations=iterations,
                    machine=machine,
                    **options.arguments_from({"attributes": attributes}))
    note = f": {made.name}, {frame.members[0]} processes"
    sys.stdout.write(as_text(frame, benchmark, full, digits, note))
