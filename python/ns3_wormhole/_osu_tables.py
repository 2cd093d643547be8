# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Reads tables of measurements: the OSU micro benchmarks' plain output, and CSV."""

from __future__ import annotations

import csv
import dataclasses
import pathlib
import re

from . import _checks as checks
from .errors import WormholeError
from .osu import BENCHMARKS, MAX_BYTES

_TITLES = {each.title: each.name for each in BENCHMARKS.values()}
_TITLE = re.compile(r"#\s*OSU\s+MPI\s+(.+?)\s+Test\b")
_COLUMNS = re.compile(r"#.*(\(us\)|\(MB/s\))")
_MAX_FILE = 2**24  # bytes


@dataclasses.dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        path: where it stands
        benchmark: latency, bw and the like, see osu.BENCHMARKS
        rows: length in bytes (0 for a barrier) and value (us, or MB/s), in the file's order
        members: number of processes; None: not told
    """

    path: str
    benchmark: str
    rows: tuple[tuple[int, float], ...]
    members: int | None = None

    @property
    def label(self) -> str:
        """What it is called in results."""
        return self.benchmark + (f" ({self.members} members)" if self.members else "")


def read(text: str) -> list[Table]:
    """Reads the tables of a file.

    Args:
        text: the file's name, with :members=N after it if its processes are N

    Raises:
        WormholeError: for any mistake, naming file, line and value
    """
    path, colon, option = text.rpartition(":members=")
    if not colon:
        path, option = text, ""
    members = _members(option, text) if colon else None
    try:
        with open(path, "rb") as file:
            raw = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; accepted is a table to read") from None
    if len(raw) > _MAX_FILE:
        raise WormholeError(f"{path}: more than {_MAX_FILE} bytes; accepted are tables of fewer")
    try:
        lines = raw.decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        line = raw[:error.start].count(b"\n") + 1
        raise WormholeError(f"{path}:{line}: no text in UTF-8; accepted is the benchmarks' plain "
                            "output or CSV") from None
    found = _csv(path, lines) if _is_csv(path, lines) else [_plain(path, lines)]
    if members is not None:
        found = [dataclasses.replace(table, members=members) for table in found
                 if _agrees(table, members, text)]
    return found


def _is_csv(path, lines):
    first = next((line for line in lines if line.strip()), "")
    return pathlib.PurePath(path).suffix.lower() == ".csv" or first.startswith("benchmark,")


def _agrees(table, members, text):
    if table.members not in (None, members):
        raise WormholeError(f"{text}: the file says {table.members} members; accepted is one of "
                            "both")
    if table.benchmark in ("latency", "bw"):
        raise WormholeError(f"{text}: {table.benchmark} is between two processes; accepted are "
                            "members of collectives")
    return True


def _members(text, place):
    members = checks.parse_whole(text, 1, 2**20)
    if members is None:
        raise WormholeError(f"{place}: {checks.shown(text)} members; accepted is a whole number from "
                            f"1 to {2**20}")
    return members


def _plain(path, lines):
    benchmark, rows = None, []
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        if match := _TITLE.match(line.strip()):
            if benchmark is not None:
                raise WormholeError(f"{place}: a second table; accepted is one in a file")
            if match[1] not in _TITLES:
                raise WormholeError(f"{place}: benchmark {match[1]!r}; accepted are "
                                    f"{', '.join(_TITLES)}")
            benchmark = _TITLES[match[1]]
            continue
        if not line.strip() or line.lstrip().startswith("#"):
            if benchmark and (unit := _COLUMNS.match(line.strip())):
                _check_unit(place, benchmark, unit[1])
            continue
        if benchmark is None:
            raise WormholeError(f"{place}: {line.strip()[:60]!r} before a title; accepted is "
                                "'# OSU MPI ... Test', or CSV with the columns "
                                "benchmark,size,value")
        _add(rows, _row(place, benchmark, line.split()), place)
    if not rows:
        raise WormholeError(f"{path}: no values; accepted is the plain output of osu_latency, "
                            "osu_bw, osu_barrier, osu_bcast, osu_allreduce and the like, or CSV")
    return Table(path, benchmark, tuple(rows))


def _check_unit(place, benchmark, unit):
    wanted = "(MB/s)" if benchmark == "bw" else "(us)"
    if unit != wanted:
        raise WormholeError(f"{place}: {unit} in a table of {benchmark}; accepted is {wanted}")


def _row(place, benchmark, words):
    """Returns length and value; what other columns have is passed over."""
    sized = bool(BENCHMARKS[benchmark].sizes)
    if len(words) < 1 + sized:
        raise WormholeError(f"{place}: {' '.join(words)!r}; accepted are a length and a value")
    size = _size(place, benchmark, words[0]) if sized else 0
    return size, _value(place, words[sized])


def _size(place, benchmark, text):
    limit = MAX_BYTES
    least = 1 if BENCHMARKS[benchmark].moves_data else 0
    size = checks.parse_whole(text, least, limit)
    if size is None:
        raise WormholeError(f"{place}: size {text[:40]!r}; accepted for {benchmark} are {least} to "
                            f"{limit} bytes")
    if benchmark == "bw" and size == 0:
        raise WormholeError(f"{place}: size '0'; accepted for bw are 1 to {limit} bytes")
    return size


def _value(place, text):
    value = checks.parse_number(text)
    if value is None or not 0 < value < 1e12:
        raise WormholeError(f"{place}: value {text[:40]!r}; accepted is a number above 0, up to "
                            "1e12")
    return value


def _add(rows, row, place):
    if any(size == row[0] for size, _ in rows):
        raise WormholeError(f"{place}: size {row[0]} again; accepted is each once")
    rows.append(row)


def _csv(path, lines):
    found, header = {}, None
    try:
        for number, words in enumerate(csv.reader(lines, strict=True), 1):
            place = f"{path}:{number}"
            if not words:
                continue
            if header is None:
                header = _header(place, words)
                continue
            if len(words) != len(header):
                raise WormholeError(f"{place}: {len(words)} values; accepted are {len(header)}: "
                                    f"{','.join(header)}")
            row = dict(zip(header, (word.strip() for word in words)))
            benchmark = row["benchmark"].removeprefix("osu_")
            if benchmark not in BENCHMARKS:
                raise WormholeError(f"{place}: benchmark {benchmark!r}; accepted are "
                                    f"{', '.join(BENCHMARKS)}")
            told = row.get("members", "")
            if told and not BENCHMARKS[benchmark].kind:
                raise WormholeError(f"{place}: {told[:40]!r} members of {benchmark}; accepted is "
                                    "none: it is between two processes")
            members = _members(told, place) if told else None
            if not BENCHMARKS[benchmark].sizes and row["size"] not in ("", "0"):
                raise WormholeError(f"{place}: size {row['size'][:40]!r} of a barrier; accepted is "
                                    "none")
            size = _size(place, benchmark, row["size"]) if BENCHMARKS[benchmark].sizes else 0
            _add(found.setdefault((benchmark, members), []), (size, _value(place, row["value"])),
                 place)
    except csv.Error as error:
        raise WormholeError(f"{path}: {error}; accepted is CSV") from None
    if not found:
        raise WormholeError(f"{path}: no values; accepted is CSV with the columns "
                            "benchmark,size,value and, if wanted, members")
    return [Table(path, benchmark, tuple(rows), members)
            for (benchmark, members), rows in found.items()]


def _header(place, words):
    names = ["members" if word.strip() in ("nodes", "members") else word.strip() for word in words]
    wanted = ["benchmark", "size", "value"]
    if sorted(names) not in (sorted(wanted), sorted(wanted + ["members"])):
        raise WormholeError(f"{place}: columns {','.join(words)[:80]!r}; accepted are "
                            "benchmark,size,value and, if wanted, members or nodes")
    return names
