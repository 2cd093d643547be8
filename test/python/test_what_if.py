# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics without some of their parts, and with one more cable."""

import json
import os
import subprocess
import sys
import warnings

import pandas
import pytest
from conftest import call, passed, refused, refuses, write

import ns3_wormhole as wormhole
from ns3_wormhole.collective.variants import Parts
from ns3_wormhole.core import texts

FIGURES = ["members", "height", "saturation_bound", "of_equal_split", "btin_us", "dissemination_us"]


def ring(count, hosts=1, *, line=False, ports=8):
    """A fabric file's object: a ring of switches, or a line, port 0 to the next one's port 1."""
    links = [[f"s{i}", 0, f"s{(i + 1) % count}", 1] for i in range(count - line)]
    names = [f"h{i}" for i in range(count * hosts)]
    links += [[name, 0, f"s{i // hosts}", 2 + i % hosts] for i, name in enumerate(names)]
    return {"ports": ports, "hosts": names, "links": links}


def made(wh, tmp_path, described):
    return wh.Fabric.from_file(write(tmp_path / "made.json", described))


def row_of(table, variant):
    (found,) = table[table.variant == variant].to_dict("records")
    return found


def same(row, other):
    """Whether two rows have equal figures, to the bit."""
    return [row[name] for name in FIGURES] == [other[name] for name in FIGURES]


def test_algorithms_of_data_are_those_that_compare_takes(wh, tmp_path):
    fabric = made(wh, tmp_path, ring(4))
    names = ["allreduction:ring[Bytes=4096]", "MPI_Allgather:ring", "broadcast:tree"]
    row = fabric.what_if(collectives=names).to_dict("records")[0]
    assert row["refused"] == ""
    assert row[f"{names[0]}_us"] == fabric.allreduction("ring", bytes=4096).cross()
    assert row[f"{names[1]}_us"] == fabric.allgather("ring", bytes=8).cross()
    assert row[f"{names[2]}_us"] == fabric.broadcast("tree").cross()
    refuses("no allreduction 'rnig'; there are .*butterfly.*, ring, .*did you mean ring",
            fabric.what_if, collectives=["allreduction:rnig"])


def test_a_line_loses_hosts_with_its_middle_cable(wh, tmp_path):
    table = made(wh, tmp_path, ring(5, line=True)).what_if("each-cable")
    assert list(table.variant[:1]) == ["whole fabric"] and len(table) == 5
    assert list(table.cut_off) == [0, 2, 2, 1, 1]
    assert row_of(table, "without s1:0-s2:1")["cut_off_hosts"] == "h0 h1"
    assert row_of(table, "without s2:0-s3:1")["cut_off_hosts"] == "h3 h4"
    assert row_of(table, "without s0:0-s1:1")["cut_off_hosts"] == "h0"
    # The barrier tree of a line is as high as half of it.
    assert list(table.members) == [5, 3, 3, 4, 4] and list(table.height) == [2, 1, 1, 2, 2]


def test_of_two_equal_pieces_the_first_stays(wh, tmp_path):
    assert made(wh, tmp_path, ring(4, line=True)).what_if("s1:0-s2:1").cut_off_hosts[1] == "h2 h3"


