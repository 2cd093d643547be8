# SPDX-License-Identifier: GPL-2.0-only
"""Runs parallel programs, given as GOAL schedules, on an ideal network or on a fabric with hosts' costs."""

from __future__ import annotations

import collections
import itertools
import os
import warnings
from typing import Iterable, Mapping, Sequence

from ..collective import explain as explanations, traffic as traffics, values as collectives
from ..collective.fabric import Fabric, fabric_of
from ..core import arguments, bars, csv_file, machine as machines, simulation
from ..core.errors import WormholeError, translated
from ..core.files import read_json, read_text
from ..core.loader import bridge, ns, numpy, pandas, printed, std
from ..formats import chakra
from .spread import places

IDEAL = {"L": "2500ns", "o": "1500ns", "g": "1000ns", "G": "6ns", "O": "0ns"}
# What is put in the place of operations if nobody says: the first of these that the kind has.
_DEFAULTS = ("recursive-doubling", "binomial", "pairwise", "dissemination")
_MAX_EAGER = 65535  # bytes, LogGOPSim's default of S


@translated()
def read(file: str, collectives: str | None = None, algorithms: Mapping[str, str] | None = None):
    """Reads a schedule, as text or in the binary form of LogGOPSim and ATLAHS.

    Args:
        file: name of the file
        collectives: a JSON file that names sets of the schedule's operations, each set one collective:
            [{"kind": "allreduction", "bytes": 64, "labels": {"0": ["l1", "l2"], "3": ["l7"]}}],
            labels by rank; an algorithm's operations replace these. A barrier needs no bytes
        algorithms: names of algorithms by kind; for other kinds, the first that exists among
            recursive-doubling, binomial, pairwise and dissemination

    Returns:
        an ns3::GoalSchedule; its attribute algorithms counts, by kind and algorithm, the collectives replaced

    Raises:
        WormholeError: naming the file and its line, or the entry
    """
    schedule, entries = bridge.ReadGoal(str(file), collectives is not None), []
    if collectives is not None:
        entries = read_json(collectives)
        if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
            raise WormholeError(f"{collectives}: expected a list of objects with kind, bytes and labels")
    return _replaced(schedule, [(entry, f"{collectives}: entry {number}") for number, entry in enumerate(entries)],
                     algorithms, collectives or file)


