# SPDX-License-Identifier: GPL-2.0-only
"""What a fabric loses without each of its parts, and what it gains by one more cable."""

from __future__ import annotations

from typing import Sequence, TYPE_CHECKING

from ..core import arguments, bars, machine as machines, simulation, texts
from ..core.errors import WormholeError, translated
from ..core.loader import ns, pandas
from ..core.workers import Processes
from . import traffic as traffics
from .groups import Members
from .hardware import ONE_PROCESS_A_HOST, has
from .variants import Parts, Variant

if TYPE_CHECKING:
    from .fabric import Fabric

COLLECTIVES = ("btin", "dissemination")
WHOLE = "whole fabric"


@translated()
def what_if(fabric: Fabric, without: str | Sequence[str] = (), add: str | Sequence[str] = (),
            collectives: Sequence[str] = COLLECTIVES, members: Members = None, *, load: float = 0,
            pattern: str = traffics.PATTERN, flits: str = traffics.FLITS, rounds: int | None = None,
            tasks_per_host: int = 1, jobs: int = 1, progress: bool | None = None) -> pandas.DataFrame:
    """Measures the fabric without some of its parts, one at a time, or with one more cable. Ends the simulation.
    Raises WormholeError if there is no such part, cable or algorithm.

    Hosts that are cut off from the piece with the most hosts leave the group. Routes are computed anew by the fabric's
    own routing; if that no longer fits, by up/down, on a fat tree by fat-tree. On a fat tree that loses parts, routes
    whose cables remain are kept, others are computed by fat-tree; the column routing then says fat-tree, whatever the
    whole fabric has. A router given to Fabric() is used for the whole fabric only.

    Args:
        without: names of switches, such as "s3", and cables, such as "s1:3-s2:4" (node and port of both ends); "+"
            joins parts to remove together, as in "s3+s1:3-s2:4"; "each-cable" (between switches); "each-switch";
            "pairs-of-cables" (all pairs of cables between switches)
        add: cables, tried one at a time, such as "s1:s2" (at the first open ports) or "s1/3:s2/4". A cable has the rate
            of most cables between switches at its ends, or a given rate, as in "s1:s2=400Gbps"
        collectives: barriers by algorithm, other kinds as "broadcast:multicast"
        members: members of the group, as for group()
        load, pattern, flits, rounds: background traffic and number of rounds, as for Collective.explain()
        tasks_per_host: processes of each host, each a member
        jobs: processes that share the work; rows are the same with any number
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns rows for the whole fabric and each variant, worst first: most hosts cut off, then the largest factor of a
    latency or the bound. Columns: routing; cut_off, cut_off_hosts (names with blanks in quotes); members left; height
    of their barrier tree; saturation_bound; of_equal_split, saturation_bound divided by equal_split_bound(); latencies,
    ending in ``_us``; factors relative to the whole fabric, ending in ``_factor``; refused: why a latency is missing.
    Under traffic, latencies are means, and columns ending in ``_p99`` are 99th percentiles.
    """
    kinds = dict(kind_and_name(each) for each in arguments.listed(collectives))
    parts = Parts(fabric)
    variants = parts.without(arguments.listed(without)) + parts.added(arguments.listed(add))
    tasks = arguments.whole("tasks_per_host", tasks_per_host, 1, 4096)
    group = [fabric.hosts[host] for host in fabric.group(members) for _ in range(tasks)]
    jobs = arguments.whole("jobs", jobs, 1, 4096)
    traffic = traffics.given(load, flits, pattern, rounds)
    whole, rows = measure_all(fabric, parts, variants, group, kinds, traffic, jobs, progress)
    table = _table(whole, [rows[str(variant)] for variant in variants], list(kinds), traffic is not None)
    table.attrs.update(
        repaired=parts.repairs and any(not variant.new for variant in variants),
        machine=machines.told(fabric.machine), rates=fabric.own_rates(),
        hardware=[name for name, (_, algorithm) in kinds.items() if has(ONE_PROCESS_A_HOST, algorithm)],
        why_not=machines.why_not_in_switch(fabric.machine),
        new={str(variant): parts.own(variant) for variant in variants if variant.new})
    return table


def measure_all(fabric: Fabric, parts: Parts, variants: Sequence[Variant], group: Sequence[str], kinds: dict,
                traffic: traffics.Traffic | None, jobs: int, progress: bool | None) -> tuple[dict, dict]:
    """Returns the row of a whole fabric, and the rows of its variants by name. Ends the simulation. fabric, jobs,
    progress: as for what_if(); parts, group, kinds, traffic: as for measure(); variants: each one once. Raises
    WormholeError if the whole fabric can do none of the collectives."""
    simulation.set_seed()
    with bars.bar("what-if", progress) as tell:
        whole = {"variant": WHOLE, "routing": parts.routes["routing"], "cut_off": 0, "cut_off_hosts": "",
                 **_measured(fabric, group, kinds, traffic)}
        if all(whole[f"{name}_us"] != whole[f"{name}_us"] for name in kinds) and whole["refused"]:
            raise WormholeError(whole["refused"])
        rows, fixed = {}, {"parts": parts, "group": group, "kinds": kinds, "traffic": traffic}
        for key, row in _rows(fixed, variants, min(jobs, len(variants))):
            rows[key] = row
            tell(len(rows), len(variants))
    simulation.reset()
    return whole, rows


