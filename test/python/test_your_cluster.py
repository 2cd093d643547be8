# SPDX-License-Identifier: GPL-2.0-only
"""The example cluster, from its files to a decision, by Python and by a program."""

import os
import pathlib
import re
import subprocess
import sys

import example_cluster as cluster
import pytest

ROOT = pathlib.Path(__file__).parents[2]
# Planted values, by the names in the example's output: ns or Gbit/s, and bytes.
PLANTED = {"StartUp": 430, "ReceiveOverhead": 270, "SendDataRate": 80, "ReceiveDataRate": 120,
           "EagerLimit": 16384}
UNITS = {"ps": 1e-3, "bps": 1e-9, "": 1}


def test_files_are_what_makes_them():
    for name, text in cluster.files().items():
        assert (cluster.FOLDER / name).read_text(encoding="utf-8") == text, name


@pytest.fixture(scope="module", name="ran")
def run(tmp_path_factory):
    """Returns the example's folder and lines."""
    out = tmp_path_factory.mktemp("cluster")
    done = subprocess.run([sys.executable, ROOT / "examples" / "your-cluster.py", f"--out={out}"],
                          capture_output=True, text=True, check=True, env=os.environ)
    return out, done.stdout.splitlines()


def numbers(line):
    return [float(each) for each in re.findall(r"[+-]?\d+\.\d+|(?<![\w.])\d+(?![\w.])", line)]


def test_planted_costs_are_found(ran):
    told = {line.split()[0]: line.split()[1] for line in ran[1] if line.split()[0] in PLANTED}
    assert set(told) == set(PLANTED)
    for name, planted in PLANTED.items():
        value, unit = re.fullmatch(r"(\d+)(\w*)", told[name]).groups()
        assert int(value) * UNITS[unit] == pytest.approx(planted, rel=0.05), name


def test_tables_kept_aside_are_predicted(ran):
    lines = [line for line in ran[1] if "predicted" in line]
    assert len(lines) == 3
    for line in lines:
        _, measured, predicted, _ = numbers(line)
        assert predicted == pytest.approx(measured, rel=0.05), line


def test_decision_is_the_documented_one(ran):
    """The page has the example's output, to a percent of each figure."""
    page = (ROOT / "doc/user/your-cluster.rst").read_text(encoding="utf-8")
    block = page.split("prints, in some 45 s of CPU:\n\n.. code-block:: text\n\n")[1]
    quoted = [line[3:] for line in block.split("\n\n")[0].splitlines()]
    assert len(quoted) == len(ran[1])
    for line, other in zip(ran[1], quoted):
        assert re.sub(r"[\d.+-]+", "", line).split() == re.sub(r"[\d.+-]+", "", other).split()
        if "measured" not in line:
            assert numbers(line) == pytest.approx(numbers(other), rel=0.01), line


def test_program_on_the_same_machine(ran):
    """A program takes both files, and 2,400 processes."""
    done = subprocess.run(
        [ROOT / "build" / "examples" / "collective-schedule", f"--fabric={ran[0] / 'cluster.json'}",
         f"--machine={ran[0] / 'machine.toml'}", "--tasksPerHost=40", "--rounds=3",
         "--allreduction=smp[Inner=butterfly]", "--broadcast=sss-mst"],
        capture_output=True, text=True, check=True)
    first, allreduction, _ = done.stdout.splitlines()
    assert first.startswith("2400 processes, 3 rounds")
    # The measured all-reduction of 60 hosts with one process each, and 2 x 40 flags of 100 ns.
    mean = numbers(allreduction)[0]
    assert 6.2 < mean - 8 < 7.5
