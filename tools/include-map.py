#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints which rooms of the sources include which, and checks that the arrows point one way.

Checked are: arrows between rooms (a folder of model/ or helper/) as design rules allow; no circle of
units (a header with its source file) outside the engine's room, model/fabric, but for those of
KNOWN_CIRCLES; public headers, those of a room itself, include public ones only. The exit status is 0 if all hold.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import networkx

ROOT = Path(__file__).resolve().parent.parent
# Lower rooms first. A room may include those before it, and itself.
ORDER = [*(f"model/{room}" for room in "core fabric routing recovery in-switch host collective goal".split()),
         *(f"helper/{room}" for room in "file topology options install timeline measure benchmark study".split())]
ENGINE = "model/fabric"
# Folders below a room whose headers are installed.
PUBLIC_FOLDERS = ["model/routing/proof"]
# Circles of units that are there still: each source file of one includes the header of the other.
KNOWN_CIRCLES = [
    {"model/routing/detail/up-down-pair-route", "model/routing/up-down-routing"},
    # What a host, or a group, keeps of lost messages acts on it in turn: a class of its own, of one user.
    {"model/host/detail/host-retransmission", "model/host/wormhole-host-software"},
    {"model/collective/collective-domain", "model/collective/detail/group-failures",
     "model/collective/wormhole-collective"},
]


def list_headers(root):
    return {path.name: path for room in ("model", "helper") for path in (root / room).rglob("*.h")}


def read_includes(path, headers):
    """Names of the module's own headers that a file includes."""
    names = re.findall(r'^#include "(?:ns3/)?([^"/]+)"', path.read_text(encoding="utf-8"), re.M)
    return [name for name in names if name in headers]


def room_of(path, root):
    return "/".join(path.relative_to(root).parts[:2])


def is_public(path, root):
    """Whether a header is installed: as CMakeLists.txt and wscript have it."""
    folder = str(path.relative_to(root).parent)
    return folder in PUBLIC_FOLDERS or folder in ORDER


def find_arrows(root):
    """Pairs of rooms, with the number of includes, and a graph of units."""
    headers = list_headers(root)
    arrows = Counter()
    units = networkx.DiGraph()
    for path in [*headers.values(), *(path for room in ("model", "helper") for path in (root / room).rglob("*.cc"))]:
        for name in read_includes(path, headers):
            arrows[room_of(path, root), room_of(headers[name], root)] += 1
            unit, other = (str(each.relative_to(root).with_suffix("")) for each in (path, headers[name]))
            if unit != other:
                units.add_edge(unit, other)
    return arrows, units


def find_mistakes(root):
    """What breaks the rules, a line each."""
    headers = list_headers(root)
    arrows, units = find_arrows(root)
    mistakes = []
    for first, second in sorted(arrows):
        if first not in ORDER or second not in ORDER:
            mistakes.append(f"{first} -> {second}: a room that ORDER does not name")
        elif ORDER.index(first) < ORDER.index(second):
            mistakes.append(f"{first} -> {second}: the arrow points up")
    for circle in networkx.strongly_connected_components(units):
        in_engine = all(unit.startswith(ENGINE) for unit in circle)
        if len(circle) > 1 and not in_engine and circle not in KNOWN_CIRCLES:
            mistakes.append(f"units include each other: {', '.join(sorted(circle))}")
    return mistakes + [f"{path.relative_to(root)} is public and includes {other}, which is private"
                       for path in sorted(headers.values()) if is_public(path, root)
                       for other in read_includes(path, headers) if not is_public(headers[other], root)]


def main():
    arrows, _ = find_arrows(ROOT)
    for room in ORDER:
        others = {second: number for (first, second), number in arrows.items() if first == room}
        print(f"{room}: {', '.join(f'{name} {others[name]}' for name in ORDER if name in others)}")
    sys.exit("\n".join(find_mistakes(ROOT)) or None)


if __name__ == "__main__":
    main()
