# SPDX-License-Identifier: GPL-2.0-only
"""Which algorithms need hardware that machines may not have."""

import re
from typing import Collection, Iterable, Mapping, Sequence

from ..core import machine as machines
from ..core.errors import WormholeError

# Collectives of one value in hardware, which know hosts and not processes. It is hypothetical:
# registers in switches, switches that copy worms, networks beside the data network, and network adapters
# that run algorithms.
IN_SWITCH = {"btin", "in-switch", "multicast"}
ADD_ON = {"hw-1", "hw-all"}
ONE_PROCESS_A_HOST = IN_SWITCH | ADD_ON | {"nic"}


def has(kinds: Collection[str], name: str) -> bool:
    """Returns whether an algorithm, or one inside it, is in a set such as IN_SWITCH."""
    return not set(kinds).isdisjoint(re.findall(r"[\w-]+", str(name)))


def add_on_times(kind: str, bits: int, names: Iterable[str]) -> tuple[str, ...]:
    """Returns the attributes of AddOnNetwork (none or one) whose times affect these algorithms. kind: kind of the
    collective; bits: width of its value; names: names of the algorithms."""
    if not any(has(ADD_ON, name) for name in names):
        return ()
    of_all = "BarrierTime" if bits == 1 else "ReductionTime" if bits <= 32 else "WideReductionTime"
    return ({"broadcast": "BroadcastTime", "reduction": "ToOneTime"}.get(kind, of_all),)


def without_switches(algorithms: Sequence, is_in_switch, machine, hypothetical: bool, asked: bool,
                     attributes: Mapping[str, object]) -> tuple[list, str]:
    """Returns algorithms, without in-switch algorithms if the machine's switches do no collectives, and why these were
    left out. is_in_switch: tells whether an algorithm is such; hypothetical: whether to keep them nevertheless; asked:
    whether any is requested by name; attributes: given attributes, of which those of in-switch collectives also request
    them. Raises WormholeError if hypothetical has no effect."""
    why = machines.why_not_in_switch(machine)
    given = any(name.startswith(("ns3::CollectiveUnit::", "ns3::InSwitch")) for name in attributes)
    if hypothetical and (not why or asked or given):
        raise WormholeError("hypothetical has no effect: " + (
            "in-switch collectives are asked for anyway" if why
            else "no machine says that its switches do none") + "; use it without that")
    kept = [each for each in algorithms if not is_in_switch(each)]
    if not why or hypothetical or asked or given or len(kept) == len(algorithms) or not kept:
        return list(algorithms), ""
    return kept, (f"left out, since switches of {machine} do no collectives ({why}): "
                  + ", ".join(str(getattr(each, "name", each)) for each in algorithms if each not in kept)
                  + "; --hypothetical, or an attribute such as --attribute=CollectiveUnit::SlotBytes=1024, "
                  "has them take part")
