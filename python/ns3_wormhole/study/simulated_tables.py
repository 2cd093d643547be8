# SPDX-License-Identifier: GPL-2.0-only
"""Simulates the measurements of tables."""

from __future__ import annotations

from typing import Mapping, Sequence

from ..collective.fabric import Fabric
from ..collective.groups import Placement
from ..core import machine as machines, simulation
from ..core.errors import WormholeError
from ..core.loader import bridge, ns, numpy
from ..formats import properties
from .measured_tables import Table
from .osu import MEASURED, Plan, group_of

_SOFTWARE = "ns3::HostSoftware::"
# Time, ps, after which a simulation does not go on: all tables take less than what is left of 64 bits.
_LONG = 10**17


def part_of(fabric: Fabric, hosts: Sequence[int]) -> Fabric | None:
    """Returns a fabric of two hosts and the routes between them, on which messages take as long as on the whole fabric;
    None if the whole fabric is needed, or is not larger. hosts: numbers of the hosts, which become 0 and 1"""
    graph = fabric.graph
    if len(set(hosts)) < 2 or properties.of_lanes(graph) or graph.GetInterfaces().size() \
            or graph.GetNHosts() == 2:
        return None
    cables, ports = [], {}
    for end, (here, there) in enumerate((hosts, hosts[::-1])):
        stops = _route(graph, fabric.router(), here, there)
        if any(lane for _, _, lane in stops):
            return None
        cables.append((graph.HostAt(here), 0))
        cables += [(node, port) for node, port, _ in stops]
        for node, port, _ in stops:
            ports.setdefault(node, ["-", "-"])[1 - end] = str(port)
    numbers = {node: number for number, node in enumerate(ports)}
    made = bridge.MakeGraph(len(ports), 2, graph.GetNPorts(0))
    numbers.update({graph.HostAt(host): len(ports) + i for i, host in enumerate(hosts)})
    for node, number in numbers.items():
        made.SetName(number, graph.GetName(node))
    properties.give_all(made, properties.of_all_cables(graph))
    for node, port in cables:
        far = graph.Peer(node, port)
        if made.Peer(numbers[node], port).node != made.NONE:
            continue
        made.Connect(numbers[node], port, numbers[far.node], far.port)
        properties.give(made, numbers[node], port, properties.of_cable(graph, node, port))
    for node, delay in properties.of_switches(graph).items():
        if node in numbers:
            properties.delay(made, numbers[node], delay)
    bridge.SetTable(made, [" ".join(each) for each in ports.values()])
    return Fabric(made, name=fabric.name, attributes=fabric.attributes, machine=fabric.machine)


def _route(graph, router, here, there):
    """Returns the switches of a route, the ports by which it leaves them, and the lanes there."""
    routes = (list(map(int, line.split())) for line in str(bridge.ListRoutes(graph, router, here)).splitlines())
    words = next((words for to, *words in routes if to == there), [])
    return list(zip(words[::3], words[1::3], words[2::3]))


