# SPDX-License-Identifier: GPL-2.0-only
"""Reads tables of measurements: CSV, or output of the OSU micro benchmarks, the Intel MPI benchmarks (IMB) and
netgauge (including LogGP parameters), also within a job's whole output. A table begins with its title and ends
at the first line that is no row. All other text is skipped, and reported in notes."""

import csv
import dataclasses
import math
import pathlib
import re
from typing import Iterable

from ..core import arguments, csv_file
from ..core.errors import WormholeError
from .osu import BENCHMARKS, MAX_BYTES, MEASURED, STATISTICS

_MAX_FILE = 2**24  # bytes
_MAX_MEMBERS = 2**20
_SHOWN = 60  # characters of a line in a message
_TITLE = 300  # characters in which a title is looked for
_LONGEST_LATENCY = 200  # us, of the shortest message; beyond it a table may be in another unit
# What looks like a number, right or wrong: a line that begins with two of these is meant as a row.
_LIKE_NUMBER = re.compile(r"[+-]?(0x[0-9a-f_]+|\.?[0-9][0-9_.,]*(e[+-]?[0-9_]+)?|nan|inf(inity)?)", re.ASCII | re.I)
# What launchers put before each line: srun --label, mpirun --tag-output.
_TAG = re.compile(r"\s*(\[[0-9]+,\s?[0-9]+\]<std(out|err)>:|[0-9]+:\s)")
_OSU = re.compile(r"#\s*OSU\s+(?P<library>[A-Za-z]+)(?P<memory>-[A-Z]+(\s+MANAGED)?)?\s+(?P<title>.+?)"
                  r"\s+Test\b", re.I)
_IMB = re.compile(r"#\s*Benchmarking\s+(?P<title>\S+)")
_IMB_MEMBERS = re.compile(r"#\s*#processes\s*=\s*(?P<members>[0-9]{1,9})\b")
_NETGAUGE = re.compile(r"##\s*Netgauge\s+v\S+")
_NETGAUGE_LETTER = re.compile(r"##\s*(?P<letter>[A-Z])\.\.\.median RTT/2")
_NETGAUGE_LOGGP = re.compile(r"#\s*size\s+n\s+PRTT\(1,0,s\)\s")
_NETGAUGE_ROW = re.compile(r"(?P<size>[0-9]+) bytes\s+->\s+(?P<time>\S+) us\s+==\s+\S+ Mbit/s")
_NETGAUGE_SUMMARY = re.compile(r"L=\S+\s+s=[0-9]+\s+o_s=\S+\s+o_r=")
_IMB_NAMES = {"PingPong": "latency", "Barrier": "barrier", "Bcast": "bcast", "Allreduce": "allreduce",
              "Reduce": "reduce", "Reduce_scatter": "reduce_scatter", "Allgather": "allgather",
              "Gather": "gather", "Scatter": "scatter", "Alltoall": "alltoall"}
_FAILED = "fail"
# Columns of CSV files without a benchmark's name, what they are of, and the factor of their values.
_COLUMNS = {"median": ("latency", 1.0), "latency": ("latency", 1.0), "bw": ("bw", 1.0),
            "PRTT1_us": ("latency", 0.5), "gap_us": ("gap", 1.0), "o_s_us": ("o_s", 1.0), "o_r_us": ("o_r", 1.0)}
_LOW, _HIGH = ("p10", "min"), ("p90", "max")  # columns of what single values scatter between


def _plain(title):
    """Returns the part of a title that is the same in all versions."""
    return re.sub(r"[\s_-]+", " ", title).lower()


_TITLES = {_plain(each.title): each.name for each in BENCHMARKS.values()}


@dataclasses.dataclass(frozen=True)
class Table:
    """A table."""

    path: str  #: where it stands
    benchmark: str  #: latency, bw and the like, see osu.BENCHMARKS
    #: length in bytes (0 for a barrier) and value (us, or MB/s), in the file's order
    rows: tuple[tuple[int, float], ...]
    members: int | None = None  #: number of processes; None: not told
    #: by length, between what single values scatter: 10th percentile or minimum, and 90th percentile
    #: or maximum; NaN: not told
    spread: dict[int, tuple[float, float]] = dataclasses.field(default_factory=dict)
    algorithm: str = ""  #: of a collective; empty: not told
    statistic: str = "mean"  #: of members' times, one of osu.STATISTICS
    place: str = dataclasses.field(default="", compare=False)  #: file and line at which it begins
    has_statistic: bool = True  #: whether the file tells it of all rows, or the benchmark has but one

    @property
    def label(self) -> str:
        """The table's name in results."""
        return " by ".join(filter(None, (self.benchmark, self.algorithm))) \
            + (f" ({self.members} members)" if self.members else "")


