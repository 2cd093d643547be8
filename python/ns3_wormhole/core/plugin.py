# SPDX-License-Identifier: GPL-2.0-only
"""Your own libraries: classes that are compiled separately from the module, and found by name once loaded."""

import ctypes
import os
import pathlib

from . import loader
from .errors import WormholeError

_loaded: list[str] = []


def load(path: str | os.PathLike) -> None:
    """Loads a shared library, whose algorithms and routing engines are then found by name, also in workers of
    campaigns. path: the file, made by a command like "g++ -shared -fPIC mine.cc -o libmine.so $(ns3-wormhole
    cxxflags)". Raises WormholeError if there is no such file, or it does not fit."""
    file = pathlib.Path(path).absolute()
    if str(file) in _loaded:
        return
    if not file.is_file():
        raise WormholeError(f"plugin '{path}': there is no such file; expected a shared library")
    loader.load()  # which its classes belong to
    try:
        ctypes.CDLL(str(file), mode=ctypes.RTLD_GLOBAL)
    except OSError as error:
        raise WormholeError(f"{error}; expected a shared library that is compiled with what 'ns3-wormhole "
                            "cxxflags' prints") from None
    _loaded.append(str(file))


def loaded() -> list[str]:
    """Returns the loaded files, in the order of loading."""
    return list(_loaded)


def _parts() -> tuple[list[str], list[str]]:
    """Returns the compiler's flags and the linker's."""
    library = loader.made("lib/libwormhole.so").resolve()
    ns3 = loader.ns3_folder()
    modules = sorted(path for path in (ns3 / "lib64").glob("libns3*.so") if not path.stem.endswith("-test"))
    folders = (library.parent, ns3 / "lib64")
    return (["-std=c++20", "-DNS3_LOG_ENABLE", "-DNS3_ASSERT_ENABLE", f"-I{library.parents[1] / 'include'}",
             f"-isystem {ns3 / 'include'}"],
            [*(f"-L{folder} -Wl,-rpath,{folder}" for folder in folders), "-lwormhole",
             *(f"-l:{path.name}" for path in modules)])


def cxxflags() -> str:
    """Returns one line of compiler options for a program or library that uses the module and ns-3."""
    return " ".join(sum(_parts(), []))


def pkg_config(version: str) -> str:
    """Returns these options as the text of a file wormhole.pc, for pkg-config. version: the module's version"""
    compiler, linker = map(" ".join, _parts())
    return ("Name: wormhole\nDescription: Wormhole cluster fabrics and their collectives in ns-3\n"
            f"Version: {version}\nCflags: {compiler}\nLibs: {linker}\n")
