# SPDX-License-Identifier: GPL-2.0-only
"""Simulates what the OSU micro benchmarks measure: point-to-point messages and collectives."""

from __future__ import annotations

import dataclasses
import itertools
import statistics
from typing import Callable, Mapping, Sequence

from ..collective import traffic as traffics
from ..collective.fabric import Fabric, fabric_of
from ..collective.groups import Members, Placement, RANDOM
from ..collective.values import KINDS, VALUE_BYTES, Collective, of_length
from ..core import arguments, bars, lengths, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import bridge, ns, pandas, std
from .placement import best_hosts
from .spread import places, spread
from . import assumptions, patterns

VERSION = "7.5"  # of the benchmarks whose columns are printed
WINDOW = 64  # messages of a window of bw
MAX_BYTES = 2**30
_WARM_UP = 8  # barriers before those that count: members fall into step
_SETTLING = 3  # calls after a barrier before those that count
_TASKS = 256  # most processes of a host


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """A benchmark."""

    name: str  #: as in the command
    title: str  #: as its output has it
    sizes: tuple[int, ...] = ()  #: default lengths; empty: it has none
    kind: str = ""  #: of collective; empty: between two processes
    algorithm: str = ""  #: default algorithm
    iterations: int = 2  #: default number
    column: str = "Avg Latency(us)"  #: of its values

    @property
    def moves_data(self) -> bool:
        """Whether lengths are those of vectors, moved by a data algorithm of the name if there is one."""
        return self.kind not in ("", "barrier", "broadcast", "pattern")


_POWERS = tuple(2**power for power in range(23))
BENCHMARKS = {each.name: each for each in (
    Benchmark("latency", "Latency", _POWERS),
    Benchmark("bw", "Bandwidth", _POWERS, column="Bandwidth (MB/s)"),
    Benchmark("barrier", "Barrier Latency", (), "barrier", "dissemination", 16),
    Benchmark("bcast", "Broadcast Latency", _POWERS[:21], "broadcast", "tree[Tree=binomial]"),
    Benchmark("allreduce", "Allreduce Latency", _POWERS[2:21], "allreduction", "recursive-doubling"),
    Benchmark("alltoall", "All-to-All Personalized Exchange Latency", _POWERS[:21], "alltoall", "pairwise"),
    Benchmark("allgather", "Allgather Latency", _POWERS[:21], "allgather", "ring"),
    Benchmark("reduce_scatter", "Reduce_scatter Latency", _POWERS[2:21], "reduce-scatter", "ring"),
    Benchmark("reduce", "Reduce Latency", _POWERS[2:21], "reduction", "binomial[Root=0]"),
    Benchmark("gather", "Gather Latency", _POWERS[:21], "gather", "binomial[Root=0]"),
    Benchmark("scatter", "Scatter Latency", _POWERS[:21], "scatter", "binomial[Root=0]"),
    Benchmark("scan", "Scan Latency", _POWERS[2:21], "scan", "recursive-doubling"),
    Benchmark("pattern", "Pattern Latency", _POWERS[:21], "pattern", "dissemination", 1))}
#: Statistics over members, in the order of a measurement's values: OSU and IMB print the mean,
#: netgauge and PICO the slowest rank.
STATISTICS = ("mean", "min", "max")
# LogGP's parameters by length, as netgauge measures them: what Plan simulates besides, in us.
LOGGP = {each.name: each for each in (
    Benchmark(name, title, _POWERS, column=f"{title} (us)")
    for name, title in (("gap", "g"), ("o_s", "o_s"), ("o_r", "o_r")))}
MEASURED = {**BENCHMARKS, **LOGGP}  #: what measured tables may be of
_TRAIN = 10  # messages of a train, by which netgauge measures the gap
_OF_PLACES = ["placement", "switches", "groups"]  # columns
_SPREAD = ("least", "quartile_1", "quartile_3", "greatest")
_VALUES = (4, VALUE_BYTES)  # lengths of an allreduce of one value


