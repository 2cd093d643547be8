# SPDX-License-Identifier: GPL-2.0-only
"""The exception of this package, with the message of ns3::WormholeError."""

from __future__ import annotations

import contextlib
from typing import Iterable

from .loader import load, loaded
from .texts import escaped, UNPRINTABLE

# What would break a line, or is not printable, as a text of Python's would have it.
ONE_LINE = {code: escaped(chr(code)) for code in UNPRINTABLE if code != ord("\t")}


class WormholeError(Exception):
    """A refused request, in one line: the value, its place and what would be accepted."""

    def __init__(self, told: str = ""):
        """Takes the line; characters that would break the line are escaped as in a Python string."""
        super().__init__(str(told).translate(ONE_LINE))


class UnknownArgument(WormholeError, TypeError):
    """An argument whose name a function does not have."""

    @classmethod
    def of(cls, function: str, name: str, known: Iterable[str]) -> UnknownArgument:
        """Returns the error for an argument, with the most similar known argument."""
        return cls(f"{function}() got an unexpected keyword argument '{name}'{nearest(name, known)}")


class WrongType(WormholeError, TypeError):
    """An argument of a type that a C++ function does not take; cppyy's error has a line for each function."""


class Interrupted(KeyboardInterrupt):
    """An interruption by Ctrl-C, stating what is done and what remains."""


class translated(contextlib.ContextDecorator):
    """Translates errors of a function or a with block: C++'s WormholeError to Python's, and an error for an argument
    type that C++ does not take to a one-line error.

    This whole package uses it; code that calls ns-3's own names may use it, too::

        with ns3_wormhole.translated():
            graph = ns.ReadFabricFile("cluster.json")
    """

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None and loaded() and isinstance(error, load().WormholeError):
            try:
                raise WormholeError(str(error.what())) from None
            except WormholeError as told:
                told.__context__ = None  # C++'s can't be pickled, and Dask pickles it, too
                raise
        if isinstance(error, TypeError) and not isinstance(error, WormholeError) \
                and "could not convert argument" in str(error):
            raise WrongType(f"{' '.join(str(error).split())}; expected values of these types") from error
        return False


def translated_class(cls):
    """Makes all functions of a class translate errors; a decorator."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, classmethod):
            setattr(cls, name, classmethod(translated()(member.__func__)))
        elif isinstance(member, property):
            setattr(cls, name, property(translated()(member.fget), doc=member.__doc__))
        elif callable(member) and not isinstance(member, type):
            setattr(cls, name, translated()(member))
    return cls


def nearest(word: object, words: Iterable) -> str:
    """Returns a hint at a similar word, "; did you mean ...?", or an empty string. word: the given word; words: the
    accepted words"""
    import difflib
    known = [str(each) for each in words]
    longer = [each for each in known if len(str(word)) > 1 and each.startswith(str(word))]
    found = longer if len(longer) == 1 else \
        difflib.get_close_matches(str(word), known, n=1, cutoff=0.5)
    return f"; did you mean {found[0]}?" if found else ""
