# SPDX-License-Identifier: GPL-2.0-only
"""What a comparison rests on: what bounds the fastest, values that nobody measured, machines' switches."""

import pytest
from conftest import call, passed, refused, refuses, write

import ns3_wormhole as wh
from ns3_wormhole import studies
from ns3_wormhole.core.loader import ns, pandas  # the former of the condition below
from ns3_wormhole.study import assumptions

pytestmark = pytest.mark.skipif("not ns.MachineFile.ReadsToml()", reason="built without the headers of toml++")
LINE = "torus:4"


def bounds_of(table):
    return {each["algorithm"]: (each["bound"], each["percent"]) for each in table.attrs["bounds"]}


def test_bounds_are_parts_of_the_time():
    """Of two hosts each waits for one message: its start-up, and once it is long its flits."""
    given = {"topology": LINE, "group_sizes": [2], "names": ["dissemination"], "check": True,
             "attributes": {"ns3::HostSoftware::StartUp": "8us"}}
    table = studies.algorithms(**given)
    bound, percent = bounds_of(table)["dissemination"]
    assert bound == "start-up" and percent == pytest.approx(100 * 8 / table.latency_us[0])
    table = studies.crossover(bytes="1MiB", kind="allreduction", **{**given, "names": ["ring"]})
    bound, percent = bounds_of(table)["ring"]
    # Both halves of the vector go to and fro at 160 MB/s; fields and headers take a little.
    assert bound == "wire"
    assert percent == pytest.approx(100 * 2**20 / 160 / table.latency_us[0], rel=0.01)


def test_windows_and_gaps_are_found_by_changing_them():
    given = {"topology": LINE, "group_sizes": [4], "check": True}
    table = studies.crossover(bytes="4KiB", names=["btin[Window=2]", "ring"],
                              attributes={"ns3::WormholePort::BufferDepth": 128}, **given)
    assert bounds_of(table)["btin[Window=2]"][0] == "wire"  # its window is asked for: it is no bound
    table = studies.crossover(bytes="4KiB", names=["btin", "ring"],
                              attributes={"ns3::CollectiveUnit::SlotBytes": 8}, **given)
    bound, percent = bounds_of(table)["btin"]
    wh.reset()
    fabric = wh.Fabric.from_text(LINE, attributes={"ns3::CollectiveUnit::SlotBytes": 8})
    longer = fabric.allreduction("btin[Window=16]", fabric.group(4), bytes=4096).cross()
    assert bound == "window"
    assert percent == pytest.approx(100 * (1 - longer / table[table.algorithm == "btin"].latency_us.iloc[0]))
    for gap, bound in (("20us", "interface gap"), ("1ns", "start-up")):
        table = studies.algorithms(names=["unicast"], attributes={"ns3::HostSoftware::MessageGap": gap}, **given)
        assert bounds_of(table)["unicast"][0] == bound


# Of 4 members, with a = start-up + latency and c a vector's time at the rate, recursive doubling takes
# 2 (a + c), a ring 6 (a + c / 4): they are equal where c = 8 a.
COSTS = """[HostSoftware]
StartUp = {{ value = "800ns", source = "{start}" }}
SendDataRate = {{ value = "8Gbps", source = "{rate}" }}
"""


@pytest.mark.parametrize("start, rate, changes", [
    ("data sheet", "measured", set()),
    ("estimated: a guess", "measured", {("StartUp", "400000ps")}),
    ("data sheet", "estimated", {("SendDataRate", "4000000000bps")}),
    ("estimated", "estimated", {("StartUp", "400000ps"), ("SendDataRate", "4000000000bps")})])
def test_an_order_that_depends_on_a_guess_is_told(tmp_path, start, rate, changes):
    table = studies.crossover(bytes="6000", names=["recursive-doubling", "ring"], group_sizes=[4],
                              network="ideal", latency="200ns", check=True,
                              machine=str(write(tmp_path / "mine.toml", COSTS.format(start=start, rate=rate))))
    times = dict(zip(table.algorithm, table.latency_us))
    assert times == pytest.approx({"recursive-doubling": 2 * (1 + 6), "ring": 6 * (1 + 6 / 4)}, rel=0.01)
    rows = [row for row in table.attrs["changes"]]
    assert {(row["attribute"].rpartition("::")[2], row["tried"]) for row in rows
            if row["attribute"].rpartition("::")[2] in ("StartUp", "SendDataRate")} == changes
    assert all((row["winner"], row["instead"]) == ("recursive-doubling", "ring") for row in rows)
    assert {"HostSoftware::StartUp=800ns"} & set(table.attrs["varied"]) == \
        ({"HostSoftware::StartUp=800ns"} if start != "data sheet" else set())


