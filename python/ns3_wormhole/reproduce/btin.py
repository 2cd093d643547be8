# SPDX-License-Identifier: GPL-2.0-only
"""Moh et al. (2001): barriers in the switches of irregular fabrics, and the latency of worms over load."""

import dataclasses
import math
import operator
import re
from statistics import correlation, mean, pvariance

from ..core.errors import WormholeError
from . import btin_claims, comparison
from .claims import Printed
from .comparison import (Caption, Chapter, CHECK, deviation, FEWEST, grouped, IMPOSSIBLE, is_exact, Plots, PREDICTED,
                         read, Row, Section, source_note, Study, UNDECIDED)
from .places import DATA

BARRIERS = "btin-comparison"
LOADS = "latency-load"
SPLIT = "split-barrier"
BROADCASTS = "smp-broadcast"
UNDER_LOAD = "barriers-under-load"
PUBLISHED = DATA / "btin-published.csv"
FIGURE_1 = DATA / "moh-figure-1.json"
FIGURE_3 = DATA / "moh-figure-1-three-trees.json"
LINE = DATA / "line-of-five.json"

TITLE = "Barriers in the switches of irregular fabrics: published, model, simulated"
SOURCE = "Moh et al., 2001"
INTRO = """\
S. Moh, C. Yu, D. S. Han, B. Lee, D. Lee: "A Fast Tree-Based Barrier Synchronization on Switch-Based
Irregular Networks" (2001), repeated with {runs} a point. *Published*: the value that the paper prints, or that its
formula gives. *Model*: the closed form without flit times. *Simulated*: mean over the runs, with the half width of its
95 % interval. *Deviation*: simulated against published.

All schemes are simulated with the same timing, flit by flit. Rows marked *no flit times* use the paper's timing instead
(`--btinTiming=paper`), in which messages of the barrier tree take only start-ups, links and switches. The column
`btin_timing` of the CSVs says which timing a row has.

Law: the topology model of the random fabrics, which the paper does not state. Reduction: how the n messages of the
multicast scheme's first phase are treated: `simulated`, on the fabric as it is; `ideal`, without contention. Two other
treatments are our inferences about the authors' model, not their statements: `paper-inferred` adds n t_r / (f k - p /
q) to the barrier tree's latency; in `paper-inferred-serial`, the first phase takes t_s and that time, and the second
phase takes as long as one phase of the barrier tree: [t_s + n t_r / (f k - p / q)] + [t_s + d t_p + (d + 1) t_r].

The likely reading: all configurations of a fabric are "equally likely" (Section 4.1), to which random pairs of ports
come nearest (law pairing, where it was simulated). Messages have no data flits, but the multicast scheme's worm has the
addresses of its members; without these its time would not grow with n. Channel contention is not considered, and
traffic counts the links that messages traverse (Section 5.1). Table 2 counts the start-ups of the root, and Figure 3
counts the leaves at the greatest depth.
"""
REPRODUCIBLE = "Figures that simulations can be compared with"
OTHERS = "Figures that can't be reproduced, and why"
LEAVES = "The other reading of Figure 3"
LEAVES_INTRO = """\
No published figure: groups on the smaller fabrics, drawn by law recursive. Of barrier trees with equal height and
number of edges, the one with the fewest leaves is taken. Either the leaves at the greatest depth count, as in Figure 3,
or all leaves (`--leaves=all`). Values that differ are shown first by the deepest leaves, then by all leaves. Schemes by
messages use the barrier tree's root; their simulated values have the half width of the 95 % interval of the first mean.
"""
SPREAD = "Broadcasts through the registers"
SPREAD_INTRO = """\
No published figure: Section 6 only names multicast as future work. As a broadcast, `btin` is only the distribution
phase of a barrier, from any member. The others are a tree worm (`multicast`) and trees of messages. Random groups in
random order on one fabric of the smaller size enter at the same time; the first member is the source; messages have 2
bytes. Mean time until the last member has the message, flits included.
"""
OVER_LOAD = "Latency over load"
MAKING = "Making a group, and headers of tree worms"
MAKING_INTRO = """\
Costs that the paper names without figures (sections 2.2 and 3.1, Table 2); no values are published. *Nothing*:
registers are set up at once. *Announced*: before registers are set up, the first member sends the list of members and
cables, 3 + 2 n + 4 L bytes, to the others by a binomial tree. *Routers*: members of the multicast scheme send a message
to each switch on the route of its tree worm, as they do for registers. 256 members are on all switches, so that each
sets up its own switch; 16 members send to one switch after another. Header: how the tree worm encodes its destinations;
the longest message is this worm.
"""
MAKING_COLUMNS = ("fabric", "made by", "header", "members", "btin: set-up",
                  "multicast: set-up", "multicast: longest message", "multicast: latency")
