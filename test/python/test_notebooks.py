# SPDX-License-Identifier: GPL-2.0-only
"""The notebooks run to their end; what they claim, their cells assert."""

import nbclient
import nbformat
import pytest
from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, environment, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert path.stat().st_size < 20_000 and not any(cell.outputs for cell in code)
    assert any("assert" in cell.source for cell in code)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html"} <= shown
