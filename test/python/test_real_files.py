# SPDX-License-Identifier: GPL-2.0-only
"""Files as the tools of clusters print them, with what stands beside, and what contradicts itself."""

import re
import time

import format_writers as writers
import networkx
import pytest
from conftest import call, noted, refuses, write
from ns3_wormhole import formats
from ns3_wormhole.formats import signs


def read(wh, path, *arguments, **named):
    """A fabric, and its notes without the path."""
    made, notes = noted(wh.Fabric.read, path, *arguments, **named)
    return made, [note.removeprefix(f"{path}: ") for note in notes]


def refused(wh, path, *arguments, **named):
    return refuses(f"^{path}:.*expected", read, wh, path, *arguments, **named).removeprefix(f"{path}:")


SUBNET = """Switch\t4 "S-00000000000000b1"\t\t# "leaf b1" base port 0 lid 1 lmc 0
[1]\t"H-00000000000000d1"[1](d1) \t\t# "m1 HCA-1" lid 3 4xEDR
[2]\t"S-00000000000000b2"[2]\t\t# "leaf b2" lid 2 4xEDR
[3]\t"S-00000000000000b2"[3]\t\t# "leaf b2" lid 2 4xEDR

Switch\t4 "S-00000000000000b2"\t\t# "leaf b2" base port 0 lid 2 lmc 0
[1]\t"H-00000000000000d2"[1](d2) \t\t# "m2 HCA-1" lid 4 4xEDR
[2]\t"S-00000000000000b1"[2]\t\t# "leaf b1" lid 1 4xEDR
[3]\t"S-00000000000000b1"[3]\t\t# "leaf b1" lid 1 4xEDR

Ca\t1 "H-00000000000000d1"\t\t# "m1 HCA-1"
[1](d1) \t"S-00000000000000b1"[1]\t\t# lid 3 lmc 0 "leaf b1" lid 1 4xEDR

Ca\t1 "H-00000000000000d2"\t\t# "m2 HCA-1"
[1](d2) \t"S-00000000000000b2"[1]\t\t# lid 4 lmc 0 "leaf b2" lid 2 4xEDR
"""
PLAIN = [("leaf-b1", 2, "leaf-b2", 2), ("leaf-b1", 3, "leaf-b2", 3), ("m1", 0, "leaf-b1", 1), ("m2", 0, "leaf-b2", 1)]
# As OpenSM 3.3.23 writes it: decimal LIDs in the head, all LIDs up to the highest in the last line.
OPENSM = """Unicast lids [0-4] of switch Lid 1 guid 0x00000000000000b1 ('leaf b1'):
0x0001 000 # Switch portguid 0x00000000000000b1: 'leaf b1'
0x0002 002 # Switch portguid 0x00000000000000b2: 'leaf b2'
0x0003 001 # Channel Adapter portguid 0x00000000000000d1: 'm1 HCA-1'
0x0004 003 # Channel Adapter portguid 0x00000000000000d2: 'm2 HCA-1'
4 lids dumped
Unicast lids [0-4] of switch Lid 2 guid 0x00000000000000b2 ('leaf b2'):
0x0001 002 # Switch portguid 0x00000000000000b1: 'leaf b1'
0x0002 000 # Switch portguid 0x00000000000000b2: 'leaf b2'
0x0003 003 # Channel Adapter portguid 0x00000000000000d1: 'm1 HCA-1'
0x0004 001 # unknown node and type
4 lids dumped
"""


def told_cables(fabric):
    hosts = set(fabric.hosts)
    return sorted((a, i, b, k) if a in hosts or b not in hosts and a < b else (b, k, a, i)
                  for a, i, b, k in fabric.cables())


@pytest.fixture
def subnet(tmp_path):
    return write(tmp_path / "subnet.txt", SUBNET)


@pytest.fixture
def notes_of(wh_quick, tmp_path):
    """A function that reads a text as ibnetdiscover's, checks that it has SUBNET's cables, and returns its notes."""
    def read_plain(text, **named):
        made, notes = read(wh_quick, write(tmp_path / "subnet", text), **named)
        assert told_cables(made) == PLAIN
        return notes
    return read_plain


def test_the_plain_subnet(notes_of):
    assert notes_of(SUBNET) == []


@pytest.mark.parametrize("noise", [
    "[admin@head ~]$ ibnetdiscover\n", "root@head:~# ibnetdiscover -s\n", "head> ibnetdiscover\n",
    "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,3 Attr 0x11:0) bad status 110; timed out\n",
    "ibwarn: [33] _do_madrpc: recv failed: Connection timed out\n",
    'DR path slid 0; dlid 0; 0,1 -> new remote switch {00000000000000b2} portnum 2 lid 2-2 "leaf b2"\n',
    "Mon Jan  5 10:00:00 CET 2026\n", "+ ibnetdiscover\n", "Script started on 2026-01-05\n", "mlx5_0 1\n",
    "#\n# Topology file: generated on Mon Jan  5 10:00:00 2026\n#\n", "\ufeff", "Hostname: x\n"])
