# SPDX-License-Identifier: GPL-2.0-only
"""Studies that only Python has, with the example programs' options for files and plots."""

import dataclasses
import pathlib
import sys
from typing import Any, Callable, Mapping

import click

from ..core import csv_file, options
from ..core.files import write_whole
from ..core.loader import pandas
from ..report import crossover, outages as outages_output, predictions as predictions_output, routing
from ..study import outages, predictions, studies


@dataclasses.dataclass(frozen=True)
class Tables:
    """A study: how its table is made, written and plotted."""

    study: Callable[..., Any]  #: returns the table
    words: tuple[str, ...]  #: columns of text; the others hold numbers, or nothing
    title: Callable[[str], str]  #: returns a plot's, of the file's name
    output: Any  #: module with `script(table)` and `plot(table, path, title)`
    #: further tables by the option that names their file: made from the study's, and put into its
    #: attrs when it is read again
    others: Mapping[str, Callable[[Any], Any]] = dataclasses.field(default_factory=dict)
    attrs: Mapping[str, Any] = dataclasses.field(default_factory=dict)  #: of a table that is read again

    def read(self, path: pathlib.Path):
        """Returns the table that was written."""
        frame = csv_file.from_text(path, keep_default_na=False)
        for column in frame.columns.difference(self.words):
            frame[column] = pandas.to_numeric(frame[column])
        frame.attrs.update(self.attrs)
        for name in self.others:
            frame.attrs[name] = csv_file.from_text(path.with_name(f"{path.stem}-{name}.csv")).to_dict("records")
        return frame


PROGRAMS = {
    "compare": Tables(studies.crossover, ("kind", "algorithm", "needs", "reason"),
                      lambda name: name.replace("-", " ").partition(" ")[2], crossover,
                      {"crossovers": studies.crossovers}),
    "routing-comparison": Tables(studies.routing_comparison, ("fabric", "engine", "busiest", "has_choices", "reason"),
                                 lambda name: routing.TITLE, routing),
    "predict": Tables(predictions.predictions, ("use", "file", "benchmark", "algorithm"),
                      lambda name: name.replace("-", " ", 1), predictions_output),
    "outages": Tables(outages.outages, ("scheme", "failure", "part", "needs", "missing", "reason"),
                      lambda name: f"{outages_output.TITLE}: {name.partition('-')[2]}", outages_output,
                      {"rounds": outages.rounds}, {"down_us": 2000.0, "up_us": 7000.0})}  # by its defaults


def command(name: str) -> click.Command:
    """Returns the command of a study."""
    tables = PROGRAMS[name]

    @options.interruptible
    def run(csv, fromCsv, plots, plotPrefix, gnuplot, **values):
        """Makes the tables, or plots existing tables."""
        others = {each: values.pop(each) for each in tables.others}
        if fromCsv is None:
            frame = tables.study(**options.arguments_from(values))
            for each, path in others.items():
                csv_file.save(path, tables.others[each](frame))
            csv_file.save(csv, frame)
            return
        folder = pathlib.Path(plots)
        folder.mkdir(parents=True, exist_ok=True)
        for path in map(pathlib.Path, fromCsv):
            frame = tables.read(path)
            stem = folder / f"{plotPrefix}{path.stem.removeprefix(plotPrefix)}"
            write_whole(f"{stem}.plt", "\n".join(tables.output.script(frame)) + "\n")
            for suffix in (".svg", ".png") if gnuplot else ():
                tables.output.plot(frame, f"{stem}{suffix}", tables.title(path.stem))

    files = (*tables.others, "csv", "plots", "plotPrefix", "gnuplot")
    return click.Command(name, callback=run, params=[
        *options.parameters_of(tables.study),
        *(click.Option([f"--{each}", each]) for each in files),
        click.Option(["--fromCsv", "fromCsv"], type=options.Listed(str))])


if __name__ == "__main__":
    study_name = sys.argv.pop(1)
    sys.exit(options.run(command(study_name), study_name))
