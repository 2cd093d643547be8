# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole."""

import sys
import textwrap

import click

from ..core import machine as machines, options, plugin
from ..core.loader import cppyy, when_loaded
from ..core.options import examples
from ..reproduce.places import commit, version
from .group import Group


@when_loaded
def _compile_soon():
    """Stops cppyy from optimizing compiled code: a command calls most functions only once, and few often."""
    cppyy.gbl.gInterpreter.ProcessLine(".O 0")


@options.interruptible
def _load(_context, _parameter, paths):
    for path in paths:
        plugin.load(path)


def tell_version(context, _, is_asked):
    """Prints the version if requested, and exits."""
    if is_asked:
        click.echo(" ".join(["ns3-wormhole", version(), commit()]).rstrip())
        context.exit()


@click.group(cls=Group, later={
    "adapter": "cli.studies.adapter", "calibrate": "cli.osu.calibrate", "campaign": "cli.studies.campaign",
    "compare": "cli.compare.command", "fabric": "cli.fabric.fabric", "goal": "cli.goal.goal", "osu": "cli.osu.osu",
    "outages": "cli.studies.outages", "predict": "cli.studies.predict",
    "reproduce": "reproduce.command.reproduce", "routing-comparison": "cli.studies.compare_routings",
    "study": "cli.studies.study", "timeline": "cli.timeline.timeline"}, epilog=examples("""
  ns3-wormhole compare --topology=torus:8x8 --group-sizes=8,32
  ns3-wormhole fabric show cluster.json --members=h0,h4,h7 --svg=cluster.svg
  ns3-wormhole campaign sweep.json --csv=sweep.csv --workers=4"""))
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=tell_version,
              help="Show the version, and the commit of a checkout, and exit.")
@click.option("--plugin", multiple=True, metavar="FILE", expose_value=False, callback=_load,
              help="A library of your own algorithms and routing engines, for use by name; built with "
                   "'g++ -shared -fPIC mine.cc -o libmine.so $(ns3-wormhole cxxflags)'.")
def app():
    """Simulates wormhole cluster fabrics and their collectives in ns-3."""


@app.command(epilog=examples("""
  g++ -shared -fPIC mine.cc -o libmine.so $(ns3-wormhole cxxflags)
  ns3-wormhole --plugin=libmine.so compare --topology=torus:4x4 --names=mine,btin
  ns3-wormhole cxxflags --pkg-config > wormhole.pc"""))
@click.option("--pkg-config", is_flag=True, help="instead prints a file wormhole.pc for pkg-config")
@options.interruptible
def cxxflags(pkg_config):
    """Prints the compiler's flags for programs and libraries that use the module.

    Such programs and libraries are linked with all modules of the ns-3 that was found.
    """
    click.echo(plugin.pkg_config(version()) if pkg_config else plugin.cxxflags(), nl=not pkg_config)


@app.group("machine", cls=Group)
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
    """Shows a machine's values (without a machine, the defaults) as a file to edit."""
    print(machines.show(machine), end="")


def main(arguments=None):
    """Runs the command line, and exits."""
    sys.exit(options.run(app, "ns3-wormhole", arguments))


if __name__ == "__main__":
    main()
