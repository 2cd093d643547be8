# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics in formats of other programs, read and written."""

import csv
import io
import json
import random
import re
import time

import format_writers as writers
import networkx
import pytest
from conftest import cables, call, noted, passed, refused, refuses, write
from ns3_wormhole.formats.properties import further_interfaces

FAMILIES = ["clos:down=4x4,up=2,cables=2", "torus:4x4,hosts=2", "torus:2x4", "kary-tree:k=2,n=3",
            "dragonfly:a=4,h=2,g=3", "irregular:switches=12,hosts=30,parallel=yes", "full:5,hosts=2",
            "clos:ports=8,levels=2,spread=first", "torus:3x3,routing=dimension-order",
            "irregular:switches=8,hosts=20,root=center"]
pytestmark = pytest.mark.filterwarnings("ignore")  # but where a test says otherwise
ONE_CABLE = "this format has no number of cables; one from each switch to each child is taken"


def told(fabric):
    """What a fabric is, to be compared."""
    routes = fabric.graph.GetRoutes()
    rows = [line for line in fabric.to_networkx().nodes(data="routes")] \
        if str(routes.routing) == "table" else []
    return (fabric.switches, fabric.hosts, sorted(fabric.cables()),
            [str(getattr(routes, key)) for key in ("routing", "root", "spread", "family")], rows,
            fabric.graph.GetNPorts(0))


def joined(cables):
    """How many cables join each two nodes."""
    return sorted(sorted((a, b)) for a, _, b, _ in cables)


@pytest.mark.parametrize("text", FAMILIES)
@pytest.mark.parametrize("format", ["graphml", "dot"])
@pytest.mark.filterwarnings("error")
def test_graphs_out_and_in_again_are_the_same(wh_quick, tmp_path, text, format):
    made = wh_quick.Fabric.from_text(text)
    path = tmp_path / f"fabric.{format}"
    made.write(path)
    again = wh_quick.Fabric.read(path)
    assert told(again) == told(made)
    again.write(tmp_path / "again", format)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    json_path = tmp_path / "fabric.json"
    again.write(json_path)
    made.to_file(tmp_path / "made.json")
    assert json_path.read_bytes() == (tmp_path / "made.json").read_bytes()


@pytest.mark.parametrize("format", ["graphml", "dot"])
def test_names_of_any_kind_are_kept(wh_quick, tmp_path, format):
    graph = networkx.MultiGraph()
    names = ['a "b"', "graph", "<c> & d", "é -- ü; {1}", "-3.5x", "\\n b", "]"]
    for i, name in enumerate(names):
        graph.add_edge(name, names[(i + 1) % len(names)])
        graph.add_edge(name, f"h'{i}, {name}")
    made = wh_quick.Fabric.from_networkx(graph)
    made.write(tmp_path / "names", format)
    assert told(wh_quick.Fabric.read(tmp_path / "names")) == told(made)


def test_dot_refuses_names_that_it_cannot_hold(wh_quick, tmp_path):
    fabric = wh_quick.Fabric.from_networkx(networkx.Graph([("s\\", "a"), ("s\\", "b")]))
    refuses("expected another name, or GraphML", fabric.write, tmp_path / "x.dot")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", FAMILIES[:6])
def test_networkx_reads_what_is_written_and_the_other_way(wh_quick, tmp_path, text):
    made = wh_quick.Fabric.from_text(text)
    made.write(tmp_path / "a.graphml")
    assert told(wh_quick.Fabric.from_networkx(networkx.read_graphml(tmp_path / "a.graphml"))) \
        == told(made)
    graph = made.to_networkx()
    for _, _, given in graph.edges(data=True):
        given["ports"] = json.dumps(given["ports"])
    del graph.graph["name"]
    networkx.write_graphml(graph, tmp_path / "b.graphml")
    networkx.write_gml(graph, tmp_path / "b.gml")
    for name in ("b.graphml", "b.gml"):
        again = wh_quick.Fabric.read(tmp_path / name)
        assert cables(again) == cables(made), name
        assert (again.switches, again.hosts) == (made.switches, made.hosts)


