# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole, and what is given to options: wrong values, numbers read strictly."""

import gzip
import importlib.util
import json
import re
import sys
import xml.etree.ElementTree

import click
import command_options as commands
import pandas
import pytest
from conftest import COMMAND, PROGRAMS, ROOT, call, passed, refused, refused_by, refuses, run, write

from ns3_wormhole import options
from ns3_wormhole.core import arguments as checks, lengths

FIGURE_1 = str(ROOT / "data/moh-figure-1.json")


def test_fabric_make_show_check(wh, capsys, tmp_path):
    made, svg = tmp_path / "made.json", tmp_path / "made.svg"
    assert call(capsys, "fabric", "make", made, "--switches=8", "--hosts=16")[0] == 0
    status, out, _ = call(capsys, "fabric", "show", made, "--members=h0,h9", f"--svg={svg}")
    assert status == 0 and out.startswith("8 switches, 16 hosts") and "barrier tree: root" in out
    drawing = xml.etree.ElementTree.parse(svg)
    kinds = [each.get("class") for each in drawing.iter()]
    assert kinds.count("host") + kinds.count("member") == 16 and kinds.count("member") == 2
    assert kinds.count("switch") + kinds.count("root") == 8 and kinds.count("root") == 1
    assert "tree" in kinds
    checked = call(capsys, "fabric", "check", made)[1]
    assert checked.startswith("8 switches, 16 hosts, ") and checked.endswith(": free of deadlock\n")
    also = tmp_path / "also.json"
    passed(capsys, "fabric", "make", f"--out={also}", "--switches=8", "--hosts=16")
    assert also.read_text() == made.read_text()
    assert "two files" in refused(capsys, "fabric", "make", made, f"--out={also}")
    assert "no name of a file" in refused(capsys, "fabric", "make", "--topology=torus:2")
    for given in ("torus:3x3,hosts=2",), ("--topology=torus:3x3,hosts=2",):
        assert "9 switches, 18 hosts" in passed(capsys, "fabric", "make", *given, f"--out={also}")


def test_fabric_check_checks_worms(capsys, tmp_path):
    case = json.loads((ROOT / "data/worms-example.json").read_bytes())
    path = tmp_path / "case.json"
    told = passed(capsys, "fabric", "check", write(path, json.dumps(case)))
    assert told.endswith(": free of deadlock; 3 worms with valid routes and lengths, see worm-replay\n")
    case["worms"][0]["flits"] = 0
    assert "worms[0].flits" in refused(capsys, "fabric", "check", write(path, json.dumps(case)))


