# SPDX-License-Identifier: GPL-2.0-only
"""IP over a fabric, its captures as tshark reads them, and animations, of the example programs."""

import csv
import math
import re
import shutil
import xml.etree.ElementTree
from collections import Counter

import pytest
from conftest import PROGRAMS, ROOT, refused_by, run

# A ns-3 without the modules that they need leaves them out.
mixed_network, first_ip, animation = (
    pytest.mark.skipif(not (PROGRAMS / name).exists(), reason=f"{name} is not built")
    for name in ("mixed-network", "first-ip", "barrier-animation"))


def output_of(*command):
    return run(*command, timeout=300, cwd=ROOT).stdout


@mixed_network
@pytest.mark.parametrize("version", [4, 6])
def test_rates_of_mixed_network(version):
    text = output_of(PROGRAMS / "mixed-network", f"--ip={version}", "--time=30ms")
    rates = {(protocol, link): float(percent) for protocol, link, percent in re.findall(
        r"^  (Udp|Tcp) .* (fabric|p2p|csma) .* ([\d.]+) %$", text, re.MULTILINE)}
    assert abs(rates["Udp", "fabric"] - 100) < 1
    assert 99 <= rates["Tcp", "fabric"] <= 100.1  # a packet more or less is 0.03 %
    assert rates["Tcp", "p2p"] > 95 and rates["Udp", "csma"] > 95
    rooms = re.findall(r"(\d+\.\d+) +(\d+) / +(\d+) \+ +(\d+) +(\d+\.\d+)", text)
    assert len(rooms) == 4
    for rate, payload, packet, other, room in rooms:
        assert int(payload) == 1500 - {4: 20, 6: 40}[version] - (8 if int(payload) % 100 in (72, 52) else 32)
        expected = float(rate) * int(payload) / (int(packet) + int(other))
        assert abs(float(room) - expected) < 0.006

    flows = re.findall(r"(TCP|UDP) +(\d+) +(\d+) +(\d+) +[\d.]+$", text, re.MULTILINE)
    assert Counter(flow[0] for flow in flows) == {"TCP": 4, "UDP": 2}
    for _, sent, received, lost in flows:
        assert int(sent) == int(received) > 100 and int(lost) == 0


@mixed_network
@pytest.mark.parametrize("option", ["--ip=5", "--time=0ms", "--times=3ms"])
def test_mixed_network_refuses(option):
    refused_by(PROGRAMS / "mixed-network", option)


def first_ip_rows(*options):
    rows = list(csv.DictReader(output_of(PROGRAMS / "first-ip", *options).splitlines()))
    return [(row["from"].split(":")[1] != "9", int(row["sent"]), int(row["received"]),
             int(row["lost"]), float(row["mean_delay_us"] or 0)) for row in rows]


@first_ip
def test_first_ip_loses_nothing():
    rows = first_ip_rows()
    assert len(rows) == 18 and sum(row[0] for row in rows) == 9
    # Three frames of 4110 bytes in all take 25.7 us at 160 MB/s.
    assert all(row[1:4] == (20, 20, 0) and 25.6 < row[4] < 60 for row in rows)


@first_ip
def test_first_ip_shows_the_jitter():
    jitter = "--ns3::ArpL3Protocol::RequestJitter=ns3::UniformRandomVariable[Max=10]"
    rows = first_ip_rows("--topology=mesh:2x2", jitter)
    assert all(sent == received + lost for _, sent, received, lost, _ in rows)
    assert sum(lost for *_, lost, _ in rows) > 20 and max(row[4] for row in rows) > 1000


@first_ip
def test_first_ip_writes_pcap(tmp_path):
    output_of(PROGRAMS / "first-ip", "--topology=mesh:2x2", "--packets=2", f"--pcap={tmp_path}/ip")
    files = sorted(tmp_path.iterdir())
    assert [path.name for path in files] == [f"ip-{node}-0.pcap" for node in range(4, 8)]
    assert all(path.stat().st_size > 8000 for path in files)


@first_ip
@pytest.mark.parametrize("option", ["--interval=0us", "--interval=2s", "--bytes=70000",
                                    "--packets=0", "--topology=ring:3", "--pcap=/no/where/ip",
                                    "--hosts=3"])
