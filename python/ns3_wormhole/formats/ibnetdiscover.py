# SPDX-License-Identifier: GPL-2.0-only
"""Output of ibnetdiscover: the switches, channel adapters and cables of an InfiniBand subnet."""

import collections
import re
from fractions import Fraction
from typing import NamedTuple

from ..core import arguments
from ..core.texts import is_printable
from .plan import Plan
from .properties import in_order
from .texts import natural, read_lines, shown

_PASSED_OVER = re.compile(
    r"\s*(?:#.*)?"
    r"|(?:vendid|devid)=0x[0-9a-f]+"
    r"|(?:sysimgguid|switchguid|caguid|rtguid)=0x[0-9a-f]+(?:\([0-9a-fx]+\))?(?:\s*#.*)?"
    r"|(?:Chassis \d.*|Hostname: .*|(?:[\w-]+ )+Nodes)\s*", re.I)
_KINDS = {"Switch": "S", "Ca": "H", "Rt": "R"}
# What begins as a node does; without this, its ports would be those of the node before.
_LIKE_NODE = re.compile(r'\S+\s+\S+\s+"[SHR?]-|(?:Switch|Ca|Rt)\b')
_NODE = re.compile(r'(Switch|Ca|Rt)\s+(\d+) "([SHR]-(?:0x)?[0-9a-f]+)"\s*#\s*"(.*)"(.*)', re.A)
_PORT = re.compile(r'\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-fx]+\))?\s+"([SHR]-(?:0x)?[0-9a-f]+)"\[(\d+)\]'
                   r'(?:\[ext \d+\])?\s*(?:\([0-9a-fx]+\))?\s*#\s*(.*)', re.A)
_OWN = re.compile(r"lid (\d+) lmc (\d+)\b", re.A)
_FAR = re.compile(r'.*"\s+lid (\d+)(?:\s+(?:(\d{1,2})x([A-Z]+(?:10)?)\b|\S*\?\?))?', re.A)
# Description of a managed switch, "MF0;name:model/U1"; chips of a large one share the name.
_MANAGED = re.compile(r"MF\d+;([^:;,\s]+):\S+")
# What an adapter is called, after its computer.
_ADAPTER = re.compile(r"HCA-\d+|(?:mlx\d+|hfi\d+|qib|ib|bnxt_re)_?\d+")
# Adapters inside switches, which are no hosts.
_INSIDE = "Aggregation Node"
_MAX_LID = 0xbfff  # those above are of multicast groups
# Gbit/s of data on one lane, by the names of speeds; FDR has 14.0625 Gbaud, 64 of 66 bits of data.
_LANE = {"SDR": 2, "DDR": 4, "QDR": 8, "FDR10": 10, "FDR": Fraction(900, 66), "EDR": 25, "HDR": 50,
         "NDR": 100, "XDR": 200}
_BYTE = 8 * 10**12  # picoseconds that a byte takes at 1 bit/s
_FLIT = 64  # bytes, the unit of InfiniBand's credits


class _Speed(NamedTuple):
    """The number of lanes of a link, and the name of their speed."""

    lanes: int
    name: str

    def __str__(self):
        return f"{self.lanes}x{self.name}"

    def bits(self) -> Fraction:
        """Returns the data rate in bit/s; 0 for an unknown name."""
        return self.lanes * Fraction(_LANE.get(self.name, 0)) * 10**9


def _text_of(speed: _Speed | None) -> str:
    """Returns a link's rate as a cable's text, with ~ if it gives no whole flit time; empty if the rate is unknown."""
    bits = speed.bits() if speed else 0
    if not bits:
        return ""
    nearest = "" if _BYTE % bits == 0 else "~"
    return f"{nearest}{bits // 10**9}Gbps" if bits % 10**9 == 0 else f"{nearest}{round(bits)}bps"


def _tell_rounded(plan, speeds: collections.Counter) -> None:
    """Notes which flit times replace rates that give no whole flit time, and their errors. speeds: cables of each"""
    for speed, number in speeds.items():
        if _text_of(speed).startswith("~"):
            times = []
            for size in (_FLIT, 1):
                exact = _BYTE * size / speed.bits()
                error = abs(float(round(exact) / exact - 1))
                times.append(f"{round(exact)} ps for {size} byte{'s' if size > 1 else ''} (error "
                             f"{error:.1e})")
            plan.notes.append(f"{speed} ({number} cable{'s' if number > 1 else ''}) is "
                              f"{float(speed.bits()) / 1e9:.5g} Gbit/s, which no whole flit time has; "
                              f"the nearest is taken, as {' or '.join(times)}")


