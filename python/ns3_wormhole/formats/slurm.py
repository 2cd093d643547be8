# SPDX-License-Identifier: GPL-2.0-only
"""SLURM's topology.conf and topology.yaml: a tree of switches, with nodes below."""

import collections
import re

from .plan import MAX_HOSTS, Plan
from .texts import read_lines, read_text, shown

_DEPTH = 100
_BLOCKS = ("blockname", "blocksizes", "blocksize", "blockindex")
_NO_CABLES = "a topology of blocks tells no cables"
_RANGES = re.compile(r"\[([^\[\]]*)")  # what is in brackets
_NUMBERS = re.compile(r"[0-9,-]*")  # int() takes others, too
_WORDS = ("switchname", "switches", "nodes", "linkspeed")


class _Tree:
    """Switches with the switches and nodes below them. A cable leads from a switch to each of its children. A node has
    one cable; a switch may have several cables, to different switches."""

    def __init__(self, path):
        self.plan = Plan(path)
        self.below = []  # switch, children, kind of these, line
        self.speeds = set()
        self.names = 0  # that lists have

    def expand(self, text, line):
        """Returns the names in a list such as node[1-4,07]."""
        import hostlist
        if wrong := next((each for each in _RANGES.findall(text) if not _NUMBERS.fullmatch(each)), None):
            self.plan.refuse(line, f"{shown(wrong)} in brackets; expected names as node[1-4,07]")
        try:
            listed = hostlist.expand_hostlist(text, allow_duplicates=True)
        except (hostlist.BadHostlist, ValueError, RecursionError) as error:
            return self.plan.refuse(line, f"{shown(text)}: {str(error)[:60] or 'too deep'}; expected "
                                          "names as node[1-4,07]")
        names = list(dict.fromkeys(listed))
        if len(names) < len(listed):
            (most, _), = collections.Counter(listed).most_common(1)
            self.plan.tell("names that a list has twice, which are taken once", f"line {line}: {most}")
        self.names += len(names)
        if self.names > MAX_HOSTS:
            self.plan.refuse(line, f"more than {MAX_HOSTS} names in all; expected fewer")
        return names

    def add(self, name, children, nodes, line):
        """Adds a switch. children, nodes: as expand() takes them"""
        self.plan.add("switch", name, line)
        for kind, given in (("switch", children), ("host", nodes)):
            if given is not None:
                self.below.append((name, self.expand(*given), kind, given[1]))

    def finish(self):
        laid = {}
        for _, names, kind, line in self.below:
            for name in names if kind == "host" else ():
                self.plan.add("host", name, line)
        for name, children, kind, line in self.below:
            for child in children:
                if self.plan.kind(child) != kind:
                    self.plan.refuse(line, f"'{child}' is no switch of the file; expected one "
                                           "that has a line of its own")
                pair = frozenset((name, child))
                if pair in laid:
                    self.plan.refuse(line, f"'{child}' is next to '{name}' in line {laid[pair]}, "
                                           "too; expected a tree")
                laid[pair] = line
                self.plan.lay(name, None, child, None, line)
        if any(kind == "switch" and names for _, names, kind, _ in self.below):
            self.plan.notes.append("this format has no number of cables; one from each switch to each child is taken")
        if self.speeds:
            self.plan.notes.append(f"LinkSpeed ({', '.join(sorted(self.speeds))}) is not used; a "
                                   "fabric file may have \"rate\" for each link")
        return self.plan


def read(path: str) -> Plan:
    """Returns the content of a topology.conf. Raises WormholeError for a wrong line, naming it."""
    tree = _Tree(path)
    before, first = "", 0
    for line, text in read_lines(path):
        text, first = before + text.partition("#")[0].rstrip(), first or line
        before = text[:-1] + " " if text.endswith("\\") else ""  # goes on in the next line
        if not before and text.strip():
            _read_line(tree, text, first)
        first = first if before else 0
    if before.strip():
        _read_line(tree, before, first)
    return tree.finish()


