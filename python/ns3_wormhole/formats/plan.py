# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What a reader of any format found, checked and made a graph of."""

from __future__ import annotations

import pathlib
import re
from typing import Iterator, Mapping, NoReturn

from .._loader import bridge, ns
from .._properties import delay, give, give_lanes, group, in_order
from .._texts import ACCEPTED, is_printable
from ..errors import WormholeError

MAX_PORT = 4095  # as in fabric files
ROUTES = ("routing", "root", "spread", "family")


def natural(name: str) -> list:
    """Returns what names are sorted by so that s2 is before s10."""
    return [(1, int(part), part) if part.isdigit() else (0, part)
            for part in re.split(r"([0-9]+)", name) if part]


def read_text(path: str) -> str:
    """Returns the text of a file.

    Raises:
        WormholeError: if it can't be read, or is no UTF-8, naming the line
    """
    data = read_bytes(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WormholeError(f"{path}:{line}: a byte 0x{data[error.start]:02x} that is no UTF-8; "
                            "accepted is a text") from None


def read_lines(path: str) -> Iterator[tuple[int, str]]:
    """Returns the lines of a file with their numbers, from 1 on. Raises as read_text()."""
    lines = read_text(path).split("\n")
    return enumerate((line.removesuffix("\r") for line in lines), 1)


def read_bytes(path: str) -> bytes:
    """Returns what is in a file. Raises WormholeError if it can't be read."""
    try:
        return pathlib.Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def read_blocks(path: str, size: int = 1 << 22) -> Iterator[bytes]:
    """Returns what is in a file in blocks of whole lines, so that a large one needs little memory; the
    last line ends, too.

    Raises:
        WormholeError: if it can't be read
    """
    begun: list[bytes] = []  # parts of the next block
    try:
        with open(path, "rb") as file:
            while data := file.read(size):
                end = data.rfind(b"\n") + 1
                if end:
                    yield b"".join((*begun, memoryview(data)[:end]))
                    begun = [data[end:]]
                else:
                    begun.append(data)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if last := b"".join(begun):
        yield last + b"\n"


def _unreadable(path, error):
    return WormholeError(f"{path}: {getattr(error, 'strerror', None) or error}; accepted is a file to "
                         "read")


class Plan:
    """Nodes and cables of a file, each with its line, from 1 on.

    Attributes:
        path: the file
        ports: ports of each switch; 0: as many as the highest one that is used needs
        routes: the graph's own routes, by the names in ROUTES; empty: up*/down*
        routes_line: where they are
        lanes: what the fabric says of lanes, by the names of _properties.LANES
        lanes_line: where that is
        rows: for routing "table", ports by switch as RouteTable.SetRow takes them
        delays: of switches that have one of their own, and the line, by name
        defaults: of all cables, by the names of _properties.CABLE
        first_of: of further interfaces of a computer the first one, and the line, by name
        notes: what the fabric does not hold of the file, a line each
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
        self.delays: dict[str, tuple[str, int]] = {}
        self.defaults: dict[str, str] = {}
        self.first_of: dict[str, tuple[str, int]] = {}
        self.lines: dict[str, int] = {}  # by name of a node
        self.switches: list[str] = []
        self.hosts: list[str] = []
        self._kinds: dict[str, str] = {}
        self._cables: list[tuple[str, int | None, str, int | None, int, Mapping[str, str]]] = []

    def refuse(self, line: int, told: str) -> NoReturn:
        """Raises WormholeError with the place before what is told."""
        raise WormholeError(f"{self.path}:{line}: {told}")

    def add(self, kind: str, name: str, line: int) -> None:
        """Adds a node: a "switch" or a "host"."""
        if name in self.lines:
            self.refuse(line, f"'{name}' is the name of a {self._kinds[name]} in line "
                              f"{self.lines[name]}; accepted is every name once")
        if not name or not is_printable(name):
            self.refuse(line, f"{name!r} is no name of a node; accepted is {ACCEPTED}")
        self.lines[name] = line
        self._kinds[name] = kind
        (self.switches if kind == "switch" else self.hosts).append(name)

    def kind(self, name: str) -> str | None:
        """Returns "switch" or "host"; None if there is no such node."""
        return self._kinds.get(name)

    def lay(self, a: str, port_a: int | None, b: str, port_b: int | None, line: int,
            own: Mapping[str, str] | None = None) -> None:
        """Lays a cable; the port of a switch is its lowest open one where it is None.

        own: what the cable has of its own, by the names of _properties.CABLE
        """
        for name in (a, b):
            if name not in self.lines:
                self.refuse(line, f"'{name}' is no node; accepted are those that the file lists")
        self._cables.append((a, port_a, b, port_b, line, own or {}))

    def graph(self):
        """Returns the ns3::FabricGraph.

        Raises:
            WormholeError: naming the line of the first node or cable that does not fit
        """
        if not self.hosts:
            self.refuse(1, "there are no hosts; accepted is one at least, cabled to a switch")
        if self.ports > MAX_PORT + 1:
            self.refuse(self.routes_line, f"{self.ports} ports a switch; accepted are up to "
                                          f"{MAX_PORT + 1}")
        if self.rows and self.first_of and self.hosts != in_order(self.hosts, self.first_of):
            self.refuse(self.routes_line, "rows of a table with further interfaces among first ones;"
                                          " accepted are hosts with all further ones last")
        self.hosts = in_order(self.hosts, self.first_of)
        laid = self._lay_all()
        self._check_reached()
        highest = max((port for a, i, b, k, *_ in laid for name, port in ((a, i), (b, k))
                       if self._kinds[name] == "switch"), default=0)
        graph = bridge.MakeGraph(len(self.switches), len(self.hosts), self.ports or highest + 1)
        numbers = {name: i for i, name in enumerate(self.switches + self.hosts)}
        for name, number in numbers.items():
            graph.SetName(number, name)
        for a, port_a, b, port_b, line, own in laid:
            graph.Connect(numbers[a], port_a, numbers[b], port_b)
            self._give(line, give, graph, numbers[a], port_a, own)
        for name, text in self.defaults.items():
            bridge.SetDefault(graph, name, text)
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
        """Gives a cable or switch what it has of its own, or refuses it."""
        try:
            function(*given)
        except WormholeError as error:
            self.refuse(line, str(error))

    def _lay_all(self):
        """Returns the cables with all ports, checked."""
        taken: dict[tuple[str, int], int] = {}
        laid = []
        for a, port_a, b, port_b, line, _ in self._cables:
            if a == b:
                self.refuse(line, f"a cable from '{a}' to itself; accepted is another node")
            if self._kinds[a] == self._kinds[b] == "host":
                self.refuse(line, f"'{a}' and '{b}' are hosts; accepted is a switch at one end")
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
            self.refuse(line, f"'{name}' has no port {port}; accepted "
                              f"{'is 0, a host has one' if is_host else f'are 0 to {last}'}")
        if (name, port) in taken:
            where = f"taken by the cable in line {taken[name, port]}"
            self.refuse(line, f"host '{name}' is {where}; accepted is one cable for every host"
                        if is_host else
                        f"port {port} of '{name}' is {where}; accepted is an open port")
        taken[name, port] = line

    def _check_reached(self):
        """Refuses hosts without cables, and parts without a cable to the others."""
        near: dict[str, list[str]] = {name: [] for name in self.lines}
        for a, _, b, *_ in self._cables:
            near[a].append(b)
            near[b].append(a)
        part_of: dict[str, int] = {}
        parts: list[list[str]] = []
        for first in self.switches + self.hosts:
            if first in part_of:
                continue
            part_of[first] = len(parts)
            part = [first]
            for name in part:
                for far in near[name]:
                    if far not in part_of:
                        part_of[far] = len(parts)
                        part.append(far)
            parts.append(part)
        if len(parts) > 1:
            odd = min(parts, key=len)
            other = next(part for part in parts if part is not odd)
            self.refuse(self.lines[odd[0]], f"{self._kinds[odd[0]]} '{odd[0]}' can't be reached "
                        f"from '{other[0]}'; accepted is a fabric in which every node reaches "
                        "every other")

    def _set_routes(self, graph):
        """Has the graph take its own routes."""
        routing = self.routes.get("routing", "up-down")
        if routing != "table" and not ns.RoutingEngine.Has(routing) and not self.routes.get("family"):
            self.refuse(self.routes_line, f"routing '{routing}' follows the rule of no family; "
                                          "accepted are up-down, table, and a family beside it")
        try:
            routes = ns.FabricRoutes()
            for key, value in self.routes.items():
                setattr(routes, key, value)
            graph.SetRoutes(routes)
            if self.routes.get("routing") == "table":
                rows = [self.rows.get(name, " ".join("-" * len(self.hosts)))
                        for name in self.switches]
                bridge.SetTable(graph, rows)
            bridge.MakeRouter(graph, "")
        except ns.WormholeError as error:
            self.refuse(self.routes_line, str(error.what()))
