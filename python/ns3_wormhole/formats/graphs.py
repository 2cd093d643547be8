# SPDX-License-Identifier: GPL-2.0-only
"""Graphs in GraphML, GML and Graphviz files: code shared by their readers."""

import collections
import dataclasses
import itertools
import json
from typing import Callable, Collection, Iterable, Sequence

from ..core import arguments
from ..core.loader import ns
from .plan import MAX_PORT, Plan, ROUTES
from .properties import CABLE, further_interfaces, LANES, of_lanes, of_switches
from .texts import shown

# What looks as if it were of all cables: it would be passed over silently.
REFUSED = {"rate": "ns3::WormholeFabric::DataRate", "delay": "ns3::WormholeChannel::Delay",
           "length": "ns3::WormholeChannel::Delay", "depth": "ns3::WormholePort::BufferDepth"}
USED = {"graph": {"name", "ports", *ROUTES, *LANES}, "node": {"kind", "routes", "delay", "interface_of"},
        "edge": {"ports", "tail_port", "head_port", *CABLE}}
_TAKEN = ("'kind', 'delay' and 'interface_of' of nodes, and 'ports', 'rate', 'delay', 'length' and "
          "'depth' of edges")


@dataclasses.dataclass
class Drawn:
    """A graph as in a file; all values are texts."""

    #: values and lines by name
    attributes: dict[str, tuple[str, int]] = dataclasses.field(default_factory=dict)
    #: attributes and line by name
    nodes: dict[str, tuple[dict[str, str], int]] = dataclasses.field(default_factory=dict)
    #: tail, head, attributes and line
    edges: list[tuple[str, str, dict[str, str], int]] = dataclasses.field(default_factory=list)
    #: the same of directed edges, two of which are a cable
    arcs: list[tuple[str, str, dict[str, str], int]] = dataclasses.field(default_factory=list)
    names: frozenset[str] = frozenset()  #: of attributes that are the format's own, which no note lists


def plan_of(path: str, drawn: Drawn) -> Plan:
    """Returns the fabric of a graph in a file, by the rules of Fabric.from_networkx. Raises WormholeError, naming the
    line, for an attribute that is not accepted."""
    plan = Plan(path)
    _check_attributes(plan, drawn)
    for *ends, _, line in drawn.edges + drawn.arcs:
        if strange := [name for name in ends if name not in drawn.nodes]:
            plan.refuse(line, f"'{strange[0]}' is no node; expected those that the file lists")
    cables = [(a, *_ports(plan, a, b, given, line), given, line) for a, b, given, line in drawn.edges]
    cables += _paired(plan, drawn.arcs)
    degree = collections.Counter(name for a, _, b, *_ in cables for name in (a, b))
    for name, (given, line) in drawn.nodes.items():
        kind = given.get("kind", "host" if degree[name] == 1 else "switch")
        if kind not in ("switch", "host"):
            plan.refuse(line, f"node '{name}' has kind={kind!r}; expected 'switch' or 'host'")
        plan.add(kind, name, line, guessed="kind" not in given)
        if "delay" in given:
            if kind == "host":
                plan.refuse(line, f"host '{name}' has delay={given['delay']!r}; expected a "
                                  "switch's, or the attribute ns3::WormholeNetDevice::Delay")
            plan.delays[name] = given["delay"], line
        if "interface_of" in given:
            if kind == "switch":
                plan.refuse(line, f"switch '{name}' has interface_of={given['interface_of']!r}; "
                                  "expected a host's")
            first = given["interface_of"]  # a name, which blanks may be part of
            plan.first_of[name] = first if first in drawn.nodes else first.strip(), line
        if "routes" in given:
            plan.rows[name] = given["routes"]
    for a, port_a, b, port_b, given, line in cables:
        plan.lay(a, port_a, b, port_b, line, {name: given[name] for name in CABLE if name in given})
    if "ports" in drawn.attributes:
        text, line = drawn.attributes["ports"]
        plan.ports = _number(plan, text, 1, MAX_PORT + 1, line)
    for key in filter(drawn.attributes.__contains__, reversed(ROUTES)):
        plan.routes[key], plan.routes_line = drawn.attributes[key]
    for key in filter(drawn.attributes.__contains__, LANES):
        plan.lanes[key], plan.lanes_line = drawn.attributes[key]
    if plan.rows and plan.routes.get("routing") != "table":
        plan.refuse(drawn.nodes[next(iter(plan.rows))][1], "routes of a switch, and the graph has "
                    "no routing=table; expected both or none")
    return plan


def _paired(plan, arcs):
    """Returns the cables of directed edges, each of which has an edge back, as arguments of lay()."""
    ends = [(a, *_ports(plan, a, b, given, line)) for a, b, given, line in arcs]
    pairs, alone = pairs_of([(each, each[2:] + each[:2]) for each in ends])
    cables = {first: (*ends[first], _of_both(plan, arcs[first], arcs[back]), arcs[first][3])
              for first, back in pairs.items()}
    if alone:
        a, b, _, line = arcs[alone[0]]
        plan.refuse(line, f"the arc from '{a}' to '{b}' has none back, as {len(alone)} of {len(arcs)}; "
                          "expected undirected edges, or arcs of which each has one back")
    return [cable for _, cable in sorted(cables.items())]


