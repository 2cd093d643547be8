# SPDX-License-Identifier: GPL-2.0-only
"""Cordsen et al. (1997): trees of processes, which tree is best, and a bound on how fast messages spread."""

import math
import operator

from ..core.errors import WormholeError
from . import claims
from .claims import Finding, Printed
from .comparison import (bounded, Caption, Chapter, CHECK, Deviation, deviation, FIT, grouped, is_exact, Plots,
                         PREDICTED, read, Row, Section, shown, source_note, Study)
from .places import COMPARE, DATA

TREES = "fibo-tree"
PUBLISHED = DATA / "trees-published.csv"

TITLE = "Trees of processes: published, model, simulated"
SOURCE = "Cordsen et al., 1997"
INTRO = """\
J. Cordsen, H. W. Pohl, W. Schröder-Preikschat: "Performance Considerations in Software Multicasts"
(1997). *Model*: the paper's cost model, s and r for every message. *Simulated*: messages between simulated hosts on an
ideal network; the plots show what a fabric adds. A step is s = 1 us. Measured: on a real machine, so that the model
need not be exact.
"""

COLUMNS = ("figure", "published", "model", "simulated", "deviation", "note")

UNITS = {"steps": " steps", "us": " us", "%": " %", "processes": "", "": ""}
USES = {"formula": CHECK, "input": FIT}
FORMULAS = ("population", "lambda")  # quantities that follow from Equation (2)

LEVEL_SIZES = (8, 16, 32, 64, 128, 256, 512, 1024)
LEVEL_TREES = ("fibo", "fibo-composed", "fibo-levels")
LEVELS = "Hierarchies"
LEVEL_COLUMNS = ("processes", "Fibo-tree without levels, us", "one for each level, us",
                 "one for all levels, us", "simulated, us", "no tree is faster than, us",
                 "saved of one for each level")
LEVEL_INTRO = """\
Section 6 announces Fibo-trees for hierarchies of networks with different s and r, but has no figures, so nothing is
compared with the paper. The hierarchy has nodes of 8 processes (s = 2 us, r = 2 us), switches of 8 nodes (s = 27 us, r
= 88 us, MANNA's costs), and r = 176 us between switches. Where *one for all levels* takes as long as the bound, it is
optimal.
"""

RATIO_8 = "trees-ratio-8"
REDUCTIONS = "trees-reductions"
LARGE = 64  # processes of a large system: the most in the paper's examples
MATTERS = 1.02  # a tree is no longer than another if it takes less than so many times as long
# In a reduction a message takes up its receiver for r and its sender for s: a broadcast backwards.
BACKWARDS = "tree[Tree=fibo-88-27]"
BINOMIAL = "tree[Tree=binomial]"

FABRICS = (("clos-16-ports", "clos:ports=16,levels=2", 19,
            "A Clos network of two levels of 16-port switches, with the barrier tree of 19 hosts"),)


def studies() -> list[Study]:
    """Returns the studies: the paper's, and the same on a fabric."""
    all_trees = "--trees=sequential,binary,binomial,kary-8,fibo"
    sizes = "--processes=2,3,4,6,8,12,16,19,24,32,48,64,96,128"
    ratios = "--trees=sequential,binomial,fibo-1-1,fibo-1-2,fibo-1-3"
    return [
        Study("trees-steps", TREES, ("--preset=steps", "--processes=64,73,100", all_trees),
              others=("arrivals", "speed")),
        Study("trees-speed", TREES, ("--s=1us", "--r=0us,1us,2us,3us,4us,5us,6us,7us,8us,9us,10us",
                                     "--processes=100", "--trees=fibo"), others=("speed",)),
        Study("trees-figure-4", TREES, ("--preset=figure-4", sizes, all_trees)),
        Study("trees-figure-10", TREES, ("--preset=manna", ratios,
                                         f"--processes={','.join(map(str, range(2, 20)))}")),
        Study("trees-manna", TREES, ("--preset=manna", "--network=ideal,fabric", sizes, all_trees)),
        Study("trees-levels", TREES, (
            "--s=27us", "--r=176us", "--levels=8:2us:2us,64:27us:88us",
            f"--processes={','.join(map(str, LEVEL_SIZES))}",
            f"--trees=binomial,{','.join(LEVEL_TREES)}")),
        Study(RATIO_8, TREES, ("--s=1us", "--r=8us", "--trees=sequential,fibo",
                               "--processes=" + ",".join(map(str, (*range(2, 33), 64, 128, 256))))),
        Study(REDUCTIONS, COMPARE, (
            "--kind=reduction", "--network=ideal", "--latency=1ns", "--topology=clos:ports=16",
            "--placement=sorted", "--group-sizes=8,16,19,32,64", "--bytes=8",
            f"--names={BINOMIAL},tree[Tree=sequential],{BACKWARDS}",
            "--attribute=HostSoftware::StartUp=27us",
            "--attribute=HostSoftware::ReceiveOverhead=88us"), others=("crossovers",))]


