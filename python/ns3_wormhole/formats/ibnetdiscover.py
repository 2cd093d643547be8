# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Output of ibnetdiscover: the switches, channel adapters and cables of an InfiniBand subnet."""

from __future__ import annotations

import collections
import re

from .._properties import in_order
from .._texts import is_printable
from .plan import Plan, natural, read_lines

_PASSED_OVER = re.compile(
    r"\s*(?:#.*)?"
    r"|(?:vendid|devid)=0x[0-9a-f]+"
    r"|(?:sysimgguid|switchguid|caguid|rtguid)=0x[0-9a-f]+(?:\([0-9a-fx]+\))?(?:\s*#.*)?"
    r"|(?:Chassis \d.*|(?:[\w-]+ )+Nodes)\s*"
    r"|ibwarn: .*", re.I)
_NODE = re.compile(r'(Switch|Ca|Rt)\s+(\d+) "([SHR]-(?:0x)?[0-9a-f]+)"\s*#\s*"(.*)"(.*)')
_PORT = re.compile(r'\[(\d+)\](?:\[ext \d+\])?(?:\([0-9a-fx]+\))?\s+"([SHR]-(?:0x)?[0-9a-f]+)"\[(\d+)\]'
                   r'(?:\[ext \d+\])?(?:\([0-9a-fx]+\))?\s*#\s*(.*)')
_OWN = re.compile(r"lid (\d+) lmc (\d+)\b")
_SPEED = re.compile(r'.*"\s+lid \d+ (\d+)x([A-Z]+(?:10)?)\b')
# Gbit/s of data on one lane, by the names of speeds.
_LANE = {"SDR": 2, "DDR": 4, "QDR": 8, "FDR10": 10, "FDR": 13.64, "EDR": 25, "HDR": 50, "NDR": 100,
         "XDR": 200}
# Description of a managed switch, "MF0;name:model/U1"; chips of a large one share the name.
_MANAGED = re.compile(r"MF\d+;([^:;,\s]+):\S+")
# What an adapter is called, after its computer.
_ADAPTER = re.compile(r"HCA-\d+|(?:mlx\d+|hfi\d+|qib|ib|bnxt_re)_?\d+")
# Adapters inside switches, which are no hosts.
_INSIDE = "Aggregation Node"
_MAX_LID = 0xbfff  # those above are of multicast groups


class _Node:
    """A switch, an adapter or a router of the file."""

    def __init__(self, kind, ports, told, line):
        self.kind, self.ports, self.told, self.line = kind, ports, told, line
        self.lid = 0
        self.far = {}  # port -> node, port, line, lid of the own port
        self.speeds = {}  # port of a switch -> lanes, name of their speed