def by_kind(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Returns algorithms by the module's names of kinds. pairs: pairs of a kind (by any name, also MPI's) and an
    algorithm. Raises WormholeError if there is no such kind, or a kind is given twice."""
    found: dict[str, str] = {}
    for kind, name in pairs:
        with translated():
            kind = str(ns.CollectiveHelper.GetKindName(kind))
        if kind in found:
            raise WormholeError(f"two algorithms of {kind}, {found[kind]} and {name}; expected one")
        found[kind] = name
    return found


def _replaced(schedule, entries, algorithms, source):
    """Returns a schedule with operations replaced by collectives. entries: with their names in errors"""
    algorithms = by_kind((algorithms or {}).items())
    schedule.algorithms = {}
    for entry, where in entries:
        kind, name = _replace(schedule, entry, where, algorithms)
        schedule.algorithms.setdefault(kind, collections.Counter())[name] += 1
    for kind in algorithms:
        if kind not in schedule.algorithms:
            warnings.warn(f"algorithm {algorithms[kind]} has no effect: {source} has no {kind}", stacklevel=3)
    return schedule


@translated()
def read_chakra(prefix: str, groups: str | None = None, algorithms: Mapping[str, str] | None = None,
                table: str | None = None, ideal: bool = False):
    """Reads Chakra execution traces, PREFIX.0.et and so on, a file for each rank.

    Calculations of accelerators (is_cpu_op is false or absent) have their own processor, except on the ideal
    network, where no operation waits for an operation of another processor.

    Args:
        prefix: prefix of the files' names
        groups: JSON file with the ranks of each group, by its name in pg_name, such as {"1": [0, 1]}
        algorithms: as for read()
        table: CSV of `ns3-wormhole compare --bytes=...`: a collective whose kind has no algorithm takes
            the fastest software algorithm in this table for the nearest number of members and the nearest length
        ideal: whether the schedule is for ideal()

    Returns, Raises: as read
    """
    text, entries = chakra.read(prefix, groups, not ideal)
    schedule = bridge.ReadGoalText(text, prefix, True)
    fastest = _fastest(table) if table is not None else None
    algorithms = by_kind((algorithms or {}).items())
    for entry in entries:
        if fastest and entry["kind"] not in algorithms:
            entry["algorithm"] = fastest(entry["kind"], len(entry["labels"]), entry["bytes"])
    return _replaced(schedule, [
        (entry, f"{prefix}: {entry['kind']} {', '.join(next(iter(entry['labels'].values())))}")
        for entry in entries], algorithms, prefix)


def _fastest(file):
    try:
        frame = csv_file.frame(read_text(file))
    except ValueError as error:
        raise WormholeError(f"{file}: {error}") from None
    if lacking := {"kind", "algorithm", "members", "bytes", "latency_us", "needs"} - set(frame.columns):
        raise WormholeError(f"{file}: no column {min(lacking)}; expected a CSV of compare --bytes=... --csv=FILE")
    frame = frame[(frame.needs == "software") & frame.latency_us.notna()]

    def fastest(kind, members, size):
        rows = frame[frame.kind == kind]
        for column, wanted in (("members", members), ("bytes", size)):
            rows = rows[(off := numpy.abs(numpy.log(rows[column] / wanted))) == off.min()]
        return rows.algorithm[rows.latency_us.idxmin()] if len(rows) else None
    return fastest


def _replace(schedule, entry, where, algorithms):
    """Replaces operations by a collective. Returns its kind and its algorithm."""
    unknown = set(entry) - {"kind", "bytes", "labels", "algorithm", "root"}
    labels = entry.get("labels")
    if unknown or not isinstance(labels, dict) or not labels:
        raise WormholeError(f"{where}: expected kind, bytes, labels by rank, algorithm and root"
                            + (f", not {', '.join(sorted(unknown))}" if unknown else ""))
    try:
        kind = str(ns.CollectiveHelper.GetKindName(str(entry.get("kind"))))
    except ns.WormholeError as error:
        raise WormholeError(f"{where}: {error.what()}") from None
    size = entry.get("bytes", 8 if kind == "barrier" else None)
    if isinstance(size, bool) or not isinstance(size, int) or size < 1:
        raise WormholeError(f"{where}: bytes is {size!r}; expected a whole number from 1 on")
    names = collectives.algorithms(kind, data=kind != "barrier")
    name = entry.get("algorithm") or algorithms.get(kind) or next(each for each in _DEFAULTS if each in names)
    ranks = []
    for rank, words in labels.items():
        number = arguments.parse_whole(rank)
        if number is None or not isinstance(words, list):
            raise WormholeError(f"{where}: labels of {arguments.shown(rank)} are {arguments.shown(words)}; expected "
                                "lists of labels by rank")
        ranks.append((number, [str(word) for word in words]))
    ranks.sort()
    root = entry.get("root", ranks[0][0])
    if isinstance(root, bool) or root not in [rank for rank, _ in ranks]:
        raise WormholeError(f"{where}: root is {root!r}; expected a rank that labels name")
    text = "\n".join(f"{rank} {' '.join(words)}" for rank, words in ranks)
    try:
        ns.GoalCollective.Replace(schedule, kind, str(name), size, root, text)
        schedule.Check()
    except ns.WormholeError as error:
        raise WormholeError(f"{where}: {error.what()}") from None
    return kind, str(name)


@translated()
def collective(kind: str, algorithm: str, members: int, size: int, root: int = 0):
    """Returns a software algorithm as a schedule; as_text() writes it for other simulators. members: number of ranks;
    size: bytes; root: its rank. Raises WormholeError if there is no such algorithm, or it needs more than software."""
    members = arguments.whole("members", members, 1, 2**24)
    root = arguments.whole("root", root, 0, members - 1)
    return bridge.MakeGoal(kind, algorithm, members, arguments.whole("size", size, 1, 2**53), root)


@translated()
def as_text(schedule) -> str:
    """Returns a schedule as GOAL text. schedule: from read() or collective()."""
    return printed(ns.GoalFile.WriteText, schedule)


@translated()
def ideal(schedule, *, L: str = IDEAL["L"], o: str = IDEAL["o"], g: str = IDEAL["g"],
          G: str = IDEAL["G"], O: str = IDEAL["O"], S: int = _MAX_EAGER,
          progress: bool | None = None) -> pandas.DataFrame:
    """Runs a schedule on the ideal network of the LogGOPS model.

    Args:
        schedule: from read(), or the name of its file
        L: latency
        o: overhead of a message, at either end
        g: minimum time between messages at an interface
        G: time that each byte adds to g
        O: time that each byte adds to o
        S: length of the longest message that is sent eagerly, bytes
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each rank: rank, finish_ns

    Raises:
        WormholeError: if a time is invalid, or an operation waits forever
    """
    return _ideal(schedule, {"L": L, "o": o, "g": g, "G": G, "O": O}, S, progress, False)[0]


@translated()
def ideal_explained(schedule, *, L: str = IDEAL["L"], o: str = IDEAL["o"], g: str = IDEAL["g"],
                    G: str = IDEAL["G"], O: str = IDEAL["O"], S: int = _MAX_EAGER,
                    progress: bool | None = None) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Runs ideal(), and explains why the last rank ends when it does. Returns ideal()'s table, and the critical path
    like explain.table(): gapless rows from 0 to the last rank's end. attrs of the path: "rank", the last rank; "text",
    the sums in words; "sum", the path in the model's parameters, such as "2 o + L + 100 G + 50 ns". Args and Raises:
    as ideal."""
    return _ideal(schedule, {"L": L, "o": o, "g": g, "G": G, "O": O}, S, progress, True)


