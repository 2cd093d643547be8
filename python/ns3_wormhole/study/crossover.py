# SPDX-License-Identifier: GPL-2.0-only
"""Which algorithm to choose at which length: compares all algorithms of a kind, and finds where the winner changes."""

from __future__ import annotations

import dataclasses
import functools
import re
from typing import Callable, Mapping, Sequence

from ..collective import explain as explanations
from ..collective.data import operation_of
from ..collective.fabric import Fabric, given_fabric
from ..collective.hardware import (ADD_ON, IN_SWITCH, ONE_PROCESS_A_HOST, add_on_times, without_switches)
from ..collective.ideal import IdealNetwork
from ..collective.values import KINDS, combines
from ..core import arguments, bars, lengths, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import bridge, ns, pandas
from . import assumptions
from .measurements import (Algorithm, Count, DEPLOYABLE, Measurements, Request, told_groups,
                           told_placement, with_setting, with_window)

COLUMNS = ("kind", "algorithm", "members", "bytes", "load", "latency_us", "latency_us_p99", "needs", "reason")
_SMP = "smp"  # leaders run another algorithm between hosts; processes of a host share memory
LOADED_ROUNDS = 20
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
              placement: str = "shuffled", network: str = "fabric", latency: str = _LATENCY,
              tolerance: float = 0.01, runs: int = 1, seed: int = 1,
              attributes: Mapping[str, object] | None = None, machine: str | None = None,
              explain: bool = False, check: bool = False, hypothetical: bool = False,
              among: Mapping[str, Callable[[str], object]] | None = None,
              progress: bool | None = None) -> pandas.DataFrame:
    """Compares all algorithms of a kind over lengths, and finds where the winner changes.

    Winners are algorithms that machines can run today, in software or with remote writes by the
    interface; what other hardware (in-switch, adapter, add-on) would gain is shown separately.

    Args:
        bytes: lengths, such as 8,...,64MiB or 8:64MiB (powers of two) or 8,1kB,64KiB, of the vector; in a gather,
            scatter or allgather, of each member's part; in an alltoall, of each pair's part
        kind: "allreduction", "broadcast", "reduction", "gather", "scatter", "allgather",
            "reduce-scatter", "alltoall" or "scan"; MPI's names are accepted, too
        fabric: a fabric, or its JSON file
        topology: topology family, such as "torus:8x8", in place of a fabric
        switches, hosts: size of the irregular fabric that each run draws without fabric or topology
        routing: routing engine in place of the fabric's own routes, such as "balanced"; see
            ns3_wormhole.routing_engines()
        names: names of algorithms, with attributes such as "ring[SegmentBytes=65536]"; by default all that can handle a
            length (some only up to 8 bytes), but smp only if hosts have several processes
        group_sizes: numbers of hosts in a group
        tasks_per_host: processes of each host, each a member
        operation: how values are combined: "sum", "product", "min", "max", "and", "or" or "xor"; "sum" by default
        load: background traffic of each host, as a fraction of a channel's rate; 0: none
        load_flits: length of this traffic's worms in flits, in any form that latency-load takes
        load_pattern: pattern of this traffic, one of latency-load's
        rounds: number of rounds of each group; by default 20 with load, else 1
        transports: transports of software algorithms: "sendrecv", "rdma" or both
        segment_bytes: segment lengths, such as 8KiB,64KiB, to try with software algorithms that can
            segment messages, besides whole messages; by default only whole messages
        windows: numbers of outstanding segments, such as 16,32, to try with in-switch algorithms, besides
            8; by default only 8. The attribute CollectiveUnit::SlotBytes sets a segment's length
        placement: where a group is (or: order): "first", "random" or "sorted" (ranks in the order of hosts), "shuffled"
            or "drawn" (ranks in random order; the default), "best" (the hosts that study.placement.place finds for the
            longest length, and for the algorithm if only one is named), hosts by rank ("h0,h5"), or a file of hosts
        network: "fabric", or "ideal" for a network without contention
        latency: flight time of a message on the ideal network
        tolerance: accuracy of a crossover's length, as a fraction; 0: to within 4 bytes
        runs: number of random groups of each size; also named placements
        seed: seed of random numbers
        attributes: attributes of the fabric's parts, as for Fabric; they override a given fabric's own
        machine: name or file of a machine; attributes override its values; None: a given fabric's machine
        explain: whether to break down the latency of each algorithm's last round by cause, see
            Collective.explain; with load, of all rounds of the last run
        check: whether to report what limits the fastest algorithm at each length, and whether the order
            changes if an estimated value is halved or doubled; not with load
        hypothetical: whether to include in-switch collectives on a machine whose switches lack them.
            Naming such an algorithm, windows, or an attribute of CollectiveUnit, includes them, too
        among: sets of algorithms within which changes of the winner are found, too: for each set, a
            function that tells whether a name belongs to it; see report.tuning.among()
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each algorithm, number of members and length: the median latency over rounds and runs, and the
        99th percentile; needs: software, nic (remote writes), adapter (which runs the algorithm), switch or add-on;
        reason: why the algorithm can't run (it then has no latency). explain adds explanation, a text, and the time of
        each cause, as in algorithms(); with traffic also traffic_percent. attrs["crossovers"]: the crossovers as dicts;
        see winners() and crossovers(); attrs["among"]: by set, dicts of the changes within it; attrs["between"]: what
        was measured to find crossovers, dicts of algorithm, members, bytes and latency_us. attrs["placement"] is where
        members are, attrs["groups"] how many groups were drawn, attrs["left_out"] why in-switch collectives were left
        out, attrs["free"] what costs nothing. check adds attrs["bounds"]: dicts of members, bytes, algorithm, bound and
        percent of the time; attrs["changes"]: dicts of members, bytes, attribute, value, source, tried, winner, instead
        and hardware; attrs["varied"]: the values varied; attrs["checked"]: how many points were checked, of how many

    Raises:
        WormholeError: if an argument is refused, or no algorithm can do it
    """
    kind = str(ns.CollectiveHelper.GetKindName(kind))
    if kind == "barrier":
        raise WormholeError("a barrier has no length; expected the other kinds, or no bytes")
    sizes = lengths.listed("bytes", bytes)
    if operation and not combines(kind):
        raise WormholeError(f"operation={operation}: has no effect on {kind}; use it "
                            "with kinds that combine")
    if load:
        arguments.ratio("load", load)
    arguments.word("load_pattern", load_pattern, [str(name) for name in ns.WormholeTrafficHelper.GetPatternNames()])
    arguments.word("network", network, ("fabric", "ideal"))
    if load and network == "ideal":
        raise WormholeError(f"load={load}: there is no traffic on the ideal network; use it "
                            "on a fabric")
    if isinstance(tolerance, bool) or not 0 <= tolerance <= 1:
        raise WormholeError(f"tolerance={tolerance!r}: expected a number from 0 to 1")
    request = Request(kind, operation_of(operation or "sum"), float(load), str(load_flits),
                      load_pattern,
                      arguments.whole("rounds", (LOADED_ROUNDS if load else 1) if rounds is None
                                      else rounds, 1, 10**6),
                      arguments.whole("tasks_per_host", tasks_per_host, 1, 4096),
                      arguments.whole("runs", runs, 1, 10**6), seed,
                      placement, float(tolerance), bool(explain))
    if network == "ideal" and routing:
        raise WormholeError(f"routing={routing}: has no effect on the ideal network; use it with "
                            "network fabric")
    given = given_fabric(fabric, topology, seed=seed, routing=routing, attributes=attributes, machine=machine)
    places = _places(given, switches, hosts, routing, network, latency, attributes, machine)
    if network != "ideal" and str(latency) != _LATENCY:
        raise WormholeError(f"latency={latency}: has no effect on a fabric; use it with "
                            "network ideal")
    groups = list(dict.fromkeys(arguments.whole("group_sizes", each, 1) for each in arguments.listed(group_sizes)))
    chosen = _algorithms(request, names, transports, segment_bytes, windows)
    asked = {"switches": switches, "hosts": hosts, "windows": windows, "transports": transports,
             "segment_bytes": segment_bytes, "load_flits": load_flits, "load_pattern": load_pattern,
             "rounds": rounds, "tolerance": tolerance, "seed": seed, "runs": runs}
    alike = "a fabric: all hosts of an ideal network are alike" if network == "ideal" else ""
    arguments.warn_idle(crossover, asked, {
        **arguments.idle_of_drawing(fabric, topology, network == "ideal"),
        **_lacking(request, chosen, sizes, segment_bytes),
        **dict.fromkeys(("load_flits", "load_pattern", "rounds"), "" if load else "load"),
        "tolerance": "" if len(sizes) > 1 else "several lengths", "seed": alike, "runs": alike})
    place = places(seed, 1)
    chosen, left_out = without_switches(
        chosen, lambda each: each.needs == "switch", place.machine, hypothetical,
        bool(arguments.listed(names) or arguments.listed(windows)), place.attributes)
    rows, found, between = [], [], []
    found_among: dict[str, list[dict]] = {name: [] for name in among or {}}
    with bars.bar("crossover", progress) as tell:
        count = Count(tell, len(groups) * len(chosen) * len(sizes) * request.runs)
        for group in groups:
            one = Measurements(request, places, group, chosen, count)
            rows += one.rows(sizes)
            found += one.crossovers(sizes)
            for name, is_among in (among or {}).items():
                found_among[name] += one.crossovers(sizes, is_among)
            between += one.between()
    simulation.reset()
    if all(row["reason"] for row in rows):
        raise WormholeError("{algorithm} can't at {0}: {reason}".format(lengths.text(rows[0]["bytes"]), **rows[0]))
    table = pandas.DataFrame(rows)
    table = explanations.filled(table[[*COLUMNS, *table.columns.difference(COLUMNS, sort=False)]], table.reason == "")
    table.attrs.update(
        crossovers=found, among=found_among, between=between, placement=told_placement(placement),
        groups="" if network == "ideal" else told_groups(placement, request.runs),
        left_out=left_out, machine=machines.told(place.machine),
        rates=place.own_rates() if isinstance(place, Fabric) else "",
        has_shallow_lanes=isinstance(place, Fabric) and int(place.router().GetNLanes()) > 1
        and "ns3::WormholePort::BufferDepth" not in assumptions.known(place.attributes, place.machine),
        has_in_switch=machines.has_in_switch(place.machine),
        free=(assumptions.free(place.attributes, place.machine, combines(kind)) if request.tasks > 1 else []) + (
            assumptions.free_bytes(place.attributes, place.machine) if network == "ideal" else []))
    if check and not request.load:
        _Check(request, places, chosen).run(table, progress)
    return table