def test_a_ring_grows_higher_by_closed_form(wh, tmp_path):
    for count in (5, 8):
        table = made(wh, tmp_path, ring(count)).what_if("each-cable")
        assert len(table) == count + 1 and set(table.cut_off) == {0}
        # A ring's farthest switch is count // 2 away, a line's too if seen from its middle.
        assert set(table.height) == {count // 2}
        assert (table.saturation_bound[1:] <= table.saturation_bound[0]).all()
        # A line's middle channel is crossed by half of the hosts to the others.
        half = count // 2 * (count - count // 2)
        assert table.saturation_bound[1:].to_list() == pytest.approx([(count - 1) / half] * count)
    # The tree has its root at a member: one cable before, the long way of five cables afterwards.
    assert list(made(wh, tmp_path, ring(6)).what_if("s0:0-s1:1", members=["h0", "h1"]).height) == [1, 5]


def test_a_switch_takes_its_hosts_along(wh, tmp_path):
    table = made(wh, tmp_path, ring(6, 2)).what_if("each-switch")
    assert len(table) == 7 and list(table.cut_off) == [0] + [2] * 6
    assert row_of(table, "without s3")["cut_off_hosts"] == "h6 h7"
    assert set(table.members[1:]) == {10}


@pytest.mark.parametrize("text, routing, anew, cables", [
    ("torus:3x3", "up-down", "up-down", 18), ("mesh:3x3", "dimension-order", "up-down", 12),
    ("clos:ports=4,levels=2", "nearest-ancestor", "fat-tree", 8)])
def test_a_regular_fabric_without_a_cable_is_routed_anew(wh, text, routing, anew, cables):
    fabric = wh.Fabric.from_text(text)
    table = fabric.what_if("each-cable")
    assert list(table.routing) == [routing] + [anew] * cables
    assert set(table.cut_off) == {0} and set(table.refused) == {""}
    wh.reset()
    assert table.btin_us[0] == fabric.barrier("btin").cross()


@pytest.mark.parametrize("text", ["irregular", "torus:3x3", "mesh:3x3", "ring"])
def test_rows_equal_those_of_the_fabric_written_without(wh, tmp_path, text):
    fabric = (made(wh, tmp_path, ring(6, 2)) if text == "ring" else
              wh.Fabric.irregular(12, 30, seed=4) if text == "irregular" else
              wh.Fabric.from_text(text))
    path = tmp_path / "whole.json"
    fabric.to_file(path)
    described = json.loads(path.read_text(encoding="utf-8"))
    table = fabric.what_if("each-cable")
    cables = [link for link in described["links"] if link[0] in fabric.switches and link[2] in fabric.switches]
    assert len(cables) == len(table) - 1
    equal = 0
    for a, port_a, b, port_b in cables[::3]:
        variants = {f"without {a}:{port_a}-{b}:{port_b}", f"without {b}:{port_b}-{a}:{port_a}"}
        (row,) = table[table.variant.isin(variants)].to_dict("records")
        if row["cut_off"]:
            continue
        less = {key: value for key, value in described.items() if key not in ("routing", "topology")}
        less["links"] = [link for link in described["links"] if link != [a, port_a, b, port_b]]
        written = made(wh, tmp_path, less)
        assert same(row, written.what_if().to_dict("records")[0])
        wh.reset()
        assert row["btin_us"] == written.barrier("btin").cross()
        wh.reset()
        assert row["dissemination_us"] == written.barrier("dissemination").cross()
        assert row["height"] == written.tree().GetHeight()
        equal += 1
    assert equal > 1


def test_rows_equal_those_of_the_fabric_written_without_what_is_cut_off(wh, tmp_path):
    whole = ring(5, 2, line=True)
    table = made(wh, tmp_path, whole).what_if(["s1:0-s2:1", "s1"])
    gone = {"s0", "s1", "h0", "h1", "h2", "h3"}
    less = {**whole, "hosts": [host for host in whole["hosts"] if host not in gone],
            "links": [link for link in whole["links"] if not gone & {link[0], link[2]}]}
    other = made(wh, tmp_path, less).what_if().to_dict("records")[0]
    assert same(row_of(table, "without s1:0-s2:1"), other)
    assert same(row_of(table, "without s1"), other)


def test_a_new_cable_does_no_harm_here(wh, tmp_path):
    table = made(wh, tmp_path, ring(8, line=True)).what_if(add=["s0:s7", "s2/5:s5/6"])
    assert set(table.variant[1:]) == {"with s0:1-s7:0", "with s2:5-s5:6"}
    assert (table.height[1:] <= table.height[0]).all()
    assert (table.dissemination_us[1:] < table.dissemination_us[0]).all()
    # A line with its ends joined is a ring.
    assert same(row_of(table, "with s0:1-s7:0"), made(wh, tmp_path, ring(8)).what_if().to_dict("records")[0])


def test_a_table_stays_where_it_fits(wh, tmp_path):
    described = ring(4)
    # As on a line: no route takes the cable between s3 and s0.
    ports = [[2 if switch == host else 0 if host > switch else 1 for host in range(4)] for switch in range(4)]
    described.update(routing="table", routes={
        f"s{switch}": " ".join(map(str, row)) for switch, row in enumerate(ports)})
    table = made(wh, tmp_path, described).what_if(["s3:0-s0:1", "s1:0-s2:1", "s0"], add="s0:s2")
    routing = dict(zip(table.variant, table.routing))
    assert routing["whole fabric"] == "table"
    assert routing["without s0:1-s3:0"] == "table"  # no route takes it
    assert routing["without s1:0-s2:1"] == "up-down"
    assert routing["without s0"] == "table" and row_of(table, "without s0")["members"] == 3
    assert routing["with s0:3-s2:3"] == "up-down"
    whole = row_of(table, "whole fabric")
    # The cable would be one of an equal split.
    assert same({**row_of(table, "without s0:1-s3:0"), "of_equal_split": whole["of_equal_split"]}, whole)


def test_too_few_hosts_are_told(wh, tmp_path):
    table = made(wh, tmp_path, ring(2, line=True)).what_if(["s0:0-s1:1", "h0:0-s0:2", "s0"])
    assert set(table.cut_off[1:]) == {1} and table.btin_us[1:].isna().all()
    assert set(table.refused[1:]) == {"fewer than two hosts are still joined"}
    table = made(wh, tmp_path, {"hosts": ["a", "b"], "links": [["a", 0, "s", 0], ["b", 0, "s", 1]]}).what_if("s")
    assert table.cut_off_hosts[1] == "a b" and table.members[1] == 0


def test_other_collectives_and_the_same_rows_from_two_processes(wh):
    fabric = wh.Fabric.irregular(8, 16)
    asked = {"without": "each-switch", "collectives": ["broadcast:multicast", "tree[Tree=fibo]"], "members": 8}
    one, two = fabric.what_if(**asked), fabric.what_if(**asked, jobs=2)
    pandas.testing.assert_frame_equal(one, two, check_exact=True)
    assert "broadcast:multicast_us" in one and one.members[0] == 8
    wh.set_default("WormholeChannel::Delay", "40ns")
    slower, two = fabric.what_if(**asked), fabric.what_if(**asked, jobs=2)
    pandas.testing.assert_frame_equal(slower, two, check_exact=True)
    assert slower["broadcast:multicast_us"][0] > one["broadcast:multicast_us"][0]


def test_hosts_of_several_processes(wh):
    fabric = wh.Fabric.from_text("torus:4")
    asked = {"without": "s0", "collectives": ["smp[Inner=btin]", "dissemination"]}
    one, two = (fabric.what_if(**asked, tasks_per_host=tasks) for tasks in (1, 2))
    assert list(two.members) == [8, 6] and list(two.height) == list(one.height) and not any(two.refused)
    assert two.dissemination_us[0] == fabric.barrier("dissemination", [0, 0, 1, 1, 2, 2, 3, 3]).cross()


@pytest.mark.parametrize("asked, told", [
    ({"without": "each-cabel"}, "no switch or cable 'each-cabel'; .*; did you mean each-cable?"),
    ({"without": "s1:0-s2:2"}, "did you mean s1:0-s2:1?"),
    ({"without": "h0"}, "there is no switch or cable 'h0'"),
    ({"add": "s1"}, "'s1' is no cable; expected two switches, as s1:s2"),
    ({"add": "s1:s22"}, "there is no switch 's22'; .*did you mean s2?"),
    ({"add": "s1:s1"}, "joins s1 with itself"),
    ({"add": "s1/0:s3"}, "s1 has no open port 0 of its 4; expected 3"),
    ({"add": "s1:s3=400Gbsp"}, "'s1:s3=400Gbsp': rate: '400Gbsp' is not accepted"),
    ({"add": "s1/x:s3"}, "s1 has no open port x"),
    ({"add": "s1:h1"}, "h1 is a host; expected the names of the 4"),
    ({"without": "s1", "collectives": ["btinn"]}, "btinn"),
    ({"without": "s1", "jobs": 0}, "jobs=0"),
])
def test_wrong_names_are_refused(wh, tmp_path, asked, told):
    refuses(told, made(wh, tmp_path, ring(4, ports=4)).what_if, **asked)


def test_no_open_port(wh, tmp_path):
    refuses("s1 has no open port of its 3", made(wh, tmp_path, ring(4, ports=3)).what_if, add="s1:s3")
    # But port 0, which is none.
    refuses("s has no open port of its 4; expected a switch", two_rates(wh, tmp_path, ports=5).what_if, add="r:s")


def test_names_with_colons_and_slashes(wh, tmp_path):
    described = {"ports": 6, "hosts": ["a", "b"], "links": [
        ["a", 0, "x:1", 0], ["b", 0, "y/2", 0], ["x:1", 1, "y/2", 1]]}
    table = made(wh, tmp_path, described).what_if("x:1:1-y/2:1", add=["x:1:y/2", "x:1/4:y/2/5"])
    assert sorted(table.variant[1:]) == ["with x:1:2-y/2:2", "with x:1:4-y/2:5", "without x:1:1-y/2:1"]


def test_names_with_blanks_are_told_apart(wh, capsys, tmp_path):
    text = json.dumps(ring(4, line=True)).replace('"h3"', '"h 3, \\"b\\""').replace('"s3"', '"t-3 a"')
    path, csv = write(tmp_path / "line.json", text), tmp_path / "line.csv"
    out = passed(capsys, "fabric", "what-if", path, "--without=s1:0-s2:1,'s2':0-\"t-3 a\":1", f"--csv={csv}")
    assert "without s1:0-s2:1 cuts off h2, h 3, \"b\"\n" in out
    cells = pandas.read_csv(csv, keep_default_na=False).cut_off_hosts
    assert list(cells[1:]) == ['h2 "h 3, ""b"""', '"h 3, ""b"""']
    assert texts.split(cells[1]) == ["h2", 'h 3, "b"']


def test_the_command(wh, capsys, tmp_path):
    path, csv = write(tmp_path / "line.json", ring(4, line=True)), tmp_path / "line.csv"
    lines = passed(capsys, "fabric", "what-if", path, "--without=each-cable", "--with=s0:s3",
                   f"--csv={csv}").splitlines()
    assert "4 switches, 4 hosts" in lines[0]
    assert "btin, us" in lines[1] and lines[2].split()[:2] == ["whole", "fabric"]
    assert "without s1:0-s2:1 cuts off h2, h3" in lines
    # Groups of different sizes are not compared, but in the CSV; a bound is of all hosts.
    assert [line.count("(-)") for line in lines[1:7]] == [0, 0, 3, 3, 3, 0]
    assert "(-): hosts are cut off, and those that are left are not comparable with all of them" in lines
    others = passed(capsys, "fabric", "what-if", path, "--without=s0:0-s1:1", "--members=h1,h2,h3").splitlines()
    assert others[3].count("(-)") == 1 and others[3].count(" (") == 3
    table = pandas.read_csv(csv, keep_default_na=False)
    assert (table.dissemination_factor.astype(float)[1:4] < 1).all()
    assert list(table.cut_off) == [0, 2, 1, 1, 0] and table.variant[4] == "with s0:1-s3:0"
    out = call(capsys, "fabric", "show", path)[1]
    assert f"saturation bound {table.saturation_bound.astype(float)[0]:.4f}: " in out
    out = call(capsys, "fabric", "what-if", "mesh:3x3", "--without=s0")[1]
    assert "up-down: routes computed anew where dimension-order does not fit" in out
    assert "\nmachine: the defaults, a Myrinet of 2001\nhardware in the switches or beside the " \
        "network: btin\n" in out


def test_the_command_refuses(wh, capsys, tmp_path):
    for words, told in [([], "nothing is changed; expected --without=each-cable"),
                        (["--without=s0", "--plot=x.jpg"], "x.jpg: expected plots"),
                        (["--without=s77"], "there is no switch or cable 's77'"),
                        (["--without=s0", "--csv=/nowhere/x.csv"], "/nowhere/x.csv")]:
        assert told in refused(capsys, "fabric", "what-if", "torus:3x3", *words)


def test_the_plot(wh, capsys, tmp_path):
    from ns3_wormhole.core.gnuplot import gnuplot
    if not gnuplot():
        warnings.warn("no gnuplot, so no plot is tested")
        pytest.skip("there is no gnuplot")
    svg, png = tmp_path / "if.svg", tmp_path / "if.png"
    for path in (svg, png):
        passed(capsys, "fabric", "what-if", "torus:3x3", "--without=each-switch", f"--plot={path}")
    text = svg.read_text(encoding="utf-8")
    for label in ("latency, µs", "saturation bound: load of each host", "without s4", "whole fabric", "dissemination"):
        assert label in text
    assert png.read_bytes().startswith(b"\x89PNG")
    passed(capsys, "fabric", "what-if", "full:7", "--without=each-cable", f"--plot={svg}")
    text = svg.read_text(encoding="utf-8")
    assert "without s0:0-s1:0 and 20 like it" in text and text.count("without ") == 1


def test_new_cables_have_what_all_have(tmp_path):
    """A cable that is laid is as the file says of all, not as attributes say."""
    path = write(tmp_path / "line.json", {
        "hosts": ["a", "b"], "ports": 4, "defaults": {"rate": "100Gbps", "delay": "15ns"},
        "links": [["a", 0, "s", 0], ["b", 0, "t", 0], ["s", 1, "t", 1]]})
    parts = Parts(wormhole.Fabric.from_file(path))
    variant, = parts.added(["s:t"])
    made, _ = parts.fabric(variant, *parts.cut(variant))
    assert len(made.cables()) == 4
    assert all(own == {"rate": "100Gbps", "delay": "15ns"} for own in made.owns())


def two_rates(wh, tmp_path, **more):
    """A line of three switches, as ibnetdiscover's files have it: ports from 1, rates of cables."""
    slow, fast = {"rate": "100Gbps"}, {"rate": "200Gbps", "delay": "15ns"}
    return made(wh, tmp_path, {"hosts": ["a", "b", "c"], "ports": 6, "links": [
        ["a", 0, "r", 1, slow], ["b", 0, "s", 1, slow], ["c", 0, "t", 1, slow],
        ["r", 2, "s", 2, fast], ["r", 3, "s", 3, fast], ["s", 4, "t", 2, slow]], **more})


def test_a_new_cable_has_the_rate_of_most_there(wh, tmp_path, capsys):
    table = two_rates(wh, tmp_path).what_if(add=["r:t", "r:t=400Gbps", "r/5:t/4=25Gbps"])
    # A port 0, which nothing is cabled to, is none: an InfiniBand switch is managed by it.
    assert table.attrs["new"] == {
        "with r:4-t:3": {"rate": "200Gbps", "delay": "15ns"},
        "with r:4-t:3=400Gbps": {"rate": "400Gbps", "delay": "15ns"},
        "with r:5-t:4=25Gbps": {"rate": "25Gbps", "delay": "15ns"}}
    # Between a and c is nothing slower than their own cables, or just that cable.
    bounds = table.set_index("variant").saturation_bound
    assert bounds["with r:4-t:3"] == bounds["with r:4-t:3=400Gbps"] == 1
    assert bounds["with r:5-t:4=25Gbps"] == 0.5  # a's and c's half of 100 Gbit/s
    (tmp_path / "made.json").rename(tmp_path / "line.json")
    out = passed(capsys, "fabric", "what-if", tmp_path / "line.json", "--with=r:t,r:t=25Gbps")
    assert "\nwith r:4-t:3 has rate 200Gbps, delay 15ns\n" in out
    assert "\nwith r:4-t:3=25Gbps has rate 25Gbps, delay 15ns\n" in out


def test_files_are_written_before_the_text(wh, tmp_path):
    """Whoever reads the text may close its end: as head does."""
    csv = tmp_path / "if.csv"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "ns3_wormhole", "fabric", "what-if", "torus:3",
                           "--without=s0", f"--csv={csv}"], stdout=write, stderr=subprocess.PIPE,
                          check=False, env=os.environ)
    os.close(write)
    assert done.returncode == 1 and not done.stderr
    assert csv.read_text(encoding="utf-8").startswith("variant,routing,cut_off")


