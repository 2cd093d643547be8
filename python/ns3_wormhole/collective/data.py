# SPDX-License-Identifier: GPL-2.0-only
"""Data of collectives: vectors of any length, passed in and returned as NumPy arrays."""

from __future__ import annotations

from typing import Mapping, TYPE_CHECKING

from ..core import arguments
from ..core.errors import WormholeError
from ..core.loader import bridge, numpy

if TYPE_CHECKING:
    from .values import Collective

TYPES = ("int32", "int64", "uint32", "uint64", "float32", "float64")
OPERATIONS = ("sum", "product", "min", "max", "and", "or", "xor")
_ROOTED = ("broadcast", "scatter")  # of which only the root has something to give
_MANY = ("scatter", "reduce-scatter", "alltoall")  # of which a member gives a part for each
_OWN = ("gather", "allgather")  # of which each gives one part


def operation_of(name: str) -> str:
    """Returns an operation by its name in DataOperation, given this name or one for single values, such as ADD."""
    plain = str(name).lower()
    return arguments.word("operation", {"add": "sum", "prod": "product"}.get(plain, plain), OPERATIONS)


class Arrays:
    """The data that members of a collective send and get. have_lengths: whether the lengths are given; if not, they
    are those of the arrays"""

    def __init__(self, group: Collective, given: Mapping[str, object]):
        """Takes the collective and its attributes."""
        self._group, self._given = group, given
        self.have_lengths = "Bytes" in given or "Lengths" in given
        self._own: dict = {}  # attributes that arrays have set
        self._shape = None  # of the first array of the round before

    def give(self, values) -> None:
        """Gives members their data, and makes the group anew if its type, lengths or root don't fit the data. Raises
        WormholeError if data are refused."""
        if len(values) != len(self._group.members):
            raise WormholeError(f"{len(values)} values for {len(self._group.members)} members; expected "
                                "one for each: an array, or None for who has nothing to give")
        self._check_givers(values)
        parts = {rank: _arrays(rank, self._parts(value)) for rank, value in enumerate(values) if value is not None}
        types = {str(dtype) for dtype in {part.dtype for own in parts.values() for part in own}}
        if len(types) != 1:
            raise WormholeError(f"arrays of {', '.join(sorted(types))}; expected one type for all "
                                "members")
        own = {"DataType": types.pop(), **({} if self.have_lengths else self._lengths_of(parts))}
        if self._group.kind in _ROOTED and "Root" not in self._given and not self.have_lengths:
            own["Root"] = next(iter(parts))
        self._adapt(own)
        for rank, size in enumerate(bridge.CountBytes(self._group._pointer, False)):
            if rank not in parts:
                continue
            flat = numpy.concatenate([part.reshape(-1) for part in parts[rank]])
            if flat.nbytes != size:
                raise WormholeError(f"rank {rank} gives {flat.nbytes} bytes; expected {size}, as "
                                    "Bytes or Lengths say")
            bridge.SetInput(self._group._pointer, rank, flat.ctypes.data, flat.nbytes)
        first = next(iter(parts.values()))
        self._shape = first[0].shape if self._group.kind not in (*_MANY, *_OWN) else (-1,)

    def _check_givers(self, values):
        giving = [rank for rank, value in enumerate(values) if value is not None]
        wanted = list(range(len(values)))
        if self._group.kind in _ROOTED:
            wanted = [int(self._group.model.GetRoot() if self.have_lengths else self._given.get("Root", -1))]
            if wanted[0] < 0 and len(giving) == 1:
                wanted = giving
        if giving != wanted:
            who = f"rank {wanted[0]}, the root," if wanted[0] >= 0 else "the root"
            who = "all members" if self._group.kind not in _ROOTED else f"{who} alone"
            raise WormholeError(f"ranks {', '.join(map(str, giving[:8])) or 'none'}"
                                f"{', ...' * (len(giving) > 8)} give values in {self._group.kind}; "
                                f"expected arrays of {who}, and None of others")

    def _parts(self, value):
        """Returns the arrays of a value; a single array, if its parts are not separate."""
        listed = isinstance(value, (list, tuple)) and any(
            getattr(each, "ndim", None) or numpy.ndim(each) > 0 for each in value)
        if not listed or self._group.kind not in _MANY:
            return [value]
        if len(value) != len(self._group.members):
            raise WormholeError(f"{len(value)} parts for {len(self._group.members)} members; expected an "
                                "array for each")
        return list(value)

    def _adapt(self, own):
        if self._group._bench is not None and own.items() <= {"DataType": "int32", **self._given, **self._own}.items():
            return
        given_type = self._given.get("DataType", own["DataType"])
        if given_type != own["DataType"]:
            raise WormholeError(f"arrays of {own['DataType']}, but DataType is {given_type}; expected "
                                "such, or no DataType")
        self._group._remake({**self._given, **own})
        self._own = own

    def _lengths_of(self, parts):
        count = len(self._group.members)
        if self._group.kind in _OWN or self._group.kind in _MANY and (
                self._group.kind != "reduce-scatter" or any(len(own) > 1 for own in parts.values())):
            sizes = [size for rank, own in parts.items() for size in self._sizes(rank, own, count)]
            if self._group.kind == "reduce-scatter":
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
                                f"{self._group.kind}; expected one length for all members")
        return {"Bytes": sizes.pop()}

    def _sizes(self, rank, own, count):
        if self._group.kind in _OWN or len(own) > 1:
            return [part.nbytes for part in own]
        if own[0].size % count:
            raise WormholeError(f"rank {rank} gives {own[0].size} elements to {count} members; "
                                "expected equal parts, or a list of an array for each")
        return [own[0].nbytes // count] * count

    def read(self) -> list:
        """Returns the members' results, by rank."""
        if self._shape is None:
            return [None] * len(self._group.members)
        of_type = numpy.dtype(self._own.get("DataType", self._given.get("DataType", "int32")))
        results = []
        for rank, size in enumerate(bridge.CountBytes(self._group._pointer, True)):
            array = numpy.empty(size // of_type.itemsize, of_type)
            bridge.CopyOutput(self._group._pointer, rank, array.ctypes.data, array.nbytes)
            results.append(array.reshape(self._shape) if size else None)
        return results


def _arrays(rank, values):
    """Returns values as arrays that C++ can read. Keeps values that are arrays, since there may be a million."""
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
