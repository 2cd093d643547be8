# SPDX-License-Identifier: GPL-2.0-only
"""Forwarding tables of InfiniBand switches, as dump_fts, dump_lfts.sh, ibroute and OpenSM print
them."""

import contextlib
import itertools
import re

from ..core.errors import WormholeError
from ..core.loader import bridge, ns
from .ibnetdiscover import Reader
from .plan import Plan
from .texts import read_blocks, shown

# As ibroute and dump_fts print it, and OpenSM: with [0x0-0x1f] or [0-31].
_HEADER = re.compile(rb"Unicast lids \[(?:0x)?[0-9a-f]+-(?:0x)?[0-9a-f]+\] of switch [^\n]{0,200}?"
                     rb"guid 0x([0-9a-f]{1,16})\b[^\n]*")
_PASSED_OVER = re.compile(rb"\s*(?:#.*)?|\s*Lid\s+Out(?:\s+Destination)?\s*|\s*Port(?:\s+Info)?\s*"
                          rb"|\d+ lids dumped\s*|\*\*\* WARNING \*\*\*: this command has been .*")
_COUNT = re.compile(rb"(\d{1,5}) valid lids dumped\s*")
# Tables of other kinds, which are left out.
_OTHERS = ((re.compile(rb"SL-?(?:2|to)-?VL|[ \w]*0x[0-9a-f]+, base LID \d", re.I),
            "tables from service levels to virtual lanes"),
           (re.compile(rb"Multicast m?lids", re.I), "tables of multicast groups"))
_EXAMPLE = "expected what dump_fts, dump_lfts.sh, ibroute or OpenSM's opensm-lfts.dump has"
# What is wrong with an entry, by the words of ReadEntries.
_WRONG = {"form": "is no entry; expected a LID of four digits and a port of three, as 0x0014 001",
          "port": "port 0 is the switch itself, and the LID a host's; expected a port with a cable",
          "twice": "the LID is in this table twice; expected every LID once"}


