# SPDX-License-Identifier: GPL-2.0-only
"""What calibrate finds: planted parameters, published figures, and what can't be told apart."""

import math
import os
import random
import tomllib

import pandas
import pytest
from conftest import ROOT, call, measured, refused, refuses, write as save

import ns3_wormhole as wh
from ns3_wormhole import osu
from ns3_wormhole.calibrate import calibrate
from ns3_wormhole.study import calibration

SIZES = [1, 8, 64, 512, 4096, 32768, 262144]
# Cables of 2 GB/s, faster than all hosts below.
FLIT = {"ns3::WormholeFabric::FlitTime": "500ps"}
# Start-up and receive overhead in us, rates of sending and taking in Gbit/s, gap in us. In the last
# two messages follow each other by the gap. Sender and receiver differ by 20 % or more.
PLANTED = [(0.9, 0.6, 6, 9, 0), (0.5, 1.4, 12, 8, 0), (2.0, 0.8, 4, 12, 0), (0.7, 1.1, 10, 5, 1.9),
           (0.4, 0.9, 5, 8, 1.5)]
# The search takes seconds for each: two of them with noise, and all in make check-long.
NOISY = PLANTED if os.environ.get("WORMHOLE_LONG") else PLANTED[:1] + PLANTED[-1:]
NAMES = ("StartUp", "ReceiveOverhead", "SendDataRate", "ReceiveDataRate", "MessageGap")


def fabric():
    return wh.Fabric.from_text("torus:4x4", attributes=FLIT)


def attributes(planted):
    return {f"ns3::HostSoftware::{name}": f"{value}Gbps" if name.endswith("Rate") else f"{round(value * 1000000)}ps"
            for name, value in zip(NAMES, planted)}


def write(path, planted, benchmarks, noise=0.0, members=16, seed=1):
    """Writes tables of a cluster with such costs, each value off by a factor with that deviation."""
    draw, lines = random.Random(seed), []
    for name in benchmarks:
        of = osu.BENCHMARKS[name]
        sizes = SIZES if of.sizes and name != "allreduce" else None
        frame = osu.measure(fabric(), name, sizes, attributes=attributes(planted), members=members if of.kind else None)
        for row in frame.itertuples():
            value = row.value * math.exp(noise * draw.gauss(0, 1))
            lines.append(f"{name},{row.size if of.sizes else ''},{value:.9g},"
                         f"{members if of.kind else ''}")
    return measured(path, *lines, columns="benchmark,size,value,members")


def found_of(result):
    """Returns values in us and Gbit/s, and states, by name."""
    rows = result.parameters.set_index("name")
    return {name: (8e3 / row.cost if name.endswith("Rate") else row.cost / 1e6, row.state)
            for name, row in rows.iterrows()}


@pytest.mark.parametrize("planted, noise, within",
                         [(planted, 0, 0.01) for planted in PLANTED]
                         + [(planted, 0.02, 0.05) for planted in NOISY])
def test_planted_parameters_are_found(tmp_path, planted, noise, within):
    """All that are called determined are within bounds; without noise, that is all there is."""
    path = write(tmp_path / "tables.csv", planted, ["latency", "bw", "bcast"], noise)
    found = found_of(calibrate(fabric(), [path]))
    sure = 0
    for name, value in zip(NAMES, planted):
        got, state = found[name]
        if value == 0:
            assert state == "no effect"
            continue
        # Where the gap is the longest, start-up and receive overhead show in little but the sum.
        states = ["determined"] + (["roughly"] if noise else []) \
            + (["no effect"] if noise and planted[4] and name in NAMES[:2] else [])
        assert state in states, name
        sure += state == "determined"
        if state == "determined":
            assert got == pytest.approx(value, rel=within), name
    assert sure >= 2


def test_intervals_hold_what_was_planted(tmp_path):
    """With noise, 95 % of intervals should; 8 sets of noise have 32 intervals, at most 5 of which
    may miss (the chance of more is below 1 %)."""
    missed = 0
    for seed in range(8):
        path = write(tmp_path / "tables.csv", PLANTED[0], ["latency", "bw", "bcast"], 0.02, seed=seed)
        rows = calibrate(fabric(), [path], NAMES[:4]).parameters
        for row, value in zip(rows.itertuples(), PLANTED[0]):
            scale = 1e9 if row.name.endswith("Rate") else 1e6
            missed += not row.low / scale <= value <= row.high / scale
    assert missed <= 5


