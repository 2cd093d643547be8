# SPDX-License-Identifier: GPL-2.0-only
"""The commands of studies."""

import pathlib
import sys
import textwrap

import click

from ..core import options
from ..core.errors import WormholeError, nearest
from ..core.options import examples
from ..core.program import run as run_program
from ..report import outages as outages_output, predictions as predictions_output, routing as routing_output
from ..study import adapter as adapters, outages as outage_study, predictions, studies
from ..study.campaign import Campaign
from ..study.functions import plain, tables


@click.command("routing-comparison", params=options.parameters_of(
    studies.routing_comparison, also={"fabrics": "--topology"}), epilog=examples("""
  ns3-wormhole routing-comparison --fabrics=torus:8x8 --no-simulate
  ns3-wormhole routing-comparison --runs=20 --csv=routing.csv \\
      --fabrics=irregular:switches=75,hosts=256 --engines=up-down,balanced
  ns3-wormhole routing-comparison --fabrics=cluster.json --plot=routing.svg"""))
@click.option("--csv", metavar="FILE", help="writes a row per fabric, random drawing and engine, in place of tables")
@click.option("--plot", metavar="FILE", help="plots bounds and saturation, as .svg, .png or .pdf")
@options.interruptible
def compare_routings(csv, plot, **values):
    """Compares routing engines on fabrics: the load that routes allow, and the load that fabrics carry.

    Shows for each fabric and engine: the number of lanes that the routes use, the number of channels of a route, the
    load of each host at which the busiest channel is full, the load at which the fabric saturates, the latency of worms
    at low load, and the latency of barriers.
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
@click.option("--csv", metavar="FILE", help="writes a row for each measurement")
@click.option("--plot", metavar="FILE", help="plots simulated against measured values, as .svg, .png or .pdf")
@options.interruptible
def predict(csv, plot, **values):
    """Fits hosts' costs to some of a real machine's tables, and predicts the rest.

    Shows how far off fitted and predicted values are, by collective. The fit does not use the tables of --predict.
    """
    options.check_files(csv, plot=plot)
    frame = predictions.predictions(**options.arguments_from(values))
    options.write_table(csv, frame)
    if plot is not None:
        predictions_output.plot(frame, plot, "Measured and simulated")
    print(predictions_output.as_text(frame))


@click.command(params=options.parameters_of(adapters.adapter), epilog=examples("""
  ns3-wormhole adapter --topology=clos:ports=16 --group-size=16 \\
      --host-us=181.8 --adapter-us=102.14"""))
@click.option("--csv", metavar="FILE", help="also writes the table to FILE")
@options.interruptible
def adapter(csv, **values):
    """Shows the gain of running a barrier on network adapters, for several adapter speeds.

    The cost of a host's message is fitted to the measured host barrier; an adapter's cost is this cost
    times a ratio. A row marked * has the ratio that reproduces the measured adapter barrier.
    """
    options.check_files(csv)
    frame = adapters.adapter(**options.arguments_from(values))
    options.write_table(csv, frame)
    print(frame.assign(measured=frame.measured.map({True: "*", False: ""})).to_string(
        index=False, na_rep="-", float_format=lambda value: f"{value:.4g}"))


@click.command("outages", params=options.parameters_of(outage_study.outages), epilog=examples("""
  ns3-wormhole outages --topology=torus:4x4 --group-size=8
  ns3-wormhole outages --fabric=cluster.json --recovery=overlapping \\
      --names=btin,dissemination --failures=s3,s1:3-s2:4 --csv=table.csv"""))
@click.option("--csv", metavar="FILE", help="also writes the table to FILE")
@click.option("--rounds-csv", metavar="FILE", help="writes a row for each round and each set-up of a group")
@click.option("--plot", metavar="FILE", help="plots rounds over time, as .svg, .png or .pdf")
@options.interruptible
def outages(csv, rounds_csv, plot, **values):
    """Shows what a failure and its repair cost collectives: lost rounds, waiting members, and the action needed.

    Each scheme runs rounds one after the other while a part goes down and comes up again. Hosts
    retransmit, routes recover (--recovery), and the owner of a group that has failed makes a new one.
    """
    options.check_files(csv, rounds_csv, plot=plot)
    frame = outage_study.outages(**options.arguments_from(values))
    options.write_table(csv, frame)
    options.write_table(rounds_csv, outage_study.rounds(frame))
    if plot is not None:
        outages_output.plot(frame, plot)
    print(outages_output.as_text(frame))


@click.command(epilog=examples("""
  ns3-wormhole campaign sweep.json --csv=sweep.csv
  ns3-wormhole campaign sweep.toml --csv=sweep.csv --dask=tcp://head:8786

\b
sweep.json:
  {"study": "barriers", "seeds": 10,
   "fixed": {"runs": 1, "switches": 16, "hosts": 64},
   "parameters": {"group_sizes": [4, 16, 64], "start_up": ["1us", "2us"]}}"""))
@click.argument("file")
@click.option("--csv", required=True, metavar="FILE", help="writes the table to FILE")
@click.option("--workers", type=options.WHOLE, help="processes on this machine; default: one for each core")
@click.option("--dask", metavar="ADDRESS", help="Dask scheduler to use instead of local processes")
@click.option("--patience", type=options.NUMBER, default=60, show_default=True, metavar="SECONDS",
              help="maximum time for which a Dask cluster may be without workers")
def campaign(file, csv, workers, dask, patience):
    """Runs a study over parameters and seeds. To continue an interrupted campaign, run it again."""
    outcome = Campaign.from_file(file).run(csv, workers=workers, dask=dask, patience=patience)
    print(f"{outcome.path}: {len(outcome.table)} rows, {outcome.reused} points of an earlier run")
    if outcome.strange:
        numbers = ", ".join(map(str, outcome.strange[:5])) + (", ..." if outcome.strange[5:] else "")
        print(f"skipped in {outcome.path.with_suffix('.points.jsonl')}: line {numbers}, torn or not of "
              "this campaign", file=sys.stderr)
    for failure in outcome.failures:
        print(f"failed: {failure}", file=sys.stderr)
    if outcome.failures:
        raise WormholeError(f"{len(outcome.failures)} points have no result")


class Study(click.Command):
    """A command that passes all arguments after a program's name on to this program."""

    def parse_args(self, ctx, args):
        """Handles --help itself only if no program is named."""
        if args and not args[0].startswith("-"):
            ctx.params.update(program=args[0], words=args[1:])
            return []
        return super().parse_args(ctx, args)


@click.command(cls=Study, help=f"""\
Runs a study's program, with the program's own options.

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
    _check_tables(words)
    sys.exit(run_program(program, list(words)))


def _check_tables(words) -> None:
    """Refuses table files with a suffix that a program would ignore, and write plain CSV: programs know only .gz, and
    only for --wormsCsv and --occupancyCsv."""
    for word in words:
        option, _, path = word.partition("=")
        name, suffix = plain(option), pathlib.PurePath(path).suffix.lower()
        compresses = name in ("wormscsv", "occupancycsv")
        refused = (".parquet",) if compresses else (".parquet", ".gz")
        if name.endswith("csv") and name != "fromcsv" and suffix in refused:
            raise WormholeError(f"{word}: programs write no {suffix} here; expected a name that ends in .csv"
                                + (" or .gz" if compresses else ""))
