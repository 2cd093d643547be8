# SPDX-License-Identifier: GPL-2.0-only
"""The studies as functions that return pandas data frames. Each runs a simulation in this process, ending the
previous simulation. Columns are those of the example program's CSV; columns that end in ``_us`` hold microseconds.
Arguments are the program's options, by name: ``group_sizes=[4, 8]`` for ``--groupSizes=4,8``."""

from __future__ import annotations

import re
from typing import Mapping, Sequence

from ..collective import explain as explanations, traffic as traffics
from ..collective.data import operation_of
from ..collective.fabric import Fabric, given_fabric
from ..collective.hardware import IN_SWITCH, ONE_PROCESS_A_HOST, add_on_times, has, without_switches
from ..collective.values import KINDS
from ..core import arguments, bars, machine as machines, simulation
from ..core.errors import WormholeError, nearest, translated
from ..core.loader import ns, pandas
from .spread import places
from . import assumptions
from .crossover import crossover as crossover, crossovers as crossovers, winners as winners
from .functions import make_study, tables
from .measurements import told_placement
from .routing_comparison import routing_comparison as routing_comparison

_made = {table["name"]: make_study(table) for table in tables()}
globals().update(_made)


@arguments.keywords
@translated()
def algorithms(*, fabric: Fabric | str | None = None, topology: str = "", switches: int = 75,
               hosts: int = 256, routing: str = "", names: Sequence[str] = (),
               group_sizes: Sequence[int] = (16,), placement: str = "shuffled",
               tasks_per_host: int = 1, kind: str = "barrier", operation: str = "",
               width_bits: int = 0, load: float = 0, load_flits: str = "64",
               load_pattern: str = "uniform", rounds: int | None = None, runs: int = 1, seed: int = 1,
               attributes: Mapping[str, object] | None = None, machine: str | None = None,
               explain: bool = False, check: bool = False, hypothetical: bool = False,
               progress: bool | None = None) -> pandas.DataFrame:
    """Compares algorithms on one fabric: each runs one round, which all members enter at once.

    Args:
        names: names of algorithms, with attributes such as "tree[Tree=fibo]"; by default all; if hosts
            have several processes, also smp[Inner=NAME] with each other algorithm NAME. A name that sets
            Bytes, such as "ring[Bytes=64]", moves data of that length; all names must then set the same length
        placement: where members are: "first", "random" (ranks in the order of hosts), "shuffled" (ranks
            in random order, even if all hosts take part; the default), "best" (near each other, good if
            nearby ranks communicate), hosts by rank ("h0,h5"), or a file of hosts. Which algorithm
            wins may depend on the order of ranks
        kind: "barrier" (the default), or a kind as for crossover(); MPI's names are accepted, too
        operation: how an allreduction or reduction combines values: "AND", "OR", "ADD", "MIN" or
            "MAX"; by default "AND", or if names set Bytes, "sum"
        width_bits: width of combined values, 1 to 64 bits; 1 by default (2-byte messages)
        rounds: rounds of each group, with load; 20 by default
        explain: whether to break down the latency of rounds by cause, see Collective.explain
        check: whether to report what limits the fastest algorithm at each size, and whether the order
            changes if an estimated value is halved or doubled; not with load
        hypothetical: whether to include in-switch collectives on a machine whose switches lack them.
            Naming such an algorithm, or an attribute of CollectiveUnit, includes them, too
        others: as for crossover()

    Returns:
        a row for each algorithm, group size and run: latency_us, setup_us; hypothetical: whether the algorithm
        needs hardware that is not on the market; refused: why it can't run (it then has no times), else empty; and
        tasks_per_host if that is not 1. attrs["bytes"]: the length of data, for kinds that always move data, unless
        names set it; crossover() compares other lengths. explain adds explanation, a text, and the time of each cause,
        such as wire_us and start_up_us, with the sum latency_us. With traffic, latency_us is the mean over rounds,
        latency_us_p99 the 99th percentile, and unloaded_us a round's time without traffic; explanation is of the
        slowest round, causes' times are means over all rounds, and traffic_percent is the share of time in which
        background worms were in the way. attrs["placement"] tells where members are, attrs["left_out"] why in-switch
        collectives were left out, attrs["free"] what costs nothing between processes of a host; check adds the same
        attrs as in crossover()

    Raises:
        WormholeError: if an argument is refused, or no algorithm can do it
    """
    kind = str(ns.CollectiveHelper.GetKindName(kind))
    traffic = traffics.given(load, load_flits, load_pattern, rounds, ("load_flits", "load_pattern"))
    combining = kind in ("allreduction", "reduction")
    for name, value in (("operation", operation), ("width_bits", width_bits)):
        if value and not combining:
            raise WormholeError(f"{name}={value}: has no effect on a {kind}; use it with "
                                "kind allreduction or reduction")
    values = {}
    if combining:
        width = arguments.whole("width_bits", width_bits or 1, 1, 64)
        values = {"Operation": arguments.word("operation", operation or "AND", ("AND", "OR", "ADD", "MIN", "MAX")),
                  "WidthBits": width}
    given = given_fabric(fabric, topology, seed=seed, routing=routing, attributes=attributes, machine=machine)
    tasks = arguments.whole("tasks_per_host", tasks_per_host, 1, 4096)
    asked = arguments.listed(names)
    names = asked or _names(kind, tasks)
    own = given.attributes if given else simulation.with_whole_names(attributes)
    runs_on = given.machine if given else machine
    names, left_out = without_switches(names, lambda name: has(IN_SWITCH, name), runs_on, hypothetical,
                                       bool(asked), own)
    runs = arguments.whole("runs", runs, 1, 1000000)
    switches, hosts = arguments.whole("switches", switches), arguments.whole("hosts", hosts)
    sizes = [arguments.whole("group_sizes", size, 1)
             for size in arguments.some("group_sizes", group_sizes, "one such as 16")]
    if length := _length(kind, names):
        if width_bits:
            raise WormholeError(f"width_bits={width_bits}: has no effect on data of {length} bytes; expected none")
        values = {"DataOperation": operation_of(operation)} if operation else {}
    for name in names:
        ns.CollectiveHelper.MakeCollective(kind, str(name))
    arguments.warn_idle(algorithms, {"switches": switches, "hosts": hosts}, arguments.idle_of_drawing(fabric, topology))
    rows = []

    def place(run):
        return given or Fabric.irregular(switches, hosts, seed=seed, run=run, routing=routing,
                                         attributes=attributes, machine=machine)

    with bars.bar("algorithms", progress) as tell:
        for run in range(1, runs + 1):
            each = place(run)
            for size in sizes:
                chosen = each.group(size, placement, seed=seed, run=run)
                members = [host for host in chosen for _ in range(tasks)]
                for name in names:
                    tell(len(rows), runs * len(sizes) * len(names))
                    simulation.reset()
                    if traffic:
                        simulation.set_seed(seed, run)
                    rows.append({"fabric": each.name, "kind": kind,
                                 "operation": values.get("Operation", values.get("DataOperation", "")),
                                 "width_bits": values.get("WidthBits", 0), "algorithm": name,
                                 "hypothetical": has(ONE_PROCESS_A_HOST, name), "group_size": size,
                                 "run": run, **({} if runs == 1 else places(each, chosen)),
                                 **_measured(each, kind, name, members, values, explain, traffic)})
                    tell(len(rows), runs * len(sizes) * len(names))
    simulation.reset()
    if all(row["refused"] for row in rows):
        raise WormholeError(f"{rows[0]['algorithm']} can't: {rows[0]['refused']}")
    table = pandas.DataFrame(rows)
    table = explanations.filled(table, table.refused == "")
    table.attrs.update(placement=told_placement(placement), machine=machines.told(each.machine), rates=each.own_rates(), left_out=left_out,
                       has_in_switch=machines.has_in_switch(runs_on),
                       free=(assumptions.free(own, runs_on, combining) if tasks > 1 else [])
                       + assumptions.of_adapters(table[table.refused == ""].algorithm, own, runs_on))
    if check and not traffic:
        def measured(attributes, name, size, explains):
            found = []
            for run in range(1, runs + 1):
                on = place(run).with_attributes(attributes)
                members = [host for host in on.group(size, placement, seed=seed, run=run) for _ in range(tasks)]
                simulation.reset()
                found.append(_measured(on, kind, name, members, values, explains))
            return pandas.DataFrame(found)

        _check(table, measured, assumptions.known(own, runs_on), progress, assumptions.guesses(
            own, runs_on, tasks=tasks, combines=combining, in_switch=False, is_ideal=False,
            has_rates=given is not None and given.has_rates(),
            beside=add_on_times(kind, values.get("WidthBits", 1), table[table.refused == ""].algorithm)))
    if kind not in KINDS and not any(re.search(r"\b(Bytes|Lengths)=", str(name)) for name in names):
        length = int(simulation.get_attribute(ns.CollectiveHelper.MakeData("allgather", "ring"), "Bytes"))
    if length:
        table.attrs["bytes"] = length
    return table.assign(tasks_per_host=tasks) if tasks > 1 else table


