# SPDX-License-Identifier: GPL-2.0-only
"""Campaigns' files: torn, foreign, nonsense, written by two; and Ctrl-C at any time."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import campaign_points
import pytest
from conftest import COMMAND, refused, refuses, run, wait_for_lines, write


class Here:
    """Runs points in this process, which is quick."""

    def __init__(self, _):
        pass

    def __call__(self, function, fixed, todo):
        from ns3_wormhole.campaign import run_point
        for key, point in todo.items():
            yield key, *run_point(function, fixed, point)


@pytest.fixture(autouse=True)
def here(request, monkeypatch):
    """Has points run in this process, unless a test asks for others."""
    if "workers" not in request.fixturenames:
        from ns3_wormhole import campaign
        monkeypatch.setattr(campaign, "Processes", Here)


@pytest.fixture
def counted(wh, tmp_path):
    points = wh.campaign.Campaign(campaign_points.counted, {"number": [0, 1, 2]}, seeds=2,
                                  fixed={"folder": str(tmp_path)})
    return lambda path=tmp_path / "c.csv": points.run(path, workers=1)


def runs(tmp_path):
    """Returns how often each point has run."""
    return {path.name: path.read_text(encoding="utf-8").count("run") for path in tmp_path.glob("?-?")}


@pytest.fixture
def ended(counted, tmp_path):
    """The lines of a campaign's journal, and a function that runs it again with other lines."""
    path, journal = tmp_path / "c.csv", tmp_path / "c.points.jsonl"
    counted()
    table = path.read_bytes()

    def again(*lines):
        journal.write_bytes(b"\n".join(lines))
        outcome = counted()
        assert path.read_bytes() == table and not outcome.failures
        return outcome
    return journal.read_bytes().split(b"\n"), again


@pytest.mark.parametrize("strange", [
    b"", b'{"key": "interrup', b"\0\0\0\0", b"\xff\xfe", b"null", b"[]", b"7", b'"text"', b"{}",
    b'{"key": 7, "rows": [], "point": {}}', b'{"key": ["a"]}', b'{"rows": 3}', b"[" * 20000,
    b'{"study": "barriers", "fixed": {}, "version": "0"}'])
@pytest.mark.parametrize("where", [1, 3])
def test_a_strange_line_costs_its_point_only(counted, tmp_path, ended, strange, where):
    lines, again = ended
    lines[where] = strange
    outcome = again(*lines)
    assert outcome.reused == 5 and outcome.strange == [where + 1]
    assert sorted(runs(tmp_path).values()) == [1, 1, 1, 1, 1, 2]
    assert counted().reused == 6


@pytest.mark.parametrize("entry", [
    {"rows": 5}, {"rows": [5]}, {"rows": {"a": 1}}, {"point": {"number": 7, "seed": 1}}, {"rows": None}])
def test_a_point_that_is_not_what_it_says_is_run_again(ended, entry):
    lines, again = ended
    lines[2] = json.dumps({**json.loads(lines[2]), **entry}).encode()
    assert again(*lines).reused == 5


def test_a_torn_head_does_not_cost_the_points(ended):
    (head, *lines), again = ended
    outcome = again(head[:9], *lines)
    assert outcome.reused == 6 and outcome.strange == [1]


def test_a_head_that_was_interrupted_is_written_again(tmp_path, ended):
    (head, *_), again = ended
    for torn in (b"", head[:1], head[:-1], head):
        outcome = again(torn)
        assert outcome.reused == 0 and outcome.strange == []
        assert (tmp_path / "c.points.jsonl").read_bytes().startswith(head + b"\n")


def test_a_file_of_something_else_is_left_alone(counted, tmp_path):
    journal = tmp_path / "c.points.jsonl"
    for text in ("a diary\nof mine\n", '{"my": "own"}\n', "\n", "a diary", "a diary\nof mine",
                 '{"my": "own"}', '{"study": "another", "fixed": {}}\n{"key"'):
        journal.write_text(text, encoding="utf-8")
        refuses("c.points.jsonl is of .*expected another name", counted)
        assert journal.read_text(encoding="utf-8") == text and not runs(tmp_path)


GOOD = {"study": "barriers", "seeds": 2, "fixed": {"runs": 1}, "parameters": {"group_sizes": [4]}}


