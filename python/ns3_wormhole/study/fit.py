# SPDX-License-Identifier: GPL-2.0-only
"""Least squares fits of logarithms of costs, and which of these costs the data determine."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import Callable, Mapping, Sequence

from ..core.errors import WormholeError
from ..core.loader import numpy

# A relative error below which no measurement is believed, though the fit be exact.
FLOOR = 1e-3
# Columns of the Jacobian whose angle has a sine below this are one direction.
_PARALLEL = 2e-2
# A parameter of which a relative change e changes no value by more than this times e has no effect.
_NO_EFFECT = 1e-3
# Part of a row's change by which it may differ from what derivatives predict, for these to hold still.
_AS_PREDICTED = 0.02
# Steps of the finite differences, in logarithms.
STEP = 4e-3
# How far above the largest cost one is by far the largest, in logarithms.
_BY_FAR = math.log(1e4)


@dataclasses.dataclass(frozen=True)
class Group:
    """Parameters of which the data determine only the sum."""

    names: tuple[str, ...]  #: of the parameters
    factors: tuple[float, ...]  #: what each one's cost counts in the sum, that of the first is 1
    value: float  #: the sum, ps or ps per byte
    interval: float  #: half of its 95 % interval


@dataclasses.dataclass(frozen=True)
class Solution:
    """A minimum."""

    x: object  #: logarithms of the costs
    residuals: object  #: logarithms of simulated over measured, by row
    derive: Callable[[], object]  #: computes their derivatives

    @functools.cached_property
    def jacobian(self):
        """Derivatives of the residuals, by row and parameter."""
        return self.derive()

    @property
    def square(self) -> float:
        """Sum of the residuals' squares."""
        return float(numpy.sum(self.residuals ** 2))


def jacobian(model: Callable, x, base, step: float = STEP, reach: Mapping[int, object] | None = None):
    """Returns the derivatives of residuals.

    Args:
        model: gives the residuals at x of the rows in its second argument; None: of all rows
        x: point at which to differentiate
        base: the residuals there
        step: step of the finite differences
        reach: by parameter, the rows to compute; None: all
    """
    columns = []
    for i in range(len(x)):
        moved = numpy.array(x)
        moved[i] += step
        wanted = None if reach is None else reach[i]
        if wanted is not None and not numpy.any(wanted):
            columns.append(numpy.zeros(len(base)))
            continue
        column = (model(moved, wanted) - base) / step
        columns.append(column if wanted is None else numpy.where(wanted, column, 0.0))
    return numpy.stack(columns, axis=1)


def reach_of(model: Callable, x, high) -> dict[int, object]:
    """Returns by parameter the rows that it affects, even if it does not yet limit any of them: rows that change
    if the parameter is by far the largest. model, x: see jacobian(); high: greatest costs, logarithms"""
    base, found = model(x, None), {}
    for i in range(len(x)):
        moved = numpy.array(x)
        moved[i] = min(float(numpy.max(x)) + _BY_FAR, high[i])
        found[i] = numpy.abs(model(moved, None) - base) > 1e-9
    return found


class _Slopes:
    """Derivatives at one point after another. Times are sums of costs along the slowest path; their derivatives (not
    those of their logarithms) stay the same until another path is the slowest. Only rows that differ are simulated."""

    def __init__(self, model, signs, reach):
        self._model, self._signs, self._reach, self._at = model, signs, reach, None

    def __call__(self, x, base):
        if self._at is None:
            matrix = jacobian(self._model, x, base, STEP, self._reach)
        else:
            before, values, matrix = self._at
            ratio = numpy.maximum(1 + self._signs * (matrix @ numpy.expm1(x - before)), 1e-9)
            change = base - values
            wrong = numpy.abs(self._signs * numpy.log(ratio) - change) > _AS_PREDICTED * numpy.abs(change) + 1e-5
            matrix = matrix * numpy.exp(x - before) * numpy.exp(-self._signs * change)[:, None]
            if numpy.any(wrong):
                again = jacobian(self._model, x, base, STEP, {i: rows & wrong for i, rows in self._reach.items()})
                matrix[wrong] = again[wrong]
        self._at = numpy.array(x), base, matrix
        return matrix


