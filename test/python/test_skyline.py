# SPDX-License-Identifier: GPL-2.0-only
"""Up*/down* orders that parts failing leaves, repaired: by hand, and by laws over irregular fabrics."""

import itertools
import random

import networkx
from conftest import call, refused
from ns3_wormhole.collective.skyline import left, skyline, turned, up_cables
from ns3_wormhole.collective.variants import Parts, Variant


def test_what_a_failure_turns_round_is_told(capsys):
    """A ring of six switches, with its root s0 and the lowest switch s3, and an irregular fabric."""
    ring = "torus:6"
    told = call(capsys, "fabric", "check", ring, "--skyline", "--without=s1:0-s2:1,s0,s3")[1].splitlines()
    assert [line.partition("directions")[2].partition(";")[0] for line in told[1:]] == [
        " change in 2 of 6 switches", " change in 3 of 5 switches", " change in 0 of 5 switches"]
    assert call(capsys, "fabric", "check", ring, "--skyline")[1].splitlines()[1:] == [
        f"6 {parts}, one at a time: no direction changes for {share}, else those of {mean} switches, at most 3; "
        "0 cut the fabric" for parts, share, mean in (("cables", "33%", 2.5), ("switches", "50%", 2.3))]
    told = call(capsys, "fabric", "check", "irregular:switches=32,hosts=109", "--skyline")[1].splitlines()
    assert [line.partition(": ")[2] for line in told[1:]] == [
        f"no direction changes for {share}, else those of {mean} switches, at most {most}; 2 cut the fabric"
        for share, mean, most in (("55%", 2.3, 3), ("59%", 3.2, 7))]
    assert "--skyline: has no effect on routes that are dateline" in refused(
        capsys, "fabric", "check", ring, "--routing=dateline", "--skyline")


def test_directions_change_as_by_hand(wh):
    """Two ways from s0 to s4: by s1 and s2 or s3, and by s5 and s6."""
    graph, links = networkx.Graph(), [(0, 1), (1, 2), (1, 3), (0, 5), (5, 6), (2, 4), (3, 4), (6, 4)]
    graph.add_nodes_from((f"s{i}" for i in range(7)), kind="switch")
    graph.add_edges_from((f"s{a}", f"s{b}") for a, b in links)
    graph.add_edges_from((f"h{i}", f"s{i}") for i in range(7))
    graph.add_nodes_from((f"h{i}" for i in range(7)), kind="host")
    cables = up_cables(wh.Fabric.from_networkx(graph, root="s0"))
    cable = {frozenset(each[::2]): each for each in cables}

    def told(*gone):
        return skyline(cables, Variant(tuple(cable.get(frozenset(part.split("-")), part) for part in gone)))
    assert told() == ([], False)
    assert told("s2-s4") == ([], False)  # s4 still goes up to s3 and s6
    assert told("s0-s1") == (["s1", "s2", "s3", "s4"], False)  # both ways from s4 to s1 are turned round
    assert told("s0") == (["s4", "s5", "s6"], False)  # s1 becomes the root
    assert told("s0", "s4") == ([], True)  # pieces, each with a root
    assert skyline(up_cables(wh.Fabric.from_networkx(graph, root="s4")), Variant(("s4",))) == (
        ["s0", "s1", "s2", "s3"], False)  # s6 becomes the root: below s2 five would change
    links = repaired(left(cables, Variant((cable[frozenset(("s0", "s1"))],)))).edges
    above = {name: {to[2] for at, to in links if at[2] == name} for name in ("s1", "s4")}
    assert above == {"s1": {"s2", "s3"}, "s4": {"s6"}}


def repaired(old):
    """Returns an order with links turned round."""
    new, links = old.copy(), turned(old)
    new.remove_edges_from(links)
    new.add_edges_from((above, below) for below, above in links)
    return new


def changes(old, links):
    """Returns who has other directions than in an order, and how many have none above. links: the new ones"""
    return ({place for link in links if link not in old.edges for place in link},
            len(old) - len({below for below, _ in links}))


def test_repaired_orders_are_legal_connected_and_small(wh):
    chance, empty = random.Random(31), 0
    for case in range(200):
        size = chance.randint(4, 6) if case % 4 == 0 else chance.randint(7, 20)
        links = size + chance.randint(0, 2)  # few, so that directions change in many
        fabric = wh.Fabric.irregular(size, 3 * size, connectivity=(3 * size + 2 * links) / (8 * size), seed=case + 1)
        routing, cables = fabric.router().GetRouting(), up_cables(fabric)
        for below, above in cables.values():
            assert routing.LeadsUp(below[1], above[1]) and routing.GetLevel(below[1]) == below[0], case
        parts = Parts(fabric)
        gone = tuple(chance.choice(parts.switches if case % 2 else parts.cables) for _ in range(case % 3 + 1))
        old = left(cables, Variant(gone))
        new = repaired(old)
        names, cuts = skyline(cables, Variant(gone))
        empty += not names
        assert {frozenset((a[2], b[2])) for a, b in new.edges} == {  # no cable is forgotten
            frozenset(cable[::2]) for cable in parts.between if not {*gone} & {cable, cable[0], cable[2]}}, case
        who, roots = changes(old, new.edges)
        pieces = list(networkx.weakly_connected_components(new))
        assert names == [name for name in parts.switches if name in {place[2] for place in who}], case
        assert roots == len(pieces) and cuts == (roots > 1), case
        assert networkx.is_directed_acyclic_graph(new), case
        above = {place: networkx.descendants(new, place) | {place} for place in new}
        for piece in pieces:  # ways up to a switch, then down
            assert all(above[a] & above[b] for a, b in itertools.combinations(piece, 2)), case
        if size <= 6:  # the fewest of all orders
            ranks = (dict(zip(old, order)) for order in itertools.permutations(range(len(old))))
            others = (changes(old, [max(link, link[::-1], key=lambda way: of[way[0]]) for link in old.edges])
                      for of in ranks)
            assert len(names) == min(len(others_who) for others_who, tops in others if tops == roots), case
    assert 50 < empty < 190
