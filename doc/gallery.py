# SPDX-License-Identifier: GPL-2.0-only
"""Makes the gallery, for "make docs": each example with its picture or output, its command and ten
lines of its code, from test/examples-to-run.py, which has a quick call of each."""

import ast
import itertools
import os
import pathlib
import re
import shlex
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINES = 10  # of code and of output
WITHOUT = ("print-attributes", "fabric-benchmark")  # tables of their own pages


def calls():
    """Returns the first call of each example in C++, by its name."""
    tree = ast.parse((ROOT / "test/examples-to-run.py").read_text(encoding="utf-8"))
    found = {}
    for call, *_ in ast.literal_eval(tree.body[0].value):
        found.setdefault(call.split()[0], call)
    return {name: call for name, call in found.items() if name not in WITHOUT}


def code(path):
    """Returns a directive that shows an example's lines from where it uses a helper on, else from main on."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(i for start in (r"(def )?main\(", "@algorithm", "if __name__") for i, line in enumerate(lines)
                 if re.match(start, line))
    helper = re.compile(r"    .*[A-Z]\w+Helper\b.*;|    .* = Make\w+\(")
    start = next((i for i, line in enumerate(lines) if helper.match(line)), start)
    body = itertools.takewhile(lambda line: line != "}", lines[start:])
    shown = textwrap.dedent("\n".join([line for line in body if line.strip()][:LINES])).splitlines()
    language = "python" if path.suffix == ".py" else "cpp"
    return [f".. code-block:: {language}", f"   :caption: {path.parent.name}/{path.name}", "",
            *(f"   {line}" for line in shown), ""]


def entry(name, call, build, folder):
    """Returns an example's part of the page. build, folder: where programs are, and pictures go"""
    program = build / "examples" / name
    source = ROOT / "examples" / f"{name}.cc"
    if not source.exists():
        source = build / "studies" / f"{name}.cc"  # of study.cc.in
    about = re.search(r"^// (?!SPDX)(.*(?:\n// .*)*)", source.read_text(encoding="utf-8"), re.M)[1]
    first = re.split(r"(?<=[^.][a-z)])[.:] ", about.replace("\n// ", " "))[0].rstrip(".")
    has_plots = "--plots" in subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    gnuplot = ROOT / ".venv/bin/gnuplot"
    more = [f"--csv={folder / name}.csv", f"--plots={folder / name}", f"--gnuplot={gnuplot}"] if has_plots else []
    ran = subprocess.run([program, *shlex.split(call)[1:], *more], capture_output=True, text=True, check=True,
                         cwd=folder)
    text = [name, "-" * len(name), "", first + ".", "", ".. code-block:: sh", "", f"   build/examples/{call}", ""]
    if (script := folder / f"{name}.plt").exists():
        subprocess.run([gnuplot, script], capture_output=True, check=True, cwd=folder)
    if pictures := [*sorted((folder / name).glob("*.svg")), *folder.glob(f"{name}.png")]:
        text += [f".. image:: {os.path.relpath(pictures[0], ROOT / 'doc/user')}", "   :width: 70%", ""]
    else:
        text += [".. code-block:: none", "", *(f"   {line[:96]}" for line in ran.stdout.splitlines()[:LINES]), ""]
    twin = ROOT / "examples" / f"{name}.py"
    return [*text, *code(source), *(code(twin) if twin.exists() else [])]


def make(build, folder=None):
    """Writes gallery.rst, for user/gallery.rst, and the pictures. folder: of both; build/gallery without"""
    folder = folder or build / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    parts = [line for name, call in calls().items() if (build / "examples" / name).exists()
             for line in entry(name, call, build, folder)]
    (folder / "gallery.rst").write_text("\n".join(parts) + "\n", encoding="utf-8")