@pytest.mark.parametrize("place", ["before", "between", "behind", "everywhere"])
def test_what_stands_beside_is_left_out_and_counted(notes_of, noise, place):
    lines = SUBNET.splitlines(keepends=True)
    if noise == "\ufeff":
        text = noise + SUBNET
    else:
        at = {"before": [0], "between": [2], "behind": [len(lines)], "everywhere": [0, 2, 7, len(lines)]}
        for number in reversed(at[place]):
            lines.insert(number, noise)
        text = "".join(lines)
    notes = notes_of(text)
    if noise[0] in "#\ufeffH":
        assert notes == []
    else:
        number = 4 if place == "everywhere" else 1
        assert [note.startswith(f"left out: lines that are none of ibnetdiscover's ({number}), the first "
                                "in line ") for note in notes] == [True], notes
    notes_of(text.replace("\n", "\r\n"))


@pytest.mark.parametrize("change", [lambda text: text.encode("utf-16"), lambda text: ("\ufeff" + text).encode("utf-16-be"),
                                    lambda text: text.replace("\n", "\r").encode()])
def test_other_forms_of_texts(wh_quick, tmp_path, notes_of, change):
    assert notes_of(change(SUBNET)) == []
    made, notes = read(wh_quick, write(tmp_path / "conf", change("SwitchName=a Nodes=n[1-3]\n")))
    assert made.hosts == ["n1", "n2", "n3"] and notes == []


def test_several_lids_a_port_say_nothing_of_cables(wh_quick, tmp_path, notes_of):
    text = SUBNET.replace("# lid 3 lmc 0", "# lid 4 lmc 1").replace("# lid 4 lmc 0", "# lid 6 lmc 1").replace(
        '"m1 HCA-1" lid 3', '"m1 HCA-1" lid 4').replace('"m2 HCA-1" lid 4', '"m2 HCA-1" lid 6')
    assert notes_of(text) == ["ports of several LIDs (LMC above 0): 2; routes are those to the first of each"]
    # Tables have a line for each of them; dump_fts calls the further ones paths.
    tables = re.sub("0x000([34])", lambda found: "0x000" + {"3": "4", "4": "6"}[found[1]], OPENSM)
    tables = tables.replace("4 lids", "0x0005 001 : (path #2 out of 2: portguid 0xd1)\n4 lids")
    routed, notes = read(wh_quick, tmp_path / "subnet", routes=write(tmp_path / "lfts", tables))
    assert len(notes) == 1 and "LMC" in notes[0]
    assert str(routed.graph.GetRoutes().routing) == "table"


def test_a_loop_back_cable_is_left_out(wh_quick, tmp_path, notes_of):
    text = SUBNET.replace("\nSwitch\t4 \"S-00000000000000b2\"",
                          '[4]\t"S-00000000000000b1"[4]\t\t# "leaf b1" lid 1 4xEDR\n\nSwitch\t4 "S-00000000000000b2"')
    (note,) = notes_of(text)
    assert "cables left out" in note
    pair = SUBNET + 'Ca\t2 "H-00000000000000da"\t\t# "m3 HCA-1"\n' + "".join(
        f'[{i}](da{i}) \t"H-00000000000000da"[{3 - i}](da{3 - i})\t\t# lid {7 + i} lmc 0 "m3" lid {10 - i} 4xEDR\n'
        for i in (1, 2))
    assert notes_of(pair)[1:] == ["left out: hosts that are cabled to no switch (2), the first in line 16: 'm3-HCA-1:1'"]
    notes_of(pair, interfaces=True)
    text = SUBNET.replace("Switch\t4", "Switch\t6").replace(
        "\nSwitch", '[5]\t"S-00000000000000b1"[6]\t\t# "leaf b1" lid 1 4xEDR\n'
        '[6]\t"S-00000000000000b1"[5]\t\t# "leaf b1" lid 1 4xEDR\n\nSwitch', 1)
    assert notes_of(text) == ["left out: loop-back cables (1), the first in line 5: 'leaf-b1:5 - leaf-b1:6'"]
    for name, text in (("a.gml", "graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 ] "
                                 "edge [ source 0 target 2 ] edge [ source 0 target 0 ] ]"),
                       ("a.dot", "graph { s -- a; s -- b; s -- s }"), ("a.anynet", "router 0 node 0 node 1 router 0")):
        made, notes = read(wh_quick, write(tmp_path / name, text))
        assert len(made.hosts) == 2 and "left out: loop-back cables (1), the first in line 1" in notes[0]


