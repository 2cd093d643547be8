# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The C++ studies of clusters of SMPs and of synchronisation hardware, as data frames.

:mod:`ns3_wormhole.studies` has them too, and says what holds of all studies.
"""

from __future__ import annotations

import pathlib
from typing import Sequence

from . import _arguments as arguments
from . import simulation
from ._loader import bridge, ns, pandas, std
from .errors import WormholeError, translated
from .fabric import Fabric

_RANDOM = ("random", "shuffled")


@translated()
def smp_broadcast(*, case: str = "", job: int = 0, job_switches: int = 0, placement: str = "",
                  placements: int = 0, stream: int = 0, hosts: Sequence[int] = (),
                  tasks_per_host: int = 1, flag: str = "",
                  bytes: Sequence[str | int] = (200000,),
                  algorithms: Sequence[str] = ("mpich[BlockSize=1]", "mpich[BlockSize=3]",
                                               "sss-mst"),
                  start_up: str = "2us", receive: str = "0us", data_rate: str = "1.2Gbps",
                  flit_bytes: str | int = 3, fabric: Fabric | str | None = None,
                  topology: str = "", link_delay: str = "20ns", switch_delay: str = "300ns",
                  progress: bool | None = None) -> pandas.DataFrame:
    """Compares broadcasts on a cluster of SMPs, as smp-broadcast does.

    Args:
        case: a case of the paper: "64", "44", "38" or "28" hosts of Roadrunner; without it "64",
            with a fabric of one's own all of its hosts
        job: number of hosts of a job of one's own, in place of a case; 0: none
        job_switches: number of switches that this job is on; 0: any
        placement: where the job is: "block" (the first hosts), "random" (ranks by host),
            "shuffled" (any ranks); without it block for 64 hosts and one's own, else random
        placements: number of random placements; 0: 20
        stream: stream of random numbers for placements
        hosts: numbers of hosts that take part; without it 8, 12, ..., above 64 hosts 8, 16, 32, ...
        tasks_per_host: processes of each host that takes part
        flag: how long a flag of another process of the host takes; "500ns" without it
        bytes: lengths of the message, in bytes or as "64kB", "1MiB"
        algorithms: broadcasts by software, by name
        start_up: how long a message keeps its sender's software busy
        receive: how long it keeps its receiver's
        data_rate: rate of every channel
        flit_bytes: size of a flit; its time must be a whole number of ps
        fabric: the fabric, or its JSON file
        topology: a family's text, in place of it; "roadrunner:wiring=mesh,cables=2" without either
        link_delay: propagation delay of a cable
        switch_delay: delay of a switch and of an interface
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each placement, length, number of hosts and broadcast

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.SmpStudy.Parameters()
    parameters.algorithms = arguments.words(algorithms)
    own = fabric is not None or bool(topology)
    given = arguments.given_topology(
        fabric, topology if own else "roadrunner:wiring=mesh,cables=2")
    parameters.job = _job(case, job, job_switches, placement,
                          int(bridge.CountHosts(given)) if own else 0)
    if str(parameters.job.law) not in _RANDOM:
        for name, value in (("placements", placements), ("stream", stream)):
            if value:
                raise WormholeError(f"{name}={value}: has no effect where placement is no random "
                                    "one; accepted is it with placement='random'")
    parameters.placements = arguments.whole("placements", placements or 20, 1, 100000)
    parameters.stream = arguments.whole("stream", stream, 0, 1 << 30)
    most = int(parameters.job.hosts)
    parameters.hosts = arguments.wholes("hosts", arguments.listed(hosts) or _sizes(most), 1, most)
    parameters.bytes = std.vector["uint32_t"]([arguments.byte_size("bytes", each, 2, 1 << 30)
                                                for each in arguments.listed(bytes)])
    parameters.tasksPerHost = arguments.whole("tasks_per_host", tasks_per_host, 1, 1024)
    if flag and tasks_per_host == 1:
        raise WormholeError(f"flag={flag}: has no effect without tasks_per_host=2; accepted is both")
    parameters.flag = simulation.time(flag or "500ns")
    parameters.startUp = simulation.time(start_up)
    parameters.receive = simulation.time(receive)
    arguments.positive("link_delay", link_delay)
    parameters.cluster = bridge.MakeStudyHosts(given, simulation.time(link_delay),
                                               simulation.time(switch_delay))
    parameters.cluster.SetRate(data_rate,
                               arguments.byte_size("flit_bytes", flit_bytes, 1, 1 << 20))
    bridge.CheckJob(parameters.job, parameters.cluster)
    return arguments.run(bridge.RunSmpStudy, parameters, "smp_broadcast", progress)


def _sizes(most):
    """Returns numbers of hosts up to those of the job."""
    sizes, step = [], min(8, most)
    while step < most:
        sizes.append(step)
        step += step if most > 64 else 4
    return [*sizes, most]


def _job(case, hosts, switches, placement, all_hosts):
    """Returns an ns3::JobPlacement::Parameters; all_hosts: of a fabric of one's own, else 0."""
    if hosts:
        if case:
            raise WormholeError(f"case={case}: has no effect with job={hosts}; accepted is one of "
                                "the two")
        job = ns.JobPlacement.Parameters()
        job.hosts = arguments.whole("job", hosts, 1, 1000000)
        job.switches = arguments.whole("job_switches", switches, 0, 1000000)
    else:
        if switches:
            raise WormholeError(f"job_switches={switches}: has no effect without job; accepted is "
                                "both")
        if all_hosts and not case:
            job = ns.JobPlacement.Parameters()
            job.hosts = all_hosts
        else:
            cases = [str(each) for each in ns.SmpStudy.GetCases()]
            job = ns.SmpStudy.GetCase(arguments.word("case", str(case or "64"), cases))
    if placement:
        laws = [str(each) for each in ns.JobPlacement.GetLaws()]
        job.law = arguments.word("placement", placement, laws)
    return job


