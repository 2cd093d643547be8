# SPDX-License-Identifier: GPL-2.0-only
"""What osu measures and prints, and the tables that are read again."""

import sys

import pytest
from conftest import call, passed, refused, refuses, run, write

import ns3_wormhole as wh
from ns3_wormhole import osu
from ns3_wormhole.core.loader import ns
from ns3_wormhole.study import measured_tables

FABRIC = "torus:4x4"
# us: start-up and receive overhead of hosts; defaults of the fabric: delays of a switch or interface
# and of a cable, and the time of a flit, a byte.
S, R = 0.9, 0.6
DELAY, CABLE, FLIT = 0.3, 0.02, 0.00625
COSTS = {"ns3::HostSoftware::StartUp": "900ns", "ns3::HostSoftware::ReceiveOverhead": "600ns"}


def fabric():
    return wh.Fabric.from_text(FABRIC)


def message(size, switches):
    """Returns how long a lone message takes, us: its head waits for the delay of both interfaces and
    each switch, crosses a cable more than there are switches, and its flits follow."""
    return (S + R + (switches + 2) * DELAY + (switches + 1) * CABLE + (switches + size) * FLIT)


def test_latency_is_a_message():
    """h0 and h1 are at neighbouring switches; from h0 to h10 there are two cables each way."""
    for hosts, switches in ((None, 2), ("h0,h10".split(","), 5)):
        frame = osu.measure(fabric(), "latency", [0, 1, 8, 1032], hosts=hosts, attributes=COSTS)
        assert list(frame.value) == pytest.approx([message(max(size, 1), switches) for size in frame["size"]], abs=1e-9)
        assert list(frame.iterations) == [2] * 4 and list(frame.members) == [2] * 4


def test_bandwidth_of_small_messages_is_the_senders_and_of_large_ones_the_cables():
    """64 starts of 0.9 us, then what is left of the last message, and an answer."""
    lone = osu.measure(fabric(), "latency", [4, 8], attributes=COSTS).value
    frame = osu.measure(fabric(), "bw", [8, 2**20], attributes=COSTS)
    assert frame.value[0] == pytest.approx(8 * 64 / (63 * S + lone[1] + lone[0]), rel=1e-9)
    assert 159 < frame.value[1] < 160  # a byte in 6.25 ns


def test_barriers_back_to_back():
    """Four steps of a message of two bytes each, between the nearest hosts and the farthest."""
    row = osu.measure(fabric(), "barrier", attributes=COSTS).iloc[0]
    assert 4 * message(2, 2) < row.value < 4 * message(2, 5)
    assert row["min"] <= row.value <= row["max"]


def test_a_broadcast_is_the_mean_of_its_members():
    """Of two hosts: the root is through after its send, the other after the message."""
    for size in (2, 8, 4096):
        alone = osu.measure(fabric(), "latency", [size], hosts=[0, 1], attributes=COSTS).value[0]
        row = osu.measure(fabric(), "bcast", [size], members=[0, 1],
                          algorithm="tree[Tree=binomial|Root=0]", attributes=COSTS).iloc[0]
        assert row["min"] == pytest.approx(S, abs=1e-9)
        assert row["max"] == pytest.approx(alone, abs=1e-9)
        assert row.value == pytest.approx((S + alone) / 2, abs=1e-9)


def test_there_is_a_benchmark_of_each_kind():
    kinds = {str(kind) for kind in ns.CollectiveHelper.GetKindNames()}
    assert {each.kind for each in osu.BENCHMARKS.values()} - {"", "pattern"} == kinds


