# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole."""

from __future__ import annotations

import sys

import click

from ..core import options
from ..core.loader import cppyy, when_loaded
from ..core.options import examples
from ..reproduce.places import commit, version
from .group import Group
from .plugin import plugin_option


@when_loaded
def _compile_soon():
    """Has what cppyy compiles for Python not be optimized: a command calls much once, and little often."""
    cppyy.gbl.gInterpreter.ProcessLine(".O 0")


def tell_version(context, _, is_asked):
    """Prints the version, if asked, and ends."""
    if is_asked:
        click.echo(" ".join(["ns3-wormhole", version(), commit()]).rstrip())
        context.exit()


@click.group(cls=Group, later={
    "adapter": "cli.studies.adapter", "calibrate": "cli.osu.calibrate", "campaign": "cli.studies.campaign",
    "compare": "cli.compare.command", "cxxflags": "cli.plugin.cxxflags", "fabric": "cli.fabric.fabric",
    "goal": "cli.goal.goal", "machine": "cli.machine.machine_group", "osu": "cli.osu.osu",
    "outages": "cli.studies.outages", "predict": "cli.studies.predict",
    "reproduce": "reproduce.command.reproduce", "routing-comparison": "cli.studies.compare_routings",
    "study": "cli.studies.study", "timeline": "cli.timeline.timeline"}, epilog=examples("""
  ns3-wormhole compare --topology=torus:8x8 --group-sizes=8,32
  ns3-wormhole fabric show cluster.json --members=h0,h4,h7 --svg=cluster.svg
  ns3-wormhole campaign sweep.json --csv=sweep.csv --workers=4"""))
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=tell_version,
              help="Show the version, and the commit of a checkout, and exit.")
@plugin_option
def app():
    """Wormhole cluster fabrics and their barriers in ns-3."""


def main(arguments=None):
    """Runs the command line, and exits."""
    sys.exit(options.run(app, "ns3-wormhole", arguments))


if __name__ == "__main__":
    main()