@pytest.mark.parametrize("text", FAMILIES)
@pytest.mark.filterwarnings("error")
def test_ibnetdiscover(wh_quick, tmp_path, text):
    made = wh_quick.Fabric.from_text(text)
    path = write(tmp_path / "subnet", writers.ibnetdiscover(made))
    refuses("; of fabrics, ns3-wormhole fabric import reads other formats", wh_quick.Fabric.from_file, path)
    read = wh_quick.Fabric.read(path)
    assert {each["rate"] for each in read.owns()} == {"100Gbps"}
    # Ports of switches are from 1 on.
    assert cables(read) == {frozenset(((a, i + (a not in made.hosts)), (b, k + (b not in made.hosts))))
                            for a, i, b, k in made.cables()}
    assert (read.switches, read.hosts) == (made.switches, made.hosts)
    read.check()


@pytest.mark.parametrize("text", FAMILIES)
@pytest.mark.parametrize("brief", [False, True])
def test_forwarding_tables(wh_quick, tmp_path, text, brief):
    made = wh_quick.Fabric.from_text(text)
    table = writers.spanning_table(made)
    subnet, lfts = writers.write_subnet(tmp_path, made, table, brief)
    read = wh_quick.Fabric.read(subnet, routes=lfts)
    read.check()
    assert str(read.graph.GetRoutes().routing) == "table"
    graph = read.to_networkx()
    for name in made.switches:
        ports = ["-" if port is None else str(port + 1) for port in table[name].values()]
        assert graph.nodes[name]["routes"].split() == ports
    for format in ("json", "graphml", "dot"):
        read.write(tmp_path / "again", format)
        assert told(wh_quick.Fabric.read(tmp_path / "again", format)) == told(read), format
    assert told(wh_quick.Fabric.from_networkx(graph)) == told(read)
    members = made.hosts[:5]
    for name in ("dissemination", "btin", "multicast"):
        assert read.barrier(name, members).cross() > 0
    assert read.broadcast("multicast", members).cross() > 0


@pytest.mark.parametrize("size", [(1, 3), (9, 20), (40, 64)])
@pytest.mark.parametrize("format, printer", [("slurm", writers.topology_conf), ("slurm-yaml", writers.topology_yaml)])
def test_slurm(wh_quick, tmp_path, size, format, printer):
    shape = writers.Shape(*size)
    path = write(tmp_path / "topology", printer(shape))
    read, notes = noted(wh_quick.Fabric.read, path)
    assert notes == [f"{path}: {ONE_CABLE}"] * (len(shape.switches) > 1)
    assert sorted(read.switches) == sorted(shape.switches)
    assert sorted(read.hosts) == sorted(shape.hosts)
    assert joined(read.cables()) == joined(shape.cables())
    assert told(wh_quick.Fabric.read(path, format)) == told(read)
    read.check()


def test_slurm_says_that_speeds_are_not_used(wh_quick, tmp_path):
    path = write(tmp_path / "topology.conf", writers.topology_conf(writers.Shape(3, 4), " LinkSpeed=100"))
    with pytest.warns(UserWarning, match=r"LinkSpeed \(100\) is not used") as warned:
        wh_quick.Fabric.read(path)
    assert len(warned) == 2 and {each.filename for each in warned} == {__file__}


def test_slurm_says_what_is_listed_twice(wh_quick, tmp_path):
    path = write(tmp_path / "topology.conf", "SwitchName=top Switches=leaf1,leaf[1-2]\n"
                                             "SwitchName=leaf1 Nodes=a[1-2]\nSwitchName=leaf2 Nodes=b[1-2],b2,b2\n")
    read, notes = noted(wh_quick.Fabric.read, path, "slurm")
    assert notes == [f"{path}: {ONE_CABLE}", f"{path}: names that a list has twice, which are taken once: "
                                             "line 1: leaf1; line 3: b2"]
    assert len(read.cables()) == 6


@pytest.mark.parametrize("text", FAMILIES)
def test_anynet(wh_quick, tmp_path, text):
    made = wh_quick.Fabric.from_text(text)
    path = tmp_path / "fabric.anynet"
    with pytest.warns(UserWarning, match="anynet holds"):
        made.write(path)
    read = wh_quick.Fabric.read(path)
    pairs = joined(made.cables())
    assert joined(read.cables()) == [pair for i, pair in enumerate(pairs) if pair not in pairs[:i]]
    assert (read.switches, read.hosts) == (made.switches, made.hosts)