def size_of(place: str, benchmark: str, text: str) -> int:
    """Returns a length in bytes; refuses other texts."""
    least = 1 if MEASURED[benchmark].moves_data or benchmark == "bw" else 0
    if (size := arguments.parse_whole(text, least, MAX_BYTES)) is None:
        raise WormholeError(f"{place}: size {text[:40]!r}; expected for {benchmark}: {least} to {MAX_BYTES} bytes")
    return size


def value_of(place: str, text: str) -> float:
    """Returns a value, or refuses it."""
    value = arguments.parse_number(text)
    if value is None or not 0 < value < 1e12:
        raise WormholeError(f"{place}: value {text[:40]!r}; expected a number above 0, up to "
                            "1e12")
    return value


def members_of(text: str, place: str) -> int:
    """Returns a number of processes, or refuses it."""
    if (members := arguments.parse_whole(text, 2, _MAX_MEMBERS)) is None:
        raise WormholeError(f"{place}: {text[:40]!r} members; expected a whole number from 2 to {_MAX_MEMBERS}")
    return members


def add(rows: dict[int, float], size: int, value: float, place: str) -> None:
    """Adds a row; refuses a second value for a length."""
    if size in rows:
        raise WormholeError(f"{place}: size {size} again; expected each once")
    rows[size] = value


class _Open:
    """A table that is being read."""

    def __init__(self, place: str, title: str, benchmark: str | None, tool: str):
        """Takes the place where the table begins, and its benchmark; None: it can't be simulated."""
        self.place, self.title, self.benchmark, self.tool = place, title, benchmark, tool
        self.rows: dict[int, float] = {}
        self.members: int | None = None
        self.has_rows, sized = False, benchmark is None or bool(BENCHMARKS[benchmark].sizes)
        self.at, self.columns = int(sized), 1 + int(sized)  # column of the value, and how many there are
        self.verdict: int | None = None  # column that tells how many values were wrong
        self.scale = 1.0
        self.loggp: dict[str, dict[int, float]] = {}  # other tables of netgauge's loggp
        self.names: list[str] = []  # of its columns

    def head(self, place: str, line: str) -> None:
        """Takes a comment line, which names the columns or the number of processes."""
        if self.tool == "OSU":
            found = re.findall(r"\(([^()\s]+)\)", line) if re.match(r"#\s*(Size|Avg)\b", line, re.I) else []
            if found and not self.has_rows and self.benchmark:
                wanted = ("MB/s",) if self.benchmark == "bw" else ("us", "usec")
                if found[0] not in wanted:
                    raise WormholeError(f"{place}: ({found[0][:40]}) in a table of {self.benchmark}; "
                                        f"expected ({wanted[0]})")
                self.columns = int(bool(BENCHMARKS[self.benchmark].sizes)) + sum(unit in wanted for unit in found)
        elif self.tool == "IMB":
            if self.benchmark and (match := _IMB_MEMBERS.match(line)):
                if int(match["members"]) == 1:
                    self.benchmark = None  # one process sends nothing
                else:
                    self.members = members_of(match["members"], place)
            names = line.lstrip("# ").split()
            if name := next((each for each in ("t_avg[usec]", "t[usec]") if each in names), None):
                self.at, self.columns = names.index(name), len(names)
                self.verdict = names.index("defects") if "defects" in names else None
        elif match := _NETGAUGE_LETTER.match(line):
            self.at, self.benchmark = ord(match["letter"]) - ord("A"), "latency"


def _shown(line):
    return repr(line if len(line) <= _SHOWN else line[:_SHOWN] + "...")


