# SPDX-License-Identifier: GPL-2.0-only
"""The collectives of fabrics and of ideal networks."""

from typing import Any, Iterable, Mapping, Union

from ..core import machine as machines, simulation
from ..core.errors import WormholeError, translated, translated_class
from ..core.loader import ns
from .data import operation_of
from .values import OF_VALUES, Collective

# A group's hosts by name or number, names with commas between, how many random ones, or None: all.
Members = Union[int, str, Iterable[Union[int, str]], None]
# Where members are: a rule, a file, or hosts by name or number; see doc/user/placement.rst.
Placement = Union[str, Iterable[Union[int, str]], None]
RANDOM = ("random", "shuffled", "sorted", "drawn")  # rules of Placement that draw hosts

# The helper's method that sets an attribute, by the class it belongs to.
_SETTERS = {"ns3::WormholeFabric": "SetFabricAttribute", "ns3::WormholeSwitch": "SetSwitchAttribute",
            "ns3::WormholeNetDevice": "SetDeviceAttribute", "ns3::WormholePort": "SetPortAttribute",
            "ns3::WormholeChannel": "SetChannelAttribute", "ns3::HostSoftware": "SetSoftwareAttribute",
            "ns3::CollectiveUnit": "SetUnitAttribute", "ns3::AddOnNetwork": "SetAddOnNetworkAttribute"}
_BY_DEFAULTS = ("ns3::RouteRecovery", "ns3::CollectiveDomain")  # made by the helpers, of defaults


def random_group(count: int, members: int, seed: int = 1, run: int = 1) -> list[int]:
    """Returns distinct random numbers below count. seed, run: seed and run of random numbers. Raises WormholeError if
    more are wanted than there are."""
    if not 1 <= members <= count:
        raise WormholeError(f"a group of {members} members: expected 1 to {count}, the number of "
                            "hosts")
    simulation.set_seed(seed, run)
    random = ns.CreateObject[ns.UniformRandomVariable]()
    random.SetStream(1)
    order = list(range(count))
    for i in range(members):
        j = random.GetInteger(i, count - 1)
        order[i], order[j] = order[j], order[i]
    return order[:members]


def check_owner(name: str) -> None:
    """Refuses an attribute, given by its full name, of a class that belongs neither to a fabric nor to its software.
    Raises WormholeError."""
    known = [*_SETTERS, *_BY_DEFAULTS]
    if name.rpartition("::")[0] not in known:
        raise WormholeError(f"{name}: expected attributes of {', '.join(known)}")


@translated()
def set_attributes(fabrics, collectives, attributes: Mapping[str, object]):
    """Gives attributes, by full names, to the helpers that build fabrics and their software, an ns3::WormholeHelper and
    an ns3::CollectiveHelper; except attributes whose defaults are set while the helpers build. Raises WormholeError if
    an attribute is of another class, or its value is not accepted."""
    for name, value in attributes.items():
        checked = simulation.check_attribute(name, value)
        check_owner(name)
        owner, _, short = name.rpartition("::")
        if owner not in _BY_DEFAULTS:
            helper = fabrics if owner.startswith("ns3::Wormhole") else collectives
            getattr(helper, _SETTERS[owner])(short, checked)


