# SPDX-License-Identifier: GPL-2.0-only
"""Timelines of simulations, in Chrome's trace event format; and tables of their worms."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import tempfile
import warnings
from typing import Sequence

from . import csv_file, simulation
from .errors import translated
from .files import try_file
from .loader import bridge, ns, pandas, std


@contextlib.contextmanager
def recording(path: str | os.PathLike, *, since: str = "0us", until: str | None = None,
              hosts: Sequence[str] = (), explain: bool = False, domain=None):
    """Writes a timeline of the simulations within a with block; simulations separated by reset() follow one another on
    it. Perfetto (ui.perfetto.dev), chrome://tracing and :func:`ns3_wormhole.timeline_page.to_html` show it. Raises
    WormholeError if it can't be written, there is no such host, or another timeline is being written.

    Args:
        path: the file; compressed if the name ends in .gz
        since, until: a window, such as "10us"; slices that end before or begin after it are left out
        hosts: names of hosts that are shown, with the worms from and to them; none: all
        explain: whether slices of arrivals and of rounds have latency breakdowns; this keeps all events in memory
        domain: an existing ns3::CollectiveDomain; None: none
    """
    with translated():
        settings = ns.Timeline.Settings()
        settings.path = os.fspath(path)
        setattr(settings, "from", simulation.time(since))
        if until is not None:
            settings.until = simulation.time(until)
        settings.hosts = std.vector[std.string]([hosts] if isinstance(hosts, str) else list(hosts))
        settings.explains = explain
        made = bridge.MakeTimeline(settings)
    with _finishing(made) as told:
        with translated():
            if domain is not None:
                if domain.GetFabric():
                    made.ObserveFabric(domain.GetFabric(), domain.GetGraph())
                made.ObserveDomain(domain)
        del made
        yield
    if told:
        warnings.warn(f"{os.fspath(path)}: {told[0]}", stacklevel=3)


@contextlib.contextmanager
def _finishing(made):
    """Completes a recording at the end of a with block, whose value then has a line if there was nothing to record. If
    the block fails, only files with a simulation that has begun are completed; others stay unchanged."""
    held, told = [made], []
    del made
    try:
        yield told
        with translated():
            told += filter(None, [str(held[0].Finish())])
    finally:
        held.clear()  # the last reference: its destructor does so


@dataclasses.dataclass
class WormTables:
    """Tables of the worms of a with block; both tables are None within the block."""

    worms: pandas.DataFrame | None = None  #: a row for each worm: when and where it went, and its waits
    occupancy: pandas.DataFrame | None = None  #: flits and waiting worms of each output over time


@contextlib.contextmanager
def worm_files(worms: str | os.PathLike | None = None, occupancy: str | os.PathLike | None = None, *,
               interval: str | None = None):
    """Writes tables of the worms of all fabrics that are built within a with block. Times are in us. All worms are kept
    in memory until their simulation ends, about 2 kB each. worms: a file with a row for each worm: Parquet if the name
    ends in .parquet, else CSV, compressed if it ends in .gz; occupancy: a file with the flits and waiting worms of each
    output over time, or None; interval: time per row of the occupancy, such as "10us"; None: a row per change. Raises
    WormholeError if a file can't be written, or interval is no time."""
    with _tables({"worms": worms, "occupancy": occupancy}, interval) as told:
        yield
    if told:
        names = " and ".join(os.fspath(file) for file in (worms, occupancy) if file)
        warnings.warn(f"{names}: {told[0]}", stacklevel=3)


@contextlib.contextmanager
def _tables(files, interval):
    """Writes the tables of worm_files(). After the block, its value has a line if there was no worm."""
    with tempfile.TemporaryDirectory() as folder:
        made_of = {}  # CSV, by file that is made of it
        settings = ns.WormTables.Settings()
        for name, file in files.items():
            if csv_file.is_parquet(file):
                try_file(file)
                made_of[file] = file = pathlib.Path(folder, f"{name}.csv")
            setattr(settings, name, os.fspath(file or ""))
        with translated():
            if interval is not None:
                settings.interval = simulation.time(interval)
            made = bridge.MakeWormTables(settings)
        try:
            with _finishing(made) as told:
                del made
                yield told
        finally:
            for file, text in made_of.items():
                if text.exists():
                    csv_file.save_parquet(file, text)


@contextlib.contextmanager
def worm_tables(*, interval: str | None = None):
    """Makes the tables of worm_files(); after the with block, its value, a WormTables, has them. Fabrics that were used
    before the block are not recorded until :func:`ns3_wormhole.reset`, after which they are built anew. A warning is
    given if there was no worm. interval: as for worm_files()"""
    tables = WormTables()
    with tempfile.TemporaryDirectory() as folder:
        files = {name: pathlib.Path(folder, f"{name}.csv") for name in ("worms", "occupancy")}
        with _tables(files, interval) as told:
            yield tables
        if told:
            warnings.warn(f"tables of worms: {told[0]} in fabrics that were built within the block; those that were "
                          "used before are built anew after reset()", stacklevel=3)
        for name, file in files.items():
            setattr(tables, name, csv_file.from_text(file))
