# SPDX-License-Identifier: GPL-2.0-only
"""Message patterns of network benchmarks, as GOAL; they move data without combining it."""

from typing import Iterator, Sequence

from ..core.errors import WormholeError

_TAGS = 1 << 16  # of a call
Message = tuple[str, int, int, list[str]]  # send or recv, the other rank, its tag, labels of what it waits for


def _dissemination(members: int, rank: int) -> Iterator[Message]:
    return _steps(((rank + each) % members, (rank - each) % members) for each in _powers(members))


def _ring(members: int, rank: int) -> Iterator[Message]:
    return _steps([((rank + 1) % members, (rank - 1) % members)] * members)


def _butterfly(members: int, rank: int) -> Iterator[Message]:
    if members & (members - 1):
        raise WormholeError(f"{members} members in a butterfly barrier; expected a power of two")
    return _steps((rank ^ each, rank ^ each) for each in _powers(members))


def _powers(members):
    return [1 << step for step in range((members - 1).bit_length())]


def _steps(pairs):
    """Exchanges, each of which begins when the previous one has sent and received. pairs: receivers and senders"""
    for step, (to, of) in enumerate(pairs):
        before = [f"s{step - 1}", f"r{step - 1}"] if step else []
        yield "send", to, step, before
        yield "recv", of, step, before


def _binomial(members: int, rank: int) -> Iterator[Message]:
    return _tree(rank, [rank + each for each in _powers(members) if rank < each and rank + each < members],
                 rank - (1 << rank.bit_length() >> 1), True)


def _binary(members: int, rank: int) -> Iterator[Message]:
    return _tree(rank, [each for each in (2 * rank + 1, 2 * rank + 2) if each < members], (rank - 1) // 2, False)


def _tree(rank, children, parent, waits):
    """A broadcast. waits: whether a send waits for the previous one; else all are under way together."""
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
PATTERNS = {"dissemination": _dissemination, "ring": _ring, "binomial": _binomial, "binary": _binary, "linear": _linear}
#: Barriers that may come before a pattern: exchanges by recursive doubling, or dissemination.
BARRIERS = {"butterfly": _butterfly, "dissemination": _dissemination}


def as_goal(calls: Sequence[tuple[str, int]], members: int) -> str:
    """Returns patterns, one after another at each rank, as GOAL text. calls: names from PATTERNS or BARRIERS, and
    lengths in bytes, at least 1; members: number of ranks"""
    lines = [f"num_ranks {members}"]
    for rank in range(members):
        lines.append(f"rank {rank} {{")
        done: list[str] = []  # labels of the call before
        for call, (name, size) in enumerate(calls):
            count = -(-size // members) if name == "ring" else size
            labels, numbers = [], {"send": 0, "recv": 0}
            for way, other, tag, before in {**PATTERNS, **BARRIERS}[name](members, rank):
                labels.append(f"c{call}{way[0]}{numbers[way]}")
                numbers[way] += 1
                lines.append(f"{labels[-1]}: {way} {count}b {'to' if way == 'send' else 'from'} {other} "
                             f"tag {call * _TAGS + tag}")
                lines += [f"{labels[-1]} requires {each}" for each in ([f"c{call}{label}" for label in before] or done)]
            done = labels or done
        lines.append("}")
    return "\n".join(lines) + "\n"
