# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics as networkx graphs."""

import json
import warnings

from ..core import arguments
from ..core.errors import WormholeError
from ..core.loader import bridge, networkx, ns
from ..core.texts import ACCEPTED, is_printable
from .graphs import attributes_of, nodes_of, pairs_of, REFUSED, unused
from .plan import ROUTES
from .properties import CABLE, LANES, delay as give_delay, give, give_lanes, group, in_order, set_routes


def _look_at_attributes(graph):
    """Refuses unused attributes of a networkx graph that look effective; warns of other unused attributes."""
    places = [("graph", "the graph", graph.graph)]
    places += [("node", f"node {node!r}", given) for node, given in graph.nodes(data=True)]
    places += [("edge", f"edge {a!r} - {b!r}", given) for a, b, given in graph.edges(data=True)]

    def refuse(_, place, name, value):
        raise WormholeError(f"{place} has {name}={value!r}; use it for an edge, or for all, as "
                            f"attributes={{'{REFUSED[name]}': ...}}")

    if note := unused(places, refuse):
        warnings.warn(note, stacklevel=5)


def _name(node):
    if not str(node) or not is_printable(str(node)):
        raise WormholeError(f"node {node!r} has no name; expected {ACCEPTED}")
    return str(node)


def _whole(value):
    ports = None if isinstance(value, bool) else arguments.parse_whole(str(value), 0, 65535)
    if ports is None:
        raise WormholeError(f"the graph has ports={arguments.shown(value)}; expected a whole number up "
                            "to 65535")
    return ports


def _with_ports(graph):
    """Returns the graph with edges' ports as mappings, converted from JSON texts if necessary."""
    if not any(isinstance(given, str) for _, _, given in graph.edges(data="ports")):
        return graph
    graph = graph.copy()
    for a, b, given in graph.edges(data=True):
        if isinstance(given.get("ports"), str):
            try:
                ports = json.loads(given["ports"])
                given["ports"] = {node: ports[str(node)] for node in (a, b)}
            except (ValueError, TypeError, KeyError):
                raise WormholeError(f"edge {a!r} - {b!r} has ports={given['ports']!r}; expected "
                                    "a port for each of the two") from None
    return graph


def _kind_of(graph, node):
    kind = graph.nodes[node].get("kind")
    if kind is None:
        return "host" if graph.degree(node) == 1 else "switch"
    if kind not in ("switch", "host"):
        raise WormholeError(f"node {node!r} has kind={kind!r}; expected 'switch' or 'host'")
    return kind


def _undirected(graph):
    """Returns a graph with an edge for each pair of opposite arcs of a directed graph; an undirected graph is returned
    as it is."""
    if not graph.is_directed():
        return graph
    made = networkx.MultiGraph(**graph.graph)
    made.add_nodes_from(graph.nodes(data=True))
    arcs = list(graph.edges(data=True))
    ports = [json.dumps(given.get("ports"), sort_keys=True, default=str) for _, _, given in arcs]
    pairs, alone = pairs_of([((a, b, each), (b, a, each)) for (a, b, _), each in zip(arcs, ports)])
    if alone:
        a, b, _ = arcs[alone[0]]
        raise WormholeError(f"the arc from {a!r} to {b!r} has none back; "
                            "expected undirected edges, or arcs of which each has one back")
    for number, other in sorted(pairs.items()):
        (a, b, given), back = arcs[number], arcs[other][2]
        if any(given.get(name, back.get(name)) != back.get(name, given.get(name)) for name in CABLE):
            raise WormholeError(f"the arcs between {a!r} and {b!r} differ in {', '.join(CABLE)}; expected "
                                "the same both ways")
        made.add_edge(a, b, **{**back, **given})
    return made


def _lay_cables(graph, result, numbers):
    taken, open_edges = {node: set() for node in graph}, []

    def lay(a, port_a, b, port_b, own):
        result.Connect(numbers[a], port_a, numbers[b], port_b)
        try:
            give(result, numbers[a], port_a, own)
        except WormholeError as error:
            raise WormholeError(f"edge {a!r} - {b!r} has {error}") from None

    for a, b, data in graph.edges(data=True):
        given = data.get("ports")
        own = {name: data[name] for name in CABLE if data.get(name) is not None}
        if given is None:
            open_edges.append((a, b, own))
            continue
        if set(given) != {a, b}:
            raise WormholeError(f"edge {a!r} - {b!r} has ports={given!r}; expected a port for "
                                "each of the two")
        lay(a, given[a], b, given[b], own)
        taken[a].add(given[a])
        taken[b].add(given[b])
    for a, b, own in open_edges:
        ends = []
        for node in (a, b):
            port = next(p for p in range(len(taken[node]) + 1) if p not in taken[node])
            if port >= result.GetNPorts(numbers[node]):
                raise WormholeError(f"{node!r} has {result.GetNPorts(numbers[node])} ports and "
                                    "more cables; expected more ports, or fewer cables")
            taken[node].add(port)
            ends += [node, port]
        lay(*ends, own)


def read(graph, ports: int = 0):
    """Returns the ns3::FabricGraph of a networkx graph; see Fabric.from_networkx."""
    graph = _undirected(graph)
    if len(graph) == 0:
        raise WormholeError("a graph without nodes is no fabric; expected one with hosts")
    _look_at_attributes(graph)
    graph = _with_ports(graph)
    kinds = {node: _kind_of(graph, node) for node in graph}
    switches = [node for node in graph if kinds[node] == "switch"]
    first_of = {str(node): str(first) for node, first in graph.nodes(data="interface_of") if first is not None}
    hosts = in_order([node for node in graph if kinds[node] == "host"],
                     {node for node in graph if str(node) in first_of})
    wanted = max((graph.degree(node) for node in switches), default=0)
    named = [port for _, _, given in graph.edges(data="ports")
             for node, port in (given or {}).items() if kinds.get(node) == "switch"]
    if any(isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 65535 for port in named):
        raise WormholeError("a port is no whole number from 0 to 65534")
    ports = ports or _whole(graph.graph.get("ports", 0)) \
        or max([wanted, 1, *(1 + port for port in named)])
    result = bridge.MakeGraph(len(switches), len(hosts), ports)
    numbers = {node: number for number, node in enumerate(switches + hosts)}
    for node, number in numbers.items():
        result.SetName(number, _name(node))
    _lay_cables(graph, result, numbers)
    for node in switches:
        if (delay := graph.nodes[node].get("delay")) is not None:
            give_delay(result, numbers[node], delay)
    group(result, [str(node) for node in hosts], first_of)
    give_lanes(result, {key: graph.graph[key] for key in LANES if key in graph.graph})
    routes = {key: str(graph.graph[key]) for key in ROUTES if key in graph.graph}
    set_routes(result, routes, [str(graph.nodes[node].get("routes", "")) for node in switches])
    if not routes:
        ns.ChooseRouting(result)
    if routes.get("routing") == "table":
        bridge.MakeRouter(result, "")
    return result


def write(fabric):
    """Returns a fabric as a networkx graph; see Fabric.to_networkx."""
    result = networkx.MultiGraph(name=fabric.name, **attributes_of(fabric))
    result.graph["ports"] = int(result.graph["ports"])
    result.add_nodes_from(nodes_of(fabric))
    result.add_edges_from((a, b, {"ports": {a: port_a, b: port_b}, **own})
                          for (a, port_a, b, port_b), own in zip(fabric.cables(), fabric.owns()))
    return result