def test_latency_alone_tells_sums(tmp_path):
    """Nothing in it parts the sender's costs from the receiver's: their sums are all there is."""
    path = write(tmp_path / "tables.csv", PLANTED[0], ["latency"])
    result = calibrate(fabric(), [path])
    assert {state for _, state in found_of(result).values()} == {"sum only"}
    first, second = result.certainty.groups
    assert (first.names, second.names) == (NAMES[:2], NAMES[2:4])
    assert first.factors == pytest.approx((1, 1), rel=0.01)
    assert first.value == pytest.approx(1500000, rel=0.01)
    # 8 / 6 and 8 / 9 ns a byte.
    assert second.value == pytest.approx(8000 / 6 + 8000 / 9, rel=0.01)
    assert any("StartUp + ReceiveOverhead" in note and "osu_bw" in note for note in result.notes)


def test_sender_and_receiver_are_mirrored_without_a_broadcast(tmp_path):
    """Latency adds both, bandwidth shows the slower: which of them it is, neither tells."""
    path = write(tmp_path / "tables.csv", PLANTED[0], ["latency", "bw"])
    result = calibrate(fabric(), [path])
    states = found_of(result)
    assert all(states[name][1] == "ambiguous" for name in NAMES[:4])
    (other,) = result.others
    pairs = [(states["StartUp"][0], other["StartUp"] / 1e6)]
    assert [sorted(pair) for pair in pairs] == [pytest.approx([0.6, 0.9], rel=0.01)]


def test_eager_limit_is_scanned(tmp_path):
    told = {**attributes(PLANTED[0]), "ns3::HostSoftware::EagerLimit": 4096}
    path = measured(tmp_path / "tables.csv", *(
        f"{name},{row.size},{row.value:.9g}" for name in ("latency", "bw", "bcast")
        for row in osu.measure(fabric(), name, SIZES, attributes=told).itertuples()))
    result = calibrate(fabric(), [path], [*NAMES[:4], "EagerLimit"])
    row = result.parameters.set_index("name").loc["EagerLimit"]
    # From the longest that was sent at once to below the shortest that was not.
    assert (row.value, row.low, row.high) == ("4096", 4096, 32767)
    assert found_of(result)["StartUp"][0] == pytest.approx(0.9, rel=0.01)


def test_predicts_tables_that_were_not_fitted(tmp_path):
    fitted = write(tmp_path / "fitted.csv", PLANTED[1], ["latency", "bw", "bcast"])
    later = write(tmp_path / "later.csv", PLANTED[1], ["barrier", "allreduce"], members=12)
    result = calibrate(fabric(), [fitted], predict=[later])
    assert list(result.predictions.benchmark) == ["barrier"] + ["allreduce"] * 19
    assert list(result.predictions.members) == [12] * 20
    assert result.predictions.deviation.abs().max() < 0.005
    assert any(note.startswith("combining costs nothing in predictions of allreduce") for note in result.notes)


def test_what_is_fitted_and_predicted_is_told_and_written(in_folder, capsys):
    measured(in_folder / "t.csv", "latency,8,3", "latency,16,4", "latency,32,3.5")
    asked = ["--topology=torus:4x4", "--fit=StartUp", "--csv=found.csv", "--predict=./t.csv"]
    status, out, _ = call(capsys, "calibrate", "t.csv", *asked, "--lengths=8,16")
    assert status == 0 and "./t.csv: 2 of 3 predicted values are fitted, too" in out
    frame = pandas.read_csv("found.csv")
    assert list(frame.fitted.isna()) == [False] * 2 + [True] * 3
    assert list(frame.predicted.isna()) == [True] * 2 + [False] * 3
    _, out, _ = call(capsys, "predict", "--tables=t.csv", *asked)
    assert "3 of 3 predicted values are fitted" in out


