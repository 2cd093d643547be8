# SPDX-License-Identifier: GPL-2.0-only
"""Fits the costs of the hosts' software to measured tables."""

from __future__ import annotations

import dataclasses
import itertools
import math
import warnings
from typing import Mapping, Sequence

from ..collective.fabric import Fabric, fabric_of
from ..collective.groups import Members, Placement
from ..core import arguments, bars, lengths as sizes, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import ns, numpy, pandas
from . import by_length, fit, measured_tables, parameters as kinds
from .calibration import Calibration as Calibration, deviation, of_row
from .fit import Solution
from .osu import MEASURED
from .parameters import EAGER_ATTRIBUTE, EAGER_LIMIT, NO_LIMIT, Parameter
from .segments import POOR
from .simulated_tables import Simulator

# Differences of logarithms above which two minima are two.
_APART = 0.05
# Half of an interval in logarithms above which a parameter is only known roughly.
_ROUGH = 0.1
# Squares of standard errors by which another minimum may be worse, and fits as well.
_AS_WELL = 4.0
# By cost, what separates it from the others, and how it is called.
_SEPARATING = (("SendOverhead", "o_s", "netgauge's loggp (o_s) or osu_bcast, whose root sends to several"),
               ("ReceiveOverhead", "o_r", "netgauge's loggp (o_r) or osu_gather, whose root receives from several"),
               ("UnexpectedTime", "gather", "osu_gather, whose root receives from several"))
# Most steps of a fit of tables, which begins near its end.
_STEPS = 12
# Costs of single values that nothing is known of, ps.
_USUAL = {"FlitTime": 6250, "Delay": 20000}
_JITTERED = 11  # calls that are predicted where sends take random times
# Ratio by which a value may be better than what costs nothing allows: errors of measurements.
_OUT_OF_REACH = 0.05
# Between which powers of ten values in another unit are off in the median: 300 to 3000 times.
_THOUSANDS = math.log10(300), math.log10(3000)