@translated()
def measure(fabric: Fabric | str, benchmark: str, sizes: Sequence[int] | None = None, *,
            hosts: Members = None, members: Members = None, tasks_per_host: int = 1,
            algorithm: str | None = None, iterations: int | None = None,
            barrier: str | None = None, placement: Placement = None, placements: int | None = None,
            load: float = 0, pattern: str = traffics.PATTERN, flits: str = traffics.FLITS,
            attributes: Mapping[str, object] | None = None, machine: str | None = None,
            progress: bool | None = None) -> pandas.DataFrame:
    """Runs a benchmark on a fabric. Ends the simulation.

    latency: half of a message's round-trip time. bw: 64 messages follow each other, then the
    receiver answers with 4 bytes; MB are 10^6 bytes. barrier: barriers run back to back, mean time
    over members. All others: each member's own time in the call, averaged over members.
    Members begin a call at once or, with a barrier before each call, when they leave this barrier.

    Messages of 0 bytes are sent with 1 byte, broadcasts that move no data with 2 or more, the smallest
    lengths possible. Lengths are of the whole vector in an allreduce, reduce and reduce_scatter, of
    each member's part in an allgather, gather and scatter, and of each pair's part in an
    alltoall. The root of a reduce, gather or scatter is the first member. An allreduce by an
    algorithm for a single value, such as butterfly, takes 1 to 8 bytes.

    Args:
        fabric: the fabric, or its file
        benchmark: "latency", "bw", "barrier", "bcast", "allreduce", "alltoall", "allgather",
            "reduce_scatter", "reduce", "gather", "scatter", "scan" or "pattern", see patterns.PATTERNS
        sizes: lengths in bytes; None: the benchmark's own
        hosts: latency and bw: the two hosts; None: the first two, or with tasks_per_host above 1, the first alone
        members: members of collectives: hosts by name or number, or how many; None: all
        placement: where members are if only their number is given, and the two hosts, see Fabric.group
            (None: the first hosts, as with mpirun)
        placements: number of random placements; None: one, set by placement
        tasks_per_host: processes of each member's host
        algorithm: algorithm of a collective
        iterations: number of measured iterations, after a warm-up; with traffic, 20 by default
        barrier: algorithm of the barrier before each call of a collective; members enter it when they leave
            the previous call, and its exit skew delays the call. None: all begin at once
        load: background traffic of each host, as a fraction of a channel's rate. Iterations, also of
            barriers, then begin after pauses, at once at all members
        pattern, flits: pattern and worm length of this traffic, as for latency-load
        attributes: values of attributes by name
        machine: name or file of a machine; attributes override its values
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each length: size (0 for a barrier), value, min, max (of members; us, or MB/s),
        iterations, members. With placements, these are medians over placements, with least, quartile_1,
        quartile_3 and greatest of value, and attrs["placements"] has a row for each length and
        placement. attrs["fallbacks"]: algorithms that replaced one that can't serve a length, with the
        reasons; attrs["defaults"]: default costs of adapters that run the algorithm, if not given;
        attrs["losses"]: with outages, the flits lost and the messages sent again, over all
        rows. With traffic also p99, the 99th percentile of the iterations' times until the last member
        has finished; for bw, the bandwidth in this time

    Raises:
        WormholeError: if an argument is refused, or a length cannot be carried
    """
    arguments.word("benchmark", benchmark, BENCHMARKS)
    made = fabric_of(fabric).with_attributes(attributes or {}, machine)
    count = 1 if placements is None else arguments.whole("placements", placements, 1, 100000)
    if placements is not None and placement not in (None, *RANDOM):
        raise WormholeError(f"placements={placements}: has no effect where placement is not random")
    frames = []
    with simulation.own(), bars.bar(f"osu {benchmark}", progress) as tell:
        for run in range(1, count + 1):
            plan = Plan(made, benchmark, sizes, hosts=hosts, members=members,
                        tasks_per_host=tasks_per_host, algorithm=algorithm, iterations=iterations,
                        barrier=barrier, run=run,
                        placement=placement or (None if placements is None else "random"),
                        traffic=traffics.given(load, flits, pattern, None if not load else iterations))
            simulation.reset()
            simulation.set_seed()
            frames.append(plan.run(made, tell).assign(placement=run, **places(made, plan.ranks)))
    found = _over(frames) if placements is not None else frames[0].drop(columns=_OF_PLACES, errors="ignore")
    found.attrs["defaults"] = assumptions.of_adapters([plan.algorithm], made.attributes, made.machine)
    return found


