# SPDX-License-Identifier: GPL-2.0-only
"""Sun et al.: broadcasts on clusters of SMPs."""

import itertools
import math
from statistics import mean

from ..core.errors import WormholeError
from . import claims
from .claims import Finding
from .comparison import (Caption, Chapter, CHECK, deviation, Plots, PREDICTED, read, Row, Section, source_note, Study)
from .places import DATA

SMP = "smp-broadcast"
PUBLISHED = DATA / "smp-published.csv"

TITLE = "Broadcasts on clusters of SMPs: published, model, simulated"
SOURCE = "Sun et al."
INTRO = """\
Y. Sun, D. A. Bader, X. Lin, Y. Ling: "Broadcast on Clusters of SMPs with Optimal Concurrency". The paper prints claims
but no table; the numbers of steps at unit cost follow from its algorithms. *Model*: steps at unit cost in the one-port
model, computed without a simulator, and the savings that follow from them. *Simulated*: messages of 200,000 bytes at
1.2 Gb/s on Roadrunner's fabric of four switches, with two cables between each pair of switches; numbers of steps are
times divided by the time of one message. *Compared with*: the size of MPI_Bcast's blocks; ranks in the order of the
hosts (64 hosts as a block, fewer on 20 random sets of hosts) or in random order; and the hosts that send to other
switches: leaders (the first host of each switch), or any host that has the message (`Senders=informed`, Section 2.2).
The likely reading: MPI_Bcast has a linear algorithm within blocks (Section III), which blocks of 1 would not need; the
batch system lists nodes by host; and all working processors of a switch may send (Section 2.2). Savings are means over
the paper's four cases, each of which is a mean over all placements and numbers of hosts from 8 up. *Of all wirings*:
three values from the table of wirings below, with any host sending.
"""

SELF_INTRO = """\
In one sentence, the paper mentions a "self-congestion" technique for messages that meet others (Section III). Here, a
message that would find all channels of a link in use waits at its sender, not in the network. Mean times in us of
200,000 bytes to 64 hosts in random order, over 20 placements: on the wiring of the other tables, with one cable per
pair of switches, and on a ring of the four switches, where messages cross two cables.
"""

WIRED = "What is saved, by wiring"
WIRED_INTRO = """\
The paper does not tell how the eight back ports of each switch were cabled; in a mesh, they allow two cables per pair
of switches. The table shows the percentage of MPI_Bcast's time that `Senders=informed` saves; the paper prints 20 and
30 %. Values are means over the cases as above, either over all numbers of hosts from 8 up, or of whole jobs only (64,
44, 38 and 28 hosts).
"""
WIRED_COLUMNS = ("wiring", "ranks", "blocks", "all sizes (20)", "whole jobs (20)",
                 "three switches or more: all sizes (30)", "whole jobs (30)")

COLUMNS = ("figure", "published", "compared with", "model", "simulated", "deviation", "note")

NEW = "sss-mst"
INFORMED = "sss-mst[Senders=informed]"
SENDERS = {NEW: "leaders send", INFORMED: "any host sends"}
RATE = 1200  # bits in a us
SWITCHES = 4
BLOCKS = (1, 3)
ROUNDED, SIMULATED = 1e-4, 5e-3  # by how much what is known may deviate
ORDERS = ("by host", "random")
LIKELY = "blocks of 3, ranks by host, any host sends"
# Wirings of the switches: by a part of the names of results, what they are, and options.
WIRINGS = {f"{shape}-{cables}": (f"{words}, {number} a pair", f"{shape},cables={cables}")
           for shape, words, most in (("mesh", "full mesh", 2), ("ring", "ring", 4), ("line", "line", 4))
           for cables, number in ((1, "one cable"), (2, "two cables"), (4, "four cables"))
           if cables <= most}
DEFAULT_WIRING = "mesh-2"
CONGESTED = ("mesh-2", "mesh-1", "ring-1")  # where messages wait at senders, too

HOLDING = ("mpich[BlockSize=1]", "mpich[BlockSize=3]", NEW, INFORMED)

BY_HOST = ("smp-block-64", "smp-random-44", "smp-random-38", "smp-random-28")
SHUFFLED = ("smp-shuffled-64", "smp-shuffled-44", "smp-shuffled-38", "smp-shuffled-28")
NAMES = dict(zip(ORDERS, (BY_HOST, SHUFFLED)))
FIGURES = {"64": "Figure 5.1", "44": "Figure 5.2", "38": "Figure 5.3", "28": "Figure 5.4"}
# Of captions: what the bars are, and which curves others cover.
INTERVALS = "bars are 95 % intervals over placements"
BESIDE = {"smp-block-64": ("there is one placement, so that no point has an interval",
                           f"; mpich[BlockSize=1], {NEW} and {INFORMED} take as long to 0.1 %: the last covers them"),
          "smp-random-44": (INTERVALS, f"; {NEW} covers {NEW}[Siblings=false], which takes as long")}
