# SPDX-License-Identifier: GPL-2.0-only
"""Ends the tests with the line that all test programs of this project end with."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import time
import warnings

import hypothesis
import pytest
from ns3_wormhole import WormholeError, cli

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / "build/examples"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
COMMAND = sys.executable, "-m", "ns3_wormhole"
# The same few examples in every run; "long" is what make check-long takes, by WORMHOLE_LONG.
hypothesis.settings.register_profile("ci", max_examples=600, deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("long", max_examples=100_000, deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("long" if os.environ.get("WORMHOLE_LONG") else "ci")
_counts = {"passed": 0, "failed": 0}


def pytest_runtest_logreport(report):
    _counts["failed"] += report.failed
    _counts["passed"] += report.passed and report.when == "call"


def pytest_collectreport(report):
    _counts["failed"] += report.failed


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput") and not config.option.collectonly:
        print(f"{_counts['passed']} passed, {_counts['failed']} failed", flush=True)


def examples(suffix):
    """Returns the names of the examples of a suffix, .cc or .py."""
    studies = (ROOT / "examples/studies.txt").read_text(encoding="utf-8").splitlines()
    return {path.stem for path in (ROOT / "examples").glob("*" + suffix)} | {
        line.split()[0] for line in studies if suffix == ".cc" and not line.startswith("#")}


def call(capsys, *words):
    """Runs the command ns3-wormhole. Returns its exit status, output, and lines of errors."""
    with pytest.raises(SystemExit) as ended:
        cli.main([str(word) for word in words])
    told = capsys.readouterr()
    return ended.value.code, told.out, told.err


def passed(capsys, *words):
    """Runs the command ns3-wormhole, which is to do it without a word of errors. Returns its output."""
    status, out, err = call(capsys, *words)
    assert (status, err) == (0, "")
    return out


def refused(capsys, *words):
    """Runs the command ns3-wormhole, which is to refuse it. Returns the line that says why."""
    status, out, err = call(capsys, *words)
    assert (status, out, err.count("\n")) == (1, "", 1), err
    return err


def refuses(told, ask, *arguments, **named):
    """Checks that a call is refused, in one line that holds a pattern. Returns the line."""
    with pytest.raises(WormholeError, match=told) as caught:
        ask(*arguments, **named)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def noted(ask, *arguments, **named):
    """Returns what a call does, and the texts of its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = ask(*arguments, **named)
    return found, [str(each.message) for each in caught]


def run(*command, status=0, **settings):
    """Runs a program, and checks its exit status; None: any. Returns what it did."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **settings)
    assert status in (None, done.returncode), done.stderr
    return done


def refused_by(*command, **settings):
    """Runs a program, which is to refuse it. Returns the line that says why."""
    done = run(*command, status=1, **settings)
    assert done.stderr.count("\n") == 1 and not done.stdout
    return done.stderr


def peak(*command):
    """Runs a program. Returns its output, and the most memory that it had, KiB."""
    script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True); "
              "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    *output, most = run(sys.executable, "-c", script, *command).stdout.splitlines(keepends=True)
    return "".join(output), int(most)


def browse(url, *options):
    """Returns what chromium prints of a page."""
    return run(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", *options, url, timeout=120).stdout


def wait_for_lines(path, count, goes_on=lambda: True):
    """Waits until a file has so many lines, or what writes it ends; for a minute at most."""
    end = time.monotonic() + 60
    while time.monotonic() < end and goes_on() and (not path.exists() or path.read_text().count("\n") < count):
        time.sleep(0.01)


def write(path, content):
    """Writes bytes, a text, or anything else as JSON to a file. Returns its path."""
    text = content if isinstance(content, (bytes, str)) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def measured(path, *rows, columns="benchmark,size,value"):
    """Writes a table of measurements as CSV. Returns its path as a text."""
    return str(write(path, "\n".join([columns, *rows]) + "\n"))


def cables(fabric):
    """Returns the cables of a fabric, each as both of its ends."""
    return {frozenset(((a, i), (b, k))) for a, i, b, k in fabric.cables()}


def check_path(frame, begin, end):
    """Checks that the intervals of a critical path meet, from one time to another, ps, each with a cause."""
    assert frame.from_ps.iloc[0] == begin and frame.to_ps.iloc[-1] == end
    assert (frame.from_ps.iloc[1:].to_numpy() == frame.to_ps.iloc[:-1].to_numpy()).all()
    assert (frame.to_ps >= frame.from_ps).all() and not frame.cause.isin(["unexplained"]).any()


def shown_on(page, *begins):
    """Returns the first text on a page of the user's guide that begins in each of these ways."""
    blocks = [textwrap.dedent(block) for block in re.findall(
        r"\.\. code-block:: \w+\n\n((?:   .*\n)+)", (ROOT / "doc/user" / page).read_text("utf-8"))]
    return [next(block for block in blocks if block.startswith(begin)) for begin in begins]


def made_up(kind, times):
    """Returns a table of 4 members, of times by algorithm and length."""
    import pandas
    return pandas.DataFrame([
        {"kind": kind, "algorithm": name, "members": 4, "bytes": size, "load": 0.0,
         "latency_us": value, "latency_us_p99": value, "needs": "software", "reason": ""}
        for name, values in times.items() for size, value in values.items()])


@pytest.fixture
def in_folder(tmp_path, monkeypatch):
    """A folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def wh():
    """The package, with a new simulation; defaults that a test sets are gone after it."""
    import ns3_wormhole
    ns3_wormhole.reset()
    yield ns3_wormhole
    ns3_wormhole.reset()
    ns3_wormhole.simulation.set_defaults({})


@pytest.fixture(scope="session")
def wh_quick():
    """The package, for what needs no simulation of its own."""
    import ns3_wormhole
    ns3_wormhole.reset()
    return ns3_wormhole


@pytest.fixture(scope="session")
def environment():
    """What a process of its own needs to find the package in a checkout."""
    import ns3_wormhole
    folder = str(pathlib.Path(ns3_wormhole.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join([folder, *sys.path])}