ENCODINGS = ("bit-string", "path-based")
# Studies of latency over load: how a worm's route is known, and options.
ROUTED = {"latency-load": ("in switches",),
          "latency-load-source": ("in the header",
                                  "--attribute=WormholeFabric::RouteHeader=source")}
LOAD_INTRO = """\
No published figure: results of `latency-load` on a fabric of the smaller size, drawn by law recursive. Loads are
fractions of the rate of a host's channel. Latency: mean over the worms of a simulation, with the half width of its 95 %
interval, at the least load and at the greatest load below saturation; above, there is no latency. Route: switches know
where a worm goes, or, as in Myrinet, the worm's header has a byte for each switch, which drops this byte
(`RouteHeader=source`).
"""
BARRIERS_LOADED = "Barriers under load"
BARRIERS_LOADED_INTRO = """\
No published figure: the paper compares barriers on fabrics that carry nothing else. These are results of
`barriers-under-load` with all 256 hosts of a random fabric of the smaller size, law recursive, under uniform traffic of
worms of 64 flits: mean and 99th percentile of the latency of many consecutive barriers. As above, software costs
nothing but start-ups. (By default, receiving a message costs 1 us, and the root of the multicast scheme would be busy
for 255 us with the others' messages.) The row without traffic is the ideal: no message waits for data. Load: the rate
at which each host sends, relative to the rate of its channel. From the load marked `saturated` on, worms pile up, and
there is no latency. Buffers hold 512 flits, the length of the multicast scheme's tree worm: with the default depth,
this worm deadlocks with the data.
"""
SPLIT_PHASE = "Split-phase barriers"
SPLIT_INTRO = """\
No published figure: the paper cites fuzzy barriers (its reference 13) and measures none. These are results of
`split-barrier` with 64 hosts of a random fabric, law recursive, whose processes compute for 40 us in each step: the
time of a step beyond these 40 us if the barrier blocks, and if processes enter the barrier, compute, and then wait for
it, by who progresses the barrier meanwhile. Imbalance: the greatest amount by which a process computes longer or
shorter, drawn for each step.
"""
SPLIT_COLUMNS = ("barrier", "imbalance", "blocks", "in-call", "interrupt", "independent")
SPLIT_COMPUTE = 40  # us

COLUMNS = ("figure", "published", "compared with", "model", "simulated", "deviation")
LOAD_COLUMNS = ("fabric", "traffic", "worms", "route", "saturated from", "latency at load", "latency at load")
LEAVES_COLUMNS = ("members", "groups", "groups with another root", "latency of btin",
                  "height of the tree", "edges", "links crossed", "latency of multicast",
                  "latency of unicast")
# What does not depend on which leaves count.
KEPT = ("latency_us_mean", "height_mean", "edges_mean", "message_hops_mean")
REDUCTIONS = ("simulated", "ideal", "paper-inferred", "paper-inferred-serial")
LAWS = ("recursive", "walk", "pairing")
# Columns of the model and the simulation for quantities whose change is compared.
# What rows of btin are called, by its timing; what does not depend on it comes from the first.
TIMINGS = {"flits": "", "paper": ", no flit times"}
TIMED = ("latency", "latency_difference", "latency_ratio")
CHANGES = {"latency_change": ("latency_us_model", "latency_us_mean"), "traffic_change": ("", "message_hops_mean")}
# Quantities of Table 2.
FIXED = ("start_ups", "message_bytes", "message_length")  # the same on all fabrics
COUNTS = (*FIXED, "latency_order")
KNOWN = "check fabric"  # a fabric that is known in full
# What the paper's text suggests, in the order of preference.
LIKELY = ("law pairing, no flit times", "law pairing", "law recursive, no flit times", "law recursive",
          KNOWN + ", no flit times", "reduction ideal", "message-hops", "root's host",
          "leaves at the greatest depth")
