# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Judges single arguments."""

from __future__ import annotations

import functools
import inspect

from .errors import UnknownArgument, WormholeError, nearest


def listed(values) -> list:
    """Returns a list of values, given such or one of them."""
    single = isinstance(values, (str, int, float)) or not hasattr(values, "__iter__")
    return [values] if single else list(values)


def some(name: str, values, accepted: str) -> list:
    """Returns a list of values as `listed` does, or refuses one without any. name: of the argument."""
    found = listed(values)
    if not found:
        raise WormholeError(f"{name} is empty; accepted is {accepted}")
    return found


def whole(name: str, value, least: int = 1, greatest: int = 2**32 - 1) -> int:
    """Returns a whole number in a range, or refuses it. name: of the argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= value <= greatest:
        raise WormholeError(f"{name}={value!r}: accepted is a whole number from {least} to "
                            f"{greatest}")
    return int(value)


def ratio(name: str, value, greatest: float = 1) -> float:
    """Returns a number above 0, or refuses it. name: of the argument."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= greatest:
        raise WormholeError(f"{name}={value!r}: accepted is a number above 0, up to {greatest}")
    return float(value)


def keywords(function):
    """Has a function refuse an argument that it does not have, naming the nearest one."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args, **given):
        for name in given:
            if name not in known:
                raise UnknownArgument.of(function.__name__, name, known)
        return function(*args, **given)
    return call


def word(name: str, value: str, accepted) -> str:
    """Returns one of the words accepted, or refuses what is none. name: of the argument."""
    if value not in accepted:
        raise WormholeError(f"{name}={value!r}: accepted are {', '.join(accepted)}"
                            f"{nearest(value, accepted)}")
    return value
