# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics: drawn at random, of a topology family, from a file, or from and to a networkx graph."""

from __future__ import annotations

import functools
import os
import re
import warnings
from typing import Any, Mapping, Sequence

from .. import formats
from ..core import arguments, bars, machine as machines, simulation, texts
from ..core.errors import WormholeError, translated, translated_class
from ..core.files import read_text, write_whole
from ..core.loader import bridge, networkx, ns, pandas
from ..core.timeline import recording
from ..formats import networkx_graph, properties
from ..formats.drawing import to_svg
from .groups import Groups, Members, Placement, random_group
from .heat import measure
from .what_if import what_if as _what_if
from .year import year as _year
from .years import years as _years


@translated_class
class Fabric(Groups):
    """Switches, hosts and cables, and what runs on them.

    A fabric is built in the simulation when it is first used there, and built anew after :func:`ns3_wormhole.reset` or
    a study, which end the simulation. graph: the ns3::FabricGraph; name: what it was made from; attributes: values of
    attributes of its parts, by name; machine: name or file of the machine whose values these override; None: none
    """

    def __init__(self, graph, *, router=None, routing: str = "", root: str = "", name: str = "fabric",
                 attributes: Mapping[str, object] | None = None,
                 machine: str | os.PathLike | None = None):
        """Takes a graph, an ns3::FabricGraph. Raises WormholeError if traffic can't use it, or a value is refused.

        Args:
            router: an ns3::WormholeRouter made for the graph; None: the graph's own routes
            routing: a routing engine in place of these routes, see ns3_wormhole.routing_engines()
            root: root of up*/down* routes in place of the graph's routes: "first", "degree", "center" or a switch
            name: name of the fabric in tables
            attributes: values by name, such as {"WormholeChannel::Delay": "50ns"}; the prefix "ns3::" is optional
            machine: name or file of a machine, see ns3_wormhole.machine; attributes override its values
        """
        if isinstance(graph, (str, os.PathLike)):
            raise WormholeError(f"{os.fspath(graph)!r} is no ns3::FabricGraph; expected one, and "
                                "Fabric.from_file(...) or Fabric.from_text(...) for a file or a text")
        graph.Validate()
        bars.connect()
        if routing:
            if router or root:
                raise WormholeError(f"routing={routing!r} beside a router or root: expected one of "
                                    "them; a root is part of a routing, as balanced[Root=center]")
            graph = ns.FabricGraph(graph)
            ns.SetRouting(graph, routing)
            router = bridge.MakeRouter(graph, "")
        self.graph = graph
        self._router = router
        self._root = root
        if root:
            ns.UpDownRouting.RootByName(graph, root)
        self._take(name, attributes, machine)

    def with_attributes(self, attributes: Mapping[str, object], machine: str | os.PathLike | None = None) -> Fabric:
        """Returns the same fabric with more attributes, which override its own. attributes: values by name, as for
        Fabric(); machine: name or file of a machine in place of its own; None: its own. Raises WormholeError if an
        attribute is refused."""
        return Fabric(self.graph, router=self._router, root=self._root, name=self.name,
                      attributes={**self.attributes, **attributes},
                      machine=self.machine if machine is None else machine)

    def with_routing(self, routing: str) -> Fabric:
        """Returns the same fabric with other routes. routing: as for Fabric(). Raises WormholeError if there is no
        such routing, or it does not serve this fabric."""
        return Fabric(self.graph, routing=routing, name=self.name, attributes=self.attributes, machine=self.machine)

    @classmethod
    def irregular(cls, switches: int = 75, hosts: int = 256, *, ports: int = 8,
                  connectivity: float = 0.75, law: str = "recursive", seed: int = 1, run: int = 1,
                  stream: int = 0, **options: object) -> Fabric:
        """Draws an irregular fabric at random. switches, hosts: their numbers; ports: ports of each switch;
        connectivity: fraction of ports in use, above 0, up to 1; law: topology model, "recursive", "walk" or "pairing";
        seed, run, stream: seed, run and stream of random numbers, each giving another fabric; options: as for Fabric().
        Raises WormholeError if no such fabric exists."""
        parameters = ns.IrregularTopologyHelper.Parameters()
        for key, value in {"switches": switches, "hosts": hosts, "ports": ports}.items():
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**32:
                raise WormholeError(f"{key}={value!r}: expected a whole number from 0 on")
            setattr(parameters, key, value)
        parameters.connectivity = float(connectivity)
        parameters.law = ns.IrregularTopologyHelper.ModelByName(law)
        simulation.set_seed(seed, run)
        options.setdefault("name", f"irregular:switches={switches},hosts={hosts}")
        return cls(bridge.DrawIrregular(parameters, stream), **options)

    @classmethod
    def from_text(cls, text: str, *, seed: int = 1, run: int = 1, **options: object) -> Fabric:
        """Makes a fabric of a topology family, with the family's own routes. text: such as "torus:8x8,hosts=2", see
        ns3_wormhole.topologies(); seed, run: seed and run of random numbers, for random families; options: as for
        Fabric(). Raises WormholeError if no such fabric exists."""
        simulation.set_seed(seed, run)
        if routing := options.pop("routing", ""):
            text = str(ns.WithRouting(text, routing))
        bars.connect()
        topology = ns.MakeTopology(text)
        options.setdefault("name", text)
        return cls(topology.graph, router=topology.router, **options)

    @classmethod
    def from_file(cls, path: str | os.PathLike, **options: object) -> Fabric:
        """Reads a fabric file (JSON). path: the file; options: as for Fabric(). Raises WormholeError for any mistake,
        naming file, line and place."""
        options.setdefault("name", f"file:{os.fspath(path)}")
        return cls(ns.ReadFabricFile(os.fspath(path)), **options)

    @classmethod
    def read(cls, path: str | os.PathLike, format: str | None = None, *,
             routes: str | os.PathLike | None = None, interfaces: bool = False,
             island: str | int | None = None, hosts_per_switch: int | None = None, **options: object) -> Fabric:
        """Reads a file of any format; warns of content that a fabric can't hold. Raises WormholeError for any mistake,
        naming file and line; if the format is uncertain; and if worms can deadlock, naming the cycle of channels.

        Args:
            format: "json" (a fabric file), "ibnetdiscover", "graphml", "gml", "dot", "slurm" (topology.conf),
                "slurm-yaml" (topology.yaml) or "anynet" (BookSim); None: by the file's suffix or beginning
            routes: with ibnetdiscover, the switches' forwarding tables, from dump_fts or opensm-lfts.dump
            interfaces: with ibnetdiscover, whether ports of one computer, such as "node7 mlx5_0" and "node7 mlx5_1",
                are its interfaces; otherwise each port is a host of its own
            island: the part to read, if the file has several unconnected parts: the name of a node in it, or its
                number, from 1 on, in the error that lists the parts
            hosts_per_switch: hosts to add to each switch of a file that has only switches
            options: as for Fabric()
        """
        path, own = os.fspath(path), (routes, interfaces or None, island, hosts_per_switch)
        format = formats.guess(path) if format is None else format
        if format == formats.JSON and own == (None,) * 4:
            return cls.from_file(path, **options)
        graph, notes = formats.read(path, format, None if routes is None else os.fspath(routes),
                                    interfaces, None if island is None else str(island),
                                    hosts_per_switch)
        for note in notes:
            warnings.warn(note, stacklevel=3)
        options.setdefault("name", f"file:{path}")
        return cls(graph, **options)

    @classmethod
    def from_networkx(cls, graph: networkx.Graph, *, ports: int = 0, **options: object) -> Fabric:
        """Takes a networkx graph. Raises WormholeError if a node has another kind, a port is used twice, there are too
        few ports, or an attribute is refused.

        Nodes with kind="host" are hosts, those with kind="switch" are switches; without kinds, nodes with one cable are
        hosts. A node's name is its str(). A host may be "interface_of" another, the first interface of the same
        computer; such hosts get the last numbers. An edge may name its ports as {"ports": {node: port}}, or the same as
        a JSON text; other edges get the lowest open ports, in the order of edges. A multigraph may have several cables
        between two switches; in a directed graph, an arc and the arc back are a cable. An edge may have its own "rate"
        or "flit_time", "delay" or "length", and "depth"; a switch may have "delay"; values are texts as in a fabric
        file. The graph may have the attributes that to_networkx() writes: "lanes", "priorities" (such as "0+1"),
        "grant", "routing", "root", "spread", "family" and "ports" (of each switch). With routing "table", switches have
        "routes", the port for each host in order, such as "0 3 -". A fat tree without routes gets "fat-tree", as in a
        file. Other attributes are not used, and a warning lists them; those above are refused in other places.

        ports: ports of each switch; 0: the graph's number, or as many as the switch with the most cables needs;
        options: as for Fabric()
        """
        return cls(networkx_graph.read(graph, ports), **{"name": graph.name or "networkx", **options})

    def to_networkx(self) -> networkx.MultiGraph:
        """Returns the fabric as a networkx graph, with lanes, kinds of nodes, delays of switches, hosts that are
        interfaces of one computer, ports of edges, and the cables' own attributes."""
        return networkx_graph.write(self)

    def cables(self) -> list[tuple[str, int, str, int]]:
        """Returns the cables as (node, port, node, port), in order of the first node's number and port."""
        graph, names, none = self.graph, self.switches + self.hosts, ns.FabricGraph.NONE
        ends = ((node, port, graph.Peer(node, port)) for node in range(graph.GetNSwitches())
                for port in range(graph.GetNPorts(node)))
        return [(names[node], port, names[far.node], far.port) for node, port, far in ends
                if far.node != none and (node, port) < (far.node, far.port)]

    def owns(self) -> list[dict[str, str]]:
        """Returns the own attributes of each of cables(), such as "rate" or "flit_time", "delay", "depth"."""
        cables = self.cables()
        if not properties.are_there(self.graph):
            return [{} for _ in cables]
        numbers = {name: number for number, name in enumerate(self.switches + self.hosts)}
        return [properties.of_cable(self.graph, numbers[a], port) for a, port, _, _ in cables]

    def has_rates(self) -> bool:
        """Returns whether all cables have their own data rates, so that WormholeFabric::DataRate has no effect."""
        return all("rate" in own or "flit_time" in own for own in self.owns())

    def own_rates(self) -> str:
        """Returns a note if the machine's data rate has no effect because all cables have other rates; else ""."""
        text = machines.read(self.machine).get("ns3::WormholeFabric::DataRate")
        own = sorted({each.get("rate", "") for each in self.owns()})
        if not text or "" in own or own == [text]:
            return ""
        return (f"cables have the fabric's own data rates, {', '.join(own)}; that of {self.machine}, {text}, "
                "has no effect")

    def router(self) -> Any:
        """Returns the ns3::WormholeRouter of the fabric's routes. Raises WormholeError if it has none."""
        return self._router or self._own_router

    @functools.cached_property
    def _own_router(self):
        return bridge.MakeRouter(self.graph, self._root)

    def to_file(self, path: str | os.PathLike) -> None:
        """Writes a fabric file. Raises WormholeError if it can't be written."""
        ns.WriteFabricFile(self.graph, os.fspath(path))

    def write(self, path: str | os.PathLike, format: str | None = None) -> None:
        """Writes a file completely or not at all; warns of what the format can't hold. format: "json" (a fabric file),
        "graphml" or "dot", which hold everything but outages and give read() the fabric; "anynet", which has no names,
        ports, parallel cables or routes; "routes", a CSV with the route of each pair of hosts; None: by the file's
        suffix. Raises WormholeError if there is no such format, or the file can't be written."""
        format = formats.format_of(os.fspath(path)) if format is None else format
        if format == formats.JSON:
            self.to_file(path)
            return
        text, notes = formats.write(self, format)
        write_whole(path, text)
        for note in notes:
            warnings.warn(note, stacklevel=3)

    def __repr__(self):
        return (f"<Fabric {self.name}: {self.graph.GetNSwitches()} switches, "
                f"{self.graph.GetNHosts()} hosts>")

    @functools.cached_property
    def switches(self) -> list[str]:
        """Names of the switches, by number."""
        return [str(self.graph.GetName(node)) for node in range(self.graph.GetNSwitches())]

    @functools.cached_property
    def hosts(self) -> list[str]:
        """Names of the hosts, by number."""
        graph = self.graph
        return [str(graph.GetName(graph.HostAt(i))) for i in range(graph.GetNHosts())]

    def host(self, which: int | str) -> int:
        """Returns the number of a host, given its number or name. Raises WormholeError if there is no such host."""
        if isinstance(which, str):
            return self.graph.FindHost(which)
        count = self.graph.GetNHosts()
        if isinstance(which, bool) or not hasattr(which, "__index__") or not 0 <= which < count:
            raise WormholeError(f"{which!r} is no host; expected names, as h0, and numbers "
                                f"from 0 to {count - 1}")
        return int(which)

    def group(self, members: Members = None, placement: Placement = None, *, seed: int = 1, run: int = 1) -> list[int]:
        """Returns the hosts of a group. Raises WormholeError if there are no such hosts.

        Args:
            members: hosts by name or number, in the order of ranks; a number n: n random hosts, with ranks in random
                order, even if these are all hosts (doc/user/placement.rst); None: all hosts, in order
            placement: where these n hosts are: "first", "random" (ranks in the order of hosts), "shuffled" (random
                ranks; the default), "best" (near each other), a file of hosts, or "h0,h5" or [0, 5]
            seed, run: seed and run of random numbers
        """
        count = self.graph.GetNFirstInterfaces()
        if placement is not None and placement != ():
            return self._placed(members, placement, seed, run)
        if members is None:
            return list(range(count))
        if not isinstance(members, int):
            named = members.split(",") if isinstance(members, str) else members
            return [self._first_interface(self.host(each)) for each in named]
        return random_group(count, members, seed, run)

    def _placed(self, members, placement, seed, run):
        if members is not None and (isinstance(members, bool) or not hasattr(members, "__index__")):
            raise WormholeError(f"placement={placement} with members by name; expected their number")
        count = 0 if members is None else arguments.whole("members", members)
        named = None if isinstance(placement, str) else [self.host(each) for each in placement]
        if any(re.search(r'[\s,#"]', host) for host in self.hosts):  # names that C++ can't tell apart
            named = self._listed(placement) if named is None else named
            if named is not None:
                return self._first(named, count)
        law = placement if named is None else ",".join(self.hosts[host] for host in named)
        simulation.set_seed(seed, run)
        return [int(host) for host in bridge.PlaceMembers(self.graph, law, count)]

    def _listed(self, placement):
        """Returns the hosts in a list or a file, in which names may be in quotes; None if it is neither."""
        is_list = "," in placement or placement in self.hosts
        if ns.JobPlacement.IsRule(placement) or not (is_list or os.path.isfile(placement)):
            return None
        found = []
        # In files a comment begins behind a blank: names may have a # within.
        uncommented = re.compile(r'(?:"(?:[^"]|"")*"|[^"#]|(?<=\S)#)*')
        for line in [placement] if is_list else read_text(placement).splitlines():
            if line in self.hosts:
                found.append(line)
                continue
            for part in re.findall(r'(?:"(?:[^"]|"")*"|[^,])+', line if is_list else uncommented.match(line)[0]):
                name = part.strip()
                found += [name] if name in self.hosts else texts.split(name)
        return [self.host(name) for name in found]

    def _first(self, hosts, count):
        """Returns the first hosts that a placement names. count: how many; 0: all"""
        for host in hosts:
            if hosts.count(self._first_interface(host)) > 1:
                raise WormholeError(f"placement: '{self.hosts[host]}' is there twice; expected hosts, each once")
        if not hosts or count > len(hosts):
            raise WormholeError(f"placement names {len(hosts)} hosts; expected {max(count, 1)} or more")
        return hosts[:count or len(hosts)]

    def _first_interface(self, host):
        """Returns a host. Raises WormholeError if it is a further interface of a computer."""
        if host < self.graph.GetNFirstInterfaces():
            return host
        first = self.hosts[properties.further_interfaces(self.graph)[host]]
        raise WormholeError(f"host {self.hosts[host]} is a further interface of {first}; expected "
                            f"{first}, by whose name the computer goes")

    def _build(self, fabrics, collectives):
        if self._router:
            fabrics.SetRouter(self._router)
        elif self._root:
            fabrics.SetRoutingRoot(self._root)
        return bridge.Install(fabrics, collectives, self.graph)

    @functools.cached_property
    def has_outages(self) -> bool:
        """Whether outages of its parts are set by its attributes, its machine or its file."""
        return bool({**machines.read(self.machine), **self.attributes}.get("ns3::WormholeFabric::OutageSchedule")) or \
            self.graph.GetProperties().lanes.outages.size() > 0

    def _note(self):
        """Warns of lanes that routes leave unused, and of outages whose times have passed."""
        if self.has_outages and (now := simulation.microseconds(ns.Simulator.Now())):
            warnings.warn(f"{self.name}: times of outages count from the simulation's start, {now:g} us ago; "
                          "reset() begins another", stacklevel=3)
        if properties.of_lanes(self.graph).get("lanes", "1") == "1":
            return
        taken, there = properties.lanes_taken(self.graph, self.router())
        if taken < there:
            warnings.warn(f"{self.name}: the routes take {taken} of the {there} lanes of each channel", stacklevel=3)

    def tree(self, members: Members = None, leaves: str = "deepest"):
        """Returns the ns3::BarrierTree of a group. members: as for group(); leaves: which leaves decide between trees
        of equal height and number of edges: "deepest" or "all"."""
        if leaves not in ("all", "deepest"):
            raise WormholeError(f"leaves={leaves!r}: expected 'all' and 'deepest'")
        nodes = [self.graph.HostAt(host) for host in self.group(members)]
        return bridge.GrowTree(self.graph, nodes, leaves == "deepest")

    def check(self, members: Members = ()) -> str:
        """Proves that worms on the routes of all pairs of hosts cannot deadlock. members: a group, as for group(),
        whose tree worms from each member to the others, and messages to registers, are included. Returns the cycle of
        channels that exists only if tree worms are longer than buffers; "" if there is none. Raises WormholeError if
        worms can deadlock, naming the cycle of channels."""
        group = [] if members == () else self.group(members)
        return str(bridge.CheckDeadlockFree(self.graph, self.router(), group))

    @functools.cached_property
    def _uniform(self):
        return ns.ChannelBound.MeasureUniform(self.graph, self.router().__deref__())

    def saturation_bound(self) -> float:
        """Returns the load of each host, relative to a channel's rate, at which the busiest channel is full under
        uniform traffic; only worms with choices can carry more. route_figures() tells whether there are choices, and
        whether the value is an estimate. Raises WormholeError if there are fewer than two hosts."""
        return float(self._uniform.bound)

    def equal_split_bound(self) -> float:
        """Returns what saturation_bound() would be if each pair of hosts used all its shortest paths equally; NaN on
        fabrics so large that the computation would take minutes. Raises WormholeError if there are fewer than two
        hosts."""
        if len(self.hosts) < 2:
            self.saturation_bound()  # refuses that
        return self._equal_split

    @functools.cached_property
    def _equal_split(self):
        return float(ns.GetEqualSplitBound(self.graph))

    def route_figures(self) -> dict[str, object]:
        """Returns figures of the routes under uniform traffic. bound: as saturation_bound(); of_equal_split: bound
        divided by equal_split_bound(); is_estimate: whether routes were sampled: if each worm has its own route, or if
        routes depend on the sender and pairs are over 16 million; error: half width of an estimate's 95 % interval,
        relative to the bound; mean_channels, longest: number of channels of a route, including the hosts' channels;
        busiest: the channel that is full first; has_choices: whether worms may take other channels than those of
        their first choices, which alone count here. Raises WormholeError if there are fewer than two hosts."""
        figures = self._uniform
        return {"bound": float(figures.bound),
                "of_equal_split": float(figures.bound) / self.equal_split_bound(),
                "is_estimate": bool(figures.isEstimate), "error": float(figures.error),
                "mean_channels": float(figures.meanChannels), "longest": int(figures.longest),
                "busiest": str(figures.busiest), "has_choices": bool(figures.hasChoices)}

    what_if = _what_if
    year = _year
    years = _years

    def heat(self, what: str = "utilisation", **options: object) -> pandas.DataFrame:
        """Measures how traffic, or a barrier, loads each channel; drawing.to_svg(fabric, heat=...) draws the result.
        See ns3_wormhole.heat.measure."""
        return measure(self, what, **options)

    def timeline(self, path: str | os.PathLike, **options: object):
        """Writes a timeline of what happens within a with block, for Perfetto or ``ns3-wormhole timeline``; see
        ns3_wormhole.timeline.recording. Of groups that were made before the block, it shows only the worms."""
        built = self._domain is not None and self._epoch == simulation.epoch()
        return recording(path, domain=self._domain if built else None, **options)

    def _repr_svg_(self) -> str:
        return to_svg(self)

    def bundles(self) -> str:
        """Returns how many of the parallel cables the routes between hosts use; empty without parallel cables."""
        return str(bridge.DescribeBundles(self.graph, self.router()))


