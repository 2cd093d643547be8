# SPDX-License-Identifier: GPL-2.0-only
"""How a run loads each channel of a fabric."""

from __future__ import annotations

import io

from ..core import arguments, csv_file, machine as machines, simulation
from ..core.errors import translated
from ..core.loader import bridge, ns, pandas, printed
from .groups import Members

# Column that each kind of heat is shown by, and what that is.
COLUMNS = {"utilisation": ("utilisation", "fraction of time for which a channel is busy"),
           "waiting": ("waiting_us", "total time for which heads of worms waited for a channel, us"),
           "barrier": ("worms", "messages of one barrier on a channel")}


@translated()
def measure(fabric, what: str = "utilisation", *, load: float = 0.1, flits: int | str = 64,
            time: str = "200us", algorithm: str = "btin",
            members: Members = None, pattern: str = "uniform") -> pandas.DataFrame:
    """Runs traffic, or one barrier, as a simulation of its own, and measures its effect on each channel. what:
    "utilisation" or "waiting" (both under traffic) or "barrier"; load: traffic that each host offers, relative to its
    channel's rate; flits: length of worms, or a text as for latency-load; time: how long hosts send (the run continues
    until all worms have arrived); algorithm, members: the barrier's algorithm, and its members as for Fabric.group;
    pattern: traffic pattern, as for latency-load. Returns a row for each channel (each direction of a cable): node,
    port, to, to_port, worms, flits, utilisation (over the whole run), waiting_us. attrs: worm_hops and flit_hops as the
    fabric counts them; beside: the traffic, or the barrier, in words. Raises WormholeError if an argument is refused."""
    what = arguments.word("what", what, tuple(COLUMNS))
    load = arguments.ratio("load", load)
    with simulation.own(1, 1):
        domain = fabric.domain
        group = fabric.barrier(algorithm, members) if what == "barrier" else None
        counts = domain.GetFabric().GetCounts()
        worm_hops, flit_hops = int(counts.wormHops), int(counts.flitHops)
        record = ns.ChannelRecord.Begin(domain.GetFabric(), domain.GetGraph())
        if group:
            group.cross()
        else:
            with machines.in_effect(fabric.machine):
                bridge.SendTraffic(domain, load, str(flits), simulation.time(time), pattern)
        frame = csv_file.from_text(io.StringIO(printed(record.WriteCsv)))
        counts = domain.GetFabric().GetCounts()
        frame.attrs.update(worm_hops=int(counts.wormHops) - worm_hops, flit_hops=int(counts.flitHops) - flit_hops,
                           beside=f"one {algorithm}" if group else
                           f"{pattern} traffic of load {load:g} for {time}, worms of {flits} flits")
        return frame
