# SPDX-License-Identifier: GPL-2.0-only
"""Places of programs and data, in a checkout and in an installed package; and the version."""

import os
import pathlib
import re
import subprocess
import sys

from ..core.errors import WormholeError
from ..core.loader import CHECKOUT, PACKAGE, data_folder

COMPARE, ROUTING_COMPARISON, PREDICT, OUTAGES = TABLES = (  # no example programs
    "compare", "routing-comparison", "predict", "outages")
DATA = data_folder()


def build_folder() -> pathlib.Path:
    """Returns the folder that has the library in lib/, and in a checkout, programs in examples/. Raises WormholeError
    if there is none."""
    for build in (PACKAGE, CHECKOUT / "build"):
        if (build / "lib").is_dir() and DATA.is_dir():
            return build
    raise WormholeError(f"there is no library in {PACKAGE / 'lib'} or {CHECKOUT / 'build/lib'}; "
                        "expected an installed package, or a checkout after 'make build'")


def command(build: pathlib.Path, name: str) -> list[str]:
    """Returns the command that runs a program: its file, or in the installed package, Python with the library. build:
    folder of programs and library; name: the program's name. Raises WormholeError if there is none."""
    if name in TABLES:
        return [sys.executable, "-m", "ns3_wormhole.reproduce.table_study", name]
    if build == PACKAGE:
        return [sys.executable, "-m", "ns3_wormhole.core.program", name]
    path = build / "examples" / name
    if not os.access(path, os.X_OK):
        raise WormholeError(f"there is no program {path}; build it first (make build), or name the "
                            "build folder with --build")
    return [str(path)]


def version() -> str:
    """Returns the version of the checkout, else of the installed package, else an empty string."""
    try:
        text = (CHECKOUT / "CMakeLists.txt").read_text(encoding="utf-8")
        if found := re.search(r"project\(wormhole VERSION ([0-9.]+)", text):
            return found[1]
    except OSError:
        pass
    import importlib.metadata  # which takes a while
    try:
        return importlib.metadata.version("ns3-wormhole")
    except importlib.metadata.PackageNotFoundError:
        return ""


def commit() -> str:
    """Returns the commit of the checkout, else an empty string."""
    if not (CHECKOUT / ".git").exists():
        return ""
    try:  # with a tag that nobody has, it tells the commit
        told = subprocess.run(["git", "describe", "--always", "--dirty= with local changes", "--abbrev=10",
                               "--exclude=*"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return told.stdout.strip()
