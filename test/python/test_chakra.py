# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces (schema 1.0), as ASTRA-sim has them: what they become, and what is refused."""

import json
import struct

import pytest
from conftest import call, refused, refuses

import ns3_wormhole as wh
from ns3_wormhole import goal


def varint(number):
    number &= 2**64 - 1
    text = bytearray()
    while number > 127:
        text.append(number & 127 | 128)
        number >>= 7
    return bytes([*text, number])


def field(number, value):
    """Returns a field: a number, or bytes or a text after their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    """Returns an attribute: bool_val, int64_val, string_val, double_val or int64_list."""
    if isinstance(value, list):
        return field(10, field(1, name) + field(10, field(1, b"".join(map(varint, value)))))
    of = 27 if isinstance(value, bool) else 9 if isinstance(value, int) else 29
    text = varint(3 << 3 | 1) + struct.pack("<d", value) if isinstance(value, float) else field(of, value)
    return field(10, field(1, name) + text)


def node(number, kind, needs=(), duration=0, control=(), **attributes):
    """Returns a node. kind: number of its type; needs, control: what it depends on by data and control"""
    text = field(1, number) + field(2, f"n{number}") + field(3, kind)
    if control:
        text += field(4, b"".join(map(varint, control)))  # packed
    text += b"".join(field(5, each) for each in needs)
    text += field(7, duration) if duration else b""
    return text + b"".join(attribute(name, value) for name, value in attributes.items())


def write(prefix, ranks):
    """Writes a file for each rank. ranks: nodes of each"""
    for rank, nodes in enumerate(ranks):
        with open(f"{prefix}.{rank}.et", "wb") as file:
            file.write(b"".join(varint(len(part)) + part for part in [field(1, "0.0.4"), *nodes]))


COMP, SEND, RECV, COLL = 4, 5, 6, 7


def collective(number, kind, size, needs=(), **more):
    """Returns a collective's node. kind: its CollectiveCommType"""
    return node(number, COLL, needs, comm_type=kind, comm_size=size, is_cpu_op=False, **more)


def ring_of(ranks, size):
    """Returns a ring all-reduction by messages: a rank's part comes, is sent on, and comes reduced."""
    part = size // ranks
    found = []
    for rank in range(ranks):
        nodes = []
        for step in range(2 * (ranks - 1)):
            sends = node(2 * step, SEND, [2 * step - 1] if step else [], comm_size=part, comm_src=rank,
                         comm_dst=(rank + 1) % ranks, comm_tag=step)
            takes = node(2 * step + 1, RECV, [2 * step - 1] if step else [], comm_size=part,
                         comm_src=(rank - 1) % ranks, comm_dst=rank, comm_tag=step)
            nodes += [sends, takes]
        found.append(nodes)
    return found


# CollectiveCommType of ASTRA-sim's samples, kinds here, and comm_size over the module's length of n ranks.
@pytest.mark.parametrize("number, kind, ratio", [
    (0, "allreduction", lambda n: 1), (2, "allgather", lambda n: 1), (6, "alltoall", lambda n: n),
    (7, "reduce-scatter", lambda n: 1)])
@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_a_collective_becomes_its_algorithm(tmp_path, ranks, number, kind, ratio):
    name = "pairwise" if kind == "alltoall" else "ring"
    write(tmp_path / "t", [[collective(0, number, 16000 * ratio(ranks))]] * ranks)
    found = goal.ideal(goal.read_chakra(str(tmp_path / "t"), algorithms={kind: name}))
    alone = goal.ideal(goal.collective(kind, name, ranks, 16000))
    assert list(found.finish_ns) == list(alone.finish_ns) and found.finish_ns.max() > 0


def test_a_ring_by_messages_is_the_ring(tmp_path):
    write(tmp_path / "t", ring_of(8, 10**6))
    schedules = goal.read_chakra(str(tmp_path / "t")), goal.collective("allreduction", "ring", 8, 10**6)
    by_messages, ring = (goal.ideal(each).finish_ns.max() for each in schedules)
    assert by_messages == pytest.approx(ring, rel=1e-3)
    on = wh.Fabric.from_text("clos:ports=8")
    by_messages, ring = (goal.run(on, [each]).finish_ns.max() for each in schedules)
    assert by_messages == pytest.approx(ring, rel=1e-3)