def test_defaults_of_adapters_are_told(capsys):
    """In the machine's place, by osu and compare; not of what is given."""
    given = [f"--attribute=HostSoftware::{name}=2us" for name in ("AdapterMessageTime", "CompletionTime")]
    for words in (["osu", "barrier", "--algorithm=nic"], ["compare", "--names=nic", "--no-check"]):
        for more, told in (([], True), (given, True), ([*given, "--attribute=HostSoftware::DoorbellTime=1us"], False)):
            size = "--group-sizes=4" if words[0] == "compare" else "--group-size=4"
            out = passed(capsys, *words, "--topology=torus:4x4", size, *more)
            assert ("defaults, not the machine's: HostSoftware::" in out) == told
            assert ("AdapterMessageTime" in out) == (not more) and ("DoorbellTime=1us" in out) == told
    assert "DoorbellTime" not in passed(capsys, "osu", "barrier", "--topology=torus:4x4")


@pytest.mark.parametrize("algorithm", ["scatter-allgather", "smp[Inner=scatter-allgather]"])
def test_a_broadcast_by_an_algorithm_for_data_alone_moves_data(algorithm):
    """Such a name needs no other option, and 0 bytes are sent as 1."""
    frame = osu.measure(fabric(), "bcast", [0, 1, 4096], members=4, algorithm=algorithm)
    assert frame.value[0] == frame.value[1] < frame.value[2]
    call = fabric().collective("broadcast", algorithm, range(4), bytes=4096)
    call.cross()
    call.cross()
    assert frame.value[2] == pytest.approx(sum(call.leaves_us) / 4)


@pytest.mark.parametrize("kind, benchmark", [("broadcast", "bcast"), ("alltoall", "alltoall")])
def test_members_begin_when_they_leave_the_barrier_before(kind, benchmark):
    """Each call's own time, from the member's leaving the barrier on."""
    barrier, name = "tree[Tree=chain]", osu.BENCHMARKS[benchmark].algorithm
    row = osu.measure(fabric(), benchmark, [64], members=4, barrier=barrier, iterations=1).iloc[0]
    on = fabric()
    call = on.collective(kind, name, range(4), **({"MessageBytes": 64} if kind == "broadcast" else {"bytes": 64}))
    call.cross()
    before = on.barrier(barrier, range(4))
    before.cross()
    arrivals = [each - min(before.leaves_us) for each in before.leaves_us]
    assert max(arrivals) > 0
    call.cross(arrivals)
    own = [leave - come for leave, come in zip(call.leaves_us, arrivals)]
    assert [row["min"], row.value, row["max"]] == pytest.approx([min(own), sum(own) / 4, max(own)])


@pytest.mark.parametrize("benchmark", osu.BENCHMARKS)
@pytest.mark.parametrize("full", [False, True])
def test_what_is_printed_can_be_read(tmp_path, capsys, benchmark, full):
    words = ["osu", benchmark, f"--topology={FABRIC}", *(["--full"] if full else []),
             "--digits=6", *(["--message-size=4:64"] if benchmark != "barrier" else [])]
    status, out, err = call(capsys, *words)
    noted = full and benchmark in ("latency", "bw")
    assert (status, err) == (0, f"ns3-wormhole: --full has no effect with {benchmark}\n" if noted else "")
    assert call(capsys, *words)[1] == out
    (table,) = measured_tables.read(str(write(tmp_path / "table.txt", out)))
    frame = osu.measure(fabric(), benchmark, None if benchmark == "barrier" else [4, 8, 16, 32, 64])
    assert table.benchmark == benchmark
    assert table.rows == tuple((row.size, round(row.value, 6)) for row in frame.itertuples())


TITLES = {"allreduce": "# OSU MPI Allreduce Latency Test v7.5",
          "alltoall": "# OSU MPI All-to-All Personalized Exchange Latency Test v7.5",
          "allgather": "# OSU MPI Allgather Latency Test v7.5",
          "reduce_scatter": "# OSU MPI Reduce_scatter Latency Test v7.5"}


