# SPDX-License-Identifier: GPL-2.0-only
"""Routes that take several lanes, and computers of several interfaces."""

import json
import re

import networkx
import pytest
from conftest import call, noted, passed, refused, refuses, write

import ns3_wormhole as wormhole
from ns3_wormhole.core.loader import printed


def said(wh, fabric):
    """Returns what a fabric's attributes say of lanes in the simulation."""
    found = []
    for name, kind in (("Lanes", wh.ns.UintegerValue), ("Priorities", wh.ns.StringValue), ("Grant", wh.ns.StringValue)):
        value = kind()
        fabric.domain.GetFabric().GetAttribute(name, value)
        found.append(str(value.Get()))
    return tuple(found)


@pytest.mark.parametrize("text, routing, lanes", [
    ("torus:4x4,hosts=2", "dateline", 2), ("torus:4x4,hosts=2", "turn-prohibition[Lanes=4]", 4),
    ("dragonfly:a=4,h=2,hosts=2", "dragonfly-minimal", 2), ("irregular:switches=16,hosts=40", "lash", 0),
    ("irregular:switches=16,hosts=40", "dfsssp", 0)])
def test_routes_of_several_lanes_bring_them(wh, text, routing, lanes):
    fabric = wh.Fabric.from_text(text, routing=routing)
    fabric.check()
    count, priorities, grant = said(wh, fabric)
    assert int(count) == (lanes or fabric.router().GetNLanes()) > 1
    assert (priorities, grant) == ("", "worm")
    assert fabric.barrier("btin").cross() > 0
    assert fabric.barrier("dissemination", 8).cross() > 0


def test_a_comparison_tells_of_shallow_lanes(capsys):
    asked = ["compare", "--topology=torus:4", "--group-sizes=3", "--names=ring", "--bytes=64KiB", "--no-check"]
    for more, is_told in (([], False), (["--routing=dateline"], True),
                          (["--routing=dateline", "--attribute=WormholePort::BufferDepth=4096"], False)):
        assert ("The routes take several lanes" in call(capsys, *asked, *more)[1]) == is_told


def test_a_drawn_fabric_takes_dfsssp(wh):
    fabric = wh.Fabric.irregular(switches=16, hosts=40, routing="dfsssp")
    assert int(said(wh, fabric)[0]) == fabric.router().GetNLanes() > 1
    assert fabric.saturation_bound() > wh.Fabric.irregular(switches=16, hosts=40).saturation_bound()


def test_files_and_graphs_keep_lanes(wh, tmp_path):
    made = wh.Fabric.from_text("torus:4x4,lanes=2,priorities=1+0,grant=worm,routing=dateline")
    graph = made.to_networkx()
    assert {key: graph.graph[key] for key in ("lanes", "priorities", "grant")} \
        == {"lanes": "2", "priorities": "1+0", "grant": "worm"}
    again = [made, wh.Fabric.from_networkx(graph)]
    for name in ("json", "graphml", "dot"):
        made.write(tmp_path / f"lanes.{name}")
        again.append(wh.Fabric.read(tmp_path / f"lanes.{name}"))
    for fabric in again:
        assert said(wh, fabric) == ("2", "1,0", "worm")
    text = (tmp_path / "lanes.json").read_text()
    assert '"lanes": 2' in text and '"priorities": [1, 0]' in text and '"grant": "worm"' in text
    assert "anynet holds no lanes" in noted(made.write, tmp_path / "lanes.anynet")[1]
    assert "lanes" not in wh.Fabric.from_text("torus:4x4").to_networkx().graph


def test_a_variant_keeps_lanes(wh):
    text = "irregular:switches=8,hosts=16,routing=turn-prohibition[Lanes=2],lanes=3,grant=worm"
    rows = wh.Fabric.from_text(text).what_if(without=["s0"], members=8)
    assert len(rows) == 2 and (rows["btin_us"] > 0).all()


