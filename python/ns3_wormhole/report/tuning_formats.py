# SPDX-License-Identifier: GPL-2.0-only
"""The formats of selection files, which tell libraries which algorithm to run for a communicator and message size."""

import dataclasses
import json
import textwrap
from typing import Callable

from ..core.errors import WormholeError
from ..core.texts import comment


@dataclasses.dataclass(frozen=True)
class Collective:
    """A library's description of a kind of collective."""

    name: str  #: as in its file, of Open MPI as in MPI
    algorithms: dict[str, int | str]  #: its algorithms, by our names
    number: int = 0  #: of Open MPI
    #: its algorithms that cut messages, by our names, if they have others then
    segmented: dict[str, int] = dataclasses.field(default_factory=dict)
    cutting: tuple[str, ...] = ()  #: names of ours that may have a segment size
    #: what the library takes for the message size, of bytes and members; None: it does not look at it
    size: Callable[[int, int], int] | None = lambda size, members: size
    measure: str = ""  #: what MPICH calls this size


@dataclasses.dataclass(frozen=True)
class Rule:
    """A library's algorithm, which is used from a length on."""

    algorithm: int | str
    segment: int
    ours: str


@dataclasses.dataclass(frozen=True)
class Choices:
    """A library's choices: for each number of members, the message sizes from which an algorithm is used (None: the
    library's own choice), with comments."""

    of: Collective
    groups: list[tuple[int, list[tuple[int, Rule | None, str]]]]
    about: list[str]  #: comments on the whole


def _comments(lines):
    # NCCL's plugin reads at most 255 characters, and what follows as another line.
    return [f"# {part}" for line in lines for part in textwrap.wrap(comment(line), 200)]


def _ranges(items):
    """Yields for each item the first and last value for which it holds (None: no limit), and the rest of the item."""
    for (first, *rest), after in zip(items, [*items[1:], None]):
        if after is None or first < after[0]:
            yield first, after and after[0] - 1, *rest


def open_mpi_text(choices: Choices) -> str:
    """Returns the rules file of Open MPI's component coll_tuned: numbers, with comments after #.

    The file has the number of collectives; for each collective, its number and the number of communicator sizes; for
    each of these, the size and the number of message sizes; for each of these, the size, the algorithm's number,
    fan-out and segment size. A rule holds from its message size up to the next rule's; the first message size is 0.
    Algorithm 0 leaves the choice to Open MPI."""
    of = choices.of
    lines = [*_comments(choices.about), f"{'1':<24} # number of collectives", f"{of.number:<24} # {of.name}",
             f"{len(choices.groups):<24} # number of communicator sizes"]
    for members, rules in choices.groups:
        lines += [f"{members:<24} # communicator size", f"{len(rules):<24} # number of message sizes"]
        for size, rule, told in rules:
            numbers = f"{size} {rule.algorithm if rule else 0} 0 {rule.segment if rule else 0}"
            lines.append(f"{numbers:<24} # {comment(told)}")
    return "\n".join(lines) + "\n"


def _bounds(name, first, last):
    return {f"{name}_min": first, **({} if last is None else {f"{name}_max": last})}


def open_mpi_json(choices: Choices) -> str:
    """Returns the rules in the JSON format of Open MPI 6.0, which makes its own choice for a size without a rule."""
    groups = [{**_bounds("comm_size", first if number else 1, last), "rules": [
        {**_bounds("msg_size", low, high), "alg": rule.algorithm, "seg_size": rule.segment}
        for low, high, rule, _ in _ranges(rules) if rule]}
              for number, (first, last, rules) in enumerate(_ranges(choices.groups))]
    name = choices.of.name.removeprefix("MPI_").replace("_", "").lower()
    return json.dumps({"rule_file_version": 3, "module": "tuned", "collectives": {name: groups}}, indent=1) + "\n"


_BUILT_IN = ("is_op_built_in=yes", "is_op_built_in=no")
_ENOUGH = ("count=any", "count<pow2")
_COMMUTATIVE = ("is_commutative=yes", "is_commutative=no")
_APART = ("is_sendbuf_inplace=no", "is_sendbuf_inplace=yes")
# What MPICH's algorithms ask for, without which they fail: where it holds, where not, and which
# algorithm is to run there, by the collective and the end of the algorithm's name.
_NEEDS = {
    ("allgather", "recursive_doubling"): ([("comm_size=pow2", "comm_size=any")], "brucks"),
    ("allreduce", "ring"): ([_COMMUTATIVE], "recursive_doubling"),
    ("allreduce", "reduce_scatter_allgather"): ([_BUILT_IN, _ENOUGH], "recursive_doubling"),
    ("reduce", "reduce_scatter_gather"): ([_BUILT_IN, _ENOUGH], "binomial"),
    ("reduce_scatter", "recursive_halving"): ([_COMMUTATIVE], "recursive_doubling"),
    ("reduce_scatter", "pairwise"): ([_COMMUTATIVE], "recursive_doubling"),
    **{("alltoall", name): ([_APART], "pairwise_sendrecv_replace")
       for name in ("brucks", "pairwise", "scattered")},
    **{(name, f"sched_{usual}"): ([_APART], "sched_inplace") for name, usual in (
        ("ialltoall", "pairwise"), ("ialltoallv", "blocked"), ("ialltoallw", "blocked"))}}
