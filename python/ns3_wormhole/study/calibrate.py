# SPDX-License-Identifier: GPL-2.0-only
"""Fits what hosts' software costs to measured tables."""

from __future__ import annotations

import math
import warnings
from typing import Mapping, Sequence

from ..collective.fabric import Fabric, fabric_of
from ..collective.groups import Members
from ..core import arguments, bars, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import numpy, pandas
from . import fit, measured_tables
from .calibration import Calibration, POOR, deviation
from .fit import (EAGER_ATTRIBUTE, EAGER_LIMIT, NO_LIMIT, Parameter, Simulator, Solution, chosen,
                  starts)

# Differences of logarithms above which two minima are two.
_APART = 0.05
# Half of an interval in logarithms above which a parameter is only known roughly.
_ROUGH = 0.1
# Squares of standard errors by which another minimum may be worse, and fits as well.
_AS_WELL = 4.0
# Ratio by which a value may be better than what costs nothing allows: errors of measurements.
_OUT_OF_REACH = 0.05


@translated()
def calibrate(fabric: Fabric | str, tables: Sequence[str], fit: Sequence[str] | None = None, *,
              predict: Sequence[str] = (), hosts: Members = None, members: Members = None,
              tasks_per_host: int = 1, algorithms: Mapping[str, str] | None = None,
              attributes: Mapping[str, object] | None = None, machine: str | None = None,
              progress: bool | None = None) -> Calibration:
    """Fits parameters to measured tables, by simulating what was measured. Ends the simulation.

    Args:
        fabric: the fabric, or its file
        tables: files of the OSU benchmarks' plain output or CSV with the columns benchmark, size,
            value and, if wanted, members; FILE:members=N where a file's processes are N
        fit: names of parameters, as "StartUp"; None: those that the tables tell something of
        predict: files of tables that are simulated with what was found
        hosts: of latency and bw, as for osu.measure()
        members: hosts of collectives, as for osu.measure(); a table of N members uses the first
        tasks_per_host: processes of each member's host
        algorithms: of collectives, by benchmark, as {"bcast": "tree[Tree=fibo]"}
        attributes: values of attributes that are not fitted, by name
        machine: name or file of a machine, for those
        progress: whether to show a bar; None: on a terminal, after two seconds

    Raises:
        WormholeError: if a file or an argument is refused, or there are fewer values than
            parameters
    """
    left_out: list[str] = []
    read, later = ([table for each in arguments.listed(files) for table in measured_tables.read(each, left_out)]
                   for files in (tables, predict))
    for note in dict.fromkeys(left_out):
        warnings.warn(note, stacklevel=3)
    if not read:
        raise WormholeError("no tables; expected one file at least")
    parameters, scans = chosen(None if fit is None else arguments.listed(fit), read)
    for parameter in parameters:
        if parameter.attribute in (attributes or {}):
            raise WormholeError(f"{parameter.attribute} is both given and fitted; expected one "
                                "of these")
    for name in algorithms or {}:
        if name not in {table.benchmark for table in read + later}:
            raise WormholeError(f"algorithm of {name}: there is no table of it; expected those of "
                                "collectives that have one")
    made = fabric_of(fabric).with_attributes(attributes or {}, machine)
    how = {"hosts": hosts, "members": members, "tasks_per_host": tasks_per_host,
           "algorithms": algorithms}
    simulator = Simulator(made, read, **how)
    after = Simulator(made, later, **how) if later else None
    if len(simulator.measured) < len(parameters):
        raise WormholeError(f"{len(simulator.measured)} values for {len(parameters)} parameters; "
                            "expected as many values at least")
    try:
        with bars.bar("calibrate", progress, lines=True) as tell:
            return _Search(simulator, after, parameters, scans, tell).run()
    finally:
        simulation.reset()


