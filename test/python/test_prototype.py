# SPDX-License-Identifier: GPL-2.0-only
"""Algorithms of one's own, and the laws that they are held to."""

import re

import pytest
from conftest import refuses
from ns3_wormhole.prototype import algorithm, check_laws, combine, ignore, replace, send, switch_program


def ring(rank, members, root):
    before, after = (rank - 1) % members, (rank + 1) % members
    if members == 1:
        return []
    if rank == 0:
        return [send(after), replace(before), send(after, 1)]
    last = [] if after == 0 else [send(after, 1)]
    return [combine(before), send(after), replace(before, 1), *last]


def star(rank, members, root):
    others = [each for each in range(members) if each != root]
    return [send(each) for each in others] if rank == root else [replace(root)]


def test_an_algorithm_is_found_by_name_and_holds_the_laws(wh):
    algorithm("barrier", "test-ring")(ring)
    algorithm("bcast", "test-star")(star)
    check_laws("barrier", "test-ring")
    check_laws("broadcast", "test-star")
    assert "test-ring" in wh.algorithms("barrier")
    fabric = wh.Fabric.irregular(8, 16)
    assert fabric.broadcast("test-star", 6).cross() == \
        fabric.broadcast("tree[Tree=sequential]", 6).cross()
    table = wh.studies.algorithms(topology="torus:3x3", group_sizes=[4], names=["test-ring", "dissemination"])
    assert not table.hypothetical.any() and (table.latency_us > 0).all()
    check_laws("allreduce", "dissemination", max_members=5)
    check_laws("barrier", "btin", max_members=5)


def test_ranks_may_be_numbers_of_numpy(wh):
    numpy = pytest.importorskip("numpy")
    algorithm("barrier", "test-numpy")(lambda rank, members, root: [
        (kind, numpy.int64(peer), numpy.int8(tag)) for kind, peer, tag in ring(rank, members, root)])
    check_laws("barrier", "test-numpy")


def test_an_smp_barrier_holds_the_laws_whatever_its_masters_do():
    """Also where they have no schedules, for registers in switches do it."""
    algorithm("barrier", "test-inner")(ring)
    for inner in ("btin", "hw-all", "test-inner"):
        check_laws("barrier", f"smp[Inner={inner}]", max_members=6)


def too_few(rank, members, root):
    return [send((rank + 1) % members), combine((rank - 1) % members)] if members > 1 else []


@pytest.mark.parametrize("steps, told", [
    (too_few, "3 members, root 1: rank 0 leaves with the value of rank 1 0 times; expected 1"),
    (lambda rank, members, root: ring(rank, members, root) + [replace(1, 7)] * (rank == 0 and members > 1),
     "the message from rank 1 to rank 0 with tag 7 is sent less often than received"),
    (lambda rank, members, root: ring(rank, members, root) + [send(1, 3)] * (rank == 0 and members > 1),
     "the message from rank 0 to rank 1 with tag 3 is received less often than sent"),
    (lambda rank, members, root: [step(each, tag) for step in (send, combine) for each in range(members) if each != rank
                                  for tag in (0, 1)],
     "2 members, root 1: rank 0 leaves with the value of rank 1 2 times"),
    (lambda rank, members, root: too_few(rank, members, root)[::-1],
     "rank 0 waits in step 0 for a message from rank 1 with tag 0"),
    (lambda rank, members, root: None, "has None; expected a list of steps"),
    (lambda rank, members, root: [send(members)], "step 0 of rank 0 of 1 is ('S', 1, 0); expected"),
    (lambda rank, members, root: 1 / 0, "ZeroDivisionError: division by zero"),
    (lambda rank, members, root: ring(rank, members, root) if members < 5 else None,
     "barrier test-wrong: 5 members: test-wrong: rank 0 of 5 has None")])
def test_a_wrong_algorithm_is_told_why(wh, steps, told):
    algorithm("barrier", "test-wrong")(steps)
    refuses(re.escape(told), check_laws, "barrier", "test-wrong")


