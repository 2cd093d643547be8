# SPDX-License-Identifier: GPL-2.0-only
"""Writes Chakra execution traces (schema 1.0), as ASTRA-sim has them."""

import struct


def varint(number):
    number &= 2**64 - 1
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    return bytes([*text, number])


def field(number, value):
    """Returns a field: a number, or bytes or a text after their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """Returns an attribute: bool_val, int64_val, string_val, double_val or int64_list."""
    if isinstance(value, list):
        return field(10, field(1, name) + field(10, field(1, b"".join(map(varint, value)))))
    of = 27 if isinstance(value, bool) else 9 if isinstance(value, int) else 29
    text = varint(3 << 3 | 1) + struct.pack("<d", value) if isinstance(value, float) else field(of, value)
    return field(10, field(1, name) + text)


def node(number, kind, needs=(), duration=0, control=(), **attributes):
    """Returns a node. kind: number of its type; needs, control: what it depends on by data and control"""
    text = field(1, number) + field(2, f"n{number}") + field(3, kind)
    if control:
        text += field(4, b"".join(map(varint, control)))  # packed
    text += b"".join(field(5, each) for each in needs)
    text += field(7, duration) if duration else b""
    return text + b"".join(attribute(name, value) for name, value in attributes.items())


def write(prefix, ranks):
    """Writes a file for each rank. ranks: nodes of each"""
    for rank, nodes in enumerate(ranks):
        parts = [field(1, "0.0.4"), *nodes]
        with open(f"{prefix}.{rank}.et", "wb") as file:
            file.write(b"".join(varint(len(part)) + part for part in parts))


COMP, SEND, RECV, COLL = 4, 5, 6, 7


def collective(number, kind, size, needs=(), **more):
    """Returns a collective's node. kind: its CollectiveCommType"""
    return node(number, COLL, needs, comm_type=kind, comm_size=size, is_cpu_op=False, **more)


def ring(ranks, size):
    """Returns a ring all-reduction by messages: a rank's part comes, is sent on, and comes reduced."""
    part = size // ranks
    found = []
    for rank in range(ranks):
        nodes = []
        for step in range(2 * (ranks - 1)):
            sends = node(2 * step, SEND, [2 * step - 1] if step else [], comm_size=part, comm_src=rank,
                         comm_dst=(rank + 1) % ranks, comm_tag=step)
            takes = node(2 * step + 1, RECV, [2 * step - 1] if step else [], comm_size=part,
                         comm_src=(rank - 1) % ranks, comm_dst=rank, comm_tag=step)
            nodes += [sends, takes]
        found.append(nodes)
    return found
