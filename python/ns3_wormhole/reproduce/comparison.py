# SPDX-License-Identifier: GPL-2.0-only
"""Code shared by the papers' modules: studies and their plots; and rows, sections and chapters of the report, which
compare published with modelled and simulated values."""

from __future__ import annotations

import dataclasses
import math
import operator
import pathlib
import re
from typing import Any, NamedTuple, Sequence

from ..core import csv_file

# What a published value was used for.
PREDICTED = "predicted"  # nothing was fitted to it
CHECK = "check"  # a formula of the paper, or a fabric that is known in full
FIT = "fit"  # parameters were calibrated with it, or it is an input
REPEATED = "repeated"  # another published value implies it, whatever is simulated

REPRODUCED = 2.0  # up to so many percent a value is reproduced
CLOSE = 5.0  # and up to so many it is close
# Random fabrics that a mean takes for a verdict. From one to another a latency has a standard deviation
# of up to 9 %: only so many keep the 95 % interval of its mean within REPRODUCED.
FEWEST = 80


class Deviation(NamedTuple):
    """A value's deviation from the published one, as text and as absolute percentage."""

    text: str
    percent: float


SAME = Deviation("as printed", 0.0)  # of a name
HOLDS = Deviation("holds", 0.0)  # of a bound
DIFFERS = Deviation("differs", math.inf)
IMPOSSIBLE = Deviation("", math.inf)
UNDECIDED = Deviation("no verdict", math.nan)


@dataclasses.dataclass(frozen=True)
class Study:
    """One call of a program that makes one CSV file, and possibly others."""

    name: str  #: name of the CSV file, without its suffix
    program: str  #: name of the example program
    arguments: tuple[str, ...] = ()  #: its arguments, without the files it writes
    random: bool = False  #: whether it draws random fabrics, --runs of them
    files: tuple[pathlib.Path, ...] = ()  #: input files
    others: tuple[str, ...] = ()  #: options that name further files to write
    refused: bool = False  #: whether the program is expected to refuse the arguments

    def complete(self, runs: int) -> list[str]:
        """Returns the arguments for this number of random fabrics."""
        return [*self.arguments, *([f"--runs={runs}"] if self.random else [])]

    def targets(self, results: pathlib.Path) -> dict[str, pathlib.Path]:
        """Returns all files that the call makes, by the options that name them."""
        main = results / (self.name + (".refused.txt" if self.refused else ".csv"))
        return {"csv": main, **{name: results / f"{self.name}-{name}.csv" for name in self.others}}


@dataclasses.dataclass(frozen=True)
class Caption:
    """The caption of a plot, and the heading of the report's section to which the plot belongs."""

    text: str
    section: str = ""


@dataclasses.dataclass(frozen=True)
class Plots:
    """Plots that a program makes in one call, from the CSV files of some studies."""

    prefix: str  #: what the plots' names begin with
    studies: tuple[str, ...]  #: names of the studies
    captions: dict[str, Caption]  #: captions, by what follows the prefix, in the order of the report
    arguments: tuple[str, ...] = ()  #: further arguments of the program


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of a table."""

    cells: tuple[str, ...]  #: a text per column
    value: str = ""  #: name of the published value; empty: the row compares nothing
    use: str = ""  #: PREDICTED, CHECK, FIT or REPEATED
    percent: float = 0.0  #: absolute deviation from the published value; NaN: there is no verdict
    #: of several rows of a value, whether this one is by the paper's most likely reading
    likely: bool = False
    made_by: tuple[str, ...] = ()  #: names of the CSV files it is from


@dataclasses.dataclass
class Section:
    """A table with its heading and notes. Introduction and notes are Markdown."""

    heading: str
    columns: tuple[str, ...]
    rows: list[Row] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    numbered: bool = False  # whether rows refer to notes by their numbers
    intro: str = ""
    is_map: bool = False  # whether all cells but the first of a row name a winner, then a number

    def note(self, text: str) -> str:
        """Notes a text, once. Returns the number by which rows refer to it; "" without a text."""
        if text and text not in self.notes:
            self.notes.append(text)
        return str(self.notes.index(text) + 1) if text else ""

    @staticmethod
    def winner(cell: str) -> str:
        """Returns the winner named in a map's cell, as a word for a style sheet."""
        return re.sub("[^a-z0-9]+", "-", re.split(" = | [0-9]", cell)[0].lower())