class Reader:
    """Reads a file.

    Attributes:
        plan: what it holds; ports have the numbers of the file, so a switch's port 0 is open
        switch_of: names of switches by node GUID
        host_of: names of hosts by LID
        lids: LIDs of switches
    """

    def __init__(self, path: str, interfaces: bool = False):
        """Reads all of it.

        Args:
            path: the file
            interfaces: whether ports of one computer are its interfaces, and not hosts of their own

        Raises:
            WormholeError: for a wrong line, naming it
        """
        self.plan = Plan(path)
        self._interfaces = interfaces
        self.switch_of: dict[int, str] = {}
        self.host_of: dict[int, str] = {}
        self.lids: set[int] = set()
        self._nodes: dict[str, _Node] = {}
        self._first_of: dict[str, str] = {}  # of further interfaces
        self._speeds: collections.Counter = collections.Counter()
        node = None
        for line, text in read_lines(path):
            if text.startswith("[") and node is not None:
                self._read_port(node, text, line)
            elif text.startswith(("Switch", "Ca", "Rt")):
                node = self._read_node(text, line)
            elif not _PASSED_OVER.fullmatch(text):
                self.plan.refuse(line, f"'{text[:60]}' is no line of ibnetdiscover here; accepted "
                                       "are nodes (Switch, Ca) and the ports below them")
        if not self._nodes:
            self.plan.refuse(1, "there is no node; accepted is the output of ibnetdiscover, with "
                                "lines such as Switch 36 \"S-...\"")
        self._check_far_ends()
        names = self._name()
        self._lay(names)
        if len(self._speeds) == 1 and (rate := _rate(next(iter(self._speeds)))):
            self.plan.defaults["rate"] = rate
        self._note_speeds()

    def _read_node(self, text, line):
        found = _NODE.fullmatch(text)
        if not found:
            self.plan.refuse(line, f"'{text[:60]}' is no node; accepted is Switch, Ca or Rt, its "
                                   "number of ports, \"GUID\" and # \"description\"")
        kind, ports, identity, told, rest = found.groups()
        if identity[0] != {"Switch": "S", "Ca": "H", "Rt": "R"}[kind]:
            self.plan.refuse(line, f"'{identity}' is no GUID of a {kind}; accepted is S- for a "
                                   "Switch, H- for a Ca, R- for a Rt")
        if identity in self._nodes:
            self.plan.refuse(line, f"'{identity}' is in line {self._nodes[identity].line}, too; "
                                   "accepted is every node once")
        if not 1 <= int(ports) <= 254:
            self.plan.refuse(line, f"{ports} ports; accepted are 1 to 254")
        node = self._nodes[identity] = _Node(kind, int(ports), told, line)
        if kind == "Switch":
            own = _OWN.search(rest)
            if not own:
                self.plan.refuse(line, f"'{rest.strip()}' has no LID of the switch; accepted is "
                                       "base or enhanced port 0 lid 1 lmc 0")
            node.lid = self._lid(own, line)
        return node

    def _lid(self, own, line):
        if own[2] != "0":
            self.plan.refuse(line, f"lmc {own[2]}: several LIDs a port are not read; accepted is "
                                   "lmc 0")
        if len(own[1]) > 5 or int(own[1]) > _MAX_LID:
            self.plan.refuse(line, f"lid {own[1]}; accepted are 1 to {_MAX_LID}, and 0 for none")
        return int(own[1])

    def _read_port(self, node, text, line):
        found = _PORT.fullmatch(text)
        if not found:
            self.plan.refuse(line, f"'{text[:60]}' is no port; accepted is "
                                   '[port] "GUID"[port] # ..., as ibnetdiscover has it')
        port, identity, far_port, rest = found.groups()
        port, far_port = int(port), int(far_port)
        if not 1 <= port <= node.ports:
            self.plan.refuse(line, f"port {port} of a node with {node.ports}; accepted are 1 to "
                                   f"{node.ports}")
        if port in node.far:
            self.plan.refuse(line, f"port {port} is in line {node.far[port][2]}, too; accepted is "
                                   "every port once")
        lid = 0
        if node.kind != "Switch":
            own = _OWN.match(rest)
            if not own:
                self.plan.refuse(line, f"'{rest[:60]}' has no LID of the port; accepted is # lid 1 "
                                       "lmc 0 ...")
            lid = self._lid(own, line)
        speed = _SPEED.match(rest)
        if speed and node.kind == "Switch":
            self._speeds[int(speed[1]), speed[2]] += 1
            node.speeds[port] = int(speed[1]), speed[2]
        node.far[port] = (identity, far_port, line, lid)

    def _check_far_ends(self):
        """Refuses a cable that the node at its far end does not have."""
        for identity, node in self._nodes.items():
            for port, (far, far_port, line, _) in node.far.items():
                if far not in self._nodes:
                    self.plan.refuse(line, f"'{far}' is no node of the file; accepted is one that "
                                           "has a line Switch, Ca or Rt of its own")
                back = self._nodes[far].far.get(far_port)
                if back is None or back[:2] != (identity, port):
                    self.plan.refuse(line, f"this cable leads to port {far_port} of '{far}' (line "
                                     f"{self._nodes[far].line}), which has "
                                     + ("no cable" if back is None else
                                        f"another cable in line {back[2]}")
                                     + "; accepted is the same cable at both ends")

    def _name(self):
        """Returns names by node and port; a switch has the port None."""
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
                    wanted[identity, port] = ["".join(told[:1]), whole, f"{whole}:{port}",
                                              f"{identity}:{port}"]
                if len(told) == 2 and _ADAPTER.fullmatch(told[1]):
                    adapters[told[0]] += [(identity, port) for port in node.far]
        for what, number in left_out.items():
            self.plan.notes.append(f"left out: {number} {what}, which are no hosts")
        # Of each end, the first of its names that no other end has among its own.
        holders = collections.Counter(name for names in wanted.values() for name in set(names))
        named = {end: next((name for name in names if name and holders[name] == 1
                            and is_printable(name)), names[-1])
                 for end, names in wanted.items()}
        several = [sorted((named[end] for end in ends), key=natural)
                   for ends in adapters.values() if len(ends) > 1]
        if several and not self._interfaces:
            self.plan.notes.append(f"computers of several ports: {len(several)}, each port of them a "
                                   f"host, as {', '.join(several[0])}; accepted is to import them as "
                                   "interfaces")
        self._first_of = {name: names[0] for names in several if self._interfaces
                          for name in names[1:]}
        return named

    def _lay(self, names):
        """Fills the plan: nodes by natural order of names, cables once."""
        lines = {end: self._nodes[end[0]].line for end in names}
        for (identity, port), name in sorted(names.items(), key=lambda each: natural(each[1])):
            node = self._nodes[identity]
            self.plan.add("switch" if port is None else "host", name, lines[identity, port])
            if port is None:
                self._note_lid(node.lid, node.line)
                self.lids.add(node.lid)
                self.switch_of[int(identity[2:], 16)] = name
            else:
                line, lid = node.far[port][2:]
                self._note_lid(lid, line)
                if lid:
                    self.host_of[lid] = name
        self.plan.first_of = {name: (first, self.plan.lines[name])
                              for name, first in self._first_of.items()}
        self.plan.hosts = in_order(self.plan.hosts, self._first_of)
        self.plan.ports = 1 + max((node.ports for node in self._nodes.values()
                                   if node.kind == "Switch"), default=0)
        order = {identity: i for i, identity in enumerate(self._nodes)}
        for identity, node in self._nodes.items():
            for port, (far, far_port, line, _) in node.far.items():
                a, b = (names.get((identity, None)) or names.get((identity, port)),
                        names.get((far, None)) or names.get((far, far_port)))
                if a is None or b is None or (order[identity], port) > (order[far], far_port):
                    continue  # left out, or laid from its other end
                speed = node.speeds.get(port) or self._nodes[far].speeds.get(far_port)
                rate = _rate(speed) if len(self._speeds) > 1 else ""
                self.plan.lay(a, port if node.kind == "Switch" else 0, b,
                              far_port if self._nodes[far].kind == "Switch" else 0, line,
                              {"rate": rate} if rate else {})

    def _note_lid(self, lid, line):
        if lid and (lid in self.host_of or lid in self.lids):
            self.plan.refuse(line, f"lid {lid} is another port's, too; accepted is a LID of its own")

    def _note_speeds(self):
        odd = [f"{number} ends {width}x{speed}" for (width, speed), number
               in self._speeds.most_common() if not _rate((width, speed))]
        if odd:
            self.plan.notes.append(f"speeds that are no whole number of Gbit/s ({', '.join(odd)}) are "
                                   "not used: such cables have the machine's rate, without a machine "
                                   "160MB/s; a fabric file may have \"rate\" or \"flit_time\" for "
                                   "each link")


def _rate(speed):
    """Returns the data rate of a link, given lanes and the name of their speed; empty if it is not
    known, or no whole number of Gbit/s, which no flit time fits."""
    lanes, name = speed or (0, "")
    rate = lanes * _LANE.get(name, 0)
    return f"{rate}Gbps" if rate and isinstance(rate, int) else ""


def read(path: str, interfaces: bool = False) -> Plan:
    """Returns what a file holds. Args, Raises: as Reader."""
    return Reader(path, interfaces).plan