def test_anynet_of_both_forms(wh_quick, tmp_path):
    path = write(tmp_path / "net", "router 0 node 0 router 1 15 node 1\nnode 2 router 1\n"
                                   "router 1 router 0 15\nrouter 2 router 0 router 1 3\n")
    read, (note,) = noted(wh_quick.Fabric.read, path)
    assert "latencies differ (1, 3, 15) and are not used" in note
    assert joined(read.cables()) == [["h0", "s0"], ["h1", "s0"], ["h2", "s1"], ["s0", "s1"], ["s0", "s2"], ["s1", "s2"]]


def test_routes_are_those_that_worms_take(wh_quick, tmp_path):
    made = wh_quick.Fabric.from_text("clos:down=4x4,up=2,cables=2")
    path = tmp_path / "routes.csv"
    made.write(path)
    ends = writers.far_ends(made)
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    assert len(rows) == len(made.hosts) * (len(made.hosts) - 1)
    assert len({(row["source"], row["destination"]) for row in rows}) == len(rows)
    for row in rows:
        node = ends[row["source"], 0][0]
        hops = row["path"].split(" -> ")
        assert int(row["channels"]) == len(hops) + 1
        for hop in hops:
            name, port = hop.split(":")
            assert name == node
            node = ends[node, int(port)][0]
        assert node == row["destination"]
    # Behind the cable that joins the ends of a ring, a worm is in the second lane.
    wh_quick.Fabric.from_text("torus:6,routing=dateline").write(path)
    paths = {(row["source"], row["destination"]): row for row in csv.DictReader(io.StringIO(path.read_text()))}
    assert paths["h4", "h1"]["path"].split(" -> ")[:-1] == ["s4:0", "s5:0", "s0:0 lane 1"]
    assert paths["h4", "h1"]["channels"] == "5"


def test_ports_of_one_adapter_are_hosts(wh_quick, tmp_path):
    text = writers.ibnetdiscover(wh_quick.Fabric.from_text("torus:3,hosts=2"), adapters=[["h0", "h2"], ["h1", "h5"]])
    read = wh_quick.Fabric.read(write(tmp_path / "subnet", text))
    assert read.hosts == ["h0-HCA-1:1", "h0-HCA-1:2", "h1-HCA-1:1", "h1-HCA-1:2", "h3", "h4"]


@pytest.mark.parametrize("text, renamed, names, note", [
    # Ports of one computer are told.
    ("torus:3,hosts=2", {"h0 HCA-1": "n7 mlx5_0", "h3 HCA-1": "n7 mlx5_1"}, ".* n7-mlx5_1 .*",
     "computers of several ports: 1, each port of them a host, as n7-mlx5_0, n7-mlx5_1; expected to import"),
    # What is no host is left out.
    ("torus:3,hosts=2", {"h1 HCA-1": "Mellanox Technologies Aggregation Node"}, "h0 h2 h3 h4 h5 s0 s1 s2",
     "left out: aggregation nodes (1), which are no hosts"),
    # Managed switches have their short names, but not chips of a large one, which share it.
    ("torus:4", {"s0": "MF0;ib-17:MQM8700/U1", "s1": "MF0;ib-18:MQM8700/U1", "s2": "MF0;big:CS7500/L01/U1",
                 "s3": "MF0;big:CS7500/S01/U1"},
     "h0 h1 h2 h3 MF0;big:CS7500/L01/U1 MF0;big:CS7500/S01/U1 ib-17 ib-18", ""),
    # Equal descriptions become GUIDs.
    ("torus:3", dict.fromkeys(("s0", "s1", "s2"), "SwitchIB Mellanox Technologies"),
     "h0 h1 h2( S-[0-9a-f]{16}){3}", "")], ids=["computer", "aggregation", "managed", "equal"])
def test_nodes_are_named_by_their_descriptions(wh_quick, tmp_path, text, renamed, names, note):
    found = writers.ibnetdiscover(wh_quick.Fabric.from_text(text))
    for name, other in renamed.items():
        found = found.replace(f'"{name}"', f'"{other}"')
    read, notes = noted(wh_quick.Fabric.read, write(tmp_path / "subnet", found))
    assert re.fullmatch(names, " ".join([*sorted(read.hosts), *sorted(read.switches)]))
    assert note in "\n".join(notes)


