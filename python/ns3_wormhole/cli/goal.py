# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole goal."""

import click

from ..collective import explain as explanations
from ..collective.fabric import asked_fabric
from ..collective.groups import RANDOM
from ..core import options
from ..core.errors import WormholeError
from ..core.files import write_whole
from ..core.loader import pandas
from ..core.options import examples
from ..study import goal as goals, spread
from .timeline import with_timeline


@options.with_outages
@click.command(epilog=examples("""
  ns3-wormhole goal app.goal --ideal
  ns3-wormhole goal app.bin --ideal --L=1us --o=300ns --G=80ps --csv=ends.csv
  ns3-wormhole goal app.goal --fabric=cluster.json --machine=edr-infiniband
  ns3-wormhole goal a.goal b.goal --topology=torus:4x4,hosts=2 --place=random
  ns3-wormhole goal app.goal --ideal --explain --explain-csv=path.csv
  ns3-wormhole goal app.goal --topology=torus:4x4 --load=0.2 --rounds=50
  ns3-wormhole goal app.goal --topology=torus:4x4 --load=0.2 --explain
  ns3-wormhole goal app.goal --ideal --collectives=sets.json \\
      --algorithm=allreduction=ring
  ns3-wormhole goal --chakra=traces/step --fabric=cluster.json --explain
  ns3-wormhole goal --chakra=a --chakra=b --topology=torus:4x4
  ns3-wormhole goal --chakra=traces/step --out=step.goal
  ns3-wormhole goal --write=allreduction=ring --group-size=8 --bytes=64000

\b
app.goal:
  num_ranks 2
  rank 0 {
  l1: calc 100
  l2: send 64b to 1 tag 0
  l2 requires l1
  }
  rank 1 {
  l1: recv 64b from 0 tag 0
  }"""))
@click.argument("files", nargs=-1, metavar="FILE...")
@options.with_fabric
@options.placement_option("--place", default="first]  [also round-robin: one rank per host, then a second, and so on")
@options.placements_option
@click.option("--tasks-per-host", type=options.WHOLE, default=1, show_default=True, help="ranks per host, at most")
@click.option("--seed", type=options.WHOLE, default=1, show_default=True, help="seed of random placement")
@click.option("--transport", help="sendrecv or rdma  [default: sendrecv]")
@click.option("--ideal", is_flag=True, help="instead of a fabric, uses the ideal network of the LogGOPS model")
@click.option("--L", "latency", metavar="TIME", help="with --ideal: latency of the network  [default: 2500ns]")
@click.option("--o", "overhead", metavar="TIME", help="with --ideal: message overhead at each end  [default: 1500ns]")
@click.option("--g", "gap", metavar="TIME", help="with --ideal: minimum time between messages of an interface  "
                                                 "[default: 1000ns]")
@click.option("--G", "byte_gap", metavar="TIME", help="with --ideal: time each byte adds to --g  [default: 6ns]")
@click.option("--O", "byte_overhead", metavar="TIME", help="with --ideal: time each byte adds to --o  [default: 0ns]")
@click.option("--S", "eager", type=options.WHOLE, metavar="BYTES", help="with --ideal: longest message that is sent "
                                                              "eagerly  [default: 65535]")
@click.option("--collectives", metavar="FILE", help="JSON file: which operations of the program form a collective")
@click.option("--chakra", multiple=True, metavar="PREFIX",
              help="a job of Chakra execution traces, PREFIX.0.et and so on; repeatable, for several jobs")
@click.option("--groups", metavar="FILE", help="with --chakra: JSON file of groups' ranks, by name (pg_name)")
@click.option("--table", metavar="FILE", help="with --chakra: CSV from compare --bytes; uses the fastest software "
                                              "algorithms in it")
@click.option("--out", metavar="FILE", help="writes the job (there must be only one) as GOAL, and runs nothing")
@click.option("--algorithm", "algorithms", multiple=True, metavar="KIND=NAME",
              help="with --collectives or --chakra: algorithm for the collectives of a kind")
@click.option("--write", metavar="KIND=NAME", help="prints an algorithm as GOAL, and runs nothing")
@click.option("--group-size", "--members", "members", type=options.WHOLE, help="with --write: rank count  [default: 8]")
@click.option("--bytes", "size", type=options.WHOLE, help="with --write: bytes of data  [default: 8]")
@click.option("--csv", metavar="FILE", help="writes each rank's end time (finish_ns), or with --placements, each job's")
@click.option("--explain", is_flag=True, help="prints why the last rank of each job ends when it does: "
                                              "the critical path, by cause")
