#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Runs the suites and programs of the build that the sanitizers watch, build-sanitize/.

A finding of AddressSanitizer or UndefinedBehaviorSanitizer ends its program, which then has failed.
Programs are those of test/examples-to-run.py, and some mistakes that must be refused in one line.
The last line is "N passed, M failed".
"""

import argparse
import os
import re
import runpy
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

MISTAKES = [
    ["smp-broadcast", "--topology=clos:down=2x2,up=1,cables=x", "--bytes=64", "--hosts=1"],
    ["worm-replay", "--case=/dev/zero"],
    ["worm-replay", "--case=-"],
    ["worm-replay", "--case=/"],
    ["btin-comparison", "-"],
    ["latency-load", "--ports= "],
    ["fibo-tree", "--s=3600s", "--r=3600s", "--processes=3000", "--trees=chain"],
]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build-sanitize"))
    parser.add_argument("--fullness", default="QUICK", help="QUICK or EXTENSIVE")
    parser.add_argument("--brief", action="store_true", help="without the suites that take longest")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at a time")
    return parser.parse_args()


# What takes most of the time, and runs what other suites run, too: minutes each, where others take
# seconds.
LONG_SUITES = {f"wormhole-{name}" for name in (
    "collective-laws cost-limits data-fabric deadlock explain explain-lanes explain-rounds fat-tree fibo-levels "
    "lane-collectives latency-load load-statistics loaded-barrier machine-file network-done-study root-search "
    "routing-engines slot-law traffic-beside").split()}


def environment(leaks):
    """The sanitizers' settings: every finding ends its program, lost memory if `leaks`.

    Who allocated what was lost is looked up by its stack. Else two frames will do: ns-3 has no frame
    pointers, so beyond these most stacks differ, and keeping all of them takes gigabytes, and most
    of the time of suites with many events.
    """
    frames = "" if leaks else ":malloc_context_size=2"
    return {
        **os.environ,
        "ASAN_OPTIONS": f"detect_stack_use_after_return=1:detect_leaks={int(leaks)}{frames}",
        "LSAN_OPTIONS": f"suppressions={ROOT}/tools/sanitize-leaks.txt:print_suppressions=0",
        "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    }


def can_find_leaks(arguments):
    """Whether LeakSanitizer works here: it looks at its process as debuggers do, which some
    machines do not allow."""
    done = run([f"{arguments.build}/examples/worm-replay", "--help"], ROOT)
    works = "LeakSanitizer has encountered a fatal error" not in done.stderr
    if not works:
        print("wormhole: LeakSanitizer does not work here, so lost memory is not looked for")
    return works


def run(command, folder, leaks=True):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, timeout=600, cwd=folder, env=environment(leaks))


def run_suites(arguments):
    """Returns how many suites passed and failed."""
    runner = f"{arguments.build}/wormhole-test"
    listing = run([runner, "--list"], ROOT).stdout.split()
    suites = [name for name in listing if name.startswith("wormhole-")
              and not (arguments.brief and name in LONG_SUITES)]
    command = [sys.executable, str(ROOT / "tools" / "run-tests.py"), runner, *suites]
    command += [f"--fullness={arguments.fullness}", f"--jobs={arguments.jobs}", "--timeout=7200"]
    output = ""
    # Many suites look at what is refused, by exceptions out of events of ns-3, which then loses the
    # event and what it holds.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(leaks=False)) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            output = line
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed\n", output)
    return (int(counts.group(1)), int(counts.group(2))) if counts and suites else (0, 1)


def run_program(command, folder, refused, leaks):
    """Returns whether a program does as it should, and what it printed."""
    done = run(command, folder, leaks)
    lines = done.stderr.splitlines()
    as_refused = done.returncode == 1 and len(lines) == 1 and lines[0].startswith(f"{Path(command[0]).name}: ")
    return as_refused if refused else done.returncode == 0, done.stdout[-2000:] + done.stderr


def run_programs(arguments):
    """Returns how many programs passed and failed."""
    examples = Path(arguments.build) / "examples"
    listed = runpy.run_path(str(ROOT / "test" / "examples-to-run.py"))["cpp_examples"]
    commands = [(command.split(), False) for command, _, _ in listed]
    commands += [(command, True) for command in MISTAKES]
    leaks = can_find_leaks(arguments)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(arguments.jobs) as pool:
        runs = [(words, pool.submit(run_program, [f"{examples}/{words[0]}", *words[1:]], folder, bad, leaks))
                for words, bad in commands if (examples / words[0]).exists()]
        for words, done in runs:
            passed, output = done.result()
            failed += not passed
            print(f"{'PASS' if passed else 'FAIL'} {' '.join(words)}", flush=True)
            if not passed:
                print(output)
    return len(runs) - failed, failed


def main():
    arguments = parse_arguments()
    passed, failed = map(sum, zip(run_suites(arguments), run_programs(arguments)))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
