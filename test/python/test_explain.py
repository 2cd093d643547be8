# SPDX-License-Identifier: GPL-2.0-only
"""Explained latencies: from Python, on the command line, in timelines, and over lengths."""

import decimal
import itertools
import json

import numpy
import pandas
import pytest
from conftest import COMMAND, PROGRAMS, ROOT, call, check_path, needs_chromium, passed, run, write
from test_timeline import dom, duration, of, read

from ns3_wormhole import explain
from ns3_wormhole.core.loader import printed
from ns3_wormhole.timeline_page import to_html


def check(frame, barrier):
    """Checks that intervals meet, and end when the last member left."""
    begin = frame.from_ps.iloc[0]
    check_path(frame, begin, pytest.approx(begin + 1e6 * max(barrier.leaves_us), abs=1))


def explained(barrier):
    """Returns an explanation that changes nothing."""
    latency = barrier.cross()
    frame = barrier.explain()
    assert frame.attrs["latency_us"] == latency == barrier.cross(), "as if nobody looked"
    check(frame, barrier)
    return frame


def events_of(tmp_path, *options):
    path = tmp_path / "run.json"
    run(PROGRAMS / "collective-schedule", *options, f"--timeline={path}", "--timelineExplain")
    return read(path)["traceEvents"]


@pytest.mark.parametrize("name", ["btin", "dissemination", "tree", "multicast", "hw-all"])
def test_intervals_meet_and_sum_to_the_latency(wh, name):
    frame = explained(wh.Fabric.irregular(16, 32).barrier(name, 9))
    assert list(frame) == ["from_ps", "to_ps", "cause", "place", "lane", "worm", "other", "note"]
    assert frame.lane.isna().all()
    assert explain.sums(frame).sum() == pytest.approx(frame.attrs["latency_us"], abs=1e-6)
    assert "%" in frame.attrs["text"]


def test_a_late_member_and_a_register_are_named(wh):
    barrier = wh.Fabric.irregular(16, 32).barrier("btin", 6)
    root = int(barrier.model.GetTree().GetRootHost()) - 16
    late = next(rank for rank, host in enumerate(barrier.members) if host != root)
    frame = barrier.explain(arrivals=["30us" if rank == late else 0 for rank in range(6)])
    assert frame.cause.iloc[0] == "member-late" and frame.place.iloc[0] == f"rank {late}"
    assert frame.to_ps.iloc[0] - frame.from_ps.iloc[0] == 30_000_000
    check(frame, barrier)


def test_data_is_explained_too(wh):
    total = wh.Fabric.irregular(16, 32).allreduction("ring", 4, bytes=4096)
    frame = total.explain(values=[numpy.full(1024, rank, "int32") for rank in range(4)])
    check(frame, total)
    assert (total.results[0] == 6).all()
    assert "wire" in set(frame.cause)


def test_studies_sum_up_by_cause(wh):
    frame = wh.studies.algorithms(topology="torus:4x4", names=["btin", "tree"], group_sizes=[8], runs=2, explain=True)
    columns = explain.cause_columns(frame)
    assert frame[columns].sum(axis=1).to_numpy() == pytest.approx(frame.latency_us.to_numpy(), abs=1e-6)


def test_worms_of_a_case_are_explained(wh, tmp_path):
    case = {"flit_time": 1000, "link_delay": 500, "switch_delay": 2000, "depth": 8,
            "hosts": ["a", "b", "c"],
            "links": [["a", 0, "s.", 0], ["b", 0, "s.", 1], ["c", 0, "s.", 2]],
            "worms": [{"time": 0, "flits": 10, "root": "a", "tree": {"a": [0], "s.": [2]}},
                      {"time": 100, "flits": 3, "root": "b", "tree": {"b": [0], "s.": [2]}}]}
    worms = wh.ns.ReadWormCase(str(write(tmp_path / "case.json", case)))
    found = json.loads(printed(wh.ns.PrintReplay, worms, wh.ns.ExplainWorms(worms)))["worms"][1]
    frame = pandas.DataFrame(found["explained"]["c"])
    assert frame.from_ps.iloc[0] == 100 and frame.to_ps.iloc[-1] == found["delivered"]["c"]
    held = frame[frame.cause == "output"]
    # The first worm's head asked at 3,500 ps and left ten flits later; this one asked 100 ps after.
    assert held[["from_ps", "to_ps", "place", "other"]].to_numpy().tolist() == [[3600, 13500, "s.:2", "worm 0"]]


@pytest.mark.parametrize("text", ["irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4]",
                                  "torus:4x4,hosts=2,routing=adaptive"])
def test_lanes_are_told(wh, text):
    frame = explained(wh.Fabric.from_text(text).barrier("dissemination", 16))
    wires = frame[frame.cause.isin(["wire", "propagation"])]
    assert len(wires) and wires.lane.notna().all()
    assert " lane " in frame.attrs["text"]


