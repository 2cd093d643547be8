# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces (MLCommons, schema 1.0) as GOAL: a file for each rank, with a message GlobalMetadata and a
message Node for each node, each preceded by its length as a varint. Fields that don't affect the run are skipped."""

import glob
import itertools
import os
import re
import struct
import warnings
from typing import NamedTuple

from ..core.errors import WormholeError
from ..core.files import read_json

_TYPES = ("INVALID_NODE", "METADATA_NODE", "MEM_LOAD_NODE", "MEM_STORE_NODE", "COMP_NODE", "COMM_SEND_NODE",
          "COMM_RECV_NODE", "COMM_COLL_NODE", "STORAGE_NODE", "BATCH_NODE", "CHECKPOINT_NODE")
# Kinds of collectives by CollectiveCommType, and what a comm_size is in lengths of the module's: all of them
# count a member's part in gathers and scatters, but ASTRA-sim a member's whole vector in an all-to-all.
_KINDS = ("allreduction", "reduction", "allgather", "gather", "scatter", "broadcast", "alltoall",
          "reduce-scatter", "reduce-scatter", "barrier")
_BARRIER = _KINDS.index("barrier")
# By type, which attributes it has to have, and which it may have. A duration says all that num_ops and
# tensor_size do; comm_size of a message is its length; a barrier has none.
_NEEDED = {"METADATA_NODE": (), "COMP_NODE": (), "COMM_SEND_NODE": ("comm_size", "comm_dst"),
           "COMM_RECV_NODE": ("comm_size", "comm_src"), "COMM_COLL_NODE": ("comm_type", "comm_size")}