class _Reader:
    """Reads a file line by line."""

    def __init__(self, path: str, notes: list[str]):
        self._path, self._notes = path, notes
        self.tables: list[Table] = []
        self._open: _Open | None = None
        self._first: tuple[str, str] | None = None  # line outside of tables
        self._outside = self._lost = 0
        self._has_summary = False  # of netgauge, which comes for each length
        self._unknown: list[tuple[str, str]] = []
        self._failed, self._empty = [], []  # places

    def read(self, lines: Iterable[str]) -> list[Table]:
        """Returns the tables of a file, and adds notes."""
        for number, line in enumerate(lines, 1):
            tagged = _TAG.match(line)
            self._line(f"{self._path}:{number}", (line[tagged.end():] if tagged else line).strip())
        self._close()
        self._check()
        return self.tables

    def _line(self, place, line):
        if found := self._title(place, line[:_TITLE]):
            self._close()
            self._open = found
            if found.tool != "netgauge's terminal":
                return
        table = self._open
        if not line:
            return
        if table is None:
            self._pass(place, line)
        elif line.startswith("#"):
            table.head(place, line)
        elif not self._is_row(table, line):
            if table.has_rows:
                self._notes.append(f"{place}: the table of {table.title} ends here, at {_shown(line)}")
                self._close()
            self._pass(place, line)
        else:
            table.has_rows = True
            if table.benchmark is not None:
                self._row(table, place, line)

    def _title(self, place, line) -> _Open | None:
        if match := _OSU.match(line):
            name, title = _TITLES.get(_plain(match["title"])), match["title"]
            if match["library"].upper() != "MPI":
                name, title = None, f"{match['library']} {title}"
            if name and match["memory"]:
                self._notes.append(f"{place}: {title} of {match['memory'][1:]}: what copies to and from such "
                           "memory cost is in the values")
            return _Open(place, title, name, "OSU")
        if match := _IMB.match(line):
            return _Open(place, match["title"], _IMB_NAMES.get(match["title"]), "IMB")
        if _NETGAUGE.match(line):
            return _Open(place, "netgauge", None, "netgauge")
        if _NETGAUGE_LOGGP.match(line):
            found = _Open(place, "netgauge's loggp", "latency", "netgauge")
            found.at, found.columns, found.scale = 2, len(line.split()) - 1, 0.5
            found.names = line.split()[1:]
            return found
        if _NETGAUGE_ROW.match(line) and (self._open is None or self._open.tool != "netgauge's terminal"):
            return _Open(place, "netgauge's one_one", "latency", "netgauge's terminal")
        if _NETGAUGE_SUMMARY.match(line) and not self._has_summary:
            self._has_summary = True
            self._unknown.append((place, "loggp on netgauge's terminal, whose output file (-o) has times"))
        return None

    @staticmethod
    def _is_row(table, line):
        if table.tool == "netgauge's terminal":
            return _NETGAUGE_ROW.match(line) is not None
        words = line.split()
        if not _LIKE_NUMBER.fullmatch(words[0]):
            return False
        if len(words) == 1 or words[1] == "-" or _LIKE_NUMBER.fullmatch(words[1]):
            return True
        # A length that is due, with what is no number; and no text that begins with one.
        return len(words) == table.columns and words[0].isdecimal() and len(words[0]) <= 12 \
            and int(words[0]) > max(table.rows, default=-1)

    def _row(self, table, place, line):
        benchmark = table.benchmark
        if table.tool == "netgauge's terminal":
            match = _NETGAUGE_ROW.match(line)
            size, text = match["size"], match["time"]
        else:
            words = line.split()
            if table.tool == "netgauge":
                words = [word for word in re.sub(r"[()]", " ", line).split() if word != "-"]
            if len(words) <= table.at:
                what = "a length and a value" if BENCHMARKS[benchmark].sizes else "a value"
                raise WormholeError(f"{place}: {_shown(line)}; expected {what}")
            size, text = words[0], words[table.at]
            wrong = words[-1].lower() == _FAILED if table.verdict is None else len(words) <= table.verdict \
                or arguments.parse_number(words[table.verdict]) != 0
            if wrong:
                self._failed.append(place)
                return
        if table.tool == "IMB" and size == "0" and BENCHMARKS[benchmark].kind and BENCHMARKS[benchmark].sizes:
            self._empty.append(place)
            return
        size = size_of(place, benchmark, size) if BENCHMARKS[benchmark].sizes else 0
        value = value_of(place, text) * table.scale
        if table.tool == "netgauge" and table.rows.get(size) == value:
            return  # said again where the protocol changes
        add(table.rows, size, value, place)
        if table.names:
            told = {name: arguments.parse_number(word) for name, word in zip(table.names, words)}
            one, train, count = (told.get(name) for name in ("PRTT(1,0,s)", "PRTT(n,0,s)", "n"))
            if None not in (one, train, count) and count > 1:
                told["gap"] = (train - one) / (count - 1)
            for name in ("gap", "o_s", "o_r"):
                if (told.get(name) or 0) > 0:
                    table.loggp.setdefault(name, {})[size] = told[name]

    def _pass(self, place, line):
        if line.startswith("#"):
            return
        self._outside += 1
        if any(each.isalnum() for each in line):
            self._first = self._first or (place, line)
        words = line.split()
        if len(words) > 1 and all(_LIKE_NUMBER.fullmatch(word) for word in words[:2]):
            self._lost += 1

    def _close(self):
        table, self._open = self._open, None
        if table is None:
            return
        if table.benchmark is None:
            self._unknown.append((table.place, table.title))
        elif table.rows:
            members = table.members if BENCHMARKS[table.benchmark].kind else None
            self.tables.append(Table(self._path, table.benchmark, tuple(table.rows.items()), members,
                                     place=table.place))
            if table.benchmark == "latency" and (least := min(table.rows.values())) > _LONGEST_LATENCY:
                self._notes.append(f"{table.place}: latencies from {least:g} us on; tables of latencies are in us")
            self.tables += [Table(self._path, name, tuple(rows.items())) for name, rows in table.loggp.items()]
        else:
            self._notes.append(f"{table.place}: the table of {table.title} has no values")

    def _check(self):
        """Notes what was left out, and refuses a file without a table."""
        if not self.tables:
            accepted = "the plain output of " + ", ".join(f"osu_{name}" for name in BENCHMARKS) + \
                ", of IMB-MPI1 or netgauge, or CSV"
            if self._failed:
                raise WormholeError(f"{self._failed[0]}: no values but {len(self._failed)} whose validation "
                                    f"failed; expected {accepted}")
            if self._unknown:
                place, title = self._unknown[0]
                raise WormholeError(f"{place}: benchmark {title[:2 * _SHOWN]!r}; expected "
                                    f"{', '.join(each.title for each in BENCHMARKS.values())}, and IMB's "
                                    f"{', '.join(_IMB_NAMES)}")
            if self._first and not self._notes:
                place, line = self._first
                raise WormholeError(f"{place}: {_shown(line)} before a title; expected '# OSU MPI ... "
                                    "Test', IMB's '# Benchmarking', or CSV with the columns "
                                    "benchmark,size,value")
            raise WormholeError(f"{self._path}: no values; expected {accepted}")
        for places, what in ((self._failed, "value{s} whose validation failed"),
                             (self._empty, "value{s} of 0 bytes, for which nothing is sent")):
            if places:
                self._notes.append(f"{places[0]}: {len(places)} " + what.format(s="s" * (len(places) > 1))
                           + " left out, the first here")
        for place, title in self._unknown:
            self._notes.append(f"{place}: a table of {title[:2 * _SHOWN]} left out: it is not simulated")
        if self._first:
            self._notes.append(f"{self._first[0]}: {self._outside} line{'s' * (self._outside > 1)} outside of "
                       f"tables passed over, the first here"
                       + (f"; {self._lost} look like rows" if self._lost else ""))