FLOODING = "n copies over all cables between switches"

# Studies that tell which leaves count, and what those are; of Figure 1 by either.
BY_LEAVES = {"deepest": "leaves at the greatest depth", "all": "all leaves"}
COUNTED = ("leaves-75-256", *(f"figure-3-{leaves}" for leaves in BY_LEAVES))
# Quantities that only these studies tell, or that depend on which leaves count.
OF_LEAVES = ("leaves", "trees", "chosen_root")

SMALL = ("--switches=75", "--hosts=256")
LARGE = ("--switches=300", "--hosts=1024")
TIMED_BOTH_WAYS = "--btinTiming=flits,paper"
SIZES = "--groupSizes=2,4,8,16,32,64,128,256"
INFERRING = f"--reduction={','.join(REDUCTIONS)}"
PORTS = 8  # of a switch


def studies() -> list[Study]:
    """Returns the studies, longest-running first."""
    every = (TIMED_BOTH_WAYS, INFERRING)
    found = [Study("size-300-1024", BARRIERS, (*LARGE, *every, SIZES + ",512,1024"), random=True),
             Study("size-75-256", BARRIERS, (*SMALL, *every, SIZES), random=True),
             *(Study(f"connectivity-{f}", BARRIERS, (*SMALL, *every, f"--connectivity={f}", SIZES), random=True)
               for f in ("0.7", "0.9"))]
    for law in ("walk", "pairing"):
        btin = (f"--law={law}", "--schemes=btin", TIMED_BOTH_WAYS)
        found += [Study(f"law-{law}-300-1024", BARRIERS, (*LARGE, *btin, "--groupSizes=256,1024"),
                        random=True),
                  Study(f"law-{law}-75-256", BARRIERS, (*SMALL, *btin, "--groupSizes=256"), random=True)]
    found += [Study(f"making-{encoding}", BARRIERS,
                    (*SMALL, "--groupSizes=16,256", "--schemes=btin,multicast",
                     "--reduction=simulated", f"--headerEncoding={encoding}",
                     "--attribute=InSwitchBarrier::Announcement=tree[Tree=binomial]",
                     "--attribute=MulticastBarrier::RouterSetup=true"), random=True)
              for encoding in ENCODINGS]
    return found + [
        *(Study(name, BARRIERS, (f"--fabric={path}", "--runs=1", f"--groupSizes={members}", TIMED_BOTH_WAYS),
                files=(path,)) for name, path, members in (("figure-1", FIGURE_1, 14), ("line-of-five", LINE, 2))),
        Study(COUNTED[0], BARRIERS, (*SMALL, SIZES, "--reduction=simulated", "--leaves=all"), random=True),
        *(Study(f"figure-3-{leaves}", BARRIERS,
                (f"--fabric={FIGURE_3}", "--runs=1", "--groupSizes=14", "--schemes=btin",
                 f"--leaves={leaves}"), files=(FIGURE_3,)) for leaves in BY_LEAVES),
        Study("broadcast-75-256", BROADCASTS, (
            "--topology=irregular:switches=75,hosts=256", "--job=256", "--placement=shuffled",
            "--hosts=2,4,8,16,32,64,128,256", "--bytes=2", "--dataRate=1.28Gbps", "--flitBytes=1",
            "--algorithms=tree[Tree=sequential],tree[Tree=binomial],multicast,btin")),
        Study("connectivity-0.5", BARRIERS, (*SMALL, "--connectivity=0.5"), refused=True),
        *(Study(name, LOADS, (*SMALL, "--flits=16,256", "--worms=512", *more))
          for name, (_, *more) in ROUTED.items()),
        Study("barriers-under-load", UNDER_LOAD,
              ("--attribute=WormholePort::BufferDepth=512", "--receive=0us", "--rounds=100")),
        Study("split-barrier", SPLIT), *btin_claims.studies()]


FABRICS = (("figure-1", FIGURE_1, 14, "What is known of Figure 1: the cables of its barrier tree, and "
                                      "two more (compare Figure 2 of the paper)"),
           ("irregular-75-256", "irregular:switches=75,hosts=256", 16,
            "A random fabric of the smaller size, with the barrier tree of 16 hosts"))


