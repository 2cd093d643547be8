# SPDX-License-Identifier: GPL-2.0-only
"""Costs by length: breaks, planted tables, a measured cluster, and what two hosts need of a fabric."""

import math
import random

import numpy as np
import pytest
from conftest import ROOT, call, measured, refused, write as save

import ns3_wormhole as wh
from ns3_wormhole import osu
from ns3_wormhole.calibrate import calibrate
from ns3_wormhole.study import fit, measured_tables, parameters as kinds, segments
from ns3_wormhole.study.simulated_tables import part_of, Simulator

HC44RS = ROOT / "data/measured/hc44rs"
SOFTWARE = "ns3::HostSoftware::"
SIZES = [2**power for power in range(23)]
# Costs in us by length, with a break at 8 KiB, as a protocol's limit is.
PLANTED = {"SendOverhead": {1: 1, 4096: 3, 8192: 3.5, 8193: 6, 2**22: 90},
           "ReceiveOverhead": {1: 0.5, 4096: 0.7, 8192: 0.8, 8193: 2, 2**22: 400},
           "Latency": {1: 0.3, 4096: 0.3, 8192: 0.3, 8193: 0.9, 2**22: 20}}
# The same with a receiver that is slower than the sender at each length.
SLOW_RECEIVER = {**PLANTED, "ReceiveOverhead": {1: 1.6, 4096: 4.4, 8192: 5, 8193: 9, 2**22: 400}}


def planted(name, length, costs=PLANTED):
    """Returns what a message costs in us."""
    lengths = list(costs[name])
    high = next(each for each in lengths if each >= length)
    low = lengths[max(lengths.index(high) - 1, 0)]
    part = (length - low) / max(high - low, 1)
    return costs[name][low] * (1 - part) + costs[name][high] * part


def fabric(costs):
    texts = {SOFTWARE + name: ",".join(f"{length}:{round(1e6 * cost)}ps" for length, cost in table.items())
             for name, table in costs.items()}
    return wh.Fabric.from_text("torus:4x4", machine="edr-infiniband", attributes=texts)


def write(path, benchmarks, noise, costs=PLANTED):
    """Writes tables of a cluster with these costs, each value off by a factor with that deviation."""
    draw, made, lines = random.Random(3), fabric(costs), []
    for name in benchmarks:
        group = "" if not osu.MEASURED[name].kind else 8
        plan = osu.Plan(made, name, SIZES if not group else SIZES[2::4], members=group or None)
        lines += [f"{name},{size},{plan.value(made, size) * math.exp(noise * draw.gauss(0, 1)):.9g},{group}"
                  for size in plan.sizes]
    return measured(path, *lines, columns="benchmark,size,value,members")


@pytest.mark.parametrize("noise, seeds", [(0, 1), (0.02, 40)])
def test_breaks_are_found_within_one_length(noise, seeds):
    """Three ranges of 23 lengths: with noise, in 19 of 20 sets at least."""
    def cost(length):
        return 1.5 + length / 500 if length <= 512 else 6 + length / 1000 if length <= 65536 else length / 300
    missed = 0
    for seed in range(seeds):
        draw = random.Random(seed)
        points = [(size, cost(size) * math.exp(noise * draw.gauss(0, 1)), cost(size)) for size in SIZES]
        firsts = [length for length, _ in segments.split(points)[::2]]
        missed += len(firsts) != 3 or any(not wanted / 2 <= found <= 2 * wanted
                                          for found, wanted in zip(firsts, (1, 1024, 131072)))
    assert missed <= seeds // 20


def test_a_straight_line_has_no_breaks():
    for noise in (0, 0.02, 0.05):
        draw = random.Random(1)
        points = [(size, (1 + size / 900) * math.exp(noise * draw.gauss(0, 1)), 1 + size / 900) for size in SIZES]
        assert [length for length, _ in segments.split(points)] == [1, SIZES[-1]]


