# SPDX-License-Identifier: GPL-2.0-only
"""What documents say of the module is there: notebooks, the example cluster, and the commands of README.md."""

import ast
import functools
import os
import re
import runpy
import shutil
import struct
import sys
import sysconfig
import textwrap
import xml.etree.ElementTree

import command_options
import example_cluster as cluster
import nbclient
import nbformat
import pytest
from conftest import COMMAND, PROGRAMS, ROOT, cables, examples, run, shown_on
from ns3_wormhole.calibrate import calibrate
from ns3_wormhole.fabric import Fabric


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def suite_sources():
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "test").rglob("*-test-suite.cc"))]
    return {name: text for text in texts
            for name in re.findall(r'(?:TestSuite|SUITE)\b[^;"]*"(wormhole-[a-z-]+)"', text)}


def test_attributes_are_those_of_the_types():
    printed = run(PROGRAMS / "print-attributes").stdout
    assert "Trace source" in printed
    assert printed == text_of("build/attributes.rst"), "make build"


def test_features_name_tests_that_exist():
    known = set(re.findall(r"(?<!\S)wormhole-\S+", run(ROOT / "build/wormhole-test", "--list").stdout))
    sources = suite_sources()
    assert known and known <= set(sources)
    rows = re.findall(r"(?m)^\| (?!---|Capability|Way).*", text_of("FEATURES.md"))
    assert len(rows) > 30
    for row in rows:
        tests = re.findall(r"`([^`]+)`", row.split(" | ")[1])
        named = [test for test in tests if test.startswith("wormhole-")]
        assert set(named) <= set(sources), row
        for test in tests:
            if test.endswith("TestCase"):
                case = re.compile(rf"class {test} :|TEST_CASE\w*\((?:\w+,\s*)?{test},")
                assert any(case.search(sources[suite]) for suite in named), (test, row)
            elif "/" in test:
                assert (ROOT / test).is_file(), row


def test_every_suite_is_in_the_features():
    named = set(re.findall(r"`(wormhole-[a-z-]+)`", text_of("FEATURES.md")))
    assert set(suite_sources()) == named


@pytest.mark.parametrize("name", ["README.md", "FEATURES.md", "CONTRIBUTING.md", "CHANGES.md", *sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "doc").rglob("*.rst"))])
def test_files_named_exist(name):
    text = re.sub(r"Save this as\s+``\S+``", "", text_of(name))
    places = set(re.findall(r"\]\(([^)#:\s]+)\)", text))
    places |= set(re.findall(r"(?<![\w/.-])((?:doc|data|examples|tools|test|model|helper|cmake|python)/"
                             r"[\w./-]+\.\w+)", text))
    places |= set(re.findall(r"`([A-Z]+\.md|LICENSE|\.ci/run)`", text))
    for place in places:
        assert (ROOT / place).exists(), place
    if name.startswith("doc/design"):
        known = {path.name for room in ("model", "helper", "test", "examples") for path in (ROOT / room).rglob("*")}
        assert {place.rpartition("/")[2] for place in re.findall(r"``([\w/-]+\.(?:cc|h))``", text)} <= known


@functools.cache
def options_of(program, *words):
    """Options that the help of a command names, as studies compare names."""
    text = run(ROOT / program, "--help").stdout if program.startswith("build") else \
        run(*COMMAND, *words, "--help").stdout if "study" in words else command_options.run([*words, "--help"])[1]
    return {re.sub("[-_]", "", name).lower() for name in re.findall(r"--([\w-]+)", text)}


NAMED = re.compile(r"(?:^|[$`| ])((?:build/examples/|(?:\.venv/bin/)?ns3-wormhole )[a-z][^`\n]*)", re.MULTILINE)


@pytest.mark.parametrize("name", ["README.md", *sorted(
    str(path.relative_to(ROOT)) for path in (ROOT / "doc").rglob("*.rst"))])
def test_commands_named_have_these_options(name):
    lines = NAMED.findall(text_of(name).replace("\\\n", " "))
    assert name != "README.md" or len(lines) > 10
    for line in lines:
        program, *words = line.partition(" #")[0].split()
        parts = [] if program.startswith("build") else words[:1 + (words[0] in ("fabric", "machine", "study"))]
        command = [program, *(word for word in parts if re.fullmatch("[a-z][a-z-]+", word))]
        for option in re.findall(r"(?:^| )[\"']?--([A-Za-z][\w-]*)(?![\w:-])", " ".join(words)):
            assert re.sub("[-_]", "", option).lower() in options_of(*command), line


def test_cables_of_outages_on_topologies_exist():
    found = [(topology, {(a, int(i)), (b, int(k))}) for path in (ROOT / "doc").rglob("*.rst")
             for topology, a, i, b, k in re.findall(r"--topology=(\S+)[^-]*--outage='(\w+):(\d+)-(\w+):(\d+) ",
                                                    path.read_text(encoding="utf-8"))]
    assert found
    for topology, cable in found:
        assert cable in cables(Fabric.from_text(topology)), topology


