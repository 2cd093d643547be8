# SPDX-License-Identifier: GPL-2.0-only
"""Libraries of one's own: found by name in programs, commands, Python and its workers."""

import os
import shlex

import pytest
from conftest import COMMAND, PROGRAMS, ROOT, refused_by, run, write

from ns3_wormhole import plugin


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """examples/own-barrier.cc as a library, by the printed line and without what the checkout has set."""
    path = tmp_path_factory.mktemp("plugin") / "libring.so"
    flags = run(*COMMAND, "cxxflags").stdout
    run("g++", "-O0", "-shared", "-fPIC", ROOT / "examples/own-barrier.cc", "-o", path, *shlex.split(flags),
        env={name: os.environ[name] for name in ("PATH", "HOME", "CCACHE_DIR") if name in os.environ}, cwd=path.parent)
    return path


def test_commands_find_its_algorithm(library, tmp_path):
    told = run(*COMMAND, f"--plugin={library}", "compare", "--topology=torus:3x3", "--names=ring,dissemination",
               "--group-sizes=8").stdout
    assert "ring" in told and "dissemination" in told


def test_programs_find_its_algorithm(library):
    case = ["--topology=torus:3x3", "--schemes=ring", "--groupSizes=4", "--runs=1"]
    assert "ring" in run(PROGRAMS / "btin-comparison", *case, f"--plugin={library}").stdout
    assert "ring" in run(PROGRAMS / "btin-comparison", *case, status=1).stderr


def test_workers_load_it(library, tmp_path):
    sweep = write(tmp_path / "sweep.json", {
        "study": "algorithms", "seeds": 2, "fixed": {"topology": "torus:3x3", "names": ["ring"]},
        "parameters": {"group_sizes": [[4], [8]]}})
    run(*COMMAND, f"--plugin={library}", "campaign", sweep, f"--csv={tmp_path}/s.csv", "--workers=2")
    assert (tmp_path / "s.csv").read_text(encoding="utf-8").count("ring") >= 4
    assert "libring.so" in (tmp_path / "s.points.jsonl").read_text(encoding="utf-8").splitlines()[0]


def test_pkg_config_has_the_same_flags(tmp_path):
    lines = dict(line.split(": ", 1) for line in run(*COMMAND, "cxxflags", "--pkg-config").stdout.splitlines())
    assert f"{lines['Cflags']} {lines['Libs']}" == plugin.cxxflags()
    assert lines["Name"] == "wormhole" and "-internet" in lines["Libs"]


@pytest.mark.parametrize("name, told", [("none.so", "there is no such file"), ("text.so", "expected a shared library")])
def test_others_are_refused(tmp_path, name, told):
    (tmp_path / "text.so").write_text("no library", encoding="utf-8")
    for command in ([*COMMAND, f"--plugin={tmp_path / name}", "compare", "--topology=torus:3x3"],
                    [PROGRAMS / "latency-load", f"--plugin={tmp_path / name}"]):
        error = refused_by(*command)
        assert name in error and (told in error or "cannot open shared object" in error)


def test_a_file_must_be_named():
    for command in ([*COMMAND, "--plugin=", "compare", "--topology=torus:3x3"], [PROGRAMS / "latency-load", "--plugin="]):
        error = refused_by(*command)
        assert "plugin" in error and "a shared library" in error