@pytest.mark.parametrize("change, told", [
    ({"parameters": ["group_sizes"]}, "parameters=['group_sizes']: expected an object"),
    ({"parameters": []}, "parameters=[]: expected an object"),
    ({"parameters": None}, "parameters=None: expected an object"),
    ({"parameters": {"group_sizes": []}}, "group_sizes=[] leaves nothing to run"),
    ({"parameters": {"group_sizes": 4}}, "group_sizes=4: expected a list"),
    ({"parameters": {"group_sizes": {"4": 4}}}, "group_sizes={'4': 4}: expected a list"),
    ({"parameters": {"group_sizes": "4"}}, "group_sizes='4': expected a list"),
    ({"fixed": ["runs"]}, "fixed=['runs']: expected an object"),
    ({"fixed": 1}, "fixed=1: expected an object"),
    ({"seeds": 2.5}, "seeds=2.5: expected a whole number from 1 to 1000000, or a list"),
    ({"seeds": True}, "seeds=True: expected a whole number"),
    ({"seeds": None}, "seeds=None: expected a whole number"),
    ({"seeds": 0}, "seeds=0: expected a whole number"),
    ({"seeds": 10**12}, "seeds=1000000000000: expected a whole number"),
    ({"seeds": []}, "seeds=[]: expected a whole number"),
    ({"seeds": [1.5]}, "seeds=[1.5]: expected a whole number"),
    ({"seeds": [True]}, "seeds=[True]: expected a whole number"),
    ({"seeds": "12"}, "seeds='12': expected a whole number"),
    ({"seeds": {"1": 1}}, "seeds={'1': 1}: expected a whole number"),
    ({"seeds": 999999, "parameters": {"group_sizes": [4, 8]}}, "1999998 points; expected up to"),
    ({"study": ":b"}, ":b: Empty module name; expected module:function"),
    ({"study": "a:"}, "a:: No module named 'a'; expected module:function"),
    ({"study": "..:b"}, "expected module:function"),
    ({"study": "json:__doc__"}, "is no study; expected names and functions"),
    ({"study": 7}, "study=7: expected barriers"),
    ({"study": ["barriers"]}, "study=['barriers']: expected barriers"),
    ({"study": "bar\nriers"}, r"there is no study 'bar\nriers'; there are barriers"),
    ({"parameters": {"a\nb": [1]}}, r"barriers has no argument 'a\nb'"),
    ({"fixed": {"\r": 1}}, r"barriers has no argument '\r'"),
    ({"study": "\ud800"}, "there is no study '\\ud800'"),
    ({"fixed": {"law": "\ud800"}}, "a value can't be written to a file"),
    ({"seed": 3}, "'seed': expected study, parameters, seeds, fixed"),
])
def test_nonsense_in_a_description_is_one_line(capsys, tmp_path, change, told):
    described = write(tmp_path / "sweep.json", {**GOOD, **change})
    error = refused(capsys, "campaign", described, f"--csv={tmp_path / 'sweep.csv'}")
    assert error.startswith(f"ns3-wormhole: {described}: ") and told in error
    assert [each.name for each in tmp_path.iterdir()] == ["sweep.json"]


@pytest.mark.parametrize("content, told", [
    (b"", "Expecting value"), (b"\xff", "utf-8"), (b"[" * 100000, "recursion"), (b"{", "Expecting"),
    (b'{"study": "trees", "study": "rdma"}', "the key 'study' is there twice"),
    (b'{"seeds": 1' + b"0" * 5000 + b"}", "digits"), (b"[]", "the key 'study' is missing"),
    (b"7", "the key 'study' is missing"), (b"null", "the key 'study' is missing")])
def test_what_is_no_description_is_one_line(wh, tmp_path, content, told):
    described = write(tmp_path / "sweep.json", content)
    refuses(f"^{re.escape(str(described))}: .*{re.escape(told)}", wh.campaign.Campaign.from_file, described)


def test_endless_files_and_folders_are_no_descriptions(wh, tmp_path):
    for path, told in (("/dev/zero", "longer than"), (tmp_path, "Is a directory")):
        refuses(told, wh.campaign.Campaign.from_file, path)


@pytest.mark.parametrize("name", ["c.csv", "c.provenance.json", "c.points.jsonl"])
def test_paths_are_tried_before_the_first_point(counted, tmp_path, name):
    (tmp_path / name).mkdir()
    refuses(f"{name}: .*expected a file to write", counted)
    refuses("nowhere/.*: No such file or directory", counted, tmp_path / "nowhere" / "c.csv")
    assert not runs(tmp_path) and not list(tmp_path.glob("*.part*"))


@pytest.mark.parametrize("arguments", [
    ["compare", "--topology=torus:3", "--csv=FILE"], ["fabric", "show", "torus:3", "--svg=FILE"],
    ["fabric", "make", "FILE", "--topology=torus:3"]])
@pytest.mark.parametrize("name", ["nowhere/f", ".", "", "-", " "])
def test_commands_try_their_file_first(capsys, monkeypatch, in_folder, arguments, name):
    from ns3_wormhole import fabric
    monkeypatch.setattr(fabric.Fabric, "from_text", lambda *_, **__: pytest.fail("too late"))
    assert "expected" in refused(capsys, *[each.replace("FILE", name) for each in arguments])
    assert not list(in_folder.iterdir())