def test_what_is_given_is_known_and_what_has_no_effect_is_not_varied():
    told = [str(each) for each in assumptions.guesses(
        {"ns3::HostSoftware::StartUp": "1us"}, "edr-infiniband", tasks=1, combines=False,
        in_switch=False, is_ideal=False)]
    assert "HostSoftware::MessageGap=20ns" in told and "WormholeNetDevice::Delay=200ns" in told
    for name in ("StartUp", "FlagTime", "CombineDataRate", "CopyDataRate", "SlotBytes", "WormholeSwitch"):
        assert not any(name in each for each in told), name
    told = [str(each) for each in assumptions.guesses({}, None, tasks=2, combines=True, in_switch=True,
                                                 is_ideal=False, window="ns3::InSwitchDataReduction")]
    assert {"WormholeFabric::DataRate=1.28Gbps", "HostSoftware::FlagTime=0 (tried: 100ns)",
            "InSwitchDataReduction::Window=8", "CollectiveUnit::SlotBytes=32"} <= set(told)
    rate, both = "ns3::HostSoftware::CombineDataRate", assumptions.free({}, None, combines=True)
    assert len(both) == 3 and both[0].endswith(": HostSoftware::CopyDataRate, CombineDataRate are 0")
    assert assumptions.free({rate: "1Gbps"}, None, combines=True) == assumptions.free({}, None)
    assert assumptions.free({"ns3::HostSoftware::CopyTime": "1us"}, None, combines=True)[0].endswith(
        ": HostSoftware::CombineDataRate is 0")
    assert assumptions.of_adapters(["nic[Inner=butterfly]"], {"ns3::HostSoftware::DoorbellTime": "1us"}, None) == [
        "nic: this module's defaults, not the machine's: HostSoftware::AdapterMessageTime=1us, CompletionTime=1us"]
    assert assumptions.free_bytes({}, "edr-infiniband")[0].endswith("at no cost: HostSoftware::SendDataRate is 0")
    for name, value in (("SendDataRate", "1Gbps"), ("InterfaceDataRate", "1Gbps"), ("SendOverhead", "0:1us,1MiB:9us")):
        assert assumptions.free_bytes({f"ns3::HostSoftware::{name}": value}, None) == []
    assert len(assumptions.free({}, None)) == 3 and len(assumptions.free({}, "edr-infiniband")) == 1


def test_many_points_are_thinned_out():
    points = [assumptions.Point(4, size, (("a", 1.0), ("b", 1.5), ("c", 2.5))) for size in range(100)]
    guess = assumptions.Guess("ns3::HostSoftware::StartUp", "1us", "estimated", ("500ns", "2us"))
    asked = []

    def measure(attributes, name, members, sizes):
        asked.extend(sizes)
        slow = attributes[guess.attribute] == "2us"
        return {size: {"a": 3.0, "b": 1.5}[name] if slow else 1.0 for size in sizes}

    rows, checked = assumptions.vary(points, [guess], 10, measure, lambda *_: True, None, lambda *_: None)
    assert checked == 8 < len(points) and len(asked) == 32 and len(rows) == checked
    assert {(row["tried"], row["winner"], row["instead"]) for row in rows} == {("2us", "a", "b")}


def test_all_algorithms_are_tried_with_a_cost_that_was_left_out():
    point = assumptions.Point(4, 8, tuple((name, 10.0 + number) for number, name in enumerate("abcdef")))
    told = {}
    for text in ("0bps", "40Gbps"):
        guess = assumptions.Guess("ns3::HostSoftware::CopyDataRate", text, "a default", ("80Gbps",))
        told[text], _ = assumptions.vary(
            [point], [guess], 6, lambda _, name, members, sizes: {8: 1.0 if name == "f" else 20.0},
            lambda *_: True, None, lambda *_: None)
    assert [row["instead"] for row in told["0bps"]] == ["f"] and told["40Gbps"] == []


def test_leaders_far_apart_are_measured_again():
    """A value may cost one of them alone; one with which not both can be measured was not tried."""
    times = {"a": 10.0, "b": 30.0, "h": 2.0}
    able = pandas.DataFrame([{"members": 4, "bytes": 8, "algorithm": name, "latency_us": time,
                              "is_hardware": name == "h"} for name, time in times.items()])
    copies, start, slots = (assumptions.Guess(f"ns3::{name}", "1", "a default", ("2",)) for name in (
        "HostSoftware::CopyDataRate", "HostSoftware::StartUp", "CollectiveUnit::SlotBytes"))
    others = {("h", copies.attribute): 40.0, ("b", start.attribute): 1.0, ("h", slots.attribute): None}

    def run(attributes, name, members, sizes, explains):
        found = next((others[name, each] for each in attributes if (name, each) in others), times[name])
        return {size: {"latency_us": found} for size in sizes if found}

    def check(some):
        assumptions.check(able, some, [copies, start, slots], run=run, has_effect=lambda *_: True, known={},
                          progress=False)
        return able.attrs

    told = check(able)
    assert {(row["attribute"], row["winner"], row["instead"], row["hardware"]) for row in told["changes"]} == {
        (copies.attribute, "h", "a", True), (start.attribute, "a", "b", False), (start.attribute, "h", "b", True)}
    assert told["varied"] == [str(copies), str(start)] and told["checked"] == (1, 1)
    assert check(able[:1])["varied"] == []  # no order


