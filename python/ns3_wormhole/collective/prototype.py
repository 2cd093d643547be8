# SPDX-License-Identifier: GPL-2.0-only
"""Your own algorithms: in software, as a list of steps for each member, or in the switches.

An algorithm, once defined, is found by its name like the module's own algorithms::

    from ns3_wormhole.prototype import algorithm, check_laws, combine, replace, send

    @algorithm("broadcast", "chain-of-two")
    def chain_of_two(rank, members, root):
        ...

    check_laws("broadcast", "chain-of-two")
    print(fabric.broadcast("chain-of-two", 8).cross(), "us")

In the switches, a function is called with each message, and returns what the switch sends on::

    @switch_program("broadcast", "flood")
    def flood(at, port, value):
        return {each: value for each in at.ports if each != port}

A working prototype becomes a dozen lines of C++, see doc/design/write-your-own.rst.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from ..core import simulation
from ..core.arguments import whole
from ..core.errors import ONE_LINE, translated, WormholeError
from ..core.loader import bridge, cppyy, ns

_KINDS = {"barrier": "Barrier", "allreduction": "Barrier", "broadcast": "Broadcast", "reduction": "Reduction"}
_functions: dict[str, tuple[str, Callable]] = {}  # by class name; C++ calls them and holds no reference

Step = tuple[str, int, int]


def send(to: int, tag: int = 0) -> Step:
    """Sends the held value. to: rank of the receiver; tag: distinguishes messages between the same two members."""
    return "S", to, tag


def combine(source: int, tag: int = 0) -> Step:
    """Receives a value and combines it with the held value. source: rank of the sender."""
    return "C", source, tag


def replace(source: int, tag: int = 0) -> Step:
    """Receives a value, which replaces the held value. source: rank of the sender."""
    return "R", source, tag


def ignore(source: int, tag: int = 0) -> Step:
    """Receives a message, and keeps the held value. source: rank of the sender."""
    return "I", source, tag


@translated()
def algorithm(kind: str, name: str) -> Callable:
    """Makes an algorithm from a function; for use as a decorator. kind: "barrier" (which includes all-reduction),
    "broadcast" or "reduction", or MPI's name; name: words joined by dashes, such as "my-ring". Raises WormholeError if
    the name is invalid, or a name of the module's own.

    The function is given rank, members (how many) and root (a rank), and returns this member's list of steps, made by
    :func:`send`, :func:`combine`, :func:`replace` and :func:`ignore`. Consecutive receives are posted together. A
    second definition of a name replaces the first.
    """
    return _defining(kind, name, "algorithm", "one of rank, members and root", _encode)


@translated()
def switch_program(kind: str, name: str) -> Callable:
    """Makes an in-switch algorithm from a function; for use as a decorator. kind, name: as for algorithm(). Raises
    WormholeError as algorithm() does.

    Members send their values to their switches when they enter. In a broadcast, only the root sends; in a reduction,
    all others send, and the root combines what it receives with its own value. For each message, each switch of the
    group's tree calls the function with itself (a :class:`Switch`), the port by which the message came, and its value.
    The function returns what the switch sends at once, as a dict of values by port, or None. The value for a port that
    leads to a member is this member's result. One worm serves all ports that get the same value.
    """
    return _defining(kind, name, "switch_program", "one of switch, port and value", _send_on)


class Switch:
    """A switch of a group's tree, as its program sees it; the same object for all messages of the group.

    name: such as "s3"; ports: ports to members and to other switches of the tree, in ascending order; members: ports to
    members; parent: port to the parent in the tree, None at the tree's root; root: port towards the member that is the
    collective's root; below: all ports except the parent's; state: a dict, empty at first, for data that the program
    keeps
    """

    def __init__(self, group, number: int):
        """Takes a C++ collective, and the number of a switch in its tree."""
        tree, graph = group.GetTree(), group.GetDomain().GetGraph()
        entry = tree.Find(number)
        self._group = group
        self._waiting: dict[int, list[int]] = {}
        self.name = str(graph.GetName(number))
        self.ports = tuple(sorted(int(port) for port in entry.GetPorts()))
        self.members = tuple(int(port) for port in entry.memberPorts)
        self.parent = None if entry.IsRoot() else int(entry.parentPort)
        self.below = tuple(port for port in self.ports if port != self.parent)
        end = graph.SwitchOf(graph.HostAt(group.GetHost(group.GetRoot())))
        while end.node != number and not (above := tree.Find(end.node)).IsRoot():
            end = graph.Peer(end.node, above.parentPort)
        self.root = int(end.port) if end.node == number else self.parent
        self.state: dict = {}

    def combine(self, a: int, b: int) -> int:
        """Returns the combination of two values by the collective's operation."""
        return int(self._group.CombineValues(a, b))

    def gather(self, port: int, value: int, ports: Iterable[int] | None = None) -> int | None:
        """Collects a value from each of several ports. Returns their combination after the last value, else None. port:
        port by which a value came; value: this value; ports: those to wait for; None: all ports below this switch."""
        self._waiting.setdefault(port, []).append(value)
        awaited = self.below if ports is None else tuple(ports)
        if not all(self._waiting.get(each) for each in awaited):
            return None
        return functools.reduce(self.combine, [self._waiting[each].pop(0) for each in awaited])


_switches: dict[tuple[int, int], Switch] = {}  # by group and switch, of one simulation
_of_epoch = 0