@pytest.mark.parametrize("with_tables", [False, True])
def test_ports_of_one_computer_as_interfaces(wh_quick, tmp_path, capsys, with_tables):
    made = wh_quick.Fabric.from_text("clos:ports=4,levels=2")
    text = writers.ibnetdiscover(made)
    for name, told in (("h1", "a1 mlx5_0"), ("h5", "a1 mlx5_1"), ("h3", "b HCA-2"), ("h2", "b HCA-1")):
        text = text.replace(f'"{name} HCA-1"', f'"{told}"')
    subnet, out = write(tmp_path / "subnet", text), tmp_path / "cluster.json"
    routes = write(tmp_path / "lfts", writers.dump_lfts(made, writers.spanning_table(made))) \
        if with_tables else None
    read = wh_quick.Fabric.read(subnet, routes=routes, interfaces=True)
    assert read.hosts == ["a1-mlx5_0", "b-HCA-1", "h0", "h4", "h6", "h7", "a1-mlx5_1", "b-HCA-2"]
    assert further_interfaces(read.graph) == {6: 0, 7: 1}
    alone = wh_quick.Fabric.read(subnet, routes=routes)
    paths = {}
    for name, fabric in (("alone", alone), ("grouped", read)):
        fabric.write(tmp_path / name, "routes")
        with open(tmp_path / name, encoding="utf-8") as file:
            paths[name] = {(row["source"], row["destination"]): row["path"] for row in csv.DictReader(file)}
    assert len(paths["alone"]) == 56
    if with_tables:
        assert paths["grouped"] == paths["alone"]
    status, told, err = call(capsys, "fabric", "import", subnet, "--interfaces", f"--out={out}")
    assert status == 0 and "8 hosts (interfaces of 6 computers)" in told
    assert err.startswith("ns3-wormhole: a fat tree: routing fat-tree, ") and err.count("\n") == 1
    refuses("interfaces with format slurm: expected", wh_quick.Fabric.read, subnet, "slurm", interfaces=True)


def test_links_have_their_speeds(wh_quick, tmp_path):
    text = writers.ibnetdiscover(wh_quick.Fabric.from_text("torus:3,hosts=2"), speed=lambda end:
                                 "4xHDR" if end[0] == "h1" else "4xEDR")
    read = wh_quick.Fabric.read(write(tmp_path / "subnet", text))
    rates = {frozenset((a, b)): own["rate"] for (a, _, b, _), own in zip(read.cables(), read.owns())}
    of_h1 = [rate for ends, rate in rates.items() if "h1" in ends]
    assert of_h1 == ["200Gbps"]
    assert sorted(rates.values()) == 8 * ["100Gbps"] + of_h1


def test_rates_are_written_in_the_largest_unit_that_fits(wh_quick, tmp_path):
    again = tmp_path / "again.json"
    rates = {"400Gbps": "400Gbps", "12500Mbps": "12500Mbps", "2.5Gbps": "2500Mbps",
             "50MB/s": "400Mbps", "54545454bps": "54545454bps"}
    hosts = [f"h{i}" for i in range(len(rates))]
    made = wh_quick.Fabric.from_file(write(tmp_path / "rates.json", {"hosts": hosts, "links": [
        [host, 0, "s", i, {"rate": rate}] for i, (host, rate) in enumerate(zip(hosts, rates))]}))
    assert [own["rate"] for own in made.owns()] == list(rates.values())
    made.to_file(again)
    assert wh_quick.Fabric.from_file(again).owns() == made.owns()
    assert [link[4]["rate"] for link in json.loads(again.read_text(encoding="utf-8"))["links"]] \
        == list(rates.values())


def test_a_files_rate_is_what_an_attribute_is(wh_quick, tmp_path):
    """All algorithms, those that plan by the fabric's times too, take as long."""
    made = wh_quick.Fabric.from_text("clos:down=4x4,up=2,cables=2")
    flit = {"ns3::WormholeFabric::FlitSize": 16}
    read = wh_quick.Fabric.read(write(tmp_path / "subnet", writers.ibnetdiscover(made)), attributes=flit)
    bare = write(tmp_path / "bare", writers.ibnetdiscover(made).replace(" 4xEDR", ""))
    told = wh_quick.Fabric.read(bare, attributes={**flit, "ns3::WormholeFabric::DataRate": "100Gbps"})
    assert not any(told.owns()) and all(read.owns())
    for kind in ("barrier", "broadcast"):
        columns = ["algorithm", "latency_us", "setup_us", "refused"]
        frames = [wh_quick.studies.algorithms(fabric=each, kind=kind, group_sizes=[9])[columns]
                  for each in (read, told)]
        assert frames[0].equals(frames[1])


