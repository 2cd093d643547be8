# SPDX-License-Identifier: GPL-2.0-only
"""Sun et al.: broadcasts on clusters of SMPs."""

from __future__ import annotations

from statistics import mean

from ..core.errors import WormholeError
from . import smp_claims
from .comparison import Chapter, CHECK, deviation, PREDICTED, read, Row, Section, source_note
from .places import DATA
from .study import Caption, Plots, Study

SMP = "smp-broadcast"
PUBLISHED = DATA / "smp-published.csv"

TITLE = "Broadcasts on clusters of SMPs: published, model, simulated"
SOURCE = "Sun et al."
INTRO = """\
Y. Sun, D. A. Bader, X. Lin, Y. Ling: "Broadcast on Clusters of SMPs with Optimal Concurrency". The
paper prints claims and no table; steps at unit cost follow from its algorithms. *Model*: steps at
unit cost, one-port, computed without a simulator; what is saved, from those. *Simulated*: messages of
200,000 bytes at 1.2 Gb/s on Roadrunner's fabric, four switches that are all cabled with each other,
two cables a pair; as steps, over the time of one message. *Compared with*: size of MPI_Bcast's
blocks, and ranks in the order of the hosts (the 64 as a block, others on 20 random sets of hosts) or
in random order; and who sends to other switches: leaders, the first host of each switch, or any host
that has the message (`Senders=informed`, Section 2.2). The likely reading: MPI_Bcast has a linear
algorithm within blocks (Section III), which blocks of 1 would not need; the batch system lists nodes
by host; and all working processors of a switch may send (Section 2.2). What is saved is a mean over
the paper's four cases, of each over all placements and numbers of hosts from 8 up.
"""

SELF_INTRO = """\
The paper used a "self-congestion" technique for messages that meet others (Section III), in one
sentence. Here, a message that would find all channels of a link in use waits at its sender, not in
the network. Mean times in us of 200,000 bytes to 64 hosts in random order, 20 placements: on the
wiring of the other tables, with one cable a pair, and on a ring of the four switches, where messages
cross two cables.
"""

COLUMNS = ("figure", "published", "compared with", "model", "simulated", "deviation", "note")

NEW = "sss-mst"
INFORMED = "sss-mst[Senders=informed]"
SENDERS = {NEW: "leaders send", INFORMED: "any host sends"}
RATE = 1200  # bits in a us
BLOCKS = (1, 3)
ROUNDED, SIMULATED = 1e-4, 5e-3  # by how much what is known may deviate
ORDERS = ("by host", "random")
LIKELY = "blocks of 3, ranks by host, any host sends"
TITLES = {"message": "time of a message",
          "binomial-16": "MPI_Bcast, blocks of 1: steps on one switch of 16 hosts",
          "block-16": "MPI_Bcast, blocks of 3: steps on one switch of 16 hosts",
          "mesh-64": "the algorithm: steps on four switches of 16 hosts",
          "mesh-64-no-siblings": "the same, siblings not allowed as parents",
          "one-switch": "how much longer MPI_Bcast takes on one switch",
          "overall": "what is saved of MPI_Bcast's time",
          "three-switches": "what is saved, three switches or more"}

WIRINGS = {"mesh-2": ("full mesh, two cables a pair", "mesh,cables=2"),
           "mesh-1": ("full mesh, one cable", "mesh,cables=1"),
           "ring-1": ("ring, one cable", "ring,cables=1")}
HOLDING = ("mpich[BlockSize=1]", "mpich[BlockSize=3]", NEW, INFORMED)

BY_HOST = ("smp-block-64", "smp-random-44", "smp-random-38", "smp-random-28")
SHUFFLED = ("smp-shuffled-64", "smp-shuffled-44", "smp-shuffled-38", "smp-shuffled-28")
FIGURES = {"64": "Figure 5.1", "44": "Figure 5.2", "38": "Figure 5.3", "28": "Figure 5.4"}
FABRICS = (("roadrunner", "roadrunner:wiring=mesh,cables=2", 28,
            "Roadrunner's fabric, with the barrier tree of 28 hosts"),)


def holding_back(name):
    """Returns the name of a broadcast whose messages wait at their senders."""
    stem, bracket, rest = name.rstrip("]").partition("[")
    return f"{stem}[{rest}{'|' if bracket else ''}SelfCongestion=true]"


def studies() -> list[Study]:
    """Returns the studies: the paper's cases, and where the steps are known."""
    algorithms = f"--algorithms=mpich[BlockSize=1],mpich[BlockSize=3],{{}}sss-mst,{INFORMED}"
    every = algorithms.format("")
    with_siblings = algorithms.format("sss-mst[Siblings=false],")
    found = [Study("smp-one-switch", SMP, ("--job=16", "--hosts=2,8,16", every))]
    for name in BY_HOST + SHUFFLED:
        case = f"--case={name.rpartition('-')[2]}"
        found.append(Study(name, SMP, (case, "--placement=shuffled", every) if name in SHUFFLED else
                           (case, with_siblings)))
    both = ",".join(f"{name},{holding_back(name)}" for name in HOLDING)
    found += [Study(f"smp-self-congestion-{name}", SMP, (
        "--placement=shuffled", "--hosts=64", f"--topology=roadrunner:wiring={wiring}",
        f"--algorithms={both}")) for name, (_, wiring) in WIRINGS.items()]
    return found