def read(text: str, notes: list[str] | None = None) -> list[Table]:
    """Reads the tables of a file. text: its name, and :members=N if N processes ran it; notes: gets a line for each
    thing left out. Raises WormholeError for any mistake, naming file, line and value."""
    path, colon, option = text.rpartition(":members=")
    path, members = (path, members_of(option, text)) if colon else (text, None)
    try:
        with open(path, "rb") as file:
            raw = file.read(_MAX_FILE + 1)
    except OSError as error:
        raise WormholeError(f"{path}: {error.strerror}; expected a table to read") from None
    if len(raw) > _MAX_FILE:
        raise WormholeError(f"{path}: more than {_MAX_FILE} bytes; expected tables of fewer")
    first = next((line for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()), b"")
    is_csv = pathlib.PurePath(path).suffix.lower() == ".csv" or first.startswith(b"benchmark,")
    try:
        # Windows' shells write what they redirect in UTF-16.
        lines = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig",
                           "strict" if is_csv else "replace").splitlines()
    except UnicodeDecodeError as error:
        line = raw[:error.start].count(b"\n") + 1
        raise WormholeError(f"{path}:{line}: no text in UTF-8; expected CSV in it") from None
    found = _from_csv(path, lines) if is_csv else \
        _Reader(path, [] if notes is None else notes).read(lines)
    if members is not None:
        if not any(MEASURED[table.benchmark].kind for table in found):
            raise WormholeError(f"{text}: {found[0].benchmark} is between two processes; expected "
                                "members of collectives")
        found = [_with_members(table, members, text) for table in found]
    return found


