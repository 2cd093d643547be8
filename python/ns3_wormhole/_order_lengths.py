# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a comparison over lengths rests on: see _order."""

from __future__ import annotations

import dataclasses
import functools
import math

from . import _arguments as arguments, _order, simulation
from ._crossover import DEPLOYABLE, Measurements, combines, with_setting
from ._hardware import add_on_times
from ._loader import pandas
from .errors import WormholeError
from .fabric import Fabric
from .ideal import IdealNetwork


# Classes of algorithms in reduction slots, whose windows are theirs, by kind.
_WINDOWS = {kind: f"ns3::InSwitchData{name}" for kind, name in (
    ("allreduction", "AllReduction"), ("reduction", "Reduction"), ("broadcast", "Broadcast"),
    ("gather", "Gather"), ("alltoall", "AllToAll"))}


class _Uncounted:
    """Counts nothing: these measurements have a bar of their own."""

    def begin(self):
        """Another one begins."""

    def add(self, is_planned=True):
        """One more is done."""


def _changed(place, attributes):
    """Returns a fabric or an ideal network with other attributes, before its own."""
    if isinstance(place, IdealNetwork):
        return IdealNetwork(len(place.hosts), place.latency, machine=place.machine, name=place.name,
                            attributes={**place.attributes, **attributes})
    return place.with_attributes(attributes)


class Check:
    """Measures a comparison again, with other values."""

    def __init__(self, table: pandas.DataFrame, request, places, algorithms, progress):
        """Takes what was found, and how."""
        self._table, self._request, self._progress = table, request, progress
        self._places, self._known = places, {each.name: each for each in algorithms}
        self._place = places(request.seed, 1)
        self._machine = self._place.machine
        self._given = _order.known(self._place.attributes, self._machine)
        self._window = _WINDOWS.get(request.kind, "")
        able = table[table.reason == ""]
        self._base = {(row.members, row.bytes, row.algorithm): row.latency_us for row in able.itertuples()}

    def run(self) -> None:
        """Has the table's attrs tell bounds, changes of the order, and values tried."""
        points = self._points()
        with arguments.bar("what bounds it", self._progress) as tell:
            self._table.attrs["bounds"] = list(self._bounds(points, tell))
        found = _order.guesses(
            self._place.attributes, self._machine, tasks=self._request.tasks,
            combines=combines(self._request.kind), in_switch=(self._table.needs == "switch").any(),
            is_ideal=isinstance(self._place, IdealNetwork), window=self._window,
            has_rates=isinstance(self._place, Fabric) and self._place.has_rates(),
            beside=add_on_times(self._request.kind, 64, self._known))
        with arguments.bar("what it depends on", self._progress) as tell:
            rows, checked = _order.vary(points, found, len(self._table), self._measure, self._has_effect,
                                        lambda *key: self._base[key], tell)
        simulation.reset()
        self._table.attrs["changes"] = rows
        self._table.attrs["varied"] = [str(each) for each in found]
        self._table.attrs["checked"] = checked, len(points)

    def _points(self):
        points = []
        able = self._table[self._table.reason == ""].sort_values("latency_us", kind="stable")
        for (members, size), each in able.groupby(["members", "bytes"], sort=True):
            ours = each[each.needs.isin(DEPLOYABLE)]
            theirs = each[~each.needs.isin(DEPLOYABLE)].head(1)
            points.append(_order.Point(int(members), int(size), *(
                tuple(zip(some.algorithm, some.latency_us)) for some in (ours, theirs))))
        return points

    def _run(self, attributes, name, members, sizes, explains=False):
        """Returns the rows of an algorithm by length, measured with other attributes."""
        known = self._known[name]
        kept = {}
        for attribute, text in attributes.items():
            if attribute.endswith("::Window"):
                known = dataclasses.replace(known, name=with_setting(known.name, f"Window={text}"))
            else:
                kept[attribute] = text
        places = functools.lru_cache(maxsize=4)(
            lambda seed, run: _changed(self._places(seed, run), kept)) if kept else self._places
        request = dataclasses.replace(self._request, explains=explains)
        one = Measurements(request, places, members // request.tasks, [known], _Uncounted())
        return {size: row for size, row in one.measured(known, sizes).items() if not row["reason"]}

    def _measure(self, attributes, name, members, sizes):
        try:
            rows = self._run(attributes, name, members, sizes)
        except WormholeError:  # not with this fabric
            rows = {}
        return {size: rows[size]["latency_us"] if size in rows else math.inf for size in sizes}

    def _has_effect(self, guess, name):
        """Returns whether a value may change an algorithm's time."""
        known, key = self._known[name], guess.attribute.rpartition("::")[2]
        is_in_slots = known.needs == "switch" and known.is_data
        if key == "Window":
            return is_in_slots and "Window=" not in name
        return is_in_slots or "CollectiveUnit" not in guess.attribute

    def _bounds(self, points, tell):
        batches = list(_order.batches(points, lambda point: [
            some[0][0] for some in (point.ours, point.hardware) if some]))
        for number, (members, name, sizes) in enumerate(batches):
            tell(number, len(batches))
            for size, row in self._run({}, name, members, sizes, True).items():
                bound, part = _order.bound(row, functools.partial(self._faster, name, members, size))
                yield {"members": members, "bytes": size, "algorithm": name, "bound": bound,
                       "percent": 100 * part}
        tell(len(batches), len(batches))

    def _faster(self, name, members, size, what):
        """Returns the time with a longer window or half the gap; see _order.bound."""
        attribute = f"{self._window}::Window" if what == "window" else _order.GAP
        guess = _order.Guess(attribute, "", "", ())
        if what == "window" and not (self._window and self._has_effect(guess, name)):
            return math.inf
        text = _order.scaled(attribute, str(self._given.get(attribute, _order.default(attribute))),
                             2 if what == "window" else 0.5)
        return self._measure({attribute: text}, name, members, [size])[size] if text else math.inf
