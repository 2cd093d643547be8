# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole."""

from __future__ import annotations

import pathlib
import statistics
import sys
import textwrap
import warnings

import click

from .. import formats
from ..collective import year as expected_year, years as random_years
from ..collective.fabric import Fabric, topologies
from ..collective.heat import COLUMNS
from ..collective.variants import Parts
from ..core import machine as machines, options
from ..core.errors import WormholeError, nearest
from ..core.files import try_file, write_whole
from ..core.options import examples
from ..core.program import run as run_program
from ..formats import drawing
from ..formats.properties import give_lanes, lanes_taken
from ..formats.texts import counted
from ..report import (outages as outages_output, predictions as predictions_output, routing as routing_output,
                      what_if as what_if_output)
from ..reproduce.command import reproduce
from ..reproduce.places import commit, version
from ..study import adapter as adapters, outages as outage_study, placement, predictions, studies
from ..study.campaign import Campaign
from ..study.functions import tables
from .compare import command as compare
from .goal import goal
from .osu import calibrate, osu
from .plugin import cxxflags, plugin_option
from .timeline import timeline


class Group(click.Group):
    """Commands; a wrong one names the nearest."""

    def resolve_command(self, ctx, args):
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command '{args[0]}'; there are "
                                   f"{', '.join(self.commands)}{nearest(args[0], self.commands)}")
        return super().resolve_command(ctx, args)


class Families(click.Option):
    """An option whose help lists the families, which ns-3 must be loaded for."""

    def get_help_record(self, ctx):
        """Returns name and help."""
        self.help = "a family's text: " + ", ".join(topologies())
        return super().get_help_record(ctx)


def tell_version(context, _, is_asked):
    """Prints the version, if asked, and ends."""
    if is_asked:
        click.echo(" ".join(["ns3-wormhole", version(), commit()]).rstrip())
        context.exit()


@click.group(cls=Group, epilog=examples("""
  ns3-wormhole compare --topology=torus:8x8 --group-sizes=8,32
  ns3-wormhole fabric show cluster.json --members=h0,h4,h7 --svg=cluster.svg
  ns3-wormhole campaign sweep.json --csv=sweep.csv --workers=4"""))
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=tell_version,
              help="Show the version, and the commit of a checkout, and exit.")
@plugin_option
def app():
    """Wormhole cluster fabrics and their barriers in ns-3."""


@click.command("routing-comparison", params=options.parameters_of(studies.routing_comparison), epilog=examples("""
  ns3-wormhole routing-comparison --fabrics=torus:8x8 --no-simulate
  ns3-wormhole routing-comparison --runs=20 --csv=routing.csv \\
      --fabrics=irregular:switches=75,hosts=256 --engines=up-down,balanced
  ns3-wormhole routing-comparison --fabrics=cluster.json --plot=routing.svg"""))
@click.option("--csv", metavar="FILE", help="a row for each fabric, drawing and engine, in place of tables")
@click.option("--plot", metavar="FILE", help="bounds and saturation, .svg, .png or .pdf")
@options.interruptible
def compare_routings(csv, plot, **values):
    """Compares routing engines on fabrics: what their routes allow, and what is carried.

    For each fabric and engine: lanes that the routes take, the channels of a route, the load of each host
    at which the busiest channel is full, the load from which on the fabric is saturated, the latency
    of worms at low load, and barriers.
    """
    options.check_files(csv, plot=plot)
    frame = studies.routing_comparison(**options.arguments_from(values))
    options.write_table(csv, frame)
    if csv is None:
        print(routing_output.as_text(frame))
    if plot is not None:
        routing_output.plot(frame, plot)


@click.command(params=options.parameters_of(predictions.predictions), epilog=examples("""
  ns3-wormhole predict --topology=clos:ports=16 --tables=osu_latency.txt,loggp.csv \\
      --predict=collectives.csv --plot=far.svg

\b
collectives.csv:
  benchmark,algorithm,members,size,value,statistic
  bcast,binomial,16,16384,28.301,max"""))
