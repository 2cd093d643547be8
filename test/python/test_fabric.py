# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics: from texts, files and networkx graphs, and back."""

import re

import networkx
import pytest
from conftest import ROOT, cables, noted, refuses, write


def test_networkx_and_back_keeps_every_cable_and_port(wh):
    drawn = wh.Fabric.irregular(16, 32, seed=7)
    again = wh.Fabric.from_networkx(drawn.to_networkx(), ports=8)
    assert cables(again) == cables(drawn)
    assert (again.switches, again.hosts) == (drawn.switches, drawn.hosts)
    members = drawn.hosts[:5]
    assert again.barrier("btin", members).cross() == drawn.barrier("btin", members).cross()


def ring():
    """Returns a ring of four nodes, each with another."""
    graph = networkx.cycle_graph(4)
    graph.add_edges_from((i, f"h{i}") for i in range(4))
    return graph


def test_plain_graph_gets_ports(wh):
    fabric = wh.Fabric.from_networkx(ring())
    assert fabric.hosts == ["h0", "h1", "h2", "h3"] and fabric.switches == ["0", "1", "2", "3"]
    assert len(cables(fabric)) == 8


@pytest.mark.parametrize("name", ["rate", "length", "depth"])
def test_what_looks_as_if_it_counted_is_refused(wh, name):
    for graph in (ring(), networkx.MultiGraph(ring())):
        for given, told in ((graph.nodes["h2"], "node 'h2'"), (graph.graph, "the graph")):
            given[name] = 7
            refuses(f"{told} has {name}=7; use it for", wh.Fabric.from_networkx, graph)
            del given[name]
        graph.add_edge("h2", 2, **{name: "20ns"})
        refuses(f"edge 2 - 'h2' has {name}: '20ns' is not accepted", wh.Fabric.from_networkx, graph)


def test_cables_and_switches_of_their_own(wh, tmp_path):
    graph = networkx.path_graph(3)
    graph.add_edges_from([(0, "h0"), (2, "h1")])
    graph.edges[0, 1].update(rate="100Gbps", length="3m", depth="4KiB")
    graph.edges[1, 2].update(delay="7ns")
    graph.nodes[1]["delay"] = "90ns"
    fabric = wh.Fabric.from_networkx(graph)
    own = {frozenset((a, b)): each for (a, _, b, _), each in zip(fabric.cables(), fabric.owns())}
    assert own[frozenset("01")] == {"rate": "100Gbps", "delay": "15ns", "depth": "4096B"}
    assert own[frozenset("12")] == {"delay": "7ns"} and own[frozenset(("0", "h0"))] == {}
    assert fabric.to_networkx().nodes["1"] == {"kind": "switch", "delay": "90ns"}
    fabric.to_file(tmp_path / "own.json")
    again = [wh.Fabric.from_file(tmp_path / "own.json"), wh.Fabric.from_networkx(fabric.to_networkx())]
    for name in ("graphml", "dot"):
        fabric.write(tmp_path / f"own.{name}")
        again.append(wh.Fabric.read(tmp_path / f"own.{name}"))
    for each in again:
        assert each.owns() == fabric.owns()
        assert each.to_networkx().nodes["1"]["delay"] == "90ns"
    assert "rates, delays and depths are left out" in "".join(noted(fabric.write, tmp_path / "own.anynet")[1])
    graph.nodes[1]["delay"] = "-1ns"
    refuses("'-1ns' is no time", wh.Fabric.from_networkx, graph)


def test_a_variant_keeps_what_its_cables_have(wh, tmp_path):
    whole = wh.Fabric.from_text("mesh:2x2,hosts=1,routing=up-down,rate=10Gbps,uplink-rate=40Gbps,switch-delay=90ns")
    rows = whole.what_if(without=["s0:0-s1:1"], members=[0, 3])
    whole.to_file(tmp_path / "whole.json")
    lines = (tmp_path / "whole.json").read_text().splitlines()
    left = [line for line in lines if not line.startswith('  ["s0", 0, "s1", 1,')]
    assert len(left) == len(lines) - 1
    without = wh.Fabric.from_file(write(tmp_path / "left.json", "\n".join(left)))
    assert without.saturation_bound() == rows.iloc[1]["saturation_bound"] > 0


