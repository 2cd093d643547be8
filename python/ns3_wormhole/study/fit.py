# SPDX-License-Identifier: GPL-2.0-only
"""What calibrate varies and simulates, least squares in logarithms of it, and what the data determine."""

from __future__ import annotations

import dataclasses
import math
from typing import Callable, Mapping, Sequence

from ..collective.fabric import Fabric
from ..core import simulation
from ..core.errors import WormholeError, nearest
from ..core.loader import numpy
from .measured_tables import Table
from .osu import BENCHMARKS, Plan, group_of

# A relative error below which no measurement is believed, though the fit be exact.
FLOOR = 1e-3
# Columns of the Jacobian whose angle has a sine below this are one direction.
_PARALLEL = 2e-2
# A parameter of which a relative change e changes no value by more than this times e has no effect.
_NO_EFFECT = 1e-3
# Steps of the finite differences, in logarithms.
STEP = 4e-3


@dataclasses.dataclass(frozen=True)
class Group:
    """Parameters of which the data determine a sum only."""

    names: tuple[str, ...]  #: of the parameters
    factors: tuple[float, ...]  #: what each one's cost counts in the sum, that of the first is 1
    value: float  #: the sum, ps or ps per byte
    interval: float  #: half of its 95 % interval


@dataclasses.dataclass(frozen=True)
class Solution:
    """A minimum."""

    x: object  #: logarithms of the costs
    residuals: object  #: logarithms of simulated over measured, by row
    jacobian: object  #: their derivatives
    evaluations: int = 0  #: how often the model was evaluated

    @property
    def square(self) -> float:
        """Sum of the residuals' squares."""
        return float(numpy.sum(self.residuals ** 2))


def jacobian(model: Callable, x, base):
    """Returns the derivatives of residuals. model: gives these; x: where; base: these there."""
    columns = []
    for i in range(len(x)):
        moved = numpy.array(x)
        moved[i] += STEP
        columns.append((model(moved) - base) / STEP)
    return numpy.stack(columns, axis=1)


def minimise(model: Callable, start: Sequence[float], low: Sequence[float],
             high: Sequence[float], limit: int = 60) -> Solution:
    """Finds a minimum of a sum of squares. model: residuals of logarithms of costs; start, low, high:
    of these; limit: most steps."""
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise WormholeError("there is no scipy, which calibrate needs; install it: "
                            "pip install 'ns3-wormhole[calibrate]'") from None
    count, known = [0], {}

    def counted(x):
        key = tuple(x)
        if key not in known:
            count[0] += 1
            known[key] = model(x)
        return known[key]

    low, high = numpy.array(low), numpy.array(high)
    start = numpy.clip(numpy.array(start), low + 1e-9, high - 1e-9)
    found = least_squares(counted, start, lambda x: jacobian(counted, x, counted(x)),
                          bounds=(low, high), method="trf", xtol=1e-7, ftol=1e-10, gtol=1e-12,
                          max_nfev=limit)
    return Solution(found.x, counted(found.x), jacobian(counted, found.x, counted(found.x)),
                    count[0])


@dataclasses.dataclass(frozen=True)
class Certainty:
    """What the data determine."""

    #: by name, half of the 95 % interval of the logarithm of each parameter that is determined
    #: alone
    intervals: dict[str, float]
    groups: tuple[Group, ...]  #: parameters of which a sum is determined
    without_effect: tuple[str, ...]  #: parameters that change nothing
    #: parameters of which fewer combinations are determined than they are: names and how many
    entangled: tuple[tuple[tuple[str, ...], int], ...]