@pytest.mark.parametrize("accelerator", [{}, {"is_cpu_op": False}])
def test_times_and_dependencies(tmp_path, accelerator):
    write(tmp_path / "t", [[
        node(5, COMP, duration=7, is_cpu_op=True),
        node(1, COMP, control=[5], duration=20, is_cpu_op=True),
        node(2, COMP, needs=[5], duration=30, num_ops=9.0, **accelerator),
        node(3, COMP, needs=[1, 2], duration=1, is_cpu_op=True)]])
    apart = goal.run(wh.Fabric.from_text("torus:2x2"), [goal.read_chakra(str(tmp_path / "t"))])
    assert apart.finish_ns[0] == 1000 * (7 + 30 + 1)
    assert goal.ideal(goal.read_chakra(str(tmp_path / "t"), ideal=True)).finish_ns[0] == 1000 * (7 + 20 + 30 + 1)


def test_groups_and_a_table(in_folder, capsys):
    write("t", [[collective(0, 0, 8000, pg_name=str(rank // 4))] for rank in range(8)])
    (in_folder / "groups.json").write_text(json.dumps({"0": [0, 1, 2, 3], "1": [4, 5, 6, 7]}), encoding="utf-8")
    (in_folder / "c.csv").write_text("kind,algorithm,members,bytes,latency_us,needs\n"
                                    "allreduction,ring,4,8192,5,software\nallreduction,btin,4,8192,1,switch\n"
                                    "allreduction,rabenseifner,4,8192,6,software\n"
                                    "allreduction,rabenseifner,4,64,1,software\n", encoding="utf-8")
    given = "--chakra=t", "--groups=groups.json", "--table=c.csv", "--out=t.goal"
    assert call(capsys, "goal", *given) == (0, "", "allreduction: ring\n")
    found, ring = goal.ideal("t.goal"), goal.ideal(goal.collective("allreduction", "ring", 4, 8000))
    assert list(found.finish_ns) == [*ring.finish_ns, *ring.finish_ns]
    status, out, _ = call(capsys, "goal", "--chakra=t", "--groups=groups.json", "--ideal", "--explain")
    assert status == 0 and "t: 8 ranks" in out and "\n    allreduction: recursive-doubling\n" in out


def test_algorithms_are_of_kinds(in_folder, capsys):
    write("t", [[collective(0, 0, 8000)]] * 4)
    status, out, err = call(capsys, "goal", "--chakra=t", "--ideal", "--algorithm=allreduce=ring",
                            "--algorithm=bcast=binomial")
    assert status == 0 and out.endswith("\n    allreduction: ring\n")
    assert err == "ns3-wormhole: algorithm binomial has no effect: t has no broadcast\n"
    assert "no kind of collective 'alreduce'; there are" in refused(
        capsys, "goal", "--chakra=t", "--ideal", "--algorithm=alreduce=ring")
    assert goal.read_chakra("t", algorithms={"MPI_Allreduce": "ring"}).algorithms == {"allreduction": {"ring": 1}}
    refuses("no kind of collective 'x'", goal.read_chakra, "t", algorithms={"x": "ring"})
    refuses("two algorithms of allreduction, ring and tree", goal.read_chakra, "t",
            algorithms={"allreduce": "ring", "allreduction": "tree"})


def test_two_traces_are_two_jobs(in_folder, capsys):
    for name in "ab":
        write(name, [[collective(0, 0, 8000)]] * 2)
    status, out, err = call(capsys, "goal", "--chakra=a", "--chakra=b", "--topology=torus:2x2")
    assert (status, err) == (0, "") and "a: 2 ranks" in out and "b: 2 ranks" in out


@pytest.mark.parametrize("words, told", [
    (["--ideal", "--collectives=none.json"], "--collectives=none.json has no effect without FILE"),
    (["--out=y.goal", "--csv=z.csv"], "--csv=z.csv has no effect with --out, which runs nothing"),
    (["--out=y.goal", "--L=3us"], "--L=3us has no effect with --out"),
    (["--out=y.goal", "--explain"], "--explain has no effect with --out"),
    (["--out=y.goal", "--topology=bogus:1"], "--topology=bogus:1 has no effect with --out"),
    (["--out=y.goal", "--chakra=u"], "2 jobs with --out; expected one")])
def test_options_without_an_effect_are_refused(in_folder, capsys, words, told):
    write("t", [[collective(0, 0, 8)]] * 2)
    assert told in refused(capsys, "goal", "--chakra=t", *words)
    assert not (in_folder / "y.goal").exists()


@pytest.mark.parametrize("nodes, told", [
    ([node(0, 2)], "'n0': MEM_LOAD_NODE; expected METADATA_NODE, COMP_NODE"),
    ([node(0, COMP, duration=1, colour=3)], "unknown attribute 'colour'; expected comm_dst"),
    ([node(0, COMP, needs=[4], duration=1)], "depends on node 4, which is not there"),
    ([node(0, COMP, num_ops=5)], "num_ops without duration_micros"),
    ([node(0, COMP, tensor_size=5)], "t.0.et: node 0, 'n0': COMP_NODE without duration_micros"),
    ([node(0, SEND, comm_size=5)], "expected attribute 'comm_dst'"),
    ([node(0, SEND, comm_size=5, comm_dst=0, comm_src=5)], "comm_src is 5; expected 0, the file's"),
    ([node(0, RECV, comm_size=5, comm_src=0, comm_dst=7)], "comm_dst is 7; expected 0, the file's"),
    ([collective(0, "ALL_REDUCE", 5)], "'n0': comm_type is 'ALL_REDUCE'; expected a whole number from 0"),
    ([node(0, COLL, comm_type=0, comm_size=[5])], "comm_size is a list or bytes; expected a whole"),
    ([collective(0, 11, 5)], "comm_type 11; expected 0 to 9"),
    ([collective(0, 0, 5, pg_name="3")], "group '3' does not have rank 0"),
    ([b"\x0a\xff"], "t.0.et: no Chakra trace")])
def test_what_cannot_run_is_refused(in_folder, capsys, nodes, told):
    write("t", [nodes])
    assert told in refused(capsys, "goal", "--chakra=t", "--ideal")


@pytest.mark.parametrize("ranks", [(0, 1, 3), (1, 2)])
def test_a_missing_file_is_named(tmp_path, ranks):
    for rank in ranks:
        (tmp_path / f"t.{rank}.et").touch()
    refuses(rf"t\.{2 if ranks[0] == 0 else 0}\.et: no such file, but there is .*t\.{ranks[-1]}\.et",
            goal.read_chakra, str(tmp_path / "t"))


def test_a_rank_is_once_in_a_group(tmp_path):
    write(tmp_path / "t", [[collective(0, 0, 8, pg_name="a")]] * 3)
    (tmp_path / "groups.json").write_text('{"a": [0, 1, 1, 2]}', encoding="utf-8")
    refuses("group 'a' has rank 1 twice", goal.read_chakra, str(tmp_path / "t"), str(tmp_path / "groups.json"))


def test_what_changes_nothing_is_left_out(in_folder, capsys):
    """As PyTorch's converter writes it; a duration may be none there, and a barrier has no length."""
    write("t", [[node(0, 1, colour=5),
                 node(1, COMP, [0], control=[9], rf_id=3, op_schema=""),
                 node(2, COLL, [1], comm_type=9, stream=7, involved_dim=[1, 1])]] * 4)
    status, out, err = call(capsys, "goal", "--chakra=t", "--ideal")
    assert status == 0 and "t: 4 ranks" in out
    assert err == ("ns3-wormhole: t: left out, since it changes nothing here: colour, control dependencies on nodes "
                   "that are not there, involved_dim, op_schema, rf_id, stream\n")


def test_collectives_have_to_match(tmp_path):
    for second, told in ((8, "of 8 bytes, but .* is allreduction of 16"), (None, "rank 1 of its group")):
        write(tmp_path / "t", [[collective(0, 0, 16)], [collective(0, 0, second)] if second else []])
        refuses(told, goal.read_chakra, str(tmp_path / "t"))


def test_the_libraries_reader_agrees(tmp_path):
    """MLCommons' own protobuf code reads these traces as they were written."""
    schema = pytest.importorskip("chakra.schema.protobuf.et_def_pb2")
    read = schema.Node()
    read.ParseFromString(node(3, SEND, [1, 2], 4, [5, 6], comm_size=7, comm_dst=1))
    assert (read.id, read.type, list(read.data_deps), list(read.ctrl_deps), read.duration_micros) \
        == (3, schema.COMM_SEND_NODE, [1, 2], [5, 6], 4)
    assert {each.name: each.int64_val for each in read.attr} == {"comm_size": 7, "comm_dst": 1}