@translated()
def calibrate(fabric: Fabric | str, tables: Sequence[str], fit: Sequence[str] | None = None, *,
              predict: Sequence[str] = (), hosts: Members = None, members: Members = None,
              placement: Placement = None,
              tasks_per_host: int = 1, algorithms: Mapping[str, str] | None = None,
              attributes: Mapping[str, object] | None = None, machine: str | None = None,
              lengths: Sequence[int | str] | str | None = None, barrier: str | None = None,
              jitter: str | None = None, progress: bool | None = None) -> Calibration:
    """Fits parameters to measured tables by simulating the measurements. Ends the simulation.

    Args:
        fabric: the fabric, or its file
        tables: files with plain output of the OSU benchmarks, IMB-MPI1 or netgauge, or CSV with the columns benchmark,
            size, value and optionally members, algorithm, statistic; FILE:members=N if N processes ran a file's tables
        fit: names of parameters, such as "StartUp"; outside the hosts' software with their class, such as
            "WormholeNetDevice::Delay"; None: parameters that the tables provide information on
        predict: files of tables that are simulated with the fitted parameters
        hosts: hosts of latency and bw, as for osu.measure()
        members: hosts of collectives, as for osu.measure(); a table of N members uses the first N
        placement: where members are if only their number is given, and the two hosts, see Fabric.group
            (None: the first hosts)
        tasks_per_host: processes of each member's host
        algorithms: algorithms of collectives, by benchmark, such as {"bcast": "tree[Tree=fibo]"}
        attributes: values of attributes that are not fitted, by name
        machine: base machine, by its name or file
        lengths: two or more: shortest and longest length to fit, and between them lengths where costs
            break; None: fits all lengths, and finds breaks
        barrier: barrier before each predicted call of a collective, as for osu.measure()
        jitter: mean of an exponential delay of each send in predicted calls; the median of 11 is used; None: no delay
        progress: whether to show a bar; None: on a terminal, after two seconds

    Raises:
        WormholeError: if a file or an argument is refused, or there are fewer measured values than
            parameters
    """
    left_out: list[str] = []
    read, later = ([table for each in arguments.listed(files) for table in measured_tables.read(each, left_out)]
                   for files in (tables, predict))
    for note in dict.fromkeys(left_out):
        warnings.warn(note, stacklevel=3)
    for table in read + later:
        if MEASURED[table.benchmark].kind and table.members is None and members is None:
            warnings.warn(f"{table.path}: {table.benchmark} by all hosts, since no number of processes is told; "
                          f"{table.path}:members=N tells it", stacklevel=3)
    edges = None if lengths is None else sizes.listed("lengths", lengths)
    if edges is not None:
        read = _within(read, edges)
    if not read:
        raise WormholeError("no tables; expected one file at least")
    names = None if fit is None else arguments.listed(fit)
    for name in algorithms or {}:
        if name not in {table.benchmark for table in read + later}:
            raise WormholeError(f"algorithm of {name}: there is no table of it; expected one of the "
                                "collectives with a table")
    made = fabric_of(fabric).with_attributes(attributes or {}, machine)
    how = {"hosts": hosts, "members": members, "placement": placement, "tasks_per_host": tasks_per_host,
           "algorithms": algorithms}
    for name in names or ():
        if name != EAGER_LIMIT and kinds.parameter(name).attribute in made.attributes:
            raise WormholeError(f"{kinds.parameter(name).attribute} is both given and fitted; expected one "
                                "of these")
    simulator = Simulator(made, read, **how)
    if barrier is not None and not any(MEASURED[table.benchmark].kind for table in later):
        raise WormholeError(f"barrier={barrier}: needs tables of collectives to predict")
    noise = {} if jitter is None else {"ns3::HostSoftware::SendJitter": _exponential(jitter)}
    if noise and not later:
        raise WormholeError(f"jitter={jitter}: needs tables to predict")
    after = Simulator(made, later, **how, barrier=barrier, iterations=_JITTERED if noise else 1) if later else None
    try:
        with bars.bar("calibrate", progress, lines=True) as tell:
            costs, entries, replaced = _by_length(simulator, names, edges)
            limits = None
            if names is None and entries and costs.limit is not None and edges is None \
                    and not {EAGER_ATTRIBUTE, "ns3::HostSoftware::SendReturn"} & _fixed(made).keys():
                names, entries, limits, replaced = [*kinds.usual(read), EAGER_LIMIT], {}, [costs.limit], {}
            elif names is None:
                names = costs.usual() if entries else kinds.usual(read)
            simulator.settle(replaced)
            if after:
                after.settle({**replaced, **noise})
            parameters, scans = kinds.chosen(names, entries)
            wanted = sum(not each.entries for each in parameters) \
                + max(len(each.entries) for each in parameters)
            if len(simulator.measured) < wanted:
                files = ", ".join(dict.fromkeys(table.path for table in read))
                raise WormholeError(f"{files}: {len(simulator.measured)} values for {wanted} parameters; "
                                    "expected as many values at least")
            found = _Search(simulator, after, parameters, scans, limits, costs, replaced, tell).run()
            return dataclasses.replace(found, notes=(
                *found.notes, *_of_units(found), *(_of_predictions(simulator, after, found) if after else ())))
    finally:
        simulation.reset()


def _of_units(found):
    """Yields warnings of files whose values seem to be in another unit. found: the calibration"""
    for frame, word in ((found.residuals, "fitted"), (found.predictions, "predicted")):
        for path, rows in frame.groupby("file", sort=False):
            powers = numpy.log10((rows[word] / rows.measured).astype(float).clip(1e-9, 1e15))
            middle = float(powers.median())
            # Each value is nearer to 1000 times than to what was measured.
            if _THOUSANDS[0] <= abs(middle) <= _THOUSANDS[1] and (powers * math.copysign(1, middle) > 1.5).all():
                unit = "MB/s" if (rows.benchmark == "bw").all() else "us"
                yield (f"{word} values of {path} are all about {'1000 times' if middle > 0 else '1/1000 of'} what was "
                       f"measured: are its values in {unit}?")