FABRICS = (("roadrunner", "roadrunner:wiring=mesh,cables=2", 28,
            "Roadrunner's fabric, with the barrier tree of 28 hosts"),)


def holding_back(name):
    """Returns the name of a broadcast whose messages wait at their senders."""
    stem, bracket, rest = name.rstrip("]").partition("[")
    return f"{stem}[{rest}{'|' if bracket else ''}SelfCongestion=true]"


def wired(wiring, name):
    """Returns the name of a case's study with a wiring."""
    return name if wiring == DEFAULT_WIRING else f"{name}-{wiring}"


def studies() -> list[Study]:
    """Returns the studies: the paper's cases, and cases whose steps are known."""
    every, with_siblings, by_rank = (
        f"--algorithms=mpich[BlockSize=1],mpich[BlockSize=3],{ours}{INFORMED}"
        for ours in (f"{NEW},", f"sss-mst[Siblings=false],{NEW},", ""))
    found = [Study("smp-one-switch", SMP, ("--job=16", "--hosts=2,8,16", every))]
    cases = {name: (f"--case={name.rpartition('-')[2]}", *(["--placement=shuffled"] * (name in SHUFFLED)))
             for name in BY_HOST + SHUFFLED}
    found += [Study(name, SMP, (*case, every if name in SHUFFLED else with_siblings)) for name, case in cases.items()]
    found += [Study(wired(wiring, name), SMP, (
        case[0], f"--topology=roadrunner:wiring={options}", *case[1:], by_rank))
        for wiring, (_, options) in WIRINGS.items() if wiring != DEFAULT_WIRING for name, case in cases.items()]
    both = ",".join(f"{name},{holding_back(name)}" for name in HOLDING)
    found += [Study(f"smp-self-congestion-{name}", SMP, (
        "--placement=shuffled", "--hosts=64", f"--topology=roadrunner:wiring={WIRINGS[name][1]}",
        f"--algorithms={both}")) for name in CONGESTED]
    return found


def plots() -> list[Plots]:
    """Returns the plots."""
    found = []
    for name in BY_HOST + SHUFFLED:
        figure = FIGURES[name.rpartition("-")[2]]
        order = "ranks in random order" if name in SHUFFLED else "ranks in the order of hosts"
        bars, alike = BESIDE.get(name, (INTERVALS, ""))
        found.append(Plots(f"{name}-", (name,), {
            "time": Caption(f"{figure}: time of a broadcast over SMP nodes, {order}; mpich is "
                            f"MPI_Bcast, sss-mst the paper's algorithm; {bars}{alike}"),
            "factor": Caption(f"{figure} as ratios: times over that of {INFORMED}, {order}; 25 % longer is "
                              f"1.25, and 20 or 30 % saved are 1.25 or 1.43{alike}")}))
    return found


def saved(cases, block, algorithm, switches, whole=False, slower=False, hosts=None):
    """Returns by how many percent a broadcast is faster than MPI_Bcast, as a mean over cases, by column; nothing if
    there are no such rows. cases: rows of each case; switches: numbers of switches; whole: only the largest number of
    hosts; slower: by how many percent MPI_Bcast takes longer instead; hosts: only this number; None: all"""
    found = []
    for rows in cases:
        most = max(int(row["hosts"]) for row in rows)
        old, new = ([row for row in rows if row["algorithm"] == name]
                    for name in (f"mpich[BlockSize={block}]", algorithm))
        pairs = [(a, b) for a, b in zip(old, new) if int(b["switches"]) in switches
                 and (not whole or int(b["hosts"]) == most) and hosts in (None, b["hosts"])]
        if pairs:
            found.append([100 * mean(float(a[column]) / float(b[column]) - 1 if slower else
                                     1 - float(b[column]) / float(a[column]) for a, b in pairs)
                          for column in ("steps", "time_us")])
    return [mean(values) for values in zip(*found)]


def savings(results):
    """Returns the savings if any host sends, in steps and in time: by wiring, order of ranks and size of blocks, then
    by the least number of switches and whether only whole jobs count."""
    found = {}
    for wiring, (order, names) in itertools.product(WIRINGS, NAMES.items()):
        cases = [read(results / f"{wired(wiring, name)}.csv") for name in names]
        for block in BLOCKS:
            found[wiring, order, block] = {
                (least, whole): saved(cases, block, INFORMED, range(least, SWITCHES + 1), whole)
                for least in (1, 3) for whole in (False, True)}
    return found


