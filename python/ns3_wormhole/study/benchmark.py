# SPDX-License-Identifier: GPL-2.0-only
"""The cost of simulating, in CPU time and events, as measured by fabric-benchmark; results are data frames. Times are
noisy; events, worms and latencies are the same in every run. Each measurement ends the current simulation."""

from __future__ import annotations

import contextlib
import itertools
from typing import Sequence

from ..core import arguments, bars, csv_file, simulation
from ..core.errors import WormholeError, translated
from ..core.loader import ns, pandas, printed, std

SCHEDULERS = ("Wormhole", "PriorityQueue", "Map", "Heap", "Calendar")
# Worms of 1024 flits saturate these at 0.0184 and 0.0049, shorter ones later.
FABRICS = (("75/256", "irregular:switches=75,hosts=256", (0.002, 0.018)),
           ("300/1024", "irregular:switches=300,hosts=1024", (0.0005, 0.0048)),
           ("75/256 of three rates",
            "irregular:switches=75,hosts=256,rates=640Mbps+1280Mbps+2560Mbps", (0.006,)))


@translated()
def fabrics(*, fabrics: str = "", loads: Sequence[float] = (),
            flits: Sequence[int] = (2, 64, 1024, 100000), worms: int = 100000,
            algorithms: Sequence[str] = ("btin", "dissemination"), members: int = 1024,
            barriers: int = 20, repeats: int = 20, buffer_depth: int = 0,
            schedulers: Sequence[str] = ("Wormhole",), progress: bool | None = None
            ) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Measures random traffic, compared with ns-3's bare event loop, and barriers.

    Args:
        fabrics: texts of topologies, separated by ";", which need loads; by default 75/256, 300/1024,
            and 75/256 with three rates
        loads: offered loads of a host, as fractions of a channel's rate; by default a low load and
            one near saturation
        flits: lengths of worms
        worms: worms per measurement
        algorithms: barriers, by name
        members: members of a barrier, the first hosts; 0: no barriers. Fabrics with fewer hosts
            are measured without barriers
        barriers: barriers per measurement
        repeats: how often to measure; of each part, a few ms long, the least time counts
        buffer_depth: depth of input buffers, flits; 0: the cable's round trip
        schedulers: "Wormhole", or ns-3's "PriorityQueue", "Map", "Heap" or "Calendar"
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        two tables, with a row for each fabric, scheduler, load and length, and for each barrier

    Raises:
        WormholeError: if an argument is refused, naming the value and what is expected
    """
    named = _named(fabrics, loads)
    worms, repeats = arguments.whole("worms", worms, 100, 10**9), arguments.whole("repeats", repeats, 1, 1000)
    members, barriers = arguments.whole("members", members, 0, 10**7), arguments.whole("barriers", barriers, 1, 10**6)
    depth = ns.UintegerValue(arguments.whole("buffer_depth", buffer_depth, 0, 10**9))
    flits = [arguments.whole("flits", each, 1, 10**9) for each in arguments.listed(flits)]
    algorithms = arguments.listed(algorithms)
    for name in algorithms:
        ns.CollectiveHelper.MakeBarrier(name)
    schedulers = [arguments.word("schedulers", each, SCHEDULERS) for each in arguments.listed(schedulers)]
    traffic = std.vector[ns.FabricBenchmark.TrafficRow]()
    crossed = std.vector[ns.FabricBenchmark.BarrierRow]()
    simulation.set_seed(1, 1)
    made = [ns.MakeTopology(text) for _, text, _ in named]
    count = len(schedulers) * len(flits) * sum(len(loads) for _, _, loads in named)
    with bars.bar("benchmark", progress) as tell, _each_of(schedulers) as each_scheduler:
        for _ in each_scheduler:
            for (name, _, loads), topology in zip(named, made):
                helper = ns.WormholeHelper()
                helper.SetRouter(topology.router)
                helper.SetPortAttribute("BufferDepth", depth)
                benchmark = ns.FabricBenchmark(topology.graph, helper, repeats)
                for load, length in itertools.product(loads, flits):
                    setup = ns.FabricBenchmark.TrafficSetup()
                    setup.fabric, setup.flits, setup.load, setup.worms = name, length, load, worms
                    traffic.push_back(benchmark.MeasureTraffic(setup))
                    tell(traffic.size(), count)
                if 0 < members <= topology.graph.GetNHosts():
                    wanted = std.vector["std::string"](list(algorithms))
                    for row in benchmark.MeasureBarriers(name, wanted, members, barriers):
                        crossed.push_back(row)
    return (csv_file.frame(printed(ns.FabricBenchmark.WriteTraffic, traffic)),
            csv_file.frame(printed(ns.FabricBenchmark.WriteBarriers, crossed)))


@translated()
def scale(*, hosts: Sequence[int] = (65536,), switches: int = 0,
          schedulers: Sequence[str] = ("Wormhole",), progress: bool | None = None
          ) -> pandas.DataFrame:
    """Measures one barrier of all hosts of large irregular fabrics, stage by stage.

    Args:
        hosts: numbers of hosts
        switches: number of switches; 0: 300 for every 1024 hosts
        schedulers: "Wormhole", or ns-3's "PriorityQueue", "Map", "Heap" or "Calendar"
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each scheduler and number of hosts; columns in ``_s`` are seconds, MiB is 2^20

    Raises:
        WormholeError: if there is no such fabric
    """
    sizes = [arguments.whole("hosts", each, 1, 16777216) for each in arguments.listed(hosts)]
    rows = std.vector[ns.ScaleBenchmark.Row]()
    schedulers = [arguments.word("schedulers", each, SCHEDULERS) for each in arguments.listed(schedulers)]
    simulation.set_seed(1, 1)
    with bars.bar("scale", progress) as tell, _each_of(schedulers) as each_scheduler:
        for _ in each_scheduler:
            for size in sizes:
                setup = ns.ScaleBenchmark.Setup()
                setup.hosts, setup.switches = size, arguments.whole("switches", switches, 0, 16777216)
                rows.push_back(ns.ScaleBenchmark.Measure(setup))
                tell(rows.size(), len(schedulers) * len(sizes))
    return csv_file.frame(printed(ns.ScaleBenchmark.Write, rows))


def _named(texts, loads):
    loads = tuple(arguments.ratio("loads", load) for load in arguments.listed(loads))
    if not texts:
        return [(name, text, loads or own) for name, text, own in FABRICS]
    if not loads:
        raise WormholeError(f"fabrics={texts}: needs loads that suit them; use it with "
                            "loads=[0.01, 0.05] or the like")
    return [(text.replace(",", " "), text, loads) for text in texts.split(";")]


@contextlib.contextmanager
def _each_of(names):
    """Uses each scheduler in turn, and finally restores the previous one."""
    before = ns.StringValue()
    ns.GlobalValue.GetValueByName("SchedulerType", before)

    def use(value):
        simulation.reset()
        ns.GlobalValue.Bind("SchedulerType", value)
    try:
        yield (use(ns.StringValue(f"ns3::{name}Scheduler")) for name in names)
    finally:
        use(before)