def _names(kind, tasks):
    """Returns the algorithms compared by default: all, and if hosts have several processes, smp with each other
    algorithm between the leaders, which algorithms for one process per host need."""
    names = [str(name) for name in ns.CollectiveHelper.GetNames(kind)]
    if tasks == 1 or "smp" not in names:
        return names
    usual = simulation.get_attribute(ns.CollectiveHelper.MakeCollective(kind, "smp"), "Inner")
    inners = [name for name in names if name not in ("smp", usual)]
    return [name for name in names if name not in ONE_PROCESS_A_HOST] + [f"smp[Inner={name}]" for name in inners]


def _length(kind, names):
    """Returns the length of data, in bytes, that names set in a kind that can also hold a single value; 0: no name
    does. Raises WormholeError if the lengths differ."""
    found = {}
    for name in map(str, names) if kind in KINDS else ():
        moves_data = ns.CollectiveHelper.MovesData(kind, name)
        given = re.search(r"\bBytes=(\d+)", name)
        if moves_data and not given:
            raise WormholeError(f"{name} moves data in {kind}, and holds no single value; expected "
                                "it with bytes, in compare --bytes=8,...,1MiB, in Python "
                                "crossover(bytes=...)")
        found.setdefault(int(given[1]) if moves_data else 0, name)
    if len(found) > 1:
        (other, one), *_, (most, name) = sorted(found.items())
        raise WormholeError(f"{name} moves {most} bytes in {kind}, {one} {f'{other} bytes' if other else 'one value'}; "
                            f"expected names without Bytes, in compare with --bytes={most}, in Python "
                            f"crossover(bytes={most})")
    return next(iter(found), 0)


