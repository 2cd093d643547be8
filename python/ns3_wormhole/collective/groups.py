# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The collectives of fabrics and of ideal networks."""

from __future__ import annotations

from typing import Iterable, Union

from ..core.errors import translated_class, WormholeError
from ..core.loader import ns
from .data import DataCollective, operation_of
from .values import Collective

# A group's hosts by name or number, names with commas between, how many random ones, or None: all.
Members = Union[int, str, Iterable[Union[int, str]], None]

# Operations of collectives of one value.
_OF_VALUES = {"sum": "ADD", "and": "AND", "or": "OR", "min": "MIN", "max": "MAX"}


@translated_class
class Groups:
    """What has hosts, and groups of them: group(), domain and machine are those of who inherits."""

    def collective(self, kind: str, algorithm: str, members: Members = None, *,
                   bytes: int | str | None = None, operation: str | None = None,
                   **attributes: object) -> Collective:
        """Makes a collective.

        Barriers, and allreductions, broadcasts and reductions of one value of up to 64 bits, are
        Collectives; all others, and these three if bytes is given or only such an algorithm has
        that name and its attributes, are DataCollectives.

        Args:
            kind: as for algorithms(), such as "allgather" or "MPI_Allgather"
            algorithm: name, as "ring" or "ring[SegmentBytes=65536]"
            members: as for group()
            bytes: length of the vector, in a gather, scatter or allgather of each member's part, in
                an alltoall of each pair's, as 8 or "64KiB"; None: that of the arrays given to
                cross()
            operation: how values are combined: "sum", "product", "min", "max", "and", "or", "xor"
            attributes: of the ns3::Collective

        Raises:
            WormholeError: if there is none of that name, or the group cannot be
        """
        kind = str(ns.CollectiveHelper.GetKindName(kind))
        group = self.group(members)
        if bytes is not None and kind == "barrier":
            raise WormholeError(f"bytes={bytes}: has no effect on a barrier; accepted is none")
        if bytes is None and not ns.CollectiveHelper.MovesData(kind, algorithm):
            if operation is not None:
                name = operation_of(operation)
                if name not in _OF_VALUES:
                    raise WormholeError(f"operation={operation}: combines no single values; accepted "
                                        f"are {', '.join(_OF_VALUES)}, or a length in bytes")
                attributes = {"Operation": _OF_VALUES[name], **attributes}
            return Collective(self, kind, algorithm, group, attributes)
        return DataCollective(self, kind, algorithm, group, attributes, bytes=bytes,
                              operation=operation)

    def barrier(self, algorithm: str = "btin", members: Members = None,
                **attributes: object) -> Collective:
        """Makes a barrier.

        Args:
            algorithm: name, as "dissemination" or "tree[Tree=fibo]"; see algorithms("barrier")
            members: as for group()
            attributes: of the ns3::Collective, as Operation="ADD", WidthBits=32

        Raises:
            WormholeError: if there is none of that name, or the group cannot be
        """
        return Collective(self, "barrier", algorithm, self.group(members), attributes)

    def allreduction(self, algorithm: str = "btin", members: Members = None,
                     **options: object) -> Collective:
        """Makes an all-reduction: a barrier with values; with bytes one of a vector. As
        collective()."""
        return self.collective("allreduction", algorithm, members, **options)

    def broadcast(self, algorithm: str = "multicast", members: Members = None,
                  **options: object) -> Collective:
        """Makes a broadcast from the root. As collective()."""
        return self.collective("broadcast", algorithm, members, **options)

    def reduction(self, algorithm: str = "btin", members: Members = None,
                  **options: object) -> Collective:
        """Makes a reduction to the root. As collective()."""
        return self.collective("reduction", algorithm, members, **options)

    def gather(self, algorithm: str, members: Members = None, **options: object) -> DataCollective:
        """Makes a gather: the root gets all members' parts. As collective()."""
        return self.collective("gather", algorithm, members, **options)

    def scatter(self, algorithm: str, members: Members = None, **options: object) -> DataCollective:
        """Makes a scatter: each member gets a part of the root's. As collective()."""
        return self.collective("scatter", algorithm, members, **options)

    def allgather(self, algorithm: str, members: Members = None,
                  **options: object) -> DataCollective:
        """Makes an all-gather: all get all members' parts. As collective()."""
        return self.collective("allgather", algorithm, members, **options)

    def reduce_scatter(self, algorithm: str, members: Members = None,
                       **options: object) -> DataCollective:
        """Makes a reduce-scatter: each gets a part of all members' vectors, combined. As
        collective()."""
        return self.collective("reduce-scatter", algorithm, members, **options)

    def alltoall(self, algorithm: str, members: Members = None,
                 **options: object) -> DataCollective:
        """Makes a total exchange: each has a part for each. As collective()."""
        return self.collective("alltoall", algorithm, members, **options)

    def scan(self, algorithm: str, members: Members = None, **options: object) -> DataCollective:
        """Makes a scan: each gets the vectors of ranks up to its own, combined. As collective()."""
        return self.collective("scan", algorithm, members, **options)
