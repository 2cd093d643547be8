# SPDX-License-Identifier: GPL-2.0-only
"""Variants of a fabric, without a part or with one more cable: their list, and their fabrics."""

from __future__ import annotations

import collections
import dataclasses
import functools
import itertools
import re
from typing import Iterable, Mapping, TYPE_CHECKING

from ..core import arguments, texts
from ..core.errors import WormholeError, nearest, translated
from ..core.loader import bridge, networkx, ns
from ..formats import properties
from ..formats.plan import ROUTES

if TYPE_CHECKING:
    from .fabric import Fabric

EACH_CABLE, EACH_SWITCH, PAIRS = "each-cable", "each-switch", "pairs-of-cables"

# Node, port, node, port.
Cable = tuple[str, int, str, int]


def name_of(cable: Cable) -> str:
    """Returns the name of a cable, as "s1:3-s2:4"."""
    return f"{cable[0]}:{cable[1]}-{cable[2]}:{cable[3]}"


def outage_of(part: Cable | str) -> str:
    """Returns a part (a node's name or a cable) as a text for outages. Raises WormholeError if there is none."""
    nodes = (part,) if isinstance(part, str) else part[::2]
    if odd := next((node for node in nodes if {'"', "'"} & set(node)), None):
        raise WormholeError(f"outage of {odd}: expected a name without quotes")
    quoted = [node if re.fullmatch(r"[^\s:;-]+", node) else f'"{node}"' for node in nodes]
    return quoted[0] if isinstance(part, str) else name_of((quoted[0], part[1], quoted[1], part[3]))


@dataclasses.dataclass(frozen=True)
class Variant:
    """A change: parts that are removed together, or a cable that is added."""

    gone: tuple[Cable | str, ...] = ()  #: cables, and switches by name, with all their cables
    new: Cable | None = None  #: a cable that is laid
    rate: str = ""  #: its data rate, if given

    def __str__(self):
        if self.new:
            return f"with {name_of(self.new)}" + (f"={self.rate}" if self.rate else "")
        names = (part if isinstance(part, str) else name_of(part) for part in self.gone)
        return f"without {'+'.join(names)}"


