# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Moh et al. (2001): barriers in the switches of irregular fabrics, and latency over load there."""

from __future__ import annotations

from ..errors import WormholeError
from . import comparison
from .comparison import (CHECK, IMPOSSIBLE, PREDICTED, Chapter, Row, Section, deviation, is_exact,
                         read)
from .places import DATA
from .study import Caption, Plots, Study

BARRIERS = "btin-comparison"
LOADS = "latency-load"
PUBLISHED = DATA / "btin-published.csv"
FIGURE_1 = DATA / "moh-figure-1.json"
LINE = DATA / "line-of-five.json"

TITLE = "Barriers in the switches of irregular fabrics: published, model, simulated"
SOURCE = "Moh et al., 2001"
INTRO = """\
S. Moh, C. Yu, D. S. Han, B. Lee, D. Lee: "A Fast Tree-Based Barrier Synchronization on Switch-Based
Irregular Networks" (2001), repeated with {runs} random fabrics a point. *Published*: what the paper
prints, or what its formula gives. *Model*: the closed form without flit times. *Simulated*: mean
over the runs, with the half width of its 95 % interval. *Deviation*: simulated against published.

As in the paper, messages of the barrier tree take no flit times (`--btinTiming=paper`), while those
of the other schemes do. With flit times (`--btinTiming=flits`) the tree takes about 2 % longer.

Law: how the random fabrics are drawn, which the paper does not say. Reduction: how the n messages
of the multicast scheme's first phase are looked at; `simulated`, the fabric as it is; `ideal`,
without contention; `paper-inferred`, n t_r / (f k - p / q) added to the barrier tree's latency,
which is an inference about the authors' model, not their statement.
"""
REPRODUCIBLE = "Figures that can be reproduced"
OTHERS = "Figures that can't be reproduced, and why"
OVER_LOAD = "Latency over load"
LOAD_INTRO = """\
No published figure: what `latency-load` finds on a fabric of the smaller size, drawn by law
recursive. Loads are parts of the rate of a host's channel. Latency: mean over the worms of a
simulation, with the half width of its 95 % interval, at the least load and at the greatest one
below saturation; from saturation on there is none.
"""

COLUMNS = ("figure", "published", "compared with", "model", "simulated", "deviation")
LOAD_COLUMNS = ("fabric", "traffic", "worms", "saturated from", "latency at load",
                "latency at load")
REDUCTIONS = ("simulated", "ideal", "paper-inferred")
LAWS = ("recursive", "walk", "pairing")
# Columns of the model and the simulation for quantities whose change is compared.
CHANGES = {"latency_change": ("latency_us_model", "latency_us_mean"),
           "traffic_change": ("", "message_hops_mean")}
KNOWN = "check fabric"  # a fabric that is known in full

SMALL = ("--switches=75", "--hosts=256")
LARGE = ("--switches=300", "--hosts=1024")
SIZES = "--groupSizes=2,4,8,16,32,64,128,256"


def studies() -> list[Study]:
    """Returns the studies; those that take longest first."""
    found = [Study("size-300-1024", BARRIERS, (*LARGE, SIZES + ",512,1024"), hosts=1024),
             Study("size-75-256", BARRIERS, (*SMALL, SIZES), hosts=256),
             *(Study(f"connectivity-{f}", BARRIERS, (*SMALL, f"--connectivity={f}", SIZES), hosts=256)
               for f in ("0.7", "0.9"))]
    for law in ("walk", "pairing"):
        btin = (f"--law={law}", "--schemes=btin")
        found += [Study(f"law-{law}-300-1024", BARRIERS, (*LARGE, *btin, "--groupSizes=256,1024"),
                        hosts=300),
                  Study(f"law-{law}-75-256", BARRIERS, (*SMALL, *btin, "--groupSizes=256"), hosts=75)]
    return found + [
        Study("figure-1", BARRIERS, (f"--fabric={FIGURE_1}", "--runs=1", "--groupSizes=14"),
              files=(FIGURE_1,)),
        Study("line-of-five", BARRIERS, (f"--fabric={LINE}", "--runs=1", "--groupSizes=2"),
              files=(LINE,)),
        Study("connectivity-0.5", BARRIERS, (*SMALL, "--connectivity=0.5"), refused=True),
        Study("latency-load", LOADS, (*SMALL, "--flits=16,256", "--worms=512"))]


FABRICS = (("figure-1", FIGURE_1, 14, "The part of Figure 1 that its barrier tree needs (compare "
                                      "Figure 2 of the paper)"),
           ("irregular-75-256", "irregular:switches=75,hosts=256", 16,
            "A random fabric of the smaller size, with the barrier tree of 16 hosts"))