def plots() -> list[Plots]:
    """Returns the plots."""
    def both(what, figure, latency):
        return {"latency": Caption(f"{figure}: latency of a barrier over group size, {what}; simulated and ideal "
                                   "unicast agree within 1 %, and the ideal curve covers the simulated one", latency),
                "latency-factor": Caption(f"Ratios that the text on {figure} prints: latency of the "
                                          f"multicast scheme over BTIN's, {what}", OTHERS)}
    size = both("two sizes of fabrics", "Figure 6", REPRODUCIBLE)
    size["traffic"] = Caption("Figure 7: links crossed in a barrier over group size, two sizes of "
                              "fabrics", OTHERS)
    size["traffic-factor"] = Caption("Ratios that the text on Figure 7 prints: traffic of the "
                                     "multicast scheme over BTIN's; the nearest count, of copies over "
                                     "all cables, is in the table alone", OTHERS)
    links = both("two connectivities", "Figure 8", OTHERS)
    links["traffic"] = Caption("Not in the paper: links crossed in a barrier on the fabrics of "
                               "Figure 8", OTHERS)
    links["traffic-factor"] = Caption("Not in the paper: traffic of the multicast scheme over BTIN's "
                                      "on the fabrics of Figure 8", OTHERS)
    published = (f"--published={PUBLISHED}",)
    return [Plots("size-", ("size-75-256", "size-300-1024"), size, published),
            Plots("connectivity-", ("connectivity-0.7", "connectivity-0.9"), links, published),
            Plots("broadcast-", ("broadcast-75-256",),
                  {"time": Caption("Not in the paper: time of a broadcast of 2 bytes over group size",
                                   SPREAD),
                   "factor": Caption("Not in the paper: the same over the time of btin", SPREAD)}),
            Plots("load-", ("latency-load",),
                  {"latency": Caption("Not in the paper: latency of worms over load", OVER_LOAD),
                   "throughput": Caption("Not in the paper: throughput over load", OVER_LOAD)}),
            Plots("under-load-", ("barriers-under-load",),
                  {"latency": Caption("Not in the paper: latency of a barrier over the load of data "
                                      "traffic beside it", BARRIERS_LOADED)}),
            Plots("split-", ("split-barrier",),
                  {"exposed": Caption("Not in the paper: time of a step beyond its computing, over "
                                      "computing between entering a barrier and waiting for it; hw-1 takes as "
                                      "long as hw-all, which covers it",
                                      SPLIT_PHASE)})]


class Results:
    """All rows of all studies. counted: files of studies that show which leaves count"""

    def __init__(self, files, counted=()):
        self.rows, self.counted = ([{**row, "file": path.stem} for path in paths
                                    for row in read(path)] for paths in (files, counted))
        # Files of too few random fabrics for a verdict.
        self.few = frozenset(row["file"] for row in self.rows + self.counted if row.get("law") != "file"
                             and int(row.get("runs", FEWEST)) < FEWEST)

    def find(self, figure, which, scheme, reduction, law=None, timing=None, leaves=None):
        """Returns the row of a figure's fabric and group. which: 0, or 1 for the second of two; law, timing, leaves:
        None for any, of which the first found is used"""
        place = {name: figure[name].split()[-1 if which else 0]
                 for name in ("switches", "hosts", "connectivity", "group_size")}
        for row in self.counted if figure["quantity"] in OF_LEAVES else self.rows:
            if (row["scheme"] == scheme and row["reduction"] == reduction
                    and all(row[name] == place[name] for name in ("switches", "hosts", "group_size"))
                    and abs(float(row["connectivity"]) - float(place["connectivity"])) < 1e-4
                    and law in (None, row["law"]) and timing in (None, row["btin_timing"])
                    and leaves in (None, row.get("leaves"))):
                return row
        return None

    def made_by(self, figure, name):
        """Returns the files that a figure is compared with. name: name of the reading"""
        laws = [law for law in LAWS if f"law {law}" in name] or [LAWS[0], "file"]
        places = [place_of(figure, which) for which in (0, -1)]
        rows = self.counted if figure["quantity"] in OF_LEAVES else self.rows
        return tuple(dict.fromkeys(
            row["file"] for row in rows if row["scheme"] in (figure["scheme"], "btin")
            and row["law"] in laws and place_of(row) in places))


