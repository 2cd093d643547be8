# SPDX-License-Identifier: GPL-2.0-only
"""The commands ns3-wormhole fabric ..."""

import json
import pathlib
import statistics
import sys
import warnings

import click

from .. import formats
from ..collective import year as expected_year, years as random_years
from ..collective.fabric import Fabric, topologies
from ..collective.heat import COLUMNS
from ..collective.skyline import skyline as skyline_of, up_cables
from ..collective.variants import EACH_CABLE, EACH_SWITCH, Parts
from ..core import machine as machines, options
from ..core.errors import WormholeError, translated
from ..core.files import try_file, write_whole
from ..core.loader import ns
from ..core.options import examples
from ..core.texts import words
from ..formats import drawing
from ..formats.properties import give_lanes, lanes_taken
from ..formats.texts import counted
from ..report import what_if as what_if_output
from ..study import placement
from .group import Group


class Families(click.Option):
    """An option whose help lists the topology families; only ns-3 knows them, and so must be loaded."""

    def get_help_record(self, ctx):
        """Returns the option's name and help."""
        self.help = "topology family: " + ", ".join(topologies())
        return super().get_help_record(ctx)


@click.group(cls=Group)
def fabric():
    """Draws, checks and makes fabrics."""


def read(where: str, root: str = "", **given) -> Fabric:
    """Returns the fabric in a file or of a topology's text, with routing, machine and attributes if given."""
    is_file = where.endswith(".json") or pathlib.Path(where).is_file()
    made = Fabric.from_file(where, root=root, **given) if is_file else None
    routing = str(made.graph.GetRoutes().routing) if made else ""
    if root and routing != "up-down":
        place = f"the routes of {where}, which are {routing}" if made else where
        raise WormholeError(f"--root={root}: has no effect on {place}; expected --routing=up-down[Root={root}]")
    return made or Fabric.from_text(where, **given)


#: Adds the options by which a command takes a group, and processes that share the work.
with_group = options.adding(
    click.option("--members", "--group-size", "members", help="hosts of the group, or their number; default: all"),
    options.placement_option(default="shuffled; without --members all hosts in the fabric's order"),
    options.with_attributes,
    click.option("--jobs", type=options.WHOLE, default=1, show_default=True, help="processes that share the work"))
_LISTED = 8  # switches that a line lists


def neighbours(of: Fabric) -> dict[str, list[str]]:
    """Returns, for each switch, the nodes at the other ends of its cables."""
    found = {switch: [] for switch in of.switches}
    for near, _, far, _ in of.cables():
        for node, other in ((near, far), (far, near)):
            if node in found:
                found[node].append(other)
    return found


def size(of: Fabric) -> str:
    """Returns the size of a fabric, and its switches that have only one cable (some hosts of these may be unlisted)."""
    computers = int(of.graph.GetNFirstInterfaces())
    several = "" if computers == len(of.hosts) else f" (interfaces of {computers} computers)"
    text = (f"{counted(len(of.switches), 'switch')}, {counted(len(of.hosts), 'host')}{several}, "
            f"{counted(int(of.graph.GetNSwitchLinks()), 'cable')} between switches")
    ends = sorted(switch for switch, far in neighbours(of).items() if len(far) == 1)
    return text + (f" (switches of one cable: {', '.join(ends)})" if ends else "")


def routing_of(of: Fabric) -> str:
    """Returns the routing engine and the number of lanes, and the number of lanes in use if routes don't use all."""
    name = "up-down" if of._root else str(of.graph.GetRoutes().routing)
    taken, there = lanes_taken(of.graph, of.router())
    text = f"{name}, {there} lane{'s' if there > 1 else ''}"
    return text if there == taken else f"{text} of which they take {taken}"


def estimated(figures) -> str:
    """Returns a remark if the bound of Fabric.route_figures() is an estimate, else nothing."""
    error = f", +- {figures['error']:.1%}" if figures["error"] else ""
    return f" (estimate{error})" * figures["is_estimate"] + " (of first choices alone)" * figures["has_choices"]


