# SPDX-License-Identifier: GPL-2.0-only
"""Random years of a cluster: failures and repairs drawn by rates, each state measured once."""

from __future__ import annotations

import collections
import random
from typing import Iterator, Sequence, TYPE_CHECKING

from ..core import arguments
from ..core.errors import translated
from ..core.loader import pandas
from .groups import Members
from .hardware import has
from .variants import Parts, Variant
from .what_if import COLLECTIVES, kind_and_name, measure_all
from .year import HOURS, Rate, rates_of

if TYPE_CHECKING:
    from .fabric import Fabric

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
# What keeps a tree in the switches, and begins anew when part of it fails.
_REGISTERS = ("btin", "in-switch")

State = tuple[int, ...]  # numbers of parts that are down, increasing


def changes(generator: random.Random, parts: Sequence[Rate]) -> Iterator[tuple[float, int]]:
    """Yields changes of parts in a year, in order of time, each from up to down or back: hours since the year's
    beginning, and number of the part. At the beginning parts are down as often as at any time."""
    found = []
    for number, rate in enumerate(parts):
        if not rate.mtbf:
            continue
        is_down = generator.random() < rate.mttr / (rate.mtbf + rate.mttr)
        time = 0.0
        if is_down:
            found.append((time, number))
        while (time := time + generator.expovariate(1 / (rate.mttr if is_down else rate.mtbf))) < HOURS:
            found.append((time, number))
            is_down = not is_down
    return iter(sorted(found))


def _draw(generator, parts):
    """Returns hours by state of a year, and its failures: the state before each, and the part."""
    hours: dict[State, float] = collections.defaultdict(float)
    failures: list[tuple[State, int]] = []
    state, since = (), 0.0
    for time, number in changes(generator, parts):
        hours[state] += time - since
        if number not in state and time > 0:
            failures.append((state, number))
        state = tuple(sorted({number} ^ set(state)))
        since = time
    hours[state] += HOURS - since
    return hours, failures


@translated()
def years(fabric: Fabric, cable: tuple[float, float] = (0, 0), switch: tuple[float, float] = (0, 0),
          collectives: Sequence[str] = COLLECTIVES, members: Members = None, *, runs: int = 1000, seed: int = 1,
          lost: float = 0, states: int = 10000, jobs: int = 1, progress: bool | None = None) -> pandas.DataFrame:
    """Draws random years in which parts fail and are repaired independently, with exponential times. cable, switch,
    collectives, members, jobs, progress: as for year(); runs: number of years; seed: seed of random numbers; lost:
    hours of work that each member loses when its collective has to start anew; states: maximum number of states to
    measure. Raises WormholeError if nothing fails, or an argument is refused.

    Each state is measured once, as by what_if(), longest-lasting first, and weighted by its duration in each year. At a
    failure, all members lose work if a member is cut off; with an in-switch collective (btin, in-switch), also if its
    tree has the failed part. Other collectives are assumed to continue, since hosts retransmit and routes recover.

    Returns a row for each year: failures; measured_hours, in measured states; availability, the fraction of these hours
    in which all members are connected; cut_off_hours of members; and for each collective, columns ending in ``_factor``
    (mean time relative to the whole fabric's), ``_restarts``, and ``_lost_hours`` (member-hours cut off or lost by
    restarts). attrs["states"]: what_if()'s rows of states, with hours in all years; attrs["unmeasured"]: number of
    unmeasured states.
    """
    rates = rates_of(cable, switch, lost)
    runs, states = arguments.whole("runs", runs, 1, 1000000), arguments.whole("states", states)
    seed = arguments.whole("seed", seed)
    parts = Parts(fabric)
    all_parts = [*parts.switches, *parts.between]
    of_part = [rates["switch"]] * len(parts.switches) + [rates["cable"]] * len(parts.between)
    generator = random.Random(seed)
    drawn = [_draw(generator, of_part) for _ in range(runs)]
    hours: dict[State, float] = collections.Counter()
    for year, _ in drawn:
        hours.update(year)
    longest = sorted(filter(None, hours), key=lambda state: (-hours[state], state))[:states - 1]
    variants = {state: Variant(tuple(all_parts[number] for number in state)) for state in longest}
    kinds = dict(kind_and_name(each) for each in arguments.listed(collectives))
    group = [fabric.hosts[host] for host in fabric.group(members)]
    whole, measured = measure_all(fabric, parts, list(variants.values()), group, kinds, None,
                                  arguments.whole("jobs", jobs, 1, 4096), progress)
    rows = {(): whole, **{state: measured[str(variant)] for state, variant in variants.items()}}

    def restarts(name, state, number):
        """Returns whether a collective begins anew at a failure; not if a state is not measured."""
        before, after = rows.get(state), rows.get(tuple(sorted((*state, number))))
        if not before or not after:
            return False
        part = all_parts[number]
        names = {part} if isinstance(part, str) else {f"{part[0]}:{part[1]}", f"{part[2]}:{part[3]}"}
        return after["members"] < before["members"] or (has(_REGISTERS, name) and not names.isdisjoint(before["tree"]))

    found = []
    for run, (year, failures) in enumerate(drawn, 1):
        known = {state: lasts for state, lasts in year.items() if state in rows}
        sum_known = sum(known.values())
        cut_off = sum(lasts * (len(group) - rows[state]["members"]) for state, lasts in known.items())
        row = {"run": run, "failures": len(failures), "measured_hours": sum_known,
               "availability": sum(lasts for state, lasts in known.items()
                                   if rows[state]["members"] == len(group)) / sum_known if known else float("nan"),
               "cut_off_hours": cut_off}
        for name in kinds:
            times = [(lasts, rows[state][f"{name}_us"] / whole[f"{name}_us"]) for state, lasts in known.items()]
            times = [(lasts, factor) for lasts, factor in times if factor == factor]
            again = sum(restarts(name, *failure) for failure in failures)
            row[f"{name}_factor"] = sum(lasts * factor for lasts, factor in times) / sum(
                lasts for lasts, _ in times) if times else float("nan")
            row[f"{name}_restarts"] = again
            row[f"{name}_lost_hours"] = cut_off + again * lost * len(group)
        found.append(row)
    frame = pandas.DataFrame(found)
    frame.attrs["states"] = pandas.DataFrame([{"hours": hours[state], **row} for state, row in rows.items()]
                                             ).drop(columns="tree")
    frame.attrs["unmeasured"] = len(hours.keys() - rows.keys())
    return frame


def as_text(frame: pandas.DataFrame) -> str:
    """Returns mean and quantiles of the years in some lines."""
    told = frame.drop(columns="run")
    shown = told.quantile(QUANTILES).T
    shown.columns = ["median" if each == 0.5 else f"{each:.0%}" for each in QUANTILES]
    shown.insert(0, "mean", told.mean())
    share = told.measured_hours.mean() / HOURS
    return (f"{len(frame)} years; {len(frame.attrs['states'])} states are measured, {share:.6%} of the hours, "
            f"{frame.attrs['unmeasured']} are not\n" + shown.to_string(float_format=lambda value: f"{value:.6g}"))
