# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics as SVG, with the barrier tree of a group on them."""

from __future__ import annotations

import collections
import math
import os
from typing import TYPE_CHECKING

from ..core.errors import translated
from ..core.loader import networkx
from ..core.texts import as_xml

if TYPE_CHECKING:
    from ..collective.fabric import Fabric
    from ..collective.groups import Members

# Blue is what barriers in the switches are in all plots.
_STYLE = """
text { font: 11px sans-serif; text-anchor: middle; dominant-baseline: central; fill: #1d2733 }
.title { font-size: 14px; text-anchor: start }
.cable { stroke: #b8bec6; stroke-width: 1.2 }
.tree { stroke: #0072b2; stroke-width: 4 }
.switch { fill: #eef0f3; stroke: #5b6875; stroke-width: 1.5 }
.root { fill: #0072b2; stroke: #00466e; stroke-width: 2 }
.host { fill: #ffffff; stroke: #8a929c }
.member { fill: #0072b2; stroke: #00466e }
.small { font-size: 8.5px }
.count { stroke: #ffffff; stroke-width: 3; paint-order: stroke }
.on { fill: #ffffff }
"""

_SPRINGS = 500  # up to so many switches, springs lay them out; networkx wants scipy beyond that
_PIVOTS = 48  # switches that others' distances are taken to
_NAMED = 128  # up to so many hosts, their names are in them
_RADIUS = {True: 11, False: 4}  # of a host, px, with and without name
_LETTER = 6.6  # px, about, of a switch's name
_LETTERS = 22  # of it at the most: of longer names both ends are shown


@translated()
def to_svg(fabric: Fabric, members: Members = None, *, heat=None, by: str = "utilisation",
           size: int = 0, seed: int = 1) -> str:
    """Returns the SVG of a fabric.

    Args:
        members: a group, as for Fabric.group, whose barrier tree is drawn; None: no tree
        heat: a table of channels from Fabric.heat(), which colours each cable by its busier direction; None: no colours
        by: column of heat that determines the colours
        size: width and height in pixels; 0: by the number of switches
        seed: random seed for the layout, in which springs between switches determine their places
    """
    graph = fabric.to_networkx()
    count = len(fabric.switches)
    size = size or (560 if count <= 16 else 840 if count <= 40 else max(1000, int(45 * count**0.5)))
    named = len(fabric.hosts) <= _NAMED
    places = _places(graph, size, seed, _RADIUS[named])
    tree, joined, root, members = _tree_of(fabric, members)
    hot = _heat_of(heat, by) if heat is not None else {}
    hottest = max((max(pair) for pair in hot.values()), default=0)
    lines = []
    counts = collections.Counter(tuple(sorted(edge)) for edge in networkx.MultiGraph(graph).edges())
    numbers = []
    for (a, b), cables in sorted(counts.items()):
        (x1, y1), (x2, y2) = places[a], places[b]
        kind = "tree" if frozenset((a, b)) in tree else "cable"
        there, back = hot.get((a, b), (0, 0))
        share = max(there, back) / hottest if hottest else 0
        style, told = "", ""
        if heat is not None:
            style = f' style="stroke: {_colour(share)}; stroke-width: {1.5 + 4.5 * share:.1f}"'
            told = f"<title>{as_xml(a)} to {as_xml(b)}: {there:g}, back: {back:g}</title>"
        if cables > 1:  # nearer to the first end: where lines cross most is in the middle
            numbers.append(f'<text class="small count" x="{0.65 * x1 + 0.35 * x2:.1f}" '
                           f'y="{0.65 * y1 + 0.35 * y2:.1f}">{cables}</text>')
        lines.append(((kind == "tree", share),
                      f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" '
                      f'x2="{x2:.1f}" y2="{y2:.1f}"{style}>{told}</line>'))
    body = [line for _, line in sorted(lines, key=lambda each: each[0])] + numbers
    for name in fabric.hosts:
        x, y = places[name]
        kind, on = ("member", "small on") if name in members else ("host", "small")
        body.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS[named]}">'
                    f'<title>{as_xml(name)}</title></circle>')
        if named and len(name) <= 5:
            body.append(f'<text class="{on}" x="{x:.1f}" y="{y:.1f}">{as_xml(name)}</text>')
    for name in fabric.switches:
        x, y = places[name]
        kind, on = ("root", "on") if name == root else ("switch", "")
        label = name if len(name) <= _LETTERS else \
            f"{name[:_LETTERS // 2]}…{name[1 - _LETTERS // 2:]}"
        half = max(14.0, _LETTER * len(label) / 2 + 4)
        x = min(max(x, half + 2), max(size - half - 2, size / 2))  # within the picture
        body.append(f'<rect class="{kind}" x="{x - half:.1f}" y="{y - 10:.1f}" '
                    f'width="{2 * half:.1f}" height="20" rx="4"><title>{as_xml(name)}'
                    f'{", in the tree" if name in joined else ""}</title></rect>'
                    f'<text class="{on}" x="{x:.1f}" y="{y:.1f}">{as_xml(label)}</text>')
    name = os.path.basename(fabric.name) if fabric.name.startswith("file:") else fabric.name
    title = f"{name}: {count} switches, {len(fabric.hosts)} hosts"
    told = f"barrier tree of {len(members)} hosts, root {root}" if members else ""
    top = 60 if told else 40
    legend = ""
    if heat is not None:  # below the title, which a small drawing has no room beside
        legend = _legend(by, hottest, top - 8)
        top += 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size + top}" '
            f'width="{size}" height="{size + top}">\n<style>{_STYLE}</style>\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
            f'<text class="title" x="20" y="22">{as_xml(title)}</text>\n'
            f'<text class="title" x="20" y="42">{as_xml(told)}</text>\n'
            f'{legend}<g transform="translate(0 {top})">\n' + "\n".join(body) + "\n</g>\n</svg>\n")


