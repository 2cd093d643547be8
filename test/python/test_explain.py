# SPDX-License-Identifier: GPL-2.0-only
"""Explained latencies from Python and the command line."""

import json
import subprocess
import sys

import pandas
import pytest


def check(frame, barrier, first=0.0):
    """Checks that intervals meet, and end when the last member left."""
    assert (frame.from_ps.iloc[1:].to_numpy() == frame.to_ps.iloc[:-1].to_numpy()).all()
    assert (frame.to_ps >= frame.from_ps).all()
    assert not frame.cause.isin(["unexplained"]).any()
    length = frame.to_ps.iloc[-1] - frame.from_ps.iloc[0]
    assert length == pytest.approx(1e6 * (max(barrier.leaves_us) - first), abs=1)


@pytest.mark.parametrize("name", ["btin", "dissemination", "tree", "multicast", "hw-all"])
def test_intervals_meet_and_sum_to_the_latency(wh, name):
    barrier = wh.Fabric.irregular(16, 32).barrier(name, 9)
    latency = barrier.cross()
    frame = barrier.explain()
    assert list(frame) == ["from_ps", "to_ps", "cause", "place", "lane", "worm", "other", "note"]
    assert frame.lane.isna().all()
    assert frame.attrs["latency_us"] == latency == barrier.cross(), "as if nobody looked"
    check(frame, barrier)
    from ns3_wormhole import explain
    assert explain.sums(frame).sum() == pytest.approx(latency, abs=1e-6)
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
    numpy = pytest.importorskip("numpy")
    total = wh.Fabric.irregular(16, 32).allreduction("ring", 4, bytes=4096)
    frame = total.explain(values=[numpy.full(1024, rank, "int32") for rank in range(4)])
    check(frame, total)
    assert (total.results[0] == 6).all()
    assert "wire" in set(frame.cause)


def test_compare_explains_and_plots(wh, tmp_path):
    plot = tmp_path / "why.svg"
    done = subprocess.run([sys.executable, "-m", "ns3_wormhole", "compare", "--topology=torus:4x4",
                           "--names=btin,dissemination", "--group-sizes=8", "--explain",
                           f"--plot={plot}"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "start-up of sends" in done.stdout and "btin, 8 hosts" in done.stdout
    assert "dissemination" in plot.read_text(encoding="utf-8")


def test_studies_sum_up_by_cause(wh):
    frame = wh.studies.algorithms(topology="torus:4x4", names=["btin", "tree"], group_sizes=[8],
                                  runs=2, explain=True)
    from ns3_wormhole import explain
    columns = explain.cause_columns(frame)
    assert frame[columns].sum(axis=1).to_numpy() == pytest.approx(frame.latency_us.to_numpy(),
                                                                  abs=1e-6)


def test_worms_of_a_case_are_explained(wh, tmp_path):
    import cppyy
    from ns3_wormhole import ns
    case = {"flit_time": 1000, "link_delay": 500, "switch_delay": 2000, "depth": 8,
            "hosts": ["a", "b", "c"],
            "links": [["a", 0, "s.", 0], ["b", 0, "s.", 1], ["c", 0, "s.", 2]],
            "worms": [{"time": 0, "flits": 10, "root": "a", "tree": {"a": [0], "s.": [2]}},
                      {"time": 100, "flits": 3, "root": "b", "tree": {"b": [0], "s.": [2]}}]}
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case), encoding="utf-8")
    worms = ns.ReadWormCase(str(path))
    stream = cppyy.gbl.std.ostringstream()
    ns.PrintReplay(stream, worms, ns.ExplainWorms(worms))
    found = json.loads(str(stream.str()))["worms"][1]
    frame = pandas.DataFrame(found["explained"]["c"])
    assert frame.from_ps.iloc[0] == 100 and frame.to_ps.iloc[-1] == found["delivered"]["c"]
    held = frame[frame.cause == "output"]
    # The first worm's head asked at 3,500 ps and left ten flits later; this one asked 100 ps after.
    assert held[["from_ps", "to_ps", "place", "other"]].to_numpy().tolist() == [
        [3600, 13500, "s.:2", "worm 0"]]


@pytest.mark.parametrize("text", ["irregular:switches=16,hosts=40,routing=turn-prohibition[Lanes=4]",
                                  "torus:4x4,hosts=2,routing=adaptive"])
def test_lanes_are_told(wh, text):
    barrier = wh.Fabric.from_text(text).barrier("dissemination", 16)
    latency = barrier.cross()
    frame = barrier.explain()
    assert frame.attrs["latency_us"] == latency == barrier.cross(), "as if nobody looked"
    check(frame, barrier)
    wires = frame[frame.cause.isin(["wire", "propagation"])]
    assert len(wires) and wires.lane.notna().all()
    assert " lane " in frame.attrs["text"]


@pytest.mark.parametrize("mode", ["whole", "as-it-comes"])
def test_hosts_that_pass_worms_on_are_told(wh, mode):
    fabric = wh.Fabric.irregular(16, 40, routing=f"in-transit[Mode={mode}]")
    barrier = fabric.barrier("dissemination")
    latency = barrier.cross()
    frame = barrier.explain()
    assert frame.attrs["latency_us"] == latency == barrier.cross(), "as if nobody looked"
    check(frame, barrier)
    passed = frame[frame.cause == "in-transit"]
    assert len(passed) and (passed.to_ps - passed.from_ps == 475_000).all()
    assert passed.place.str.fullmatch(r"h\d+").all()
    assert "hosts that pass worms on" in frame.attrs["text"]


def test_compare_explains_worms_in_transit(wh):
    done = subprocess.run([sys.executable, "-m", "ns3_wormhole", "compare", "--explain",
                           "--topology=irregular:switches=16,hosts=40,routing=in-transit",
                           "--names=btin,dissemination", "--group-sizes=40"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "start-up of sends" in done.stdout and "hosts that pass worms on" in done.stdout


def test_compare_explains_lanes(wh):
    done = subprocess.run([sys.executable, "-m", "ns3_wormhole", "compare", "--explain",
                           "--topology=torus:4x4,routing=dateline", "--names=btin,dissemination",
                           "--group-sizes=8"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "start-up of sends" in done.stdout and " lane " in done.stdout


def test_causes_have_the_same_colour_in_all_plots():
    from ns3_wormhole import explain
    palette = [str(number) for number in range(10)]
    one = explain._colours(["wire", "compute", "start-up", "all else"], palette)
    other = explain._colours(["start-up", "credit", "combine", "wire", "propagation", "output",
                              "switch-delay", "interface-delay", "interface-busy", "all else"], palette)
    assert {cause: one[cause] for cause in ("wire", "start-up")} == \
        {cause: other[cause] for cause in ("wire", "start-up")}
    assert len(set(one.values())) == 4 and len(set(other.values())) == 10