@translated()
def sync_hardware(*, table: Sequence[str] = ("1",),
                  hardware: Sequence[str] = ("none", "hw-1", "hw-all", "in-switch"),
                  delays: Sequence[str] = ("0us", "100us"), nodes: int = 32, workloads: str = "",
                  published: str = "", supersteps: int = 100, network_done: str = "auto",
                  barrier_overhead: str = "10.375us", reduction_overhead: str = "11.775us",
                  wide_overhead: str = "13.975us", flight: str = "1.625us", s: str = "4.2us",
                  r: str = "7.3us", host_overhead: str = "75us",
                  in_switch_start_up: str = "10.375us", fabric: Fabric | str | None = None,
                  topology: str = "",
                  processor_price: int = 10000, memory_price: int = 5000,
                  network_price: int = 5000, hardware_price: int = 2000,
                  progress: bool | None = None) -> pandas.DataFrame:
    """Tells what synchronisation hardware brings and may cost, as sync-hardware does.

    Args:
        table: "1" (latencies), "3" to "6" (speedups), "7" (break-even prices), "uniprocessor",
            "speedups" (all)
        hardware: "none", "hw-1", "hw-all", "in-switch"
        delays: what is added to each message
        nodes: number of nodes
        workloads: JSON file of applications; those of the paper without it
        published: CSV file of published figures; those of the paper without it, for its
            applications and 32 nodes
        supersteps: supersteps simulated of each application
        network_done: how it is known that messages arrived: "acks", "add" or "auto"
        barrier_overhead: o of a message in barriers
        reduction_overhead: o with up to 32 bits
        wide_overhead: o with 64 bits
        flight: L0 of a message, without delay
        s, r: in trees from and to the host, without delay
        host_overhead: of the host, after a reduction by software
        in_switch_start_up: in-switch: start-up of a message
        fabric: in-switch: the fabric, or its JSON file; all hosts on one switch without it
        topology: in-switch: a family's text, in place of it
        processor_price: dollars for processor and cabinet
        memory_price: dollars for a node's memory
        network_price: dollars for a node's part of the data network
        hardware_price: dollars for a node's synchronisation hardware
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each table, line of it, hardware and delay

    Raises:
        WormholeError: if that can't be done, naming the value and what would be accepted
    """
    parameters = ns.SyncStudy.Parameters()
    parameters.tables = arguments.words(table, "table",
                                        [str(each) for each in ns.SyncStudy.GetTables()])
    names = [str(each) for each in ns.SyncMachine.GetHardwareNames()]
    parameters.hardware = arguments.words(hardware, "hardware", names)
    parameters.delays = std.vector[ns.Time]([simulation.time(each)
                                              for each in arguments.listed(delays)])
    parameters.supersteps = arguments.whole("supersteps", supersteps, 1, 1000000)
    machine = parameters.machine
    machine.nodes = arguments.whole("nodes", nodes, 2, 4096)
    machine.networkDone = arguments.word("network_done", network_done, ("auto", "acks", "add"))
    for name, text in {"barrierOverhead": barrier_overhead, "reductionOverhead": reduction_overhead,
                       "wideOverhead": wide_overhead, "flight": flight, "treeS": s, "treeR": r,
                       "hostOverhead": host_overhead}.items():
        setattr(machine.costs, name, simulation.time(text))
    machine.inSwitchStartUp = simulation.time(in_switch_start_up)
    if fabric is not None or topology:
        if "in-switch" not in arguments.listed(hardware):
            name = "topology" if topology else "fabric"
            raise WormholeError(f"{name}={topology or fabric}: has no effect without in-switch; "
                                "accepted is both")
        bridge.GiveMachine(machine, arguments.given_topology(fabric, topology))
    for name, dollars in {"processor": processor_price, "memory": memory_price,
                          "network": network_price, "hardware": hardware_price}.items():
        setattr(parameters.prices, name, float(arguments.whole(f"{name}_price", dollars, 0,
                                                               1000000)))
    parameters.workloads = ns.SyncWorkload.Read(workloads or data_file("sync-workloads.json"))
    # What the paper prints is of its own applications on 32 nodes.
    if published or (not workloads and nodes == 32):
        parameters.published = ns.PublishedSync.Read(
            published or data_file("sync-hardware-published.csv"))
    return arguments.run(bridge.RunSyncStudy, parameters, "sync_hardware", progress)


def data_file(name: str) -> str:
    """Returns a file of the module's data: of the installed package, or of a checkout.

    Args:
        name: its name, as "sync-workloads.json"

    Raises:
        WormholeError: if it is in neither
    """
    package = pathlib.Path(__file__).resolve().parent
    for folder in (package / "data", package.parents[1] / "data"):
        if (folder / name).is_file():
            return str(folder / name)
    raise WormholeError(f"there is no {package / 'data' / name}; accepted is an installed package "
                        "or a checkout")