@pytest.mark.parametrize("benchmarks, unknown", [
    (["latency"], set(PLANTED)), (["latency", "bcast"], {"ReceiveOverhead", "Latency"}),
    (["latency", "o_s", "o_r"], set())])
@pytest.mark.parametrize("noise, within", [(0, 0.01), (0.02, 0.05)])
def test_planted_tables_are_found_or_named(tmp_path, benchmarks, unknown, noise, within):
    found = calibrate(fabric({}), [write(tmp_path / "t.csv", benchmarks, noise)])
    assert found.rms < 0.001 + 1.5 * noise
    sure = 0
    for row in found.parameters.itertuples():
        if row.name in unknown:
            assert row.state in ("sum only", "entangled") and any(
                "can't separate" in note and row.name in note and "add " in note for note in found.notes)
        elif row.state == "determined":
            sure += 1
            assert row.cost / 1e6 == pytest.approx(planted(row.name, row.length), rel=within), row
    # With noise, broadcasts of five lengths tell the sender's costs roughly at best.
    assert sure >= (("o_s" in benchmarks) if noise else 4 * (len(PLANTED) - len(unknown)))


@pytest.mark.parametrize("costs", [PLANTED, SLOW_RECEIVER])
@pytest.mark.parametrize("noise, within", [(0, 0.01), (0.02, 0.05)])
def test_a_slow_sender_or_receiver_is_no_gap(tmp_path, costs, noise, within):
    """The sender limits short messages and the receiver long ones, or the receiver all. Swapped, latency and
    bandwidth are the same; a broadcast tells."""
    found = calibrate(fabric({}), [write(tmp_path / "t.csv", ["latency", "bw"], noise, costs)])
    assert not {"determined", "roughly"} & set(found.parameters.state)
    assert any("can't separate SendOverhead, ReceiveOverhead, MessageGap" in note and "osu_bcast" in note
               and "osu_gather" in note for note in found.notes)
    found = calibrate(fabric({}), [write(tmp_path / "t.csv", ["latency", "bw", "bcast"], noise, costs)])
    assert found.rms < 0.001 + 1.5 * noise
    assert set(found.parameters.state[found.parameters.name == "MessageGap"]) == {"no effect"}
    sure = [row for row in found.parameters.itertuples() if row.state == "determined"]
    for row in sure:
        assert row.cost / 1e6 == pytest.approx(planted(row.name, row.length, costs), rel=within), row
    assert len(sure) >= (1 if noise else 4)


def test_a_gap_is_sure_where_something_tells_what_processes_do(tmp_path):
    """By latency and bandwidth, a process may be as slow as the interface; a broadcast tells."""
    costs = {**PLANTED, "MessageGap": {1: 1.6, 4096: 4, 8192: 4.8, 8193: 8, 2**22: 500}}
    for benchmarks, state in ((["latency", "bw"], "ambiguous"), (["latency", "bw", "bcast"], "determined")):
        found = calibrate(fabric({}), [write(tmp_path / "t.csv", benchmarks, 0, costs)])
        rows = found.parameters[found.parameters.name == "MessageGap"]
        assert set(rows.state) == {state} and len(rows) > 3
        for row in rows.itertuples():
            assert row.cost / 1e6 == pytest.approx(planted("MessageGap", row.length, costs), rel=0.01)
        assert any("MessageGap" in note and "can't separate" in note for note in found.notes) == (state == "ambiguous")


def test_shares_that_can_be_swapped_are_not_determined(tmp_path):
    """Where no gap is fitted: bandwidth shows the slower of sender and receiver, whichever that is."""
    found = calibrate(fabric({}), [write(tmp_path / "t.csv", ["latency", "bw"], 0)], list(PLANTED))
    states = found.parameters[found.parameters.name != "Latency"].state
    assert found.rms < 0.001 and not {"determined", "roughly"} & set(states)
    assert any("can't separate SendOverhead, ReceiveOverhead" in note and "osu_bcast" in note for note in found.notes)


