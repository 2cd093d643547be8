# SPDX-License-Identifier: GPL-2.0-only
"""Verdicts on published values, from the deviations in the report's tables."""

from __future__ import annotations

import dataclasses
import math
from typing import Iterable

from .comparison import CHECK, CLOSE, counting, FEWEST, FIT, PREDICTED, REPEATED, REPRODUCED, Row

USES = {PREDICTED: "Predictions", CHECK: "Formulas and checks", FIT: "Fits and inputs", REPEATED: "Repetitions"}

RULE = f"""\
A published value is *reproduced* if the deviation in its table below is at most {REPRODUCED:g} %, *within {CLOSE:g} %*
if the deviation is greater but at most {CLOSE:g} %, and *not reproduced* otherwise, or if no such simulation is
possible. Names, bounds ("below 1.4", "never") and claims are reproduced if they hold. Where the paper leaves a choice
open, a value is compared under several readings. The reading that the paper's text suggests most (marked *likely*)
counts; an inference from published values never counts. Without a likely reading, the reading that is farthest off
counts. The last column has the number of values that would not be reproduced if the best reading of each value counted,
and if the worst did. A sum that is close although most of its parts are not counts as not reproduced. Values that
depend on random fabrics get *no verdict* from fewer than {FEWEST} fabrics a point: latencies differ between fabrics by
a standard deviation of up to 9 %, and only with {FEWEST} or more is the 95 % interval of their mean within
{REPRODUCED:g} %.

*Predictions* are values that the paper prints and to which nothing was fitted. *Formulas and checks* follow from a
formula of the paper, such as the terms of a sequence, or from a fabric that is known in full; they test the program.
*Fits and inputs* were used to set parameters, so that their agreement is no result. They include values within
{CLOSE:g} % of a fitted value beside them, which a copy of the fitted value would reproduce. *Repetitions* are values
that follow from another value in any simulation, such as a price in per cent from the price in dollars. A headline
holds *in part* if a part of its claim holds, and *by fitted values* if the values that support it were fitted to the
paper, so that it is no result.
"""


@dataclasses.dataclass
class Counts:
    """The number of published values with each verdict."""

    reproduced: int = 0
    close: int = 0
    missed: int = 0
    at_best: int = 0  # values missed under their best reading
    at_worst: int = 0  # and under their worst
    undecided: int = 0  # without a verdict

    @property
    def all(self) -> int:
        """The number of published values."""
        return self.reproduced + self.close + self.missed + self.undecided

    @property
    def spread(self) -> str:
        """How many values are missed, from the best reading of each to the worst."""
        return (f"{self.at_best} to {self.at_worst}" if self.at_best != self.at_worst else str(self.at_worst))

    @property
    def sentence(self) -> str:
        """A sentence on the counts of predictions."""
        more = f", {self.close} more within {CLOSE:g} %" * bool(self.close)
        open_ = f", and {self.undecided} have no verdict" * bool(self.undecided)
        return (f"{self.reproduced} of {self.all} predictions are within {REPRODUCED:g} % of the published "
                f"value{more}; {self.missed} are not reproduced{open_}.")

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other))))


def verdict(percent: float) -> str:
    """Returns the name of a verdict, one of the fields of Counts, given a deviation."""
    if math.isnan(percent):
        return "undecided"
    return "reproduced" if percent <= REPRODUCED else "close" if percent <= CLOSE else "missed"


def farthest(percents: Iterable[float]) -> float:
    """Returns the greatest deviation; NaN if a value has no verdict."""
    percents = list(percents)
    return math.nan if any(map(math.isnan, percents)) else max(percents)


def count(rows: Iterable[Row]) -> dict[str, Counts]:
    """Returns the counts of rows, by use; rows of the same published value count once."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.value:
            found.setdefault((row.use, row.value), []).append(row)
    counts = {use: Counts() for use in USES if any(key[0] == use for key in found)}
    for (use, _), readings in found.items():
        percents = [row.percent for row in readings if not math.isnan(row.percent)]
        name = verdict(farthest(row.percent for row in counting(readings)))
        setattr(counts[use], name, getattr(counts[use], name) + 1)
        if percents:
            counts[use].at_best += verdict(min(percents)) == "missed"
            counts[use].at_worst += verdict(max(percents)) == "missed"
    return counts
