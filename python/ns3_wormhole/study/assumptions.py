# SPDX-License-Identifier: GPL-2.0-only
"""What a comparison's result rests on: what limits the fastest algorithm, and values that nobody measured.

A limit is computed from the run's critical path (explain) or, if that is not sufficient, by measuring with
another window of in-switch collectives, or another gap of the interface. To find whether the order depends on
a value, the fastest algorithm and algorithms close to it are measured with the value halved and doubled.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import math
import re
from typing import Callable, Collection, Iterable, Mapping, Sequence

from ..collective.hardware import has
from ..core import bars, machine as machines, simulation
from ..core.errors import WormholeError
from ..core.loader import ns, pandas

FACTOR = 2  # by which a value is changed, up and down
_NEAR = 3  # algorithms beside the fastest, the nearest first, that are measured again
_MOST = 3  # times a comparison's own measurements that checking its order takes at most
_AT_LEAST = 24  # measurements that are always allowed
_CLEARLY = 0.99  # of another's time, below which an algorithm is before it
_GAINS = 0.9  # of the time, below which a change shows what bounds it

_HOST, _UNIT, _BESIDE = "ns3::HostSoftware::", "ns3::CollectiveUnit::", "ns3::AddOnNetwork::"
GAP = f"{_HOST}MessageGap"
# Bounds by the causes of explain.
_BOUNDS = {
    "start-up": ("start_up", "send_overhead", "receive_post", "receive_overhead", "poll", "interrupt",
                 "jitter"),
    "copying": ("copy", "unexpected_copy", "byte_overhead"), "flags": ("flag",),
    "combining": ("combine", "compute"), "registers": ("register", "register_memory"),
    "interface": ("interface_busy", "interface", "gap"),
    "interface delay": ("interface_delay", "in_transit"), "switch delay": ("switch_delay", "route_read"),
    "cables": ("propagation", "credit_return"), "network": ("ideal_network", "add_on_network"),
    "wire": ("wire", "byte_gap", "output", "turn", "buffer_queue", "credit")}
# What is varied if neither machine nor attributes give it, with what is tried where it is 0.
_DEFAULTS = {"ns3::WormholeFabric::DataRate": "", "ns3::WormholeChannel::Delay": "",
             "ns3::WormholeSwitch::Delay": "", "ns3::WormholeNetDevice::Delay": "",
             f"{_HOST}StartUp": "", f"{_HOST}ReceiveOverhead": "", GAP: "10ns",
             f"{_HOST}FlagTime": "100ns", f"{_HOST}CopyDataRate": "80Gbps",
             f"{_HOST}CombineDataRate": "80Gbps", f"{_UNIT}SlotBytes": "", f"{_UNIT}CombineRate": "100Gbps",
             **{f"{_BESIDE}{name}Time": "" for name in ("Barrier", "Reduction", "WideReduction", "ToOne",
                                                        "Broadcast")}}

# What processes of a host share, and costs nothing if it is 0.
_COPIES, _COMBINES = f"{_HOST}CopyDataRate", f"{_HOST}CombineDataRate"
_FREE = {_COPIES: "memory of a host takes any bandwidth: HostSoftware::CopyDataRate is 0",
         _COMBINES: "reductions combine at no cost: HostSoftware::CombineDataRate is 0",
         GAP: "interfaces take any message rate: HostSoftware::MessageGap is 0",
         f"{_HOST}FlagTime": "processes of one host meet at no cost: HostSoftware::FlagTime is 0"}
_BOTH = "memory of a host takes any bandwidth, reducing no time: HostSoftware::CopyDataRate, CombineDataRate are 0"
_INSTEAD = {_COPIES: f"{_HOST}CopyTime", _COMBINES: f"{_HOST}CombineTime"}  # or what costs something in its place
# What a network adapter that runs an algorithm costs.
_ADAPTER = ("AdapterMessageTime", "DoorbellTime", "CompletionTime")


@dataclasses.dataclass(frozen=True)
class Guess:
    """A value that nobody measured."""

    attribute: str  #: its full name
    text: str  #: the value
    source: str  #: where it comes from
    tried: tuple[str, ...]  #: other values

    @property
    def is_zero(self) -> bool:
        """Whether a cost was left out, which may slow any algorithm much."""
        return not re.search("[1-9]", self.text)

    def __str__(self):
        tried = f" (tried: {self.tried[0]})" if len(self.tried) == 1 else ""
        return f"{self.attribute.removeprefix('ns3::')}={shown(self.text)}{tried}"


@dataclasses.dataclass(frozen=True)
class Point:
    """A point of a comparison: a group size, and perhaps a length of data."""

    members: int  #: how many
    size: int  #: length in bytes; 0: none
    #: times by algorithm's name, us, of those that machines can do today, the fastest first
    ours: tuple[tuple[str, float], ...]
    hardware: tuple[tuple[str, float], ...] = ()  #: the same of the fastest in hardware; empty: none

    @property
    def near(self) -> list:
        """Algorithms whose rank may depend on one value: the second and the fastest in hardware, however slow, since a
        value may affect only one of two algorithms, and all algorithms within FACTOR of the fastest's time."""
        if not self.ours:
            return []
        found = [name for name, time in self.ours[1:]
                 if name == self.ours[1][0] or time < FACTOR * self.ours[0][1]][:_NEAR]
        return found + [name for name, _ in self.hardware]

    @property
    def is_close(self) -> bool:
        """Whether the next algorithm, or the fastest in hardware, is within FACTOR of the fastest."""
        best = self.ours[0][1]
        return any(best / FACTOR < time < FACTOR * best for _, time in self.ours[1:2] + self.hardware)