@pytest.mark.parametrize("name", ["README.md", "doc/user/your-cluster.rst", "python/ns3_wormhole/cli/compare.py"])
def test_libraries_are_tuned_for_ranks_as_launchers_place_them(name):
    """Another algorithm may win where ranks are in any order, as they are by default."""
    tuned = [line for line in text_of(name).replace("\\\\\n", " ").replace("\\\n", " ").splitlines()
             if "ns3-wormhole compare" in line and "--tuning=" in line]
    assert tuned and all("--placement=random" in line for line in tuned)


def test_all_pages_are_part_of_the_documentation():
    doc = ROOT / "doc"
    pages = {str(path.relative_to(doc)) for path in doc.rglob("*.rst")}
    named = set(re.findall(r"^   ([a-z]+(?:/[\w-]+)?)$", text_of("doc/wormhole.rst"), re.MULTILINE))
    assert pages - {"wormhole.rst"} == {f"{name}.rst" for name in named}


@pytest.mark.parametrize("kind, suffix", [("cpp_examples", ".cc"), ("python_examples", ".py")])
def test_all_examples_are_run_in_a_tree(kind, suffix):
    lists = {}
    for statement in ast.parse(text_of("test/examples-to-run.py")).body:
        lists[statement.targets[0].id] = ast.literal_eval(statement.value)
    listed = {row[0].split()[0].removesuffix(".py") for row in lists[kind]}
    assert listed == examples(suffix)