def plots() -> list[Plots]:
    """Returns the plots."""
    published = (f"--published={PUBLISHED}",)
    return [Plots("trees-figure-4-", ("trees-figure-4",), {"finish": Caption(
                "Figure 4: time until all processes are reached, by tree, for four ratios of r to s")},
                published),
            Plots("trees-figure-10-", ("trees-figure-10",), {"finish": Caption(
                "Figure 10: time until all processes are reached, by Fibo-trees of several ratios, with "
                "the costs measured on MANNA")}, published),
            Plots("trees-", ("trees-manna",), {"finish": Caption(
                "Not in the paper: the same costs on an ideal network and on a fabric, up to 128 "
                "processes; the fabric adds so little that the two look alike")}, published),
            Plots("trees-levels-", ("trees-levels",), {"finish": Caption(
                "Not in the paper: a hierarchy of nodes of 8 processes and switches of 8 nodes; a "
                "binomial tree, a Fibo-tree that knows no levels (fibo), one for each level (fibo-composed), and one "
                "for all as a whole (fibo-levels); 8:2us:2us is a level of groups of 8 with s = 2 us and r = 2 us",
                LEVELS)})]


def matches(row, **place):
    """Returns whether a row has these values, numbers as numbers."""
    return all(row[name] == value if name in ("tree", "network", "levels")
               else abs(float(row[name]) - float(value)) < 5e-4 for name, value in place.items())