def tell_choice(of: Fabric) -> None:
    """Prints on standard error which routing engine an imported fat tree got, and by how much it raises the bound."""
    one = of.with_routing("up-down[Spread=hash]").route_figures()
    own = of.route_figures()
    tell_notes([f"a fat tree: routing {of.graph.GetRoutes().routing}, saturation bound "
                f"{own['bound']:.4f}{estimated(own)}; up*/down* below one root had {one['bound']:.4f}"
                f"{estimated(one)}, an equal split {of.equal_split_bound():.4f}", *filter(None, [few_cables(of)])])


def few_cables(of: Fabric) -> str:
    """Returns which switches with hosts, if any, have fewer cables to other switches than most such switches: some of
    their cables may be broken."""
    there = neighbours(of)
    cables = {switch: sum(end in there for end in far) for switch, far in there.items()
              if any(end not in there for end in far)}
    usual = statistics.mode(sorted(cables.values(), reverse=True))
    few = [f"{switch} has {number}" for switch, number in cables.items() if number < usual]
    if not few or 2 * len(few) > len(cables):
        return ""
    more = f"; and {len(few) - _LISTED} more" if len(few) > _LISTED else ""
    return (f"switches with fewer cables to switches than others with hosts, which have {usual}: "
            f"{', '.join(few[:_LISTED])}{more}")


def tell_bundles(of: Fabric) -> None:
    """If there are parallel cables, prints how many of them are used."""
    if bundles := of.bundles():
        print(bundles)


@options.with_outages
@fabric.command(epilog=examples("""
  ns3-wormhole fabric show cluster.json --svg=cluster.svg
  ns3-wormhole fabric show torus:4x4 --members=h0,h5,h15 --svg=tree.svg
  ns3-wormhole fabric show torus:4x4 --heat=waiting --load=0.2 --svg=hot.svg
  ns3-wormhole fabric show torus:4x4 --heat=barrier \\
      --algorithm=dissemination --heat-csv=barrier.csv
  ns3-wormhole fabric show torus:4x4 --routing=adaptive --heat=waiting \\
      --attribute=WormholePort::BufferDepth=128"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--members", "--group-size", "members", help="hosts, or their number, whose barrier tree is drawn")
@options.placement_option(default="shuffled, if --members is given")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--svg", metavar="FILE", help="writes the drawing to FILE")
@click.option("--heat", metavar="WHAT", help="what colours cables: utilisation or waiting (both under uniform "
              "traffic), or barrier (messages of one barrier of all hosts, or of --members)")
@click.option("--load", type=options.NUMBER, help="with --heat: each host's load, as a fraction of its channel's rate  "
              "[default: 0.1]")
@click.option("--flits", metavar="FLITS", help="with --heat: flits of a worm  [default: 64]")
@click.option("--time", metavar="TIME", help="with --heat: how long hosts send  [default: 200us]")
@click.option("--algorithm", metavar="NAME", help="with --heat: the barrier's algorithm  [default: btin]")
@click.option("--heat-csv", metavar="FILE", help="with --heat: writes the values, a row for each channel")
@click.option("--machine", metavar="NAME|FILE", help="with --heat: machine whose attribute values are used, "
              "see ns3-wormhole machine")
@click.option("--attribute", "attributes", multiple=True, metavar="NAME=VALUE",
              help="with --heat: attribute of the fabric, such as WormholePort::BufferDepth=64; overrides --machine")
@options.interruptible
def show(where, members, placement, routing, svg, heat, heat_csv, machine, attributes, **run):
    """Describes a fabric, and draws it."""
    run = {name: value for name, value in run.items() if value is not None}
    also = {"heat-csv": heat_csv, "machine": machine, "attribute": ",".join(attributes)}
    _check_heat(heat, {**run, **{name: value for name, value in also.items() if value}})
    options.check_idle(dict.fromkeys(("outage", "recovery"), "" if heat else "without --heat"), True)
    options.check_files(svg, heat_csv)
    shown = read(where, routing=routing, **options.arguments_from({"machine": machine, "attributes": attributes}))
    members = options.placed(shown, members, placement)
    tree = shown.tree(members) if members else None
    print(size(shown))
    tell_bundles(shown)
    if len(shown.hosts) > 1:
        figures = shown.route_figures()
        print(f"routes: {routing_of(shown)}, {figures['mean_channels']:.2f} channels in the mean, "
              f"{figures['longest']} at most")
        print(f"saturation bound {figures['bound']:.4f}{estimated(figures)}: load of each host at which "
              f"the busiest channel is full{', ' if figures['busiest'] else ''}{figures['busiest']}")
        if (fraction := figures["of_equal_split"]) == fraction:
            print(f"{fraction:.4f} of the bound of an equal split over all shortest paths, "
                  f"{shown.equal_split_bound():.4f}")
    if tree:
        print(f"barrier tree: root {shown.graph.GetName(tree.GetRootSwitch())}, height "
              f"{tree.GetHeight()}, {tree.GetNEdges()} edges")
    drawn = {}
    if heat:
        frame = shown.heat(heat, **run, **({"members": members} if heat == "barrier" else {}))
        column, what = COLUMNS[heat]
        hottest = frame.loc[frame[column].idxmax()]
        print(f"{frame.attrs['beside']}: {what}: most {hottest[column]:g}, from {hottest.node} to {hottest.to}, mean "
              f"{frame[column].mean():.4g}; {frame.worms.sum()} worm-hops in all")
        drawn = {"heat": frame, "by": column}
        options.write_table(heat_csv, frame)
    if svg is not None:
        write_whole(svg, drawing.to_svg(shown, members, **drawn))


def _check_heat(heat, run) -> None:
    if heat is not None and heat not in COLUMNS:
        raise WormholeError(f"--heat={heat}: expected {', '.join(COLUMNS)}")
    kinds = {**dict.fromkeys(("load", "flits", "time"), "=utilisation or waiting"), "algorithm": "=barrier"}
    for name, value in run.items():
        kind = kinds.get(name, "")
        if heat is None or kind and (heat == "barrier") != (kind == "=barrier"):
            raise WormholeError(f"--{name}={value}: has no effect without --heat{kind}")


@fabric.command(epilog=examples("""
  ns3-wormhole fabric check cluster.json
  ns3-wormhole fabric check cluster.json --root=center
  ns3-wormhole fabric check torus:8x8 --routing=balanced
  ns3-wormhole fabric check torus:4x4 --without=each-cable
  ns3-wormhole fabric check irregular:switches=16,hosts=48 --skyline
  ns3-wormhole fabric check torus:4x4 --group-size=8"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--root", default="", help="root of up*/down* routes of a file: first, degree, center or a switch")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--without", type=options.Listed(click.STRING), default="", metavar="NAME,...",
              help="parts that fail, one at a time, as for what-if; checks the remaining fabric each time")
