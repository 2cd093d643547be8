# SPDX-License-Identifier: GPL-2.0-only
"""GML, the Graph Modelling Language: graph [ node [ id 0 label "s0" ] edge [ source 0 target 1 ] ]."""

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


def _tokens(plan, text):
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if not found:
            plan.refuse(line, f"'{text[at:at + 20].splitlines()[0]}' is no GML; expected "
                              "keys, numbers, \"texts\" and lists in brackets")
        if found.lastgroup:
            yield found.lastgroup, found[0], line
        line += found[0].count("\n")
        at = found.end()
    yield "end", "the end", line


def _pairs(plan, text):
    """Returns (key, value, line) of each pair; a value is a text, or a list of pairs (in brackets in the file)."""
    lists, key, at = [[]], "", 0
    for kind, value, line in _tokens(plan, text):
        if key and kind == "open":
            if len(lists) > _DEPTH:
                plan.refuse(at, f"lists in lists, {_DEPTH} deep; expected fewer")
            inner = []
            lists[-1].append((key, inner, at))
            lists.append(inner)
        elif key and kind in ("number", "text"):
            lists[-1].append((key, html.unescape(value[1:-1]) if kind == "text" else value, at))
        elif key:
            plan.refuse(line, f"'{value}' is no value of '{key}'; expected "
                              "a number, a \"text\" and a list in brackets")
        elif kind == "close" and len(lists) > 1:
            lists.pop()
        elif kind != "key" and (kind != "end" or len(lists) > 1):
            plan.refuse(line, f"'{value}' is no key; expected a word" + (" or ]" if len(lists) > 1 else ""))
        key, at = (value, line) if not key and kind == "key" else ("", at)
    return lists[0]


def _one(plan, pairs, key, line):
    """Returns the value of a required key, a text."""
    found = _first(pairs, key)
    return plan.refuse(line, f"there is no '{key}' here; expected one") if found is None else found


def _first(pairs, wanted):
    return next((value for key, value, _ in pairs if key == wanted and isinstance(value, str)), None)


def _plain(pairs, leave_out):
    return {key: value if isinstance(value, str) else "a list" for key, value, _ in pairs if key not in leave_out}


def read(path: str) -> Plan:
    """Returns a file's content. A node's name is its label, or without a label, its id. Raises WormholeError for a
    wrong line, naming it."""
    plan = Plan(path)
    graphs = [(value, line) for key, value, line in _pairs(plan, read_text(path)) if key == "graph"]
    if len(graphs) != 1 or isinstance(graphs[0][0], str):
        plan.refuse(graphs[1][1] if len(graphs) > 1 else 1,
                    f"{len(graphs) or 'no'} graphs; expected one, graph [ ... ]")
    drawn = Drawn(names=frozenset({"multigraph", "directed", "label", "graphics"}))
    pairs, names, renamed, edges = graphs[0][0], {}, [], drawn.edges
    labels = collections.Counter(_first(value, "label") for key, value, _ in pairs
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
            name = _first(value, "label") or identity
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
            if strange := [end for end in ends if end not in names]:
                plan.refuse(line, f"'{strange[0]}' is no id of a node; expected those that the "
                                  "file lists")
            edges.append((*(names[end] for end in ends), _plain(value, ("source", "target", "key")), line))
    made = plan_of(path, drawn)
    for name in renamed:
        made.tell("nodes of one label have their ids behind it", name)
    return made
