# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The program of the part lengths: compare with options of the example programs for plots."""

from __future__ import annotations

import pathlib
import sys

import click

from .. import _crossover_output as output, options, studies
from .._files import write_whole
from .._loader import pandas


@options.interruptible
def run(csv, crossovers, from_csv, plots, plot_prefix, gnuplot, **values):
    """Compares over lengths, or plots what was compared."""
    if from_csv is None:
        frame = studies.crossover(**options.arguments_from(values))
        write_whole(crossovers, studies.crossovers(frame).to_csv(index=False, lineterminator="\n"))
        write_whole(csv, frame.to_csv(index=False, lineterminator="\n"))
        return
    folder = pathlib.Path(plots)
    folder.mkdir(parents=True, exist_ok=True)
    for path in map(pathlib.Path, from_csv):
        frame = pandas.read_csv(path, keep_default_na=False)
        frame["latency_us"] = pandas.to_numeric(frame.latency_us)
        changes = pandas.read_csv(path.with_name(f"{path.stem}-crossovers.csv"))
        frame.attrs["crossovers"] = changes.to_dict("records")
        stem = folder / f"{plot_prefix}{path.stem.removeprefix(plot_prefix)}"
        write_whole(f"{stem}.plt", "\n".join(output.script(frame)) + "\n")
        for suffix in (".svg", ".png") if gnuplot else ():
            output.plot(frame, f"{stem}{suffix}", path.stem.replace("-", " ").partition(" ")[2])


def main():
    """Runs the program, and exits."""
    files = ("csv", "crossovers", "plots", "plotPrefix", "gnuplot")
    command = click.Command("compare", callback=run, params=[
        *options.parameters_of(studies.crossover),
        *(click.Option([f"--{name}"]) for name in files),
        click.Option(["--fromCsv"], type=options.Listed(str))])
    for option in command.params:
        option.name = {"plotprefix": "plot_prefix", "fromcsv": "from_csv"}.get(option.name, option.name)
    sys.exit(options.run(command, "compare"))


if __name__ == "__main__":
    main()
