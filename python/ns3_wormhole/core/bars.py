# SPDX-License-Identifier: GPL-2.0-only
"""Progress bars: of studies by their runs, of rounds by the members that have left, of routing engines;
and Ctrl-C in rounds, which are simulated in C++."""

from __future__ import annotations

import contextlib
import contextvars
import functools
import signal
import sys
import threading
import time

from . import simulation
from .loader import bridge, tqdm

_PATIENCE = 2  # seconds before a bar that nobody asked for is shown
_LINES = 10  # seconds between lines where there is no terminal for a bar

# What a bar does that nobody asked for; workers of a campaign, which has one of its own, set this.
_quiet = contextvars.ContextVar("quiet", default=False)
_shown = contextvars.ContextVar("shown", default=None)  # the study's bar
_watch = None  # the round that is simulated
_routes = None  # the bar of a routing engine that computes


@contextlib.contextmanager
def no_bars():
    """Has studies show no bars, within a with block."""
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


def is_quiet() -> bool:
    """Returns whether this is within no_bars(), as the points of a campaign are."""
    return _quiet.get()


class _Lines:
    """Tells how far something is in lines on standard error, in place of a bar."""

    def __init__(self, name):
        self._name, self._start = name, time.monotonic()
        self._next = self._start + _LINES
        self.n, self.total, self._more = 0, None, ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def set_postfix_str(self, text, refresh=True):
        """Takes what else is told."""
        self._more = text

    def update(self, more=1):
        """Takes how many more runs are done, and prints a line when it is time."""
        self.n += more
        now = time.monotonic()
        if now >= self._next:
            self._next = now + _LINES
            of = f" of {self.total}" if self.total else ""
            print(f"{self._name}: {self.n}{of} runs after {now - self._start:.0f} s"
                  f"{', ' if self._more else ''}{self._more}", file=sys.stderr, flush=True)

    def refresh(self):
        """Shows nothing in between."""


def _made(name, wanted, lines):
    """Returns what shows how far a study is; see bar()."""
    if lines and wanted is None and not sys.stderr.isatty():
        return _Lines(name)
    # miniters: also where many quick runs are followed by one that takes long
    return tqdm.tqdm(total=0, unit="run", desc=name, delay=0 if wanted else _PATIENCE, miniters=0,
                     disable=None if wanted is None else not wanted)


@contextlib.contextmanager
def bar(name: str, wanted: bool | None, lines: bool = False):
    """Shows how far a study is, within a with block.

    Args:
        name: the study's
        wanted: whether to show it; None: on a terminal, once it has taken two seconds
        lines: whether to print a line every ten seconds where there is no terminal

    Yields:
        a function that takes completed and total runs, called before each run and after the last;
        a total of 0 is unknown
    """
    if wanted is None and _quiet.get():
        wanted = False
    with _made(name, wanted, lines) as shown:
        def tell(done, whole):
            shown.total = int(whole) or None
            shown.set_postfix_str("", refresh=False)
            shown.update(int(done) - shown.n)
        before = _shown.set(shown)
        try:
            yield tell
        finally:
            _shown.reset(before)
        if shown.total and shown.n < shown.total:  # some studies only know about how many runs
            shown.total = shown.n
            shown.refresh()


def _late_bar(whole, done, unit, name):
    """Returns a bar, on a terminal, of what has gone on for as long as patience lasts."""
    made = tqdm.tqdm(total=whole, initial=done, unit=unit, desc=name, miniters=0, leave=False,
                     disable=None)
    if not made.disable:  # no terminal: it has no start then
        made.start_t -= _PATIENCE
    return made


class watched:
    """Shows how far a round is that takes long, around a with block, on a terminal. Ctrl-C there
    raises KeyboardInterrupt soon, where C++ would go on to the round's end; that ends the
    simulation.
    """

    def __init__(self, kind: str, algorithm: str, unit: str = "member"):
        """Takes what the bar is called by, and what it counts."""
        self._name, self._unit = (kind, algorithm), unit
        self._outer = self._own = self._before = None
        self._is_interrupted = self._catches = False

    def __enter__(self):
        global _watch
        self._start = time.monotonic()
        self._outer, self._before = _shown.get(), _watch
        _watch = self
        self._catches = (threading.current_thread() is threading.main_thread()
                         and not simulation.ends_on_interrupt()
                         and signal.getsignal(signal.SIGINT) is signal.default_int_handler)
        if self._catches:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, kind, error, trace):
        global _watch
        _watch = self._before
        if self._catches:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self._own is not None:
            self._own.close()
        if self._is_interrupted:
            simulation.reset()
            raise KeyboardInterrupt(f"{' '.join(self._name)} was interrupted") from None
        return False

    def beat(self, left, due):
        """Shows how far the round is. Returns whether to go on."""
        if self._outer is not None:
            done = "members left" if self._unit == "member" else "rounds"
            self._outer.set_postfix_str(f"{left} of {due} {done}", refresh=False)
            self._outer.update(0)
        elif self._own is not None:
            self._own.update(left - self._own.n)
        elif not _quiet.get() and time.monotonic() >= self._start + _PATIENCE:
            self._own = _late_bar(due, left, self._unit, " ".join(self._name))
        return not self._is_interrupted

    def _interrupt(self, *_):
        """Notes Ctrl-C, in place of Python's handler, whose exception C++ could not pass on."""
        self._is_interrupted = True


def _listen(what, done, whole):
    """Is called from C++ while a round is simulated, or, with what is counted, while a routing engine
    computes that takes long. Returns whether to go on."""
    if what:
        _tell_routes(str(what), int(done), int(whole))
        return True
    return _watch.beat(int(done), int(whole)) if _watch is not None else True


def _tell_routes(what, done, whole):
    """Shows how far a routing engine is; done is whole at the end."""
    global _routes
    is_over, outer = done == whole, _shown.get()
    if outer is not None:
        outer.set_postfix_str("" if is_over else f"{done} of {whole or '?'} {what}", refresh=False)
        outer.update(0)
    elif not is_over and not _quiet.get():
        if _routes is None:
            _routes = _late_bar(whole or None, 0, "step", f"routes, {what}")
        _routes.update(done - _routes.n)
    if is_over and _routes is not None:
        _routes.close()
        _routes = None


@functools.lru_cache(maxsize=None)
def connect() -> None:
    """Has C++ call this module while rounds are simulated and routes are computed."""
    bridge.SetBeat(_listen)
    bridge.SetRoutesListener(_listen, _PATIENCE)
