# SPDX-License-Identifier: GPL-2.0-only
"""Chakra execution traces: what they become, and what is refused."""

import json

import chakra_traces as traces
import pytest
from conftest import call, refused, refuses

import ns3_wormhole as wh
from ns3_wormhole import goal

# CollectiveCommType of ASTRA-sim's samples, kinds here, and comm_size over the module's length of n ranks.
SAMPLES = [(0, "allreduction", lambda n: 1), (2, "allgather", lambda n: 1), (6, "alltoall", lambda n: n),
           (7, "reduce-scatter", lambda n: 1)]


@pytest.mark.parametrize("ranks", [4, 8, 16])
@pytest.mark.parametrize("number, kind, ratio", SAMPLES)
def test_a_collective_becomes_its_algorithm(tmp_path, ranks, number, kind, ratio):
    name = "pairwise" if kind == "alltoall" else "ring"
    size = 16000 * ratio(ranks)
    traces.write(tmp_path / "t", [[traces.collective(0, number, size)]] * ranks)
    found = goal.ideal(goal.read_chakra(str(tmp_path / "t"), algorithms={kind: name}))
    alone = goal.ideal(goal.collective(kind, name, ranks, 16000))
    assert list(found.finish_ns) == list(alone.finish_ns) and found.finish_ns.max() > 0


def test_a_ring_by_messages_is_the_ring(tmp_path):
    """8 ranks, 1 MB: within 0.1 %."""
    traces.write(tmp_path / "t", traces.ring(8, 10**6))
    schedules = goal.read_chakra(str(tmp_path / "t")), goal.collective("allreduction", "ring", 8, 10**6)
    by_messages, ring = (goal.ideal(each).finish_ns.max() for each in schedules)
    assert by_messages == pytest.approx(ring, rel=1e-3)
    on = wh.Fabric.from_text("clos:ports=8")
    by_messages, ring = (goal.run(on, [each]).finish_ns.max() for each in schedules)
    assert by_messages == pytest.approx(ring, rel=1e-3)


@pytest.mark.parametrize("accelerator", [{}, {"is_cpu_op": False}])
def test_times_and_dependencies(tmp_path, accelerator):
    """Both kinds of dependencies hold; an accelerator works beside the processor, and is the default."""
    traces.write(tmp_path / "t", [[
        traces.node(5, traces.COMP, duration=7, is_cpu_op=True),
        traces.node(1, traces.COMP, control=[5], duration=20, is_cpu_op=True),
        traces.node(2, traces.COMP, needs=[5], duration=30, num_ops=9.0, **accelerator),
        traces.node(3, traces.COMP, needs=[1, 2], duration=1, is_cpu_op=True)]])
    apart = goal.run(wh.Fabric.from_text("torus:2x2"), [goal.read_chakra(str(tmp_path / "t"))])
    assert apart.finish_ns[0] == 1000 * (7 + 30 + 1)
    together = goal.ideal(goal.read_chakra(str(tmp_path / "t"), ideal=True))
    assert together.finish_ns[0] == 1000 * (7 + 20 + 30 + 1)