def test_a_collective_that_the_whole_fabric_refuses_is_told(wh, tmp_path, capsys):
    refused = "btin[Announcement=hw-all]"
    table = made(wh, tmp_path, ring(4)).what_if("each-cable", collectives=[refused, "dissemination"])
    assert table[f"{refused}_us"].isna().all() and table.dissemination_us.notna().all()
    assert table.refused.str.contains("expected a broadcast by software").all()
    path = tmp_path / "made.json"
    out = passed(capsys, "fabric", "what-if", path, "--without=each-cable",
                 f"--algorithms={refused},dissemination", f"--plot={tmp_path / 'refused.svg'}")
    assert f"\nwhole fabric: {refused}: " in out
    assert out.count("expected a broadcast by software") == 1
    # Where nothing can be measured, there is no table.
    status, out, err = call(capsys, "fabric", "what-if", path, "--without=s1", f"--algorithms={refused}")
    assert (status, out) == (1, "") and "expected a broadcast by software" in err


def test_switches_of_any_number_of_ports_have_registers(wh, tmp_path):
    """As those of InfiniBand with 65 ports, of which port 0 has no cable, by closed form."""
    times = {}
    for ports in (3, 65, 200):
        links = [[f"h{port}", 0, "s0", port] for port in range(1, ports)]
        fabric = made(wh, tmp_path, {"ports": ports, "hosts": [link[0] for link in links], "links": links})
        times[ports] = fabric.barrier("btin", [0, ports - 2]).cross()
        assert fabric.barrier("btin", list(range(ports - 1))).cross() == times[ports]
    assert times[65] == times[3] == times[200]


