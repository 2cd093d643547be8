# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The C++ studies, in this process, as pandas data frames.

Each study ends the simulation that was going on, and is a simulation of its own. Columns are those
of the example program's CSV; times in columns that end in ``_us`` are microseconds.
"""

from __future__ import annotations

import re
from typing import Mapping, Sequence

from . import _arguments as arguments
from . import simulation
from ._loader import bridge, ns, pandas, std
from .cluster_studies import smp_broadcast, sync_hardware
from .errors import WormholeError, nearest, translated
from .fabric import Fabric, set_attributes


@translated()
def barriers(*, switches: Sequence[int] = (75,), hosts: Sequence[int] = (256,),
             ports: Sequence[int] = (8,), connectivity: Sequence[float] = (0.75,),
             law: str = "recursive", fabric: Fabric | str | None = None,
             topology: str = "", members: Sequence[str] = (), group_sizes: Sequence[int] = (),
             schemes: Sequence[str] = ("btin", "multicast", "unicast"),
             reduction: Sequence[str] = ("simulated", "ideal", "paper-inferred"),
             runs: int = 0, seed: int = 1, start_up: str = "2us", link_delay: str = "20ns",
             switch_delay: str = "300ns", address_size: int = 2, btin_timing: str = "paper",
             attributes: Mapping[str, object] | None = None,
             progress: bool | None = None) -> pandas.DataFrame:
    """Compares barriers in the switches with barriers by messages, as btin-comparison does.

    Args:
        switches, hosts, ports, connectivity: of the fabrics drawn; a single one goes with all
        law: how cables are drawn: "recursive", "walk" or "pairing"
        fabric: a fabric of one's own, or its JSON file, in place of drawn ones
        topology: a family's text, as "torus:8x8", in place of these
        members: names of the members' hosts; random without it
        group_sizes: sizes of groups; powers of two and all hosts without it
        schemes: "btin", "multicast", "unicast"
        reduction: "simulated", "ideal", "paper-inferred"
        runs: random fabrics and groups; 0: 100, or 1 with a fabric and members
        seed: seed of random numbers
        start_up: start-up time of a message
        link_delay: propagation delay of a cable
        switch_delay: delay of a switch and of an interface
        address_size: bytes of an address in a tree worm's header
        btin_timing: "paper": messages of btin take no flit times; "flits": they do
        attributes: values by name, as for Fabric
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each fabric, scheme, reduction and group size; latency_us_mean and its interval

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.BarrierStudyParameters()
    fabrics = std.vector[ns.BarrierStudyParameters.Fabric]()
    own = fabric is not None or bool(topology)
    if not own:
        columns = {"switches": switches, "hosts": hosts, "ports": ports,
                   "connectivity": connectivity}
        columns = {name: arguments.listed(values) for name, values in columns.items()}
        count = max(map(len, columns.values()))
        for name, values in columns.items():
            if len(values) not in (1, count):
                raise WormholeError(f"{name}: {len(values)} values, but another argument names "
                                    f"{count} fabrics; accepted are 1 or as many")
        for i in range(count):
            entry = ns.BarrierStudyParameters.Fabric()
            for name, values in columns.items():
                value = values[0 if len(values) == 1 else i]
                judge = arguments.ratio if name == "connectivity" else arguments.whole
                setattr(entry.drawn, name, judge(name, value))
            entry.drawn.law = ns.IrregularTopologyHelper.LawByName(law)
            fabrics.push_back(entry)
        parameters.fabrics = fabrics
    parameters.members = arguments.words(members)
    parameters.groupSizes = arguments.wholes("group_sizes", group_sizes)
    parameters.schemes = arguments.words(schemes)
    parameters.reductions = arguments.words(reduction)
    fixed = own and bool(arguments.listed(members))
    parameters.runs = arguments.whole("runs", runs, 0) or (1 if fixed else 100)
    parameters.seed = arguments.whole("seed", seed, 1, ns.BarrierStudyParameters.GREATEST_SEED)
    parameters.addressSize = arguments.whole("address_size", address_size, 0, 65535)
    timing = arguments.word("btin_timing", btin_timing, ("paper", "flits"))
    parameters.btinTakesFlitTime = timing == "flits"
    parameters.collectiveHelper.SetSoftwareAttribute("StartUp", arguments.time_value(start_up))
    parameters.fabricHelper.SetChannelAttribute("Delay", arguments.positive("link_delay", link_delay))
    parameters.fabricHelper.SetSwitchAttribute("Delay", arguments.time_value(switch_delay))
    parameters.fabricHelper.SetDeviceAttribute("Delay", arguments.time_value(switch_delay))
    set_attributes(parameters.fabricHelper, parameters.collectiveHelper, attributes or {})
    if own:
        bridge.GiveBarriers(parameters, arguments.given_topology(fabric, topology))
    return arguments.run(bridge.RunBarrierStudy, parameters, "barriers", progress)


