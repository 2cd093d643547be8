# SPDX-License-Identifier: GPL-2.0-only
"""Routes of all pairs of hosts as CSV."""

from __future__ import annotations

import io
from typing import Iterator

from ..core import csv_file
from ..core.loader import bridge


def write(fabric) -> Iterator[str]:
    """Gives the text in parts, one for each sending host.

    Columns: source and destination, names of hosts; channels, how many a worm crosses; path, as
    "s0:3 -> s1:2", each switch and the port by which it is left; "s0:3 lane 1" in other lanes than
    the first. Of routes with choices it is the path by the first ones.
    """
    names = fabric.switches + fabric.hosts
    first = len(fabric.switches)
    router = fabric.router()
    yield "source,destination,channels,path\n"
    for number, source in enumerate(fabric.hosts):
        part = io.StringIO()
        write = csv_file.writer(part)
        for line in str(bridge.ListRoutes(fabric.graph, router, number)).splitlines():
            to, *hops = map(int, line.split())
            path = " -> ".join(f"{names[node]}:{port}{f' lane {lane}' if lane else ''}"
                               for node, port, lane in zip(hops[::3], hops[1::3], hops[2::3]))
            write([source, names[first + to], len(hops) // 3 + 1, path])
        yield part.getvalue()