def _heat_of(heat, by) -> dict:
    """Returns the heat of cables in both directions, by the names of their ends in either order. For parallel cables,
    it is the heat of the hottest one."""
    found: dict = {}
    for row in heat.itertuples():
        for key, place in (((row.node, row.to), 0), ((row.to, row.node), 1)):
            pair = found.setdefault(key, [0, 0])
            pair[place] = max(pair[place], getattr(row, by))
    return found


def _colour(share: float) -> str:
    if share <= 0:
        return "#d5d9e0"
    low, high = (255, 214, 92), (165, 0, 38)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high))


def _legend(by, hottest, y) -> str:
    boxes = "".join(f'<rect x="{36 + 12 * i}" y="{y}" width="12" height="12" '
                    f'fill="{_colour(i / 10)}"/>' for i in range(11))
    return (f'<text x="26" y="{y + 6}">0</text>{boxes}<text x="176" y="{y + 6}" '
            f'style="text-anchor: start">{hottest:.4g} {as_xml(by)}</text>\n')


def _places(graph, size, seed, radius):
    """Returns the places of nodes: switches by springs, hosts around their switch, away from other switches."""
    switches = {n: None for n, kind in graph.nodes(data="kind") if kind == "switch"}
    simple = networkx.Graph()  # in the order of numbers, which a subgraph would lose
    simple.add_nodes_from(switches)
    simple.add_edges_from((a, b) for a, b in graph.edges() if a in switches and b in switches)
    laid = _by_distances(simple) if len(simple) > _SPRINGS else _by_springs(simple, seed)
    hosts = {switch: [] for switch in laid}
    for host in (n for n, kind in graph.nodes(data="kind") if kind == "host"):
        hosts[next(iter(graph.neighbors(host)))].append(host)
    sectors = {switch: _sector(laid, simple, switch) for switch in laid}
    # Hosts of a switch are on an arc, which is as large as they need.
    arcs = {switch: max(42.0, (2 * radius + 1) * (len(hosts[switch]) + 1) / sectors[switch][1]) for switch in laid}
    margin = min(size / 3, 16 + radius + max(arcs.values()))
    xs, ys = zip(*laid.values())
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    places = {node: (margin + (x - min(xs)) / width * (size - 2 * margin) if width else size / 2,
                     margin + (y - min(ys)) / height * (size - 2 * margin) if height else size / 2)
              for node, (x, y) in laid.items()}
    for switch in laid:
        x, y = places[switch]
        begin, gap = _sector(places, simple, switch)
        for i, host in enumerate(hosts[switch]):
            angle = begin + gap * (i + 1) / (len(hosts[switch]) + 1)
            places[host] = (x + arcs[switch] * math.cos(angle), y + arcs[switch] * math.sin(angle))
    return places