@pytest.mark.parametrize("speed, rate, gbit, picoseconds", [
    ("4xFDR", "~54545454545bps", 54.545, 9387), ("1xFDR", "~13636363636bps", 13.636, 37547),
    ("12xQDR", "~96Gbps", 96, 5333), ("4xEDR", "100Gbps", 100, 0), ("4xHDR", "200Gbps", 200, 0),
    ("2xHDR", "100Gbps", 100, 0), ("4xNDR", "400Gbps", 400, 0), ("4xXDR", "800Gbps", 800, 0),
    ("8xXDR", "1600Gbps", 1600, 0), ("4xQDR", "32Gbps", 32, 0), ("4xDDR", "16Gbps", 16, 0),
    ("4xSDR", "8Gbps", 8, 0), ("1xSDR", "2Gbps", 2, 0), ("4xFDR10", "40Gbps", 40, 0)])
def test_links_have_the_nearest_flit_time(wh_quick, tmp_path, speed, rate, gbit, picoseconds):
    path = write(tmp_path / "subnet", SUBNET.replace("4xEDR", speed))
    made, notes = read(wh_quick, path)
    assert {own["rate"] for own in made.owns()} == {rate}
    if picoseconds:
        found = re.fullmatch(rf"{speed} \(4 cables\) is ([\d.]+) Gbit/s, which no whole flit time has; the "
                             r"nearest is taken, as (\d+) ps for 64 bytes \(error (.*?)\) or .*", notes[0])
        assert float(found[1]) == gbit and int(found[2]) == picoseconds and float(found[3]) < 1e-4
    else:
        assert notes == []
    for size, attributes in ((1, {}), (64, {"ns3::WormholeFabric::FlitSize": 64})):
        fabric = wh_quick.Fabric.read(path, attributes=attributes) if not picoseconds else \
            read(wh_quick, path, attributes=attributes)[0]
        took = [fabric.broadcast("tree", ["m1", "m2"], bytes=size << 20).cross() for size in (1, 2)]
        assert took[1] - took[0] == pytest.approx((1 << 20) * 8e-3 / gbit, rel=5e-3 if size == 1 else 1e-4)
    made.to_file(tmp_path / "again.json")
    assert wh_quick.Fabric.from_file(tmp_path / "again.json").owns() == made.owns()
    for format in ("graphml", "dot"):
        made.write(tmp_path / f"again.{format}")
        assert read(wh_quick, tmp_path / f"again.{format}")[0].owns() == made.owns()


def test_a_rate_that_is_far_off_is_refused(wh_quick, tmp_path):
    path = write(tmp_path / "a.json", {
        "hosts": ["a", "b"], "links": [["a", 0, "s", 0, {"rate": "~2400Gbps"}], ["b", 0, "s", 1]]})
    with pytest.raises(wh_quick.WormholeError, match="more than 1 % off; expected a longer"):
        wh_quick.Fabric.from_file(path).barrier("dissemination", ["a", "b"]).cross()


def test_ends_that_differ_and_slow_cables_are_told(wh_quick, tmp_path):
    slow = SUBNET.replace('[3]\t"S-00000000000000b2"[3]\t\t# "leaf b2" lid 2 4xEDR',
                          '[3]\t"S-00000000000000b2"[3]\t\t# "leaf b2" lid 2 1xEDR')
    beside = "cables slower than those beside them: leaf-b1:3 - leaf-b2:3 has 1xEDR, others 4xEDR"
    for text in (slow, slow.replace("[3]\t\t# \"leaf b1\" lid 1 4xEDR", "[3]\t\t# \"leaf b1\" lid 1 2xEDR")):
        made, notes = read(wh_quick, write(tmp_path / "subnet", text))
        other = "4xEDR" if text == slow else "2xEDR"
        assert notes == ["ends of a cable that differ in speed, of which the slower one is used: leaf-b1:3 - "
                         f"leaf-b2:3 has 1xEDR and {other} (line 4)", beside]
        rates = {(a, i): own["rate"] for (a, i, *_), own in zip(made.cables(), made.owns())}
        assert rates["leaf-b1", 3] == "25Gbps" and sorted(rates.values())[0] == "100Gbps"
    both = slow.replace('[3]\t"S-00000000000000b1"[3]\t\t# "leaf b1" lid 1 4xEDR',
                        '[3]\t"S-00000000000000b1"[3]\t\t# "leaf b1" lid 1 1xEDR')
    assert read(wh_quick, write(tmp_path / "subnet", both))[1] == [beside]
    # At a host's cable, told by the adapter only; and both ends of it.
    ca = SUBNET[:-len('"leaf b2" lid 2 4xEDR\n')] + '"leaf b2" lid 2 1xEDR\n'
    made, notes = read(wh_quick, write(tmp_path / "subnet", ca))
    assert "m2:1 has 4xEDR and 1xEDR" in notes[0] and "cables of one lane, where others" in notes[1]
    unknown = SUBNET.replace('"m1 HCA-1" lid 3 4xEDR', '"m1 HCA-1" lid 3 4x???').replace(
        'lid 3 lmc 0 "leaf b1" lid 1 4xEDR', 'lid 3 lmc 0 "leaf b1" lid 1 ?????')
    made, notes = read(wh_quick, write(tmp_path / "subnet", unknown))
    assert notes == ["cables whose speed is not known: 1; they have the machine's rate, without a machine "
                     "160MB/s"]
    assert sorted(own.get("rate", "") for own in made.owns()) == ["", "100Gbps", "100Gbps", "100Gbps"]


