# SPDX-License-Identifier: GPL-2.0-only
"""What the text of Hyder and Wood (1996) says about their tables, compared with the study's results."""

import operator

from ..core.errors import WormholeError
from ..study.functions import tables
from . import network_done
from .comparison import (bounded, by_chance, CHECK, deviation, FIT, grouped, IMPOSSIBLE, PREDICTED, read, REPEATED, Row,
                         Section, shown)
from .places import DATA

PUBLISHED = DATA / "sync-claims-published.csv"
WORKLOADS = DATA / "sync-communicates.json"

TITLE = "What the text says of the tables"
ORDER = "HW-1 or HW-All: what decides"
BESIDE = "Broadcasts beside data traffic, throttled"

TWICE = "sync-two-sums"
TWICE_COMMUNICATES = "sync-communicates-two-sums"
TWICE_HEADING = "HW-All by one sum a quantum, or by two"
TWICE_COLUMNS = ("figure", "published", "one sum: simulated", "deviation", "two sums: simulated", "deviation")
TWICE_INTRO = """\
Predicted speedups of Table 5, simulated. HW-All's Network-Done repeats ADD reductions, and takes "two (hardware)
synchronization operations" where HW-1's takes one (Section 4.2). Above, these two operations are one ADD and the AND of
the quantum. In the other reading, the ADD itself is done twice (`--networkDoneSums=2`). HW-All's own speedups stay,
since they are fits; its quanta then compute less, and so do the quanta of all other hardware.
"""

COLUMNS = ("claim", "published", "where", "model", "simulated", "deviation", "note")
ORDER_INTRO = """\
In the paper, without delay, HW-1 is faster than HW-All for all inputs of WWT except Sparse, and the reason given is
that their "communication is in fact quite low" (Section 4.2). The paper says only of Water in how many quanta there are
messages (15 %). Above, messages are assumed in all quanta of the other inputs, and the order comes out reversed for
Appbt and Tomcatv. The table has the simulated speedups with other shares, where HW-All adds once in a quantum; nothing
is fitted to them.
"""

BESIDE_INTRO = """\
The paper throttled the software broadcasts of its data-parallel codes by delays found by experiment, but does not give
these delays (Section 4.3). Here broadcasts of one root, or of eight roots at the same time, follow each other on 32
hosts of a folded Clos network, with the costs of the study's trees, while all hosts send data worms of 64 flits at a
load. A window limits the number of broadcasts that not all hosts have acknowledged, by messages up a tree or by the
add-on network HW-All; a gap separates consecutive broadcasts. Times are in us: per broadcast; from the beginning of a
broadcast until all hosts have it; and of a data worm.
"""

# Broadcasts beside data: names of results, what they are, and options.
SITUATIONS = {
    "one": ("one root", "--windows=0,1,2,4"),
    "gap": ("one root, gap 50 us", "--windows=0", "--gaps=50us"),
    "one-hw-all": ("one root, acknowledged by HW-All", "--windows=1,2", "--acks=hw-all"),
    "eight": ("eight roots", "--windows=0,1,2,4", "--broadcasters=8"),
    "eight-hw-all": ("eight roots, acknowledged by HW-All", "--windows=1,2", "--acks=hw-all",
                     "--broadcasters=8")}

# Throttles of the study of applications: names of results, and options.
THROTTLES = {"window-1": "--broadcastWindow=1", "window-2": "--broadcastWindow=2",
             "window-4": "--broadcastWindow=4", "gap-25us": "--broadcastGap=25us",
             "gap-50us": "--broadcastGap=50us", "gap-100us": "--broadcastGap=100us"}

# By quantity: what claims are where they are no predictions, and the studies that tell, where it is
# not that of the tables.
USES = {"memory": CHECK, "delay": FIT, "share": REPEATED}  # shares: of the prices of Table 7
SYNC = "sync-hardware"
MADE_BY = {"acks": (SYNC, "sync-by-adding"), "acks by worms": (network_done.MAIN,), "memory": (),
           "throttling": (SYNC, *(f"sync-throttled-{name}" for name in THROTTLES))}

