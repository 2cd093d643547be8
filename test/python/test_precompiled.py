# SPDX-License-Identifier: GPL-2.0-only
"""Headers that are compiled once: used as long as nothing changes that they were made of."""

import os
import sys
import time

import pytest
from conftest import run, write
from ns3_wormhole.core import loader, precompiled


def test_a_file_is_of_one_text_and_can_be_turned_off(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "cppyy", sys)  # as if it were loaded already
    assert precompiled.path_of("a", (), ()) is None
    monkeypatch.delitem(sys.modules, "cppyy")
    library = write(tmp_path / "library", "1")
    found = [precompiled.path_of(text, [tmp_path], [library]) for text in ("a", "b")]
    library.write_text("12", encoding="utf-8")
    found.append(precompiled.path_of("a", [tmp_path], [library]))
    assert len(set(found)) == 3 and {path.parent for path in found} == {tmp_path / "ns3-wormhole"}
    monkeypatch.setenv("WORMHOLE_PRECOMPILED", "0")
    assert precompiled.path_of("a", (), ()) is None


def test_headers_of_a_checkout_are_read_themselves(tmp_path):
    header = write(tmp_path / "a.h", "class A;")
    include = tmp_path / "include"
    (include / "ns3").mkdir(parents=True)
    write(include / "ns3/a.h", f'#include "{header}"\n')
    before = loader._headers(include)
    header.write_text("class B;", encoding="utf-8")
    assert loader._headers(include)[0] == before[0] and loader._headers(include)[1] != before[1]


def test_what_cppyy_loads_is_no_other_programs(monkeypatch, tmp_path):
    monkeypatch.setenv("CLING_STANDARD_PCH", "own")
    path = tmp_path / "a.pch"
    with precompiled.used(path) as is_ready:
        assert not is_ready and os.environ["CLING_STANDARD_PCH"] == "own"
    path.touch()
    with precompiled.used(path) as is_ready:
        assert is_ready and os.environ["CLING_STANDARD_PCH"] == str(path)
    assert os.environ["CLING_STANDARD_PCH"] == "own"


@pytest.mark.skipif("not os.environ.get('WORMHOLE_LONG')", reason="takes half a minute of CPU")
def test_the_first_process_has_a_file_made_that_others_use(environment, tmp_path):
    def start():
        program = "import ns3_wormhole as wh; print(wh.Fabric.from_text('torus:4x4').barrier('btin').cross())"
        return run(sys.executable, "-c", program, env={**environment, "XDG_CACHE_HOME": str(tmp_path)})
    first, end = start(), time.monotonic() + 600
    while not (made := list((tmp_path / "ns3-wormhole").glob("*.pch"))) and time.monotonic() < end:
        time.sleep(1)
    assert len(made) == 1 and os.stat(made[0]).st_size > 1 << 20
    second = start()
    assert (second.stdout, second.stderr) == (first.stdout, first.stderr)