@click.option("--members", "--group-size", "members", help="hosts of a group, or how many; also checks the routes of "
              "multicasts (tree worms) between these hosts, and of their messages to registers in switches")
@options.placement_option(default="shuffled, if --members is given")
@click.option("--skyline", is_flag=True, help="shows the number of switches with cables whose up*/down* direction "
              "changes when a part fails: with --without for each part, else summed up over all cables and switches")
@options.interruptible
def check(where, root, routing, without, members, placement, skyline):
    """Proves that the routes between all hosts cannot deadlock, or prints a cycle of channels.

    If FILE is a case for worm-replay, also checks the routes and lengths of its worms.
    """
    checked = read(where, root, routing=routing)
    names = [checked.hosts[host] for host in checked.group(options.placed(checked, members, placement))
             ] if members or placement else []
    if skyline and not routing_of(checked).startswith("up-down,"):
        raise WormholeError(f"--skyline: has no effect on routes that are {routing_of(checked)}; expected "
                            "--routing=up-down")
    worms = _worms(where)
    print(f"{size(checked)}; routes: {routing_of(checked)}: {_proof(checked, names)}{worms}")
    tell_bundles(checked)
    parts, cables = Parts(checked), up_cables(checked) if skyline else {}
    if skyline and not without:
        _tell_skyline(cables, parts)
    for variant in parts.without(without):
        piece = parts.cut(variant)
        told = f"{variant}: {counted(len(checked.hosts) - len(piece[1]), 'host')} cut off"
        if skyline:
            told += f"; directions change in {len(skyline_of(cables, variant)[0])} of {len(piece[0])} switches"
        if len(piece[1]) < 2:
            print(f"{told}; nothing is left to prove")
            continue
        left, engine = parts.fabric(variant, *piece)
        try:
            print(f"{told}; routes: {engine}: {_proof(left, names)}")
        except WormholeError as error:
            raise WormholeError(f"{variant}: {error}") from None


