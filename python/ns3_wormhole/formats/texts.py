# SPDX-License-Identifier: GPL-2.0-only
"""Reads texts of files, and shows them in messages."""

import codecs
import pathlib
import re
from typing import Iterator

from ..core.errors import WormholeError

# What programs and shells print beside a file's own lines.
_NOISE = re.compile(r"[^=]{0,100}?[#$%>](?: |$)|\++ |ibwarn: |\S{1,80}:\d+; umad|DR path |\*\*\* "
                    r"|Script (?:started|done)|(?:exit|logout)$"
                    r"|(?:\w{3},? +)?(?:\w{3} +\d|\d{1,2} \w{3}|\d{4}-\d\d-\d\d)[\w :.,+-]*$")


def natural(name: str) -> list:
    """Returns a sort key for names, by which s2 comes before s10."""
    return [(1, len(digits := part.lstrip("0")), digits, part) if "0" <= part[0] <= "9" else (0, part)
            for part in re.split(r"([0-9]+)", name) if part]


def is_noise(line: str) -> bool:
    """Returns whether a line is a shell prompt, a date, or a program's warning."""
    return bool(_NOISE.match(line[:200]))


def shown(text: str) -> str:
    """Returns the beginning of a text for messages, in quotes and on one line."""
    told = "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text[:60])
    return f"'{told}{'...' if len(text) > 60 else ''}'"


def counted(number: int, what: str) -> str:
    """Returns a number with a noun, such as "1 host" or "2 hosts"."""
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('ch') else 's'}"


def read_text(path: str) -> str:
    """Returns the text of a file. Raises WormholeError if it can't be read, or is not UTF-8 (naming the line)."""
    data = to_utf8(read_bytes(path))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WormholeError(f"{path}:{line}: a byte 0x{data[error.start]:02x} that is no UTF-8; "
                            "expected a text") from None


def read_lines(path: str) -> Iterator[tuple[int, str]]:
    """Returns the lines of a file with their numbers, from 1 on. Raises WormholeError as read_text()."""
    text = read_text(path)
    lines = text.split("\n" if "\n" in text else "\r")
    return enumerate((line.removesuffix("\r") for line in lines), 1)


def to_utf8(data: bytes) -> bytes:
    """Converts UTF-16 text with a byte order mark, which some shells write, to UTF-8; returns other text unchanged."""
    if data[:2] not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return data
    return data.decode("utf-16", "replace").encode()


def read_bytes(path: str) -> bytes:
    """Returns the bytes of a file. Raises WormholeError if it can't be read."""
    try:
        return pathlib.Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def read_blocks(path: str, size: int = 1 << 22) -> Iterator[bytes]:
    """Yields the bytes of a file in blocks of whole lines, so that a large file needs little memory; the last line also
    gets a line end. Raises WormholeError if the file can't be read."""
    begun: list[bytes] = []  # parts of the next block
    try:
        with open(path, "rb") as file:
            while data := file.read(size):
                end = data.rfind(b"\n") + 1
                if end:
                    yield b"".join((*begun, memoryview(data)[:end]))
                    begun = [data[end:]]
                else:
                    begun.append(data)
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    if last := b"".join(begun):
        yield last + b"\n"


def _unreadable(path, error):
    return WormholeError(f"{path}: {getattr(error, 'strerror', None) or error}; expected a file to "
                         "read")
