# SPDX-License-Identifier: GPL-2.0-only
"""Which hosts a job should get: compares orders of a fabric's free hosts by the time of a collective."""

from __future__ import annotations

import collections
import io
import itertools
import random
import re
from typing import Callable, Iterable, Mapping, Sequence

from ..collective.fabric import Fabric, fabric_of
from ..collective.groups import Members
from ..collective.values import algorithms as algorithms_of
from ..core import arguments, bars, csv_file, machine as machines, simulation
from ..core.errors import translated, WormholeError
from ..core.loader import networkx, ns, pandas, printed
from ..formats.texts import counted

# The first of these that a kind has is measured if none is named: those of long messages.
_USUAL = ("ring", "pairwise", "binomial", "dissemination", "recursive-doubling")
_COMPACT = 8  # compact placements that are simulated
_SPLIT = 20  # at most, of those that share a job out to switches
_SHOWN = ("best", "consecutive", "scattered", "worst")


@translated()
def place(fabric: Fabric | str, size: int, *, busy: Members = (), kind: str = "allreduction",
          algorithm: str | None = None, bytes: int | str | None = None, tries: int = 100, seed: int = 1,
          attributes: Mapping[str, object] | None = None, machine: str | None = None,
          progress: bool | None = None) -> pandas.DataFrame:
    """Finds hosts for a job, and their order, by simulating a collective. Ends the simulation.

    Simulates consecutive hosts, scattered hosts (one host per switch in turn), compact hosts (of switches
    near each other), shares of switches (in proportion to a switch's cables to other switches; or all hosts
    of one switch, the rest evenly), random orders of random hosts, and swaps within the best order so far.

    Args:
        fabric: the fabric, or its file
        size: number of hosts, one process each
        busy: hosts that other jobs use
        kind: kind of collective; allreduction by default
        algorithm: algorithm of the collective; by default the first of ring, pairwise, binomial,
            dissemination and recursive-doubling that the kind has
        bytes: length of the collective's data, such as 8 or "64KiB"; 1MiB by default; not for a barrier
        tries: approximate number of simulated orders, each run once; at least about 10; 100 by default.
            Orders that share the job out to switches are tried in addition: at most tries / 5, and at most 20
        seed: seed of random orders; 1 by default
        attributes: values of attributes by name
        machine: name or file of a machine; attributes override its values
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        rows best, consecutive, scattered and worst (of all tried): latency_us, factor (over the
        best), switches (number of the hosts' switches), waiting_us (total time for which heads of
        messages waited for channels between switches), channel (waited for longest; "": no waits), hosts (names
        by rank). attrs: kind, algorithm, bytes, how many orders were tried, and the machine in words

    Raises:
        WormholeError: if an argument is refused, or too few hosts are free
    """
    made = fabric_of(fabric).with_attributes(attributes or {}, machine)
    taken = set(made.group(busy)) if busy else set()
    free = [host for host in made.group() if host not in taken]
    size = arguments.whole("size", size, 2)
    if size > len(free):
        raise WormholeError(f"size={size}: expected at most {len(free)}, the number of free hosts")
    kind = str(ns.CollectiveHelper.GetKindName(kind))
    if algorithm is None:
        known = algorithms_of(kind, data=kind != "barrier")
        algorithm = next(name for name in _USUAL if name in known)
    length = {"bytes": "1MiB" if bytes is None else bytes} if kind != "barrier" or bytes is not None else {}
    search = _Search(made, lambda group: made.collective(kind, algorithm, group, **length))
    tries = arguments.whole("tries", tries, 1, 10**6)
    simulation.reset()
    simulation.set_seed()
    try:
        with bars.bar("place", progress) as tell:
            search.run(free, size, tries, random.Random(seed), tell)
        table = pandas.DataFrame([search.row(name) for name in _SHOWN])
        table.attrs.update(kind=kind, algorithm=algorithm, bytes=length.get("bytes"), orders=len(search.times),
                           machine=machines.told(made.machine))
        return table
    finally:
        simulation.reset()


def best_hosts(fabric: Fabric, size: int, kind: str, algorithms: Sequence[str] = (), bytes: int = 0) -> list[int]:
    """Returns the hosts that place() finds, by rank. algorithms: names to compare; a single name is
    simulated; bytes: the longest length; 0: a barrier. Ends the simulation."""
    if size < 2:
        return fabric.group(size, "best")
    found = place(fabric, size, kind=kind, algorithm=algorithms[0] if len(algorithms) == 1 else None,
                  bytes=bytes or None)
    return [fabric.host(name) for name in found.hosts[0]]