def _over(frames):
    """Returns the medians over placements, with the spread of values."""
    table = pandas.concat(frames, ignore_index=True)
    found = table.groupby("size", sort=False).median(numeric_only=True).reset_index()
    found = found.drop(columns=_OF_PLACES, errors="ignore").astype({"iterations": int, "members": int})
    found = found.merge(spread(table, ["size"], "value")[["size", *_SPREAD]], on="size")
    found.attrs.update(placements=table, fallbacks=list(dict.fromkeys(
        each for frame in frames for each in frame.attrs["fallbacks"])),
        losses=frames[0].attrs["losses"] and [sum(pair) for pair in zip(
            *(frame.attrs["losses"] for frame in frames))])
    return found


class Plan:
    """A checked benchmark for fabrics of one graph. benchmark: which; sizes: lengths; ranks: numbers of hosts."""

    def __init__(self, fabric: Fabric, benchmark: str, sizes: Sequence[int] | None = None, *,
                 hosts: Members = None, members: Members = None, tasks_per_host: int = 1,
                 algorithm: str | None = None, iterations: int | None = None,
                 barrier: str | None = None, placement: Placement = None, run: int = 1,
                 traffic: traffics.Traffic | None = None):
        """Checks arguments, see measure(). traffic: background traffic; run: run of random placements"""
        self.benchmark = of = MEASURED[arguments.word("benchmark", benchmark, MEASURED)]
        self.traffic = traffic
        if traffic:
            traffic.check(fabric)
        usual = traffic.rounds if traffic else of.iterations
        self.iterations = arguments.whole("iterations", usual if iterations is None else iterations, 1, 100000)
        tasks = arguments.whole("tasks_per_host", tasks_per_host, 1, _TASKS)
        if sizes is not None and not of.sizes:
            raise WormholeError("a barrier has no lengths; expected none")
        if barrier is not None and (traffic or of.kind in ("", "barrier")):
            raise WormholeError(f"barrier={barrier}: expected with collectives that have lengths, "
                                "without traffic")
        self.barrier = barrier
        self.algorithm = algorithm or of.algorithm
        if of.kind == "pattern":
            arguments.word("algorithm", self.algorithm, patterns.PATTERNS)
            if traffic:
                raise WormholeError("a pattern beside traffic; expected a collective, or goal")
            if barrier is not None:
                arguments.word("barrier", barrier, patterns.BARRIERS)
        self._fallbacks: list[str] = []  # what served lengths in its place, with the reasons
        makers = ns.CollectiveHelper.MakeData, ns.CollectiveHelper.MakeCollective
        if of.kind == "broadcast":  # of a name for both, the message without content
            self.moves_data = not self._is_made_by(*makers[::-1]) \
                or bool(ns.CollectiveHelper.MovesData(of.kind, self.algorithm))
        else:
            self.moves_data = of.moves_data and (of.kind not in KINDS or self._is_made_by(*makers))
        is_value = of.moves_data and not self.moves_data
        self.sizes = [arguments.whole(f"{of.name}: size", size, 1 if of.moves_data else 0,
                                      _VALUES[-1] if is_value else MAX_BYTES)
                      for size in ((_VALUES if is_value else of.sizes) if sizes is None else sizes)] \
            or [0]
        if of.kind:
            if hosts is not None:
                raise WormholeError(f"{of.name} is a collective; expected members, not hosts")
            self.ranks = [host for host in self._hosts(fabric, members, placement, run) for _ in range(tasks)]
        else:
            if members is not None or algorithm is not None:
                raise WormholeError(f"{of.name} is between two processes; expected hosts, "
                                    "neither members nor an algorithm")
            if hosts is not None and placement is not None:
                raise WormholeError(f"placement={placement} beside hosts; expected one of the two")
            group = fabric.group(hosts) if hosts is not None else \
                fabric.group(2, placement, run=run) if placement is not None else _first(fabric, tasks)
            if len(group) != 2:
                raise WormholeError(f"{len(group)} hosts for {of.name}; expected two")
            if tasks == 1 and group[0] == group[1]:
                raise WormholeError(f"hosts {fabric.hosts[group[0]]} and {fabric.hosts[group[1]]} are "
                                    "one, with one process; expected two hosts, or two tasks of "
                                    "a host (tasks_per_host)")
            self.ranks = group

    def _hosts(self, fabric, members, placement, run):
        if placement != "best" or members is None or self.benchmark.kind == "pattern":
            return group_of(fabric, members, placement, run)
        return best_hosts(fabric, arguments.whole("members", members, 1, _computers(fabric)), self.benchmark.kind,
                          [self.algorithm] if self.moves_data or self.benchmark.kind == "barrier" else (), max(self.sizes))

    def _is_made_by(self, maker, other) -> bool:
        """Returns whether a maker of CollectiveHelper knows the algorithm; otherwise the other maker does."""
        try:
            maker(self.benchmark.kind, self.algorithm)
        except ns.WormholeError:
            other(self.benchmark.kind, self.algorithm)
            return False
        return True

    def value(self, fabric: Fabric, size: int, statistic: str = "mean") -> float:
        """Returns the value of a single length. fabric: as for run(); statistic: one of STATISTICS"""
        return self._one(fabric, size)[STATISTICS.index(statistic)]

    def _one(self, fabric, size):
        one = {"pattern": self._pattern, "": self._loggp if self.benchmark.name in LOGGP else self._messages}
        return one.get(self.benchmark.kind, self._collective)(fabric, size)

    def run(self, fabric: Fabric, tell: Callable | None = None) -> pandas.DataFrame:
        """Runs the benchmark. fabric: a fabric of the same graph; tell: called with the number of completed lengths"""
        rows, losses, self._fallbacks = [], [0, 0], []
        for number, size in enumerate(self.sizes):
            if tell:
                tell(number, len(self.sizes))
            if self.traffic:
                simulation.reset()
                simulation.set_seed()
            fabric.start_anew()
            value, low, high, *tail = self._one(fabric, size)
            losses = [sum(pair) for pair in zip(losses, fabric.losses())]
            rows.append((size, value, low, high, self.iterations, len(self.ranks), *tail))
            if tell:
                tell(number + 1, len(self.sizes))
        frame = pandas.DataFrame(rows, columns=["size", "value", "min", "max", "iterations",
                                                "members", *(["p99"] if self.traffic else [])])
        frame.attrs.update(fallbacks=list(dict.fromkeys(filter(None, self._fallbacks))),
                           losses=losses if fabric.has_outages else None)
        return frame

    def _loggp(self, fabric, size):
        if self.benchmark.name == "gap":
            bench = ns.MessageBench(fabric.domain, *self.ranks)
            first, train = (bench.Stream(max(size, 1), count, 1) for count in (1, _TRAIN))
            time = simulation.microseconds(train - first) / (_TRAIN - 1)
        else:
            sends = self.benchmark.name == "o_s"
            host = fabric.domain.GetSoftware(self.ranks[0 if sends else 1])
            transport = ns.HostCosts.Transport.SEND_RECEIVE
            costs = host.DrawSendCosts(transport, size) if sends else \
                host.DrawReceiveCosts(transport, True, size)
            time = simulation.microseconds(costs.GetTotal())
        return time, time, time

    def _messages(self, fabric, size):
        bench = ns.MessageBench(fabric.domain, *self.ranks)
        if self.traffic:
            return self._messages_beside(bench, size)
        if self.benchmark.name == "latency":
            time = simulation.microseconds(bench.PingPong(max(size, 1), self.iterations))
            return (time / (2 * self.iterations),) * 3
        time = simulation.microseconds(bench.Stream(max(size, 1), WINDOW, self.iterations))
        return (size * WINDOW * self.iterations / time if time else float("inf"),) * 3

    def _messages_beside(self, bench, size):
        """Returns mean (as value, min and max) and the 99th percentile under traffic."""
        of, is_latency = self.traffic, self.benchmark.name == "latency"
        window, answer = (1, max(size, 1)) if is_latency else (WINDOW, bench.ANSWER_BYTES)
        with simulation.ending_on_error():
            found = bench.MeasureUnderTraffic(max(size, 1), window, answer, self.iterations, of.parameters())
        times = list(map(simulation.microseconds, found))
        mean, tail = sum(times) / len(times), traffics.tail(times)
        if is_latency:
            return mean / 2, mean / 2, mean / 2, tail / 2
        return *[size * WINDOW / mean] * 3, size * WINDOW / tail

    def _collective(self, fabric, size):
        kind, is_data = self.benchmark.kind, self.moves_data
        try:
            made = Collective(fabric, kind, self.algorithm, self.ranks,
                              of_length(kind, max(size, 1), "sum", is_data), moves_data=is_data)
        except WormholeError as error:
            at = f" of {size} bytes" if size else ""
            raise WormholeError(f"{self.benchmark.name}{at} by {self.algorithm}: {error}") from None
        self._fallbacks.append(made.fallback)
        tail = []
        if self.traffic:
            made.cross()
            rounds, times = self.traffic.cross(made)
            tail = [traffics.tail(rounds)]
        elif self.benchmark.name == "barrier":
            times = made.loop(0 if fabric.has_outages else _WARM_UP, self.iterations)
        else:
            times = self._calls(made)
        made.release()
        made.model.Dispose()
        return sum(times) / len(times), min(times), max(times), *tail

    def _calls(self, made):
        if not made.fabric.has_outages:
            made.cross()
        before = self.barrier and Collective(made.fabric, "barrier", self.barrier, self.ranks, {})
        sums = arrivals = [0.0] * len(self.ranks)
        for call in range(-_SETTLING if before else 0, self.iterations):
            if before:  # members come to it as they leave the call before
                before.cross([each - min(made.leaves_us) for each in made.leaves_us])
                arrivals = [each - min(before.leaves_us) for each in before.leaves_us]
            made.cross(arrivals if before else None)
            if call >= 0:
                sums = [a + b - c for a, b, c in zip(sums, made.leaves_us, arrivals)]
        if before:
            before.release()
            before.model.Dispose()
        return [each / self.iterations for each in sums]

    def _pattern(self, fabric, size):
        """Returns mean, least and greatest time of the ranks, medians over iterations."""
        call, found = [(self.algorithm, max(size, 1))], []
        before = ([(self.barrier, 1), *call] * _SETTLING + [(self.barrier, 1)]) if self.barrier else []
        for run in range(1, self.iterations + 1):
            times = self._ends(fabric, before + call, run)
            if before:
                times = [end - begin for begin, end in zip(self._ends(fabric, before, run), times)]
            found.append((sum(times) / len(times), min(times), max(times)))
        return tuple(map(statistics.median, zip(*found)))

    def _ends(self, fabric, calls, run):
        """Returns when the ranks complete patterns, us. Patterns have a simulation of their own."""
        simulation.reset()
        simulation.set_seed(run=run)
        with machines.in_effect(fabric.machine):
            ns.CollectiveHelper.AssignStreams(fabric.domain, 1)
            bench = ns.GoalBench(fabric.domain)
            bench.Add(bridge.ReadGoalText(patterns.as_goal(calls, len(self.ranks)), self.algorithm),
                      std.vector["uint32_t"](self.ranks), "sendrecv")
            bench.Run()
        return [end / 1e6 for end in bridge.ListPicoseconds(bench.GetFinishTimes(0))]