NAMES = {"hw-1": "HW-1", "hw-all": "HW-All", "none": "no hardware", "": ""}


def default(name: str) -> float:
    """Returns a parameter's default in the study."""
    table = next(each for each in tables() if each["program"] == "sync-hardware")
    return float(next(each["default"] for each in table["parameters"] if each["option"] == name))


class Claims:
    """Results of the study, by table, row, hardware and delay."""

    def __init__(self, rows, by_adding, throttled, done):
        self._rows, self._done, self._throttled = rows, done, throttled
        self._by_adding = {row["row"]: row for row in by_adding}

    def speedups(self, application, hardware, delay):
        """Returns modelled and simulated speedup."""
        found = [row for (table, name, *place), row in self._rows.items()
                 if table in "3456" and name == application and place == [hardware, float(delay)]]
        if len(found) != 1:
            raise WormholeError(f"no study of synchronisation hardware has {application} with {hardware}")
        return tuple(float(found[0][kind]) for kind in ("model", "simulated"))

    def _inputs(self, figure):
        """Returns the applications of a row, which may be several: "WWT-*"."""
        stem, star, _ = figure["row"].partition("*")
        return [stem] if not star else sorted({name for table, name, hardware, _ in self._rows if table in "3456"
                                               and name.startswith(stem) and hardware == figure["hardware"]})

    def compare(self, figure):
        """Returns the modelled and the simulated value of a claim; None: there is none."""
        compare = getattr(self, "_" + figure["quantity"].replace(" ", "_"), None)
        if compare is None:
            raise WormholeError(f"{figure['id']}: quantity '{figure['quantity']}' is not known")
        return compare(figure)

    def _none(self, _):
        return None, None

    def _factor(self, figure):
        pairs = (map(operator.truediv, *(self.speedups(row, figure[which], figure["delay_us"])
                                         for which in ("hardware", "against"))) for row in self._inputs(figure))
        return tuple(map(max, zip(*pairs)))

    def _gain(self, figure):
        return tuple(100 * (factor - 1) for factor in self._factor(figure))

    def _order(self, figure):
        return tuple(NAMES[figure["hardware"] if factor > 1 else figure["against"]] for factor in self._factor(figure))

    def _delay(self, figure):
        return tuple(abs(100 * (1 - slow / fast)) for fast, slow in zip(*(
            self.speedups(figure["row"], figure["hardware"], delay) for delay in (0, figure["delay_us"]))))

    def _acks(self, figure):
        by_adding = (float(self._by_adding[figure["row"]][kind]) for kind in ("model", "simulated"))
        return tuple("acknowledgements" if one > other else "reductions"
                     for one, other in zip(self.speedups(figure["row"], figure["hardware"], 0), by_adding))

    def _acks_by_worms(self, _):
        winners = network_done.winners(self._done)
        return None, winners[min(winners)]

    def _share(self, figure):
        row = self._rows["7", figure["row"], figure["hardware"], float(figure["delay_us"])]
        price = sum(map(default, ("processorPrice", "memoryPrice", "networkPrice")))
        return tuple(100 * float(row[kind]) / price for kind in ("model", "simulated"))

    def _throttling(self, figure):
        _, plain = self.speedups(figure["row"], figure["hardware"], 0)
        best = max(float(row["simulated"]) for rows in self._throttled for row in rows if row["row"] == figure["row"])
        return None, 100 * (best / plain - 1)

    def _efficiency(self, figure):
        row = self._rows["uniprocessor", figure["row"], figure["hardware"], float(figure["delay_us"])]
        return 100 * float(row["model"]) / default("nodes"), None

    def _memory(self, _):
        memory = default("nodes") * default("memoryPrice")
        return 100 * memory / (memory + default("processorPrice")), None


