# SPDX-License-Identifier: GPL-2.0-only
"""Conclusions of Hyder and Wood (1996) on sizes of gains, applications without gain, butterflies and tournaments; and
their Table 2, from which the study's applications are made."""

import json
import math
import operator

from . import claims
from .claims import Finding
from .comparison import CLOSE, deviation, FIT, read, Row, Section, Study
from .places import DATA

SYNC = "sync-hardware"
TOURNAMENTS = {0: "sync-tournament-0us", 100: "sync-tournament-100us"}  # by delay in us
RATES = DATA / "sync-rates-published.csv"
WORKLOADS = DATA / "sync-workloads.json"

MODEST = 17  # percent
NEARLY = 45, 50  # percent: what "nearly 50 %" is, and a rounded 50
HALF = 1 / 3, 1 / 2  # part of the applications that "nearly half" is
SLOW = 100  # us of delay of the slower network
TWICE = 1.9, 2.1  # "a factor of 2"
ORDERS = 1, 2  # orders of magnitude

# What events of the paper are in a file of workloads. Of WWT, a barrier is the AND of a quantum, and
# a reduction Network-Done and the maxima of barriers of the target.
EVENTS = {"barriers": ("barrier", "and"), "integer reductions": ("networkDone", "addToHost", "max"),
          "broadcasts": ("broadcast",)}


def studies() -> list[Study]:
    """Returns studies of tournaments and butterflies with the costs of Table 1's barriers: o is the sender's cost; the
    part of L0 and of a delay above the switch's time is divided over both cables of a path."""
    return [Study(name, "barriers-under-load", (
        "--topology=full:1,hosts=32", "--members=32", "--startUp=10.375us", "--receive=0us",
        "--algorithms=butterfly,butterfly[Radices=8,4],tournament,tournament[Radix=4],"
        "tournament[Radix=8]", "--loads=0.001", "--rounds=1",
        f"--linkDelay={353 + 500 * delay}ns"))
            for delay, name in TOURNAMENTS.items()]