class _Node:
    """A switch, an adapter or a router of the file."""

    def __init__(self, kind, identity, ports, told, line):
        self.kind, self.identity, self.ports, self.told, self.line = kind, identity, ports, told, line
        self.lid = 0
        self.far = {}  # port -> node, port, line, lid of the own port, lid told of the far one
        self.speeds = {}  # port -> Speed


class Reader:
    """Reads a file into plan. Ports keep their numbers in the file, so a switch's port 0 stays open."""

    def __init__(self, path: str, interfaces: bool = False):
        """Reads a file. interfaces: whether ports of one computer become its interfaces instead of separate hosts.
        Raises WormholeError for a wrong line, naming it."""
        self.plan = Plan(path)
        self._interfaces = interfaces
        self.switch_of: dict[int, str] = {}  #: names of switches by node GUID
        self.host_of: dict[int, str] = {}  #: names of hosts by LID
        self.lids: set[int] = set()  #: of switches
        self.further: set[int] = set()  #: LIDs of ports behind their first ones (LMC above 0)
        self.wrong_lid: tuple[int, str] | None = None  #: line and words of one that is none, or another port's
        self._several = 0  # ports of several LIDs
        self._nodes: dict[str, _Node] = {}
        self._again: list[_Node] = []  # nodes that are in the file already
        self._first_of: dict[str, str] = {}  # of further interfaces
        self._read(path)
        self._check_again()
        cables, names = self._match_ends(), self._name()
        self._add(names)
        self._lay(names, cables)
        if self._several:
            self.plan.notes.append(f"ports of several LIDs (LMC above 0): {self._several}; routes are those "
                                   "to the first of each")

    def _read(self, path):
        node = None
        for line, text in read_lines(path):
            if text.startswith("[") and text[1:2].isdigit():
                if node is None:
                    self.plan.refuse(line, f"{shown(text)} is a port before any node; expected a line "
                                           "such as Switch 36 \"S-...\" before it")
                self._read_port(node, text, line)
            elif _LIKE_NODE.match(text):
                node = self._read_node(text, line)
            elif not _PASSED_OVER.fullmatch(text):
                self.plan.leave_out("lines that are none of ibnetdiscover's", line, text)
        if not self._nodes:
            self.plan.refuse(1, "there is no node; expected the output of ibnetdiscover, with "
                                "lines such as Switch 36 \"S-...\"")

    def _read_node(self, text, line):
        found = _NODE.fullmatch(text)
        if not found:
            self.plan.refuse(line, f"{shown(text)} is no node; expected Switch, Ca or Rt, its "
                                   "number of ports, \"GUID\" and # \"description\"")
        kind, ports, identity, told, rest = found.groups()
        if identity[0] != _KINDS[kind]:
            self.plan.refuse(line, f"{shown(identity)} is no GUID of a {kind}; expected S- for a "
                                   "Switch, H- for a Ca, R- for a Rt")
        number = arguments.parse_whole(ports, 1, 254)
        if number is None:
            self.plan.refuse(line, f"{shown(ports)} ports; expected 1 to 254")
        node = _Node(kind, identity, number, told, line)
        if identity in self._nodes:
            self._again.append(node)
        else:
            self._nodes[identity] = node
        if kind == "Switch":
            node.lid = self._lid(_OWN.search(rest), line)
        return node

    def _lid(self, own, line):
        """Returns a LID; 0 if it is missing or wrong, since cables don't depend on LIDs."""
        if own is None:
            self._note_wrong(line, "there is no LID; expected lid 1 lmc 0")
            return 0
        lid, lmc = arguments.parse_whole(own[1], 0, _MAX_LID), arguments.parse_whole(own[2], 0, 7)
        if lid is None or lmc is None:
            self._note_wrong(line, f"lid {own[1][:20]} lmc {own[2][:20]}; expected 1 to {_MAX_LID}, 0 "
                                   "for none, and lmc 0 to 7")
            return 0
        if lid and lmc:
            self._several += 1
            self.further.update(range(lid + 1, min(lid + (1 << lmc), _MAX_LID + 1)))
        return lid

    def _note_wrong(self, line, told):
        self.wrong_lid = self.wrong_lid or (line, told)
        self.plan.tell("LIDs that can't be (only --routes= needs them)", f"line {line}: {told}")

    def _read_port(self, node, text, line):
        found = _PORT.fullmatch(text)
        if not found:
            self.plan.refuse(line, f"{shown(text)} is no port; expected "
                                   '[port] "GUID"[port] # ..., as ibnetdiscover has it')
        port, identity, far_port, rest = found.groups()
        port, far_port = (arguments.parse_whole(each, 1, ports) for each, ports in
                          ((port, node.ports), (far_port, 254)))
        if port is None or far_port is None:
            self.plan.refuse(line, f"{shown(found[1])} and {shown(found[3])} are no two ports; expected "
                                   f"1 to {node.ports} here and 1 to 254 there")
        if port in node.far:
            if node.far[port][:2] != (identity, far_port):
                self.plan.refuse(line, f"port {port} is in line {node.far[port][2]}, too, with another "
                                       "cable; expected every port once")
            self.plan.leave_out("ports that are listed again", line, text)
            return
        lid = self._lid(_OWN.match(rest), line) if node.kind != "Switch" else 0
        far = _FAR.match(rest)
        if far and far[2]:
            node.speeds[port] = _Speed(int(far[2]), far[3])
        node.far[port] = (identity, far_port, line, lid, arguments.parse_whole(far[1], 0, _MAX_LID) if far else None)

    def _check_again(self):
        for node in self._again:
            first = self._nodes[node.identity]
            if {port: far[:2] for port, far in node.far.items()} != {port: far[:2] for port, far in first.far.items()}:
                self.plan.refuse(node.line, f"'{node.identity}' is in line {first.line}, too, with other "
                                            "cables; expected every node once")
            self.plan.leave_out("nodes that are listed again", node.line, node.identity)

    def _match_ends(self):
        """Returns each cable once, as its two ends (node, port) and the line. If entries contradict each other, cables
        that the other end does not confirm are left out."""
        cables, taken, left_out = [], set(), []
        ends = [(node, port, *far[:3]) for node in self._nodes.values() for port, far in node.far.items()]
        for node, port, far, far_port, line in ends:
            if far not in self._nodes:
                self.plan.refuse(line, f"'{far}' is no node of the file; expected one that "
                                       "has a line Switch, Ca or Rt of its own")
            here, there = (node.identity, port), (far, far_port)
            other = self._nodes[far]
            back = other.far.get(far_port, (*here,))
            # The far end may be taken by another one that it does not list.
            if here == there or far_port > other.ports or back[:2] != here or here not in taken and there in taken:
                left_out.append((node, port, line))
            elif here not in taken:
                taken |= {here, there}
                cables.append((here, there, line))
                if far_port not in other.far:
                    other.far[far_port] = (*here, line, 0, None)
                    self.plan.tell("cables that only one end lists, which are there all the same",
                                   f"{node.told}:{port} - {other.told}:{far_port} (line {line})")
        for node, port, line in left_out:
            far, far_port = node.far.pop(port)[:2]
            self.plan.tell("cables left out, since the far end has another one, or none such",
                           f"{node.told}:{port} - {self._nodes[far].told}:{far_port} (line {line})")
        return cables

    def _name(self):
        wanted = {}
        left_out = collections.Counter()
        adapters: dict[str, list] = collections.defaultdict(list)  # ends, by name of computer
        for identity, node in self._nodes.items():
            told = node.told.replace(",", " ").split()
            if node.kind == "Switch":
                short = _MANAGED.fullmatch(node.told)
                wanted[identity, None] = [short[1] if short else "", "-".join(told), identity]
            elif node.kind == "Rt" or node.told.endswith(_INSIDE):
                left_out["routers" if node.kind == "Rt" else "aggregation nodes"] += 1
            else:
                for port in node.far:
                    whole = "-".join(told)
                    wanted[identity, port] = ["".join(told[:1]), whole, f"{whole}:{port}", f"{identity}:{port}"]
                if len(told) == 2 and _ADAPTER.fullmatch(told[1]):
                    adapters[told[0]] += [(identity, port) for port in node.far]
        for what, number in left_out.items():
            self.plan.notes.append(f"left out: {what} ({number}), which are no hosts")
        # Of each end, the first of its names that no other end has among its own.
        holders = collections.Counter(name for names in wanted.values() for name in set(names))
        named = {end: next((name for name in names if name and holders[name] == 1
                            and is_printable(name)), names[-1])
                 for end, names in wanted.items()}
        several = [sorted((named[end] for end in ends), key=natural) for ends in adapters.values() if len(ends) > 1]
        if several and not self._interfaces:
            self.plan.notes.append(f"computers of several ports: {len(several)}, each port of them a "
                                   f"host, as {', '.join(several[0])}; expected to import them as "
                                   "interfaces")
        self._first_of = {name: names[0] for names in several if self._interfaces for name in names[1:]}
        return named

    def _add(self, names):
        for (identity, port), name in sorted(names.items(), key=lambda each: natural(each[1])):
            node = self._nodes[identity]
            self.plan.add("switch" if port is None else "host", name, node.line)
            if port is None:
                self._note_lid(node.lid, node.line)
                self.lids.add(node.lid)
                self.switch_of[int(identity[2:], 16)] = name
            else:
                line, lid = node.far[port][2:4]
                self._note_lid(lid, line)
                if lid:
                    self.host_of[lid] = name
        self.plan.first_of = {name: (first, self.plan.lines[name]) for name, first in self._first_of.items()}
        self.plan.hosts = in_order(self.plan.hosts, self._first_of)
        self.plan.ports = 1 + max((node.ports for node in self._nodes.values() if node.kind == "Switch"), default=0)

    def _lay(self, names, cables):
        speeds = collections.Counter()
        beside = collections.defaultdict(list)  # speed and ends of cables, by nodes
        laid = []
        for here, there, line in cables:
            ends = [names.get((identity, None)) or names.get((identity, port)) for identity, port in (here, there)]
            if None in ends:
                continue  # left out
            told = " - ".join(f"{name}:{port}" for name, (_, port) in zip(ends, (here, there)))
            speed = self._speed(here, there, told, line)
            self._check_lids(here, there, told)
            speeds[speed] += 1
            beside[frozenset(ends)].append((speed, told))
            laid.append((*(each for name, (identity, port) in zip(ends, (here, there)) for each in (
                name, port if self._nodes[identity].kind == "Switch" else 0)), line, _text_of(speed)))
        rates = {cable[-1] for cable in laid}
        if len(rates) == 1 and rates != {""}:
            self.plan.defaults["rate"] = rates.pop()
        for *cable, rate in laid:
            self.plan.lay(*cable, {"rate": rate} if rate and len(rates) > 1 else {})
        self._note_slow(beside, speeds)
        if unknown := speeds.pop(None, 0):
            self.plan.notes.append(f"cables whose speed is not known: {unknown}; they have the machine's "
                                   "rate, without a machine 160MB/s")
        _tell_rounded(self.plan, speeds)

    def _speed(self, here, there, told, line):
        """Returns the speed of a cable, which is that of its slower end; None if both are unknown."""
        ends = [self._nodes[identity].speeds.get(port) for identity, port in (here, there)]
        speed = min((each for each in ends if each and each.bits()), key=_Speed.bits, default=None)
        if all(ends) and ends[0] != ends[1]:
            self.plan.tell("ends of a cable that differ in speed, of which the slower one is used",
                           f"{told} has {ends[0]} and {ends[1]} (line {line})")
        return speed

    def _check_lids(self, here, there, told):
        """Notes a LID that differs between its node's own entry and the entry at the far end of a cable."""
        for (identity, port), (far, far_port) in ((here, there), (there, here)):
            said = self._nodes[identity].far[port][4]
            node = self._nodes[far]
            own = node.lid if node.kind == "Switch" else node.far[far_port][3]
            if said and own and said != own:
                self.plan.tell("LIDs that the ends of a cable tell otherwise; a node's own is used",
                               f"{told}: {own}, and {said} in line {self._nodes[identity].far[port][2]}")

    def _note_slow(self, beside, speeds):
        """Notes cables that are slower than parallel cables, or have one lane where others have more."""
        widest = collections.defaultdict(int)
        for speed in filter(None, speeds):
            widest[speed.name] = max(widest[speed.name], speed.lanes)
        for cables in beside.values():
            fastest = max([speed for speed, _ in cables if speed], key=_Speed.bits, default=None)
            for speed, told in cables:
                if speed and speed.bits() < fastest.bits():
                    self.plan.tell("cables slower than those beside them", f"{told} has {speed}, others "
                                   f"{fastest}")
                elif speed and speed.lanes == 1 < widest[speed.name]:
                    self.plan.tell("cables of one lane, where others of their speed have more", f"{told} has {speed}")

    def _note_lid(self, lid, line):
        if lid and (lid in self.host_of or lid in self.lids or lid in self.further):
            self._note_wrong(line, f"lid {lid} is another port's, too; expected a LID of its own")


def read(path: str, interfaces: bool = False) -> Reader:
    """Returns the reader of a file, whose plan has the file's content. Args, Raises: as for Reader."""
    return Reader(path, interfaces)
