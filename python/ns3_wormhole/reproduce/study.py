# SPDX-License-Identifier: GPL-2.0-only
"""What is run and plotted: a call of a program that makes a CSV file, and plots of such files."""

from __future__ import annotations

import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class Study:
    """One call of a program that makes one CSV file, and some others."""

    name: str  #: name of the CSV file, without its suffix
    program: str  #: name of the example program
    arguments: tuple[str, ...] = ()  #: its arguments, without the files it writes
    random: bool = False  #: whether it draws random fabrics, --runs of them
    files: tuple[pathlib.Path, ...] = ()  #: input files
    others: tuple[str, ...] = ()  #: options that name further files to write
    refused: bool = False  #: whether the program is expected to refuse the arguments

    def complete(self, runs: int) -> list[str]:
        """Returns the arguments for so many random fabrics."""
        return [*self.arguments, *([f"--runs={runs}"] if self.random else [])]

    def targets(self, results: pathlib.Path) -> dict[str, pathlib.Path]:
        """Returns all files that it makes, by the options that name them."""
        main = results / (self.name + (".refused.txt" if self.refused else ".csv"))
        return {"csv": main,
                **{name: results / f"{self.name}-{name}.csv" for name in self.others}}


@dataclasses.dataclass(frozen=True)
class Caption:
    """The caption of a plot, and the heading of the section of the report that it belongs to."""

    text: str
    section: str = ""


@dataclasses.dataclass(frozen=True)
class Plots:
    """Plots that a program makes in one call, from the CSV files of some studies."""

    prefix: str  #: what the plots' names begin with
    studies: tuple[str, ...]  #: names of the studies
    captions: dict[str, Caption]  #: captions, by what follows the prefix, in the order of the report
    arguments: tuple[str, ...] = ()  #: further arguments of the program
