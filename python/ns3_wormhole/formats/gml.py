# SPDX-License-Identifier: GPL-2.0-only
"""GML, the Graph Modelling Language: graph [ node [ id 0 label "s0" ] edge [ source 0 target 1 ] ]."""

from __future__ import annotations

import collections
import html
import re

from .graphs import Drawn, plan_of
from .plan import Plan
from .texts import read_text

_TOKEN = re.compile(r'\s+|#[^\n]*|(?P<key>[A-Za-z_][\w]*)|(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)'
                    r'(?:[eE][+-]?\d+)?|[+-]?(?:INF|NAN))|(?P<text>"[^"]*")|(?P<open>\[)|'
                    r'(?P<close>\])', re.ASCII)
_DEPTH = 100


class _Reader:
    """Reads pairs of keys and values; a value in brackets is a list of pairs."""

    def __init__(self, path):
        self.plan = Plan(path)
        self.tokens = self._split(read_text(path))
        self.kind, self.value, self.line = next(self.tokens)

    def _split(self, text):
        at, line = 0, 1
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                self.plan.refuse(line, f"'{text[at:at + 20].splitlines()[0]}' is no GML; expected "
                                       "keys, numbers, \"texts\" and lists in brackets")
            if found.lastgroup:
                yield found.lastgroup, found[0], line
            line += found[0].count("\n")
            at = found.end()
        while True:
            yield "end", "the end", line

    def step(self):
        self.kind, self.value, self.line = next(self.tokens)

    def pairs(self, until="close", depth=0):
        """Returns (key, value, line) up to a bracket, or the end; a value is a text or a list."""
        found = []
        while self.kind != until:
            if self.kind != "key":
                self.plan.refuse(self.line, f"'{self.value}' is no key; expected a word"
                                 + (" or ]" if until == "close" else ""))
            key, line = self.value, self.line
            self.step()
            if self.kind == "open":
                if depth == _DEPTH:
                    self.plan.refuse(line, f"lists in lists, {_DEPTH} deep; expected fewer")
                self.step()
                found.append((key, self.pairs(depth=depth + 1), line))
            elif self.kind in ("number", "text"):
                value = html.unescape(self.value[1:-1]) if self.kind == "text" else self.value
                found.append((key, value, line))
            else:
                self.plan.refuse(self.line, f"'{self.value}' is no value of '{key}'; expected "
                                            "a number, a \"text\" and a list in brackets")
            self.step()
        return found


def _one(plan, pairs, key, line):
    """Returns the value of a key that is to be there; a text."""
    for name, value, _ in pairs:
        if name == key and isinstance(value, str):
            return value
    return plan.refuse(line, f"there is no '{key}' here; expected one")


def _label(pairs):
    """Returns a node's label; None without one."""
    return next((value for key, value, _ in pairs if key == "label" and isinstance(value, str)), None)


def _plain(pairs, leave_out):
    """Returns the values but some; a list is told as such."""
    return {key: value if isinstance(value, str) else "a list" for key, value, _ in pairs
            if key not in leave_out}


def read(path: str) -> Plan:
    """Returns what a file holds. A node's name is its label; its id without one. Raises WormholeError
    for a wrong line, naming it."""
    reader = _Reader(path)
    plan = reader.plan
    graphs = [(value, line) for key, value, line in reader.pairs("end") if key == "graph"]
    if len(graphs) != 1 or isinstance(graphs[0][0], str):
        plan.refuse(graphs[1][1] if len(graphs) > 1 else 1,
                    f"{len(graphs) or 'no'} graphs; expected one, graph [ ... ]")
    drawn = Drawn(names=frozenset({"multigraph", "directed", "label", "graphics"}))
    pairs = graphs[0][0]
    names = {}
    renamed = []
    edges = drawn.edges
    labels = collections.Counter(_label(value) for key, value, _ in pairs
                                 if key == "node" and not isinstance(value, str))
    for key, value, line in pairs:
        if key in ("node", "edge"):
            if isinstance(value, str):
                plan.refuse(line, f"'{value}' is no {key}; expected {key} [ ... ]")
        elif key == "directed" and value != "0":
            edges = drawn.arcs
        elif key not in drawn.names:
            drawn.attributes[key] = (value if isinstance(value, str) else "a list", line)
        if key == "node":
            identity = _one(plan, value, "id", line)
            given = _plain(value, ("id", "label"))
            name = _label(value) or identity
            if labels[name] > 1:
                name = f"{name}-{identity}"
                renamed.append(name)
            if identity in names or name in drawn.nodes:
                plan.refuse(line, f"node '{identity if identity in names else name}' is there "
                                  "twice; expected every node once")
            names[identity] = name
            drawn.nodes[name] = (given, line)
    for key, value, line in pairs:
        if key == "edge":
            ends = [_one(plan, value, end, line) for end in ("source", "target")]
            for end in ends:
                if end not in names:
                    plan.refuse(line, f"'{end}' is no id of a node; expected those that the "
                                      "file lists")
            edges.append((names[ends[0]], names[ends[1]],
                          _plain(value, ("source", "target", "key")), line))
    made = plan_of(path, drawn)
    for name in renamed:
        made.tell("nodes of one label have their ids behind it", name)
    return made
