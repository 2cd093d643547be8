# SPDX-License-Identifier: GPL-2.0-only
"""Ideal networks: hosts without a fabric, whose messages never contend."""

from __future__ import annotations

import os
from typing import Mapping

from ..core import arguments, simulation
from ..core.errors import WormholeError, translated_class
from .fabric import Fabric
from .groups import Groups, Members, Placement, random_group


@translated_class
class IdealNetwork(Groups):
    """Hosts whose messages arrive a fixed time after their send ends, without contention.

    The cost of bytes is set by the hosts' software: by SendDataRate and other attributes of ns3::HostSoftware, given or
    from a machine; where all are 0, as by default, bytes are free. There are no switches, and thus no in-switch
    collectives. hosts: names, h0 and so on; latency: flight time of a message; name, attributes, machine: as in Fabric
    """

    def __init__(self, hosts: int, latency: str = "1us", *,
                 attributes: Mapping[str, object] | None = None,
                 machine: str | os.PathLike | None = None, name: str = "ideal"):
        """Takes the number of hosts; other arguments are as for Fabric(). Raises WormholeError if a value is
        refused."""
        count = arguments.whole("hosts", hosts, 1, 2**20)
        simulation.time(latency)
        self.hosts = [f"h{number}" for number in range(count)]
        self.latency = latency
        self._take(name, attributes, machine)

    @classmethod
    def like(cls, fabric: Fabric, latency: str = "1us") -> IdealNetwork:
        """Returns an ideal network with a fabric's hosts and their software."""
        count = int(fabric.graph.GetNFirstInterfaces())
        return cls(count, latency, attributes=fabric.attributes, machine=fabric.machine, name=f"ideal:{fabric.name}")

    def with_attributes(self, attributes: Mapping[str, object]) -> IdealNetwork:
        """Returns the same network with more attributes, which override its own."""
        return IdealNetwork(len(self.hosts), self.latency, machine=self.machine, name=self.name,
                            attributes={**self.attributes, **attributes})

    def __repr__(self):
        return f"<IdealNetwork {self.name}: {len(self.hosts)} hosts>"

    def group(self, members: Members = None, placement: Placement = None, *, seed: int = 1, run: int = 1) -> list[int]:
        """Returns the hosts of a group, see Fabric.group(); no placement, since all hosts are alike."""
        if members is None:
            return list(range(len(self.hosts)))
        if isinstance(members, int) and not isinstance(members, bool):
            return random_group(len(self.hosts), members, seed, run)
        names, found = {name: number for number, name in enumerate(self.hosts)}, []
        for each in members.split(",") if isinstance(members, str) else members:
            number = names.get(each, -1) if isinstance(each, str) else each
            if isinstance(number, bool) or not hasattr(number, "__index__") or not 0 <= number < len(names):
                raise WormholeError(f"{each!r} is no host; expected h0 to h{len(names) - 1}, and "
                                    f"numbers from 0 to {len(names) - 1}")
            found.append(int(number))
        return found

    def _build(self, fabrics, collectives):
        return collectives.InstallIdeal(len(self.hosts), simulation.time(self.latency))
