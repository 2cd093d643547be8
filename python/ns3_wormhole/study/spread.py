# SPDX-License-Identifier: GPL-2.0-only
"""Statistics of times over random placements: median, minimum, quartiles, maximum, also by switches or groups."""

from __future__ import annotations

import re
from typing import Iterable, Sequence

from ..collective.fabric import Fabric
from ..core.loader import pandas

COLUMNS = {"count": "placements", "50%": "median", "min": "least", "25%": "quartile_1",
           "75%": "quartile_3", "max": "greatest"}
_MATTERS = 1.05  # ratio of medians by number of switches or groups


def places(fabric: Fabric, hosts: Iterable[int]) -> dict[str, int]:
    """Returns the number of switches, and of a dragonfly's groups, that hosts (given by number) occupy."""
    graph = fabric.graph
    found = {int(graph.SwitchOf(graph.HostAt(host)).node) for host in hosts}
    family = re.match(r"dragonfly:(?:.*,)?a=(\d+)", str(graph.GetRoutes().family))
    return {"switches": len(found), **({"groups": len({each // int(family[1]) for each in found})} if family else {})}


def spread(table: pandas.DataFrame, keys: Sequence[str], value: str) -> pandas.DataFrame:
    """Returns a row for each combination of keys' values, with COLUMNS of a value. table: a row for each
    placement"""
    found = table.groupby(list(keys))[value].describe()[list(COLUMNS)]
    return found.rename(columns=COLUMNS).astype({"placements": int}).reset_index()


def as_text(table: pandas.DataFrame, keys: Sequence[str], value: str) -> str:
    """Returns spread() as text, also by number of switches or groups if medians depend on this number."""
    texts = []
    for by in ([], ["groups"], ["switches"]):
        if not set(by) <= set(table):
            continue
        found = spread(table, [*keys, *by], value)
        medians = found.groupby(list(keys))["median"]
        if not by or (medians.max() > _MATTERS * medians.min()).any():
            texts.append(found.to_string(index=False, float_format="%.3f"))
    return "\n\n".join(texts)
