# SPDX-License-Identifier: GPL-2.0-only
"""Collectives by name, traces, how long the first one takes, and sums in switches beside NumPy's."""

import gc
import pickle
import sys

import numpy as np
import pytest
from conftest import refuses, run


def test_nobody_leaves_before_the_last_one_came(wh):
    names = wh.algorithms("barrier")
    assert "btin" in names and "tree" in names
    for name in (*names, "tree[Tree=fibo]"):
        barrier = wh.Fabric.irregular(16, 32).barrier(name, 7)
        latency = barrier.cross(arrivals=[0, 0, "30us", 0, 12.5, 0, 0])
        assert len(barrier.leaves_us) == 7 and min(barrier.leaves_us) >= 30, name
        assert latency == pytest.approx(max(barrier.leaves_us) - 30), name
        assert barrier.cross() == barrier.cross(), name
        barrier.release()


def test_values_are_combined(wh):
    fabric = wh.Fabric.irregular(16, 32)
    for name in ("btin", "dissemination", "tree"):
        total = fabric.allreduction(name, 4, Operation="ADD", WidthBits=64)
        total.cross(values=[1, 2, 3, 2**40])
        assert total.results == [6 + 2**40] * 4
    greatest = fabric.reduction("tree", 4, Operation="MAX", WidthBits=32)
    greatest.cross(values=[3, 9, 4, 1])
    assert greatest.results[greatest.model.GetRoot()] == 9


def test_broadcast_hands_on_the_root_s_value(wh):
    news = wh.Fabric.irregular(16, 32).broadcast("tree", 8, WidthBits=32)
    values = [0] * 8
    values[news.model.GetRoot()] = 77
    news.cross(values=values)
    assert news.results == [77] * 8


def test_trace_sources_take_functions(wh):
    barrier = wh.Fabric.irregular(16, 32).barrier("btin", 4)
    left = []
    wh.connect(barrier.model, "Leave", lambda rank, _: left.append(rank))
    barrier.cross()
    assert sorted(left) == [0, 1, 2, 3]
    refuses("did you mean Leave", wh.connect, barrier.model, "Leav", print)
    wh.connect(barrier, "Leave", lambda rank, _: left.append(rank))
    barrier.cross()
    assert len(left) == 4 + 2 * 4
    for thing, function, told in ((barrier.members, print, "has no trace sources; expected"),
                                  (None, print, "None has no trace sources"),
                                  (barrier, 5, "5 can't be called; expected a function")):
        refuses(told, wh.connect, thing, "Leave", function)


@pytest.mark.parametrize("ask", [
    lambda wh, fabric: wh.algorithms(None), lambda wh, fabric: fabric.barrier(5, 4),
    lambda wh, fabric: wh.Fabric.from_text(None), lambda wh, fabric: wh.Fabric.irregular(law=5),
    lambda wh, fabric: wh.Fabric.from_text("torus:3x3", root=5)])
def test_an_argument_of_a_wrong_type_is_refused_in_one_line(wh, ask):
    fabric = wh.Fabric.from_text("torus:3x3")
    with pytest.raises(wh.WormholeError, match="could not convert argument .*expected") as caught:
        ask(wh, fabric)
    assert "\n" not in str(caught.value) and isinstance(caught.value, TypeError)


def test_every_model_has_its_own_name(wh):
    assert wh.ns.CollectiveHelper.MakeBarrier("btin").GetInstanceTypeId().GetName() == "ns3::InSwitchBarrier"
    assert wh.ns.WormholeSwitch.GetTypeId().GetName() == "ns3::WormholeSwitch"


def test_what_has_ended_says_so(wh):
    fabric = wh.Fabric.irregular(16, 32)
    barrier = fabric.barrier("btin", 4)
    before = barrier.cross()
    wh.reset()
    refuses("has ended", barrier.cross)
    assert fabric.barrier("btin", 4).cross() == before


@pytest.mark.parametrize("ask, told", [
    (lambda fabric: fabric.barrier("disemination"), "there is no barrier 'disemination'; there are btin"),
    (lambda fabric: fabric.barrier("tree[Tre=fibo]"), "'Tre=fibo' sets no attribute of ns3::TreeBarrier"),
    (lambda fabric: fabric.barrier("btin", 4, Operation="XOR"),
     "XOR: expected AND, OR, ADD, MIN or MAX"),
    (lambda fabric: fabric.barrier("btin", 4, WidthBits="many"),
     "WidthBits=many: expected a whole number from 1 to 64"),
    (lambda fabric: fabric.barrier("btin", []), "a group has no member; expected one or more"),
    (lambda fabric: fabric.allreduction("dissemination", 6, Operation="ADD"), "powers of two"),
    ({"arrivals": [0]}, "1 arrivals for 4"),
    ({"arrivals": [-1, 0, 0, 0]}, "arrivals.0.=-1: expected a number of us from 0"),
    ({"arrivals": [0, 0, float("nan"), 0]}, "arrivals.2.=nan: expected a number of us from 0"),
    ({"arrivals": [0, "soon", 0, 0]}, "arrivals.1.: 'soon' is no time"),
    ({"values": [2, 0, 0, 0]}, "rank 0 enters with value 2, which has more than 1 bits"),
    ({"values": [-2, 0, 0, 0]}, "value -2: expected whole numbers of up to 64 bits"),
])
def test_bad_input_is_refused(wh, ask, told):
    """Of a fabric, or of a round of four members."""
    fabric = wh.Fabric.irregular(16, 32)
    with pytest.raises(wh.WormholeError, match=told) as caught:
        ask(fabric) if callable(ask) else fabric.barrier("unicast", 4).cross(**ask)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    wh.reset()