def place_of(row, which=0):
    """Returns a row's or figure's fabric and group. which: number of one, if a figure has several"""
    return tuple(round(float(row[name].split()[which]), 3)
                 for name in ("switches", "hosts", "group_size", "connectivity"))


def choices(figure, results):
    """Yields the readings that a figure can be compared with: a name, and a function that finds rows."""
    scheme = figure["scheme"]
    places = [((KNOWN if law == "file" else f"law {law}") + words, ("in-switch", law, timing))
              for law in (*LAWS, "file") for timing, words in TIMINGS.items()
              if timing == "flits" or figure["quantity"] in TIMED] if scheme == "btin" else [
        (f"reduction {reduction}", (reduction,)) for reduction in REDUCTIONS]
    for name, place in places:
        if results.find(figure, 1, scheme, *place):
            yield name, lambda which, place=place: results.find(figure, which, scheme, *place)


def number(row, column):
    """Returns a number of a row."""
    return float(row[column])


def latencies(row):
    """Returns modelled and simulated latency, us."""
    return number(row, "latency_us_model"), number(row, "latency_us_mean")


def steadier(pairs, column):
    """Returns the scheme whose column changes by the smaller factor; None without a column."""
    if not column:
        return None
    change = [max(number(first, column), number(second, column))
              / min(number(first, column), number(second, column)) for first, second in zip(*pairs)]
    return pairs[0][0]["scheme"] if change[0] < change[1] else "btin"


def order(rows, column):
    """Returns whether a column grows rather linearly in the group size n or in log n, and a text with the squared
    errors, us^2, of the best line of each."""
    sizes, values = ([number(row, name) for row in rows] for name in ("group_size", column))
    whole = pvariance(values) * len(values)
    left = {name: whole * (1 - correlation(places, values) ** 2)
            for name, places in (("n", sizes), ("log n", [*map(math.log2, sizes)]))}
    best, other = sorted(left, key=left.get)
    return best, f" fits better: squared error {left[best]:.3g}, by {other} {left[other]:.3g}"


def compare_counts(figure, results, reduction="simulated"):
    """Yields lines for a figure of Table 2, which is the same for all laws, and except for the order of the latency,
    for all reductions."""
    scheme = figure["scheme"]
    reduction = "in-switch" if scheme == "btin" else reduction
    rows = [row for row in results.rows if row["scheme"] == scheme
            and row["reduction"] == reduction and row["law"] == "recursive"
            and row["btin_timing"] == "flits"
            and all(row[name] == figure[name].split()[-1] for name in ("switches", "hosts"))
            and abs(number(row, "connectivity") - float(figure["connectivity"])) < 1e-4]
    rows = list({row["group_size"]: row for row in rows}.values())
    ends = [row for size in figure["group_size"].split() for row in rows if row["group_size"] == size]
    quantity = figure["quantity"]
    columns = {"start_ups": {"root's host": "root_messages_mean", "all hosts": "start_ups_mean"},
               "message_bytes": {"all laws": "message_bytes_mean"}}
    if quantity in columns:
        yield from ((name, None, number(ends[-1], column), None) for name, column in columns[quantity].items())
    elif quantity == "message_length":
        grows = number(ends[1], "message_bytes_mean") > number(ends[0], "message_bytes_mean")
        yield "all laws", None, "long" if grows else "short", None
    else:
        yield f"reduction {reduction}", order(rows, "latency_us_model")[0], *order(rows, "latency_us_mean")
        if reduction == "simulated":
            yield from compare_counts(figure, results, "ideal")


def compare_leaves(figure, results):
    """Yields lines for a figure of Figure 3, on the fabric with three trees."""
    for leaves, name in BY_LEAVES.items():
        # How many leaves there are is said of the tree that is chosen by the deepest.
        row = results.find(figure, 1, "btin", "in-switch",
                           leaves="deepest" if figure["quantity"] == "leaves" else leaves)
        if figure["quantity"] == "trees":
            yield KNOWN, None, number(row, "equal_trees_mean"), None
            return
        column = "deepest_leaves_mean" if leaves == "deepest" else "leaves_mean"
        yield name, None, row["root_switch"] if figure["quantity"] == "chosen_root" else number(row, column), None


