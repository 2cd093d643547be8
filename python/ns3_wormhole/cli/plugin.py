# SPDX-License-Identifier: GPL-2.0-only
"""The option --plugin of ns3-wormhole, and the command ns3-wormhole cxxflags."""

from __future__ import annotations

import click

from ..core import options, plugin
from ..core.options import examples
from ..reproduce.places import version


@options.interruptible
def _load(_context, _parameter, paths):
    for path in paths:
        plugin.load(path)


plugin_option = click.option(
    "--plugin", multiple=True, metavar="FILE", expose_value=False, callback=_load,
    help="A library of your own, whose algorithms and routing engines have names then; made by "
         "'g++ -shared -fPIC mine.cc -o libmine.so $(ns3-wormhole cxxflags)'.")


@click.command(epilog=examples("""
  g++ -shared -fPIC mine.cc -o libmine.so $(ns3-wormhole cxxflags)
  ns3-wormhole --plugin=libmine.so compare --topology=torus:4x4 --names=mine,btin
  ns3-wormhole cxxflags --pkg-config > wormhole.pc"""))
@click.option("--pkg-config", is_flag=True, help="prints a file wormhole.pc for pkg-config instead")
@options.interruptible
def cxxflags(pkg_config):
    """Prints what a compiler needs for programs and libraries that use the module.

    They are linked with all modules of the ns-3 that was found.
    """
    click.echo(plugin.pkg_config(version()) if pkg_config else plugin.cxxflags(), nl=not pkg_config)
