# SPDX-License-Identifier: GPL-2.0-only
"""What measured tables tell about costs by length before a fit: where lines break, and starting points of the fit."""

import math
import re
from typing import Iterator, Mapping, Sequence

from ..collective.hardware import ADD_ON, has, IN_SWITCH
from ..core import lengths
from ..core.loader import numpy
from . import segments
from .measured_tables import Table
from .osu import LOGGP, MEASURED, Plan, WINDOW
from .parameters import BY_LENGTH, Parameter, depth_of

# Costs by length that are fitted if nobody says which.
USUAL = ("SendOverhead", "ReceiveOverhead", "Latency", "MessageGap", "UnexpectedTime", "CombineTime")
# How a message's time beside the fabric's is shared where tables do not tell: the order of what netgauge
# finds of short and middle messages (o_s and o_r over half a round trip). The rest is latency.
SENDER = RECEIVER = 0.25
# Part of a message's time that is left to the others where o_s and o_r are almost all of it.
_LEFT = 0.02
# Part of a receive's time by which o_r has to exceed what latency leaves, to be a copy.
_COPY = 0.1
REDUCTIONS = ("allreduce", "reduce", "reduce_scatter")
# How many times what is fitted a predicted length may be without a note.
_FAR = 4
# By cost, whose lengths it takes: of a measurement's lines.
_LINES = {"SendOverhead": "o_s", "ReceiveOverhead": "o_r", "UnexpectedTime": "o_r", "MessageGap": "gap"}
# By how much one line with a jump may be worse than two lines, and when it is exact.
_AS_WELL, _EXACT = 1.3, 5e-3
# How far from a measurement's last length the next of all messages' lines is.
_NEXT = 1.1


