# SPDX-License-Identifier: GPL-2.0-only
"""The commands ns3-wormhole machine ..."""

from __future__ import annotations

import textwrap

import click

from ..core import machine as machines, options
from ..core.options import examples
from .group import Group


@click.group(cls=Group, name="machine")
def machine_group():
    """Lists machines, and shows the configuration in effect."""


@machine_group.command("list", epilog=examples("""
  ns3-wormhole machine list"""))
@options.interruptible
def list_machines():
    """Lists the machines that may be given by name."""
    for name in machines.names():
        what, source = machines.describe(name)
        print(f"{name}: {what}")
        print(textwrap.fill(source, 100, initial_indent="    ", subsequent_indent="    "))


@machine_group.command("show", epilog=examples("""
  ns3-wormhole machine show
  ns3-wormhole machine show edr-infiniband > mine.toml"""))
@click.argument("machine", metavar="[NAME|FILE]", required=False)
@options.interruptible
def show_machine(machine):
    """Shows what is in effect on a machine, or by default, as a file to keep and edit."""
    print(machines.show(machine), end="")