def test_a_credit_loop_is_refused_with_its_cycle(wh_quick, tmp_path, capsys):
    made = wh_quick.Fabric.from_text("torus:4")
    table = writers.ring_table(made)
    subnet, lfts = writers.write_subnet(tmp_path, made, table)
    ports = [table[name][made.hosts[(i + 2) % 4]] + 1 for i, name in enumerate(made.switches)]
    cycle = " -> ".join(f"s{i % 4}:{ports[i % 4]}" for i in range(5))
    assert cycle in refuses(f"^{lfts}:1: ", wh_quick.Fabric.read, subnet, routes=lfts)
    out = tmp_path / "out.json"
    assert cycle in refused(capsys, "fabric", "import", subnet, f"--routes={lfts}", f"--out={out}")
    assert not out.exists()


@pytest.mark.parametrize("change, line, part", [
    ("SL2VL table: Lid 1", 1, "left out: tables from service levels to virtual lanes (1)"),
    ("Multicast mlids [0xc000-0xc3ff] of switch Lid 5 guid 0x1 (s):", 1, "left out: tables of multicast"),
    ("0x0005 02 : (Channel Adapter)", 4, "is no entry"),
    ("0x0005 000 : (Channel Adapter)", 4, "port 0 is the switch itself"),
    ("0x0006 003 : (Channel Adapter)", 5, "the LID is in this table twice"),
    ("what is that", 1, "lfts (1), the first in line 4: 'what is that'"),
    ("Unicast lids of", 4, "is no head of a table"),
    ("Unicast lids [0x0-0x8] of switch Lid 9 guid 0x0000000000000009 (s9):", 1, "left out: tables of no switch"),
    ("0x0005 009 : (Channel Adapter)", 4, "routes to h0: s0 has no port 9"),
    ("0x0005 255 : (illegal port)", 1, "routes to h0: s0 has no port for it"),
])
def test_wrong_tables(wh_quick, tmp_path, change, line, part):
    subnet, lfts = writers.write_subnet(tmp_path, wh_quick.Fabric.from_text("torus:4"))
    lines = lfts.read_text().split("\n")
    del lines[3]  # the switch itself
    assert lines[3].startswith("0x0005")
    lines[3] = change
    write(lfts, "\n".join(each for each in lines if "valid" not in each))
    assert part in refuses(f"^{lfts}:{line}: ", wh_quick.Fabric.read, subnet, routes=lfts)


@pytest.mark.parametrize("size", [1, 61, 1000])
def test_tables_are_read_in_blocks(wh_quick, tmp_path, monkeypatch, size):
    from ns3_wormhole.formats import lfts as reader
    from ns3_wormhole.formats import texts
    subnet, lfts = writers.write_subnet(tmp_path, wh_quick.Fabric.from_text("torus:4"))
    text = lfts.read_text()
    plain = wh_quick.Fabric.read(subnet, routes=lfts)
    monkeypatch.setattr(reader, "read_blocks", lambda path: texts.read_blocks(path, size))
    for form in (text, text.rstrip("\n"), text + "\n\n", text.replace("\n", "\r\n")):
        assert told(wh_quick.Fabric.read(subnet, routes=write(lfts, form))) == told(plain)
    lines = text.split("\n")
    heads = [i for i, each in enumerate(lines) if each.startswith("Unicast")]
    last = heads[-1]  # its entries begin three lines below

    def put(line, *entries):
        return [*lines[:line], *entries, *lines[line + 1:]]

    own, entry = lines[last + 3][:6], lines[last + 5]
    for wrong, begin in ((put(last + 5, entry[:9]), f"{last + 6}: '{entry[:9]}' is no entry"),
                         (put(last + 5, lines[last + 4]), f"{last + 6}: '{entry[:4]}"),
                         (put(last + 5, f"{entry[:7]}000"), f"{last + 6}: '{entry[:7]}000': port 0"),
                         (put(last + 5, f"{entry[:7]}063"), f"{last + 6}: routes to h1: s3 has no port"),
                         (put(last + 5, f"{own} 255"), f"{last + 1}: routes to h1: s3 has no port for"),
                         (put(heads[1], ""), f"{heads[1] + 5}: '{lines[4][:7]}"),
                         (put(0, ""), "4: an entry before any switch"),
                         (put(last + 5), f"{len(lines) - 2}: 5 valid LIDs, but the table above has 4"),
                         ([], "1: there is no table")):
        told_of = refuses("", wh_quick.Fabric.read, subnet, routes=write(lfts, "\n".join(wrong)))
        assert told_of.startswith(f"{lfts}:{begin}")