@pytest.mark.parametrize("benchmark", TITLES)
def test_lengths_of_data_are_those_of_the_benchmarks(capsys, benchmark):
    lines = passed(capsys, "osu", benchmark, "--topology=torus:4", "--members=3").splitlines()
    assert lines[0] == TITLES[benchmark]
    least = 2 if benchmark in ("allreduce", "reduce_scatter") else 0
    assert [int(line.split()[0]) for line in lines[3:]] == [2**i for i in range(least, 21)]


def test_an_allreduce_of_one_value_is_as_it_was(capsys):
    """By hand of a butterfly: two steps of messages with a value of 4 or 8 bytes, and of their type
    and group."""
    out = passed(capsys, "osu", "allreduce", "--topology=torus:4", "--algorithm=butterfly", "--digits=6")
    fabric_of_four = wh.Fabric.from_text("torus:4")
    for line, size in zip(out.splitlines()[3:], (4, 8), strict=True):
        value = wh.Collective(fabric_of_four, "allreduction", "butterfly", [0, 1, 2, 3],
                              {"Operation": "ADD", "WidthBits": 8 * size})
        value.cross()
        assert line.split() == [str(size), f"{sum(value.leaves_us) / 4:.6f}"]
    wh.reset()


def test_versions_of_the_benchmarks_can_be_read(tmp_path):
    for text, benchmark, rows in (
            ("# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n0             1.05\n"
             "8         1.10\n", "latency", ((0, 1.05), (8, 1.1))),
            ("\n# OSU MPI Bandwidth Test v7.3\n# Datatype: MPI_CHAR.\n# Size   Bandwidth (MB/s)  "
             "Validation\n1   3.5   Pass\n", "bw", ((1, 3.5),)),
            ("# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)  Min Latency(us)\n  4.5  4.0\n",
             "barrier", ((0, 4.5),))):
        (table,) = measured_tables.read(str(write(tmp_path / "osu.txt", text)))
        assert (table.benchmark, table.rows, table.members) == (benchmark, rows, None)
    path = write(tmp_path / "osu.txt", "# OSU MPI-CUDA Allreduce Latency Test v5.9\n")
    refuses("no values", measured_tables.read, str(path))
    path = write(tmp_path / "all.csv", "benchmark,size,value,nodes\nlatency,8,1.5,\nbarrier,,9,16\nbarrier,,7,8\n")
    assert [(table.benchmark, table.members) for table in measured_tables.read(str(path))] == [
        ("latency", None), ("barrier", 16), ("barrier", 8)]


HEAD = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n"


@pytest.mark.parametrize("text, line, told", [
    (HEAD + "8 1.5\n16 x\n", 4, "value 'x'"), (HEAD + "8 1.5\n-16 2\n", 4, "size '-16'"),
    (HEAD + "8 nan\n", 3, "value 'nan'"), (HEAD + "8 -1\n", 3, "value '-1'"),
    (HEAD + "8 0\n", 3, "value '0'"), (HEAD + "8\n", 3, "a length and a value"),
    (HEAD + "8 1.5\n8 1.5\n", 4, "size 8 again"), ("8 1.5\n", 1, "before a title"),
    ("# OSU MPI Alltoall Latency Test v7\n1 2\n", 1, "'Alltoall Latency'"),
    ("# OSU MPI Bandwidth Test v7\n# Size   Latency (us)\n1 2\n", 2, "expected (MB/s)"),
    ("# OSU MPI Bandwidth Test v7\n# Size   Bandwidth (GB/s)\n1 2\n", 2, "expected (MB/s)"),
    ("# OSU MPI Latency Test v7\n# Size   Latency (ms)\n1 2\n", 2, "expected (us)"),
    ("benchmark,size\nlatency,8\n", 1, "columns"),
    ("benchmark,size,value\nlatency,8\n", 2, "2 values"),
    ("benchmark,size,value\nputs,8,1\n", 2, "'puts'"),
    ("benchmark,size,value\nallreduce,0,1\n", 2, "size '0'"),
    ("benchmark,size,value\nallreduce,2147483648,1\n", 2, "size '2147483648'"),
    ("benchmark,size,value,members\nbarrier,,1,0\n", 2, "'0' members"),
    ("benchmark,size,value,min,max\nlatency,8,2,3,1\n", 2, "3 is above 1"),
    ("benchmark,size,value,members\nlatency,8,1,4\n", 2, "between two processes")])
