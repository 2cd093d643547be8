# SPDX-License-Identifier: GPL-2.0-only
"""Traffic beside what Python's own studies measure: algorithms, what-if, osu, goal."""

import io
import re

import numpy
import pandas
import pytest
from conftest import PROGRAMS, call, check_path, passed, peak, refused, refuses, run, shown_on, write

import ns3_wormhole as wh
from ns3_wormhole import explain, goal, osu, studies
from ns3_wormhole.collective import traffic

LIGHT, HEAVY = 0.02, 0.4
TOPOLOGY = "torus:4x4"


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
    sizes = None if size is None else [size]
    idle, light, heavy = (osu.measure(wh.Fabric.from_text(TOPOLOGY), benchmark, sizes, load=load)
                          for load in (0, LIGHT, HEAVY))
    assert list(light) == [*idle, "p99"] and (light.iterations == traffic.ROUNDS).all()
    if benchmark == "bw":
        assert heavy.value[0] < light.value[0] <= idle.value[0] and light.p99[0] <= light.value[0]
        return
    assert idle.value[0] * 0.99 <= light.value[0] < heavy.value[0]
    assert light.value[0] < 1.2 * idle.value[0]
    assert heavy.p99[0] > heavy.value[0] and heavy["min"][0] <= heavy.value[0] <= heavy["max"][0]


def test_osu_prints_a_column_more(capsys):
    words = ["osu", "latency", f"--topology={TOPOLOGY}", "-m", "64:64"]
    _, plain, _ = call(capsys, *words)
    out = passed(capsys, *words, "--load=0.1", "--iterations=5")
    assert out.splitlines()[2] == plain.splitlines()[2] + "    P99 Tail Lat(us)"
    assert "2 processes, load 0.1, machine: " in out.splitlines()[1]


def test_goal(capsys, tmp_path):
    ring = goal.collective("allreduction", "ring", 8, 800)
    idle = goal.run(wh.Fabric.from_text(TOPOLOGY), [ring, ring])
    light, heavy = (goal.run(wh.Fabric.from_text(TOPOLOGY), [ring, ring], load=load, rounds=10)
                    for load in (LIGHT, HEAVY))
    assert list(light) == [*list(idle)[:4], "finish_p99_ns", *list(idle)[4:]]
    assert light.alone_ns.tolist() == idle.alone_ns.tolist()
    for table in (light, heavy):
        assert (table.finish_p99_ns >= table.finish_ns - 1e-6).all()
        for job, told in enumerate(table.attrs["jobs"]):
            assert table[table.job == job].finish_ns.max() - 1e-6 <= told["mean_ns"] <= told["p99_ns"]
    assert (heavy.finish_ns > light.finish_ns).all()
    file, csv = write(tmp_path / "ring.goal", goal.as_text(ring)), tmp_path / "ends.csv"
    assert " us, 99th percentile " in passed(capsys, "goal", str(file), f"--topology={TOPOLOGY}",
                                             "--load=0.1", "--rounds=3", f"--csv={csv}")
    assert list(pandas.read_csv(csv)) == ["rank", "finish_ns", "finish_p99_ns"]


def test_goal_of_one_job_is_compared_with_no_traffic():
    ring = goal.collective("allreduction", "ring", 8, 800)
    idle, heavy = (goal.run(wh.Fabric.from_text(TOPOLOGY), [ring], load=load) for load in (0, HEAVY))
    assert heavy.alone_ns.tolist() == idle.finish_ns.tolist()
    assert (heavy.slowdown > 1).all()


def check_paths(frame, latencies):
    """Checks paths of rounds beside traffic: without a gap, as long as the rounds, and with traffic."""
    assert list(frame)[:3] == ["round", "from_ps", "to_ps"]
    assert list(frame["round"].unique()) == list(range(1, 1 + len(latencies)))
    for (_, its), latency in zip(frame.groupby("round"), latencies):
        check_path(its, its.from_ps.min(), its.from_ps.min() + round(1e6 * latency))
    held = frame[frame.other.str.contains(r"^worm \d+ of the traffic from h\d+ to h\d+$")]
    assert len(held) and set(held.cause) <= {"interface-busy", "output", "buffer-queue", "credit"}


def test_goal_is_explained():
    jobs = [goal.collective("allreduction", "ring", 8, 800) for _ in range(2)]
    given = {"load": 0.2, "rounds": 5, "places": "random"}
    frame, paths = goal.run_explained(wh.Fabric.from_text(TOPOLOGY), jobs, **given)
    pandas.testing.assert_frame_equal(frame, goal.run(wh.Fabric.from_text(TOPOLOGY), jobs, **given))
    for job, path in enumerate(paths):
        ends = path.groupby("round").to_ps.max() / 1000
        check_paths(path, ends / 1000)  # from 0 on
        assert len(ends) == 5 and (path.to_ps > path.from_ps).all()
        told = frame.attrs["jobs"][job]
        assert (ends.mean(), numpy.percentile(ends, 99)) == pytest.approx((told["mean_ns"], told["p99_ns"]))
        assert path.attrs["round"] == ends.idxmax() and 0 <= path.attrs["rank"] < 8
        assert ", held by the traffic\n" in path.attrs["text"]
    assert any(path.other.str.contains(f"(job {1 - job})", regex=False).any() for job, path in enumerate(paths))


