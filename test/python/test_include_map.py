# SPDX-License-Identifier: GPL-2.0-only
"""The rooms of the sources: who includes whom."""

import runpy
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MAP = runpy.run_path(str(ROOT / "tools" / "include-map.py"))


def test_arrows_point_one_way():
    assert MAP["find_mistakes"](ROOT) == []


@pytest.fixture
def copy(tmp_path):
    for room in ("model", "helper"):
        shutil.copytree(ROOT / room, tmp_path / room)
    shutil.copy(ROOT / "private-headers.txt", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "file, header, mistake",
    [
        ("model/fabric/worm.h", "wormhole-helper.h", "model/fabric -> helper/install"),
        ("model/host/worm-length.h", "host-message.h", None),
        ("model/collective/collective-kinds.h", "working-switches.h", "is private"),
        ("model/collective/collective.h", "collective-kinds.h", "units include each other"),
    ],
)
def test_mistakes_are_found(copy, file, header, mistake):
    path = copy / file
    path.write_text(path.read_text() + f'#include "{header}"\n')
    found = MAP["find_mistakes"](copy)
    assert found == [] if mistake is None else any(mistake in line for line in found)


def test_private_headers_exist(copy):
    (copy / "private-headers.txt").write_text("model/fabric/no-such.h\n")
    assert any("no-such.h" in line for line in MAP["find_mistakes"](copy))