def test_lids_and_ports_that_contradict_are_told(wh_quick, tmp_path, notes_of):
    path = tmp_path / "subnet"
    assert notes_of(SUBNET.replace('# "m1 HCA-1" lid 3', '# "m1 HCA-1" lid 9')) == [
        "LIDs that the ends of a cable tell otherwise; a node's own is used: leaf-b1:1 - m1:1: 3, and 9 in "
        "line 2"]
    twice = SUBNET.replace("# lid 4 lmc 0", "# lid 3 lmc 0").replace('"m2 HCA-1" lid 4', '"m2 HCA-1" lid 3')
    assert "lid 3 is another port's, too" in notes_of(twice)[0]
    assert "lid 3 is another port's" in refused(wh_quick, path, routes=write(tmp_path / "lfts", OPENSM))
    assert "lid 70000 lmc 9; expected" in notes_of(SUBNET.replace("# lid 4 lmc 0", "# lid 70000 lmc 9"))[0]
    assert notes_of(SUBNET.replace('[3]\t"S-00000000000000b1"[3]\t\t# "leaf b1" lid 1 4xEDR\n', "")) == [
        "cables that only one end lists, which are there all the same: leaf b1:3 - leaf b2:3 (line 4)"]
    made, notes = read(wh_quick, write(path, SUBNET.replace('"S-00000000000000b2"[3]', '"S-00000000000000b2"[1]')))
    assert told_cables(made) == [each for each in PLAIN if each[1] != 3]
    assert notes == ["cables left out, since the far end has another one, or none such: leaf b1:3 - leaf b2:1 "
                     "(line 4); leaf b2:3 - leaf b1:3 (line 9)"]
    again = SUBNET + SUBNET[SUBNET.index("Switch\t4 \"S-00000000000000b2"):SUBNET.index("Ca\t")]
    assert notes_of(again)[0].startswith("left out: nodes that are listed again (1)")
    changed = again.rstrip().removesuffix('[3]\t"S-00000000000000b1"[3]\t\t# "leaf b1" lid 1 4xEDR')
    assert "with other cables" in refused(wh_quick, write(path, changed))


def test_what_says_nothing_of_cables_may_be_wrong(notes_of):
    for change in (" base port 0 lid 1 lmc 0", " lid 3 lmc 0"):
        text = SUBNET.replace(change, "")
        assert text != SUBNET and "there is no LID; expected" in notes_of(text)[0]
    line = '[2]\t"S-00000000000000b2"[2]\t\t# "leaf b2" lid 2 4xEDR\n'
    assert "left out: ports that are listed again (1)" in notes_of(SUBNET.replace(line, 2 * line))[0]


def test_tables_as_opensm_and_dump_fts_write_them(wh_quick, subnet, tmp_path):
    lfts = tmp_path / "opensm-lfts.dump"
    made, notes = read(wh_quick, subnet, routes=write(lfts, OPENSM))
    assert notes == [] and made.to_networkx().nodes["leaf-b1"]["routes"] == "1 3"
    fts = OPENSM.replace("[0-4]", "[0x0-0x4]").replace("'leaf b1'", "leaf b1").replace(
        "Lid 2 guid", "DR path slid 65535; dlid 65535; 0,1 guid").replace(" lids dumped", " valid lids dumped ")
    fts = re.sub(r"# (.*)", r": (\1)", fts).replace("):\n", "):\n  Lid  Out   Destination\n       Port     Info \n")
    script = fts + '\n*** WARNING ***: this command has been replaced by dump_fts\n\n\n'
    for text in (OPENSM.replace("\n", "\r\n"), "\ufeff" + OPENSM, fts, script,
                 fts.replace("valid ", ""), OPENSM.replace("[0-4]", "[0x0-0x4]")):
        again, notes = read(wh_quick, subnet, routes=write(lfts, text))
        assert notes == [] and again.to_networkx().nodes["leaf-b1"]["routes"] == "1 3", text
    strange = "Unicast lids [0-4] of switch Lid 9 guid 0x00000000000000ff ('gone'):\n0x0003 000\n0x0003 001\n"
    other = "Multicast mlids [0xc000-0xc00f] of switch Lid 1 guid 0x00000000000000b1 (leaf b1):\n" \
            "     Ports: 0 1 2 3 4\n MLid\n0xc000      x x   \n1 valid mlids dumped \n"
    lanes = 'Switch 0x00000000000000b1, base LID 1, "leaf b1"\n#in out : 0  1\n1   2   : 0  1 \n'
    noise = "[root@head ~]# dump_fts\nibwarn: [2] x\n"
    again, notes = read(wh_quick, subnet, routes=write(lfts, noise + strange + other + OPENSM + lanes))
    assert again.to_networkx().nodes["leaf-b1"]["routes"] == "1 3"
    assert [note.split(", the first")[0] for note in notes] == [
        f"left out: lines of no table in {lfts} (2)", f"left out: tables of no switch of the fabric in {lfts} (1)",
        "left out: tables of multicast groups (1)", "left out: tables from service levels to virtual lanes (1)"]
    refuses("no table of unicast LIDs, but tables of multicast", read, wh_quick, subnet, routes=write(lfts, other))