def _send_on(function, group, number, node, port, value) -> str:
    """Returns what a program sends, as C++ reads it: a line for each worm."""
    global _of_epoch
    if _of_epoch != simulation.epoch():
        _switches.clear()
        _of_epoch = simulation.epoch()
    at = _switches.get((number, node))
    if at is None:
        at = _switches[number, node] = Switch(group, node)
    where = f"at {at.name}, a message by port {port}"
    try:
        sent = function(at, int(port), int(value))
    except Exception as error:
        raise WormholeError(f"{where}: {type(error).__name__}: {error}") from error
    if sent is not None and not isinstance(sent, Mapping):
        raise WormholeError(f"{where}: it returns {sent!r}; expected a dict of values by port, or None")
    worms: dict[int, list[int]] = {}
    for to, what in (sent or {}).items():
        if to not in at.ports:
            raise WormholeError(f"{where}: it sends by port {to!r}; expected some of {', '.join(map(str, at.ports))}")
        if not hasattr(what, "__index__") or not 0 <= what < 2**64:
            raise WormholeError(f"{where}: it sends {what!r}; expected a whole number from 0 to 2^64 - 1")
        worms.setdefault(int(what), []).append(int(to))
    return "\n".join(f"{what} {' '.join(map(str, ports))}" for what, ports in worms.items())


def _defining(kind, name, sort, expected, call) -> Callable:
    """Returns a decorator that defines a class of C++, which has call() call the function."""
    given, kind = kind, str(ns.CollectiveHelper.GetKindName(str(kind)))
    if kind not in _KINDS:
        raise WormholeError(f"kind={given!r}: a prototype holds one value; expected {', '.join(_KINDS)}")
    if not isinstance(name, str) or not re.fullmatch("[a-z]+(-([a-z]+|[0-9]))*", name):
        raise WormholeError(f"{name!r} is no name of an algorithm; expected words in small "
                            "letters with dashes between, as my-ring")
    made = "".join(word.capitalize() for word in name.split("-")) + _KINDS[kind]
    if name in map(str, ns.CollectiveHelper.GetNames(kind)) and _functions.get(made, [""])[0] != sort:
        raise WormholeError(f"there is a {kind} {name!r} already; expected another name")

    def define(function):
        if not callable(function):
            raise WormholeError(f"{name}: {function!r} is no function; expected {expected}")
        if made not in _functions:
            base, parent, method = (each.format(name=made, kind=_KINDS[kind], algorithm=name) for each in _SORTS[sort])
            cppyy.cppdef(_CLASS.format(name=made, base=base, parent=parent, method=method))
            getattr(ns, made).GetTypeId()  # registers it
        def called(*given):
            try:
                return call(function, *given)
            except Exception as error:  # C++ is between here and the caller
                kind_of = "" if isinstance(error, WormholeError) else f"{type(error).__name__}: "
                return f"!{name}: {kind_of}{error}".translate(ONE_LINE)
        _functions[made] = sort, called
        (bridge.DefinePrototype if sort == "algorithm" else bridge.DefineSwitchProgram)(made, called)
        return function
    return define


_CLASS = """
namespace ns3
{{
class {name} : public {base}
{{
  public:
    static TypeId GetTypeId()
    {{
        static TypeId tid = TypeId("ns3::{name}")
                                .SetParent<{parent}>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<{name}>();
        return tid;
    }}

    {method}
}};
}} // namespace ns3
"""
# What a class derives from, its parent as a type, and its one method.
_SORTS = {
    "algorithm": ("Software{kind}", "Software{kind}", """
    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {{
        return ns3_wormhole::CallPrototype("{name}", request);
    }}"""),
    "switch_program": ("ns3_wormhole::SwitchPrototype<Switch{kind}>", "Switch{kind}", """
    {name}()
        : SwitchPrototype("{name}", "{algorithm}")
    {{
    }}""")}


def _encode(function, members, root) -> str:
    """Returns all schedules as C++ reads them: a line for each rank."""
    lines, members, root = [], int(members), int(root)
    for rank in range(members):
        steps = function(rank, members, root)
        if not isinstance(steps, Sequence) or isinstance(steps, str):
            raise WormholeError(f"rank {rank} of {members} has {steps!r}; expected a list of steps")
        for number, step in enumerate(steps):
            if not (isinstance(step, tuple) and len(step) == 3 and step[0] in ("S", "C", "R", "I")
                    and all(hasattr(each, "__index__") for each in step[1:])
                    and 0 <= step[1] < members and 0 <= step[2] < 2**31):
                raise WormholeError(f"step {number} of rank {rank} of {members} is {step!r}; expected "
                                    "send, combine, replace and ignore, with ranks below the "
                                    "number of members")
        lines.append(" ".join(f"{kind} {int(peer)} {int(tag)}" for kind, peer, tag in steps))
    return "\n".join(lines) + "\n"


@translated()
def check_laws(kind: str, name: str, max_members: int = 24) -> None:
    """Checks the invariants of an algorithm's kind, in schedules and on a random fabric: every member leaves, with the
    right result, and not before the members that it must wait for have entered. Ends the current simulation. kind: any
    kind, as for algorithms(); name: your own algorithm or the module's; max_members: greatest number of members on the
    fabric, 1 to 64. Raises WormholeError stating which invariant does not hold, for which group, and why."""
    max_members = whole("max_members", max_members, 1, 64)
    with simulation.own():
        trouble = str(ns.CollectiveInvariants.Check(str(kind), str(name), max_members))
    if trouble:
        raise WormholeError(f"{kind} {name}: {trouble}")
