# SPDX-License-Identifier: GPL-2.0-only
"""Collectives through one failure and its repair."""


import ns3_wormhole as wh
import pandas
import pytest
from conftest import PROGRAMS, passed, refused, refused_by, run, write
from ns3_wormhole.study import outages as study


@pytest.fixture(scope="module")
def table():
    return study.outages(topology="torus:3x3", size=6, names=["btin", "dissemination", "hw-1"], down="3ms")


def of(table, scheme, failure):
    return table[(table.scheme == scheme) & (table.failure == failure)].iloc[0]


def test_a_cut_tree_is_made_anew_on_what_is_left(table):
    cut = of(table, "btin", "tree-cable")
    assert cut.lost_rounds == 1 and cut.needs == "a new group" and cut.between_us == cut.before_us
    assert "time-out of 500us: s" in cut.reason and cut.missing == "" and cut.groups == 1
    # A time-out, and the set-up; this tree is as high as the whole fabric's.
    assert 500 < cut.to_first_us < 600 and 500 < cut.lost_us < 600
    assert of(table, "btin", "other-cable").groups == 0


def test_a_cut_tree_waits_for_repair_if_nobody_finds_routes():
    table = study.outages(topology="torus:3x3", size=6, names=["btin", "dissemination"], down="3ms",
                          failures=["tree-cable", "other-cable"], recovery="local")
    cut = of(table, "btin", "tree-cable")
    assert cut.lost_rounds > 1 and cut.needs == "repair, then a new group" and cut.between_us != cut.between_us
    assert "time-out of 500us: s" in cut.reason and cut.missing == ""
    # Rounds begin again when a group is set up after the 3 ms, at the latest a time-out later.
    assert 3000 < cut.to_first_us < 3000 + 500 + 100 and cut.after_us == cut.before_us
    software = of(table, "dissemination", "tree-cable")
    assert software.lost_rounds == 0 and software.groups == 0 and software.needs == "nothing"
    assert software.between_us >= software.before_us and software.lost_us < cut.lost_us
    # Lost time, and what is gained in each round, say when it has made up.
    gain = software.before_us - cut.before_us
    assert gain > 0 and cut.pays_after_rounds == pytest.approx((cut.lost_us - software.lost_us) / gain)
    assert software.pays_after_rounds != software.pays_after_rounds
    whole = of(table, "btin", "other-cable")
    assert whole.lost_rounds == 0 and whole.groups == 0


def test_messages_go_on_in_lanes_once_an_outage_has_begun():
    table = study.outages(topology="torus:3x3", size=6, names="dissemination", failures="tree-cable",
                          recovery="double", before="300us", down="300us", after="300us")
    assert table.lost_rounds.tolist() == [0] and table.between_us.notna().all()


@pytest.mark.parametrize("scheme", ["btin", "dissemination"])
@pytest.mark.parametrize("failure", ["host", "switch"])
def test_members_that_are_cut_off_leave_and_return(table, scheme, failure):
    row = of(table, scheme, failure)
    assert row.needs == "a smaller group, then all again" and row.members == 6 and row.members_between < 6
    rounds = pandas.DataFrame(table.attrs["rounds"])
    rounds = rounds[(rounds.scheme == scheme) & (rounds.failure == failure)]
    groups = rounds[(rounds.what == "set-up") & ~rounds.is_lost].members.tolist()
    assert groups[0] == groups[-1] == 6 and groups[1] == row.members_between
    done = rounds[(rounds.what == "round") & ~rounds.is_lost]
    assert done.iloc[-1].members == 6 and (rounds.begin_us <= rounds.end_us).all()
    # One after the other; the first that is lost meets the failure, and the next ones are of the others.
    assert (rounds.begin_us.iloc[1:].to_numpy() >= rounds.end_us.iloc[:-1].to_numpy()).all()
    first = rounds[rounds.is_lost].iloc[0]
    assert first.end_us - first.begin_us == pytest.approx(500) and first.begin_us < 2000 + 40
    assert row.to_first_us == pytest.approx(done[done.end_us > 2000].end_us.iloc[0] - 2000)