def test_groups_and_a_table(tmp_path, monkeypatch, capsys):
    """Two halves reduce at once, by the algorithm that is the fastest of a table at the nearest length."""
    monkeypatch.chdir(tmp_path)
    traces.write("t", [[traces.collective(0, 0, 8000, pg_name=str(rank // 4))] for rank in range(8)])
    (tmp_path / "groups.json").write_text(json.dumps({"0": [0, 1, 2, 3], "1": [4, 5, 6, 7]}), encoding="utf-8")
    (tmp_path / "c.csv").write_text("kind,algorithm,members,bytes,latency_us,needs\n"
                                    "allreduction,ring,4,8192,5,software\nallreduction,btin,4,8192,1,switch\n"
                                    "allreduction,rabenseifner,4,8192,6,software\n"
                                    "allreduction,rabenseifner,4,64,1,software\n", encoding="utf-8")
    given = "--chakra=t", "--groups=groups.json", "--table=c.csv", "--out=t.goal"
    assert call(capsys, "goal", *given) == (0, "", "allreduction: ring\n")
    found, ring = goal.ideal("t.goal"), goal.ideal(goal.collective("allreduction", "ring", 4, 8000))
    assert list(found.finish_ns) == [*ring.finish_ns, *ring.finish_ns]
    status, out, _ = call(capsys, "goal", "--chakra=t", "--groups=groups.json", "--ideal", "--explain")
    assert status == 0 and "t: 8 ranks" in out and "\n    allreduction: recursive-doubling\n" in out


def test_algorithms_are_of_kinds(tmp_path, monkeypatch, capsys):
    """MPI's names are kinds, too; those of a kind that the trace does not have are told."""
    monkeypatch.chdir(tmp_path)
    traces.write("t", [[traces.collective(0, 0, 8000)]] * 4)
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


def test_two_traces_are_two_jobs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        traces.write(name, [[traces.collective(0, 0, 8000)]] * 2)
    status, out, err = call(capsys, "goal", "--chakra=a", "--chakra=b", "--topology=torus:2x2")
    assert (status, err) == (0, "") and "a: 2 ranks" in out and "b: 2 ranks" in out


@pytest.mark.parametrize("words, told", [
    (["--ideal", "--collectives=none.json"], "--collectives=none.json has no effect without FILE"),
    (["--out=y.goal", "--csv=z.csv"], "--csv=z.csv has no effect with --out, which runs nothing"),
    (["--out=y.goal", "--L=3us"], "--L=3us has no effect with --out"),
    (["--out=y.goal", "--explain"], "--explain has no effect with --out"),
    (["--out=y.goal", "--topology=bogus:1"], "--topology=bogus:1 has no effect with --out"),
    (["--out=y.goal", "--chakra=u"], "2 jobs with --out; expected one")])
def test_options_without_an_effect_are_refused(tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    traces.write("t", [[traces.collective(0, 0, 8)]] * 2)
    assert told in refused(capsys, "goal", "--chakra=t", *words)
    assert not (tmp_path / "y.goal").exists()


@pytest.mark.parametrize("nodes, told", [
    ([traces.node(0, 2)], "'n0': MEM_LOAD_NODE; expected METADATA_NODE, COMP_NODE"),
    ([traces.node(0, traces.COMP, duration=1, colour=3)], "unknown attribute 'colour'; expected comm_dst"),
    ([traces.node(0, traces.COMP, needs=[4], duration=1)], "depends on node 4, which is not there"),
    ([traces.node(0, traces.COMP, num_ops=5)], "num_ops without duration_micros"),
    ([traces.node(0, traces.COMP, tensor_size=5)], "t.0.et: node 0, 'n0': COMP_NODE without duration_micros"),
    ([traces.node(0, traces.SEND, comm_size=5)], "expected attribute 'comm_dst'"),
    ([traces.node(0, traces.SEND, comm_size=5, comm_dst=0, comm_src=5)], "comm_src is 5; expected 0, the file's"),
    ([traces.node(0, traces.RECV, comm_size=5, comm_src=0, comm_dst=7)], "comm_dst is 7; expected 0, the file's"),
    ([traces.collective(0, "ALL_REDUCE", 5)], "'n0': comm_type is 'ALL_REDUCE'; expected a whole number from 0"),
    ([traces.node(0, traces.COLL, comm_type=0, comm_size=[5])], "comm_size is a list or bytes; expected a whole"),
    ([traces.collective(0, 11, 5)], "comm_type 11; expected 0 to 9"),
    ([traces.collective(0, 0, 5, pg_name="3")], "group '3' does not have rank 0"),
    ([b"\x0a\xff"], "t.0.et: no Chakra trace")])
def test_what_cannot_run_is_refused(tmp_path, monkeypatch, capsys, nodes, told):
    monkeypatch.chdir(tmp_path)
    traces.write("t", [nodes])
    assert told in refused(capsys, "goal", "--chakra=t", "--ideal")


@pytest.mark.parametrize("ranks", [(0, 1, 3), (1, 2)])
def test_a_missing_file_is_named(tmp_path, ranks):
    for rank in ranks:
        (tmp_path / f"t.{rank}.et").touch()
    refuses(rf"t\.{2 if ranks[0] == 0 else 0}\.et: no such file, but there is .*t\.{ranks[-1]}\.et",
            goal.read_chakra, str(tmp_path / "t"))


def test_a_rank_is_once_in_a_group(tmp_path):
    traces.write(tmp_path / "t", [[traces.collective(0, 0, 8, pg_name="a")]] * 3)
    (tmp_path / "groups.json").write_text('{"a": [0, 1, 1, 2]}', encoding="utf-8")
    refuses("group 'a' has rank 1 twice", goal.read_chakra, str(tmp_path / "t"), str(tmp_path / "groups.json"))


def test_what_changes_nothing_is_left_out(tmp_path, monkeypatch, capsys):
    """As PyTorch's converter writes it; a duration may be none there, and a barrier has no length."""
    monkeypatch.chdir(tmp_path)
    traces.write("t", [[traces.node(0, 1, colour=5),
                        traces.node(1, traces.COMP, [0], control=[9], rf_id=3, op_schema=""),
                        traces.node(2, traces.COLL, [1], comm_type=9, stream=7, involved_dim=[1, 1])]] * 4)
    status, out, err = call(capsys, "goal", "--chakra=t", "--ideal")
    assert status == 0 and "t: 4 ranks" in out
    assert err == ("ns3-wormhole: t: left out, since it changes nothing here: colour, control dependencies on nodes "
                   "that are not there, involved_dim, op_schema, rf_id, stream\n")


def test_collectives_have_to_match(tmp_path):
    for second, told in ((8, "of 8 bytes, but .* is allreduction of 16"), (None, "rank 1 of its group")):
        traces.write(tmp_path / "t", [[traces.collective(0, 0, 16)],
                                      [traces.collective(0, 0, second)] if second else []])
        refuses(told, goal.read_chakra, str(tmp_path / "t"))


def test_the_libraries_reader_agrees(tmp_path):
    """MLCommons' own protobuf code reads these traces as they were written."""
    schema = pytest.importorskip("chakra.schema.protobuf.et_def_pb2")
    read = schema.Node()
    read.ParseFromString(traces.node(3, traces.SEND, [1, 2], 4, [5, 6], comm_size=7, comm_dst=1))
    assert (read.id, read.type, list(read.data_deps), list(read.ctrl_deps), read.duration_micros) \
        == (3, schema.COMM_SEND_NODE, [1, 2], [5, 6], 4)
    assert {each.name: each.int64_val for each in read.attr} == {"comm_size": 7, "comm_dst": 1}