@pytest.mark.parametrize("given, told", [
    ({"lanes": 2}, "lanes: 2 without grant worm; expected 1, or grant worm"),
    ({"lanes": 300, "grant": "worm"}, "lanes: '300' is not accepted; expected whole numbers from 1"),
    ({"grant": "frame"}, "grant: 'frame' is not accepted; expected flit or worm"),
    ({"priorities": "0+1"}, "expected one for each of 1")])
def test_lanes_that_cannot_be_are_refused(wh, given, told):
    graph = wh.Fabric.from_text("mesh:2x2").to_networkx()
    graph.graph.update(given)
    refuses(re.escape(told), wh.Fabric.from_networkx, graph)
    entries = "".join(f',{name}={value}' for name, value in given.items())
    refuses(re.escape(told), wh.Fabric.from_text, f"mesh:2x2{entries}")


def test_the_command_makes_files_with_lanes(wh, capsys, tmp_path):
    path = tmp_path / "lanes.json"
    assert call(capsys, "fabric", "make", str(path), "--topology=torus:4x4", "--lanes=2",
                "--priorities=0+5", "--grant=worm")[0] == 0
    assert said(wh, wh.Fabric.from_file(path)) == ("2", "0,5", "worm")
    error = refused(capsys, "fabric", "make", path, "--switches=8", "--hosts=16", "--lanes=2")
    assert "expected 1, or grant worm" in error


def replay(wh, tmp_path, **changed):
    """Returns what becomes of two long worms to one host, in a case of one switch."""
    case = {"flit_time": 1000, "link_delay": 1000, "switch_delay": 1000, "depth": 64,
            "hosts": ["h0", "h1", "h2"], "links": [[f"h{i}", 0, "s0", i] for i in range(3)],
            "lanes": 2, "priorities": [0, 1], "grant": "worm",
            "worms": [{"time": time, "flits": 50, "root": f"h{host}",
                       "tree": {f"h{host}": [[0, lane]], "s0": [[2, lane]]}}
                      for time, host, lane in ((0, 0, 0), (10, 0, 0), (20, 1, 1))], **changed}
    read = wh.ns.ReadWormCase(str(write(tmp_path / "case.json", case)))
    return json.loads(printed(wh.ns.PrintReplay, read, wh.ns.ExplainWorms(read)))["worms"]


def test_worms_go_by_the_priority_of_their_lanes(wh, tmp_path):
    first, second, third = replay(wh, tmp_path)
    assert "s0:2:1" in third["legs"] and "s0:2:0" in first["legs"]
    # The second one asked before the third, in a lane of lower priority.
    assert first["delivered"]["h2"] < third["delivered"]["h2"] < second["delivered"]["h2"]
    turn = [each for each in second["explained"]["h2"] if each["cause"] == "turn"]
    assert [(each["place"], each["lane"], each["other"], each["note"]) for each in turn] \
        == [("s0:2", 0, "worm 2", "lane 1 has a higher priority")]
    assert [turn[0]["from_ps"], turn[0]["to_ps"]] == third["legs"]["s0:2:1"]
    first, second, third = replay(wh, tmp_path, priorities=[1, 0])
    assert first["delivered"]["h2"] < second["delivered"]["h2"] < third["delivered"]["h2"]


def test_the_reason_that_lasts_longest_is_told(wh, tmp_path):
    lines = [(0, 50, "h0", 0, {"s0": 3, "s1": 0}), (0, 41, "h4", 0, {"s1": 0}),
             (1000, 50, "h1", 0, {"s0": 3, "s1": 1}), (2000, 40, "h2", 1, {"s0": 3, "s1": 2})]
    worms = replay(wh, tmp_path, hosts=[f"h{i}" for i in range(6)], priorities=[0, 0],
                   links=[[f"h{i}", 0, f"s{i // 3}", i % 3] for i in range(6)] + [["s0", 3, "s1", 3]],
                   worms=[{"time": time, "flits": flits, "root": root,
                           "tree": {root: [[0, lane]],
                                    **{node: [[port, lane]] for node, port in ways.items()}}}
                          for time, flits, root, lane, ways in lines])
    waits = [(each["from_ps"], each["to_ps"], each["cause"], each["lane"], each["other"])
             for each in worms[2]["explained"]["h4"] if each["place"] == "s0:3" and "other" in each]
    # Worm 0 leaves the output at 53,000 ps, but its 36th flit leaves the next buffer at 79,000 ps only.
    assert waits == [(4000, 53000, "credit", 0, "worm 0"), (53000, 93000, "output", 0, "worm 3")]