def flooding(figure, results):
    """Returns the number of links crossed if n messages go to the root, and n return over all cables between switches.
    One direction is half of what unicast crosses."""
    row = results.find(figure, 1, "unicast", "simulated")
    switches, hosts, n, connectivity, hops = (number(row, name) for name in (
        "switches", "hosts", "group_size", "connectivity", "message_hops_mean"))
    return hops / 2 + n * round((connectivity * PORTS * switches - hosts) / 2)


def compare(figure, results):
    """Yields lines for a figure: reading, model, simulated, half width or words; None: there is none."""
    quantity = figure["quantity"]
    if quantity in (*COUNTS, *OF_LEAVES):
        yield from (compare_counts if quantity in COUNTS else compare_leaves)(figure, results)
        return
    for name, at in choices(figure, results):
        row = at(1)
        btin = results.find(figure, 1, "btin", "in-switch", timing=row["btin_timing"])
        if quantity == "latency":
            yield name, *latencies(row), number(row, "latency_us_ci95")
        elif quantity in ("latency_difference", "latency_ratio"):
            if at(0):  # studies of other laws have few group sizes
                join = operator.sub if quantity == "latency_difference" else operator.truediv
                yield name, *map(join, latencies(row), latencies(at(0))), None
        elif quantity == "latency_factor":
            yield name, *map(operator.truediv, latencies(row), latencies(btin)), None
        elif quantity == "traffic_factor":
            for count in ("message_hops", "flit_hops"):
                yield (count.replace("_", "-"), None,
                       number(row, count + "_mean") / number(btin, count + "_mean"), None)
            yield FLOODING, None, flooding(figure, results) / number(btin, "message_hops_mean"), None
            return
        elif quantity in CHANGES:
            pairs = [(at(which), results.find(figure, which, "btin", "in-switch")) for which in (0, 1)]
            yield (name, *(steadier(pairs, column) for column in CHANGES[quantity]), None)
        elif quantity in ("message_hops", "height", "edges"):
            model = 2 * (number(row, "edges_mean") + number(row, "group_size")) if quantity == "message_hops" else None
            yield name, model, number(row, quantity + "_mean"), None
        elif quantity in ("root_switch", "root_host"):
            yield name, None, row[quantity], None
        else:
            raise WormholeError(f"{figure['id']}: quantity '{quantity}' is not known")


def shown(value, half_width=None):
    """Returns a value as text, with the half width of its interval or with words if there are any."""
    if isinstance(half_width, str):
        return value + half_width
    sure = half_width is not None and half_width == half_width  # not so for NaN
    return comparison.shown(value, 2) + (f" +- {half_width:.2f}" if sure else "")


def title(figure):
    """Returns the title of a figure."""
    words = {"latency": "latency of {scheme}",
             "latency_difference": "growth of the latency of {scheme}, second less first",
             "latency_ratio": "growth of the latency of {scheme}, second over first",
             "latency_factor": "latency of {scheme} over btin's",
             "traffic_factor": "traffic of {scheme} over btin's",
             "height": "height of the barrier tree",
             "edges": "edges of the barrier tree",
             "latency_change": "scheme whose latency changes less from first to second",
             "traffic_change": "scheme whose traffic changes less from first to second",
             "start_ups": "start-ups of {scheme}",
             "message_bytes": "message of {scheme}",
             "message_length": "message of {scheme}, from first to second",
             "latency_order": "order of the latency of {scheme}, first to second",
             "trees": "trees of the least height",
             "leaves": "leaves of the barrier tree",
             "chosen_root": "root of the tree that is chosen",
             "message_hops": "links crossed by messages of {scheme}",
             "root_switch": "root switch of the barrier tree",
             "root_host": "root host of the barrier tree"}
    places = zip(*(figure[name].split() for name in ("switches", "hosts", "group_size")))
    where = ", then ".join(f"{s} switches, {h} hosts, {n} members" for s, h, n in places)
    what = words.get(figure["quantity"], figure["quantity"]).format(**figure)
    return f"{what} ({where}, f = {' then '.join(figure['connectivity'].split())})"


def unit(figure):
    """Returns a figure's unit, which follows its value."""
    return {"ratio": "", "name": "", "not given": " (unit not given)"}.get(figure["unit"], " " + figure["unit"])


