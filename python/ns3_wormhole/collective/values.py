# SPDX-License-Identifier: GPL-2.0-only
"""Collectives, by name: of single values, and of data."""

from __future__ import annotations

import html
import numbers
import weakref
from typing import Mapping, Sequence, TYPE_CHECKING

from ..core import arguments, bars, lengths, machine as machines, simulation
from ..core.errors import WormholeError, translated, translated_class
from ..core.loader import bridge, cppyy, ns, pandas, std
from . import explain, traffic as traffics
from .data import OPERATIONS as OPERATIONS, TYPES as TYPES, Arrays, operation_of

KINDS = ("barrier", "allreduction", "broadcast", "reduction")
#: Operations of collectives of one value.
OF_VALUES = {"sum": "ADD", "and": "AND", "or": "OR", "min": "MIN", "max": "MAX"}
VALUE_BYTES = 8  # that a collective of one value carries
_FIELDS = 2  # bytes of type and group, which every message of a collective of one value has


@translated()
def algorithms(kind: str = "barrier", data: bool = False) -> list[str]:
    """Returns the names of a kind's algorithms. kind: "barrier", "allreduction", "broadcast", "reduction", "gather",
    "scatter", "allgather", "reduce-scatter", "alltoall", "scan", or MPI's name; data: for allreduction, broadcast and
    reduction, selects algorithms that move data of any length instead of one value of up to 64 bits (kinds from gather
    on always do). Raises WormholeError if there is no such kind, or data is set for a barrier."""
    names = ns.CollectiveHelper.GetDataNames if data else ns.CollectiveHelper.GetNames
    return [str(name) for name in names(kind)]


def longest_value(kind: str) -> int:
    """Returns the greatest length, in bytes, of a value in messages of a kind, or of a broadcast without content."""
    return _FIELDS if kind == "broadcast" else VALUE_BYTES


def combines(kind: str) -> bool:
    """Returns whether a kind combines values."""
    return kind in ("allreduction", "reduction", "reduce-scatter", "scan")


def of_length(kind: str, size: int, operation: str, moves_data: bool) -> dict[str, object]:
    """Returns the attributes that set a length: of data, of one value, or of a broadcast's message without content.
    size: bytes; operation: an operation on data. Raises WormholeError if it can't combine single values."""
    if moves_data:
        return {"Bytes": size, **({"DataOperation": operation} if combines(kind) else {})}
    if not combines(kind):
        return {"MessageBytes": size} if kind == "broadcast" and size > longest_value(kind) else {}
    if operation not in OF_VALUES:
        raise WormholeError(f"combines no values by {operation}")
    return {"Operation": OF_VALUES[operation], "WidthBits": 8 * size}


def make_model(kind: str, algorithm: str, moves_data: bool, attributes: Mapping[str, object]):
    """Returns a collective without a group: its Ptr, and its object. Binds data-moving collectives to ns3::Collective,
    since cppyy would use their own class, and knows no bases of templates over numbers. Raises WormholeError if there
    is none of that name, or an attribute is refused."""
    make = ns.CollectiveHelper.MakeData if moves_data else ns.CollectiveHelper.MakeCollective
    pointer = model = make(kind, algorithm)
    if moves_data:
        model = cppyy.bind_object(bridge.GetAddress(pointer), ns.Collective)
    for name, value in attributes.items():
        simulation.set_attribute(model, name, value)
    return pointer, model


