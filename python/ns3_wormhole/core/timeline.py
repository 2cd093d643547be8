# SPDX-License-Identifier: GPL-2.0-only
"""Time lines of simulations, in Chrome's trace event format."""

from __future__ import annotations

import contextlib
import os
import warnings
from typing import Sequence

from . import simulation
from .errors import translated
from .loader import bridge, ns, std


@contextlib.contextmanager
def recording(path: str | os.PathLike, *, since: str = "0us", until: str | None = None,
              hosts: Sequence[str] = (), explain: bool = False, domain=None):
    """Writes a time line of the simulations that are made within a with block.

    Perfetto (ui.perfetto.dev), chrome://tracing and :func:`ns3_wormhole.timeline_page.to_html` show
    it. Simulations, and what reset() divides, follow each other on it.

    Args:
        path: the file; compressed if the name ends in .gz
        since, until: a window, as "10us"; what ends before or begins after is left out
        hosts: names of hosts that are shown, with the worms from and to them; none: all
        explain: whether slices of arrivals and of rounds hold why they took so long; all that
            happens is kept in memory then, until the simulation's end
        domain: an ns3::CollectiveDomain that is there already; None: none

    Raises:
        WormholeError: if the file can't be written, there is no such host, or there is another time
            line
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
    whole = False
    try:
        with translated():
            if domain is not None:
                if domain.GetFabric():
                    made.ObserveFabric(domain.GetFabric(), domain.GetGraph())
                made.ObserveDomain(domain)
        yield
        whole = True
    finally:
        with translated():
            empty = str(made.Finish())
        if empty and whole:  # else the error tells why
            warnings.warn(f"{os.fspath(path)}: {empty}", stacklevel=3)