def test_goal_tells_why(capsys, tmp_path):
    csv, plot = tmp_path / "paths.csv", tmp_path / "why.svg"
    file = write(tmp_path / "ring.goal", goal.as_text(goal.collective("allreduction", "ring", 8, 800)))
    words = ["goal", str(file), f"--topology={TOPOLOGY}", "--load=0.2", "--rounds=4"]
    plain = passed(capsys, *words)
    status, out, err = call(capsys, *words, "--explain", f"--explain-csv={csv}", f"--plot={plot}")
    assert (status, err) == (0, "") and out.startswith(plain)
    lines = out.splitlines()
    read = pandas.read_csv(csv)
    assert list(read)[:4] == ["job", "round", "from_ps", "to_ps"]
    ends = read.groupby("round").to_ps.max()
    assert lines[1].startswith(f"    round {ends.idxmax()}, the slowest: {ends.max() / 1e6:.3f} us, rank ")
    assert lines[-2].startswith("    all rounds, by cause: ")
    durations = read.to_ps - read.from_ps
    held = 100 * durations[read.other.str.contains("traffic", na=False)].sum() / durations.sum()
    assert lines[-1] == f"    all rounds, held up by: the traffic {held:.1f} %"
    drawn = plot.read_text(encoding="utf-8")
    assert "ring.goal, mean" in drawn and "ring.goal, slowest" in drawn


def test_the_page_shows_what_goal_tells(capsys, in_folder):
    printed, = shown_on("goal.rst", "bcast.goal: ")
    write(in_folder / "bcast.goal", goal.as_text(goal.collective("broadcast", "binomial", 8, 6400)))
    assert call(capsys, "goal", "bcast.goal", f"--topology={TOPOLOGY}", "--load=0.1", "--explain") \
        == (0, printed, "")


def test_goal_through_hosts_is_explained(capsys, tmp_path):
    file = write(tmp_path / "sum.goal", goal.as_text(goal.collective("allreduction", "dissemination", 16, 8)))
    assert "hosts that pass worms on" in passed(capsys, "goal", str(file), "--load=0.05", "--explain",
                                                "--topology=irregular:switches=8,hosts=16,routing=in-transit")


@pytest.mark.parametrize("kind, name, given", [
    ("barrier", "btin", {}), ("barrier", "dissemination", {}), ("broadcast", "multicast", {}),
    ("allreduction", "ring", {"bytes": 800})])
def test_collectives_are_explained(kind, name, given):
    made = wh.Fabric.from_text(TOPOLOGY).collective(kind, name, 16, **given)
    idle = made.cross()
    frame = made.explain(load=0.2, rounds=6)
    latencies = frame.attrs["latencies_us"]
    check_paths(frame, latencies)
    slowest = latencies.index(max(latencies))
    assert (frame.attrs["round"], frame.attrs["latency_us"]) == (1 + slowest, latencies[slowest])
    assert "%" in frame.attrs["text"] and min(latencies) >= idle - 1e-6
    other = wh.Fabric.from_text(TOPOLOGY).collective(kind, name, 16, **given)
    other.cross()
    assert traffic.given(0.2, rounds=6).cross(other)[0] == latencies, "as if nobody looked"
    assert made.cross() == pytest.approx(idle), "traffic has ended"


@pytest.mark.parametrize("given, told", [
    ({"arrivals": [0] * 16}, "arrivals: has no effect with load=0.2"),
    ({"values": [0] * 16}, "values: has no effect with load=0.2"),
    ({"load": 0, "rounds": 3}, "rounds=3: has no effect without load"),
    ({"load": 1}, "load=1.0: is more than the fabric takes"),
    ({"pattern": "no"}, "pattern='no': expected"),
])
def test_collectives_are_not_explained(given, told):
    refuses(re.escape(told), wh.Fabric.from_text(TOPOLOGY).barrier("btin", 16).explain, **{"load": 0.2, **given})


def test_an_ideal_network_has_no_traffic_to_explain():
    refuses("no traffic on an ideal network; expected it on a",
            wh.IdealNetwork(8).barrier("dissemination", 8).explain, load=0.1)


def test_algorithms_are_explained():
    given = {"topology": TOPOLOGY, "names": ["btin", "dissemination", "hw-1"], "group_sizes": [16],
             "load": 0.2, "rounds": 8}
    plain, told = studies.algorithms(**given), studies.algorithms(**given, explain=True)
    pandas.testing.assert_frame_equal(plain, told[list(plain)])
    assert told[explain.cause_columns(told)].sum(axis=1).to_numpy() == pytest.approx(
        told.latency_us.to_numpy(), abs=1e-6)
    assert (told.traffic_percent[:2] > 0).all() and told.traffic_percent[2] == 0


