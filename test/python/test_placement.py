# SPDX-License-Identifier: GPL-2.0-only
"""Which hosts a job should get."""

import random
import re

import pandas
import pytest

import ns3_wormhole as wh
from ns3_wormhole.core import options, simulation, texts
from ns3_wormhole.study import crossover, osu, placement, spread

from conftest import measured, passed, refused, refuses, shown_on, write


def latency(fabric, order, algorithm):
    """Returns what a round takes by itself, us."""
    simulation.reset()
    simulation.set_seed()
    return fabric.collective("allreduction", algorithm, order, bytes="64KiB").cross()


@pytest.mark.parametrize("algorithm", ["ring", "recursive-doubling"])
@pytest.mark.parametrize("text", [
    "torus:4x4,hosts=2", "clos:ports=8", "mesh:3x3,hosts=2", "irregular:switches=12,hosts=24"])
def test_is_no_slower_than_random_orders(text, algorithm):
    fabric = wh.Fabric.from_text(text)
    found = placement.place(fabric, 8, bytes="64KiB", algorithm=algorithm, progress=False)
    best = found.iloc[0]
    assert list(found.placement) == ["best", "consecutive", "scattered", "worst"]
    assert latency(fabric, list(best.hosts), algorithm) == pytest.approx(best.latency_us)
    draws = random.Random(77)
    for _ in range(25):
        assert best.latency_us <= latency(fabric, draws.sample(fabric.hosts, 8), algorithm) + 1e-6
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


def test_the_page_shows_what_the_command_prints(capsys):
    (shown,) = shown_on("placement.rst", "$ ns3-wormhole fabric place")
    words, *output = shown.splitlines()
    assert [line.rstrip() for line in passed(capsys, *words.split()[2:]).splitlines()] == output


def test_near_hosts_are_for_neighbours():
    """In an alltoall hosts near each other are slower than random ones; help says what finds fast ones."""
    fabric = wh.Fabric.from_text("torus:8x8", machine="edr-infiniband")
    times = [placement.place(fabric, 16, kind="alltoall", bytes="64KiB", tries=40).latency_us[0]]
    for where in ("random", "best"):
        simulation.reset()
        times.append(fabric.collective("alltoall", "pairwise", 16, bytes="64KiB", placement=where).cross())
    assert times == sorted(times)
    assert "that fabric place finds" in options.PLACEMENT