def winners(table: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the decision table of crossover()'s result: a row for each number of members and length, with
    winner, its latency_us and needs; next and next_factor: the second, and how many times as long it takes;
    hardware, hardware_us and gain: the fastest algorithm on other hardware, and how many times as long the winner
    takes; in a checked table also bound and hardware_bound: what limits each of them, and its share of the time."""
    rows = []
    bounds = {(each["members"], each["bytes"], each["algorithm"]): f"{each['bound']} {each['percent']:.0f} %"
              for each in table.attrs.get("bounds", ()) if each["bound"]}
    for (members, size), each in table.groupby(["members", "bytes"], sort=True):
        able = each[each.reason == ""].sort_values("latency_us", kind="stable")
        ours, theirs = (able[able.needs.isin(DEPLOYABLE) == wanted] for wanted in (True, False))
        (winner, time, needs), (later, next_time, _), (hardware, hardware_time, _) = (
            some[["algorithm", "latency_us", "needs"]].iloc[at] if at < len(some) else ("", float("nan"), "")
            for some, at in ((ours, 0), (ours, 1), (theirs, 0)))
        told = (("bound", winner), ("hardware_bound", hardware)) if bounds else ()
        rows.append({"members": members, "bytes": size, "winner": winner, "latency_us": time, "needs": needs,
                     "next": later, "next_factor": _ratio(next_time, time), "hardware": hardware,
                     "hardware_us": hardware_time, "gain": _ratio(time, hardware_time),
                     **{key: bounds.get((members, size, name), "") for key, name in told}})
    return pandas.DataFrame(rows)


def _ratio(time, other):
    """Returns the ratio of two times; the time of a group with one member may be 0."""
    return time / other if other else float("nan")


def crossovers(table: pandas.DataFrame, among: str = "") -> pandas.DataFrame:
    """Returns a row for each change of the winner in crossover()'s result: members; below, the winner
    up to last_bytes; above, the winner from first_bytes on; latency_us there; hardware: whether
    hardware takes part. among: the set of algorithms considered, if requested; else all"""
    found = table.attrs.get("among", {}).get(among, table.attrs.get("crossovers", ()))
    return pandas.DataFrame(found, columns=["members", "hardware", "below", "last_bytes", "above",
                                            "first_bytes", "latency_us"])


def _places(given, switches, hosts, routing, network, latency, attributes, machine):
    switches, hosts = arguments.whole("switches", switches), arguments.whole("hosts", hosts)
    if network == "ideal":
        ideal = IdealNetwork.like(given, latency) if given else \
            IdealNetwork(hosts, latency, attributes=attributes, machine=machine)
        return lambda seed, run: ideal
    if given:
        return lambda seed, run: given
    return functools.lru_cache(maxsize=4)(lambda seed, run: Fabric.irregular(
        switches, hosts, seed=seed, run=run, routing=routing, attributes=attributes, machine=machine))


def _algorithms(request, names, transports, segment_bytes, windows):
    """Returns the algorithms to compare: each one, and each with the requested settings."""
    kind = request.kind
    windows = dict.fromkeys(arguments.whole("windows", each, 1, 2**32 - 1) for each in arguments.listed(windows))
    transports = dict.fromkeys(arguments.word("transports", each, ("sendrecv", "rdma"))
                               for each in arguments.listed(transports))
    segments = dict.fromkeys(lengths.parse("segment_bytes", each) for each in arguments.listed(segment_bytes))
    data = [str(name) for name in ns.CollectiveHelper.GetDataNames(kind)]
    hardware = {name for name in data if not bridge.IsBySoftware(ns.CollectiveHelper.MakeData(kind, name))}
    given = list(dict.fromkeys(str(name) for name in arguments.listed(names)))
    values = [str(name) for name in ns.CollectiveHelper.GetNames(kind)] if kind in KINDS else []
    if request.tasks == 1:  # then it is what it has inside
        data, values = ([name for name in names if name != _SMP] for names in (data, values))

    def varied(algorithm, stem):
        """Returns an algorithm with each requested setting that its name does not set itself."""
        name = algorithm.name
        if not algorithm.is_data:
            return [algorithm]
        cut = [_named(kind, with_window(name, window), hardware) for window in windows
               if algorithm.needs == "switch" and "Window=" not in name]
        if stem in hardware:
            return [algorithm, *cut]
        found = []
        for transport in ["sendrecv"] if "Transport=" in name else transports:
            own = name if transport == "sendrecv" else with_setting(name, f"Transport={transport}")
            found.append(_named(kind, own, hardware))
            found += [dataclasses.replace(_named(kind, with_setting(own, f"SegmentBytes={size}"), hardware),
                                          segment=size)
                      for size in segments if "SegmentBytes=" not in own]
        return found + cut

    if given:
        return list(dict.fromkeys(each for name in given
                                  for each in varied(_named(kind, name, hardware), name.partition("[")[0])))
    found = []
    for name in data:
        found += varied(_named(kind, _wrapped(name, request.tasks, hardware, _SMP in data), hardware), name)
        if name == _SMP:  # with each of the others between the leaders, besides its usual one
            usual = simulation.get_attribute(ns.CollectiveHelper.MakeData(kind, _SMP), "Inner")
            found += [each for inner in data if inner not in (_SMP, usual) and inner not in hardware
                      for each in varied(_named(kind, f"{_SMP}[Inner={inner}]", hardware), name)]
    found += [_named(kind, _wrapped(name, request.tasks, ONE_PROCESS_A_HOST, True), hardware, False)
              for name in values if name not in data]
    return found


def _lacking(request, chosen, sizes, segment_bytes):
    """Returns what is missing for settings of algorithms to have an effect, see arguments.warn_idle()."""
    software = [each for each in chosen if each.is_data and each.needs in ("software", "nic")]
    segments = [lengths.parse("segment_bytes", each) for each in arguments.listed(segment_bytes)]
    cuts = software and any(each < max(sizes) for each in segments)
    such = f", such as {_wrapped('btin', request.tasks, IN_SWITCH, True)}" if request.kind in _WINDOWS else ""
    return {"windows": "" if any("Window=" in each.name for each in chosen)
            else f"an algorithm in switches that moves data{such}",
            "transports": "" if software else "an algorithm of software that moves data",
            "segment_bytes": "" if cuts else "longer data, and an algorithm of software"}


def _wrapped(name, tasks, hardware, has_smp):
    """Returns the name of an algorithm that serves several processes of a host, if the hardware alone does not."""
    return f"{_SMP}[Inner={name}]" if tasks > 1 and name in hardware and has_smp else name


def _named(kind, name, hardware, is_data=True):
    """Returns the algorithm of a name: for data if it and its inner algorithm have such a form, else for a value."""
    inner = set(re.findall(r"\bInner=([\w-]+)", name)) if kind in KINDS else set()
    if inner & {str(each) for each in ns.CollectiveHelper.GetNames(kind)}:
        is_data &= inner <= {str(each) for each in ns.CollectiveHelper.GetDataNames(kind)}
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
    return Algorithm(name, is_data, "add-on" if words & ADD_ON else "switch" if words & (hardware | IN_SWITCH)
                     else "adapter" if "nic" in words else "nic" if {"Transport", "rdma"} <= words else "software")


# Classes of algorithms in reduction slots, whose windows are theirs, by kind.
_WINDOWS = {kind: f"ns3::InSwitchData{name}" for kind, name in (
    ("allreduction", "AllReduction"), ("reduction", "Reduction"), ("broadcast", "Broadcast"),
    ("gather", "Gather"), ("alltoall", "AllToAll"))}


class _Check:
    """Measures a comparison again, with other values; see assumptions."""

    def __init__(self, request, places, algorithms):
        self._request, self._places = request, places
        self._known = {each.name: each for each in algorithms}
        self._place = places(request.seed, 1)
        self._given = assumptions.known(self._place.attributes, self._place.machine)
        self._window = _WINDOWS.get(request.kind, "")

    def run(self, table: pandas.DataFrame, progress: bool | None) -> None:
        """Adds limits, changes of the order, and the values tried to the table's attrs."""
        is_fabric = isinstance(self._place, Fabric)
        found = assumptions.guesses(
            self._place.attributes, self._place.machine, tasks=self._request.tasks,
            combines=combines(self._request.kind), in_switch=(table.needs == "switch").any(),
            is_ideal=not is_fabric, window=self._window,
            has_rates=is_fabric and self._place.has_rates(),
            beside=add_on_times(self._request.kind, 64, self._known))
        able = table[table.reason == ""].assign(is_hardware=~table.needs.isin(DEPLOYABLE))
        assumptions.check(table, able, found, run=self._run, has_effect=self._has_effect, known=self._given,
                          progress=progress, longer=self._longer)

    def _run(self, attributes, name, members, sizes, explains):
        known, kept = self._known[name], dict(attributes)
        for attribute in [each for each in kept if each.endswith("::Window")]:
            known = dataclasses.replace(known, name=with_window(known.name, kept.pop(attribute)))
        places = functools.lru_cache(maxsize=4)(
            lambda seed, run: self._places(seed, run).with_attributes(kept)) if kept else self._places
        request = dataclasses.replace(self._request, explains=explains)
        one = Measurements(request, places, members // request.tasks, [known])
        return {size: row for size, row in one.measured(known, sizes).items() if not row["reason"]}

    def _has_effect(self, attribute, name):
        known = self._known[name]
        is_in_slots = known.needs == "switch" and known.is_data
        if attribute.endswith("::Window"):
            return is_in_slots and "Window=" not in name
        return is_in_slots or "CollectiveUnit" not in attribute

    def _longer(self, name):
        """Returns the window twice as long; nothing if it has no effect."""
        window = f"{self._window}::Window"
        return assumptions.changed(self._given, window, 2) \
            if self._window and self._has_effect(window, name) else {}