def _of_predictions(fitted, later, found):
    """Yields warnings of problems and assumptions of predictions. fitted, later: simulators; found: the calibration"""
    def values(simulator, path=None):
        return [(table.benchmark, plan.algorithm, len(plan.ranks), table.statistic, row)
                for table, plan in zip(simulator.tables, simulator.plans) if path in (None, table.path)
                for row in table.rows]

    there = set(values(fitted))
    for path in dict.fromkeys(table.path for table in later.tables):
        rows = values(later, path)
        if same := sum(row in there for row in rows):
            yield f"{path}: {same} of {len(rows)} predicted values are fitted, too, and are no predictions"
    both = [*zip(fitted.tables, fitted.plans), *zip(later.tables, later.plans)]
    lacking = {"algorithm": [f"{table.benchmark} by {plan.algorithm} ({table.path})" for table, plan in both
                             if plan.benchmark.kind and not table.algorithm
                             and table.benchmark not in fitted.algorithms],
               "statistic": [f"mean of {table.benchmark} ({table.path})" for table, _ in both
                             if not table.has_statistic]}
    for what, taken in lacking.items():
        if taken:
            yield f"no {what} is told; taken: {', '.join(dict.fromkeys(taken))}; CSV's column {what} gives another"
    known = {**found.fixed, **found.attributes}
    names = [[plan.benchmark.name for plan in each.plans if by_length.combines(plan)] for each in (later, fitted)]
    if names[0] and not names[1] and not by_length.told(known, "CombineTime") \
            and "ns3::HostSoftware::CombineTime" not in known:
        yield (f"combining costs nothing in predictions of {', '.join(dict.fromkeys(names[0]))}: fit a table of a "
               "reduction, or give CombineDataRate")
    yield from by_length.beyond(found.parameters, fitted.plans, later.plans)


def _exponential(jitter):
    mean = simulation.microseconds(simulation.time(jitter)) / 1e6
    if mean <= 0:
        raise WormholeError(f"jitter={jitter}: expected a time above 0")
    return f"ns3::ExponentialRandomVariable[Mean={mean}]"


def _within(tables, edges):
    if len(edges) < 2:
        raise WormholeError(f"lengths={edges[0]}: expected two or more, of which the first and the last "
                            "are fitted, too")
    found = [dataclasses.replace(table, rows=tuple(
        row for row in table.rows if not row[0] or edges[0] <= row[0] <= edges[-1])) for table in tables]
    return [table for table in found if table.rows]


def _by_length(simulator, names, edges):
    """Finds breaks. names: names of parameters, if given; edges: lengths, if given. Returns known costs by length,
    lengths of tables by cost (none: all costs are single values), and the attributes in tables, set to cost nothing."""
    tabled = [name for name in (by_length.USUAL if names is None else names) if name in kinds.BY_LENGTH]
    if names is None and not any(table.benchmark in by_length.REDUCTIONS for table in simulator.tables):
        tabled.remove("CombineTime")
    if not tabled or EAGER_LIMIT in (names or ()) or \
            all(not MEASURED[table.benchmark].sizes for table in simulator.tables):
        return None, {}, {}
    fabric, replaced = simulator.fabric, {}
    if names is None:
        known = _fixed(fabric)
        rates = [by_length.told(known, name) for name in tabled]
        replaced = {rate: "0bps" for rate in rates if rate and rate not in fabric.attributes}
    start_up = "ns3::HostSoftware::StartUp"
    for last in (names is not None or start_up in fabric.attributes, True):
        free = {parameter.attribute: parameter.least() for parameter in map(kinds.parameter, names or tabled)}
        floor = simulator.values({**free, **replaced})
        if last or not _is_above(simulator, floor, simulator.values({**free, **replaced, start_up: "0ps"})):
            break
        replaced[start_up] = "0ps"
    costs = by_length.ByLength(simulator.tables, floor, None if edges is None else edges[1:-1] or None)
    if not costs.breaks:
        return None, {}, {}
    return costs, {name: costs.entries(name) for name in tabled}, replaced