@translated()
def latency_load(*, switches: int = 75, hosts: int = 256, ports: int = 8,
                 connectivity: float = 0.75, law: str = "recursive",
                 fabric: Fabric | str | None = None, topology: str = "", root: str = "",
                 pattern: str = "uniform", hot_fraction: float = 0.1, hot_host: str = "",
                 arrivals: str = "poisson", flits: Sequence[str | int] = ("64",),
                 loads: Sequence[float] = (), search: bool = True, worms: int = 2048,
                 runs: int = 1, seed: int = 1, link_delay: str = "20ns",
                 switch_delay: str = "300ns", buffer_depth: int = 0,
                 attributes: Mapping[str, object] | None = None,
                 progress: bool | None = None) -> pandas.DataFrame:
    """Measures latency and throughput over load, as latency-load does.

    Args:
        switches, hosts, ports, connectivity, law: of the fabrics drawn, one for each run
        fabric: a fabric of one's own, or its JSON file, in place of these
        topology: a family's text, as "torus:8x8", in place of these
        root: root of the routes: "first", "degree", "center" or a switch
        pattern: "uniform", "permutation", "transpose", "bit-reversal", "hotspot", "nearest-switch"
        hot_fraction, hot_host: of pattern hotspot: ratio of worms, name of the host
        arrivals: "poisson" or "periodic"
        flits: lengths of worms, each FLITS, uniform:LEAST:GREATEST, bimodal:SHORT:LONG:RATIO or
            geometric:MEAN
        loads: offered loads, ratios of a channel's rate; some ten up to saturation without it
        search: whether to look for saturation
        worms: worms of a host in a simulation of full length
        runs: random fabrics, or traffics of one fabric
        seed: seed of random numbers
        link_delay: propagation delay of a cable
        switch_delay: delay of a switch and of an interface
        buffer_depth: depth of input buffers, flits; 0: the cable's round trip
        attributes: of the fabric's parts, by name, as for Fabric
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each run, length and load; a saturated load has no latency

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.LatencyLoadStudy.Parameters()
    if not search and not arguments.listed(loads):
        raise WormholeError("search=False leaves no loads to measure; accepted is it with "
                            "loads=[0.05, 0.1] or the like")
    if fabric is not None and topology:
        raise WormholeError("topology has no effect with fabric; accepted is one of the two")
    if topology:
        simulation.set_seed(seed, 1)
        made = ns.MakeTopology(topology)
        bridge.GiveLoaded(parameters, made.graph, topology)
        parameters.fabrics.SetRouter(made.router)
    elif fabric is not None:
        own = arguments.fabric(fabric)
        bridge.GiveLoaded(parameters, own.graph, own.name)
        if own._router:
            parameters.fabrics.SetRouter(own._router)
        set_attributes(parameters.fabrics, ns.CollectiveHelper(), own.attributes)
        root = root or own._root
    drawn = parameters.drawn
    drawn.switches = arguments.whole("switches", switches)
    drawn.hosts = arguments.whole("hosts", hosts)
    drawn.ports = arguments.whole("ports", ports, 2, 65535)
    drawn.connectivity = arguments.ratio("connectivity", connectivity)
    drawn.law = ns.IrregularTopologyHelper.LawByName(law)
    parameters.pattern = pattern
    parameters.hotFraction = arguments.ratio("hot_fraction", hot_fraction)
    parameters.hotHost = hot_host
    parameters.arrivals = arguments.word("arrivals", arrivals, ("poisson", "periodic"))
    for length in arguments.words(flits):
        ns.WormLength.Parse(length)
    parameters.flits = arguments.words(flits)
    greatest = ns.LatencyLoadStudy.GREATEST_LOAD
    parameters.loads = std.vector["double"]([arguments.ratio("loads", load, greatest)
                                              for load in arguments.listed(loads)])
    parameters.search = bool(search)
    parameters.worms = arguments.whole("worms", worms, 1, 10000000)
    parameters.runs = arguments.whole("runs", runs, 1, 1000000)
    parameters.seed = arguments.whole("seed", seed, 1, ns.LatencyLoadStudy.GREATEST_SEED)
    if root:
        parameters.fabrics.SetRoutingRoot(root)
    parameters.fabrics.SetChannelAttribute("Delay", arguments.positive("link_delay", link_delay))
    parameters.fabrics.SetSwitchAttribute("Delay", arguments.time_value(switch_delay))
    parameters.fabrics.SetDeviceAttribute("Delay", arguments.time_value(switch_delay))
    depth = arguments.whole("buffer_depth", buffer_depth, 0, 1000000000)
    parameters.fabrics.SetPortAttribute("BufferDepth", ns.UintegerValue(depth))
    set_attributes(parameters.fabrics, ns.CollectiveHelper(), attributes or {})
    # The fastest for so many events; ns-3's results don't depend on it.
    ns.GlobalValue.Bind("SchedulerType", ns.StringValue("ns3::WormholeScheduler"))
    return arguments.run(bridge.RunLatencyLoadStudy, parameters, "latency_load", progress)


@translated()
def trees(*, s: Sequence[str] = (), r: Sequence[str] = (), preset: str = "",
          processes: Sequence[int] = (2, 4, 8, 16, 19, 32, 64),
          trees: Sequence[str] = ("sequential", "binary", "binomial", "kary-8", "fibo"),
          network: Sequence[str] = ("ideal",), fabric: Fabric | str | None = None,
          topology: str = "", link_delay: str = "20ns", switch_delay: str = "300ns",
          progress: bool | None = None) -> pandas.DataFrame:
    """Tells how long trees of processes take to spread a message, as fibo-tree does.

    Args:
        s: times that a message keeps its sender busy; one goes with all r
        r: times from then until the receiver is active
        preset: published s and r in place of these: "manna" (without s and r), "figure-4", "steps"
        processes: numbers of processes
        trees: "sequential", "chain", "binary", "kary-K", "binomial", "fibo", "fibo-S-R"
        network: "ideal", "fabric"
        fabric: the fabric, or its JSON file
        topology: a family's text, in place of it; "clos:ports=16,levels=2" without either
        link_delay: propagation delay of a cable
        switch_delay: delay of a switch and of an interface
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each s and r, network, number of processes and tree

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.TreeStudy.Parameters()
    if preset and (arguments.listed(s) or arguments.listed(r)):
        raise WormholeError("preset has no effect with s and r; accepted is one of the two")
    if arguments.listed(s) or arguments.listed(r):
        sending, receiving = arguments.listed(s), arguments.listed(r)
        count = max(len(sending), len(receiving))
        if len(sending) not in (1, count) or len(receiving) not in (1, count):
            raise WormholeError(f"{len(sending)} s and {len(receiving)} r; accepted are 1 of one, "
                                "or as many of both")
        parameters.costs = std.vector[ns.TreeStudy.Costs]()
        for i in range(count):
            costs = ns.TreeStudy.Costs()
            costs.s = simulation.time(sending[0 if len(sending) == 1 else i])
            costs.r = simulation.time(receiving[0 if len(receiving) == 1 else i])
            parameters.costs.push_back(costs)
    else:
        parameters.costs = ns.TreeStudy.GetPreset(preset or "manna")
    parameters.processes = arguments.wholes("processes", processes, 1, 1000000)
    parameters.trees = arguments.words(trees)
    parameters.networks = arguments.words(network)
    for each in arguments.listed(network):
        arguments.word("network", each, ("ideal", "fabric"))
    if "fabric" in arguments.listed(network):
        parameters.onFabric = arguments.study_hosts(
            fabric, topology or ("clos:ports=16,levels=2" if fabric is None else ""), link_delay,
            switch_delay)
    return arguments.run(bridge.RunTreeStudy, parameters, "trees", progress)


