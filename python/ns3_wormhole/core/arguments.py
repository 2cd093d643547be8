# SPDX-License-Identifier: GPL-2.0-only
"""Checks single arguments, and warns of those that have no effect."""

import functools
import inspect
import math
import re
import warnings
from typing import Callable, Mapping

from .errors import nearest, UnknownArgument, WormholeError

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,3})?")
_MAX_SHOWN = 60  # characters of a value in a message


def parse_whole(text: str, least: int = 0, greatest: int = 10**18 - 1) -> int | None:
    """Returns the whole number in a text of up to 18 ASCII digits with an optional minus, else None; stricter than
    int()."""
    value = int(text) if _WHOLE.fullmatch(text) else None
    return value if value is not None and least <= value <= greatest else None


def parse_number(text: str, least: float = -math.inf, greatest: float = math.inf) -> float | None:
    """Returns the finite number in a text, else None. Stricter than float(): up to 40 ASCII digits before and after the
    point, and an optional exponent."""
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) and least <= value <= greatest else None


def shown(value: object) -> str:
    """Returns a value as messages show it; long values are cut."""
    try:
        told = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        told = "a number of thousands of digits"
    return told if len(told) <= _MAX_SHOWN else f"{told[:_MAX_SHOWN]}..."


def listed(values) -> list:
    """Returns a list of values, given a list or a single value."""
    return list(values) if hasattr(values, "__iter__") and not isinstance(values, str) else [values]


def some(name: str, values, accepted: str) -> list:
    """Returns a list of values as `listed` does; refuses an empty list. name: the argument's name"""
    if found := listed(values):
        return found
    raise WormholeError(f"{name} is empty; expected {accepted}")


def whole(name: str, value, least: int = 1, greatest: int = 2**32 - 1) -> int:
    """Returns a whole number in a range; refuses other values. name: the argument's name"""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not least <= value <= greatest:
        raise WormholeError(f"{name}={shown(value)}: expected a whole number from {least} to "
                            f"{greatest}")
    return int(value)


def ratio(name: str, value, greatest: float = 1) -> float:
    """Returns a number above 0; refuses other values. name: the argument's name"""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= greatest:
        raise WormholeError(f"{name}={shown(value)}: expected a number above 0, up to {greatest}")
    return float(value)


# Names that arguments also have.
_ALIASES = {"placements": "runs", "order": "placement", "places": "placement", "topology": "fabrics"}


def keywords(function):
    """Makes a function refuse an unknown argument, naming the most similar one."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args, **given):
        for name in set(given) - set(known):
            if (also := _ALIASES.get(name)) in known and also not in given:
                given[also] = given.pop(name)
        for name in given:
            if name not in known:
                raise UnknownArgument.of(function.__name__, name, known)
        return function(*args, **given)
    return call


def word(name: str, value: str, accepted) -> str:
    """Returns one of the accepted words; refuses other values. name: the argument's name"""
    if value not in accepted:
        raise WormholeError(f"{name}={shown(value)}: expected {', '.join(accepted)}"
                            f"{nearest(value, accepted)}")
    return value


def warn_idle(function: Callable, given: Mapping[str, object], lacking: Mapping[str, str]) -> None:
    """Warns of arguments that have no effect but differ from a function's defaults. given: their values; lacking: by
    argument, what is missing for the argument to have an effect; an empty text if nothing is missing"""
    known = inspect.signature(function).parameters
    for name, lack in lacking.items():
        value = tuple(given[name]) if isinstance(given[name], list) else given[name]
        if lack and value != known[name].default:
            told = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            warnings.warn(f"{name}={shown(told)[1:-1]} has no effect without {lack}", stacklevel=3)


def idle_of_drawing(fabric: object, topology: str, is_ideal: bool = False) -> dict[str, str]:
    """Returns what is missing for the size of random fabrics to have an effect, see warn_idle()."""
    lack = "" if fabric is None and not topology else "random fabrics: neither fabric nor topology"
    return {"switches": lack or ("a fabric" if is_ideal else ""), "hosts": lack}


def split(text: str) -> list[str]:
    """Returns the entries separated by commas outside brackets."""
    entries, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth <= 0:
            entries.append("")
        else:
            entries[-1] += letter
    return entries