def scaled(attribute: str, text: str, factor: float) -> str:
    """Returns an attribute's value (in a table, each time) times a factor; "" if the value is 0, or there is no such
    attribute."""
    owner, _, name = attribute.rpartition("::")
    info = ns.TypeId.AttributeInformation()
    if not ns.TypeId.LookupByName(owner).LookupAttributeByName(name, info):
        return ""
    kind = str(info.checker.GetValueTypeName())
    if kind == "ns3::CostByLengthValue" and ":" in text:
        entries = [entry.partition(":") for entry in text.split(",")]
        return ",".join(f"{length}:{_scaled_time(time, factor) or 0}" for length, _, time in entries)
    if kind in ("ns3::TimeValue", "ns3::CostByLengthValue"):
        return _scaled_time(text, factor)
    if kind == "ns3::DataRateValue":
        value = int(ns.DataRate(text).GetBitRate())
        return f"{max(1, int(value * factor))}bps" if value else ""
    if text.isdecimal():
        return str(max(1, int(int(text) * factor))) if int(text) else ""
    return ""


def _scaled_time(text, factor):
    value = round(simulation.microseconds(simulation.time(text)) * 1e6)
    return f"{max(1, int(value * factor))}ps" if value else ""


def shown(text):
    """Returns a value as readable text: 20ns, not 20000ps."""
    if text == "0ps":
        return "0"
    for unit, factor in (("ps", {"us": 10**6, "ns": 10**3}), ("bps", {"Tbps": 10**12, "Gbps": 10**9, "Mbps": 10**6})):
        number = text.removesuffix(unit)
        if number.isdecimal():
            return next((f"{int(number) / scale:g}{name}" for name, scale in factor.items()
                         if int(number) >= scale), text)
    return text


def known(attributes: Mapping[str, object], machine) -> dict[str, object]:
    """Returns values by full name of the attribute: given values, and a machine's for all others."""
    return {**machines.read(machine), **attributes}


def free(attributes: Mapping[str, object], machine, combines: bool = False) -> list[str]:
    """Returns the costs that are 0 between processes of a host, so that results look better than they are.
    Args: as for guesses()"""
    values = known(attributes, machine)
    found = {name: words for name, words in _FREE.items() if (combines or name != _COMBINES)
             and not any(scaled(each, str(values.get(each, default(each))), 1)
                         for each in (name, _INSTEAD.get(name, name)))}
    if {_COPIES, _COMBINES} <= found.keys():
        found[_COPIES] = _BOTH
        del found[_COMBINES]
    return list(found.values())


def free_bytes(attributes: Mapping[str, object], machine) -> list[str]:
    """Returns a line if messages between hosts of an ideal network cost the same at any length, else none. Args: as for
    guesses()"""
    values, rates = known(attributes, machine), (f"{_HOST}{end}DataRate" for end in ("Send", "Receive", "Interface"))
    has_cost = any(":" in str(value) for name, value in values.items() if name.startswith(_HOST)) or any(
        scaled(name, str(values.get(name, default(name))), 1) for name in rates)
    return [] if has_cost else ["the ideal network carries bytes at no cost: HostSoftware::SendDataRate is 0"]


