# SPDX-License-Identifier: GPL-2.0-only
"""Progress bars: of studies by runs, of rounds by members that have left, and of routing engines; also handles Ctrl-C
in rounds, which are simulated in C++."""

import contextlib
import contextvars
import ctypes
import functools
import io
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
_routes = None  # the routing engine that computes


@contextlib.contextmanager
def no_bars():
    """Hides the bars of studies within a with block."""
    before = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(before)


def is_quiet() -> bool:
    """Returns whether this code runs within no_bars(), like the points of a campaign."""
    return _quiet.get()


class _Lines(io.TextIOBase):
    """Prints what a bar would show as lines on standard error, if there is no terminal."""

    def write(self, text):
        if line := text.strip():
            print(line, file=sys.stderr, flush=True)


def made(name: str, wanted: bool | None = True, **settings):
    """Returns a bar. name: text before the bar; wanted: whether it is shown (None: on a terminal); settings: arguments
    of tqdm"""
    return tqdm.tqdm(desc=name, disable=None if wanted is None else not wanted, **settings)


@contextlib.contextmanager
def bar(name: str, wanted: bool | None, lines: bool = False):
    """Shows the progress of a study within a with block. name: the study's name; wanted: whether to show a bar (None:
    on a terminal, after two seconds); lines: whether to print a line every ten seconds if there is no terminal. Yields
    a function to call before each run and after the last, with the numbers of completed and of all runs; a total of 0
    is unknown."""
    if wanted is None and _quiet.get():
        wanted = False
    in_lines = lines and wanted is None and not sys.stderr.isatty()
    how = {"delay": _LINES, "mininterval": _LINES, "file": _Lines(), "leave": False,
           "bar_format": "{desc}: {n} runs after {elapsed_s:.0f} s{postfix}"} if in_lines else {
        "total": 0, "unit": "run", "delay": 0 if wanted else _PATIENCE}
    # miniters: also where many quick runs are followed by one that takes long.
    with made(name, in_lines or wanted, miniters=0, **how) as shown:
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


def listener(tell):
    """Returns an ns3::ProgressListener that never interrupts. tell: function from bar()"""
    return lambda _, done, whole: tell(done, whole) is None


class _Part:
    """A long part of a study, shown in the study's bar; without such a bar, it gets its own bar on a terminal after a
    while."""

    def __init__(self, name, unit):
        self._name, self._unit, self._own, self._start = name, unit, None, time.monotonic()

    def tell(self, done, whole, words, patience=0.0, initial=0):
        """Shows the progress. patience: seconds until the part has a bar of its own"""
        if (outer := _shown.get()) is not None:
            outer.set_postfix_str(words, refresh=False)
            outer.update(0)
            return
        if self._own is None and not _quiet.get() and time.monotonic() >= self._start + patience:
            self._own = made(self._name, None, total=whole or None, initial=initial, unit=self._unit,
                             miniters=0, leave=False)
            if not self._own.disable:  # no terminal: it has no start then
                self._own.start_t -= _PATIENCE
        if self._own is not None:
            self._own.update(done - self._own.n)

    def close(self):
        if self._own is not None:
            self._own.close()


class watched:
    """Shows on a terminal the progress of a long round within a with block. Ctrl-C in the block soon raises
    KeyboardInterrupt, which ends the simulation; otherwise, C++ would continue to the round's end."""

    def __init__(self, kind: str, algorithm: str, unit: str = "member"):
        """Takes the bar's name, and what it counts."""
        self._name, self._done = f"{kind} {algorithm}", "members left" if unit == "member" else "rounds"
        self._part = _Part(self._name, unit)
        self._is_interrupted = self._catches = False

    def __enter__(self):
        global _watch
        self._before, _watch = _watch, self
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
        self._part.close()
        if self._is_interrupted:
            simulation.reset()
            raise KeyboardInterrupt(f"{self._name} was interrupted") from None
        return False

    def beat(self, left, due):
        """Shows the round's progress. Returns whether to continue."""
        self._part.tell(left, due, f"{left} of {due} {self._done}", _PATIENCE, left)
        return not self._is_interrupted

    def _interrupt(self, *_):
        """Notes Ctrl-C. Replaces Python's handler, whose exception C++ could not pass on."""
        self._is_interrupted = True


def _listen(what, done, whole):
    """Is called from C++ while a round is simulated, or while a routing engine computes for a long time (with what it
    counts). Returns whether to continue."""
    global _routes
    done, whole = int(done), int(whole)
    if not what:
        return _watch.beat(done, whole) if _watch is not None else True
    is_over = done == whole
    if not is_over or _shown.get() is not None:
        _routes = _routes or _Part(f"routes, {what}", "step")
        _routes.tell(done, whole, "" if is_over else f"{done} of {whole or '?'} {what}")
    if is_over and _routes is not None:
        _routes.close()
        _routes = None
    return True


#: What cppyy takes a third of a second to compile, ctypes makes at once; but it can't pass on what is raised.
_IN_C = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_char_p, ctypes.c_uint64, ctypes.c_uint64)(
    lambda what, done, whole: _listen(what.decode(), done, whole))


def connect() -> None:
    """Makes C++ call this module while rounds are simulated and routes are computed."""
    # Where Ctrl-C ends the process, nothing raises.
    _connect(simulation.ends_on_interrupt())


@functools.lru_cache(maxsize=1)
def _connect(is_quiet):
    address = ctypes.cast(_IN_C, ctypes.c_void_p).value if is_quiet else bridge.AddressOf(_listen)
    bridge.SetBeat(address)
    bridge.SetRoutesListener(address, _PATIENCE)
