# SPDX-License-Identifier: GPL-2.0-only
"""Which hosts a job should get."""

import random

import pytest

import ns3_wormhole as wh
from ns3_wormhole.core import simulation
from ns3_wormhole.core.errors import WormholeError
from ns3_wormhole.study import placement

from conftest import passed

FABRICS = ("torus:4x4,hosts=2", "clos:ports=8", "mesh:3x3,hosts=2",
           "irregular:switches=12,hosts=24")


def latency(fabric, order, algorithm):
    """Returns what a round takes by itself, us."""
    simulation.reset()
    simulation.set_seed()
    return fabric.collective("allreduction", algorithm, order, bytes="64KiB").cross()


@pytest.mark.parametrize("algorithm", ["ring", "recursive-doubling"])
@pytest.mark.parametrize("text", FABRICS)
def test_is_no_slower_than_random_orders(text, algorithm):
    fabric = wh.Fabric.from_text(text)
    found = placement.place(fabric, 8, bytes="64KiB", algorithm=algorithm, progress=False)
    best = found.iloc[0]
    assert list(found.placement) == ["best", "consecutive", "scattered", "worst"]
    assert latency(fabric, list(best.hosts), algorithm) == pytest.approx(best.latency_us)
    draws = random.Random(77)
    for _ in range(25):
        order = draws.sample(fabric.hosts, 8)
        assert best.latency_us <= latency(fabric, order, algorithm) + 1e-6
    assert found.latency_us.iloc[3] == found.latency_us.max()


def test_same_seed_gives_the_same_hosts_and_none_that_are_busy():
    given = dict(size=4, busy=["h0", "h3"], bytes=8, tries=20, progress=False)
    first, second = (placement.place(wh.Fabric.from_text("torus:3x3"), **given) for _ in range(2))
    assert first.equals(second)
    assert not {"h0", "h3"} & {host for hosts in first.hosts for host in hosts}


def test_channels_that_are_shared_are_named():
    found = placement.place(wh.Fabric.from_text("mesh:2x2,hosts=4"), 4, bytes="64KiB",
                            algorithm="recursive-doubling", progress=False).set_index("placement")
    assert found.channel["best"] == "" and found.switches["best"] == 1
    assert " to s" in found.channel["worst"] and found.waiting_us["worst"] > 0


@pytest.mark.parametrize("hosts, text", [
    (["n1", "n2", "n3", "n7"], "n[1-3,7]"), (["a9", "a10", "b1"], "a[9-10],b1"),
    (["n08", "n09", "n10"], "n[08-10]"), (["x", "y"], "x,y"), (["n3", "n1"], "n[3,1]")])
def test_nodelist(hosts, text):
    assert placement.nodelist(hosts) == text


def test_command_writes_files_for_launchers(capsys, tmp_path):
    files = [f"--{name}={tmp_path / name}" for name in ("hostlist", "nodelist", "rankfile")]
    assert "consecutive" in passed(capsys, "fabric", "place", "torus:3x3", "--size=3", "--bytes=64",
                                   "--tries=9", *files)
    hosts = (tmp_path / "hostlist").read_text().split()
    assert len(set(hosts)) == 3
    assert (tmp_path / "nodelist").read_text() == placement.nodelist(hosts) + "\n"
    assert (tmp_path / "rankfile").read_text().splitlines()[2] == f"rank 2={hosts[2]} slot=0"


def test_too_many_hosts_are_refused():
    with pytest.raises(WormholeError, match="size=10: expected at most 8, the number of free hosts"):
        placement.place(wh.Fabric.from_text("torus:3x3"), 10, busy=["h1"])
