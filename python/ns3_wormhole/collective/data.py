# SPDX-License-Identifier: GPL-2.0-only
"""Collectives of data: vectors of any length, with NumPy arrays that are given and come out."""

from typing import Mapping, Sequence

from ..core import arguments, lengths, machine as machines, simulation
from ..core.errors import translated_class, WormholeError
from ..core.loader import bridge, cppyy, ns, numpy, std
from .values import Collective

TYPES = ("int32", "int64", "uint32", "uint64", "float32", "float64")
OPERATIONS = ("sum", "product", "min", "max", "and", "or", "xor")
_ROOTED = ("broadcast", "scatter")  # of which only the root has something to give
_MANY = ("scatter", "reduce-scatter", "alltoall")  # of which a member gives a part for each
_OWN = ("gather", "allgather")  # of which each gives one part


def operation_of(name: str) -> str:
    """Returns an operation as DataOperation has it, given that or as one of values has it, ADD."""
    plain = str(name).lower()
    return arguments.word("operation", {"add": "sum", "prod": "product"}.get(plain, plain), OPERATIONS)


def make_model(kind: str, algorithm: str):
    """Returns a collective of data without a group: its Ptr, and itself as an ns3::DataCollective. cppyy would make
    it the class that it is of, and knows no bases of templates over numbers. kind: of collective; algorithm: its
    name. Raises WormholeError if there is none of that name."""
    pointer = ns.CollectiveHelper.MakeData(kind, algorithm)
    return pointer, cppyy.bind_object(bridge.GetAddress(pointer), ns.DataCollective)