def _with_members(table, members, text):
    if not MEASURED[table.benchmark].kind:
        return table
    if table.members not in (None, members):
        raise WormholeError(f"{text}: the file says {table.members} members; expected one of both")
    return dataclasses.replace(table, members=members)


def _from_csv(path, lines):
    found, header, lacking = {}, None, set()
    try:
        for number, words in enumerate(csv_file.rows(lines, strict=True), 1):
            place = f"{path}:{number}"
            if not words:
                continue
            if header is None:
                header = _header(place, words)
                continue
            if len(words) != len(header):
                raise WormholeError(f"{place}: {len(words)} values; expected {len(header)}: "
                                    f"{','.join(header)}")
            row = dict(zip(header, (word.strip() for word in words)))
            named = "benchmark" in row
            for column, (benchmark, scale) in {"value": (row["benchmark"].removeprefix("osu_"), 1.0)}.items() \
                    if named else _COLUMNS.items():
                if column not in row or not named and not row[column]:
                    continue
                members = _members(place, benchmark, row)
                size = size_of(place, benchmark, row["size"]) if MEASURED[benchmark].sizes else 0
                how = _how(place, benchmark, row)
                if MEASURED[benchmark].kind and not row.get("statistic"):
                    lacking.add((benchmark, members, *how))
                rows, spread, _ = found.setdefault((benchmark, members, *how), ({}, {}, place))
                add(rows, size, scale * value_of(place, row[column]), place)
                ends = [next((value_of(place, row[name]) for name in names if row.get(name)), math.nan)
                        for names in (_LOW, _HIGH)]
                if ends[0] > ends[1]:
                    raise WormholeError(f"{place}: {ends[0]:g} is above {ends[1]:g}; expected the lower end of the "
                                        "scatter first")
                if column in ("value", "median", "latency") and ends[0] == ends[0]:
                    spread[size] = (ends[0], ends[1])
    except csv.Error as error:
        raise WormholeError(f"{path}: {error}; expected CSV") from None
    if not found:
        raise WormholeError(f"{path}: no values; expected CSV with the columns "
                            "benchmark,size,value and, if wanted, members")
    return [Table(path, benchmark, tuple(rows.items()), members, spread, *how, place,
                  (benchmark, members, *how) not in lacking)
            for (benchmark, members, *how), (rows, spread, place) in found.items()]


def _how(place, benchmark, row):
    algorithm, statistic = row.get("algorithm", ""), row.get("statistic") or "mean"
    if algorithm and not MEASURED[benchmark].kind:
        raise WormholeError(f"{place}: algorithm {algorithm[:40]!r} of {benchmark}; expected none: it is "
                            "between two processes")
    if statistic not in STATISTICS:
        raise WormholeError(f"{place}: statistic {statistic[:40]!r}; expected {', '.join(STATISTICS)}")
    return algorithm, statistic


def _members(place, benchmark, row):
    if benchmark not in MEASURED:
        raise WormholeError(f"{place}: benchmark {benchmark[:40]!r}; expected {', '.join(MEASURED)}")
    told = row.get("members", "")
    if told and not MEASURED[benchmark].kind:
        raise WormholeError(f"{place}: {told[:40]!r} members of {benchmark}; expected none: it is "
                            "between two processes")
    if not MEASURED[benchmark].sizes and row["size"] not in ("", "0"):
        raise WormholeError(f"{place}: size {row['size'][:40]!r} of a barrier; expected none")
    return members_of(told, place) if told else None


def _header(place, words):
    names = ["members" if word.strip() in ("nodes", "members") else word.strip() for word in words]
    wanted = ["benchmark", "size", "value"]
    if "benchmark" not in names and "size" in names and set(names) & set(_COLUMNS):
        return names
    if sorted(set(names) - {*_LOW, *_HIGH, "algorithm", "statistic"}) not in (sorted(wanted), sorted(wanted + ["members"])) \
            or len(set(names)) < len(names):
        raise WormholeError(f"{place}: columns {','.join(words)[:80]!r}; expected "
                            "benchmark,size,value and, if wanted, members or nodes, algorithm, statistic, min "
                            f"or p10, p90 or max; or size and some of {','.join(_COLUMNS)}")
    return names