class Trees:
    """Results of the study of trees."""

    def __init__(self, finish_files, arrival_files, speed_files):
        self.finish, self.arrivals, self.speed = (
            [{**row, "file": path.stem} for path in files for row in read(path)]
            for files in (finish_files, arrival_files, speed_files))
        self.made_by = ()  # files of the rows that were found last

    def one(self, figure, rows, **place):
        """Returns the row for a figure."""
        costs = {"s_us": figure["s_us"], "r_us": figure["r_us"]}
        for row in rows:
            if matches(row, **costs, **place):
                self.made_by = (*dict.fromkeys((*self.made_by, row["file"])),)
                return row
        raise WormholeError(f"{figure['id']}: no study of trees has it")

    def population(self, figure):
        """Returns f(time): the number of processes does not change until the next row."""
        known = [row for row in self.speed
                 if matches(row, s_us=figure["s_us"], r_us=figure["r_us"])
                 and float(row["time_us"]) <= float(figure["time_us"]) + 5e-4]
        if not known:
            raise WormholeError(f"{figure['id']}: no study of trees has it")
        last = max(known, key=lambda row: float(row["time_us"]))
        self.made_by = (last["file"],)
        return int(last["processes"])

    def finishes(self, figure, tree, processes):
        """Returns the modelled and the simulated time, us, until all processes are active."""
        row = self.one(figure, self.finish, tree=tree, network="ideal", processes=processes, levels="", c_us=0)
        return float(row["finish_us_model"]), float(row["finish_us_simulated"])

    def compare_trees(self, figure):
        """Returns the modelled and the simulated value of a figure about several trees."""
        names, quantity = figure["tree"].split(), figure["quantity"]
        if quantity == "no slower":
            # The greatest number of processes up to which it holds for all.
            first, last = map(int, figure["value"].split()[:3:2])
            every = [[self.finishes(figure, name, count) for name in names] for count in range(first, last + 1)]
            return tuple(figure["value"] if all(one[kind] <= other[kind] for one, other in every)
                         else "not always" for kind in (0, 1))
        times = {name: self.finishes(figure, name, figure["processes"]) for name in names}
        if quantity == "gain":
            one, other = times.values()
            return tuple(100 * (1 - a / b) for a, b in zip(one, other))
        choose = min if quantity == "best" else max
        return tuple(choose(names, key=lambda name: times[name][kind]) for kind in (0, 1))

    def compare(self, figure):
        """Returns the modelled and the simulated value of a figure; None: there is none."""
        self.made_by = ()
        quantity = figure["quantity"]
        if quantity in ("best", "worst", "gain", "no slower"):
            return self.compare_trees(figure)
        tree = {"tree": figure["tree"], "network": "ideal", "processes": figure["processes"]}
        if quantity == "finish":
            return self.finishes(figure, figure["tree"], figure["processes"])
        if quantity == "arrivals":
            row = self.one(figure, self.arrivals, time_us=figure["time_us"], **tree)
            return int(row["arrivals_model"]), int(row["arrivals_simulated"])
        if quantity == "lambda":
            return float(self.one(figure, self.speed)["lambda"]), None
        if quantity == "population":
            return self.population(figure), None
        raise WormholeError(f"{figure['id']}: quantity '{quantity}' is not known")

    def levels(self) -> Section:
        """Returns the table of the hierarchy."""
        rows = {(row["tree"], int(row["processes"])): row for row in self.finish if row["levels"]}
        section = Section(LEVELS, LEVEL_COLUMNS, intro=LEVEL_INTRO)
        for size in LEVEL_SIZES:
            row = rows["fibo-levels", size]
            times = [*(float(rows[tree, size]["finish_us_model"]) for tree in LEVEL_TREES),
                     float(row["finish_us_simulated"]), float(row["bound_us_model"])]
            section.rows.append(Row((str(size), *(f"{time:.0f}" for time in times),
                                     f"{100 * (1 - times[2] / times[1]):.1f} %")))
        return section


class Claims(claims.Claims):
    """Findings of the studies. finish: rows of trees; results: the folder"""

    paper = "trees"

    def __init__(self, finish, printed: Printed, results):
        self._finish, self._printed, self._results = finish, printed, results

    def optimal(self) -> Finding:
        """Whether no tree is faster than a Fibo-tree made for the costs, and that tree meets the bound."""
        rows = [row for row in self._finish if row["network"] == "ideal" and not row["levels"]]
        places = [times for times in grouped(
            rows, operator.itemgetter("s_us", "r_us", "processes"), "tree",
            lambda row: (float(row["finish_us_simulated"]), float(row["bound_us_model"]))).values() if "fibo" in times]
        ours = all(times["fibo"][0] <= min(map(min, times.values())) for times in places)
        files = dict.fromkeys(row["file"] for row in rows if row["tree"] == "fibo")
        return Finding(None, ours, "", f"no tree is faster, and the bound is not lower, in {len(places)} "
                       "settings" if ours else "a tree is faster", tuple(files))

    def sequential(self) -> Finding:
        """Whether only large systems gain from a tree at r = 8 s."""
        times = grouped(read(self._results / f"{RATIO_8}.csv"), lambda row: int(row["processes"]), "tree",
                        lambda row: (float(row["finish_us_model"]), float(row["finish_us_simulated"])))
        holds, texts = [], []
        for kind in (0, 1):
            ratios = {size: by["sequential"][kind] / by["fibo"][kind] for size, by in times.items()}
            first = min(size for size, ratio in sorted(ratios.items()) if ratio > 1)
            holds.append(first > LARGE)
            texts.append(f"a Fibo-tree is faster from {first} processes on, {ratios[LARGE]:.2f} times "
                         f"with {LARGE}")
        return Finding(*holds, f"by Equation (2): {texts[0]}", texts[1], (RATIO_8,))

    def reductions(self) -> Finding:
        """Whether no tree is faster than the binomial one in a reduction."""
        times = grouped(read(self._results / f"{REDUCTIONS}.csv"), "members", "algorithm",
                        lambda row: float(row["latency_us"]))
        ratios = {size: by[BINOMIAL] / min(by.values()) for size, by in times.items()}
        text = ", ".join(f"{ratio:.2f} times with {size}" for size, ratio in ratios.items())
        return Finding(None, max(ratios.values()) < MATTERS, "",
                       f"the binomial tree over the fastest: {text} processes", (REDUCTIONS,))

    def bounds(self) -> Finding:
        """Whether f(t) for s = r is between the bounds of the postal model at every printed t."""
        low, high = map(float, next(
            figure["value"] for figure in self._printed.figures.values()
            if figure["quantity"] == "lambda" and figure["value"].startswith("between"))
            .split()[1::2])
        own, ours = [], []
        speed = {(row["s_us"], row["r_us"], float(row["time_us"])): int(row["processes"])
                 for row in read(self._results / "trees-speed-speed.csv")}
        for figure in self._printed.figures.values():
            if figure["quantity"] == "population" and figure["s_us"] == figure["r_us"] == "1":
                time = float(figure["time_us"])
                known = [key for key in speed if float(key[0]) == float(key[1]) and key[2] <= time]
                for count, outside in ((int(figure["value"]), own), (speed[max(known, key=lambda key: key[2])], ours)):
                    if not low ** time <= count <= high ** time:
                        outside.append(f"f({time:g}) = {count} is outside {low ** time:.2f} to "
                                       f"{high ** time:.2f}")
        return Finding(not own, not ours, "; ".join(own) or "holds at all t printed",
                       "; ".join(ours) or "holds at these t", ("trees-speed-speed",))


