# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What studies do with their arguments: judge them, hand them to C++, run with a progress bar."""

from __future__ import annotations

import functools
import io

from . import _csv, simulation
from ._bars import bar, is_quiet, no_bars
from ._checks import keywords, listed, parse_number, parse_whole, ratio, shown, some, whole, word
from ._loader import pandas
from .fabric import Fabric

__all__ = ["bar", "fabric", "frame", "is_quiet", "keywords", "listed", "no_bars", "parse_number",
           "parse_whole", "ratio", "run", "shown", "some", "whole", "word"]


def run(study, name: str, progress: bool | None) -> pandas.DataFrame:
    """Runs a study of C++.

    Args:
        study: runs it, given what is told how far it is
        name: of the bar
        progress: whether to show one; None: on a terminal

    Returns:
        its rows; the CSV itself, as the example program prints it, is in attrs["csv"]
    """
    simulation.reset()
    try:
        with bar(name, progress) as tell:
            text = str(study(tell))
    finally:
        simulation.reset()
    return frame(text)


@functools.lru_cache(maxsize=None)
def _exact():
    """Returns how pandas reads numbers to the last bit; from 3.1 on it does without being told."""
    told = tuple(map(int, pandas.__version__.split(".")[:2])) < (3, 1)
    return {"float_precision": "round_trip"} if told else {}


def frame(text) -> pandas.DataFrame:
    """Returns CSV as a data frame, with the CSV itself in attrs["csv"]."""
    made = _csv.from_text(io.StringIO(str(text)), **_exact())
    made.attrs["csv"] = str(text)
    return made


def fabric(given: Fabric | str) -> Fabric:
    """Returns a fabric, given that or its JSON file."""
    return given if isinstance(given, Fabric) else Fabric.from_file(given)
