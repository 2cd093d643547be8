# SPDX-License-Identifier: GPL-2.0-only
"""What groups do together, by name: collectives of a value, and of data."""

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
    "scatter", "allgather", "reduce-scatter", "alltoall", "scan", or MPI's name; data: of allreduction, broadcast and
    reduction those that move data of any length, not one value of up to 64 bits; others but barriers always do.
    Raises WormholeError if there is no such kind, or a barrier is to move data."""
    names = ns.CollectiveHelper.GetDataNames if data else ns.CollectiveHelper.GetNames
    return [str(name) for name in names(kind)]


def longest_value(kind: str) -> int:
    """Returns up to how many bytes the messages of a kind hold a value, or a broadcast nothing else."""
    return _FIELDS if kind == "broadcast" else VALUE_BYTES


def combines(kind: str) -> bool:
    """Returns whether a kind combines values."""
    return kind in ("allreduction", "reduction", "reduce-scatter", "scan")


def of_length(kind: str, size: int, operation: str, moves_data: bool) -> dict[str, object]:
    """Returns attributes of a collective of data, or else of one value, or of a broadcast's message without content.
    size: bytes; operation: one of data. Raises WormholeError if it combines no single values."""
    if moves_data:
        return {"Bytes": size, **({"DataOperation": operation} if combines(kind) else {})}
    if not combines(kind):
        return {"MessageBytes": size} if kind == "broadcast" and size > longest_value(kind) else {}
    if operation not in OF_VALUES:
        raise WormholeError(f"combines no values by {operation}")
    return {"Operation": OF_VALUES[operation], "WidthBits": 8 * size}


def make_model(kind: str, algorithm: str, moves_data: bool, attributes: Mapping[str, object]):
    """Returns a collective without a group: its Ptr, and itself. Of one that moves data cppyy would make the class
    that it is of, and knows no bases of templates over numbers. Raises WormholeError if there is none of that name,
    or an attribute is refused."""
    make = ns.CollectiveHelper.MakeData if moves_data else ns.CollectiveHelper.MakeCollective
    pointer = model = make(kind, algorithm)
    if moves_data:
        model = cppyy.bind_object(bridge.GetAddress(pointer), ns.Collective)
    for name, value in attributes.items():
        simulation.set_attribute(model, name, value)
    return pointer, model


@translated_class
class Collective:
    """What the processes of a group do together, again and again.

    The group is set up when this is made, by messages where the algorithm needs them. One that moves
    data is set up when lengths are known: if they are not given, by the first round, and anew for
    arrays of other lengths, or of another type.

    model: the ns3::Collective; kind: "allreduction" and the like; moves_data: whether it moves data of any length,
    else one value of up to 64 bits; members: numbers of the members' hosts, by rank; leaves_us: when members left the
    last round, from its start on, by rank, us; results: what they left with, by rank: values, 0 for those that get
    none; or arrays, None for those that get none, or if no values were given
    """

    def __init__(self, fabric, kind: str, algorithm: str, members: Sequence[int],
                 attributes: Mapping[str, object], *, moves_data: bool | None = None,
                 bytes: int | str | None = None, operation: str | None = None):
        """Makes the group; see Groups.collective. moves_data: None: if bytes are given, or the name says so; bytes,
        operation: of data"""
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
        """Another algorithm that serves the group, with the reason, as its own can't; else empty."""
        self._check_alive()
        return str(self.model.GetFallback())

    def cross(self, arrivals: Sequence | None = None, values: Sequence | None = None) -> float:
        """Does one round. Returns the latency in us: from the last arrival until the last member has left.

        Args:
            arrivals: when each member comes, by rank, as "2us" or in us; None: all at once
            values: what members have, by rank. One value each, whole numbers; None: all 0. Of data
                arrays of one of TYPES; None for members that have nothing to give, as all but the root of a
                broadcast or scatter. Scatter's root, and all members of a reduce-scatter or alltoall, give an
                array with equal parts for all, or a list of an array for each. Without values only lengths
                count, or those of the round before are used again

        Raises WormholeError if an argument is refused, or a member does not leave; KeyboardInterrupt for Ctrl-C.
        Either ends the simulation, as reset(), if it has begun the round.
        """
        return self._round(arrivals, values)[0]

    def _round(self, arrivals, values, explains=False):
        """Does one round. Returns the latency, us, and what it went into, if asked for."""
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
        """Does one round, as cross, or with load rounds beside traffic, and tells what the time went into.

        That is the critical path: back from the last member that left to the first cause, as
        intervals that meet end to end, from when the first member came to when the last one left.

        Args:
            arrivals, values: as for cross; neither with load, where all come at once
            load: background traffic that each host offers, over a channel's rate; 0: none
            pattern, flits: of this traffic, as for latency-load
            rounds: with load, with pauses between them; 20 by default

        Returns:
            the table of explain.path_table(), with causes such as "start-up", "wire", "output" (waiting
            for one) or "member-late"; its attrs["latency_us"] is what cross returns. A register that
            waited for a child is a row of no length. Beside traffic it has the paths of all rounds, and a
            column round, from 1 on; worms of the traffic are named by their hosts. Of its attrs, "round"
            is the slowest round, which "text" and "latency_us" are of, "latencies_us" are those of all

        Raises WormholeError as cross; if the load is more than the fabric takes, or there is no fabric.
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
        """Does rounds back to back: each member comes again as soon as it has left. warm_up: rounds before those
        that count, 0 or more; rounds: rounds that count, 1 or more. Returns the mean time of a round in us, by
        rank. Raises WormholeError if a member does not leave; that ends the simulation, as reset()."""
        self._check_alive()
        warm_up, rounds = arguments.whole("warm_up", warm_up, 0), arguments.whole("rounds", rounds)
        with bars.watched(self.kind, self.algorithm), simulation.ending_on_error():
            times = self._bench.CrossInLoop(warm_up, rounds)
        return [simulation.microseconds(time) / rounds for time in times]

    def change(self, joining: Sequence[int | str] = (), leaving: Sequence[int] = ()) -> float:
        """Adds and removes members: those that stay keep their order, new ones come last. joining: hosts of new
        members, by name or number; leaving: ranks of those that leave. Returns how long that took, us. Raises
        WormholeError if there is no such host or rank, nobody stays, or the group can't be set up with these
        members; that ends the simulation, as reset()."""
        self._check_alive()
        hosts = self.fabric.group(list(joining)) if joining else []
        vector = std.vector["uint32_t"]
        with simulation.ending_on_error():
            spent = self._bench.Change(vector(hosts), vector(list(leaving)))
        self.members = [int(host) for host in self.model.GetHosts()]
        self.leaves_us = []
        return simulation.microseconds(spent)

    def move(self, host: int | str | None = None, *, heat: pandas.DataFrame | None = None) -> float:
        """Gives the group another barrier tree, with the same members; in switches only registers that differ are
        written. host: of a member, at whose switch the root is to be; heat: else the tree whose channels are quickest,
        by waiting in this table of channels, as Fabric.heat() returns it. Returns how long that took, us. Raises
        WormholeError if not one of both is given, no member is at the host, or the table lacks columns."""
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
        """Ends the group. Returns how long that took, us."""
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
