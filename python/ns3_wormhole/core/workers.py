# SPDX-License-Identifier: GPL-2.0-only
"""Runs points, such as those of a campaign, in processes of this machine or of a Dask worker; any process may die."""

import contextlib
import json
import multiprocessing
import multiprocessing.connection
import multiprocessing.resource_tracker
import os
import pickle
import signal
import subprocess
import sys
import threading
from typing import Any, Callable, Iterator, Mapping

from . import simulation
from .bars import no_bars
from .errors import WormholeError
from .loader import tqdm

_SERVE = "import sys; from ns3_wormhole.core.workers import serve; serve(int(sys.argv[1]))"
_END_S = 10  # how long a process may take to end once its pipes are closed, s

_own = threading.local()
# A process has one ns-3 simulation, and Dask's workers have several threads.
_one_at_a_time = threading.Lock()


def run_point(function: Callable, fixed: Mapping, point: Mapping, state: tuple | None = None) -> tuple[str, Any]:
    """Runs a point by calling a function. Returns "rows" and the rows, or "failure" and the reason. state:
    simulation.state() of the requesting process; None: this process"""
    try:
        with _one_at_a_time, no_bars():
            if state is not None:
                simulation.set_state(state)
            result = function(**fixed, **point)
        rows = [dict(result)] if isinstance(result, Mapping) else \
            result.to_dict("records") if hasattr(result, "to_dict") else [{"value": result}]
        return "rows", json.loads(json.dumps(rows, default=_plain))
    except Exception as error:  # whatever it is, it costs this point only
        kind = "" if isinstance(error, WormholeError) else f"{type(error).__name__}: "
        return "failure", kind + " ".join(str(error).split())


def _plain(value):
    return value.item() if hasattr(value, "item") else str(value)  # of numpy's numbers, Python's


class Processes:
    """Runs points in processes of this machine, one point at a time in each process, so that a dying process costs only
    its own point. There are no threads, and Ctrl-C ends all processes at once."""

    def __init__(self, workers: int):
        """Takes the number of processes; no process is started yet."""
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")

    def __call__(self, function: Callable, fixed: Mapping, todo: Mapping[str, Mapping]
                 ) -> Iterator[tuple[str, str, Any]]:
        """Yields key, "rows" or "failure", and the rows or the reason, as points end."""
        left = list(reversed(todo.items()))
        given = function, fixed, simulation.state()
        processes, idle, running = {}, [], {}  # by the pipe to each
        try:
            while left or running:
                while left and len(running) < self._workers:
                    key, point = left.pop()
                    pipe = idle.pop() if idle else self._start(processes, *given)
                    running[pipe] = key
                    with contextlib.suppress(OSError):  # it is dead, as reading tells
                        pipe.send(point)
                for pipe in multiprocessing.connection.wait(list(running)):
                    key = running.pop(pipe)
                    try:
                        kind, result = pipe.recv()
                        idle.append(pipe)
                    except (EOFError, OSError):
                        pipe.close()
                        process = processes.pop(pipe)
                        process.join()
                        kind, result = "failure", f"its worker died: {cause_of(process.exitcode)}"
                    yield key, kind, result
        finally:
            with _uninterrupted():
                for process in processes.values():
                    try:
                        os.killpg(process.pid, signal.SIGKILL)
                    except ProcessLookupError:  # it is not ready yet, or dead
                        process.kill()
                for pipe, process in processes.items():
                    process.join()
                    pipe.close()

    def _start(self, processes, function, fixed, state):
        pipe, far = self._context.Pipe()
        process = self._context.Process(target=_work, args=(far, function, fixed, state))
        multiprocessing.resource_tracker.ensure_running()  # which would let signals through
        with _uninterrupted():
            processes[pipe] = process
            try:
                process.start()
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                del processes[pipe]
                raise WormholeError(f"other processes can't take {function!r}: {error}; expected "
                                    "a function of a module") from None
        far.close()
        return pipe


@contextlib.contextmanager
def _uninterrupted():
    """Delays Ctrl-C until the end of a with block. Processes started in the block never see Ctrl-C, which could
    otherwise reach them before they are ready for it."""
    came = []
    main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, lambda *each: came.append(each)) if main else None
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if main:
            signal.signal(signal.SIGINT, handler if handler is not None else signal.SIG_DFL)
            if came and callable(handler):
                handler(*came[0])


def _work(pipe, function, fixed, state):
    """Runs points that come through a pipe, until the other end is closed."""
    be_worker()
    tqdm.tqdm.set_lock(threading.RLock())  # its own would be a semaphore that outlives a kill
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(run_point(function, fixed, pipe.recv(), state))


def be_worker() -> None:
    """Ends this process when its parent process ends for any reason. Processes that this one starts belong to its
    group, and end with it."""
    os.setpgid(0, 0)
    parent = multiprocessing.parent_process()

    def watch():
        parent.join()
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()


def cause_of(status: int | None) -> str:
    """Returns why a process ended, given its exit status; -n for signal n."""
    if status is not None and status < 0:
        return f"signal {-status} ({signal.Signals(-status).name})"
    return f"exit status {status}"


def run_apart(payload: bytes) -> tuple[str, Any]:
    """Runs a point for a Dask worker, in a separate process for each of the worker's threads; this process may die.
    payload: cloudpickle of run_point()'s arguments. Returns "rows" or "failure", and the rows or the reason.

    If the worker itself died, Dask would lose the worker's results, blame the worker's other points, and run the point
    again until it has killed as many workers as are allowed to die.
    """
    process, pipe = getattr(_own, "started", (None, None))
    if process is None or process.poll() is not None:
        process, pipe = _own.started = _start()
    try:
        pipe.send_bytes(payload)
        return pipe.recv()
    except (EOFError, OSError):
        _own.started = None, None
        pipe.close()
        try:
            status = process.wait(timeout=_END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        return "failure", f"its worker died: {cause_of(status)}"


def _start() -> tuple[subprocess.Popen, multiprocessing.connection.Connection]:
    ours, theirs = multiprocessing.Pipe()
    path = os.pathsep.join(filter(None, sys.path))
    with theirs:
        return subprocess.Popen([sys.executable, "-c", _SERVE, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                env={**os.environ, "PYTHONPATH": path}), ours


def serve(number: int) -> None:
    """Runs points that come through a pipe, until the other end is closed. number: the pipe's file descriptor"""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # standard output is the worker's
    with contextlib.suppress(EOFError, OSError), multiprocessing.connection.Connection(number) as pipe:
        while True:
            payload = pipe.recv_bytes()
            try:
                answer = run_point(*pickle.loads(payload))
            except Exception as error:  # a function that is not to be found here
                answer = "failure", f"{type(error).__name__}: {error}"
            pipe.send(answer)