def test_first_ip_refuses(option):
    told = refused_by(PROGRAMS / "first-ip", option)
    assert told.startswith("first-ip: ") and option.split("=")[0] in told


@pytest.mark.parametrize("program", ["first-barrier", "print-attributes"])
@pytest.mark.parametrize("option, part", [
    ("--ns3::WormholePort::BufferDepth=x", "ns3::WormholePort::BufferDepth=x: expected"),
    ("--ns3::WormholePort::Depth=1", "has no attribute Depth"),
    ("--ns3::WormholeHarbour::Depth=1", "there is no type ns3::WormholeHarbour"),
    ("--ns3::WormholeSwitch::Delay=soon", "'soon' is no time"),
    ("--depth=1", "depth")])
def test_small_programs_refuse_in_one_line(program, option, part):
    told = refused_by(PROGRAMS / program, option)
    assert told.startswith(program + ": ") and part in told


def test_types_are_printed_by_short_and_by_full_names():
    short = output_of(PROGRAMS / "first-barrier", "--PrintAttributes=WormholePort")
    assert "BufferDepth" in short
    assert output_of(PROGRAMS / "first-barrier", "--PrintAttributes=ns3::WormholePort") == short


def test_small_programs_take_attributes_as_times_are_printed():
    slow = output_of(PROGRAMS / "first-barrier", "--ns3::WormholeSwitch::Delay=+1e+06ns")
    assert output_of(PROGRAMS / "first-barrier", "--ns3::WormholeSwitch::Delay=1ms") == slow
    assert output_of(PROGRAMS / "first-barrier") != slow


@mixed_network
@pytest.mark.skipif(not shutil.which("tshark"), reason="tshark is not installed")
def test_tshark_reads_captures(tmp_path):
    output_of(PROGRAMS / "mixed-network", "--time=1ms", f"--pcap={tmp_path}/mixed")

    def decode(version, expression, *fields):
        device = tmp_path / f"mixed-ip{version}-3-0.pcap"  # the router's on the fabric
        wanted = [word for field in fields for word in ("-e", field)]
        lines = output_of("tshark", "-n", "-r", device, "-Y", expression, "-T", "fields", *wanted)
        return [tuple(line.split("\t")) for line in lines.splitlines()]

    requests = decode(4, "arp.opcode == 1", "eth.dst", "arp.src.proto_ipv4", "arp.dst.proto_ipv4")
    assert ("ff:ff:ff:ff:ff:ff", "10.1.0.6", "10.1.0.4") in requests
    replies = decode(4, "arp.opcode == 2", "eth.src", "eth.dst", "arp.dst.proto_ipv4")
    assert ("00:00:00:00:00:04", "00:00:00:00:00:06", "10.1.0.6") in replies
    tcp = decode(4, "tcp.flags.syn == 1", "ip.src", "ip.dst", "tcp.dstport", "eth.type")
    assert ("10.1.0.6", "10.2.0.2", "4000", "0x0800") in tcp
    udp = decode(4, "udp", "ip.src", "ip.dst", "udp.length", "ip.len", "frame.len")
    assert len(udp) > 100 and set(udp) == {("10.1.0.7", "10.3.0.2", "1480", "1500", "1514")}

    asked = decode(6, "icmpv6.type == 135 && ipv6.src != ::", "eth.dst", "icmpv6.nd.ns.target_address")
    assert ("33:33:ff:00:00:04", "fe80::200:ff:fe00:4") in asked
    told = decode(6, "icmpv6.type == 136", "ipv6.src", "ipv6.dst", "eth.dst")
    assert ("fe80::200:ff:fe00:4", "fe80::200:ff:fe00:6", "00:00:00:00:00:06") in told
    udp = decode(6, "udp", "ipv6.dst", "udp.length", "eth.type", "frame.len")
    assert set(udp) == {("fd00:3::200:ff:fe00:b", "1460", "0x86dd", "1514")}
    assert not decode(4, "_ws.malformed", "frame.number") and not decode(6, "_ws.malformed", "frame.number")


@pytest.fixture
def animated(tmp_path):
    """A function of options that has barrier-animation write a file. Returns what it prints, and the file's root."""
    def animate(*options):
        path = tmp_path / "made.xml"
        text = output_of(PROGRAMS / "barrier-animation", *options, f"--out={path}")
        return text, xml.etree.ElementTree.parse(path).getroot()
    return animate


