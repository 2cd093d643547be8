# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""The one exception of this package: ns3::WormholeError itself, with the C++ message."""

import copyreg

from ._loader import load

WormholeError = load().WormholeError


def _rebuild(message):
    return WormholeError(message)


# cppyy puts the signature of what was called before the message; it stays in args.
WormholeError.__str__ = lambda self: str(self.what())
copyreg.pickle(WormholeError, lambda error: (_rebuild, (str(error),)))


def nearest(word, words):
    """Returns a hint at what was meant.

    Args:
        word: what was given
        words: what is accepted

    Returns:
        "; did you mean ...?", or an empty string
    """
    import difflib
    found = difflib.get_close_matches(str(word), [str(each) for each in words], n=1, cutoff=0.5)
    return f"; did you mean {found[0]}?" if found else ""
