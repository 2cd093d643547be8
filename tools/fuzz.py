#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the fuzzer's targets for some seconds in all, on all cores.

New inputs go to a folder beside the fuzzer, as does test/fuzz/corpus.toml, unpacked; with --merge those
that reach something new are added to the latter, kept small. An input that crashes, hangs or is accepted
though it makes no sense is kept as crash-... or timeout-... there, and its text printed. Readers of the
Python package are targets of test/fuzz/fuzz_readers.py. The exit status is 0 only if there was none.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "test" / "fuzz" / "corpus.toml"
# Readers of the Python package, which has to be there (make build); a program with the same targets.
PYTHON = [str(ROOT / ".venv" / "bin" / "python"), str(ROOT / "test" / "fuzz" / "fuzz_readers.py")]
MAX_BYTES = {"worms": 256, "case": 1500, "fabric": 800}  # others: 200
# What reads texts does some thousand inputs a second, what runs worms a hundred.
SHARES = {"case": 3, "worms": 3, "fabric": 2}
# About a minute on two cores.
REPEATABLE_RUNS = {"case": 30000, "worms": 150, "fabric": 40000}  # others: 50000, in Python 1000


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", help="targets (default: all)")
    parser.add_argument("--fuzzer", default=str(ROOT / "build-sanitize" / "wormhole-fuzz"))
    parser.add_argument("--seconds", type=float, default=60, help="seconds in all (default: 60)")
    parser.add_argument("--runs", type=int, help="inputs a target, rather than seconds")
    parser.add_argument("--repeatable", action="store_true",
                        help="a fixed number of inputs, the same in every run of the same program")
    parser.add_argument("--seed", type=int, default=1, help="seed of the changes to inputs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at a time")
    parser.add_argument("--merge", action="store_true", help="add new inputs to test/fuzz/corpus.toml")
    return parser.parse_args()


def environment():
    """The sanitizers' settings: every finding ends the process."""
    return {
        **os.environ,
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:abort_on_error=1:print_stacktrace=1",
    }


def list_targets(fuzzer):
    """Returns the names of all targets, and of those in Python."""
    listing, python = (subprocess.run([*command, "--list"], capture_output=True, text=True, check=True)
                       for command in ([fuzzer], PYTHON))
    return listing.stdout.split() + python.stdout.split(), python.stdout.split()


def unpack(target, work):
    """Writes a target's inputs of the corpus into files. Returns their folder."""
    folder = work / "corpus" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in tomllib.loads(CORPUS.read_text(encoding="utf-8")).get(target, {}).items():
        (folder / name).write_bytes(text.encode("latin-1"))
    return folder


def python_command(arguments, target, seconds, work):
    """Returns how a target in Python is run."""
    runs = 1000 if arguments.repeatable else arguments.runs
    return [*PYTHON, f"--target={target}", f"--seed={arguments.seed}", f"--prefix={work}/",
            f"--runs={runs}" if runs else f"--seconds={max(1, round(seconds))}"]


def run_target(arguments, target, seconds, work):
    """Returns whether a target is fine, how many inputs it was given, and what the fuzzer printed."""
    if target in arguments.python:
        return finish(python_command(arguments, target, seconds, work))
    found = work / (f"{target}-repeatable" if arguments.repeatable else target)
    if arguments.repeatable:
        shutil.rmtree(found, ignore_errors=True)
    found.mkdir(parents=True, exist_ok=True)
    command = [arguments.fuzzer, f"--target={target}", f"-seed={arguments.seed}", "-timeout=20"]
    command += [f"-max_len={MAX_BYTES.get(target, 200)}", "-rss_limit_mb=4000"]
    command += ["-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={work}/{target}-"]
    runs = REPEATABLE_RUNS.get(target, 50000) if arguments.repeatable else arguments.runs
    command.append(f"-runs={runs}" if runs else f"-max_total_time={max(1, round(seconds))}")
    return finish([*command, str(found), str(unpack(target, work))])


def finish(command):
    """Runs a command. Returns as run_target()."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False, env=environment())
    runs = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stdout)
    return done.returncode == 0, int(runs[1]) if runs else 0, done.stdout


def merge(arguments, target, work):
    """Adds what reaches new code to the corpus, the smallest inputs first, a few a target."""
    merged, corpus = work / f"{target}-merged", work / "corpus" / target
    merged.mkdir(exist_ok=True)
    subprocess.run([arguments.fuzzer, f"--target={target}", "-merge=1", "-verbosity=0", str(merged), str(corpus),
                    str(work / target)], capture_output=True, check=True, env=environment())
    known = {path.read_bytes() for path in corpus.iterdir()}
    new = [path for path in merged.iterdir() if path.read_bytes() not in known]
    smallest = sorted(new, key=lambda one: one.stat().st_size)[: max(0, 24 - len(known))]
    lines = "".join(f"{path.name[:12]} = {quote(path.read_bytes())}\n" for path in smallest)
    text, head = CORPUS.read_text(encoding="utf-8"), f"[{target}]\n"
    CORPUS.write_text(text.replace(head, head + lines) if f"\n{head}" in text else f"{text}\n{head}{lines}",
                      encoding="utf-8")


def quote(data):
    """Returns bytes as a string of TOML."""
    return json.dumps(data.decode("latin-1")).replace("\x7f", "\\u007f")


def main():
    arguments = parse_arguments()
    try:
        known, arguments.python = list_targets(arguments.fuzzer)
        targets = arguments.targets or known
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"wormhole: {arguments.fuzzer} can't list its targets: {error}")
    work = Path(arguments.fuzzer).resolve().parent / "fuzz"
    work.mkdir(exist_ok=True)
    unit = arguments.seconds * arguments.jobs / sum(SHARES.get(name, 1) for name in targets)

    failed = inputs = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {target: pool.submit(run_target, arguments, target, unit * SHARES.get(target, 1), work)
                for target in sorted(targets, key=lambda name: -SHARES.get(name, 1))}
        for target, run in runs.items():
            fine, number, output = run.result()
            inputs += number
            failed += not fine
            print(f"{'PASS' if fine else 'FAIL'} {target}, {number} inputs", flush=True)
            if not fine:
                print(output[-8000:])
            elif arguments.merge and target not in arguments.python:
                merge(arguments, target, work)
    print(f"{inputs} inputs")
    print(f"{len(targets) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
