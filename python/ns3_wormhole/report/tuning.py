# SPDX-License-Identifier: GPL-2.0-only
"""Winners as files by which libraries choose their algorithms.

If a library does not have the fastest algorithm, the library's own fastest algorithm is used, and a comment names the
faster one. An algorithm that it has only with another radix, such as UCC's k-nomial trees, counts as absent.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import shlex
import warnings
from typing import Callable, Iterable

from ..core.arguments import parse_whole
from ..core.errors import WormholeError, nearest
from ..core.files import write_whole
from ..core.loader import pandas
from ..core.texts import comment
from ..study.crossover import crossovers
from . import tuning_formats as formats
from .tuning_formats import Choices, Collective, Rule


def _all(size, members):
    return size * members


_PIPELINED = ("chain", "binary", "binomial")
_OPEN_MPI = {
    "allgather": Collective("MPI_Allgather", {
        "linear": 1, "bruck": 2, "recursive-doubling": 3, "ring": 4, "neighbour-exchange": 5}, 0,
        size=_all),
    "allreduction": Collective("MPI_Allreduce", {
        "linear": 1, "reduce-broadcast": 2, "recursive-doubling": 3, "ring": 4, "rabenseifner": 6}, 2,
        {"ring": 5}, ("ring",)),
    "alltoall": Collective("MPI_Alltoall", {"linear": 1, "pairwise": 2, "bruck": 3}, 3, size=_all),
    "broadcast": Collective("MPI_Bcast", {
        "linear": 1, "chain": 3, "binary": 5, "binomial": 6, "scatter-allgather": 8}, 7,
        cutting=_PIPELINED),
    "gather": Collective("MPI_Gather", {"linear": 1, "binomial": 2}, 9, size=_all),
    "reduction": Collective("MPI_Reduce", {
        "linear": 1, "chain": 3, "binary": 4, "binomial": 5, "rabenseifner": 7}, 11,
        cutting=_PIPELINED),
    "reduce-scatter": Collective("MPI_Reduce_scatter", {"recursive-halving": 2, "ring": 3}, 12),
    "scan": Collective("MPI_Scan", {"linear": 1, "recursive-doubling": 2}, 14, size=None),
    "scatter": Collective("MPI_Scatter", {"linear": 1, "binomial": 2}, 15, size=_all)}

_MPICH = {
    "allgather": Collective("allgather", {
        "bruck": "brucks", "recursive-doubling": "recursive_doubling", "ring": "ring"}, size=_all,
        measure="total_msg_size"),
    "allreduction": Collective("allreduce", {
        "recursive-doubling": "recursive_doubling", "ring": "ring",
        "rabenseifner": "reduce_scatter_allgather"}, measure="avg_msg_size"),
    "alltoall": Collective("alltoall", {
        "bruck": "brucks", "pairwise": "pairwise", "linear": "scattered"}, measure="avg_msg_size"),
    "broadcast": Collective("bcast", {
        "binomial": "binomial", "scatter-allgather": "scatter_ring_allgather"},
        measure="avg_msg_size"),
    "gather": Collective("gather", {"binomial": "binomial"}, size=None),
    "reduction": Collective("reduce", {
        "binomial": "binomial", "rabenseifner": "reduce_scatter_gather"}, measure="avg_msg_size"),
    "reduce-scatter": Collective("reduce_scatter", {
        "recursive-halving": "recursive_halving", "pairwise": "pairwise"}, measure="total_msg_size"),
    "scan": Collective("scan", {"recursive-doubling": "recursive_doubling"}, size=None),
    "scatter": Collective("scatter", {"binomial": "binomial"}, size=None)}

_UCC = {
    "allgather": Collective("allgather", {
        "linear": "linear", "bruck": "bruck", "ring": "ring", "neighbour-exchange": "neighbor"},
        size=_all),
    "allreduction": Collective("allreduce", {"ring": "ring", "two-trees": "dbt"}),
    "alltoall": Collective("alltoall", {"pairwise": "pairwise", "bruck": "bruck"}, size=_all),
    "broadcast": Collective("bcast", {"two-trees": "dbt"}),
    "reduction": Collective("reduce", {"two-trees": "dbt"}),
    "reduce-scatter": Collective("reduce_scatter", {"ring": "ring"},
                                 size=lambda size, members: -(-size // members))}

# NCCL cuts messages as it sees fit.
_NCCL = {
    "allgather": Collective("allgather", {"ring": "ring"}, cutting=("ring",), size=_all),
    "allreduction": Collective("allreduce", {"ring": "ring", "two-trees": "tree"},
                               cutting=("ring", "two-trees")),
    "broadcast": Collective("broadcast", {"chain": "ring"}, cutting=("chain",)),
    "reduction": Collective("reduce", {"chain": "ring"}, cutting=("chain",)),
    "reduce-scatter": Collective("reducescatter", {"ring": "ring"}, cutting=("ring",))}


@dataclasses.dataclass(frozen=True)
class Library:
    """A library, and its selection file."""

    name: str
    collectives: dict[str, Collective]  #: by kind
    write: Callable[[Choices], str]
    use: str  #: how to use the file, of which path is the quoted name
    notes: tuple[str, ...] = ()
    has_comments: bool = True


_TUNED = ("mpirun --mca coll_tuned_use_dynamic_rules 1 "
          "--mca coll_tuned_dynamic_rules_filename {path}")
_PLUGIN = ("channels -1: as the library chooses; protocol simple: the plugin has no value for any, and "
           "reads -1 as simple",)
LIBRARIES = {
    "open-mpi": Library("Open MPI", _OPEN_MPI, formats.open_mpi_text, _TUNED),
    "open-mpi-json": Library("Open MPI", _OPEN_MPI, formats.open_mpi_json, f"{_TUNED} (6.0 or later)",
                             has_comments=False),
    "mpich": Library("MPICH", _MPICH, formats.mpich,
                     "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={path} MPIR_CVAR_DEVICE_COLLECTIVES=none",
                     ("other collectives use MPICH's simplest algorithms: to keep their tuning, put the "
                      "entry of this one into MPICH's maint/tuning/coll/mpir/generic.json",),
                     has_comments=False),
    "ucc": Library("UCC", _UCC, formats.ucc, "UCC_CONFIG_FILE={path}"),
    **{name.lower(): Library(name, _NCCL, formats.nccl, "NCCL_TUNER_CONFIG_FILE={path} and the plugin of "
                             "ext-tuner/example", _PLUGIN) for name in ("NCCL", "RCCL")}}


def named(library: str) -> Library:
    """Returns a library by name. Raises WormholeError, listing the names, if there is no such library."""
    if library not in LIBRARIES:
        raise WormholeError(f"there is no library '{library}' to tune; expected {', '.join(LIBRARIES)}"
                            f"{nearest(library, LIBRARIES)}")
    return LIBRARIES[library]


def collective_of(library: str, kind: str) -> Collective:
    """Returns a library's description of a kind of collective. Raises WormholeError if it has no rule for it."""
    found = named(library)
    if kind not in found.collectives:
        raise WormholeError(f"{found.name} has no algorithms of {kind} to choose from; expected "
                            f"{', '.join(found.collectives)}")
    return found.collectives[kind]