_WHOLE = ("comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "root")
_KNOWN = {"is_cpu_op", "num_ops", "tensor_size", "pg_name", *_WHOLE}
# What changes no result: of MLCommons' converter from PyTorch, and of ASTRA-sim.
_PYTORCH = {"rf_id", "fw_parent", "seq_id", "scope", "tid", "fw_tid", "op_schema", "stream"}
_LEFT_OUT = _PYTORCH | {"involved_dim", "comm_priority"}


class Node(NamedTuple):
    """A node of a rank's graph."""

    number: int  #: its id
    name: str  #: its name
    type: str  #: as COMP_NODE
    control: tuple[int, ...]  #: ids of what it depends on by control
    data: tuple[int, ...]  #: by data
    duration: int  #: us
    attributes: dict[str, object]  #: values by name


def read(prefix: str, groups: str | None = None, apart: bool = True) -> tuple[str, list[dict]]:
    """Reads the traces PREFIX.0.et, PREFIX.1.et and so on. groups: JSON file with ranks by group name, such as
    {"1": [0, 1]} (collectives without pg_name have all ranks); apart: whether accelerators have a processor of their
    own. Returns a GOAL text in which a calculation of no time stands for each collective, and the collectives in the
    format of study.goal.read(), without algorithms. Raises WormholeError naming the file and the node."""
    traces = [(path, list(_nodes(path))) for path in _paths(prefix)]
    members = {"": list(range(len(traces)))}
    if groups is not None:
        members.update(_groups(groups, len(traces)))
    lines, entries, left_out = [f"num_ranks {len(traces)}"], {}, set()
    for rank, (path, nodes) in enumerate(traces):
        lines.append(f"rank {rank} {{")
        count = dict.fromkeys(members, 0)
        known = {node.number for node in nodes}
        for node in nodes:
            where = f"{path}: node {node.number}, {node.name!r}"
            left_out |= _check(node, rank, where)
            lines.append(f"l{node.number}: {_operation(node, apart)}")
            for other in dict.fromkeys(node.control + node.data):
                if other in known:
                    lines.append(f"l{node.number} requires l{other}")
                elif other in node.data or not _PYTORCH & set(node.attributes):
                    raise WormholeError(f"{where}: depends on node {other}, which is not there")
                else:  # PyTorch's converter takes out nodes that no data depends on
                    left_out.add("control dependencies on nodes that are not there")
            if node.type != "COMM_COLL_NODE":
                continue
            group = str(node.attributes.get("pg_name", ""))
            if rank not in members.get(group, ()):
                raise WormholeError(f"{where}: group {group!r} does not have rank {rank}; expected one of "
                                    f"{', '.join(map(repr, members))} with it (--groups=FILE)")
            entry = _entry(node, members[group], where)
            made = entries.setdefault((group, count[group]), (entry, where, {}))
            if made[0] != entry:
                raise WormholeError(f"{where}: {entry['kind']} of {entry['bytes']} bytes, but {made[1]} is "
                                    f"{made[0]['kind']} of {made[0]['bytes']}")
            made[2][str(rank)] = [f"l{node.number}"]
            count[group] += 1
        lines.append("}")
    for (group, _), (_, where, labels) in entries.items():
        if missing := [rank for rank in members[group] if str(rank) not in labels]:
            raise WormholeError(f"{where}: rank {missing[0]} of its group does not take part")
    if left_out:
        warnings.warn(f"{prefix}: left out, since it changes nothing here: {', '.join(sorted(left_out))}", stacklevel=2)
    return "\n".join(lines) + "\n", [{**entry, "labels": labels} for entry, _, labels in entries.values()]


def _paths(prefix):
    its = re.compile(re.escape(os.path.basename(prefix)) + r"\.(0|[1-9]\d*)\.et")
    found = {int(match[1]): path for path in glob.glob(f"{glob.escape(prefix)}.*.et")
             if (match := its.fullmatch(os.path.basename(path)))}
    missing = next(rank for rank in itertools.count() if rank not in found)
    if not found or missing < max(found):
        beside = f", but there is {found[max(found)]}" if found else ""
        raise WormholeError(f"{prefix}.{missing}.et: no such file{beside}; expected a trace for each rank, "
                            f"{prefix}.0.et and so on")
    return [found[rank] for rank in range(missing)]


def _groups(file, count):
    found = read_json(file)
    if not isinstance(found, dict) or not all(
            isinstance(ranks, list) and ranks and all(type(rank) is int and 0 <= rank < count for rank in ranks)
            for ranks in found.values()):
        raise WormholeError(f"{file}: expected lists of ranks, 0 to {count - 1}, by name of a group")
    for name, ranks in found.items():
        if len(set(ranks)) < len(ranks):
            rank = next(rank for rank in ranks if ranks.count(rank) > 1)
            raise WormholeError(f"{file}: group {name!r} has rank {rank} twice; expected each rank once")
    return found


def _check(node, rank, where):
    """Checks a node. Returns the names of attributes that are left out."""
    needed, given = _NEEDED.get(node.type), node.attributes
    if needed is None:
        raise WormholeError(f"{where}: {node.type}; expected {', '.join(_NEEDED)}")
    if node.type == "METADATA_NODE":
        return set(given) - _KNOWN
    for name, value in given.items():
        if name not in _KNOWN | _LEFT_OUT:
            raise WormholeError(f"{where}: unknown attribute {name!r}; expected {', '.join(sorted(_KNOWN))}")
        shown = "a list or bytes" if isinstance(value, bytes) else repr(value)
        if name in _WHOLE and (type(value) is not int or value < 0):
            raise WormholeError(f"{where}: {name} is {shown}; expected a whole number from 0 on")
        if name in ("is_cpu_op", "pg_name") and isinstance(value, bytes):
            raise WormholeError(f"{where}: {name} is {shown}; expected one value")
    missing = [name for name in needed if name not in given]
    if missing and not (missing == ["comm_size"] and given.get("comm_type") == _BARRIER):
        raise WormholeError(f"{where}: expected attribute {missing[0]!r}")
    # PyTorch's durations are measured, and may be less than 1 us.
    if node.type == "COMP_NODE" and not node.duration and not _PYTORCH & set(given):
        raise WormholeError(f"{where}: {'num_ops' if 'num_ops' in given else 'COMP_NODE'} without "
                            "duration_micros; expected a duration, since operations have none here")
    own = {"COMM_SEND_NODE": "comm_src", "COMM_RECV_NODE": "comm_dst"}.get(node.type)
    if given.get(own, rank) != rank:
        raise WormholeError(f"{where}: {own} is {given[own]}; expected {rank}, the file's rank")
    return _LEFT_OUT & set(given)


def _operation(node, apart):
    """Returns a node as GOAL. apart: whether accelerators have a processor of their own"""
    given = node.attributes
    if node.type in ("COMM_SEND_NODE", "COMM_RECV_NODE"):
        verb, word, peer = ("send", "to", "comm_dst") if node.type == "COMM_SEND_NODE" \
            else ("recv", "from", "comm_src")
        return f"{verb} {given['comm_size']}b {word} {given[peer]} tag {given.get('comm_tag', 0)}"
    time = 1000 * node.duration if node.type == "COMP_NODE" else 0
    is_apart = apart and node.type == "COMP_NODE" and not given.get("is_cpu_op", False)
    return f"calc {time}" + (" cpu 1" if is_apart else "")


def _entry(node, ranks, where):
    number, size = node.attributes["comm_type"], node.attributes.get("comm_size", 0)
    if number >= len(_KINDS):
        raise WormholeError(f"{where}: comm_type {number}; expected 0 to {len(_KINDS) - 1}")
    kind = _KINDS[number]
    if kind == "alltoall":
        size = -(-size // len(ranks))
    root = {"root": node.attributes["root"]} if "root" in node.attributes else {}
    return {"kind": kind, "bytes": 8 if kind == "barrier" else size, **root}


def _nodes(path):
    with open(path, "rb") as file:
        data = file.read()
    try:
        at = _message(data, 0)[1]  # the metadata
        while at < len(data):
            message, at = _message(data, at)
            yield _node(message)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise WormholeError(f"{path}: no Chakra trace; expected messages of its schema 1.0, each after its "
                            "length") from None


def _node(message):
    one, needs, attributes = {1: 0, 2: b"", 3: 0, 7: 0}, {4: [], 5: []}, {}
    for field, value in _fields(message):
        if field in one:
            one[field] = value
        elif field in needs:
            needs[field] += _numbers(value)
        elif field == 10:
            parts = dict(_fields(value))
            attributes[parts.pop(1, b"").decode()] = _value(parts)
    number, name, kind, duration = one.values()
    return Node(number, name.decode(), _TYPES[kind] if kind < len(_TYPES) else f"node of type {kind}",
                tuple(needs[4]), tuple(needs[5]), duration, attributes)


def _value(parts):
    """Returns an attribute's value by its field: a number, a text, or the bytes of a list."""
    field, value = next(((field, value) for field, value in parts.items() if field > 2), (0, None))
    if field in (3, 5):
        return struct.unpack("<d" if field == 3 else "<f", value)[0]
    if field in (15, 17):  # zigzag
        return (value >> 1) ^ -(value & 1)
    if field in (19, 21, 23, 25):
        return int.from_bytes(value, "little", signed=field > 21)
    if field in (7, 9):
        return value - 2**64 if value >= 2**63 else value
    return value.decode() if field == 29 else bool(value) if field == 27 else value


def _fields(message):
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(message, at)
        elif wire == 2:
            value, at = _message(message, at)
        else:
            size = {1: 8, 5: 4}.get(wire, len(message))
            value, at = message[at:at + size], at + size
        yield key >> 3, value


def _numbers(value):
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        number, at = _varint(value, at)
        found.append(number)
    return found


def _message(data, at):
    """Returns a message's bytes, which follow its length, and the position at which the message ends."""
    size, at = _varint(data, at)
    if at + size > len(data):
        raise IndexError
    return data[at:at + size], at + size


def _varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return number, at
        shift += 7