def test_a_path_in_place_of_a_graph_is_told_what_takes_it(wh):
    refuses(r"'cluster.json' is no ns3::FabricGraph.*Fabric.from_file", wh.Fabric, "cluster.json")


@pytest.mark.filterwarnings("error")
def test_what_is_not_used_is_told(wh):
    graph = ring()
    wh.Fabric.from_networkx(graph)
    wh.Fabric.from_networkx(wh.Fabric.irregular(8, 16).to_networkx(), ports=8)
    graph.add_edge(0, 1, weight=2, colour="red")
    graph.nodes[3]["pos"] = (0, 1)
    with pytest.warns(UserWarning) as told:
        wh.Fabric.from_networkx(graph)
    assert len(told) == 1 and told[0].filename == __file__
    assert str(told[0].message).startswith("not used: 'colour' of edges, 'pos' of nodes, 'weight' of edges; ")


def test_file_and_back(wh, tmp_path):
    path = tmp_path / "fabric.json"
    given = wh.Fabric.from_file(ROOT / "data/moh-figure-1.json")
    given.to_file(path)
    assert cables(wh.Fabric.from_file(path)) == cables(given)


@pytest.mark.parametrize("text", ["clos:down=8x4,up=1,cables=8", "torus:4x4,hosts=2", "kary-tree:k=2,n=3",
                                  "dragonfly:a=4,h=2,g=3", "full:6,hosts=2", "mesh:4x4",
                                  "irregular:switches=8,hosts=20"])
def test_text_file_and_networkx_mean_the_same(wh, tmp_path, text):
    path = tmp_path / "fabric.json"
    made = wh.Fabric.from_text(text)
    made.to_file(path)
    fabrics = [made, wh.Fabric.from_file(path), wh.Fabric.from_text(str(path)),
               wh.Fabric.from_networkx(made.to_networkx(), ports=made.graph.GetNPorts(0))]
    assert len({each.barrier("dissemination").cross() for each in fabrics}) == 1
    for each in fabrics:
        each.check()
        assert each.bundles() == made.bundles()


def test_cables_used_are_told(wh):
    text = "clos:down=8x4,up=1,cables=8"
    assert "8 parallel cables: 8 of each used" in wh.Fabric.from_text(text).bundles()
    assert "8 parallel cables: 1 of each used" in wh.Fabric.from_text(text + ",spread=first").bundles()
    free = wh.Fabric.from_text(text, routing="up-down[Spread=first|FreeLanes=2]")
    assert "8 parallel cables: 1 of each used" in free.bundles()
    assert wh.Fabric.from_text("torus:4x4").bundles() == ""


def test_family_brings_its_routes(wh):
    torus = wh.Fabric.from_text("torus:4x4")
    torus.check()
    assert len(torus.hosts) == 16 and len(cables(torus)) == 48


def test_same_seed_same_fabric(wh):
    first, second, other = (cables(wh.Fabric.irregular(16, 32, seed=seed)) for seed in (3, 3, 4))
    assert first == second != other


def test_attributes_reach_the_parts(wh):
    fast = wh.Fabric.irregular(16, 32).barrier("unicast", [0, 20]).cross()
    slow = wh.Fabric.irregular(16, 32, attributes={"ns3::WormholeSwitch::Delay": "2us"})
    assert slow.barrier("unicast", [0, 20]).cross() > fast + 3


@pytest.mark.parametrize("given, told", [
    ({"switches": 10, "hosts": 1000}, "1000 hosts on 10 switches"), ({"switches": -1, "hosts": 8}, "switches=-1"),
    ({"seed": 0}, "seed=0"), ({"law": "wlak"}, "law 'wlak': expected recursive, walk or pairing"),
    ({"root": "s99"}, "root 's99': expected first, degree, center, or the name of a switch"),
    ({"attributes": {"ns3::WormholeChannel::Delay": "soon"}}, "'soon' is no time"),
    ({"attributes": {"ns3::WormholePort::Depth": 1}}, "ns3::WormholePort has no attribute Depth"),
    ({"attributes": {"ns3::Node::Id": 1}}, "ns3::Node::Id can be read only"),
    ({"attributes": {"ns3::PcapFileWrapper::CaptureSize": 1}},
     "ns3::PcapFileWrapper::CaptureSize: expected attributes of ns3::WormholeFabric")])
