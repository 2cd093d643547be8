# SPDX-License-Identifier: GPL-2.0-only
"""Uses every public name of ns3_wormhole with annotations, for mypy --strict and to be run.

Units are those of the names: ``_us`` is microseconds.
"""

from __future__ import annotations

import pathlib

import ns3_wormhole as wh
from ns3_wormhole import data_collective, errors, explain, goal, heat, options, plugin, simulation, timeline, what_if
from ns3_wormhole.fabric import Fabric
from ns3_wormhole.ideal import IdealNetwork
from ns3_wormhole.prototype import Step, Switch, algorithm, replace, send, switch_program
from ns3_wormhole.timeline_page import to_html


@algorithm("broadcast", "in-turn")
def in_turn(rank: int, members: int, root: int) -> list[Step]:
    """The root sends to all others, one after the other."""
    return [send(other) for other in range(members) if other != root] if rank == root else [replace(root)]


@switch_program("broadcast", "handed-on")
def handed_on(at: Switch, port: int, value: int) -> dict[int, int]:
    """A switch hands on what comes by all other ports."""
    return {each: value for each in at.ports if each != port}


def groups(network: wh.Fabric | wh.IdealNetwork) -> float:
    """Makes a group of each kind. Returns the time that a barrier took in all, us."""
    barrier: wh.Collective = network.barrier("dissemination", ["h0", "h1"], Operation="AND")
    rounds: list[float] = barrier.loop(1, 2)
    spent: float = barrier.setup_us + barrier.cross(["2us", 0], [1, 0])
    changed: float = barrier.change(["h2"], [0])
    moved: float = barrier.move("h2") if isinstance(network, wh.Fabric) else 0
    assert len(barrier.members) == 2 and changed >= 0 and moved >= 0 and barrier.release() >= 0
    vectors: wh.DataCollective = network.allgather("ring", 4, bytes="8KiB")
    latency: float = vectors.cross()
    of: type[data_collective.DataCollective] = type(vectors)
    assert of is wh.Collective and latency > 0 and vectors.fallback == "" and vectors.kind == "allgather"
    assert isinstance(vectors, wh.DataCollective) and not isinstance(barrier, wh.DataCollective)
    former = wh.DataCollective(network, "allgather", "ring", vectors.members, {}, bytes="8KiB")
    assert former.moves_data and former.cross() > 0
    for make, name in ((network.alltoall, "pairwise"), (network.gather, "binomial"), (network.scan, "linear"),
                       (network.scatter, "binomial"), (network.reduce_scatter, "ring")):
        assert make(name, 4, bytes=8).cross() > 0
    assert network.allreduction("dissemination", 4).cross() > 0 and network.group(4)
    return spent + sum(rounds)


def fabrics(folder: pathlib.Path) -> wh.Fabric:
    """Makes a fabric, writes and reads it."""
    fabric: Fabric = wh.Fabric.from_text("torus:3x3", attributes={"WormholeChannel::Delay": "50ns"})
    fabric.to_file(folder / "a.json")
    fabric.write(folder / "a.dot")
    for again in (Fabric.from_file(folder / "a.json"), Fabric.read(folder / "a.dot"),
                  Fabric.from_networkx(fabric.to_networkx())):
        assert again.cables() == fabric.cables() and again.owns() == fabric.owns()
    bound: float = fabric.saturation_bound()
    assert fabric.route_figures()["bound"] == bound <= fabric.equal_split_bound()
    assert fabric.bundles() == fabric.own_rates() == "" and not fabric.has_rates() and fabric.host("h0") == 0
    assert fabric.router() and fabric.tree(4) and fabric.switches and wh.Fabric.irregular(8, 16).hosts
    fabric.check()
    for name, recording in (("own", fabric.timeline), ("all", timeline.recording)):
        with recording(folder / f"{name}.json"):
            assert fabric.broadcast("in-turn", 4).cross() > 0
        assert to_html(folder / f"{name}.json")
    assert fabric.broadcast("handed-on", 4).cross() > 0
    with timeline.worm_tables(interval="1us") as tables:
        wh.Fabric.from_text("torus:3x3").broadcast("in-turn", 4).cross()
    assert tables.worms is not None and len(tables.worms) == 3
    assert tables.occupancy is not None and tables.occupancy["flits"].sum() > 0
    assert plugin.loaded() == [] and "-lwormhole" in plugin.cxxflags() and "-lwormhole" in plugin.pkg_config("1")
    assert len(what_if.what_if(fabric, "s0:0-s1:1")) == len(fabric.what_if("s0")) == 2
    assert len(heat.measure(fabric)) == len(fabric.heat())
    return fabric.with_attributes({"WormholeSwitch::Delay": "1us"}).with_routing("balanced")


def studies(fabric: wh.Fabric, folder: pathlib.Path) -> None:
    """Runs one of each kind of study."""
    table = wh.studies.barriers(fabric=fabric, group_sizes=[4], runs=1)
    assert len(table) and len(wh.studies.algorithms(fabric=fabric, group_sizes=[4], names=["btin"]))
    measured = wh.osu.measure(fabric, "latency", [8, 64])
    path = folder / "t.csv"
    path.write_text("benchmark,size,value\n" + "".join(
        f"latency,{row.size},{row.value}\n" for row in measured.itertuples()), encoding="utf-8")
    found: wh.calibrate.Calibration = wh.calibrate.calibrate(fabric, [str(path)], ["StartUp"])
    assert found.rms < 0.01 and wh.benchmark
    wh.campaign.Campaign("trees", {"processes": [4]}, seeds=1).run(folder / "c.csv", workers=1)
    assert len(goal.run(fabric, [goal.collective("allreduction", "ring", 4, 800)])) == 4


def main(folder: pathlib.Path) -> None:
    """Uses all names. folder: where files are written."""
    wh.reset()
    wh.set_seed(2, 1)
    wh.check_attribute("ns3::WormholeChannel::Delay", "50ns")
    wh.set_default("ns3::WormholeChannel::Delay", "40ns")
    fabric = fabrics(folder)
    assert groups(fabric) > groups(IdealNetwork.like(fabric, "1ns")) > 0 and wh.IdealNetwork is IdealNetwork
    assert len(explain.COLUMNS) and wh.drawing.to_svg(fabric) and options.WHOLE and simulation.epoch()
    assert wh.machine.names() and wh.algorithms("barrier") and wh.topologies() and wh.routing_engines()
    assert wh.prototype.algorithm is algorithm and callable(wh.replay) and wh.replaying and wh.time("2us")
    draw = wh.ns.CreateObject[wh.ns.UniformRandomVariable]()
    try:
        with wh.translated():
            wh.connect(draw, "Nothing", print)
    except wh.WormholeError as error:
        assert isinstance(error, errors.WormholeError)
    wh.set_attribute(draw, "Max", 2)
    studies(fabric, folder)
