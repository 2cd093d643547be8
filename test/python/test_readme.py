# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of README.md as they stand, but those of make."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

PARTS = re.split(r"^```(\w*)\n", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M)
OPENED = list(zip(PARTS[1::4], PARTS[2::4]))  # language and text of blocks; the fences between close them
# Commands, and the lines that the README says they print.
BLOCKS = [(block, shown if then == "text" else "")
          for (language, block), (then, shown) in zip(OPENED, [*OPENED[1:], ("", "")])
          if not language and not block.startswith("make")]


def test_there_are_commands():
    assert sum("ns3-wormhole" in block for block, _ in BLOCKS) >= 4 and len(BLOCKS) >= 6
    assert sum(bool(shown) for _, shown in BLOCKS) >= 3


@pytest.mark.parametrize("block, shown", BLOCKS, ids=lambda text: text.split("\n")[0][:40])
def test_commands(tmp_path, block, shown):
    for name in ("build", ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "data", tmp_path / "data")
    path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", block], cwd=tmp_path,
                         capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert ran.returncode == 0, ran.stderr
    assert set(shown.splitlines()) <= set(ran.stdout.splitlines()), ran.stdout
    named = re.findall(r"(?:--(?:csv|svg|plot|out|tuning)=(?:open-mpi:)?|> )(\S+)", block)
    made = {path.name for path in tmp_path.rglob("*") if "build" not in path.parts}
    assert {name for name in named if ".txt" not in name} <= made
