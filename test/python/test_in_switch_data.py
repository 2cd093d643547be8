# SPDX-License-Identifier: GPL-2.0-only
"""Sums in the switches beside NumPy's: a million integers, and floats in the order of ports."""

import numpy as np
import pytest

SLOTS = {"ns3::CollectiveUnit::SlotBytes": 8192, "ns3::WormholePort::BufferDepth": 8192 + 64}


@pytest.fixture(name="fabric")
def make_fabric(wh):
    return wh.Fabric.irregular(12, 20).with_attributes(SLOTS)


def sum_of(graph, tree, values, node, above=None):
    """What a switch sends on: the sum of what comes by its ports, from the lowest on.

    Args:
        graph: of the fabric
        tree: the group's barrier tree
        values: of members, by number of their hosts
        node: the switch, or a host
        above: where the sum goes; None: it is the result
    """
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


def test_a_million_integers(fabric):
    """The sum of 10^6 int32 is NumPy's, also where it overflows."""
    random = np.random.default_rng(5)
    values = [random.integers(-2**31, 2**31, 10**6, np.int32) for _ in range(8)]
    total = fabric.allreduction("in-switch", list(range(0, 16, 2)), bytes=4 * 10**6, operation="sum")
    total.cross(values=values)
    assert total.fallback == ""
    expected = np.add.reduce(values, dtype=np.int32)
    for result in total.results:
        np.testing.assert_array_equal(result, expected)
    total.release()


@pytest.mark.parametrize("kind", ["allreduction", "reduction"])
@pytest.mark.parametrize("of_type", [np.float32, np.float64])
def test_floats_in_the_order_of_ports(fabric, kind, of_type):
    """Sums of floats are to the last bit those of NumPy in the order of ports, and no others."""
    random = np.random.default_rng(7)
    hosts, root = list(range(0, 20, 2)), 3
    values = [(random.uniform(-1, 1, 50_000) * np.exp(random.uniform(-9, 9, 50_000))).astype(of_type)
              for _ in hosts]
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
