# SPDX-License-Identifier: GPL-2.0-only
"""Compares routing engines: saturation, latency, lengths and loads of routes, and barriers."""

from __future__ import annotations

import pathlib
import re
import time
import types
import warnings
from typing import Mapping, Sequence

from ..collective.fabric import Fabric
from ..core import arguments, bars, machine as machines, simulation
from ..core.errors import translated, WormholeError
from ..core.loader import notes_in, ns, pandas
from .functions import make_study, tables

FABRICS = ("irregular:switches=16,hosts=48", "irregular:switches=75,hosts=256",
           "irregular:switches=150,hosts=512", "torus:8x8", "clos:ports=8",
           "dragonfly:a=4,h=2,hosts=2")
ENGINES = ("up-down", "up-down[Spread=first]", "balanced", "balanced[Length=any]", "depth-first",
           "depth-first[Root=best|Length=any]", "turn-prohibition", "turn-prohibition[Lanes=2]",
           "turn-prohibition[Lanes=4]", "nue", "lash", "dfsssp", "adaptive[Lanes=1]",
           "adaptive", "adaptive[Lanes=4]", "in-transit", "fat-tree", "fat-tree[FreeLanes=4]", "nearest-ancestor",
           "dimension-order", "direct", "minimal", "dateline", "dragonfly-minimal", "valiant", "ugal")
BARRIERS = ("btin", "dissemination")
COLUMNS = ("fabric", "run", "engine", "lanes", "mean_channels", "longest", "busiest", "bound", "has_choices",
           "of_equal_split", "saturation", "latency_us", "reason")
_latency_load = next(make_study(table) for table in tables() if table["name"] == "latency_load")
_DEPTHS = ("ns3::WormholePort::BufferDepth", "ns3::WormholeFabric::Buffers")
_FRAME_HEADER = 14  # bytes of a frame besides its Mtu
_MAX_MTU = 2**16 - 1
_WORMS = 2048  # default of latency-load, too
_LOW = 0.1  # of the least bound of a fabric's engines: the load of the latency at low load


@arguments.keywords
@translated()
def routing_comparison(*, fabrics: Sequence[str] = FABRICS, engines: Sequence[str] = ENGINES,
                       flits: str = "64", pattern: str = "uniform", simulate: bool = True,
                       worms: int = _WORMS, barriers: Sequence[str] = BARRIERS, group_size: int = 16,
                       times: bool = False, runs: int = 1, seed: int = 1,
                       attributes: Mapping[str, object] | None = None, machine: str | None = None,
                       jobs: int | None = None, progress: bool | None = None) -> pandas.DataFrame:
    """Compares routing engines on fabrics: the load that routes allow, and the load that fabrics carry.

    Args:
        fabrics: topology families, such as "torus:8x8", or fabric files
        engines: names of routing engines, with attributes such as "balanced[Length=any]"
        flits: length of worms, in any form that latency-load takes
        pattern: traffic pattern, one of latency-load's
        simulate: whether to simulate saturation and latency; bounds and barriers are measured in any case
        worms: worms of each host in a full-length simulation, as for latency-load
        barriers: barriers to run once with a random group; empty: no barriers
        group_size: number of hosts in this group; in a smaller fabric, all hosts
        times: whether to add the engine's computing time, which differs from run to run
        runs: number of drawings of each random fabric, with seeds from `seed` on
        seed: seed of random numbers
        attributes: attributes of the fabric's parts, as for Fabric; if neither these nor the machine
            set BufferDepth or Buffers, the buffer of each lane holds two of the longest worms, and at
            least the flits of its cable's round trip
        machine: name or file of a machine; attributes override its values
        jobs: processes that share a simulated curve; None: one for each processor
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each fabric, drawing and engine: lanes that the routes use; mean_channels and
        longest: channels of a route between two hosts, including the hosts' own channels; busiest: the
        channel that saturates first; bound: load of each host, relative to a channel's rate, at
        which this channel is full; has_choices: whether worms may take other channels than those of
        their first choices, which alone count for bound; of_equal_split: bound divided by Fabric.equal_split_bound();
        saturation: greatest steady load found; latency_us: mean latency of worms
        at a tenth of the least bound of the fabric's engines; the latency of each barrier, in
        a column such as btin_us; reason: why the engine can't serve the fabric, or,
        in a row with lanes to bound, why the engine was not simulated. With times, compute_s

    Raises:
        WormholeError: if there is no such fabric or engine, an attribute is refused, or no engine
            serves any fabric
    """
    names = [str(name) for name in arguments.some("engines", engines, "one such as balanced")]
    for name in names:
        ns.RoutingEngine.Make(name)
    crossed = tuple(str(name) for name in arguments.listed(barriers))
    for name in crossed:
        ns.CollectiveHelper.MakeCollective("barrier", name)
    request = types.SimpleNamespace(
        flits=str(flits), pattern=str(pattern), simulates=bool(simulate), barriers=crossed, times=bool(times),
        worms=arguments.whole("worms", worms, 1, 10**7), group_size=arguments.whole("group_size", group_size, 1),
        attributes=_roomy(str(flits), simulation.with_whole_names(attributes), machine), machine=machine, jobs=jobs)
    places = [(text, run) for text in _texts(arguments.some("fabrics", fabrics, "one such as torus:8x8"))
              for run in range(arguments.whole("runs", runs, 1, 10**6))
              if run == 0 or text.startswith("irregular")]
    _check(request, [text for text, run in places if run == 0])
    lacks = dict.fromkeys(("flits", "pattern", "worms"), "" if simulate else "simulation")
    is_drawn = any(text.startswith("irregular") for text, _ in places)
    lacks |= {"runs": "" if is_drawn else "fabrics that are drawn",
              "seed": "" if is_drawn or simulate or crossed else "anything random"}
    arguments.warn_idle(routing_comparison, {"flits": flits, "pattern": pattern, "worms": worms,
                                             "runs": runs, "seed": seed}, lacks)
    rows = []
    notes: dict[str, dict[str, list[str]]] = {}  # the engines that each is of, by fabric
    with bars.bar("routing-comparison", progress) as tell:
        for number, (text, run) in enumerate(places):
            rows += _rows(request, text, run + 1, arguments.whole("seed", seed, 0) + run, names, notes,
                          lambda done: tell(number * len(names) + done, len(places) * len(names)))
    for note, where in notes.items():
        places_of = "; ".join(f"{text}: {', '.join(engines)}" for text, engines in where.items())
        warnings.warn(f"{note} ({places_of})", stacklevel=3)
    if all(row["reason"] for row in rows):
        raise WormholeError(rows[0]["reason"])
    found = pandas.DataFrame(rows)
    found.attrs["conditions"] = "; ".join((
        "bounds: uniform traffic", *[f"simulated: {pattern} traffic, {flits} flits"] * bool(simulate),
        *[f"barriers: {group_size} hosts"] * bool(crossed), f"machine: {machine or 'defaults'}"))
    return found[[*(name for name in COLUMNS if name in found), *found.columns.difference(COLUMNS, sort=False)]]


