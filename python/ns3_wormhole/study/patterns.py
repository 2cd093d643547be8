# SPDX-License-Identifier: GPL-2.0-only
"""Patterns of messages that benchmarks of networks run, as GOAL: they move data and combine none."""

from __future__ import annotations

from typing import Callable, Iterator

Step = tuple[int, int, int]  # to whom and from whom, as distances of ranks, and how many bytes


def _dissemination(members: int, size: int) -> Iterator[Step]:
    distance = 1
    while distance < members:
        yield distance, distance, size
        distance *= 2


def _ring(members: int, size: int) -> Iterator[Step]:
    for _ in range(members):
        yield 1, 1, -(-size // members)


#: Steps by name. dissemination: ceil(log2 n) exchanges of the whole length (LogGOPSim's schedgen,
#: nwaydissemination). ring: n exchanges with the neighbours, each of a part of n (pipelinedring).
PATTERNS: dict[str, Callable[[int, int], Iterator[Step]]] = {
    "dissemination": _dissemination, "ring": _ring}


def as_goal(name: str, members: int, size: int) -> str:
    """Returns a pattern as GOAL's text: a step begins when the step before has sent and received.

    Args:
        name: one of PATTERNS
        members: number of ranks
        size: length in bytes, at least 1
    """
    lines = [f"num_ranks {members}"]
    for rank in range(members):
        lines.append(f"rank {rank} {{")
        for step, (to, source, count) in enumerate(PATTERNS[name](members, size)):
            lines += [f"s{step}: send {count}b to {(rank + to) % members} tag {step}",
                      f"r{step}: recv {count}b from {(rank - source) % members} tag {step}"]
            lines += [f"{later}{step} requires {former}{step - 1}" for later in "sr" for former in "sr"
                      if step]
        lines.append("}")
    return "\n".join(lines) + "\n"
