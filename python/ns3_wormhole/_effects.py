# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Arguments that are given and have no effect are named in a warning."""

from __future__ import annotations

import inspect
import warnings
from typing import Callable, Mapping

from ._checks import shown


def tell(function: Callable, given: Mapping[str, object], lacking: Mapping[str, str]) -> None:
    """Warns of arguments that are not a function's defaults and have no effect.

    Args:
        function: whose arguments they are
        given: their values
        lacking: by argument, what it has no effect without; an empty text where that is there
    """
    known = inspect.signature(function).parameters
    for name, lack in lacking.items():
        value = tuple(given[name]) if isinstance(given[name], list) else given[name]
        if lack and value != known[name].default:
            told = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            warnings.warn(f"{name}={shown(told)[1:-1]} has no effect without {lack}", stacklevel=3)


def of_drawing(fabric: object, topology: str, is_ideal: bool = False) -> dict[str, str]:
    """Returns what the size of random fabrics lacks, see tell()."""
    lack = "" if fabric is None and not topology else "random fabrics: neither fabric nor topology"
    return {"switches": lack or ("a fabric" if is_ideal else ""), "hosts": lack}
