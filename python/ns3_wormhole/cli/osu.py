# SPDX-License-Identifier: GPL-2.0-only
"""The commands ns3-wormhole osu and ns3-wormhole calibrate."""

import sys

import click

from ..collective.fabric import asked_fabric
from ..core import arguments, machine as machines, options
from ..core.errors import WormholeError
from ..core.files import write_whole
from ..core.options import examples
from ..study import calibration as output, spread
from ..study.calibrate import calibrate as search
from ..study.measured_tables import read as read_tables
from ..study.osu import BENCHMARKS, as_text, measure, sizes_of
from .timeline import with_timeline

_POOR = 3  # exit status of a poor fit

common = options.adding(
    options.with_fabric,
    click.option("--members", "--group-size", "members", metavar="HOST,...|N",
                 help="hosts of collectives, or their number; default: all"),
    click.option("--tasks-per-host", type=options.WHOLE, default=1, show_default=True,
                 help="processes of each host"))


@options.with_outages
@click.command(epilog=examples("""
  ns3-wormhole osu latency --fabric=cluster.json --machine=edr-infiniband
  ns3-wormhole osu bw --topology=torus:4x4 --hosts=h0,h15 -m 1:65536
  ns3-wormhole osu barrier --topology=torus:4x4 --algorithm=tree[Tree=fibo] -f
  ns3-wormhole osu bcast --topology=clos:ports=16 --group-size=32
  ns3-wormhole osu alltoall --topology=torus:4x4 -m 1:4096
  ns3-wormhole osu allreduce --topology=torus:4x4 --algorithm=ring
  ns3-wormhole osu gather --topology=torus:4x4 -m 1:4096
  ns3-wormhole osu scan --topology=torus:4x4 --group-size=8 --placements=20
  ns3-wormhole osu latency --topology=torus:4x4 --load=0.3 -m 8:65536"""))
@click.argument("benchmark", metavar="|".join(BENCHMARKS))
@common
@click.option("--hosts", metavar="HOST,HOST", help="latency and bw: the two hosts; or use --placement")
@options.placement_option(default="first")
@options.placements_option
@click.option("-m", "--message-size", metavar="[MIN:]MAX", help="lengths in bytes, such as 64:4KiB: doubled from MIN")
@click.option("-i", "--iterations", type=options.WHOLE, help="number of measured iterations, after a warm-up")
@click.option("--algorithm", metavar="NAME", help="algorithm of a collective  [default: "
              + ", ".join(f"{each.name} {each.algorithm}" for each in BENCHMARKS.values()
                          if each.kind) + "]")
@click.option("--barrier", metavar="NAME", help="barrier before each call; members begin the call when they "
              "leave this barrier  [default: all begin at once]")
@click.option("-f", "--full", is_flag=True, help="also prints minimum, maximum and iterations")
@click.option("--digits", type=options.whole_from(0, 9), default=2, show_default=True,
              help="digits after the decimal point")
@options.with_traffic(rounds=False)
@with_timeline
@options.interruptible
def osu(benchmark, fabric, topology, routing, machine, attributes, members, tasks_per_host, hosts,
        placement, placements, message_size, iterations, algorithm, barrier, full, digits, load, pattern, flits):
    """Simulates an OSU micro benchmark, and prints its output.

    latency: us per message. bw: MB/s (10^6 bytes/s) with windows of 64 messages. All other benchmarks: us, as a mean
    over members. Barriers run back to back. Members begin each call of another collective together or, with --barrier,
    when they leave this barrier. --algorithm=butterfly does an allreduce of 1 to 8 bytes as one value. With --load, all
    hosts send background traffic, and a further column gives the 99th percentile over iterations; barriers then don't
    run back to back: all members begin at the same time.
    """
    arguments.word("benchmark", benchmark, BENCHMARKS)
    options.check_idle({"full": "" if BENCHMARKS[benchmark].kind else f"with {benchmark}"})
    sizes = None if message_size is None else sizes_of(message_size, benchmark)
    made = asked_fabric(fabric, topology, routing)
    frame = measure(made, benchmark, sizes,
                    hosts=options.members_from(hosts), members=options.members_from(members),
                    tasks_per_host=tasks_per_host, algorithm=algorithm, iterations=iterations,
                    placement=placement, placements=placements, barrier=barrier, machine=machine,
                    **options.traffic_from(load, pattern, flits),
                    **options.arguments_from({"attributes": attributes}))
    note = f": {made.name}, {frame.members[0]} processes" + (f", load {load:g}" if load else "") \
        + f", machine: {machines.told(machine)}"
    sys.stdout.write(as_text(frame, benchmark, full, digits, note))
    if placements is not None:
        table = spread.as_text(frame.attrs["placements"], ["size"], "value")
        sys.stdout.write("".join(f"# {line}".rstrip() + "\n" for line in table.splitlines()))


