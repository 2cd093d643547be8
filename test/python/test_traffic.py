# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Traffic beside what Python's own studies measure: algorithms, what-if, osu, goal."""

import pandas
import pytest

import ns3_wormhole as wh
from ns3_wormhole import _traffic, cli, goal, options, osu, studies

LIGHT, HEAVY = 0.02, 0.4
TOPOLOGY = "torus:4x4"


def run(capsys, *words):
    """Returns exit status, output and the line of errors."""
    status = options.run(cli.app, "ns3-wormhole", list(words))
    told = capsys.readouterr()
    return status, told.out, told.err


def test_algorithms():
    """Times grow with the load, those of an add-on network don't; the same seed, the same table."""
    given = {"topology": TOPOLOGY, "names": ["btin", "dissemination", "hw-1"], "group_sizes": [16]}
    idle = studies.algorithms(**given)
    light, heavy = (studies.algorithms(**given, load=load, rounds=30) for load in (LIGHT, HEAVY))
    assert list(light) == [*list(idle)[:list(idle).index("setup_us")], "latency_us_p99", "unloaded_us",
                           "setup_us", "refused"]
    assert light.unloaded_us.to_numpy() == pytest.approx(idle.latency_us.to_numpy(), abs=1e-6)
    for table in (light, heavy):
        assert (table.latency_us_p99 >= table.latency_us - 1e-9).all()
        assert table.latency_us[2] == pytest.approx(table.unloaded_us[2], abs=1e-9)
        assert table.latency_us_p99[2] == pytest.approx(table.unloaded_us[2], abs=1e-9)
    assert (heavy.latency_us[:2] > light.latency_us[:2]).all()
    assert (heavy.latency_us[:2] > 1.05 * heavy.unloaded_us[:2]).all()
    pandas.testing.assert_frame_equal(heavy, studies.algorithms(**given, load=HEAVY, rounds=30))
    pandas.testing.assert_frame_equal(idle, studies.algorithms(**given, load=0))


def test_what_if():
    """A cable less hurts more beside traffic; a load that is too much without it is told."""
    fabric = wh.Fabric.from_text("torus:4,hosts=2")
    given = {"without": ["s0:0-s1:1"], "collectives": ["dissemination"]}
    idle = fabric.what_if(**given)
    table = fabric.what_if(**given, load=0.2)
    assert [each for each in table if each not in idle] == ["dissemination_p99"]
    assert (table.dissemination_us > idle.dissemination_us).all()
    assert (table.dissemination_p99 >= table.dissemination_us).all()
    pandas.testing.assert_frame_equal(table, fabric.what_if(**given, load=0.2, jobs=2))
    bounds = table.saturation_bound
    assert bounds[1] < bounds[0]
    over = fabric.what_if(**given, load=float(bounds[1]) * 1.01, rounds=2)
    assert over.refused[0] == "" and over.dissemination_us.isna().tolist() == [False, True]
    assert "is more than the fabric takes" in over.refused[1]


@pytest.mark.parametrize("benchmark, size", [("latency", 64), ("bw", 512), ("bcast", 64),
                                             ("barrier", None), ("allgather", 64)])
def test_osu(benchmark, size):
    """Little traffic costs little, much costs more."""
    sizes = None if size is None else [size]
    idle, light, heavy = (osu.measure(wh.Fabric.from_text(TOPOLOGY), benchmark, sizes, load=load)
                          for load in (0, LIGHT, HEAVY))
    assert list(light) == [*idle, "p99"] and (light.iterations == _traffic.ROUNDS).all()
    if benchmark == "bw":
        assert heavy.value[0] < light.value[0] <= idle.value[0] and light.p99[0] <= light.value[0]
        return
    assert idle.value[0] * 0.99 <= light.value[0] < heavy.value[0]
    assert light.value[0] < 1.2 * idle.value[0]
    assert heavy.p99[0] > heavy.value[0] and heavy["min"][0] <= heavy.value[0] <= heavy["max"][0]