def _size(text, word):
    if (size := arguments.parse_whole(word)) is not None:
        return size
    try:
        return lengths.parse("", word)
    except WormholeError:
        raise WormholeError(f"message size {text!r}: expected MIN:MAX or MAX in bytes, as "
                            f"1:4194304 or 64:4KiB, up to {MAX_BYTES}") from None


def group_of(fabric: Fabric, members: Members, placement: Placement = None, run: int = 1) -> list[int]:
    """Returns the members' hosts, see measure()."""
    if isinstance(members, int) and not isinstance(members, bool):
        members = arguments.whole("members", members, 1, _computers(fabric))
        placement = "first" if placement is None else placement
    return fabric.group(members, placement, run=run)


def _computers(fabric):
    return int(fabric.graph.GetNFirstInterfaces())


def _first(fabric, tasks):
    if tasks == 1 and (count := _computers(fabric)) < 2:
        raise WormholeError(f"{count} hosts; expected two, or two tasks of one host")
    return [0, 0] if tasks > 1 else [0, 1]


def as_text(frame: pandas.DataFrame, benchmark: str, full: bool = False, digits: int = 2, note: str = "") -> str:
    """Returns the benchmark's output. frame: result of measure(); full: whether to add minimum and maximum of members,
    and the number of iterations; digits: digits after the decimal point; note: text added to the second line"""
    of = BENCHMARKS[arguments.word("benchmark", benchmark, BENCHMARKS)]
    sized, full, has_tail = bool(of.sizes), full and bool(of.kind), "p99" in frame
    heads = [of.column] + (["Min Latency(us)", "Max Latency(us)", "Iterations"] if full else [])
    lines = [f"# OSU MPI {of.title} Test v{VERSION}", f"# simulated by ns3-wormhole{note}"]
    lines += [f"# falls back on {each}" for each in frame.attrs.get("fallbacks", ())]
    lines += [f"# {each}" for each in frame.attrs.get("defaults", ())]
    if (losses := frame.attrs.get("losses")) is not None:
        lines.append("# outages: {} flits lost, {} messages sent again, in all rows".format(*losses))
    if has_tail:
        heads.append("P99 (MB/s)" if of.name == "bw" else "P99 Tail Lat(us)")
    spreads = [name for name in _SPREAD if name in frame]
    lines.append((f"{'# Size':<10}" if sized else "# ") + "".join(f"{head:>{20 if sized or i else 18}}" for i, head in enumerate(heads))
                 + "".join(f"{name:>20}" for name in spreads))
    for row in frame.itertuples():
        values = [row.value, row.min, row.max][:3 if full else 1]
        text = "".join(f"{value:>20.{digits}f}" for value in values)
        lines.append((f"{row.size:<10}" if sized else "") + text
                     + (f"{row.iterations:>20}" if full else "")
                     + (f"{row.p99:>20.{digits}f}" if has_tail else "")
                     + "".join(f"{getattr(row, name):>20.{digits}f}" for name in spreads))
    return "\n".join(lines) + "\n"


def sizes_of(text: str, benchmark: str) -> list[int]:
    """Returns the lengths of the benchmarks' option -m, MIN:MAX or MAX, with optional units such as 4KiB: MIN times
    powers of two. Raises WormholeError if the benchmark has no such lengths."""
    of = BENCHMARKS[benchmark]
    if not of.sizes:
        raise WormholeError(f"message size {text!r}: a barrier has no lengths; expected none")
    low, colon, high = text.partition(":")
    low, high = (_size(text, each) for each in ((low, high) if colon else ("1", low)))
    least = 1 if of.moves_data else 0
    if colon and low > high:
        raise WormholeError(f"message size {text!r}: {low} is above {high}; expected the shorter "
                            "one first")
    if not least <= low <= high <= MAX_BYTES:
        raise WormholeError(f"message size {text!r}: expected {least} to {MAX_BYTES} bytes of "
                            f"{benchmark}")
    powers = itertools.takewhile(lambda size: size <= high, ((low or 1) << step for step in itertools.count()))
    return [0] * (low == 0) + list(powers)
