# SPDX-License-Identifier: GPL-2.0-only
"""Which algorithm at which length: all-reductions, broadcasts and total exchanges on three fabrics."""

import itertools
import math
import pathlib

from ..core import lengths
from .comparison import Caption, Chapter, grouped, Plots, read, Row, Section, Study
from .places import COMPARE

PUBLISHED = pathlib.Path(__file__)  # nothing is
AS_FAST = 1.05  # as close are the lengths of changes known: see the tolerance, below
TITLE = "Which algorithm, when: collectives of data over lengths"
SOURCE = "no paper"
INTRO = """\
A further question: how fast 16 of a fabric's hosts all-reduce, broadcast or exchange vectors of 8 bytes to 1 MiB (in a
total exchange, up to 64 KiB per pair), on 75 irregular switches with 256 hosts, a torus of 8x8 and a Clos network of
16-port switches, with the machine `edr-infiniband`. Winners are algorithms that run in software today; a cell names the
winner, and how many times as long the runner-up takes. Collectives of one value, in switches or not, take part up to 8
bytes. Each point is one round of one random group. Nothing is fitted, and there are no published values to compare.
"""
CHANGES_INTRO = f"""\
One random group. *Leads by at most*: how many times as long the previous winner takes, at most, at the simulated
lengths until the next change. A factor below {AS_FAST:g} is a tie, not a rule for tuning.
"""
FABRICS = ()

PLACES = {"irregular": ("75 switches, 256 hosts", ("--switches=75", "--hosts=256")),
          "torus": ("torus of 8x8", ("--topology=torus:8x8",)),
          "clos": ("Clos, 16 ports", ("--topology=clos:ports=16",))}
KINDS = {"allreduction": ("All-reductions", ("--bytes=8,...,1MiB",)),
         "broadcast": ("Broadcasts", ("--bytes=8,...,1MiB", "--segment-bytes=16KiB")),
         "alltoall": ("Total exchanges", ("--bytes=8,...,64KiB",))}
COMMON = ("--group-sizes=16", "--machine=edr-infiniband", "--hypothetical", "--tolerance=0.05")


def name_of(kind: str, place: str) -> str:
    """Returns the name of a study."""
    return f"lengths-{kind}-{place}"


def studies() -> list[Study]:
    """Returns the studies: each kind on each fabric."""
    return [Study(name_of(kind, place), COMPARE, (f"--kind={kind}", *lengths, *where, *COMMON), others=("crossovers",))
            for kind, (_, lengths) in KINDS.items() for place, (_, where) in PLACES.items()]


def plots() -> list[Plots]:
    """Returns the plots: times over lengths, winners shaded."""
    captions = {f"{kind}-{place}": Caption(f"{heading}, {about}: shaded is the fastest by software, "
                                           "* is hypothetical hardware; one round a point", heading)
                for kind, (heading, _) in KINDS.items() for place, (about, _) in PLACES.items()}
    return [Plots("lengths-", tuple(study.name for study in studies()), captions)]


def times(rows) -> dict[int, dict[str, float]]:
    """Returns the available times, us, by length and algorithm."""
    return grouped((row for row in rows if row["latency_us"]), lambda row: int(row["bytes"]), "algorithm",
                   lambda row: float(row["latency_us"]))


def winners(path) -> dict[int, str]:
    """Returns a map's cells, by length: the fastest software algorithm, and by how much it leads."""
    cells = {}
    for size, by in times(row for row in read(path) if row["needs"] in ("software", "nic")).items():
        name, *others = sorted(by, key=by.get)
        cells[size] = f"{name} {by[others[0]] / by[name]:.2f}" if others else name
    return cells


def lead(path, change, until: float) -> str:
    """Returns how many times as long as the new winner the previous winner takes, at most, at the lengths simulated
    from this change to the next. path: times; change: a row of crossovers"""
    leads = [by[change["below"]] / by[change["above"]] for size, by in times(read(path)).items()
             if int(change["first_bytes"]) <= size < until and change["below"] in by and change["above"] in by]
    return "none simulated" if not leads else f"{max(leads):.2f}" + " (tie)" * (max(leads) < AS_FAST)


def changes(results) -> list[Row]:
    """Returns a row for each change of the fastest software algorithm."""
    rows = []
    for (kind, (heading, _)), (place, (about, _)) in itertools.product(KINDS.items(), PLACES.items()):
        name = name_of(kind, place)
        found = [row for row in read(results / f"{name}-crossovers.csv") if row["hardware"] == "False"]
        ends = [float(row["first_bytes"]) for row in found[1:]] + [math.inf]
        rows += [Row((heading, about, row["below"], row["last_bytes"], row["above"], row["first_bytes"],
                      lead(results / f"{name}.csv", row, end))) for row, end in zip(found, ends)]
    return rows


def chapter(results) -> Chapter:
    """Returns the tables: winners by length, and where they change."""
    sections = []
    for kind, (heading, _) in KINDS.items():
        cells = {place: winners(results / f"{name_of(kind, place)}.csv") for place in PLACES}
        sizes = sorted(set().union(*cells.values()))
        sections.append(Section(heading, ("length", *(about for about, _ in PLACES.values())), [
            Row((lengths.text(size), *(cells[place].get(size, "") for place in PLACES)))
            for size in sizes], is_map=True))
    sections.append(Section("Where the fastest changes", (
        "kind", "fabric", "fastest", "up to, bytes", "then", "from, bytes", "leads by at most"),
        changes(results), intro=CHANGES_INTRO))
    return Chapter(TITLE, SOURCE, INTRO, sections)
