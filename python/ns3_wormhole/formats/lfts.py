# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Forwarding tables of InfiniBand switches, as dump_lfts.sh, ibroute and OpenSM print them."""

from __future__ import annotations

import itertools
import re

from .._loader import bridge, ns
from ..errors import WormholeError
from . import ibnetdiscover
from .plan import Plan, read_blocks

_HEADER = re.compile(rb"Unicast lids \[0x[0-9a-f]+-0x[0-9a-f]+\] of switch .*?guid 0x([0-9a-f]+)"
                     rb"(?: \(.*\))?:?\s*")
_PASSED_OVER = re.compile(rb"\s*(?:#.*)?|\s*Lid\s+Out(?:\s+Destination)?\s*|\s*Port(?:\s+Info)?\s*"
                          rb"|\d+ lids dumped\s*")
_COUNT = re.compile(rb"(\d+) valid lids dumped\s*")
# What is refused by its name.
_REFUSED = ((re.compile(rb"SL-?(?:2|to)-?VL", re.I), "a table from service levels to virtual lanes"),
            (re.compile(rb"Multicast m?lids", re.I), "a table of multicast groups"))
# What is wrong with an entry, by the words of ReadEntries.
_WRONG = {"form": "is no entry; accepted is a LID of four digits and a port of three, as 0x0014 001",
          "port": "port 0 is the switch itself, and the LID a host's; accepted is a port with a cable",
          "twice": "the LID is in this table twice; accepted is every LID once"}


class _Tables:
    """The tables of a file, read once from its first line to its last.

    Attributes:
        rows: of each switch a port for each host, 65535 for none
        heads: the line of each switch's table, from 1 on
    """

    def __init__(self, path, reader):
        """Reads all of it; see read()."""
        import numpy
        self.path, self.reader = path, reader
        self.plan = reader.plan
        self.heads = {}
        self._number = {name: i for i, name in enumerate(self.plan.switches)}
        hosts = {name: i for i, name in enumerate(self.plan.hosts)}
        self.rows = numpy.full((len(self._number), len(hosts)), 65535, dtype=numpy.uint16)
        self._lids = numpy.full(65536, bridge.STRANGE_LID, dtype=numpy.int32)
        self._lids[list(reader.lids)] = bridge.SWITCH_LID
        for lid, name in reader.host_of.items():
            self._lids[lid] = hosts[name]
        self._row = None  # of the table being read
        self._entries = 0  # of that table so far
        line = 1
        for block in read_blocks(path):
            line = self._read_block(block, numpy.frombuffer(block, dtype=numpy.uint8), line)
        if not self.heads:
            self.refuse(1, "there is no table; accepted is the output of dump_lfts.sh or ibroute")
        strange = (self._lids == bridge.MET_LID).nonzero()[0]
        if len(strange):
            self.plan.notes.append(f"{path}: passed over: {len(strange)} LIDs of no host or switch, "
                                   f"the first 0x{strange[0]:04x}")

    def refuse(self, line, told):
        raise WormholeError(f"{self.path}:{line}: {told}")

    def _read_block(self, block, codes, line):
        """Reads a block of whole lines, the first of which has that number. Returns the next one's."""
        several = block.find(b"(path #")
        if several >= 0:
            self.refuse(line + block.count(b"\n", 0, several), "several LIDs a port (LMC above 0) are "
                        "not read; accepted are tables with lmc 0")
        at = 0
        while at < len(block):
            if block.startswith(b"0x", at):
                if self._row is None:
                    self.refuse(line, "an entry before any switch; accepted is a line Unicast lids ... "
                                      "before it")
                read = bridge.ReadEntries(codes[at:], len(block) - at, self._lids, self._row)
                at += read.bytes
                line += read.lines
                self._entries += read.lines
                if wrong := str(read.wrong):
                    text = block[at:block.find(b"\n", at)]
                    self.refuse(line, f"{_shown(text)}{' ' if wrong == 'form' else ': '}{_WRONG[wrong]}")
            else:
                end = block.find(b"\n", at)
                self._read_other(block[at:end], line)
                at, line = end + 1, line + 1
        return line

    def _read_other(self, text, line):
        """Reads a line that is no entry."""
        if found := _HEADER.fullmatch(text):
            switch = self.reader.switch_of.get(int(found[1], 16))
            if switch is None:
                self.refuse(line, f"guid 0x{found[1].decode()} is no switch of {self.plan.path}; "
                                  "accepted are tables of its switches")
            if switch in self.heads:
                self.refuse(line, f"'{switch}' has a table in line {self.heads[switch]}; accepted is "
                                  "one for each switch")
            self.heads[switch] = line
            self._row = self.rows[self._number[switch]]
            self._entries = 0
        elif found := _COUNT.fullmatch(text):
            if int(found[1]) != self._entries:
                self.refuse(line, f"{int(found[1])} valid LIDs, but the table above has "
                                  f"{self._entries}; accepted is a table that is whole")
        elif not _PASSED_OVER.fullmatch(text):
            for pattern, what in _REFUSED:
                if pattern.search(text):
                    self.refuse(line, f"{_shown(text)}: {what} is not read; accepted are tables of "
                                      "unicast LIDs")
            self.refuse(line, f"{_shown(text)} is no line of a table; accepted are Unicast lids ... "
                              "and entries such as 0x0014 001")

    def place(self, told):
        """Returns the line that an error of the routes is about, from 1 on."""
        rest = told.removeprefix("routes to ")
        if rest == told:  # a circle of channels
            found = re.search(r"circle, (.*?):\d+ -> ", told)
            return self.heads.get(found[1] if found else "", 1)
        to = max((name for name in self.plan.hosts if rest.startswith(f"{name}: ")), key=len)
        rest = rest[len(to) + 2:]
        node = max((name for name in self.plan.switches if rest.startswith(f"{name} ")), key=len)
        if node not in self.heads:
            return 1
        head = self.heads[node]
        places = (place for block in read_blocks(self.path) for place in block[:-1].split(b"\n"))
        for line, text in enumerate(itertools.islice(places, head, None), head + 1):
            if _HEADER.fullmatch(text):
                break
            if text.startswith(b"0x") and self.reader.host_of.get(int(text[2:6], 16)) == to and (
                    text[7:10] != b"255"):
                return line
        return head


def _shown(text):
    """Returns the beginning of a line, as errors show it."""
    return f"'{text[:60].decode('utf-8', 'replace')}'"


def read(path: str, routes: str, interfaces: bool = False):
    """Returns the fabric of a subnet with its own routes.

    Args:
        path: output of ibnetdiscover
        routes: forwarding tables of its switches; ports by LID, each port has one
        interfaces: as ibnetdiscover.Reader

    Returns:
        the Plan, and the ns3::FabricGraph with routing "table"

    Raises:
        WormholeError: for a wrong line, several LIDs a port, tables of other kinds, routes that do
            not reach their host, and a circle of channels, naming it
    """
    reader = ibnetdiscover.Reader(path, interfaces)
    plan: Plan = reader.plan
    tables = _Tables(routes, reader)
    graph = plan.graph()
    bridge.SetPorts(graph, tables.rows.reshape(-1), tables.rows.size)
    try:
        bridge.MakeRouter(graph, "")
    except ns.WormholeError as error:
        told = str(error.what())
        tables.refuse(tables.place(told), told)
    return plan, graph