def rows_of(figure, results):
    """Returns the rows for a published value, and a text for each error in them."""
    is_formula = figure["source"] == "formula"
    first = (title(figure), figure["value"] + unit(figure) + " (formula)" * is_formula)
    rows, wrong = [], []
    readings = list(compare(figure, results))
    names = [name for name, *_ in readings]
    likely = next((name for name in LIKELY if name in names and len(names) > 1), None)
    for name, model, simulated, half_width in readings:
        text, percent = deviation(figure["value"], simulated)
        made_by = results.made_by(figure, name)
        if results.few.intersection(made_by) and figure["quantity"] not in FIXED:
            text, percent = f"{text} ({UNDECIDED.text})", UNDECIDED.percent
        use = CHECK if name.startswith(KNOWN) or figure["quantity"] in OF_LEAVES or is_formula else PREDICTED
        rows.append(Row((*first, name + " (likely)" * (name == likely), shown(model),
                         shown(simulated, half_width), text),
                        figure["id"], use, percent, name == likely, made_by))
        first = ("", "")
        # The formula for a latency has no flit times.
        must_match = name == BY_LEAVES["deepest"] or name.startswith(KNOWN) and (
            figure["quantity"] not in TIMED or name.endswith(TIMINGS["paper"]))
        if must_match and not is_exact(figure["value"], simulated):
            wrong.append(f"{figure['id']} is {figure['value']} and was simulated as "
                         f"{shown(simulated)}")
    if not rows:
        rows.append(Row((*first, "no study", "", "not possible", IMPOSSIBLE.text),
                        figure["id"], PREDICTED, IMPOSSIBLE.percent))
    return rows, wrong


def leaves(results):
    """Returns a section on the trees that are found if all leaves count, and a text for each error in it."""
    section, wrong, groups, moved = Section(LEAVES, LEAVES_COLUMNS, intro=LEAVES_INTRO), [], 0, 0
    others = [row for row in results.counted if row["law"] != "file"]
    for row in (each for each in others if each["scheme"] == "btin"):
        usual = results.find({**row, "quantity": "latency"}, 0, "btin", "in-switch", row["law"])
        by_messages = []
        for scheme in ("multicast", "unicast"):
            first = results.find({**row, "quantity": "latency"}, 0, scheme, "simulated", row["law"])
            then = next(each for each in others if (each["scheme"], each["group_size"]) == (scheme, row["group_size"]))
            by_messages.append(f"{shown(number(first, 'latency_us_mean'), number(first, 'latency_us_ci95'))} "
                               f"us, then {shown(number(then, 'latency_us_mean'))}")
        number_of = int(row["runs"])
        other = round(number(row, "other_root_mean") * number_of)
        groups, moved = groups + number_of, moved + other
        section.rows.append(Row((row["group_size"], row["runs"], str(other), *(
            f"{usual[column]}{' us' if column.startswith('latency') else ''}" + (
                ", the same" if usual[column] == row[column] else f", then {row[column]}")
            for column in KEPT), *by_messages)))
        wrong += [f"{column} of btin, {row['group_size']} members, depends on which leaves count"
                  for column in KEPT if usual[column] != row[column]]
    section.notes.append(f"In {moved} of {groups} groups the root is another.")
    return section, wrong


def broadcasts(path):
    """Returns a section on broadcasts: a row per group size. path: the study's CSV"""
    times = {}
    for row in read(path):
        times.setdefault(int(row["hosts"]), {}).setdefault(row["algorithm"], []).append(number(row, "time_us"))
    names = list(next(iter(times.values())))
    return Section(SPREAD, ("members", *names), [
        Row((str(members), *(f"{mean(found[name]):.2f} us" for name in names))) for members, found in times.items()],
        intro=SPREAD_INTRO)


def loads(results):
    """Returns a section on latency over load: a row per curve. results: a folder"""
    curves = {}
    for name, (route, *_) in ROUTED.items():
        for row in read(results / f"{name}.csv"):
            place = (f"{row['switches']} switches, {row['hosts']} hosts",
                     f"{row['pattern']}, {row['arrivals']}", f"{row['flits']} flits", route)
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


def under_load(path):
    """Returns a section on barriers under data traffic: a row per load. path: the study's CSV"""
    found = grouped(read(path), lambda row: number(row, "load"), "algorithm", dict)
    names = list(found[0])
    return Section(BARRIERS_LOADED, ("data", *(f"{name}: mean, 99 %" for name in names)), [
        Row((f"load {load:.4f}" if load else "no traffic", *(_latencies(rows[name], load) for name in names)))
        for load, rows in sorted(found.items())], intro=BARRIERS_LOADED_INTRO)


