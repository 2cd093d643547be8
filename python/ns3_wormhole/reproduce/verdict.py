# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts on published values, from the deviations in the report's tables."""

from __future__ import annotations

import dataclasses
from typing import Iterable

from .comparison import CHECK, FIT, PREDICTED, Row

REPRODUCED = 2.0  # up to so many percent a value is reproduced
CLOSE = 5.0  # and up to so many it is close

USES = {PREDICTED: "Predictions", CHECK: "Formulas and checks", FIT: "Fits and inputs"}

RULE = f"""\
A published value is *reproduced* if the deviation in its table below is at most {REPRODUCED:g} %,
*within {CLOSE:g} %* if it is more than that but at most {CLOSE:g} %, and *not reproduced* otherwise, also
if there can be no such simulation. Names and bounds ("below 1.4", "never") are reproduced if they
hold. Where the paper leaves a choice open and a value is compared under several choices, the one
that is farthest off counts; the last column says how many of the values not reproduced are within
{CLOSE:g} % under another choice.

*Predictions* are values that the paper prints and nothing was fitted to. *Formulas and checks* follow
from a formula of the paper, or from a fabric that is known in full: they test the program.
*Fits and inputs* were used to set parameters, so that their agreement is no result.
"""


@dataclasses.dataclass
class Counts:
    """How many published values have which verdict."""

    reproduced: int = 0
    close: int = 0
    missed: int = 0
    by_choice: int = 0  # of those missed: within CLOSE under another choice

    @property
    def all(self) -> int:
        """The number of published values."""
        return self.reproduced + self.close + self.missed

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(dataclasses.astuple(self),
                                              dataclasses.astuple(other))))


def verdict(percent: float) -> str:
    """Returns the name of a verdict, one of the fields of Counts, given a deviation."""
    return "reproduced" if percent <= REPRODUCED else "close" if percent <= CLOSE else "missed"


def count(rows: Iterable[Row]) -> dict[str, Counts]:
    """Returns the counts of some rows, by use; rows of the same published value count once."""
    found: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if row.value:
            found.setdefault((row.use, row.value), []).append(row.percent)
    counts = {use: Counts() for use in USES if any(key[0] == use for key in found)}
    for (use, _), percents in found.items():
        name = verdict(max(percents))
        setattr(counts[use], name, getattr(counts[use], name) + 1)
        counts[use].by_choice += name == "missed" and min(percents) <= CLOSE
    return counts