@click.option("--csv", metavar="FILE", help="where a row for each measurement goes")
@click.option("--plot", metavar="FILE", help="simulated over measured values, .svg, .png or .pdf")
@options.interruptible
def predict(csv, plot, **values):
    """Fits hosts' costs to measured tables of a real machine, and predicts others.

    Tells how far values are, by collective: what was fitted, and what was predicted and not
    used for the fit.
    """
    options.check_files(csv, plot=plot)
    frame = predictions.predictions(**options.arguments_from(values))
    options.write_table(csv, frame)
    if plot is not None:
        predictions_output.plot(frame, plot, "Measured and simulated")
    print(predictions_output.as_text(frame))


@click.command(params=options.parameters_of(adapters.adapter), epilog=examples("""
  ns3-wormhole adapter --topology=clos:ports=16 --size=16 --host-us=181.8 --adapter-us=102.14"""))
@click.option("--csv", metavar="FILE", help="where the table goes, too")
@options.interruptible
def adapter(csv, **values):
    """Tells what a barrier gains that network adapters run, over how fast their processors are.

    A host's message takes what makes the simulated barrier as long as the measured one. An adapter's
    takes it by a ratio; the marked row has the one that makes the other barrier as long, too.
    """
    options.check_files(csv)
    frame = adapters.adapter(**options.arguments_from(values))
    options.write_table(csv, frame)
    print(frame.assign(measured=frame.measured.map({True: "*", False: ""})).to_string(
        index=False, na_rep="-", float_format=lambda value: f"{value:.4g}"))


@click.command("outages", params=options.parameters_of(outage_study.outages), epilog=examples("""
  ns3-wormhole outages --topology=torus:4x4 --size=8
  ns3-wormhole outages --fabric=cluster.json --size=32 --names=btin,dissemination \
      --failures=s3,s1:3-s2:4 --recovery=overlapping --csv=table.csv --plot=rounds.svg"""))
@click.option("--csv", metavar="FILE", help="where the table goes, too")
@click.option("--rounds-csv", metavar="FILE", help="where a row for each round and set-up goes")
@click.option("--plot", metavar="FILE", help="rounds over time, .svg, .png or .pdf")
@options.interruptible
def outages(csv, rounds_csv, plot, **values):
    """Takes collectives through a failure and its repair: rounds lost, who waits, what is to be done.

    Each scheme does rounds one after the other while a part goes down and comes up again. Hosts
    retransmit, routes recover (--recovery), and the owner of a group that has failed makes a new one.
    """
    options.check_files(csv, rounds_csv, plot=plot)
    frame = outage_study.outages(**options.arguments_from(values))
    options.write_table(csv, frame)
    options.write_table(rounds_csv, outage_study.rounds(frame))
    if plot is not None:
        outages_output.plot(frame, plot)
    print(outages_output.as_text(frame))


app.add_command(predict)
app.add_command(outages)
app.add_command(adapter)
app.add_command(compare)
app.add_command(compare_routings)
app.add_command(reproduce)
app.add_command(osu)
app.add_command(calibrate)
app.add_command(goal)
app.add_command(timeline)
app.add_command(cxxflags)


@app.group(cls=Group, name="machine")
def machine_group():
    """Lists machines, and shows the configuration in effect."""


@machine_group.command("list", epilog=examples("""
  ns3-wormhole machine list"""))
@options.interruptible
def list_machines():
    """Lists the machines that may be given by name."""
    for name in machines.names():
        what, source = machines.describe(name)
        print(f"{name}: {what}")
        print(textwrap.fill(source, 100, initial_indent="    ", subsequent_indent="    "))


@machine_group.command("show", epilog=examples("""
  ns3-wormhole machine show
  ns3-wormhole machine show edr-infiniband > mine.toml"""))
