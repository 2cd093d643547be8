# SPDX-License-Identifier: GPL-2.0-only
"""The measurements of a comparison over lengths: each algorithm once at each length, and the winners."""

import dataclasses
import re
from typing import Callable, Sequence

from ..collective import explain as explanations, traffic as traffics
from ..collective.fabric import Fabric
from ..collective.hardware import IN_SWITCH
from ..collective.values import VALUE_BYTES, Collective, make_model, of_length
from ..core import bars, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import bridge, ns, numpy
from .placement import best_hosts

NEEDS = ("software", "nic", "adapter", "switch", "add-on")
DEPLOYABLE = NEEDS[:2]  # what runs on machines that there are
_ELEMENT = 4  # bytes; crossovers are looked for between whole ones
_DEPTH = 4  # winners that may turn up between two lengths


@dataclasses.dataclass(frozen=True)
class Algorithm:
    """One of the compared algorithms."""

    name: str  #: with its attributes
    is_data: bool  #: whether it moves data of any length, else one value
    needs: str  #: one of NEEDS
    segment: int = 0  #: longest segment in bytes that it cuts; 0: none


@dataclasses.dataclass(frozen=True)
class Request:
    """The checked request of a comparison."""

    kind: str  #: of collective
    operation: str  #: how data are combined
    load: float  #: of traffic beside it; 0: none
    flits: str  #: length of its worms
    pattern: str  #: traffic pattern: how their destinations are drawn
    rounds: int  #: of each group
    tasks: int  #: processes of a host
    runs: int  #: random groups
    seed: int  #: of random numbers
    placement: str  #: of a group
    tolerance: float  #: of crossovers, over the length
    explains: bool  #: whether to tell what times went into
    best: dict = dataclasses.field(default_factory=dict)  #: hosts by group size and run, of placement "best"


def told_placement(placement: str) -> str:
    """Returns the placement of a group's ranks in words."""
    rule = str(ns.JobPlacement.GetRule(placement))
    return {"shuffled": "ranks in the order in which hosts were drawn",
            "random": "ranks in the order of the fabric's hosts"}.get(rule, f"placement {placement}")


def told_groups(placement: str, runs: int) -> str:
    """Returns in words the number of random groups over which times are taken; "" if groups are not drawn."""
    if str(ns.JobPlacement.GetRule(placement)) not in ("shuffled", "random"):
        return ""
    return f"medians over {runs} random groups of each size" if runs > 1 else \
        "from one random group of each size; --placements=N takes medians over N"


class Count:
    """Tells a bar how many measurements are done; crossovers need more than the number known at first."""

    def __init__(self, tell=lambda *_: None, whole=0):
        self._tell, self._done, self._whole = tell, 0, whole

    def begin(self):
        """Reports that the next measurement begins."""
        self._tell(self._done, self._whole)

    def add(self, is_planned):
        """Counts a completed measurement. is_planned: whether it was among those known at first"""
        self._done += 1
        self._whole += not is_planned
        self._tell(self._done, self._whole)


def with_setting(name: str, setting: str) -> str:
    """Returns a name with one more attribute."""
    return f"{name[:-1]}|{setting}]" if name.endswith("]") else f"{name}[{setting}]"


def with_window(name: str, window: object) -> str:
    """Returns a name in which the in-switch algorithm, itself or inside another one, has a window."""
    return re.sub(rf"(?<![\w-])({'|'.join(IN_SWITCH)})(\[[^][]*\])?",
                  lambda found: with_setting(found[0], f"Window={window}"), name, count=1)


