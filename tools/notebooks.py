#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the lessons' notebooks as the repository has them: without outputs, a line for each line of a cell.

Example: tools/notebooks.py examples/notebooks/deadlock.ipynb
"""

import json
import pathlib
import sys


def compact(notebook):
    """Returns a notebook of nbformat 4.5 as a text."""
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        kind, source = cell["cell_type"], "".join(cell["source"]).splitlines(keepends=True)
        head = {"cell_type": kind, "id": f"cell-{number}", "metadata": {},
                **({"execution_count": None, "outputs": []} if kind == "code" else {})}
        lines = ",\n".join(map(json.dumps, source))
        cells.append(f'{json.dumps(head)[:-1]}, "source": [' + (f"\n{lines}" if lines else "") + "]}")
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    rest = {"metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return '{"cells": [\n' + ",\n".join(cells) + "],\n" + json.dumps(rest)[1:] + "\n"


if __name__ == "__main__":
    for path in map(pathlib.Path, sys.argv[1:]):
        path.write_text(compact(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