def _is_above(simulator, floor, without):
    """Returns whether unfitted costs are nearly all of a time, or more; of a time between messages, only if due to the
    start-up. floor: simulated values if fitted costs are 0; without: the same without start-up"""
    names = [table.benchmark for table in simulator.tables for _ in table.rows]
    taken, free = (numpy.array(times / simulator.measured) ** simulator.signs for times in (floor, without))
    return any(part > 1 - _OUT_OF_REACH and (name in ("latency", "o_s") or name in ("bw", "gap")
                                             and rest < part * (1 - _OUT_OF_REACH))
               for name, part, rest in zip(names, taken, free))


def _fixed(fabric):
    """Returns the values of attributes that a fabric and its machine give."""
    return {name: simulation.attribute_text(value)
            for name, value in {**machines.read(fabric.machine), **fabric.attributes}.items()}


class _Search:
    """The search for the parameters."""

    def __init__(self, simulator, after, parameters, scans, limits, costs, replaced, tell):
        self.simulator, self.after, self.tell = simulator, after, tell
        self.parameters: Sequence[Parameter] = parameters
        self.scans, self.limits, self.limit, self.count = scans, limits, None, 0
        self.costs, self.replaced = costs, replaced
        self.has_tables = any(each.entries for each in parameters)
        simulator.beat = lambda: tell(self.count, 0)
        self.fixed = _fixed(simulator.fabric)
        self.known = {each.name: _cost(each, self.fixed) for each in parameters if not each.entries}
        self.is_first = True  # whether no parameter has been left out yet
        self.idle: dict[Parameter, str] = {}  # parameters without effect, and their values if any
        self._begin()

    def _begin(self):
        self.reach = None
        self.starts = kinds.starts(self.parameters, self.simulator.tables, self.known)
        if self.has_tables:
            self.singles = self.starts[0]
            self.starts = self.costs.starts(self.parameters, self.singles)
        self.low, self.high = ([math.log(each.bounds[end]) for each in self.parameters for _ in each.names]
                               for end in (0, 1))

    @property
    def names(self):
        """Names of all costs."""
        return [name for each in self.parameters for name in each.names]

    def attributes(self, x) -> dict[str, str]:
        costs = iter([math.exp(float(log)) for log in x])
        found = {each.attribute: each.text([next(costs) for _ in each.names]) for each in self.parameters}
        found.update({each.attribute: text for each, text in self.idle.items() if text})
        if self.limit is not None:
            found[EAGER_ATTRIBUTE] = str(self.limit)
        return found

    def model(self, x, wanted=None):
        self.count += 1
        self.tell(self.count, 0)
        return self.simulator.residuals(self.attributes(x), wanted)

    def minimise(self, start, limit=60) -> Solution:
        if not self.has_tables:
            return fit.minimise(self.model, start, self.low, self.high, limit, signs=self.simulator.signs)
        self.reach = self.reach or fit.reach_of(self.model, start, self.high)
        return fit.minimise(self.model, start, self.low, self.high, _STEPS, max(fit.FLOOR, self.costs.noise),
                            self.simulator.signs, self.reach)

    def run(self) -> Calibration:
        if self.scans:
            self._scan()
        self._begin()
        found = self._minima()
        while len(self.parameters) > 1 and self._drop(found):
            found = self._minima()
        best = found[0]
        others = self._others(found)
        sure = fit.certainty(self.names, best)
        attributes = self.attributes(best.x)
        frame = _compared(self.simulator, self.simulator.values(attributes), "fitted")
        later = pandas.DataFrame(columns=["file", "benchmark", "members", "size", "measured", "predicted", "deviation"])
        if self.after:
            later = _compared(self.after, self.after.values(attributes), "predicted")
        table = self._table(best, sure, others, attributes)
        return Calibration(attributes, self.fixed, table, frame, later,
                           sure, tuple(others),
                           (*self._out_of_reach(), *_poor(frame), *_noise(self.simulator.tables, frame),
                            *self._notes(sure, others, "ambiguous" in set(table.state), attributes)),
                           self.count, self.simulator.fabric.machine,
                           frozenset(self.simulator.fabric.attributes),
                           tuple(self.costs.ranges) if self.has_tables else ())

    def _minima(self):
        found: list[Solution] = []
        for start in self.starts:
            # Once one describes all exactly, others that do come near soon.
            exact = any(each.square < fit.FLOOR ** 2 * len(each.residuals) for each in found)
            found.append(self.minimise(start, *([20] if exact else [])))
        if self.has_tables and self.is_first and not self._without_gap(found):
            found += [self.minimise(start) for start in self._mixed()]
        self.is_first = False
        best = min(found, key=lambda each: each.square)
        if self.has_tables:  # the first start is what is assumed where the tables do not tell
            limit = best.square + _AS_WELL * self._variance(best)
            best = next(each for each in found if each.square <= limit)
            simple = self._without_gap(found)
            best = simple[0] if len(simple) == 1 and not self.costs.are_pairs else best
        return [best, *sorted((each for each in found if each is not best), key=lambda each: each.square)]

    def _mixed(self):
        """Returns the most likely pair of ByLength.starts() if sender and receiver limit the rate in turn."""
        given = self.costs.starts(self.parameters, self.singles, mixed=True)
        pairs = list(zip(given[::2], given[1::2]))
        return min(pairs, key=lambda pair: min(self._square(self.attributes(each)) for each in pair), default=())

    def _without_gap(self, found):
        """Returns the minima without a gap, unless an F test at 5 % rejects them in favour of the first. found: minima
        by start"""
        from scipy.stats import f
        gap = next((len(each.entries) for each in self.parameters if each.name == "MessageGap"), 0)
        freedom = len(found[0].residuals) - len(found[0].x)
        if not gap or freedom < 1:
            return []
        limit = found[0].square + gap * float(f.ppf(0.95, gap, freedom)) * self._variance(found[0])
        return [each for each in found[1:] if each.square <= limit]

    def _drop(self, found) -> bool:
        """Leaves out a parameter if the data are fitted as well when it costs nothing; it keeps its unfitted value if
        this value fits as well. Returns whether there was such a parameter. found: minima, best first"""
        best = found[0]
        limit = best.square + _AS_WELL * self._variance(best)
        for i, parameter in enumerate(self.parameters):
            attributes = self.attributes(best.x)
            least = {**attributes, parameter.attribute: parameter.least()}
            if self._square(least) > limit:
                continue
            del attributes[parameter.attribute]
            self.idle[parameter] = "" if self._square(attributes) <= limit else parameter.least()
            first = sum(len(each.names) for each in self.parameters[:i])
            self.parameters = [*self.parameters[:i], *self.parameters[i + 1:]]
            self._begin()
            if self.has_tables:  # which of the others is the slowest has been found
                left = [numpy.delete(each.x, slice(first, first + len(parameter.names))) for each in found]
                self.starts = [start for number, start in enumerate(left)
                               if not any(numpy.allclose(start, each, 0, _APART) for each in left[:number])]
            return True
        return False

    def _square(self, attributes):
        return float(numpy.sum(self.simulator.residuals(attributes) ** 2))

    @staticmethod
    def _variance(best):
        return max(best.square / max(len(best.residuals) - len(best.x), 1), fit.FLOOR ** 2)

    def _scan(self):
        lengths = sorted({size for table in self.simulator.tables
                        if table.benchmark in ("latency", "bw", "bcast")
                        for size, _ in table.rows if size > 0})
        self.sizes, squares = lengths, {}
        for limit in [NO_LIMIT, *(self.limits or reversed(lengths[:-1]))]:
            self.limit = limit
            squares[limit] = min(self.minimise(start, 10).square for start in self.starts[:3:2])
        self.limit = min(squares, key=squares.get)

    def _others(self, found) -> list[dict[str, float]]:
        """Returns other minima that fit as well, and differ in a parameter that has an effect."""
        best = found[0]
        limit = best.square + _AS_WELL * self._variance(best)
        seen = [best]
        for other in found[1:]:
            if other.square <= limit and not any(self._same(other, each) for each in seen):
                seen.append(other)
        others = [each.x for each in seen[1:]] or [x for x in self._swapped(best.x)
                                                   if self._square(self.attributes(x)) <= limit]
        return [{name: math.exp(float(log)) for name, log in zip(self.names, x)} for x in others]

    def _swapped(self, x):
        """Yields costs in which the sender's and the receiver's are swapped from a length on, and up to it."""
        where, entries = {}, {}
        for parameter in self.parameters:
            where[parameter.name] = sum(map(len, entries.values()))
            entries[parameter.name] = parameter.names if not parameter.entries else parameter.entries
        sender, receiver = "SendOverhead", "ReceiveOverhead"
        if not self.has_tables or not where.keys() >= {sender, receiver} or entries[sender] != entries[receiver]:
            return
        count = len(entries[sender])
        for part in [*(range(first, count) for first in range(count)), *(range(end) for end in range(1, count))]:
            moved = numpy.array(x)
            for i in part:
                moved[where[sender] + i], moved[where[receiver] + i] = x[where[receiver] + i], x[where[sender] + i]
            if numpy.max(numpy.abs(moved - x)) > _APART:
                yield moved

    def _same(self, a, b):
        """Returns whether all parameters known in one minimum are alike in the other, or have no effect there."""
        both = [fit.certainty(self.names, each) for each in (a, b)]
        for i, name in enumerate(self.names):
            halves = [each.intervals.get(name, 0.0 if name in each.without_effect else math.nan) for each in both]
            if sum(halves) > 0 and abs(float(a.x[i] - b.x[i])) >= max(_APART, sum(halves)):
                return False
        return True

    def _table(self, best, sure, others, attributes):
        rows = []
        grouped = {name for group in sure.groups for name in group.names}
        tangled = {name for names, _ in sure.entangled for name in names}
        owners = [(each, length) for each in self.parameters for length in each.entries or (None,)]
        for (parameter, length), name, log in zip(owners, self.names, best.x):
            cost = math.exp(float(log))
            half = sure.intervals.get(name)
            state = "determined" if half is not None else "sum only" if name in grouped \
                else "entangled" if name in tangled else "no effect"
            if state == "determined" and any(abs(math.log(other[name] / cost)) > max(_APART, half) for other in others):
                state = "ambiguous"
            elif state == "determined" and parameter.entries and parameter.name == "MessageGap" \
                    and self.costs.hides(length, (cost - _cost(kinds.parameter("StartUp"), self.fixed)) / 1e6):
                state = "ambiguous"
            elif state == "determined" and half > (_ROUGH / 2 if parameter.entries else _ROUGH):
                state = "roughly"
            ends = sorted((8e12 / cost * math.exp(sign * half) if parameter.is_rate
                           else cost * math.exp(sign * half)) for sign in (-1, 1)) \
                if half is not None else (math.nan, math.nan)
            value = f"{round(cost)}ps" if parameter.entries else attributes.get(parameter.attribute, "")
            rows.append((parameter.name, parameter.attribute, length, value, cost, *ends, state))
        for parameter, text in self.idle.items():
            rows.append((parameter.name, parameter.attribute, None, text.partition(",")[0].rpartition(":")[2],
                         math.nan, math.nan, math.nan, "no effect"))
        if self.scans:
            most = min((size - 1 for size in self.sizes if size > self.limit), default=NO_LIMIT)  # that does as well
            rows.append((EAGER_LIMIT, EAGER_ATTRIBUTE, None, str(self.limit), math.nan, float(self.limit),
                         float(most), "scanned"))
        return pandas.DataFrame(rows, columns=["name", "attribute", "length", "value", "cost", "low", "high",
                                               "state"]).astype({"length": "Int64"})

    def _grows_in_turn(self, attributes):
        """Returns whether an interface that serves queues in turn waits for the gap of a message sent in packets."""
        packet = int(self.fixed.get("ns3::HostSoftware::MaxPacketBytes", 0))
        gaps = [[int(part.removesuffix("ps")) for part in pair.split(":")] for pair in attributes.get(
            kinds.parameter("MessageGap").attribute, "").split(",") if ":" in pair]
        beyond = [gap for length, gap in gaps if length > packet > 0]
        return self.fixed.get("ns3::HostSoftware::Sharing") == "in-turn" and len(beyond) > 1 \
            and max(beyond) > 2 * gaps[0][1]

    def _notes(self, sure, others, is_ambiguous, attributes):
        parts = {table.benchmark for table in self.simulator.tables}
        more = "osu_bw, of many small and of large messages," if "bw" not in parts else \
            "osu_bcast, whose root sends to several," if "bcast" not in parts else \
            "a broadcast of another shape or number of members"
        for name in self.replaced:
            holder = next((of for of, rate in kinds.BY_LENGTH.items() if rate and name.endswith(rate)), "SendOverhead")
            yield (f"{name.rpartition('::')[2]} costs nothing here: the table of {holder} holds it")
        tables: dict[tuple[str, ...], list[str]] = {}  # lengths at which these can't be told apart
        for names in (*(group.names for group in sure.groups), *(names for names, _ in sure.entangled)):
            if any("(" in name for name in names):
                owners = tuple(dict.fromkeys(name.partition("(")[0] for name in names))
                tables.setdefault(owners, []).extend(name.partition("(")[2].rstrip(")") for name in names)
        for owners, told in tables.items():
            yield (f"these data can't separate {', '.join(owners)} at {', '.join(dict.fromkeys(filter(None, told)))}: "
                   f"the total is divided as usual; add {self._more(owners, more, told)} to separate them")
        for group in sure.groups:
            if "(" in "".join(group.names):
                continue
            scale, unit = (1e6, "us") if not self._is_rate(group.names[0]) else (1, "ps per byte")
            total = " + ".join((f"{factor:.3g} " if abs(factor - 1) > 0.005 else "")
                               + (f"8/{name}" if self._is_rate(name) else name)
                               for name, factor in zip(group.names, group.factors))
            yield (f"the data determine only a sum: {total} = {group.value / scale:.6g} {unit} "
                   f"+- {group.interval / scale:.2g}; its division is arbitrary; {more} would "
                   "separate them")
        for names, rank in sure.entangled:
            if "(" not in "".join(names):
                yield (f"the data can't separate {', '.join(names)}: {rank} combinations of these "
                       f"{len(names)} are determined; {more} would separate them")
        if self._grows_in_turn(attributes):
            yield ("with Sharing=in-turn, packets of other messages do not overlap a MessageGap that grows with "
                   "length, and exchanges of long messages can take up to twice as long. Give the rate of long "
                   "messages as InterfaceDataRate, and the MessageGap of short ones (--attribute)")
        if self.has_tables and (others or is_ambiguous):
            told = [each.name for each in self.parameters
                    if each.name in ("MessageGap", "SendOverhead", "ReceiveOverhead")]
            yield (f"these data can't separate {', '.join(told)}: another of these may limit the rate of messages, of "
                   f"all lengths or of some; add {self._more(told, more)} to decide")
        for other in others if not self.has_tables else ():
            told = ", ".join(f"{each.name} {each.shown(other[each.name])}" for each in self.parameters)
            yield f"another solution fits as well: {told}; {more} would decide"
        if sure.without_effect:
            yield (f"{', '.join(sure.without_effect)}: no effect on these values; any smaller cost fits as well")
        for parameter, text in self.idle.items():
            yield (f"the data are fitted as well without {parameter.name}, which " +
                   ("costs nothing here" if text else "keeps its value"))

    def _more(self, owners, more, at=()):
        most = max((sizes.parse("length", each) for each in at if each not in ("", "0")), default=0)
        there = {table.benchmark: max(size for size, _ in table.rows) for table in self.simulator.tables}
        told = [words + (" of these lengths" if of in there else "") for name, of, words in _SEPARATING
                if name in owners and there.get(of, -1) < most]
        return ", and ".join(told) or more

    def _out_of_reach(self):
        """Yields a warning if the unfitted costs alone take longer than the measured time."""
        every = [*self.parameters, *self.idle]
        least = {each.attribute: each.least() for each in every}
        if self.scans:
            least[EAGER_ATTRIBUTE] = str(NO_LIMIT)
        rows = list(_compared(self.simulator, self.simulator.values(least), "least").itertuples())
        far = [(row.measured / row.least if row.benchmark == "bw" else row.least / row.measured, row) for row in rows]
        far = [each for each in far if each[0] > 1 + _OUT_OF_REACH]
        if far:
            _, row = max(far, key=lambda each: each[0])
            of, unit = of_row(row), "MB/s" if row.benchmark == "bw" else "us"
            usual = "" if self.simulator.fabric.machine else \
                " (without --machine these are of 2001; ns3-wormhole machine list has others)"
            start_up = _cost(kinds.parameter("StartUp"), self.fixed) and \
                "StartUp" not in {each.name for each in every}
            other = "another cost that is not fitted" + ", as StartUp," * bool(start_up)
            yield (f"{len(far)} of {len(rows)} values are out of reach: were all that is fitted to cost "
                   f"nothing, {of} would still be {row.least:.4g} {unit}, but {row.measured:.4g} {unit} "
                   f"were measured. Delays of cables, switches or interfaces{usual} are too long for this "
                   f"machine, {other} is too high, or other hosts were measured")

    def _is_rate(self, name):
        return next(each.is_rate for each in self.parameters if name in each.names)


