# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Studies over parameters and seeds: on all cores, on a Dask cluster, and again after a break.

A campaign leaves beside each other:

- NAME.csv: a row, or several, for each point, in the order of points whatever ran where
- NAME.points.jsonl: finished points as they come, which a later run does not repeat
- NAME.provenance.json: provenance: versions, parameters, seeds, and the points that failed and why
"""

from __future__ import annotations

import dataclasses
import datetime
import fcntl
import hashlib
import importlib
import importlib.metadata
import inspect
import itertools
import json
import multiprocessing
import os
import pathlib
import platform
import signal
import sys
import threading
from concurrent import futures
from typing import Any, Callable, Iterable, Mapping, Sequence

import pandas
import tqdm

from . import studies
from ._arguments import no_bars
from .errors import WormholeError, nearest

# A process has one ns-3 simulation, and Dask's workers have several threads.
_one_at_a_time = threading.Lock()


@dataclasses.dataclass
class Failure:
    """A point that has no result."""

    point: dict[str, Any]  #: its parameters and seed
    reason: str            #: why

    def __str__(self):
        return f"{_told(self.point)}: {self.reason}"


@dataclasses.dataclass
class Outcome:
    """What a campaign found."""

    table: pandas.DataFrame  #: rows of all points that are finished, in order
    failures: list[Failure]  #: points that are not
    reused: int              #: points that an earlier run had finished
    path: pathlib.Path       #: the CSV file


class Campaign:
    """A study at all combinations of parameters, each with every seed."""

    def __init__(self, study: str | Callable, parameters: Mapping[str, Sequence] | None = None, *,
                 seeds: int | Iterable[int] = 1, fixed: Mapping[str, Any] | None = None):
        """Describes a campaign; nothing runs yet.

        Args:
            study: name of a study in ns3_wormhole.studies; or a function that other processes can
                import, itself or as "module:function", which returns a data frame, dict or number
            parameters: lists of values by name of the study's argument
            seeds: seeds, or a number n for 1 to n
            fixed: further arguments of the study, the same at all points

        Raises:
            WormholeError: if there is no such study or argument, naming the nearest
        """
        self.function, self.name = _resolve(study)
        self.parameters = {name: list(values) if isinstance(values, (list, tuple, range)) else
                           _refuse_values(name, values)
                           for name, values in (parameters or {}).items()}
        self.fixed = dict(fixed or {})
        self.seeds = list(range(1, seeds + 1)) if isinstance(seeds, int) else list(seeds)
        self._check()

    @classmethod
    def from_file(cls, path: str | os.PathLike) -> Campaign:
        """Reads a description, JSON or TOML, with keys study, parameters, seeds and fixed.

        Raises:
            WormholeError: if it is no such file
        """
        path = pathlib.Path(path)
        try:
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".toml":
                import tomllib
                content = tomllib.loads(text)
            else:
                content = json.loads(text)
        except (OSError, ValueError) as error:
            raise WormholeError(f"{path}: {error}; accepted is a JSON or TOML file") from None
        keys = ("study", "parameters", "seeds", "fixed")
        for key in content if isinstance(content, dict) else ():
            if key not in keys:
                raise WormholeError(f"{path}: '{key}': accepted are {', '.join(keys)}"
                                    f"{nearest(key, keys)}")
        if not isinstance(content, dict) or "study" not in content:
            raise WormholeError(f"{path}: the key 'study' is missing; accepted are "
                                f"{', '.join(studies.STUDIES)}")
        try:
            return cls(content.pop("study"), content.pop("parameters", None), **content)
        except WormholeError as error:
            raise WormholeError(f"{path}: {error}") from None

    def _check(self):
        arguments = inspect.signature(self.function).parameters
        takes_all = any(each.kind == each.VAR_KEYWORD for each in arguments.values())
        for name in [*self.parameters, *self.fixed]:
            if name == "seed":
                raise WormholeError("seed is no parameter of a campaign; accepted is seeds=...")
            if name not in arguments and not takes_all:
                raise WormholeError(f"{self.name} has no argument '{name}'"
                                    f"{nearest(name, arguments)}")
            if name in self.parameters and name in self.fixed:
                raise WormholeError(f"'{name}' is both a parameter and fixed; accepted is one")
        if not self.seeds or any(isinstance(seed, bool) or not isinstance(seed, int) or seed < 1
                                 for seed in self.seeds):
            raise WormholeError(f"seeds={self.seeds!r}: accepted are whole numbers from 1 on")
        try:
            json.dumps([self.parameters, self.fixed])
        except TypeError as error:
            raise WormholeError(f"a value can't be written to a file: {error}; accepted are "
                                "numbers, texts and lists; a fabric goes by its file's "
                                "name") from None
        keys = [_key(self.name, self.fixed, point) for point in self.points()]
        if len(set(keys)) < len(keys):
            raise WormholeError("a value or seed is there twice; accepted is each once")

    def points(self) -> list[dict[str, Any]]:
        """Returns the arguments of all points, in order: parameters and seed."""
        names = list(self.parameters)
        return [{**dict(zip(names, values)), "seed": seed}
                for values in itertools.product(*self.parameters.values()) for seed in self.seeds]

    def run(self, path: str | os.PathLike, *, workers: int | None = None,
            dask: str | None = None, progress: bool | None = None,
            patience: float = 60) -> Outcome:
        """Runs all points that are not finished, and writes what is known of all.

        Args:
            path: the CSV file
            workers: processes on this machine; None: one for each core
            dask: address of a Dask scheduler, as "tcp://host:8786", in place of these
            progress: whether to show a bar; None: on a terminal
            patience: for how many seconds a Dask cluster may be without workers, or its scheduler
                silent, until the points that are left are told as failed

        Returns:
            the table, and the points that failed. Failed points are tried again by a later run.

        Raises:
            WormholeError: if an argument is refused, or the file is of another campaign
        """
        path = pathlib.Path(path)
        if path.suffix != ".csv":
            raise WormholeError(f"{path}: accepted is a name that ends in .csv")
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int)
                                    or workers < 1):
            raise WormholeError(f"workers={workers!r}: accepted is a whole number from 1 on")
        if isinstance(patience, bool) or not isinstance(patience, (int, float)) or patience <= 0:
            raise WormholeError(f"patience={patience!r}: accepted is a number of seconds above 0")
        begun = datetime.datetime.now(datetime.timezone.utc)
        with _Journal(path.with_suffix(".points.jsonl"), self) as journal:
            points = {_key(self.name, self.fixed, point): point for point in self.points()}
            todo = {key: point for key, point in points.items() if key not in journal.found}
            reused = len(points) - len(todo)
            failures = {}
            with tqdm.tqdm(total=len(points), initial=reused, unit="point", desc=self.name,
                           disable=None if progress is None else not progress) as bar:
                if dask:
                    from ._dask import Dask
                    runner = Dask(dask, patience)
                else:
                    runner = _Processes(workers or os.cpu_count() or 1)
                for key, kind, result in runner(self.function, self.fixed, todo):
                    if kind == "rows":
                        journal.add(key, points[key], result)
                    else:
                        failures[key] = Failure(points[key], result)
                    bar.update()
            table = self._table(points, journal.found)
        _write_whole(path, table.to_csv(index=False, lineterminator="\n"))
        failed = [failures[key] for key in points if key in failures]
        provenance = self._provenance(begun, failed, len(points), reused, workers, dask)
        _write_whole(path.with_suffix(".provenance.json"), json.dumps(provenance, indent=2) + "\n")
        return Outcome(table, failed, reused, path)

    def _table(self, points, found):
        """Returns the rows of all finished points; columns of the study win over its arguments."""
        rows = []
        for number, (key, point) in enumerate(points.items()):
            for row in found.get(key, ()):
                told = {name: value if isinstance(value, (int, float, str)) else json.dumps(value)
                        for name, value in point.items()}
                rows.append({"point": number, **told, **row})
        return pandas.DataFrame(rows)

    def _provenance(self, begun, failures, points, reused, workers, dask):
        return {"study": self.name, "parameters": self.parameters, "fixed": self.fixed,
                "seeds": self.seeds, "points": points, "reused": reused,
                "finished": points - len(failures),
                "failures": [{"point": each.point, "reason": each.reason} for each in failures],
                "versions": versions(), "machine": platform.platform(),
                "executor": dask or f"{workers or os.cpu_count()} processes",
                "begun": begun.isoformat(timespec="seconds"),
                "seconds": round((datetime.datetime.now(datetime.timezone.utc) - begun)
                                 .total_seconds(), 3)}


def versions() -> dict[str, str]:
    """Returns the versions of what makes the numbers."""
    found = {"python": platform.python_version()}
    for name in ("ns3-wormhole", "ns3", "cppyy", "pandas", "networkx"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


class _Journal:
    """The file of finished points."""

    def __init__(self, path, campaign):
        self.path = path
        self.found = {}
        self._head = {"study": campaign.name, "fixed": campaign.fixed,
                      "version": versions()["ns3-wormhole"]}
        try:
            self._file = open(path, "a+", encoding="utf-8")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WormholeError(f"{path}: another campaign is writing it") from None
        except OSError as error:
            raise WormholeError(f"{path}: {error.strerror}; accepted is a file to write") from None

    def __enter__(self):
        self._file.seek(0)
        lines = self._file.read().split("\n")
        if lines[-1]:  # a line whose writing was interrupted
            self._file.truncate(len("\n".join([*lines[:-1], ""]).encode()))
            self._file.seek(0, os.SEEK_END)
        entries = [json.loads(line) for line in lines[:-1]]
        if not entries:
            self._write(self._head)
        elif entries[0] != self._head:
            raise WormholeError(f"{self.path} is of {entries[0]}, not of {self._head}; accepted is "
                                "another name, or that file removed")
        self.found = {entry["key"]: entry["rows"] for entry in entries[1:]}
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, key, point, rows):
        self.found[key] = rows
        self._write({"key": key, "point": point, "rows": rows})

    def _write(self, entry):
        self._file.write(json.dumps(entry) + "\n")
        self._file.flush()


class _Processes:
    """Runs points in processes of this machine."""

    def __init__(self, workers):
        self._workers = workers
        self._context = multiprocessing.get_context("spawn")

    def __call__(self, function, fixed, todo):
        """Yields key, "rows" or "failure", and the rows or the reason, as points end.

        When a worker dies, its pool does not tell what it was at. So no more points are handed out
        than there are workers, and those then not finished get a process each.
        """
        left = dict(todo)
        while left:
            suspects = yield from self._pool(function, fixed, left)
            for key in suspects:
                yield key, *self._alone(function, fixed, left.pop(key))

    def _pool(self, function, fixed, left):
        """Runs points until none are left, or a worker dies. Returns those that it may have been
        at."""
        pool = futures.ProcessPoolExecutor(min(self._workers, len(left)), self._context, _be_worker)
        running = {}
        waiting = iter(list(left))
        try:
            for key in itertools.islice(waiting, self._workers):
                running[pool.submit(run_point, function, fixed, left[key])] = key
            while running:
                done, _ = futures.wait(running, return_when=futures.FIRST_COMPLETED)
                for future in done:
                    kind, result = future.result()
                    key = running.pop(future)
                    del left[key]
                    yield key, kind, result
                    for new in itertools.islice(waiting, 1):
                        running[pool.submit(run_point, function, fixed, left[new])] = new
        except futures.process.BrokenProcessPool:
            return list(running.values())
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return []

    def _alone(self, function, fixed, point):
        """Runs a point in a process of its own. Returns "rows" or "failure", and these."""
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(target=_send_point, args=(sender, function, fixed, point))
        process.start()
        sender.close()
        try:
            result = receiver.recv()
        except EOFError:
            result = None
        process.join()
        return result or ("failure", f"its worker died: {cause_of(process.exitcode)}")


def run_point(function: Callable, fixed: Mapping, point: Mapping) -> tuple[str, Any]:
    """Runs a point. Returns "rows" and these, or "failure" and the reason."""
    try:
        with _one_at_a_time, no_bars():
            result = function(**fixed, **point)
        if isinstance(result, Mapping):
            result = pandas.DataFrame([result])
        elif not isinstance(result, pandas.DataFrame):
            result = pandas.DataFrame([{"value": result}])
        return "rows", [json.loads(json.dumps(row, default=_plain))
                        for row in result.to_dict("records")]
    except Exception as error:  # whatever it is, it costs this point only
        kind = "" if isinstance(error, WormholeError) else f"{type(error).__name__}: "
        return "failure", kind + " ".join(str(error).split())


def _plain(value):
    """Returns a number of numpy's as one of Python's."""
    return value.item() if hasattr(value, "item") else str(value)


def _send_point(sender, *arguments):
    _be_worker()
    sender.send(run_point(*arguments))


def _be_worker():
    """Ends this process when the one that started it does, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
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


def _resolve(study):
    """Returns a study's function and its name."""
    if isinstance(study, str) and ":" in study:
        module, _, name = study.partition(":")
        sys.path.insert(0, os.getcwd())
        try:
            study = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise WormholeError(f"{module}:{name}: {error}; accepted is module:function") from None
        finally:
            sys.path.pop(0)
    if isinstance(study, str):
        return studies.study(study), study.replace("-", "_")
    if not callable(study):
        raise WormholeError(f"{study!r} is no study; accepted are names and functions")
    if study in studies.STUDIES.values():
        return study, study.__name__
    return study, f"{study.__module__}:{study.__qualname__}"


def _refuse_values(name, values):
    raise WormholeError(f"{name}={values!r}: accepted is a list of values, one for each point")


def _told(point):
    return ", ".join(f"{name}={value!r}" for name, value in point.items())


def _key(study, fixed, point):
    text = json.dumps([study, fixed, point], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _write_whole(path, text):
    """Writes a file, all of it or nothing."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; accepted is a file to write") from None