def of_adapters(names: Iterable[str], attributes: Mapping[str, object], machine) -> list[str]:
    """Returns a line with adapters' default costs if adapters run an algorithm, else none. names: names of algorithms;
    other arguments: as for guesses()"""
    values = known(attributes, machine)
    told = [f"{name}={shown(default(_HOST + name))}" for name in _ADAPTER if _HOST + name not in values]
    return [f"nic: this module's defaults, not the machine's: HostSoftware::{', '.join(told)}"] \
        * (bool(told) and any(has({"nic"}, name) for name in names))


def guesses(attributes: Mapping[str, object], machine, *, tasks: int, combines: bool,
            in_switch: bool, is_ideal: bool, window: str = "", beside: Collection[str] = (),
            has_rates: bool = False) -> list[Guess]:
    """Returns the values that nobody measured: values that the machine calls estimated, and the module's
    defaults of attributes that the machine does not set.

    Args:
        attributes: given attributes, which are taken as known
        machine: name or file of the machine; None: none
        tasks: processes of a host
        combines: whether values are combined
        in_switch: whether in-switch collectives take part
        is_ideal: whether there is no fabric
        window: class of the algorithm in reduction slots, if there is one
        beside: times of an add-on network that matter, such as "BarrierTime"
        has_rates: whether all cables have data rates of their own
    """
    given, told = machines.read(machine), machines.sources(machine)
    values = {name: (given[name], told[name]) for name in machines.estimated(machine)}
    for name, tried in {**_DEFAULTS, **({f"{window}::Window": ""} if window else {})}.items():
        if name not in given:
            values[name] = (default(name), "this module's default")
        elif scaled(name, given[name], 1) == "" and tried:
            values[name] = (given[name], told[name] or "the machine's")
    found = []
    for name, (text, source) in values.items():
        if name in attributes or has_rates and name.endswith("WormholeFabric::DataRate") or \
                not _matters(name, tasks, combines, in_switch, is_ideal, window, beside):
            continue
        tried = tuple(each for each in (scaled(name, text, 1 / FACTOR), scaled(name, text, FACTOR))
                      if each and each != text) or tuple(filter(None, [_DEFAULTS.get(name, "")]))
        if tried:
            found.append(Guess(name, text, source, tried))
    return found


def default(name):
    """Returns an attribute's default as text."""
    owner, _, key = name.rpartition("::")
    info = ns.TypeId.AttributeInformation()
    ns.TypeId.LookupByName(owner).LookupAttributeByName(key, info)
    text = str(info.initialValue.SerializeToString(info.checker))
    return str(ns.ExactTime.Print(ns.Time(text))) \
        if str(info.checker.GetValueTypeName()) == "ns3::TimeValue" else text


def _matters(name, tasks, combines, in_switch, is_ideal, window, beside):
    if name.endswith("::Window"):
        return in_switch and not is_ideal and name == f"{window}::Window"
    owner, _, key = name.removeprefix("ns3::").rpartition("::")
    if owner == "HostSoftware":
        return {"FlagTime": tasks > 1, "CopyDataRate": tasks > 1, "CombineDataRate": combines}.get(key, True)
    if owner == "AddOnNetwork":
        return key in beside
    if owner == "CollectiveUnit":
        return in_switch and not is_ideal and key in ("SlotBytes", "CombineRate") and \
            (combines or key != "CombineRate")
    return owner in ("WormholeFabric", "WormholeChannel", "WormholeSwitch", "WormholeNetDevice") \
        and key in ("DataRate", "FlitTime", "Delay") and not is_ideal


