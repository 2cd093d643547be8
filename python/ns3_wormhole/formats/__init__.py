# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics in formats of other programs: read and written by :class:`ns3_wormhole.Fabric`.

A module a format; a reader returns a :class:`~.plan.Plan`, which keeps the line of everything, so
that a mistake is refused with its place.
"""

from __future__ import annotations

import importlib
import pathlib
import re

from ..errors import WormholeError, nearest
from .plan import read_bytes

# Module and function of each reader, and of each writer.
READERS = {"ibnetdiscover": ("ibnetdiscover", "read"), "graphml": ("graphml", "read"),
           "gml": ("gml", "read"), "dot": ("dot", "read"), "slurm": ("slurm", "read"),
           "slurm-yaml": ("slurm", "read_yaml"), "anynet": ("anynet", "read")}
WRITERS = {"graphml": ("graphml", "write"), "dot": ("dot", "write"), "anynet": ("anynet", "write"),
           "routes": ("routes_csv", "write")}
JSON = "json"
_SUFFIXES = {".json": JSON, ".graphml": "graphml", ".gml": "gml", ".dot": "dot", ".gv": "dot",
             ".yaml": "slurm-yaml", ".yml": "slurm-yaml", ".anynet": "anynet",
             ".csv": "routes"}
# Of a file's beginning.
_SIGNS = ((JSON, rb"\s*\{"), ("graphml", rb"(?s)\s*(?:<\?xml.*?)?<graphml"),
          ("gml", rb"(?s)(?:\s*#[^\n]*\n|\s*\w+ [^\n]*\n)*?\s*graph\s*\["),
          ("dot", rb"(?is)(?:\s|//[^\n]*\n|/\*.*?\*/)*(?:strict\s+)?(?:di)?graph\b[^\[{]*\{"),
          ("ibnetdiscover", rb"(?s).*?(?:\A|\n)(?:# Topology file: generated on|Switch\s+\d+ \"S-)"),
          ("slurm", rb"(?is)(?:\s*#[^\n]*\n)*\s*SwitchName="),
          ("slurm-yaml", rb"(?s)(?:\s*#[^\n]*\n|---\s*\n)*\s*-\s+topology\s*:"),
          ("anynet", rb"\s*(?:router|node) \d+ (?:router|node) \d+"))
_LOOKED_AT = 65536  # bytes at the beginning of a file


def guess(path: str) -> str:
    """Returns the format of a file, by its suffix, else by its beginning.

    Raises:
        WormholeError: if that is not certain
    """
    suffix = pathlib.PurePath(path).suffix.lower()
    if suffix in _SUFFIXES and _SUFFIXES[suffix] != "routes":
        return _SUFFIXES[suffix]
    start = read_bytes(path)[:_LOOKED_AT]
    for name, sign in _SIGNS:
        if re.match(sign, start):
            return name
    raise WormholeError(f"{path}: its format is not certain; accepted is to name it, by --from or "
                        f"format=, one of {', '.join([JSON, *READERS])}")


def _function(known, name, what):
    if name not in known:
        raise WormholeError(f"there is no format '{name}' to {what}; there are {', '.join(known)}"
                            f"{nearest(name, known)}")
    module, function = known[name]
    return getattr(importlib.import_module(f".{module}", __name__), function)


def read(path: str, format: str, routes: str | None = None, interfaces: bool = False):
    """Returns the ns3::FabricGraph of a file, and notes of what it does not hold.

    Args:
        path: the file
        format: one of READERS
        routes: forwarding tables, for ibnetdiscover
        interfaces: whether ports of one computer are its interfaces, for ibnetdiscover

    Raises:
        WormholeError: for any mistake, naming file and line
    """
    if interfaces and format != "ibnetdiscover":
        raise WormholeError(f"interfaces with format {format}: accepted are ports of computers with "
                            "ibnetdiscover")
    if routes is None:
        reader = _function(READERS, format, "read")
        plan = reader(path, interfaces) if interfaces else reader(path)
        graph = plan.graph()
    else:
        if format != "ibnetdiscover":
            raise WormholeError(f"routes {routes} with format {format}: accepted are forwarding "
                                "tables with ibnetdiscover")
        from . import lfts
        plan, graph = lfts.read(path, routes, interfaces)
    return graph, [note if note.startswith(f"{routes}: ") else f"{path}: {note}"
                   for note in plan.notes]


def write(fabric, format: str):
    """Returns a fabric in a format, and notes of what that can't hold.

    Args:
        fabric: a Fabric
        format: one of WRITERS

    Returns:
        the text, or its parts one after the other, and a list of lines

    Raises:
        WormholeError: if there is no such format, or it can't hold a name
    """
    made = _function(WRITERS, format, "write")(fabric)
    return made if isinstance(made, tuple) else (made, [])


def format_of(path: str) -> str:
    """Returns the format that a file's name ends in. Raises WormholeError if it ends in none."""
    suffix = pathlib.PurePath(path).suffix.lower()
    found = _SUFFIXES.get(suffix)
    if found != JSON and found not in WRITERS:
        raise WormholeError(f"{path}: its format is not certain; accepted is to name it, by --to or "
                            f"format=, one of {', '.join([JSON, *WRITERS])}")
    return found