def test_tables_that_need_lanes_name_an_engine(wh_quick, tmp_path):
    made = wh_quick.Fabric.from_text("torus:4")
    path, lfts = writers.write_subnet(tmp_path, made, writers.ring_table(made))
    told = refuses("these tables need lanes", read, wh_quick, path, routes=lfts)
    read(wh_quick, path)[0].with_routing(re.search(r"fabric check FILE --routing=([\w-]+)\)", told)[1]).check()


ISLANDS = {"conf": "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-5]\n",
           "dot": "graph { a -- n1; a -- n2; b -- n3; b -- n4; b -- n5 }",
           "gml": "graph [ " + " ".join(f'node [ id {i} label "{name}" ]' for i, name in enumerate(
               ["a", "b", "n1", "n2", "n3", "n4", "n5"])) + " " + " ".join(
                   f"edge [ source {a} target {b} ]" for a, b in ((0, 2), (0, 3), (1, 4), (1, 5), (1, 6))) + " ]",
           "anynet": "router 0 node 1 node 2\nrouter 1 node 3 node 4 node 5\n"}


@pytest.mark.parametrize("kind", ISLANDS)
def test_one_of_several_parts(wh_quick, tmp_path, capsys, kind):
    path = write(tmp_path / f"islands.{kind}", ISLANDS[kind])
    a, b, n = ("s0", "s1", "h") if kind == "anynet" else ("a", "b", "n")
    assert f"1 of 1 switch and 3 hosts with '{b}', 2 of 1 switch and 2 hosts with '{a}'" in refused(wh_quick, path)
    for island, switch in ((a, a), (b, b), ("1", b), (2, a), (f"{n}4", b)):
        made, notes = read(wh_quick, path, island=island)
        assert made.switches == [switch] and "left out: 1 other part with 1 switch and " in notes[0]
    for island in ("3", "0", "x", "-1", "9" * 5000, "²"):
        assert len(refuses("is no node and no part; expected 1 to 2", read, wh_quick, path, island=island)) < 400
    status, told, _ = call(capsys, "fabric", "import", path, f"--island={a}", f"--out={tmp_path / 'out.json'}")
    assert status == 0 and told.startswith(f"{tmp_path / 'out.json'}: 1 switch, 2 hosts")


def test_parts_with_tables(wh_quick, tmp_path):
    other = SUBNET.replace("b1", "e1").replace("b2", "e2").replace("d1", "f1").replace("d2", "f2").replace(
        "m1", "k1").replace("m2", "k2")
    path = write(tmp_path / "subnet", SUBNET + "\n" + re.sub(r"lid (\d)", r"lid 1\1", other))
    lfts = write(tmp_path / "lfts", OPENSM + OPENSM.replace("b1", "e1").replace("b2", "e2"))
    made, notes = read(wh_quick, path, routes=lfts, island="m1")
    assert made.hosts == ["m1", "m2"] and made.to_networkx().nodes["leaf-b1"]["routes"] == "1 3"
    assert any("left out: tables of no switch of the fabric" in note for note in notes)


def test_switches_that_no_host_reaches_are_left_out(wh_quick, tmp_path):
    made, notes = read(wh_quick, write(tmp_path / "a.dot", "graph { s -- a; s -- b; t; u -- {v w}; v -- w }"))
    assert made.switches == ["s"]
    assert notes == ["left out: switches that are cabled to no host (4), the first in line 1: 'u'"]


RINGS = {"gml": "graph [ directed 0 " + " ".join(f'node [ id {i} label "r{i}" ]' for i in range(4)) + " ".join(
             f"edge [ source {i} target {(i + 1) % 4} ]" for i in range(3)) + " ]",
         "dot": "graph { r0 -- r1 -- r2 -- r3 }",
         "graphml": '<graphml><graph edgedefault="undirected">' + "".join(f'<node id="r{i}"/>' for i in range(4))
         + "".join(f'<edge source="r{i}" target="r{i + 1}"/>' for i in range(3)) + "</graph></graphml>",
         "conf": "SwitchName=r0 Switches=r1\nSwitchName=r1 Switches=r2\nSwitchName=r2 Switches=r3\nSwitchName=r3\n"}


