# SPDX-License-Identifier: GPL-2.0-only
"""Runs studies over parameters and seeds: on all cores or a Dask cluster, and continues them after an interruption.

A campaign writes NAME.csv, with rows for each point, in the order of points; NAME.points.jsonl, with finished points,
which later runs do not repeat; and NAME.provenance.json, with versions, parameters, seeds and failures.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import importlib
import inspect
import itertools
import json
import math
import os
import pathlib
import platform
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..core import bars, csv_file, plugin, simulation
from ..core.errors import Interrupted, WormholeError, nearest
from ..core.files import Journal, try_file, write_whole
from ..core.loader import pandas
from ..core.workers import Processes, run_point
from . import studies
from .dask_cluster import Dask
from .functions import spelled

_KEYS = ("study", "parameters", "seeds", "fixed")
_LONGEST_FILE = 16 * 2**20  # bytes of a description
_MOST_POINTS = 10**6


@dataclasses.dataclass
class Failure:
    """A point that has no result."""

    point: dict[str, Any]  #: its parameters and seed
    reason: str            #: why

    def __str__(self):
        point = ", ".join(f"{name}={value!r}" for name, value in self.point.items())
        return f"{point}: {self.reason}"


@dataclasses.dataclass
class Outcome:
    """The results of a campaign."""

    table: pandas.DataFrame  #: rows of all points that are finished, in order
    failures: list[Failure]  #: points that are not
    reused: int              #: points that an earlier run had finished
    path: pathlib.Path       #: the CSV file
    strange: list[int]       #: lines of the journal that are none of this campaign


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
        self.parameters = {name: _values(name, values)
                           for name, values in self._named("parameters", parameters).items()}
        self.fixed = self._named("fixed", fixed)
        self.seeds = _seeds(seeds)
        self._check()

    @classmethod
    def from_file(cls, path: str | os.PathLike) -> Campaign:
        """Reads a description, JSON or TOML, with keys study, parameters, seeds and fixed. Raises
        WormholeError if the file is no such description."""
        path = pathlib.Path(path)
        content = _read(path)
        if strange := [key for key in content if key not in _KEYS] if isinstance(content, dict) else ():
            raise WormholeError(f"{path}: {strange[0]!r}: expected {', '.join(_KEYS)}{nearest(strange[0], _KEYS)}")
        if not isinstance(content, dict) or "study" not in content:
            raise WormholeError(f"{path}: the key 'study' is missing; expected "
                                f"{', '.join(studies.STUDIES)}")
        try:
            if not isinstance(content["study"], str):
                raise WormholeError(f"study={content['study']!r}: expected "
                                    f"{', '.join(studies.STUDIES)}, and module:function")
            for key in ("parameters", "fixed"):
                if not isinstance(content.get(key, {}), dict):
                    raise WormholeError(f"{key}={content[key]!r}: expected an object, as "
                                        '{"hosts": ...}')
            return cls(content.pop("study"), content.pop("parameters", None), **content)
        except WormholeError as error:
            raise WormholeError(f"{path}: {error}") from None

    def _named(self, what, given):
        """Returns arguments by the study's names for them."""
        given = {} if given is None else given
        if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
            raise WormholeError(f"{what}={given!r}: expected values by name of the study's "
                                "argument")
        known = inspect.signature(self.function).parameters
        named = {spelled(name, known, getattr(self.function, "aliases", {})): value for name, value in given.items()}
        if len(named) < len(given):
            raise WormholeError(f"{what}: an argument is there in two spellings; expected each "
                                "once")
        return named

    def _check(self):
        arguments = inspect.signature(self.function).parameters
        takes_all = any(each.kind == each.VAR_KEYWORD for each in arguments.values())
        for name in [*self.parameters, *self.fixed]:
            if name == "seed":
                raise WormholeError("seed is no parameter of a campaign; expected seeds=...")
            if name not in arguments and not takes_all:
                raise WormholeError(f"{self.name} has no argument '{name}'"
                                    f"{nearest(name, arguments)}")
            if name in self.parameters and name in self.fixed:
                raise WormholeError(f"'{name}' is both a parameter and fixed; expected one")
        if "seed" not in arguments and not takes_all and self.seeds != [1]:
            raise WormholeError(f"seeds={self.seeds!r}: {self.name} has no random numbers; expected 1")
        count = math.prod(map(len, self.parameters.values())) * len(self.seeds)
        if count > _MOST_POINTS:
            raise WormholeError(f"{count} points; expected up to {_MOST_POINTS}")
        try:
            json.dumps([self.parameters, self.fixed], ensure_ascii=False).encode("utf-8")
        except (TypeError, ValueError, RecursionError) as error:
            raise WormholeError(f"a value can't be written to a file: {error}; expected "
                                "numbers, texts and lists; a fabric goes by its file's "
                                "name") from None
        for name, values in {**self.parameters, "seeds": self.seeds}.items():
            if len({json.dumps(each, sort_keys=True) for each in values}) < len(values):
                raise WormholeError(f"{name}={values!r}: a value or seed is there twice; expected each once")

    def points(self) -> list[dict[str, Any]]:
        """Returns the arguments of all points, in order: parameters, and seed if there is one."""
        arguments = inspect.signature(self.function).parameters.values()
        points = [dict(zip(self.parameters, values)) for values in itertools.product(*self.parameters.values())]
        if not any(each.name == "seed" or each.kind == each.VAR_KEYWORD for each in arguments):
            return points
        return [{**point, "seed": seed} for point in points for seed in self.seeds]

    def run(self, path: str | os.PathLike, *, workers: int | None = None,
            dask: str | None = None, progress: bool | None = None,
            patience: float = 60) -> Outcome:
        """Runs all unfinished points, and writes the results of all points.

        Args:
            path: the CSV file
            workers: processes on this machine; None: one for each core
            dask: address of a Dask scheduler, such as "tcp://host:8786", to use instead of local processes
            progress: whether to show a bar; None: on a terminal
            patience: for how many seconds a Dask cluster may be without workers, or its scheduler
                may be silent, before the remaining points are reported as failed

        Returns:
            the table, and the points that failed. Failed points are tried again by a later run.

        Raises:
            WormholeError: before anything runs, if an argument is refused, or a file can't be written, is
                being written by another program, or belongs to another campaign
            KeyboardInterrupt: stating how many points are done and how many remain
        """
        path = pathlib.Path(path)
        if path.suffix != ".csv":
            raise WormholeError(f"{path}: expected a name that ends in .csv")
        if workers is not None and (type(workers) is not int or workers < 1):
            raise WormholeError(f"workers={workers!r}: expected a whole number from 1 on")
        if isinstance(patience, bool) or not isinstance(patience, (int, float)) or patience <= 0:
            raise WormholeError(f"patience={patience!r}: expected a number of seconds above 0")
        begun = datetime.datetime.now(datetime.timezone.utc)
        provenance = path.with_suffix(".provenance.json")
        for file in (path, provenance):
            try_file(file)
        points = {_key(self.name, self.fixed, point): point for point in self.points()}
        head = {"study": self.name, "fixed": self.fixed, "version": versions()["ns3-wormhole"]}
        if changed := simulation.defaults():
            head["defaults"] = changed
        if loaded := plugin.loaded():
            head["plugins"] = [pathlib.Path(each).name for each in loaded]
        with Journal(path.with_suffix(".points.jsonl"), head, points) as journal:
            todo = {key: point for key, point in points.items() if key not in journal.found}
            reused, failures = len(points) - len(todo), {}
            runner = Dask(dask, patience) if dask else Processes(workers or os.cpu_count() or 1)
            try:
                with bars.made(self.name, progress, total=len(points), initial=reused, unit="point") as bar, \
                        contextlib.closing(runner(self.function, self.fixed, todo)) as results:
                    for key, kind, result in results:
                        if kind == "rows":
                            journal.add(key, points[key], result)
                        else:
                            failures[key] = Failure(points[key], result)
                        bar.update()
            except KeyboardInterrupt:
                done = len(journal.found)
                raise Interrupted(f"{done} of {len(points)} points are done and kept in "
                                  f"{journal.path}; the same again does the {len(points) - done} "
                                  "that are left") from None
            # Within the lock, so that of two campaigns each leaves files that belong together.
            table = self._table(points, journal.found)
            csv_file.save(path, table)
            failed = [failures[key] for key in points if key in failures]
            told = self._provenance(begun, failed, len(points), reused, workers, dask)
            write_whole(provenance, json.dumps(told, indent=2) + "\n")
        return Outcome(table, failed, reused, path, journal.strange)

    def _table(self, points, found):
        def told(point):
            return {name: value if isinstance(value, (int, float, str)) else json.dumps(value)
                    for name, value in point.items()}
        return pandas.DataFrame([{"point": number, **told(point), **row}
                                 for number, (key, point) in enumerate(points.items()) for row in found.get(key, ())])

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
    """Returns the versions of all software that affects results."""
    import importlib.metadata  # which takes a while
    found = {"python": platform.python_version()}
    for name in ("ns3-wormhole", "ns3", "cppyy", "pandas", "networkx"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _resolve(study):
    if isinstance(study, str) and ":" in study:
        module, _, name = study.partition(":")
        sys.path.insert(0, os.getcwd())
        try:
            study = getattr(importlib.import_module(module), name)
        except Exception as error:  # whatever a module of someone's raises
            raise WormholeError(f"{module}:{name}: {' '.join(str(error).split())}; expected "
                                "module:function") from None
        finally:
            sys.path.pop(0)
    elif isinstance(study, str):
        return studies.study(study), study.replace("-", "_")
    if not callable(study):
        raise WormholeError(f"{str(study)[:80]!r} is no study; expected names and functions")
    if study in studies.STUDIES.values():
        return study, study.__name__
    return study, f"{study.__module__}:{study.__qualname__}"


def _read(path):
    try:
        with open(path, "rb") as file:
            content = file.read(_LONGEST_FILE + 1)
        if len(content) > _LONGEST_FILE:
            raise ValueError(f"longer than {_LONGEST_FILE} bytes")
        text = content.decode("utf-8")
        if path.suffix == ".toml":
            import tomllib
            return tomllib.loads(text)
        return json.loads(text, object_pairs_hook=_object)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; expected a JSON or TOML file") from None
    except (ValueError, RecursionError) as error:
        raise WormholeError(f"{path}: {error}; expected a JSON or TOML file") from None


def _object(pairs):
    made = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key {key!r} is there twice")
        made[key] = value
    return made


def _values(name, values):
    if not isinstance(values, (list, tuple, range)):
        raise WormholeError(f"{name}={values!r}: expected a list of values, one for each point")
    if not values:
        raise WormholeError(f"{name}=[] leaves nothing to run; expected a list of values, one for each point")
    return list(values)


def _seeds(seeds):
    accepted = f"expected a whole number from 1 to {_MOST_POINTS}, or a list of whole numbers " \
               "from 1 on"
    if type(seeds) is int and 1 <= seeds <= _MOST_POINTS:
        return list(range(1, seeds + 1))
    if isinstance(seeds, (str, bytes, Mapping)) or not isinstance(seeds, Iterable):
        raise WormholeError(f"seeds={seeds!r}: {accepted}")
    seeds = list(seeds)
    if not seeds or any(type(seed) is not int or seed < 1 for seed in seeds):
        raise WormholeError(f"seeds={seeds!r}: {accepted}")
    return seeds


def _key(study, fixed, point):
    return hashlib.sha256(json.dumps([study, fixed, point], sort_keys=True).encode()).hexdigest()[:16]
