# SPDX-License-Identifier: GPL-2.0-only
"""What cables, switches and hosts of a graph have of their own (rule S10), and its lanes (S11), by
name, as texts."""

from __future__ import annotations

from typing import Mapping

from ..core.errors import translated, WormholeError
from ..core.loader import bridge, ns

# Of a cable: data rate or flit time, propagation delay or length, depth of its buffers in flits or,
# with a unit, in bytes. A switch has a delay.
CABLE = ("rate", "flit_time", "delay", "length", "depth")
# Of all channels: number of lanes, a priority for each with + between, flit or worm.
LANES = ("lanes", "priorities", "grant")


def of_cable(graph, node: int, port: int) -> dict[str, str]:
    """Returns what a cable has, such as {"rate": "100Gbps", "delay": "15ns"}."""
    return _read(bridge.GetCable(graph, node, port))


def of_all_cables(graph) -> dict[str, str]:
    """Returns what all cables have."""
    return _read(bridge.GetDefaults(graph))


def _read(text):
    return dict(each.split("=") for each in str(text).split(",") if each)


def of_lanes(graph) -> dict[str, str]:
    """Returns what the fabric says of lanes, such as {"lanes": "2", "grant": "worm"}."""
    return _read(bridge.GetLanes(graph))


def lanes_taken(graph, router) -> tuple[int, int]:
    """Returns how many lanes routes take, and how many there are."""
    taken = int(router.GetNLanes())
    return taken, max(taken, int(of_lanes(graph).get("lanes", 1)))


@translated()
def give_lanes(graph, own: Mapping[str, object]) -> None:
    """Says what a fabric has of lanes. Raises WormholeError for a value that is none, and for values
    that do not go together."""
    for name, value in own.items():
        try:
            ns.LaneText.Read(name, str(value), graph.ChangeProperties().lanes)
        except ns.WormholeError as error:
            raise WormholeError(f"{name}: {error.what()}") from None
    ns.LaneText.Check(graph.GetProperties().lanes)


def of_switches(graph) -> dict[int, str]:
    """Returns the delays of switches that have one, by their numbers."""
    found = {node: str(bridge.GetSwitchDelay(graph, node)) for node in range(graph.GetNSwitches())}
    return {node: delay for node, delay in found.items() if delay}


def further_interfaces(graph) -> dict[int, int]:
    """Returns hosts that are further interfaces of a computer, and its first one, by index."""
    return {int(host): int(each.first)
            for each in graph.GetInterfaces() for host in list(each.second)[1:]}


def in_order(hosts: list, further) -> list:
    """Returns hosts with all further interfaces, which the second argument holds, last."""
    return sorted(hosts, key=lambda host: host in further)


@translated()
def group(graph, hosts: list, first_of: Mapping) -> None:
    """Says which hosts are interfaces of one computer. graph: the ns3::FabricGraph; hosts: names of
    its hosts, by index; first_of: name of the first interface, by the names of further ones. Raises
    WormholeError for a host that there is none of, or that is further and first."""
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
    """Returns whether any cable or switch has anything of its own."""
    return not graph.GetProperties().IsEmpty()


@translated()
def give(graph, node: int, port: int, own: Mapping[str, object]) -> None:
    """Gives a cable what it has of its own. Raises WormholeError for a value that is none."""
    for name, value in own.items():
        try:
            bridge.SetCable(graph, node, port, name, str(value))
        except ns.WormholeError as error:
            raise WormholeError(f"{name}: {error.what()}") from None


@translated()
def delay(graph, node: int, value: object) -> None:
    """Gives a switch its delay. Raises WormholeError for a value that is none."""
    bridge.SetSwitchDelay(graph, node, str(value))