class _Tables:
    """The tables of a file, read once from its first line to its last."""

    def __init__(self, path, reader):
        import numpy
        self.path, self.reader = path, reader
        self.plan = reader.plan
        self.heads = {}  # by switch, the line of its table, from 1 on
        self._number = {name: i for i, name in enumerate(self.plan.switches)}
        hosts = {name: i for i, name in enumerate(self.plan.hosts)}
        # Of each switch a port for each host, 65535 for none.
        self.rows = numpy.full((len(self._number), len(hosts)), 65535, dtype=numpy.uint16)
        self._lids = numpy.full(65536, bridge.STRANGE_LID, dtype=numpy.int32)
        self._lids[list(reader.lids)] = bridge.SWITCH_LID
        for lid, name in reader.host_of.items():
            self._lids[lid] = hosts.get(name, bridge.SWITCH_LID)  # that of another part is passed over
        for lid in reader.further:
            if self._lids[lid] == bridge.STRANGE_LID:
                self._lids[lid] = bridge.SWITCH_LID  # passed over, as those are
        self._row = None  # of the table being read
        self._spare = numpy.full(len(hosts), 65535, dtype=numpy.uint16)  # of a table that is left out
        self._is_other = False  # whether the table being read is of another kind
        self._entries = 0  # of that table so far
        line = 1
        for block in read_blocks(path):
            if line == 1:
                block = block.removeprefix(b"\xef\xbb\xbf")
            line = self._read_block(block, numpy.frombuffer(block, dtype=numpy.uint8), line)
        if not self.heads:
            others = [what for what in self.plan.get_left_out() if what in dict(_OTHERS).values()]
            self.refuse(1, f"there is no table of unicast LIDs{', but ' + ', '.join(others) if others else ''}"
                           f"; {_EXAMPLE}")
        strange = (self._lids == bridge.MET_LID).nonzero()[0]
        if len(strange):
            self.plan.notes.append(f"{path}: passed over: {len(strange)} LIDs of no host or switch, "
                                   f"the first 0x{strange[0]:04x}")

    def refuse(self, line, told):
        raise WormholeError(f"{self.path}:{line}: {told}")

    def _read_block(self, block, codes, line):
        """Reads a block of whole lines, given the first line's number. Returns the next block's first number."""
        at = 0
        while at < len(block):
            if block.startswith(b"0x", at) and not self._is_other:
                if self._row is None:
                    self.refuse(line, "an entry before any switch; expected a line Unicast lids ... "
                                      "before it")
                if self._row is self._spare:
                    self._spare.fill(65535)
                read = bridge.ReadEntries(codes[at:], len(block) - at, self._lids, self._row)
                at += read.bytes
                line += read.lines
                self._entries += read.lines
                wrong = str(read.wrong)
                end = block.find(b"\n", at)
                if wrong and wrong != "form" and self._row is self._spare:
                    at, line, self._entries = end + 1, line + 1, self._entries + 1
                elif wrong:
                    self.refuse(line, f"{_shown(block[at:end])}{' ' if wrong == 'form' else ': '}{_WRONG[wrong]}")
            else:
                end = block.find(b"\n", at)
                self._read_other(block[at:end], line)
                at, line = end + 1, line + 1
        return line

    def _read_other(self, text, line):
        if found := _HEADER.fullmatch(text):
            self._is_other = False
            self._entries = 0
            switch = self.reader.switch_of.get(int(found[1], 16))
            if switch not in self._number:
                self.plan.leave_out(f"tables of no switch of the fabric in {self.path}", line,
                                    f"guid 0x{found[1].decode()}")
                self._row = self._spare
                return
            if switch in self.heads:
                self.refuse(line, f"'{switch}' has a table in line {self.heads[switch]}; expected "
                                  "one for each switch")
            self.heads[switch] = line
            self._row = self.rows[self._number[switch]]
        elif text.startswith(b"Unicast lids"):
            self.refuse(line, f"{_shown(text)} is no head of a table; expected one such as Unicast "
                              "lids [0x0-0x14] of switch Lid 3 guid 0x0002c90300000001 (name):")
        elif found := _COUNT.fullmatch(text):
            if int(found[1]) != self._entries and not self._is_other:
                self.refuse(line, f"{int(found[1])} valid LIDs, but the table above has "
                                  f"{self._entries}; expected a table that is whole")
        elif not _PASSED_OVER.fullmatch(text):
            what = next((what for pattern, what in _OTHERS if pattern.match(text[:400])), None)
            if what:
                self._is_other = True
                self.plan.leave_out(what, line)
            elif not self._is_other:
                self.plan.leave_out(f"lines of no table in {self.path}", line, text.decode("utf-8", "replace"))

    def place(self, told):
        """Returns the line to which an error of the routes refers, from 1 on."""
        rest = told.removeprefix("routes to ")
        if rest == told:  # a cycle of channels
            found = re.search(r"cycle, (.*?):\d+ -> ", told)
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
            if text.startswith(b"0x") and self.reader.host_of.get(int(text[2:6], 16)) == to and (text[7:10] != b"255"):
                return line
        return head


def _shown(text):
    return shown(text[:200].decode("utf-8", "replace"))


def read(reader: Reader, routes: str):
    """Returns the ns3::FabricGraph of a subnet with routing "table". reader: reader of the ibnetdiscover output;
    routes: file of the switches' forwarding tables. Raises WormholeError for a wrong line, impossible LIDs, routes that
    do not reach their host, and a cycle of channels, naming it."""
    plan: Plan = reader.plan
    if reader.wrong_lid:
        plan.refuse(*reader.wrong_lid)
    tables = _Tables(routes, reader)
    graph = plan.graph()
    bridge.SetPorts(graph, tables.rows.reshape(-1), tables.rows.size)
    try:
        bridge.MakeRouter(graph, "")
    except ns.WormholeError as error:
        told = str(error.what())
        cure = _cure(plan) if "wait for each other" in told else "".join(
            f"; {note}" for note in plan.get_notes() if note.startswith("left out: "))
        tables.refuse(tables.place(told), told + cure)
    return graph


def _cure(plan):
    """Returns advice for tables that need lanes to be free of deadlock: an engine that is free of it."""
    graph = plan.graph()
    for engine in ("dfsssp", "up-down"):  # the first takes as many lanes as it needs, if there are so many
        with contextlib.suppress(ns.WormholeError):
            ns.SetRouting(graph, engine)
            bridge.MakeRouter(graph, "")
            break
    return ("; these tables need lanes (virtual lanes by service levels, which OpenSM's dfsssp, lash and "
            "torus-2QoS set), and tell of none: expected the import without --routes=, and routes of an "
            f"engine, as --routing={engine}, which is free of deadlock here (ns3-wormhole fabric check "
            f"FILE --routing={engine})")