def test_wrong_lines_are_refused(tmp_path, text, line, told):
    path = write(tmp_path / "table.txt", text)
    assert told in refuses(f"{path}:{line}: .*expected", measured_tables.read, str(path))


@pytest.mark.parametrize("words, told", [
    (["ping"], "benchmark='ping'"), (["latency", "-m", "8:4"], "message size '8:4': 8 is above 4"),
    (["latency", "--members=4"], "neither members"), (["barrier", "--hosts=h0,h1"], "not hosts"),
    (["latency", "--hosts=h0"], "1 hosts"), (["barrier", "-m", "8"], "no lengths"),
    (["latency", "--hosts=h0,h0"], "hosts h0 and h0 are one, with one process; expected two"),
    (["allreduce", "-m", "4:16", "--algorithm=butterfly"], "from 1 to 8"),
    (["allreduce", "-m", "0:16"], "'0:16': expected 1 to 1073741824 bytes of allreduce"),
    (["allgather", "-m", "0"], "'0': expected 1 to"), (["bw", "-m", "4KB"], "as 1:4194304 or 64:4KiB"),
    (["alltoall", "--algorithm=butterfly"], "there is no alltoall 'butterfly'; there are bruck"),
    (["allreduce", "--algorithm=rign"], "there are btin, butterfly, dissemination"),
    (["allreduce", "--algorithm=rign"], "there is no allreduction 'rign'; there"),
    (["bcast", "--algorithm=btin", "-m", "8:8"], "bcast of 8 bytes by btin"),
    (["barrier", "--algorithm=nosuch"], "nosuch"), (["barrier", "-i", "0"], "iterations=0"),
    (["barrier", "--members=17"], "members=17"), (["barrier", "--tasks-per-host=0"], "tasks")])
def test_impossible_requests_are_refused(capsys, words, told):
    assert told in refused(capsys, "osu", *words, f"--topology={FABRIC}")


def test_lengths_have_units_and_fallbacks_are_named(capsys):
    """A group of three is odd, and no power of two."""
    assert osu.sizes_of("1KiB", "latency") == [2**i for i in range(11)]
    assert osu.sizes_of("64:4KiB", "alltoall") == [2**i for i in range(6, 13)]
    for algorithm, fallback in (("neighbour-exchange", "ring: 3 members are an odd number"),
                                ("recursive-doubling", "bruck: 3 members are no power of two"),
                                ("ring", None)):
        status, out, _ = call(capsys, "osu", "allgather", f"--topology={FABRIC}", "--members=3",
                             f"--algorithm={algorithm}", "-m", "4:8")
        told = [line for line in out.splitlines() if "falls back" in line]
        assert status == 0 and told == ([f"# falls back on {fallback}"] if fallback else [])


def test_lengths_are_refused_before_anything_is_loaded(environment):
    code = ("import sys\nfrom ns3_wormhole import cli, options\n"
            "status = options.run(cli.app, 'x', ['osu', 'allgather', '--topology=torus:4', '-m', '0'])\n"
            "sys.exit(status + 10 * ('cppyy' in sys.modules))")
    run(sys.executable, "-c", code, env=environment, status=1)


def test_a_machine_is_below_attributes():
    """Of a machine's own start-up and of another, the difference is that of a message."""
    alone, slower = (osu.measure(fabric(), "latency", [8], machine="edr-infiniband",
                                 attributes=more).value[0]
                     for more in ({}, {"ns3::HostSoftware::StartUp": "1300ns"}))
    # The machine has 300 ns.
    assert slower - alone == pytest.approx(1, abs=1e-9)
    assert alone < 2