def kind_and_name(text: str) -> tuple[str, tuple[str, str]]:
    """Returns a collective's name, as given, its kind and its algorithm."""
    kind, colon, name = str(text).partition(":")
    try:
        kind = str(ns.CollectiveHelper.GetKindName(kind)) if colon else ""
    except ns.WormholeError:
        kind = ""
    kind, name = (kind, name) if kind else ("barrier", str(text))
    ns.CollectiveHelper.MakeCollective(kind, name)
    return str(text), (kind, name)


def _rows(fixed, variants, jobs):
    """Yields names of variants and their rows, as these are completed."""
    if jobs <= 1:
        yield from ((str(variant), measure(**fixed, variant=variant)) for variant in variants)
        return
    todo = {str(variant): {"variant": variant} for variant in variants}
    for key, kind, result in Processes(jobs)(measure, fixed, todo):
        if kind == "failure":
            raise WormholeError(f"{key}: {result}")
        yield key, result[0]


@translated()
def measure(parts: Parts, group: Sequence[str], kinds: dict, traffic: traffics.Traffic | None,
            variant: Variant) -> dict:
    """Returns the row of a variant. parts: the whole fabric; group: names of members; kinds: kind and algorithm of
    collectives, by name; traffic: background traffic, or None; variant: the variant."""
    piece = parts.cut(variant)
    left = set(piece[1])
    cut_off = [host for host in parts.hosts if host not in left]
    row = {"variant": str(variant), "routing": "", "cut_off": len(cut_off), "cut_off_hosts": texts.words(cut_off)}
    # A computer that has lost its first interface goes on by the next one.
    interfaces = parts.interfaces(host for host in parts.hosts if host in left)
    members = [interfaces[host] for host in group if host in interfaces]
    if len(interfaces) < 2:
        return {**row, **_nothing(members, kinds, "fewer than two hosts are still joined")}
    simulation.set_seed()
    made, row["routing"] = parts.fabric(variant, *piece)
    return {**row, **_measured(made, members, kinds, traffic)}


def _nothing(members, kinds, reason):
    """Returns the figures of a variant that can't be measured."""
    return {"members": len(members), "height": None, "tree": [], "saturation_bound": float("nan"),
            "of_equal_split": float("nan"),
            **{f"{name}_us": float("nan") for name in kinds}, "refused": reason}


def _measured(fabric, members, kinds, traffic):
    row = _nothing(members, kinds, "")
    row["saturation_bound"] = fabric.saturation_bound()
    row["of_equal_split"] = row["saturation_bound"] / fabric.equal_split_bound()
    hosts = list(dict.fromkeys(members))
    if len(hosts) < 2:
        return {**row, "refused": "fewer than two members are still joined"}
    tree = fabric.tree(hosts)
    row["height"], row["tree"] = int(tree.GetHeight()), _tree_parts(fabric, tree)
    for name, (kind, algorithm) in kinds.items():
        simulation.reset()
        try:
            made = fabric.collective(kind, algorithm, fabric.group(members))
            times = [made.cross()]
            if traffic:
                traffic.check(fabric)
                times, _ = traffic.cross(made)
                row[f"{name}_p99"] = traffics.tail(times)
            row[f"{name}_us"] = sum(times) / len(times)
        except WormholeError as error:
            row["refused"] = row["refused"] or f"{name}: {error}"
    return row


def _tree_parts(fabric, tree):
    """Returns names of a barrier tree's switches, and of ends of its cables between them."""
    entries = [(fabric.switches[entry.node], entry) for entry in tree.GetSwitches()]
    return [end for name, entry in entries for end in (name, *(f"{name}:{int(port)}" for port in entry.childPorts))]


def _table(whole, rows, names, has_tails):
    """Returns rows as a data frame, with factors over the whole fabric, the worst first."""
    values = {"saturation_bound": "saturation_bound_factor", **{f"{name}_us": f"{name}_factor" for name in names}}
    for row in [whole, *rows]:
        row.update({factor: row[value] / whole[value] for value, factor in values.items()})

    # What the whole fabric refuses says nothing of a part.
    able = [name for name in names if whole[f"{name}_us"] == whole[f"{name}_us"]]

    def badness(row):
        factors = [row[f"{name}_factor"] for name in able] + [1 / row["saturation_bound_factor"]]
        return (-row["cut_off"], -max(float("inf") if each != each else each for each in factors))
    beside = {f"{name}_us": [f"{name}_p99"] for name in names} if has_tails else {}
    beside["saturation_bound"] = ["of_equal_split"]
    columns = ["variant", "routing", "cut_off", "cut_off_hosts", "members", "height",
               *(column for value, factor in values.items()
                 for column in (value, factor, *beside.get(value, ()))), "refused"]
    return pandas.DataFrame([whole, *sorted(rows, key=badness)], columns=columns).astype({"height": "Int64"})
