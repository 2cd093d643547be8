# SPDX-License-Identifier: GPL-2.0-only
"""Files by which MPI libraries, UCC, NCCL and RCCL choose algorithms: read back, they choose as compare."""

import ctypes
import ctypes.util
import glob
import json
import math
import os
import random
import sys

import pandas
import pytest
from conftest import call, made_up, noted, refuses, run, write
from ns3_wormhole.report import tuning

SIZES = [8 << power for power in range(16)]
MEMBERS = [4, 6, 16]
# Collectives for which libraries add up what all members give.
TOTALS = {"open-mpi": {"allgather", "alltoall", "gather", "scatter"}, "mpich": {"allgather"},
          "ucc": {"allgather", "alltoall"}, "nccl": {"allgather"}}
OPEN_MPI = glob.glob("/usr/lib/*/openmpi/lib/openmpi3/mca_coll_tuned.so")
MPICH = ctypes.util.find_library("mpich") or "libmpich.so.12"


def parse(text):
    """Reads a rules file by the documented grammar: numbers, and comments after #."""
    numbers = iter([int(word) for line in text.splitlines() for word in line.split("#")[0].split()])
    rules = {}
    for _ in range(next(numbers)):
        collective = rules.setdefault(next(numbers), {})
        for _ in range(next(numbers)):
            members = next(numbers)
            collective[members] = [tuple(next(numbers) for _ in range(4)) for _ in range(next(numbers))]
    assert next(numbers, None) is None
    return rules


def read_open_mpi(text, _):
    """Each reader returns the algorithm for a number of members and a message size; None: no rule."""
    (rules,) = parse(text).values()

    def choose(members, size):
        group = max((each for each in rules if each <= members), default=min(rules))
        return [rule[1] for rule in rules[group] if rule[0] <= size][-1] or None
    return choose


def read_open_mpi_json(text, _):
    tree = json.loads(text)
    assert set(tree) == {"rule_file_version", "module", "collectives"}
    (groups,) = tree["collectives"].values()

    def fits(each, name, value):
        return each.get(f"{name}_min", 0) <= value <= each.get(f"{name}_max", math.inf)

    def choose(members, size):
        group = next((each for each in groups if fits(each, "comm_size", members)), {"rules": []})
        return next((each["alg"] for each in group["rules"] if fits(each, "msg_size", size)), None)
    return choose


def read_mpich(text, name):
    """As MPICH does: the first key that holds; a communicator and operation that allow everything."""
    def walk(tree, members, size):
        for key, below in tree.items():
            what, _, value = key.partition("=")
            if what == "algorithm":
                return None if value.endswith("allcomm_nb") else value
            if what[-1] == "<":
                if {"comm_size": members}.get(what[:-1], size) <= int(value):
                    return walk(below, members, size)
            elif key in (f"collective={name}", "comm_type=intra", "is_op_built_in=yes", "is_commutative=yes",
                         "is_sendbuf_inplace=no") or value == "any" \
                    or key == "comm_size=pow2" and not members & members - 1:
                return walk(below, members, size)
        raise AssertionError(f"MPICH aborts at {name}")
    tree = json.loads(text)
    return lambda members, size: walk(tree, members, size)


def read_ucc(text, name):
    """Ranges in order; the end of one counts to it."""
    (line,) = [line for line in text.splitlines() if not line.startswith("#")]
    variable, _, value = line.partition("=")
    rules = []
    for token in filter(None, value.split("#")):
        collective, sizes, team, algorithm = token.split(":")
        assert (variable, collective, team[0], team[-1], algorithm[0]) == ("UCC_TL_UCP_TUNE", name, "[", "]", "@")
        rules.append(([*map(float, sizes.split("-")), *map(float, team[1:-1].split("-"))], algorithm[1:]))

    def choose(members, size):
        rest = [(low, high, algorithm) for (low, high, first, last), algorithm in rules if first <= members <= last]
        for low, high, algorithm in rest:
            # What lies between two ranges is a range of UCC's own, up to where the next one begins.
            if (low < size or size == low == 0) and size <= high:
                return algorithm
        return None
    return choose


def read_nccl(text, name):
    lines = text.splitlines()
    assert max(map(len, lines)) < 256
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert all(row[0] == name and len(row) == 10 and row[4:7] == ["simple", "-1", "-1"] for row in rows)

    def choose(members, size):
        return next((row[3] for row in rows if int(row[1]) <= size <= int(row[2]) and int(row[7]) == members), None)
    return choose


READERS = {"open-mpi": read_open_mpi, "open-mpi-json": read_open_mpi_json, "mpich": read_mpich,
           "ucc": read_ucc, "nccl": read_nccl, "rccl": read_nccl}
CASES = [(library, kind) for library, each in tuning.LIBRARIES.items() for kind in each.collectives]