def test_the_command_and_what_it_refuses(capsys, tmp_path):
    asked = ["outages", "--topology=torus:3x3", "--size=6", "--names=btin", "--failures=s0:0-s1:1,h3", "--down=1ms"]
    files = [f"--csv={tmp_path / 'a.csv'}", f"--rounds-csv={tmp_path / 'r.csv'}", f"--plot={tmp_path / 'p.svg'}"]
    out = passed(capsys, *asked, *files)
    assert "s0:0-s1:1 s0:0-s1:1:" in out and "needs" in out
    assert len(pandas.read_csv(tmp_path / "a.csv")) == 2 and "s0:0-s1:1" in (tmp_path / "p.svg").read_text()
    assert len(pandas.read_csv(tmp_path / "r.csv")) > 50
    assert passed(capsys, *asked) == out
    for words, told in ((["--failures=s99"], "there is no part 's99'; expected tree-cable, other-cable"),
                        (["--recovery=statc"], "there is no recovery 'statc'"),
                        (["--pause=0us"], "pause=0us: expected a time above 0"),
                        (["--outage=s0 at 1us"], "outages of its own"),
                        (["--attribute=WormholeFabric::OutageSchedule=s0 at 1us"], "outages of its own")):
        assert told in refused(capsys, *asked, *words)


