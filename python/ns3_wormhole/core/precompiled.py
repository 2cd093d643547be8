# SPDX-License-Identifier: GPL-2.0-only
"""ns-3's headers and the module's, compiled once, so that a process loads them quickly.

Parsing the headers takes 4 s of CPU time in each process. cppyy can load a precompiled header in place of its own
header, which has the standard library only. cppyy does not check the file, so its name is a hash of everything that it
was made from. The first process that parses the headers starts a process with the least priority that makes the file
(75 MB) in $XDG_CACHE_HOME/ns3-wormhole (~/.cache); with WORMHOLE_PRECOMPILED=now it waits for this process. If the file
can't be made, or with WORMHOLE_PRECOMPILED=0, each process parses the headers.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import os
import pathlib
import sys
from typing import Iterable, Iterator

_SUFFIX = ".pch"


def _backend() -> pathlib.Path:
    spec = importlib.util.find_spec("cppyy_backend")
    if spec is None or spec.origin is None:
        raise ImportError("the package cppyy is missing: pip install cppyy")
    return pathlib.Path(spec.origin).parent


def path_of(text: str, folders: Iterable[pathlib.Path], parts: Iterable[pathlib.Path]) -> pathlib.Path | None:
    """Returns the path of a text's precompiled header, which may not exist yet; None: none is to be used. text: C++
    that includes all headers; folders: the headers' folders; parts: files that identify the version of the headers,
    such as the libraries"""
    if os.environ.get("WORMHOLE_PRECOMPILED") == "0" or "cppyy" in sys.modules:
        return None
    try:
        backend = _backend()
        seen = [text, *map(str, folders), *(os.environ.get(name, "") for name in ("STDCXX", "EXTRA_CLING_ARGS")),
                *(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in (
                    *parts, backend / "bin/rootcling", backend / "etc/dictpch/allCppflags.txt",
                    *sorted(pathlib.Path("/usr/include/c++").glob("*"))))]
        home = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    except (OSError, ImportError, RuntimeError):
        return None
    name = hashlib.sha256("\0".join(seen).encode()).hexdigest()[:24] + _SUFFIX
    return pathlib.Path(home) / "ns3-wormhole" / name


@contextlib.contextmanager
def used(path: pathlib.Path | None) -> Iterator[bool]:
    """Makes cppyy, imported within a with block, load a file if it exists. Yields whether the file exists."""
    there = path is not None and path.is_file()
    before = os.environ.get("CLING_STANDARD_PCH")
    if there:
        os.environ["CLING_STANDARD_PCH"] = str(path)
    try:
        yield there
    finally:
        if there:  # other programs have their own
            del os.environ["CLING_STANDARD_PCH"]
            if before is not None:
                os.environ["CLING_STANDARD_PCH"] = before


def begin(path: pathlib.Path, text: str, folders: Iterable[pathlib.Path]) -> None:
    """Starts a process that makes a file, unless one already does or it can't be written; waits for it if requested."""
    import subprocess
    import tempfile
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.access(path.parent, os.W_OK):
            with tempfile.TemporaryFile() as source:
                source.write(text.encode())
                source.seek(0)
                made = subprocess.Popen([sys.executable, __file__, path, *folders], stdin=source, cwd="/",
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        start_new_session=True)
                if _is_awaited():
                    made.wait()


def _is_awaited() -> bool:
    return os.environ.get("WORMHOLE_PRECOMPILED") == "now"


def _make(path: pathlib.Path, text: str, folders: list[str]) -> None:
    """Makes a file, and removes those of other versions."""
    import subprocess
    import tempfile
    backend = _backend()
    dictionary = "etc/dictpch"
    flags = (backend / dictionary / "allCppflags.txt").read_text(encoding="utf-8").split()
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source = pathlib.Path(folder) / "all.h"
        source.write_text(text, encoding="utf-8")
        includes = [f"-I{each}" for each in ("include", "etc", dictionary, "etc/cling", *folders)]
        subprocess.run(["bin/rootcling", "-rootbuild", "-generate-pch", "-f", f"{folder}/allDict.cxx",
                        "-noDictSelection", "-D__CLING__", "-DROOT_PCH", *includes, "-cxxflags", " ".join(flags),
                        f"{dictionary}/allHeaders.h", source, f"{dictionary}/allLinkDefs.h"], cwd=backend,
                       check=True, env={**os.environ, "LD_LIBRARY_PATH": str(backend / "lib")})
        others = [each for each in path.parent.glob(f"*{_SUFFIX}") if each != path]
        os.replace(f"{folder}/allDict_rdict{_SUFFIX}", path)
    # Those of a few checkouts may be in use in turn.
    for old in sorted(others, key=lambda each: each.stat().st_atime)[:-2]:
        old.unlink(missing_ok=True)


def main() -> None:
    """Makes the file in the first argument from the text on standard input and headers in the other arguments."""
    path = pathlib.Path(sys.argv[1])
    if not _is_awaited():
        os.nice(19)
    with open(path.parent / "lock", "w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if _is_awaited() else fcntl.LOCK_NB))
        except BlockingIOError:  # another process is making one
            return
        if not path.is_file():
            _make(path, sys.stdin.read(), sys.argv[2:])


if __name__ == "__main__":
    main()
