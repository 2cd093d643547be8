#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An algorithm of your own in Python: the token ring of own-barrier.cc, as a list of steps.

Example: own-algorithm.py
"""

import ns3_wormhole as wh
from ns3_wormhole.prototype import algorithm, check_laws, combine, replace, send


@algorithm("barrier", "token")
def token(rank, members, root):
    """Two laps around the ring: the first combines the values, the second distributes the result."""
    before, after = (rank - 1) % members, (rank + 1) % members
    if members == 1:
        return []
    if rank == 0:
        return [send(after), replace(before), send(after, tag=1)]
    steps = [combine(before), send(after), replace(before, tag=1)]
    return steps if after == 0 else [*steps, send(after, tag=1)]


if __name__ == "__main__":
    check_laws("barrier", "token")
    fabric = wh.Fabric.irregular(switches=75, hosts=256)
    for name in ("token", "dissemination"):
        print(f"{name}: {fabric.barrier(name, range(8)).cross():.3f} us")
