# SPDX-License-Identifier: GPL-2.0-only
"""Background traffic of all hosts, and rounds of collectives under this traffic."""

from __future__ import annotations

import dataclasses
from typing import Sequence

from ..core import arguments, bars, simulation
from ..core.errors import WormholeError
from ..core.loader import bridge, ns, numpy, pandas
from . import explain as explanations

ROUNDS = 20  # under background traffic, by default
FLITS, PATTERN = "64", "uniform"


@dataclasses.dataclass(frozen=True)
class Traffic:
    """Background traffic, and the number of rounds that a collective runs under it."""

    load: float  #: that each host offers, over a channel's rate
    flits: str  #: length of worms, as for latency-load
    pattern: str  #: traffic pattern: how their destinations are drawn, likewise
    rounds: int  #: of the collective

    def parameters(self):
        """Returns an ns3::BackgroundTraffic::Parameters."""
        made = ns.BackgroundTraffic.Parameters()
        made.load, made.flits, made.pattern = self.load, self.flits, self.pattern
        return made

    def check(self, fabric) -> None:
        """Refuses a uniform load above a fabric's saturation bound, which a simulation takes long to detect, unless
        worms have choices, and a network without traffic."""
        if not hasattr(fabric, "saturation_bound"):
            raise WormholeError(f"load={self.load}: there is no traffic on an ideal network; expected "
                                "it on a fabric")
        if self.pattern == "uniform" and self.load >= (bound := fabric.saturation_bound()) \
                and not fabric.route_figures()["has_choices"]:
            raise WormholeError(f"load={self.load}: is more than the fabric takes, whose saturation "
                                f"bound is {bound:.4f}; expected less")

    def _run(self, made, explains):
        """Runs rounds of a Collective. Returns an ns3_wormhole::LoadedRounds."""
        unloaded = ns.MicroSeconds(1) if not made.leaves_us \
            else simulation.time(f"{max(made.leaves_us):.6f}us")
        with bars.watched(made.kind, made.algorithm, "round"), simulation.ending_on_error():
            return bridge.CrossBeside(made.model, unloaded, self.parameters(), self.rounds, explains)

    def cross(self, made) -> tuple[list[float], list[float]]:
        """Runs rounds of a Collective that has done one round without traffic. Ends the simulation on error. Returns
        each round's time until its last member left, and by rank the mean time until this member left, us."""
        found = self._run(made, False)
        return ([simulation.microseconds(time) for time in found.times],
                [simulation.microseconds(time) / self.rounds for time in found.sums])

    def explain(self, made) -> tuple[list[float], pandas.DataFrame]:
        """Runs rounds as cross(). Returns the rounds' times, us, and their critical paths, see paths()."""
        found = self._run(made, True)
        return [simulation.microseconds(time) for time in found.times], paths(found)


def paths(found) -> pandas.DataFrame:
    """Returns the critical paths of an ns3_wormhole::LoadedRounds, joined by explain.joined()."""
    return explanations.joined([explanations.path_table(path.rows, path.text) for path in found.paths])


def given(load: float, flits: str = FLITS, pattern: str = PATTERN, rounds: int | None = None,
          names: Sequence[str] = ("flits", "pattern")) -> Traffic | None:
    """Returns traffic, or None without a load. load, flits, pattern, rounds: as in Traffic (rounds: None for ROUNDS);
    names: names of the arguments flits and pattern. Raises WormholeError if an argument is invalid or has no effect."""
    if not load:
        for name, value, default in ((names[0], str(flits), FLITS), (names[1], pattern, PATTERN),
                                     ("rounds", rounds, None)):
            if value != default:
                raise WormholeError(f"{name}={value}: has no effect without load; expected both, "
                                    "or none")
        return None
    ns.WormLength.Parse(str(flits))
    arguments.word(names[1], pattern, [str(each) for each in ns.WormholeTrafficHelper.GetPatternNames()])
    return Traffic(arguments.ratio("load", load), str(flits), pattern,
                   arguments.whole("rounds", ROUNDS if rounds is None else rounds, 1, 10**6))


def tail(times: Sequence[float]) -> float:
    """Returns the 99th percentile."""
    return float(numpy.percentile(times, 99))