def vary(points: Sequence[Point], found: Sequence[Guess], own: int,
         measure: Callable[[Mapping[str, str], str, int, Sequence[int]], Mapping[int, float]],
         has_effect: Callable[[Guess, str], bool], base: Callable[[int, int, str], float],
         tell: Callable[[int, int], None]) -> tuple[list[dict], int]:
    """Measures the fastest algorithms, and those close to them, with other values.

    Args:
        points: points of the comparison
        found: values to vary
        own: how many measurements the comparison itself took
        measure: returns times by length, us (infinity: impossible), given attributes, an
            algorithm, members and lengths
        has_effect: returns whether an attribute may change an algorithm's time
        base: returns what the comparison measured, given members, length and algorithm
        tell: called with the number of measurements done, and their maximum number

    Returns:
        a row for each order that changes: members, bytes, attribute, value, source, tried, winner,
        instead, hardware (whether hardware gains or loses its lead); and how many points were checked
    """
    tries = [(guess, text) for guess in found for text in guess.tried]
    limit = max(_MOST * own, _AT_LEAST)
    uncertain, chosen = [point for point in points if point.near], []
    for is_close in (True, False):  # the latter take what is left, at least one of them
        some, left = [point for point in uncertain if point.is_close == is_close], max(1, limit - _cost(chosen, tries))
        if _cost(some, tries) > left:  # only the nearest, then only some points
            some = [dataclasses.replace(point, ours=point.ours[:2]) for point in some]
            some = some[::max(1, math.ceil(_cost(some, tries) / left))]
        chosen += some
    every = {(point.members, point.size): [name for name, _ in point.ours[1:] + point.hardware] for point in points}

    def rivals(guess, point):
        return every[point.members, point.size] if guess.is_zero else point.near

    whole = sum(1 + len(rivals(guess, point)) for guess, _ in tries for point in chosen)
    rows, done = [], 0
    for guess, text in tries:
        times: dict = {}
        for members, algorithm, sizes in batches(
                chosen, lambda point, guess=guess: [point.ours[0][0], *rivals(guess, point)]):
            tell(done, whole)
            new = measure({guess.attribute: text}, algorithm, members, sizes) \
                if has_effect(guess.attribute, algorithm) else {size: base(members, size, algorithm) for size in sizes}
            times.update({(members, size, algorithm): time for size, time in new.items()})
            done += len(sizes)
        for point in chosen:
            rows += _changes(point, rivals(guess, point), guess, text, times)
    tell(whole, whole)
    return rows, len(chosen) + len(points) - len(uncertain)


def _cost(points, tries):
    return sum(1 + len(point.near) for point in points) * len(tries)


def batches(points: Iterable[Point], algorithms):
    """Yields members, algorithm and lengths to measure at points."""
    batches: dict = {}
    for point in points:
        for algorithm in algorithms(point):
            batches.setdefault((point.members, algorithm), []).append(point.size)
    yield from ((*key, sizes) for key, sizes in batches.items())


def _changes(point, rivals, guess, text, times):
    """Yields rows for algorithms whose order changes at a point."""
    first, time = point.ours[0][0], times[point.members, point.size, point.ours[0][0]]
    hardware = dict(point.hardware)
    row = {"members": point.members, "bytes": point.size, "attribute": guess.attribute,
           "value": guess.text, "source": guess.source, "tried": text}
    for is_hardware in (False, True):
        others = [name for name in rivals if (name in hardware) == is_hardware]
        new = {name: times[point.members, point.size, name] for name in others
               if times[point.members, point.size, name] < math.inf}  # else not with this value
        if not new or time == math.inf:
            continue
        best = min(new, key=new.get)
        led = is_hardware and hardware[best] < point.ours[0][1]
        before, after = (time, new[best]) if led else (new[best], time)
        if before < _CLEARLY * after:
            pair = (best, first) if led else (first, best)
            yield {**row, "winner": pair[0], "instead": pair[1], "hardware": is_hardware}
        if not is_hardware and new[best] < time:
            first, time = best, new[best]  # with which hardware competes


def changes_as_text(rows: Sequence[Mapping], text_of: Callable[[int], str]) -> list[str]:
    """Returns a line of text for each value and change. text_of: returns a length's text"""
    grouped, by = {}, ("attribute", "value", "source", "tried", "winner", "instead", "members")
    for row in rows:
        grouped.setdefault(tuple(row[name] for name in by), []).append(row["bytes"])
    lines = []
    for (attribute, value, source, tried, winner, instead, members), sizes in grouped.items():
        at = "" if not any(sizes) else f", at {text_of(min(sizes))}" + (
            f" to {text_of(max(sizes))}" if len(sizes) > 1 else "")
        lines.append(f"{attribute.removeprefix('ns3::')}={shown(value)} ({source}): with {shown(tried)} "
                     f"{instead} before {winner}, {members} members{at}")
    return lines