def pairs_of(arcs: Sequence[tuple]) -> tuple[dict[int, int], list[int]]:
    """Returns pairs of numbers of arcs and their arcs back, and the numbers of arcs without an arc back. arcs: for each
    arc its data, and the data of its arc back, by which the two are matched"""
    waiting, pairs = collections.defaultdict(collections.deque), {}
    for number, (own, back) in enumerate(arcs):
        if waiting[back]:
            pairs[waiting[back].popleft()] = number
        else:
            waiting[own].append(number)
    return pairs, sorted(itertools.chain(*waiting.values()))


def _of_both(plan, arc, back):
    """Returns the attributes of a cable whose arcs may differ: the slower rate, else the first arc's values."""
    a, b, given, line = arc
    for name in CABLE:
        values = [each[name] for each in (given, back[2]) if name in each]
        if len(set(values)) > 1:
            plan.tell("arcs of one cable differ; the slower rate is used, else the first arc's",
                      f"{name} of '{a}' - '{b}' is {' and '.join(values)} (lines {line} and {back[3]})")
            if name == "rate":
                given = {**given, "rate": min(values, key=_bit_rate)}
    return {**back[2], **given}


def _bit_rate(text):
    """Returns a rate in bit/s; 0 if it is invalid, which is refused where the rate is used."""
    try:
        return int(ns.CableText.ReadRate(text.removeprefix("~")).GetBitRate())
    except ns.WormholeError:
        return 0


def unused(places: Iterable[tuple], refuse: Callable[..., None], names: Collection[str] = ()) -> str:
    """Returns a note on unused attributes, or "". places: kind ("graph", "node", "edge"), place and attributes; refuse:
    called with kind, place, name and value of attributes that look effective; names: names to omit"""
    found = set()
    for what, where, given in places:
        for name in given:
            if name in REFUSED and name not in USED[what]:
                refuse(what, where, name, given[name])
            if name not in USED[what] and name not in names:
                found.add(f"{name!r} of {what}s" if what != "graph" else f"{name!r} of the graph")
    return f"not used: {', '.join(sorted(found))}; a fabric takes {_TAKEN}" if found else ""


def _check_attributes(plan, drawn):
    """Refuses unused attributes that look effective; notes the other unused attributes."""
    places = [("graph", line, {name: text}) for name, (text, line) in drawn.attributes.items()]
    places += [("node", line, given) for given, line in drawn.nodes.values()]
    places += [("edge", line, given) for _, _, given, line in drawn.edges + drawn.arcs]
    note = unused(places, lambda what, line, name, value: plan.refuse(
        line, f"{what} has {name}={value!r}; use it for a cable, or for all, as the attribute {REFUSED[name]}"),
        drawn.names)
    plan.notes += [note] if note else []


def _number(plan, text, low, high, line):
    number = arguments.parse_whole(text, low, high)
    if number is None:
        plan.refuse(line, f"{shown(text)} is no number of ports or port; expected {low} to {high}")
    return number


def _ports(plan, a, b, given, line):
    """Returns the port at a, the other node and the port there; None for a port that is not named."""
    if "ports" not in given or "tail_port" in given or "head_port" in given:
        tail, head = (_number(plan, given[key], 0, MAX_PORT, line) if key in given else None
                      for key in ("tail_port", "head_port"))
        return tail, b, head
    try:
        ports = json.loads(given["ports"])
    except (ValueError, RecursionError):
        ports = None
    if not isinstance(ports, dict) or set(ports) != {a, b}:
        plan.refuse(line, f"edge '{a}' - '{b}' has ports={shown(given['ports'])}; expected a port "
                          f"for each of the two, as {json.dumps({a: 0, b: 1})}")
    tail, head = (_number(plan, str(ports[end]), 0, MAX_PORT, line) for end in (a, b))
    return tail, b, head


def attributes_of(fabric) -> dict[str, str]:
    """Returns a graph's attributes for a fabric's routes, lanes and number of ports."""
    routes = fabric.graph.GetRoutes()
    return {"ports": str(fabric.graph.GetNPorts(0)),
            **{key: str(getattr(routes, key)) for key in ROUTES}, **of_lanes(fabric.graph)}


def nodes_of(fabric) -> list[tuple[str, dict[str, str]]]:
    """Returns switches and hosts with their attributes in a graph."""
    graph, count = fabric.graph, len(fabric.switches)
    nodes = [(name, {"kind": "switch"}) for name in fabric.switches]
    nodes += [(name, {"kind": "host"}) for name in fabric.hosts]
    if graph.GetRoutes().routing == "table":
        for number, (_, said) in enumerate(nodes[:count]):
            said["routes"] = str(graph.GetRoutes().table.GetRow(number))
    for number, delay in of_switches(graph).items():
        nodes[number][1]["delay"] = delay
    for number, first in further_interfaces(graph).items():
        nodes[count + number][1]["interface_of"] = fabric.hosts[first]
    return nodes