class Simulator:
    """Tables simulated on a fabric; tables between two hosts, on the part that these hosts use. measured: measured
    values, by row; signs: by row, 1 for times, -1 for bandwidths."""

    def __init__(self, fabric: Fabric, tables: Sequence[Table], *, hosts=None, members=None,
                 placement: Placement = None, tasks_per_host: int = 1, algorithms: Mapping[str, str] | None = None,
                 barrier: str | None = None, iterations: int = 1):
        """algorithms: by benchmark; barrier: before each call of a collective; iterations: except for barriers"""
        self.fabric, self.tables, self.plans, self._has_jitter = fabric, tables, [], iterations > 1
        self.algorithms = algorithms or {}
        self.beat = lambda: None  # is called at each length
        for table in tables:
            collective = bool(MEASURED[table.benchmark].kind)
            try:
                self.plans.append(Plan(
                    fabric, table.benchmark,
                    [size for size, _ in table.rows] if MEASURED[table.benchmark].sizes else None,
                    hosts=None if collective else hosts,
                    members=_group(fabric, table, members, placement, tasks_per_host) if collective else None,
                    placement=None if collective or hosts is not None else placement,
                    tasks_per_host=tasks_per_host,
                    algorithm=table.algorithm or self.algorithms.get(table.benchmark),
                    barrier=barrier if collective and table.benchmark != "barrier" else None,
                    iterations=None if table.benchmark == "barrier" else iterations))
            except WormholeError as error:
                raise WormholeError(f"{table.place or table.path}: {error}") from None
        pairs = [plan for plan in self.plans if not plan.benchmark.kind]
        self.part = part_of(fabric, pairs[0].ranks) if pairs else None
        for plan in pairs if self.part else ():
            plan.ranks = list(range(len(plan.ranks)))
        self._running = None  # epoch, attributes, and fabrics with their hosts, of a simulation that goes on
        self.signs = numpy.array([-1 if table.benchmark == "bw" else 1 for table in tables for _ in table.rows])
        self.measured = numpy.array([value for table in tables for _, value in table.rows])

    def settle(self, attributes: Mapping[str, object]) -> None:
        """Sets attributes of the fabric from now on."""
        self.fabric = self.fabric.with_attributes(attributes)
        self.part = self.part and self.part.with_attributes(attributes)

    def values(self, attributes: Mapping[str, object], wanted=None):
        """Returns simulated values by row. attributes: added to the fabric's; wanted: rows, else NaN; None: all"""
        whole, part = self._continue(attributes) or self._begin(attributes)
        for fabric in {whole, part} if self._has_jitter else ():
            ns.CollectiveHelper.AssignStreams(fabric.domain, 1)
        found = []
        with machines.in_effect(self.fabric.machine):  # once for all collectives
            for plan, table in zip(self.plans, self.tables):
                for size in plan.sizes:
                    self.beat()
                    needed = wanted is None or wanted[len(found)]
                    found.append(plan.value(whole if plan.benchmark.kind else part, size, table.statistic)
                                 if needed else float("nan"))
        return numpy.array(found)

    def _begin(self, attributes):
        simulation.reset()
        simulation.set_seed()
        whole = self.fabric.with_attributes(attributes)
        part = self.part.with_attributes(attributes) if self.part else whole
        hosts = {fabric: sorted({host for plan in self.plans if (fabric is whole) == (bool(plan.benchmark.kind)
                                 or part is whole) for host in plan.ranks}) for fabric in (whole, part)}
        self._running = simulation.epoch(), dict(attributes), hosts
        return whole, part

    def _continue(self, attributes):
        """Gives hosts other attributes without a new simulation. Returns whole and part; None: it must be new."""
        epoch, now, hosts = self._running or (None, {}, {})
        changed = {name: value for name, value in attributes.items() if now.get(name) != value}
        if epoch != simulation.epoch() or now.keys() != attributes.keys() or \
                ns.Simulator.Now().GetPicoSeconds() > _LONG or \
                not all(name.startswith(_SOFTWARE) for name in changed):
            return None
        for name, value in changed.items():
            checked = simulation.check_attribute(name, value)
            for fabric, some in hosts.items():
                for host in some:
                    fabric.domain.GetSoftware(host).SetAttribute(name.removeprefix(_SOFTWARE), checked)
        now.update(attributes)
        return list(hosts)[0], list(hosts)[-1]

    def residuals(self, attributes: Mapping[str, object], wanted=None):
        """Returns logarithms of simulated over measured values. attributes, wanted: see values()"""
        # A bandwidth or a latency that nothing limits: any finite number is as wrong.
        return numpy.log(numpy.clip(self.values(attributes, wanted), 1e-9, 1e15) / self.measured)


def _group(fabric, table, members, placement, tasks):
    """Returns the hosts of a table's members: the first hosts, or placed hosts, if the table has their number."""
    if table.members is None:
        return members if placement is None else group_of(fabric, members, placement)
    hosts, rest = divmod(table.members, tasks)
    is_free = members is None and placement is not None and not rest
    group = group_of(fabric, hosts if is_free else members, placement)
    if rest or not 1 <= hosts <= len(group):
        raise WormholeError(f"{table.members} members, {tasks} for each host; expected "
                            f"multiples of {tasks}, up to {len(group) * tasks}")
    return group[:hosts]