def test_several_parts_at_once(wh, tmp_path):
    fabric = made(wh, tmp_path, ring(4))
    table = fabric.what_if(["pairs-of-cables", "s0+s1:0-s2:1"], collectives=["dissemination"])
    assert len(table) == 1 + 4 * 3 // 2 + 1
    assert row_of(table, "without s0+s1:0-s2:1")["cut_off"] == 2  # of three in a row, one is left alone
    # Two cables of a ring part it: opposite ones into halves, others cut off one switch.
    pairs = table[table.variant.str.fullmatch(r"without \S+-\S+\+\S+-\S+") & (table.cut_off > 0)]
    assert sorted(pairs.cut_off)[:6] == [1, 1, 1, 1, 2, 2]
    refuses("there is no switch or cable 's9'", fabric.what_if, "s0+s9")
    refuses("pairs-of-cables: no pair joins two switches",
            made(wh, tmp_path, ring(2, line=True)).what_if, "pairs-of-cables")


def test_a_year_by_closed_form(wh, capsys, tmp_path):
    table = made(wh, tmp_path, ring(4)).year((990, 10), (1980, 20), ["dissemination"], pairs=True, lost=0.5)
    up = 0.99 ** 8  # four cables and four switches, each down for a hundredth of the time
    hours = dict(zip(table.variant, table.hours))
    assert hours["whole fabric"] == pytest.approx(8766 * up)
    assert hours["without s2"] == hours["without s1:0-s2:1"] == pytest.approx(8766 * up / 99)
    assert hours["without s0:0-s1:1+s1:0-s2:1"] == pytest.approx(8766 * up / 99 ** 2)
    told = table.attrs["year"]
    assert told["hours"] == pytest.approx(8766 * up * (1 + 8 / 99 + 6 / 99 ** 2))
    assert told["failures"] == pytest.approx(8766 * (4 / 1000 + 4 / 2000))
    # A switch takes one host along; of two cables that fail four pairs cut off one host, two two.
    assert told["cut_off_hours"] == pytest.approx(8766 * up * (4 / 99 + (4 * 1 + 2 * 2) / 99 ** 2))
    assert told["availability"] == pytest.approx((1 + 4 / 99) / (1 + 8 / 99 + 6 / 99 ** 2))
    assert told["restart_hours"] == pytest.approx(told["failures"] * 0.5 * 4)
    path = tmp_path / "made.json"
    out = call(capsys, "fabric", "year", path, "--cable-mtbf=990", "--cable-mttr=10")[1]
    assert "of 8766 hours 8420.58 with all parts, 340.23 without one, 0.0000 without two" in out
    assert "all members joined for 1.000000" in out and "\ndissemination: 1." in out
    for words, refusal in ((["--lost=1"], "nothing fails; expected an MTBF"),
                           (["--cable-mtbf=5"], "cable_mttr=0: expected hours above 0")):
        assert refusal in refused(capsys, "fabric", "year", path, *words)