def _check(table, measured, known, progress, guesses):
    """Records in a table's attrs what it rests on. measured: returns a row for each run, given
    attributes, an algorithm, a group's size, and whether to explain it."""
    able = table[table.refused == ""].groupby(["group_size", "algorithm"]).agg(
        latency_us=("latency_us", "mean"), is_hardware=("hypothetical", "first")).reset_index()

    def run(changed, name, size, sizes, explains):
        rows = measured(changed, name, size, explains)
        return dict.fromkeys(sizes, rows.mean(numeric_only=True).to_dict()) if (rows.refused == "").all() else {}

    assumptions.check(table, able.rename(columns={"group_size": "members"}).assign(bytes=0), guesses, run=run,
                      has_effect=lambda attribute, name: True, known=known, progress=progress)


def _measured(fabric, kind, name, members, values, explains, traffic=None):
    columns = ["latency_us", *(["latency_us_p99", "unloaded_us"] if traffic else []), "setup_us"]
    try:
        if traffic:
            traffic.check(fabric)
        made = fabric.collective(kind, name, members, **values)
        if fallback := made.fallback:
            raise WormholeError(f"falls back on {fallback}")  # whose times these would be
        if traffic:
            idle, setup = made.cross(), made.setup_us
            rounds, frame = traffic.explain(made) if explains else (traffic.cross(made)[0], None)
            found = [sum(rounds) / len(rounds), traffics.tail(rounds), idle, setup]
        else:
            frame = made.explain() if explains else None
            found = [frame.attrs["latency_us"] if explains else made.cross(), made.setup_us]
        explained = explanations.columns(frame) if explains else {}
        return {**dict(zip(columns, found)), "refused": "", **explained}
    except WormholeError as error:
        return {**dict.fromkeys(columns, float("nan")), "refused": str(error)}


STUDIES = {**_made, "algorithms": algorithms, "crossover": crossover, "routing_comparison": routing_comparison}


@translated()
def study(name: str):
    """Returns a study by its name. Raises WormholeError if there is none."""
    known = STUDIES.get(str(name).replace("-", "_"))
    if known is None:
        raise WormholeError(f"there is no study {str(name)!r}; there are {', '.join(STUDIES)}"
                            f"{nearest(name, STUDIES)}")
    return known
