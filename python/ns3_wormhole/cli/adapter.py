# SPDX-License-Identifier: GPL-2.0-only
"""The command that tells what barriers gain if network adapters run them."""

from __future__ import annotations

import click

from ..core import options
from ..core.options import examples
from ..study import adapter as study


@options.interruptible
def adapter(csv, **values):
    """Tells what a barrier gains that network adapters run, over how fast their processors are.

    A host's message takes what makes the simulated barrier as long as the measured one. An adapter's
    takes it by a ratio; the marked row has the one that makes the other barrier as long, too.
    """
    options.check_files(csv)
    frame = study.adapter(**options.arguments_from(values))
    options.write_table(csv, frame)
    print(frame.assign(measured=frame.measured.map({True: "*", False: ""})).to_string(
        index=False, na_rep="-", float_format=lambda value: f"{value:.4g}"))


command = click.Command(
    "adapter", callback=adapter, help=adapter.__doc__, params=[
        *options.parameters_of(study.adapter),
        click.Option(["--csv"], metavar="FILE", help="where the table goes, too")],
    epilog=examples("""
  ns3-wormhole adapter --topology=clos:ports=16 --size=16 --host-us=181.8 --adapter-us=102.14"""))
