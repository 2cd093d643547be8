# SPDX-License-Identifier: GPL-2.0-only
"""Wormhole cluster fabrics and their barriers in ns-3, from Python.

``ns3_wormhole.ns`` is ns-3 with every class of the module, under its C++ name; :class:`Fabric`, its collectives and the
studies in :mod:`ns3_wormhole.studies` are built on it::

    import ns3_wormhole as wh

    fabric = wh.Fabric.irregular(switches=75, hosts=256)
    print(fabric.barrier("dissemination", ["h0", "h17", "h42"]).cross(), "us")

Times have the unit in which their names end, such as ``_us`` or ``_ns``; latencies that rounds return are in
microseconds (us); other times are texts with a unit, such as "20ns". Data lengths are in bytes, or texts such as
"8KiB"; worm lengths and buffer depths are in flits. A load is a fraction of a channel's rate, from 0 to 1.

The modules are in packages: core, formats, collective, study, report, reproduce, cli. Each package may import only
packages that precede it in this list. Users import modules without the package's name: ``ns3_wormhole.fabric`` is
``collective/fabric.py``.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .collective import Collective, algorithms, explain, fabric, heat, ideal, prototype, what_if
    from .collective import values as data_collective
    from .collective.fabric import Fabric, routing_engines, topologies
    from .collective.ideal import IdealNetwork
    from .collective.values import DataCollective
    from .core import errors, machine, options, plugin, simulation, timeline
    from .core.errors import WormholeError, translated
    from .core.simulation import (check_attribute, connect, reset, set_attribute, set_default, set_seed, time)
    from .formats import drawing
    from .report import timeline_page
    from . import studies  # studies.pyi
    from .study import benchmark, calibrate, campaign, goal, osu
    from .study.replay import replay
    ns: Any  # ns-3, which is loaded when it is used

# Where the modules are that users import; checkers of types find them by the stubs beside this file.
_MODULES = {name: f"{package}.{name}" for package, names in {
    "core": ("errors", "machine", "options", "plugin", "simulation", "timeline"),
    "formats": ("drawing",),
    "collective": ("explain", "fabric", "heat", "ideal", "prototype", "what_if"),
    "study": ("benchmark", "calibrate", "campaign", "goal", "osu", "studies"),
    "report": ("timeline_page",)}.items() for name in names}
_MODULES.update(collective="collective", data_collective="collective.values", replaying="study.replay")
_NAMES = {name: place for place, names in {
    "collective": ("Collective", "algorithms"), "errors": ("WormholeError", "translated"),
    "data_collective": ("DataCollective",), "fabric": ("Fabric", "routing_engines", "topologies"),
    "ideal": ("IdealNetwork",), "replaying": ("replay",),
    "simulation": ("check_attribute", "connect", "reset", "set_attribute", "set_default", "set_seed",
                   "time")}.items() for name in names}

__all__ = ["Collective", "DataCollective", "Fabric", "IdealNetwork", "WormholeError", "algorithms",
           "benchmark", "calibrate", "campaign", "check_attribute", "connect", "drawing", "machine",
           "ns", "osu", "prototype", "replay", "reset", "routing_engines", "set_attribute", "set_default",
           "set_seed", "studies", "time", "topologies", "translated"]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules by the names under which users import them."""

    def find_spec(self, fullname, path=None, target=None):
        package, _, name = fullname.rpartition(".")
        return importlib.machinery.ModuleSpec(fullname, self) \
            if package == __name__ and name in _MODULES else None

    def exec_module(self, module):
        name = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = importlib.import_module(f".{_MODULES[name]}", __name__)


sys.meta_path.append(_Finder())


def __getattr__(name: str):
    """Imports modules, and loads ns-3, when they are used."""
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    if name == "ns":
        importlib.import_module(".core.simulation", __name__)  # which has ns-3's mistakes raised
        value = importlib.import_module(".core.loader", __name__).load()
    elif name in _NAMES:
        value = getattr(importlib.import_module(f".{_NAMES[name]}", __name__), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted({*globals(), *__all__, *_MODULES})