@translated()
def _worms(where: str) -> str:
    """If a file is a case for worm-replay, checks its worms. Returns what is found."""
    path = pathlib.Path(where)
    if not path.is_file() or "worms" not in json.loads(path.read_bytes()):
        return ""
    return f"; {counted(len(ns.ReadWormCase(where).worms), 'worm')} with valid routes and lengths, see worm-replay"


def _tell_skyline(cables, parts: Parts) -> None:
    """Prints how many single failures change no up*/down* direction. cables: result of up_cables()."""
    kinds = [*[(EACH_CABLE, "cables")] * bool(parts.between), (EACH_SWITCH, "switches")]
    for kind, name in kinds:
        found = [skyline_of(cables, variant) for variant in parts.without([kind])]
        sizes = [len(changed) for changed, _ in found if changed]
        print(f"{len(found)} {name}, one at a time: no direction changes for {1 - len(sizes) / len(found):.0%}"
              + (f", else those of {statistics.mean(sizes):.1f} switches, at most {max(sizes)}" if sizes else "")
              + f"; {sum(cuts for _, cuts in found)} cut the fabric")


def _proof(of: Fabric, names) -> str:
    """Returns what is proved about routes, including a group's routes. names: names of the group's members"""
    group = [name for name in names if name in of.hosts]
    cycle = of.check(group)
    if not group:
        return "free of deadlock"
    return (f"free of deadlock, with tree worms of {counted(len(group), 'member')}"
            + (f" that buffers hold whole (longer ones: {cycle.partition('; ')[0]})" if cycle else ""))


@fabric.command(epilog=examples("""
  ns3-wormhole fabric make cluster.json --switches=24 --hosts=64 --seed=7
  ns3-wormhole fabric make torus:8x8,hosts=2 --out=torus.json
  ns3-wormhole fabric make lanes.json --topology=torus:4x4 --lanes=2 \\
      --grant=worm"""))
@click.argument("file", default="", metavar="[FILE|TEXT]")
@click.option("--out", metavar="FILE", help="fabric file to write, instead of the first argument")
@click.option("--topology", cls=Families)
@click.option("--switches", type=options.WHOLE, default=75, show_default=True, help="number of switches")
@click.option("--hosts", type=options.WHOLE, default=256, show_default=True, help="number of hosts")
@click.option("--ports", type=options.WHOLE, default=8, show_default=True, help="ports of each switch")
@click.option("--connectivity", type=options.NUMBER, default=0.75, show_default=True, help="fraction of ports in use")
@click.option("--law", default="recursive", show_default=True, help="topology model: recursive, walk or pairing")
@click.option("--seed", type=options.WHOLE, default=1, show_default=True, help="seed of random numbers")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--lanes", help="virtual channels (lanes) of each channel; several require --grant=worm")
@click.option("--priorities", metavar="N+N...", help="priority of each lane, 0 to 255")
@click.option("--grant", metavar="flit|worm", help="grants an output when it is free (flit), or "
              "free and with credits for the whole worm (worm)")
