# SPDX-License-Identifier: GPL-2.0-only
"""No script, page, drawing or table executes text from outside or lets it out of its quotes. Whatever
writes one is in here: the last tests find writers that are not."""

import csv
import gzip
import html.parser
import io
import json
import os
import re
import tomllib
import tracemalloc
import types
import xml.etree.ElementTree

import hypothesis
import pandas
import pytest
from conftest import PROGRAMS, ROOT, refused, refuses, run, write
from hypothesis import strategies
from ns3_wormhole import drawing, explain, heat, machine
from ns3_wormhole.cli.compare import plot_times
from ns3_wormhole.core import csv_file, texts
from ns3_wormhole.core.gnuplot import draw, gnuplot
from ns3_wormhole.report import crossover, routing, tuning, what_if
from ns3_wormhole.study import calibration
from ns3_wormhole.study.functions import tables

needs_gnuplot = pytest.mark.skipif(not gnuplot(), reason="there is no gnuplot")
# What gnuplot runs in double quotes, what ends either quotes, and what it replaces.
FOR_GNUPLOT = ["`touch PWNED`", '"; system "touch PWNED"; "', "'; system 'touch PWNED'; '",
               "@PWNED %s %z 100 % {/Symbol a}_2 \\"]
NAMES = [*FOR_GNUPLOT, "</script><script>alert(1)</script>", "<!--", "]]>", "a&b<c>\"d'", "=cmd|' /C calc'!A0",
         "+1+1", "-x", "@a", "-5", "'=1", "'", "$d0 << EOD", "EOD", "e", "# a", "node", " blank ",
         "x\\ny", "% \u00e9\u20ac\U0001f600", "a,b;c", "[x]\nlabel".replace("\n", " "), "${HOME}"]
UNPRINTABLE = ["a\nb", "\x1b[31m", "\x7f", "\x85", "\u2028", "\u202e", "\u2067", "\ufeff", "\ufffe",
               "\ufdd0", "\U0001ffff"]
# Options with which studies have some rows in a second.
STUDIES = {
    "btin-comparison": [f"--fabric={ROOT}/data/moh-figure-1.json", "--groupSizes=2,4", "--runs=1",
                        "--explain"],
    "latency-load": ["--topology=torus:2x2", "--loads=0.05", "--no-search", "--worms=20",
                     "--flits=16"],
    "fibo-tree": ["--processes=2,4", "--s=1us", "--r=2us"],
    "rdma-barrier": ["--nodes=2,3", "--tasksPerNode=1"],
    "smp-broadcast": ["--topology=torus:2x2", "--hosts=2,4", "--bytes=64"],
    "sync-hardware": ["--table=speedups,7", "--supersteps=2"],
    "split-barrier": ["--topology=torus:2x2"],
    "broadcast-load": ["--topology=torus:2x2"],
    "barriers-under-load": ["--topology=torus:2x2", "--loads=0.1", "--rounds=5", "--explain"],
    "network-done": ["--topology=torus:2x2"]}