def spread(figure, found):
    """Yields the least, the nearest and the greatest of savings(): its description, the modelled and the simulated
    value, and the studies from which it comes."""
    least, value = int(figure["switches"] or 1), float(figure["value"])
    every = [(place, whole, values) for place, by_size in found.items()
             for (switches, whole), values in by_size.items() if switches == least]
    for which, key in (("least", lambda each: each[2][1]),
                       ("nearest", lambda each: abs(each[2][1] - value)),
                       ("greatest", lambda each: -each[2][1])):
        (wiring, order, block), whole, values = min(every, key=key)
        sizes = "whole jobs" if whole else "all sizes"
        yield (f"of all wirings, the {which}: {WIRINGS[wiring][0]}, blocks of {block}, ranks {order}, {sizes}",
               *values, tuple(wired(wiring, name) for name in NAMES[order]))


def by_wiring(results, found) -> Section:
    """Returns a section on savings, with a row per wiring, order of ranks and size of blocks. found: from savings()"""
    return Section(WIRED, WIRED_COLUMNS, [
        Row((WIRINGS[wiring][0], order, str(block), *(f"{time:.1f}" for _, time in by_size.values())),
            made_by=tuple(wired(wiring, each) for each in NAMES[order]))
        for (wiring, order, block), by_size in found.items()], [
            in_time([row for name in BY_HOST + SHUFFLED for row in read(results / f"{name}.csv")]),
            of_means([read(results / f"{name}.csv") for name in SHUFFLED], BLOCKS[-1])], intro=WIRED_INTRO)


def of_means(cases, block) -> str:
    """Returns a sentence on the savings if times are averaged before they are compared. cases: as for saved()"""
    found, sums = [], [0.0, 0.0]
    for rows in cases:
        times: dict[str, list[float]] = {}  # of MPI_Bcast and the broadcast, by number of hosts
        for place, name in enumerate((f"mpich[BlockSize={block}]", INFORMED)):
            for row in (each for each in rows if each["algorithm"] == name):
                times.setdefault(row["hosts"], [0.0, 0.0])[place] += float(row["time_us"])
                sums[place] += float(row["time_us"])
        found.append(100 * mean(1 - new / old for old, new in times.values() if old))
    return (f"Savings are mean ratios of single placements. Ranks random, two cables a pair, blocks of {block}: "
            f"the saving is {mean(found):.1f} % of the mean times by number of hosts, and for the sum of all times "
            f"{100 * (1 - sums[1] / sums[0]):.1f} %.")


def in_time(rows) -> str:
    """Returns a sentence: how many broadcasts take more steps than any broadcast must take."""
    late = {name: [int(row["steps"]) > math.ceil(math.log2(int(row["hosts"]))) for row in rows
                   if row["algorithm"] == name] for name in SENDERS}
    return ("Steps in a mesh with two cables a pair: of "
            f"{len(late[INFORMED]):,} broadcasts, {sum(late[INFORMED])} take more than log2 n, rounded up, if "
            f"any host sends, and {sum(late[NEW])} if leaders send.")


class Broadcasts:
    """Results of the study of broadcasts: rows in the order of hosts, and in random order."""

    def __init__(self, by_host, shuffled, known):
        self.rows = {order: [*map(read, paths)] for order, paths in zip(ORDERS, (by_host, shuffled))}
        self.known = [row for path in known for row in read(path)]

    def one(self, algorithm, hosts, switches):
        """Returns the row of a placement as a block."""
        for row in self.known:
            if (row["algorithm"], row["hosts"], row["switches"]) == (algorithm, hosts, switches):
                return row
        raise WormholeError(f"no study of broadcasts has {algorithm} with {hosts} hosts on {switches} switches")

    def ratio(self, figure, order, block, algorithm, hosts=None):
        """Returns modelled and simulated percentages; nothing if there are no such rows."""
        least, slower = int(figure["switches"] or 1), figure["quantity"] == "slower"
        return saved(self.rows[order], block, algorithm, (least,) if slower else range(least, SWITCHES + 1),
                     slower=slower, hosts=hosts)

    def compare(self, figure):
        """Returns the readings that a figure is compared with, each with the modelled and the simulated value."""
        two = self.one(NEW, "2", "1")
        message = float(two["time_us"])
        if figure["quantity"] == "time":
            return [("", 8 * int(two["bytes"]) / RATE, message)]
        if figure["quantity"] == "steps":
            row = self.one(figure["algorithm"], figure["hosts"], figure["switches"])
            return [("", int(row["steps"]), float(row["time_us"]) / message)]
        if figure["quantity"] in ("slower", "faster"):
            found = [(f"blocks of {block}, ranks {order}, {SENDERS[algorithm]}", *values)
                     for order in ORDERS for block in BLOCKS for algorithm in SENDERS
                     if (values := self.ratio(figure, order, block, algorithm))]
            # What the mean on one switch is of.
            sizes = sorted({row["hosts"] for rows in self.rows[ORDERS[0]] for row in rows
                            if (figure["quantity"], figure["switches"]) == ("slower", row["switches"])}, key=int)
            return found + [(f"{LIKELY}: {hosts} hosts", *self.ratio(figure, ORDERS[0], BLOCKS[1], INFORMED, hosts))
                            for hosts in sizes]
        raise WormholeError(f"{figure['id']}: quantity '{figure['quantity']}' is not known")