class Claims(claims.Claims):
    """Findings of the study. figures: the paper's figures; rows: the study's rows, by table, row, hardware and delay;
    results: the folder"""

    paper = "sync"

    def __init__(self, figures, rows, results):
        self._own = {(each["table"], each["row"], each["hardware"], float(each["delay_us"])):
                     each["value"] for each in figures}
        self._rows, self._results = rows, results

    def _ours(self, *place):
        row = self._rows[place]
        return float(row["model"] if math.isnan(float(row["simulated"])) else row["simulated"])

    def _pair(self, *place):
        return float(self._own[place]), self._ours(*place)

    def _gains(self, hardware, delay, rows):
        """Percentages by which hardware makes applications faster: pairs of printed and simulated values."""
        return {row: tuple(100 * (with_it / without - 1) for with_it, without in zip(
                    self._pair(table, row, hardware, delay), self._pair(table, row, "none", delay)))
                for table, row in rows}

    def _inputs(self):
        """The inputs of WWT except Water, on which the text says more."""
        return dict.fromkeys((table, row) for table, row, *_ in self._own if table == "5" and row != "WWT-Water")

    def modest(self) -> Finding:
        """Whether three inputs gain no more than 17 % without delay, as the paper rounds."""
        own, ours = map(max, zip(*self._gains("hw-1", 0.0, self._inputs()).values()))
        return Finding(*(round(value) <= MODEST for value in (own, ours)), f"at most {own:.1f} %",
                       f"at most {ours:.1f} %, {deviation(own, ours).text} beside that", (SYNC,))

    def nearly_50(self) -> Finding:
        """Whether the three inputs gain nearly 50 % with delay."""
        own, ours = zip(*self._gains("hw-1", SLOW, self._inputs()).values())
        low, high = NEARLY
        return Finding(*(low <= min(values) and math.floor(max(values)) <= high
                         for values in (own, ours)),
                       *(f"{min(values):.1f} to {max(values):.1f} %" for values in (own, ours)), (SYNC,))

    def half(self) -> Finding:
        """Whether nearly half of the applications gain almost nothing by any hardware."""
        best: dict[str, list[float]] = {}
        for table, row, hardware, delay in self._own:
            if table in "3456" and hardware in ("hw-1", "hw-all"):
                for kind, gain in enumerate(self._gains(hardware, delay, [(table, row)])[row]):
                    of = best.setdefault(row.partition("-")[0], [-math.inf] * 2)
                    of[kind] = max(of[kind], gain)
        counts = [sum(gains[kind] <= CLOSE for gains in best.values()) for kind in (0, 1)]
        low, high = HALF
        return Finding(*(low < count / len(best) <= high for count in counts),
                       *(f"{count} of {len(best)} gain at most {CLOSE:g} %" for count in counts), (SYNC,))

    def magnitude(self) -> Finding:
        """Whether software is one to two orders of magnitude slower."""
        rows = [(row, delay) for table, row, hardware, delay in self._own if table == "1" and hardware == "none"]
        own, ours = zip(*(map(operator.truediv, self._pair("1", row, "none", delay),
                              self._pair("1", row, "hw-all", 0.0)) for row, delay in rows))
        low, high = ORDERS
        return Finding(*(low <= math.log10(min(values)) and round(math.log10(max(values))) <= high
                         for values in (own, ours)),
                       *(f"{min(values):.0f} to {max(values):.0f} times" for values in (own, ours)),
                       (SYNC,))

    def _barriers(self, delay):
        return {row["algorithm"]: float(row["latency_us_mean"])
                for row in read(self._results / f"{TOURNAMENTS[delay]}.csv") if not float(row["load"])}

    def butterfly(self) -> Finding:
        """Whether a butterfly takes half as long as a tournament of the same radix."""
        slow, fast = map(self._barriers(0).get, ("tournament", "butterfly"))
        low, high = TWICE
        return Finding(None, low <= slow / fast <= high, "",
                       f"{slow:.1f} and {fast:.1f} us: {slow / fast:.2f} times", (TOURNAMENTS[0],))

    def radix(self) -> Finding:
        """Whether tournaments of a higher radix are faster where messages take long."""
        holds, texts = [], []
        for delay in TOURNAMENTS:
            times = self._barriers(delay)
            best = min((name for name in times if name.startswith("tournament")), key=times.get)
            holds.append(best != "tournament" or not delay)
            texts.append(f"{delay} us: fastest is {best}, {times[best]:.1f} us, by radix 2 "
                         f"{times['tournament']:.1f} us")
        return Finding(None, all(holds), "", "; ".join(texts), tuple(TOURNAMENTS.values()))

    def workloads(self) -> Finding:
        """Whether as many workloads as the paper says pay off against one processor, with hardware and delay."""
        place = ("uniprocessor", "cost-effective workloads", "hw-all", 100.0)
        least = float(self._own["uniprocessor", "least speedup", "hw-all", 100.0])
        best: dict[str, float] = {}
        for (table, row, hardware, delay), value in self._own.items():
            if table in "3456" and hardware != "none" and delay == SLOW:
                best[row] = max(best.get(row, 0), float(value))
        own, ours = sum(speedup >= least for speedup in best.values()), self._ours(*place)
        said = float(self._own[place])
        return Finding(own == said, ours == said, f"{own} of its {len(best)} printed speedups reach "
                       f"{least:g}", f"{ours:.0f}", (SYNC,), fitted=True)


def rates() -> Section:
    """Returns Table 2, compared with the rates that the study uses."""
    found = Section("Table 2: synchronisation, events a second", (
        "figure", "published", "use", "in the study", "deviation"))
    known = {each["name"]: each["perSecond"] for each in json.loads(WORKLOADS.read_text(encoding="utf-8"))["workloads"]}
    for figure in read(RATES):
        value = sum(known[figure["row"]].get(name, 0) for name in EVENTS[figure["event"]])
        text, percent = deviation(figure["value"], value)
        found.rows.append(Row((f"{figure['row']}, {figure['event']}", figure["value"], "given",
                               f"{value:g}", text), figure["id"], FIT, percent))
    return found