@animation
@pytest.mark.parametrize("topology, members", [("irregular:switches=6,ports=6,hosts=12", 6), ("torus:3x3", 5)])
def test_animation_shows_what_was_sent(animated, topology, members):
    text, root = animated(f"--topology={topology}", f"--members={members}")
    switches, hosts, cables, edges, in_group, setup, barrier = (
        int(number) for number in re.findall(r"(?<![\d.+])\d+(?![\d.])", text))
    assert in_group == members and barrier == 2 * (edges + members) and setup > 0

    nodes = {node.get("id"): (float(node.get("locX")), float(node.get("locY"))) for node in root.iter("node")}
    assert root.tag == "anim" and len(nodes) == len(set(nodes.values())) == switches + hosts
    links = {frozenset((link.get("fromId"), link.get("toId"))) for link in root.iter("link")}
    assert len(links) == cables and all(link <= set(nodes) for link in links)
    tree = {frozenset((link.get("fromId"), link.get("toId"))) for link in root.iter("linkupdate")
            if link.get("ld") == "tree"}
    assert len(tree) == edges + members and tree <= links

    messages = [message.attrib for message in root.iter("p")]
    assert len(messages) == setup + barrier
    for message in messages:  # a head flit: 1 byte at 160 MB/s, 20 ns of cable
        assert frozenset((message["fId"], message["tId"])) in links
        times = [round(1e9 * (float(message[name]) - float(message["fbTx"])), 2) for name in ("lbTx", "fbRx", "lbRx")]
        assert times == [6.25, 20, 26.25]
    # The barrier crosses every cable of the tree once each way.
    ways = Counter((message["fId"], message["tId"]) for message in messages[setup:])
    assert set(ways.values()) == {1} and {frozenset(way) for way in ways} == tree


@animation
@pytest.mark.parametrize("drawn", [f"ports=16,hosts=2,f=0.5,parallel=yes,stream={stream}"
                                   for stream in range(6)] + ["ports=3,hosts=5,f=1"])
def test_animation_of_any_fabric_ends(animated, drawn):
    """The springs of some layouts never come to rest, as those of stream 3."""
    _, root = animated(f"--topology=irregular:switches=3,law=recursive,{drawn}", "--members=2")
    places = {(float(node.get("locX")), float(node.get("locY"))) for node in root.iter("node")}
    assert all(math.isfinite(number) for place in places for number in place)


@animation
def test_animation_shows_each_hop_of_a_head(animated):
    """By closed form: a message between two hosts, alone in the fabric, is ready t_r behind a hop."""
    _, root = animated("--topology=mesh:4,hosts=1", "--members=2", "--placement=h0,h3", "--kind=broadcast",
                       "--algorithm=multicast")
    names = {node.get("id"): node.get("descr") for node in root.iter("nu") if node.get("descr")}
    heads = [(f"{names[head.get('fId')]}>{names[head.get('tId')]}", 1e9 * float(head.get("fbTx")))
             for head in root.iter("p")]
    assert [way for way, _ in heads] == ["h0>s0", "s0>s1", "s1>s2", "s2>s3", "s3>h3"]
    for (_, start), (_, following) in zip(heads, heads[1:]):
        assert round(following - start, 2) == 6.25 + 20 + 300


@animation
def test_animation_refuses(tmp_path):
    for options in (["--members=13"], [f"--out={tmp_path}/no/where.xml"], ["--topology=ring:3"]):
        refused_by(PROGRAMS / "barrier-animation", *options)


@animation
@pytest.mark.parametrize("kind, algorithm", [("broadcast", "multicast"), ("barrier", "dissemination")])
def test_animation_of_other_collectives(animated, tmp_path, kind, algorithm):
    text, root = animated(f"--kind={kind}", f"--algorithm={algorithm}")
    sent = int(re.search(rf"^{kind}: (\d+) messages on cables", text, re.MULTILINE)[1])
    assert sent > 0 and len(list(root.iter("p"))) == sent
    assert not [link for link in root.iter("linkupdate") if link.get("ld") == "tree"]
    assert "--algorithm=none" in refused_by(
        PROGRAMS / "barrier-animation", f"--kind={kind}", "--algorithm=none", f"--out={tmp_path}/x.xml")
