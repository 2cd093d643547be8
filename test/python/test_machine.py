# SPDX-License-Identifier: GPL-2.0-only
"""Machines: by Python, by the command, and by the programs; they are one reader's."""

import random
import tomllib

import pytest
from conftest import PROGRAMS, ROOT, call, passed, refused, refuses, run, write

import ns3_wormhole as wh
from ns3_wormhole import machine, studies
from ns3_wormhole.core.loader import ns  # of the condition below
from ns3_wormhole.study import assumptions

pytestmark = pytest.mark.skipif("not ns.MachineFile.ReadsToml()", reason="built without the headers of toml++")

SLOW = """
[WormholeSwitch]
Delay = "450ns"
[WormholeChannel]
Delay = "70ns"
[HostSoftware]
StartUp = "3us"
"""
SLOW_ATTRIBUTES = {"ns3::WormholeSwitch::Delay": "450ns", "ns3::WormholeChannel::Delay": "70ns",
                   "ns3::HostSoftware::StartUp": "3us"}


@pytest.fixture
def slow(tmp_path):
    return str(write(tmp_path / "slow.toml", SLOW))


def test_reads(slow):
    """What is read is what the file says, and what another reader of TOML reads."""
    assert machine.read(slow) == SLOW_ATTRIBUTES
    for name in machine.names():
        path = ROOT / "data" / "machines" / f"{name}.toml"
        document = tomllib.loads(path.read_text())
        assert machine.describe(name) == (document.pop("name"), " ".join(document.pop("source").split()))
        says = document.pop("inSwitch", {"value": True})
        assert bool(machine.why_not_in_switch(name)) == (not says["value"])
        entries = {f"ns3::{kind}::{key}": entry for kind, table in document.items() for key, entry in table.items()}
        assert machine.read(name) == {key: str(entry["value"]) for key, entry in entries.items()}
        assert machine.sources(name) == {key: entry["source"] for key, entry in entries.items()}
        assert machine.estimated(name) == [key for key, entry in entries.items()
                                           if entry["source"].startswith("estimated")]


def test_mutations(tmp_path):
    """Of files with random changes, each is read or refused in a line that names it."""
    draw = random.Random(7)
    path = tmp_path / "mutated.toml"
    seeds = [(ROOT / "data" / "machines" / f"{name}.toml").read_bytes() for name in machine.names()]
    refused = 0
    for _ in range(200):
        text = draw.choice(seeds)
        for _ in range(draw.randint(1, 6)):
            at = draw.randrange(len(text))
            text = text[:at] + draw.choice((
                bytes([draw.randrange(256)]) + text[at + 1:],
                text[at + draw.randint(1, 20):],
                draw.choice([b"[", b"]", b'"', b"=", b"\n", b"{", b"3", b"'", b"\0"]) + text[at:],
                text[at:at + draw.randint(1, 40)] + text[at:]))
        try:
            machine.read(write(path, text))
        except wh.WormholeError as error:
            refused += 1
            assert str(error).startswith(f"{path}:") and "\n" not in str(error), str(error)
    assert 50 < refused < 200


def test_fabric(slow):
    """A machine is what the same attributes are; attributes go before it, and it ends with them."""
    def latency(**given):
        wh.reset()
        return wh.Fabric.from_text("torus:3x3", **given).barrier("dissemination").cross()

    before = latency()
    assert latency(machine=slow) == latency(attributes=SLOW_ATTRIBUTES) > before
    assert (latency(machine=slow, attributes={"ns3::HostSoftware::StartUp": "5us"})
            == latency(attributes={**SLOW_ATTRIBUTES, "ns3::HostSoftware::StartUp": "5us"}))
    assert latency() == before


def test_add_on_network(tmp_path):
    """Networks beside the fabric are the machine's, too: 4 us more of a barrier are 4 us more."""
    path = write(tmp_path / "hardware.toml", '[AddOnNetwork]\nBarrierTime = "6600ns"\n')
    wh.reset()
    before = wh.Fabric.from_text("torus:3x3").barrier("hw-1").cross()
    wh.reset()
    after = wh.Fabric.from_text("torus:3x3", machine=path).barrier("hw-1").cross()
    assert after - before == pytest.approx(4.0)


def test_studies(slow):
    """Studies take it, whether it is given or a fabric's, and the program prints the same."""
    given = {"group_sizes": [4], "runs": 1, "jobs": 1}
    frame = studies.barriers(topology="torus:3x3", machine=slow, **given)
    assert frame.attrs["csv"] == studies.barriers(
        topology="torus:3x3", attributes=SLOW_ATTRIBUTES, **given).attrs["csv"]
    assert frame.attrs["csv"] != studies.barriers(topology="torus:3x3", **given).attrs["csv"]
    program = run(PROGRAMS / "btin-comparison", "--topology=torus:3x3", "--groupSizes=4", "--runs=1",
                  f"--machine={slow}")
    assert program.stdout == frame.attrs["csv"]
    own = wh.Fabric.from_text("torus:3x3", machine=slow)
    assert (studies.barriers(fabric=own, **given).latency_us_mean == frame.latency_us_mean).all()