def test_bad_drawings_are_refused_with_the_message_of_cpp(wh, given, told):
    refuses(re.escape(told), wh.Fabric.irregular, **{"switches": 8, "hosts": 16, **given})


@pytest.mark.parametrize("ask, told", [
    (lambda wh: wh.Fabric.from_text("torsu:4x4"), "there is no family 'torsu'; there are clos"),
    (lambda wh: wh.Fabric.from_file("/nowhere"), "/nowhere: No such file or directory: expected a file"),
    (lambda wh: wh.Fabric.irregular(8, 16).host("h99"), "'h99' is no node"),
    (lambda wh: wh.Fabric.irregular(8, 16).group([16]), "0 to 15"),
    (lambda wh: wh.Fabric.irregular(8, 16).group(17), "1 to 16"),
    (lambda wh: wh.Fabric.from_networkx(networkx.DiGraph([(0, 1)])), "has none back"),
    (lambda wh: wh.Fabric.from_networkx(networkx.Graph([("s", "t")])),
     "host s is cabled to host t: expected a cable to a switch"),
    (lambda wh: wh.Fabric.from_networkx(networkx.star_graph(9), ports=4), "4 ports"),
    (lambda wh: wh.set_default("ns3::WormholePort::BufferDepth", -1),
     "BufferDepth=-1: expected a whole number from 0 to 268435455"),
    (lambda wh: wh.set_default("WormholePort::Depth", 1), "has no attribute Depth"),
    (lambda wh: wh.Fabric.from_text("torus:4x4", attributes={"WormholeFabric::DataRate": 100}),
     "DataRate=100: expected a rate such as"),
    (lambda wh: wh.Fabric.from_text("torus:4x4", attributes={"HostSoftware": "300ns"}),
     "expected CLASS::NAME=VALUE"),
    (lambda wh: wh.Fabric.from_networkx(networkx.Graph()), "a graph without nodes is no fabric"),
    (lambda wh: wh.ns.CollectiveHelper.MakeBarrier("btin").SetAttribute(
        "Operaton", wh.ns.StringValue("ADD")), "did you mean Operation"),
    (lambda wh: wh.set_default("ns3::WormholePort::Nothing", 1),
     "ns3::WormholePort has no attribute Nothing"),
    (lambda wh: wh.time("7 flits"), "'7 flits' is no time: give a number and a unit"),
    (lambda wh: wh.time(7), "7 is no time; expected a text with a unit"),
])
def test_bad_input_is_refused_with_the_message_of_cpp(wh, ask, told):
    refuses(re.escape(told), ask, wh)


def test_single_worms_are_replayed(wh):
    """(h + 1)(tau + p) + h t_r + (L - 1) tau of a lone worm; one behind it waits; a ring blocks itself.
    Buffers cover the round trip, tau + 2 p + t_r."""
    links = [("a", 0, "s0", 0), ("s0", 1, "s1", 1), ("s1", 0, "b", 0)]
    route = [("a", 0), ("s0", 1), ("s1", 0)]
    run = wh.replay(links, [("0ns", 100, route), ("0ns", 10, route)], flit_time="1ns", link_delay="5ns",
                    switch_delay="50ns", depth=61)
    assert run.arrived_us == pytest.approx([(3 * 6 + 2 * 50 + 99) / 1000, (3 * 6 + 2 * 50 + 109) / 1000])
    assert not run.blocked and not run.deadlock
    ring = [(f"s{i}", 0, f"s{(i + 1) % 4}", 1) for i in range(4)] + [(f"h{i}", 0, f"s{i}", 2) for i in range(4)]
    worms = [("0ns", 1000, [(f"h{i}", 0), (f"s{i}", 0), (f"s{(i + 1) % 4}", 0), (f"s{(i + 2) % 4}", 2)])
             for i in range(4)]
    run = wh.replay(ring, worms)
    assert run.blocked == [0, 1, 2, 3] and run.deadlock and run.arrived_us[0] != run.arrived_us[0]
    assert not wh.replay(ring, worms, depth=2000).blocked
    refuses("", wh.replay, links, [("0ns", 10, [("a", 0), ("s0", 7)])])