def plots() -> list[Plots]:
    """Returns the plots."""
    def both(what, figure, latency):
        return {"latency": Caption(f"{figure}: latency of a barrier over group size, {what}", latency),
                "latency-factor": Caption(f"Ratios that the text on {figure} prints: latency of the "
                                          f"multicast scheme over BTIN's, {what}", OTHERS)}
    size = both("two sizes of fabrics", "Figure 6", REPRODUCIBLE)
    size["traffic"] = Caption("Figure 7: links crossed in a barrier over group size, two sizes of "
                              "fabrics", OTHERS)
    size["traffic-factor"] = Caption("Ratios that the text on Figure 7 prints: traffic of the "
                                     "multicast scheme over BTIN's", OTHERS)
    links = both("two connectivities", "Figure 8", OTHERS)
    links["traffic"] = Caption("Not in the paper: links crossed in a barrier on the fabrics of "
                               "Figure 8", OTHERS)
    links["traffic-factor"] = Caption("Not in the paper: traffic of the multicast scheme over BTIN's "
                                      "on the fabrics of Figure 8", OTHERS)
    published = (f"--published={PUBLISHED}",)
    return [Plots("size-", ("size-75-256", "size-300-1024"), size, published),
            Plots("connectivity-", ("connectivity-0.7", "connectivity-0.9"), links, published),
            Plots("load-", ("latency-load",),
                  {"latency": Caption("Not in the paper: latency of worms over load", OVER_LOAD),
                   "throughput": Caption("Not in the paper: throughput over load", OVER_LOAD)})]


class Results:
    """All rows of all studies."""

    def __init__(self, files):
        self.rows = [row for path in files for row in read(path)]

    def find(self, figure, which, scheme, reduction, law=None):
        """Returns the row of a figure's fabric and group; which: 0, or 1 for the second of two."""
        place = {name: figure[name].split()[-1 if which else 0]
                 for name in ("switches", "hosts", "connectivity", "group_size")}
        for row in self.rows:
            if (row["scheme"] == scheme and row["reduction"] == reduction
                    and all(row[name] == place[name] for name in ("switches", "hosts",
                                                                  "group_size"))
                    and abs(float(row["connectivity"]) - float(place["connectivity"])) < 1e-4
                    and law in (None, row["law"])):
                return row
        return None


def choices(figure, results):
    """Yields what a figure can be compared with: its name, a function that finds rows."""
    if figure["scheme"] == "btin":
        for law in LAWS + ("file",):
            if results.find(figure, 1, "btin", "in-switch", law):
                name = KNOWN if law == "file" else f"law {law}"
                yield name, lambda which, law=law: results.find(figure, which, "btin",
                                                                "in-switch", law)
    else:
        for reduction in REDUCTIONS:
            if results.find(figure, 1, figure["scheme"], reduction):
                yield f"reduction {reduction}", lambda which, reduction=reduction: results.find(
                    figure, which, figure["scheme"], reduction)


def number(row, column):
    """Returns a number of a row."""
    return float(row[column])


def steadier(pairs, column):
    """Returns the scheme whose column changes by the smaller factor; no name where there is none."""
    if not column:
        return None
    change = [max(number(first, column), number(second, column))
              / min(number(first, column), number(second, column)) for first, second in zip(*pairs)]
    return pairs[0][0]["scheme"] if change[0] < change[1] else "btin"


def compare(figure, results):
    """Yields lines for a figure: compared with what, model, simulated, half width; None: none."""
    quantity = figure["quantity"]
    for name, at in choices(figure, results):
        row = at(1)
        btin = results.find(figure, 1, "btin", "in-switch")
        if quantity == "latency":
            yield (name, number(row, "latency_us_model"), number(row, "latency_us_mean"),
                   number(row, "latency_us_ci95"))
        elif quantity in ("latency_difference", "latency_ratio"):
            if not at(0):
                continue  # studies of other laws have few group sizes
            join = (lambda a, b: a - b) if quantity == "latency_difference" else lambda a, b: a / b
            yield (name, join(number(row, "latency_us_model"), number(at(0), "latency_us_model")),
                   join(number(row, "latency_us_mean"), number(at(0), "latency_us_mean")), None)
        elif quantity == "latency_factor":
            yield (name, number(row, "latency_us_model") / number(btin, "latency_us_model"),
                   number(row, "latency_us_mean") / number(btin, "latency_us_mean"), None)
        elif quantity == "traffic_factor":
            for count in ("message_hops", "flit_hops"):
                yield (count.replace("_", "-"), None,
                       number(row, count + "_mean") / number(btin, count + "_mean"), None)
            return
        elif quantity in CHANGES:
            pairs = [(at(which), results.find(figure, which, "btin", "in-switch"))
                     for which in (0, 1)]
            yield (name, *(steadier(pairs, column) for column in CHANGES[quantity]), None)
        elif quantity == "message_hops":
            model = 2 * (number(row, "edges_mean") + number(row, "group_size"))
            yield name, model, number(row, "message_hops_mean"), None
        elif quantity in ("height", "edges"):
            yield name, None, number(row, quantity + "_mean"), None
        elif quantity in ("root_switch", "root_host"):
            yield name, None, row[quantity], None
        else:
            raise WormholeError(f"{figure['id']}: quantity '{quantity}' is not known")


