# SPDX-License-Identifier: GPL-2.0-only
"""The rooms of the sources: who includes whom, and of the Python package: who imports whom."""

import ast
import importlib
import importlib.util
import re
import runpy
import shutil
from pathlib import Path

import networkx
import ns3_wormhole
import pytest
from conftest import ROOT, run, write

MAP = runpy.run_path(str(ROOT / "tools" / "include-map.py"))
NS3 = Path(importlib.util.find_spec("ns3").submodule_search_locations[0])


def test_arrows_point_one_way():
    assert MAP["find_mistakes"](ROOT) == []


@pytest.fixture
def copy(tmp_path):
    for room in ("model", "helper"):
        shutil.copytree(ROOT / room, tmp_path / room)
    return tmp_path


@pytest.mark.parametrize("file, header, mistake", [
    ("model/fabric/wormhole-worm.h", "wormhole-helper.h", "model/fabric -> helper/install"),
    ("model/host/wormhole-traffic.h", "wormhole-host-message.h", None),
    ("model/collective/collective-registry.h", "working-switches.h", "is private"),
    ("model/collective/wormhole-collective.h", "software-collective.h", "units include each other")])
def test_mistakes_are_found(copy, file, header, mistake):
    path = copy / file
    path.write_text(path.read_text() + f'#include "{header}"\n')
    found = MAP["find_mistakes"](copy)
    assert found == [] if mistake is None else any(mistake in line for line in found)


def classes_of(header):
    """Names of the classes that a header has in namespace ns3 itself."""
    spaces, names = [], set()
    for line in header.read_text(errors="replace").splitlines():
        if found := re.match(r"namespace (\w+)", line):
            spaces.append(found[1])
        elif re.match("} *// namespace", line):
            spaces.pop()
        elif spaces == ["ns3"]:
            names.update(re.findall(r"^(?:class|struct|enum class|enum) (?!class\b)(\w+)\b(?!;)", line))
    return names


def test_no_name_is_one_of_ns3s_own():
    """Headers share a folder with ns-3's, classes a namespace: two of a name break programs."""
    theirs = sorted((NS3 / "include" / "ns3").glob("*.h"))
    ours = [path for room in ("model", "helper") for path in sorted((ROOT / room).rglob("*.h"))]
    taken = {header.name for header in theirs}
    classes = set().union(*(classes_of(header) for header in theirs))
    assert {"simulator.h", "watchdog.h"} < taken and {"Simulator", "Watchdog"} < classes
    assert [path.name for path in ours if path.name in taken] == []
    assert [path.name for path in ours if classes_of(path) & classes] == []


PACKAGE = ROOT / "python/ns3_wormhole"
# Each may import those before it.
ROOMS = ["core", "formats", "collective", "study", "report", "reproduce", "cli"]


def imports_of(path):
    """The modules of the package that a module imports, as it is loaded and later; not those that
    only annotations name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    package = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            whole = [*package[:len(package) + 1 - node.level], *(node.module or "").split(".")]
            place = PACKAGE.joinpath(*filter(None, whole))
            for name in node.names:
                found = [place / f"{name.name}.py", place / name.name / "__init__.py",
                         place.with_suffix(".py"), place / "__init__.py"]
                yield next(each for each in found if each.is_file()), node.col_offset > 0


def test_packages_import_one_way_and_no_modules_each_other():
    modules = networkx.DiGraph()
    for path in sorted(PACKAGE.glob("*/**/*.py")):
        room = path.relative_to(PACKAGE).parts[0]
        for other, is_late in imports_of(path):
            assert not is_late, f"{path} imports {other} in a function"
            assert ROOMS.index(other.relative_to(PACKAGE).parts[0]) <= ROOMS.index(room), (path, other)
            modules.add_edge(path, other)
    assert len(modules) > 60
    assert not [each for each in networkx.strongly_connected_components(modules) if len(each) > 1]


def test_modules_have_the_names_that_users_import_them_by():
    for name, place in ns3_wormhole._MODULES.items():
        module = importlib.import_module(f"ns3_wormhole.{name}")
        assert module is getattr(ns3_wormhole, name)
        assert module is importlib.import_module(f"ns3_wormhole.{place}")
        assert name == "collective" or f".{place} import *" in (PACKAGE / f"{name}.pyi").read_text(encoding="utf-8")
    assert (PACKAGE / "py.typed").is_file()


def test_former_headers_lead_to_present_ones(tmp_path):
    """cmake/former-headers.txt, from which the build has written its headers."""
    headers = MAP["list_headers"](ROOT)
    lines = (ROOT / "cmake/former-headers.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    assert rows == sorted(rows) and len({row[0] for row in rows}) == len(rows) > 0
    written = {path.name for path in (ROOT / "build/include/ns3").glob("*.h")
               if path.read_text(encoding="utf-8").startswith("#pragma message")}
    assert written == {row[0] for row in rows}
    classes = {path.name: classes_of(path) for path in headers.values()}
    for former, present, *pairs in rows:
        assert former not in headers and MAP["is_public"](headers[present], ROOT), former
        for pair in pairs:
            old, new = pair.split("=")
            assert new in classes[present] and not any(old in names for names in classes.values())
    program = write(tmp_path / "former.cc", "".join(f'#include "ns3/{row[0]}"\n' for row in rows))
    told = run("c++", "-std=c++20", "-fsyntax-only", f"-I{ROOT}/build/include", "-isystem", NS3 / "include", program)
    for former, present, *_ in rows:
        assert f"ns3/{former} is deprecated: include ns3/{present}" in told.stderr


def test_former_header_is_written_alike_for_waf(tmp_path):
    class Node(type(ROOT)):
        make_node = find_node = Path.joinpath
        read, write = Path.read_text, Path.write_text

    class Build:
        path, bldnode = Node(ROOT), Node(tmp_path)

    runpy.run_path(str(ROOT / "wscript"))["write_former_headers"](Build)
    written = sorted((tmp_path / "ns3").iterdir())
    assert written
    for path in written:
        assert path.read_text() == (ROOT / "build/include/ns3" / path.name).read_text()