def test_first_barrier_says_nothing_of_its_own(environment):
    """Nor do ns-3's headers when they are read; how long that takes is told, not tested."""
    script = ("import ns3_wormhole as wh\n"
              "print(wh.Fabric.irregular().barrier('btin', [0, 17, 42, 200]).cross())")
    done = run(sys.executable, "-c", script, env=environment, timeout=120)
    assert float(done.stdout) > 0 and done.stderr == ""


def test_stock_loader_may_come_first(environment):
    script = ("from ns import ns\nimport ns3_wormhole as wh\n"
              "assert wh.ns is ns or wh.ns.Node is ns.Node\n"
              "print(wh.Fabric.irregular().barrier('btin', [0, 17]).cross() > 0, ns.Barrier)")
    assert run(sys.executable, "-c", script, env=environment, timeout=300).stdout.startswith("True")


def test_what_a_callback_gets_may_be_kept(wh):
    """C++ gives it for the call alone: a message on its stack, a Ptr that would be let go."""
    def read(given):
        if type(given).__name__ == "CollectiveMessage":
            return int(given.group), list(given.children.GetPorts()), int(given.value), int(given.type)
        if type(given).__name__.startswith("Ptr"):
            worm = given.__deref__()
            return int(worm.GetId()), int(worm.GetFlits())
        return given.GetPicoSeconds() if hasattr(given, "GetPicoSeconds") else given

    kept, seen = [], []

    def keep(*given):
        kept.append(given)
        seen.append([read(each) for each in given])

    fabric = wh.Fabric.from_text("torus:3x3,hosts=2")
    barrier = fabric.allreduction("btin", 6, Operation="ADD", WidthBits=32)
    for number in range(9):
        wh.connect(fabric.domain.GetUnit(number), "Receive", keep)
        switch = fabric.domain.GetFabric().GetSwitch(number)
        for port in filter(None, (switch.GetPort(i) for i in range(switch.GetNPorts()))):
            wh.connect(port, "HeadStart", keep)
    for source in ("Ready", "Released", "Leave"):
        wh.connect(barrier.model, source, keep)
    for i in range(3):
        barrier.cross(values=[10 * i + rank for rank in range(6)])
    barrier.release()
    kinds = {type(each).__name__ for given in kept for each in given}
    assert {"CollectiveMessage", "Ptr<const ns3::Worm>", "Time", "int"} <= kinds and len(kept) > 100
    wh.reset()
    gc.collect()
    wh.Fabric.from_text("torus:3x3,hosts=2").barrier("tree", 18).cross()
    assert [[read(each) for each in given] for given in kept] == seen


def test_a_callback_that_would_get_pointers_is_refused(wh):
    ns = wh.ns
    import cppyy
    cppyy.cppdef("""
        #include "ns3/object.h"
        #include "ns3/traced-callback.h"
        #include "ns3/trace-source-accessor.h"
        namespace ns3 {
        typedef void (*PointerTracedCallback)(const int* number);
        class Pointing : public Object
        {
          public:
            static TypeId GetTypeId()
            {
                static TypeId tid = TypeId("ns3::Pointing").SetParent<Object>().AddTraceSource(
                    "Source", "Never.", MakeTraceSourceAccessor(&Pointing::m_source),
                    "ns3::PointerTracedCallback");
                return tid;
            }
            TypeId GetInstanceTypeId() const override { return GetTypeId(); }
            TracedCallback<const int*> m_source;
        }; }""")
    refuses("'Source' of ns3::Pointing gives pointers to objects that may", wh.connect, ns.CreateObject[ns.Pointing](),
            "Source", print)


