# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics in formats of other programs: read and written by :class:`ns3_wormhole.Fabric`. A module a format; a
reader returns a :class:`~.plan.Plan`, which keeps the line of everything, for refusals."""

import io
import pathlib
from typing import Iterator

from ..core import csv_file
from ..core.errors import WormholeError, nearest
from ..core.loader import bridge, ns
from . import anynet, dot, gml, graphml, ibnetdiscover, lfts, signs, slurm
from .plan import Plan
from .texts import read_bytes


def _routes(fabric) -> Iterator[str]:
    """Gives routes of all pairs of hosts as CSV in parts, by source. Columns: source, destination; channels, how many
    a worm crosses; path, as "s0:3 -> s1:2 lane 1", each switch and the port by which it is left, and other lanes
    than the first. Of routes with choices it is the path by the first ones."""
    names, first, router = fabric.switches + fabric.hosts, len(fabric.switches), fabric.router()
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


READERS = {"ibnetdiscover": ibnetdiscover.read, "graphml": graphml.read, "gml": gml.read, "dot": dot.read,
           "slurm": slurm.read, "slurm-yaml": slurm.read_yaml, "anynet": anynet.read}
WRITERS = {"graphml": graphml.write, "dot": dot.write, "anynet": anynet.write, "routes": _routes}
JSON = "json"
_SUFFIXES = {".json": JSON, ".graphml": "graphml", ".gml": "gml", ".dot": "dot", ".gv": "dot",
             ".yaml": "slurm-yaml", ".yml": "slurm-yaml", ".anynet": "anynet", ".csv": "routes"}


def guess(path: str) -> str:
    """Returns the format of a file, by its suffix, else by its beginning. Raises WormholeError if
    that is not certain, or it is one that is not read, naming it."""
    suffix = pathlib.PurePath(path).suffix.lower()
    if suffix in _SUFFIXES and _SUFFIXES[suffix] != "routes":
        return _SUFFIXES[suffix]
    start = signs.beginning(read_bytes(path))
    if found := signs.own(start):
        return found
    _refuse_near(path, start)
    raise WormholeError(f"{path}: its format is not certain; expected to name it, by --from or "
                        f"format=, one of {', '.join([JSON, *READERS])}")


def _refuse_near(path, start):
    if found := signs.near(start):
        raise WormholeError(f"{path}:{found[0]}: {found[1]}") from None


def _function(known, name, what):
    if name not in known:
        raise WormholeError(f"there is no format '{name}' to {what}; there are {', '.join(known)}"
                            f"{nearest(name, known)}")
    return known[name]


def read(path: str, format: str, routes: str | None = None, interfaces: bool = False,
         island: str | None = None, hosts_per_switch: int | None = None):
    """Returns the ns3::FabricGraph of a file, and notes of what it does not hold. format: one of READERS; others
    as of Fabric.read. Raises WormholeError for any mistake, naming file and line."""
    if format == JSON:
        raise WormholeError(f"{path}: routes, interfaces, an island and hosts per switch go with files of "
                            "other programs; expected a fabric file without these")
    reader = _function(READERS, format, "read")
    for given, of in ((f"interfaces with format {format}: expected ports of computers", interfaces),
                      (f"routes {routes} with format {format}: expected forwarding tables", routes is not None)):
        if of and format != "ibnetdiscover":
            raise WormholeError(f"{given} with ibnetdiscover")
    try:
        source = reader(path, **({"interfaces": True} if interfaces else {}))
        plan: Plan = getattr(source, "plan", source)  # ibnetdiscover's reader knows LIDs, too
        if hosts_per_switch is not None:
            plan.add_hosts(hosts_per_switch)
        plan.keep_part(island)
        graph = plan.graph() if routes is None else lfts.read(source, routes)
        if routes is None and not plan.routes:
            ns.ChooseRouting(graph)
    except WormholeError:
        start = signs.beginning(read_bytes(path))
        if signs.own(start) != format:
            _refuse_near(path, start)
        raise
    return graph, [note if note.startswith(f"{routes}: ") else f"{path}: {note}"
                   for note in plan.get_notes()]


def write(fabric, format: str):
    """Returns a fabric in a format, and notes of what that can't hold. fabric: a Fabric; format: one
    of WRITERS. Returns the text, or its parts one after the other, and a list of lines. Raises
    WormholeError if there is no such format, or it can't hold a name."""
    made = _function(WRITERS, format, "write")(fabric)
    return made if isinstance(made, tuple) else (made, [])


def format_of(path: str) -> str:
    """Returns the format that a file's name ends in. Raises WormholeError if it ends in none."""
    found = _SUFFIXES.get(pathlib.PurePath(path).suffix.lower())
    if found != JSON and found not in WRITERS:
        raise WormholeError(f"{path}: its format is not certain; expected to name it, by --to or "
                            f"format=, one of {', '.join([JSON, *WRITERS])}")
    return found