class Parts:
    """A fabric as Python lists, from which variants are made, here or in another process."""

    def __init__(self, fabric: Fabric):
        """Takes a fabric apart."""
        self._make = functools.partial(type(fabric), attributes=dict(fabric.attributes), machine=fabric.machine)
        graph = fabric.graph
        self.switches, self.hosts = list(fabric.switches), list(fabric.hosts)
        self.ports = int(graph.GetNPorts(0))
        self.cables: list[Cable] = [(str(a), int(port_a), str(b), int(port_b))
                                    for a, port_a, b, port_b in fabric.cables()]
        # Where no switch has a cable at port 0, ports count from 1, as InfiniBand's do.
        switches = set(self.switches)
        self.between = [cable for cable in self.cables if {cable[0], cable[2]} <= switches]
        used = {cable[i + 1] for cable in self.cables for i in (0, 2) if cable[i] in switches}
        self.numbers = range(0 if 0 in used else 1, self.ports)
        self.owns = dict(zip(self.cables, fabric.owns()))
        self.defaults = properties.of_all_cables(graph)
        self.lanes = properties.of_lanes(graph)
        self.delays = {self.switches[number]: delay for number, delay in properties.of_switches(graph).items()}
        self.first_of = {self.hosts[number]: self.hosts[first] for number, first
                         in properties.further_interfaces(graph).items()}
        self.routes = {key: str(getattr(graph.GetRoutes(), key)) for key in ROUTES}
        if root := fabric._root:
            self.routes.update(routing="up-down", root=root, family="")
        self.table = [str(graph.GetRoutes().table.GetRow(number)).split()
                      for number in range(len(self.switches))
                      ] if self.routes["routing"] == "table" else []
        # On a fat tree that loses parts the other routes stay what they are.
        engine = self.routes["routing"].partition("[")[0]
        self.repairs = not root and (engine in ("fat-tree", "nearest-ancestor") or (
            engine == "balanced" and bool(ns.ChooseRouting(ns.FabricGraph(graph)))))
        self._whole = None

    def __getstate__(self):
        """Leaves out data that another process makes anew."""
        return {**self.__dict__, "_whole": None}

    def named(self) -> dict[str, Cable | str]:
        """Returns switches and cables by name; each cable also by its name from the other end."""
        return {**{switch: switch for switch in self.switches},
                **{name: cable for cable in self.cables
                   for name in (name_of(cable), name_of(cable[2:] + cable[:2]))}}

    def without(self, names: Iterable[str]) -> list[Variant]:
        """Returns variants without a part, or without several parts together. names: names of switches and cables ("+"
        joins parts to remove together); "each-cable" (between switches), "each-switch" or "pairs-of-cables". Raises
        WormholeError if there is no such part."""
        known = self.named()
        found: dict[Variant, None] = {}
        for name in names:
            if name in (EACH_CABLE, PAIRS):
                sets = list(itertools.combinations(self.between, 1 if name == EACH_CABLE else 2))
                if not sets:
                    raise WormholeError(f"{name}: no {'cable joins' if name == EACH_CABLE else 'pair joins'} "
                                        "two switches; expected names of switches")
                found.update((Variant(gone), None) for gone in sets)
            elif name == EACH_SWITCH:
                found.update((Variant((switch,)), None) for switch in self.switches)
            else:
                whole = [name] if name in known else name.split("+")  # names may have such signs
                found[Variant(tuple(self._part(known, part) for part in whole))] = None
        return list(found)

    def _part(self, known, name):
        name = name if name in known else texts.unquoted(name)
        if name not in known:
            names = [EACH_CABLE, EACH_SWITCH, PAIRS, *self.switches, *map(name_of, self.cables)]
            raise WormholeError(f"there is no switch or cable '{name}'; expected {EACH_CABLE}"
                                f", {EACH_SWITCH}, {PAIRS} and names, as {self.switches[0]} and "
                                f"{name_of(self.cables[0])}{nearest(name, names)}")
        return known[name]

    def added(self, texts: Iterable[str]) -> list[Variant]:
        """Returns variants with one more cable each. texts: cables, such as "s1:s2" (at the first open ports) or
        "s1/3:s2/4"; a data rate may follow, as in "s1:s2=400Gbps". Raises WormholeError if a cable can't be added."""
        return list(dict.fromkeys(self._added(text) for text in texts))

    def _added(self, text):
        cable, equals, rate = text.rpartition("=")
        # Names may have such signs of their own.
        if not equals or (self._pairs(text)[1] and not self._pairs(cable)[1]):
            return Variant(new=self._new_cable(text))
        graph = bridge.MakeGraph(1, 1, 1)
        graph.Connect(0, 0, 1, 0)
        try:
            properties.give(graph, 0, 0, {"rate": rate})
        except WormholeError as error:
            raise WormholeError(f"'{text}': {error}") from None
        return Variant(new=self._new_cable(cable), rate=rate)

    def _pairs(self, text):
        """Returns all ways to read a text as two ends of a cable, since names may have colons, and the readings whose
        switches exist."""
        pairs = [(text[:i], text[i + 1:]) for i, each in enumerate(text) if each == ":"]
        return pairs, [pair for pair in pairs if all(self._switch_of(end) for end in pair)]

    def _new_cable(self, text):
        pairs, known = self._pairs(text)
        if not pairs:
            raise WormholeError(f"'{text}' is no cable; expected two switches, as s1:s2, or "
                                "with their ports, as s1/3:s2/4")
        ends = (known or pairs)[0]
        for end in (each for each in ends if self._switch_of(each) is None):
            name = end if "/" not in end else end.rpartition("/")[0]
            told = f"{name} is a host" if name in self.hosts else f"there is no switch '{name}'"
            raise WormholeError(f"{told}; expected the names of the {len(self.switches)} "
                                f"switches{nearest(name, self.switches)}")
        a, b = map(self._end, ends)
        if a[0] == b[0]:
            raise WormholeError(f"'{text}' joins {a[0]} with itself; expected two switches")
        return a + b

    def _switch_of(self, end):
        """Returns an end's switch and port, as texts; None if there is no such switch."""
        if end in self.switches:
            return end, ""
        name, slash, port = end.rpartition("/")
        return (name, port) if slash and name in self.switches else None

    def _end(self, end):
        name, given = self._switch_of(end)
        taken = {cable[i + 1] for cable in self.cables for i in (0, 2) if cable[i] == name}
        ports = [port for port in self.numbers if port not in taken]
        if not ports:
            raise WormholeError(f"{name} has no open port of its {len(self.numbers)}; expected a "
                                "switch that has one, or a file with more \"ports\"")
        if not given:
            return name, ports[0]
        if (port := arguments.parse_whole(given)) not in ports:
            raise WormholeError(f"{name} has no open port {given[:40]} of its {len(self.numbers)}; expected "
                                f"{', '.join(map(str, ports))}")
        return name, port

    def own(self, variant: Variant) -> dict[str, str]:
        """Returns a new cable's own attributes: its rate if given, else those of most cables between switches that
        share a switch with it; in a tie, the first."""
        cable = variant.new
        near = [each for each in self.between if {cable[0], cable[2]} & {each[0], each[2]}]
        counts = collections.Counter(tuple(self.owns[each].items()) for each in near or self.between)
        own = dict(counts.most_common(1)[0][0]) if counts else {}
        if variant.rate:
            own = {"rate": variant.rate, **{name: own[name] for name in own if name not in ("rate", "flit_time")}}
        return own

    def cut(self, variant: Variant) -> tuple[list[str], list[str], list[Cable]]:
        """Returns switches, hosts and cables of a variant's largest piece: the piece with the most hosts (a computer
        with several interfaces counts once); in a tie, the piece with more switches, then the first. Further interfaces
        of computers are last, as in a file."""
        gone = set(variant.gone)
        switches = [switch for switch in self.switches if switch not in gone]
        cables = [cable for cable in self.cables if not gone & {cable, cable[0], cable[2]}]
        cables += [variant.new] if variant.new else []
        graph, hosts = networkx.Graph((a, b) for a, _, b, _ in cables), set(self.hosts)
        graph.add_nodes_from(switches)
        pieces = {switch: piece for piece in networkx.connected_components(graph) for switch in piece}
        piece = max((pieces[switch] for switch in switches), default=set(), key=lambda piece: (
            len(self.interfaces(piece & hosts)), len(piece - hosts)))
        left = [host for host in self.hosts if host in piece]
        return ([switch for switch in switches if switch in piece],
                properties.in_order(left, self._further(left)),
                [cable for cable in cables if cable[0] in piece and cable[2] in piece])

    def interfaces(self, hosts: Iterable[str]) -> dict[str, str]:
        """Returns the interface that each computer's messages use (its first remaining one), by the name of its first
        interface in the whole fabric. hosts: remaining hosts, in the order of the whole fabric."""
        found: dict[str, str] = {}
        for host in hosts:
            found.setdefault(self.first_of.get(host, host), host)
        return found

    def _further(self, hosts):
        """Returns each computer's first remaining interface, by the names of its further interfaces."""
        first_of = self.interfaces(hosts)
        named = {host: first_of[self.first_of.get(host, host)] for host in hosts}
        return {host: first for host, first in named.items() if first != host}

    def fabric(self, variant: Variant, switches: list[str], hosts: list[str],
               cables: list[Cable]) -> tuple[Fabric, str]:
        """Returns a variant's fabric, and the name of its routing: the whole fabric's routing if it fits, else up/down
        (on a fat tree, fat-tree). variant: the variant; switches, hosts, cables: its piece, from cut()."""
        graph = self._graph(variant, switches, hosts, cables)
        if self.repairs and not variant.new:
            return self._repaired(graph), "fat-tree"
        routes = dict(self.routes)
        if routes["root"] in self.switches and routes["root"] not in switches:
            routes["root"] = "first"
        # A table knows nothing of a new cable, and a rule of cables neither.
        if not (routes["routing"] == "table" and variant.new):
            try:
                return self._routed(graph, routes, switches, hosts), routes["routing"]
            except WormholeError:
                if routes["routing"] == "up-down":
                    raise
        if self.repairs:
            return self._routed(graph, {**routes, "routing": "fat-tree", "family": ""}, switches, hosts), "fat-tree"
        return self._routed(graph, {"routing": "up-down", "root": routes["root"],
                                    "spread": routes["spread"]}, switches, hosts), "up-down"

    @translated()
    def _repaired(self, graph) -> Fabric:
        """Returns a fabric that keeps those routes of the whole fabric whose cables remain."""
        if self._whole is None:
            whole = self._graph(None, self.switches, self.hosts, self.cables)
            self._whole = whole, self._routed(whole, self.routes, self.switches, self.hosts).router()
        return self._make(graph, router=ns.MakeRepairedRouter(graph, *self._whole))

    def _graph(self, variant: Variant | None, switches: list[str], hosts: list[str], cables: list[Cable]):
        """Returns the graph of a variant's piece, from cut(); of the whole fabric if variant is None."""
        graph = bridge.MakeGraph(len(switches), len(hosts), self.ports)
        numbers = {name: number for number, name in enumerate([*switches, *hosts])}
        for name, number in numbers.items():
            graph.SetName(number, name)
        properties.give_all(graph, self.defaults)
        properties.give_lanes(graph, self.lanes)
        for a, port_a, b, port_b in cables:
            graph.Connect(numbers[a], port_a, numbers[b], port_b)
            cable = (a, port_a, b, port_b)
            properties.give(graph, numbers[a], port_a,
                            self.own(variant) if variant and cable == variant.new else self.owns[cable])
        for switch in filter(self.delays.__contains__, switches):
            properties.delay(graph, numbers[switch], self.delays[switch])
        properties.group(graph, hosts, self._further(hosts))
        return graph

    @translated()
    def _routed(self, graph, routes: Mapping[str, str], switches, hosts) -> Fabric:
        of = {host: number for number, host in enumerate(self.hosts)}
        columns, rows = [of[host] for host in hosts], dict(zip(self.switches, self.table))
        properties.set_routes(graph, routes, [" ".join(rows[switch][column] for column in columns)
                                              for switch in switches if rows])
        # Made once: collectives and the bound share what the router keeps.
        return self._make(graph, router=bridge.MakeRouter(graph, ""))
