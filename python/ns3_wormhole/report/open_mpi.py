# SPDX-License-Identifier: GPL-2.0-only
"""Winners as the rules file of Open MPI's component coll_tuned.

The file is a list of numbers, with comments after #: how many collectives; of each its number and
how many communicator sizes; of each that size and how many message sizes; of each that size, the
number of an algorithm, fan-out and segment size. A rule holds from its size up to the next one's; the
first message size is 0. Algorithm 0 leaves the choice to Open MPI.
"""

from __future__ import annotations

import dataclasses
import shlex
from typing import Callable

from ..core.arguments import parse_whole
from ..core.errors import WormholeError
from ..core.loader import pandas
from ..core.texts import comment
from ..study.crossover import crossovers, ORDERS


@dataclasses.dataclass(frozen=True)
class Collective:
    """How Open MPI has a kind."""

    name: str  #: of MPI
    number: int  #: as in a rules file
    algorithms: dict[str, int]  #: numbers of its algorithms, by our names
    #: numbers of those that cut messages, by our names, if they have others then
    segmented: dict[str, int] = dataclasses.field(default_factory=dict)
    cutting: tuple[str, ...] = ()  #: names of ours that may have a segment size
    #: what Open MPI takes for the message size, of bytes and members
    size: Callable[[int, int], int] = lambda size, members: size


def _all(size, members):
    return size * members


COLLECTIVES = {
    "allgather": Collective("MPI_Allgather", 0, {
        "linear": 1, "bruck": 2, "recursive-doubling": 3, "ring": 4, "neighbour-exchange": 5},
        size=_all),
    "allreduction": Collective("MPI_Allreduce", 2, {
        "linear": 1, "reduce-broadcast": 2, "recursive-doubling": 3, "ring": 4, "rabenseifner": 6},
        {"ring": 5}, ("ring",)),
    "alltoall": Collective("MPI_Alltoall", 3, {"linear": 1, "pairwise": 2, "bruck": 3}, size=_all),
    "broadcast": Collective("MPI_Bcast", 7, {
        "linear": 1, "chain": 3, "binary": 5, "binomial": 6, "scatter-allgather": 8},
        cutting=("chain", "binary", "binomial")),
    "gather": Collective("MPI_Gather", 9, {"linear": 1, "binomial": 2}, size=_all),
    "reduction": Collective("MPI_Reduce", 11, {
        "linear": 1, "chain": 3, "binary": 4, "binomial": 5, "rabenseifner": 7},
        cutting=("chain", "binary", "binomial")),
    "reduce-scatter": Collective("MPI_Reduce_scatter", 12, {"recursive-halving": 2, "ring": 3}),
    "scan": Collective("MPI_Scan", 14, {"linear": 1, "recursive-doubling": 2}),
    "scatter": Collective("MPI_Scatter", 15, {"linear": 1, "binomial": 2}, size=_all)}


@dataclasses.dataclass(frozen=True)
class Rule:
    """An algorithm of Open MPI's, from a length on."""

    algorithm: int
    segment: int
    ours: str


def rule_of(kind: str, name: str) -> Rule | None:
    """Returns how Open MPI calls an algorithm; None if it has none such. kind: of collective; name:
    of the algorithm, with its attributes."""
    of = COLLECTIVES[kind]
    stem, _, rest = name.rstrip("]").partition("[")
    settings = dict(each.partition("=")[::2] for each in rest.split("|") if each)
    if stem == "tree":
        stem = {"binomial": "binomial", "sequential": "linear", "chain": "chain"}.get(
            settings.pop("Tree", ""), "")
    segment = settings.pop("SegmentBytes", "0")
    if settings.pop("Transport", "sendrecv") != "sendrecv" or settings \
            or parse_whole(segment) is None or stem not in of.algorithms \
            or segment != "0" and stem not in of.cutting:
        return None
    number = of.algorithms[stem] if segment == "0" else of.segmented.get(stem, of.algorithms[stem])
    return Rule(number, int(segment), name)