@click.argument("machine", metavar="[NAME|FILE]", required=False)
@options.interruptible
def show_machine(machine):
    """Shows what is in effect on a machine, or by default, as a file to keep and edit."""
    print(machines.show(machine), end="")


@app.group(cls=Group)
def fabric():
    """Draws, checks and makes fabrics."""


def read(where: str, root: str = "", **given) -> Fabric:
    """Returns the fabric of a file or a family's text, with routing, machine and attributes if
    given."""
    if where.endswith(".json") or pathlib.Path(where).is_file():
        made = Fabric.from_file(where, root=root, **given)
        routing = str(made.graph.GetRoutes().routing)
        if root and routing != "up-down":
            raise WormholeError(f"--root={root}: has no effect on the routes of {where}, which are "
                                f"{routing}; expected --routing=up-down[Root={root}]")
        return made
    if root:
        raise WormholeError(f"--root={root}: has no effect on {where}; expected "
                            f"--routing=up-down[Root={root}]")
    return Fabric.from_text(where, **given)


_LISTED = 8  # switches that a line lists


def size(of: Fabric) -> str:
    """Returns how large a fabric is, and which switches are hardly used: perhaps hosts not listed."""
    computers = int(of.graph.GetNFirstInterfaces())
    several = "" if computers == len(of.hosts) else f" (interfaces of {computers} computers)"
    cables = counted(int(of.graph.GetNSwitchLinks()), "cable")
    text = (f"{counted(len(of.switches), 'switch')}, {counted(len(of.hosts), 'host')}{several}, "
            f"{cables} between switches")
    graph = of.to_networkx()
    ends = sorted(node for node in of.switches if graph.degree(node) == 1)
    return text + (f" (switches of one cable: {', '.join(ends)})" if ends else "")


def routing_of(of: Fabric) -> str:
    """Returns which routes there are, how many lanes, and how many of them routes take if that is not
    all."""
    name = "up-down" if of._root else str(of.graph.GetRoutes().routing)
    router = of.router()  # held here: nobody else may hold it
    taken, there = lanes_taken(of.graph, router)
    text = f"{name}, {there} lane{'s' if there > 1 else ''}"
    return text if there == taken else f"{text} of which they take {taken}"


def estimated(figures) -> str:
    """Returns what is beside a bound of Fabric.route_figures() that is an estimate."""
    if not figures["is_estimate"]:
        return ""
    return f" (estimate, +- {figures['error']:.1%})" if figures["error"] else " (estimate)"


def tell_choice(of: Fabric) -> None:
    """Prints which engine an imported fat tree got, and what it brings, on standard error."""
    one = of.with_routing("up-down[Spread=hash]").route_figures()
    own = of.route_figures()
    print(f"ns3-wormhole: a fat tree: routing {of.graph.GetRoutes().routing}, saturation bound "
          f"{own['bound']:.4f}{estimated(own)}; up*/down* below one root had {one['bound']:.4f}"
          f"{estimated(one)}, an equal split {of.equal_split_bound():.4f}", file=sys.stderr)
    if few := few_cables(of):
        print(f"ns3-wormhole: {few}", file=sys.stderr)


def few_cables(of: Fabric) -> str:
    """Returns which switches with hosts have fewer cables to other switches than most of these have, if
    any: cables that are broken, perhaps."""
    graph, switches = of.to_networkx(), set(of.switches)
    cables = {}
    for switch in of.switches:
        far = [end for _, end in graph.edges(switch)]
        if any(end not in switches for end in far):
            cables[switch] = sum(end in switches for end in far)
    usual = statistics.mode(sorted(cables.values(), reverse=True))
    few = [f"{switch} has {number}" for switch, number in cables.items() if number < usual]
    if not few or 2 * len(few) > len(cables):
        return ""
    more = f"; and {len(few) - _LISTED} more" if len(few) > _LISTED else ""
    return (f"switches with fewer cables to switches than others with hosts, which have {usual}: "
            f"{', '.join(few[:_LISTED])}{more}")