def undocumented(body, where, inherited=()):
    """Public functions, classes and methods without a docstring."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            if not ast.get_docstring(node) and node.name not in inherited:
                yield f"{where}.{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{where}.{node.name}",
                                        ["convert", "resolve_command"])  # click's


def test_the_package_is_documented():
    modules = sorted((ROOT / "python/ns3_wormhole").rglob("*.py"))
    assert len(modules) > 60
    for path in modules:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert ast.get_docstring(tree), path
        assert not list(undocumented(tree.body, path.stem))


def test_what_is_published_with_a_release():
    module = xml.etree.ElementTree.parse(ROOT / "bakeconf.xml").find("modules/module")
    assert module.attrib == {"name": "wormhole", "type": "ns-contrib", "min_version": "ns-3.37"}
    assert module.attrib["min_version"] in text_of("NS3-VERSION")
    assert module.find("source").get("type") == "git" and module.find("build").get("type") == "none"
    icon = (ROOT / "doc/figures/icon.png").read_bytes()
    assert struct.unpack(">II", icon[16:24]) == (100, 100)
    version = re.search(r"wormhole VERSION ([0-9.]+)", text_of("CMakeLists.txt"))[1]
    assert f"version: {version}\n" in text_of("CITATION.cff") and f"## {version[:3]}" in text_of("CHANGES.md")


def test_the_gallery_shows_every_example(tmp_path):
    gallery = runpy.run_path(str(ROOT / "doc/gallery.py"))
    made = {name for name in gallery["calls"]() if (ROOT / "build/examples" / name).exists()}
    gallery["make"](ROOT / "build", tmp_path)
    text = (tmp_path / "gallery.rst").read_text(encoding="utf-8")
    assert made == set(re.findall(r"^([a-z-]+)\n-+$", text, re.M)) and len(made) > 15
    assert "SPDX" not in text and all(re.findall(r"^-+\n\n(.*)\.\n", text, re.M))
    for picture in (shown := re.findall(r"image:: (.*)", text)):
        assert (ROOT / "doc/user" / picture).stat().st_size > 2000
    assert len(shown) >= 8 and text.count("caption: examples/") > len(made)


compact = runpy.run_path(str(ROOT / "tools/notebooks.py"))["compact"]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(path, environment, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    notebook = nbformat.read(path, 4)
    nbformat.validate(notebook)
    # Answers go on where the lesson ends; their first code runs the lesson.
    answers = nbformat.read(path.parent / "answers" / path.name, 4)
    assert answers.cells[1].source == f"%%capture\n%run ../{path.name}"
    for each, place in ((notebook, path), (answers, path.parent / "answers" / path.name)):
        assert place.read_text(encoding="utf-8") == compact(each), "tools/notebooks.py was not run"
    questions = [cell.source for cell in notebook.cells if cell.source.startswith("**Question")]
    assert len(questions) == len([cell for cell in notebook.cells if not cell.source]) == len(answers.cells[2::2])
    notebook.cells += answers.cells[2:]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    assert any("assert" in cell.source for cell in code)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    shown = {kind for cell in code for output in cell.outputs for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html"} <= shown


UNITS = {"ps": 1e-3, "ns": 1, "bps": 1e-9, "Gbps": 1, "": 1}


def test_files_are_what_makes_them():
    for name, text in cluster.files().items():
        assert (cluster.FOLDER / name).read_text(encoding="utf-8") == text, name


@pytest.fixture(scope="module", name="ran")
def example(tmp_path_factory):
    out = tmp_path_factory.mktemp("cluster")
    done = run(sys.executable, ROOT / "examples" / "your-cluster.py", f"--out={out}")
    return out, done.stdout.splitlines()


def numbers(line):
    return [float(each) for each in re.findall(r"[+-]?\d+\.\d+|(?<![\w.])\d+(?![\w.])", line)]


def test_planted_costs_are_found(ran):
    tables = {name: f"{cluster.FOLDER / name}" + (f":members={members}" if members else "")
              for name, _, members, _ in cluster.TABLES}
    later = [tables.pop(f"osu_{name}.txt") for name in ("barrier", "allreduce")]
    planted = {name.rpartition("::")[2]: text for name, text in cluster.PLANTED.items()}
    found = calibrate(str(ran[0] / "cluster.json"), list(tables.values()), list(planted), predict=later,
                      algorithms={"allreduce": "butterfly"}, machine=cluster.MACHINE)
    for row in found.parameters.itertuples():
        value, wanted = (int(number) * UNITS[unit] for number, unit in (
            re.fullmatch(r"(\d+)(\w*)", text).groups() for text in (row.value, planted[row.name])))
        assert value == pytest.approx(wanted, rel=0.05), row.name
    assert len(found.predictions) == 3 and found.predictions.deviation.abs().max() < 0.05


def test_decision_is_the_documented_one(ran):
    quoted = shown_on("your-cluster.rst", "5 switches, 60 hosts")[0].splitlines()
    assert len(quoted) == len(ran[1])
    for line, other in zip(ran[1], quoted):
        assert re.sub(r"[\d.+-]+", "", line).split() == re.sub(r"[\d.+-]+", "", other).split()
        rounded = 1 if "measured" in line else 1e-12
        assert numbers(line) == pytest.approx(numbers(other), rel=0.01, abs=rounded), line


def test_program_on_the_same_machine(ran):
    done = run(PROGRAMS / "collective-schedule", f"--fabric={ran[0] / 'cluster.json'}",
               f"--machine={ran[0] / 'machine.toml'}", "--tasksPerHost=40", "--rounds=3",
               "--allreduction=smp[Inner=butterfly]", "--broadcast=sss-mst")
    first, allreduction, _ = done.stdout.splitlines()
    assert first.startswith("2400 processes, 3 rounds")
    # 60 hosts with one process each take 8.2 us if all come at once, less if some steps are done when the
    # last one comes; and 2 x 40 flags of 100 ns.
    mean = numbers(allreduction)[0]
    assert 5.5 < mean - 8 < 8.2


@pytest.mark.parametrize("page, name", [
    ("design/first-change", "ternary.cc"), ("design/first-change", "centre-engine.cc"),
    ("design/write-your-own", "mine.cc"), ("design/write-your-own", "spanning-engine.cc"),
    ("user/ip-networks", "barrier-beside-ip.cc")])
def test_files_of_the_first_change_compile(page, name, tmp_path):
    """As a user saves them: in the module, or as a plugin, which has no private headers."""
    place, block = re.search(rf"Save this as\s+``(\S*{name})``:\n\n.. code-block:: cpp\n\n(.*?)\n\n(?=\S)",
                             text_of(f"doc/{page}.rst"), re.DOTALL).groups()
    assert not (ROOT / place).exists() and (ROOT / place).parent.is_dir()
    (tmp_path / name).write_text(textwrap.dedent(block), encoding="utf-8")
    private = [f"-I{ROOT / 'build/include-private'}", f"-I{(ROOT / place).parent}"] if "/" in place else []
    run("g++", "-std=c++20", "-fsyntax-only", *private, f"-I{ROOT / 'build/include'}",
        "-isystem", f"{sysconfig.get_path('purelib')}/ns3/include", tmp_path / name)


PARTS = re.split(r"^```(\w*)\n", text_of("README.md"), flags=re.M)
OPENED = list(zip(PARTS[1::4], PARTS[2::4]))  # language and text of blocks; the fences between close them
# Commands, and the lines that the README says they print.
BLOCKS = [(block, shown if then == "text" else "")
          for (language, block), (then, shown) in zip(OPENED, [*OPENED[1:], ("", "")])
          if not language and not block.startswith("make")]


def test_the_readme_has_commands():
    assert sum("ns3-wormhole" in block for block, _ in BLOCKS) >= 4 and len(BLOCKS) >= 6
    assert sum(bool(shown) for _, shown in BLOCKS) >= 3


@pytest.mark.parametrize("block, shown", BLOCKS, ids=lambda text: text.split("\n")[0][:40])
def test_commands_of_the_readme(tmp_path, block, shown):
    for name in ("build", ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "data", tmp_path / "data")
    path = f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    ran = run("bash", "-e", "-o", "pipefail", "-c", block, cwd=tmp_path, env={**os.environ, "PATH": path})
    assert set(shown.splitlines()) <= set(ran.stdout.splitlines()), ran.stdout
    named = re.findall(r"(?:--(?:csv|svg|plot|out|tuning)=(?:open-mpi:)?|> )(\S+)", block)
    made = {path.name for path in tmp_path.rglob("*") if "build" not in path.parts}
    assert {name for name in named if ".txt" not in name} <= made