@pytest.mark.parametrize("wide", [1, 3])
def test_shares_follow_the_cables_of_leaves(tmp_path, wide):
    """Of three leaves one has two cables to each spine, so that more of its hosts reach the others at once."""
    leaves, spines = [f"leaf{at}" for at in (1, 2, 3)], ["spine1", "spine2"]
    links = [[f"h{number}", 0, leaves[number // 24], number % 24] for number in range(72)]
    links += [[leaf, 24 + 2 * at + more, spine, 2 * number + more] for number, leaf in enumerate(leaves)
              for at, spine in enumerate(spines) for more in range(1 + (leaf == f"leaf{wide}"))]
    path = write(tmp_path / "uneven.json", {"hosts": [f"h{at}" for at in range(72)], "links": links})
    fabric = wh.Fabric.from_file(path, machine="edr-infiniband")
    found = placement.place(fabric, 48, kind="alltoall", bytes="64KiB", tries=5, progress=False)
    others = [24 * at for at in range(3) if at != wide - 1]
    hosts = [*range(24 * wide - 24, 24 * wide), *(first + at for first in others for at in range(12))]
    simulation.reset()
    simulation.set_seed()
    by_hand = fabric.collective("alltoall", "pairwise", sorted(hosts), bytes="64KiB").cross()
    assert found.latency_us[0] <= by_hand < 0.95 * found.latency_us[1]


def test_command_writes_files_for_launchers(capsys, tmp_path):
    files = [f"--{name}={tmp_path / name}" for name in ("hostlist", "nodelist", "rankfile")]
    assert "consecutive" in passed(capsys, "fabric", "place", "torus:3x3", "--size=3", "--bytes=64",
                                   "--tries=9", *files)
    hosts = (tmp_path / "hostlist").read_text().split()
    assert len(set(hosts)) == 3
    assert (tmp_path / "nodelist").read_text() == placement.nodelist(hosts) + "\n"
    assert (tmp_path / "rankfile").read_text().splitlines()[2] == f"rank 2={hosts[2]} slot=0"


def test_what_is_best_is_told(capsys):
    asked = ["fabric", "place", "torus:3x3", "--size=3", "--tries=2"]
    for words, told in (
            ([], "allreduction by ring of 1MiB, \\d+ orders tried; machine: the defaults, a Myrinet of 2001\n"),
            (["--kind=alltoall", "--bytes=8", "--machine=edr-infiniband"],
             "alltoall by pairwise of 8 bytes, \\d+ orders tried; machine: edr-infiniband\n"),
            (["--kind=MPI_Barrier", "--algorithm=btin"], "barrier by btin, \\d+ orders tried; machine: ")):
        assert re.match(told, passed(capsys, *asked, *words))
    assert "bytes=64KiB: has no effect on a barrier" in refused(capsys, *asked, "--kind=barrier", "--bytes=64KiB")
    told = " ".join(passed(capsys, "fabric", "place", "--help").split())
    assert all(f"{each} by default" in told for each in ("allreduction", "1MiB", "100"))


def test_too_many_hosts_are_refused():
    refuses("size=10: expected at most 8, the number of free hosts", placement.place,
            wh.Fabric.from_text("torus:3x3"), 10, busy=["h1"])


LEAVES = "clos:ports=8"  # four hosts at a leaf


def test_one_option_places_groups(tmp_path):
    fabric = wh.Fabric.from_text(LEAVES)
    assert fabric.group(3, "first") == fabric.group(3, "block") == [0, 1, 2]
    drawn = fabric.group(9, "shuffled")
    assert drawn == fabric.group(9) == fabric.group(9, "drawn") != sorted(drawn)
    assert fabric.group(9, "random") == sorted(drawn) != fabric.group(9, "random", run=2)
    assert len({host // 4 for host in fabric.group(4, "best")}) == 1
    assert fabric.group(None, "h3,h1") == fabric.group(None, ["h3", 1]) == [3, 1]
    assert fabric.group(1, str(write(tmp_path / "hosts", "h9\nh2 # the second\n"))) == [9]
    assert fabric.barrier("dissemination", 2, placement="h3,h1").members == [3, 1]
    for members, placement, told in (
            (2, "frist", "'frist' is no placement; expected first, random, .* did you mean first"),
            (None, "h1,h99", "'h99' is no host of the fabric; expected its 32 hosts, h0 to h31"),
            (3, "h0,h1", "placement names 2 hosts; expected 3"), (99, "random", "at most 32 hosts"),
            ("h0,h1", "first", "placement=first with members by name; expected their number")):
        refuses(told, fabric.group, members, placement)


def test_names_with_blanks_are_placed(capsys, tmp_path):
    hosts = ["a b", "a", "b", "n 1,x", "n#2", "p,q"]
    path = write(tmp_path / "odd.json", {
        "hosts": hosts, "links": [[host, 0, "s", port] for port, host in enumerate(hosts)]})
    fabric, listed, table = wh.Fabric.from_file(path), tmp_path / "listed", tmp_path / "t.csv"
    passed(capsys, "fabric", "place", path, "--size=6", "--bytes=8", "--tries=1", f"--hostlist={listed}",
           f"--csv={table}")
    best = listed.read_text().splitlines()
    assert sorted(best) == sorted(hosts) and [hosts[host] for host in fabric.group(None, str(listed))] == best
    assert texts.split(pandas.read_csv(table).hosts[0]) == best
    file = write(tmp_path / "mixed", "\"n 1,x\" b # c\na b\nn#2, \"p,q\"\n# d\n")
    for where, found in ((str(file), [3, 2, 0, 4, 5]), ("a b,b", [0, 2]), ("a b", [0]), (["a b", 3], [0, 3]),
                         ('"n 1,x",a b', [3, 0]), ("n#2,b", [4, 2]), ('"n#2", b', [4, 2]),
                         ("first", [0, 1, 2, 3, 4, 5])):
        assert fabric.group(None, where) == found
    for members, where, told in ((None, "a b,b,a b", "'a b' is there twice"), (3, "a b,b", "names 2 hosts; expected 3"),
                                 (None, "a b,c d", "'c'"), (2, "frist", "did you mean first")):
        refuses(told, fabric.group, members, where)


def test_calibrate_places_pairs_and_groups(tmp_path):
    fabric = wh.Fabric.from_text("torus:4x4,hosts=2")
    tables = measured(tmp_path / "t.csv", "latency,8,90,", "latency,64,91,", "barrier,,260,4",
                      columns="benchmark,size,value,members")
    place = "h0,h21,h9,h30"

    def fitted(**where):
        return wh.calibrate.calibrate(fabric, [tables], ["StartUp"], progress=False, **where).residuals["fitted"]

    assert list(fitted(placement=place)) == list(fitted(hosts=["h0", "h21"], members=place.split(",")))
    assert list(fitted(placement=place)) != list(fitted())


def test_spread_over_placements():
    frame = osu.measure(wh.Fabric.from_text(LEAVES), "barrier", members=4, placements=9)
    (row,), table = frame.itertuples(), frame.attrs["placements"]
    times = sorted(table.value)
    assert (row.least, row.quartile_1, row.value, row.quartile_3, row.greatest) \
        == pytest.approx([times[at] for at in (0, 2, 4, 6, 8)])
    assert times[0] < times[8] and table.switches.max() > 1
    one = osu.measure(wh.Fabric.from_text(LEAVES), "barrier", members=4, placement="random")
    assert one.value[0] == pytest.approx(table.value[0]) and "least" not in one
    assert osu.measure(wh.Fabric.from_text(LEAVES), "barrier", members=4, placement="best").value[0] <= times[0]


def test_best_of_a_kind_is_what_place_finds(monkeypatch):
    """Eight hosts of an alltoall near each other share few channels."""
    given = {"fabric": wh.Fabric.from_text("torus:4x4"), "kind": "alltoall", "bytes": "64KiB"}
    found = placement.place(given["fabric"], 8, **{name: given[name] for name in ("kind", "bytes")}, progress=False)

    def compared(where):
        return crossover.crossover(**{**given, "bytes": "1KiB,64KiB"}, names=["pairwise"], group_sizes=[8],
                                   placement=where)

    assert compared("best").latency_us[1] == pytest.approx(found.latency_us[0], rel=1e-4)
    near = given["fabric"].group(8, "best")
    assert found.latency_us[0] < 0.9 * compared(",".join(given["fabric"].hosts[host] for host in near)).latency_us[1]
    measured = osu.measure(given["fabric"], "alltoall", [65536], members=8, placement="best", algorithm="pairwise")
    by_hand = osu.measure(given["fabric"], "alltoall", [65536], members=found.hosts[0], algorithm="pairwise")
    assert measured.equals(by_hand)
    monkeypatch.setattr(placement, "place", None)  # nothing to search where nothing is sent
    assert len(compared("first")) == 2 and osu.measure(given["fabric"], "barrier", placement="best").value[0] > 0


def test_spread_by_leaf_and_group_only_where_it_matters():
    table = pandas.DataFrame({"size": [8] * 4, "value": [1.0, 1, 2, 2], "switches": [1, 1, 2, 2],
                              "groups": [1, 2, 1, 2]})
    found = spread.as_text(table, ["size"], "value")
    assert "switches" in found and "groups" not in found
    assert spread.places(wh.Fabric.from_text("dragonfly:a=4,h=2,hosts=2"), range(0, 40, 8)) \
        == {"switches": 5, "groups": 5}


@pytest.mark.parametrize("words, told", [
    (("osu", "barrier", "--placement=first", "--placements=3"), "no effect where placement is not random"),
    (("osu", "barrier", "--placements=0"), "placements=0: expected"),
    (("osu", "latency", "--placement=h0,h1", "--hosts=h0,h1"), "beside hosts; expected one of the two"),
    (("compare", "--group-sizes=3", "--placement=h0,h1"), "placement names 2 hosts; expected 3"),
    (("compare", "--placement=nowhere"), "'nowhere' is no placement; expected first, random")])
def test_bad_placements_are_refused_in_a_line(capsys, words, told):
    assert told in refused(capsys, *words, "--topology=torus:3x3")


@pytest.mark.parametrize("words", [
    ("osu", "allreduce", "-m", "64:64", "--members=4", "--topology=torus:3x3"),
    ("compare", "--names=dissemination", "--group-sizes=4", "--topology=torus:3x3", "--no-check")])
def test_commands_tell_the_spread(capsys, words):
    told = passed(capsys, *words, "--placements=5")
    assert all(word in told for word in ("median", "least", "quartile_1", "quartile_3", "greatest"))