def claims(results, price_parts) -> Section:
    """Returns a section with a row for each claim. results: rows of the study, of its variant by adding, of each
    throttle, and of Network-Done; price_parts: returns the deviations of an aggregate's prices, by hardware and
    delay"""
    known, seen = Claims(*results), set()
    section = Section(TITLE, COLUMNS, numbered=True)
    for figure in read(PUBLISHED):
        model, simulated = known.compare(figure)
        best = model if simulated is None else simulated
        off = (IMPOSSIBLE if best is None else bounded(figure["value"], best) or deviation(figure["value"], best))
        if figure["quantity"] == "share":
            off = by_chance(off, price_parts(figure["hardware"], figure["delay_us"]))
        same = (figure["quantity"], figure["value"], figure["hardware"], figure["delay_us"], model, simulated)
        use = USES.get(figure["quantity"], REPEATED if isinstance(best, float) and same in seen else PREDICTED)
        seen.add(same)
        unit = {"%": " %", "times": " times", "": ""}[figure["unit"]]
        section.rows.append(Row(
            (figure["figure"], figure["value"] + unit, figure["where"], shown(model, 2),
             "not possible" if best is None else shown(simulated, 2), off.text,
             section.note(figure["why"])),
            figure["id"], use, off.percent,
            made_by=MADE_BY.get(figure["quantity"], (SYNC,)) if best is not None else ()))
    return section


def twice(figures, once, two) -> Section:
    """Returns a section: predicted speedups in both readings of HW-All's Network-Done. figures: figures of Table 5;
    once, two: results of the study in each reading"""
    def cells(figure, results):
        simulated = results.compare(figure)[1]
        return f"{simulated:.2f}", deviation(figure["value"], simulated).text
    return Section(TWICE_HEADING, TWICE_COLUMNS, [
        Row((f"{figure['row']}, {NAMES[figure['hardware']]}, {figure['delay_us']} us", figure["value"],
             *cells(figure, once), *cells(figure, two)), made_by=("sync-hardware", TWICE))
        for figure in figures if figure["use"] == "predicted"], intro=TWICE_INTRO)


def threshold(name, speedups):
    """Returns the greatest share of quanta with messages, in percent, at which HW-1 is faster; None: there is none.
    speedups: by share, then by application and hardware"""
    shares = [share for share, by in speedups.items() if by[name, "hw-1"] > by[name, "hw-all"]]
    return 100 * max(shares) if shares else None


def by_share(rows):
    """Returns simulated speedups by share of quanta with messages, then by application and hardware."""
    return grouped(rows, lambda row: float(row["row"].rpartition(" ")[2]),
                   lambda row: (row["row"].rpartition(" ")[0], row["hardware"]), lambda row: float(row["simulated"]))


def order(rows, two_sums) -> Section:
    """Returns a section: how the order of the hardware depends on communication. two_sums: rows with two sums of
    HW-All"""
    speedups, others = by_share(rows), by_share(two_sums)
    names = list(dict.fromkeys(row["row"].rsplit(" ", 1)[0] for row in rows))
    section = Section(ORDER, ("quanta with messages", *(
        f"{name}, {NAMES[hardware]}" for name in names for hardware in ("hw-1", "hw-all"))), [
            Row((f"{100 * share:g} %", *(f"{speedups[share][name, hardware]:.3f}"
                                         for name in names for hardware in ("hw-1", "hw-all"))))
            for share in sorted(speedups)], intro=ORDER_INTRO)
    for name in names:
        once, two = threshold(name, speedups), threshold(name, others)
        section.notes.append(
            f"{name}: HW-1 is faster with messages in {once:g} % of the quanta or fewer"
            f"{f', in {two:g} % if HW-All adds twice' if two is not None else ''}."
            if once is not None else f"{name}: HW-All is faster with any share.")
    return section


def beside(situations) -> Section:
    """Returns a section: broadcasts over load and throttle. situations: rows by name"""
    return Section(BESIDE, ("broadcasts", "window", "load", "time per broadcast",
                            "until all have it", "data worm"), [
        Row((SITUATIONS[name][0], "none" if row["window"] == "0" else row["window"], f"{float(row['load']):g}",
             f"{float(row['time_us']):.1f}", f"{float(row['latency_us']):.1f}",
             f"{float(row['traffic_us']):.2f}" if float(row["load"]) else ""))
        for name, rows in situations.items() for row in rows], intro=BESIDE_INTRO)
