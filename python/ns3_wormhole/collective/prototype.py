# SPDX-License-Identifier: GPL-2.0-only
"""Algorithms of one's own, by software: each member's part as a list of steps.

An algorithm is found by its name, as the module's are, once it has been defined::

    from ns3_wormhole.prototype import algorithm, check_laws, combine, replace, send

    @algorithm("broadcast", "chain-of-two")
    def chain_of_two(rank, members, root):
        ...

    check_laws("broadcast", "chain-of-two")
    print(fabric.broadcast("chain-of-two", 8).cross(), "us")

What works here is a dozen lines of C++ later, see doc/design/write-your-own.rst.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..core import simulation
from ..core.arguments import whole
from ..core.errors import ONE_LINE, translated, WormholeError
from ..core.loader import bridge, cppyy, ns

_KINDS = {"barrier": "Barrier", "allreduction": "Barrier", "broadcast": "Broadcast",
          "reduction": "Reduction"}
_functions: dict[str, Callable] = {}  # by class name; C++ calls them and holds no reference

Step = tuple[str, int, int]


def send(to: int, tag: int = 0) -> Step:
    """Sends the value held. to: rank of the receiver; tag: tells messages of two members apart."""
    return "S", to, tag


def combine(source: int, tag: int = 0) -> Step:
    """Receives a value and combines it with the one held. source: rank of the sender."""
    return "C", source, tag


def replace(source: int, tag: int = 0) -> Step:
    """Receives a value and holds it instead. source: rank of the sender."""
    return "R", source, tag


def ignore(source: int, tag: int = 0) -> Step:
    """Receives a message and holds what was held. source: rank of the sender."""
    return "I", source, tag


@translated()
def algorithm(kind: str, name: str) -> Callable:
    """Makes an algorithm of a function; for use as a decorator.

    The function is given rank, members (how many) and root (a rank), and returns that member's
    steps in order: of :func:`send`, :func:`combine`, :func:`replace` and :func:`ignore`. Receives
    that follow one another are posted together. Defined again, it takes the place of the former.

    Args:
        kind: "barrier" (and all-reduction), "broadcast" or "reduction", or MPI's name
        name: words with dashes between, as "my-ring"

    Raises:
        WormholeError: if the name is none, or the module's own
    """
    kind = _kind(kind)
    if not isinstance(name, str) or not re.fullmatch("[a-z]+(-([a-z]+|[0-9]))*", name):
        raise WormholeError(f"{name!r} is no name of an algorithm; expected words in small "
                            "letters with dashes between, as my-ring")
    made = "".join(word.capitalize() for word in name.split("-")) + _KINDS[kind]
    known = [str(each) for each in ns.CollectiveHelper.GetNames(kind)]
    if name in known and made not in _functions:
        raise WormholeError(f"there is a {kind} {name!r} already; expected another name")

    def define(function):
        if not callable(function):
            raise WormholeError(f"{name}: {function!r} is no function; expected one of rank, "
                                "members and root")
        if made not in _functions:
            cppyy.cppdef(_CLASS.format(name=made, kind=_KINDS[kind]))
            getattr(ns, made).GetTypeId()  # registers it

        def steps(members, root):
            try:
                return _encode(function, name, int(members), int(root))
            except Exception as error:  # C++ is between here and the caller
                kind_of = "" if isinstance(error, WormholeError) else f"{type(error).__name__}: "
                return f"!{name}: {kind_of}{error}".translate(ONE_LINE)
        _functions[made] = steps
        bridge.DefinePrototype(made, steps)
        return function
    return define


def _kind(kind) -> str:
    """Returns the kind's name, if collectives of that kind have one value a member."""
    found = str(ns.CollectiveHelper.GetKindName(str(kind)))
    if found not in _KINDS:
        raise WormholeError(f"kind={kind!r}: a prototype holds one value; expected "
                            f"{', '.join(_KINDS)}")
    return found


_CLASS = """
namespace ns3
{{
class {name} : public Software{kind}
{{
  public:
    static TypeId GetTypeId()
    {{
        static TypeId tid = TypeId("ns3::{name}")
                                .SetParent<Software{kind}>()
                                .SetGroupName("Wormhole")
                                .AddConstructor<{name}>();
        return tid;
    }}

    std::vector<CommunicationSchedule> MakeSchedules(const ScheduleRequest& request) const override
    {{
        return ns3_wormhole::CallPrototype("{name}", request);
    }}
}};
}} // namespace ns3
"""


def _encode(function, name, members, root) -> str:
    """Returns all schedules as C++ reads them: a line for each rank."""
    lines = []
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
    """Holds an algorithm to the laws of its kind, in schedules and on a random fabric.

    Everybody leaves; nobody before those have come whom it must wait for; with the right result.
    Ends the simulation that was going on.

    Args:
        kind: any kind, as for algorithms()
        name: of the algorithm, one's own or the module's
        max_members: greatest number of members on the fabric, 1 to 64

    Raises:
        WormholeError: telling which law does not hold, for which group, and why
    """
    max_members = whole("max_members", max_members, 1, 64)
    simulation.reset()
    try:
        trouble = str(ns.CollectiveInvariants.Check(str(kind), str(name), max_members))
    finally:
        simulation.reset()
    if trouble:
        raise WormholeError(f"{kind} {name}: {trouble}")
