# SPDX-License-Identifier: GPL-2.0-only
"""Graphviz DOT: https://graphviz.org/doc/info/lang.html."""

import re

from ..core.errors import WormholeError
from .graphs import attributes_of, Drawn, nodes_of, plan_of, REFUSED, USED
from .plan import Plan
from .texts import read_text

_TOKEN = re.compile(
    r'(?P<space>[ \t\r\f\v]+|//[^\n]*|/\*.*?\*/)|(?P<newline>\n(?:\#[^\n]*)?)'
    r'|(?P<word>[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?))'
    r'|(?P<text>"(?:\\.|[^"\\])*")|(?P<sign>--|->|[{}\[\]=;,:+])', re.S)
_MARKS = re.compile("[<>]")
_KEYWORDS = ("graph", "digraph", "node", "edge", "subgraph", "strict")
_DEPTH = 100
_MAX_EDGES = 1 << 22  # between all of some nodes and all of others they may be many
# Of drawings, which no note lists.
_LOOKS = frozenset(
    "label xlabel headlabel taillabel shape style color fillcolor fontcolor fontname fontsize width "
    "height pos lp bb layout overlap splines rankdir rank ranksep nodesep size ratio dir penwidth "
    "fixedsize margin concentrate len weight arrowhead arrowtail labelfontsize compound "
    "bgcolor tooltip URL group class id sep esep start mode model dpi center".split())


