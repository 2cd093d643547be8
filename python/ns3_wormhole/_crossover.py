# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Which algorithm, when: all of a kind over lengths, the winners, and where they change."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Mapping, Sequence

from . import _arguments as arguments
from . import _bars as bars
from . import _effects as effects
from . import _traffic as traffics
from . import _lengths, _order, explain as explanations, machine as machines, simulation
from ._loader import bridge, ns, numpy, pandas
from .collective import KINDS, Collective
from .data_collective import DataCollective, make_model, operation_of
from .errors import WormholeError, translated
from .fabric import Fabric
from .ideal import IdealNetwork
from ._hardware import ADD_ON, IN_SWITCH, ONE_PROCESS_A_HOST, without_switches

COLUMNS = ("kind", "algorithm", "members", "bytes", "load", "latency_us", "latency_us_p99", "needs",
           "reason")
NEEDS = ("software", "nic", "switch", "add-on")
DEPLOYABLE = NEEDS[:2]  # what runs on machines that there are
_SMP = "smp"  # leaders do another one between hosts, others share their memory
LOADED_ROUNDS = 20
_VALUE_BYTES = 8  # that a collective of one value carries
_LEAST_MESSAGE = 2  # bytes of the shortest broadcast
_ELEMENT = 4  # bytes; crossovers are looked for between whole ones
_DEPTH = 4  # winners that may turn up between two lengths
_OF_VALUES = {"sum": "ADD", "min": "MIN", "max": "MAX", "and": "AND", "or": "OR"}


@dataclasses.dataclass(frozen=True)
class Algorithm:
    """One of those that are compared.

    Attributes:
        name: with its attributes
        is_data: whether it moves data of any length, else one value
        grows: whether it moves data where one value is too short
        needs: "software", "nic", "switch" or "add-on"
        segment: longest segment in bytes that it cuts; 0: none
    """

    name: str
    is_data: bool
    needs: str
    segment: int = 0
    grows: bool = False


@dataclasses.dataclass(frozen=True)
class Request:
    """What is compared, checked.

    Attributes:
        kind: of collective
        operation: how data are combined
        load: of traffic beside it; 0: none
        flits: length of its worms
        pattern: who sends them to whom
        rounds: of each group
        tasks: processes of a host
        runs: random groups
        seed: of random numbers
        order: of a group's ranks, see ORDERS
        tolerance: of crossovers, over the length
        explains: whether to tell what times went into
    """

    kind: str
    operation: str
    load: float
    flits: str
    pattern: str
    rounds: int
    tasks: int
    runs: int
    seed: int
    order: str
    tolerance: float
    explains: bool


#: In which order ranks are on a group's hosts, and how to say so.
ORDERS = {"drawn": "ranks in the order in which hosts were drawn",
          "sorted": "ranks in the order of the fabric's hosts"}
_LATENCY = "1us"  # of messages on the ideal network


