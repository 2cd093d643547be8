# SPDX-License-Identifier: GPL-2.0-only
"""What barriers gain if network adapters run them, by speed of the adapters' processors."""

from __future__ import annotations

from typing import Mapping

from ..collective.fabric import asked_fabric, Fabric
from ..collective.groups import Placement
from ..core import arguments, bars, simulation
from ..core.errors import translated, WormholeError
from ..core.loader import pandas

RATIOS = (0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0)
HANDOVERS = (0.0, 0.25, 0.5)
_HOST = "ns3::HostSoftware::"


@translated()
def adapter(*, fabric: Fabric | str | None = None, topology: str = "", routing: str = "", size: int,
            host_us: float, adapter_us: float, algorithm: str = "dissemination",
            placement: Placement = None, attributes: Mapping[str, object] | None = None,
            machine: str | None = None, progress: bool | None = None) -> pandas.DataFrame:
    """Finds the adapter speed at which a barrier's simulated gain equals the measured gain. Ends the simulation.

    A barrier's total time does not tell what each part costs. So a host's StartUp and ReceiveOverhead both
    get the value with which the simulated barrier takes as long as the measured host barrier; the cost of an
    adapter's message is this value times a ratio. Doorbell and completion cost fractions of this value, too.

    Args:
        fabric: the fabric, or its file
        topology: topology family, such as "clos:ports=16"
        routing: routing engine in place of the fabric's own routes
        size: number of hosts, one process each
        host_us: measured time of a barrier that hosts run, us
        adapter_us: measured time of a barrier that adapters run, us
        algorithm: algorithm of both barriers
        placement: where the hosts are, see Fabric.group; None: the first hosts
        attributes: values of attributes that are not fitted, by name
        machine: base machine, by its name or file
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each handover (cost of doorbell and completion, each a fraction of a host's message) and
        ratio (cost of an adapter's message to a host's): message_us (a host's), simulated_us, factor
        (host_us over simulated_us), measured (whether the ratio gives adapter_us; ratio NaN: none does)

    Raises:
        WormholeError: if an argument is refused, or no cost of messages gives host_us
    """
    size = arguments.whole("size", size, 2)
    base = asked_fabric(fabric, topology, routing).with_attributes(attributes or {}, machine)
    group = base.group(size, placement or "first")

    def time(name: str, **costs: float) -> float:
        simulation.reset()
        made = base.with_attributes({_HOST + key: f"{value * 1e6:.0f}ps" for key, value in costs.items()})
        return made.collective("barrier", name, group).cross()

    message = _solve(lambda us: time(algorithm, StartUp=us, ReceiveOverhead=us), host_us)
    if message is None:
        raise WormholeError(f"host-us={host_us:g}: expected at least "
                            f"{time(algorithm, StartUp=0, ReceiveOverhead=0):g}, what the network takes")
    rows = []
    with simulation.own(), bars.bar("adapter", progress) as tell:
        for done, handover in enumerate(HANDOVERS):
            tell(done, len(HANDOVERS))

            def of_ratio(ratio: float) -> float:
                return time(f"nic[Inner={algorithm}]", AdapterMessageTime=ratio * message,
                            DoorbellTime=handover * message, CompletionTime=handover * message)

            found = _solve(of_ratio, adapter_us)
            rows += [{"handover": handover, "ratio": float("nan") if ratio is None else ratio, "message_us": message,
                      "simulated_us": float("nan") if ratio is None else of_ratio(ratio), "measured": is_measured}
                     for ratio, is_measured in (*((each, False) for each in RATIOS), (found, True))]
    table = pandas.DataFrame(rows)
    table["factor"] = host_us / table.simulated_us
    return table[["handover", "ratio", "message_us", "simulated_us", "factor", "measured"]]


def _solve(of, wanted: float) -> float | None:
    """Returns the least argument at which an increasing function has a value; None: its value at 0 is larger."""
    if of(0.0) > wanted:
        return None
    low, high = 0.0, 1.0
    while of(high) < wanted:
        high *= 2
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if of(middle) < wanted else (low, middle)
    return high