@pytest.mark.parametrize("transport, ident", [("rdma", "rdma"), ("sendrecv", "messages")])
def test_a_published_cluster_is_predicted_as_by_its_steps(tmp_path, transport, ident):
    """Gupta et al., cluster 2: fitted to 8 nodes, 16 are four steps in place of three, so that the
    prediction by steps alone is 4/3 of the former. A fabric adds less than it is off."""
    known = pandas.read_csv(ROOT / "data/rdma-published.csv").set_index("id").value
    eight, sixteen = (float(known[f"cluster-2-{ident}-{members}"]) for members in (8, 16))
    fitted, later = (
        measured(tmp_path / f"{members}.csv", f"barrier,,{value},{members}", columns="benchmark,size,value,members")
        for members, value in ((8, eight), (16, sixteen)))
    one = wh.Fabric.irregular(switches=1, hosts=16, ports=20)
    result = calibrate(one, [fitted], ["StartUp"], predict=[later],
                       algorithms={"barrier": f"pairwise-exchange[Transport={transport}]"})
    predicted = result.predictions.predicted[0]
    print(f"{ident}: {sixteen} published, {predicted:.3f} predicted, {4 / 3 * eight:.3f} by steps")
    assert abs(predicted - sixteen) <= abs(4 / 3 * eight - sixteen) + 1e-3
    assert result.residuals.deviation.abs().max() < 1e-4


def test_identical_input_gives_identical_bytes(in_folder, capsys):
    write(in_folder / "tables.csv", PLANTED[0], ["latency", "bw"], 0.02)
    seen = []
    for _ in range(2):
        status, out, _ = call(capsys, "calibrate", "tables.csv", "--topology=torus:4x4",
                              "--fit=StartUp,SendDataRate", "--out=m.toml", "--csv=r.csv",
                              "--attribute=WormholeFabric::FlitTime=500ps")
        assert status == 0
        seen.append((out, (in_folder / "m.toml").read_bytes(), (in_folder / "r.csv").read_bytes()))
    assert seen[0] == seen[1]
    machine = tomllib.loads(seen[0][1].decode())
    assert set(machine) == {"name", "source", "WormholeFabric", "HostSoftware"}
    assert machine["WormholeFabric"] == {"FlitTime": "500ps"}  # what was given, too
    assert wh.machine.read("./m.toml") == {
        f"ns3::{owner}::{name}": entry if isinstance(entry, str) else entry["value"]
        for owner in ("WormholeFabric", "HostSoftware") for name, entry in machine[owner].items()}
    # compare has to know what the fit does not tell.
    assert all(entry["source"].startswith("fitted: " if found else "estimated")
               for entry, found in ((entry, "determined" in entry["source"])
                                    for entry in machine["HostSoftware"].values()))


@pytest.mark.parametrize("words, told", [
    (["--fit=Startup"], "did you mean StartUp?"), (["--fit=EagerLimit"], "one besides EagerLimit"),
    (["--fit=StartUp,StartUp"], "different parameters"),
    (["--attribute=HostSoftware::StartUp=1us", "--fit=StartUp"], "both given and fitted"),
    (["--predict=none.txt"], "none.txt: No such file"), (["--plot=fit.jpg"], "fit.jpg"),
    (["--algorithm=latency=tree"], "BENCHMARK=NAME"),
    (["--algorithm=bcast=tree"], "algorithm of bcast: there is no table of it"),
    (["--fit=StartUp,SendOverhead,ReceiveOverhead"], "t.csv: 2 values for 3 parameters")])
def test_impossible_requests_are_refused(in_folder, capsys, words, told):
    measured(in_folder / "t.csv", "latency,8,3", "latency,16,4")
    assert told in refused(capsys, "calibrate", "t.csv", "--topology=torus:4x4", *words)


@pytest.mark.parametrize("value, reached", [(1.2, 2), (0.5, 0), (0.7, 1)])
def test_what_no_cost_can_reach_is_told(tmp_path, value, reached):
    """Two interfaces of 300 ns take 0.6 us and more, whatever software costs."""
    path = measured(tmp_path / "t.csv", f"latency,8,{value}", "latency,65536,90", f"bw,8,{1 if reached else 1e6}")
    found = calibrate(fabric(), [path], ["StartUp"])
    alone = osu.measure(fabric(), "latency", [8], attributes={"ns3::HostSoftware::StartUp": "1ps"})
    told = [note for note in found.notes if "out of reach" in note]
    if value > alone.value[0]:
        assert not told
        return
    (note,), number = told, 1 if reached else 2
    assert note.startswith(f"{number} of 3 values are out of reach") and "\n" not in note
    if reached:
        assert f"latency of 8 bytes would still be {alone.value[0]:.4g} us, but {value} us" in note
    assert note == found.notes[0] and f"# {note}" in found.to_toml()