def _by_springs(graph, seed):
    start = networkx.circular_layout(graph) if len(graph) > 1 else None
    return networkx.spring_layout(graph, seed=seed, iterations=300, pos=start, k=1.6 / math.sqrt(max(1, len(graph))))


def _by_distances(graph):
    """Returns the places of a large fabric's switches, whose distances approximate their distances in cables as well as
    a plane allows (pivot MDS: Brandes and Pich, Eigensolver methods for progressive multidimensional scaling of large
    data, 2007)."""
    import numpy
    numbers = {node: number for number, node in enumerate(graph)}
    nodes, distances = list(graph), []
    nearest = numpy.full(len(nodes), numpy.inf)
    pivot = nodes[0]
    for _ in range(_PIVOTS):  # each the farthest from those before
        found = networkx.single_source_shortest_path_length(graph, pivot)
        column = numpy.zeros(len(nodes))
        for node, distance in found.items():
            column[numbers[node]] = distance
        distances.append(column)
        nearest = numpy.minimum(nearest, column)
        pivot = nodes[int(nearest.argmax())]
    squares = numpy.array(distances).T ** 2
    centred = (squares.mean(axis=0) + squares.mean(axis=1, keepdims=True) - squares.mean() - squares) / 2
    _, axes = numpy.linalg.eigh(centred.T @ centred)
    places = centred @ axes[:, -2:]
    places /= abs(places).max() or 1.0
    # Switches that no distance tells apart are beside each other, in a spiral.
    together, apart = {}, 1.2 / math.sqrt(len(nodes))
    for number, place in enumerate(places.tolist()):
        together.setdefault((round(place[0], 6), round(place[1], 6)), []).append(number)
    for numbers_there in together.values():
        for i, number in enumerate(numbers_there[1:], 1):
            angle, radius = i * 2.399963, apart * math.sqrt(i)
            places[number] += (radius * math.cos(angle), radius * math.sin(angle))
    return {node: (float(x), float(y)) for node, (x, y) in zip(nodes, places)}


def _sector(places, graph, switch):
    """Returns the start and the size, in radians, of the widest gap between cables to other switches."""
    x, y = places[switch]
    angles = sorted(math.atan2(places[n][1] - y, places[n][0] - x) for n in graph.neighbors(switch)) or [0.0]
    gaps = [((angles[(i + 1) % len(angles)] - angle) % math.tau or math.tau, angle) for i, angle in enumerate(angles)]
    gap, begin = max(gaps)
    return begin, gap


def _tree_of(fabric, members):
    if members is None:
        return set(), set(), None, set()
    graph, group = fabric.graph, fabric.group(members)
    tree = fabric.tree(group)
    switches, hosts = fabric.switches, fabric.hosts
    cables = {frozenset((switches[entry.node], switches[entry.parent]))
              for entry in tree.GetSwitches() if not entry.IsRoot()}
    cables |= {frozenset((hosts[host], switches[graph.SwitchOf(graph.HostAt(host)).node])) for host in group}
    return (cables, {switches[entry.node] for entry in tree.GetSwitches()}, switches[tree.GetRootSwitch()],
            {hosts[host] for host in group})
