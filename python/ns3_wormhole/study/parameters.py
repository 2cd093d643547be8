# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What calibrate varies and simulates: parameters by name, and tables on a fabric."""

from __future__ import annotations

import dataclasses
import math
from typing import Mapping, Sequence

from ..collective.fabric import Fabric
from ..core import simulation
from ..core.errors import WormholeError, nearest
from ..core.loader import Later
from .measured_tables import Table
from .osu import BENCHMARKS, Plan, group_of

numpy = Later("numpy")

NO_LIMIT = 2**32 - 1  # of EagerLimit: no message begins with a handshake
_SOFTWARE = "ns3::HostSoftware"
_TIMES = ("StartUp", "SendOverhead", "ReceiveOverhead", "TransferTime", "MatchingTime",
          "DescriptorTime", "UnexpectedTime", "MessageGap", "InterfaceSendTime",
          "InterfaceReceiveTime", "FlagTime")
_RATES = ("SendDataRate", "ReceiveDataRate", "CopyDataRate")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter.

    Attributes:
        name: as in --fit
        attribute: its attribute
        is_rate: whether it is a rate, whose cost is ps per byte; else a time in ps
    """

    name: str
    attribute: str
    is_rate: bool

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and greatest cost: 1 ps to 100 ms, or 80 Tbit/s to 8 Mbit/s."""
        return (0.1, 1e6) if self.is_rate else (1.0, 1e11)

    def text(self, cost: float) -> str:
        """Returns a value of the attribute. cost: ps, or ps per byte."""
        return f"{round(8e12 / cost)}bps" if self.is_rate else f"{round(cost)}ps"

    def shown(self, cost: float, half: float | None = None) -> str:
        """Returns a value for people. cost: see text(); half: of its interval, in logarithms."""
        value, unit = (8e3 / cost, "Gbit/s") if self.is_rate else (cost / 1e6, "us")
        if half is None:
            return f"{value:.6g} {unit}"
        return f"{value:.6g} {unit} ({value * math.exp(-half):.6g} to {value * math.exp(half):.6g})"


PARAMETERS = {**{name: Parameter(name, f"{_SOFTWARE}::{name}", False) for name in _TIMES},
              **{name: Parameter(name, f"{_SOFTWARE}::{name}", True) for name in _RATES},
              "FlitTime": Parameter("FlitTime", "ns3::WormholeFabric::FlitTime", False),
              "Delay": Parameter("Delay", "ns3::WormholeChannel::Delay", False)}
EAGER_LIMIT = "EagerLimit"
EAGER_ATTRIBUTE = f"{_SOFTWARE}::{EAGER_LIMIT}"


def chosen(names: Sequence[str] | None, tables: Sequence[Table]) -> tuple[list[Parameter], bool]:
    """Returns the parameters to fit, and whether EagerLimit is one.

    Args:
        names: of these; None: those that the tables tell something of
        tables: the tables
    """
    if names is None:
        sizes = [size for table in tables for size, _ in table.rows]
        names = ["StartUp", "ReceiveOverhead"]
        if max(sizes) >= 256 and max(sizes) > 16 * min(sizes):
            names += ["SendDataRate", "ReceiveDataRate"]
        if max(sizes) >= 4096:
            names.append(EAGER_LIMIT)
        if any(table.benchmark == "bw" for table in tables):
            names.append("MessageGap")
    accepted = [*PARAMETERS, EAGER_LIMIT]
    for name in names:
        if name not in accepted:
            raise WormholeError(f"fit={name!r}: accepted are {', '.join(accepted)}"
                                f"{nearest(name, accepted)}")
    if len(set(names)) < len(names) or not set(names) - {EAGER_LIMIT}:
        raise WormholeError(f"fit={','.join(names)!r}: accepted are different parameters, one "
                            "besides EagerLimit at least")
    return [PARAMETERS[name] for name in names if name != EAGER_LIMIT], EAGER_LIMIT in names


