# SPDX-License-Identifier: GPL-2.0-only
"""Single worms on a small fabric: when they arrive, and whether they block each other forever."""

import dataclasses
import json
import pathlib
import tempfile
from typing import Mapping, Sequence

from ..core import simulation
from ..core.errors import translated
from ..core.loader import ns, printed


@dataclasses.dataclass(frozen=True)
class Replayed:
    """The outcome for each worm."""

    arrived_us: list[float]  #: when each worm's tail arrived at its last destination, us; NaN: it never did
    blocked: list[int]  #: numbers of the worms that block each other forever
    deadlock: str  #: the report on these worms; empty if there are none
    outcome: dict  #: all that worm-replay prints


@translated()
def replay(links: Sequence[tuple[str, int, str, int]],
           worms: Sequence[tuple[str, int, Sequence[tuple[str, int]]]], *, depth: int = 56,
           flit_time: str = "6.25ns", link_delay: str = "20ns", switch_delay: str = "300ns",
           settings: Mapping[str, object] | None = None) -> Replayed:
    """Sends worms through a fabric, as worm-replay does. Ends the simulation.

    Args:
        links: cables, such as ("s0", 0, "s1", 2): from port 0 of switch s0 to port 2 of switch s1. Names
            that do not begin with s are hosts, which have port 0 only
        worms: start, flits and route of each worm, such as ("1ns", 200, [("h0", 0), ("s0", 2), ("s1", 0)]);
            the route lists the nodes that the worm leaves, from the sender on, and their output ports
        depth: depth of buffers, flits
        flit_time: flit time of all channels
        link_delay: delay of a cable
        switch_delay: delay of a switch, or an interface
        settings: further keys of worm-replay's cases, by name; see doc/user/worm-replay.rst

    Raises:
        WormholeError: if the fabric or a worm is refused
    """
    def ps(text):
        return int(simulation.time(text).GetPicoSeconds())
    hosts = sorted({name for link in links for name in (link[0], link[2]) if not name.startswith("s")})
    case = {"flit_time": ps(flit_time), "link_delay": ps(link_delay), "switch_delay": ps(switch_delay),
            "depth": depth, "replication": "async", "hosts": hosts, "links": [list(link) for link in links],
            "worms": [{"time": ps(start), "flits": flits, "root": route[0][0],
                       "tree": {node: [port] for node, port in route}} for start, flits, route in worms],
            **(settings or {})}
    simulation.reset()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "case.json"
        path.write_text(json.dumps(case), encoding="utf-8")
        read = ns.ReadWormCase(str(path))
    outcome = ns.ReplayWorms(read)
    found = json.loads(printed(ns.PrintReplay, read, outcome))
    return Replayed([max(worm["delivered"].values(), default=float("nan")) / 1e6 for worm in found["worms"]],
                    found["blocked"], str(outcome.deadlock), found)
