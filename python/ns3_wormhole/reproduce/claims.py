# SPDX-License-Identifier: GPL-2.0-only
"""Claims of the papers' texts that are not single values: whether a paper's own numbers bear them out, and whether the
studies do."""

import dataclasses
from .comparison import DIFFERS, FIT, HOLDS, PREDICTED, read, REPEATED, Row, Section, UNDECIDED
from .places import DATA

PUBLISHED = DATA / "claims-published.csv"
NO_NUMBERS = "no numbers"
HEADING = "Claims of the text"
INTRO = """\
The text's conclusions, compared with the numbers that the paper prints and with the studies.
"""
COLUMNS = ("claim", "where", "the paper's own numbers", "here", "verdict", "note")


@dataclasses.dataclass(frozen=True)
class Finding:
    """Whether a claim holds, and the numbers that show it; None: there are no numbers."""

    own: bool | None = None  # by the numbers that the paper prints
    ours: bool | None = None  # by the studies
    own_text: str = ""
    our_text: str = ""
    made_by: tuple[str, ...] = ()
    in_part: bool = False  # whether it holds for a part of what is claimed alone
    undecided: bool = False  # whether the studies' numbers don't tell
    repeats: bool = False  # whether another published value implies it
    fitted: bool = False  # whether the studies' numbers are of values that were fitted

    @property
    def holds(self) -> bool:
        """Whether there are numbers, none of which contradict the claim."""
        return not self.undecided and False not in (self.own, self.ours) and (self.own, self.ours) != (None, None)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if self.holds:
            return "holds" + " in part" * self.in_part + " by fitted values" * self.fitted
        if self.undecided and self.own is not False:
            return "undecided"
        if self.own is False:
            return "contradicted by the paper's own numbers" + {False: ", and by ours", True: ", holds by ours"}.get(
                self.ours, "")
        if self.ours is False:
            return "contradicted by ours" + ", holds by the paper's own" * (self.own is True)
        return "not reproducible"


def series(values, decimals: int = 2) -> str:
    """Returns numbers as text."""
    return ", then ".join(f"{value:.{decimals}f}" for value in values)


def grows(values) -> bool:
    """Returns whether each number is greater than the previous one."""
    values = list(values)
    return all(one < other for one, other in zip(values, values[1:]))


class Printed:
    """Values that a paper prints, by their ids. path: CSV of these values"""

    def __init__(self, path):
        self.figures = {figure["id"]: figure for figure in read(path)}

    def values(self, *names: str) -> list[float]:
        """Returns the values of these ids as numbers."""
        return [float(self.figures[name]["value"]) for name in names]


class Claims:
    """Findings of studies on a paper's claims; for each quantity there is a method of the same name."""

    paper = ""
    few: frozenset[str] = frozenset()  # studies of too few random fabrics for a verdict

    def section(self) -> Section:
        """Returns the table. A claim with the quantity "none" can't be examined."""
        found = Section(HEADING, COLUMNS, intro=INTRO)
        for claim in (each for each in read(PUBLISHED) if each["paper"] == self.paper):
            check = getattr(self, claim["quantity"].replace(" ", "_"), Finding)
            assert check is not Finding or claim["quantity"] == "none", claim["id"]
            finding = check()
            if self.few.intersection(finding.made_by):
                finding = dataclasses.replace(finding, ours=None, undecided=True)
            off = HOLDS if finding.holds and not finding.in_part else \
                UNDECIDED if finding.verdict == "undecided" else DIFFERS
            found.rows.append(Row(
                (claim["claim"], claim["where"], finding.own_text or NO_NUMBERS,
                 finding.our_text or "not simulated", finding.verdict, claim["why"]),
                claim["id"], FIT if finding.fitted else REPEATED if finding.repeats else PREDICTED, off.percent, made_by=finding.made_by))
        return found