def rule_of(kind: str, name: str, library: str = "open-mpi") -> Rule | None:
    """Returns a library's name for an algorithm; None if the library lacks it. kind: kind of collective; name: name of
    the algorithm, with its attributes."""
    of = collective_of(library, kind)
    stem, _, rest = name.rstrip("]").partition("[")
    settings = dict(each.partition("=")[::2] for each in rest.split("|") if each)
    if stem == "tree":
        stem = {"binomial": "binomial", "sequential": "linear", "chain": "chain"}.get(settings.pop("Tree", ""), "")
    segment = settings.pop("SegmentBytes", "0")
    if settings.pop("Transport", "sendrecv") != "sendrecv" or settings \
            or parse_whole(segment) is None or stem not in of.algorithms \
            or segment != "0" and stem not in of.cutting:
        return None
    algorithm = of.algorithms[stem] if segment == "0" else of.segmented.get(stem, of.algorithms[stem])
    return Rule(algorithm, int(segment), name)


def among(kind: str, libraries: Iterable[str]) -> dict[str, Callable[[str], object]]:
    """Returns for each library a function that tells whether the library has an algorithm, for crossover(). With these
    functions, files switch at the lengths where the library's own algorithms cross, otherwise at lengths of the table.
    Raises WormholeError if a library has no such kind. kind: kind of collective"""
    return {library: functools.partial(rule_of, kind, library=library) for library in libraries
            if collective_of(library, kind).size}


