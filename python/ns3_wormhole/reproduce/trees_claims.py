# SPDX-License-Identifier: GPL-2.0-only
"""Claims of Cordsen et al. (1997): which tree is best, and how fast messages spread at least."""

from . import claims
from .claims import Finding, Printed
from .comparison import read, Study
from .places import COMPARE

TREES = "fibo-tree"
RATIO_8 = "trees-ratio-8"
REDUCTIONS = "trees-reductions"
LARGE = 64  # processes of a large system: the most in the paper's examples
MATTERS = 1.02  # a tree is no longer than another if it takes less than so many times as long
# In a reduction a message takes up its receiver for r and its sender for s: a broadcast backwards.
BACKWARDS = "tree[Tree=fibo-88-27]"
BINOMIAL = "tree[Tree=binomial]"


def studies() -> list[Study]:
    """Returns the studies."""
    return [Study(RATIO_8, TREES, ("--s=1us", "--r=8us", "--trees=sequential,fibo",
                                   "--processes=" + ",".join(map(str, (*range(2, 33), 64, 128, 256))))),
            Study(REDUCTIONS, COMPARE, (
                "--kind=reduction", "--network=ideal", "--latency=1ns", "--topology=clos:ports=16",
                "--placement=sorted", "--group-sizes=8,16,19,32,64", "--bytes=8",
                f"--names={BINOMIAL},tree[Tree=sequential],{BACKWARDS}",
                "--attribute=HostSoftware::StartUp=27us",
                "--attribute=HostSoftware::ReceiveOverhead=88us"), others=("crossovers",))]


class Claims(claims.Claims):
    """What the studies say. finish: rows of trees; results: the folder"""

    paper = "trees"

    def __init__(self, finish, printed: Printed, results):
        self._finish, self._printed, self._results = finish, printed, results

    def optimal(self) -> Finding:
        """Whether no tree is faster than a Fibo-tree made for the costs, and the bound is met."""
        by_place: dict[tuple, dict[str, float]] = {}
        for row in self._finish:
            if row["network"] == "ideal" and not row["levels"]:
                times = by_place.setdefault((row["s_us"], row["r_us"], row["processes"]), {})
                times[row["tree"]] = float(row["finish_us_simulated"])
                times["bound"] = float(row["bound_us_model"])
        places = [times for times in by_place.values() if "fibo" in times]
        ours = all(times["fibo"] <= min(times.values()) for times in places)
        files = dict.fromkeys(row["file"] for row in self._finish if row["tree"] == "fibo"
                              and row["network"] == "ideal" and not row["levels"])
        return Finding(None, ours, "", f"no tree, and not the bound, is below in {len(places)} "
                       "settings" if ours else "a tree is faster", tuple(files))

    def sequential(self) -> Finding:
        """Whether at r = 8 s only large systems gain from a tree."""
        times: dict[int, dict[str, tuple[float, float]]] = {}
        for row in read(self._results / f"{RATIO_8}.csv"):
            times.setdefault(int(row["processes"]), {})[row["tree"]] = (
                float(row["finish_us_model"]), float(row["finish_us_simulated"]))
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
        times: dict[str, dict[str, float]] = {}
        for row in read(self._results / f"{REDUCTIONS}.csv"):
            times.setdefault(row["members"], {})[row["algorithm"]] = float(row["latency_us"])
        ratios = {size: by[BINOMIAL] / min(by.values()) for size, by in times.items()}
        text = ", ".join(f"{ratio:.2f} times with {size}" for size, ratio in ratios.items())
        return Finding(None, max(ratios.values()) < MATTERS, "",
                       f"the binomial tree over the fastest: {text} processes", (REDUCTIONS,))

    def bounds(self) -> Finding:
        """Whether f(t) of s = r is between the bounds of the postal model at every t that is printed."""
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
                for count, outside in ((int(figure["value"]), own),
                                       (speed[max(known, key=lambda key: key[2])], ours)):
                    if not low ** time <= count <= high ** time:
                        outside.append(f"f({time:g}) = {count} is outside {low ** time:.2f} to "
                                       f"{high ** time:.2f}")
        return Finding(not own, not ours, "; ".join(own) or "holds at all t printed",
                       "; ".join(ours) or "holds at these t", ("trees-speed-speed",))