def test_lengths_are_explained():
    given = {"topology": TOPOLOGY, "bytes": ["8", "800"], "names": ["ring", "dissemination"],
             "group_sizes": [8], "load": 0.1, "rounds": 5}
    plain, told = studies.crossover(**given), studies.crossover(**given, explain=True)
    pandas.testing.assert_frame_equal(plain, told[list(plain)], check_like=True)
    told = told[told.reason == ""]
    sums = told[explain.cause_columns(told)].sum(axis=1)
    assert (sums > 0).all() and (sums <= told.latency_us_p99 * 1.01).all()
    assert (told.traffic_percent > 0).any()


def test_compare_tells_why(capsys, tmp_path):
    csv, plot = tmp_path / "why.csv", tmp_path / "why.svg"
    words = ["compare", f"--topology={TOPOLOGY}", "--names=btin,dissemination", "--load=0.2", "--rounds=4"]
    _, plain, _ = call(capsys, *words)
    status, out, err = call(capsys, *words, "--explain", f"--plot={plot}")
    assert (status, err) == (0, "") and out.startswith(plain)
    assert len(re.findall(r"^round \d, the slowest: \d+\.\d{3} us$", out, re.M)) == 2
    assert len(re.findall(r"^all rounds, by cause: ", out, re.M)) == 2
    held = re.findall(r"^all rounds, held up by: the traffic (.*) %$", out, re.M)
    assert "dissemination" in plot.read_text(encoding="utf-8")
    assert call(capsys, *words, "--explain", f"--csv={csv}") == (0, "", "")
    assert sorted(f"{share:.1f}" for share in pandas.read_csv(csv).traffic_percent) == sorted(held)
    out = passed(capsys, *words, "--bytes=8", "--kind=allreduction", "--explain")
    assert "went into, % (waiting for traffic is a part of the rest)\n" in out


def test_the_page_shows_what_compare_tells(capsys):
    printed, = shown_on("explain.rst", "dissemination, 16 hosts: 16.817 us")
    assert passed(capsys, "compare", f"--topology={TOPOLOGY}", "--names=dissemination", "--load=0.2",
                  "--explain").endswith(printed)


@pytest.mark.parametrize("words, told", [
    (["compare", "--pattern=hotspot"], "load_pattern=hotspot: has no effect without load"),
    (["compare", "--rounds=3"], "rounds=3: has no effect without load"),
    (["compare", "--load=0.1", "--flits=none"], "none"),
    (["compare", "--load=1"], "load=1.0: is more than the fabric takes, whose saturation bound is"),
    (["osu", "latency", "--flits=16"], "flits=16: has no effect without load"),
    (["osu", "latency", "--load=2"], "load=2.0: expected a number above 0, up to 1"),
    (["osu", "bcast", "--load=0.1", "--pattern=none"], "pattern='none': expected"),
    (["osu", "latency", "--load=1"], "load=1.0: is more than the fabric takes"),
    (["goal", "FILE", "--load=1"], "load=1.0: is more than the fabric takes"),
    (["goal", "FILE", "--load=0.1", "--ideal"], "--load is for fabrics, not for --ideal"),
])
def test_refusals(capsys, tmp_path, words, told):
    file = write(tmp_path / "ring.goal", goal.as_text(goal.collective("allreduction", "ring", 4, 8)))
    assert told in refused(capsys, *[file if word == "FILE" else word for word in words], f"--topology={TOPOLOGY}")


def test_a_bound_of_first_choices_refuses_no_load():
    fabric = wh.Fabric.irregular(switches=8, hosts=16, routing="adaptive")
    assert fabric.saturation_bound() < 0.5
    traffic.Traffic(0.5, "64", "uniform", 5).check(fabric)


def test_a_load_that_is_too_much_is_not_recorded():
    """Worms that wait are more and more: the record of them took 20 times as much memory."""
    def measure(*more):
        text, most = peak(PROGRAMS / "barriers-under-load", "--topology=torus:8x8", "--rounds=30",
                          "--algorithms=dissemination", "--jobs=1", "--loads=0.14", *more)
        return pandas.read_csv(io.StringIO(text)), most
    plain, least = measure()
    told, most = measure("--explain")
    assert list(plain.state) == list(told.state) == ["steady", "saturated"]
    assert told.traffic_us_mean[0] == 0 and numpy.isnan(told.traffic_us_mean[1])
    assert most < 3 * least


def test_too_much_traffic_names_the_barrier():
    told = run(PROGRAMS / "btin-comparison", "--topology=torus:4x4", "--runs=1", "--schemes=multicast",
               "--groupSizes=8", "--load=0.9", "--rounds=20", "--jobs=1", status=1).stderr
    assert told.startswith("btin-comparison: multicast of 8 hosts: data traffic at a load of ")
    assert told.endswith("finds, less the load of what is measured, such as long messages\n")


def test_loads_below_bars_do_not_overlap(tmp_path):
    run(PROGRAMS / "barriers-under-load", "--topology=torus:4", "--rounds=2", "--explain",
        "--algorithms=btin", "--loads=0.0125,0.025", f"--plots={tmp_path}", "--jobs=1")
    script = (tmp_path / "barriers-under-load-causes.plt").read_text(encoding="utf-8")
    assert re.search(r"^set xtics \(.*\) rotate by 90 right scale 0$", script, re.M)
