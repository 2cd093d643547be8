# SPDX-License-Identifier: GPL-2.0-only
"""Collectives of data from Python, and which algorithm is the fastest at which length."""

import functools
import itertools

import numpy as np
import pytest
from conftest import call, made_up, passed, refused, refuses
from ns3_wormhole.core import lengths
from ns3_wormhole.report import crossover, tuning
from ns3_wormhole.data_collective import OPERATIONS, TYPES

FABRIC = "torus:4,hosts=2"
COLUMNS = ["kind", "algorithm", "members", "bytes", "load", "latency_us", "latency_us_p99", "needs", "reason"]
PLAIN = {"sum": np.add, "product": np.multiply, "min": np.minimum, "max": np.maximum,
         "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


@pytest.mark.parametrize("given, sizes", [
    ("8,...,64", [8, 16, 32, 64]), ("8:64", [8, 16, 32, 64]), ("8,...,100", [8, 16, 32, 64, 100]),
    ("1kB,1KiB,8", [8, 1000, 1024]), ([8, ..., "32B"], [8, 16, 32]), (["4", "...", "16"], [4, 8, 16]),
    (7, [7]), ("1.5KiB", [1536]), ("16MiB,...,64MiB", [2**24, 2**25, 2**26]), ("8,8", [8])])
def test_lengths_are_read(given, sizes):
    assert lengths.listed("bytes", given) == sizes


def expected(kind, values, lengths, root, operation):
    """What members have in the end, by NumPy alone; values are arrays of parts."""
    if kind == "scan":
        return list(itertools.accumulate(values, PLAIN[operation]))
    whole = values[root] if kind in ("broadcast", "scatter") else np.concatenate(values) if "gather" in kind else \
        functools.reduce(PLAIN[operation], values)
    if "scatter" in kind:
        return np.split(whole, np.cumsum(lengths)[:-1])
    is_for_root = kind in ("reduction", "gather")
    return [None if is_for_root and rank != root else whole for rank in range(len(lengths))]


@pytest.mark.parametrize("kind", [
    "allreduction", "broadcast", "reduction", "gather", "scatter", "allgather", "reduce-scatter", "scan"])
@pytest.mark.parametrize("equal", [True, False])
def test_arrays_come_out_as_numpy_has_them(wh, kind, equal):
    """Every algorithm by name, 5 members, two of them on one host, unless switches do it; in all but
    gathers and the like lengths are no multiples of 5."""
    count, root = 5, 3
    draw = np.random.default_rng(7)
    lengths = [4] * count if equal else [3, 0, 7, 1, 2]
    if kind == "reduce-scatter" and equal:
        lengths = [3, 3, 2, 2, 2]
    fabric = wh.Fabric.from_text(FABRIC)
    for name, of_type in zip(wh.algorithms(kind, data=True), itertools.cycle(("int64", "uint32", "int32", "uint64"))):
        whole = {"gather": None, "allgather": None}.get(kind, sum(lengths))
        values = [draw.integers(0, 100, lengths[rank] if whole is None else whole).astype(of_type)
                  for rank in range(count)]
        asked = {"Root": root} if kind in ("broadcast", "scatter", "reduction", "gather") else {}
        more = {"operation": "max"} if kind in ("scan", "allreduction") and not equal else {}
        given = [value if kind not in ("broadcast", "scatter") or rank == root else None
                 for rank, value in enumerate(values)]
        if kind in ("scatter", "reduce-scatter") and not equal:
            given = [value if value is None else np.split(value, np.cumsum(lengths)[:-1]) for value in given]

        def cross(members):
            made = fabric.collective(kind, name, members, **asked, **more)
            if not isinstance(made, wh.DataCollective):  # one of one value has this name, too
                made = fabric.collective(kind, name, members, bytes=values[0].nbytes, DataType=of_type, **asked, **more)
            made.cross(values=given)
            return made
        try:
            made = cross([0, 1, 2, 2, 7])
        except wh.WormholeError as error:
            assert "takes one member per host" in str(error), (name, error)
            wh.reset()
            try:
                made = cross([0, 1, 2, 3, 7])
            except wh.WormholeError as refused:  # parts of other lengths in switches
                assert not equal and "length" in str(refused), (name, refused)
                continue
        wanted = expected(kind, values, lengths, root, more.get("operation", "sum"))
        for rank, (got, want) in enumerate(zip(made.results, wanted, strict=True)):
            if want is None or len(want) == 0:
                assert got is None, (name, rank)
            else:
                assert got.dtype == of_type and np.array_equal(got, want), (name, rank)


def test_everybody_gets_everybody_s_part(wh):
    fabric = wh.Fabric.from_text(FABRIC)
    for name in wh.algorithms("alltoall"):
        made = fabric.alltoall(name, 4)
        made.cross(values=[np.arange(8, dtype=np.int32) + 10 * rank for rank in range(4)])
        for rank, got in enumerate(made.results):
            assert got.tolist() == [10 * other + 2 * rank + i for other in range(4) for i in (0, 1)]
        # Then with parts of other lengths, for which the group is set up anew.
        try:
            made.cross(values=[[np.full(rank + other, rank) for other in range(4)] for rank in range(4)])
        except wh.WormholeError as error:
            assert "length" in str(error), name
            continue
        assert [got.tolist() for got in made.results] == [
            [other for other in range(4) for _ in range(rank + other)] for rank in range(4)]


@pytest.mark.parametrize("of_type", TYPES)
@pytest.mark.parametrize("operation", OPERATIONS)
def test_types_and_operations(wh, of_type, operation):
    made = wh.IdealNetwork(2).allreduction("ring", operation=operation)
    draw = np.random.default_rng(3)
    values = [(draw.random((3, 4)) * 1000).astype(of_type) for _ in range(2)]
    if of_type.startswith("float") and operation in ("and", "or", "xor"):
        refuses("floats have no and, or and xor", made.cross, values=values)
        return
    made.cross(values=values)
    assert made.results[0].shape == (3, 4) and made.results[0].dtype == of_type
    assert np.array_equal(made.results[1], PLAIN[operation](*values))


def test_an_ideal_network_has_the_formula_s_times(wh):
    """Of a ring of n: 2 (n - 1) messages of s + latency + r."""
    costs = {"ns3::HostSoftware::StartUp": "3us", "ns3::HostSoftware::ReceiveOverhead": "2us"}
    ideal = wh.IdealNetwork(6, "500ns", attributes=costs)
    assert ideal.allreduction("ring", bytes=600).cross() == pytest.approx(2 * 5 * 5.5)
    assert ideal.group("h1,h4") == [1, 4] and len(ideal.group(3)) == 3
    refuses("no barrier tree on an ideal network", ideal.barrier, "btin")


def test_groups_are_set_up_for_what_is_given(wh):
    fabric = wh.Fabric.from_text(FABRIC)
    made = fabric.allreduction("ring", 3)
    assert made.cross(values=[np.ones(4)] * 3) < made.cross(values=[np.ones(4000)] * 3)
    assert made.results[0].tolist() == [3.0] * 4000
    assert made.cross() > 0 and made.results[0][0] == 3  # as in the round before
    fixed = fabric.allreduction("ring", 3, bytes="32B")
    assert fixed.cross() > 0 and fixed.results == [None] * 3 and fixed.fallback == ""
    for values, told in (([np.ones(3)] * 3, "gives 24 bytes; expected 32"),
                         ([np.ones(4)] * 2, "2 values for 3 members"),
                         ([np.ones(4), None, np.ones(4)], "arrays of all members"),
                         ([np.ones(4, np.int8)] * 3, "array of int8; expected int32"),
                         ([np.ones(4), np.ones(4), np.ones(8, np.int32)], "of float64, int32;")):
        refuses(told, fixed.cross, values=values)
    refuses("has no effect on a barrier", fabric.collective, "barrier", "btin", bytes=8)
    refuses("moves no data", wh.algorithms, "barrier", data=True)


@pytest.fixture(scope="module")
def table():
    import ns3_wormhole as wh
    return wh.studies.crossover(bytes="8,...,64KiB", topology=FABRIC, machine="edr-infiniband",
                                group_sizes=[4, 8], tolerance=0, hypothetical=True)


def test_rows_are_what_fabrics_measure(wh, table):
    assert list(table.columns) == COLUMNS
    names = set(wh.algorithms("allreduction", data=True)) | set(wh.algorithms("allreduction"))
    names -= {"smp"}  # of one process a host it is what it has inside
    assert set(table.algorithm) == names
    assert len(table) == len(names) * 2 * 14 and not table.duplicated(COLUMNS[:4]).any()
    assert ((table.reason == "") == table.latency_us.notna()).all()
    assert set(table.needs) == {"software", "adapter", "switch", "add-on"}
    fabric = wh.Fabric.from_text(FABRIC, machine="edr-infiniband")
    for name, size in (("ring", 8), ("ring", 65536)):
        wh.reset()
        row = table[(table.algorithm == name) & (table.bytes == size) & (table.members == 4)].iloc[0]
        assert row.latency_us == row.latency_us_p99 == \
            fabric.allreduction(name, fabric.group(4), bytes=size).cross()
    row = table[(table.algorithm == "multicast") & (table.bytes == 8) & (table.members == 4)].iloc[0]
    wh.reset()
    assert row.latency_us == fabric.allreduction("multicast", fabric.group(4), Operation="ADD", WidthBits=64).cross()
    assert (table[(table.algorithm == "butterfly") & (table.bytes > 8)].reason
            == "carries one value of up to 8 bytes").all()


def test_winners_change_where_it_says(wh, table):
    found = wh.studies.crossovers(table)
    found = found[~found.hardware.astype(bool) & (found.last_bytes >= 8)]
    fabric = wh.Fabric.from_text(FABRIC, machine="edr-infiniband")
    data = wh.algorithms("allreduction", data=True)
    checked = 0
    for row in found.itertuples():
        if row.below not in data or row.above not in data:
            continue
        assert 0 < row.first_bytes - row.last_bytes <= 4 and row.first_bytes % 4 == 0

        def time(name, size):
            wh.reset()
            return fabric.allreduction(name, fabric.group(row.members), bytes=size).cross()
        assert time(row.below, row.last_bytes) <= time(row.above, row.last_bytes)
        assert time(row.above, row.first_bytes) < time(row.below, row.first_bytes)
        checked += 1
    assert checked or len(data) < 3
    best = wh.studies.winners(table)
    for row in best.itertuples():
        able = table[(table.members == row.members) & (table.bytes == row.bytes)
                     & (table.reason == "") & (table.needs == "software")]
        assert row.latency_us == able.latency_us.min()
    gains = best[best.bytes == 8]
    assert (gains.hardware == "btin").all() and (gains.gain > 1).all()


def test_beside_traffic(wh):
    asked = {"bytes": "4KiB", "topology": FABRIC, "names": ["ring"], "group_sizes": [6]}
    alone, loaded = (wh.studies.crossover(**asked, load=load).iloc[0] for load in (0, 0.15))
    assert alone.latency_us < loaded.latency_us < loaded.latency_us_p99 and loaded.load == 0.15
    again = wh.studies.crossover(**asked, load=0.15).iloc[0]
    assert again.latency_us == loaded.latency_us and again.latency_us_p99 == loaded.latency_us_p99
    refuses("more than the fabric takes", wh.studies.crossover, **asked, load=0.9)


def test_transports_and_segments(wh):
    frame = wh.studies.crossover(bytes="64,64KiB", topology=FABRIC, group_sizes=[4],
                                 names=["ring", "ring[Transport=rdma]", "ring[SegmentBytes=4096]",
                                        "btin", "in-switch"])
    assert dict(zip(frame.algorithm, frame.needs)) == {
        "btin": "switch", "in-switch": "switch", "ring": "software", "ring[Transport=rdma]": "nic",
        "ring[SegmentBytes=4096]": "software"}
    every = wh.studies.crossover(bytes="64,64KiB", topology=FABRIC, group_sizes=[4],
                                 kind="allgather", transports=["sendrecv", "rdma"],
                                 segment_bytes=["4KiB"], network="ideal")
    assert {"ring", "ring[Transport=rdma]", "ring[SegmentBytes=4096]",
            "ring[Transport=rdma|SegmentBytes=4096]"} <= set(every.algorithm)
    assert "carries bytes at no cost" in every.attrs["free"][0]
    # A segment that is as long as the data cuts nothing.
    assert set(every[every.algorithm == "ring[SegmentBytes=4096]"].bytes) == {65536}


def test_command_writes_all_it_is_asked_for(capsys, tmp_path):
    paths = {name: tmp_path / name for name in ("table.csv", "plot.svg", "rules.conf")}
    asked = ["--kind=MPI_Allreduce", "--bytes=8,...,256", f"--topology={FABRIC}", "--group-sizes=4,8"]
    status, out, err = call(capsys, "compare", *asked, f"--csv={paths['table.csv']}",
                           f"--plot={paths['plot.svg']}", f"--open-mpi-rules={paths['rules.conf']}",
                           "--machine=edr-infiniband", "--progress")
    assert (status, out) == (0, "") and "crossover: 100%" in err
    lines = paths["table.csv"].read_text().splitlines()
    assert lines[0] == ",".join(COLUMNS) and len(lines) > 2 * 6
    assert "MPI_Allreduce" in paths["rules.conf"].read_text()
    assert "4 members" in paths["plot.svg"].read_text(encoding="utf-8")
    out = passed(capsys, "compare", *asked)
    assert "4 members: latency in us by length" in out and "btin *" in out and "one random group of each size" in out
    assert "the fastest by length and number of members" in out and "gain" in out
    assert max(map(len, out.split("can't")[0].splitlines())) <= 110


@pytest.mark.parametrize("words, told", [
    (["--bytes=8:4"], "8 is above 4"), (["--bytes=...,8"], "not between two lengths"),
    (["--bytes=8,..."], "nothing follows"), (["--bytes=64KB"], "--bytes"[2:] + "=64KB: expected"),
    (["--bytes=0"], "bytes=0"), (["--bytes=8", "--rounds=0"], "rounds=0"), (["--bytes=8", "--kind=barrier"], "a barrier has no length"),
    (["--bytes=8", "--kind=alltoal"], "did you mean alltoall"),
    (["--bytes=8", "--names=rnig"], "rnig"), (["--bytes=8", "--load=2"], "load=2"),
    (["--bytes=8", "--load=0.1", "--network=ideal"], "no traffic on the ideal network"),
    (["--bytes=8", "--kind=alltoall", "--operation=sum"], "no effect on alltoall"),
    (["--bytes=8", "--operation=avg"], "operation='avg': expected sum, product"),
    (["--bytes=8", "--width-bits=8"], "has no effect with --bytes"),
    (["--bytes=8", "--transports=tcp"], "transports='tcp': expected sendrecv, rdma"),
    (["--bytes=8", "--tolerance=2"], "tolerance=2.0"), (["--bytes=8", "--group-sizes=9"], "at most 8 hosts"),
    (["--bytes=8", "--plot=when.jpg"], "when.jpg"), (["--transports=rdma"], "has no effect without --bytes"),
    (["--open-mpi-rules=x"], "has no effect without --bytes"),
    (["--tuning=mpich:x"], "--tuning=mpich:x: has no effect without --bytes"),
    (["--bytes=8", "--tuning=mpich"], "--tuning=mpich: expected LIBRARY:FILE, with one of open-mpi, open-mpi-json,"),
    (["--bytes=8", "--tuning=mpisch:x"], "no library 'mpisch' to tune; expected open-mpi, open-mpi-json, mpich, ucc, "
                                         "nccl, rccl; did you mean mpich?"),
    (["--bytes=8", "--kind=scan", "--tuning=ucc:x"], "UCC has no algorithms of scan to choose from; expected allgather,"),
    (["--bytes=16", "--names=butterfly"], "value of up to 8 bytes"),
    (["--names=ring"], "ring moves data in allreduction, and holds no single value; expected it with bytes"),
    (["--kind=barrier", "--names=foo"], "nic, pairwise-exchange, smp, tournament, tree, unicast\n"),
    (["--names=ring[Bytes=64],butterfly"], "ring[Bytes=64] moves 64 bytes in allreduction, butterfly one value; "
                                           "expected names without Bytes, in compare with --bytes=64,"),
    (["--names=ring[Bytes=64],ring[Bytes=8]"], "ring[Bytes=64] moves 64 bytes in allreduction, ring[Bytes=8] 8 bytes; "
                                               "expected names without Bytes, in compare with --bytes=64,"),
    (["--names=ring[Bytes=64]", "--width-bits=8"], "width_bits=8: has no effect on data of 64 bytes; expected none"),
    (["--kind=allgather", "--bytes=8", "--names=neighbour-exchange", "--group-sizes=3"],
     "neighbour-exchange can't at 8: falls back on ring: 3 members are an odd number"),
    (["--kind=allgather", "--names=neighbour-exchange", "--group-sizes=3"],
     "neighbour-exchange can't: falls back on ring: 3 members are an odd number"),
    (["--bytes=8", "--names=ring[SegmentByte=8]"], "did you mean SegmentBytes?"),
    (["--bytes=8", "--kind=allgather", "--names=pairwise"],
     "there is no allgather 'pairwise'; there are bruck, neighbour-exchange, recursive-doubling, ring, smp\n"),
    (["--bytes=8", "--group-size=3"], "No such option: --group-size; did you mean --group-sizes?\n")])
def test_what_can_t_be_is_refused_in_one_line(capsys, words, told):
    kind = [] if any("kind" in word for word in words) else ["--kind=allreduction"]
    assert told in refused(capsys, "compare", f"--topology={FABRIC}", "--group-sizes=4", *kind, *words)


def test_without_lengths_is_as_with_the_default(capsys):
    asked = [f"--topology={FABRIC}", "--group-sizes=3", "--kind=allgather"]
    status, out, _ = call(capsys, "compare", *asked)
    assert status == 0 and out.startswith("latency of allgather of 8 bytes (others: --bytes=")
    assert "neighbour-exchange can't: falls back on ring: 3 members are an odd number" in out
    times = dict(line.split()[:2] for line in out.splitlines() if line.startswith(("ring", "bruck")))
    with_lengths = call(capsys, "compare", *asked, "--bytes=8")[1]
    for name, time in times.items():
        assert f"{name:<5} {float(time):>11.2f}".split() in [line.split() for line in with_lengths.splitlines()]


def test_names_that_set_bytes_are_measured_as_data(wh, capsys):
    names = ("ring", "recursive-doubling")  # the second holds a value without Bytes
    asked = {"topology": FABRIC, "group_sizes": [3], "kind": "allreduction"}
    found = wh.studies.algorithms(names=[f"{name}[Bytes=64]" for name in names], **asked)
    assert list(found.latency_us) == list(wh.studies.crossover(names=names, bytes=["64"], **asked).latency_us)
    assert passed(capsys, "compare", f"--topology={FABRIC}", "--group-sizes=3", "--kind=allreduction",
                  "--operation=MAX", "--names=ring[Bytes=64]").startswith(
                      "latency of allreduction (max) of 64 bytes (others: --bytes=8,...,1MiB) in us, by number of hosts")


def test_hardware_alone_has_no_fastest(capsys):
    status, out, _ = call(capsys, "compare", f"--topology={FABRIC}", "--group-sizes=3", "--kind=allreduction",
                         "--bytes=8,64", "--names=btin")
    assert status == 0 and "there is no fastest" in out and "is the same at all" not in out


def test_wrong_arguments_name_the_nearest(wh):
    for wrong, told in ((lambda: wh.studies.crossover(byte=8), "'byte'; did you mean bytes?"),
                       (lambda: wh.studies.algorithms(machin=8), "did you mean machine?"),
                       (lambda: wh.studies.trees(proceses=[4]), "did you mean processes?")):
        refuses(told, wrong)


def test_messages_of_names_and_slots(wh):
    fabric = wh.Fabric.from_text("torus:4", attributes={"ns3::CollectiveUnit::SlotBytes": 8192})
    for name, told in (("ring[Bytes=-1]", "Bytes=-1: expected a whole number from 1 to "),
                       ("ring[Bytes=0]", "Bytes=0: expected a whole number from 1 to "),
                       ("ring[Colour=red]", "sets no attribute .*; there are Transport, .*KeepsOrder"),
                       ("btin", "expected SlotBytes .* up to 48, or a BufferDepth .* of 8200 flits")):
        more = {} if "Bytes" in name else {"bytes": 8}
        refuses(told, lambda: fabric.allreduction(name, 3, **more).cross())
    with pytest.raises(wh.WormholeError, match="has no attribute Slot; .*SlotBytes|did you mean Slots"):
        wh.Fabric.from_text("torus:4", attributes={"ns3::CollectiveUnit::Slot": 1}).barrier("btin")
    refuses("'8x': a number is missing after an x; .* as 8x8", wh.Fabric.from_text, "torus:8x")


def test_pieces_of_plots():
    frame = made_up("scan", {"a": {8: 1.0, 16: 3.0}, "b": {8: 2.0, 16: 2.0}})
    frame.attrs["crossovers"] = [{"members": 4, "hardware": False, "below": "a", "last_bytes": 8,
                                  "above": "b", "first_bytes": 12, "latency_us": 2.0}]
    assert list(crossover._shades(frame, 8, 16)) == [(8, 12, "a"), (12, 16, "b")]
    # Lines go through what was measured between; the last length has a label, within the axis.
    frame.attrs["between"] = [{"algorithm": "a", "members": 4, "bytes": 12, "latency_us": 2.5}]
    lines = crossover.script(frame)
    assert "8 1.0\n12 2.5\n16 3.0\ne" in "\n".join(lines)
    assert "set xtics ('8' 8, '16' 16)" in lines
    (end,) = [float(line.partition(":")[2].rstrip("]")) for line in lines if line.startswith("set xrange")]
    assert end > 16


def test_ranks_in_the_order_of_hosts_and_windows(wh):
    given = {"kind": "allreduction", "topology": "torus:4x4", "group_sizes": [16], "bytes": ["64KiB"]}
    table = wh.studies.crossover(names=["ring"], order="sorted", **given)
    wh.reset()
    in_order = wh.Fabric.from_text("torus:4x4").allreduction("ring", list(range(16)), bytes="64KiB").cross()
    wh.reset()
    assert table.latency_us.tolist() == [in_order]
    drawn = wh.studies.crossover(names=["ring"], **given)
    assert drawn.latency_us[0] > in_order and "were drawn" in drawn.attrs["placement"]
    content, notes = tuning.text(table, path="rules.conf")
    assert "# ranks in the order of the fabric's hosts\n" in content and not notes
    assert "# from one random group of each size; --placements=N takes medians over N\n" in content
    assert "coll_tuned_dynamic_rules_filename rules.conf\n" in content
    assert crossover.as_text(table).splitlines()[1] == "ranks in the order of the fabric's hosts"
    # Windows are tried of what is in the switches alone.
    wide = wh.studies.crossover(windows=[16, 32], **given)
    cut = {name: time for name, time in zip(wide.algorithm, wide.latency_us) if "Window" in name}
    assert list(cut) == ["btin[Window=16]", "btin[Window=32]"]
    assert cut["btin[Window=16]"] < wide.latency_us[wide.algorithm == "btin"].item()
    assert "of which Window are outstanding" in " ".join(crossover.as_text(wide).split())
    # Whole messages alone mislead about long vectors.
    cut = wh.studies.crossover(names=["ring"], segment_bytes=["8KiB"], **given)
    assert "in segments: --segment-bytes=8KiB,64KiB" in " ".join(crossover.as_text(table).split())
    assert "whole messages" not in crossover.as_text(cut)
    for option, value, said in (("order", "srted", "'srted' is no placement"), ("windows", [0], "from 1 to")):
        refuses(said, wh.studies.crossover, **given, **{option: value})


@pytest.mark.parametrize("words, told", [
    ([], "from one random group of each size; --placements=N takes medians over N"),
    (["--placement=random", "--placements=2"], "medians over 2 random groups of each size"),
    (["--placement=first"], ""), (["--network=ideal"], "")])
def test_files_of_rules_say_how_many_groups_they_are_from(capsys, tmp_path, words, told):
    files = tmp_path / "rules.conf", tmp_path / "rules.json"
    status, _, err = call(
        capsys, "compare", "--kind=allreduction", "--bytes=8", "--names=ring", f"--topology={FABRIC}", "--no-check",
        "--group-sizes=4", f"--tuning=open-mpi:{files[0]}", f"--tuning=mpich:{files[1]}", *words)
    assert status == 0 and err.count("random group") == 2 * bool(told)
    assert [f"{path}: {told}\n" in err for path in files] == [bool(told)] * 2
    assert f"# {told}\n" in files[0].read_text() if told else "random group" not in files[0].read_text()


def test_smp_is_tried_with_each_algorithm_between_leaders(wh):
    asked = {"topology": "torus:4x2,hosts=2", "bytes": ["8,256"], "group_sizes": [4]}
    table = wh.studies.crossover(**asked, tasks_per_host=2)
    inner = set(wh.algorithms("allreduction", data=True)) - {"smp", "btin", "ring"}
    tried = set(table.algorithm)
    assert {"smp", *(f"smp[Inner={name}]" for name in inner)} <= tried
    assert "smp[Inner=ring]" not in tried  # that is smp
    # In the switches data at all lengths, as a row that is named.
    rows = {row["bytes"]: row for row in table[table.algorithm == "smp[Inner=btin]"].to_dict("records")}
    fabric = wh.Fabric.from_text("torus:4x2,hosts=2", seed=1)
    members = [host for host in fabric.group(4, seed=1, run=1) for _ in range(2)]
    for size, row in rows.items():
        assert row["reason"] == "" and row["latency_us"] == fabric.allreduction(
            "smp[Inner=btin]", members, bytes=size).cross()
    assert not any("smp" in name for name in wh.studies.crossover(**asked).algorithm)


@pytest.mark.parametrize("kind", ["allreduction", "broadcast"])
def test_a_row_of_all_is_as_the_one_of_its_name(wh, kind):
    asked = {"topology": "torus:2,hosts=2", "bytes": ["8,256"], "group_sizes": [3], "tasks_per_host": 2, "kind": kind}
    table = wh.studies.crossover(**asked)
    named = wh.studies.crossover(**asked, names=list(dict.fromkeys(table.algorithm)))
    assert {"smp[Inner=btin]", "smp[Inner=hw-all]", "smp[Inner=multicast]"} <= set(table.algorithm)
    columns = ["algorithm", "bytes", "latency_us", "needs", "reason"]
    assert table[columns].equals(named[columns])


def test_windows_inside_smp_are_tried(wh, capsys):
    asked = ["compare", "--topology=torus:4", "--kind=allreduction", "--bytes=4KiB", "--group-sizes=4", "--no-check",
             "--tasks-per-host=2"]
    for names in ([], ["--names=smp[Inner=btin],ring"]):
        status, out, err = call(capsys, *asked, *names, "--windows=2", "--attribute=WormholePort::BufferDepth=128")
        rows = [line.split() for line in out.splitlines() if line.startswith("smp[Inner=btin")]
        times = {row[0]: float(row[2]) for row in rows}
        assert status == 0 and "no effect" not in err
        assert times["smp[Inner=btin[Window=2]]"] > times["smp[Inner=btin]"]
        told = " ".join(out.split())
        assert "--windows=...)" in told and "--attribute=WormholePort::BufferDepth=..." in told
    for tasks, such in ((1, "btin"), (2, "smp[Inner=btin]")):
        err = call(capsys, *asked[:-1], f"--tasks-per-host={tasks}", "--names=ring", "--windows=2")[2]
        assert err.endswith(f"without an algorithm in switches that moves data, such as {such}\n")


def test_hardware_alone_has_no_explanation(capsys):
    """There is no fastest whose causes could be told."""
    out = passed(capsys, "compare", f"--topology={FABRIC}", "--group-sizes=3", "--kind=allreduction",
                 "--bytes=8,64", "--names=btin", "--explain")
    assert "there is no fastest" in out and "Empty" not in out and "went into, %" not in out


def test_reasons_that_differ_in_a_length_are_one(capsys):
    _, out, _ = call(capsys, "compare", "--kind=broadcast", f"--topology={FABRIC}", "--group-sizes=4",
                     "--bytes=8,16", "--names=hw-all,binomial")
    assert out.count("can't") == 1 and "hw-all can't: MessageBytes is 8, but" in out
