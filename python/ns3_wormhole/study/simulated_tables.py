# SPDX-License-Identifier: GPL-2.0-only
"""Measured tables, simulated."""

from __future__ import annotations

from typing import Mapping, Sequence

from ..collective.fabric import Fabric
from ..collective.part import part_of
from ..core import simulation
from ..core.errors import WormholeError
from ..core.loader import numpy
from .measured_tables import Table
from .osu import MEASURED, Plan, group_of


class Simulator:
    """Tables that are simulated on a fabric; those between two hosts on the part that these use."""

    def __init__(self, fabric: Fabric, tables: Sequence[Table], *, hosts=None, members=None,
                 tasks_per_host: int = 1, algorithms: Mapping[str, str] | None = None):
        """Checks arguments. algorithms: by benchmark."""
        self.fabric, self.tables, self.plans = fabric, tables, []
        self.beat = lambda: None  # is called at each length
        for table in tables:
            collective = bool(MEASURED[table.benchmark].kind)
            try:
                self.plans.append(Plan(
                    fabric, table.benchmark,
                    [size for size, _ in table.rows] if MEASURED[table.benchmark].sizes else None,
                    hosts=None if collective else hosts,
                    members=_group(fabric, table, members, tasks_per_host) if collective else None,
                    tasks_per_host=tasks_per_host,
                    algorithm=table.algorithm or (algorithms or {}).get(table.benchmark),
                    iterations=None if table.benchmark == "barrier" else 1))
            except WormholeError as error:
                raise WormholeError(f"{table.path}: {error}") from None
        pairs = [plan for plan in self.plans if not plan.benchmark.kind]
        self.part = part_of(fabric, pairs[0].ranks) if pairs else None
        for plan in pairs if self.part else ():
            plan.ranks = list(range(len(plan.ranks)))
        self.measured = numpy.array([value for table in tables for _, value in table.rows])

    def settle(self, attributes: Mapping[str, object]) -> None:
        """Has the fabric have attributes from now on."""
        self.fabric = self.fabric.with_attributes(attributes)
        self.part = self.part and self.part.with_attributes(attributes)

    def values(self, attributes: Mapping[str, object], wanted=None):
        """Returns simulated values of all rows. attributes: besides the fabric's; wanted: which rows are
        needed, by row; None: all; NaN stands for others."""
        simulation.reset()
        simulation.set_seed()
        whole = self.fabric.with_attributes(attributes)
        part = self.part.with_attributes(attributes) if self.part else whole
        found = []
        for plan, table in zip(self.plans, self.tables):
            for size in plan.sizes:
                self.beat()
                needed = wanted is None or wanted[len(found)]
                found.append(plan.value(whole if plan.benchmark.kind else part, size, table.statistic) if needed
                             else float("nan"))
        return numpy.array(found)

    def residuals(self, attributes: Mapping[str, object], wanted=None):
        """Returns logarithms of simulated over measured values. attributes, wanted: see values()"""
        # A bandwidth or a latency that nothing limits: any finite number is as wrong.
        return numpy.log(numpy.clip(self.values(attributes, wanted), 1e-9, 1e15) / self.measured)


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