def drawn(library, kind):
    """Returns a table of times drawn at random, of what a library has and has not."""
    draw = random.Random(f"{library} {kind}")
    rows = [{"kind": kind, "algorithm": name, "members": members, "bytes": size, "needs": "software",
             "latency_us": draw.uniform(1, 9), "load": 0.0,
             "reason": "not here" if (members == 6 and "recursive" in name) or (
                 draw.random() < 0.5 and kind not in ("scan", "gather", "scatter")) else ""}
            for name in [*tuning.LIBRARIES[library].collectives[kind].algorithms, "bine", "two-rings"]
            for members in MEMBERS for size in SIZES]
    return pandas.DataFrame(rows)


def points(library, kind):
    """Yields members, message size and the algorithm that is compare's choice at random points."""
    table, draw = drawn(library, kind), random.Random(7)
    of = tuning.LIBRARIES[library].collectives[kind]
    table = table[(table.reason == "") & table.algorithm.isin(of.algorithms)]
    for _ in range(100):
        members = draw.choice(MEMBERS)
        length = members * int(2 ** draw.uniform(0, 19))
        rows = table[table.members == members]
        if of.size:
            rows = rows[rows.bytes == max((size for size in SIZES if size <= length), default=SIZES[0])]
            best = rows.set_index("algorithm").latency_us
        else:
            best = rows.groupby("algorithm").latency_us.sum()
        size = length * (members if kind in TOTALS[library.replace("rccl", "nccl").removesuffix("-json")] else 1)
        size //= members if (library, kind) == ("ucc", "reduce-scatter") else 1
        yield members, size, of.algorithms[best.idxmin()] if len(best) else None


@pytest.mark.parametrize("library, kind", CASES)
def test_choices_are_compare_s(library, kind):
    of = tuning.LIBRARIES[library].collectives[kind]
    choose = READERS[library](tuning.text(drawn(library, kind), library)[0], of.name)
    seen = set()
    for members, size, algorithm in points(library, kind):
        found = choose(members, size)
        if library == "mpich" and found:
            found = found.removeprefix(f"MPIR_{of.name.capitalize()}_intra_")
        assert found == algorithm, (members, size)
        seen.add(found)
    assert len(seen) > 1 or len(of.algorithms) == 1 or not of.size


@pytest.mark.skipif(not OPEN_MPI, reason="without Open MPI 4")
@pytest.mark.parametrize("kind", tuning.LIBRARIES["open-mpi"].collectives)
def test_open_mpi_chooses_so_itself(kind, tmp_path):
    ctypes.CDLL("libmpi.so.40", mode=ctypes.RTLD_GLOBAL)
    tuned = ctypes.CDLL(OPEN_MPI[0])
    pointer, find, look_up = ctypes.c_void_p, tuned.ompi_coll_tuned_get_com_rule_ptr, \
        tuned.ompi_coll_tuned_get_target_method_params
    find.restype, find.argtypes = pointer, [pointer, ctypes.c_int, ctypes.c_int]
    look_up.argtypes = [pointer, ctypes.c_size_t, pointer, pointer, pointer]
    path = write(tmp_path / "rules", tuning.text(drawn("open-mpi", kind))[0])
    rules, others = pointer(), [ctypes.c_int() for _ in range(3)]
    assert tuned.ompi_coll_tuned_read_rules_config_file(str(path).encode(), ctypes.byref(rules), 22) == 1
    number = tuning.LIBRARIES["open-mpi"].collectives[kind].number
    for members, size, algorithm in points("open-mpi", kind):
        found = look_up(find(rules, number, members), size, *map(ctypes.addressof, others))
        assert (found or None) == algorithm, (members, size)


def has_mpich():
    try:
        return bool(ctypes.CDLL(MPICH))
    except OSError:
        return False


USES_ALL = """
import ctypes, sys
mpi, world, double, add = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL), 0x44000000, 0x4c00080b, 0x58000003
mpi.MPI_Init(None, None)
a, b = (ctypes.c_double * 4)(1, 2, 3, 4), (ctypes.c_double * 4)()
for name in "Allreduce", "Scan", "Exscan", "Reduce_scatter_block":
    getattr(mpi, f"MPI_{name}")(a, b, 4, double, add, world)
for name in "Allgather", "Alltoall":
    getattr(mpi, f"MPI_{name}")(a, 4, double, b, 4, double, world)
for name in "Gather", "Scatter":
    getattr(mpi, f"MPI_{name}")(a, 4, double, b, 4, double, 0, world)
mpi.MPI_Bcast(a, 4, double, 0, world), mpi.MPI_Reduce(a, b, 4, double, add, 0, world), mpi.MPI_Barrier(world)
mpi.MPI_Finalize()
print("done", *b)
"""