def test_lids_of_no_node_are_noted(wh_quick, tmp_path):
    subnet, lfts = writers.write_subnet(tmp_path, wh_quick.Fabric.from_text("torus:3"))
    text = lfts.read_text().replace(": 's0')", ": 's0')\n0x0102 003\n0x0101 003\n0x0100 255", 1)
    text = "\n".join(each for each in text.split("\n") if "valid" not in each)
    _, notes = noted(wh_quick.Fabric.read, subnet, routes=write(lfts, text))
    assert notes == [f"{lfts}: passed over: 2 LIDs of no host or switch, the first 0x0101"]


def test_other_forms_of_the_same_subnet(wh_quick, tmp_path):
    subnet, lfts = writers.write_subnet(tmp_path, wh_quick.Fabric.from_text("torus:3x3"))
    plain = wh_quick.Fabric.read(subnet, routes=lfts)
    text, tables = subnet.read_text(), lfts.read_text()
    text = text.replace("\t", "    ").replace("vendid", "Non-Chassis Nodes\n\nvendid", 1)
    text = re.sub(r'^(\[\d+\])( +"S-[0-9a-f]+"\[\d+\])', r"\1[ext 3]\2[ext 12]", text, flags=re.M)
    text = "ibwarn: [7] sim_connect: attached\n" + text.replace("\n", "\r\n")
    tables = re.sub(r"switch Lid \d+ (guid \w+) \((.*)\)", r"switch DR path slid 0; dlid 0; 0,1 \1 ('\2')", tables)
    tables = re.sub(r" : \((.*)\)", r" # \1", tables).replace("valid lids", "lids")
    assert told(wh_quick.Fabric.read(write(subnet, text), routes=write(lfts, tables))) == told(plain)


@pytest.mark.parametrize("format, text", [
    ("slurm-yaml", "[" * 100_000), ("slurm-yaml", "a: " + "{" * 100_000),
    ("slurm-yaml", "- &a\n  tree: *a"), ("slurm", "SwitchName=a Nodes=" + "n[" * 50_000),
    ("slurm", "SwitchName=a Nodes=n[1-300][1-300][1-300]"), ("gml", "graph [" + " a [" * 50_000),
    ("dot", "graph {" + "{" * 50_000), ("graphml", "<a>" * 50_000), ("anynet", "router 0 " * 50_000)])
def test_what_is_too_deep_or_long_is_refused(wh_quick, tmp_path, format, text):
    refuses(r"deep:[12]: .*expected", wh_quick.Fabric.read, write(tmp_path / "deep", text), format)