def shown(value, half_width=None):
    """Returns a value as text, with the half width of its interval if there is one."""
    sure = half_width is not None and half_width == half_width  # not so for NaN
    return comparison.shown(value, 2) + (f" +- {half_width:.2f}" if sure else "")


def title(figure):
    """Returns what a figure is about."""
    words = {"latency": "latency of {scheme}",
             "latency_difference": "growth of the latency of {scheme}, second less first",
             "latency_ratio": "growth of the latency of {scheme}, second over first",
             "latency_factor": "latency of {scheme} over btin's",
             "traffic_factor": "traffic of {scheme} over btin's",
             "height": "height of the barrier tree",
             "edges": "edges of the barrier tree",
             "latency_change": "scheme whose latency changes less from first to second",
             "traffic_change": "scheme whose traffic changes less from first to second",
             "trees": "trees of the least height",
             "leaves": "leaves of the barrier tree",
             "message_hops": "links crossed by messages of {scheme}",
             "root_switch": "root switch of the barrier tree",
             "root_host": "root host of the barrier tree"}
    places = zip(*(figure[name].split() for name in ("switches", "hosts", "group_size")))
    where = ", then ".join(f"{s} switches, {h} hosts, {n} members" for s, h, n in places)
    what = words.get(figure["quantity"], figure["quantity"]).format(**figure)
    connectivity = " then ".join(figure["connectivity"].split())
    return f"{what} ({where}, f = {connectivity})"


def unit(figure):
    """Returns a figure's unit, to stand behind it."""
    return {"ratio": "", "name": "", "not given": " (unit not given)"}.get(
        figure["unit"], " " + figure["unit"])


def rows_of(figure, results):
    """Returns the rows for a published value; and what is wrong with them, a text each."""
    published = figure["value"] + unit(figure)
    published += " (formula)" if figure["source"] == "formula" else ""
    first = (title(figure), published)
    rows, wrong = [], []
    for name, model, simulated, half_width in compare(figure, results):
        text, percent = deviation(figure["value"], simulated)
        use = CHECK if name == KNOWN or figure["source"] == "formula" else PREDICTED
        rows.append(Row((*first, name, shown(model), shown(simulated, half_width), text),
                        figure["id"], use, percent))
        first = ("", "")
        if name == KNOWN and not is_exact(figure["value"], simulated):
            wrong.append(f"{figure['id']} is {figure['value']} and was simulated as "
                         f"{shown(simulated)}")
    if not rows:
        rows.append(Row((*first, "no study", "", "not possible", IMPOSSIBLE.text),
                        figure["id"], PREDICTED, IMPOSSIBLE.percent))
    return rows, wrong


def loads(results):
    """Returns a section on latency over load: a row per curve."""
    curves = {}
    for row in results.rows:
        place = (f"{row['switches']} switches, {row['hosts']} hosts",
                 f"{row['pattern']}, {row['arrivals']}", f"{row['flits']} flits")
        curves.setdefault(place, []).append(row)
    section = Section(OVER_LOAD, LOAD_COLUMNS, intro=LOAD_INTRO)
    for place, rows in curves.items():
        steady = [row for row in rows if row["state"] == "steady"] or [None]
        at = [f"{number(row, 'latency_us_mean'):.2f} +- {number(row, 'latency_us_ci95'):.2f} us "
              f"at {number(row, 'load'):.4g}" if row else "none"
              for row in (steady[0], steady[-1])]
        low, high = (number(rows[0], f"saturation_{end}") for end in ("low", "high"))
        section.rows.append(Row((*place, f"{low:.4g} to {high:.4g}", *at)))
    return section


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    made = [study.targets(results)["csv"] for study in studies() if study.program == BARRIERS]
    known = Results([path for path in made if path.suffix == ".csv"])
    refusals = {"latency-factor-f-0.5": results / "connectivity-0.5.refused.txt"}
    figures = read(PUBLISHED)
    found = Chapter(TITLE, SOURCE, INTRO.format(runs=max(int(row["runs"]) for row in known.rows)), [])
    for heading, kind in ((REPRODUCIBLE, "yes"), (OTHERS, "no")):
        section = Section(heading, COLUMNS)
        for figure in (each for each in figures if each["reproducible"] == kind):
            rows, wrong = rows_of(figure, known)
            section.rows += rows
            found.wrong += wrong
            note = figure["why"]
            if figure["id"] in refusals:
                said = refusals[figure["id"]].read_text(encoding="utf-8").strip()
                note += f" The program says: `{said}`."
            if note:
                section.notes.append(f"`{figure['id']}` ({figure['where']}): {note}")
        found.sections.append(section)
    found.sections.append(loads(Results([results / "latency-load.csv"])))
    return found
