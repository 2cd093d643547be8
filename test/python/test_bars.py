# SPDX-License-Identifier: GPL-2.0-only
"""Progress bars of studies and rounds, and Ctrl-C in a round."""

import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from conftest import PROGRAMS, refuses, run
from ns3_wormhole.collective import traffic
from ns3_wormhole.core import bars
from ns3_wormhole.core.loader import bridge

# A million messages, which take long.
ROUND = """import signal, time
import ns3_wormhole as wh
from ns3_wormhole.core import bars
bars._PATIENCE = 0.3
# Programs that a shell starts in the background are to ignore Ctrl-C, and so are their children.
signal.signal(signal.SIGINT, signal.default_int_handler)
made = wh.Fabric.from_text("torus:16x16,hosts=4").alltoall("pairwise", 1024, bytes=64)
made.setup_us
print("ready", flush=True)
start = time.monotonic()
try:
    made.cross()
    print("crossed")
except KeyboardInterrupt as error:
    print(f"told {error} after {time.monotonic() - start:.3f}")
assert wh.Fabric.from_text("torus:4").barrier("btin", 3).cross() > 0
print("goes on")
"""


@contextlib.contextmanager
def on_terminal(environment, *words, program=sys.executable):
    """Runs a program on a terminal of its own. Gives the process and this end of it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen([program, *words], env=environment, stdin=theirs, stdout=theirs,
                               stderr=theirs, close_fds=True)
    os.close(theirs)
    try:
        yield process, ours
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def read_until(ours, word, patience=180):
    """Returns what comes up to a word, or the end."""
    text, end = "", time.monotonic() + patience
    while not re.search(word, text) and time.monotonic() < end:
        try:
            text += os.read(ours, 4096).decode(errors="replace")
        except OSError:  # the other end is closed
            break
    return text


def test_a_long_round_has_a_bar_and_ends_on_interrupt(environment):
    with on_terminal(environment, "-c", ROUND) as (process, ours):
        assert "ready" in read_until(ours, "ready")
        shown = r"alltoall pairwise: +\d+%.* \d+/1024"
        assert re.search(shown, read_until(ours, shown))
        process.send_signal(signal.SIGINT)
        told = read_until(ours, "goes on")
        assert "told alltoall pairwise was interrupted" in told and "goes on" in told
        assert "crossed" not in told and process.wait(60) == 0


@pytest.mark.parametrize("words", [
    ["compare", "--kind=alltoall", "--bytes=64", "--names=pairwise", "--group-sizes=1024"],
    ["osu", "alltoall", "-m", "64:64"]], ids=lambda words: words[0])
def test_studies_show_a_bar_while_they_simulate(environment, words):
    with on_terminal(environment, "-m", "ns3_wormhole", *words, "--topology=torus:16x16,hosts=4") as (process, ours):
        name = {"compare": "crossover", "osu": "osu alltoall"}[words[0]]
        wanted = name + r": +\d+%.* 0/1 .* of 1024"
        assert re.search(wanted, read_until(ours, wanted))


FABRIC = "irregular:switches=150,hosts=300"
SMALLER = "irregular:switches=75,hosts=150"


@pytest.mark.parametrize("what, shown, after", [
    (f"import ns3_wormhole as wh\nprint(wh.Fabric.from_text('{FABRIC}', routing='balanced').name)",
     r"routes, rounds that try roots: +\d+%.* \d+/72", FABRIC),
    ("from ns3_wormhole import cli\ncli.main(['compare', '--names=btin', '--group-sizes=8', '--no-check', "
     f"'--topology={SMALLER}', '--routing=turn-prohibition'])", r"routes, rounds .*\d+/\d+", "btin")],
    ids=["fabric", "command"])
def test_routes_have_a_bar_while_they_are_computed(environment, what, shown, after):
    patient = f"from ns3_wormhole.core import bars\nbars._PATIENCE = 0.1\n{what}"
    with on_terminal(environment, "-c", patient) as (process, ours):
        assert re.search(shown, read_until(ours, shown))
        assert after in read_until(ours, after) and process.wait(180) == 0


def test_programs_tell_how_far_routes_are(environment):
    words = [f"--topology={FABRIC}", "--routing=turn-prohibition", "--allreduction=btin", "--rounds=1"]
    with on_terminal(environment, *words, program=PROGRAMS / "collective-schedule") as (process, ours):
        text = read_until(ours, "us")
        assert re.search(r"routes: \d+ of \d+ rounds that try sets of turns", text)
        assert re.search(r"\r +\r", text) and "routes" not in text.rsplit("\r", 1)[-1]
        assert process.wait(180) == 0


@pytest.fixture
def beaten(wh, monkeypatch):
    """What rounds tell of how far they are, which may be turned off."""
    told = []
    monkeypatch.setattr(bars.watched, "beat", lambda self, *given: told.append(given) or True)
    yield told
    bridge.SetBeat(bridge.AddressOf(bars._listen))


def test_a_bar_costs_no_simulated_time(wh, beaten):
    """Nor does it make the simulation longer, whose clock later rounds begin by."""
    def times(beats):
        wh.reset()
        fabric = wh.Fabric.from_text("torus:8x8")
        bars.connect()
        bridge.SetBeat(0)
        made = fabric.alltoall("pairwise", 48, bytes="64KiB")
        made.setup_us
        if beats:
            made._bench.SetProgress(bars._listen, 0)
        rounds = [made.cross() for _ in range(3)]
        return rounds, made.leaves_us, wh.ns.Simulator.Now().GetTimeStep()
    silent = times(False)
    assert not beaten and silent == times(True)
    assert beaten and all(0 <= left <= due == 48 for left, due in beaten)


def test_rounds_beside_traffic_tell_how_many_are_done(wh, beaten):
    def times(beat):
        wh.reset()
        wh.set_seed()
        made = wh.Fabric.from_text("torus:8x8").barrier("dissemination", 64)
        made.cross()
        bridge.SetBeat(beat)
        return traffic.given(0.05, rounds=60).cross(made)
    assert times(0) == times(bridge.AddressOf(bars._listen))
    assert beaten and all(0 <= done < due == 60 for done, due in beaten)


def test_long_rounds_without_a_terminal(environment):
    program = """import ns3_wormhole as wh