@translated_class
class Collective:
    """A collective of a group's processes, which can be run repeatedly.

    The group is set up when this object is made, by messages if the algorithm needs them. A group that moves data is
    set up when lengths are known: if they are not given, by the first round, and again for arrays with other lengths or
    of another type.

    model: the ns3::Collective; kind: such as "allreduction"; moves_data: whether it moves data of any length, else one
    value of up to 64 bits; members: numbers of the members' hosts, by rank; leaves_us: when members left the last
    round, from the round's start, by rank, us; results: the members' results, by rank: values, 0 for members that get
    none; or arrays, None for members that get none, or if no values were given
    """

    def __init__(self, fabric, kind: str, algorithm: str, members: Sequence[int],
                 attributes: Mapping[str, object], *, moves_data: bool | None = None,
                 bytes: int | str | None = None, operation: str | None = None):
        """Makes the group, see Groups.collective. moves_data: None means True if bytes are given or the algorithm moves
        data; bytes, operation: length and operation of data"""
        self.fabric = fabric
        self.algorithm = algorithm
        self.kind = str(ns.CollectiveHelper.GetKindName(kind))
        self.members = list(members)
        self.leaves_us: list[float] = []
        self.results: list = []
        self._bench = None
        self.moves_data = bytes is not None or bool(ns.CollectiveHelper.MovesData(kind, algorithm)) \
            if moves_data is None else moves_data
        given = dict(attributes)
        if bytes is not None:
            given["Bytes"] = lengths.parse("bytes", bytes)
        if operation is not None:
            given["DataOperation"] = operation_of(operation)
        self._arrays = Arrays(weakref.proxy(self), given) if self.moves_data else None
        self._make(given)
        if not self._arrays or self._arrays.have_lengths:
            self._set_up()

    def _make(self, attributes):
        with machines.in_effect(self.fabric.machine):
            self._pointer, self.model = make_model(self.kind, self.algorithm, self.moves_data, attributes)

    def _remake(self, attributes):
        if self._bench is not None:
            self.release()
            self.model.Dispose()
        self._make(attributes)
        self._set_up()

    def _set_up(self):
        domain = self.fabric.domain
        self._epoch = simulation.epoch()
        bars.connect()
        with machines.in_effect(self.fabric.machine), simulation.ending_on_error():
            self._bench = bridge.MakeCollectiveBench(self._pointer, domain, self.members)

    def __repr__(self):
        return (f"<Collective {self.kind} {self.algorithm}: {len(self.members)} members on "
                f"{self.fabric.name}>")

    def _repr_html_(self) -> str:
        rows = {"algorithm": self.algorithm, "fabric": self.fabric.name,
                "members": len(self.members), "set up in": f"{self.setup_us:.3f} us"}
        if self.leaves_us:
            rows["last round"] = f"{max(self.leaves_us):.3f} us from its start"
        return "<table>" + "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}"
                                   "</td></tr>" for name, value in rows.items()) + "</table>"

    @property
    def setup_us(self) -> float:
        """How long the group took to set up, us."""
        if self._arrays:
            self._check_alive()
        return simulation.microseconds(self._bench.GetSetup())

    @property
    def fallback(self) -> str:
        """The algorithm that serves the group if its own can't, and the reason; empty if its own can."""
        self._check_alive()
        return str(self.model.GetFallback())

    def cross(self, arrivals: Sequence | None = None, values: Sequence | None = None) -> float:
        """Runs one round. Returns the latency in us: from the last arrival until the last member has left.

        Args:
            arrivals: when each member arrives, by rank, such as "2us" or in us; None: all at the same time
            values: the members' inputs, by rank. Single values: a whole number each; None: all 0. Data: arrays of one
                of TYPES, and None for members without input, such as all but the root of a broadcast or scatter.
                Scatter's root, and all members of a reduce-scatter or alltoall, give one array with equal parts for all
                members, or a list with an array for each member. Without values, only lengths count, or the data of the
                previous round are used again

        Raises WormholeError if an argument is refused, or a member does not leave; KeyboardInterrupt for Ctrl-C. Either
        ends the simulation, like reset(), if the round has begun.
        """
        return self._round(arrivals, values)[0]

    def _round(self, arrivals, values, explains=False):
        """Runs one round. Returns the latency, us, and if requested, its breakdown."""
        if self._bench is not None:
            self._check_alive()
        times = self._times(arrivals)
        numbers = []
        if not self._arrays:
            numbers = self._numbers(values if values is not None else ())
        elif values is not None:
            self._arrays.give(list(values))
        self._check_alive()
        if explains:
            self._bench.Record()
        try:
            with bars.watched(self.kind, self.algorithm), simulation.ending_on_error():
                latency = self._bench.Cross(times, std.vector["uint64_t"](numbers))
            explanation = explain.table(self._bench.GetReport()) if explains else None
        finally:
            if explains and self._epoch == simulation.epoch():
                self._bench.EndRecording()
        self.leaves_us = [simulation.microseconds(time) for time in self._bench.GetLeaves()]
        self.results = self._arrays.read() if self._arrays else [int(each) for each in self._bench.GetResults()]
        return simulation.microseconds(latency), explanation

    def _numbers(self, values):
        given = list(values)
        for value in given:
            if getattr(value, "ndim", 0) or isinstance(value, (list, tuple)):
                raise WormholeError(f"{self.algorithm} holds one value of up to 64 bits a member; "
                                    "expected arrays where the group is made with bytes=")
            if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= value < 2**64:
                raise WormholeError(f"value {value!r}: expected whole numbers of up to 64 bits")
        self._check_count("values", len(given))
        return [int(value) for value in given]

    def _times(self, arrivals):
        times = std.vector[ns.Time]()
        for rank, arrival in enumerate(arrivals if arrivals is not None else ()):
            number = isinstance(arrival, numbers.Real) and not isinstance(arrival, bool)
            try:
                times.push_back(simulation.time(f"{arrival:.6f}us" if number else arrival))
            except WormholeError as error:
                if not number:
                    raise WormholeError(f"arrivals[{rank}]: {error}") from None
                raise WormholeError(f"arrivals[{rank}]={arrival!r}: expected a number of us "
                                    "from 0 to 3600000000, or a text as 2us") from None
        self._check_count("arrivals", times.size())
        return times

    def _check_count(self, name, count):
        if count not in (0, len(self.members)):
            raise WormholeError(f"{count} {name} for {len(self.members)} members; expected "
                                "one for each, or none")

    def explain(self, arrivals: Sequence | None = None, values: Sequence | None = None, *,
                load: float = 0, pattern: str = traffics.PATTERN, flits: str = traffics.FLITS,
                rounds: int | None = None) -> pandas.DataFrame:
        """Runs one round like cross(), or with load, rounds under background traffic, and explains where the time went.

        The explanation is the critical path: gapless intervals from the arrival of the first member to the leaving of
        the last, traced back from the last member that left to the first cause.

        Args:
            arrivals, values: as for cross(); not with load, where all members arrive at the same time
            load: background traffic that each host offers, relative to a channel's rate; 0: none
            pattern, flits: pattern and worm length of this traffic, as for latency-load
            rounds: with load, number of rounds, with pauses between them; 20 by default

        Returns:
            the table of explain.path_table(), with causes such as "start-up", "wire", "output" (waiting for an output)
            or "member-late"; attrs["latency_us"] is the result of cross(). A register that waited for a child has a row
            of zero length. Under traffic, the table has the paths of all rounds, and a column round, from 1 on; worms
            of the traffic are named by their hosts. attrs["round"] is the slowest round, to which "text" and
            "latency_us" belong; attrs["latencies_us"] has the latencies of all rounds

        Raises WormholeError as cross(), and if the load is more than the fabric takes, or there is no fabric.
        """
        traffic = traffics.given(load, flits, pattern, rounds)
        if not traffic:
            latency, frame = self._round(arrivals, values, explains=True)
            frame.attrs["latency_us"] = latency
            return frame
        for name, value in (("arrivals", arrivals), ("values", values)):
            if value is not None:
                raise WormholeError(f"{name}: has no effect with load={traffic.load}; expected one "
                                    "of the two")
        traffic.check(self.fabric)
        if not self.leaves_us:
            self.cross()
        self._check_alive()
        latencies, frame = traffic.explain(self)
        frame.attrs.update(latency_us=max(latencies), latencies_us=latencies)
        return frame

    def loop(self, warm_up: int, rounds: int) -> list[float]:
        """Runs rounds back to back: each member enters again as soon as it has left. warm_up: number of rounds before
        the counted rounds, 0 or more; rounds: number of counted rounds, 1 or more. Returns the mean time of a round in
        us, by rank. Raises WormholeError if a member does not leave; this ends the simulation, like reset()."""
        self._check_alive()
        warm_up, rounds = arguments.whole("warm_up", warm_up, 0), arguments.whole("rounds", rounds)
        with bars.watched(self.kind, self.algorithm), simulation.ending_on_error():
            times = self._bench.CrossInLoop(warm_up, rounds)
        return [simulation.microseconds(time) / rounds for time in times]

    def change(self, joining: Sequence[int | str] = (), leaving: Sequence[int] = ()) -> float:
        """Adds and removes members: remaining members keep their order, new members come last. joining: hosts of new
        members, by name or number; leaving: ranks of leaving members. Returns how long the change took, us. Raises
        WormholeError if there is no such host or rank, no member stays, or the group can't be set up with these
        members; this ends the simulation, like reset()."""
        self._check_alive()
        hosts = self.fabric.group(list(joining)) if joining else []
        vector = std.vector["uint32_t"]
        with simulation.ending_on_error():
            spent = self._bench.Change(vector(hosts), vector(list(leaving)))
        self.members = [int(host) for host in self.model.GetHosts()]
        self.leaves_us = []
        return simulation.microseconds(spent)

    def move(self, host: int | str | None = None, *, heat: pandas.DataFrame | None = None) -> float:
        """Gives the group another barrier tree with the same members; switches write only registers that differ. host:
        a member's host, whose switch becomes the root; heat: or a table of channels, as from Fabric.heat(), whose
        waiting times select the tree with the fastest channels. Returns how long the change took, us. Raises
        WormholeError if none or both are given, no member is at the host, or the table lacks columns."""
        self._check_alive()
        if (host is None) == (heat is None):
            raise WormholeError(f"move: {'neither' if host is None else 'both'} of host and heat; expected one")
        if heat is None:
            number = self.fabric.host(host)
        else:
            if missing := {"node", "port", "worms", "waiting_us"} - set(heat):
                raise WormholeError(f"heat: no column {', '.join(sorted(missing))}; expected a table of Fabric.heat()")
            waits = (1e6 * heat["waiting_us"] / heat["worms"].clip(lower=1)).round().astype(int)
            number = bridge.FindRootHost(self.fabric.domain, self.members, std.vector[std.string](list(heat["node"])),
                                         std.vector["uint32_t"](heat["port"].tolist()),
                                         std.vector["int64_t"](waits.tolist()))
        self.model.Move(number)
        return self.change()

    def release(self) -> float:
        """Releases the group. Returns how long the release took, us."""
        self._check_alive()
        with simulation.ending_on_error():
            return simulation.microseconds(self._bench.Dissolve())

    def _check_alive(self):
        if self._bench is None:
            self._set_up()
        if self._epoch != simulation.epoch():
            raise WormholeError("the simulation of this collective has ended; expected one that "
                                "was made after reset() or the study that ended it")


if TYPE_CHECKING:
    DataCollective = Collective
else:
    class _OfData(type):
        def __instancecheck__(cls, made):
            return isinstance(made, Collective) and made.moves_data

    class DataCollective(metaclass=_OfData):
        """The former name of a Collective that moves data."""

        def __new__(cls, *given, **options):
            return Collective(*given, moves_data=True, **options)