@pytest.mark.parametrize("kind", RINGS)
def test_hosts_are_added_to_graphs_of_switches(wh_quick, tmp_path, capsys, kind):
    path = write(tmp_path / f"ring.{kind}", RINGS[kind])
    made, notes = read(wh_quick, path, hosts_per_switch=3)
    assert made.switches == ["r0", "r1", "r2", "r3"] and len(made.hosts) == 12
    one = ["this format has no number of cables; one from each switch to each child is taken"]
    assert notes == (one if kind == "conf" else [])
    assert sorted(made.hosts)[:3] == ["r0-h0", "r0-h1", "r0-h2"]
    made.check()
    if kind == "conf":
        assert "--hosts-per-switch=" in refused(wh_quick, path)
    status, told, errors = call(capsys, "fabric", "import", path, "--hosts-per-switch=3", f"--out={tmp_path}/out.json")
    assert status == 0 and "12 hosts" in told and errors.count("\n") == len(notes)
    for number in (0, -1, 4096, 1 << 40):
        refuses("expected a whole number from 1 to", read, wh_quick, path, hosts_per_switch=number)


def test_hosts_are_not_added_where_there_are_some(wh_quick, tmp_path, subnet):
    assert "'m1' is a host; expected hosts per switch where" in refused(wh_quick, subnet, hosts_per_switch=2)
    told = refused(wh_quick, write(tmp_path / "a.dot", "graph { a [kind=host]; s -- a }"), hosts_per_switch=2)
    assert told.startswith("1: 'a' is a host")
    wh_quick.Fabric.from_text("torus:3").to_file(tmp_path / "a.json")
    for named in ({"hosts_per_switch": 2}, {"island": "s0"}):
        refuses("go with files of other programs", read, wh_quick, tmp_path / "a.json", **named)


ARCS = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 0), (0, 2), (2, 0), (0, 2)]


def directed(kind, arcs):
    if kind == "gml":
        return "graph [ directed 1 " + " ".join(f'node [ id {i} label "r{i}" ]' for i in range(3)) + " " + "\n".join(
            f"edge [ source {a} target {b} ]" for a, b in arcs) + " ]"
    if kind == "dot":
        return "digraph {\n" + "\n".join(f"r{a} -> r{b}" for a, b in arcs) + "}"
    return '<graphml><graph edgedefault="directed">' + "".join(f'<node id="r{i}"/>' for i in range(3)) + "\n".join(
        f'<edge source="r{a}" target="r{b}"/>' for a, b in arcs) + "</graph></graphml>"


@pytest.mark.parametrize("kind", ["gml", "dot", "graphml"])
def test_arcs_that_pair_up_are_cables(wh_quick, tmp_path, kind):
    path = tmp_path / f"arcs.{kind}"
    made, notes = read(wh_quick, write(path, directed(kind, ARCS)), hosts_per_switch=1)
    pairs = sorted(tuple(sorted((a, b))) for a, _, b, _ in made.cables() if "h" not in a + b)
    assert pairs == [("r0", "r1"), ("r0", "r2"), ("r0", "r2"), ("r1", "r2")] and notes == []
    told = refused(wh_quick, write(path, directed(kind, ARCS[:-1])), hosts_per_switch=1)
    assert "the arc from 'r2' to 'r0' has none back, as 1 of 7; expected" in told


def test_arcs_of_no_direction_are_cables(wh_quick, tmp_path):
    text = "digraph { edge [dir=none]; a -> s; b -> s [dir=both]; edge [dir=forward]; c -> s; s -> c }"
    made, notes = read(wh_quick, write(tmp_path / "a.dot", text))
    assert made.hosts == ["a", "b", "c"] and notes == []
    assert "has none back" in refused(wh_quick, write(tmp_path / "a.dot", "digraph { a -> s [dir=back] }"))


@pytest.mark.parametrize("number", ["1_0", "²", "٣", "１", " 3", "+3", "0x3", "a"])
def test_lists_of_hosts_have_plain_numbers(wh_quick, tmp_path, number):
    for name, text in (("a.conf", f"SwitchName=s Nodes=m,n[1-{number}]"), ("a.yaml", "- topology: a\n  tree:\n    switches:\n"
                                                                       f"      - switch: s\n        nodes: m,n[1-{number}]")):
        assert "expected" in refused(wh_quick, write(tmp_path / name, text))


def test_arcs_may_name_ports_and_differ(wh_quick, tmp_path):
    text = """digraph { a -> s [tail_port=0, head_port=5]; s -> a [tail_port=5, head_port=0];
      b -> s [head_port=2, rate="100Gbps"]; s -> b [tail_port=2, rate="50Gbps"] }"""
    made, notes = read(wh_quick, write(tmp_path / "arcs.dot", text))
    assert sorted(made.cables()) == [("s", 2, "b", 0), ("s", 5, "a", 0)] and made.hosts == ["a", "b"]
    assert {"rate": "50Gbps"} in made.owns() and "rate of 'b' - 's' is 100Gbps and 50Gbps" in notes[0]
    graph = networkx.DiGraph([("s", "a"), ("a", "s"), ("s", "b"), ("b", "s")])
    made = wh_quick.Fabric.from_networkx(graph)
    assert (made.switches, made.hosts) == (["s"], ["a", "b"])
    graph.remove_edge("a", "s")
    refuses("has none back", wh_quick.Fabric.from_networkx, graph)


