# SPDX-License-Identifier: GPL-2.0-only
"""Types that a user's checker sees."""

import pathlib
import re
import sys

import every_name
import pytest
from conftest import ROOT, run


def test_every_public_name_is_used_and_does_what_its_type_says(wh, tmp_path):
    text = pathlib.Path(every_name.__file__).read_text(encoding="utf-8")
    assert [name for name in wh.__all__ if not re.search(rf"\bwh\.{name}\b", text)] == []
    assert [name for name in wh._MODULES if not re.search(rf"\b{name}\b", text)] == []
    every_name.main(tmp_path)
    assert all(unit in wh.__doc__ for unit in ("microseconds", "bytes", "flits", "fraction"))


def test_strict_checks_pass():
    pytest.importorskip("mypy")
    told = run(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir=/dev/null",
               every_name.__file__, status=None, env={"MYPYPATH": str(ROOT / "python")}).stdout
    assert told.startswith("Success"), told