class _Reader:
    """Reads statements into the graph."""

    def __init__(self, path):
        self.plan = Plan(path)
        self.drawn = Drawn(names=_LOOKS)
        self.joint, self.edges = "--", self.drawn.edges  # of a directed graph -> and arcs
        self.unused = {}  # values of others than the used ones, by what has them and name
        self.tokens = self._split(read_text(path))
        self.step()

    def _split(self, text):
        at, line = 0, 1
        if text.startswith("#"):
            at = (text + "\n").index("\n")
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found:
                if text[at] == "<":
                    at, raw = self._markup(text, at, line)
                    yield "text", raw, line
                    line += raw.count("\n")
                    continue
                self.plan.refuse(line, f"'{text[at:at + 20].splitlines()[0]}' is no DOT; expected "
                                       "names, \"texts\" and the signs of graph { a -- b }")
            at = found.end()
            kind, value = found.lastgroup, found[0]
            if kind == "text":
                yield kind, re.sub(r"\\\n", "", value[1:-1]).replace('\\"', '"'), line
            elif kind in ("word", "sign"):
                yield kind, value, line
            line += value.count("\n")
        while True:
            yield "end", "the end", line

    def _markup(self, text, at, line):
        """Returns the position at which <...> ends, and its content."""
        depth = 0
        for found in _MARKS.finditer(text, at):
            depth += 1 if found[0] == "<" else -1
            if depth == 0:
                return found.end(), text[at + 1:found.start()]
        return self.plan.refuse(line, "a text that begins with < and does not end; expected > "
                                      "at its end")

    def step(self):
        self.kind, self.value, self.line = next(self.tokens)

    def is_sign(self, sign):
        return self.kind == "sign" and self.value == sign

    def is_word(self, *words):
        return self.kind == "word" and self.value.lower() in words

    def name(self):
        """Returns a name or a text; + may join the parts of a text."""
        if self.kind not in ("word", "text") or self.is_word(*_KEYWORDS):
            self.plan.refuse(self.line, f"'{self.value[:40]}' is no name; expected a word, a "
                                        "number, or a \"text\"")
        kind, value = self.kind, self.value
        self.step()
        while kind == "text" and self.is_sign("+"):
            self.step()
            if self.kind != "text":
                self.plan.refuse(self.line, f"'{self.value[:40]}' after +; expected a \"text\"")
            value += self.value
            self.step()
        return value

    def read(self):
        if self.is_word("strict"):
            self.step()
        if self.is_word("digraph"):
            self.joint, self.edges = "->", self.drawn.arcs
        elif not self.is_word("graph"):
            self.plan.refuse(self.line, f"'{self.value[:40]}' is no graph; expected "
                                        "graph { ... }")
        self.step()
        if not self.is_sign("{"):
            self.name()
        self.body({"node": {}, "edge": {}}, 0)
        if self.kind != "end":
            self.plan.refuse(self.line, f"'{self.value[:40]}' behind the graph; expected one "
                                        "graph")
        for (kind, name), value in self.unused.items():  # once is enough for a note
            if kind == "graph":
                self.drawn.attributes.setdefault(name, (value, 1))
            for *_, given, _ in {"edge": self.drawn.edges + self.drawn.arcs, "graph": [],
                                 "node": [*self.drawn.nodes.values()]}[kind][:1]:
                given[name] = value
        return self.drawn

    def body(self, defaults, depth):
        """Reads statements in braces. Returns the nodes that they name."""
        if depth == _DEPTH:
            self.plan.refuse(self.line, f"graphs in graphs, {_DEPTH} deep; expected fewer")
        if not self.is_sign("{"):
            self.plan.refuse(self.line, f"'{self.value[:40]}' instead of {{; expected DOT, as graph {{ a -- b }}")
        self.step()
        inside, defaults = {}, {kind: dict(given) for kind, given in defaults.items()}
        while not self.is_sign("}"):
            if self.is_sign(";"):
                self.step()
            elif self.is_word("node", "edge", "graph"):
                kind = self.value.lower()
                self.step()
                given, line = self.attributes(kind), self.line
                if kind == "graph":
                    self.note(given, line, depth)
                else:
                    defaults[kind].update(given)
            else:
                inside.update(self.statement(defaults, depth))
        self.step()
        return inside

    def note(self, given, line, depth):
        """Takes attributes of the graph; attributes of subgraphs only affect the drawing."""
        if depth == 0:
            self.drawn.attributes.update({name: (value, line) for name, value in given.items()})

    def statement(self, defaults, depth):
        """Reads a node, edges, name=value or a subgraph. Returns the nodes that it names."""
        line = self.line
        ends = [self.end(defaults, depth)]
        if ends[0] is None:
            return {}
        while self.is_sign("--") or self.is_sign("->"):
            if not self.is_sign(self.joint):
                self.plan.refuse(self.line, f"{self.value} in a "
                                 + ("graph: a directed edge" if self.joint == "--" else "digraph")
                                 + f"; expected {self.joint}")
            self.step()
            ends.append(self.end(defaults, depth))
            if ends[-1] is None:
                self.plan.refuse(self.line, "name=value at the end of an edge; expected a node")
        given = self.attributes("edge" if len(ends) > 1 else "node")
        if len(ends) == 1:
            if given and len(ends[0]) == 1:
                self.drawn.nodes[next(iter(ends[0]))][0].update(given)
            return ends[0]
        given = {**defaults["edge"], **given}
        edges = self.drawn.edges if given.pop("dir", "") in ("none", "both") else self.edges
        for tails, heads in zip(ends, ends[1:]):
            if len(tails) * len(heads) > _MAX_EDGES - len(edges):
                self.plan.refuse(line, f"more than {_MAX_EDGES} edges; expected fewer")
            edges += [(a, b, given, line) for a in tails for b in heads]
        return {name: None for each in ends for name in each}

    def end(self, defaults, depth):
        """Returns the nodes at an edge's end; None if the statement was name=value."""
        is_graph = self.is_word("subgraph")
        if is_graph:
            self.step()
            if not self.is_sign("{"):
                self.name()
        if is_graph or self.is_sign("{"):
            return self.body(defaults, depth + 1)
        line = self.line
        name = self.name()
        if self.is_sign("="):
            self.step()
            self.note({name: self.name()}, line, depth)
            return None
        for _ in range(2):  # the place at a node where the line is drawn to
            if self.is_sign(":"):
                self.step()
                self.name()
        if name not in self.drawn.nodes:
            self.drawn.nodes[name] = (dict(defaults["node"]), line)
        return {name: None}

    def attributes(self, kind):
        """Returns the values in brackets, if any, except drawing attributes. kind: kind of their owner"""
        given = {}
        while self.is_sign("["):
            self.step()
            while not self.is_sign("]"):
                name = self.name()
                value = "true"
                if self.is_sign("="):
                    self.step()
                    value = self.name()
                if name in USED[kind] or name in REFUSED or (name, kind) == ("dir", "edge"):
                    given[name] = value
                elif name not in _LOOKS:
                    self.unused.setdefault((kind, name), value)
                if self.is_sign(",") or self.is_sign(";"):
                    self.step()
            self.step()
        return given


def read(path: str) -> Plan:
    """Returns a file's content without drawing attributes. Raises WormholeError for a wrong line, naming it."""
    return plan_of(path, _Reader(path).read())


def _quoted(text):
    if re.search(r'\\("|$)', text):
        raise WormholeError(f"{text!r} has \\ before \" or at its end, which DOT can't hold; "
                            "expected another name, or GraphML")
    return '"' + text.replace('"', '\\"') + '"'


def write(fabric) -> str:
    """Returns a fabric as DOT, from which read() makes it without outages; hosts are ellipses, switches boxes. Raises
    WormholeError for a name that DOT can't hold."""
    lines = ["graph {"]
    lines += [f"  {name}={_quoted(value)};" for name, value in attributes_of(fabric).items()]

    def also(said):
        return "".join(f", {name}={_quoted(value)}" for name, value in said.items())

    for name, said in nodes_of(fabric):
        kind = {"switch": "switch, shape=box", "host": "host"}[said.pop("kind")]
        lines.append(f"  {_quoted(name)} [kind={kind}{also(said)}];")
    lines += [f"  {_quoted(a)} -- {_quoted(b)} [tail_port={port_a}, head_port={port_b}{also(own)}];"
              for (a, port_a, b, port_b), own in zip(fabric.cables(), fabric.owns())]
    return "\n".join([*lines, "}", ""])