def test_nobodys_part_is_touched(counted, tmp_path):
    from ns3_wormhole.core.files import write_whole
    for name in ("c.csv.part", "c.provenance.json.part", "c.csv.part2"):
        (tmp_path / name).write_text("mine", encoding="utf-8")
    counted()
    assert (tmp_path / "c.csv").read_text(encoding="utf-8").count("\n") == 7
    parts = list(tmp_path.glob("*.part*"))
    assert len(parts) == 3 and all(each.read_text(encoding="utf-8") == "mine" for each in parts)
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "c.csv", "\ud800")
    assert (tmp_path / "c.csv").read_text(encoding="utf-8").count("\n") == 7
    assert len(list(tmp_path.glob("*.part*"))) == 3


def test_the_second_of_two_campaigns_is_refused_by_name(counted, tmp_path):
    from ns3_wormhole.core.files import Journal
    with Journal(tmp_path / "c.points.jsonl", {"study": "first"}, {}):
        refuses("c.points.jsonl: another campaign is writing it", counted)
    assert not runs(tmp_path)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_function_that_others_cannot_import_is_refused(wh, tmp_path, workers):
    campaign = wh.campaign.Campaign(lambda seed: seed)
    refuses("other processes can't take .*lambda", campaign.run, tmp_path / "c.csv", workers=workers)


def test_a_campaign_leaves_nothing_on_standard_error(environment, tmp_path):
    """Workers end by a signal; bars in them must not leave semaphores that Python complains of."""
    described = write(tmp_path / "sweep.json", {"study": "barriers", "seeds": 2, "fixed": {
        "runs": 1, "switches": 4, "hosts": 16, "group_sizes": [4]}})
    assert run(*COMMAND, "campaign", described, f"--csv={tmp_path / 's.csv'}", "--workers=2",
               env=environment).stderr == ""


def interrupted(environment, tmp_path, when):
    """Interrupts a campaign, all of its processes as a terminal does, when a function returns."""
    described = write(tmp_path / "sweep.json", {"study": "campaign_points:slow", "seeds": 30,
                                                "parameters": {"number": [1, 2]}})
    process = subprocess.Popen(
        [*COMMAND, "campaign", described, f"--csv={tmp_path / 's.csv'}", "--workers=2"], env=environment, start_new_session=True,
        # Whoever runs these tests in the background may have had it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    when(process)
    os.killpg(process.pid, signal.SIGINT)
    begin = time.monotonic()
    _, error = process.communicate(timeout=60)
    return process.returncode, error, time.monotonic() - begin


def test_ctrl_c_says_what_is_left(environment, tmp_path):
    journal = tmp_path / "s.points.jsonl"
    status, error, _ = interrupted(
        environment, tmp_path, lambda process: wait_for_lines(journal, 4, lambda: process.poll() is None))
    done = journal.read_text(encoding="utf-8").count("\n") - 1
    assert status == 130 and done >= 3
    assert error == (f"ns3-wormhole: interrupted: {done} of 60 points are done and kept in {journal}; "
                     f"the same again does the {60 - done} that are left\n")


def test_ctrl_c_while_workers_start_ends_it(environment, tmp_path):
    """Workers that are only being started cannot take it yet."""
    def children(process):
        return pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()

    def first_child(process):
        while process.poll() is None and not children(process):
            time.sleep(0.001)
    for wait_s in (0, 0.003, 0.01, 0.03, 0.1, 0.2):
        def when(process):
            first_child(process)
            time.sleep(wait_s)
        status, error, _ = interrupted(environment, tmp_path, when)
        assert status == 130 and re.fullmatch(
            "ns3-wormhole: interrupted: .* of 60 points are done and kept in .*\n", error), error


def test_ctrl_c_ends_a_long_computation_of_cpp(environment, tmp_path):
    """Where Python's own handler would wait until it is done."""
    script = write(tmp_path / "long.py",
        "import sys\nimport click\nimport ns3_wormhole as wh\nfrom ns3_wormhole import options\n"
        "@click.command()\n@options.interruptible\ndef endless():\n"
        "    wh.ns\n    import cppyy\n"
        "    cppyy.cppdef('void Endless() { volatile bool on = true; while (on) {} }')\n"
        "    print('now', flush=True)\n    cppyy.gbl.Endless()\n"
        "sys.exit(options.run(endless, 'endless', []))\n")
    process = subprocess.Popen([sys.executable, script], env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "now\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    try:
        _, error = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 130 and error == "endless: interrupted\n"