@pytest.mark.parametrize("changed, told", [
    ({"grant": "flit"}, "are several: expected 1, or grant worm"),
    ({"priorities": [0]}, "are of 1 lanes: expected one for each of 2"),
    ({"depth": 49}, "but grant is worm: expected up to 49 flits")])
def test_worms_that_lanes_do_not_take_are_refused(wh, tmp_path, changed, told):
    with pytest.raises(wh.WormholeError, match=re.escape(told)), wh.translated():
        replay(wh, tmp_path, **changed)


def test_attributes_give_lanes(wh):
    fabric = wh.Fabric.irregular(8, 16, attributes={"WormholeFabric::Lanes": 3, "WormholeFabric::Grant": "worm"})
    assert said(wh, fabric) == ("3", "", "worm")
    refused = wh.Fabric.irregular(8, 16, attributes={"WormholeFabric::Lanes": 3})
    refuses("Grant is flit; expected one lane", refused.barrier, "btin")


# Two switches, a rail each; a and b have both, c the first alone.
RAILS = {"hosts": ["a", "b", "c", "a2", "b2"],
         "interfaces": [["a", "a2"], ["b", "b2"]],
         "links": [["r1", 0, "r2", 0], ["a", 0, "r1", 1], ["b", 0, "r1", 2], ["c", 0, "r1", 3],
                   ["a2", 0, "r2", 1], ["b2", 0, "r2", 2]]}


@pytest.fixture(name="fabric")
def make(tmp_path):
    return wormhole.Fabric.from_file(write(tmp_path / "rails.json", RAILS))


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
    refuses("interface_of", wormhole.Fabric.from_networkx, graph)


def test_groups_are_of_first_interfaces(fabric):
    assert fabric.group() == [0, 1, 2]
    assert sorted(fabric.group(3)) == [0, 1, 2]
    refuses("further interface of a", fabric.barrier, "dissemination", ["a", "a2"])


def test_show_counts_computers(tmp_path, capsys):
    told = passed(capsys, "fabric", "show", write(tmp_path / "rails.json", RAILS))
    assert "2 switches, 5 hosts (interfaces of 3 computers), 1 cable" in told


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
    rows = fabric.what_if(["r1:1-a:0", "r2:1-a2:0", "r2"], (), ["dissemination"]).set_index("variant")
    assert rows.loc["without r1:1-a:0", "cut_off_hosts"].split() == ["a"]
    assert rows.loc["without r2", "cut_off_hosts"].split() == ["a2", "b2"]
    assert set(rows["members"]) == {3}
    # Two rails that are parted: that of more computers stays.
    parted = fabric.what_if(["r1:0-r2:0"], (), ["dissemination"]).set_index("variant")
    assert parted.loc["without r1:0-r2:0", "cut_off_hosts"].split() == ["a2", "b2"]


def test_what_if_computers_go_on_by_the_interface_that_is_left(fabric, tmp_path):
    for part, less in (
            ("r1:1-a:0", {"hosts": ["b", "c", "a2", "b2"], "interfaces": [["b", "b2"]],
                          "links": [link for link in RAILS["links"] if link[0] != "a"]}),
            ("r1", {"hosts": ["a2", "b2"], "links": RAILS["links"][4:]})):
        written_without = wormhole.Fabric.from_file(write(tmp_path / "less.json", less)).what_if().iloc[0]
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
        refuses("host a2 is a further interface of a; expected a,", asked)
    refuses("members=4: expected .* 1 to 3", wormhole.osu.measure, fabric, "barrier", members=4)