def tell_bundles(of: Fabric) -> None:
    """Prints how many of parallel cables are used, if there are any."""
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
@click.option("--members", help="hosts whose barrier tree is drawn, or how many")
@options.placement_option(default="shuffled")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--svg", metavar="FILE", help="where the drawing goes")
@click.option("--heat", metavar="WHAT", help="colours cables by utilisation or waiting under uniform "
              "traffic, or by use in a barrier of all hosts or --members")
@click.option("--load", type=options.NUMBER, help="heat: traffic of each host over its rate  [default: 0.1]")
@click.option("--flits", metavar="FLITS", help="heat: length of its worms  [default: 64]")
@click.option("--time", metavar="TIME", help="heat: how long hosts send  [default: 200us]")
@click.option("--algorithm", metavar="NAME", help="heat: the barrier's algorithm  [default: btin]")
@click.option("--heat-csv", metavar="FILE", help="heat: where its numbers go, a row for each channel")
@click.option("--machine", metavar="NAME|FILE", help="heat: machine whose values hold, see ns3-wormhole "
              "machine")
@click.option("--attribute", "attributes", multiple=True, metavar="NAME=VALUE",
              help="heat: of the fabric, as WormholePort::BufferDepth=64; overrides the machine's")
@options.interruptible
def show(where, members, placement, routing, svg, heat, heat_csv, machine, attributes, **run):
    """Tells what a fabric is, and draws it."""
    run = {name: value for name, value in run.items() if value is not None}
    also = {"heat-csv": heat_csv, "machine": machine, "attribute": ",".join(attributes)}
    _check_heat(heat, {**run, **{name: value for name, value in also.items() if value}})
    options.check_files(svg, heat_csv)
    given = options.arguments_from({"machine": machine, "attributes": attributes})
    shown = read(where, routing=routing, **given)
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
        print(f"{what}: most {hottest[column]:g}, from {hottest.node} to {hottest.to}, mean "
              f"{frame[column].mean():.4g}; {frame.worms.sum()} worm-hops in all")
        drawn = {"heat": frame, "by": column}
        options.write_table(heat_csv, frame)
    if svg is not None:
        write_whole(svg, drawing.to_svg(shown, members, **drawn))


def _check_heat(heat, run) -> None:
    """Refuses options of a run that would have no effect."""
    if heat is not None and heat not in COLUMNS:
        raise WormholeError(f"--heat={heat}: expected {', '.join(COLUMNS)}")
    of_traffic = ("load", "flits", "time")
    for name, value in run.items():
        of_any = name in ("heat-csv", "machine", "attribute")
        wanted = "utilisation or waiting" if name in of_traffic else "barrier"
        if heat is None or not of_any and (heat == "barrier") == (name in of_traffic):
            raise WormholeError(f"--{name}={value}: has no effect without --heat"
                                + ("" if of_any else f"={wanted}"))


