#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs wormhole's test suites, each in a process of its own, on all cores.

One line a suite as it ends, with its processor time, the output of those that failed, the processor
time of all, and a closing line "N passed, M failed". The exit status is 0 only if there were suites
and all of them passed.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed

FULLNESSES = ["QUICK", "EXTENSIVE", "TAKES_FOREVER"]  # ns-3's


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runner", help="the test program, build/wormhole-test")
    parser.add_argument("suites", nargs="*", help="suites to run (default: all wormhole-*)")
    parser.add_argument("--fullness", default="QUICK", choices=FULLNESSES, help="how much to run (default: QUICK)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="suites at a time")
    parser.add_argument("--timeout", type=float, default=1200, help="seconds a suite may take")
    return parser.parse_args()


def list_suites(runner):
    listing = subprocess.run([runner, "--list"], capture_output=True, text=True, check=True)
    names = (line.strip() for line in listing.stdout.splitlines())
    return sorted(name for name in names if name.startswith("wormhole-"))


def run_suite(arguments, suite, folder):
    """Runs a suite, its temporary files in `folder`.

    Returns whether the suite passed, the processor time that it took, in seconds, and what it
    printed."""
    command = [arguments.runner, f"--suite={suite}", f"--fullness={arguments.fullness}"]
    command += [f"--tempdir={os.path.join(folder, suite)}", "--verbose"]
    with open(os.path.join(folder, f"{suite}.log"), "w+", errors="replace") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        timer = threading.Timer(arguments.timeout, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)  # whose times are this child's alone
        is_late = not timer.is_alive()
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        log.seek(0)
        output = log.read()
    if is_late:
        output = f"not done after {arguments.timeout:.0f} s\n"
    elif process.returncode < 0:
        output += f"ended by signal {-process.returncode}\n"
    return process.returncode == 0, usage.ru_utime + usage.ru_stime, output


def main():
    arguments = parse_arguments()
    try:
        suites = arguments.suites or list_suites(arguments.runner)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"wormhole: {arguments.runner} can't list its suites: {error}")
    if not suites:
        sys.exit(f"wormhole: {arguments.runner} has no suites named wormhole-*")

    failed = {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {pool.submit(run_suite, arguments, suite, folder): suite for suite in suites}
        for number, run in enumerate(as_completed(runs), 1):
            passed, seconds, output = run.result()
            verdict = "PASS" if passed else "FAIL"
            print(f"[{number}/{len(suites)}] {verdict} {runs[run]} {seconds:.1f} s", flush=True)
            if not passed:
                failed[runs[run]] = output

    for suite, output in sorted(failed.items()):
        print(f"\n--- {suite}\n{output}", end="")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime + used.ru_stime:.0f} s of processor time")
    print(f"{len(suites) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
