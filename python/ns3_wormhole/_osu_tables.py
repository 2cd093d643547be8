# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Reads tables of measurements: benchmarks' plain output, and CSV."""

from __future__ import annotations

import csv
import dataclasses
import pathlib

from . import _csv, _measured_text
from ._measured_text import Table, add, members_of, size_of, value_of
from .errors import WormholeError
from .osu import BENCHMARKS

_MAX_FILE = 2**24  # bytes


def read(text: str, notes: list[str] | None = None) -> list[Table]:
    """Reads the tables of a file.

    Args:
        text: the file's name, with :members=N after it if its processes are N
        notes: gets what was left out, a line each

    Raises:
        WormholeError: for any mistake, naming file, line and value
    """
    path, colon, option = text.rpartition(":members=")
    if not colon:
        path, option = text, ""
    members = members_of(option, text) if colon else None
    try:
        with open(path, "rb") as file:
            raw = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; accepted is a table to read") from None
    if len(raw) > _MAX_FILE:
        raise WormholeError(f"{path}: more than {_MAX_FILE} bytes; accepted are tables of fewer")
    is_csv = _is_csv(path, raw)
    try:
        lines = raw.decode("utf-8-sig", "strict" if is_csv else "replace").splitlines()
    except UnicodeDecodeError as error:
        line = raw[:error.start].count(b"\n") + 1
        raise WormholeError(f"{path}:{line}: no text in UTF-8; accepted is CSV in it") from None
    found = _from_csv(path, lines) if is_csv else \
        _measured_text.read(path, lines, [] if notes is None else notes)
    if members is not None:
        if not any(BENCHMARKS[table.benchmark].kind for table in found):
            raise WormholeError(f"{text}: {found[0].benchmark} is between two processes; accepted are "
                                "members of collectives")
        found = [_with_members(table, members, text) for table in found]
    return found


def _is_csv(path, raw):
    first = next((line for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()), b"")
    return pathlib.PurePath(path).suffix.lower() == ".csv" or first.startswith(b"benchmark,")


def _with_members(table, members, text):
    """Returns a table with its number of processes; one between two processes as it is."""
    if not BENCHMARKS[table.benchmark].kind:
        return table
    if table.members not in (None, members):
        raise WormholeError(f"{text}: the file says {table.members} members; accepted is one of "
                            "both")
    return dataclasses.replace(table, members=members)


def _from_csv(path, lines):
    found, header = {}, None
    try:
        for number, words in enumerate(_csv.rows(lines, strict=True), 1):
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
                raise WormholeError(f"{place}: benchmark {benchmark[:40]!r}; accepted are "
                                    f"{', '.join(BENCHMARKS)}")
            told = row.get("members", "")
            if told and not BENCHMARKS[benchmark].kind:
                raise WormholeError(f"{place}: {told[:40]!r} members of {benchmark}; accepted is "
                                    "none: it is between two processes")
            members = members_of(told, place) if told else None
            if not BENCHMARKS[benchmark].sizes and row["size"] not in ("", "0"):
                raise WormholeError(f"{place}: size {row['size'][:40]!r} of a barrier; accepted is "
                                    "none")
            size = size_of(place, benchmark, row["size"]) if BENCHMARKS[benchmark].sizes else 0
            add(found.setdefault((benchmark, members), {}), size, value_of(place, row["value"]), place)
    except csv.Error as error:
        raise WormholeError(f"{path}: {error}; accepted is CSV") from None
    if not found:
        raise WormholeError(f"{path}: no values; accepted is CSV with the columns "
                            "benchmark,size,value and, if wanted, members")
    return [Table(path, benchmark, tuple(rows.items()), members)
            for (benchmark, members), rows in found.items()]


def _header(place, words):
    names = ["members" if word.strip() in ("nodes", "members") else word.strip() for word in words]
    wanted = ["benchmark", "size", "value"]
    if sorted(names) not in (sorted(wanted), sorted(wanted + ["members"])):
        raise WormholeError(f"{place}: columns {','.join(words)[:80]!r}; accepted are "
                            "benchmark,size,value and, if wanted, members or nodes")
    return names