def test_tables_are_parquet_by_suffix(capsys, tmp_path, monkeypatch):
    asked = ["compare", "--topology=torus:3", "--algorithms=dissemination,smp", "--group-sizes=3"]
    files = {kind: [tmp_path / f"{name}.{kind}" for name in ("rounds", "worms", "occupancy")]
             for kind in ("csv", "parquet")}
    for kind, (rounds, worms, occupancy) in files.items():
        told = [f"--csv={rounds}", f"--worms-csv={worms}", f"--occupancy-csv={occupancy}"]
        if kind == "parquet" and not any(map(importlib.util.find_spec, ("pyarrow", "fastparquet"))):
            for option in told:
                assert "pip install 'ns3-wormhole[parquet]'" in refused(capsys, *asked, option)
            assert not list(tmp_path.glob("*.parquet"))
            pytest.skip("neither pyarrow nor fastparquet")
        assert call(capsys, *asked, *told)[0] == 0
    for text, packed in zip(*files.values()):
        table = pandas.read_parquet(packed)
        assert len(table) > 1 and not packed.read_bytes().startswith(b"fabric")
        pandas.testing.assert_frame_equal(table, pandas.read_csv(text), check_dtype=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert "ns3-wormhole[parquet]" in refused(capsys, *asked, f"--csv={tmp_path / 'other.parquet'}")


def test_tables_are_compressed_by_suffix(capsys, tmp_path):
    for words in (["compare", "--topology=torus:3", "--names=smp", "--group-sizes=3"], ["routing-comparison",
                  "--fabrics=torus:2x2", "--no-simulate"], ["fabric", "place", "torus:3x3", "--size=3", "--tries=1"]):
        for name in ("t.csv", "t.csv.gz"):
            call(capsys, *words, f"--csv={tmp_path / name}")
        assert gzip.decompress((tmp_path / "t.csv.gz").read_bytes()) == (tmp_path / "t.csv").read_bytes()


@pytest.mark.parametrize("option", ["--csv=y.parquet", "--worms-csv=y.parquet", "--occupancyCsv=y.PARQUET",
                                    "--csv=y.csv.gz"])
def test_programs_write_no_other_tables(capsys, in_folder, option):
    told = refused(capsys, "study", "latency-load", "--topology=torus:2x2", option)
    assert option in told and "expected a name" in told and not list(in_folder.iterdir())


def test_drawings_hold_long_names_and_count_parallel_cables(wh, tmp_path):
    long = "a-switch-whose-name-is-as-long-as-a-line"
    path = write(tmp_path / "long.json", json.dumps({"hosts": ["a", "b"], "links": [
        ["a", 0, "spine1", 0], ["b", 0, long, 0], ["spine1", 1, long, 1], ["spine1", 2, long, 2],
        ["spine1", 3, "s", 0]]}))
    drawing = xml.etree.ElementTree.fromstring(wh.drawing.to_svg(wh.Fabric.from_file(path)))
    of = "{http://www.w3.org/2000/svg}"
    boxes = {each[0].text: [float(each.get(name)) for name in ("x", "width")]
             for each in drawing.iter(f"{of}rect") if len(each)}
    texts = {each.text: each for each in drawing.iter(f"{of}text") if each.text}
    short = next(text for text in texts if "…" in text)
    assert long.startswith(short.split("…")[0]) and long.endswith(short.split("…")[1])
    for name, text in (("spine1", "spine1"), ("s", "s"), (long, short)):
        left, width = boxes[name]
        # About 6 px a letter of 11 px, and within the picture.
        assert width > 6 * len(text) and left >= 0
        assert left + width <= float(drawing.get("width"))
        assert float(texts[text].get("x")) == pytest.approx(left + width / 2, abs=0.2)
    assert [each.text for each in texts.values() if "count" in each.get("class", "")] == ["2"]


def test_flags_that_cost_nothing_are_told(capsys):
    asked = ["compare", "--topology=torus:3", "--algorithms=smp", "--group-sizes=3"]
    told = "meet at no cost: HostSoftware::FlagTime is 0\n"
    assert call(capsys, *asked, "--tasks-per-host=2")[1].endswith(told)
    assert told not in call(capsys, *asked)[1]
    assert told not in call(capsys, *asked, "--tasks-per-host=2", "--attribute=HostSoftware::FlagTime=100ns")[1]


def test_a_host_that_is_not_listed_shows(capsys, tmp_path):
    path = write(tmp_path / "forgotten.json", json.dumps({"ports": 4, "hosts": ["a", "b"], "links": [
        ["a", 0, "s", 0], ["b", 0, "s", 1], ["c", 0, "s", 2]]}))
    told = call(capsys, "fabric", "check", path)[1]
    assert "2 switches, 2 hosts" in told and "(switches of one cable: c)" in told


def test_several_processes_of_a_host_are_compared(wh):
    asked = {"topology": "torus:4,hosts=2", "group_sizes": [4], "attributes": {"ns3::HostSoftware::FlagTime": "500ns"}}
    one = wh.studies.algorithms(**asked)
    two = wh.studies.algorithms(**asked, tasks_per_host=2)
    assert set(two.tasks_per_host) == {2} and "tasks_per_host" not in one
    # Each algorithm is tried between the leaders of hosts, too; the usual one is that of smp.
    names = set(one.algorithm)
    inners = names - {"smp", "pairwise-exchange"}
    assert {f"smp[Inner={name}]" for name in inners} == set(two.algorithm) - names
    assert names - set(two.algorithm) == {"btin", "multicast", "hw-1", "hw-all", "nic"}
    assert set(two.refused) == {""}
    times = [dict(zip(table.algorithm, table.latency_us)) for table in (one, two)]
    # The second process sets a flag, which the first sees, and so back.
    assert times[1]["smp[Inner=hw-1]"] - times[0]["hw-1"] == pytest.approx(4 * 0.5)
    refuses("one member per host", wh.studies.algorithms, topology="torus:4,hosts=2", group_sizes=[4],
            names=["btin"], tasks_per_host=2)


def test_programs_of_studies_run_out_of_the_library():
    options = ["--processes=3", "--trees=chain,fibo", "--network=ideal"]
    command = [*COMMAND, "study"]
    ours, program = run(*command, "fibo-tree", *options), run(PROGRAMS / "fibo-tree", *options)
    assert ours.stdout == program.stdout and ours.stderr == ""
    assert refused_by(*command, "fibo-tree", "--s=x").startswith("fibo-tree: --s=x: ")
    assert "fibo-tree [OPTIONS]" in run(*command, "fibo-tree", "--help").stdout
    assert "  rdma-barrier  " in run(*command, "--help").stdout
    assert run(*command, "fibotree", status=1).stderr.endswith("did you mean fibo-tree?\n")
    assert run(*command, status=1).stderr.startswith("ns3-wormhole: no program is named; there are btin-")


@pytest.mark.parametrize("words", [
    "", "calibrate", "osu", "campaign", "compare", "fabric", "fabric check", "fabric export", "fabric import", "fabric make",
    "fabric show", "fabric what-if", "fabric year", "goal", "outages", "reproduce", "study", "timeline"])
def test_help_fits_a_terminal_and_has_examples(capsys, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, _ = call(capsys, *words.split(), "--help")
    assert status == 0 and ("Examples:\n    ns3-wormhole " in out or words == "fabric")
    assert [line for line in out.splitlines() if len(line) > 80] == []


def test_number_of_members_has_one_name():
    told = re.compile("(how many|number).*(hosts|members|ranks)|(hosts|members|ranks).*(how many|number)")
    taking = [(path, option.opts) for path, command in commands.commands() for option in command.params
              if {"--members", "--size"} & set(option.opts)
              or "--hosts" not in option.opts and told.search(getattr(option, "help", None) or "")]
    assert len(taking) >= 12
    assert all({"--group-size", "--group-sizes"} & set(names) for _, names in taking), taking


def test_attributes_reach_a_given_fabric(wh, tmp_path):
    path = tmp_path / "ring.json"
    wh.Fabric.from_text("torus:4,hosts=2").to_file(path)

    def latency(fabric, start_up):
        return wh.studies.algorithms(fabric=fabric, names=["dissemination"], group_sizes=[8],
                                     attributes={"ns3::HostSoftware::StartUp": start_up}).latency_us[0]

    # Three rounds, each of them with a start-up.
    for fabric in (str(path), wh.Fabric.from_file(path)):
        assert latency(fabric, "9us") - latency(fabric, "2us") == pytest.approx(21, abs=0.1)
    refuses("StartUpp", wh.studies.algorithms, fabric=str(path), attributes={"ns3::HostSoftware::StartUpp": "1us"})


def test_compare_is_what_fabrics_measure(wh, capsys, tmp_path):
    path = tmp_path / "compared.csv"
    assert call(capsys, "compare", f"--fabric={FIGURE_1}", "--names=btin,tree", "--group-sizes=4",
                f"--csv={path}")[0] == 0
    table = pandas.read_csv(path).set_index("algorithm")
    fabric = wh.Fabric.from_file(FIGURE_1)
    for name in ("btin", "tree"):
        wh.reset()
        assert table.latency_us[name] == fabric.barrier(name, fabric.group(4)).cross()


def test_campaign_file(wh, capsys, tmp_path):
    csv, described = tmp_path / "sweep.csv", write(tmp_path / "sweep.json", json.dumps({
        "study": "algorithms", "parameters": {"group_sizes": [2, 4]}, "seeds": 2,
        "fixed": {"switches": 8, "hosts": 16, "names": ["btin"]}}))
    assert call(capsys, "campaign", described, f"--csv={csv}", "--workers=1")[0] == 0
    assert len(pandas.read_csv(csv)) == 4 and json.loads(described.read_text())["seeds"] == 2
    assert "4 points of an earlier run" in call(capsys, "campaign", described, f"--csv={csv}")[1]


@pytest.mark.parametrize("arguments, told", [
    (["comprae"], "did you mean compare"),
    (["fabric", "chek", FIGURE_1], "did you mean check"),
    (["compare", "--topolgy=torus:4x4"], "--topology"),
    (["compare", "--topology=torsu:4x4"], "there is no family 'torsu'; there are clos"),
    (["compare", "--group-sizes=4,x"], "'4,x': expected integers with commas between them"),
    (["fabric", "show", "nowhere.json"], "nowhere.json: No such file or directory"),
    (["fabric", "make", "/nowhere/made.json"], "/nowhere/made.json: No such file or directory"),
    (["fabric", "make", "torus:3x3"], "no name of a file; expected one, as --out=cluster.json"),
    (["fabric", "make", "torus:3x3", "--topology=mesh:3"], "two topologies, torus:3x3 and --topology=mesh:3; expected one"),
    (["campaign", FIGURE_1, "--csv=never.csv"], "expected study"),
])
def test_wrong_words_name_the_nearest(capsys, arguments, told):
    err = refused(capsys, *arguments)
    assert told in err and err.startswith("ns3-wormhole: ")


@pytest.mark.parametrize("command", [[], ["fabric"]], ids=" ".join)
def test_without_arguments_the_help_is_told(capsys, command):
    _, asked, _ = call(capsys, *command, "--help")
    _, out, err = call(capsys, *command)
    assert asked.strip() in (out + err).strip()


def test_import_writes_over_nothing_unasked(capsys, in_folder):
    assert call(capsys, "fabric", "import", FIGURE_1)[0] == 0
    before = (in_folder / "fabric.json").read_bytes()
    assert "fabric.json is there already; expected" in refused(capsys, "fabric", "import", FIGURE_1)
    assert (in_folder / "fabric.json").read_bytes() == before
    assert call(capsys, "fabric", "import", FIGURE_1, "--out=fabric.json")[0] == 0


def test_suites_are_refused_a_fullness_that_is_none():
    ended = run(sys.executable, ROOT / "tools" / "run-tests.py", "none", "--fullness=FAST", status=2)
    assert "EXTENSIVE" in ended.stderr and not ended.stdout


def test_version_is_that_of_the_project(capsys):
    wanted = re.search(r"project\(wormhole VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    assert passed(capsys, "--version").split()[:2] == ["ns3-wormhole", wanted[1]]


def test_compare_takes_commas_in_brackets_and_says_where_members_are(wh, capsys):
    out = passed(capsys, "compare", "--topology=torus:3", "--group-sizes=3", "--names=butterfly[Radices=3,2],btin")
    assert "\nbutterfly[Radices=3,2]" in out and "\nranks in the order in which hosts were drawn (" in out


def test_compare_marks_what_is_hypothetical_and_what_cannot(wh, capsys):
    asked = ["compare", "--topology=torus:3", "--group-sizes=2,3", "--kind=allreduction"]
    status, out, _ = call(capsys, *asked, "--operation=ADD", "--width-bits=32")
    lines = out.splitlines()
    assert status == 0 and lines[0].startswith("latency of allreduction (ADD of 32 bits) in us")
    assert [line.split() for line in lines if line.startswith("hw-1 ")] == [
        ["hw-1", "*", "can't", "can't", "-", "-"], ["hw-1", *re.search("hw-1 (can't: .*)", out)[1].split()]]
    assert "hw-1 can't: an add-on network hw-1 can't combine values of 32 bits" in out
    # butterfly, the fastest in software, takes 3.310 and 5.310 us.
    assert re.search(r"hw-all \* +2.700 +2.700 +1.23 +1.97\n", out) and "gain: how many times" in out
    rows = {line.split()[0]: "*" in line for line in lines[3:] if not line.startswith("*") and "can't:" not in line}
    marked = {name for name, mark in rows.items() if mark}
    assert marked == {"btin", "hw-1", "hw-all", "multicast", "nic"} and rows["dissemination"] is False
    assert "*: hypothetical hardware" in out
    assert call(capsys, *asked)[1].startswith("latency of allreduction (AND of 1 bit) in us")
    out = call(capsys, "compare", "--topology=torus:3", "--group-sizes=2", "--names=tree")[1]
    assert out.startswith("latency of barrier in us") and "hypothetical" not in out
    assert "\nfabric " in out and "; machine: the defaults" in out
    err = refused(capsys, *asked, "--operation=ADD", "--width-bits=32", "--names=hw-1")
    assert "hw-1 can't: an add-on network hw-1 can't combine" in err


def test_nothing_large_is_loaded_for_help(environment):
    """Of a second's work, which is not needed to be told how a command is called."""
    for what in ("import ns3_wormhole",
                 "from ns3_wormhole import cli, options; options.run(cli.app, 'x', ['--help'])",
                 "from ns3_wormhole import cli, options; options.run(cli.app, 'x', ['compare', '-x'])"):
        script = (f"{what}\nimport sys\n"
                  "print(sorted({'cppyy', 'pandas', 'networkx', 'numpy', 'tqdm', "
                  "'jinja2', 'mistune'} & set(sys.modules)))")
        done = run(sys.executable, "-c", script, env=environment)
        assert done.stdout.splitlines()[-1] == "[]"


def test_a_command_loads_nothing_of_others(environment):
    """Each is imported when it is asked for, and pandas and networkx by whoever makes a table or a graph."""
    for words, unwanted in ((["--version"], {"ns3_wormhole.study", "cppyy"}),
                            (["machine", "list"], {"ns3_wormhole.study", "pandas"}),
                            (["fabric", "check", "torus:2x2"], {"networkx", "pandas", "ns3_wormhole.cli.studies"})):
        script = (f"from ns3_wormhole import cli, options; status = options.run(cli.app, 'x', {words})\n"
                  f"import sys; print(status, sorted({unwanted} & set(sys.modules)))")
        done = run(sys.executable, "-c", script, env=environment)
        assert done.stdout.splitlines()[-1] == "0 []"


def test_commands_are_found_by_their_names():
    app = commands.cli.app
    for name in app.list_commands(None):
        assert app.get_command(None, name).name == name


def test_more_than_500_switches_are_drawn(capsys, tmp_path):
    path = tmp_path / "large.svg"
    out = passed(capsys, "fabric", "show", "torus:23x23", f"--svg={path}")
    switches = int(out.split()[0])
    root = xml.etree.ElementTree.parse(path).getroot()
    size = float(root.get("width"))
    places = [(float(each.get("x")), float(each.get("y"))) for each in root.iter()
              if each.get("class") in ("switch", "root") and each.get("rx")]
    assert len(places) == len(set(places)) == switches > 500
    assert all(0 <= x <= size and 0 <= y <= size for x, y in places)


WRONG = ["", "²", "٣", "1_0", "9" * 5000, "-1", "0", "nan", "inf", "1e999", "a\x01b", "\n", "=", "[",
         "],[", "a" * 5000, "folder", "no/such/file", "/dev/null", "\udcff", "ü\u202e", "%s{}",
         "18446744073709551616", ",", "1:", "torus:9999999999x2"]
# Values that an option takes, and what that takes too long for.
LONG = {("campaign", "dask"), ("routing-comparison", "jobs")}


@pytest.mark.parametrize("path", [path for path, _ in commands.commands()])
def test_wrong_values(path, in_folder):
    names = commands.write_files(in_folder)
    (in_folder / "folder").mkdir()
    words = [*path.split(), *commands.RUNS[path][0].format(**names).split()]
    command = dict(commands.commands())[path]
    if path == "study":  # hands all on
        return
    for option in command.params:
        if (path, option.name) in LONG or isinstance(option, click.Option) and option.is_flag:
            continue
        for wrong in WRONG:
            if isinstance(option, click.Argument):
                given = [*words, wrong] if option.nargs != 1 else [*path.split(), wrong, *words[len(path.split()) + 1:]]
            else:
                given = [*words, f"{commands.names_of(option)[0]}={wrong}"]
            status, _, err = commands.run(given)
            shown = f"{option.name}: {wrong[:20]!r}: {err[:200]}"
            assert status in (0, 1, 2), shown
            lines = err.strip().split("\n")
            assert all(line.startswith(("ns3-wormhole: ", "failed: ", "passed over")) for line in lines
                       if status and not line.startswith("Usage")), shown
            assert not status or err.strip(), shown
            assert len(err) < 2000 and "Traceback" not in err, shown


NONE_WHOLE = ["", " ", "²", "٣", "１", "1_0", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "0x10", "--1",
              "nan", "inf", "9" * 19, "9" * 5000, "-", "one"]
NONE_NUMBER = ["", "²", "٣", "1_0", "1.0_0", " 1", "1\n", "nan", "inf", "-inf", "1e999", "0x1p3",
               "1,5", ".", "e5", "9" * 400, "1." + "0" * 5000]


@pytest.mark.parametrize("text", NONE_WHOLE)
def test_what_is_no_whole_number(text):
    """What int() would take, or fail at, is none."""
    assert checks.parse_whole(text, -10**18, 10**18) is None
    with pytest.raises(click.BadParameter) as refused:
        options.WHOLE.convert(text, None, None)
    assert len(refused.value.message) < 120


@pytest.mark.parametrize("text", NONE_NUMBER)
def test_what_is_no_number(text):
    """What float() would take, or overflow at, is none."""
    assert checks.parse_number(text) is None


def test_numbers():
    assert [checks.parse_whole(*given) for given in (("007",), ("-3", -5), ("-3",), ("5", 1, 4))] == [7, -3, None, None]
    assert [checks.parse_number(*given) for given in (("1",), ("-.5",), ("2.",), ("1.5e-3",), ("1E3",), ("1.5", 0, 1))] \
        == [1, -0.5, 2, 0.0015, 1000, None]


def test_values_in_messages():
    for value in (10**5000, "x" * 5000, ["x"] * 5000):
        assert len(checks.shown(value)) < 80
        assert len(refuses("seed", checks.whole, "seed", value)) < 200


@pytest.mark.parametrize("text", ["9" * 400, "٣", "1_0", "1" * 5000 + "KiB", "1.0.0", "nan"])
def test_what_is_no_length(text):
    refuses("expected a length", lengths.parse, "bytes", text)


def test_members():
    assert [options.members_from(text) for text in ("12", "h0,h1", "²", None)] == [12, ["h0", "h1"], ["²"], None]
    for text in ("0", "9" * 30, "9" * 5000):
        refuses("expected a whole number", options.members_from, text)
