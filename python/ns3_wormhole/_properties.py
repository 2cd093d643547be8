# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""What cables and switches of a graph have of their own (rule S10), by name, as texts."""

from __future__ import annotations

from typing import Mapping

from ._loader import bridge, ns
from .errors import WormholeError, translated

# Of a cable: data rate or flit time, propagation delay or length, depth of its buffers in flits or,
# with a unit, in bytes. A switch has a delay.
CABLE = ("rate", "flit_time", "delay", "length", "depth")


def of_cable(graph, node: int, port: int) -> dict[str, str]:
    """Returns what a cable has, such as {"rate": "100000000000bps", "delay": "15ns"}."""
    text = str(bridge.GetCable(graph, node, port))
    return dict(each.split("=") for each in text.split(",")) if text else {}


def of_switches(graph) -> dict[int, str]:
    """Returns the delays of switches that have one, by their numbers."""
    found = {node: str(bridge.GetSwitchDelay(graph, node)) for node in range(graph.GetNSwitches())}
    return {node: delay for node, delay in found.items() if delay}


def are_there(graph) -> bool:
    """Returns whether any cable or switch has anything of its own."""
    return not graph.GetProperties().IsEmpty()


@translated()
def give(graph, node: int, port: int, own: Mapping[str, object]) -> None:
    """Gives a cable what it has of its own. Raises WormholeError for a value that is none."""
    for name, value in own.items():
        try:
            bridge.SetCable(graph, node, port, name, str(value))
        except ns.WormholeError as error:
            raise WormholeError(f"{name}: {error.what()}") from None


@translated()
def delay(graph, node: int, value: object) -> None:
    """Gives a switch its delay. Raises WormholeError for a value that is none."""
    bridge.SetSwitchDelay(graph, node, str(value))
