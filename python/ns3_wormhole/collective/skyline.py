# SPDX-License-Identifier: GPL-2.0-only
"""In how few switches up*/down* directions must change when parts fail, after Lysne and Duato (Fast dynamic
reconfiguration in irregular networks, ICPP 2000).

An order without cycles connects a piece of the fabric if only one switch in it, the root, has no cable up. If this
holds for the old order of the remaining parts, nothing changes. Otherwise one switch without a cable up stays the root,
and each other one, x, is attached at a switch w below it that reaches the root: cables between switches on the paths up
from w to x are reversed, so that no cycle can close; switches off these paths keep their directions. The root is the
candidate with the fewest changes, and w the switch with the fewest switches on these paths; ties go to the first in the
old order. The skyline is the set of switches with reversed cables. The paper has its own algorithm."""

from __future__ import annotations

from typing import Mapping, TYPE_CHECKING

from ..core.loader import networkx, ns
from .variants import Cable, Variant

if TYPE_CHECKING:
    from .fabric import Fabric

# A switch: its level below the root, its number and its name. The lesser one is up.
Place = tuple[int, int, str]


def up_cables(fabric: Fabric) -> dict[Cable, tuple[Place, Place]]:
    """Returns the cables between switches, each with its lower and its upper switch in the order of ns3::UpDownRouting.
    fabric: a fabric with up*/down* routes."""
    switches = fabric.switches
    root = switches[ns.UpDownRouting.RootByName(fabric.graph, fabric._root or str(fabric.graph.GetRoutes().root))]
    numbers = {name: number for number, name in enumerate(switches)}
    cables = [cable for cable in fabric.cables() if cable[0] in numbers and cable[2] in numbers]
    graph = networkx.Graph([cable[::2] for cable in cables])
    graph.add_node(root)
    levels = networkx.single_source_shortest_path_length(graph, root)
    ends = {cable: [(levels[name], numbers[name], name) for name in cable[::2]] for cable in cables}
    return {cable: (max(places), min(places)) for cable, places in ends.items()}


def left(cables: Mapping[Cable, tuple[Place, Place]], variant: Variant) -> networkx.DiGraph:
    """Returns the order of the remaining parts, as links upwards. cables: from up_cables(); variant: what fails."""
    gone, order = set(variant.gone), networkx.DiGraph()
    order.add_nodes_from(place for ends in cables.values() for place in ends if place[2] not in gone)
    order.add_edges_from(ends for cable, ends in cables.items() if not gone & {cable, cable[0], cable[2]})
    return order


def turned(order: networkx.DiGraph) -> list[tuple[Place, Place]]:
    """Returns the links that must be reversed so that each piece is connected. order: from left()."""
    found, all_tops = [], sorted(place for place, ups in order.out_degree if not ups)
    for piece in networkx.weakly_connected_components(order):
        tops = [top for top in all_tops if top in piece]
        found += min((_hung_up(order, root, tops) for root in tops), key=lambda links: len(set().union(*links)))
    return found


def skyline(cables: Mapping[Cable, tuple[Place, Place]], variant: Variant) -> tuple[list[str], bool]:
    """Returns the switches whose up*/down* directions change when parts fail, by number, and whether the failure cuts
    the fabric. cables: from up_cables(); variant: what fails."""
    order = left(cables, variant)
    switches = sorted(set().union(*turned(order)), key=lambda place: place[1])
    return [name for *_, name in switches], networkx.number_weakly_connected_components(order) > 1


def _hung_up(order, root, tops):
    """Returns the links that must be reversed if a given switch without a cable up stays the root of its piece."""
    found, others = [], [top for top in tops if top != root]
    order = order.copy() if others else order
    while others:
        reaching = networkx.ancestors(order, root) | {root}
        top, ways = next((top, ways) for top in others if (ways := _fewest(order, top, reaching)))
        links = list(order.subgraph(ways).edges)
        order.remove_edges_from(links)
        order.add_edges_from(link[::-1] for link in links)
        others.remove(top)
        found += links
    return found


def _fewest(order, top, reaching):
    """Returns the switches on the paths up to a top from the switch at which it is attached; None if it can't be
    attached yet. reaching: the switches that reach the root."""
    below = networkx.ancestors(order, top)
    found = ((below & networkx.descendants(order, place) | {place, top}, place) for place in below & reaching)
    return min(found, key=lambda each: (len(each[0]), each[1]), default=[None])[0]
