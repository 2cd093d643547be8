# SPDX-License-Identifier: GPL-2.0-only
"""The command reproduce, of ns3-wormhole and of python -m ns3_wormhole.reproduce."""

import importlib.util
import os
import pathlib

import click

from ..core import options
from ..core.errors import WormholeError
from ..core.files import check_folder
from . import papers, pictures, places, report, runner

NEEDED = ("jinja2", "mistune", "tqdm")
RUNS = 100  # as the papers have


@click.command(epilog=options.examples("""
  ns3-wormhole reproduce
  ns3-wormhole reproduce --all
  ns3-wormhole reproduce trees rdma --results=results
  ns3-wormhole reproduce btin --runs=3
  ns3-wormhole reproduce --results=results --report-only"""), help=f"""\
Repeats the studies of papers, and writes report.html.

\b
Papers, by name, author or number (default: the five papers and hardware):
{papers.listed()}

The installed package is ready to use; a checkout needs 'make build' first. Plots need
gnuplot (pip install 'ns3-wormhole[plots]').
""")
@click.argument("words", metavar="[PAPER]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="all papers")
@click.option("--results", default="results", show_default=True, metavar="DIR",
              type=click.Path(path_type=pathlib.Path), help="folder of all results")
@click.option("--runs", type=options.whole_from(1, 10**6),
              default=RUNS, show_default=True, help="number of random fabrics of each point, in studies that draw them")
@click.option("--jobs", type=options.whole_from(1, 1024),
              help="studies to run at the same time; default: one for each core")
@click.option("--build", metavar="DIR", type=click.Path(path_type=pathlib.Path),
              help="folder of the programs and the library; default: found automatically")
@click.option("--report-only", is_flag=True, help="makes tables and plots of the results in DIR, and simulates nothing")
def reproduce(words, everything, results, runs, jobs, build, report_only):
    """Repeats the studies of papers."""
    if everything and words:
        raise WormholeError(f"--all and {words[0]}: expected one of the two")
    check_folder(results)
    wanted = {papers.find(word).name for word in words} or \
        set(papers.PAPERS if everything else papers.FIRST)
    build = build or places.build_folder()
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        raise WormholeError(f"no package {' and no package '.join(missing)}, which the report needs; "
                            f"expected: pip install {' '.join(missing)}")
    reproduction = runner.Reproduction(
        [paper for name, paper in papers.PAPERS.items() if name in wanted], build, results, runs,
        jobs or os.cpu_count() or 1)
    if report_only:
        reproduction.check_results()
    else:
        reproduction.simulate()
    pictures.make_plots(reproduction)
    pictures.draw_fabrics(reproduction)
    report.write(reproduction)