def _latencies(row, load):
    if row["state"] != "steady":
        return row["state"]
    mean = f"{number(row, 'latency_us_mean'):.2f}"
    return f"{mean}, {number(row, 'latency_us_p99'):.2f} us" if load else f"{mean} us"


def split_phase(results):
    """Returns a section on split-phase barriers: a row per barrier and imbalance."""
    found = {}
    for row in results.rows:
        if number(row, "compute_us") == SPLIT_COMPUTE:
            place = (row["algorithm"], f"{row['imbalance_percent']} %")
            steps = found.setdefault(place, {"blocks": row["blocking_us"]})
            steps[row["progress"]] = row["split_us"]
    return Section(SPLIT_PHASE, SPLIT_COLUMNS, [
        Row((*place, *(f"{float(steps[how]) - SPLIT_COMPUTE:.2f} us" for how in SPLIT_COLUMNS[2:])))
        for place, steps in found.items()], intro=SPLIT_INTRO)


def making(results):
    """Returns a section on the cost of making a group, and on headers of tree worms."""
    section = Section(MAKING, MAKING_COLUMNS, intro=MAKING_INTRO)
    for name, made, header in (("size-75-256", "nothing", "addresses"),
                               *((f"making-{encoding}", "announced, routers", encoding)
                                 for encoding in ENCODINGS)):
        rows = {(row["scheme"], row["reduction"], row["group_size"]): row
                for row in reversed(read(results / f"{name}.csv"))}
        for size in ("16", "256"):
            btin, multicast = rows["btin", "in-switch", size], rows["multicast", "simulated", size]
            section.rows.append(Row((
                f"{btin['switches']} switches, {btin['hosts']} hosts", made, header, size,
                *(f"{number(row, 'setup_us_mean'):.2f} us" for row in (btin, multicast)),
                f"{number(multicast, 'message_bytes_mean'):.1f} bytes",
                shown(number(multicast, "latency_us_mean"),
                      number(multicast, "latency_us_ci95")) + " us")))
    return section


def chapter(results) -> Chapter:
    """Returns the paper's part of the report. results: a folder"""
    made = [study.targets(results)["csv"] for study in studies() if study.program == BARRIERS]
    counted = [results / f"{name}.csv" for name in COUNTED]
    known = Results([path for path in made if path.suffix == ".csv" and path not in counted
                     and not path.name.startswith("making-")],
                    counted)
    refusals = {"latency-factor-f-0.5": results / "connectivity-0.5.refused.txt"}
    figures = read(PUBLISHED)
    runs = max(int(row["runs"]) for row in known.rows)
    found = Chapter(TITLE, SOURCE, INTRO.format(runs=comparison.fabrics(runs)), [])
    for heading, kind in ((REPRODUCIBLE, "yes"), (OTHERS, "no")):
        section = Section(heading, (*COLUMNS, "note"), numbered=True)
        numbers = {figure["id"]: number for number, figure in enumerate(
            (each for each in figures if each["reproducible"] == kind), start=1)}
        for figure in (each for each in figures if each["id"] in numbers):
            rows, wrong = rows_of(figure, known)
            section.rows += [dataclasses.replace(row, cells=(
                *row.cells, str(numbers[figure["id"]]) if row is rows[0] else "")) for row in rows]
            found.wrong += wrong
            note = source_note(figure)
            if figure["id"] in refusals:
                said = refusals[figure["id"]].read_text(encoding="utf-8").strip()
                note += f" The program says: `{said}`."
            # Notes refer to each other by what they are on.
            section.notes.append(re.sub(r"[\w-]+", lambda name: (
                f"note {numbers[name[0]]}" if name[0] in numbers else name[0]), note))
        found.sections.append(section)
    found.sections.append(btin_claims.Claims(known, Printed(PUBLISHED), results, REDUCTIONS).section())
    section, wrong = leaves(known)
    found.wrong += wrong
    found.sections += [section, broadcasts(results / "broadcast-75-256.csv"), making(results), loads(results),
                       under_load(results / "barriers-under-load.csv"),
                       split_phase(Results([results / "split-barrier.csv"]))]
    return found