def test_names_that_outages_have_in_quotes(capsys, tmp_path):
    hosts, switches = ["n-1", "n 2", "n;3", "each-host"], ["sw-a", "core 1:b", "c"]
    links = [[host, 0, switches[i % 3], i // 3] for i, host in enumerate(hosts)]
    links += [[switches[i], 2, switches[(i + 1) % 3], 3] for i in range(3)]
    path = write(tmp_path / "odd.json", {"hosts": hosts, "links": links})
    asked = ["outages", f"--fabric={path}", "--names=btin", "--down=1ms", "--size=2", "--placement=first"]
    told = passed(capsys, *asked)
    assert "tree-cable core 1:b:3-sw-a:2:" in told and "host n 2:" in told
    names = ["sw-a:2-core 1:b:3", "'core 1:b':2-\"c\":3", "\"n;3\"", "n-1"]
    told = passed(capsys, *asked, f"--failures={','.join(names)}")
    assert all(f" {part}:\n" in told for part in ("core 1:b:3-sw-a:2", "c:3-core 1:b:2", "n;3", "n-1"))
    path.write_text(path.read_text().replace("n-1", "it's"))
    assert "outage of it's: expected a name without quotes" in refused(capsys, *asked, "--failures=it's")


def test_rounds_meet_outages_that_end():
    fabric = wh.Fabric.from_text("torus:4x4", attributes={
        "WormholeFabric::OutageSchedule": "each-cable at 1005us for 50us; each-cable at 9ms for 50us",
        "HostSoftware::Retransmission": "true"})
    group = fabric.barrier("dissemination", 4)
    first, second = group.cross(), group.cross()
    assert first > 100 > 20 > second > 0


def test_a_fabric_built_later_is_told_how_late():
    wh.Fabric.from_text("torus:4x4").barrier("btin", 4).cross()
    late = wh.Fabric.from_text("torus:4x4", attributes={"WormholeFabric::OutageSchedule": "s0 at 1s"})
    with pytest.warns(UserWarning, match="count from the simulation's start, [0-9.]+ us ago; reset"):
        late.domain
    wh.reset()
    late.barrier("btin", 4).cross()


LOSSY = ("--topology=torus:4x4", "--members=4", "--attribute=HostSoftware::Retransmission=true")


def test_outages_count_from_the_start_of_each_length(capsys):
    def run(*options):
        text = passed(capsys, "osu", "bcast", *LOSSY, "--attribute=HostSoftware::RetransmissionTimeout=20us",
                    "-i1", *options)
        return [line.split() for line in text.splitlines() if line and line[0] != "#"], text

    cut = "--outage=h0:0-s0:4 at 1001us for 30us"
    alone, text = run("-m64:64", cut)
    both, _ = run("-m32:64", cut)
    whole, calm = run("-m64:64")
    assert both[-1] == alone[-1] and float(alone[0][1]) > float(whole[0][1]) + 20
    assert "messages sent again, in all rows" in text and "# outages: 0 flits" not in text
    assert "# outages" not in calm
    assert refused(capsys, "osu", "bcast", *LOSSY, "--outage=h0:0-s0:0 at 1ms").endswith(
        "; there is s0:0-s1:1 and s0:4-h0:0\n")


@pytest.mark.parametrize("benchmark, at", [("latency", "1us"), ("bw", "1us"), ("pattern", "1us"), ("barrier", "1001us")])
def test_outages_meet_what_is_sent_from_the_start_or_after_a_millisecond(capsys, benchmark, at):
    def lost(when):
        text = passed(capsys, "osu", benchmark, *(LOSSY if benchmark in ("pattern", "barrier") else LOSSY[::2]),
                      *[] if benchmark == "barrier" else ["-m64:64"], f"--outage=each-cable at {when} for 5us")
        return "# outages: 0 flits lost" not in text

    assert [lost(when) for when in ("1us", "1001us")] == [at == "1us", at != "1us"]


@pytest.mark.parametrize("detector", ["none", "fabric"])
def test_a_dead_member_of_a_broadcast_is_named(capsys, detector):
    text = refused(capsys, "osu", "bcast", *LOSSY, "-m64:64", "-i1", "--outage=h3 at 1ms",
                   *(["--attribute=CollectiveDomain::FailureDetector=fabric"] if detector == "fabric" else []))
    assert "without h3" in text


def test_outages_are_known_before_a_fabric_is_built(tmp_path, recwarn):
    calm = wh.Fabric.from_text("torus:4x4")
    calm.barrier("btin", 4).cross()
    given = calm.with_attributes({"WormholeFabric::OutageSchedule": "s0 at 1s"})
    path = tmp_path / "f.json"
    calm.to_file(path)
    filed = wh.Fabric.from_file(write(path, path.read_text().replace("{", '{"outages": ["s0 at 1s"],', 1)))
    assert (calm.has_outages, given.has_outages, filed.has_outages) == (False, True, True)
    given.start_anew()
    given.barrier("btin", 4).cross()
    assert not recwarn.list  # none of its outages had passed


LOADED = ("barriers-under-load", "--topology=torus:3x3", "--algorithms=dissemination", "--loads=0.05", "--rounds=8",
          "--outage=s0:0-s1:1 at 1500us for 1ms")


def test_rounds_beside_traffic_end_in_outages():
    """Worms that are lost don't wait, and a message that is lost for good ends the rounds soon."""
    program, *options = LOADED
    error = refused_by(PROGRAMS / program, *options, timeout=60)
    assert "came to a stop" in error and "outages lost" in error
    assert ",steady,8," in run(PROGRAMS / program, *options, "--attribute=HostSoftware::Retransmission=true").stdout


def test_members_agree_on_who_has_died():
    wh.reset()
    fabric = wh.Fabric.from_text("torus:3x3", attributes={
        "WormholeFabric::OutageSchedule": "h5 at 10us", "HostSoftware::Retransmission": True,
        "CollectiveDomain::FailureDetector": "fabric", "CollectiveDomain::FailureDelay": "50us"})
    group = fabric.barrier("dissemination", WidthBits=32)
    agreement, told = wh.ns.CreateObject[wh.ns.GroupAgreement](), []
    agreement.Attach(group.model)
    wh.connect(agreement, "Agreed", lambda rank, flags, gone: told.append((int(rank), int(flags), list(gone))))
    for rank in range(9):
        agreement.Enter(rank, 31 - (1 << rank % 3))
    wh.ns.Simulator.Run()
    wh.ns.Simulator.Run()
    assert sorted(told) == [(rank, 24, [5]) for rank in range(8)]