@pytest.mark.parametrize("mode", ["whole", "as-it-comes"])
def test_hosts_that_pass_worms_on_are_told(wh, mode):
    frame = explained(wh.Fabric.irregular(16, 40, routing=f"in-transit[Mode={mode}]").barrier("dissemination"))
    passed = frame[frame.cause == "in-transit"]
    assert len(passed) and (passed.to_ps - passed.from_ps == 475_000).all()
    assert passed.place.str.fullmatch(r"h\d+").all()
    assert "hosts that pass worms on" in frame.attrs["text"]


@pytest.mark.parametrize("text, size, part", [
    ("torus:4x4", 8, "btin, 8 hosts"),
    ("irregular:switches=16,hosts=40,routing=in-transit", 40, "hosts that pass worms on"),
    ("torus:4x4,routing=dateline", 8, " lane ")], ids=["plain", "in transit", "lanes"])
def test_compare_explains_and_plots(tmp_path, text, size, part):
    plot = tmp_path / "why.svg"
    told = run(*COMMAND, "compare", "--explain", f"--topology={text}", "--names=btin,dissemination",
               f"--group-sizes={size}", f"--plot={plot}").stdout
    assert "start-up of sends" in told and part in told
    assert "dissemination" in plot.read_text(encoding="utf-8")


def test_causes_have_the_same_colour_in_all_plots():
    palette = [str(number) for number in range(10)]
    one = explain._colours(["wire", "compute", "start-up", "all else"], palette)
    other = explain._colours(["start-up", "credit", "combine", "wire", "propagation", "output",
                              "switch-delay", "interface-delay", "interface-busy", "all else"], palette)
    assert {cause: one[cause] for cause in ("wire", "start-up")} == \
        {cause: other[cause] for cause in ("wire", "start-up")}
    assert len(set(one.values())) == 4 and len(set(other.values())) == 10


PS = decimal.Decimal(10) ** 6  # ps of the timeline's unit, us


def check_intervals(explain, begin, end):
    """Does as check_path, of intervals of a timeline; there are none where the time is none."""
    if begin == end:
        assert explain == []
    else:
        check_path(pandas.DataFrame(explain), begin, end)


@pytest.mark.parametrize("options", [
    ["--allreduction=dissemination"], ["--allreduction=btin", "--broadcast=multicast"]])
def test_rounds_and_worms_are_explained(tmp_path, options):
    events = events_of(tmp_path, "--topology=torus:2x2,hosts=4", "--rounds=2", "--compute=1ns", *options)
    rounds, arrivals = of(events, "X", "collective"), of(events, "X", "arrival")
    assert len(rounds) == 2 * 2 * 16 and len(arrivals) > 16
    for event in rounds:
        check_intervals(event["args"]["explain"], event["ts"] * PS, (event["ts"] + duration(event)) * PS)
    for event in arrivals:
        explain = event["args"]["explain"]
        assert explain[0]["from_ps"] < event["ts"] * PS and explain[-1]["cause"] == "interface-delay"
        check_intervals(explain[:-1], explain[0]["from_ps"], (event["ts"] + duration(event)) * PS)
    text = {each.get("other", "") for event in rounds + arrivals for each in event["args"]["explain"]}
    assert options[0] != "--allreduction=dissemination" or any("of group" in each for each in text)


@pytest.mark.parametrize("mode", ["whole", "as-it-comes"])
def test_hosts_that_pass_worms_on_are_drawn(tmp_path, mode):
    events = events_of(tmp_path, "--rounds=1", "--allreduction=dissemination",
                       f"--topology=irregular:switches=9,hosts=18,routing=in-transit[Mode={mode}]")
    passed = {(event["args"]["worm"], event["ts"]): event for event in of(events, "X", "in-transit")}
    arrivals = {event["args"]["worm"]: event for event in of(events, "X", "arrival")}
    assert passed
    told = 0
    for (worm, begin), event in passed.items():
        explain = arrivals[worm]["args"]["explain"]
        check_intervals(explain, explain[0]["from_ps"], explain[-1]["to_ps"])
        end = (begin + duration(event)) * PS
        # The interface's delay, 300 ns, goes by before the worm is ready there.
        waits = [each["from_ps"] - 300_000 for each in explain if each["cause"] == "in-transit"]
        told += sum(begin * PS <= wait <= end for wait in waits)
    assert told == len(passed), "each is told, and drawn"


@pytest.mark.parametrize("routing", ["dateline", "adaptive"])
def test_lanes_are_told_in_a_time_line(tmp_path, routing):
    events = events_of(tmp_path, f"--topology=torus:4x4,hosts=2,routing={routing}", "--rounds=1",
                       "--allreduction=dissemination", "--broadcast=multicast",
                       "--attribute=WormholePort::BufferDepth=512")
    assert {event["args"]["lane"] for event in of(events, "X", "worm")} == {0, 1}
    lanes = set()
    for event in of(events, "X", "collective") + of(events, "X", "arrival"):
        explain = event["args"]["explain"]
        assert all(a["to_ps"] == b["from_ps"] for a, b in zip(explain, explain[1:]))
        assert "unexplained" not in {each["cause"] for each in explain}
        assert all("lane" in each for each in explain if each["cause"] in ("wire", "propagation"))
        lanes |= {each["lane"] for each in explain if "lane" in each}
    assert lanes == {0, 1}
    assert all(" lane " in event["name"] for event in events if event["ph"] == "C")


