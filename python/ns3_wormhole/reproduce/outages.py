# SPDX-License-Identifier: GPL-2.0-only
"""Collectives during one failure and its repair: lost rounds, waiting members, and when hardware pays off."""

import pathlib

from .comparison import Caption, Chapter, Plots, read, rounded, Row, Section, Study
from .places import OUTAGES

PUBLISHED = pathlib.Path(__file__)  # nothing is
TITLE = "Failure and repair: what each scheme loses"
SOURCE = "no paper"
INTRO = """\
A group of 16 hosts runs rounds, with pauses of 20 us, while one part is down for 5 ms: a cable of its barrier tree,
another cable, a switch, or a host. Hosts retransmit, and routes recover (`static`); a round ends after 500 us at the
latest. The owner of a failed group makes another group of the hosts that are still connected, and after the repair a
group of all hosts. `first`: from the failure to the end of the next completed round. `lost`: the time in which the lost
rounds would have been completed at the previous pace. `pays`: the number of rounds between failures after which
hardware has made up for its greater losses, compared with the fastest software; 0: it loses no more; empty: never. An
in-switch group whose tree is cut is made anew on the remaining parts. Networks beside the fabric (`hw-1`) have no
outages of their own. All times are in us.
"""
FABRICS = ()
PLACES = {"irregular": "irregular:switches=75,hosts=256", "torus": "torus:8x8", "clos": "clos:ports=16"}
COLUMNS = {"failure": "failure", "scheme": "scheme", "before_us": "before", "between_us": "between",
           "after_us": "after", "lost_rounds": "rounds lost", "to_first_us": "first", "lost_us": "lost",
           "groups": "new groups", "setup_us": "set-up", "pays_after_rounds": "pays", "needs": "needs"}


def studies() -> list[Study]:
    """Returns the studies: each fabric's failures."""
    return [Study(f"outages-{place}", OUTAGES, (f"--topology={text}", "--size=16"), others=("rounds",))
            for place, text in PLACES.items()]


def plots() -> list[Plots]:
    """Returns the plots: rounds over time."""
    return [Plots("outages-", tuple(study.name for study in studies()), {
        place: Caption(f"{text}: time of each round before, during and after the failure; grey: the part is down; x, "
                       "below all other points: a lost round; a curve that others cover, such as dissemination by "
                       "pairwise-exchange before the failure, shows as their rim", text)
        for place, text in PLACES.items()})]


def chapter(results) -> Chapter:
    """Returns a table for each fabric, and why rounds were lost."""
    sections = []
    for place, text in PLACES.items():
        rows = read(results / f"outages-{place}.csv")
        sections.append(Section(text, tuple(COLUMNS.values()), [
            Row(tuple(rounded(row[name]) if name.endswith(("_us", "_rounds")) else row[name]
                      for name in COLUMNS)) for row in rows], [
            f"{row['failure']}, `{row['scheme']}`: "
            f"{'without ' + row['missing'] + ': ' if row['missing'] else ''}{row['reason']}"
            for row in rows if row["reason"]]))
    return Chapter(TITLE, SOURCE, INTRO, sections)
