# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics as SVG, with the barrier tree of a group on them."""

from __future__ import annotations

import math
from xml.sax.saxutils import escape

import networkx

from .errors import translated
from .fabric import Fabric

_STYLE = """
text { font: 11px sans-serif; text-anchor: middle; dominant-baseline: central; fill: #222 }
.title { font-size: 14px; text-anchor: start }
.cable { stroke: #b8bec6; stroke-width: 1.5 }
.tree { stroke: #c8501e; stroke-width: 4 }
.switch { fill: #dfe7f1; stroke: #47658c; stroke-width: 1.5 }
.root { fill: #f3c7b0; stroke: #c8501e; stroke-width: 3 }
.host { fill: #ffffff; stroke: #8a929c }
.member { fill: #c8501e; stroke: #8f3410 }
.small { font-size: 8px }
.on { fill: #ffffff }
"""


@translated()
def to_svg(fabric: Fabric, members=None, *, size: int = 1000, seed: int = 1) -> str:
    """Draws a fabric.

    Args:
        fabric: the fabric
        members: a group whose barrier tree is drawn, as for Fabric.group; None: no tree
        size: width and height in pixels
        seed: of the places of switches, which come from springs between them

    Returns:
        the SVG
    """
    graph = fabric.to_networkx()
    places = _places(graph, size, seed)
    tree, joined, root, members = _tree_of(fabric, members)
    busy = len(fabric.hosts) <= 128
    lines = []
    for a, b in sorted({tuple(sorted(edge)) for edge in networkx.Graph(graph).edges()}):
        (x1, y1), (x2, y2) = places[a], places[b]
        kind = "tree" if frozenset((a, b)) in tree else "cable"
        lines.append((kind == "tree", f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" '
                                      f'x2="{x2:.1f}" y2="{y2:.1f}"/>'))
    body = [line for _, line in sorted(lines, key=lambda each: each[0])]
    for name in fabric.switches:
        x, y = places[name]
        kind = "root" if name == root else "switch"
        body.append(f'<rect class="{kind}" x="{x - 14:.1f}" y="{y - 10:.1f}" width="28" '
                    f'height="20" rx="4"><title>{escape(name)}'
                    f'{", in the tree" if name in joined else ""}</title></rect>'
                    f'<text x="{x:.1f}" y="{y:.1f}">{escape(name)}</text>')
    for name in fabric.hosts:
        x, y = places[name]
        kind, on = ("member", "small on") if name in members else ("host", "small")
        radius = 9 if busy else 4
        body.append(f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius}">'
                    f'<title>{escape(name)}</title></circle>')
        if busy and len(name) <= 5:
            body.append(f'<text class="{on}" x="{x:.1f}" y="{y:.1f}">{escape(name)}</text>')
    title = f"{fabric.name}: {len(fabric.switches)} switches, {len(fabric.hosts)} hosts"
    if members:
        title += f"; barrier tree of {len(members)} hosts, root {root}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size + 40}" '
            f'width="{size}" height="{size + 40}">\n<style>{_STYLE}</style>\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n'
            f'<text class="title" x="20" y="22">{escape(title)}</text>\n'
            f'<g transform="translate(0 40)">\n' + "\n".join(body) + "\n</g>\n</svg>\n")


def _places(graph, size, seed):
    """Returns where nodes are: switches by springs, hosts around theirs, away from the others."""
    switches = graph.subgraph(n for n, kind in graph.nodes(data="kind") if kind == "switch")
    simple = networkx.Graph(switches)
    start = networkx.circular_layout(simple) if len(simple) > 1 else None
    laid = networkx.spring_layout(simple, seed=seed, iterations=300, pos=start,
                                  k=1.6 / math.sqrt(max(1, len(simple))))
    margin = 70
    xs, ys = zip(*laid.values())
    width, height = max(xs) - min(xs) or 1, max(ys) - min(ys) or 1
    places = {node: (margin + (x - min(xs)) / width * (size - 2 * margin),
                     margin + (y - min(ys)) / height * (size - 2 * margin))
              for node, (x, y) in laid.items()}
    for switch in list(places):
        x, y = places[switch]
        hosts = sorted(n for n in graph.neighbors(switch) if graph.nodes[n]["kind"] == "host")
        others = [places[n] for n in simple.neighbors(switch)]
        # Into the widest gap between the cables to other switches.
        angles = sorted(math.atan2(b - y, a - x) for a, b in others) or [0.0]
        gaps = [((angles[(i + 1) % len(angles)] - angle) % math.tau or math.tau, angle)
                for i, angle in enumerate(angles)]
        gap, begin = max(gaps)
        for i, host in enumerate(hosts):
            angle = begin + gap * (i + 1) / (len(hosts) + 1)
            places[host] = (x + 42 * math.cos(angle), y + 42 * math.sin(angle))
    return places


def _tree_of(fabric, members):
    """Returns the tree's cables, switches, root switch and the members' names."""
    if members is None:
        return set(), set(), None, set()
    graph = fabric.graph
    group = fabric.group(members)
    tree = fabric.tree(group)
    cables, joined = set(), set()
    for entry in tree.GetSwitches():
        name = str(graph.GetName(entry.node))
        joined.add(name)
        if not entry.IsRoot():
            cables.add(frozenset((name, str(graph.GetName(entry.parent)))))
    names = {fabric.hosts[host] for host in group}
    for host in group:
        cables.add(frozenset((fabric.hosts[host],
                              str(graph.GetName(graph.SwitchOf(graph.HostAt(host)).node)))))
    return cables, joined, str(graph.GetName(tree.GetRootSwitch())), names