def test_study_parameter(slow):
    """A parameter with a default of its own takes the machine's value, and goes before it."""
    given = {"members": 8, "compute": ["20us"], "steps": 2}
    assert studies.split_barrier(machine=slow, **given).attrs["csv"] == studies.split_barrier(
        start_up="3us", **given,
        attributes={key: SLOW_ATTRIBUTES[key] for key in list(SLOW_ATTRIBUTES)[:2]}).attrs["csv"]
    refuses("has no effect; expected start_up",
            studies.split_barrier, attributes={"ns3::HostSoftware::StartUp": "3us"}, **given)


def test_algorithms(slow):
    given = {"topology": "torus:3x3", "names": ["btin"], "group_sizes": [4]}
    assert (studies.algorithms(machine=slow, **given).latency_us[0]
            == studies.algorithms(attributes=SLOW_ATTRIBUTES, **given).latency_us[0]
            > studies.algorithms(**given).latency_us[0])


def test_shows(capsys, tmp_path, slow):
    """What is shown is a machine that is the same again, values with their places."""
    status, text, _ = call(capsys, "machine", "show", slow)
    assert status == 0 and f"[{slow}:3]" in text and "[default]" in text
    tables = tomllib.loads(text)
    assert tables["WormholeSwitch"]["Delay"] == "450ns"
    assert tables["WormholeNetDevice"]["Delay"] == "300ns"
    again = write(tmp_path / "again.toml", text)
    kept = machine.read(again)
    assert SLOW_ATTRIBUTES.items() <= kept.items() and len(kept) > 40
    given = {"topology": "torus:3x3", "names": ["btin"], "group_sizes": [4]}
    assert (studies.algorithms(machine=str(again), **given).latency_us[0]
            == studies.algorithms(machine=slow, **given).latency_us[0])
    for name in (*machine.names(), ""):
        write(again, passed(capsys, "machine", "show", *filter(None, [name])))
        kept = machine.sources(again)
        if name:
            assert machine.sources(name).items() <= kept.items()
            assert machine.estimated(again) and set(machine.estimated(again)) == set(
                machine.estimated(name)) or not machine.estimated(name)
            assert machine.why_not_in_switch(again) == machine.why_not_in_switch(name)
            assert machine.has_in_switch(again) == machine.has_in_switch(name)


def test_command(capsys):
    """The list names them; one that there is not is refused in a line."""
    listed = passed(capsys, "machine", "list")
    assert all(f"{name}: " in listed for name in machine.names())
    assert "did you mean edr-infiniband?" in refused(capsys, "machine", "show", "edr-infinband")
    assert "there is no machine 'none'" in refused(capsys, "compare", "--topology=torus:3x3", "--machine=none")


def test_workers_have_the_machine_too(tmp_path):
    """Several processes, and a campaign's workers, give what one process does."""
    given = {"switches": 8, "hosts": 16, "group_sizes": [4], "runs": 4, "machine": "edr-infiniband"}
    one = studies.barriers(jobs=1, **given)
    assert one.attrs["csv"] == studies.barriers(jobs=2, **given).attrs["csv"]
    assert one.attrs["csv"] != studies.barriers(jobs=1, **{**given, "machine": None}).attrs["csv"]
    swept = wh.campaign.Campaign("barriers", {"machine": ["edr-infiniband", "paper-btin"]}, seeds=1,
                                 fixed={key: value for key, value in given.items() if key != "machine"})
    table = swept.run(tmp_path / "sweep.csv", workers=2).table
    mine = table[(table.machine == "edr-infiniband") & (table.scheme == "btin")].latency_us_mean
    assert list(mine) == list(one[one.scheme == "btin"].latency_us_mean)


def test_costs_by_length(tmp_path):
    """A table of costs is pairs in a machine's file and in Python, and one text."""
    path = write(tmp_path / "tables.toml", '[HostSoftware]\nSendOverhead = [[0, "1us"], ["4KiB", "3us"]]\n'
                    'Latency = {value = [[0, "2us"], [8192, "3us"]], source = "a table"}\n'
                    'SendReturn = [[0, "copied"], ["8KiB", "received"]]\n')
    text = "0:1us,4KiB:3us"
    assert machine.read(str(path)) == {"ns3::HostSoftware::SendOverhead": text,
                                       "ns3::HostSoftware::Latency": "0:2us,8192:3us",
                                       "ns3::HostSoftware::SendReturn": "0:copied,8KiB:received"}
    crossings = []
    for table in ("1us", text, [(0, "1us"), ("4KiB", "3us")], {0: "1us", "4KiB": "3us"}):
        fabric = wh.Fabric.irregular(16, 32, attributes={"HostSoftware::SendOverhead": table})
        crossings.append(fabric.broadcast("tree", 2, bytes="4KiB").cross())
    assert crossings[1:] == [pytest.approx(crossings[0] + 2)] * 3
    assert assumptions.scaled("ns3::HostSoftware::SendOverhead", text, 2) == "0:2000000ps,4KiB:6000000ps"
    path.write_text('[HostSoftware]\nSendOverhead = [[0, "1us"], ["4KiB"]]\n')
    refuses("tables.toml:2: .*expected pairs of a length", machine.read, str(path))