def made_by(figure, name) -> tuple[str, ...]:
    """Returns the studies that a figure is compared with. name: name of the reading"""
    if figure["quantity"] in ("time", "steps"):
        return ("smp-block-64" if figure["hosts"] == "64" else "smp-one-switch",)
    return SHUFFLED if "ranks random" in name else BY_HOST


def self_congestion(wirings) -> Section:
    """Returns a section: times if messages wait at senders. wirings: rows by wiring"""
    def cells(rows, name):
        free, held = (mean(float(row["time_us"]) for row in rows if row["algorithm"] == each)
                      for each in (name, holding_back(name)))
        return name, f"{free:.1f}", f"{held:.1f}", f"{100 * (1 - held / free) + 0.0:.1f} %"
    return Section("Self-congestion", ("wiring", "broadcast", "waiting in the network", "at senders", "saved"), [
        Row((WIRINGS[wiring][0], *cells(rows, name))) for wiring, rows in wirings.items() for name in HOLDING],
        intro=SELF_INTRO)


class Claims(claims.Claims):
    """The claim that broadcasts take the optimal number of steps. rows: rows of all placements; made_by: studies"""

    paper = "smp"

    def __init__(self, rows, algorithm, made_by):
        self._rows, self._made_by = [row for row in rows if row["algorithm"] == algorithm], made_by

    def steps(self) -> Finding:
        """Whether all broadcasts take as few steps as doubling does; broadcasts with more steps may need them."""
        more: dict[int, list[int]] = {}  # steps beyond doubling, by the number of hosts
        for row in self._rows:
            hosts = int(row["hosts"])
            more.setdefault(hosts, []).append(int(row["steps"]) - (hosts - 1).bit_length())
        late = {hosts: sum(each > 0 for each in steps) for hosts, steps in sorted(more.items()) if max(steps) > 0}
        text = f"{sum(late.values())} of {len(self._rows):,} broadcasts take more than log2 n steps, rounded up"
        if late:
            text += (f", by {max(map(max, more.values()))} at most: "
                     + ", ".join(f"{number} of {len(more[hosts])} of n = {hosts}" for hosts, number in late.items())
                     + "; whether fewer would do there is not known")
        return Finding(None, None if late else True, "", text, self._made_by, undecided=bool(late))


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    broadcasts = Broadcasts(*[[results / f"{name}.csv" for name in names] for names in (
        BY_HOST, SHUFFLED, ("smp-one-switch", "smp-block-64"))])
    section, by_wirings = Section("", COLUMNS), savings(results)
    wrong = []
    for figure in read(PUBLISHED):
        is_formula = figure["source"] == "formula"
        published = f"{figure['value']} {figure['unit']}" + (" (formula)" if is_formula else "")
        first, note = (figure["figure"], published), source_note(figure)
        readings = [(*reading, made_by(figure, reading[0])) for reading in broadcasts.compare(figure)]
        if figure["quantity"] == "faster":
            readings += spread(figure, by_wirings)
        for name, model, simulated, files in readings:
            off = [abs(value / float(figure["value"]) - 1) for value in (model, simulated)]
            is_known = figure["quantity"] in ("time", "steps")
            if is_known and (off[0] > ROUNDED or off[1] > SIMULATED):
                wrong.append(f"{figure['id']} is {figure['value']} and came out as {model} and "
                             f"{simulated:.3f}")
            model_decimals, decimals = (0, 2) if figure["quantity"] == "steps" else (1, 1)
            text, percent = deviation(figure["value"], simulated)
            # A mean on one switch is near what is printed though those of the sizes are not.
            is_likely = name == LIKELY and figure["quantity"] != "slower"
            section.rows.append(Row(
                (*first, name + " (likely)" * is_likely, f"{model:.{model_decimals}f}",
                 f"{simulated:.{decimals}f}", text, note),
                figure["id"], CHECK if is_formula else PREDICTED, percent, is_likely, files))
            first, note = ("", ""), ""
    waiting = self_congestion({name: read(results / f"smp-self-congestion-{name}.csv") for name in CONGESTED})
    every = [row for order in ORDERS for rows in broadcasts.rows[order] for row in rows]
    found = Claims(every, INFORMED, BY_HOST + SHUFFLED)
    return Chapter(TITLE, SOURCE, INTRO, [section, found.section(), by_wiring(results, by_wirings), waiting], wrong)