@dataclasses.dataclass
class Chapter:
    """The report's part on one paper. wrong: a text for each result that is not as it must be"""

    title: str
    source: str  # authors and year
    intro: str  # Markdown
    sections: list[Section]
    wrong: list[str] = dataclasses.field(default_factory=list)
    lead: str = ""  # what was found, a sentence, where no published values are counted

    @property
    def rows(self) -> list[Row]:
        """All rows of all sections."""
        return [row for section in self.sections for row in section.rows]

    def readings(self, value: str) -> list[Reading]:
        """Returns the rows of a published value."""
        return [Reading(section, row) for section in self.sections for row in section.rows if row.value == value]


@dataclasses.dataclass(frozen=True)
class Reading:
    """A row with its section, whose cells are found by their columns' names."""

    section: Section
    row: Row

    def __getitem__(self, column: str) -> str:
        names = self.section.columns
        return self.row.cells[names.index(column)] if column in names else ""


def counting(readings: Sequence[Row]) -> list[Row]:
    """Returns the rows of a value that count: the rows of the most likely reading, or all rows."""
    return [row for row in readings if row.likely] or list(readings)


def read(path) -> list[dict[str, str]]:
    """Returns all rows of a CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in csv_file.rows(file) if line]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def grouped(rows, key, name, value) -> dict[Any, dict]:
    """Returns the values of rows by key, then by name. key, name, value: functions of a row, or names of columns"""
    found: dict[Any, dict] = {}
    key, name, value = (each if callable(each) else operator.itemgetter(each) for each in (key, name, value))
    for row in rows:
        found.setdefault(key(row), {})[name(row)] = value(row)
    return found


def deviation(published: str, value) -> Deviation:
    """Returns the deviation of a value, which is a number or a name."""
    if isinstance(value, str):
        return SAME if value == published else DIFFERS
    percent = round(100 * (value / float(published) - 1), 1) + 0.0  # no -0.0
    return Deviation(f"{percent:+.1f} %", abs(percent))


def by_chance(off: Deviation, parts: Sequence[float]) -> Deviation:
    """Returns the deviation of a sum; if the sum is close but most of its parts are not, it is close by chance. parts:
    absolute deviations of the parts"""
    missed = sum(percent > CLOSE for percent in parts)
    if off.percent > CLOSE or 2 * missed <= len(parts):
        return off
    return Deviation(f"{off.text}, by chance: {missed} of its {len(parts)} parts are off by more than "
                     f"{CLOSE:g} %", math.inf)


def bounded(published: str, value: float) -> Deviation | None:
    """Returns whether a value keeps a bound, such as "below 1.4"; None if the published value is not a bound."""
    word, _, rest = published.partition(" ")
    if word == "between":
        least, _, greatest = rest.split()
        return HOLDS if float(least) <= value <= float(greatest) else DIFFERS
    if word == "below":
        return HOLDS if value < float(rest) else Deviation("not below", DIFFERS.percent)
    if word == "within":
        # As the paper rounds: 6.28 is within 6.
        return HOLDS if value <= float(rest) or is_exact(rest, value) else Deviation("not within", DIFFERS.percent)
    return None


def is_near_copy(published: str, fitted: str) -> bool:
    """Returns whether a published value is so near the fitted value beside it that a copy of the fitted value would
    pass for a prediction."""
    return abs(deviation(published, float(fitted)).percent) <= CLOSE


def gain(published: tuple[float, float], simulated: tuple[float, float]) -> str:
    """Returns how a value differs from the fitted value beside it, as published and here; each pair has the value, then
    the fitted value. Such values are close to each other in any simulation, so only their ratio is a prediction."""
    there, here = (100 * (value / fitted - 1) for value, fitted in (published, simulated))
    return f"{there:+.1f} %, here {here:+.1f} %" + (
        ": reversed" if there * here < 0 else
        f": {100 * (here / there - 1):+.0f} % off" if abs(there) >= 0.05 else "")


def is_exact(published: str, value) -> bool:
    """Returns whether a value equals the published one, to its number of decimals."""
    if isinstance(value, str):
        return value == published
    return abs(value - float(published)) <= 0.5000001 * 10 ** -len(published.partition(".")[2])


def shown(value, decimals: int) -> str:
    """Returns a value as a table's cell: a name, a number, or None."""
    return "" if value is None else value if isinstance(value, str) else f"{value:.{decimals}f}"


def rounded(text: str) -> str:
    """Returns a number of a CSV file with four digits, as a table's cell; "" without a number."""
    return f"{float(text):.4g}" if text else ""


def fabrics(number: int) -> str:
    """Returns a number of random fabrics as text."""
    return f"{number} random fabric{'s' * (number != 1)}"


def source_note(figure: dict[str, str]) -> str:
    """Returns the source of a published value, and the remark on it."""
    return ". ".join(filter(None, [figure["where"], figure["why"]]))
