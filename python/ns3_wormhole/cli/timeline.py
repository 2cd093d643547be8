# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole timeline, and the options of commands that write timelines."""

import contextlib
import functools

import click

from ..core import options
from ..core.errors import WormholeError
from ..core.files import try_file, write_whole
from ..core.options import examples
from ..core.timeline import recording as record, worm_files
from ..report.timeline_page import to_html

_MOST = 100_000_000  # characters of a page


@click.command(epilog=examples("""
  ns3-wormhole compare --topology=torus:4x4 --timeline=run.json.gz
  ns3-wormhole timeline run.json.gz --out=run.html
  ns3-wormhole study latency-load --topology=torus:4x4 --loads=0.2 \\
      --no-search --timeline=load.json --timeline-until=50us"""))
@click.argument("file")
@click.option("--out", required=True, metavar="FILE", help="writes the page to FILE")
@click.option("--title", help="title of the page  [default: the file's name]")
@click.option("--limit", type=click.IntRange(1, 1_000_000), default=200, show_default=True,
              metavar="MB", help="maximum size of the timeline, unpacked; takes up to 15 times as much memory")
@options.interruptible
def timeline(file, out, title, limit):
    """Makes an HTML page of a timeline, for a browser without network access.

    FILE is a timeline that a program or command has written with --timeline.
    """
    try_file(out)
    page = to_html(file, title, limit * 1_000_000)
    write_whole(out, page)
    if len(page) > _MOST:
        click.echo(f"ns3-wormhole: {out}: {len(page) // 1_000_000} MB may be more than a browser opens; "
                   "--timeline-from, --timeline-until and --timeline-hosts leave out what you don't need",
                   err=True)


_parameters = options.adding(
    click.option("--timeline", metavar="FILE", help="writes the run as trace event JSON, for Perfetto or "
                                                    "'ns3-wormhole timeline'; compressed if FILE ends in .gz"),
    click.option("--timeline-from", metavar="TIME",
                 help="start of the time shown, such as 10us  [default: the run's start]"),
    click.option("--timeline-until", metavar="TIME",
                 help="end of the time shown, such as 50us  [default: the run's end]"),
    click.option("--timeline-hosts", metavar="NAME,...", type=options.Listed(click.STRING),
                 help="hosts shown, with worms from and to these hosts; default: all"),
    click.option("--timeline-explain", is_flag=True, default=None,
                 help="adds a latency breakdown of worms and rounds; keeps all events "
                      "in memory"),
    click.option("--worms-csv", metavar="FILE", help="writes a row for each worm: when and where it went, how long "
                                                     "it waited, and for which worm; Parquet if FILE ends in "
                                                     ".parquet, compressed if FILE ends in .gz"),
    click.option("--occupancy-csv", metavar="FILE", help="writes flits and waiting worms of each output over time; "
                                                         "FILE may end in .parquet or .gz, too"),
    click.option("--occupancy-interval", metavar="TIME",
                 help="time per row of --occupancy-csv, such as 10us  [default: a row per change]"))


def with_timeline(command):
    """Adds the options for timelines and tables of worms to a command, and carries them out; a decorator."""
    @functools.wraps(command)
    def run(*args, timeline=None, worms_csv=None, occupancy_csv=None, occupancy_interval=None, **values):
        given = {name: values.pop(f"timeline_{name}", None) for name in ("from", "until", "hosts", "explain")}
        given = {name: value for name, value in given.items() if value is not None}
        if timeline is None and given:
            raise WormholeError(f"--timeline-{next(iter(given))} has no effect without --timeline=FILE")
        given = {"since" if name == "from" else name: value for name, value in given.items()}
        if occupancy_csv is None and occupancy_interval is not None:
            raise WormholeError("--occupancy-interval has no effect without --occupancy-csv=FILE")
        with contextlib.ExitStack() as stack:
            if timeline is not None:
                stack.enter_context(record(timeline, **given))
            if worms_csv is not None or occupancy_csv is not None:
                stack.enter_context(worm_files(worms_csv, occupancy_csv, interval=occupancy_interval))
            return command(*args, **values)
    return _parameters(run)