def minimise(model: Callable, start: Sequence[float], low: Sequence[float], high: Sequence[float],
             limit: int = 60, prior: float = 0.0, signs: Sequence[int] = (1,),
             reach: Mapping[int, object] | None = None) -> Solution:
    """Finds a minimum of a sum of squares.

    Args:
        model: residuals of logarithms of costs, see jacobian()
        start, low, high: start and limits of these logarithms
        limit: maximum number of steps
        prior: residual that is added for a cost a factor of e away from the start, so that costs
            that the data don't determine stay there; if above 0, parameters that affect residuals in one
            direction only, such as all but the slowest, count as having no effect
        signs: of each row, or of all rows: 1 for times, -1 for values per time
        reach: see reach_of(); None: all
    """
    try:
        from scipy.optimize import least_squares
    except ImportError:
        raise WormholeError("there is no scipy, which calibrate needs; install it: "
                            "pip install 'ns3-wormhole[calibrate]'") from None
    known = {}

    def counted(x, wanted=None):
        if wanted is not None:
            return model(x, wanted)
        key = tuple(x)
        if key not in known:
            known[key] = model(x, None)
        return known[key]

    low, high = numpy.array(low), numpy.array(high)
    start = numpy.clip(numpy.array(start), low + 1e-9, high - 1e-9)
    limits = {"xtol": 1e-7, "gtol": 1e-12, "max_nfev": limit}
    reach = reach or dict.fromkeys(range(len(start)), numpy.ones(len(counted(start)), bool))
    slopes = _Slopes(counted, numpy.array(signs), reach)
    if prior:
        found = least_squares(lambda x: numpy.concatenate((counted(x), prior * (x - start))), start,
                              lambda x: numpy.concatenate((slopes(x, counted(x)), prior * numpy.eye(len(x)))),
                              bounds=(low, high), method="trf", ftol=1e-4, **limits).x
    else:
        # Times are sums of costs: of these, not of their logarithms, a step finds those that are next to nothing.
        found = numpy.log(least_squares(
            lambda costs: counted(numpy.log(costs)), numpy.exp(start),
            lambda costs: slopes(numpy.log(costs), counted(numpy.log(costs))) / costs,
            bounds=(numpy.exp(low), numpy.exp(high)), method="trf", x_scale="jac", ftol=1e-6, **limits).x)

    def derive():
        base = counted(found)
        above = jacobian(counted, found, base, STEP, reach)
        if not prior:
            return above
        below = jacobian(counted, found, base, -STEP, reach)
        less = numpy.max(numpy.abs(below), axis=0) < 0.5 * numpy.max(numpy.abs(above), axis=0)
        return numpy.where(less, below, above)

    return Solution(found, counted(found), derive)


@dataclasses.dataclass(frozen=True)
class Certainty:
    """What the data determine about parameters."""

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
    idle = [i for i in range(len(names)) if float(numpy.max(numpy.abs(matrix[:, i]))) < _NO_EFFECT]
    sets: list[list[int]] = []
    for i in (i for i in range(len(names)) if i not in idle):
        home = next((each for each in sets if _sine(matrix[:, each[0]], matrix[:, i]) < _PARALLEL), None)
        if home is None:
            sets.append(home := [])
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
    for value, row in zip([*values, *[0.0] * (len(sets) - len(values))], [*rows, *[None] * (len(sets) - len(values))]):
        if row is None or value < 1e-3 * float(values[0]) * _PARALLEL \
                or factor * sigma / value > math.log(2):
            # Nothing is known of this direction: to a factor of two at best.
            bad.append({k for k in range(len(sets)) if row is None or abs(row[k]) > 0.1})
            if row is not None:
                spread += (row * math.log(2) / (factor * sigma)) ** 2
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
        slopes = [float(numpy.dot(matrix[:, i], matrix[:, each[0]])) / cost for i, cost in zip(each, costs)]
        factors = [slope / slopes[0] for slope in slopes]
        total = sum(a * b for a, b in zip(factors, costs))
        groups.append(Group(tuple(names[i] for i in each), tuple(factors), total, total * float(halves[k])))
    entangled = tuple((tuple(names[i] for k in sorted(each) for i in sets[k]),
                       max(len(each) - sum(bool(one & each) for one in bad), 0)) for each in tangles)
    return Certainty(intervals, tuple(groups), tuple(names[i] for i in idle), entangled)


def _sine(a, b):
    a, b = a / numpy.sqrt(numpy.sum(a ** 2)), b / numpy.sqrt(numpy.sum(b ** 2))
    rest = a - float(numpy.dot(a, b)) * b
    return float(numpy.sqrt(numpy.sum(rest ** 2)))


def _joined(sets):
    found: list[set[int]] = []
    for each in map(set, sets):
        for other in [other for other in found if other & each]:
            each |= other
            found.remove(other)
        found.append(each)
    return found