class ByLength:
    """Straight lines over ranges of length, for all that was measured by length. lines: by measurement ("message": a
    message's time besides the fabric's; "gap": the time of a further message; "o_s", "o_r"), lengths and values of the
    ends, us; ranges: lengths at which the lines of "message" begin; noise: root mean square of these lines' relative
    errors; are_pairs: whether only times of messages were measured; limit: the longest message before a jump, if one
    line with a jump (due to a limit of eager messages) fits as well as several lines, else None"""

    def __init__(self, tables: Sequence[Table], floor, breaks: Sequence[int] | None):
        """floor: simulated values of all rows if costs are 0; breaks: where ranges begin; None: finds them"""
        points: dict[str, list] = {}
        rest = iter(floor)
        rows = [(table, size, value, float(next(rest))) for table in tables for size, value in table.rows]
        sized = [row for row in rows if MEASURED[row[0].benchmark].sizes]
        pairs = [row for row in sized if row[0].benchmark == "latency"]
        first = next((row[0] for row in sized if MEASURED[row[0].benchmark].kind), None)
        for table, size, value, least in pairs or [row for row in sized if row[0] is first]:
            depth = depth_of(table)
            points.setdefault("message", []).append((size, (value - least) / depth, value / depth))
        latency = sorted((size, value) for _, size, value, _ in pairs)
        for table, size, value, least in sized:
            if table.benchmark in LOGGP:
                less = 0.0 if table.benchmark == "gap" else least
                points.setdefault(table.benchmark, []).append((size, value - less, value))
            elif table.benchmark == "bw":
                time = _gap(size, value, latency)
                points.setdefault("gap", []).append((size, time, time))
        self.lines = {name: segments.split(each, breaks) for name, each in points.items()}
        message = self.lines.get("message", [])
        self.ranges = [length for length, _ in message[::2]] if len(message) > 2 else []
        self.noise = math.sqrt(sum(((value - _at(message, size)) / scale) ** 2
                                   for size, value, scale in points.get("message", ()))
                               / max(len(points.get("message", ())), 1))
        self.limit = self._jump(points.get("message", ())) if len(message) == 4 and pairs else None
        self.are_pairs = all(row[0].benchmark in ("latency", "bw", "gap") for row in rows)
        self.reduces = max((size for table, size, _, _ in sized if table.benchmark in REDUCTIONS), default=0)

    def _jump(self, points):
        lengths, values, scales = (numpy.array(column, dtype=float) for column in zip(*points))
        last = self.lines["message"][1][0]
        matrix = numpy.stack((numpy.ones(len(lengths)), lengths, lengths > last), axis=1) / scales[:, None]
        matrix /= numpy.max(matrix, axis=0)
        off = matrix @ numpy.linalg.lstsq(matrix, values / scales, rcond=None)[0] - values / scales
        rms = math.sqrt(float(numpy.mean(off ** 2)))
        free = max(len(points) - len(self.lines["message"]), 1)
        return last if rms <= max(_AS_WELL * self.noise * math.sqrt(len(points) / free), _EXACT) else None

    @property
    def breaks(self) -> bool:
        """Whether there are breaks, or times of processes by length, so that costs must be tables."""
        return bool(self.ranges) or any(name in self.lines for name in LOGGP if name != "gap")

    def hides(self, length: int, gap: float) -> bool:
        """Returns whether a sender or a receiver might limit the rate of messages. gap: gap without the start-up, us"""
        return self.are_pairs and gap <= _at(self.lines["message"], length)

    def usual(self) -> list[str]:
        """Returns the costs on which the tables provide information."""
        names = ["SendOverhead", "ReceiveOverhead", "Latency"]
        if "o_r" in self.lines:
            _, takes, _, copies, _ = self._costs(self.entries("UnexpectedTime"), ("", 0, ""))
            names += ["UnexpectedTime"] * any(copy > _COPY * take for take, copy in zip(takes, copies))
        return names + ["MessageGap"] * ("gap" in self.lines) + ["CombineTime"] * bool(self.reduces)

    def entries(self, name: str) -> list[int]:
        """Returns the lengths of a cost's table."""
        message = [length for length, _ in self.lines.get("message", ())]
        own = [length for length, _ in self.lines.get(_LINES.get(name, ""), ())]
        if not own:
            return [length for length in message if name != "CombineTime" or length <= self.reduces]
        further = name in ("SendOverhead", "ReceiveOverhead")
        return own + [length for length in message if further and length > _NEXT * own[-1]]

    def starts(self, parameters: Sequence[Parameter], single: Sequence[float],
               mixed: bool = False) -> list[list[float]]:
        """Returns starting points, as logarithms of all costs: with the interface as the slowest of interface, sender
        and receiver, then with each other possible one. single: starts of single values; mixed: instead returns pairs,
        in which the sender is the slowest up to a length and the receiver above, and the reverse"""
        fitted = {each.name for each in parameters}
        others = [name for name, of in (("SendOverhead", "o_s"), ("ReceiveOverhead", "o_r"))
                  if "gap" in self.lines and name in fitted and of not in self.lines]
        slowest = [("", 0, "")] + [(name, 0, name) for name in others]
        if mixed:
            slowest = [(*pair[:1], length, *pair[1:]) for length, _ in self.lines["message"][1:]
                       for pair in (others, others[::-1]) if len(others) == 2]
        found = []
        for who in slowest:
            start: list[float] = []
            for each, begin in zip(parameters, single):
                if not each.entries:
                    start.append(begin)
                    continue
                costs = dict(zip(("SendOverhead", "ReceiveOverhead", "Latency", "UnexpectedTime", "MessageGap"),
                                 self._costs(each.entries, who)))
                rest = [0.1 * _at(self.lines["message"], length) for length in each.entries]
                low, high = each.bounds
                start += [math.log(min(max(1e6 * cost, 1.01 * low), high)) for cost in costs.get(each.name, rest)]
            found.append(start)
        return found

    def _costs(self, entries, who):
        """Returns the costs by length, us, of sender, receiver, latency, an early message's copy, and a further
        message. who: the slowest for shorter messages; the least length of longer messages; the slowest for these"""
        rows = []
        for length in entries:
            slowest = who[0] if length < who[1] else who[2]
            whole = max(_at(self.lines.get("message", []), length), 0.0)
            gap = _at(self.lines["gap"], length) if "gap" in self.lines else 0.0
            most = (1 - _LEFT) * whole
            sends = _at(self.lines["o_s"], length, SENDER * whole) if "o_s" in self.lines else SENDER * whole
            takes = told = _at(self.lines["o_r"], length, RECEIVER * whole) if "o_r" in self.lines \
                else RECEIVER * whole
            if slowest == "SendOverhead":
                sends = min(max(sends, gap), most)
            elif slowest == "ReceiveOverhead":
                takes = told = min(max(takes, gap), most)
            if whole > 0:
                sends = min(sends, most)
                takes = min(takes, max(most - sends, _LEFT * whole))
            rows.append((sends, takes, max(whole - sends - takes, _LEFT * whole), told - takes,
                         0.0 if slowest else gap))
        return list(zip(*rows))


