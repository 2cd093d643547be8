# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics in formats of other programs: read and written by :class:`ns3_wormhole.Fabric`.

A module a format; a reader returns a :class:`~.plan.Plan`, which keeps the line of everything, so
that a mistake is refused with its place.
"""

from __future__ import annotations

import pathlib

from ..core.errors import WormholeError, nearest
from ..core.loader import ns
from . import anynet, dot, gml, graphml, ibnetdiscover, lfts, routes_csv, signs, slurm
from .plan import Plan
from .texts import read_bytes

READERS = {"ibnetdiscover": ibnetdiscover.read, "graphml": graphml.read, "gml": gml.read, "dot": dot.read,
           "slurm": slurm.read, "slurm-yaml": slurm.read_yaml, "anynet": anynet.read}
WRITERS = {"graphml": graphml.write, "dot": dot.write, "anynet": anynet.write,
           "routes": routes_csv.write}
JSON = "json"
_SUFFIXES = {".json": JSON, ".graphml": "graphml", ".gml": "gml", ".dot": "dot", ".gv": "dot",
             ".yaml": "slurm-yaml", ".yml": "slurm-yaml", ".anynet": "anynet",
             ".csv": "routes"}


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
    """Refuses a file whose beginning is that of a format that is not read."""
    if found := signs.near(start):
        raise WormholeError(f"{path}:{found[0]}: {found[1]}") from None


def _function(known, name, what):
    if name not in known:
        raise WormholeError(f"there is no format '{name}' to {what}; there are {', '.join(known)}"
                            f"{nearest(name, known)}")
    return known[name]


def read(path: str, format: str, routes: str | None = None, interfaces: bool = False,
         island: str | None = None, hosts_per_switch: int | None = None):
    """Returns the ns3::FabricGraph of a file, and notes of what it does not hold.

    Args:
        path: the file
        format: one of READERS
        routes: forwarding tables, for ibnetdiscover
        interfaces: whether ports of one computer are its interfaces, for ibnetdiscover
        island: of several parts that no cable joins, the number of one, or a node in it
        hosts_per_switch: hosts to add to each switch of a file that has none

    Raises:
        WormholeError: for any mistake, naming file and line
    """
    if format == JSON:
        raise WormholeError(f"{path}: routes, interfaces, an island and hosts per switch go with files of "
                            "other programs; expected a fabric file without these")
    reader = _function(READERS, format, "read")
    if interfaces and format != "ibnetdiscover":
        raise WormholeError(f"interfaces with format {format}: expected ports of computers with "
                            "ibnetdiscover")
    if routes is not None and format != "ibnetdiscover":
        raise WormholeError(f"routes {routes} with format {format}: expected forwarding tables "
                            "with ibnetdiscover")
    try:
        plan, graph = _read(path, reader, {"interfaces": True} if interfaces else {}, routes, island,
                            hosts_per_switch)
    except WormholeError:
        start = signs.beginning(read_bytes(path))
        if signs.own(start) != format:
            _refuse_near(path, start)
        raise
    return graph, [note if note.startswith(f"{routes}: ") else f"{path}: {note}"
                   for note in plan.get_notes()]


def _read(path, reader, named, routes, island, hosts_per_switch):
    source = reader(path, **named)
    plan: Plan = getattr(source, "plan", source)  # ibnetdiscover's reader knows LIDs, too
    if hosts_per_switch is not None:
        plan.add_hosts(hosts_per_switch)
    plan.keep_part(island)
    if routes is None:
        graph = plan.graph()
        if not plan.routes:
            ns.ChooseRouting(graph)
        return plan, graph
    return plan, lfts.read(source, routes)


def write(fabric, format: str):
    """Returns a fabric in a format, and notes of what that can't hold. fabric: a Fabric; format: one
    of WRITERS. Returns the text, or its parts one after the other, and a list of lines. Raises
    WormholeError if there is no such format, or it can't hold a name."""
    made = _function(WRITERS, format, "write")(fabric)
    return made if isinstance(made, tuple) else (made, [])


def format_of(path: str) -> str:
    """Returns the format that a file's name ends in. Raises WormholeError if it ends in none."""
    suffix = pathlib.PurePath(path).suffix.lower()
    found = _SUFFIXES.get(suffix)
    if found != JSON and found not in WRITERS:
        raise WormholeError(f"{path}: its format is not certain; expected to name it, by --to or "
                            f"format=, one of {', '.join([JSON, *WRITERS])}")
    return found
