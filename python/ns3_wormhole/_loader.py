# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Loads the few ns-3 modules that wormhole needs, wormhole itself and its headers into cppyy.

ns-3's own ``from ns import ns`` loads all of its modules, which takes several seconds. Loading
libraries before headers is what makes this short. Either
may come first; both give the same classes.
"""

import functools
import importlib.util
import pathlib

MODULES = ("core", "network", "stats")

# ns-3's headers that a script wants by name and wormhole's own headers may not include.
HEADERS = ("boolean", "double", "enum", "integer", "string", "uinteger", "pointer", "data-rate",
           "config", "global-value", "rng-seed-manager", "simulator", "names", "node-list",
           "type-id", "log")

# Boost of the ns3 wheel is older than the compiler inside cppyy.
QUIET = '#pragma clang diagnostic ignored "-Wdeprecated-builtins"\n'


def _package_folder():
    return pathlib.Path(__file__).resolve().parent


def _own_files():
    """Returns the library and the folder of headers: installed, or of "make build"."""
    package = _package_folder()
    build = package.parent.parent / "build"
    for library, include in ((package / "lib", package / "include"),
                             (build / "lib", build / "include")):
        path = library / "libwormhole.so"
        if path.exists():
            return path, include
    raise ImportError(f"there is no {package / 'lib' / 'libwormhole.so'}: install the package with "
                      "'pip install .', or run 'make build' in a checkout")


def _ns3_folder():
    spec = importlib.util.find_spec("ns3")
    for place in (spec.submodule_search_locations if spec else None) or ():
        if (pathlib.Path(place) / "lib64").is_dir():
            return pathlib.Path(place)
    raise ImportError("the package ns3 is missing: pip install ns3==3.44.post0")


@functools.lru_cache(maxsize=None)
def load():
    """Loads everything, once.

    Returns:
        cppyy's namespace of ns-3, with ns-3's own names: ``ns.WormholeHelper()``
    """
    import cppyy
    import libcppyy

    library, include = _own_files()
    ns3 = _ns3_folder()
    libcppyy.AddSmartPtrType("Ptr")
    for module in MODULES:
        for path in (ns3 / "lib64").glob(f"libns3*-{module}.so"):
            cppyy.load_library(str(path))
    cppyy.load_library(str(library))
    for folder in (ns3 / "include", include):
        cppyy.add_include_path(str(folder))
    headers = [f"{name}.h" for name in HEADERS]
    headers += sorted(path.name for path in (include / "ns3").glob("*.h"))
    text = QUIET + "".join(f'#include "ns3/{header}"\n' for header in headers)
    bridge = (_package_folder() / "bridge.h").read_text(encoding="utf-8")
    if not cppyy.cppdef(text + bridge):
        raise ImportError("the headers of wormhole do not fit this ns3")
    return cppyy.gbl.ns3