def test_more_members_than_hosts_are_refused(tmp_path):
    path = measured(tmp_path / "t.csv", "barrier,,9,17", columns="benchmark,size,value,members")
    refuses("t.csv:2: 17 members, 1 for each host", calibrate, fabric(), [path])


def test_a_poor_fit_is_told(in_folder, capsys):
    """No start-up makes 1 KiB take ten times as long as 8 bytes; other values are exact."""
    one = osu.measure(fabric(), "latency", [8, 1024], attributes={"ns3::HostSoftware::StartUp": "3us"})
    for name, factor in (("good", 1), ("poor", 10)):
        measured(in_folder / f"{name}.csv", f"latency,8,{one.value[0]}", f"latency,1024,{factor * one.value[1]}")
    asked = ["calibrate", "--topology=torus:4x4", "--attribute=WormholeFabric::FlitTime=500ps", "--fit=StartUp"]
    for words, status, is_poor in ((["good.csv", "--strict"], 0, False), (["poor.csv"], 0, True),
                                   (["poor.csv", "--strict", "--out=m.toml"], 3, True)):
        ended, out, _ = call(capsys, *asked, *words)
        assert ended == status and ("poor fit: root mean square" in out) == is_poor and "fitted: greatest deviation" in out
    assert "# poor fit" in (in_folder / "m.toml").read_text(encoding="utf-8")
    assert calibrate(fabric(), ["poor.csv"], ["StartUp"]).rms > 0.1


def test_progress_is_told_without_a_terminal(tmp_path, monkeypatch, capsys):
    from ns3_wormhole.core import bars
    monkeypatch.setattr(bars, "_LINES", 0)
    path = write(tmp_path / "t.csv", PLANTED[0], ["latency"])
    calibrate(fabric(), [path], ["StartUp"])
    lines = capsys.readouterr().err.splitlines()
    assert lines and all(line.startswith("calibrate: ") and " runs after " in line for line in lines)
    calibrate(fabric(), [path], ["StartUp"], progress=False)
    assert capsys.readouterr().err == ""


def test_a_machine_keeps_its_sources(tmp_path):
    """What was not fitted comes from where it came from, and switches do what they did."""
    path = write(tmp_path / "t.csv", PLANTED[0], ["latency"])
    found = calibrate(wh.Fabric.from_text("torus:4x4"), [path], ["StartUp"], machine="edr-infiniband",
                      attributes={"ns3::WormholeNetDevice::Delay": "100ns"})
    out = save(tmp_path / "m.toml", found.to_toml())
    told, before = wh.machine.sources(out), wh.machine.sources("edr-infiniband")
    assert told["ns3::WormholeChannel::Delay"] == before["ns3::WormholeChannel::Delay"]
    assert told["ns3::WormholeNetDevice::Delay"] == ""
    assert told["ns3::HostSoftware::StartUp"].startswith("estimated by a poor fit: ") and found.is_poor
    assert wh.machine.told(out).endswith("m.toml (poor fit)")
    assert wh.machine.why_not_in_switch(out) == wh.machine.why_not_in_switch("edr-infiniband")


def test_notes_of_a_jobs_output_are_warnings(tmp_path):
    path = save(tmp_path / "job.out", "# OSU MPI Latency Test v7.5\n# Size  Latency (us)\n8 5.0\n64 5.1\nreal 2.5\n")
    with pytest.warns(UserWarning, match="job.out:5: the table of Latency ends here"):
        found = calibrate(fabric(), [str(path)], ["StartUp"])
    assert list(found.residuals["size"]) == [8, 64]


def test_of_many_values_the_farthest_are_printed():
    frame = pandas.DataFrame({"benchmark": "latency", "members": 2, "size": range(1, 101), "measured": 1.0,
                              "fitted": [1 + size / 1000 for size in range(1, 101)],
                              "deviation": [size / 1000 for size in range(1, 101)]}, index=range(7, 107))
    lines = calibration.deviations(frame, "fitted").splitlines()
    assert [int(line.split()[2]) for line in lines[1:41]] == list(range(61, 101))
    assert lines[41:] == ["and 60 values that are closer (--csv)", lines[-1]]
    assert "greatest deviation 10.00 %" in lines[-1]
    assert "closer" not in calibration.deviations(frame[:40], "fitted")