class _Search:
    """The search for the parameters."""

    def __init__(self, simulator, after, parameters, scans, tell):
        self.simulator, self.after, self.tell = simulator, after, tell
        self.parameters: Sequence[Parameter] = parameters
        self.scans, self.limit, self.count = scans, None, 0
        simulator.beat = lambda: tell(self.count, 0)
        known, of = {}, simulator.fabric
        given = {**(machines.read(of.machine) if of.machine is not None else {}), **of.attributes}
        self.fixed = fixed = {name: simulation.attribute_text(value) for name, value in given.items()}
        for parameter in parameters:
            if parameter.name in ("FlitTime", "Delay"):
                given = fixed.get(parameter.attribute)
                cost = simulation.microseconds(simulation.time(str(given))) * 1e6 if given else 0
                known[parameter.name] = cost or {"FlitTime": 6250, "Delay": 20000}[parameter.name]
        self.known = known
        self.idle: dict[Parameter, str] = {}  # parameters without effect, and their values if any
        self._begin()

    def _begin(self):
        """Begins anew with the parameters that have an effect."""
        self.starts = starts(self.parameters, self.simulator.tables, self.known)
        self.low = [math.log(each.bounds[0]) for each in self.parameters]
        self.high = [math.log(each.bounds[1]) for each in self.parameters]

    def attributes(self, x) -> dict[str, str]:
        found = {each.attribute: each.text(math.exp(float(log)))
                 for each, log in zip(self.parameters, x)}
        found.update({each.attribute: text for each, text in self.idle.items() if text})
        if self.limit is not None:
            found[EAGER_ATTRIBUTE] = str(self.limit)
        return found

    def model(self, x):
        self.count += 1
        self.tell(self.count, 0)
        return self.simulator.residuals(self.attributes(x))

    def minimise(self, start, limit=60) -> Solution:
        return fit.minimise(self.model, start, self.low, self.high, limit)

    def run(self) -> Calibration:
        if self.scans:
            self._scan()
        found = self._minima()
        while len(self.parameters) > 1 and self._drop(found[0]):
            found = self._minima()
        best = found[0]
        others = self._others(found)
        sure = fit.certainty([each.name for each in self.parameters], best)
        attributes = self.attributes(best.x)
        measured = self.simulator.values(attributes)
        frame = _compared(self.simulator, measured, "fitted")
        later = pandas.DataFrame(columns=["file", "benchmark", "members", "size", "measured",
                                          "predicted", "deviation"])
        if self.after:
            later = _compared(self.after, self.after.values(attributes), "predicted")
        return Calibration(attributes, self.fixed, self._table(best, sure, others, attributes), frame, later,
                           sure, tuple(others),
                           (*self._out_of_reach(), *_poor(frame), *self._notes(sure, others)),
                           self.count, self.simulator.fabric.machine,
                           frozenset(self.simulator.fabric.attributes))

    def _minima(self):
        self._begin()
        return sorted((self.minimise(start) for start in self.starts),
                      key=lambda each: each.square)

    def _drop(self, best) -> bool:
        """Leaves out a parameter if the data are fitted as well where it costs nothing. It has the
        value that it has if it isn't fitted, if that does as well. Returns whether there is one."""
        limit = best.square + _AS_WELL * self._variance(best)
        for i, parameter in enumerate(self.parameters):
            attributes = self.attributes(best.x)
            least = {**attributes, parameter.attribute: parameter.text(parameter.bounds[0])}
            if self._square(least) > limit:
                continue
            del attributes[parameter.attribute]
            self.idle[parameter] = "" if self._square(attributes) <= limit \
                else least[parameter.attribute]
            self.parameters = [*self.parameters[:i], *self.parameters[i + 1:]]
            return True
        return False

    def _square(self, attributes):
        return float(numpy.sum(self.simulator.residuals(attributes) ** 2))

    @staticmethod
    def _variance(best):
        freedom = max(len(best.residuals) - len(best.x), 1)
        return max(best.square / freedom, fit.FLOOR ** 2)

    def _scan(self):
        """Finds the EagerLimit among the tables' lengths by short fits."""
        sizes = sorted({size for table in self.simulator.tables
                        if table.benchmark in ("latency", "bw", "bcast")
                        for size, _ in table.rows if size > 0})
        self.sizes, squares = sizes, {}
        for limit in [NO_LIMIT, *reversed(sizes[:-1])]:
            self.limit = limit
            squares[limit] = min(self.minimise(start, 10).square for start in self.starts[:3:2])
        self.limit = min(squares, key=squares.get)

    def _others(self, found) -> list[dict[str, float]]:
        """Returns other minima that fit as well as the best, where a parameter differs that has an
        effect."""
        best = found[0]
        variance = self._variance(best)
        seen, others = [best], []
        for other in found[1:]:
            if other.square > best.square + _AS_WELL * variance:
                continue
            if any(self._same(other, each) for each in seen):
                continue
            seen.append(other)
            others.append({each.name: math.exp(float(log))
                           for each, log in zip(self.parameters, other.x)})
        return others

    def _same(self, a, b):
        names = [each.name for each in self.parameters]
        first, second = fit.certainty(names, a), fit.certainty(names, b)
        sure = [i for i, name in enumerate(names)
                if name in first.intervals and name in second.intervals]
        return all(abs(float(a.x[i] - b.x[i])) < max(_APART, first.intervals[names[i]]
                                                      + second.intervals[names[i]])
                   for i in sure)

    def _table(self, best, sure, others, attributes):
        rows = []
        grouped = {name for group in sure.groups for name in group.names}
        tangled = {name for names, _ in sure.entangled for name in names}
        for parameter, log in zip(self.parameters, best.x):
            cost, name = math.exp(float(log)), parameter.name
            half = sure.intervals.get(name)
            state = "determined" if half is not None else "sum only" if name in grouped \
                else "entangled" if name in tangled else "no effect"
            if state == "determined" and any(
                    abs(math.log(other[name] / cost)) > max(_APART, half) for other in others):
                state = "ambiguous"
            elif state == "determined" and half > _ROUGH:
                state = "roughly"
            ends = sorted((8e12 / cost * math.exp(sign * half) if parameter.is_rate
                           else cost * math.exp(sign * half)) for sign in (-1, 1)) \
                if half is not None else (math.nan, math.nan)
            rows.append((name, parameter.attribute, attributes.get(parameter.attribute, ""), cost,
                         *ends, state))
        for parameter, text in self.idle.items():
            rows.append((parameter.name, parameter.attribute, text, math.nan, math.nan, math.nan,
                         "no effect"))
        if self.scans:
            rows.append((EAGER_LIMIT, EAGER_ATTRIBUTE, str(self.limit), math.nan, float(self.limit),
                         float(self._next(self.limit)), "scanned"))
        return pandas.DataFrame(rows, columns=["name", "attribute", "value", "cost", "low", "high",
                                               "state"])

    def _next(self, limit):
        """Returns the greatest EagerLimit that does as well as one of the tables' lengths."""
        return min((size - 1 for size in self.sizes if size > limit), default=NO_LIMIT)

    def _notes(self, sure, others):
        parts = {table.benchmark for table in self.simulator.tables}
        more = "osu_bw, of many small and of large messages," if "bw" not in parts else \
            "osu_bcast, whose root sends to several," if "bcast" not in parts else \
            "a broadcast of another shape or number of members"
        for group in sure.groups:
            scale, unit = (1e6, "us") if not self._is_rate(group.names[0]) else (1, "ps per byte")
            total = " + ".join((f"{factor:.3g} " if abs(factor - 1) > 0.005 else "")
                               + (f"8/{name}" if self._is_rate(name) else name)
                               for name, factor in zip(group.names, group.factors))
            yield (f"the data tell a sum only: {total} = {group.value / scale:.6g} {unit} "
                   f"+- {group.interval / scale:.2g}; how it is shared is arbitrary; {more} would "
                   "separate them")
        for names, rank in sure.entangled:
            yield (f"the data do not tell apart {', '.join(names)}: {rank} combinations of these "
                   f"{len(names)} are determined; {more} would separate them")
        for other in others:
            told = ", ".join(f"{each.name} {each.shown(other[each.name])}"
                             for each in self.parameters)
            yield f"another solution fits as well: {told}; {more} would decide"
        for name in sure.without_effect:
            yield f"{name} has no effect on these values; any smaller cost does as well"
        for parameter, text in self.idle.items():
            yield (f"the data are fitted as well without {parameter.name}, which " +
                   ("costs nothing here" if text else "keeps its value"))

    def _out_of_reach(self):
        """Yields what is wrong if what is not fitted takes longer alone than was measured."""
        every = [*self.parameters, *self.idle]
        least = {each.attribute: each.text(each.bounds[0]) for each in every}
        if self.scans:
            least[EAGER_ATTRIBUTE] = str(NO_LIMIT)
        rows = list(_compared(self.simulator, self.simulator.values(least), "least").itertuples())
        far = [(row.measured / row.least if row.benchmark == "bw" else row.least / row.measured, row)
               for row in rows]
        far = [each for each in far if each[0] > 1 + _OUT_OF_REACH]
        if far:
            _, row = max(far, key=lambda each: each[0])
            unit = "MB/s" if row.benchmark == "bw" else "us"
            of = f"{row.benchmark} of {row.size} bytes" if row.size else row.benchmark
            yield (f"{len(far)} of {len(rows)} values are out of reach: were all that is fitted to cost "
                   f"nothing, {of} would still be {row.least:.4g} {unit}, but {row.measured:.4g} {unit} "
                   "were measured. Delays of cables, switches or interfaces are too long for this "
                   "machine, another cost that is not fitted is too high, or other hosts were measured")

    def _is_rate(self, name):
        return next(each.is_rate for each in self.parameters if each.name == name)


def _poor(frame):
    square = deviation(frame)
    if square > POOR:
        row = frame.loc[frame.deviation.abs().idxmax()]
        of = f"{row.benchmark} of {row['size']} bytes" if row["size"] else row.benchmark
        yield (f"poor fit: root mean square {100 * square:.1f} %, above {100 * POOR:.0f} %; farthest is "
               f"{of}, {100 * row.deviation:+.0f} %. Do not use these values without knowing why: other "
               "algorithms than the MPI library's (--algorithm), other hosts, or costs that are not fitted "
               "(--fit)")


def _compared(simulator, values, word):
    rows, place = [], 0
    for table, plan in zip(simulator.tables, simulator.plans):
        for size, measured in table.rows:
            value = float(values[place])
            rows.append((table.path, table.benchmark, len(plan.ranks), size, measured, value,
                         value / measured - 1))
            place += 1
    return pandas.DataFrame(rows, columns=["file", "benchmark", "members", "size", "measured", word,
                                           "deviation"])