@fabric.command(epilog=examples("""
  ns3-wormhole fabric check cluster.json
  ns3-wormhole fabric check cluster.json --root=center
  ns3-wormhole fabric check torus:8x8 --routing=balanced
  ns3-wormhole fabric check torus:4x4 --without=each-cable
  ns3-wormhole fabric check torus:4x4 --members=8"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--root", default="", help="root of the routes: first, degree, center or a switch")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--without", type=options.Listed(click.STRING), default="", metavar="NAME,...",
              help="parts that fail, each alone, as for what-if: what is left is proved, too")
@click.option("--members", help="hosts of a group, or how many: with tree worms from each to the others, "
              "and their messages to registers")
@options.placement_option(default="shuffled")
@options.interruptible
def check(where, root, routing, without, members, placement):
    """Proves that routes of all pairs of hosts cannot deadlock, or names the cycle."""
    checked = read(where, root, routing=routing)
    names = [checked.hosts[host] for host in checked.group(options.placed(checked, members, placement))
             ] if members or placement else []
    proof = _proof(checked, names)
    print(f"{size(checked)}; routes: {routing_of(checked)}: {proof}")
    tell_bundles(checked)
    parts = Parts(checked)
    for variant in parts.without(without):
        piece = parts.cut(variant)
        told = f"{variant}: {counted(len(checked.hosts) - len(piece[1]), 'host')} cut off"
        if len(piece[1]) < 2:
            print(f"{told}; nothing is left to prove")
            continue
        left, engine = parts.fabric(variant, *piece)
        try:
            print(f"{told}; routes: {engine}: {_proof(left, names)}")
        except WormholeError as error:
            raise WormholeError(f"{variant}: {error}") from None


def _proof(of: Fabric, names) -> str:
    """Returns what is proved of routes, those of a group among them. names: of its members."""
    group = [name for name in names if name in of.hosts]
    cycle = of.check(group)
    if not group:
        return "free of deadlock"
    return (f"free of deadlock, with tree worms of {counted(len(group), 'member')}"
            + (f" that buffers hold whole (longer ones: {cycle.partition('; ')[0]})" if cycle else ""))


@fabric.command(epilog=examples("""
  ns3-wormhole fabric make cluster.json --switches=24 --hosts=64 --seed=7
  ns3-wormhole fabric make torus.json --topology=torus:8x8,hosts=2
  ns3-wormhole fabric make lanes.json --topology=torus:4x4 --lanes=2 \\
      --grant=worm"""))
@click.argument("file")
@click.option("--topology", cls=Families)
@click.option("--switches", type=options.WHOLE, default=75, show_default=True, help="number of switches")
@click.option("--hosts", type=options.WHOLE, default=256, show_default=True, help="number of hosts")
@click.option("--ports", type=options.WHOLE, default=8, show_default=True, help="ports of each switch")
@click.option("--connectivity", type=options.NUMBER, default=0.75, show_default=True,
              help="ratio of ports in use")
@click.option("--law", default="recursive", show_default=True, help="recursive, walk or pairing")
@click.option("--seed", type=options.WHOLE, default=1, show_default=True, help="seed of random numbers")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--lanes", help="virtual channels (lanes) of each channel; several require --grant=worm")
@click.option("--priorities", metavar="N+N...", help="priority of each lane, 0 to 255")
@click.option("--grant", metavar="flit|worm", help="when an output is granted")
@options.interruptible
def make(file, topology, seed, lanes, priorities, grant, **drawn):
    """Makes a fabric and writes its file."""
    if ":" in file and file.split(":")[0] in [text.split(":")[0] for text in topologies()]:
        raise WormholeError(f"{file} is a topology, which --topology takes; expected a file's name, "
                            "such as cluster.json")
    try_file(file)
    drawn["seed"] = seed
    if topology:
        idle = "with --topology, whose text says it"
        options.check_idle(dict.fromkeys(("switches", "hosts", "ports", "connectivity", "law"), idle), True)
        is_drawn = "irregular" in topology or "random" in topology
        options.check_idle({"seed": "" if is_drawn else f"with --topology={topology}"})
        made = Fabric.from_text(topology, seed=seed, routing=drawn["routing"])
    else:
        made = Fabric.irregular(**drawn)
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
              help="each-cable (between switches), each-switch, pairs-of-cables, switches as s3, or "
                   "cables as s1:3-s2:4, node and port of both ends; one at a time, several at once as "
                   "s3+s1:3-s2:4")
@click.option("--with", "add", type=options.Listed(click.STRING), default="", metavar="S1:S2,...",
              help="cables to lay, one at a time; at the first open ports, or as s1/3:s2/4; with the "
                   "rate of most cables there, or as s1:s2=400Gbps")
@click.option("--algorithms", type=options.Listed(click.STRING), default="btin,dissemination",
              show_default=True, metavar="NAME,...",
              help="barriers; others as broadcast:multicast or allreduction:ring[Bytes=65536]")
@click.option("--members", help="hosts of the group, or how many; all without it")
@options.placement_option(default="shuffled")
@options.with_attributes
@click.option("--jobs", type=options.WHOLE, default=1, show_default=True,
              help="processes that share the work")
@options.with_traffic()
@click.option("--csv", metavar="FILE", help="where the table goes, too")
@click.option("--plot", metavar="FILE", help="where a plot goes, .svg, .png or .pdf")
@options.interruptible
def what_if(where, routing, without, add, algorithms, members, placement, machine, attributes, jobs, load, pattern,
            flits, rounds, csv, plot):
    """Measures a fabric without one of its parts, or with one more cable.

    Each row is one such change, the worst first: hosts that it cuts off, which leave the group, height
    of the barrier tree, saturation bound, and latencies, absolute and over the whole fabric's. Routes
    are computed anew, as up/down where the fabric's own rule no longer fits; on a fat tree that loses
    a part, only those that took it. With --load, latencies are the mean and 99th percentile under
    background traffic.
    """
    if not without and not add:
        raise WormholeError("nothing is changed; expected --without=each-cable, "
                            "--without=each-switch, --without=NAME,... and --with=S1:S2,...")
    options.check_files(csv, plot=plot)
    given = options.arguments_from({"machine": machine, "attributes": attributes})
    asked = read(where, routing=routing, **given)
    members = options.placed(asked, members, placement)
    frame = asked.what_if(without, add, algorithms, members, jobs=jobs,
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
  ns3-wormhole fabric year torus:4x4 --cable-mtbf=5000 --cable-mttr=8 --runs=1000"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@click.option("--cable-mtbf", type=options.NUMBER, default=0, metavar="HOURS",
              help="mean time to a failure of each cable between switches; 0: none")
@click.option("--cable-mttr", type=options.NUMBER, default=0, metavar="HOURS", help="and to its repair")
@click.option("--switch-mtbf", type=options.NUMBER, default=0, metavar="HOURS",
              help="mean time to a failure of each switch; 0: none")
@click.option("--switch-mttr", type=options.NUMBER, default=0, metavar="HOURS", help="and to its repair")
@click.option("--pairs", is_flag=True, help="measure states without two cables, too")
@click.option("--lost", type=options.NUMBER, default=0, metavar="HOURS",
              help="work that every member loses at each failure, with --runs at those that its "
                   "collective does not survive")
@click.option("--runs", type=options.WHOLE, metavar="N",
              help="random years, of which mean and quantiles are told; without it what to expect of one")
@click.option("--seed", type=options.WHOLE, default=1, show_default=True, help="--runs: of random numbers")
@click.option("--states", type=options.WHOLE, default=10000, show_default=True,
              help="--runs: that are measured at most, those that last longest")
@click.option("--algorithms", type=options.Listed(click.STRING), default="btin,dissemination",
              show_default=True, metavar="NAME,...", help="as for what-if")
@click.option("--members", help="hosts of the group, or how many; all without it")
@options.placement_option(default="shuffled")
@click.option("--jobs", type=options.WHOLE, default=1, show_default=True,
              help="processes that share the work")
@click.option("--csv", metavar="FILE", help="where the states go, with --runs the years, a row each")
@options.interruptible
def year(where, routing, cable_mtbf, cable_mttr, switch_mtbf, switch_mttr, pairs, lost, runs, seed, states,
         algorithms, members, placement, jobs, csv):
    """Tells a year of a fabric whose parts fail: availability, slowdown and lost work.

    Each state is measured once, as by what-if, and weighted by how long it lasts: that of all parts,
    those without one, and with --pairs those without two cables; with --runs those of random years.
    """
    options.check_files(csv)
    options.check_idle({"pairs": "with --runs"} if runs is not None else dict.fromkeys(("seed", "states"), "without --runs"))
    asked = read(where, routing=routing)
    rates = (cable_mtbf, cable_mttr), (switch_mtbf, switch_mttr)
    group = options.placed(asked, members, placement)
    if runs is not None:
        frame = asked.years(*rates, algorithms, group, runs=runs, seed=seed, lost=lost, states=states, jobs=jobs)
    else:
        frame = asked.year(*rates, algorithms, group, pairs=pairs, lost=lost, jobs=jobs)
    options.write_table(csv, frame)
    print(f"{where}: {size(asked)}")
    print((expected_year if runs is None else random_years).as_text(frame))


@fabric.command("place", params=[
    click.Option(["--routing"], default="", metavar="NAME", help=options.ROUTING),
    *options.parameters_of(placement.place, leave_out=("fabric",))], epilog=examples("""
  ns3-wormhole fabric place cluster.json --size=16
  ns3-wormhole fabric place cluster.json --size=32 --busy=h0,h1,h7 --rankfile=ranks
  ns3-wormhole fabric place torus:8x8 --size=16 --kind=alltoall --bytes=64KiB"""))
@click.argument("where", metavar="FILE|TEXT")
@click.option("--csv", metavar="FILE", help="where the table goes, too")
@click.option("--hostlist", metavar="FILE", help="where the best hosts go, a line for each rank, as "
              "SLURM_HOSTFILE and mpirun --hostfile have them")
@click.option("--nodelist", metavar="FILE", help="where they go as srun --nodelist has them")
@click.option("--rankfile", metavar="FILE", help="where they go as Open MPI's rankfile")
@options.interruptible
def place_job(where, routing, csv, hostlist, nodelist, rankfile, **values):
    """Finds the hosts on which a job's collective is fastest, and their order.

    Beside them: consecutive hosts, hosts of each switch in turn, and the worst that was tried, with
    the channel that messages waited for longest.
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
    options.write_table(csv, frame.assign(hosts=frame.hosts.map(" ".join)))
    print(placement.as_text(frame))


def tell_notes(notes) -> None:
    """Prints what was left out on standard error, a line each."""
    for note in notes:
        print(f"ns3-wormhole: {note}", file=sys.stderr)


@fabric.command("import", epilog=examples("""
  ns3-wormhole fabric import subnet.txt --out=cluster.json
  ns3-wormhole fabric import subnet.txt --routes=lfts.txt
  ns3-wormhole fabric import topology.conf --from=slurm --island=leaf1
  ns3-wormhole fabric import zoo.gml --hosts-per-switch=4"""))
@click.argument("file")
@click.option("--from", "format", metavar="FORMAT",
              help=f"{', '.join(formats.READERS)}; by the file's suffix or beginning without it")
@click.option("--routes", metavar="FILE", help="forwarding tables for ibnetdiscover, as dump_fts or "
              "dump_lfts.sh prints and OpenSM (opensm-lfts.dump) writes them")
@click.option("--interfaces", is_flag=True, help="of ibnetdiscover: ports of one computer are its "
              "interfaces, not hosts of their own")
@click.option("--island", metavar="NODE|NUMBER", help="of several parts that no cable joins: the one "
              "with that node, or of that number in the refusal that lists them")
@click.option("--hosts-per-switch", type=options.WHOLE, metavar="N",
              help="hosts to add to each switch of a file that has switches only")
@click.option("--out", metavar="FILE", help="where the fabric file goes  [default: fabric.json, if "
              "that is not there]")
@options.interruptible
def import_fabric(file, format, routes, interfaces, island, hosts_per_switch, out):
    """Makes a fabric file of a cluster's topology in another format."""
    if out is None:
        out = "fabric.json"
        if pathlib.Path(out).exists():
            raise WormholeError(f"{out} is there already; expected another name with --out, or "
                                "the same to write over it")
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
@click.option("--out", default="/dev/stdout", metavar="FILE",
              help="where it goes  [default: standard output]")
@click.option("--routing", default="", metavar="NAME", help=options.ROUTING)
@options.interruptible
def export_fabric(where, format, out, routing):
    """Writes a fabric in another format. GraphML and DOT hold all of it."""
    if out != "/dev/stdout":
        try_file(out)
    text, notes = formats.write(read(where, routing=routing), format)
    if out == "/dev/stdout":
        sys.stdout.writelines([text] if isinstance(text, str) else text)
    else:
        write_whole(out, text)
    tell_notes(notes)


@app.command(epilog=examples("""
  ns3-wormhole campaign sweep.json --csv=sweep.csv
  ns3-wormhole campaign sweep.toml --csv=sweep.csv --dask=tcp://head:8786

\b
sweep.json:
  {"study": "barriers", "seeds": 10,
   "fixed": {"runs": 1, "switches": 16, "hosts": 64},
   "parameters": {"group_sizes": [4, 16, 64], "start_up": ["1us", "2us"]}}"""))
@click.argument("file")
@click.option("--csv", required=True, metavar="FILE", help="where the table goes")
@click.option("--workers", type=options.WHOLE, help="processes on this machine; one for each core without it")
@click.option("--dask", metavar="ADDRESS", help="a Dask scheduler, in place of these")
@click.option("--patience", type=options.NUMBER, default=60, show_default=True, metavar="SECONDS",
              help="how long a Dask cluster may be without workers")
def campaign(file, csv, workers, dask, patience):
    """Runs a study over parameters and seeds; run again, it goes on where it was interrupted."""
    outcome = Campaign.from_file(file).run(csv, workers=workers, dask=dask, patience=patience)
    print(f"{outcome.path}: {len(outcome.table)} rows, {outcome.reused} points of an earlier run")
    if outcome.strange:
        numbers = ", ".join(map(str, outcome.strange[:5])) + (", ..." if outcome.strange[5:] else "")
        print(f"passed over in {outcome.path.with_suffix('.points.jsonl')}: line {numbers}, torn or "
              "of something else", file=sys.stderr)
    for failure in outcome.failures:
        print(f"failed: {failure}", file=sys.stderr)
    if outcome.failures:
        raise WormholeError(f"{len(outcome.failures)} points have no result")


class Study(click.Command):
    """Passes all that follows a program's name on to the program."""

    def parse_args(self, ctx, args):
        """Takes --help for itself only where no program is named."""
        if args and not args[0].startswith("-"):
            ctx.params.update(program=args[0], words=args[1:])
            return []
        return super().parse_args(ctx, args)


@app.command(cls=Study, help=f"""\
Runs a study's program, with its own options.

\b
Programs:
{chr(10).join(f"  {each['program']:17} {textwrap.shorten(each['summary'], 58, placeholder=' ...')}"
           for each in tables())}
""", epilog=examples("""
  ns3-wormhole study btin-comparison --help
  ns3-wormhole study latency-load --topology=torus:4x4 --csv=load.csv"""))
@click.argument("program", default="")
@click.argument("words", nargs=-1, metavar="[OPTION]...")
def study(program, words):
    """Runs a study's program."""
    if program == compare_routings.name:
        sys.exit(options.run(compare_routings, f"study {program}", list(words)))
    names = [table["program"] for table in tables()]
    if program not in names:
        told = f"there is no program '{program}'" if program else "no program is named"
        raise WormholeError(f"{told}; there are {', '.join(names)}{nearest(program, names)}")
    sys.exit(run_program(program, list(words)))


def main(arguments=None):
    """Runs the command line, and exits."""
    sys.exit(options.run(app, "ns3-wormhole", arguments))


if __name__ == "__main__":
    main()
