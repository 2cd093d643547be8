# SPDX-License-Identifier: GPL-2.0-only
"""GraphML: https://graphml.graphdrawing.org."""

import json
import xml.parsers.expat

from ..core.texts import as_xml
from .graphs import attributes_of, Drawn, nodes_of, plan_of, REFUSED, USED
from .plan import Plan
from .properties import CABLE
from .texts import read_bytes


class _Reader:
    """Collects the elements of a file as expat finds them."""

    def __init__(self, path):
        self.plan = Plan(path)
        self.drawn = Drawn()
        self.keys = {}  # id -> domain, name, default
        self.open = []  # elements that have begun
        self.text = None  # parts of a value that is read
        self.place = None  # domain and attributes that data go to
        self.key = ""
        self.graphs = 0
        self.directed = "false"  # what edges are
        self.parser = xml.parsers.expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler, self.parser.EndElementHandler = self.begin, self.end
        self.parser.CharacterDataHandler, self.parser.StartDoctypeDeclHandler = self.characters, self.doctype

    def refuse(self, told):
        self.plan.refuse(self.parser.CurrentLineNumber, told)

    def doctype(self, name, *_):
        self.refuse(f"a document type {name}; expected GraphML without one")

    def take(self, given, name):
        if name not in given:
            self.refuse(f"<{self.open[-1]}> has no {name}; expected one")
        return given[name]

    def begin(self, name, given):
        name = name.rpartition("}")[2]
        self.open.append(name)
        line = self.parser.CurrentLineNumber
        if len(self.open) == 1 and name != "graphml":
            self.refuse(f"<{name}> is no GraphML; expected <graphml>")
        if name == "key":
            identity = self.key = self.take(given, "id")
            if identity in self.keys:
                self.refuse(f"key '{identity}' is there twice; expected every key once")
            self.keys[identity] = [given.get("for", "all"), given.get("attr.name", identity), None]
        elif name == "graph":
            self.graphs += 1
            if self.graphs > 1:
                self.refuse("a graph in a node, or a second one; expected one graph")
            if self.take(given, "edgedefault") not in ("undirected", "directed"):
                self.refuse(f"edgedefault={given['edgedefault']}; expected undirected or directed")
            self.directed = str(given["edgedefault"] == "directed").lower()
            self.place = ("graph", {}, line)
        elif name == "node":
            identity = self.take(given, "id")
            if identity in self.drawn.nodes:
                self.refuse(f"node '{identity}' is in line {self.drawn.nodes[identity][1]}, too; "
                            "expected every node once")
            self.place = ("node", {}, line)
            self.drawn.nodes[identity] = self.place[1:]
        elif name == "edge":
            self.place = ("edge", {}, line)
            is_arc = given.get("directed", self.directed) not in ("false", "0")
            (self.drawn.arcs if is_arc else self.drawn.edges).append(
                (self.take(given, "source"), self.take(given, "target"), *self.place[1:]))
        elif name == "hyperedge":
            self.refuse("a hyperedge; expected edges between two nodes")
        elif name == "data":
            self.key = self.take(given, "key")
            if self.key not in self.keys:
                self.refuse(f"key '{self.key}' is not there; expected that of a <key>")
        if name in ("data", "default"):
            self.text = []

    def characters(self, text):
        if self.text is not None:
            self.text.append(text)

    def end(self, name):
        name = self.open.pop()
        if name == "default":
            self.keys[self.key][2] = "".join(self.text).strip()
        elif name == "data" and self.place is not None:
            value, (domain, given, _) = "".join(self.text), self.place
            attribute = self.keys[self.key][1]
            value = value if attribute == "interface_of" else value.strip()
            if domain == "graph":
                self.drawn.attributes[attribute] = (value, self.parser.CurrentLineNumber)
            else:
                given[attribute] = value
        if name in ("default", "data"):
            self.text = None
        elif name in ("node", "edge"):
            self.place = ("graph", {}, 0)

    def add_defaults(self):
        """Gives nodes and edges the default values of keys."""
        edges = [given for _, _, given, _ in self.drawn.edges + self.drawn.arcs]
        nodes = [given for given, _ in self.drawn.nodes.values()]
        defaults = {(domain, name): value for domain, name, value in reversed(self.keys.values()) if value is not None}
        for (domain, name), value in defaults.items():
            for what, places in (("node", nodes), ("edge", edges)):
                if domain in (what, "all"):
                    counts = name in USED[what] or name in REFUSED
                    for given in places if counts else places[:1]:  # one is enough for a note
                        given.setdefault(name, value)
            if domain in ("graph", "all"):
                self.drawn.attributes.setdefault(name, (value, 1))


def read(path: str) -> Plan:
    """Returns a file's content. Raises WormholeError for a wrong line, naming it."""
    reader = _Reader(path)
    try:
        reader.parser.Parse(read_bytes(path), True)
    except xml.parsers.expat.ExpatError as error:
        reader.plan.refuse(error.lineno, f"{xml.parsers.expat.ErrorString(error.code)}, in column "
                                         f"{error.offset + 1}; expected XML")
    except (ValueError, LookupError) as error:  # an encoding that is not known
        reader.plan.refuse(reader.parser.CurrentLineNumber, f"{error}; expected UTF-8")
    if not reader.graphs:
        reader.plan.refuse(1, "there is no graph; expected <graph edgedefault=\"undirected\">")
    reader.add_defaults()
    return plan_of(path, reader.drawn)


def write(fabric) -> str:
    """Returns a fabric as GraphML, from which read() makes it without outages. Edges have "ports" as in
    Fabric.to_networkx, in JSON; switches of a fabric with routing "table" have "routes", the port for each host."""
    given, nodes, owns = attributes_of(fabric), nodes_of(fabric), fabric.owns()
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    keys = [("graph", name) for name in given] + [("node", "kind"), ("edge", "ports")]
    keys += [("node", name) for name in ("routes", "delay", "interface_of") if any(name in said for _, said in nodes)]
    keys += [("edge", name) for name in CABLE if any(name in own for own in owns)]
    lines += [f'  <key id="{domain}_{name}" for="{domain}" attr.name="{name}" '
              'attr.type="string"/>' for domain, name in keys]
    lines.append('  <graph edgedefault="undirected">')
    lines += [f'    <data key="graph_{name}">{as_xml(value)}</data>' for name, value in given.items()]

    def data(domain, said):
        return "".join(f'<data key="{domain}_{name}">{as_xml(value)}</data>' for name, value in said.items())

    lines += [f'    <node id="{as_xml(name)}">{data("node", said)}</node>' for name, said in nodes]
    for (a, port_a, b, port_b), own in zip(fabric.cables(), owns):
        ports = json.dumps({a: port_a, b: port_b}, ensure_ascii=False)
        lines.append(f'    <edge source="{as_xml(a)}" target="{as_xml(b)}">'
                     f'{data("edge", {"ports": ports, **own})}</edge>')
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])
