#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Switch programs of your own in Python: the flood of own-switch-broadcast.cc, and a barrier.

Example: own-switch-broadcast.py
"""

import ns3_wormhole as wh
from ns3_wormhole.prototype import check_laws, switch_program


@switch_program("broadcast", "flood")
def flood(at, port, value):
    """Forwards a value by all ports of the group's tree except the one by which it came."""
    return {each: value for each in at.ports if each != port}


@switch_program("barrier", "up-and-down")
def up_and_down(at, port, value):
    """Combines values on their way up to the tree's root; the result goes down to all members."""
    if port != at.parent:
        value = at.gather(port, value)
        if value is None:
            return None
        if at.parent is not None:
            return {at.parent: value}
    return dict.fromkeys(at.below, value)


if __name__ == "__main__":
    fabric = wh.Fabric.irregular(switches=75, hosts=256)
    for kind, name, other in (("broadcast", "flood", "multicast"), ("barrier", "up-and-down", "btin")):
        check_laws(kind, name)
        for each in (name, other):
            print(f"{each}: {getattr(fabric, kind)(each, range(8)).cross():.3f} us")