@pytest.mark.parametrize("name, text, line, part", [
    ("a.dot", "digraph {\n a -> b }", 2, "the arc from 'a' to 'b' has none back"),
    ("a.dot", "graph {\n s -- a;\n s -- b [rate=3];\n}", 3, "rate: '3' is not accepted; expected a data rate"),
    ("a.dot", "graph {\n s -- a;\n s -- b [tail_port=0];\n t -- s [head_port=0]; t--c}", 4,
     "port 0 of 's' is taken by the cable in line 3"),
    ("a.dot", "graph {\n s -- a; s -- d;\n t -- b; t -- c}", 3, "can't be reached"),
    ("a.dot", "graph {\n s -- a\n s -> b }", 3, "a directed edge"),
    ("a.dot", "graph {\n s -- a\n s -- b", 3, "'the end' is no name"),
    ("a.gv", "graph { s [kind=router];\n s -- a; s -- b }", 1, "kind='router'; expected"),
    ("a.gv", "graph { routing=table; s -- a;\n s -- b }", 1, "routes to a: s has no port"),
    ("a.gv", "graph { routing=tables; s -- a;\n s -- b }", 1,
     "routing 'tables' follows the rule of no family; expected"),
    ("a.gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ] ]", 3, "'2' is no id"),
    ("a.gml", "graph [\n directed 1 node [ id 1 ]\n edge [ source 1 target 1 ] ]", 3, "has none back"),
    ("a.gml", "graph [\n node [ id 1 ] ~", 2, "is no GML"),
    ("a.gml", "graph [\n node [ id ] ]", 2, "is no value of 'id'"),
    ("a.graphml", "<graphml>\n<graph edgedefault='undirected'>\n<node/></graph></graphml>", 3,
     "<node> has no id"),
    ("a.graphml", "<graphml>\n<graph edgedefault='both'/></graphml>", 2, "expected undirected or directed"),
    ("a.graphml", "<graphml>\n<graph", 2, "expected XML"),
    ("a.graphml", "<!DOCTYPE graphml [\n<!ENTITY a 'b'>]><graphml/>", 1, "a document type"),
    ("topology.conf", "SwitchName=a Nodes=n[1-2]\nBlockName=b Nodes=n3", 0, "a topology of blocks"),
    ("topology.conf", "SwitchName=a Nodes=n[1-2]\nSwitchName=b Switches=c", 2, "'c' is no switch"),
    ("topology.conf", "SwitchName=a Nodes=n[1-2]\nSwitchName=b Switches=a Nodes=n2", 2,
     "'n2' is the name of a host in line 1"),
    ("topology.conf", "SwitchName=a Nodes=n[1-2", 1, "unbalanced brackets; expected"),
    ("topology.conf", "SwitchName=a Nodes=n[1-999999999]", 1, "expected names as"),
    ("t.yaml", "- topology: a\n  tree:\n    switches:\n      - nodes: a", 4, "a switch with nodes"),
    ("t.yaml", "- topology: a\n  block: 3", 1, "there is no tree"),
    ("t.yaml", "- topology: [a\n  block: 3", 2, "expected YAML"),
    ("t.yaml", "- !!python/object:os.system x", 1, "expected key: value"),
    ("t.anynet", "router 0 node 0\nrouter 1 node 0 router 0", 2, "node 0 is at router 0 in line 1"),
    ("t.anynet", "router 0 node 0\nrouter 0 router", 2, "'router' has no number"),
    ("t.anynet", "router 0 node 0\nroute 0", 2, "'route' instead of router or node"),
])
def test_wrong_lines_are_refused_with_their_number(wh_quick, tmp_path, capsys, name, text, line, part):
    format = "slurm" if name == "topology.conf" else None
    line = line or 2
    path = write(tmp_path / name, text)
    assert part in refuses(f"^{path}:{line}: ", wh_quick.Fabric.read, path, format)
    out = tmp_path / "out.json"
    assert part in refused(capsys, "fabric", "import", path, f"--out={out}", *([f"--from={format}"] if format else []))
    assert not out.exists() and [each.name for each in tmp_path.iterdir()] == [name]


def mutated(random_one, text):
    lines = text.split("\n")
    for _ in range(random_one.randint(1, 3)):
        at, other = (random_one.randrange(len(lines)) for _ in range(2))
        line, words = lines[at], lines[at].split(" ")
        place, number = random_one.randint(0, len(line)), str(random_one.choice([0, 1, 7, 99, 70000]))
        before, behind = lines[:at], lines[at + 1:]
        lines = random_one.choice((
            before + behind,
            lines[:other] + [line] + lines[other:],
            before + [line[:place]] + behind,
            before + [lines[other]] + behind[:-1] + [line],
            before + [re.sub(r"\d+", number, line, count=1)] + behind,
            before + [line[:place] + random_one.choice('"[]{}<>=#-;\\\0é\t&') + line[place + 1:]] + behind,
            before + [" ".join(random_one.sample(words, len(words)))] + behind,
            before + [line])) or [""]
    return "\n".join(lines)


def samples(wh, tmp_path):
    made = wh.Fabric.from_text("torus:3x3,hosts=2")
    shape = writers.Shape(9, 20)
    found = {"ibnetdiscover": writers.ibnetdiscover(made), "gml": writers.graph_gml(made),
             "slurm": writers.topology_conf(shape), "slurm-yaml": writers.topology_yaml(shape),
             "lfts": writers.dump_lfts(made, writers.spanning_table(made))}
    for format in ("graphml", "dot", "anynet"):
        made.write(tmp_path / "sample", format)
        found[format] = (tmp_path / "sample").read_text(encoding="utf-8")
    return found