def test_usual_names_are_accepted(wh):
    assert wh.algorithms("allreduce") == wh.algorithms("MPI_Allreduce") == wh.algorithms("barrier")
    assert wh.algorithms("MPI_Reduce_scatter_block") == wh.algorithms("reduce-scatter")
    assert wh.algorithms("bcast") == wh.algorithms("broadcast")
    fabric = wh.Fabric.irregular(8, 16)
    for usual, own in (("binomial", "tree[Tree=binomial]"), ("linear", "tree[Tree=sequential]"),
                       ("recursive-doubling", "pairwise-exchange")):
        assert fabric.barrier(usual, 5).cross() == fabric.barrier(own, 5).cross()
    sized = fabric.broadcast("binomial[MessageBytes=4096]", 5).cross()
    assert sized == fabric.broadcast("tree[Tree=binomial|MessageBytes=4096]", 5).cross()
    refuses(r"did you mean dissemination\?", fabric.barrier, "disemination", 5)
    refuses("there is no kind .* did you mean broadcast?", wh.algorithms, "brodcast")
    table = wh.studies.algorithms(kind="allreduce", names=["btin"], switches=8, hosts=16, group_sizes=[4])
    assert list(table.kind) == ["allreduction"]


@pytest.fixture(name="fabric")
def make_fabric(wh):
    return wh.Fabric.irregular(12, 20).with_attributes({
        "ns3::CollectiveUnit::SlotBytes": 8192, "ns3::WormholePort::BufferDepth": 8192 + 64})


def sum_of(graph, tree, values, node, above=None):
    """What a switch or host of a tree sends on: the sum of what comes by its ports, from the lowest on. values: by
    number of hosts; above: where the sum goes; None: it is the result."""
    if not graph.IsSwitch(node):
        return values[node - graph.GetNSwitches()]
    entry = tree.Find(node)
    ports = [*entry.memberPorts, *entry.childPorts]
    if not entry.IsRoot():
        ports.append(entry.parentPort)
    total = None
    for port in sorted(int(each) for each in ports):
        below = graph.Peer(node, port).node
        if below != above:
            more = sum_of(graph, tree, values, below, node)
            total = more if total is None else total + more
    return total


@pytest.mark.parametrize("algorithm, members, of_type, bound", [
    ("in-switch", list(range(0, 16, 2)), np.int32, 2**31), ("ring", 4, np.int64, 2**40)])
def test_a_million_integers(fabric, algorithm, members, of_type, bound):
    random = np.random.default_rng(5)
    total = fabric.allreduction(algorithm, members, bytes=10**6 * np.dtype(of_type).itemsize, operation="sum",
                                DataType=np.dtype(of_type).name)
    values = [random.integers(-bound, bound, 10**6, of_type) for _ in total.members]
    total.cross(values=values)
    assert total.fallback == ""
    expected = np.add.reduce(values, dtype=of_type)
    for result in total.results:
        np.testing.assert_array_equal(result, expected)
    total.release()


@pytest.mark.parametrize("kind", ["allreduction", "reduction"])
@pytest.mark.parametrize("of_type", [np.float32, np.float64])
def test_floats_in_the_order_of_ports(fabric, kind, of_type):
    random = np.random.default_rng(7)
    hosts, root = list(range(0, 20, 2)), 3
    values = [(random.uniform(-1, 1, 50_000) * np.exp(random.uniform(-9, 9, 50_000))).astype(of_type) for _ in hosts]
    total = fabric.collective(kind, "in-switch", hosts, bytes=values[0].nbytes, operation="sum",
                              Root=root, DataType=str(np.dtype(of_type)))
    total.cross(values=values)
    tree, graph = total.model.GetTree(), fabric.graph
    top = tree.GetRootSwitch() if kind == "allreduction" \
        else graph.SwitchOf(graph.HostAt(hosts[root])).node
    expected = sum_of(graph, tree, dict(zip(hosts, values)), top)
    for rank, result in enumerate(total.results):
        if kind == "allreduction" or rank == root:
            np.testing.assert_array_equal(result, expected)
        else:
            assert result is None
    # The order matters: that of ranks gives other sums.
    assert (np.add.reduce(values) != expected).any()
    total.release()


def test_a_group_moves_to_quick_channels(wh):
    fabric = wh.Fabric.irregular(16, 48)
    heat = fabric.heat(load=0.05, time="50us", pattern="hotspot")
    barrier = fabric.barrier("btin", 12)
    heights = []
    for host in barrier.members:
        assert barrier.move(host) >= 0 and barrier.cross() > 0
        heights.append(barrier.model.GetTree().GetHeight())
    assert max(heights) > min(heights)
    barrier.move(heat=heat.assign(waiting_us=0))
    assert barrier.model.GetTree().GetHeight() == min(heights), "without waits the lowest tree is the quickest"
    assert barrier.move(heat=heat) >= 0
    refuses("move: neither of host and heat", barrier.move)
    refuses("no column port", barrier.move, heat=heat.drop(columns="port"))
    refuses("which has no member", barrier.move, next(host for host in range(48) if host not in barrier.members))
    assert barrier.release() > 0