@translated_class
class DataCollective(Collective):
    """A collective of a group that moves data.

    The group is set up when lengths are known: when this is made, if they are given, else by the
    first round. If lengths are not given, arrays of others, or of another type, set it up anew.

    Attributes:
        model: the ns3::DataCollective
        kind: "allgather" and the like
        members: numbers of the members' hosts, by rank
        leaves_us: when members left the last round, from its start on, by rank, us
        results: arrays that they left with, by rank; None for those that get nothing, or if no
            values were given
    """

    def __init__(self, fabric, kind: str, algorithm: str, members: Sequence[int],
                 attributes: Mapping[str, object], *, bytes: int | str | None = None,
                 operation: str | None = None):
        """Makes the group; see Fabric.collective."""
        self.kind = str(ns.CollectiveHelper.GetKindName(kind))
        given = self._given = dict(attributes)
        if bytes is not None:
            given["Bytes"] = lengths.parse("bytes", bytes)
        if operation is not None:
            given["DataOperation"] = operation_of(operation)
        self._has_lengths = "Bytes" in given or "Lengths" in given
        self._own: dict = {}  # attributes that arrays have set
        self._shape = None  # of the first array of the round before
        self._bench = None
        super().__init__(fabric, kind, algorithm, members, given)

    def _make_model(self, kind, algorithm):
        self._pointer, model = make_model(kind, algorithm)
        return model

    def _make_bench(self, domain):
        return bridge.MakeCollectiveBench(self._pointer, domain, self.members)

    def _set_up(self):
        if self._has_lengths:
            super()._set_up()

    def _check_alive(self):
        if self._bench is None:
            super()._set_up()
        super()._check_alive()

    def __repr__(self):
        return (f"<DataCollective {self.kind} {self.algorithm}: {len(self.members)} members on "
                f"{self.fabric.name}>")

    @property
    def setup_us(self) -> float:
        """How long the group took to set up, us."""
        self._check_alive()
        return super().setup_us

    @property
    def fallback(self) -> str:
        """Another algorithm that serves the group, with the reason, as its own can't; else empty."""
        self._check_alive()
        return str(self.model.GetFallback())

    def cross(self, arrivals: Sequence | None = None, values: Sequence | None = None) -> float:
        """Does one round.

        Args:
            arrivals: when each member comes, by rank, as "2us" or in us; None: all at once
            values: what members have, by rank, as arrays of int32, int64, uint32, uint64, float32
                or float64, all of one type; None for members that have nothing to give, as all
                but the root of a broadcast or scatter. Scatter's root, and all members of a
                reduce-scatter or alltoall, give an array with equal parts for all, or a list of
                an array for each. Without values only lengths count, or those of the round
                before are used again

        Returns:
            latency in us: from the last arrival until the last member has left

        Raises:
            WormholeError: if an argument is refused, or a member does not leave; an error in
                the simulation itself ends it, as reset()
        """
        if self._bench is not None:
            self._check_alive()
        times = self._times(arrivals)
        if values is not None:
            self._give(list(values))
        self._check_alive()
        latency = self._cross(times, std.vector["uint64_t"]())
        self.results = self._read()
        return latency

    def _give(self, values):
        if len(values) != len(self.members):
            raise WormholeError(f"{len(values)} values for {len(self.members)} members; expected "
                                "one for each: an array, or None for who has nothing to give")
        self._check_givers(values)
        parts = {rank: _arrays(rank, self._parts(value))
                 for rank, value in enumerate(values) if value is not None}
        types = {str(dtype) for dtype in {part.dtype for own in parts.values() for part in own}}
        if len(types) != 1:
            raise WormholeError(f"arrays of {', '.join(sorted(types))}; expected one type for all "
                                "members")
        own = {"DataType": types.pop(), **({} if self._has_lengths else self._lengths_of(parts))}
        if self.kind in _ROOTED and "Root" not in self._given and not self._has_lengths:
            own["Root"] = next(iter(parts))
        self._adapt(own)
        for rank, size in enumerate(bridge.CountBytes(self._pointer, False)):
            if rank not in parts:
                continue
            flat = numpy.concatenate([part.reshape(-1) for part in parts[rank]])
            if flat.nbytes != size:
                raise WormholeError(f"rank {rank} gives {flat.nbytes} bytes; expected {size}, as "
                                    "Bytes or Lengths say")
            bridge.SetInput(self._pointer, rank, flat.ctypes.data, flat.nbytes)
        first = next(iter(parts.values()))
        self._shape = first[0].shape if self.kind not in (*_MANY, *_OWN) else (-1,)

    def _check_givers(self, values):
        giving = [rank for rank, value in enumerate(values) if value is not None]
        wanted = list(range(len(values)))
        if self.kind in _ROOTED:
            wanted = [int(self.model.GetRoot() if self._has_lengths else self._given.get("Root", -1))]
            if wanted[0] < 0 and len(giving) == 1:
                wanted = giving
        if giving != wanted:
            who = f"rank {wanted[0]}, the root," if wanted[0] >= 0 else "the root"
            who = "all members" if self.kind not in _ROOTED else f"{who} alone"
            raise WormholeError(f"ranks {', '.join(map(str, giving[:8])) or 'none'}"
                                f"{', ...' * (len(giving) > 8)} give values in {self.kind}; "
                                f"expected arrays of {who}, and None of others")

    def _parts(self, value):
        """Returns the arrays of a value; one, if its parts are not told apart."""
        listed = isinstance(value, (list, tuple)) and any(
            getattr(each, "ndim", None) or numpy.ndim(each) > 0 for each in value)
        if not listed or self.kind not in _MANY:
            return [value]
        if len(value) != len(self.members):
            raise WormholeError(f"{len(value)} parts for {len(self.members)} members; expected an "
                                "array for each")
        return list(value)

    def _adapt(self, own):
        """Makes the group for a type, lengths and a root, unless it is."""
        if self._bench is not None and own.items() <= {"DataType": "int32", **self._given, **self._own}.items():
            return
        given_type = self._given.get("DataType", own["DataType"])
        if given_type != own["DataType"]:
            raise WormholeError(f"arrays of {own['DataType']}, but DataType is {given_type}; expected "
                                "such, or no DataType")
        if self._bench is not None:
            self.release()
            self.model.Dispose()
        with machines.in_effect(self.fabric.machine):
            self.model = self._make_model(self.kind, self.algorithm)
        for name, value in {**self._given, **own}.items():
            simulation.set_attribute(self.model, name, value)
        self._own = own
        super()._set_up()

    def _lengths_of(self, parts):
        count = len(self.members)
        told_apart = any(len(own) > 1 for own in parts.values())
        if self.kind in _OWN or self.kind in _MANY and (
                self.kind != "reduce-scatter" or told_apart):
            sizes = [size for rank, own in parts.items() for size in self._sizes(rank, own, count)]
            if self.kind == "reduce-scatter":
                if len({tuple(sizes[i:i + count]) for i in range(0, len(sizes), count)}) > 1:
                    raise WormholeError("parts of other lengths at other members in a reduce-scatter; "
                                        "expected the same for all")
                sizes = sizes[:count]
            elif len(set(sizes)) == 1:
                return {"Bytes": sizes[0]}
            return {"Lengths": ",".join(map(str, sizes))}
        sizes = {own[0].nbytes for own in parts.values()}
        if len(sizes) > 1:
            raise WormholeError(f"vectors of {', '.join(map(str, sorted(sizes)))} bytes in "
                                f"{self.kind}; expected one length for all members")
        return {"Bytes": sizes.pop()}

    def _sizes(self, rank, own, count):
        if self.kind in _OWN or len(own) > 1:
            return [part.nbytes for part in own]
        if own[0].size % count:
            raise WormholeError(f"rank {rank} gives {own[0].size} elements to {count} members; "
                                "expected equal parts, or a list of an array for each")
        return [own[0].nbytes // count] * count

    def _read(self):
        if self._shape is None:
            return [None] * len(self.members)
        of_type = numpy.dtype(self._own.get("DataType", self._given.get("DataType", "int32")))
        results = []
        for rank, size in enumerate(bridge.CountBytes(self._pointer, True)):
            array = numpy.empty(size // of_type.itemsize, of_type)
            bridge.CopyOutput(self._pointer, rank, array.ctypes.data, array.nbytes)
            results.append(array.reshape(self._shape) if size else None)
        return results


def _arrays(rank, values):
    """Returns values as arrays that C++ can read. There may be a million: what is one is kept."""
    dtypes = {value.dtype for value in values} if {*map(type, values)} == {numpy.ndarray} else {None}
    if all(dtype is not None and dtype.isnative and str(dtype) in TYPES for dtype in dtypes):
        return values
    return [_array(rank, value) for value in values]


def _array(rank, value):
    array = numpy.asarray(value)
    plain = numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))
    if str(plain.dtype) not in TYPES:
        raise WormholeError(f"rank {rank} gives an array of {array.dtype}; expected "
                            f"{', '.join(TYPES)}")
    return plain.reshape(array.shape)
