# SPDX-License-Identifier: GPL-2.0-only
"""What documents say of the module is there."""

import ast
import re
import subprocess

import pytest
from conftest import ROOT


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def suites():
    done = subprocess.run([ROOT / "build/wormhole-test", "--list"], capture_output=True, text=True,
                          check=True)
    return {name for name in done.stdout.split() if name.startswith("wormhole-")}


def suite_sources():
    """The source of each suite, by its name."""
    sources = {}
    for path in sorted((ROOT / "test").rglob("*-test-suite.cc")):
        source = path.read_text(encoding="utf-8")
        for name in re.findall(r'(?:TestSuite|TEST_SUITE)\b[^;"]*"(wormhole-[a-z-]+)"', source):
            sources[name] = source
    return sources


def feature_rows():
    lines = [line for line in text_of("FEATURES.md").splitlines() if line.startswith("| ")]
    return [line for line in lines if not line.startswith(("| ---", "| Capability", "| Way"))]


def test_attributes_are_those_of_the_types():
    printed = subprocess.run([ROOT / "build/examples/print-attributes"], capture_output=True,
                             text=True, check=True).stdout
    assert "Trace source" in printed
    assert printed == text_of("build/attributes.rst"), "make build"


def test_features_name_tests_that_exist():
    known = suites()
    sources = suite_sources()
    assert known and known <= set(sources)
    rows = feature_rows()
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


@pytest.mark.parametrize("name", ["README.md", "FEATURES.md", "CONTRIBUTING.md", "CHANGES.md"])
def test_files_named_exist(name):
    text = text_of(name)
    places = set(re.findall(r"\]\(([^)#:]+)\)", text))
    places |= set(re.findall(r"\b((?:doc|data|examples|tools|test|model|python)/[\w./-]+\.\w+)", text))
    places |= set(re.findall(r"`([A-Z]+\.md|LICENSE|\.ci/run)`", text))
    for place in places - {"tools/requirements*.txt"}:
        assert (ROOT / place).exists(), place


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
    assert listed == {path.stem for path in (ROOT / "examples").glob("*" + suffix)}


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
