# SPDX-License-Identifier: GPL-2.0-only
"""The content that a reader of any format found, which is checked and made into a graph."""

from __future__ import annotations

from typing import Mapping, NoReturn

from ..core import arguments as checks
from ..core.errors import WormholeError
from ..core.loader import bridge, networkx, ns
from ..core.texts import ACCEPTED, is_printable
from .properties import delay, give, give_all, give_lanes, group, in_order, set_routes
from .texts import counted, shown

MAX_PORT = 4095  # as in fabric files
MAX_HOSTS = 1 << 20  # that a file may have
ROUTES = ("routing", "root", "spread", "family")
_MAX_TOLD = 1500  # characters of a message
_LISTED = 8  # of equal things that a note lists


class Plan:
    """Nodes and cables of a file, each with its line number, from 1 on.

    Attributes:
        path: the file
        ports: ports of each switch; 0: as many as the highest used port needs
        routes: the graph's own routes, by the names in ROUTES; empty: up*/down*
        routes_line: line of the routes
        lanes: settings of lanes, by the names of properties.LANES
        lanes_line: line of these settings
        rows: for routing "table", ports by switch as RouteTable.SetRow takes them
        delays: delay and line of switches that have their own delay, by name
        defaults: attributes of all cables, by the names of properties.CABLE
        first_of: a computer's first interface, and the line, by the names of further interfaces
        notes: a line for each kind of content of the file that the fabric can't hold
    """

    def __init__(self, path: str):
        self.path = path
        self.ports = 0
        self.routes: dict[str, str] = {}
        self.routes_line = 1
        self.lanes: dict[str, str] = {}
        self.lanes_line = 1
        self.rows: dict[str, str] = {}
        self.notes: list[str] = []
        self._left_out: dict[str, list] = {}  # number, line and text of the first one, by what it is
        self._told: dict[str, list[str]] = {}  # by what they have in common
        self._guessed: set[str] = set()  # nodes that are hosts since they have one cable
        self.delays: dict[str, tuple[str, int]] = {}
        self.defaults: dict[str, str] = {}
        self.first_of: dict[str, tuple[str, int]] = {}
        self.lines: dict[str, int] = {}  # by name of a node
        self.switches: list[str] = []
        self.hosts: list[str] = []
        self._kinds: dict[str, str] = {}
        self._cables: list[tuple[str, int | None, str, int | None, int, Mapping[str, str]]] = []

    def refuse(self, line: int, told: str) -> NoReturn:
        """Raises WormholeError with the place, followed by the message, which is cut if it is long."""
        if len(told) > _MAX_TOLD:
            told = f"{told[:_MAX_TOLD * 2 // 3]} ... {told[-_MAX_TOLD // 3:]}"
        raise WormholeError(f"{self.path}:{line}: {told}")

    def leave_out(self, what: str, line: int, text: str = "") -> None:
        """Counts an item that is left out, for a note. text: the item's text; what: such as "lines of no node"."""
        self._left_out.setdefault(what, [0, line, text])[0] += 1

    def tell(self, what: str, each: str) -> None:
        """Lists an item in the note on all items of its kind."""
        self._told.setdefault(what, []).append(each)

    def get_left_out(self) -> list[str]:
        """Returns in words what has been left out so far."""
        return list(self._left_out)

    def get_notes(self) -> list[str]:
        """Returns a line for each kind of content that the fabric omits or holds differently from the file."""
        left_out = [f"left out: {what} ({number}), the first in line {line}"
                    + (f": {shown(text)}" if text else "")
                    for what, (number, line, text) in self._left_out.items()]
        told = [f"{what}: {'; '.join(each[:_LISTED])}"
                + (f"; and {len(each) - _LISTED} more" if len(each) > _LISTED else "")
                for what, each in self._told.items()]
        return self.notes + told + left_out

    def add(self, kind: str, name: str, line: int, guessed: bool = False) -> None:
        """Adds a node: a "switch" or a "host". guessed: whether the file does not say which."""
        if name in self.lines:
            self.refuse(line, f"'{name}' is the name of a {self._kinds[name]} in line "
                              f"{self.lines[name]}; expected every name once")
        if not name or not is_printable(name):
            self.refuse(line, f"{shown(name)} is no name of a node; expected {ACCEPTED}")
        if guessed and kind == "host":
            self._guessed.add(name)
        self.lines[name] = line
        self._kinds[name] = kind
        (self.switches if kind == "switch" else self.hosts).append(name)

    def kind(self, name: str) -> str | None:
        """Returns "switch" or "host"; None if there is no such node."""
        return self._kinds.get(name)

    def lay(self, a: str, port_a: int | None, b: str, port_b: int | None, line: int,
            own: Mapping[str, str] | None = None) -> None:
        """Adds a cable; for a switch's port None, the lowest open port is used.

        own: the cable's own attributes, by the names of properties.CABLE
        """
        for name in (a, b):
            if name not in self.lines:
                self.refuse(line, f"'{name}' is no node; expected those that the file lists")
        self._cables.append((a, port_a, b, port_b, line, own or {}))

    def graph(self):
        """Returns the ns3::FabricGraph.

        Raises:
            WormholeError: naming the line of the first node or cable that does not fit
        """
        if not self.hosts:
            self.refuse(1, "there are no hosts; expected at least one, cabled to a switch, or "
                           "--hosts-per-switch= (hosts_per_switch=) to add some to each switch")
        if self.ports > MAX_PORT + 1:
            self.refuse(self.routes_line, f"{self.ports} ports a switch; expected up to "
                                          f"{MAX_PORT + 1}")
        if self.rows and self.first_of and self.hosts != in_order(self.hosts, self.first_of):
            self.refuse(self.routes_line, "rows of a table with further interfaces among first ones;"
                                          " expected hosts with all further ones last")
        self.hosts = in_order(self.hosts, self.first_of)
        laid = self._lay_all()
        highest = max((port for a, i, b, k, *_ in laid for name, port in ((a, i), (b, k))
                       if self._kinds[name] == "switch"), default=0)
        graph = bridge.MakeGraph(len(self.switches), len(self.hosts), self.ports or highest + 1)
        numbers = {name: i for i, name in enumerate(self.switches + self.hosts)}
        for name, number in numbers.items():
            graph.SetName(number, name)
        for a, port_a, b, port_b, line, own in laid:
            graph.Connect(numbers[a], port_a, numbers[b], port_b)
            self._give(line, give, graph, numbers[a], port_a, own)
        give_all(graph, self.defaults)
        for name, (text, line) in self.delays.items():
            self._give(line, delay, graph, numbers[name], text)
        first_of = {name: first for name, (first, _) in self.first_of.items()}
        if first_of:
            self._give(next(iter(self.first_of.values()))[1], group, graph, self.hosts, first_of)
        if self.lanes:
            self._give(self.lanes_line, give_lanes, graph, self.lanes)
        if self.routes:
            self._set_routes(graph)
        return graph

    def _give(self, line, function, *given):
        """Sets a cable's or switch's own attributes, or refuses them."""
        try:
            function(*given)
        except WormholeError as error:
            self.refuse(line, str(error))

    def _lay_all(self):
        """Returns the cables with all their ports, after checks."""
        taken: dict[tuple[str, int], int] = {}
        laid = []
        for a, port_a, b, port_b, line, _ in self._cables:
            if self._kinds[a] == self._kinds[b] == "host":
                self.refuse(line, f"'{a}' and '{b}' are hosts; expected a switch at one end")
            for name, port in ((a, port_a), (b, port_b)):
                if port is not None:
                    self._take(taken, name, port, line)
        open_port = dict.fromkeys(self.lines, 0)
        for a, port_a, b, port_b, line, own in self._cables:
            ends = []
            for name, port in ((a, port_a), (b, port_b)):
                if port is None:
                    port = open_port[name]
                    while (name, port) in taken:
                        port += 1
                    if self._kinds[name] == "host":
                        port = 0
                    open_port[name] = port
                    self._take(taken, name, port, line)
                ends += [name, port]
            laid.append((*ends, line, own))
        return laid

    def _take(self, taken, name, port, line):
        """Notes a port as taken, or refuses it."""
        is_host = self._kinds[name] == "host"
        last = 0 if is_host else (self.ports or MAX_PORT + 1) - 1
        if not 0 <= port <= last:
            self.refuse(line, f"'{name}' has no port {port}; expected "
                              f"{'0, the only port of a host' if is_host else f'0 to {last}'}")
        if (name, port) in taken:
            where = f"taken by the cable in line {taken[name, port]}"
            self.refuse(line, f"host '{name}' is {where}; expected one cable for every host"
                        if is_host else
                        f"port {port} of '{name}' is {where}; expected an open port")
        taken[name, port] = line

    def add_hosts(self, number: int) -> None:
        """Adds hosts to each switch, named s0-h0 and so on; nodes with one cable then count as switches.

        Raises:
            WormholeError: if the file has hosts, or there would be too many
        """
        checks.whole("hosts_per_switch", number, 1, MAX_PORT)
        if known := [name for name in self.hosts if name not in self._guessed]:
            self.refuse(self.lines[known[0]], f"'{known[0]}' is a host; expected hosts per switch "
                                              "where a file has switches only")
        if number * len(self.lines) > MAX_HOSTS:
            raise WormholeError(f"hosts_per_switch={number}: {len(self.lines)} switches have "
                                f"{number * len(self.lines)} hosts then; expected up to {MAX_HOSTS}")
        self.switches, self.hosts = list(self.lines), []
        self._kinds = dict.fromkeys(self.switches, "switch")
        for switch in self.switches:
            for i in range(number):
                self.add("host", f"{switch}-h{i}", self.lines[switch])
                self.lay(switch, None, f"{switch}-h{i}", None, self.lines[switch])

    def keep_part(self, asked: str | None = None) -> None:
        """Keeps one of several unconnected parts, and leaves out loop-back cables.

        Args:
            asked: a node in the part, or the part's number in the error that lists the parts; None: the only part that
                has hosts

        Raises:
            WormholeError: if there are several parts and none was requested, or there is no such part
        """
        loops = [cable for cable in self._cables if cable[0] == cable[2]]
        for a, port_a, _, port_b, line, _ in loops:
            self.leave_out("loop-back cables", line, a if port_a is None else f"{a}:{port_a} - {a}:{port_b}")
        if loops:
            self._cables = [cable for cable in self._cables if cable[0] != cable[2]]
        parts = self._parts()
        bare = [part for part in parts if part[1] in (0, len(part[0]))]
        parts = [part for part in parts if 0 < part[1] < len(part[0])] or parts
        if not parts:
            return
        if asked is None:
            if len(parts) > 1:
                self._refuse_parts(parts)
            kept = parts[0]
        elif asked in self.lines:
            kept = next(part for part in (*parts, *bare) if asked in part[0])
        else:
            number = checks.parse_whole(asked, 1, len(parts))
            if number is None:
                raise WormholeError(f"{self.path}: island={shown(asked)} is no node and no part; expected "
                                    f"1 to {len(parts)}, or the name of a node in it")
            kept = parts[number - 1]
        if kept[1] == len(kept[0]):
            name = next(iter(kept[0]))
            self.refuse(self.lines[name], f"host '{name}' is cabled to no switch; expected a cable to one")
        others = [part for part in parts if part is not kept]
        if asked is not None and len(parts) == 1:
            self.notes.append("--island= (island=) has no effect: there is one part")
        if others:
            hosts = sum(part[1] for part in others)
            switches = sum(len(part[0]) for part in others) - hosts
            self.notes.append(f"left out: {counted(len(others), 'other part')} with "
                              f"{counted(switches, 'switch')} and {counted(hosts, 'host')}")
        for part in bare if kept[1] else ():
            what = "hosts that are cabled to no switch" if part[1] else "switches that are cabled to no host"
            for name in part[0]:
                self.leave_out(what, self.lines[name], name)
        if len(kept[0]) < len(self.lines):
            self._keep(kept[0])

    def _keep(self, names):
        """Leaves out all other nodes and their cables."""
        self.switches = [name for name in self.switches if name in names]
        self.hosts = [name for name in self.hosts if name in names]
        self._cables = [cable for cable in self._cables if cable[0] in names]
        for each in (self.lines, self._kinds, self.delays, self.first_of, self.rows):
            for name in [name for name in each if name not in names]:
                del each[name]
        heirs: dict[str, str] = {}  # first interfaces in place of those that are left out
        for name, (first, line) in list(self.first_of.items()):
            if first not in names and heirs.setdefault(first, name) == name:
                del self.first_of[name]
            elif first not in names:
                self.first_of[name] = heirs[first], line

    def _parts(self):
        """Returns the unconnected parts, as (names, number of hosts), largest first."""
        graph = networkx.Graph()
        graph.add_nodes_from(self.switches + self.hosts)
        graph.add_edges_from((a, b) for a, _, b, *_ in self._cables)
        place = {name: number for number, name in enumerate(graph)}
        parts = [(dict.fromkeys(sorted(names, key=place.__getitem__)),
                  sum(self._kinds[name] == "host" for name in names))
                 for names in networkx.connected_components(graph)]
        return sorted(parts, key=lambda part: (-part[1], -len(part[0])))

    def _refuse_parts(self, parts):
        """Refuses a file with several parts, and lists these."""
        told = [f"{number} of {counted(len(names) - hosts, 'switch')} and {counted(hosts, 'host')} with "
                f"'{next(iter(names))}'" for number, (names, hosts) in enumerate(parts[:_LISTED], 1)]
        more = f", and {len(parts) - _LISTED} more" if len(parts) > _LISTED else ""
        odd, other = next(iter(parts[-1][0])), next(iter(parts[0][0]))
        self.refuse(self.lines[odd], f"{self._kinds[odd]} '{odd}' can't be reached from '{other}': parts "
                    f"{', '.join(told)}{more}; expected one, as --island=1 or --island={other} "
                    "(island=), or a cable between them")

    def _set_routes(self, graph):
        """Sets the graph's own routes."""
        routing = self.routes.get("routing", "up-down")
        if not ns.RoutingEngine.Has(routing) and not self.routes.get("family"):
            self.refuse(self.routes_line, f"routing '{routing}' follows the rule of no family; "
                                          "expected up-down, table, and a family beside it")
        rows = [self.rows.get(name, " ".join("-" * len(self.hosts)))
                for name in self.switches if routing == "table"]
        try:
            set_routes(graph, self.routes, rows)
            bridge.MakeRouter(graph, "")
        except ns.WormholeError as error:
            self.refuse(self.routes_line, str(error.what()))
