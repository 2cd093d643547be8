# SPDX-License-Identifier: GPL-2.0-only
"""Lengths in bytes: numbers with units, and lists of them, in which ranges stand for powers of two."""

import itertools
import re
from typing import Sequence

from . import arguments
from .errors import WormholeError

# As model/core/detail/text-tools.h: k and KB, which are used for both 1000 and 1024, are refused.
_UNITS = {"": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_NUMBER = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,18})?) ?([A-Za-z]*)")
MAX_BYTES = 2**40


def parse(name: str, given: int | str) -> int:
    """Returns a length in bytes. name: the argument's name; given: a whole number, or a text such as "64KiB". Raises
    WormholeError if it is no length, or 0."""
    if not isinstance(given, str):
        return arguments.whole(name, given, 1, MAX_BYTES)
    match = _NUMBER.fullmatch(given.strip())
    value = float(match[1]) * _UNITS[match[2]] if match and match[2] in _UNITS else 0
    if value != int(value) or not 1 <= value <= MAX_BYTES:
        raise WormholeError(f"{name}={given[:40]}: expected a length from 1 byte to 1024GiB, as 8, "
                            "64kB (of 1000), 64KiB, 1MiB or 1GiB (of 1024)")
    return int(value)


def listed(name: str, given: int | str | Sequence[int | str]) -> list[int]:
    """Returns distinct lengths in bytes, shortest first. name: the argument's name; given: one or several lengths;
    "8:64MiB", or "..." between two lengths, means the first length times powers of two, and the second. Raises
    WormholeError if an entry is no length, or dots are not between a shorter and a longer length."""
    entries = [each for entry in arguments.listed(given)
               for each in (entry.split(",") if isinstance(entry, str) else [entry])]
    found, dots = [], False
    for entry in entries:
        if entry in ("...", "…", Ellipsis):
            if not found or dots:
                raise WormholeError(f"{name}: '...' is not between two lengths; expected as in "
                                    "8,...,64MiB")
            dots = True
            continue
        low, colon, high = str(entry).partition(":") if isinstance(entry, str) else (entry, "", "")
        if colon and dots:
            raise WormholeError(f"{name}: '{entry}' follows '...'; expected a length")
        if colon or dots:
            found += _powers(name, parse(name, low) if colon else found[-1], parse(name, high if colon else entry))
        else:
            found.append(parse(name, entry))
        dots = False
    if dots or not found:
        raise WormholeError(f"{name}: {'nothing follows ...' if dots else 'no length'}; expected "
                            "as in 8,...,64MiB")
    return sorted(set(found))


def _powers(name, low, high):
    if low > high:
        raise WormholeError(f"{name}: {text(low)} is above {text(high)}; expected the shorter one "
                            "first")
    doubled = (low << step for step in itertools.count())
    return [*itertools.takewhile(lambda each: each < high, doubled), high]


def text(size: int) -> str:
    """Returns a length as text, exactly: 64KiB, 1000."""
    unit = next((unit for unit in ("GiB", "MiB", "KiB") if size >= _UNITS[unit] and size % _UNITS[unit] == 0), "")
    return f"{size // _UNITS[unit]}{unit}"
