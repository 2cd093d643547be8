# SPDX-License-Identifier: GPL-2.0-only
"""The parameters that calibrate varies: times, rates, and times by length."""

import dataclasses
import functools
import math
from typing import Mapping, Sequence

from ..core import lengths, simulation
from ..core.errors import WormholeError, nearest
from ..core.loader import ns
from .measured_tables import Table
from .osu import MEASURED

NO_LIMIT = 2**32 - 1  # of EagerLimit: no message begins with a handshake
_SOFTWARE = "ns3::HostSoftware"
EAGER_LIMIT = "EagerLimit"
EAGER_ATTRIBUTE = f"{_SOFTWARE}::{EAGER_LIMIT}"
_SHORT = {"FlitTime": "WormholeFabric::FlitTime", "Delay": "WormholeChannel::Delay"}
_TABLE = "time by length"
_KINDS = {"ns3::TimeValue": "time", "ns3::DataRateValue": "rate", "ns3::CostByLengthValue": _TABLE}
# Costs that are fitted by length where the tables show breaks, and rates of which each takes the place.
BY_LENGTH = {"SendOverhead": "SendDataRate", "ReceiveOverhead": "ReceiveDataRate", "Latency": "",
             "TransferTime": "", "MessageGap": "", "UnexpectedTime": "", "InterfaceSendTime": "InterfaceDataRate",
             "InterfaceReceiveTime": "", "CopyTime": "CopyDataRate", "CombineTime": "CombineDataRate"}