@translated()
def rdma(*, preset: str = "cluster-1", nodes: Sequence[int] = tuple(range(2, 65)),
         tasks_per_node: Sequence[int] = (1, 2),
         transports: Sequence[str] = ("rdma", "send-receive"), rdma_send: str = "",
         rdma_receive: str = "", message_send: str = "", message_receive: str = "",
         flag: str = "", barriers: int = 20, fabric: Fabric | str | None = None,
         topology: str = "", link_delay: str = "20ns", switch_delay: str = "300ns", progress: bool | None = None) -> pandas.DataFrame:
    """Compares barriers by remote writes with barriers by messages, as rdma-barrier does.

    Args:
        preset: a cluster of the paper, "cluster-1" to "cluster-3", whose costs hold where no other
            argument sets them
        nodes: numbers of nodes
        tasks_per_node: numbers of tasks on each
        transports: "rdma", "send-receive"
        rdma_send, message_send: how long a remote write, a message, keeps its sender busy
        rdma_receive, message_receive: from then until the target has it
        flag: for a task to set a flag in memory that its node shares, and to see one
        barriers: barriers to average over
        fabric: the fabric, or its JSON file; all hosts on one switch without it
        topology: a family's text, in place of it
        link_delay: propagation delay of a cable
        switch_delay: delay of a switch and of an interface
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each transport, number of tasks and number of nodes

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.RdmaStudy.Parameters()
    parameters.costs = ns.RdmaStudy.GetPreset(preset)
    for name, value in {"rdmaSend": rdma_send, "rdmaReceive": rdma_receive,
                        "messageSend": message_send, "messageReceive": message_receive,
                        "flag": flag}.items():
        if value:
            setattr(parameters.costs, name, simulation.time(value))
    parameters.transports = arguments.words(transports)
    for each in arguments.listed(transports):
        arguments.word("transports", each, [str(name) for name in ns.RdmaStudyRow.GetTransports()])
    parameters.nodes = arguments.wholes("nodes", nodes, 1, 10000)
    parameters.tasksPerNode = arguments.wholes("tasks_per_node", tasks_per_node, 1, 1000)
    parameters.barriers = arguments.whole("barriers", barriers, 1, 1000000)
    parameters.hosts = arguments.study_hosts(fabric, topology, link_delay, switch_delay)
    return arguments.run(bridge.RunRdmaStudy, parameters, "rdma", progress)


# Collectives in hardware, which know hosts and not processes. It is hypothetical: registers in
# switches, switches that copy worms, and networks beside the data network.
ONE_PROCESS_A_HOST = {"btin", "hw-1", "hw-all", "in-switch", "multicast"}


@translated()
def algorithms(*, fabric: Fabric | str | None = None, topology: str = "", switches: int = 75,
               hosts: int = 256, names: Sequence[str] = (), group_sizes: Sequence[int] = (16,),
               tasks_per_host: int = 1, kind: str = "barrier", operation: str = "",
               width_bits: int = 0, runs: int = 1, seed: int = 1,
               attributes: Mapping[str, object] | None = None,
               progress: bool | None = None) -> pandas.DataFrame:
    """Compares all algorithms by name on one fabric: each does one round, all members at once.

    Args:
        fabric: a fabric, or its JSON file
        topology: a family's text, as "torus:8x8", in place of it
        switches, hosts: of the irregular fabric that is drawn for each run without either
        names: names of algorithms, with attributes as "tree[Tree=fibo]"; all without it, those that
            serve one process of a host within smp if there are several
        group_sizes: numbers of random hosts in a group
        tasks_per_host: processes of each of them, members one by one
        kind: "barrier", "allreduction", "broadcast" or "reduction"
        operation: how an allreduction or reduction combines values: "AND", "OR", "ADD", "MIN" or
            "MAX"; "AND" without it
        width_bits: width of these values, 1 to 64 bits; 1 without it, which two bytes hold
        runs: random groups
        seed: seed of random numbers
        attributes: of the fabric's parts, as for Fabric, in place of a given fabric's own
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each algorithm, group size and run: latency_us, setup_us; hypothetical: whether it
        takes hardware that nobody sells; refused: why it can't do this, with no times, else empty;
        and tasks_per_host if that is not 1

    Raises:
        WormholeError: if that can't be done, by none of the algorithms
    """
    combining = kind in ("allreduction", "reduction")
    for name, value in (("operation", operation), ("width_bits", width_bits)):
        if value and not combining:
            raise WormholeError(f"{name}={value}: has no effect on a {kind}; accepted is it with "
                                "kind allreduction or reduction")
    values = {}
    if combining:
        width = arguments.whole("width_bits", width_bits or 1, 1, 64)
        accepted = ("AND", "OR", "ADD", "MIN", "MAX")
        values = {"Operation": arguments.word("operation", operation or "AND", accepted),
                  "WidthBits": width}
    if fabric is not None and topology:
        raise WormholeError("topology has no effect with fabric; accepted is one of the two")
    given = arguments.fabric(fabric) if fabric is not None else None
    if given and attributes:
        given = given.with_attributes(attributes)
    if topology:
        given = Fabric.from_text(topology, seed=seed, attributes=attributes)
    tasks = arguments.whole("tasks_per_host", tasks_per_host, 1, 4096)
    names = arguments.listed(names) or [
        f"smp[Inner={name}]" if tasks > 1 and str(name) in ONE_PROCESS_A_HOST else str(name)
        for name in ns.CollectiveHelper.GetNames(kind)]
    runs = arguments.whole("runs", runs, 1, 1000000)
    switches, hosts = arguments.whole("switches", switches), arguments.whole("hosts", hosts)
    sizes = [arguments.whole("group_sizes", size, 1) for size in arguments.listed(group_sizes)]
    for name in names:
        ns.CollectiveHelper.MakeCollective(kind, str(name))
    rows = []
    with arguments.bar("algorithms", progress) as tell:
        for run in range(1, runs + 1):
            each = given or Fabric.irregular(switches, hosts, seed=seed, run=run,
                                             attributes=attributes)
            for size in sizes:
                chosen = each.group(size, seed=seed, run=run)
                members = [host for host in chosen for _ in range(tasks)]
                for name in names:
                    simulation.reset()
                    rows.append({"fabric": each.name, "kind": kind,
                                 "operation": values.get("Operation", ""),
                                 "width_bits": values.get("WidthBits", 0), "algorithm": name,
                                 "hypothetical": _is_hypothetical(name), "group_size": size,
                                 "run": run, **_round(each, kind, name, members, values)})
                    tell(len(rows), runs * len(sizes) * len(names))
    simulation.reset()
    if all(row["refused"] for row in rows):
        raise WormholeError(rows[0]["refused"])
    table = pandas.DataFrame(rows)
    return table.assign(tasks_per_host=tasks) if tasks > 1 else table


def _round(fabric, kind, name, members, values):
    """Returns what one round took, or why it can't be."""
    try:
        made = getattr(fabric, kind)(name, members, **values)
        return {"latency_us": made.cross(), "setup_us": made.setup_us, "refused": ""}
    except WormholeError as error:
        return {"latency_us": float("nan"), "setup_us": float("nan"), "refused": str(error)}


def _is_hypothetical(name):
    """Returns whether an algorithm, or one inside it, is one in hardware."""
    return not ONE_PROCESS_A_HOST.isdisjoint([*re.findall(r"[\w-]+", str(name))])


STUDIES = {"barriers": barriers, "latency_load": latency_load, "trees": trees, "rdma": rdma,
           "smp_broadcast": smp_broadcast, "sync_hardware": sync_hardware,
           "algorithms": algorithms}


@translated()
def study(name: str):
    """Returns a study by its name. Raises WormholeError if there is none."""
    known = STUDIES.get(str(name).replace("-", "_"))
    if known is None:
        raise WormholeError(f"there is no study {str(name)!r}; there are {', '.join(STUDIES)}"
                            f"{nearest(name, STUDIES)}")
    return known