@click.option("--explain-csv", metavar="FILE", help="writes the critical path, a row for each interval; "
                                                    "with --load, the paths of all rounds")
@click.option("--plot", metavar="FILE", help="with --explain: plots the critical path's time by cause, as .svg, "
                                             ".png or .pdf; with --load, the mean over rounds and the slowest round")
@options.with_traffic()
@with_timeline
@options.interruptible
def goal(files, fabric, topology, routing, machine, attributes, placement, placements, tasks_per_host, seed,
         transport, ideal, latency, overhead, gap, byte_gap, byte_overhead, eager, collectives, chakra,
         groups, table, out, algorithms, write, members, size, csv, explain, explain_csv, plot, load, pattern, flits,
         rounds):
    """Runs parallel programs, given as GOAL schedules.

    Schedules are in GOAL's text form, or in the binary form of LogGOPSim and ATLAHS. On a fabric, the
    attributes of the hosts' software set the costs of messages. Several files are jobs that run at the
    same time; each job also runs alone, and its slowdown is printed. --ideal runs one file on a network
    without contention, by the LogGOPS model. --explain prints the critical path: from the last rank's
    end back to the first cause. With --load, all hosts also send background traffic. The output is then the mean and
    99th percentile over rounds, and the slowdown compared with the job alone without traffic. --explain then prints
    the slowest round, and sums over all rounds.
    """
    if plot is not None and not explain:
        raise WormholeError("--plot has no effect without --explain")
    options.check_files(csv, explain_csv, out, plot=plot)
    if write is not None:
        if files:
            raise WormholeError("--write runs nothing; expected no files with it")
        idle = {option.name: "with --write, which runs nothing"
                for option in click.get_current_context().command.params}
        options.check_idle({**idle, "write": "", "members": "", "size": ""}, True)
        print(goals.as_text(goals.collective(*_pair("--write", write),
                                             8 if members is None else members,
                                             8 if size is None else size)), end="")
        return
    if members is not None or size is not None:
        raise WormholeError("--group-size and --bytes are for --write alone")
    if algorithms and collectives is None and not chakra:
        raise WormholeError("--algorithm has no effect without --collectives=FILE or --chakra=PREFIX")
    options.check_idle({name: "" if chakra else "without --chakra" for name in ("groups", "table")}, True)
    if not files and not chakra:
        raise WormholeError("no schedule is named; expected FILE... or --chakra=PREFIX")
    options.check_idle({"collectives": "" if files else "without FILE"}, True)
    if out is not None:
        for_reading = ("files", "collectives", "chakra", "groups", "table", "algorithms", "out", "ideal")
        options.check_idle({option.name: "with --out, which runs nothing"
                            for option in click.get_current_context().command.params
                            if option.name not in for_reading}, True)
        if len(files) + len(chakra) > 1:
            raise WormholeError(f"{len(files) + len(chakra)} jobs with --out; expected one")
    chosen = goals.by_kind(_pair("--algorithm", each) for each in algorithms)
    schedules = [goals.read(file, collectives, chosen if collectives else None) for file in files]
    schedules += [goals.read_chakra(prefix, groups, chosen, table, ideal) for prefix in chakra]
    files = [*files, *chakra]
    if out is not None:
        write_whole(out, goals.as_text(schedules[0]))
        _print_algorithms(schedules[0], "", True)  # the file may be /dev/stdout
        return
    model = {"L": latency, "o": overhead, "g": gap, "G": byte_gap, "O": byte_overhead, "S": eager}
    model = {name: value for name, value in model.items() if value is not None}
    explains = explain or explain_csv is not None
    traffic = options.traffic_from(load, pattern, flits, rounds)
    if ideal and traffic:
        raise WormholeError(f"--{next(iter(traffic))} is for fabrics, not for --ideal")
    if ideal:
        options.check_idle(dict.fromkeys(
            ("fabric", "topology", "routing", "machine", "attributes", "transport", "placement", "placements",
             "tasks_per_host", "seed", "outage", "recovery"),
            "with --ideal, which has no fabric, machine and attributes; expected --L, --o, --g, --G, "
            "--O and --S"), True)
        if len(files) > 1:
            raise WormholeError(f"{len(files)} files with --ideal; expected one")
        frame, table = goals.ideal_explained(schedules[0], **model) if explains \
            else (goals.ideal(schedules[0], **model), None)
        tables = [table]
    else:
        if model:
            raise WormholeError(f"--{next(iter(model))} is for --ideal alone")
        placement = placement or ("first" if placements is None else "random")
        is_random = placement in RANDOM
        given = {"placement": placement, "tasks_per_host": tasks_per_host, "seed": seed,
                 "transport": transport or "sendrecv", "machine": machine,
                 **options.arguments_from({"attributes": attributes})}
        options.check_idle({"seed": "" if is_random else "without --placement=random"})
        options.check_idle({"placements": "" if is_random else "where placement is not random"}, True)
        on = asked_fabric(fabric, topology, routing)
        given.update(traffic)
        if placements is not None:
            options.check_idle(dict.fromkeys(("explain", "explain_csv", "plot"), "with --placements"), True)
            table = goals.over_placements(on, schedules, placements, **given)
            options.write_table(csv, table)
            for file, schedule in zip(files, schedules):
                _print_algorithms(schedule, f"{file}: ")
            print(spread.as_text(table, ["job"], "finish_us"))
            return
        frame, tables = goals.run_explained(on, schedules, **given) if explains \
            else (goals.run(on, schedules, **given), [])
    for number, (file, schedule) in enumerate(zip(files, schedules)):
        own = frame[frame.job == number] if "job" in frame else frame
        last = own.loc[own.finish_ns.idxmax()]
        slower = f", {own.finish_ns.max() / own.alone_ns.max():.3f} times as long as alone" \
            if len(files) > 1 else ""
        size = f"{file}: {schedule.GetNRanks()} ranks, {schedule.GetNOperations()} operations: "
        if load:
            of = frame.attrs["jobs"][number]
            print(f"{size}{of['mean_ns'] / 1000:.3f} us, 99th percentile {of['p99_ns'] / 1000:.3f} us, "
                  f"{of['mean_ns'] / own.alone_ns.max():.3f} times as long as alone without traffic")
        else:
            print(f"{size}{last.finish_ns / 1000:.3f} us, rank {int(last['rank'])} last{slower}")
        _print_algorithms(schedule, "    ")
        if explain:
            _print_path(tables[number])
    if explain_csv is not None:
        paths = [table.assign(job=number)[["job", *table.columns]] for number, table in enumerate(tables)]
        for path in paths:
            path.attrs.clear()
        options.write_table(explain_csv, pandas.concat(paths))
    if plot is not None:
        bars = {}
        for number, (file, table) in enumerate(zip(files, tables)):
            label = file if files.count(file) == 1 else f"{file}, job {number}"
            if load:
                bars[f"{label}, mean"] = explanations.sums(table) / table["round"].max()
                bars[f"{label}, slowest"] = explanations.sums(explanations.slowest(table))
            else:
                bars[label] = explanations.sums(table)
        explanations.plot(bars, plot, "why the last rank ends when it does, by cause")
    alone = ["rank", "finish_ns"] + (["finish_p99_ns"] if load else [])
    options.write_table(csv, frame[alone if len(files) == 1 else list(frame.columns)])


def _print_algorithms(schedule, before, to_errors=False):
    """Prints, for each kind of replaced collectives, the algorithms that replaced them, and if several, how often."""
    for kind, names in schedule.algorithms.items():
        found = names if len(names) == 1 else [f"{name} ({count})" for name, count in names.most_common()]
        click.echo(f"{before}{kind}: {', '.join(found)}", err=to_errors)


def _print_path(table):
    """Prints a critical path: its intervals, and its time by cause and by the jobs and traffic in its way. With
    traffic, the intervals are those of the slowest round, and the sums are over all rounds."""
    if "round" in table:
        print(f"    round {table.attrs['round']}, the slowest: "
              f"{explanations.slowest(table).to_ps.max() / 1e6:.3f} us, rank {table.attrs['rank']} last")
    print(table.attrs["text"], end="")
    if "sum" in table.attrs:
        print(f"    = {table.attrs['sum']}")
    for line in explanations.shares(table):
        print(f"    {line}")


def _pair(option, text):
    kind, equals, name = text.partition("=")
    if not equals or not name:
        raise WormholeError(f"{option}={text}: expected KIND=NAME, as allreduction=ring")
    return kind, name