def _cost(parameter, fixed):
    """Returns a parameter's cost if it is not fitted, ps or ps per byte; 0 for none."""
    text = fixed.get(parameter.attribute)
    if text is None and parameter.name in _USUAL:
        return _USUAL[parameter.name]
    if text is None or "," in text:
        return 0
    if parameter.is_rate:
        rate = float(ns.DataRate(text).GetBitRate())
        return 8e12 / rate if rate else 0
    return simulation.microseconds(simulation.time(text)) * 1e6


def _noise(tables, frame):
    """Yields how much of the deviations is noise, for tables that state the scatter of single values."""
    rest = frame.itertuples()
    for table in tables:
        rows = itertools.islice(rest, len(table.rows))
        told = [(row, *table.spread[row.size]) for row in rows if row.size in table.spread]
        if not told:
            continue
        halves = [(high - low) / 2 if high == high else row.measured - low for row, low, high in told]
        noise, off = (math.sqrt(sum(each ** 2 for each in some) / len(told)) for some in (
            [half / row.measured for half, (row, _, _) in zip(halves, told)], [row.deviation for row, _, _ in told]))
        between = sum(low <= row.fitted <= (high if high == high else 2 * row.measured - low)
                      for row, low, high in told)
        yield (f"noise of {table.benchmark} in {table.path}: single values scatter by {100 * noise:.1f} % (half of "
               f"what is given, root mean square), fitted ones deviate by {100 * off:.1f} %; {between} of "
               f"{len(told)} lie within the scatter")


def _poor(frame):
    square = deviation(frame)
    if square > POOR:
        row = frame.loc[frame.deviation.abs().idxmax()]
        yield (f"poor fit: root mean square {100 * square:.1f} %, above {100 * POOR:.0f} %; farthest is "
               f"{of_row(row)}, {100 * row.deviation:+.0f} %. Do not use these values without knowing why: other "
               "algorithms than the MPI library's (--algorithm), other hosts, or costs that are not fitted "
               "(--fit)")


def _compared(simulator, values, word):
    rest = map(float, values)
    rows = [(table.path, table.benchmark, len(plan.ranks), size, measured, next(rest))
            for table, plan in zip(simulator.tables, simulator.plans) for size, measured in table.rows]
    frame = pandas.DataFrame(rows, columns=["file", "benchmark", "members", "size", "measured", word])
    frame["deviation"] = frame[word] / frame.measured - 1
    if any(table.algorithm for table in simulator.tables):
        frame.insert(2, "algorithm", [table.algorithm for table in simulator.tables for _ in table.rows])
    return frame
