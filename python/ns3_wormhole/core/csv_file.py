# SPDX-License-Identifier: GPL-2.0-only
"""Tables as files: Parquet if the name ends in .parquet, else CSV, compressed if the name ends in .gz. In the CSV, no
spreadsheet takes text for a formula.

Text that is no number and begins with =, +, -, @, a tab or a line end gets a ' before it, as does text in which such a
beginning follows a '. Readers remove this ', like CsvFile in C++ (helper/file/detail/csv-file.h). Numbers are not
changed.
"""

from __future__ import annotations

import csv
import functools
import gzip
import importlib.util
import io
import math
import os
import re
from typing import Any, Iterable, Iterator

from .errors import WormholeError
from .files import write_whole
from .loader import pandas

_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _is_formula(text):
    return bool(_FORMULA.match(text)) \
        and not (_NUMBER.fullmatch(text) and math.isfinite(float(text)))


def escaped(value: Any) -> Any:
    """Returns a value as written in a cell."""
    return "'" + value if isinstance(value, str) and _is_formula(value) else value


def plain(value: Any) -> Any:
    """Returns the value of a cell."""
    return value[1:] if isinstance(value, str) and value[:1] == "'" and _is_formula(value[1:]) \
        else value


def _each(frame, change):
    """Returns a table after applying a function to its texts, in cells and in names of columns."""
    changed, types = frame.copy(deep=False), pandas.api.types
    for place, (_, column) in enumerate(frame.items()):
        if not types.is_numeric_dtype(column.dtype) and not types.is_datetime64_any_dtype(column.dtype):
            changed.isetitem(place, column.map(change))
    changed.columns = [change(name) for name in frame.columns]
    return changed


def to_text(frame: pandas.DataFrame) -> str:
    """Returns a table as CSV, without its index."""
    return _each(frame, escaped).to_csv(index=False, lineterminator="\n")


def is_parquet(path: Any) -> bool:
    """Returns whether a file's name means Parquet. Raises WormholeError if no library for Parquet is installed."""
    named = path is not None and os.fspath(path).lower().endswith(".parquet")
    if named and not any(map(importlib.util.find_spec, ("pyarrow", "fastparquet"))):
        raise WormholeError(f"{os.fspath(path)}: there is no pyarrow, which Parquet needs; expected another name, "
                            "as tables.csv, or pip install 'ns3-wormhole[parquet]'")
    return named


def save(path: Any, frame: pandas.DataFrame, text: str | None = None) -> None:
    """Writes a table to a file, without its index. text: the table as CSV, if available. Raises WormholeError if the
    file can't be written."""
    text = to_text(frame) if text is None else text
    if is_parquet(path):
        save_parquet(path, io.StringIO(text))
    else:
        write_whole(path, gzip.compress(text.encode(), mtime=0) if os.fspath(path).lower().endswith(".gz") else text)


def save_parquet(path: Any, source: Any) -> None:
    """Converts a CSV file or stream to a Parquet file; each column then has one type."""
    write_whole(path, from_text(source, low_memory=False, **_exact()).to_parquet(index=False))


def from_text(source: Any, **settings: Any) -> pandas.DataFrame:
    """Returns the table in a CSV file or stream. settings: arguments of pandas.read_csv"""
    return _each(pandas.read_csv(source, **settings), plain)


def rows(lines: Iterable[str], **settings: Any) -> Iterator[list[str]]:
    """Yields the rows of CSV, each as a list of cells. settings: arguments of csv.reader"""
    for row in csv.reader(lines, **settings):
        yield [plain(cell) for cell in row]


def writer(file):
    """Returns a function that writes a row of values to a file."""
    write = csv.writer(file, lineterminator="\n").writerow
    return lambda row: write([escaped(cell) for cell in row])


@functools.lru_cache(maxsize=None)
def _exact():
    """Returns the setting with which pandas reads numbers exactly; from version 3.1 on, this is its default."""
    told = tuple(map(int, pandas.__version__.split(".")[:2])) < (3, 1)
    return {"float_precision": "round_trip"} if told else {}


def frame(text) -> pandas.DataFrame:
    """Returns CSV as a data frame, with the CSV itself in attrs["csv"]."""
    made = from_text(io.StringIO(str(text)), **_exact())
    made.attrs["csv"] = str(text)
    return made