def test_windows_inside_smp_bound_it():
    given = {"topology": LINE, "group_sizes": [4], "check": True, "tasks_per_host": 2, "bytes": "4KiB",
             "attributes": {"ns3::CollectiveUnit::SlotBytes": 8}}
    assert bounds_of(studies.crossover(names=["smp[Inner=btin]", "ring"], **given))["smp[Inner=btin]"][0] == "window"


@pytest.mark.parametrize("how", [{}, {"hypothetical": True}, {"names": ["btin", "ring"]}, {"windows": [16]},
                                 {"attributes": {"CollectiveUnit::SlotBytes": 64}}])
def test_switches_that_do_nothing_take_no_part_unless_asked(how):
    given = {"topology": LINE, "group_sizes": [2]}
    table = studies.crossover(bytes="64", machine="edr-infiniband", **given, **how)
    assert ("btin" in set(table.algorithm)) == bool(how) and bool(table.attrs["left_out"]) != bool(how)
    if "windows" not in how:
        table = studies.algorithms(machine="edr-infiniband", **given,
                                   **{**how, "names": how.get("names", []) and ["btin"]})
        assert ("btin" in set(table.algorithm)) == bool(how)
    if not how:
        assert "Switch-IB" in table.attrs["left_out"] and "--hypothetical" in table.attrs["left_out"]
        assert "btin" in set(studies.algorithms(machine="sharp-v2", **given).algorithm)
        refuses("hypothetical has no effect", studies.crossover, bytes="64", hypothetical=True, **given)


def test_times_beside_the_network_are_varied():
    """hw-1 leads by less than twice its time, which is the module's default."""
    table = studies.algorithms(topology="clos:ports=4", group_sizes=[8], names=["hw-1", "butterfly"],
                               machine="edr-infiniband", check=True)
    beside = [(row["tried"], row["winner"], row["instead"]) for row in table.attrs["changes"]
              if row["attribute"] == "ns3::AddOnNetwork::BarrierTime"]
    assert beside == [("5200000ps", "hw-1", "butterfly")]
    given = {"AddOnNetwork::BarrierTime": "5us"}
    assert wh.Fabric.from_text("clos:ports=4", attributes=given).barrier("hw-1", 8).cross() == 5


def test_a_fabrics_own_rates_are_told(tmp_path):
    """A machine's data rate has no effect where all cables have others: neither is it varied."""
    for rate, words in (("100Gbps", "100Gbps; that of sharp-v2, 200Gbps, has no effect"), ("200Gbps", "")):
        place = wh.Fabric.from_text(f"clos:ports=4,rate={rate}", machine="sharp-v2")
        assert place.has_rates() and place.own_rates().endswith(words)
    table = studies.algorithms(fabric=wh.Fabric.from_text("clos:ports=4,rate=100Gbps"), group_sizes=[4],
                               names=["butterfly", "dissemination"], check=True)
    assert table.attrs["varied"] and not any("DataRate" in each for each in table.attrs["varied"])
    assert table.attrs["machine"] == "the defaults, a Myrinet of 2001"


@pytest.mark.parametrize("name", ["sharp-v2", "sharp-v3"])
def test_slots_and_windows_are_the_machines(name):
    """A machine is what its attributes are: 1 KiB a slot, 64 of them under way."""
    told = wh.machine.read(name)
    window = told["ns3::InSwitchDataAllReduction::Window"]
    attributes = {key: value for key, value in told.items() if "InSwitch" not in key}
    assert attributes["ns3::CollectiveUnit::SlotBytes"] == "1024" and window == "64"
    times = []
    for algorithm, given in (("btin", {"machine": name}), (f"btin[Window={window}]", {"attributes": attributes})):
        wh.reset()
        times.append(wh.Fabric.from_text("clos:ports=4", **given).allreduction(algorithm, bytes="256KiB").cross())
    assert times[0] == times[1]


def test_the_command_tells_and_can_be_told_not_to(capsys, tmp_path):
    asked = ["compare", f"--topology={LINE}", "--group-sizes=2", "--machine=edr-infiniband", "--kind=allreduction"]
    status, out, _ = call(capsys, *asked, "--bytes=64")
    out = " ".join(out.split())
    assert status == 0 and "bound by" in out and "left out, since switches of edr-infiniband" in out
    assert "no order changes if one of these" in out or "the order depends on" in out
    status, out, _ = call(capsys, *asked, "--tasks-per-host=2")
    assert status == 0 and "is the fastest, bound by" in out and "memory of a host takes any bandwidth" in out
    assert "bound by" not in passed(capsys, *asked, "--bytes=64", "--no-check")
    path = tmp_path / "t.csv"
    assert "--check has no effect with --csv" in refused(capsys, *asked, f"--csv={path}", "--check")
    assert call(capsys, *asked, f"--csv={path}", "--no-check")[:2] == (0, "")
    status, _, err = call(capsys, *asked, f"--csv={path}")
    assert status == 0 and "left out, since switches" in err and "btin" not in path.read_text()
