# SPDX-License-Identifier: GPL-2.0-only
"""Claims of Moh et al. (2001): that gains grow, and that barriers in the switches don't deadlock."""

import functools

from . import claims
from .claims import Finding, grows, Printed, series
from .comparison import read, Study

FREE_OF_DEADLOCK = "barriers-in-short-buffers"  # those of the default depth
SIZES = ("latency-factor-75-256", "latency-factor-300-1024")
CONNECTIVITIES = ("latency-factor-f-0.5", "latency-factor-f-0.7", "latency-factor-f-0.9")
TRAFFIC = ("traffic-factor-75-256", "traffic-factor-300-1024")
LARGE = 256  # members of the groups of which the paper prints latencies
SMALLEST = 4  # two hosts need no tree: they are told beside
LIKELY = "ideal"  # reduction, see btin.LIKELY
SIMULATED = "simulated"  # and the one beside it that is no inference
ALIKE = 0.005  # of a connectivity that a fabric can have, from the one that is asked for


def studies() -> list[Study]:
    """Returns the study of deadlocks."""
    return [Study(FREE_OF_DEADLOCK, "barriers-under-load", (
        "--algorithms=btin,multicast", "--receive=0us", "--rounds=100", "--loads=0.005,0.01,0.015"))]


class Claims(claims.Claims):
    """Findings of the studies. known: their rows; results: the folder; reductions: reductions of multicast"""

    paper = "btin"

    def __init__(self, known, printed: Printed, results, reductions):
        self._known, self._printed, self._results, self._reductions = known, printed, results, reductions
        self.few = known.few

    def _factor(self, name, reduction, column):
        figure = self._printed.figures[name]
        multicast = self._known.find(figure, 1, "multicast", reduction)
        return None if multicast is None else float(multicast[column]) / float(self._known.find(
            figure, 1, "btin", "in-switch", timing=multicast["btin_timing"])[column])

    def _growth(self, names, column="latency_us_mean", reductions=None):
        """Whether factors grow from each published figure to the next."""
        own = self._printed.values(*names)
        ours = {reduction: [factor for name in names
                            if (factor := self._factor(name, reduction, column)) is not None]
                for reduction in reductions or self._reductions}
        likely = LIKELY if LIKELY in ours else next(iter(ours))
        text = "; ".join(f"{series(factors)} ({reduction}{', which counts' * (reduction == likely and len(ours) > 1)})"
                         for reduction, factors in ours.items())
        files = [file for name in names for file in self._known.made_by(self._printed.figures[name], "")]
        return Finding(grows(own), grows(ours[likely]), series(own, 1), text, tuple(dict.fromkeys(files)))

    def faster(self, least: int) -> Finding:
        """Whether btin is faster in all groups with at least this many members."""
        own = self._printed.values(*SIZES, *CONNECTIVITIES)
        every = [row for row in self._known.rows if row["scheme"] == "multicast" and row["law"] != "file"
                 and row["reduction"] in (SIMULATED, LIKELY)]
        rows = [row for row in every if int(row["group_size"]) >= least]
        factors = [(float(row["latency_us_mean"]) / float(self._known.find(
            {**row, "quantity": "latency"}, 1, "btin", "in-switch", row["law"], row["btin_timing"])["latency_us_mean"]),
            int(row["group_size"])) for row in every]
        ours, smaller = ([each for each in factors if (each[1] >= least) == is_large] for is_large in (True, False))
        slower = sorted({size for factor, size in ours if factor <= 1})
        built = sorted({float(row["connectivity"]) for row in rows})
        asked = [float(self._printed.figures[name]["connectivity"]) for name in CONNECTIVITIES]
        lacking = [each for each in asked if min(abs(f - each) for f in built) > ALIKE]
        text = (f"{min(ours)[0]:.3f} to {max(ours)[0]:.3f} times in {len(ours)} comparisons, simulated and "
                f"ideal, f = {', '.join(f'{f:.2g}' for f in built)}, law "
                f"{', '.join(dict.fromkeys(row['law'] for row in rows))}")
        if lacking:
            text += f"; there is no fabric of f = {', '.join(f'{f:g}' for f in lacking)}"
        if slower:
            text += f"; not faster with {', '.join(map(str, slower))} members"
        if least == SMALLEST and smaller:
            text += (f"; not counted: with {max(size for _, size in smaller)} members, which need no tree, "
                     f"{min(smaller)[0]:.3f} to {max(smaller)[0]:.3f} times in {len(smaller)}")
        return Finding(min(own) > 1, not slower, f"{min(own):g} to {max(own):g} times, 256 members",
                       text, tuple(dict.fromkeys(row["file"] for row in rows)), in_part=bool(lacking))

    faster_in_large_groups = functools.partialmethod(faster, LARGE)  # of which the paper prints latencies
    faster_in_all_groups = functools.partialmethod(faster, SMALLEST)  # that have a tree
    # Whether gains in latency and in traffic grow with the network, and in latency with the connectivity.
    network_latency = functools.partialmethod(_growth, SIZES)
    network_traffic = functools.partialmethod(_growth, TRAFFIC, "message_hops_mean", (SIMULATED,))
    connectivity = functools.partialmethod(_growth, CONNECTIVITIES)

    def deadlock(self) -> Finding:
        """Whether barriers of btin never deadlock with data worms."""
        states: dict[str, list[str]] = {}
        for row in read(self._results / f"{FREE_OF_DEADLOCK}.csv"):
            if float(row["load"]):
                states.setdefault(row["algorithm"], []).append(row["state"])
        text = "; ".join(f"{name} at {len(each)} loads: {', '.join(dict.fromkeys(each))}"
                         for name, each in states.items())
        return Finding(None, "deadlock" not in states["btin"], "", text, (FREE_OF_DEADLOCK,))