def text(table: pandas.DataFrame, about: str = "", path: str = "FILE") -> str:
    """Returns the winners among what Open MPI has as a rules file. table: what crossover() returns;
    about: a line on where they were measured; path: the file, for the line on how to use it. Raises
    WormholeError if Open MPI has no such kind, or no algorithm that was measured."""
    kind = str(table.kind.iloc[0])
    of = COLLECTIVES[kind]
    lines = [f"# {of.name}: the fastest that Open MPI has, as simulated by ns3-wormhole compare"]
    lines += [f"# {comment(about)}"] if about else []
    lines += [f"# {ORDERS[table.attrs['order']]}"] if "order" in table.attrs else []
    lines += ["# use it with: mpirun --mca coll_tuned_use_dynamic_rules 1",
              f"#   --mca coll_tuned_dynamic_rules_filename {comment(shlex.quote(path))}",
              f"{'1':<24} # number of collectives", f"{of.number:<24} # {of.name}"]
    groups = list(table.groupby("members", sort=True))
    lines.append(f"{len(groups):<24} # number of communicator sizes")
    found = False
    for members, each in groups:
        rules = _rules(kind, each, int(members))
        found = found or any(rule for _, rule, _ in rules)
        lines += [f"{members:<24} # communicator size", f"{len(rules):<24} # number of message sizes"]
        for size, rule, told in rules:
            numbers = f"{size} {rule.algorithm if rule else 0} 0 {rule.segment if rule else 0}"
            lines.append(f"{numbers:<24} # {comment(told)}")
    if not found:
        raise WormholeError(f"Open MPI has none of the algorithms of {kind} that were compared; "
                            f"expected {', '.join(of.algorithms)} among them")
    return "\n".join(lines) + "\n"


def _rules(kind, table, members):
    """Returns message size, rule and comment, one for each length at which they change."""
    of, rules = COLLECTIVES[kind], []
    if kind == "scan":
        # Open MPI's message size of a scan does not depend on the length.
        best = _best(kind, table.groupby("algorithm", as_index=False).agg(
            {"latency_us": "sum", "reason": "max", "needs": "first"}))
        return [(0, best[0], _comment(*best) + "; Open MPI does not look at lengths here")]
    changes = crossovers(table)
    changes = changes[(changes.members == table.members.iloc[0]) & ~changes.hardware.astype(bool)]
    last = None
    for size, each in table.groupby("bytes", sort=True):
        if last is not None:
            # Where winners change between two lengths of the table, as far as Open MPI has them.
            between = changes[(changes.first_bytes > last) & (changes.first_bytes <= size)]
            for change in between.sort_values("first_bytes").itertuples():
                rule = rule_of(kind, change.above)
                if rule and (rule, rule.ours) != rules[-1][1::2]:
                    rules.append((of.size(int(change.first_bytes), members), rule,
                                  _comment(rule, rule.ours), rule.ours))
        rule, winner = _best(kind, each)
        if not rules or rules[-1][1::2] != (rule, winner):
            rules.append((of.size(int(size), members) if rules else 0, rule,
                          _comment(rule, winner), winner))
        last = size
    return [rule[:3] for rule in rules]


def _comment(rule, winner):
    ours = rule.ours if rule else "none of Open MPI's was measured"
    return ours if rule and rule.ours == winner else f"{ours}; faster is {winner}, which it has not"


def _best(kind, table):
    """Returns the rule of the fastest that Open MPI has, and the name of the fastest of all that
    needs no other hardware."""
    able = table[(table.reason == "") & table.needs.isin(("software", "nic"))]
    able = able.sort_values("latency_us", kind="stable")
    rules = [rule for name in able.algorithm if (rule := rule_of(kind, name))]
    winner = able.algorithm.iloc[0] if len(able) else ""
    if rules and len(able):
        times = dict(zip(able.algorithm, able.latency_us))
        if times[rules[0].ours] == times[winner]:
            winner = rules[0].ours
    return (rules[0] if rules else None), winner
