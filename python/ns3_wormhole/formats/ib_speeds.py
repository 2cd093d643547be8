# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Speeds of InfiniBand links, as "4xEDR", and the data rates that they are."""

from __future__ import annotations

import collections
from fractions import Fraction
from typing import NamedTuple

# Gbit/s of data on one lane, by the names of speeds; FDR has 14.0625 Gbaud, 64 of 66 bits of data.
_LANE = {"SDR": 2, "DDR": 4, "QDR": 8, "FDR10": 10, "FDR": Fraction(900, 66), "EDR": 25, "HDR": 50,
         "NDR": 100, "XDR": 200}
_BYTE = 8 * 10**12  # picoseconds that a byte takes at 1 bit/s
_FLIT = 64  # bytes, the unit of InfiniBand's credits


class Speed(NamedTuple):
    """Lanes of a link, and the name of their speed."""

    lanes: int
    name: str

    def __str__(self):
        return f"{self.lanes}x{self.name}"

    def bits(self) -> Fraction:
        """Returns bit/s of data; 0 for a name that is not known."""
        return self.lanes * Fraction(_LANE.get(self.name, 0)) * 10**9


def text_of(speed: Speed | None) -> str:
    """Returns a link's rate as cables have it, with ~ before one that fits no whole flit time; empty
    if it is not known."""
    bits = speed.bits() if speed else 0
    if not bits:
        return ""
    nearest = "" if _BYTE % bits == 0 else "~"
    return f"{nearest}{bits // 10**9}Gbps" if bits % 10**9 == 0 else f"{nearest}{round(bits)}bps"


def slower(speeds) -> Speed | None:
    """Returns the slowest speed that is known; None: none is."""
    return min((speed for speed in speeds if speed and speed.bits()), key=Speed.bits, default=None)


def tell_rounded(plan, speeds: collections.Counter) -> None:
    """Notes which flit times are taken for rates that fit none, and how far off they are. speeds: of
    how many cables."""
    for speed, number in speeds.items():
        if text_of(speed).startswith("~"):
            times = []
            for size in (_FLIT, 1):
                exact = _BYTE * size / speed.bits()
                error = abs(float(round(exact) / exact - 1))
                times.append(f"{round(exact)} ps for {size} byte{'s' if size > 1 else ''} (error "
                             f"{error:.1e})")
            plan.notes.append(f"{speed} ({number} cable{'s' if number > 1 else ''}) is "
                              f"{float(speed.bits()) / 1e9:.5g} Gbit/s, which no whole flit time has; "
                              f"the nearest is taken, as {' or '.join(times)}")
