# SPDX-License-Identifier: GPL-2.0-only
"""Fits straight lines over ranges of length, to find where measured costs break."""

import math
from typing import Sequence

from ..core.loader import numpy

# Root mean square of relative errors above which lines describe nothing.
POOR = 0.1
# Relative errors below this are none.
_EXACT = 1e-3
# Part of a value's logarithm of variance that a further line has to remove.
_WORTH = 0.3


def split(points: Sequence[tuple[float, float, float]], breaks: Sequence[int] | None = None) -> list[tuple[int, float]]:
    """Returns the ends of straight lines, as lengths and values: two for each range of lengths.

    Dynamic programming finds the ranges with the least squares of relative errors. Akaike's criterion for small
    samples finds the number of ranges, with errors up to 10 %; each further range also removes a quarter of the
    variance. points: length, value and the reference of its error; breaks: where ranges begin; None: finds them"""
    points = sorted(points)
    lengths = sorted({length for length, _, _ in points})
    x, y, scale = (numpy.array(column, dtype=float) for column in zip(*points))
    errors, starts, slopes = _lines(x, y, scale, numpy.searchsorted(x, [*lengths, math.inf]))
    if breaks is None:
        # Several values of a length count as one: they may be copies.
        firsts = _ranges(errors * (len(lengths) / len(points)))
    else:
        firsts = sorted({0, *(int(numpy.searchsorted(lengths, each)) for each in breaks)} - {len(lengths)})
    return [(int(lengths[index]), float(starts[first, end] + slopes[first, end] * lengths[index]))
            for first, end in zip(firsts, [*firsts[1:], len(lengths)]) for index in dict.fromkeys((first, end - 1))]


def _lines(x, y, scale, edges):
    """Returns squares of relative errors, values at 0 and slopes of the best line through the lengths
    from a first to before an end, by these two."""
    weight = scale ** -2.0
    sums = [numpy.concatenate(([0.0], numpy.cumsum(each)))[edges]
            for each in (weight, weight * x, weight * x * x, weight * y, weight * x * y, weight * y * y)]
    a, b, c, d, e, f = (each[None, :] - each[:, None] for each in sums)
    with numpy.errstate(all="ignore"):
        determinant = a * c - b * b
        slopes = numpy.where(determinant > 1e-9 * a * c, (a * e - b * d) / determinant, 0.0)
        starts = (d - slopes * b) / a
        return numpy.maximum(f - starts * d - slopes * e, 0.0), starts, slopes


def _ranges(errors):
    """Returns the indices at which ranges begin. errors: squares by first and end"""
    n = len(errors) - 1
    most = max(1, n // 2)
    best = numpy.full((most + 1, n + 1), math.inf)
    came = numpy.zeros((most + 1, n + 1), dtype=int)
    best[0, 0] = 0
    for k in range(1, most + 1):
        for end in range(min(2, n), n + 1):
            first = max(end - 1, 1)  # two lengths each
            sums = best[k - 1, :first] + errors[:first, end]
            came[k, end] = int(numpy.argmin(sums))
            best[k, end] = sums[came[k, end]]
    candidates = [k for k in range(1, most + 1) if best[k, n] <= POOR ** 2 * n] or [most]
    chosen = min(candidates, key=lambda k: (_criterion(float(best[k, n]), n, k), k))
    firsts, end = [], n
    for k in range(chosen, 0, -1):
        end = int(came[k, end])
        firsts.insert(0, end)
    return firsts


def _criterion(square, count, ranges):
    free = 3 * ranges - 1  # start and slope of each, and the breaks
    if count - free - 1 <= 0 and ranges > 1:
        return math.inf
    correction = 2 * free * count / max(count - free - 1, 1)
    return count * (math.log(square / count + _EXACT ** 2) + _WORTH * ranges) + correction