@options.interruptible
def make(file, out, topology, seed, lanes, priorities, grant, **drawn):
    """Makes a fabric and writes its file."""
    if ":" in file and file.split(":")[0] in [text.split(":")[0] for text in topologies()]:
        if topology:
            raise WormholeError(f"two topologies, {file} and --topology={topology}; expected one")
        file, topology = "", file
    if bool(file) == bool(out):
        raise WormholeError(f"two files, {file} and --out={out}; expected one" if file else
                            "there is no name of a file; expected one, as --out=cluster.json")
    file = file or out
    try_file(file)
    if topology:
        idle = "with --topology, whose text says it"
        options.check_idle(dict.fromkeys(("switches", "hosts", "ports", "connectivity", "law"), idle), True)
        is_drawn = "irregular" in topology or "random" in topology
        options.check_idle({"seed": "" if is_drawn else f"with --topology={topology}"})
        made = Fabric.from_text(topology, seed=seed, routing=drawn["routing"])
    else:
        made = Fabric.irregular(**drawn, seed=seed)
    said = {"lanes": lanes, "priorities": priorities, "grant": grant}
    give_lanes(made.graph, {name: value for name, value in said.items() if value is not None})
    made.to_file(file)
    print(f"{file}: {counted(len(made.switches), 'switch')}, {counted(len(made.hosts), 'host')}")