def certainty(names: Sequence[str], solution: Solution) -> Certainty:
    """Returns what the data determine at a minimum."""
    from scipy.stats import t
    matrix = solution.jacobian
    idle = [i for i in range(len(names))
            if float(numpy.max(numpy.abs(matrix[:, i]))) < _NO_EFFECT]
    left = [i for i in range(len(names)) if i not in idle]
    sets: list[list[int]] = []
    for i in left:
        home = next((each for each in sets
                     if _sine(matrix[:, each[0]], matrix[:, i]) < _PARALLEL), None)
        if home is None:
            sets.append([i])
        else:
            home.append(i)
    if not sets:
        return Certainty({}, (), tuple(names[i] for i in idle), ())
    # The change of a set's sum, in logarithms, moves the values as all of its members together.
    reduced = numpy.stack([numpy.sum(matrix[:, each], axis=1) for each in sets], axis=1)
    freedom = len(solution.residuals) - len(sets)
    sigma = max(math.sqrt(solution.square / freedom) if freedom > 0 else 0.0, FLOOR)
    factor = float(t.ppf(0.975, freedom)) if freedom > 0 else 1.96
    _, values, rows = numpy.linalg.svd(reduced, full_matrices=False)
    spread = numpy.zeros(len(sets))
    bad: list[set[int]] = []
    for value, row in zip([*values, *[0.0] * (len(sets) - len(values))],
                          [*rows, *[None] * (len(sets) - len(values))]):
        if row is None or value < 1e-3 * float(values[0]) * _PARALLEL \
                or factor * sigma / value > math.log(2):
            # Nothing is known of this direction: to a factor of two at best.
            bad.append({k for k in range(len(sets))
                        if row is None or abs(row[k]) > 0.1})
        else:
            spread += (row / value) ** 2
    halves = factor * sigma * numpy.sqrt(spread)
    tangles = _joined(bad)
    tangled = {k for each in tangles for k in each}
    intervals, groups = {}, []
    for k, each in enumerate(sets):
        if k in tangled:
            continue
        if len(each) == 1:
            intervals[names[each[0]]] = float(halves[k])
            continue
        costs = [math.exp(float(solution.x[i])) for i in each]
        slopes = [float(numpy.dot(matrix[:, i], matrix[:, each[0]])) / cost
                  for i, cost in zip(each, costs)]
        factors = [slope / slopes[0] for slope in slopes]
        total = sum(a * b for a, b in zip(factors, costs))
        groups.append(Group(tuple(names[i] for i in each), tuple(factors), total,
                            total * float(halves[k])))
    entangled = tuple((tuple(names[i] for k in sorted(each) for i in sets[k]),
                       len(each) - sum(1 for one in bad if one & each)) for each in tangles)
    return Certainty(intervals, tuple(groups), tuple(names[i] for i in idle),
                     tuple((given, max(rank, 0)) for given, rank in entangled))


def _sine(a, b):
    """Returns the sine of the angle between two directions."""
    a, b = a / numpy.sqrt(numpy.sum(a ** 2)), b / numpy.sqrt(numpy.sum(b ** 2))
    cosine = float(numpy.dot(a, b))
    rest = a - cosine * b
    return float(numpy.sqrt(numpy.sum(rest ** 2)))


def _joined(sets):
    """Returns unions of those that have something in common."""
    found: list[set[int]] = []
    for each in sets:
        each = set(each)
        for other in [other for other in found if other & each]:
            each |= other
            found.remove(other)
        found.append(each)
    return found


NO_LIMIT = 2**32 - 1  # of EagerLimit: no message begins with a handshake
_SOFTWARE = "ns3::HostSoftware"
_TIMES = ("StartUp", "SendOverhead", "ReceiveOverhead", "TransferTime", "MatchingTime",
          "DescriptorTime", "UnexpectedTime", "MessageGap", "InterfaceSendTime",
          "InterfaceReceiveTime", "FlagTime")
_RATES = ("SendDataRate", "ReceiveDataRate", "CopyDataRate")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter."""

    name: str  #: as in --fit
    attribute: str  #: its attribute
    is_rate: bool  #: whether it is a rate, whose cost is ps per byte; else a time in ps

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
            raise WormholeError(f"fit={name!r}: expected {', '.join(accepted)}"
                                f"{nearest(name, accepted)}")
    if len(set(names)) < len(names) or not set(names) - {EAGER_LIMIT}:
        raise WormholeError(f"fit={','.join(names)!r}: expected different parameters, one "
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
        raise WormholeError(f"{table.members} members, {tasks} for each host; expected "
                            f"multiples of {tasks}, up to {len(group) * tasks}")
    return group[:hosts]


def starts(parameters: Sequence[Parameter], tables: Sequence[Table],
           given: Mapping[str, float]) -> list[list[float]]:
    """Returns where to begin, as logarithms of costs. parameters: what is fitted; tables: the
    measurements; given: costs known beforehand, by parameter."""
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
