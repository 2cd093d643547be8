# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics in formats of other programs, read and written by :class:`ns3_wormhole.Fabric`. Each format has a module. A
reader returns a :class:`~.plan.Plan`, which keeps the line of each item for error messages."""

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
    """Yields the routes of all pairs of hosts as CSV, one part per source. Columns: source, destination; channels
    (number of channels that a worm crosses); path, such as "s0:3 -> s1:2 lane 1", with each switch, the output port
    there, and the lane if it is not the first. Of routes with choices, the path takes the first choices."""
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
    """Returns the format of a file, by its suffix, else by its beginning. Raises WormholeError if the format is
    uncertain, or is one that can't be read (the error names it)."""
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
    """Returns the ns3::FabricGraph of a file, and notes on content that the graph can't hold. format: one of READERS;
    other arguments: as for Fabric.read. Raises WormholeError for any mistake, naming file and line."""
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
    return graph, [note if note.startswith(f"{routes}: ") else f"{path}: {note}" for note in plan.get_notes()]


def write(fabric, format: str):
    """Returns a fabric in a format, as a text or its consecutive parts, and a list of notes on data that the format
    can't hold. fabric: a Fabric; format: one of WRITERS. Raises WormholeError if there is no such format, or it can't
    hold a name."""
    made = _function(WRITERS, format, "write")(fabric)
    return made if isinstance(made, tuple) else (made, [])


def format_of(path: str) -> str:
    """Returns the format given by the suffix of a file's name. Raises WormholeError if no format has this suffix."""
    found = _SUFFIXES.get(pathlib.PurePath(path).suffix.lower())
    if found != JSON and found not in WRITERS:
        raise WormholeError(f"{path}: its format is not certain; expected to name it, by --to or "
                            f"format=, one of {', '.join([JSON, *WRITERS])}")
    return found