# MPICH's nonblocking algorithms, within a communicator and between two. Blocking collectives of the
# same name use them, so that these names cover all that a program may call.
_NONBLOCKING = {
    "barrier": ("recursive_doubling", "bcast"), "bcast": ("binomial", "flat"),
    "gather": ("binomial", "long"), "scatter": ("binomial", "linear"),
    "allgather": ("ring", "local_gather_remote_bcast"),
    "allgatherv": ("ring", "remote_gather_local_bcast"),
    "alltoall": ("pairwise", "pairwise_exchange"), "alltoallv": ("blocked", "pairwise_exchange"),
    "alltoallw": ("blocked", "pairwise_exchange"), "reduce": ("binomial", "local_reduce_remote_send"),
    "allreduce": ("recursive_doubling", "remote_reduce_local_bcast"),
    "reduce_scatter": ("recursive_doubling", "remote_reduce_local_scatterv"),
    "reduce_scatter_block": ("recursive_doubling", "remote_reduce_local_scatterv"),
    "scan": ("recursive_doubling", None), "exscan": ("recursive_doubling", None)}
_LINEAR = ("gatherv", "scatterv", *(f"neighbor_{name}" for name in (
    "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw")))
_INT_MAX = 2**31 - 1  # which MPICH reads sizes as


def _mpich_leaf(collective, communicator, name):
    def leaf(name):
        return {f"algorithm=MPIR_{collective.capitalize()}_{communicator}_{name}": {}}
    needs, other = _NEEDS.get((collective, name), ((), ""))
    tree = leaf(name)
    for holds, fails in reversed(needs):
        tree = dict(sorted([(holds, tree), (fails, leaf(other))], key=lambda branch: branch[0].endswith("=any")))
    return tree


def mpich(choices: Choices) -> str:
    """Returns the tree of conditions that replaces MPICH's own tree. MPICH aborts at a collective that it does not find
    there, so all other collectives get an entry with the simplest algorithm."""
    of = choices.of
    tree = {}

    def chosen(rule):
        return _mpich_leaf(of.name, *(("intra", rule.algorithm) if rule else ("allcomm", "nb")))
    for first, last, rules in _ranges(choices.groups):
        # Longer messages than MPICH can name have the rule of the longest of these.
        known = _ranges([rule for rule in rules if rule[0] <= _INT_MAX])
        sizes = {f"{of.measure}=any" if high is None else f"{of.measure}<={high}": chosen(rule)
                 for _, high, rule, _ in known} if of.measure else chosen(rules[0][1])
        tree["comm_size=any" if last is None else f"comm_size<={last}"] = sizes
    found = {f"collective={of.name}": {"comm_type=intra": tree,
                                       "comm_type=inter": _mpich_leaf(of.name, "allcomm", "nb")}}
    for name in (*_NONBLOCKING, *_LINEAR):
        found.setdefault(f"collective={name}", _mpich_leaf(name, "allcomm", "nb"))
        if name in _LINEAR:
            found[f"collective=i{name}"] = _mpich_leaf(f"i{name}", "allcomm", "sched_linear")
            continue
        within, between = (each and f"sched_{each}" for each in _NONBLOCKING[name])
        tree = {"comm_type=intra": _mpich_leaf(f"i{name}", "intra", within)}
        if between:
            tree["comm_type=inter"] = _mpich_leaf(f"i{name}", "inter", between)
        found[f"collective=i{name}"] = tree
    return json.dumps(found, indent=1) + "\n"


def ucc(choices: Choices) -> str:
    """Returns a configuration file of UCC with UCC_TL_UCP_TUNE, whose tokens are collective, message sizes, team sizes
    and algorithm. In UCC, a range includes its end, so the next range begins at this size."""
    tokens, told = [], []
    for number, (first, last, rules) in enumerate(_ranges(choices.groups)):
        team = f"{first if number else 1}-{'inf' if last is None else last}"
        for low, high, rule, about in _ranges(rules):
            sizes = f"{max(low - 1, 0)}-{'inf' if high is None else high}"
            told.append(f"{team} members, {sizes} bytes: {about}")
            if rule:
                tokens.append(f"{choices.of.name}:{sizes}:[{team}]:@{rule.algorithm}")
    line = f"UCC_TL_UCP_TUNE={'#'.join(tokens)}"
    if len(line) > 8190:
        raise WormholeError(f"the rules for UCC have {len(line)} characters; expected at most 8190, that is "
                            "fewer lengths or numbers of members")
    return "\n".join([*_comments([*choices.about, *told]), line]) + "\n"


def nccl(choices: Choices) -> str:
    """Returns the CSV file of the tuner plugin that comes with NCCL and RCCL, with the columns collective, first and
    last message size, algorithm, protocol, channels, nodes, ranks, pipelined operations and registered buffers (-1:
    any). The plugin uses the first row that fits."""
    lines = _comments(choices.about)
    for members, rules in choices.groups:
        for low, high, rule, told in _ranges(rules):
            lines += _comments([f"{members} ranks from {low} bytes: {told}"])
            if rule:
                last = 2**64 - 1 if high is None else high
                lines.append(f"{choices.of.name},{low},{last},{rule.algorithm},simple,-1,-1,{members},-1,-1")
    return "\n".join(lines) + "\n"
