# SPDX-License-Identifier: GPL-2.0-only
"""Points for campaigns of the tests."""

import os
import pathlib
import signal

import ns3_wormhole as wh


def crossing(*, algorithm, members, seed):
    """One barrier."""
    fabric = wh.Fabric.irregular(16, 32, seed=seed)
    barrier = fabric.barrier(algorithm, fabric.group(members, seed=seed))
    result = {"latency_us": barrier.cross(), "setup_us": barrier.setup_us}
    wh.reset()
    return result


def dangerous(*, number, seed):
    """Ends its process at 3, and raises an exception at 5."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 5:
        raise ValueError("five is refused")
    return number * seed


def counted(*, number, folder, seed):
    """Leaves a file each time that it is run."""
    with open(pathlib.Path(folder) / f"{number}-{seed}", "a", encoding="utf-8") as file:
        file.write("run\n")
    return number
