# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What studies do with their arguments: judge them, hand them to C++, run with a progress bar."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import io

from . import simulation
from ._checks import listed, ratio, whole, word
from ._loader import pandas, tqdm
from .fabric import Fabric

__all__ = ["bar", "fabric", "frame", "is_quiet", "listed", "no_bars", "ratio", "run", "whole", "word"]

# What a bar does that nobody asked for; workers of a campaign, which has one of its own, set this.
_quiet = contextvars.ContextVar("quiet", default=False)


@contextlib.contextmanager
def no_bars():
    """Has studies show no bars, within a with block."""
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


def is_quiet() -> bool:
    """Returns whether this is within no_bars(), as the points of a campaign are."""
    return _quiet.get()


@contextlib.contextmanager
def bar(name: str, wanted: bool | None):
    """Shows how far a study is, within a with block.

    Args:
        name: the study's
        wanted: whether to show it; None: on a terminal, once it has taken two seconds

    Yields:
        a function that is told how many runs of how many are done; of 0: nobody knows
    """
    if wanted is None and _quiet.get():
        wanted = False
    with tqdm.tqdm(total=0, unit="run", desc=name, delay=0 if wanted else 2,
                   disable=None if wanted is None else not wanted) as shown:
        def tell(done, whole):
            shown.total = int(whole) or None
            shown.update(int(done) - shown.n)
        yield tell
        if shown.total and shown.n < shown.total:  # some studies only know about how many runs
            shown.total = shown.n
            shown.refresh()


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
    made = pandas.read_csv(io.StringIO(str(text)), **_exact())
    made.attrs["csv"] = str(text)
    return made


def fabric(given: Fabric | str) -> Fabric:
    """Returns a fabric, given that or its JSON file."""
    return given if isinstance(given, Fabric) else Fabric.from_file(given)