def _read_line(tree, text, line):
    given, words = {}, text.split()
    if "=" not in text and words[0].lower() != "include":
        tree.plan.leave_out("lines that say nothing of switches", line, text.strip())
        return
    for word in words:
        key, _, value = word.partition("=")
        name = key.lower()
        if name in _BLOCKS:
            tree.plan.refuse(line, f"{key}: {_NO_CABLES}; expected one of SwitchName")
        if name == "level" and "switchname" in given:
            tree.plan.refuse(line, "this is what 'scontrol show topology' prints, which repeats the "
                                   "nodes below at each switch and is not read; expected the file "
                                   "topology.conf that slurmctld has read")
        if not value or name not in _WORDS or name in given:
            tree.plan.refuse(line, f"{shown(word)} is not accepted here; expected SwitchName=, "
                                   "Switches=, Nodes= and LinkSpeed=, each once")
        given[name] = value
    name = given.get("switchname")
    if name is None or re.search(r"[\[\],]", name):
        tree.plan.refuse(line, f"{shown(text.strip())} has no name of a switch; expected "
                               "SwitchName=NAME")
    if "linkspeed" in given:
        tree.speeds.add(given["linkspeed"])
    tree.add(name, *((given[key], line) if key in given else None for key in ("switches", "nodes")), line)


def read_yaml(path: str) -> Plan:
    """Returns the tree in a topology.yaml: the only tree, or the tree with cluster_default. Raises WormholeError for a
    wrong line, naming it."""
    tree = _Tree(path)
    plan, trees, blocks = tree.plan, [], 0
    for entry in _items(plan, _compose(plan, read_text(path)), "a list of topologies"):
        given = _members(plan, entry)
        if "block" in given:
            blocks = entry.start_mark.line + 1
        if "tree" in given:
            name = given.get("topology")
            trees.append((_text(plan, name) if name else "?", given["tree"],
                          "cluster_default" in given
                          and _text(plan, given["cluster_default"]).lower() in ("true", "yes")))
    chosen = trees if len(trees) == 1 else [each for each in trees if each[2]][:1]
    if blocks and not trees:
        plan.refuse(blocks, f"{_NO_CABLES}, and there is no tree; expected a topology with tree: "
                            "switches:")
    if not chosen:
        plan.refuse(1, f"{len(trees) or 'no'} trees ({', '.join(each[0] for each in trees)}) and "
                       "none is the default; expected one tree, or cluster_default: true"
                    if trees else "there is no tree; expected a topology with tree: switches:")
    given = _members(plan, chosen[0][1])
    if set(given) != {"switches"}:
        plan.refuse(chosen[0][1].start_mark.line + 1, f"a tree with {', '.join(given) or 'nothing'};"
                                                      " expected switches")
    for entry in _items(plan, given["switches"], "a list of switches"):
        members = _members(plan, entry)
        line = entry.start_mark.line + 1
        if "switch" not in members or set(members) - {"switch", "children", "nodes"}:
            plan.refuse(line, f"a switch with {', '.join(members) or 'nothing'}; expected "
                              "switch, children and nodes")
        tree.add(_text(plan, members["switch"]),
                 *((_text(plan, members[key]), members[key].start_mark.line + 1)
                   if key in members else None for key in ("children", "nodes")), line)
    return tree.finish()


def _compose(plan, text):
    """Returns the text's YAML node, without making objects of its content."""
    import yaml
    loader, depth = getattr(yaml, "CSafeLoader", yaml.SafeLoader), 0
    try:
        for event in yaml.parse(text, Loader=loader):  # first, since compose() goes down by recursion
            if isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                depth += 1
            elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                depth -= 1
            if depth > _DEPTH:
                plan.refuse(event.start_mark.line + 1, f"lists in lists, {_DEPTH} deep; expected "
                                                       "fewer")
        root = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        plan.refuse(mark.line + 1 if mark else 1, f"{error.problem or error.context}; expected "
                                                  "YAML")
    except yaml.YAMLError as error:
        at = getattr(error, "position", None)
        plan.refuse(text.count("\n", 0, at) + 1 if isinstance(at, int) else 1,
                    f"{getattr(error, 'reason', None) or error}; expected YAML")
    if root is None:
        plan.refuse(1, "there is nothing; expected a list of topologies")
    return root


def _items(plan, node, what):
    if node.id != "sequence":
        plan.refuse(node.start_mark.line + 1, f"expected {what} here, each with - before it")
    return node.value


def _members(plan, node):
    if node.id != "mapping":
        plan.refuse(node.start_mark.line + 1, "expected key: value here")
    found = {}
    for key, value in node.value:
        name = _text(plan, key)
        if name in found:
            plan.refuse(key.start_mark.line + 1, f"'{name}' is there twice; expected every key "
                                                 "once")
        found[name] = value
    return found


def _text(plan, node):
    if node.id != "scalar":
        plan.refuse(node.start_mark.line + 1, "expected a text here")
    return node.value