def test_rows_of_a_cost_are_all_that_it_may_come_to(tmp_path):
    """A sender that is faster at first and slower in the end: derivatives are those of single differences."""
    made = Simulator(fabric({}), measured_tables.read(write(tmp_path / "t.csv", ["latency", "bw"], 0)))
    gap, send = (kinds.parameter(name, [1, 2**22]) for name in ("MessageGap", "SendOverhead"))

    def model(x, wanted=None):
        costs = [math.exp(each) for each in x]
        return made.residuals({gap.attribute: gap.text(costs[:2]), send.attribute: send.text(costs[2:])}, wanted)

    slopes = fit._Slopes(model, made.signs, fit.reach_of(model, [13.0, 20.0, 11.0, 18.0], [32.0] * 4))
    for x in (np.array([15.0, 20.0, 11.0, 18.0]), np.array([13.0, 17.0, 15.0, 20.0])):
        base = model(x)
        assert slopes(x, base) == pytest.approx(fit.jacobian(model, x, base), abs=0.02)


@pytest.mark.parametrize("files, within", [(["osu_latency.txt"], 0.05), (["osu_latency.txt", "loggp.csv"], 0.05),
                                           (["osu_latency.txt", "bw.csv"], 0.04)])
def test_a_measured_cluster_is_fitted(tmp_path, files, within):
    """hc44rs, whose tables a start-up and rates fit to 27 % at best; the machine gives the latencies again."""
    _write_bandwidth(tmp_path / "bw.csv")
    paths = [str((tmp_path if name == "bw.csv" else HC44RS) / name) for name in files]
    found = calibrate(wh.Fabric.from_text("clos:ports=8"), paths, machine="edr-infiniband")
    assert found.rms <= within and len(found.ranges) >= 4
    breaks = [length for length in found.ranges if length > 1]
    assert all(any(limit < length <= 4 * limit for length in breaks) for limit in (128, 8192))
    assert {row.name for row in found.parameters.itertuples()} >= set(PLANTED)
    # The machine's 300 ns are longer than the gaps of short messages.
    assert any(note.startswith("StartUp costs nothing here") for note in found.notes) == (len(files) > 1)
    out = save(tmp_path / "m.toml", found.to_toml())
    rows = found.residuals[found.residuals.file == paths[0]]
    again = osu.measure(wh.Fabric.from_text("clos:ports=8"), "latency", list(rows["size"]), machine=str(out))
    assert list(again.value) == pytest.approx(list(rows.fitted), rel=1e-9)


def _write_bandwidth(path):
    """Writes bandwidths of windows of 64 as trains of ten tell them, by bytes 64 / (63 g + L(s) + L(1)); of long
    ones each eighth."""
    gap, latency = (dict(next(table.rows for table in measured_tables.read(str(HC44RS / "loggp.csv"))
                              if table.benchmark == name)) for name in ("gap", "latency"))
    measured(path, *(f"bw,{size},{64 * size / (63 * gap[size] + latency[size] + latency[1])}" for size in gap
                     if size < 2**14 or size % 2**13 == 1))


def test_noise_is_told(tmp_path):
    found = calibrate(wh.Fabric.from_text("clos:ports=8"), [str(HC44RS / "p2p_spread.csv")], machine="edr-infiniband")
    (note,) = [note for note in found.notes if note.startswith("noise of latency")]
    assert "single values scatter by 6.0 %" in note and "of 25 lie within" in note


@pytest.mark.parametrize("text, pair", [("torus:4x4", [0, 10]), ("clos:ports=8", [0, 31]),
                                        ("irregular:switches=20,hosts=40", [3, 29])])
def test_two_hosts_need_a_part_of_a_fabric(text, pair):
    whole = wh.Fabric.from_text(text)
    part = part_of(whole, pair)
    assert len(part.hosts) == 2 and len(part.switches) < len(whole.switches)
    for benchmark in ("latency", "bw"):
        assert list(osu.measure(part, benchmark, [1, 5000, 2**20]).value) \
            == list(osu.measure(whole, benchmark, [1, 5000, 2**20], hosts=pair).value)