def _roomy(flits, attributes, machine):
    """Returns attributes with which worms of such lengths fit into lanes, unless the given ones or the machine
    set the depth of buffers."""
    known = {**machines.read(machine), **attributes}
    lengths = [int(number) for number in re.findall(r"(?<![.\d])[0-9]{1,18}(?![.\d])", flits)]
    size = str(known.get("ns3::WormholeFabric::FlitSize", 1))
    if not lengths or arguments.parse_whole(size) is None or any(name in known for name in _DEPTHS):
        return dict(attributes)
    room = 2 * max(lengths)
    # A frame's room is beside that of the cable's round trip.
    mtu = max(1, room * int(size) - _FRAME_HEADER)
    if mtu > _MAX_MTU or "ns3::WormholeNetDevice::Mtu" in known:
        return {**attributes, _DEPTHS[0]: room}
    return {**attributes, _DEPTHS[1]: "frame", "ns3::WormholeNetDevice::Mtu": mtu}


def _texts(parts):
    """Returns the texts of fabrics, rejoining texts that the command line split at their commas."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, Fabric):
            raise WormholeError(f"{part!r} among fabrics; expected texts and files: write it to one "
                                "with its write()")
        part = str(part)
        if found and re.match(r"[\w-]+=", part):
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def _check(request, texts):
    """Refuses invalid values before anything is computed; later they would appear as an engine's reason."""
    ns.WormLength.Parse(request.flits)
    ns.WormholeTrafficHelper().SetPattern(request.pattern)
    for text in texts:
        _made(text, 1, routing="up-down", attributes=request.attributes, machine=request.machine)


def _rows(request, text, run, seed, engines, notes, tell):
    made = [_routed(request, text, run, seed, engine) for engine in engines]
    bounds = [row["bound"] for _, row in made if not row["reason"]]
    for done, (fabric, row) in enumerate(made, 1):
        if fabric is not None:
            try:
                told = []
                with notes_in(told):
                    _simulate(request, fabric, row, _LOW * min(bounds), seed)
            except WormholeError as error:
                row["reason"] = str(error)
            for note in told:
                if re.search(r"take (\d+) of the \1 lanes", note):
                    continue
                # Studies call routes that a caller gives so; here they are the engine's.
                names = notes.setdefault(note.replace("the routes, given,", "the routes"), {}).setdefault(text, [])
                names += [row["engine"]] * (row["engine"] not in names)
        tell(done)
    return [row for _, row in made]


def _routed(request, text, run, seed, engine):
    row = {"fabric": text, "run": run, "engine": engine, "reason": ""}
    options = {"attributes": request.attributes, "machine": request.machine}
    try:
        begin = time.process_time()
        fabric = _made(text, seed, routing=engine, **options)
        router = fabric.router()
        if request.times:
            row["compute_s"] = time.process_time() - begin
        figures = fabric.route_figures()
    except WormholeError as error:
        return None, {**row, "reason": str(error)}
    shown = ("mean_channels", "longest", "busiest", "bound", "has_choices", "of_equal_split")
    return fabric, {**row, "lanes": int(router.GetNLanes()), **{name: figures[name] for name in shown}}


def _made(text, seed, **options):
    if text.endswith(".json") or pathlib.Path(text).is_file():
        return Fabric.read(text, **options)
    return Fabric.from_text(text, seed=seed, **options)


def _simulate(request, fabric, row, low, seed):
    if request.simulates:
        point = _latency_load(fabric=fabric, flits=(request.flits,), pattern=request.pattern, loads=(low,),
                              **({} if request.worms == _WORMS else {"worms": request.worms}),
                              seed=seed, jobs=request.jobs, progress=False).iloc[0]
        row["saturation"], row["latency_us"] = float(point.saturation_low), float(point.latency_us_mean)
    for name in request.barriers:
        simulation.reset()
        members = min(request.group_size, fabric.graph.GetNFirstInterfaces())
        row[f"{name}_us"] = fabric.barrier(name, fabric.group(members, seed=seed, run=1)).cross()
    simulation.reset()
