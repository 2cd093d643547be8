# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Wormhole cluster fabrics and their barriers in ns-3, from Python.

``ns3_wormhole.ns`` is ns-3 with every class of the module by its own name; over it stand
:class:`Fabric`, its collectives, and the studies in :mod:`ns3_wormhole.studies`::

    import ns3_wormhole as wh

    fabric = wh.Fabric.irregular(switches=75, hosts=256)
    print(fabric.barrier("dissemination", ["h0", "h17", "h42"]).cross(), "us")

Times are in microseconds where a name ends in ``_us``, else texts with a unit, as "20ns".
"""

import importlib

from .collective import Collective, algorithms
from .errors import WormholeError, translated
from .fabric import Fabric, topologies
from .simulation import (check_attribute, connect, ns, reset, set_attribute, set_default, set_seed,
                         time)

__all__ = ["Collective", "Fabric", "WormholeError", "algorithms", "benchmark", "campaign",
           "check_attribute", "connect", "drawing", "ns", "reset", "set_attribute", "set_default",
           "set_seed", "studies", "time", "topologies", "translated"]

_LAZY = ("studies", "benchmark", "campaign", "drawing")


def __getattr__(name: str):
    """Imports what needs pandas only when it is used."""
    if name in _LAZY:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