class Simulator:
    """Tables that are simulated on a fabric."""

    def __init__(self, fabric: Fabric, tables: Sequence[Table], *, hosts=None, members=None,
                 tasks_per_host: int = 1, algorithms: Mapping[str, str] | None = None):
        """Checks arguments. algorithms: by benchmark."""
        self.fabric, self.tables, self.plans = fabric, tables, []
        self.beat = lambda: None  # is called at each length
        for table in tables:
            collective = bool(BENCHMARKS[table.benchmark].kind)
            try:
                self.plans.append(Plan(
                    fabric, table.benchmark,
                    [size for size, _ in table.rows] if BENCHMARKS[table.benchmark].sizes else None,
                    hosts=None if collective else hosts,
                    members=_group(fabric, table, members, tasks_per_host) if collective else None,
                    tasks_per_host=tasks_per_host,
                    algorithm=(algorithms or {}).get(table.benchmark),
                    iterations=None if table.benchmark == "barrier" else 1))
            except WormholeError as error:
                raise WormholeError(f"{table.path}: {error}") from None
        self.measured = numpy.array([value for table in tables for _, value in table.rows])

    def values(self, attributes: Mapping[str, object]):
        """Returns simulated values of all rows. attributes: besides the fabric's."""
        simulation.reset()
        simulation.set_seed()
        made = self.fabric.with_attributes(attributes)
        found = [value for plan in self.plans
                 for value in plan.run(made, lambda done, whole: self.beat()).value]
        return numpy.array(found)

    def residuals(self, attributes: Mapping[str, object]):
        """Returns logarithms of simulated over measured values."""
        # A bandwidth or a latency that nothing limits: any finite number is as wrong.
        return numpy.log(numpy.clip(self.values(attributes), 1e-9, 1e15) / self.measured)


def _group(fabric, table, members, tasks):
    """Returns the members' hosts of a table: the first ones, if it says how many there are."""
    if table.members is None:
        return members
    hosts, rest = divmod(table.members, tasks)
    group = group_of(fabric, members)
    if rest or not 1 <= hosts <= len(group):
        raise WormholeError(f"{table.members} members, {tasks} for each host; accepted are "
                            f"multiples of {tasks}, up to {len(group) * tasks}")
    return group[:hosts]


def starts(parameters: Sequence[Parameter], tables: Sequence[Table],
           given: Mapping[str, float]) -> list[list[float]]:
    """Returns where to begin, as logarithms of costs.

    Args:
        parameters: what is fitted
        tables: the measurements
        given: costs known beforehand, by parameter
    """
    first, byte, gap = _scales(tables)
    rest = 0.15
    # Shares of StartUp, ReceiveOverhead, SendDataRate, ReceiveDataRate and MessageGap: which of
    # sender, receiver and interface is the slowest decides which of them the data show.
    shares = ((0.6, 0.25, 0.6, 0.3, 0.3), (0.25, 0.6, 0.3, 0.6, 0.3), (0.3, 0.3, 0.45, 0.45, 1),
              (0.6, 0.25, 0.3, 0.6, 0.3), (0.25, 0.6, 0.6, 0.3, 0.3))
    found = []
    for share in shares:
        own = dict(zip(("StartUp", "ReceiveOverhead", "SendDataRate", "ReceiveDataRate",
                        "MessageGap"), share))
        start = []
        for parameter in parameters:
            scale = byte if parameter.is_rate else gap if parameter.name == "MessageGap" else first
            cost = given.get(parameter.name, own.get(parameter.name, rest) * scale)
            start.append(math.log(min(max(cost, parameter.bounds[0]), parameter.bounds[1])))
        if start not in found:
            found.append(start)
    return found


def _scales(tables):
    """Returns about what a message costs, ps; a byte of it, ps; and a message of many, ps."""
    firsts, bytes_, gaps = [], [], []
    for table in tables:
        rows = sorted(table.rows)
        (least, value), (most, last) = rows[0], rows[-1]
        if table.benchmark == "bw":
            gaps.append(1e6 * least / value)
            bytes_.append(1e6 / last)
            continue
        depth = max(1, math.ceil(math.log2(table.members or 16))) \
            if BENCHMARKS[table.benchmark].kind else 1
        firsts.append(1e6 * value / depth)
        if most > least and last > value:
            bytes_.append(1e6 * (last - value) / (most - least) / depth)
    first = min(firsts, default=0) or 2 * min(gaps)
    return first, min(bytes_, default=1000.0), min(gaps, default=first)
