# SPDX-License-Identifier: GPL-2.0-only
"""The part of a fabric that messages between two hosts use."""

from typing import Sequence

from ..core.loader import bridge
from ..formats import properties
from .fabric import Fabric


def part_of(fabric: Fabric, hosts: Sequence[int]) -> Fabric | None:
    """Returns a fabric of two hosts with the switches and cables of their routes to each other, on which their
    messages take as long as on the whole. None: the whole is needed, or is as small. fabric: the whole; hosts:
    numbers of the two hosts, which are hosts 0 and 1 of the part."""
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
    for line in str(bridge.ListRoutes(graph, router, here)).splitlines():
        to, *words = (int(word) for word in line.split())
        if to == there:
            return list(zip(words[::3], words[1::3], words[2::3]))
    return []
