#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Fuzzes the package's readers: changes inputs of corpus.toml at random, and has each read as a file.

An input is fine if it is read, or refused with a WormholeError of one line, within 20 s and 4 GB. Any
other is kept as crash-... and ends the program with status 1. tools/fuzz.py runs this; the same seed
gives the same inputs.
"""

import argparse
import contextlib
import os
import pathlib
import random
import resource
import signal
import sys
import tempfile
import time
import tomllib
import traceback
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORPUS = tomllib.loads(pathlib.Path(__file__).with_name("corpus.toml").read_text(encoding="utf-8"))
SECONDS = 20  # an input
BYTES = 4 << 30  # of the process, beside what it has at first
PIECES = [b"\n", b"\r\n", b" ", b"\t", b'"', b"[", b"]", b"(", b"{", b"}", b"#", b"=", b"-", b",", b";", b":", b"/*", b"//",
          b"<", b">", b"&", b"\0", b"\xff", b"\xc2\xb2", b"\xef\xbb\xbf", b"0", b"1", b"65535", b"-1", b"1_0",
          b"9" * 5000, b"0x", b"1e999", b"nan", b"~", b"$ ", b"n[1-9]", b"\\"]


def read_plan(format):
    """A target that reads files of a format; its graph is built, too."""
    from ns3_wormhole import formats

    def target(path):
        formats.guess(path)
        for named in ({}, {"island": "1"}, {"hosts_per_switch": 2}):
            with contextlib.suppress(formats.WormholeError):
                formats.read(path, format, **named)
        formats.read(path, format)
    return target


def read_tables(path):
    """Reads forwarding tables beside a file of ibnetdiscover."""
    from ns3_wormhole import formats
    fabric = f"{path}-fabric"
    if not os.path.exists(fabric):
        pathlib.Path(fabric).write_text(CORPUS["import-ibnetdiscover"]["pair"], encoding="latin-1")
    formats.read(fabric, "ibnetdiscover", routes=path)


def read_measurements(path):
    """Reads tables of measurements."""
    from ns3_wormhole.study import measured_tables
    for table in measured_tables.read(path):
        assert table.rows and all(0 < value < 1e12 for _, value in table.rows)


def targets():
    """Functions that take a path, by name. What they read at first is in corpus.toml."""
    from ns3_wormhole import formats
    return {**{f"import-{name}": read_plan(name) for name in formats.READERS}, "import-routes": read_tables,
            "measured-tables": read_measurements}


def changed(random_one, texts):
    """A text with some bytes, lines or pieces of it changed."""
    text = random_one.choice(texts)
    for _ in range(random_one.choice((1, 1, 1, 2, 3, 8))):
        at, to = sorted(random_one.randint(0, len(text)) for _ in range(2))
        before, other, lines = text[:at], random_one.choice(texts), text.split(b"\n")
        piece, gone = random_one.choice(PIECES), random_one.randrange(len(lines))
        text = random_one.choice((
            before + piece + text[at:],
            before + piece + text[at + 1:],
            before + text[min(to, at + 20):],
            before + text[at:to][:60] * random_one.choice((2, 2, 3, 40)) + text[to:],
            before + other[random_one.randint(0, len(other)):],
            b"\n".join(random_one.sample(lines, len(lines))),
            b"\n".join(lines[:gone] + lines[gone + 1:]),
            before + bytes([random_one.randrange(256)]) + text[at + 1:]))
    return text[:20000]


class Hang(BaseException):
    """An input that takes too long."""


def stop(*_):
    raise Hang(f"more than {SECONDS} s")


def judge(target, path, error_type):
    """Has an input read. Returns what is wrong, or an empty text."""
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            target(path)
    except error_type as error:
        told = str(error)
        if not told or "\n" in told or len(told) > 4000:
            return f"a message that is not one line: {told[:2000]!r}"
    except (Exception, Hang):  # all that is no refusal is a fault
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print the targets")
    parser.add_argument("--target")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prefix", default="./", help="of the names of what is kept")
    parser.add_argument("inputs", nargs="*", help="files to read once, rather than changed ones")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))
    known = targets()
    if given.list:
        print(*known, sep="\n")
        return 0
    from ns3_wormhole.core.errors import WormholeError
    target = known[given.target]
    texts = [text.encode("latin-1") for _, text in sorted(CORPUS[given.target].items())]
    random_one = random.Random(f"{given.target} {given.seed}")
    signal.signal(signal.SIGALRM, stop)
    folder = tempfile.TemporaryDirectory(prefix="wormhole-fuzz-", dir="/dev/shm")
    path = f"{folder.name}/input"
    pathlib.Path(path).write_bytes(texts[0])
    judge(target, path, WormholeError)  # loads what takes memory
    held = int(pathlib.Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + BYTES, held + BYTES))
    start, runs = time.monotonic(), 0
    queue = [pathlib.Path(name).read_bytes() for name in given.inputs] or texts
    end = len(queue) if given.inputs else given.runs or sys.maxsize
    seconds = given.seconds if given.seconds and not given.runs else sys.maxsize
    try:
        while runs < end and time.monotonic() - start < seconds:
            text = queue[runs] if runs < len(queue) else changed(random_one, texts)
            pathlib.Path(path).write_bytes(text)
            wrong = judge(target, path, WormholeError)
            runs += 1
            if wrong:
                kept = f"{given.prefix}crash-{given.target}-{runs}"
                pathlib.Path(kept).write_bytes(text)
                print(f"{wrong}\nwritten to {kept}: {text[:400]!r}")
                return 1
    finally:
        folder.cleanup()
        print(f"stat::number_of_executed_units: {runs}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