def test_nodes_of_one_label_have_their_ids(wh_quick, tmp_path):
    text = 'graph [ node [ id 0 label "?" ] node [ id 1 label "?" ] edge [ source 0 target 1 ] ]'
    made, notes = read(wh_quick, write(tmp_path / "a.gml", text), hosts_per_switch=1)
    assert made.switches == ["?-0", "?-1"] and notes == ["nodes of one label have their ids behind it: ?-0; ?-1"]


NEAR = {
    "blocks.conf": ("BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockSizes=4,8\n", 1, "topology of blocks"),
    "blocks": ("# blocks\nBlockSizes=4\nBlockName=b1 Nodes=n[1-4]\n", 2, "topology of blocks"),
    "scontrol": ("SwitchName=core Level=1 LinkSpeed=1 Nodes=n[1-4] Switches=e[1-2]\n"
                 "SwitchName=e1 Level=0 LinkSpeed=1 Nodes=n[1-2]\n", 1, "'scontrol show topology' prints"),
    "scontrol-blocks": ("BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n", 1, "topology of blocks"),
    "blocks.yaml": ("---\n- topology: b\n  cluster_default: true\n  block:\n    block_sizes: [4]\n", 2,
                    "topology of blocks"),
    "iblinkinfo": ("CA: m1 HCA-1:\n      0x00000000000000d1      2    1[  ] ==( 4X       25.78125 Gbps Active/  "
                   'LinkUp)==>       1    1[  ] "leaf" ( )\n', 1, "iblinkinfo"),
    "iblinkinfo-l": ('0x00000000000000b1 "          leaf"      1    1[  ] ==( 4X       25.78125 Gbps Active/  '
                     'LinkUp)==>  0x00000000000000d1      2    1[  ] "m1" ( )\n', 1, "iblinkinfo"),
    "ports": ("SW     1  1 0x00000000000000b1 4x EDR - CA     2  1 0x00000000000000d1 ( 'leaf' - 'm1' )\n", 1,
              "ibnetdiscover -p"),
    "list": ('Switch\t : 0x00000000000000b1 ports 36 devid 0xcb20 vendid 0x2c9 "leaf"\n', 1, "ibnetdiscover -l"),
    "ibsim": ('# net\nSwitch\t8 "sw1"\n[1]\t"n1"[1]\n\nHca\t1 "n1"\n[1]\t"sw1"[1]\n', 2, "net file of ibsim"),
    "lst": ("{ SW Ports:24 SystemGUID:00000000000000b1 NodeGUID:00000000000000b1 PortGUID:00000000000000b1 "
            "VenID:0002C9 DevID:CB20 Rev:000000A0 {leaf} LID:0001 PN:01 } { CA Ports:01 ...\n", 1, ".lst"),
    "db_csv": ("# file\nSTART_DUMP_INFO\nx,y\n", 2, "db_csv"),
    "tables": (OPENSM, 1, "forwarding tables"),
    "lstopo": ("Machine (62GB total)\n  Package L#0\n", 1, "lstopo"),
    "slurm.conf": ("ClusterName=x\nNodeName=n[1-4] CPUs=4\n", 1, "slurm.conf"),
}


@pytest.mark.parametrize("name", NEAR)
@pytest.mark.parametrize("format", [None, "ibnetdiscover", "slurm"])
def test_near_formats_are_named_and_refused(wh_quick, tmp_path, name, format):
    text, line, what = NEAR[name]
    if name.endswith("yaml") and format:
        pytest.skip("it is of another format then")
    if format == "ibnetdiscover" and ("topology of blocks" in what or "scontrol" in what):
        return
    told = refused(wh_quick, write(tmp_path / name, text), format)
    assert (told.startswith(f"{line}: ") or format) and what in told, told
    if format != "ibnetdiscover" and name[-4:] != "yaml":
        assert what in refused(wh_quick, write(tmp_path / name, "[admin@head ~]$ print it\n" + text), format)
    assert what in refused(wh_quick, write(tmp_path / name, "\ufeff" + text.replace("\n", "\r\n")), format)


