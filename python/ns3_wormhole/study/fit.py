# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Least squares in logarithms of parameters, and what of them the data determine."""

from __future__ import annotations

import dataclasses
import math
from typing import Callable, Sequence

from ..core.errors import WormholeError
from ..core.loader import Later

numpy = Later("numpy")

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
    """Parameters of which the data determine a sum only.

    Attributes:
        names: of the parameters
        factors: what each one's cost counts in the sum, that of the first is 1
        value: the sum, ps or ps per byte
        interval: half of its 95 % interval
    """

    names: tuple[str, ...]
    factors: tuple[float, ...]
    value: float
    interval: float


@dataclasses.dataclass(frozen=True)
class Solution:
    """A minimum.

    Attributes:
        x: logarithms of the costs
        residuals: logarithms of simulated over measured, by row
        jacobian: their derivatives
        evaluations: how often the model was evaluated
    """

    x: object
    residuals: object
    jacobian: object
    evaluations: int = 0

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
    """Finds a minimum of a sum of squares.

    Args:
        model: residuals of logarithms of costs
        start, low, high: of these
        limit: most steps
    """
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise WormholeError("there is no scipy, which calibrate needs; accepted is it installed: "
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
    """What the data determine.

    Attributes:
        intervals: by name, half of the 95 % interval of the logarithm of each parameter that is
            determined alone
        groups: parameters of which a sum is determined
        without_effect: parameters that change nothing
        entangled: parameters of which fewer combinations are determined than they are: names and
            how many
    """

    intervals: dict[str, float]
    groups: tuple[Group, ...]
    without_effect: tuple[str, ...]
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