class Measurements:
    """Measurements of groups of one size, each once, by algorithm and length."""

    def __init__(self, request: Request, places, group: int, algorithms: Sequence[Algorithm],
                 count: Count | None = None):
        """Takes what is compared, and where. count: counts measurements; None: shows a bar of its own"""
        self._request, self._places, self._group = request, places, group
        self._traffic = traffics.Traffic(request.load, request.flits, request.pattern, request.rounds)
        self._members, self._algorithms = group * request.tasks, list(algorithms)
        self._count = count or Count()
        self._known: dict = {}
        self._listed: set = set()
        self._longest = 0  # length, bytes

    def rows(self, sizes: Sequence[int]) -> list[dict]:
        """Returns a row for each length and algorithm; none where a segment's length is not below
        that of the data."""
        self._longest = max(sizes)
        for algorithm in self._algorithms:
            wanted = [size for size in sizes if not algorithm.segment or algorithm.segment < size]
            self._measure(algorithm, wanted, True)
        self._listed = set(self._known)
        return [{"kind": self._request.kind, "algorithm": algorithm.name, "members": self._members,
                 "bytes": size, "load": self._request.load,
                 **self._known[algorithm, size], "needs": algorithm.needs}
                for size in sizes for algorithm in self._algorithms
                if (algorithm, size) in self._known]

    def between(self) -> list[dict]:
        """Returns what the search for crossovers measured besides the rows: a dict for each time."""
        return [{"algorithm": algorithm.name, "members": self._members, "bytes": size, "latency_us": row["latency_us"]}
                for (algorithm, size), row in self._known.items()
                if (algorithm, size) not in self._listed and not row["reason"]]

    def measured(self, algorithm: Algorithm, sizes: Sequence[int]) -> dict[int, dict]:
        """Returns an algorithm's measurements by length: latency_us, reason, and if requested, an
        explanation."""
        self._measure(algorithm, sizes, True)
        return {size: self._known[algorithm, size] for size in sizes}

    def crossovers(self, sizes: Sequence[int], is_among: Callable[[str], object] | None = None) -> list[dict]:
        """Returns where the winner changes between lengths: among algorithms that machines can run today, and with
        hardware, among all. is_among: returns whether a name counts; if given, only the former are returned"""
        ours = [each for each in self._algorithms
                if each.needs in DEPLOYABLE and (is_among is None or is_among(each.name))]
        found = [self._described(False, *each) for each in self._changes(ours, sizes)]
        if is_among is None and len(ours) < len(self._algorithms):
            found += [self._described(True, *each) for each in self._changes(self._algorithms, sizes)
                      if not {each[1].needs, each[3].needs} <= set(DEPLOYABLE)]
        return found

    def _changes(self, candidates, sizes):
        """Yields, for each change of the winner, the last length of the old and the first of the new one, with both."""
        last = None
        for low, high in zip(sizes, sizes[1:]):
            first = self._winner(candidates, low, last)
            last = second = self._winner(candidates, high, first)
            if first and second and first != second:
                yield from self._crossings(candidates, low, first, high, second, _DEPTH)

    def _described(self, hardware, low, first, high, second):
        return {"members": self._members, "hardware": hardware, "below": first.name,
                "last_bytes": low, "above": second.name, "first_bytes": high,
                "latency_us": self._known[second, high]["latency_us"]}

    def _crossings(self, candidates, low, first, high, second, depth):
        """Yields lengths at which one algorithm and then the next one wins, with both algorithms."""
        start, end = low, high
        while high - low > max(_ELEMENT, int(self._request.tolerance * low)):
            middle = (low + high) // 2 // _ELEMENT * _ELEMENT
            if not low < middle < high:
                break
            is_first = self._time(first, middle) <= self._time(second, middle)
            low, high = (middle, high) if is_first else (low, middle)
        best = self._winner(candidates, high, second) if depth else second
        if best in (first, second):
            yield low, first, high, second
            return
        yield from self._crossings(candidates, start, first, high, best, depth - 1)
        yield from self._crossings(candidates, high, best, end, second, depth - 1)

    def _time(self, algorithm, size):
        """Returns a median in us; infinity if it can't be measured."""
        if algorithm.segment and algorithm.segment >= size:
            return float("inf")
        if (algorithm, size) not in self._known:
            self._measure(algorithm, [size], False)
        row = self._known[algorithm, size]
        return float("inf") if row["reason"] else row["latency_us"]

    def _winner(self, candidates, size, before):
        """Returns the fastest algorithm; among equals, the previous winner, else the first."""
        times = {each: self._time(each, size) for each in candidates}
        least = min(times.values(), default=float("inf"))
        if least == float("inf"):
            return None
        return before if times.get(before) == least else min(candidates, key=times.get)

    def _measure(self, algorithm, sizes, is_planned):
        times: dict = {size: [] for size in sizes}
        reasons, explained = {}, {}
        for run in range(1, self._request.runs + 1):
            place = self._places(self._request.seed, run)
            members = [host for host in self._hosts(place, run) for _ in range(self._request.tasks)]
            simulation.reset()
            simulation.set_seed(self._request.seed, run)
            for size in sizes:
                if size not in reasons:
                    self._count.begin()
                    try:
                        self._check(algorithm, place, size)
                        latencies, explained[size] = self._once(algorithm, place, members, size)
                        times[size] += latencies
                    except WormholeError as error:
                        reasons[size] = str(error)
                        simulation.reset()
                        simulation.set_seed(self._request.seed, run)
                self._count.add(is_planned)
        for size in sizes:
            reason, found = reasons.get(size, ""), times[size] if size not in reasons else [float("nan")]
            least, *quarters, greatest = numpy.percentile(found, (0, 25, 75, 100))
            self._known[algorithm, size] = {
                "latency_us": float(numpy.median(found)), "latency_us_p99": float(numpy.percentile(found, 99)),
                **({"least": least, "quartile_1": quarters[0], "quartile_3": quarters[1], "greatest": greatest}
                   if self._request.runs > 1 else {}),
                "reason": reason, **(explained.get(size, {}) if not reason else {})}

    def _hosts(self, place, run):
        request = self._request
        if request.placement != "best" or not isinstance(place, Fabric):
            return place.group(self._group, request.placement, seed=request.seed, run=run)
        key = self._group, run
        if key not in request.best:
            names = [each.name for each in self._algorithms]
            request.best[key] = best_hosts(place, self._group, request.kind, names, self._longest)
        return request.best[key]

    def _check(self, algorithm, place, size):
        if not algorithm.is_data and size > VALUE_BYTES and self._request.kind != "broadcast":
            raise WormholeError(f"carries one value of up to {VALUE_BYTES} bytes")
        if self._request.load:
            self._traffic.check(place)

    @translated()
    def _once(self, algorithm, place, members, size):
        """Returns latencies of rounds, us, and if requested, the columns of an explanation: of the last round, or under
        traffic, of all rounds."""
        request, explained, is_data = self._request, {}, algorithm.is_data
        attributes = of_length(request.kind, size, request.operation, is_data)
        if request.load:
            simulation.reset()  # where there was traffic, worms are still on their way
            simulation.set_seed(request.seed, 1)
            domain = place.domain
            with machines.in_effect(place.machine):
                pointer, model = make_model(request.kind, algorithm.name, is_data, attributes)
                bars.connect()
                with bars.watched(request.kind, algorithm.name, "round"):
                    found = bridge.CrossUnderLoad(pointer, domain, members, self._traffic.parameters(),
                                                  request.rounds, request.explains)
            latencies = [simulation.microseconds(each) for each in found.times]
            fallback = str(model.GetFallback())
            if request.explains and not fallback:
                explained = explanations.columns(traffics.paths(found))
            simulation.reset()
        else:
            place.start_anew()
            made = Collective(place, request.kind, algorithm.name, members, attributes, moves_data=is_data)
            fallback = made.fallback
            latencies = [] if fallback else [made.cross() for _ in range(request.rounds - request.explains)]
            if request.explains and not fallback:
                frame = made.explain()
                latencies.append(frame.attrs["latency_us"])
                explained = explanations.columns(frame)
            made.release()
            made.model.Dispose()
        if fallback:
            raise WormholeError(f"falls back on {fallback}")
        return latencies, explained