@arguments.keywords
@translated()
def crossover(*, bytes: Sequence[str] = ("8,...,1MiB",), kind: str = "allreduction",
              fabric: Fabric | str | None = None, topology: str = "", switches: int = 75,
              hosts: int = 256, routing: str = "", names: Sequence[str] = (),
              group_sizes: Sequence[int] = (16,), tasks_per_host: int = 1, operation: str = "",
              load: float = 0, load_flits: str = "64",
              load_pattern: str = "uniform", rounds: int | None = None,
              transports: Sequence[str] = ("sendrecv",),
              segment_bytes: Sequence[str] = (), windows: Sequence[int] = (),
              order: str = "drawn", network: str = "fabric", latency: str = _LATENCY,
              tolerance: float = 0.01, runs: int = 1, seed: int = 1,
              attributes: Mapping[str, object] | None = None, machine: str | None = None,
              explain: bool = False, check: bool = False, hypothetical: bool = False,
              progress: bool | None = None) -> pandas.DataFrame:
    """Compares all algorithms of a kind over lengths, and finds where the winner changes.

    Winners are among those that machines can do today, by software or by remote writes of the
    interface; what hardware in switches or beside the network would gain stands beside them.

    Args:
        bytes: lengths, as 8,...,64MiB or 8:64MiB (powers of two between) or 8,1kB,64KiB: of the
            vector, in a gather, scatter or allgather of each member's part, in an alltoall of
            each pair's
        kind: "allreduction", "broadcast", "reduction", "gather", "scatter", "allgather",
            "reduce-scatter", "alltoall" or "scan"; MPI's names are accepted, too
        fabric: a fabric, or its JSON file
        topology: a family's text, as "torus:8x8", in place of it
        switches, hosts: size of the irregular fabric that each run draws if neither is given
        routing: routing engine in place of the fabric's own routes, as "balanced"; see
            ns3_wormhole.routing_engines()
        names: names of algorithms, with attributes as "ring[SegmentBytes=65536]"; without it all
            that move data, and those of one value for up to 8 bytes; smp only where hosts have
            several processes
        group_sizes: numbers of random hosts in a group
        tasks_per_host: processes of each of them, members one by one
        operation: how values are combined: "sum", "product", "min", "max", "and", "or" or "xor";
            "sum" without it
        load: of traffic of all hosts beside the collective, over a channel's rate
        load_flits: length of its worms, as for latency-load
        load_pattern: who sends them to whom, as for latency-load
        rounds: of each group; 20 beside traffic, else 1 without it
        transports: of software: "sendrecv", "rdma" or both
        segment_bytes: segments in which software's algorithms are tried that cut their messages,
            too, as 8KiB,64KiB; without it no message is cut
        windows: numbers of segments under way in which algorithms in the switches are tried, too, as
            16,32; without it only their own, 8. How long a segment is says the attribute
            CollectiveUnit::SlotBytes
        order: of ranks on a group's hosts: "drawn", as hosts were drawn at random, or "sorted", as
            the fabric has them; a group of all hosts is all of them in order then
        network: "fabric", or "ideal" for one without contention
        latency: flight time of a message on the ideal network
        tolerance: of crossovers, over the length; 0: they are found to 4 bytes
        runs: random groups
        seed: seed of random numbers
        attributes: of the fabric's parts, as for Fabric, in place of a given fabric's own
        machine: name or file of a machine, whose defaults hold below attributes; None: that of a
            given fabric
        explain: whether to tell what each algorithm's last round went into, see Collective.explain;
            beside traffic, what all rounds of the last run did
        check: whether to find out what bounds the fastest of each length, and whether the order
            changes if a value that nobody measured is halved or doubled; not beside traffic
        hypothetical: whether collectives in the switches take part on a machine whose switches do
            none. They do, too, if names, windows or an attribute of the CollectiveUnit ask for them
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each algorithm, number of members and length: the median latency over rounds and
        runs and the 99th percentile; needs: software, nic, switch or add-on; reason: why it can't
        do this, with no latency. With explain, explanation, text, and for each cause its time, as in
        the study of algorithms; beside traffic traffic_percent, too. attrs["crossovers"] are these as dicts; see winners() and
        crossovers(). attrs["order"] is the order of ranks, attrs["left_out"] why collectives in the
        switches take no part, attrs["free"] what costs nothing. With check, attrs["bounds"]: dicts of members, bytes, algorithm, bound
        and percent of the time; attrs["changes"]: of members, bytes, attribute, value, source, tried,
        winner, instead and hardware; attrs["varied"]: which values were; attrs["checked"]: at how many
        of how many points

    Raises:
        WormholeError: if that can't be done, by none of the algorithms
    """
    kind = str(ns.CollectiveHelper.GetKindName(kind))
    if kind == "barrier":
        raise WormholeError("a barrier has no length; accepted are the other kinds, or no bytes")
    sizes = _lengths.listed("bytes", bytes)
    if operation and not combines(kind):
        raise WormholeError(f"operation={operation}: has no effect on {kind}; accepted is it "
                            "with kinds that combine")
    if load:
        arguments.ratio("load", load)
    arguments.word("load_pattern", load_pattern,
                   [str(name) for name in ns.WormholeTrafficHelper.GetPatternNames()])
    arguments.word("network", network, ("fabric", "ideal"))
    if load and network == "ideal":
        raise WormholeError(f"load={load}: there is no traffic on the ideal network; accepted is it "
                            "on a fabric")
    if isinstance(tolerance, bool) or not 0 <= tolerance <= 1:
        raise WormholeError(f"tolerance={tolerance!r}: accepted is a number from 0 to 1")
    request = Request(kind, operation_of(operation or "sum"), float(load), str(load_flits),
                      load_pattern,
                      arguments.whole("rounds", (LOADED_ROUNDS if load else 1) if rounds is None
                                      else rounds, 1, 10**6),
                      arguments.whole("tasks_per_host", tasks_per_host, 1, 4096),
                      arguments.whole("runs", runs, 1, 10**6), seed,
                      arguments.word("order", order, tuple(ORDERS)), float(tolerance), bool(explain))
    if network == "ideal" and routing:
        raise WormholeError(f"routing={routing}: has no effect on the ideal network; accepted is it with "
                            "network fabric")
    places = _places(fabric, topology, switches, hosts, routing, network, latency, attributes, machine)
    if network != "ideal" and str(latency) != _LATENCY:
        raise WormholeError(f"latency={latency}: has no effect on a fabric; accepted is it with "
                            "network ideal")
    groups = list(dict.fromkeys(arguments.whole("group_sizes", each, 1)
                                for each in arguments.listed(group_sizes)))
    chosen = _algorithms(request, names, transports, segment_bytes, windows)
    asked = {"switches": switches, "hosts": hosts, "windows": windows, "transports": transports,
             "segment_bytes": segment_bytes, "load_flits": load_flits, "load_pattern": load_pattern,
             "rounds": rounds, "tolerance": tolerance, "seed": seed, "runs": runs}
    alike = "a fabric: all hosts of an ideal network are alike" if network == "ideal" else ""
    effects.tell(crossover, asked, {**effects.of_drawing(fabric, topology, network == "ideal"),
                                    **_lacking(chosen, sizes, segment_bytes),
                                    **dict.fromkeys(("load_flits", "load_pattern", "rounds"),
                                                    "" if load else "load"),
                                    "tolerance": "" if len(sizes) > 1 else "several lengths",
                                    "seed": alike, "runs": alike})
    place = places(seed, 1)
    chosen, left_out = without_switches(
        chosen, lambda each: each.needs == "switch", place.machine, hypothetical,
        bool(arguments.listed(names) or arguments.listed(windows)), place.attributes)
    rows, found = [], []
    with arguments.bar("crossover", progress) as tell:
        count = _Count(tell, len(groups) * len(chosen) * len(sizes) * request.runs)
        for group in groups:
            one = Measurements(request, places, group, chosen, count)
            rows += one.rows(sizes)
            found += one.crossovers(sizes)
    simulation.reset()
    if all(row["reason"] for row in rows):
        first = rows[0]
        raise WormholeError(f"{first['algorithm']} can't at {_lengths.text(first['bytes'])}: "
                            f"{first['reason']}")
    table = pandas.DataFrame(rows)
    table = explanations.filled(table[[*COLUMNS, *table.columns.difference(COLUMNS, sort=False)]],
                                table.reason == "")
    table.attrs["crossovers"] = found
    table.attrs["order"] = request.order
    table.attrs["left_out"] = left_out
    table.attrs["machine"] = machines.told(place.machine)
    table.attrs["rates"] = place.own_rates() if isinstance(place, Fabric) else ""
    table.attrs["has_in_switch"] = machines.has_in_switch(place.machine)
    table.attrs["free"] = _order.free(place.attributes, place.machine) if request.tasks > 1 else []
    if check and not request.load:
        from ._order_lengths import Check
        Check(table, request, places, chosen, progress).run()
    return table