def title(figure):
    """Returns the title of a figure."""
    ratio = f"s = {figure['s_us']}, r = {figure['r_us']}"
    trees = figure["tree"].split() or [""]
    return {"finish": "{tree} tree, {processes} processes, done",
            "arrivals": "{tree} tree, {processes} processes, arrivals at step {time_us}",
            "lambda": "lambda",
            "population": "f({time_us})",
            "best": "fastest of {trees}, {processes} processes",
            "worst": "slowest of {trees}, {processes} processes",
            "gain": "part of the time of {second} that {first} saves, {processes} processes",
            "no slower": "{first} no slower than {second}"}[figure["quantity"]].format(
                trees=", ".join(trees), first=trees[0], second=trees[-1], **figure) + f" ({ratio})"


def differs(figure, value) -> Deviation:
    """Returns the deviation of a value; nothing if it equals the printed value to its decimals. A number of processes
    either is the printed one or differs."""
    if bound := bounded(figure["value"], value):
        return bound
    off = deviation(figure["value"], value)
    if is_exact(figure["value"], value):
        return off._replace(percent=0.0)
    return off._replace(percent=math.inf) if figure["quantity"] == "population" else off


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    files = [study.targets(results) for study in studies() if study.program == TREES]
    trees = Trees(*[[each[kind] for each in files if kind in each] for kind in ("csv", "arrivals", "speed")])
    section = Section("", COLUMNS)
    wrong = []
    for figure in read(PUBLISHED):
        model, simulated = trees.compare(figure)
        best = model if simulated is None else simulated
        off = differs(figure, best)
        if figure["source"] != "measured" and (off.percent == 0) != (figure["reproducible"] == "yes"):
            wrong.append(f"{figure['id']} is {figure['value']} and came out as {shown(best, 2)}")
        source = f" ({figure['source']})" if figure["source"] != "paper" else ""
        decimals = {"lambda": 5, "gain": 1}.get(figure["quantity"], 0)
        section.rows.append(Row(
            (title(figure), figure["value"] + UNITS[figure["unit"]] + source,
             *(shown(value, decimals) for value in (model, simulated)), off.text,
             source_note(figure)),
            figure["id"], USES.get(figure["source"], CHECK if figure["quantity"] in FORMULAS else PREDICTED),
            off.percent,
            made_by=trees.made_by))
    found = Claims(trees.finish, Printed(PUBLISHED), results).section()
    return Chapter(TITLE, SOURCE, INTRO, [section, found, trees.levels()], wrong)