def _gap(size, bandwidth, latency):
    """Returns the time of a further message of a window, us. latency: rows of first message and answer"""
    time = WINDOW * size / bandwidth
    if not latency:
        return time / WINDOW
    more = time - sum(float(numpy.interp(each, *zip(*latency))) for each in (size, 4))
    return max(more / (WINDOW - 1), 0.1 * time / WINDOW)


def _at(line, length, beyond=None):
    """Returns the value of lines at a length; beyond their last length, the given value, or the last one."""
    if not line or beyond is not None and length > _NEXT * line[-1][0]:
        return beyond or 0.0
    return float(numpy.interp(length, *zip(*line)))


def told(fixed: Mapping[str, str], name: str) -> str:
    """Returns the rate attribute that a cost's table replaces, if it has a value in fixed; else ""."""
    rate = f"ns3::HostSoftware::{BY_LENGTH[name]}"
    return rate if BY_LENGTH[name] and float(fixed.get(rate, "0").rstrip("GMkbitps/") or 0) > 0 else ""


def combines(plan: Plan) -> bool:
    """Returns whether hosts combine vectors in a measurement."""
    return plan.benchmark.name in REDUCTIONS and not has(IN_SWITCH | ADD_ON, plan.algorithm)


def longest(plan: Plan) -> int:
    """Returns about the length of a measurement's longest message, or of the longest vector that a host combines."""
    size, name = max(plan.sizes), plan.algorithm
    if plan.benchmark.name in REDUCTIONS:
        size //= len(plan.ranks) if has({"ring", "pairwise"}, name) else \
            1 + has({"rabenseifner", "recursive-halving"}, name)
    elif plan.benchmark.kind in ("alltoall", "allgather", "gather", "scatter") \
            and has({"bruck", "recursive-doubling", "binomial", "tree"}, name):
        size *= max(len(plan.ranks) // 2, 1)
    return min([size, *map(int, re.findall(r"\bSegmentBytes=([1-9]\d*)", name))])


def beyond(parameters, fitted: Sequence[Plan], later: Sequence[Plan]) -> Iterator[str]:
    """Yields warnings of costs by length that are used far beyond the lengths that they are fitted to. parameters: a
    calibration's parameters; fitted, later: measurements"""
    told: dict[tuple[bool, int, int], list[str]] = {}
    for attribute, rows in parameters[parameters.cost.notna()].groupby("attribute", sort=False):
        owner, _, name = attribute.rpartition("::")
        ends = rows.length.dropna()
        if owner != "ns3::HostSoftware" or not (len(ends) or name in BY_LENGTH.values()):
            continue
        of_vectors = name in ("CombineTime", BY_LENGTH["CombineTime"])
        end, most = (max((longest(plan) for plan in plans if not of_vectors or combines(plan)), default=0)
                     for plans in (fitted, later))
        end = int(ends.max()) if name in ("MessageGap", "UnexpectedTime") else end
        if most > _FAR * end > 0:
            told.setdefault((of_vectors, end, most), []).append(name)
    for (of_vectors, end, most), names in told.items():
        yield (f"{', '.join(names)} {'are' if names[1:] else 'is'} fitted up to {lengths.text(end)}; predictions "
               f"{'combine' if of_vectors else 'have messages'} up to {lengths.text(most)}: fit longer "
               f"{'reductions' if of_vectors else 'messages'}")
