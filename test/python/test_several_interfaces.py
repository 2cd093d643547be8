# SPDX-License-Identifier: GPL-2.0-only
"""Computers of several interfaces: formats, networkx, what-if, groups and refusals."""

import json

import networkx
import pytest

import ns3_wormhole as wormhole
from ns3_wormhole import cli, options

# Two switches, a rail each; a and b have both, c the first alone.
RAILS = {"hosts": ["a", "b", "c", "a2", "b2"],
         "interfaces": [["a", "a2"], ["b", "b2"]],
         "links": [["r1", 0, "r2", 0], ["a", 0, "r1", 1], ["b", 0, "r1", 2], ["c", 0, "r1", 3],
                   ["a2", 0, "r2", 1], ["b2", 0, "r2", 2]]}


@pytest.fixture(name="fabric")
def make(tmp_path):
    path = tmp_path / "rails.json"
    path.write_text(json.dumps(RAILS), encoding="utf-8")
    return wormhole.Fabric.from_file(path)


def written(fabric, tmp_path):
    path = tmp_path / "again.json"
    fabric.to_file(path)
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("format", ["graphml", "dot"])
def test_formats_keep_interfaces(fabric, tmp_path, format):
    path = tmp_path / f"rails.{format}"
    fabric.write(path, format)
    assert written(wormhole.Fabric.read(path, format), tmp_path) == written(fabric, tmp_path)
    assert written(fabric, tmp_path)["interfaces"] == RAILS["interfaces"]


def test_networkx_keeps_interfaces(fabric, tmp_path):
    graph = fabric.to_networkx()
    assert dict(graph.nodes(data="interface_of"))["a2"] == "a"
    assert written(wormhole.Fabric.from_networkx(graph), tmp_path) == written(fabric, tmp_path)
    # Wherever further interfaces stand, they get the last numbers.
    mixed = networkx.Graph()
    mixed.add_nodes_from([("x2", {"interface_of": "x"}), "x", "y"])
    mixed.add_edges_from([("x2", "s"), ("x", "s"), ("y", "s")])
    assert wormhole.Fabric.from_networkx(mixed).hosts == ["x", "y", "x2"]


def test_anynet_tells(fabric, tmp_path):
    with pytest.warns(UserWarning, match="several interfaces"):
        fabric.write(tmp_path / "rails.anynet", "anynet")


@pytest.mark.parametrize("of", ["x2", "nobody", "s"])
def test_networkx_refuses(of):
    graph = networkx.Graph([("x2", "s"), ("x", "s"), ("y", "s")])
    graph.nodes["x2"]["interface_of"] = of
    with pytest.raises(wormhole.WormholeError, match="interface_of"):
        wormhole.Fabric.from_networkx(graph)


def test_groups_are_of_first_interfaces(fabric):
    assert fabric.group() == [0, 1, 2]
    assert sorted(fabric.group(3)) == [0, 1, 2]
    with pytest.raises(wormhole.WormholeError, match="further interface of a"):
        fabric.barrier("dissemination", ["a", "a2"])


def test_show_counts_computers(tmp_path, capsys):
    path = tmp_path / "rails.json"
    path.write_text(json.dumps(RAILS), encoding="utf-8")
    assert options.run(cli.app, "ns3-wormhole", ["fabric", "show", str(path)]) == 0
    assert "2 switches, 5 hosts (interfaces of 3 computers), 1 cable" in capsys.readouterr().out


def test_rule_matters(fabric):
    """Two messages of one computer occupy its interface one after the other, or two at once."""
    took = {}
    for rule in ("first", "round-robin"):
        wormhole.reset()
        ruled = fabric.with_attributes({"ns3::HostSoftware::InterfaceRule": rule,
                                        "ns3::HostSoftware::InterfaceSendTime": "10us",
                                        "ns3::HostSoftware::StartUp": "1us"})
        took[rule] = ruled.broadcast("tree[Tree=sequential]", ["a", "c", "b"]).cross()
    # The second message asks at 2 us: it waits until 11 us, or for none.
    assert took["first"] - took["round-robin"] == pytest.approx(9, abs=1)


def test_what_if(fabric):
    table = fabric.what_if(["r1:1-a:0", "r2:1-a2:0", "r2"], (), ["dissemination"])
    rows = table.set_index("variant")
    assert rows.loc["without r1:1-a:0", "cut_off_hosts"].split() == ["a"]
    assert rows.loc["without r2", "cut_off_hosts"].split() == ["a2", "b2"]
    assert set(rows["members"]) == {3}
    # Two rails that are parted: that of more computers stays.
    parted = fabric.what_if(["r1:0-r2:0"], (), ["dissemination"]).set_index("variant")
    assert parted.loc["without r1:0-r2:0", "cut_off_hosts"].split() == ["a2", "b2"]


def test_what_if_computers_go_on_by_the_interface_that_is_left(fabric, tmp_path):
    """The row is that of the fabric written without what is gone: further interfaces are last."""
    for part, less in (
            ("r1:1-a:0", {"hosts": ["b", "c", "a2", "b2"], "interfaces": [["b", "b2"]],
                          "links": [link for link in RAILS["links"] if link[0] != "a"]}),
            ("r1", {"hosts": ["a2", "b2"], "links": RAILS["links"][4:]})):
        path = tmp_path / "less.json"
        path.write_text(json.dumps(less), encoding="utf-8")
        written_without = wormhole.Fabric.from_file(path).what_if().iloc[0]
        row = fabric.what_if(part).iloc[1]
        assert row.members == len(less["hosts"]) - len(less.get("interfaces", []))
        assert not row.refused
        for figure in ("members", "height", "saturation_bound", "btin_us", "dissemination_us"):
            assert row[figure] == written_without[figure], (part, figure)
    chosen = fabric.what_if("r1", members=["a", "c"]).iloc[1]
    assert chosen.members == 1 and "fewer than two members" in chosen.refused


def test_further_interfaces_are_no_members(fabric):
    for asked in (lambda: fabric.barrier("btin", ["c", "a2"]),
                  lambda: wormhole.osu.measure(fabric, "latency", [8], hosts="c,a2"),
                  lambda: fabric.what_if("r2", members="a2,c")):
        with pytest.raises(wormhole.WormholeError, match="host a2 is a further interface of a; "
                                                         "expected a,"):
            asked()
    with pytest.raises(wormhole.WormholeError, match="members=4: expected .* 1 to 3"):
        wormhole.osu.measure(fabric, "barrier", members=4)