def test_names_are_refused_in_one_line(wh):
    for kind, name, why in (("barrier", "My Ring", "is no name of an algorithm"),
                            ("barrier", "btin", "there is a barrier 'btin' already"),
                            ("barier", "x", "did you mean barrier?")):
        refuses(why.replace("?", "."), algorithm, kind, name)
    refuses("there is no barrier 'test-rnig'.*did you mean", check_laws, "barrier", "test-rnig")
    for most in (65, 0, -1, 1.5, True, "x", None):
        refuses("max_members=.*: expected a whole number from 1 to 64", check_laws, "barrier", "btin", max_members=most)
    for kind in ("gather", "alltoall", "scan"):
        refuses("expected barrier, allreduction, broadcast", algorithm, kind, "test-x")
        check_laws(kind, "linear", max_members=3)
    refuses("5 is no function", algorithm("barrier", "test-x"), 5)
    assert ignore(3) == ("I", 3, 0)


def to_root(at, port, value):
    value = at.gather(port, value, [each for each in at.ports if each != at.root])
    return None if value is None else {at.root: value}


def by_hand(at, port, value):
    """A barrier by the switch's state and combine() alone, whose result comes down by single worms."""
    if port == at.parent:
        return dict.fromkeys(at.below, value)
    come = at.state.setdefault("come", {})
    come.setdefault(port, []).append(value)
    if len(come) < len(at.below) or not all(come.values()):
        return {}
    value = [values.pop(0) for values in come.values()]
    for other in value[1:]:
        value[0] = at.combine(value[0], other)
    return dict.fromkeys(at.below if at.parent is None else [at.parent], value[0])


def test_programs_in_switches_hold_the_laws(wh):
    """Groups one after the other have the same number; what is kept for one is not for the next."""
    switch_program("reduce", "test-to-root")(to_root)
    switch_program("barrier", "test-by-hand")(by_hand)
    check_laws("reduction", "test-to-root")
    check_laws("barrier", "test-by-hand")
    fabric = wh.Fabric.irregular(16, 64, seed=2)
    for _ in range(2):
        group = fabric.allreduction("test-by-hand", range(0, 64, 5), Operation="ADD", WidthBits=32)
        for add in (0, 100):
            assert group.cross(values=[rank + add for rank in range(13)]) > 0
            assert group.results == [78 + 13 * add] * 13
        assert fabric.barrier("btin", range(0, 64, 5)).cross() > 0
    assert fabric.reduction("test-to-root", 1).cross(values=[1]) == 0


def test_a_switch_knows_its_ports(wh):
    seen = {}

    @switch_program("broadcast", "test-ports")
    def flood(at, port, value):
        seen[at.name] = at
        assert port == at.root and set(at.members) <= set(at.below) < {*at.below, at.parent}
        return {each: value for each in at.ports if each != port}
    wh.Fabric.irregular(16, 64, seed=2).broadcast("test-ports", 12, Root=5).cross(values=[1] * 12)
    assert sum(len(at.members) for at in seen.values()) == 12
    assert [at.parent for at in seen.values()].count(None) == 1


@pytest.mark.parametrize("program, told", [
    (lambda at, port, value: 1 / 0, "at s8, a message by port 7: ZeroDivisionError: division by zero"),
    (lambda at, port, value: 5, "it returns 5; expected a dict of values by port"),
    (lambda at, port, value: {99: value}, "it sends by port 99; expected some of 0, 7"),
    (lambda at, port, value: {port: -1}, "it sends -1; expected a whole number"),
    (lambda at, port, value: None, "rank 0 never leaves round 0"),
    (lambda at, port, value: {port: value}, "rank 0 leaves round 0 after 1 of 2 members have come"),
    (lambda at, port, value: dict.fromkeys(at.ports, value), "messages since a member entered; expected an end")])
def test_a_wrong_program_is_told_why(wh, program, told):
    switch_program("barrier", "test-wrong-program")(program)
    refuses(re.escape(told), check_laws, "barrier", "test-wrong-program")


def test_programs_and_algorithms_have_names_of_their_own(wh):
    switch_program("broadcast", "test-kinds")(lambda at, port, value: {port: value})
    refuses("test-kinds: a message came to rank 0; expected none", check_laws, "broadcast", "test-kinds")
    refuses("there is a broadcast 'test-kinds' already", algorithm, "broadcast", "test-kinds")
    refuses("5 is no function; expected one of switch, port and value", switch_program("barrier", "test-y"), 5)