def test_a_part_is_not_taken_where_it_would_not_do():
    lanes = wh.Fabric.from_text("torus:4x4,lanes=2,grant=worm")
    assert part_of(lanes, [0, 5]) is None and part_of(wh.Fabric.from_text("torus:4x4"), [3, 3]) is None


def test_any_time_or_rate_can_be_fitted(tmp_path):
    """A device's delay by latency, and the rate of combining by an all-reduction."""
    given = {"ns3::WormholeNetDevice::Delay": "250ns", SOFTWARE + "CombineDataRate": "16Gbps"}
    lines = []
    for name, members in (("latency", None), ("allreduce", 8)):
        table = osu.measure(fabric({}), name, [64, 4096, 65536], attributes=given, members=members)
        lines += [f"{name},{row.size},{row.value},{members or ''}" for row in table.itertuples()]
    path = measured(tmp_path / "t.csv", *lines, columns="benchmark,size,value,members")
    found = calibrate(fabric({}), [path], ["WormholeNetDevice::Delay", "CombineDataRate"])
    cost = dict(zip(found.parameters.name, found.parameters.cost))
    assert cost == pytest.approx({"WormholeNetDevice::Delay": 250e3, "CombineDataRate": 500}, rel=0.01)


def test_lengths_are_what_is_fitted_and_where_costs_break(in_folder, capsys):
    asked = ["calibrate", str(HC44RS / "osu_latency.txt"), "--topology=clos:ports=8", "--machine=edr-infiniband"]
    status, out, _ = call(capsys, *asked, "--lengths=64,256,8KiB")
    assert status == 0 and "8 values" in out and "SendOverhead" in out
    assert [line.split()[:2] for line in out.splitlines() if " latency " in line and "%" not in line] \
        == [["64", "128"], ["256", "8KiB"]]
    assert "lengths=64: expected two or more" in refused(capsys, *asked, "--lengths=64")
    found = call(capsys, *asked, "--lengths=1,1MiB")[1].splitlines()
    assert len([line for line in found if " latency " in line and "%" not in line]) > 1, "breaks are found"


def test_a_message_of_no_bytes_is_fitted(tmp_path):
    """OSU's first row; the notes name its length among those at which costs can't be separated."""
    rows = [(size, 1 + size / 900 + (size > 1024)) for size in (0, *SIZES[::2])]
    path = measured(tmp_path / "t.csv", *(f"latency,{size},{value}" for size, value in rows))
    found = calibrate(fabric({}), [path], ["SendOverhead", "ReceiveOverhead", "Latency"])
    assert found.rms < 0.02 and any(" at 0, " in note for note in found.notes)


def test_a_limit_is_not_fitted_beside_a_given_return_of_sends(tmp_path):
    path = measured(tmp_path / "t.csv", *(f"latency,{size},{2 + size / 900 + 3 * (size > 4096)}" for size in SIZES))
    for given, fits in (({}, True), ({SOFTWARE + "SendReturn": "0:copied,8KiB:left"}, False)):
        found = calibrate(fabric({}), [path], attributes=given)
        assert ("EagerLimit" in set(found.parameters.name)) == fits and found.rms < 0.1


def test_gaps_that_no_packet_overlaps_are_told(tmp_path):
    """From 4 KiB on a window takes 0.1 ns a byte, in the gap."""
    rows = [(size, 2 + size / 8000 + (size > 4096), 0.2 + size / 10000) for size in SIZES[::3]]
    path = measured(tmp_path / "t.csv", *(f"latency,{size},{one}" for size, one, _ in rows),
                    *(f"gap,{size},{gap}" for size, _, gap in rows))
    for sharing in ("in-turn", "in-order"):
        found = calibrate(fabric({}), [path], ["Latency", "MessageGap"], attributes={
            SOFTWARE + "Sharing": sharing, SOFTWARE + "MaxPacketBytes": 4096})
        assert any(note.startswith("with Sharing=in-turn, packets") for note in found.notes) == (sharing == "in-turn")
