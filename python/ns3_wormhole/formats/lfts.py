# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Forwarding tables of InfiniBand switches, as dump_lfts.sh, ibroute and OpenSM print them."""

from __future__ import annotations

import re

from .._loader import bridge, ns
from ..errors import WormholeError
from . import ibnetdiscover
from .plan import Plan, read_bytes

_HEADER = re.compile(rb"Unicast lids \[0x[0-9a-f]+-0x[0-9a-f]+\] of switch .*?guid 0x([0-9a-f]+)"
                     rb"(?: \(.*\))?:?\s*")
_PASSED_OVER = re.compile(rb"\s*(?:#.*)?|\s*Lid\s+Out(?:\s+Destination)?\s*|\s*Port(?:\s+Info)?\s*"
                          rb"|\d+ lids dumped\s*")
_COUNT = re.compile(rb"(\d+) valid lids dumped\s*")
# What is refused by its name.
_REFUSED = ((re.compile(rb"SL-?(?:2|to)-?VL", re.I), "a table from service levels to virtual lanes"),
            (re.compile(rb"Multicast m?lids", re.I), "a table of multicast groups"))
_NO_PORT = 255  # a LID that the switch does not forward


class _Tables:
    """The tables of a file, in the order of its lines."""

    def __init__(self, path, reader):
        """Reads all of it; see read()."""
        import numpy
        self.path, self.reader = path, reader
        self.plan = reader.plan
        data = read_bytes(path)
        several = data.find(b"(path #")
        if several >= 0:
            self.refuse(data.count(b"\n", 0, several) + 1, "several LIDs a port (LMC above 0) are "
                        "not read; accepted are tables with lmc 0")
        self.text = data + b"\n" * 16  # so that all lines have all columns
        codes = numpy.frombuffer(self.text, dtype=numpy.uint8)
        ends = numpy.flatnonzero(codes[:len(data) + 1] == ord("\n"))
        self.starts = numpy.concatenate(([0], ends[:-1] + 1))
        self.ends = ends
        is_entry = (codes[self.starts] == ord("0")) & (codes[self.starts + 1] == ord("x"))
        self.lines = numpy.flatnonzero(is_entry)  # of entries, from 0 on
        self._read_entries(numpy, codes)
        self.heads = {}  # switch -> line, from 0 on
        self._read_others(numpy.flatnonzero(~is_entry).tolist(), numpy)

    def refuse(self, line, told):
        raise WormholeError(f"{self.path}:{line}: {told}")

    def _shown(self, line):
        return self.text[self.starts[line]:self.ends[line]][:60].decode("utf-8", "replace")

    def _read_entries(self, numpy, codes):
        """Reads lines such as 0x0014 001 : (...), all at once: column by column."""
        digit = numpy.full(256, 255, dtype=numpy.uint8)
        for i, character in enumerate(b"0123456789abcdef"):
            digit[character] = i
        starts = self.starts[self.lines]
        columns = [digit[codes[starts + i]] for i in (2, 3, 4, 5, 7, 8, 9)]
        wrong = codes[starts + 6] != ord(" ")
        for i, column in enumerate(columns):
            wrong |= column > (15 if i < 4 else 9)
        after = codes[starts + 10]
        wrong |= ~numpy.isin(after, numpy.frombuffer(b" \t\r\n", dtype=numpy.uint8))
        told = codes[starts + 11]
        wrong |= (after == ord(" ")) & ~numpy.isin(
            told, numpy.frombuffer(b" :#\r\n", dtype=numpy.uint8))
        if wrong.any():
            line = int(self.lines[wrong.argmax()])
            self.refuse(line + 1, f"'{self._shown(line)}' is no entry; accepted is a LID of four "
                                  "digits and a port of three, as 0x0014 001")
        columns = [column.astype(numpy.int32) for column in columns]
        self.lids = columns[0] << 12 | columns[1] << 8 | columns[2] << 4 | columns[3]
        self.ports = columns[4] * 100 + columns[5] * 10 + columns[6]

    def _read_others(self, others, numpy):
        """Reads all lines that are no entries."""
        counts = []
        for line in others:
            text = self.text[self.starts[line]:self.ends[line]]
            if found := _HEADER.fullmatch(text):
                switch = self.reader.switch_of.get(int(found[1], 16))
                if switch is None:
                    self.refuse(line + 1, f"guid 0x{found[1].decode()} is no switch of "
                                          f"{self.plan.path}; accepted are tables of its switches")
                if switch in self.heads:
                    self.refuse(line + 1, f"'{switch}' has a table in line "
                                          f"{self.heads[switch] + 1}; accepted is one for each "
                                          "switch")
                self.heads[switch] = line
            elif found := _COUNT.fullmatch(text):
                counts.append((line, int(found[1])))
            elif not _PASSED_OVER.fullmatch(text):
                for pattern, what in _REFUSED:
                    if pattern.search(text):
                        self.refuse(line + 1, f"'{self._shown(line)}': {what} is not read; "
                                              "accepted are tables of unicast LIDs")
                self.refuse(line + 1, f"'{self._shown(line)}' is no line of a table; accepted are "
                                      "Unicast lids ... and entries such as 0x0014 001")
        if not self.heads:
            self.refuse(1, "there is no table; accepted is the output of dump_lfts.sh or ibroute")
        heads = numpy.array(list(self.heads.values()))
        if len(self.lines) and self.lines[0] < heads[0]:
            self.refuse(int(self.lines[0]) + 1, "an entry before any switch; accepted is a line "
                                                "Unicast lids ... before it")
        self.table_of = numpy.searchsorted(heads, self.lines) - 1
        firsts = numpy.searchsorted(self.lines, heads)  # first entry of each table
        for line, count in counts:
            table = int(numpy.searchsorted(heads, line)) - 1
            found = int(numpy.searchsorted(self.lines, line)) - (int(firsts[table])
                                                                  if table >= 0 else 0)
            if found != count:
                self.refuse(line + 1, f"{count} valid LIDs, but the table above has {found}; "
                                      "accepted is a table that is whole")

    def fill(self, graph):
        """Gives a graph the ports for its hosts.

        Returns:
            places in the table, switch number times hosts plus host number, and the lines of their
            entries, from 0 on: two arrays of one length
        """
        import numpy
        number = {name: i for i, name in enumerate(self.plan.switches)}
        host = {name: i for i, name in enumerate(self.plan.hosts)}
        host_of = numpy.full(65536, -1, dtype=numpy.int64)
        for lid, name in self.reader.host_of.items():
            host_of[lid] = host[name]
        switch_of = numpy.array([number[name] for name in self.heads])
        known = host_of.copy()
        known[list(self.reader.lids)] = 0
        is_ours = (host_of[self.lids] >= 0) & (self.ports != _NO_PORT)
        strange = set(self.lids[(known[self.lids] < 0) & (self.ports != _NO_PORT)].tolist())
        if strange:
            self.plan.notes.append(f"{self.path}: passed over: {len(strange)} LIDs of no host or "
                                   f"switch, the first 0x{min(strange):04x}")
        places = switch_of[self.table_of[is_ours]] * len(host) + host_of[self.lids[is_ours]]
        ports = self.ports[is_ours]
        lines = self.lines[is_ours]
        if (ports == 0).any():
            line = int(lines[(ports == 0).argmax()])
            self.refuse(line + 1, f"'{self._shown(line)}': port 0 is the switch itself, and the LID "
                                  "a host's; accepted is a port with a cable")
        rows = numpy.full(len(number) * len(host), 65535, dtype=numpy.uint16)
        rows[places] = ports
        if int((rows != 65535).sum()) != len(places):
            order = numpy.argsort(places, kind="stable")
            again = int(lines[order[1:][numpy.diff(places[order]) == 0].min()])
            self.refuse(again + 1, f"'{self._shown(again)}': the LID is in this table twice; "
                                   "accepted is every LID once")
        bridge.SetPorts(graph, rows, len(rows))
        return places, lines

    def place(self, told, entries):
        """Returns the line that an error of the routes is about, from 1 on."""
        rest = told.removeprefix("routes to ")
        if rest == told:  # a circle of channels
            found = re.search(r"circle, (.*?):\d+ -> ", told)
            return self.heads.get(found[1] if found else "", 0) + 1
        to = max((name for name in self.plan.hosts if rest.startswith(f"{name}: ")), key=len)
        rest = rest[len(to) + 2:]
        node = max((name for name in self.plan.switches if rest.startswith(f"{name} ")), key=len)
        wanted = self.plan.switches.index(node) * len(self.plan.hosts) + self.plan.hosts.index(to)
        found = (entries[0] == wanted).nonzero()[0]
        line = int(entries[1][found[0]]) if len(found) else None
        return (self.heads.get(node, 0) if line is None else line) + 1


def read(path: str, routes: str):
    """Returns the fabric of a subnet with its own routes.

    Args:
        path: output of ibnetdiscover
        routes: forwarding tables of its switches; ports by LID, each port has one

    Returns:
        the Plan, and the ns3::FabricGraph with routing "table"

    Raises:
        WormholeError: for a wrong line, several LIDs a port, tables of other kinds, routes that do
            not reach their host, and a circle of channels, naming it
    """
    reader = ibnetdiscover.Reader(path)
    plan: Plan = reader.plan
    tables = _Tables(routes, reader)
    graph = plan.graph()
    entries = tables.fill(graph)
    try:
        bridge.MakeRouter(graph, "")
    except ns.WormholeError as error:
        told = str(error.what())
        tables.refuse(tables.place(told, entries), told)
    return plan, graph