def way(sender, receiver):
    """Returns the route between two hosts of a case, as nodes and ports."""
    at, end = sender // 2, receiver // 2
    return [(f"h{sender}", 0), *((f"s{switch}", int(at > end)) for switch in range(at, end, 1 if at < end else -1)),
            (f"s{end}", 2 + receiver % 2)]


def random_case(rng, mode):
    """Returns a case of worm-replay: a chain of switches with two hosts each, and some trees, or worms that go
    by a host on the way."""
    case = {"flit_time": 1000, "link_delay": 500, "switch_delay": 2000, "depth": 6,
            "replication": "async", "hosts": [f"h{h}" for h in range(10)],
            "links": [[f"s{s}", 0, f"s{s + 1}", 1] for s in range(4)] +
                     [[f"h{h}", 0, f"s{h // 2}", 2 + h % 2] for h in range(10)],
            "worms": []}
    if mode != "none":
        case |= {"transit": mode, "transit_delay": 1500, "host_delay": 300}
    for number in range(60):
        hosts = [int(h) for h in rng.choice(10, 2 + number % 3 if mode == "none" else 3, replace=False)]
        if mode == "none":
            tree = {}
            for node, port in itertools.chain(*(way(hosts[0], receiver) for receiver in hosts[1:])):
                tree.setdefault(node, set()).add(port)
            route = {"tree": {node: sorted(ports) for node, ports in tree.items()}}
        else:
            path = [*itertools.chain(*itertools.starmap(way, itertools.pairwise(hosts)))]
            if len(set(path)) < len(path):
                continue
            route = {"path": [port for _, port in path]}
        begin = 300 * (mode != "none") + int(rng.integers(200)) * 1000
        case["worms"].append({"time": begin, "flits": int(rng.integers(2, 6)), "root": f"h{hosts[0]}", **route})
    return case


@pytest.mark.parametrize("mode", ["none", "whole", "as-it-comes"])
def test_worms_are_explained_as_by_worm_replay(tmp_path, mode):
    """What the timeline tells when a worm comes is what is told when all is over."""
    case = random_case(numpy.random.default_rng(5), mode)
    path, line = write(tmp_path / "case.json", case), tmp_path / "line.json"
    told = json.loads(run(PROGRAMS / "worm-replay", f"--case={path}", "--explain",
                          f"--timeline={line}", "--timelineExplain").stdout)
    arrivals = of(read(line)["traceEvents"], "X", "arrival")
    assert len(arrivals) == sum(len(worm["explained"]) for worm in told["worms"])
    assert len(arrivals) >= len(case["worms"]) > 50
    found, wanted = (sorted(json.dumps([[each[name] for name in ("from_ps", "to_ps", "cause", "place")]
                                        for each in intervals]) for intervals in of_each)
                     for of_each in ((event["args"]["explain"] for event in arrivals),
                                     itertools.chain(*(worm["explained"].values() for worm in told["worms"]))))
    assert found == wanted
    assert any('"output"' in each for each in found)
    told = ['"in-transit"' in each for each in found]
    assert all(told) if mode != "none" else not any(told)


@needs_chromium
def test_a_worm_of_a_page_is_explained(tmp_path):
    line = tmp_path / "line.json"
    run(PROGRAMS / "worm-replay", f"--case={ROOT}/data/worms-example.json", f"--timeline={line}", "--timelineExplain")
    # The first slice found is of the worm's injection; the explanation is that of its arrival.
    shown = dom(write(tmp_path / "page.html", to_html(line)), "find=worm 1")
    assert "<th>cause</th>" in shown and "held" not in shown and ">output<" in shown


def test_compare_explains_lengths(tmp_path, capsys):
    asked = ["compare", "--topology=torus:3x3", "--kind=broadcast", "--bytes=64,64KiB",
             "--names=binomial,chain[SegmentBytes=8192]", "--group-sizes=6", "--explain"]
    out = passed(capsys, *asked)
    told = out[out.index("what the fastest's last round went into, %"):].splitlines()
    assert len(told) == 4 and told[2].split()[:2] == ["6", "64"]
    assert 97 <= sum(float(share) for share in told[3].split()[3:] if share != "-") <= 103
    path = tmp_path / "lengths.csv"
    assert call(capsys, *asked, f"--csv={path}")[0] == 0
    frame = pandas.read_csv(path)
    assert len(frame) == 4 and (frame.reason.isna()).all()
    sums = frame[explain.cause_columns(frame)].sum(axis=1)
    assert sums.tolist() == pytest.approx(frame.latency_us.tolist(), abs=1e-6)
    assert call(capsys, *asked, f"--csv={path}", "--load=0.1", "--rounds=5")[0] == 0
    assert (pandas.read_csv(path).traffic_percent > 0).any() and "traffic_percent" not in frame