@options.with_outages
@fabric.command("what-if", epilog=examples("""
  ns3-wormhole fabric what-if cluster.json --without=each-cable
  ns3-wormhole fabric what-if cluster.json --without=s3,s1:3-s2:4
  ns3-wormhole fabric what-if cluster.json --with=s1:s2,s1/7:s5/6
  ns3-wormhole fabric what-if torus:4x4 --without=each-switch --plot=if.svg
  ns3-wormhole fabric what-if torus:4x4 --without=each-cable --load=0.2"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--without", type=options.Listed(click.STRING), default="", metavar="NAME,...",
              help="parts to remove, one at a time: each-cable (between switches), each-switch, "
                   "pairs-of-cables, a switch (s3), or a cable, named by node and port of both ends (s1:3-s2:4); "
                   "+ joins parts to remove together: s3+s1:3-s2:4")
@click.option("--with", "add", type=options.Listed(click.STRING), default="", metavar="S1:S2,...",
              help="cables to add, one at a time; by default with the first open ports, and the rate of "
                   "most cables from S1 and S2 to switches; to set ports: s1/3:s2/4; to set the rate: s1:s2=400Gbps")
@click.option("--algorithms", type=options.Listed(click.STRING), default="btin,dissemination",
              show_default=True, metavar="NAME,...",
              help="barrier algorithms; for other kinds KIND:NAME, such as broadcast:multicast")
@with_group
@click.option("--tasks-per-host", type=options.WHOLE, default=1, show_default=True, help="processes of each host")
@options.with_traffic()
@click.option("--csv", metavar="FILE", help="also writes the table to FILE")
@click.option("--plot", metavar="FILE", help="writes a plot, .svg, .png or .pdf")
@options.interruptible
def what_if(where, routing, without, add, algorithms, members, placement, machine, attributes, tasks_per_host, jobs,
            load, pattern, flits, rounds, csv, plot):
    """Measures a fabric without one of its parts, or with one more cable.

    One row per change, worst first: number of hosts cut off (which leave the group), tree height, saturation bound, and
    latencies, absolute and relative to the whole fabric's. Routes are recomputed by the fabric's own rule or, where it
    no longer fits, by up-down (on a fat tree, by fat-tree). If a fat tree loses a part, only routes through this part
    are recomputed. With --load, latencies are the mean and 99th percentile under background traffic.
    """
    if not without and not add:
        raise WormholeError("nothing is changed; expected --without=each-cable, "
                            "--without=each-switch, --without=NAME,... and --with=S1:S2,...")
    options.check_files(csv, plot=plot)
    asked = read(where, routing=routing, **options.arguments_from({"machine": machine, "attributes": attributes}))
    members = options.placed(asked, members, placement)
    frame = asked.what_if(without, add, algorithms, members, tasks_per_host=tasks_per_host, jobs=jobs,
                          **options.traffic_from(load, pattern, flits, rounds))
    # Files first: whoever reads the text may have seen enough before its end.
    options.write_table(csv, frame)
    if plot is not None:
        what_if_output.plot(frame, plot, f"What if: {where}, {len(asked.hosts)} hosts")
    print(f"{where}: {size(asked)}")
    print(what_if_output.as_text(frame))


@fabric.command("year", epilog=examples("""
  ns3-wormhole fabric year cluster.json --cable-mtbf=500000 --cable-mttr=8
  ns3-wormhole fabric year cluster.json --cable-mtbf=500000 --cable-mttr=8 \\
      --switch-mtbf=200000 --switch-mttr=24 --lost=0.5 --csv=year.csv
  ns3-wormhole fabric year torus:4x4 --cable-mtbf=5000 --cable-mttr=8 \\
      --runs=1000"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--cable-mtbf", type=options.NUMBER, default=0, metavar="HOURS",
              help="mean time to failure of each cable between switches; 0: cables never fail")
@click.option("--cable-mttr", type=options.NUMBER, default=0, metavar="HOURS", help="mean time to repair a cable")
@click.option("--switch-mtbf", type=options.NUMBER, default=0, metavar="HOURS",
              help="mean time to failure of each switch; 0: switches never fail")
@click.option("--switch-mttr", type=options.NUMBER, default=0, metavar="HOURS", help="mean time to repair a switch")
@click.option("--pairs", is_flag=True, help="also measures states with two cables down")
@click.option("--lost", type=options.NUMBER, default=0, metavar="HOURS",
              help="hours of work that each member loses per failure (with --runs, per failure that forces its "
                   "collective to start anew)")
@click.option("--runs", type=options.WHOLE, metavar="N",
              help="draws N random years, and prints mean and quantiles  [default: prints a year's expected values]")
@click.option("--seed", type=options.WHOLE, default=1, show_default=True, help="with --runs: random seed")
@click.option("--states", type=options.WHOLE, default=10000, show_default=True,
              help="with --runs: maximum number of states to measure, longest-lasting first")
@click.option("--algorithms", type=options.Listed(click.STRING), default="btin,dissemination",
              show_default=True, metavar="NAME,...", help="as for what-if")
@with_group
@click.option("--csv", metavar="FILE", help="writes a row for each state; with --runs, for each year")
@options.interruptible
def year(where, routing, cable_mtbf, cable_mttr, switch_mtbf, switch_mttr, pairs, lost, runs, seed, states,
         algorithms, members, placement, machine, attributes, jobs, csv):
    """Estimates availability, slowdown and lost work over a year in which parts fail.

    Each state is measured once, as in what-if, and weighted by its total duration. States: the whole
    fabric; each single part down; with --pairs, two cables down; with --runs, the states of random years.
    """
    options.check_files(csv)
    options.check_idle({"pairs": "with --runs"} if runs is not None else dict.fromkeys(("seed", "states"), "without --runs"))
    asked = read(where, routing=routing, **options.arguments_from({"machine": machine, "attributes": attributes}))
    rates = (cable_mtbf, cable_mttr), (switch_mtbf, switch_mttr)
    group = options.placed(asked, members, placement)
    if runs is not None:
        frame = asked.years(*rates, algorithms, group, runs=runs, seed=seed, lost=lost, states=states, jobs=jobs)
    else:
        frame = asked.year(*rates, algorithms, group, pairs=pairs, lost=lost, jobs=jobs)
    options.write_table(csv, frame)
    print(f"{where}: {size(asked)}; machine: {machines.told(asked.machine)}")
    print((expected_year if runs is None else random_years).as_text(frame))


@fabric.command("place", params=[
    click.Option(["--routing"], default="", metavar="NAME", help=options.ROUTING),
    *options.parameters_of(placement.place, leave_out=("fabric",))], epilog=examples("""
  ns3-wormhole fabric place cluster.json --group-size=16
  ns3-wormhole fabric place cluster.json --group-size=32 --busy=h0,h1,h7 \\
      --rankfile=ranks
  ns3-wormhole fabric place torus:8x8 --group-size=16 --kind=alltoall \\
      --bytes=64KiB"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--csv", metavar="FILE", help="also writes the table to FILE")
@click.option("--hostlist", metavar="FILE", help="writes the best hosts, one line per rank, for "
              "SLURM_HOSTFILE and mpirun --hostfile")
@click.option("--nodelist", metavar="FILE", help="writes the best hosts for srun --nodelist")
@click.option("--rankfile", metavar="FILE", help="writes the best hosts as an Open MPI rankfile")
@options.interruptible
def place_job(where, routing, csv, hostlist, nodelist, rankfile, **values):
    """Finds the hosts, and their order, on which a job's collective is fastest.

    Also shown: consecutive hosts, one host per switch in turn, and the worst order tried. Each row
    names the channel for which messages waited longest.
    """
    options.check_files(csv, hostlist, nodelist, rankfile)
    given = options.arguments_from(values)
    given["busy"] = options.members_from(given.get("busy")) or ()
    frame = placement.place(read(where, routing=routing), **given)
    hosts = frame.hosts.iloc[0]
    for path, text in ((hostlist, "".join(f"{host}\n" for host in hosts)),
                       (nodelist, placement.nodelist(hosts) + "\n"),
                       (rankfile, placement.rankfile(hosts))):
        if path is not None:
            write_whole(path, text)
    options.write_table(csv, frame.assign(hosts=frame.hosts.map(words)))
    print(placement.as_text(frame))


def tell_notes(notes) -> None:
    """Prints notes on standard error, a line each."""
    for note in notes:
        print(f"ns3-wormhole: {note}", file=sys.stderr)


@fabric.command("import", epilog=examples("""
  ns3-wormhole fabric import subnet.txt --out=cluster.json
  ns3-wormhole fabric import subnet.txt --routes=lfts.txt
  ns3-wormhole fabric import topology.conf --from=slurm --island=leaf1
  ns3-wormhole fabric import zoo.gml --hosts-per-switch=4"""))
@click.argument("file")
@click.option("--from", "format", metavar="FORMAT",
              help=f"{', '.join(formats.READERS)}; default: detected from the file's suffix or beginning")
@click.option("--routes", metavar="FILE", help="for ibnetdiscover: forwarding tables from dump_fts or "
              "dump_lfts.sh, or from OpenSM (opensm-lfts.dump)")
@click.option("--interfaces", is_flag=True, help="for ibnetdiscover: ports of one computer become "
              "its interfaces, not separate hosts")
@click.option("--island", metavar="NODE|NUMBER", help="part to import if the file has several unconnected "
              "parts: a node of it, or its number in the error message")
@click.option("--hosts-per-switch", type=options.WHOLE, metavar="N",
              help="hosts to add to each switch if the file has only switches")
@click.option("--out", metavar="FILE", help="fabric file to write  [default: fabric.json, if that does not exist]")
@options.interruptible
def import_fabric(file, format, routes, interfaces, island, hosts_per_switch, out):
    """Converts a cluster's topology from another format to a fabric file."""
    if out is None and pathlib.Path("fabric.json").exists():
        raise WormholeError("fabric.json is there already; expected another name with --out, or "
                            "the same to write over it")
    out = "fabric.json" if out is None else out
    try_file(out)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        made = Fabric.read(file, format, routes=routes, interfaces=interfaces, island=island,
                           hosts_per_switch=hosts_per_switch)
    made.to_file(out)
    tell_notes(each.message for each in told)
    if str(made.graph.GetRoutes().routing) == "fat-tree":
        tell_choice(made)
    print(f"{out}: {size(made)}")


@fabric.command("export", epilog=examples("""
  ns3-wormhole fabric export cluster.json --to=graphml --out=cluster.graphml
  ns3-wormhole fabric export torus:4x4 --to=dot | neato -Tsvg > torus.svg
  ns3-wormhole fabric export cluster.json --to=routes --out=routes.csv
  ns3-wormhole fabric export torus:4x4 --to=routes --routing=balanced"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--to", "format", required=True, metavar="FORMAT", help=", ".join(formats.WRITERS))
@click.option("--out", default="/dev/stdout", metavar="FILE", help="file to write  [default: standard output]")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@options.interruptible
def export_fabric(where, format, out, routing):
    """Writes a fabric in another format. Only GraphML and DOT keep all its data, except outages."""
    if out != "/dev/stdout":
        try_file(out)
    text, notes = formats.write(read(where, routing=routing), format)
    if out == "/dev/stdout":
        sys.stdout.writelines([text] if isinstance(text, str) else text)
    else:
        write_whole(out, text)
    tell_notes(notes)