def text(table: pandas.DataFrame, library: str = "open-mpi", about: str = "",
         path: str = "FILE") -> tuple[str, list[str]]:
    """Returns the winners among a library's algorithms as its selection file, and comments that the file can't hold.
    table: result of crossover(); library: one of LIBRARIES; about: a line that states where they were measured; path:
    the file, for the line on how to use it. Raises WormholeError if the library has no such kind, or none of the
    measured algorithms."""
    kind, found = str(table.kind.iloc[0]), named(library)
    of = collective_of(library, kind)
    groups = [(int(members), _rules(library, kind, each, int(members)))
              for members, each in table.groupby("members", sort=True)]
    if not any(rule for _, rules in groups for _, rule, _ in rules):
        raise WormholeError(f"{found.name} has none of the algorithms of {kind} that were compared; "
                            f"expected {', '.join(of.algorithms)} among them")
    use = [f"use it with: {found.use.format(path=comment(shlex.quote(path)))}", *found.notes]
    drawn = table.attrs.get("groups", "")
    lines = [f"{of.name}: the fastest that {found.name} has, as simulated by ns3-wormhole compare", about,
             table.attrs.get("placement", ""), drawn, *use]
    lacking = [f"{members} members, from {size} bytes: {told}" for members, rules in groups
               for size, rule, told in rules if not rule or told != rule.ours]
    return (found.write(Choices(of, groups, [line for line in lines if line])),
            [] if found.has_comments else use + lacking)


def write(path: str, table: pandas.DataFrame, library: str = "open-mpi", about: str = "") -> None:
    """Writes the file of a library, see text(). Warnings give comments that the format can't hold, and the number of
    random groups that were measured. Raises WormholeError as text(), and if the file can't be written."""
    content, notes = text(table, library, about, path)
    write_whole(path, content)
    for note in filter(None, [table.attrs.get("groups"), *notes]):
        warnings.warn(f"{path}: {note}", stacklevel=2)


def _rules(library, kind, table, members):
    """Returns message size, rule and comment for each length at which the rule changes."""
    of, rules, name = collective_of(library, kind), [], named(library).name
    if of.size is None:
        best = _best(library, kind, table.groupby("algorithm", as_index=False).agg(
            {"latency_us": "sum", "reason": "max", "needs": "first"}))
        return [(0, best[0], f"{_comment(name, *best)}; {name} does not look at lengths here")]
    # Where winners change between two lengths of the table, of all and of those that the library has.
    changes = [(int(row.first_bytes), row.above, is_own)
               for is_own, found in enumerate((crossovers(table), crossovers(table, library)))
               for row in found.itertuples() if row.members == members and not row.hardware]
    last, rule, winner = math.inf, None, ""

    def add(size):
        has_it = rule is not None and rule_of(kind, winner, library) is not None
        told = _comment(name, rule, rule.ours if has_it else winner)
        if not rules or rules[-1][1:] != (rule, told):
            rules.append((of.size(size, members) if rules else 0, rule, told))
    for size, each in table.groupby("bytes", sort=True):
        for first, above, is_own in sorted(change for change in changes if last < change[0] < size):
            rule, winner = rule_of(kind, above, library) or rule, winner if is_own else above
            add(first)
        rule, winner = _best(library, kind, each, rule)
        add(int(size))
        last = size
    return rules


def _comment(library, rule, winner):
    ours = rule.ours if rule else f"none of {library}'s was measured"
    return ours if rule and rule.ours == winner else f"{ours}; faster is {winner}, which it has not"


def _best(library, kind, table, before=None):
    """Returns the rule for a library's fastest algorithm, and the name of the fastest algorithm of all that needs no
    other hardware. before: the rule that is kept unless another is faster"""
    able = table[(table.reason == "") & table.needs.isin(("software", "nic"))]
    able = able.sort_values("latency_us", kind="stable")
    rules = [rule for name in able.algorithm if (rule := rule_of(kind, name, library))]
    winner = able.algorithm.iloc[0] if len(able) else ""
    if rules and len(able):
        times = dict(zip(able.algorithm, able.latency_us))
        if before and times.get(before.ours) == times[rules[0].ours]:
            rules[0] = before
        if times[rules[0].ours] == times[winner]:
            winner = rules[0].ours
    return (rules[0] if rules else None), winner
