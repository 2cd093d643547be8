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

_PLACES = {"collective": ("Collective", "algorithms"), "errors": ("WormholeError", "translated"),
           "data_collective": ("DataCollective",),
           "fabric": ("Fabric", "routing_engines", "topologies"), "ideal": ("IdealNetwork",),
           "simulation": ("check_attribute", "connect", "reset", "set_attribute", "set_default",
                          "set_seed", "time")}
_MODULES = ("benchmark", "calibrate", "campaign", "collective", "data_collective", "drawing", "errors",
            "fabric", "heat", "ideal", "machine", "osu", "prototype", "simulation", "studies",
            "timeline", "timeline_page")

__all__ = ["Collective", "DataCollective", "Fabric", "IdealNetwork", "WormholeError", "algorithms",
           "benchmark", "calibrate", "campaign", "check_attribute", "connect", "drawing", "machine",
           "ns", "osu", "prototype", "reset", "routing_engines", "set_attribute", "set_default",
           "set_seed", "studies", "time", "topologies", "translated"]


def __getattr__(name: str):
    """Imports modules, and loads ns-3, when they are used."""
    if name == "ns":
        importlib.import_module(".simulation", __name__)  # which has ns-3's mistakes raised
        value = importlib.import_module("._loader", __name__).load()
    elif name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    else:
        place = next((place for place, names in _PLACES.items() if name in names), None)
        if place is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f".{place}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__, *_MODULES})
