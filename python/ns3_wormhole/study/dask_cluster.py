# SPDX-License-Identifier: GPL-2.0-only
"""Runs the points of a campaign on a Dask cluster whose workers may die, and never waits forever.

A point that dies ends a child process of its worker, not the worker (see dask_child.py). When a worker dies,
Dask moves all its points to other workers, and gives up a point on which more than
``distributed.scheduler.allowed-failures`` (3) workers died. A worker holds several points but runs only one, so
innocent points would be blamed: points that Dask gives up are run again at the end, one at a time.
"""

import contextlib
import importlib.util
import itertools
import time
from typing import Any, Callable, Iterator

from ..core import simulation, workers
from ..core.errors import WormholeError
from ..core.loader import Later

cloudpickle, distributed = Later("cloudpickle"), Later("distributed")  # which may not be there

CONNECT_S = 10.0  #: how long connecting to the scheduler may take, s
LOOK_S = 1.0      #: how often to look whether the cluster is still there, s
FETCH_S = 10.0    #: how long fetching a result may take, s; then it is lost, and made again

ENDED = ("finished", "error", "cancelled")  #: of a future's status; "lost" will be made again


class _Gone(Exception):
    """The cluster has no workers, or no scheduler. Its text says which."""


class Dask:
    """Runs points on a cluster."""

    def __init__(self, address: str, patience: float):
        """Takes the address, without connecting yet. address: address of the scheduler, such as "tcp://host:8786";
        patience: for how many seconds there may be no workers, or no answer"""
        self._address, self._patience, self._seen = address, patience, 0.0
        if not all(map(importlib.util.find_spec, ("cloudpickle", "distributed"))):
            raise WormholeError("Dask is missing; install it: pip install "
                                "'ns3-wormhole[dask]'")

    def __call__(self, function: Callable, fixed: dict, todo: dict[str, dict]) -> Iterator[tuple[str, str, Any]]:
        """Yields key, "rows" or "failure", and the rows or the reason, as points end."""
        try:
            client = distributed.Client(self._address, timeout=CONNECT_S)
        except (OSError, ValueError) as error:
            raise WormholeError(f"no Dask scheduler at {self._address}: {error}") from None
        left = dict(todo)
        try:
            self._seen = time.monotonic()
            many = 2 * max(1, sum(client.nthreads().values()))
            suspects = []
            for key, kind, result in self._pass(client, function, fixed, dict(left), many):
                if kind == "killed":
                    suspects.append(key)
                    continue
                del left[key]
                yield key, kind, result
            for key in suspects:
                for _, kind, result in self._pass(client, function, fixed, {key: left[key]}, 1):
                    del left[key]
                    yield key, "failure" if kind == "killed" else kind, result
        except _Gone as reason:
            for key in left:
                yield key, "failure", str(reason)
        finally:
            client.close(timeout=CONNECT_S)

    def _pass(self, client, function, fixed, todo, many):
        """Runs points, with a limited number under way; fetches each result at once, since results are lost with their
        worker."""
        state = simulation.state()

        def submit(key):
            payload = cloudpickle.dumps((function, fixed, todo[key], state))
            return client.submit(workers.run_apart, payload, pure=False)
        waiting = iter(todo)
        running = {submit(key): key for key in itertools.islice(waiting, many)}
        while running:
            with contextlib.suppress(TimeoutError, distributed.CancelledError):
                distributed.wait(list(running), timeout=LOOK_S, return_when="FIRST_COMPLETED")
            ended = 0
            for future in [each for each in running if each.status in ENDED]:
                outcome = self._outcome(future)
                if outcome is None:
                    continue
                ended += 1
                yield running.pop(future), *outcome
                for key in itertools.islice(waiting, 1):
                    running[submit(key)] = key
            if ended:
                self._seen = time.monotonic()
            else:
                self._look(client)

    def _look(self, client):
        """Notes whether there are workers. Raises _Gone if there have been no workers for too long."""
        trouble = f"the Dask scheduler at {self._address} does not answer"
        if client.status == "running":
            with contextlib.suppress(Exception):  # of whatever kind: no answer
                # In the client's own loop, so that the time is bounded.
                if client.sync(client.scheduler.ncores, callback_timeout=FETCH_S):
                    self._seen = time.monotonic()
                    return
                trouble = "the Dask cluster has no workers"
        elif client.status == "closed":
            raise _Gone(f"the Dask scheduler at {self._address} is gone")
        if time.monotonic() - self._seen > self._patience:
            raise _Gone(f"{trouble}, for {self._patience:g} s")

    def _outcome(self, future):
        """Returns "rows", "failure" or "killed", and the rows or the reason; None: not yet."""
        if future.status == "cancelled":
            raise _Gone(f"the Dask scheduler at {self._address} has dropped the campaign's points")
        try:
            return future.result(timeout=FETCH_S)
        except (TimeoutError, distributed.CancelledError):
            return None  # its worker died before it was fetched
        except distributed.KilledWorker:
            return "killed", "its worker died, and so did others that tried"
        except Exception as error:
            return "failure", f"{type(error).__name__}: {error}"