from ns3_wormhole.core import bars
bars._PATIENCE = 0
beat, beaten = bars.watched.beat, []
bars.watched.beat = lambda *given: beaten.append(given) or beat(*given)
wh.Fabric.from_text("torus:16x16").alltoall("pairwise", 256, bytes=64).cross()
first = len(beaten)
wh.Fabric.from_text("torus:8x8").barrier("dissemination", 64).explain(load=0.05, rounds=60)
assert 0 < first < len(beaten)
"""
    assert run(sys.executable, "-c", program, env=environment).stderr == ""


@pytest.mark.parametrize("text, kind, name, members, go", [
    ("torus:8x8", "alltoall", "pairwise", 64, lambda made: made.cross()),
    ("torus:8x8", "barrier", "dissemination", 64, lambda made: made.explain(load=0.05, rounds=60))])
def test_an_error_of_python_ends_the_simulation(wh, monkeypatch, text, kind, name, members, go):
    """Otherwise messages of the round would come to the next group."""
    def fail(*_):
        raise RuntimeError("no bar")
    made = wh.Fabric.from_text(text).collective(kind, name, members)
    assert made.setup_us >= 0
    made._bench.SetProgress(bars._listen, 0)
    with monkeypatch.context() as patched:
        patched.setattr(bars.watched, "beat", fail)
        with pytest.raises(Exception, match="no bar"):
            go(made)
    refuses("the simulation of this collective has ended", made.cross)
    assert wh.Fabric.from_text("torus:4").barrier("dissemination", 4).cross() > 0
