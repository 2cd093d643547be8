# SPDX-License-Identifier: GPL-2.0-only
"""Own attributes of a graph's cables, switches and hosts (rule S10), and the graph's lanes (S11), by name, as texts."""

from typing import Mapping, Sequence

from ..core.errors import translated, WormholeError
from ..core.loader import bridge, ns

# Of a cable: data rate or flit time, propagation delay or length, depth of its buffers in flits or,
# with a unit, in bytes. A switch has a delay.
CABLE = ("rate", "flit_time", "delay", "length", "depth")
# Of all channels: number of lanes, a priority for each with + between, flit or worm.
LANES = ("lanes", "priorities", "grant")


def of_cable(graph, node: int, port: int) -> dict[str, str]:
    """Returns a cable's own attributes, such as {"rate": "100Gbps", "delay": "15ns"}."""
    return _told(ns.CableText.Print(graph.GetProperties().GetCable(ns.FabricProperties.Place(node, port))))


def of_all_cables(graph) -> dict[str, str]:
    """Returns the attributes of all cables."""
    return _told(ns.CableText.Print(graph.GetProperties().cables))


def _told(properties):
    return {str(name): str(value) for name, value in properties}


def of_lanes(graph) -> dict[str, str]:
    """Returns the fabric's settings of lanes, such as {"lanes": "2", "grant": "worm"}."""
    return _told(ns.LaneText.Print(graph.GetProperties().lanes))


def lanes_taken(graph, router) -> tuple[int, int]:
    """Returns the number of lanes that routes use, and the number of all lanes."""
    taken = int(router.GetNLanes())
    return taken, max(taken, int(of_lanes(graph).get("lanes", 1)))


@translated()
def give_lanes(graph, own: Mapping[str, object]) -> None:
    """Sets a fabric's lanes. Raises WormholeError for an invalid value, and for values that don't go together."""
    for name, value in own.items():
        try:
            ns.LaneText.Read(name, str(value), graph.ChangeProperties().lanes)
        except ns.WormholeError as error:
            raise WormholeError(f"{name}: {error.what()}") from None
    ns.LaneText.Check(graph.GetProperties().lanes)


def set_routes(graph, values: Mapping[str, str], rows: Sequence[str] = ()) -> None:
    """Sets a graph's routes. values: by the names of plan.ROUTES; rows: rows of switches, with routing "table"."""
    routes = ns.FabricRoutes()
    for key, value in values.items():
        setattr(routes, key, value)
    graph.SetRoutes(routes)
    if routes.routing == "table":
        bridge.SetTable(graph, rows)


def of_switches(graph) -> dict[int, str]:
    """Returns the delays of switches that have their own, by the switches' numbers."""
    found = {node: graph.GetProperties().GetSwitchDelay(node) for node in range(graph.GetNSwitches())}
    return {node: str(ns.ExactTime.Print(delay.value())) for node, delay in found.items() if delay.has_value()}


def further_interfaces(graph) -> dict[int, int]:
    """Returns hosts that are further interfaces of a computer, with its first interface, by index."""
    return {int(host): int(each.first) for each in graph.GetInterfaces() for host in list(each.second)[1:]}


def in_order(hosts: list, further) -> list:
    """Returns hosts in an order in which further interfaces, the keys of the second argument, are last."""
    return sorted(hosts, key=lambda host: host in further)


@translated()
def group(graph, hosts: list, first_of: Mapping) -> None:
    """Sets which hosts are interfaces of one computer. graph: the ns3::FabricGraph; hosts: names of its hosts, by
    index; first_of: name of the first interface, by the names of further interfaces. Raises WormholeError for a host
    that does not exist, or is both a further and a first interface."""
    numbers = {name: number for number, name in enumerate(hosts)}
    groups: dict[int, list[int]] = {}
    for name, first in first_of.items():
        if first not in numbers or first == name:
            raise WormholeError(f"host '{name}' has interface_of='{first}'; expected another "
                                "host, the first interface of the same computer")
        groups.setdefault(numbers[first], [numbers[first]]).append(numbers[name])
    for each in groups.values():
        graph.GroupInterfaces(sorted(each))


def are_there(graph) -> bool:
    """Returns whether any cable or switch has attributes of its own."""
    return not graph.GetProperties().IsEmpty()


@translated()
def give(graph, node: int, port: int, own: Mapping[str, object]) -> None:
    """Sets a cable's own attributes. Raises WormholeError for an invalid value."""
    if not own:
        return
    known = graph.GetProperties().FindCable(ns.FabricProperties.Place(node, port))
    cable = ns.CableProperties(known) if known else ns.CableProperties()
    for name, value in own.items():
        try:
            ns.CableText().Read(name, str(value), cable)
        except ns.WormholeError as error:
            raise WormholeError(f"{name}: {error.what()}") from None
    graph.SetCable(node, port, cable)


def give_all(graph, own: Mapping[str, str]) -> None:
    """Sets the attributes of all cables."""
    for name, value in own.items():
        ns.CableText().Read(name, value, graph.ChangeProperties().cables)


@translated()
def delay(graph, node: int, value: object) -> None:
    """Sets a switch's delay. Raises WormholeError for an invalid value."""
    graph.ChangeProperties().SetSwitchDelay(node, ns.ExactTime.Parse(str(value)))