class _Search:
    """The orders tried, and the time of the collective on each."""

    def __init__(self, fabric: Fabric, make: Callable):
        self._fabric, self._make = fabric, make
        self.times: dict[tuple[int, ...], float] = {}  # by order, us
        self._named: dict[str, tuple[int, ...]] = {}
        graph = fabric.to_networkx()
        self._switch = {host: next(iter(graph[name])) for host, name in enumerate(fabric.hosts)}
        self._graph = networkx.Graph(graph.subgraph(fabric.switches))
        self._uplinks = dict(graph.subgraph(fabric.switches).degree())

    def run(self, free: Sequence[int], size: int, tries: int, draws: random.Random, tell) -> None:
        """Tries orders."""
        self._named["consecutive"] = tuple(free[:size])
        self._named["scattered"] = tuple(self._in_turn(free)[:size])
        shares = self._shares(free, size, min(_SPLIT, tries // 5))
        planned = [*self._named.values(), *self._compact(free, size), *shares]
        planned += [tuple(draws.sample(list(free), size)) for _ in range(tries // 3)]
        most = max(tries + len(shares), len(planned))
        for done, order in enumerate(planned):
            tell(done, most)
            self.time(order)
        for done in range(len(planned), most):
            tell(done, most)
            self.time(self._exchanged(free, draws))
        by_time = sorted(self.times, key=lambda order: (self.times[order], order))
        self._named.update(best=by_time[0], worst=by_time[-1])

    def time(self, order: tuple[int, ...]) -> float:
        """Returns the time of a collective, us."""
        if order not in self.times:
            made = self._make(list(order))
            self.times[order] = made.cross()
            made.release()
            made.model.Dispose()
        return self.times[order]

    def row(self, name: str) -> dict:
        """Returns a placement's row: the collective again, with a record of channels."""
        order = self._named[name]
        simulation.reset()
        simulation.set_seed()
        group, domain = self._make(list(order)), self._fabric.domain
        record = ns.ChannelRecord.Begin(domain.GetFabric(), domain.GetGraph())
        group.cross()
        channels = csv_file.from_text(io.StringIO(printed(record.WriteCsv)))
        channels = channels[channels.node.isin(self._graph) & channels.to.isin(self._graph)]
        channels = channels if len(channels) else pandas.DataFrame([{"waiting_us": 0.0}])
        longest = channels.loc[channels.waiting_us.idxmax()]
        return {"placement": name, "latency_us": self.times[order],
                "factor": self.times[order] / min(self.times.values()),
                "switches": len({self._switch[host] for host in order}),
                "waiting_us": float(channels.waiting_us.sum()),
                "channel": f"{longest.node}:{longest.port} to {longest.to}"
                if longest.waiting_us > 0 else "",
                "hosts": tuple(self._fabric.hosts[host] for host in order)}

    def _by_switch(self, free: Iterable[int]) -> dict[str, list[int]]:
        found = collections.defaultdict(list)
        for host in free:
            found[self._switch[host]].append(host)
        return found

    def _in_turn(self, free):
        turns = itertools.zip_longest(*self._by_switch(free).values())
        return [host for turn in turns for host in turn if host is not None]

    def _compact(self, free, size) -> list[tuple[int, ...]]:
        """Returns hosts of those switches that have the least sum of distances from one of them."""
        at = self._by_switch(free)
        found = {}
        for start in at:
            far = networkx.single_source_shortest_path_length(self._graph, start)
            near = sorted((each for each in at if each in far), key=lambda each: (far[each], -len(at[each])))
            hosts = [host for switch in near for host in at[switch]][:size]
            if len(hosts) == size:
                found[tuple(hosts)] = sum(far[self._switch[host]] for host in hosts)
        return sorted(found, key=found.get)[:_COMPACT]

    def _shares(self, free, size, most) -> list[tuple[int, ...]]:
        """Returns hosts in proportion to switches' cables to others; then all of one switch, and the rest evenly."""
        at = self._by_switch(free)
        wide = sorted((each for each in at if 1 < len(at[each]) < size), key=lambda each: -self._uplinks[each])
        if not wide or not most:
            return []
        return [self._shared(at, self._uplinks, size),
                *((*at[each], *self._shared({switch: hosts for switch, hosts in at.items() if switch != each},
                                            dict.fromkeys(at, 1), size - len(at[each]))) for each in wide[:most - 1])]

    @staticmethod
    def _shared(at, weights, size) -> tuple[int, ...]:
        """Returns hosts of switches, as many from each as its weight says, but no more than it has."""
        turns = sorted(((turn + 1) / weights[switch], number) for number, switch in enumerate(at)
                       for turn in range(len(at[switch])))
        taken = collections.Counter(number for _, number in turns[:size])
        return tuple(host for number, hosts in enumerate(at.values()) for host in hosts[:taken[number]])

    def _exchanged(self, free, draws) -> tuple[int, ...]:
        order = list(min(self.times, key=lambda each: (self.times[each], each)))
        spare = sorted(set(free) - set(order))
        at = draws.randrange(len(order))
        if spare and draws.random() < 0.5:
            order[at] = draws.choice(spare)
        else:
            other = draws.randrange(len(order))
            order[at], order[other] = order[other], order[at]
        return tuple(order)


def as_text(frame: pandas.DataFrame) -> str:
    """Returns the table of place() as text."""
    table = frame.drop(columns="hosts").set_index("placement")
    of, length = frame.attrs, frame.attrs["bytes"]
    lines = [f"{of['kind']} by {of['algorithm']}{f' of {length} bytes'.replace('B bytes', 'B') if length else ''}, "
             f"{counted(of['orders'], 'order')} tried; machine: {of['machine']}", table.to_string(float_format="%.3f")]
    lines.append(f"best: {nodelist(frame.iloc[0].hosts)}")
    return "\n".join(lines)


def nodelist(hosts: Sequence[str]) -> str:
    """Returns hosts in their order as SLURM's --nodelist has them, n[1-3,7]."""
    runs: list[tuple[str, list[list[str]]]] = []
    for host in hosts:
        stem, number = re.fullmatch(r"(.*?)(\d*)", host).groups()
        if not number or not runs or runs[-1][0] != stem:
            runs.append((stem, [[number, number]]))
            continue
        last = runs[-1][1][-1]
        if last[1] and number == f"{int(last[1]) + 1:0{len(last[1])}}":
            last[1] = number
        else:
            runs[-1][1].append([number, number])
    return ",".join(stem + ("" if not parts[0][0] else parts[0][0] if parts == [[parts[0][0]] * 2]
                            else "[" + ",".join(low if low == high else f"{low}-{high}"
                                                for low, high in parts) + "]")
                    for stem, parts in runs)


def rankfile(hosts: Sequence[str]) -> str:
    """Returns hosts by rank as Open MPI's rankfile (mpirun --rankfile)."""
    return "".join(f"rank {rank}={host} slot=0\n" for rank, host in enumerate(hosts))