def test_random_years_come_near_the_closed_form(wh, capsys, tmp_path):
    fabric = made(wh, tmp_path, ring(4))
    rates = (990, 10), (1980, 20), ["dissemination", "btin"]
    table = fabric.years(*rates, runs=400, lost=0.5)
    exact = fabric.year(*rates, pairs=True, lost=0.5)
    mean, error = table.mean(), table.std() / 400 ** 0.5
    assert mean.measured_hours == 8766 and table.attrs["unmeasured"] == 0
    assert abs(mean.failures - exact.attrs["year"]["failures"]) < 4 * error.failures
    states = table.attrs["states"].set_index("variant")
    for name in ("whole fabric", "without s2", "without s1:0-s2:1"):
        assert states.hours[name] / 400 == pytest.approx(exact.set_index("variant").hours[name], rel=0.15)
    # A switch takes its host along, and with btin a cable of the tree, three of the four, everyone's work.
    assert (table.btin_restarts > table.dissemination_restarts).any()
    assert mean.btin_restarts == pytest.approx(8766 * (3 / 1000 + 4 / 2000), rel=0.1)
    assert mean.dissemination_restarts == pytest.approx(8766 * 4 / 2000, rel=0.1)
    lost = table.cut_off_hours + 0.5 * 4 * table.btin_restarts
    assert table.btin_lost_hours.tolist() == pytest.approx(lost.tolist())
    few, again, other = (fabric.years(*rates, runs=400, states=2, seed=seed) for seed in (1, 1, 2))
    pandas.testing.assert_frame_equal(few, again)
    assert not few.equals(other) and few.failures.equals(table.failures)
    assert len(few.attrs["states"]) == 2 and few.attrs["unmeasured"] == len(states) - 2
    assert few.measured_hours.sum() == pytest.approx(few.attrs["states"].hours.sum())
    out = call(capsys, "fabric", "year", tmp_path / "made.json", "--cable-mtbf=990", "--cable-mttr=10",
               "--runs=5", "--pairs")
    assert "5 years; " in out[1] and "median" in out[1]
    assert "; machine: the defaults, a Myrinet of 2001\n" in out[1]


@pytest.mark.parametrize("runs", [[], ["--runs=20"]])
def test_a_year_takes_a_machine_and_attributes(wh, capsys, runs):
    asked = ["fabric", "year", "torus:2x2", "--cable-mtbf=500", "--cable-mttr=8", "--algorithms=dissemination", *runs]
    out, other, slower = (passed(capsys, *asked, *words) for words in (
        [], ["--machine=edr-infiniband"], ["--machine=edr-infiniband", "--attribute=WormholeSwitch::Delay=9us"]))
    assert "; machine: edr-infiniband\n" in other and "; machine: edr-infiniband\n" in slower
    assert len({text.partition("machine: ")[2].partition("\n")[2] for text in (out, other, slower)}) == 3


def test_without_members_all_are_in_the_order_of_the_fabric(wh, capsys):
    asked = ["fabric", "what-if", "torus:3x3", "--without=s4", "--algorithms=dissemination"]
    whole, first, shuffled = (passed(capsys, *asked, *words) for words in (
        [], ["--members=9", "--placement=first"], ["--members=9"]))
    assert whole == first != shuffled
    told = " ".join(passed(capsys, "fabric", "what-if", "--help").split())
    assert "[default: shuffled; without --members all hosts in the fabric's order]" in told
