# SPDX-License-Identifier: GPL-2.0-only
"""BookSim's anynet format: a line for each router, such as "router 0 node 0 node 1 router 1 5"."""

from __future__ import annotations

from ..core import arguments as checks
from .plan import Plan
from .properties import are_there, further_interfaces, of_lanes
from .texts import is_noise, read_lines, shown


def read(path: str) -> Plan:
    """Returns a file's content; node 3 becomes the host h3, and router 3 the switch s3.

    As in BookSim, a number after a name is the latency of the channel to this node or router (default 1); a cable that
    both of its routers name is one cable.

    Raises:
        WormholeError: for a wrong line, naming it
    """
    plan = Plan(path)
    lines = {}  # first line of each node, by kind and number
    latency = {}  # by ends of a channel
    cables = {}  # line by the ends of a cable, the lower one first
    for line, text in read_lines(path):
        words = text.split()
        if words and words[0] not in ("router", "node") and is_noise(text):
            plan.leave_out("lines that say nothing of routers", line, text)
        elif words:
            _read_line(plan, words, line, lines, latency, cables)
    if not lines:
        plan.refuse(1, "there is no router; expected lines such as router 0 node 0 router 1")
    owner = {}
    for (a, b), line in cables.items():
        if a[0] == "node":
            if a in owner:
                plan.refuse(line, f"node {a[1]} is at router {owner[a][0]} in line {owner[a][1]}; "
                                  "expected one router for every node")
            owner[a] = (b[1], line)
    name = {(kind, number): f"{'h' if kind == 'node' else 's'}{number}" for kind, number in sorted(lines)}
    for node, told in name.items():
        plan.add("host" if node[0] == "node" else "switch", told, lines[node])
    for (a, b), line in cables.items():
        plan.lay(name[a], None, name[b], None, line)
    if len(set(latency.values())) > 1:
        told = ", ".join(map(str, sorted(set(latency.values()))))
        plan.notes.append(f"latencies differ ({told}) and are not used; a fabric file may have "
                          "\"delay\" for each link")
    return plan


def _read_line(plan, words, line, lines, latency, cables):
    ends = []
    at = 0
    while at < len(words):
        if words[at] not in ("router", "node"):
            plan.refuse(line, f"'{words[at][:40]}' instead of router or node; expected lines "
                              "such as router 0 node 0 router 1 5")
        if at + 1 == len(words):
            plan.refuse(line, f"'{words[at]}' has no number; expected one")
        end = (words[at], _number(plan, words[at + 1], line))
        lines.setdefault(end, line)
        at += 2
        given = at < len(words) and words[at] not in ("router", "node")
        if given and ends:
            value = _number(plan, words[at], line)
            at += 1
        if ends:
            head = ends[0]
            if head[0] == end[0] == "node":
                plan.refuse(line, f"{head[0]} {head[1]} and {end[0]} {end[1]}; expected a cable "
                                  "between two routers, or a router and a node")
            cables.setdefault(tuple(sorted((head, end))), line)
            if given:
                latency[head, end] = value
            else:
                latency.setdefault((head, end), 1)
            latency.setdefault((end, head), 1)
        ends.append(end)
    if len(ends) < 2:
        plan.refuse(line, f"{ends[0][0]} {ends[0][1]} alone; expected what it is cabled to "
                          "behind it")


def _number(plan, text, line):
    number = checks.parse_whole(text, 0, 999_999_999)
    if number is None:
        plan.refuse(line, f"{shown(text)} is no number; expected 0 to 999999999")
    return number


def write(fabric) -> tuple[str, list[str]]:
    """Returns a fabric as anynet, and a line for each kind of data that anynet can't hold."""
    hosts = {name: i for i, name in enumerate(fabric.hosts)}
    switches = {name: i for i, name in enumerate(fabric.switches)}
    below = [[] for _ in switches]
    beside = [[] for _ in switches]
    parallel = 0
    for a, _, b, _ in fabric.cables():
        a, b = (b, a) if a in hosts else (a, b)
        if b in hosts:
            below[switches[a]].append(hosts[b])
        elif switches[b] in beside[switches[a]]:
            parallel += 1
        else:
            beside[switches[a]].append(switches[b])
    lines = [" ".join([f"router {i}", *(f"node {host}" for host in sorted(below[i])),
                       *(f"router {far}" for far in sorted(beside[i]))])
             for i in range(len(switches)) if below[i] or beside[i]]
    notes = ["anynet holds no names, no numbers of ports and no routes: hosts are nodes and switches "
             "routers, by their numbers"]
    if are_there(fabric.graph):
        notes.append("anynet holds nothing that cables and switches have of their own: rates, delays "
                     "and depths are left out")
    if of_lanes(fabric.graph):
        notes.append("anynet holds no lanes")
    if further_interfaces(fabric.graph):
        notes.append("anynet holds no computers of several interfaces: each is a node of its own")
    if parallel:
        notes.append(f"anynet holds one cable between two routers: {parallel} parallel cables are "
                     "left out")
    return "\n".join([*lines, ""]), notes