def plots() -> list[Plots]:
    """Returns the plots."""
    found = []
    for name in BY_HOST + SHUFFLED:
        figure = FIGURES[name.rpartition("-")[2]]
        order = "ranks in random order" if name in SHUFFLED else "ranks in the order of hosts"
        found.append(Plots(f"{name}-", (name,), {
            "time": Caption(f"{figure}: time of a broadcast over SMP nodes, {order}; mpich is "
                            "MPI_Bcast, sss-mst the paper's algorithm"),
            "factor": Caption(f"{figure} as ratios: times over that of {INFORMED}, {order}")}))
    return found


class Broadcasts:
    """Results of the study of broadcasts: rows in the order of hosts, and in random order."""

    def __init__(self, by_host, shuffled, known):
        self.rows = {"by host": [read(path) for path in by_host],
                     "random": [read(path) for path in shuffled]}
        self.known = [row for path in known for row in read(path)]

    def one(self, algorithm, hosts, switches):
        """Returns the row of a placement as a block."""
        for row in self.known:
            if (row["algorithm"], row["hosts"], row["switches"]) == (algorithm, hosts, switches):
                return row
        raise WormholeError(f"no study of broadcasts has {algorithm} with {hosts} hosts on {switches} "
                      "switches")

    def ratio(self, figure, order, block, algorithm):
        """Returns modelled and simulated percentages; nothing where there are no such rows."""
        least = int(figure["switches"] or 1)
        slower = figure["quantity"] == "slower"
        cases = []  # means of each case
        for rows in self.rows[order]:
            old = [row for row in rows if row["algorithm"] == f"mpich[BlockSize={block}]"]
            new = [row for row in rows if row["algorithm"] == algorithm]
            found = [(a, b) for a, b in zip(old, new)
                     if int(b["switches"]) >= least and not
                     (slower and int(b["switches"]) > least)]
            if found:
                cases.append([100 * mean(float(a[column]) / float(b[column]) - 1 if slower else
                                         1 - float(b[column]) / float(a[column])
                                         for a, b in found) for column in ("steps", "time_us")])
        return [mean(values) for values in zip(*cases)]

    def compare(self, figure):
        """Returns pairs of what a figure is compared with, and modelled and simulated value."""
        two = self.one(NEW, "2", "1")
        message = float(two["time_us"])
        if figure["quantity"] == "time":
            return [("", 8 * int(two["bytes"]) / RATE, message)]
        if figure["quantity"] == "steps":
            row = self.one(figure["algorithm"], figure["hosts"], figure["switches"])
            return [("", int(row["steps"]), float(row["time_us"]) / message)]
        if figure["quantity"] in ("slower", "faster"):
            return [(f"blocks of {block}, ranks {order}, {SENDERS[algorithm]}", *values)
                    for order in ORDERS for block in BLOCKS for algorithm in SENDERS
                    if (values := self.ratio(figure, order, block, algorithm))]
        raise WormholeError(f"{figure['id']}: quantity '{figure['quantity']}' is not known")


def made_by(figure, name) -> tuple[str, ...]:
    """Returns the studies that a figure is compared with. name: with what, in words"""
    if figure["quantity"] in ("time", "steps"):
        return ("smp-block-64" if figure["hosts"] == "64" else "smp-one-switch",)
    return SHUFFLED if "ranks random" in name else BY_HOST


def self_congestion(wirings) -> Section:
    """Returns a section: times with messages that wait at senders. wirings: rows by wiring"""
    section = Section("Self-congestion", ("wiring", "broadcast", "waiting in the network",
                                          "at senders", "saved"), intro=SELF_INTRO)
    for wiring, rows in wirings.items():
        for name in HOLDING:
            free, held = (mean(float(row["time_us"]) for row in rows if row["algorithm"] == each)
                          for each in (name, holding_back(name)))
            section.rows.append(Row((WIRINGS[wiring][0], name, f"{free:.1f}", f"{held:.1f}",
                                     f"{100 * (1 - held / free) + 0.0:.1f} %")))
    return section


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    broadcasts = Broadcasts(*[[results / f"{name}.csv" for name in names] for names in (
        BY_HOST, SHUFFLED, ("smp-one-switch", "smp-block-64"))])
    section = Section("", COLUMNS)
    wrong = []
    for figure in read(PUBLISHED):
        is_formula = figure["source"] == "formula"
        published = f"{figure['value']} {figure['unit']}" + (" (formula)" if is_formula else "")
        first, note = (TITLES[figure["id"]], published), source_note(figure)
        for name, model, simulated in broadcasts.compare(figure):
            off = [abs(value / float(figure["value"]) - 1) for value in (model, simulated)]
            is_known = figure["quantity"] in ("time", "steps")
            if is_known and (off[0] > ROUNDED or off[1] > SIMULATED):
                wrong.append(f"{figure['id']} is {figure['value']} and came out as {model} and "
                             f"{simulated:.3f}")
            model_decimals, decimals = (0, 2) if figure["quantity"] == "steps" else (1, 1)
            text, percent = deviation(figure["value"], simulated)
            is_likely = name == LIKELY
            section.rows.append(Row(
                (*first, name + " (likely)" * is_likely, f"{model:.{model_decimals}f}", f"{simulated:.{decimals}f}", text, note),
                figure["id"], CHECK if is_formula else PREDICTED, percent, is_likely,
                made_by(figure, name)))
            first, note = ("", ""), ""
    waiting = self_congestion({name: read(results / f"smp-self-congestion-{name}.csv")
                               for name in WIRINGS})
    every = [row for order in ORDERS for rows in broadcasts.rows[order] for row in rows]
    claims = smp_claims.Claims(every, INFORMED, BY_HOST + SHUFFLED)
    return Chapter(TITLE, SOURCE, INTRO, [section, claims.section(), waiting], wrong)