@click.command(epilog=examples("""
  ns3-wormhole calibrate --fabric=c.json lat.txt bw.txt bcast.txt:members=8
  ns3-wormhole calibrate --fabric=cluster.json tables.csv --out=machine.toml
  ns3-wormhole calibrate --fabric=c.json lat.txt --fit=StartUp --plot=fit.svg
  ns3-wormhole calibrate --fabric=c.json a.csv --predict=b.txt:members=16
  ns3-wormhole calibrate --fabric=c.json slurm-1234.out --strict

\b
tables.csv:
  benchmark,size,value,members
  latency,8,1.23,
  barrier,,9.87,16"""))
@click.argument("tables", nargs=-1, required=True, metavar="FILE[:members=N]...")
@common
@click.option("--hosts", metavar="HOST,HOST", help="latency and bw: the two hosts; or use --placement")
@options.placement_option(default="first")
@click.option("--fit", type=options.Listed(click.STRING), metavar="NAME,...",
              help="parameters to fit, such as StartUp,SendDataRate,WormholeNetDevice::Delay  [default: those "
                   "that the tables provide information on]")
@click.option("--lengths", metavar="BYTES,...", help="the first and last length to fit and, between them, lengths at "
              "which cost curves break, such as 1,8KiB,1MiB  [default: all; breaks are found]")
@click.option("--predict", type=options.Listed(click.STRING), default="", metavar="FILE[:members=N],...",
              help="tables that are not fitted, only compared with the fit's predictions")
@click.option("--algorithm", "algorithms", multiple=True, metavar="BENCHMARK=NAME",
              help="algorithm of a collective, such as bcast=tree[Tree=fibo]")
@click.option("--out", metavar="FILE", help="writes the machine file, TOML")
@click.option("--csv", metavar="FILE", help="writes measured, fitted and predicted values")
@click.option("--plot", metavar="FILE", help="writes a plot, as .svg, .png or .pdf")
@click.option("--strict", is_flag=True, help="exits with status 3 if the fit is poor: root mean square above 10 %")
@options.interruptible
def calibrate(tables, fabric, topology, routing, machine, attributes, members, tasks_per_host, hosts,
              placement, fit, lengths, predict, algorithms, out, csv, plot, strict):
    """Fits the costs of the hosts' software to measured tables.

    Tables are CSV, or plain output of osu_latency, osu_bw, osu_barrier, osu_bcast, osu_allreduce and the like, of
    IMB-MPI1 or of netgauge (one_one, loggp); other output of a job may surround them. The command simulates the
    measurements, and fits parameters to the tables. It prints each parameter with its 95 % interval, and says which
    parameters the tables can't separate. The tables of data/example-cluster are simulated, not measured.
    """
    options.check_files(out, csv, plot=plot)
    chosen = {}
    for entry in algorithms:
        name, equals, algorithm = entry.partition("=")
        if not equals or name not in BENCHMARKS or not BENCHMARKS[name].kind:
            raise WormholeError(f"--algorithm {entry}: expected BENCHMARK=NAME, of "
                                + ", ".join(each.name for each in BENCHMARKS.values() if each.kind))
        chosen[name] = algorithm
    made = asked_fabric(fabric, topology, routing)
    benchmarks = {table.benchmark for each in (*tables, *predict) for table in read_tables(each)}
    pairs = {"latency", "bw"}
    options.check_idle({
        "members": "" if benchmarks - pairs else "without tables of collectives",
        "hosts": "" if benchmarks & pairs else "without tables of latency or bw"})
    found = search(made, tables, fit, predict=predict, hosts=options.members_from(hosts),
                   members=options.members_from(members), placement=placement, tasks_per_host=tasks_per_host,
                   algorithms=chosen, machine=machine, lengths=lengths, **options.arguments_from({"attributes": attributes}))
    # Files first: whoever reads the text may have seen enough before its end.
    if out is not None:
        rest = f"; all else as in {machine}" if machine is not None else ""
        write_whole(out, found.to_toml(source=f"fitted to {', '.join(tables)} on {made.name}{rest}"))
    options.write_table(csv, found.values())
    if plot is not None:
        output.plot(found, plot, f"Measured and fitted: {made.name}")
    print(f"{made.name}: {len(found.residuals)} values")
    print(found)
    if strict and found.is_poor:
        sys.stdout.flush()
        raise click.exceptions.Exit(_POOR)