def test_osu_prints_a_column_more(capsys):
    words = ["osu", "latency", f"--topology={TOPOLOGY}", "-m", "64:64"]
    _, plain, _ = run(capsys, *words)
    status, out, err = run(capsys, *words, "--load=0.1", "--iterations=5")
    assert (status, err) == (0, "")
    assert out.splitlines()[2] == plain.splitlines()[2] + "    P99 Tail Lat(us)"
    assert out.splitlines()[1].endswith("2 processes, load 0.1")


def test_goal(capsys, tmp_path):
    """Jobs beside traffic, round after round."""
    ring = goal.collective("allreduction", "ring", 8, 800)
    idle = goal.run(wh.Fabric.from_text(TOPOLOGY), [ring, ring])
    light, heavy = (goal.run(wh.Fabric.from_text(TOPOLOGY), [ring, ring], load=load, rounds=10)
                    for load in (LIGHT, HEAVY))
    assert list(light) == [*list(idle)[:4], "finish_p99_ns", *list(idle)[4:]]
    assert light.alone_ns.tolist() == idle.alone_ns.tolist()
    for table in (light, heavy):
        assert (table.finish_p99_ns >= table.finish_ns - 1e-6).all()
        for job, told in enumerate(table.attrs["jobs"]):
            own = table[table.job == job]
            assert own.finish_ns.max() - 1e-6 <= told["mean_ns"] <= told["p99_ns"]
    assert (heavy.finish_ns > light.finish_ns).all()
    file, csv = tmp_path / "ring.goal", tmp_path / "ends.csv"
    file.write_text(goal.as_text(ring), encoding="utf-8")
    status, out, err = run(capsys, "goal", str(file), f"--topology={TOPOLOGY}", "--load=0.1",
                           "--rounds=3", f"--csv={csv}")
    assert (status, err) == (0, "") and " us, 99th percentile " in out
    assert list(pandas.read_csv(csv)) == ["rank", "finish_ns", "finish_p99_ns"]


@pytest.mark.parametrize("words, told", [
    (["compare", "--pattern=hotspot"], "load_pattern=hotspot: has no effect without load"),
    (["compare", "--rounds=3"], "rounds=3: has no effect without load"),
    (["compare", "--load=0.1", "--explain"], "explain: has no effect with load=0.1"),
    (["compare", "--load=0.1", "--flits=none"], "none"),
    (["compare", "--load=1"], "load=1.0: is more than the fabric takes, whose saturation bound is"),
    (["osu", "latency", "--flits=16"], "flits=16: has no effect without load"),
    (["osu", "latency", "--load=2"], "load=2.0: accepted is a number above 0, up to 1"),
    (["osu", "bcast", "--load=0.1", "--pattern=none"], "pattern='none': accepted are"),
    (["osu", "latency", "--load=1"], "load=1.0: is more than the fabric takes"),
    (["goal", "FILE", "--load=1"], "load=1.0: is more than the fabric takes"),
    (["goal", "FILE", "--load=0.1", "--explain"], "--load=0.1: has no effect with --explain"),
])
def test_refusals(capsys, tmp_path, words, told):
    """One line, and exit status 1."""
    file = tmp_path / "ring.goal"
    file.write_text(goal.as_text(goal.collective("allreduction", "ring", 4, 8)), encoding="utf-8")
    status, _, err = run(capsys, *[str(file) if word == "FILE" else word for word in words],
                         f"--topology={TOPOLOGY}")
    assert status == 1 and told in err and err.count("\n") == 1


def test_goal_has_no_traffic_on_the_ideal_network(capsys, tmp_path):
    file = tmp_path / "ring.goal"
    file.write_text(goal.as_text(goal.collective("allreduction", "ring", 4, 8)), encoding="utf-8")
    status, _, err = run(capsys, "goal", str(file), "--ideal", "--load=0.1")
    assert status == 1 and "--load is for fabrics, not for --ideal" in err
