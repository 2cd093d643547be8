# SPDX-License-Identifier: GPL-2.0-only
"""Files that are written completely or not at all, and the journal of a campaign's finished points."""

import errno
import fcntl
import json
import os
import pathlib
from typing import Any, Iterable, Mapping

from .errors import WormholeError

_PARTS = 1000  # names that are tried for what is not whole yet
_OF_FILES = frozenset(".pdf .png .svg .eps .ps .jpg .gif .plt .gp .dat .csv .json .xml .txt .gz .tex "
                      ".html .toml .parquet".split())


def try_file(path: str | os.PathLike) -> None:
    """Refuses a file that could not be written, before there is anything to write; leaves existing files unchanged.
    Raises WormholeError."""
    path = _named(path)
    try:
        if _is_special(path):
            if not os.access(path, os.W_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        else:
            part, file = _open_part(path, "xb")
            file.close()
            part.unlink()
    except OSError as error:
        raise _refusal(path, error) from None


def check_folder(path: str | os.PathLike) -> None:
    """Refuses a new folder with a name that ends like the name of a picture or table (helper/file/detail/file-name.cc
    has the same endings). Raises WormholeError."""
    if pathlib.PurePath(path).suffix.lower() in _OF_FILES and not os.path.isdir(path):
        raise WormholeError(f"{str(path)!r} ends as the name of a file; expected the name of a "
                            "folder, as results")


def write_whole(path: str | os.PathLike, text: str | bytes | Iterable[str]) -> None:
    """Writes a file completely or leaves it as before, even if other programs write it. text: the whole content, or its
    consecutive parts. Raises WormholeError if it can't be written. Files that are not regular, such as /dev/stdout, are
    written directly."""
    path = _named(path)
    parts = [text] if isinstance(text, (str, bytes)) else text
    how = {} if isinstance(text, bytes) else {"encoding": "utf-8", "newline": ""}
    kind = "" if how else "b"
    part = None
    try:
        if _is_special(path):
            with open(path, "w" + kind, **how) as file:
                file.writelines(parts)
            return
        part, file = _open_part(path, "x" + kind, **how)
        with file:
            file.writelines(parts)
        os.replace(part, path)
        part = None
    except OSError as error:
        raise _refusal(path, error) from None
    finally:
        if part is not None:
            part.unlink(missing_ok=True)


def read_text(path: str | os.PathLike) -> str:
    """Returns a file's content. Raises WormholeError if it can't be read, or is no text."""
    named = _named(path)
    try:
        if _is_special(named):
            raise WormholeError(f"{str(path)!r} is no regular file")
        return named.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise WormholeError(f"{path}: no text in UTF-8") from None
    except OSError as error:
        raise WormholeError(f"can't read {str(path)!r}: {error.strerror}") from None


def read_json(path: str | os.PathLike) -> Any:
    """Returns a JSON file's content. Raises WormholeError as read_text(), and if it is no JSON."""
    try:
        return json.loads(read_text(path))
    except ValueError as error:
        raise WormholeError(f"{path}: {error}") from None


def _named(path):
    if str(path).strip() in ("", "-") or "\0" in str(path):
        raise WormholeError(f"'{path}' is no name of a file; expected one, as out.csv")
    return pathlib.Path(path)


def _is_special(path):
    """Returns whether a path exists but is not a regular file. Refuses folders."""
    if path.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    return path.exists() and not path.is_file()


def _open_part(path, *mode, **how):
    """Returns name and file for an incomplete file: NAME.part, or if this exists (it may be another program's, or the
    user's own), NAME.part2 and so on."""
    for number in range(1, _PARTS + 1):
        part = path.with_name(f"{path.name}.part{number if number > 1 else ''}")
        try:
            return part, open(part, *mode, **how)
        except FileExistsError:
            continue
    raise OSError(errno.EEXIST, f"{path}.part to {part} are there; remove those that nobody writes")


def _refusal(path, error):
    return WormholeError(f"{path}: {error.strerror}; expected a file to write")


class Journal:
    """The file of a campaign's finished points; its first line, the head, identifies the campaign. Torn or foreign
    lines are skipped but kept: at most the points in these lines are lost. path: the file; found: rows of the finished
    points, by key; strange: numbers of the lines that don't belong to this campaign"""

    def __init__(self, path: pathlib.Path, head: Mapping[str, Any], points: Mapping[str, Mapping[str, Any]]):
        """Opens the file, and locks it against other writers. points: arguments, by key. Raises WormholeError if it
        can't be written, or belongs to another campaign."""
        self.path = path
        self.found: dict[str, list[dict[str, Any]]] = {}
        self.strange: list[int] = []
        try:
            if path.exists() and not path.is_file():
                raise OSError(errno.EINVAL, "no regular file")
            self._file = open(path, "ab+")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise WormholeError(f"{path}: another campaign is writing it; expected another name, "
                                "or to wait for it") from None
        except OSError as error:
            raise _refusal(path, error) from None
        try:
            self._read(head, points)
        except BaseException:
            self._file.close()
            raise

    def _read(self, head, points):
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        entries = [_parsed(line) for line in lines]
        if not entries and not _line(head).startswith(torn):
            raise self._foreign(torn, head)
        for number, entry in enumerate(entries, 1):
            key, rows = entry.get("key"), entry.get("rows")
            if isinstance(key, str) and key in points and entry.get("point") == points[key] \
                    and isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
                self.found[key] = rows
            elif number > 1 and not (isinstance(key, str) and "point" in entry and "rows" in entry):
                self.strange.append(number)
        if entries and entries[0] != head:
            # Keys are of study, arguments and seed: points by these are this campaign's, though a head
            # that can be read may tell of another version.
            if "study" in entries[0] or not self.found:
                raise self._foreign(lines[0], head)
            self.strange.insert(0, 1)
        if torn:  # the last line, whose writing was interrupted
            self._file.truncate(self._file.seek(0, os.SEEK_END) - len(torn))
            self._file.seek(0, os.SEEK_END)
        if not entries:
            self._write(head)

    def _foreign(self, line, head):
        """Returns the error for another campaign's file, which is not changed. line: its first line"""
        told = _parsed(line) or f"no campaign (line 1 is {line[:40]!r})"
        return WormholeError(f"{self.path} is of {told}, not of "
                             f"{dict(head)}; expected another name, or that file removed")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, key: str, point: Mapping[str, Any], rows: list[dict[str, Any]]) -> None:
        """Records the rows of a point."""
        self.found[key] = rows
        self._write({"key": key, "point": point, "rows": rows})

    def _write(self, entry):
        try:
            self._file.write(_line(entry))
            self._file.flush()
        except OSError as error:
            raise _refusal(self.path, error) from None


def _parsed(line):
    try:
        entry = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return entry if isinstance(entry, dict) else {}


def _line(entry):
    return json.dumps(entry).encode() + b"\n"
