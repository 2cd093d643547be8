# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a comparison of collectives without lengths rests on: see _order."""

from __future__ import annotations

import functools
import math
from typing import Callable, Mapping

from . import _arguments as arguments, _order, simulation
from ._hardware import add_on_times
from ._loader import pandas
from .errors import WormholeError


def check(table: pandas.DataFrame, measured: Callable, attributes: Mapping[str, object], machine,
          tasks: int, combines: bool, progress: bool | None, has_rates: bool = False) -> None:
    """Has a table's attrs tell bounds, changes of the order, and values tried.

    Args:
        table: of studies.algorithms
        measured: returns a row for each run: latency_us, refused, and what it went into; given
            attributes, an algorithm, a group's size, and whether to explain it
        attributes, machine: that it has
        tasks: processes of a host
        combines: whether values are combined
        progress: as for studies.algorithms
        has_rates: whether all cables have data rates of their own
    """
    able = table[table.refused == ""]
    means = able.groupby(["group_size", "algorithm"]).agg(
        latency_us=("latency_us", "mean"), hypothetical=("hypothetical", "first")).reset_index()
    base = {(row.group_size, 0, row.algorithm): row.latency_us for row in means.itertuples()}
    points = []
    for size, each in means.sort_values("latency_us", kind="stable").groupby("group_size", sort=True):
        ours, theirs = (each[each.hypothetical == wanted] for wanted in (False, True))
        points.append(_order.Point(int(size), 0, *(
            tuple(zip(some.algorithm, some.latency_us)) for some in (ours, theirs.head(1)))))
    values = _order.known(attributes, machine)

    def measure(changed, name, size, sizes):
        try:
            rows = measured(changed, name, size, False)
            time = rows.latency_us.mean() if (rows.refused == "").all() else math.inf
        except WormholeError:  # not with this fabric
            time = math.inf
        return {of: time for of in sizes}

    def faster(name, size, what):
        text = _order.scaled(_order.GAP, str(values.get(_order.GAP, _order.default(_order.GAP))), 0.5) \
            if what == "gap" else ""
        return measure({_order.GAP: text}, name, size, [0])[0] if text else math.inf

    bounds = []
    with arguments.bar("what bounds it", progress) as tell:
        batches = list(_order.batches(points, lambda point: [
            some[0][0] for some in (point.ours, point.hardware) if some]))
        for number, (size, name, _) in enumerate(batches):
            tell(number, len(batches))
            row = measured({}, name, size, True).mean(numeric_only=True).to_dict()
            bound, part = _order.bound(row, functools.partial(faster, name, size))
            bounds.append({"members": size, "bytes": 0, "algorithm": name, "bound": bound,
                           "percent": 100 * part})
        tell(len(batches), len(batches))
    found = _order.guesses(attributes, machine, tasks=tasks, combines=combines, in_switch=False,
                           is_ideal=False, has_rates=has_rates, beside=add_on_times(
                               table.kind.iloc[0], int(table.width_bits.iloc[0]) or 1, able.algorithm))
    with arguments.bar("what it depends on", progress) as tell:
        rows, checked = _order.vary(points, found, len(table), measure, lambda guess, name: True,
                                    lambda *key: base[key], tell)
    simulation.reset()
    table.attrs.update(bounds=bounds, changes=rows, varied=[str(each) for each in found],
                       checked=(checked, len(points)))
