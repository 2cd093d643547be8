# SPDX-License-Identifier: GPL-2.0-only
"""Patterns of messages that benchmarks of networks run, as GOAL: they move data and combine none."""

from __future__ import annotations

from typing import Iterator

Message = tuple[str, int, int, list[str]]  # send or recv, the other rank, its tag, labels of what it waits for


def _dissemination(members: int, rank: int) -> Iterator[Message]:
    distances = [1 << step for step in range((members - 1).bit_length())]
    return _steps(members, rank, distances)


def _ring(members: int, rank: int) -> Iterator[Message]:
    return _steps(members, rank, [1] * members)


def _steps(members, rank, distances):
    """Exchanges by distance, each of which begins when the one before has sent and received."""
    for step, distance in enumerate(distances):
        before = [f"s{step - 1}", f"r{step - 1}"] if step else []
        yield "send", (rank + distance) % members, step, before
        yield "recv", (rank - distance) % members, step, before


def _binomial(members: int, rank: int) -> Iterator[Message]:
    distances = [1 << step for step in range((members - 1).bit_length())]
    return _tree(rank, [rank + each for each in distances if rank < each and rank + each < members],
                 rank - (1 << rank.bit_length() >> 1), True)


def _binary(members: int, rank: int) -> Iterator[Message]:
    return _tree(rank, [each for each in (2 * rank + 1, 2 * rank + 2) if each < members], (rank - 1) // 2, False)


def _tree(rank, children, parent, waits):
    """A broadcast. waits: whether a send waits for the one before, else they are under way together."""
    if rank:
        yield "recv", parent, 0, []
    for number, child in enumerate(children):
        yield "send", child, 0, (["r0"] if rank else []) + ([f"s{number - 1}"] if waits and number else [])


def _linear(members: int, rank: int) -> Iterator[Message]:
    others = [(rank + each) % members for each in range(1, members)]
    for way in ("recv", "send"):
        yield from ((way, other, 0, []) for other in others)


#: Messages of a rank by name, as the generator of LogGOPSim, schedgen, has them; in brackets its name.
#: dissemination: ceil(log2 n) exchanges of the whole length (nwaydissemination). ring: n exchanges with the
#: neighbours, each of a part of n (pipelinedring). binomial, binary: broadcasts from the first rank;
#: binomial sends wait for each other (binomialtreebcast, binarytreebcast). linear: a total exchange, all
#: messages at once (linear_alltoall).
PATTERNS = {"dissemination": _dissemination, "ring": _ring, "binomial": _binomial, "binary": _binary,
            "linear": _linear}


def as_goal(name: str, members: int, size: int) -> str:
    """Returns a pattern as GOAL's text.

    Args:
        name: one of PATTERNS
        members: number of ranks
        size: length in bytes, at least 1
    """
    count = -(-size // members) if name == "ring" else size
    lines = [f"num_ranks {members}"]
    for rank in range(members):
        lines.append(f"rank {rank} {{")
        numbers = {"send": 0, "recv": 0}
        for way, other, tag, before in PATTERNS[name](members, rank):
            label = f"{way[0]}{numbers[way]}"
            numbers[way] += 1
            lines.append(f"{label}: {way} {count}b {'to' if way == 'send' else 'from'} {other} tag {tag}")
            lines += [f"{label} requires {each}" for each in before]
        lines.append("}")
    return "\n".join(lines) + "\n"
