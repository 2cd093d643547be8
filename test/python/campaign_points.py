# SPDX-License-Identifier: GPL-2.0-only
"""Points for campaigns of the tests."""

import os
import pathlib
import signal
import time

import ns3_wormhole as wh


def crossing(*, algorithm, members, seed):
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
    with open(pathlib.Path(folder) / f"{number}-{seed}", "a", encoding="utf-8") as file:
        file.write("run\n")
    return number


def deadly(*, number, mark=None, seed):
    """Ends the Dask worker that started its process at 2: always, or where a file is not there yet."""
    if number == 2 and not (mark and os.path.exists(mark)):
        if mark:
            pathlib.Path(mark).touch()
        else:
            time.sleep(2)  # the worker that has just been started is ready for others
        os.kill(os.getppid(), signal.SIGKILL)
    return number * seed


def slow(*, number, seed):
    time.sleep(1)
    return number * seed