def winners(table: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the decision table of what crossover() returns.

    Returns:
        a row for each number of members and length: winner, its latency_us and needs; next and
        next_factor: the second, and how many times as long it takes; hardware, hardware_us and
        gain: the fastest in switches or beside the network, and how many times as long the winner
        takes; of a checked table bound and hardware_bound, too: what bounds them, and the part of
        their time
    """
    rows = []
    bounds = {(each["members"], each["bytes"], each["algorithm"]): f"{each['bound']} {each['percent']:.0f} %"
              for each in table.attrs.get("bounds", ()) if each["bound"]}
    for (members, size), each in table.groupby(["members", "bytes"], sort=True):
        able = each[each.reason == ""].sort_values("latency_us", kind="stable")
        ours, theirs = (able[able.needs.isin(DEPLOYABLE) == wanted] for wanted in (True, False))
        row = {"members": members, "bytes": size, "winner": "", "latency_us": float("nan"),
               "needs": "", "next": "", "next_factor": float("nan"), "hardware": "",
               "hardware_us": float("nan"), "gain": float("nan")}
        if len(ours):
            first = ours.iloc[0]
            row.update(winner=first.algorithm, latency_us=first.latency_us, needs=first.needs)
        if len(ours) > 1:
            row.update(next=ours.iloc[1].algorithm,
                       next_factor=_ratio(ours.iloc[1].latency_us, row["latency_us"]))
        if len(theirs):
            best = theirs.iloc[0]
            row.update(hardware=best.algorithm, hardware_us=best.latency_us,
                       gain=_ratio(row["latency_us"], best.latency_us))
        if bounds:
            row.update({key: bounds.get((members, size, row[of]), "")
                        for key, of in (("bound", "winner"), ("hardware_bound", "hardware"))})
        rows.append(row)
    return pandas.DataFrame(rows)


def _ratio(time, other):
    """Returns how many times as long as another a time is; a group of one may take none."""
    return time / other if other else float("nan")


def crossovers(table: pandas.DataFrame) -> pandas.DataFrame:
    """Returns where winners change in what crossover() returns.

    Returns:
        a row for each: members; below, the winner up to last_bytes; above, the winner from
        first_bytes on; latency_us there; hardware: whether hardware takes part
    """
    return pandas.DataFrame(table.attrs.get("crossovers", ()),
                            columns=["members", "hardware", "below", "last_bytes", "above",
                                     "first_bytes", "latency_us"])


class _Count:
    """Tells a bar how many measurements are done; crossovers take more than are known at first."""

    def __init__(self, tell, whole):
        self._tell, self._done, self._whole = tell, 0, whole

    def begin(self):
        """Another one begins."""
        self._tell(self._done, self._whole)

    def add(self, is_planned=True):
        """One more is done."""
        self._done += 1
        self._whole += 0 if is_planned else 1
        self._tell(self._done, self._whole)


def combines(kind: str) -> bool:
    """Returns whether a kind combines values."""
    return kind in ("allreduction", "reduction", "reduce-scatter", "scan")


def _places(fabric, topology, switches, hosts, routing, network, latency, attributes, machine):
    """Returns a function that gives the fabric or network of a run and seed."""
    if fabric is not None and topology:
        raise WormholeError("topology has no effect with fabric; accepted is one of the two")
    switches, hosts = arguments.whole("switches", switches), arguments.whole("hosts", hosts)
    given = arguments.fabric(fabric) if fabric is not None else None
    if given and (attributes or machine is not None):
        given = given.with_attributes(attributes or {}, machine)
    given = given.with_routing(routing) if given and routing else given
    if network == "ideal" and not given and not topology:
        ideal = IdealNetwork(hosts, latency, attributes=attributes, machine=machine)
        return lambda seed, run: ideal

    @functools.lru_cache(maxsize=4)
    def place(seed, run):
        if topology:
            made = Fabric.from_text(topology, seed=seed, routing=routing, attributes=attributes,
                                    machine=machine)
        else:
            made = given or Fabric.irregular(switches, hosts, seed=seed, run=run, routing=routing,
                                             attributes=attributes, machine=machine)
        return IdealNetwork.like(made, latency) if network == "ideal" else made
    return place


def with_setting(name: str, setting: str) -> str:
    """Returns a name with one more attribute."""
    return f"{name[:-1]}|{setting}]" if name.endswith("]") else f"{name}[{setting}]"


def _algorithms(request, names, transports, segment_bytes, windows):
    """Returns what is compared: each algorithm, and each with the settings asked for."""
    kind = request.kind
    windows = dict.fromkeys(arguments.whole("windows", each, 1, 2**32 - 1)
                            for each in arguments.listed(windows))
    transports = dict.fromkeys(arguments.word("transports", each, ("sendrecv", "rdma"))
                               for each in arguments.listed(transports))
    segments = dict.fromkeys(_lengths.parse("segment_bytes", each)
                             for each in arguments.listed(segment_bytes))
    data = [str(name) for name in ns.CollectiveHelper.GetDataNames(kind)]
    hardware = {name for name in data
                if not bridge.IsBySoftware(ns.CollectiveHelper.MakeData(kind, name))}
    given = list(dict.fromkeys(str(name) for name in arguments.listed(names)))
    values = [str(name) for name in ns.CollectiveHelper.GetNames(kind)] if kind in KINDS else []
    if request.tasks == 1:  # then it is what it has inside
        data, values = ([name for name in names if name != _SMP] for names in (data, values))

    def varied(algorithm, stem):
        """Returns an algorithm with each setting that it does not have yet; these are its own."""
        name = algorithm.name
        if not algorithm.is_data:
            return [algorithm]
        if stem in hardware:
            return [algorithm, *(_named(kind, with_setting(name, f"Window={window}"), hardware)
                                 for window in windows if "Window=" not in name)]
        found = []
        for transport in ["sendrecv"] if "Transport=" in name else transports:
            own = name if transport == "sendrecv" else with_setting(name, f"Transport={transport}")
            found.append(_named(kind, own, hardware))
            found += [dataclasses.replace(_named(kind, with_setting(own, f"SegmentBytes={size}"), hardware),
                                          segment=size)
                      for size in segments if "SegmentBytes=" not in own]
        return found

    found = []
    for name in given:
        found += varied(_named(kind, name, hardware), name.partition("[")[0])
    if given:
        return list(dict.fromkeys(found))
    for name in data:
        one = _wrapped(name, request.tasks, hardware, _SMP in data)
        # Of several processes of a host, leaders' hardware combines one value, or data if longer.
        is_data = name not in hardware or one == name or name not in values
        algorithm = _named(kind, one, hardware, is_data)
        algorithm = dataclasses.replace(algorithm, grows=not is_data)
        found += [algorithm] if name in hardware and one != name else varied(algorithm, name)
        if name == _SMP:  # with each of the others between the leaders, besides its usual one
            found += [each for inner in data if inner not in (_SMP, _usual_inner(kind)) and inner not in hardware
                      for each in varied(_named(kind, f"{_SMP}[Inner={inner}]", hardware), name)]
    found += [_named(kind, _wrapped(name, request.tasks, ONE_PROCESS_A_HOST, True), hardware, False)
              for name in values if name not in data]
    return found


def _lacking(chosen, sizes, segment_bytes):
    """Returns what settings of algorithms lack, see _effects.tell()."""
    software = [each for each in chosen if each.is_data and each.needs in ("software", "nic")]
    segments = [_lengths.parse("segment_bytes", each) for each in arguments.listed(segment_bytes)]
    cuts = software and any(each < max(sizes) for each in segments)
    return {"windows": "" if any("Window=" in each.name for each in chosen)
            else "an algorithm in switches that moves data",
            "transports": "" if software else "an algorithm of software that moves data",
            "segment_bytes": "" if cuts else "longer data, and an algorithm of software"}


def _usual_inner(kind):
    """Returns what leaders do in smp, if nothing is said."""
    value = ns.StringValue()
    ns.CollectiveHelper.MakeData(kind, _SMP).GetAttribute("Inner", value)
    return str(value.Get())


def _wrapped(name, tasks, hardware, has_smp):
    """Returns a name that serves several processes of a host, if hardware alone does not."""
    return f"{_SMP}[Inner={name}]" if tasks > 1 and name in hardware and has_smp else name


def _named(kind, name, hardware, is_data=True):
    """Returns the algorithm of a name: of data if there is such, else of one value."""
    if is_data:
        try:
            ns.CollectiveHelper.MakeData(kind, name)
        except ns.WormholeError:
            known = [str(each) for each in ns.CollectiveHelper.GetDataNames(kind)]
            if kind not in KINDS or name.partition("[")[0] in known:
                raise
            is_data = False
    if not is_data:
        ns.CollectiveHelper.MakeCollective(kind, name)
    words = set(re.findall(r"[\w-]+", name))
    if words & ADD_ON:
        needs = "add-on"
    elif words & (hardware | IN_SWITCH):
        needs = "switch"
    else:
        needs = "nic" if {"Transport", "rdma"} <= words else "software"
    return Algorithm(name, is_data, needs)


class Measurements:
    """What is measured of groups of one size: by algorithm and length, each once."""

    def __init__(self, request: Request, places, group: int, algorithms: Sequence[Algorithm],
                 count: _Count):
        """Takes what is compared, and where."""
        self._request = request
        self._places = places
        self._group = group
        self._members = group * request.tasks
        self._algorithms = list(algorithms)
        self._count = count
        self._known: dict = {}
        self._saturated: dict = {}

    def rows(self, sizes: Sequence[int]) -> list[dict]:
        """Returns a row for each length and algorithm. A segment that is no shorter than the data
        cuts nothing, and has no row."""
        for algorithm in self._algorithms:
            wanted = [size for size in sizes if not algorithm.segment or algorithm.segment < size]
            self._measure(algorithm, wanted, True)
        return [{"kind": self._request.kind, "algorithm": algorithm.name, "members": self._members,
                 "bytes": size, "load": self._request.load,
                 **self._known[algorithm, size], "needs": algorithm.needs}
                for size in sizes for algorithm in self._algorithms
                if (algorithm, size) in self._known]

    def measured(self, algorithm: Algorithm, sizes: Sequence[int]) -> dict[int, dict]:
        """Returns what is measured of an algorithm, by length: latency_us, reason, and if asked for an
        explanation."""
        self._measure(algorithm, sizes, True)
        return {size: self._known[algorithm, size] for size in sizes}

    def crossovers(self, sizes: Sequence[int]) -> list[dict]:
        """Returns where winners change between the lengths: of those that machines can do today,
        and of all, if hardware takes part."""
        found = []
        ours = [each for each in self._algorithms if each.needs in DEPLOYABLE]
        for hardware, candidates in ((False, ours), (True, self._algorithms)):
            if hardware and len(ours) == len(self._algorithms):
                continue
            last = None
            for low, high in zip(sizes, sizes[1:]):
                first = self._winner(candidates, low, last)
                last = second = self._winner(candidates, high, first)
                if first and second and first != second:
                    for each in self._crossings(candidates, low, first, high, second, _DEPTH):
                        if not hardware or not {each[1].needs, each[3].needs} <= set(DEPLOYABLE):
                            found.append(self._described(hardware, *each))
        return found

    def _described(self, hardware, low, first, high, second):
        return {"members": self._members, "hardware": hardware, "below": first.name,
                "last_bytes": low, "above": second.name, "first_bytes": high,
                "latency_us": self._known[second, high]["latency_us"]}

    def _crossings(self, candidates, low, first, high, second, depth):
        """Yields lengths at which one wins and the next one wins, with both."""
        start, end = low, high
        step = max(_ELEMENT, int(self._request.tolerance * low))
        while high - low > step:
            middle = (low + high) // 2 // _ELEMENT * _ELEMENT
            if not low < middle < high:
                break
            if self._time(first, middle) <= self._time(second, middle):
                low = middle
            else:
                high = middle
            step = max(_ELEMENT, int(self._request.tolerance * low))
        best = self._winner(candidates, high, second) if depth else second
        if best in (first, second):
            yield low, first, high, second
            return
        yield from self._crossings(candidates, start, first, high, best, depth - 1)
        yield from self._crossings(candidates, high, best, end, second, depth - 1)

    def _time(self, algorithm, size):
        """Returns a median in us; infinity if it can't be."""
        if algorithm.segment and algorithm.segment >= size:
            return float("inf")
        if (algorithm, size) not in self._known:
            self._measure(algorithm, [size], False)
        row = self._known[algorithm, size]
        return float("inf") if row["reason"] else row["latency_us"]

    def _winner(self, candidates, size, before):
        """Returns the fastest; of equal ones the one before, else the first."""
        times = {each: self._time(each, size) for each in candidates}
        least = min(times.values(), default=float("inf"))
        if least == float("inf"):
            return None
        if before in times and times[before] == least:
            return before
        return next(each for each in candidates if times[each] == least)

    def _measure(self, algorithm, sizes, is_planned):
        """Measures an algorithm at some lengths, on one fabric a run."""
        times: dict = {size: [] for size in sizes}
        reasons: dict = {}
        explained: dict = {}
        for run in range(1, self._request.runs + 1):
            place = self._places(self._request.seed, run)
            hosts = place.group(self._group, seed=self._request.seed, run=run)
            hosts = sorted(hosts) if self._request.order == "sorted" else hosts
            members = [host for host in hosts for _ in range(self._request.tasks)]
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
            reason = reasons.get(size, "")
            self._known[algorithm, size] = {
                "latency_us": float("nan") if reason else float(numpy.median(times[size])),
                "latency_us_p99": float("nan") if reason else float(numpy.percentile(times[size], 99)),
                "reason": reason, **(explained.get(size, {}) if not reason else {})}

    def _check(self, algorithm, place, size):
        """Refuses what would take long to find out."""
        if not self._is_data(algorithm, size) and size > _VALUE_BYTES \
                and self._request.kind != "broadcast":
            raise WormholeError(f"carries one value of up to {_VALUE_BYTES} bytes")
        if not self._request.load or self._request.pattern != "uniform":
            return
        if id(place) not in self._saturated:
            self._saturated[id(place)] = place.saturation_bound()
        bound = self._saturated[id(place)]
        if self._request.load >= bound:
            raise WormholeError(f"load={self._request.load}: is more than the fabric takes, whose "
                                f"saturation bound is {bound:.4f}; accepted is less")

    def _is_data(self, algorithm, size):
        """Returns whether an algorithm moves data of a length, else one value."""
        longest = _LEAST_MESSAGE if self._request.kind == "broadcast" else _VALUE_BYTES
        return algorithm.is_data or algorithm.grows and size > longest

    @translated()
    def _once(self, algorithm, place, members, size):
        """Returns latencies of rounds, us, and columns of an explanation, if asked for: of the last
        round; beside traffic of all.
        Raises WormholeError if that can't be."""
        request, explained, is_data = self._request, {}, self._is_data(algorithm, size)
        if request.load:
            simulation.reset()  # where there was traffic, worms are still on their way
            simulation.set_seed(request.seed, 1)
            domain = place.domain
            with machines.in_effect(place.machine):
                pointer, model = self._model(algorithm, size)
                bars.connect()
                with bars.watched(request.kind, algorithm.name, "round"):
                    found = bridge.CrossUnderLoad(pointer, domain, members, request.load,
                                                  request.flits, request.pattern, request.rounds,
                                                  request.explains)
            latencies = [simulation.microseconds(each) for each in found.times]
            fallback = str(model.GetFallback()) if is_data else ""
            if request.explains and not fallback:
                explained = explanations.columns(traffics.paths(found))
            simulation.reset()
        else:
            of, given = (DataCollective, {"bytes": size, "operation": self._operation()}) \
                if is_data else (Collective, {})
            made = of(place, request.kind, algorithm.name, members,
                      {} if is_data else self._of_value(size), **given)
            fallback = made.fallback if is_data else ""
            latencies = [] if fallback else [made.cross()
                                             for _ in range(request.rounds - request.explains)]
            if request.explains and not fallback:
                frame = made.explain()
                latencies.append(frame.attrs["latency_us"])
                explained = explanations.columns(frame)
            made.release()
            made.model.Dispose()
        if fallback:
            raise WormholeError(f"falls back on {fallback}")
        return latencies, explained

    def _operation(self):
        return self._request.operation if combines(self._request.kind) else None

    def _of_value(self, size):
        """Returns attributes of a collective of one value, or a message without content."""
        if self._request.kind == "broadcast":
            return {"MessageBytes": size} if size > _LEAST_MESSAGE else {}
        if self._request.operation not in _OF_VALUES:
            raise WormholeError(f"combines no values by {self._request.operation}")
        return {"Operation": _OF_VALUES[self._request.operation], "WidthBits": 8 * size}

    def _model(self, algorithm, size):
        """Returns the Ptr of an ns3::Collective that is not set up, and that itself."""
        if self._is_data(algorithm, size):
            pointer, model = make_model(self._request.kind, algorithm.name)
            given = {"Bytes": size}
            if self._operation():
                given["DataOperation"] = self._operation()
        else:
            pointer = model = ns.CollectiveHelper.MakeCollective(self._request.kind,
                                                                 algorithm.name)
            given = self._of_value(size)
        for name, value in given.items():
            simulation.set_attribute(model, name, value)
        return pointer, model
