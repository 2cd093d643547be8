# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Runs points of a campaign for a Dask worker in a process of its own, which may die.

Were it the worker that died, Dask would lose the results that it holds, blame other points that it
has, and have as many more workers die of the point as are allowed to; workers that die at once may
not even be started again. A worker has one such process for each of its threads, and keeps it.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from typing import Any, BinaryIO

_LENGTH = struct.Struct(">Q")
_SERVE = "from ns3_wormhole._child import serve; serve()"
_END_S = 10  # how long a process may take to end once its pipes are closed, s

_own = threading.local()


def run(payload: bytes) -> tuple[str, Any]:
    """Runs a point in this thread's process.

    Args:
        payload: cloudpickle of what campaign.run_point takes

    Returns:
        "rows" or "failure", and the rows or the reason
    """
    from ._workers import cause_of
    process = getattr(_own, "process", None)
    if process is None or process.poll() is not None:
        process = _own.process = _start()
    try:
        _write(process.stdin, payload)
        return pickle.loads(_read(process.stdout))
    except (EOFError, OSError):
        _own.process = None
        for pipe in (process.stdin, process.stdout):
            try:
                pipe.close()
            except OSError:  # what could not be written before can't be now
                pass
        try:
            status = process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        return "failure", f"its worker died: {cause_of(status)}"


def serve():
    """Runs points that come by standard input, until that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a point prints is no answer
    from .campaign import run_point
    while True:
        try:
            payload = _read(source)
        except EOFError:
            return
        try:
            answer = run_point(*pickle.loads(payload))
        except Exception as error:  # a function that is not to be found here
            answer = "failure", f"{type(error).__name__}: {error}"
        try:
            _write(sink, pickle.dumps(answer))
        except BrokenPipeError:  # the worker is gone
            os._exit(1)


def _start() -> subprocess.Popen:
    path = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen([sys.executable, "-c", _SERVE], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})


def _write(stream: BinaryIO, content: bytes):
    stream.write(_LENGTH.pack(len(content)) + content)
    stream.flush()


def _read(stream: BinaryIO) -> bytes:
    """Returns what _write wrote. Raises EOFError if the other end is gone."""
    head = stream.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(head)
    content = stream.read(length)
    if len(content) < length:
        raise EOFError
    return content