def shares(row: Mapping[str, object]) -> dict[str, float]:
    """Returns each limit's share of a time, from the columns of an explanation."""
    times = {bound: sum(_time(row, f"{cause}_us") for cause in causes) for bound, causes in _BOUNDS.items()}
    whole = sum(times.values())
    return {bound: time / whole for bound, time in times.items()} if whole else {}


def _time(row, column):
    value = row.get(column, 0.0)
    return float(value) if value == value else 0.0


def bound(row: Mapping[str, object], faster: Callable[[str], float]) -> tuple[str, float]:
    """Returns what limits a time, and its share of the time. row: a row with the columns of an explanation, and
    latency_us; faster: returns the time, us, with a window twice as long ("window"), or half the interface's gap
    ("gap"); infinity if there is no such setting."""
    parts = shares(row)
    if not parts:
        return "", math.nan
    time = float(row["latency_us"])
    gained = 1 - faster("window") / time if time else 0.0
    if gained > 1 - _GAINS:
        return "window", gained
    if parts["interface"] and faster("gap") > time * (1 - parts["interface"] / 8):
        # Waiting for the interface is waiting for what it sends, and not for its gap.
        parts["wire"] += parts.pop("interface")
    name = max(parts, key=parts.get)
    return ("interface gap" if name == "interface" else name), parts[name]


def points_of(able: pandas.DataFrame) -> list[Point]:
    """Returns the points of a table. able: members, bytes, algorithm, latency_us and is_hardware of all measurements
    that were possible"""
    able = able.sort_values("latency_us", kind="stable")
    return [Point(int(members), int(size), *(tuple(zip(some.algorithm, some.latency_us)) for some in (
        each[~each.is_hardware], each[each.is_hardware].head(1))))
        for (members, size), each in able.groupby(["members", "bytes"], sort=True)]


def check(table: pandas.DataFrame, able: pandas.DataFrame, guesses: Sequence[Guess], *, run: Callable,
          has_effect: Callable, known: Mapping[str, object], progress: bool | None,
          longer: Callable[[str], Mapping[str, str]] = lambda name: {}) -> None:
    """Adds limits, changes of the order, and the values tried to a table's attrs. table: table of a comparison; able:
    see points_of(); guesses: values that nobody measured; run: given attributes, an algorithm, members and lengths,
    returns rows by length for the possible lengths, with latency_us and, if its last argument is set, the columns of an
    explanation; has_effect: see vary(); known: from known(); progress: whether to show bars; None: on a terminal, after
    two seconds; longer: given an algorithm's name, returns attributes that double its window, if it has one"""
    lost: set = set()  # attributes with whose values something could not be measured

    def measure(attributes, name, members, sizes):
        rows = {}
        with contextlib.suppress(WormholeError):  # not with this fabric
            rows = run(attributes, name, members, sizes, False)
        lost.update(attributes if len(rows) < len(sizes) else ())
        return {size: rows[size]["latency_us"] if size in rows else math.inf for size in sizes}

    def faster(name, members, size, what):
        tried = longer(name) if what == "window" else changed(known, GAP, 0.5)
        return measure(tried, name, members, [size])[size] if any(tried.values()) else math.inf

    points, bounds = points_of(able), []
    base = {(row.members, row.bytes, row.algorithm): row.latency_us for row in able.itertuples()}
    with bars.bar("what bounds it", progress) as tell:
        whole = list(batches(points, lambda point: [some[0][0] for some in (point.ours, point.hardware) if some]))
        for number, (members, name, sizes) in enumerate(whole):
            tell(number, len(whole))
            for size, row in run({}, name, members, sizes, True).items():
                what, part = bound(row, functools.partial(faster, name, members, size))
                bounds.append({"members": members, "bytes": size, "algorithm": name, "bound": what,
                               "percent": 100 * part})
        tell(len(whole), len(whole))
    with bars.bar("what it depends on", progress) as tell:
        rows, checked = vary(points, guesses, len(table), measure, has_effect, lambda *key: base[key], tell)
    simulation.reset()
    table.attrs.update(bounds=bounds, changes=rows, checked=(checked, len(points)), varied=[
        str(each) for each in guesses if any(point.near for point in points) and each.attribute not in lost])


def changed(values: Mapping[str, object], attribute: str, factor: float) -> dict[str, str]:
    """Returns an attribute times a factor, as attributes; its value is empty if it is 0. values: from known()"""
    return {attribute: scaled(attribute, str(values.get(attribute, default(attribute))), factor)}