def test_recognition_takes_linear_time():
    for piece in (b"/**/", b"//x\n", b"#\n", b"\n", b" ", b"a ", b"a b\n", b"<?x?>", b"<!-- -->", b"---\n", b"graph ",
                  b"strict ", b"node [", b"a b c\n", b"Switch 1 ", b"router 0 ", b"==(", b"-\n", b"Ca\t", b"(", b'"',
                  b"[1] ", b"{ SW ", b"0x0", b"a@", b"/*", b"<!--", b"CA: ", b"Switch: 0x1 ", b"\x00", b"A=", b"9"):
        for data in (piece * (65536 // len(piece)), piece * 40 + b"x", piece * 30000 + b"graph ["):
            start = time.process_time()
            signs.own(signs.beginning(data))
            signs.near(signs.beginning(data))
            assert time.process_time() - start < 1, (piece, len(data))


LONG = [b"/**/", b"#\n", b" ", b"a ", b'"', b"[1]", b"graph ", b"Switch 1 ", b"(", b"0x0001 001\n", b"<", b"<>", b"{", b"a@",
        b"Unicast lids [0-4] of switch guid 0x", b'[1]\t"S-', b"router 0 ", b"SwitchName=a ", b"\\", b"guid 0x1 ",
        b'"" lid 1 ', b"n[1-", b"a,", b"-", b"- a\n", b"9", b"\t", b"1.", b"lid 1 lmc ", b"Nodes ", b"A B ", b"x:"]


@pytest.mark.parametrize("format", [*formats.READERS, "routes"])
def test_reading_takes_linear_time(wh_quick, tmp_path, subnet, format):
    heads = {"ibnetdiscover": ['Switch 1 "S-1" # "a" lid 1 lmc 0\n', 'Switch 1 "S-1"', 'Switch 1 "S-1" # "a" lid 1 lmc 0\n[1] "S-1"[1] # "'],
             "slurm": ["SwitchName=a Nodes="], "slurm-yaml": ["- topology: a\n  tree: "], "dot": ["graph { a "],
             "gml": ["graph [ "], "graphml": ["<graphml>"], "anynet": ["router 0 "],
             "routes": ["Unicast lids [0-4] of switch ", "# "]}
    for piece in LONG:
        for head in ("", *heads[format]):
            path = write(tmp_path / "long", head.encode() + piece * (100_000 // len(piece)))
            start = time.process_time()
            try:
                if format == "routes":
                    read(wh_quick, subnet, routes=path)
                else:
                    read(wh_quick, path, format)
            except wh_quick.WormholeError as error:
                assert len(str(error)) < 2000 and "\n" not in str(error), piece
            assert time.process_time() - start < 10, (piece, head)


@pytest.mark.parametrize("number", ["9" * 5000, "²", "٣", "1_0", "-1", "1e3", "+1", "0x1", "１"])
def test_numbers_are_plain_or_refused(wh_quick, subnet, tmp_path, number):
    changes = [(SUBNET.replace("Switch\t4", f"Switch\t{number}"), None),
               (SUBNET.replace("[3]", f"[{number}]"), None),
               (SUBNET.replace("lid 1 ", f"lid {number} "), None), (SUBNET.replace("4xEDR", f"{number}xEDR"), None),
               (f"router 0 node {number} node 1", "anynet"), (f"graph {{ s -- a [tail_port={number!r}]; s -- b }}", "dot"),
               (f"graph {{ ports={number!r}; s -- a; s -- b }}", "dot"), (f"SwitchName=a Nodes=n[1-{number}],m", "slurm"),
               (f'graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ] edge [ source 0 target 1 tail_port "{number}" ] '
                'edge [ source 0 target 2 ] ]', "gml"),
               ('<graphml><key id="p" attr.name="ports" for="edge"/><graph edgedefault="undirected"><node id="s"/>'
                f'<node id="a"/><edge source="s" target="a"><data key="p">{{"s": {number}, "a": 0}}</data></edge>'
                "</graph></graphml>", "graphml")]
    for text, format in changes:
        try:
            made, _ = read(wh_quick, write(tmp_path / "number", text), format)
            assert len(made.hosts) <= 20
        except wh_quick.WormholeError as error:
            assert len(str(error)) < 1700 and "\n" not in str(error), str(error)
    for text in (OPENSM.replace("[0-4]", f"[0-{number}]"), OPENSM.replace("4 lids", f"{number} valid lids"),
                 OPENSM.replace("0x0003 001", f"0x{number} 001"), OPENSM.replace("Lid 1", f"Lid {number}")):
        try:
            read(wh_quick, subnet, routes=write(tmp_path / "number", text))
        except wh_quick.WormholeError as error:
            assert len(str(error)) < 1700 and "\n" not in str(error), str(error)
    made, _ = read(wh_quick, write(tmp_path / "number", SUBNET.replace("leaf b1", f"leaf {number}")))
    assert len(made.hosts) == 2


def test_files_do_not_grow_beyond_bounds(wh_quick, tmp_path):
    for name, text in (
            ("a.dot", "graph { {" + " ".join(f"a{i}" for i in range(3000)) + "} -- {" + " ".join(
                f"b{i}" for i in range(3000)) + "} }"),
            ("a.conf", "\n".join(f"SwitchName=s{i} Nodes=n{i}x[1-90000]" for i in range(40))),
            ("b.dot", "graph { edge [" + " ".join(f"a{i}=1" for i in range(20000)) + "] " + "\n".join(
                f"s{i} -- s{i + 1}" for i in range(20000)) + "}")):
        start = time.process_time()
        path = write(tmp_path / name, text)
        if name == "b.dot":
            assert len(read(wh_quick, path)[0].hosts) == 2
        else:
            assert "fewer" in refused(wh_quick, path, *(["slurm"] if name == "a.conf" else []))
        assert time.process_time() - start < 100, name  # some 10 s of an idle core