# Those of which nothing is known beyond the longest length: they stay what they are there.
_FLAT = ("MessageGap", "UnexpectedTime")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter."""

    name: str  #: as in --fit
    attribute: str  #: its attribute
    is_rate: bool  #: whether it is a rate, whose cost is ps per byte; else a time in ps
    entries: tuple[int, ...] = ()  #: lengths of a table, in bytes; empty: a single value

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its costs: its own, or by length, as "SendOverhead(8KiB)"."""
        return tuple(f"{self.name}({lengths.text(each)})" for each in self.entries) or (self.name,)

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest cost: 1 ps to 100 ms (of a table, 100 s), or 80 Tbit/s to 8 Mbit/s."""
        return (0.1, 1e6) if self.is_rate else (1.0, 1e14 if self.entries else 1e11)

    def text(self, costs: Sequence[float]) -> str:
        """Returns a value of the attribute. costs: ps, or ps per byte; one for each of the names."""
        if not self.entries:
            return f"{round(8e12 / costs[0])}bps" if self.is_rate else f"{round(costs[0])}ps"
        times = [round(each) for each in costs]
        pairs = list(zip(self.entries, times))
        if self.name in _FLAT:
            pairs.append(pairs[-1])
        elif len(pairs) > 1:  # what follows must not fall
            pairs[-1] = (pairs[-1][0], max(times[-2:]))
        return ",".join(f"{length}:{time}ps" for length, time in pairs)

    def least(self) -> str:
        """Returns a value that costs nothing."""
        return self.text([self.bounds[0]] * len(self.names))

    def shown(self, cost: float) -> str:
        """Returns a cost as readable text. cost: see text()"""
        return f"{8e3 / cost:.6g} Gbit/s" if self.is_rate else f"{cost / 1e6:.6g} us"


@functools.lru_cache(maxsize=None)
def _kinds_of(owner):
    of = ns.TypeId()
    if not ns.TypeId.LookupByNameFailSafe(owner, of):
        return {}
    each = [of.GetAttribute(i) for i in range(of.GetAttributeN())]
    kinds = {str(one.name): str(one.checker.GetValueTypeName()) for one in each
             if int(one.supportLevel) == int(ns.TypeId.SUPPORTED)}
    return {name: _KINDS[kind] for name, kind in kinds.items() if kind in _KINDS}


def parameter(name: str, entries: Sequence[int] = ()) -> Parameter:
    """Returns a parameter; refuses unknown names. name: name of a time or rate of hosts' software or, with its class,
    of another object, such as WormholeNetDevice::Delay; entries: 2 or more lengths of a table; else a single value."""
    attribute = simulation.attribute_name(name if "::" in name else _SHORT.get(name, f"HostSoftware::{name}"))
    owner, _, short = attribute.rpartition("::")
    kind = _kinds_of(owner).get(short)
    if not kind:
        accepted = [*_kinds_of(_SOFTWARE), *_SHORT, EAGER_LIMIT]
        raise WormholeError(f"fit={name!r}: expected {', '.join(accepted)}, and times and rates of other "
                            f"classes, as WormholeNetDevice::Delay{nearest(name, accepted)}")
    return Parameter(name, attribute, kind == "rate", tuple(entries) if kind == _TABLE and len(entries) > 1 else ())


def usual(tables: Sequence[Table]) -> list[str]:
    """Returns the names of single-value parameters on which tables provide information."""
    sizes = [size for table in tables for size, _ in table.rows]
    names = ["StartUp", "ReceiveOverhead"]
    if max(sizes) >= 256 and max(sizes) > 16 * min(sizes):
        names += ["SendDataRate", "ReceiveDataRate"]
    if any(table.benchmark == "bw" for table in tables):
        names.append("MessageGap")
    return names


def chosen(names: Sequence[str], entries: Mapping[str, Sequence[int]]) -> tuple[list[Parameter], bool]:
    """Returns parameters, and whether EagerLimit is one of them. entries: lengths of tables, by name"""
    found = [parameter(name, () if BY_LENGTH.get(name) in names else entries.get(name, ()))
             for name in names if name != EAGER_LIMIT]
    if len({each.attribute for each in found}) + (EAGER_LIMIT in names) < len(names) or not found:
        raise WormholeError(f"fit={','.join(names)!r}: expected different parameters, one "
                            "besides EagerLimit at least")
    return found, EAGER_LIMIT in names


def starts(parameters: Sequence[Parameter], tables: Sequence[Table], given: Mapping[str, float]) -> list[list[float]]:
    """Returns starting points of single values, as logarithms of costs. given: costs known beforehand, by parameter."""
    first, byte, gap = _scales(tables)
    # Shares of StartUp, ReceiveOverhead, SendDataRate, ReceiveDataRate and MessageGap: which of
    # sender, receiver and interface is the slowest decides which of them the data show.
    names = ("StartUp", "ReceiveOverhead", "SendDataRate", "ReceiveDataRate", "MessageGap")
    shares = ((0.6, 0.25, 0.6, 0.3, 0.3), (0.25, 0.6, 0.3, 0.6, 0.3), (0.3, 0.3, 0.45, 0.45, 1),
              (0.6, 0.25, 0.3, 0.6, 0.3), (0.25, 0.6, 0.6, 0.3, 0.3))
    found = []
    for own in (dict(zip(names, share)) for share in shares):
        start = []
        for each in parameters:
            scale = byte if each.is_rate else gap if each.name == "MessageGap" else first
            cost = own[each.name] * scale if each.name in own else given.get(each.name) or 0.15 * scale
            start.append(math.log(min(max(cost, each.bounds[0]), each.bounds[1])))
        if start not in found:
            found.append(start)
    return found


def _scales(tables):
    """Returns the approximate costs of a message, of a byte of it, and of one of many messages, ps."""
    firsts, bytes_, gaps = [], [], []
    for table in tables:
        rows = sorted(table.rows)
        (least, value), (most, last) = rows[0], rows[-1]
        if table.benchmark == "bw":
            gaps.append(1e6 * least / value)
            bytes_.append(1e6 / last)
            continue
        depth = depth_of(table)
        firsts.append(1e6 * value / depth)
        if most > least and last > value:
            bytes_.append(1e6 * (last - value) / (most - least) / depth)
    first = min(firsts, default=0) or 2 * min(gaps)
    return first, min(bytes_, default=1000.0), min(gaps, default=first)


def depth_of(table: Table) -> int:
    """Returns the approximate number of consecutive messages in a table's measurement."""
    return max(1, math.ceil(math.log2(table.members or 16))) if MEASURED[table.benchmark].kind else 1