def _ideal(schedule, times, eager, progress, explains):
    schedule = read(schedule) if isinstance(schedule, str) else schedule
    parameters = ns.LogGops.Parameters()
    for name, value in times.items():
        setattr(parameters, name, simulation.time("0ns" if value == "0" else value))
    parameters.S = arguments.whole("S", eager, 0, 2**62)
    with bars.bar("goal", progress) as tell:
        found = ns.LogGops.Explanation()
        ends = bridge.ListPicoseconds(
            ns.LogGops.Run(schedule, parameters, bars.listener(tell), *([found] if explains else [])))
    frame = pandas.DataFrame({"rank": range(len(ends)), "finish_ns": [end / 1000 for end in ends]})
    if not explains:
        return frame, None
    table = explanations.table(bridge.ExplainIdeal(found))
    table.attrs.update(rank=int(found.rank), sum=str(found.Print()))
    return frame, table


@translated()
def place(fabric: Fabric, sizes: Sequence[int], rule: str = "first", tasks_per_host: int = 1,
          seed: int = 1) -> list[list[int]]:
    """Places the ranks of jobs on hosts.

    Args:
        fabric: the fabric
        sizes: numbers of ranks, by job
        rule: rule of Fabric.group for the hosts of all jobs in turn, each host filled with ranks before
            the next; or round-robin (one rank per host, then a second, and so on); or the name of a file
            with a host per line, for each rank of all jobs
        tasks_per_host: maximum number of ranks on a host
        seed: seed of random placement

    Returns:
        numbers of hosts by rank, by job

    Raises:
        WormholeError: if the ranks don't fit, or the file names an unknown host
    """
    tasks = arguments.whole("tasks_per_host", tasks_per_host, 1, 4096)
    count, wanted = len(fabric.hosts), sum(sizes)
    is_random = rule in ("random", "sorted")  # ranks of each job in the order of hosts
    if not os.path.isfile(rule):
        if wanted > count * tasks:
            raise WormholeError(f"{wanted} ranks on {count} hosts: expected up to "
                                f"{count * tasks}, {tasks} a host (tasks_per_host)")
        slots = list(range(count)) * tasks if rule == "round-robin" else [
            host for host in fabric.group(-(-wanted // tasks), "shuffled" if is_random else rule, seed=seed)
            for _ in range(tasks)]
    else:
        lines = [(number, line) for number, text in enumerate(read_text(rule).splitlines(), 1)
                 if (line := text.split("#")[0].strip())]
        slots = fabric.group([line for _, line in lines])
        if len(slots) != wanted:
            raise WormholeError(f"{rule}: {len(slots)} hosts; expected one for each of {wanted} "
                                "ranks, in lines")
        of_host = collections.Counter()
        for (number, line), host in zip(lines, slots):
            of_host[host] += 1
            if of_host[host] > tasks:
                raise WormholeError(f"{rule}:{number}: {line} has {of_host[host]} ranks; expected "
                                    f"up to {tasks} a host (tasks_per_host)")
    rest = iter(slots)
    return [(sorted if is_random else list)(itertools.islice(rest, size)) for size in sizes]


@arguments.keywords
@translated()
def run(fabric: Fabric | str, schedules: Sequence, *, placement: str = "first",
        tasks_per_host: int = 1, seed: int = 1, transport: str = "sendrecv",
        load: float = 0, pattern: str = traffics.PATTERN, flits: str = traffics.FLITS,
        rounds: int | None = None, attributes: Mapping[str, object] | None = None,
        machine: str | None = None, progress: bool | None = None) -> pandas.DataFrame:
    """Runs jobs on a fabric, all at once, with their hosts' costs. Ends the simulation.

    Args:
        fabric: the fabric, or its file
        schedules: results of read(), or names of files, one per job
        placement: rule by which ranks are placed, see place() (or: places)
        tasks_per_host: maximum number of ranks on a host
        seed: seed of random placement
        transport: sendrecv or rdma
        load: background traffic of each host, as a fraction of a channel's rate
        pattern, flits: pattern and worm length of this traffic, as for latency-load
        rounds: how often the jobs run under this traffic; 20 by default
        attributes: values of attributes by name
        machine: name or file of a machine; attributes override its values
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each rank: job, rank, host, finish_ns, alone_ns (the same if its job runs alone on
        the same hosts) and slowdown, finish_ns divided by alone_ns. With traffic, finish_ns is the mean
        over rounds and finish_p99_ns the 99th percentile, alone_ns is without traffic, and
        attrs["jobs"] gives for each job mean_ns and p99_ns of the time until its last rank ends

    Raises:
        WormholeError: if an argument is refused, or a rank waits forever
    """
    return _run(fabric, schedules, placement, tasks_per_host, seed, transport, attributes, machine,
                progress, False, traffics.given(load, flits, pattern, rounds))[0]


@translated()
def over_placements(fabric: Fabric | str, schedules: Sequence, placements: int, *, seed: int = 1,
                    **given) -> pandas.DataFrame:
    """Runs jobs as run() does, with seeds from seed on, which only a random placement uses. Returns a row for
    each job and placement: job, placement, finish_us, switches, and groups of a dragonfly. Args and Raises: as run."""
    made = fabric_of(fabric)
    rows = []
    for number in range(1, arguments.whole("placements", placements, 1, 100000) + 1):
        frame = run(made, schedules, seed=seed + number - 1, **given)
        rows += [{"job": job, "placement": number, "finish_us": own.finish_ns.max() / 1000,
                  **places(made, map(made.host, own.host))} for job, own in frame.groupby("job")]
    return pandas.DataFrame(rows)


@arguments.keywords
@translated()
def run_explained(fabric: Fabric | str, schedules: Sequence, *, placement: str = "first",
                  tasks_per_host: int = 1, seed: int = 1, transport: str = "sendrecv",
                  load: float = 0, pattern: str = traffics.PATTERN, flits: str = traffics.FLITS,
                  rounds: int | None = None, attributes: Mapping[str, object] | None = None,
                  machine: str | None = None,
                  progress: bool | None = None) -> tuple[pandas.DataFrame, list[pandas.DataFrame]]:
    """Runs jobs as run() does, and explains for each job why its last rank ends when it does.

    Returns:
        run()'s table, and by job the critical path as in ideal_explained(), without "sum". Worms in the
        way are named by the number of their job, worms of traffic by their hosts. With traffic, there are
        paths of all rounds, with a column round from 1 on, and attrs are of the slowest "round"

    Args, Raises: as run
    """
    return _run(fabric, schedules, placement, tasks_per_host, seed, transport, attributes, machine,
                progress, True, traffics.given(load, flits, pattern, rounds))


def _run(fabric, schedules, placement, tasks_per_host, seed, transport, attributes, machine, progress,
         explains, traffic):
    made = fabric_of(fabric).with_attributes(attributes or {}, machine)
    jobs = [read(each) if isinstance(each, str) else each for each in schedules]
    placed = place(made, [int(job.GetNRanks()) for job in jobs], placement, tasks_per_host, seed)
    with bars.bar("goal", progress) as tell:
        together, tables, rounds = _ends(made, jobs, placed, transport, explains, traffic)
        tell(1, 1 + len(jobs))
        rows = []
        for number, (job, hosts) in enumerate(zip(jobs, placed)):
            alone = together[number] if len(jobs) == 1 \
                else _ends(made, [job], [hosts], transport, False, None)[0][0]
            tell(2 + number, 1 + len(jobs))
            ends = together[number] if not traffic else list(numpy.mean(rounds[number], axis=0))
            rows += [(number, rank, made.hosts[hosts[rank]], end / 1000, by / 1000,
                      end / by if by else 1.0) for rank, (end, by) in enumerate(zip(ends, alone))]
    frame = pandas.DataFrame(rows, columns=["job", "rank", "host", "finish_ns", "alone_ns", "slowdown"])
    if traffic:
        tails = [numpy.percentile(each, 99, axis=0) for each in rounds]
        frame.insert(4, "finish_p99_ns", numpy.concatenate(tails) / 1000)
        frame.attrs["jobs"] = [{"mean_ns": float(numpy.mean(each)), "p99_ns": traffics.tail(each)}
                               for each in (numpy.max(some, axis=1) / 1000 for some in rounds)]
    return frame, tables


def _ends(fabric, jobs, placed, transport, explains, traffic):
    """Returns end times of jobs' ranks, ps; why the last rank ends, if requested; and end times by round of traffic."""
    tables, rounds = [], []
    with simulation.own(1):
        if traffic:
            traffic.check(fabric)
        with machines.in_effect(fabric.machine):
            bench = ns.GoalBench(fabric.domain)
            for job, hosts in zip(jobs, placed):
                bench.Add(job, std.vector["uint32_t"](hosts), transport)
            if explains:
                bench.Record()
            bench.Run()
            if traffic:
                with simulation.ending_on_error():
                    bench.RunUnderTraffic(traffic.parameters(), traffic.rounds)
        ends = [list(bridge.ListPicoseconds(bench.GetFinishTimes(number))) for number in range(len(jobs))]
        if traffic:
            rounds = [numpy.array([bridge.ListPicoseconds(each) for each in bench.GetRounds(number)])
                      for number in range(len(jobs))]
        for number in range(len(jobs) if explains else 0):
            tables.append(explanations.joined([
                _path(bench, number, last, at) for at, last in enumerate(rounds[number], 1)])
                if traffic else _path(bench, number, ends[number]))
        return ends, tables, rounds


def _path(bench, number, ends, round_=0):
    """Returns a job's critical path. ends: when its ranks end; round_: round under traffic, from 1 on"""
    table = explanations.table(bridge.ExplainJob(bench, number, round_))
    table.attrs["rank"] = int(numpy.argmax(ends))
    return table