def call(*words, folder=None, check=True):
    """Returns what a program of the checkout says on standard error, and its exit status."""
    done = run(PROGRAMS / words[0], *words[1:], status=0 if check else None, cwd=folder, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, done.stderr


def untouched(folder):
    """Checks that nothing ran, and that all drawings there are XML."""
    assert not [path for path in folder.rglob("*") if "PWNED" in path.name and not path.suffix]
    drawn = list(folder.rglob("*.svg"))
    for path in drawn:
        xml.etree.ElementTree.parse(path)
    return drawn


def write_fabric(path, names):
    """Writes a ring of switches with hosts of some names."""
    links = [*([name, 0, f"s {name}", 0] for name in names),
             *([f"s {a}", 1, f"s {b}", 2] for a, b in zip(names, [*names[1:], names[0]]))]
    return str(write(path, json.dumps({"hosts": names, "links": links})))


def test_every_study_with_plots_is_here():
    assert set(STUDIES) == {table["program"] for table in tables()}


@needs_gnuplot
@pytest.mark.parametrize("name, begins", [("p.svg", b"<?xml"), ("p.png", b"\x89PNG"), ("p.PDF", b"%PDF-")])
def test_a_plots_suffix_says_what_it_is(tmp_path, name, begins):
    if not gnuplot(name):
        pytest.skip("there is no gnuplot with cairo")
    draw(str(tmp_path / name), "620,480", "title", 1, ["plot x"])
    assert (tmp_path / name).read_bytes().startswith(begins)


@needs_gnuplot
@pytest.mark.parametrize("program", STUDIES)
def test_texts_of_tables_in_plots(program, tmp_path):
    table = tmp_path / "table.csv"
    call(program, *STUDIES[program], f"--csv={table}")
    header, *rows = csv.reader(table.read_text(encoding="utf-8").splitlines())

    def written(payload, columns):
        path = tmp_path / "changed.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            write = csv_file.writer(file)
            write(header)
            for row in rows:
                write([payload + cell if place in columns else cell for place, cell in enumerate(row)])
        return path

    def draw(path, folder, program_of_plots, check=True):
        return call(program, f"--fromCsv={path}", f"--plots={folder}", f"--gnuplot={program_of_plots}",
                    folder=tmp_path, check=check)

    columns = [place for place in range(len(header))
               if draw(written("`x` ", {place}), tmp_path / f"{place}", "/bin/true", check=False)[0] == 0
               and list((tmp_path / f"{place}").glob("*.plt"))]
    assert program != "latency-load" or header.index("topology") in columns
    for number, payload in enumerate(FOR_GNUPLOT):
        folder = tmp_path / f"plots{number}"
        draw(written(payload, set(columns)), folder, gnuplot())
        assert untouched(folder)
    assert not (tmp_path / "PWNED").exists()


@needs_gnuplot
def test_names_of_files_and_workloads_in_plots(tmp_path):
    workloads = json.loads((ROOT / "data/workloads-example.json").read_text(encoding="utf-8"))
    for number, payload in enumerate(FOR_GNUPLOT):
        folder = tmp_path / f"file{number}"
        folder.mkdir()
        fabric = write_fabric(folder / f"{payload.replace('/', ' ')}.json", ["a", "b"])
        call("latency-load", f"--fabric={fabric}", *STUDIES["latency-load"][1:],
             f"--csv={folder}/x.csv", f"--plots={folder}/plots", f"--gnuplot={gnuplot()}", folder=folder)
        assert untouched(folder)
        workloads["workloads"][0]["name"] = payload
        (folder / "w.json").write_text(json.dumps(workloads), encoding="utf-8")
        call("sync-hardware", f"--workloads={folder}/w.json", "--table=speedups,7", "--supersteps=2",
             f"--csv={folder}/y.csv", f"--plots={folder}/plots", f"--gnuplot={gnuplot()}", folder=folder)
        assert untouched(folder)


@needs_gnuplot
@pytest.mark.parametrize("prefix", ["|touch PWNED;", "<touch PWNED;", "-e", "it's ", "$x", "`touch PWNED`"])
@pytest.mark.parametrize("program", ["rdma-barrier", "split-barrier"])
def test_names_of_plots(program, prefix, tmp_path):
    folder = tmp_path / "-d"
    call(program, *STUDIES[program], f"--csv={tmp_path}/x.csv", "--plots=-d", f"--plotPrefix={prefix}",
         f"--gnuplot={gnuplot()}", folder=tmp_path)
    assert untouched(folder)
    assert all(path.name.startswith(prefix) for path in folder.iterdir())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["-d", "x.csv"]


def crossover_table(names):
    rows = [{"kind": "allreduction", "members": 4, "bytes": size, "algorithm": name,
             "latency_us": 1.0 + place * size, "reason": "", "needs": "software", "load": 0.0}
            for place, name in enumerate(names) for size in (8, 64, 512)]
    return pandas.DataFrame(rows)


@needs_gnuplot
def test_texts_of_python_plots(in_folder):
    names = FOR_GNUPLOT
    for title in names:
        explain.plot({name: pandas.Series({title: 1.0, "wire": 2.0}) for name in names}, "explain.svg", title)
        what_if.plot(pandas.DataFrame({
            "variant": names, "cut_off": 0, f"{title}_us": 1.0, "saturation_bound": 0.5}),
            "what-if.svg", title)
        routing.plot(pandas.DataFrame({
            "fabric": title, "engine": names, "run": 1, "bound": 0.5, "saturation": 0.25, "reason": ""}),
            "routing.svg", title)
        frame = pandas.DataFrame({"file": "f", "benchmark": title, "members": 2, "size": [1, 8],
                                  "measured": 1.0, "fitted": 2.0})
        found = types.SimpleNamespace(residuals=frame, predictions=frame.head(0))
        calibration.plot(found, "calibrate.svg", title)
        plot_times(pandas.DataFrame({"kind": "barrier", "fabric": title, "algorithm": names * 2, "refused": "",
                                     "group_size": [4] * len(names) + [8] * len(names),
                                     "latency_us": 2.0}), "times.svg")
        assert len(untouched(in_folder)) == 5
    crossover.plot(crossover_table(names), "crossover.svg", names[0])
    assert len(untouched(in_folder)) == 6


@pytest.fixture(name="named", scope="module")
def _named(wh_quick, tmp_path_factory):
    return wh_quick.Fabric.from_file(write_fabric(tmp_path_factory.mktemp("names") / "a.json", NAMES))


@pytest.mark.parametrize("suffix", ["json", "graphml", "dot"])
def test_names_are_read_back(named, wh_quick, suffix, tmp_path):
    path = tmp_path / f"fabric.{suffix}"
    names = [name for name in NAMES if suffix != "dot" or not re.search(r'\\("|$)', name)]
    fabric = named if suffix != "dot" else \
        wh_quick.Fabric.from_file(write_fabric(tmp_path / "dot.json", names))
    fabric.write(path)
    again = wh_quick.Fabric.read(str(path))
    assert (again.hosts, sorted(again.switches)) == (fabric.hosts, sorted(fabric.switches))
    if suffix == "graphml":
        nodes = xml.etree.ElementTree.parse(path).iter("{http://graphml.graphdrawing.org/xmlns}node")
        assert {node.get("id") for node in nodes} >= set(names)


def test_names_of_interfaces_are_read_back(wh_quick, tmp_path):
    path = write(tmp_path / "a.json", json.dumps({
                          "hosts": [" a ", " b "], "interfaces": [[" a ", " b "]],
                          "links": [[" a ", 0, "s", 0], [" b ", 0, "s", 1]]}))
    fabric = wh_quick.Fabric.from_file(str(path))
    for suffix in ("graphml", "dot"):
        fabric.write(tmp_path / f"b.{suffix}")
        wh_quick.Fabric.read(str(tmp_path / f"b.{suffix}")).write(tmp_path / "c.json")
        assert json.loads((tmp_path / "c.json").read_text())["interfaces"] == [[" a ", " b "]]


@pytest.mark.parametrize("text", UNPRINTABLE)
def test_one_rule_of_names(text, wh_quick, tmp_path):
    assert not texts.is_printable(text)
    name = f'"{text}"'
    escaped = json.dumps(text)
    (tmp_path / "a.json").write_text(f'{{"hosts": ["a", {escaped}], "links": [["a", 0, "s", 0]]}}')
    (tmp_path / "a.gml").write_text(f"graph [ node [ id 0 label {name} ] ]", encoding="utf-8")
    (tmp_path / "a.dot").write_text(f"graph {{ a -- s; {name} -- s }}", encoding="utf-8", newline="")
    for suffix in ("json", "gml", "dot"):
        assert texts.is_printable(refuses(f"a.{suffix}:", wh_quick.Fabric.read, str(tmp_path / f"a.{suffix}")))
    import networkx
    graph = networkx.Graph([("a", "s"), (text, "s"), ("b", "s")])
    refuses("printable", wh_quick.Fabric.from_networkx, graph)


def test_rule_is_the_same_in_cpp(wh_quick):
    from ns3_wormhole.core.loader import ns
    graph = ns.FabricGraph(1, 2, 2)
    for code in [*range(1, 0x3000), *range(0xf000, 0x10000), *range(0x1ff00, 0x20010), 0x10ffff]:
        try:
            graph.SetName(0, chr(code))
            accepted = True
        except ns.WormholeError:
            accepted = False
        assert accepted == (code not in texts.UNPRINTABLE), hex(code)


def test_drawings_and_tables_of_names(named, tmp_path):
    rows = heat.measure(named, time="2us")
    assert set(rows.node) >= set(NAMES)
    path = write(tmp_path / "a.svg", drawing.to_svg(named, None, heat=rows))
    told = {each.text for each in xml.etree.ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}title")}
    assert told >= set(NAMES)
    again = csv_file.from_text(io.StringIO(csv_file.to_text(rows)), keep_default_na=False)
    assert list(again.node) == list(rows.node)
    cells = [row[0] for row in csv.reader(csv_file.to_text(rows).splitlines())]
    assert not [cell for cell in cells if re.match(r"[=+@\t]|-[^\d]", cell)] and "-5" in cells
    (tmp_path / "routes.csv").write_text("")
    named.write(tmp_path / "routes.csv", "routes")
    table = list(csv_file.rows((tmp_path / "routes.csv").read_text(encoding="utf-8").splitlines()))
    assert {row[0] for row in table[1:]} == set(NAMES)


class Page(html.parser.HTMLParser):
    """Scripts and the title of a page."""

    def __init__(self, text):
        super().__init__()
        self.scripts, self.open, self.tags = [], None, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open == "script":
            self.scripts[-1] += data


def write_line(path, text):
    return write(path, json.dumps({"traceEvents": [
        {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": text}},
        {"ph": "X", "pid": 1, "tid": 1, "name": text, "cat": text, "ts": 1, "dur": 1, "args": {text: text}},
        {"ph": "C", "pid": 1, "name": text, "ts": 1, "args": {text: 1}}]}))


@pytest.mark.parametrize("text", [*NAMES, "\u2028\n", "\x00", "\u202e"])
def test_texts_of_time_lines(text, tmp_path):
    from ns3_wormhole.timeline_page import to_html
    path = write_line(tmp_path / "a.json", text)
    page, plain = Page(to_html(path, text)), Page(to_html(write_line(tmp_path / "b.json", "x"), "x"))
    assert page.tags == plain.tags and len(page.scripts) == 2
    assert page.scripts[1] == plain.scripts[1]
    data = json.loads(page.scripts[0])
    assert data["names"] == [text] and data["groups"][0]["name"] == text


@pytest.mark.parametrize("content, told", [
    (b'{"traceEvents":[' + b" " * 3_000_000 + b"]}", "more than 2,000,000 bytes"),
    (b'{"traceEvents":[' + b"[]," * 200_000 + b"[]]}", "more than 100,000 objects and arrays"),
    (b'{"traceEvents":[{"ph":"X","name":"a","ts":1e400,"dur":1}]}', "time 'inf'"),
    (b'{"traceEvents":[{"ph":"X","name":"a","ts":"soon","dur":1}]}', "time 'soon'"),
    (b'{"traceEvents":[{"ph":"X","name":"a","ts":NaN,"dur":1}]}', "NaN"),
    (b'{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":1,"args":{"v":-Infinity}}]}', "-Infinity"),
    (b'{"traceEvents":[{"ph":"C","name":"a","ts":1,"args":{"v":1e999}}]}', "lacks or has a wrong"),
    (b'{"traceEvents":[{"ph":"X","name":"\\ud800","ts":1,"dur":1}]}', "no character"),
    (b'{"traceEvents":[{"ph":"X","name":"a","ts":true,"dur":1}]}', "time 'True'")])
@pytest.mark.parametrize("is_packed", [False, True])
def test_time_lines_that_are_refused(content, told, is_packed, in_folder, capsys):
    path = write(in_folder / "a.json", gzip.compress(content) if is_packed else content)
    assert told in refused(capsys, "timeline", path, "--out=a.html", "--limit=2")
    assert [each.name for each in in_folder.iterdir()] == ["a.json"]


def test_time_lines_unpack_to_a_bound(in_folder):
    with gzip.open("a.json.gz", "wb", 1) as file:
        file.write(b'{"traceEvents":[')
        for _ in range(300):
            file.write(b" " * 2**20)
        file.write(b"]}")
    from ns3_wormhole import timeline_page
    tracemalloc.start()
    refuses("unpacks to more than 20,000,000 bytes", timeline_page.read_events, "a.json.gz", 20_000_000)
    assert tracemalloc.get_traced_memory()[1] < 60_000_000
    tracemalloc.stop()
    assert timeline_page.read_events("a.json.gz", 400_000_000) == []


def test_time_line_of_names(named, tmp_path):
    path = tmp_path / "a.json"
    with named.timeline(path):
        named.barrier("dissemination", NAMES[:4]).cross()
    text = path.read_text(encoding="utf-8")
    assert all(json.dumps(name, ensure_ascii=False)[1:-1] in text for name in NAMES[:4])
    json.loads(text)


@pytest.mark.skipif(not (PROGRAMS / "barrier-animation").exists(), reason="it is not built")
def test_animations(tmp_path):
    fabric = write_fabric(tmp_path / "a.json", NAMES[:8])
    call("barrier-animation", f"--fabric={fabric}", "--members=4", f"--out={tmp_path}/a.xml")
    told = {each.get("descr") for each in xml.etree.ElementTree.parse(tmp_path / "a.xml").iter()}
    assert told >= set(NAMES[:8])


@pytest.mark.parametrize("text", [*NAMES, *UNPRINTABLE, "a\tb", 'x"\\', "\\u0041"])
def test_machines(text, tmp_path, wh_quick):
    path = write(tmp_path / "a.toml", f"name = {texts.toml(text)}\nsource = {texts.toml(text)}\n"
                                      "[WormholeFabric]\nFlitSize = 64\n")
    again = write(tmp_path / "b.toml", machine.show(str(path)))
    read = tomllib.loads(again.read_text(encoding="utf-8"))
    assert read["name"] == read["source"] == machine.describe(str(path))[0]
    assert machine.show(str(again)).splitlines()[1:3] == again.read_text(encoding="utf-8").splitlines()[1:3]
    assert machine.describe(str(again)) == machine.describe(str(path))
    assert machine.read(str(again)).items() >= machine.read(str(path)).items()


@hypothesis.given(strategies.text())
def test_toml_holds_every_text(text):
    read = tomllib.loads(f"a = {texts.toml(text)} # {texts.comment(text)}\n"
                         f"[b]\n{texts.toml_key(text)} = 1")
    assert read == {"a": text, "b": {text: 1}}


@hypothesis.given(strategies.text())
def test_xml_holds_every_text(text):
    root = xml.etree.ElementTree.fromstring(f'<a b="{texts.as_xml(text)}">{texts.as_xml(text)}</a>')
    assert root.get("b") == (root.text or "") == texts.replaced(text)


@hypothesis.given(strategies.lists(strategies.text(strategies.characters(exclude_characters="\r\n\0"), max_size=8)
                                   | strategies.from_regex(r"'{0,2}[=+@-][0-9a=.]{0,3}", fullmatch=True),
                                   min_size=1))
def test_tables_hold_every_text(texts):
    frame = pandas.DataFrame({"=a": texts, "n": -3.5})
    text = csv_file.to_text(frame)
    again = csv_file.from_text(io.StringIO(text), keep_default_na=False, dtype={"'=a": str})
    assert list(again["=a"]) == texts and list(again.n) == [-3.5] * len(texts)
    for cell, *_ in csv.reader(io.StringIO(text, newline="")):
        assert not cell.startswith(("=", "+", "-", "@", "\t")) or re.fullmatch(r"[+-][\d.e+-]+", cell)


@pytest.mark.parametrize("library", tuning.LIBRARIES)
def test_tuning_files(library):
    """No text gets out of its comment, not even from a line that NCCL's plugin cuts off."""
    hostile = "x\n1 2 3" + ",9" * 300
    content = tuning.text(crossover_table(["ring", "a\nb 0 0"]), library, hostile, "r's\n4 5 6;`touch PWNED`")[0]
    plain = tuning.text(crossover_table(["ring", "c"]), library, "x", "y")[0]
    rules = [[line.partition("#")[0] if library == "open-mpi" else line for line in text.splitlines()
              if not line.startswith("#")] for text in (content, plain)]
    assert rules[0] == rules[1] and (library == "open-mpi" or max(map(len, content.splitlines())) < 256)


@pytest.mark.parametrize("word", [*UNPRINTABLE, "\udcff"])
def test_arguments_are_printable(word, capsys):
    error = refused(capsys, "fabric", "show", "torus:2", f"--svg={word}")
    assert "printable" in error and texts.is_printable(error.rstrip("\n"))


@pytest.mark.parametrize("length", [251, 300, 5000])
@pytest.mark.parametrize("words", [
    ["compare", "--topology=torus:2", "--machine=NAME"], ["compare", "--fabric=NAME"],
    ["compare", "--topology=torus:2", "--csv=NAME"], ["fabric", "show", "NAME"],
    ["fabric", "show", "torus:2", "--svg=NAME"], ["fabric", "import", "NAME"], ["fabric", "import", "NAME.dot"],
    ["machine", "show", "NAME"], ["machine", "show", "NAME.toml"], ["goal", "NAME", "--ideal"],
    ["timeline", "NAME", "--out=x"], ["timeline", __file__, "--out=NAME"], ["campaign", "NAME", "--csv=x"],
    ["calibrate", "--topology=torus:2", "--out=x.toml", "NAME"], ["osu", "bw", "--topology=torus:2", "--machine=NAME"],
    ["reproduce", "btin", "--build=NAME"], ["study", "btin-comparison", "--machine=NAME"]])
def test_long_names(words, length, in_folder, capfd):
    assert "Traceback" not in refused(capfd, *[word.replace("NAME", "m" * length) for word in words])
    assert not list(in_folder.iterdir())


def test_long_name_of_results(in_folder, capsys):
    refused(capsys, "reproduce", "btin", f"--results={'m' * 300}")
    assert not list(in_folder.iterdir())


# The plain ns-3 scripts read their options by ns-3's CommandLine.
@pytest.mark.parametrize("program", sorted(path.name for path in PROGRAMS.glob("*") if os.access(path, os.X_OK)
                                           and path.is_file() and not path.name.startswith("compare-")))
def test_odd_options_of_programs(program):
    for option in ("--PrintNope", f"--machine={'m' * 251}", f"--machine=./{'m' * 300}.toml"):
        status, error = call(program, option, check=False)
        assert status == 1 and error.count("\n") == 1, error


def test_folders_that_are_named_as_files(tmp_path, capsys):
    for program in STUDIES:
        status, error = call(program, "--plots=x.pdf", folder=tmp_path, check=False)
        assert status == 1 and error.count("\n") == 1 and "--plots=x.pdf" in error
    refused(capsys, "reproduce", "btin", f"--results={tmp_path}/x.html")
    assert not list(tmp_path.iterdir())


def sources(pattern, *folders):
    return {path: path.read_text(encoding="utf-8") for folder in folders for path in (ROOT / folder).rglob(pattern)}


def test_gnuplot_is_written_by_its_quotes_alone():
    """A literal that leaves a double quote open has something put behind it that is not quoted."""
    for path, text in sources("*.cc", "helper", "examples").items():
        # The plain ns-3 scripts write what their reader alone has given.
        assert '"ns3/gnuplot.h"' not in text or path.name.startswith("compare-"), path
        if "ns3/gnuplot-script.h" not in text:
            continue
        joined = re.sub(r'"\s*\n\s*"', "", text)
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined):
            assert literal.count('\\"') % 2 == 0 or literal.startswith('\\"') and '\\"' in literal[2:], \
                f"{path}: {literal}"
            assert not re.search(r"(title|label|rgb|output|plot) '$", literal), f"{path}: {literal}"
    for path, text in sources("*.py", "python/ns3_wormhole").items():
        if "gnuplot import" in text:
            told = [line for line in text.splitlines() if re.search(r"""(?<!f)['"]\{""", line)
                    and re.search(r"\b(title|rgb|set|plot|with|using)\b", line.partition('f"')[2])]
            assert not told, f"{path}: {told}"


def test_tables_are_written_and_read_by_one_module():
    for path, text in sources("*.py", "python/ns3_wormhole").items():
        if path.name != "csv_file.py":
            assert not re.search(r"\.to_csv\(|\bcsv\.(writer|reader|Dict\w+)\(|read_csv\(", text), path
        if path.name != "texts.py":
            assert "saxutils" not in text, path