@pytest.mark.skipif(not has_mpich(), reason="without MPICH")
@pytest.mark.parametrize("kind", tuning.LIBRARIES["mpich"].collectives)
def test_mpich_takes_the_file(kind, tmp_path):
    """It knows all keys and algorithms, and finds one for collectives that the file does not tune. Of
    Debian's 4.0, which has no ring in an all-reduction yet."""
    table = drawn("mpich", kind)
    content = tuning.text(table[(kind != "allreduction") | (table.algorithm != "ring")], "mpich")[0]
    for text, output in ((content, "done 1.0 2.0 3.0 4.0\n"), (content.replace("_intra_", "_x_"), "")):
        path = write(tmp_path / "rules.json", text)
        done = run(sys.executable, "-c", USES_ALL, MPICH, status=None, timeout=60,
                   env={**os.environ, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE": str(path)})
        assert done.stdout == output, done.stderr


def test_rules_of_open_mpi():
    text, _ = tuning.text(made_up("alltoall", {
        "bruck": {8: 1.0, 64: 9.0}, "pairwise": {8: 2.0, 64: 3.0}, "smp": {8: 4.0, 64: 2.0}}))
    assert parse(text) == {3: {4: [(0, 3, 0, 0), (256, 2, 0, 0)]}}
    assert "# pairwise; faster is smp, which it has not" in text
    text, _ = tuning.text(made_up("broadcast", {
        "chain[SegmentBytes=4096]": {8192: 1.0}, "binomial": {8: 1.0, 8192: 4.0}, "bine": {8: 0.5}}))
    assert parse(text) == {7: {4: [(0, 6, 0, 0), (8192, 3, 0, 4096)]}}
    text, _ = tuning.text(made_up("allreduction", {"ring[SegmentBytes=64]": {128: 1.0}}))
    assert parse(text) == {2: {4: [(0, 5, 0, 64)]}}
    assert tuning.rule_of("reduction", "tree[Tree=binomial]").algorithm == 5
    assert tuning.rule_of("allgather", "ring[Transport=rdma]") is None


def test_crossovers_between_lengths(tmp_path):
    table = made_up("allreduction", {"recursive-doubling": {8: 1.0, 64: 3.0}, "ring": {8: 2.0, 64: 2.0}})
    table.attrs["crossovers"] = [{"members": 4, "hardware": False, "below": "recursive-doubling", "last_bytes": 36,
                                  "above": "ring", "first_bytes": 40, "latency_us": 2.0}]
    choose = read_mpich(tuning.text(table, "mpich")[0], "allreduce")
    assert [choose(4, size).rpartition("intra_")[2] for size in (39, 40)] == ["recursive_doubling", "ring"]
    table = made_up("allreduction", {"ring": {8: 2.0}, "smp": {8: 1.0}})
    notes = [each.partition(": ")[2] for each in noted(tuning.write, str(tmp_path / "a"), table, "mpich")[1]]
    assert notes[0].startswith("use it with: MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=")
    assert notes[-1] == "4 members, from 0 bytes: ring; faster is smp, which it has not"
    refuses("UCC has none of the algorithms of allreduction that were",
            tuning.text, made_up("allreduction", {"rabenseifner": {8: 2.0}}), "ucc")


@pytest.mark.parametrize("library, own", [
    ("nccl", "ring,two-trees"), ("ucc", "ring,two-trees"), ("open-mpi", "ring,recursive-doubling"),
    ("mpich", "ring,recursive-doubling")])
@pytest.mark.filterwarnings("ignore")
def test_switches_where_a_library_s_own_cross(wh, capsys, tmp_path, library, own):
    """Below and above a switch the file's choice is the fastest that the library has, though one that it has
    not is faster at all lengths."""
    path, given = tmp_path / "file", {"topology": "torus:4x4", "machine": "edr-infiniband"}
    options = [f"--{name}={value}" for name, value in given.items()]
    assert call(capsys, "compare", "--bytes=4KiB,256KiB", "--group-sizes=8", "--tolerance=0", *options, "--no-check",
                f"--names=rabenseifner[Transport=rdma],{own}", f"--tuning={library}:{path}")[0] == 0
    of = tuning.LIBRARIES[library].collectives["allreduction"]
    choose = READERS[library](path.read_text(encoding="utf-8"), of.name)
    sizes = range(4096, 2**18, 4)
    (switch,) = [size for size in sizes if choose(8, size) != choose(8, size - 4)]
    assert sizes[0] < switch < sizes[-1]
    table = wh.studies.crossover(bytes=[str(switch + more) for more in (-1000, -4, 0, 1000)], group_sizes=[8],
                                 names=own.split(","), **given)
    for size, each in table.groupby("bytes"):
        best = of.algorithms[each.algorithm[each.latency_us.idxmin()]]
        assert str(choose(8, size)).endswith(str(best)), size
