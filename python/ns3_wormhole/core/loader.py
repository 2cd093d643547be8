# SPDX-License-Identifier: GPL-2.0-only
"""Loads the few ns-3 modules that wormhole needs, wormhole itself and its headers into cppyy.

ns-3's own ``from ns import ns`` loads all ns-3 modules, which takes several seconds; it may come before or after this
module, and gives the same classes. Libraries are loaded before headers, which are precompiled (:mod:`.precompiled`).
Loading still takes half a second, as do pandas and networkx together, so all are loaded only on first use. Other
modules of this package import ``ns``, ``bridge``, ``std``, pandas and networkx from here.
"""

import atexit
import contextlib
import functools
import importlib
import importlib.util
import pathlib
import re
from typing import TYPE_CHECKING

from . import precompiled

MODULES = ("core", "network", "stats")

# ns-3's headers that a script wants by name and wormhole's own headers may not include.
HEADERS = ("boolean", "double", "enum", "integer", "string", "uinteger", "pointer", "data-rate",
           "config", "global-value", "rng-seed-manager", "simulator", "names", "node-list",
           "type-id", "log")

# Boost of the ns3 wheel is older than the compiler inside cppyy.
QUIET = '#pragma clang diagnostic ignored "-Wdeprecated-builtins"\n'

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
CHECKOUT = PACKAGE.parents[1]  #: where the package is not installed


def made(path: str) -> pathlib.Path:
    """Returns a file or folder that the build makes, in the installed package or in a checkout's build. path: its path
    in either, such as "lib/libwormhole.so". Raises ImportError if there is none."""
    for folder in (PACKAGE, CHECKOUT / "build"):
        if (folder / path).exists():
            return folder / path
    raise ImportError(f"there is no {PACKAGE / path}: install the package with 'pip install .', or run "
                      "'make build' in a checkout")


def data_folder() -> pathlib.Path:
    """Returns the folder of the module's data, in the installed package or in a checkout."""
    return next((path for path in (PACKAGE / "data", CHECKOUT / "data") if path.is_dir()), PACKAGE / "data")


def ns3_folder() -> pathlib.Path:
    """Returns the folder of the package ns3. Raises ImportError if there is none."""
    spec = importlib.util.find_spec("ns3")
    for place in (spec.submodule_search_locations if spec else None) or ():
        if (pathlib.Path(place) / "lib64").is_dir():
            return pathlib.Path(place)
    raise ImportError("the package ns3 is missing: pip install ns3==3.44.post0")


def load():
    """Loads everything, once. Returns cppyy's namespace of ns-3, with ns-3's own names:
    ``ns.WormholeHelper()``."""
    first = not loaded()
    ns3 = _load()
    for function in _when_loaded if first else ():
        function()
    return ns3


@functools.lru_cache(maxsize=None)
def _load():
    library = made("lib/libwormhole.so")
    include = library.parents[1] / "include"
    folder_of_ns3 = ns3_folder()
    folders = (folder_of_ns3 / "include", include)
    libraries = [path for module in MODULES for path in (folder_of_ns3 / "lib64").glob(f"libns3*-{module}.so")]
    text, contents = _headers(include)
    ready = precompiled.path_of(text + contents, folders, libraries)
    with precompiled.used(ready) as is_ready:
        import cppyy
        import libcppyy

    libcppyy.AddSmartPtrType("Ptr")
    for path in libraries:
        cppyy.load_library(str(path))
    try:
        cppyy.load_library(str(library))
    except RuntimeError as error:
        raise ImportError(f"{library} does not fit the ns3 in {folder_of_ns3}: "
                          f"{str(error).strip().splitlines()[-1]}") from None
    for folder in folders:
        cppyy.add_include_path(str(folder))
    if not is_ready:
        if not cppyy.cppdef(text):
            raise ImportError("the headers of wormhole do not fit this ns3")
        if ready:
            precompiled.begin(ready, text, folders)
    ns3 = cppyy.gbl.ns3
    # A flit takes 6.25 ns by default, so nanoseconds would be refused.
    if ns3.Time.GetResolution() == ns3.Time.NS:
        ns3.Time.SetResolution(ns3.Time.PS)
    atexit.register(ns3.Simulator.Destroy)
    return ns3


def _headers(include):
    """Returns C++ code that includes all headers, and the content of this module's headers."""
    files = {path.name: _content(path) for path in sorted((include / "ns3").glob("*.h"))}
    # Not the deprecated ones (cmake/former-headers.txt), which only have a note and an include.
    names = [f"{name}.h" for name in HEADERS] + [name for name, content in files.items()
                                                 if not content.startswith("#pragma message")]
    text = QUIET + "".join(f'#include "ns3/{name}"\n' for name in names)
    for header in ("bridge.h", "prototype.h", "rounds.h"):
        text += (PACKAGE / "core/bridge" / header).read_text(encoding="utf-8")
    return text, "".join(files.values())


def _content(path):
    """Returns a header's content, and in a checkout's build, the content of the file that it includes by full path."""
    text = path.read_text(encoding="utf-8")
    of = re.fullmatch(r'#include "(/.*)"\n*', text)
    return text + pathlib.Path(of[1]).read_text(encoding="utf-8") if of else text


def loaded() -> bool:
    """Returns whether ns-3 is loaded; before, no ns-3 object can exist."""
    return _load.cache_info().currsize > 0


_when_loaded = []


def when_loaded(function):
    """Calls a function when ns-3 is loaded; immediately if it is. Returns a function that cancels the call."""
    _when_loaded.append(function)
    if loaded():
        function()
    return functools.partial(_when_loaded.remove, function)


class Later:
    """Stands for a module or namespace that is loaded on first use."""

    def __init__(self, get):
        """Takes the name of a Python module, or a function that returns the object that this stands for."""
        self._get = functools.partial(importlib.import_module, get) if isinstance(get, str) else get

    def __getattr__(self, name):
        return getattr(self._get(), name)


def _of_cppyy(name):
    load()
    import cppyy
    return getattr(cppyy.gbl, name)


def printed(write, *given) -> str:
    """Returns what a C++ function writes to its first argument, a stream."""
    stream = std.ostringstream()
    write(stream, *given)
    return str(stream.str())


@contextlib.contextmanager
def notes_in(lines: list[str]):
    """Within a with block, appends to lines what C++ prints on standard error, without the program's name."""
    stream = std.ostringstream()
    before = std.cerr.rdbuf()
    # To cppyy a stringbuf is no streambuf.
    std.cerr.rdbuf(cppyy.bind_object(cppyy.addressof(stream.rdbuf()), type(before)))
    try:
        yield
    finally:
        std.cerr.rdbuf(before)
        lines += [line.partition(": ")[2] or line for line in str(stream.str()).splitlines()]


ns = Later(load)
bridge = Later(functools.partial(_of_cppyy, "ns3_wormhole"))
std = Later(functools.partial(_of_cppyy, "std"))
cppyy = Later("cppyy")
if TYPE_CHECKING:
    import networkx as networkx
    import numpy as numpy
    import pandas as pandas
    import tqdm as tqdm
else:
    pandas, networkx, numpy, tqdm = map(Later, ("pandas", "networkx", "numpy", "tqdm"))