def test_mutated_files_are_read_or_refused_in_one_line(wh_quick, tmp_path):
    texts = samples(wh_quick, tmp_path)
    subnet = write(tmp_path / "subnet", texts["ibnetdiscover"])
    refused = dict.fromkeys(texts, 0)
    for format, text in texts.items():
        random_one = random.Random(f"formats {format}")
        for i in range(200):
            path = write(tmp_path / "mutated", mutated(random_one, text))
            try:
                if format == "lfts":
                    wh_quick.Fabric.read(subnet, routes=path)
                else:
                    wh_quick.Fabric.read(path, format)
            except wh_quick.WormholeError as error:
                refused[format] += 1
                assert re.match(rf"{re.escape(str(path))}:[1-9]\d*: \S", str(error)), (i, str(error))
                assert "\n" not in str(error) and re.search("expected|there are", str(error)), str(error)
    assert min(refused.values()) > 50, refused


def test_formats_are_guessed_where_they_are_certain(wh_quick, tmp_path):
    from ns3_wormhole import formats
    texts = samples(wh_quick, tmp_path)
    del texts["lfts"]
    for format, text in texts.items():
        assert formats.guess(str(write(tmp_path / "unnamed", text))) == format
    wh_quick.Fabric.from_text("torus:3").to_file(tmp_path / "unnamed")
    assert formats.guess(str(tmp_path / "unnamed")) == "json"
    refuses("unnamed: its format is not certain", wh_quick.Fabric.read, write(tmp_path / "unnamed", "what is this?"))


def test_import_and_export_by_command(wh_quick, capsys, tmp_path):
    subnet, lfts = writers.write_subnet(tmp_path, wh_quick.Fabric.from_text("clos:down=4x4,up=2,cables=2"))
    out = tmp_path / "cluster.json"
    text = passed(capsys, "fabric", "import", subnet, f"--routes={lfts}", f"--out={out}")
    assert text.startswith(f"{out}: 6 switches, 16 hosts, 16 cables between")
    assert call(capsys, "fabric", "check", out)[1].startswith("6 switches, 16 hosts")
    text = passed(capsys, "fabric", "export", out, "--to=graphml")
    again = tmp_path / "again.json"
    graphml = write(tmp_path / "x.graphml", text)
    assert call(capsys, "fabric", "import", graphml, f"--out={again}")[0] == 0
    # GraphML has the rate of all cables at each of them.
    first, second = (wh_quick.Fabric.from_file(path) for path in (out, again))
    assert told(first) == told(second) and first.owns() == second.owns() != []
    status, text, err = call(capsys, "fabric", "export", out, "--to=anynet")
    assert status == 0 and text.startswith("router 0 ") and err.count("\n") == 3
    assert "8 parallel cables are left out" in err
    assert len(passed(capsys, "fabric", "export", "torus:3", "--to=routes").splitlines()) == 7
    for arguments, part in ((["export", out, "--to=dott"], "did you mean dot?"),
                            (["import", subnet, "--from=slrm"], "did you mean slurm"),
                            (["import", graphml, f"--routes={lfts}"], "expected forwarding tables"),
                            (["import", tmp_path / "none"], "No such file or directory")):
        assert part in refused(capsys, "fabric", *arguments, *(
            [f"--out={tmp_path / 'never'}"] if arguments[0] == "import" else []))
    assert not (tmp_path / "never").exists()


def test_large_files_take_seconds(wh_quick, tmp_path):
    """2,000 switches with 2,000 hosts and 16,000 cables, in trees 2,000; prints CPU seconds."""
    shape, tree = writers.Shape(2000, 2000, 6), writers.Shape(2000, 8000)
    path = tmp_path / "large"
    seconds = {}

    def measure(name, *arguments, **named):
        start = time.process_time()
        read = wh_quick.Fabric.read(*arguments, **named)
        seconds[name] = round(time.process_time() - start, 2)
        return read

    read = measure("ibnetdiscover", write(path, writers.ibnetdiscover(shape)))
    for format in ("graphml", "dot", "anynet"):
        read.write(path, format)
        assert len(measure(format, path, format).switches) == 2000
    measure("gml", write(path, writers.graph_gml(shape)), "gml")
    measure("slurm", write(path, writers.topology_conf(tree)), "slurm")
    measure("slurm-yaml", write(path, writers.topology_yaml(tree)), "slurm-yaml")
    subnet, lfts = writers.write_subnet(tmp_path, shape)
    measure("ibnetdiscover with tables", subnet, routes=lfts)
    print(seconds)
    assert max(seconds.values()) < 60