def fabric_of(given: Fabric | str | os.PathLike) -> Fabric:
    """Returns a fabric, given the fabric or its JSON file."""
    return given if isinstance(given, Fabric) else Fabric.from_file(given)


def asked_fabric(fabric: Fabric | str | None, topology: str | None, routing: str = "") -> Fabric:
    """Returns a fabric, given the fabric, its JSON file or the text of a topology family. Raises WormholeError if
    neither a fabric nor a topology is given, or both are."""
    if (fabric is None) == (not topology):
        raise WormholeError("expected one of --fabric=FILE and --topology=TEXT, as --topology=clos:ports=36")
    found = given_fabric(fabric, topology or "", seed=1, routing=routing, attributes=None, machine=None)
    assert found
    return found


def given_fabric(fabric: Fabric | str | None, topology: str, *, seed: int, routing: str,
                 attributes: Mapping[str, object] | None, machine: str | None) -> Fabric | None:
    """Returns the fabric that a study is given, itself or as the text of a topology family; None if neither is given.
    Raises WormholeError if both are given."""
    if topology:
        if fabric is not None:
            raise WormholeError("topology has no effect with fabric; expected one of the two")
        return Fabric.from_text(topology, seed=seed, routing=routing, attributes=attributes, machine=machine)
    given = fabric_of(fabric) if fabric is not None else None
    if given and (attributes or machine is not None):
        given = given.with_attributes(attributes or {}, machine)
    return given.with_routing(routing) if given and routing else given


@translated()
def topologies() -> Sequence[str]:
    """Returns an example text of each topology family, for Fabric.from_text."""
    return [str(example) for example in ns.GetTopologyExamples()]


@translated()
def routing_engines() -> Sequence[str]:
    """Returns the names of routing engines, for Fabric(routing=...); each may have attributes in
    brackets, see doc/user/routing-engines.rst."""
    return [str(name) for name in ns.RoutingEngine.GetNames()]