@translated_class
class Groups:
    """Base of classes with hosts and groups of hosts; subclasses define group(), and _build() of the domain."""

    def _take(self, name, attributes, machine):
        self.name = name
        self.attributes = simulation.with_whole_names(attributes)
        self.machine = machine
        if self.attributes:
            set_attributes(ns.WormholeHelper(), ns.CollectiveHelper(), self.attributes)
        if machine is not None:
            machines.load(machine)
        self._domain = None
        self._epoch = -1

    @property
    def domain(self) -> Any:
        """The ns3::CollectiveDomain in the current simulation; it is built when first needed."""
        if self._domain is None or self._epoch != simulation.epoch():
            fabrics, collectives = ns.WormholeHelper(), ns.CollectiveHelper()
            set_attributes(fabrics, collectives, self.attributes)
            defaults = {name: value for name, value in self.attributes.items()
                        if name.rpartition("::")[0] in _BY_DEFAULTS}
            with machines.in_effect(self.machine, defaults):
                self._domain = self._build(fabrics, collectives)
            self._epoch = simulation.epoch()
            self._note()
        return self._domain

    def _note(self):
        """Warns of what a user should know about a newly built domain."""

    has_outages = False  #: whether parts of it go down

    def losses(self) -> tuple[int, int]:
        """Returns how many flits were lost in outages, and how many messages were sent again."""
        if not self.has_outages:
            return 0, 0
        again = sum(int(software.GetRetransmissionCounts().retransmitted)
                    for software in (self.domain.GetSoftware(host) for host in range(self.domain.GetNHosts())))
        return int(self.domain.GetFabric().GetCounts().flitsLost), again

    def start_anew(self) -> None:
        """If there are outages, begins another simulation, since their times count from its start."""
        if self.has_outages:
            simulation.reset()

    def collective(self, kind: str, algorithm: str, members: Members = None, *,
                   bytes: int | str | None = None, operation: str | None = None,
                   placement: Placement = None, **attributes: object) -> Collective:
        """Makes a collective. Raises WormholeError if there is none of that name, or the group can't be made.

        Allreductions, broadcasts and reductions take one value of up to 64 bits; they move data if bytes is given, or
        if only a data-moving algorithm has that name and these attributes. Barriers move no data, all other kinds do.

        Args:
            kind: as for algorithms(), such as "allgather" or "MPI_Allgather"
            algorithm: name, such as "ring" or "ring[SegmentBytes=65536]"
            members, placement: as for group(); if members is a number of hosts, ranks are in random order
            bytes: length such as 8 or "64KiB": of the vector; in a gather, scatter or allgather, of each member's part;
                in an alltoall, of each pair's part; None: the length of the arrays given to cross()
            operation: how values are combined: "sum", "product", "min", "max", "and", "or", "xor"
            attributes: attributes of the ns3::Collective
        """
        kind = str(ns.CollectiveHelper.GetKindName(kind))
        group = self.group(members, placement)
        if bytes is not None and kind == "barrier":
            raise WormholeError(f"bytes={bytes}: has no effect on a barrier; expected none")
        if operation is not None and bytes is None and not ns.CollectiveHelper.MovesData(kind, algorithm):
            name = operation_of(operation)
            if name not in OF_VALUES:
                raise WormholeError(f"operation={operation}: combines no single values; expected "
                                    f"{', '.join(OF_VALUES)}, or a length in bytes")
            attributes, operation = {"Operation": OF_VALUES[name], **attributes}, None
        return Collective(self, kind, algorithm, group, attributes, bytes=bytes, operation=operation)

    def barrier(self, algorithm: str = "btin", members: Members = None, *,
                placement: Placement = None, **attributes: object) -> Collective:
        """Makes a barrier. algorithm: name, such as "dissemination" or "tree[Tree=fibo]", see algorithms("barrier");
        members, placement: as for collective(); attributes: attributes of the ns3::Collective, such as Operation="ADD",
        WidthBits=32. Raises WormholeError if there is none of that name, or the group can't be made."""
        return Collective(self, "barrier", algorithm, self.group(members, placement), attributes)

    def allreduction(self, algorithm: str = "btin", members: Members = None, **options: object) -> Collective:
        """Makes an all-reduction of single values, or with bytes, of vectors. Arguments: as for collective()."""
        return self.collective("allreduction", algorithm, members, **options)

    def broadcast(self, algorithm: str = "multicast", members: Members = None, **options: object) -> Collective:
        """Makes a broadcast from the root. Arguments: as for collective()."""
        return self.collective("broadcast", algorithm, members, **options)

    def reduction(self, algorithm: str = "btin", members: Members = None, **options: object) -> Collective:
        """Makes a reduction to the root. Arguments: as for collective()."""
        return self.collective("reduction", algorithm, members, **options)

    def gather(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes a gather: the root gets all members' parts. Arguments: as for collective()."""
        return self.collective("gather", algorithm, members, **options)

    def scatter(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes a scatter: each member gets a part of the root's data. Arguments: as for collective()."""
        return self.collective("scatter", algorithm, members, **options)

    def allgather(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes an all-gather: each member gets all members' parts. Arguments: as for collective()."""
        return self.collective("allgather", algorithm, members, **options)

    def reduce_scatter(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes a reduce-scatter: each member gets a part of the combined vectors. Arguments: as for collective()."""
        return self.collective("reduce-scatter", algorithm, members, **options)

    def alltoall(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes a total exchange: each member sends a part to each member. Arguments: as for collective()."""
        return self.collective("alltoall", algorithm, members, **options)

    def scan(self, algorithm: str, members: Members = None, **options: object) -> Collective:
        """Makes a scan: each member gets the combined vectors of ranks up to its own. As for collective()."""
        return self.collective("scan", algorithm, members, **options)
