# SPDX-License-Identifier: GPL-2.0-only
"""Runs the program of a study in the library: python -m ns3_wormhole.core.program btin-comparison.

It does the same as examples/btin-comparison in a checkout, with the same options. It needs neither cppyy nor headers,
so it starts quickly.
"""

import ctypes
import os
import signal
import sys

from .loader import data_folder, made


def run(name: str, arguments: list[str]) -> int:
    """Runs a program to its end. name: the program's name, such as "btin-comparison"; arguments: its options. Returns
    the exit status: 0, or 1 after an error, which is printed in one line."""
    library = made("lib/libwormhole.so")
    os.environ.setdefault("WORMHOLE_DATA", str(data_folder()))
    words = [os.fsencode(word) for word in (name, *arguments)]
    # Python would note an interrupt, and go on in C++.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    return ctypes.CDLL(str(library)).WormholeStudyMain(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
