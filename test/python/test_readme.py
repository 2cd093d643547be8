# SPDX-License-Identifier: GPL-2.0-only
"""Runs the commands of README.md as they stand, but those of make."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

PARTS = re.split(r"^```(\w*)\n", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M)
# Between a fence without a language and the next one, where these open blocks.
BLOCKS = [block for fence, (language, block) in enumerate(zip(PARTS[1::2], PARTS[2::2]))
          if fence % 2 == 0 and not language and not block.startswith("make")]


def test_there_are_commands():
    assert sum("ns3-wormhole" in block for block in BLOCKS) >= 4 and len(BLOCKS) >= 6


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n")[0][:40])
def test_commands(tmp_path, block):
    for name in ("build", ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "data", tmp_path / "data")
    path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", block], cwd=tmp_path,
                         capture_output=True, text=True, env={**os.environ, "PATH": path})
    assert ran.returncode == 0, ran.stderr
    named = re.findall(r"(?:--(?:csv|svg|plot|out|tuning)=(?:open-mpi:)?|> )(\S+)", block)
    made = {path.name for path in tmp_path.rglob("*") if "build" not in path.parts}
    assert {name for name in named if ".txt" not in name} <= made
