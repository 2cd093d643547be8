# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""All commands of ns3-wormhole with their options, found in the parser, and small runs of each."""

import contextlib
import io
import pathlib
import re

import click

from ns3_wormhole import cli, options, simulation

# Runs of each command, cheap ones, in which all of its options are varied. {x} is a file of FILES.
RUNS = {
    "compare": [
        "--topology=torus:2x2 --group-sizes=2",
        "--switches=8 --hosts=12 --group-sizes=2 --names=btin,dissemination",
        "--topology=torus:2x2 --group-sizes=4 --kind=allreduction --bytes=64,4KiB",
        "--topology=torus:2x2 --group-sizes=4 --kind=allreduction --bytes=4KiB --names=btin,ring",
        "--hosts=4 --group-sizes=4 --kind=broadcast --bytes=64 --network=ideal",
        "--topology=torus:2x2 --group-sizes=4 --names=dissemination --load=0.1 --rounds=2",
    ],
    "routing-comparison": ["--fabrics=torus:2x2 --engines=up-down --no-simulate",
                           "--fabrics=irregular:switches=3,hosts=4 --engines=up-down --no-simulate"],
    "osu": ["latency --topology=torus:2x2 -m 8:16 -i 2", "barrier --topology=torus:2x2 -i 2",
            "bcast --topology=torus:2x2 -m 8:16 -i 2",
            "latency --topology=torus:2x2 -m 8:8 -i 2 --load=0.1"],
    "calibrate": ["{osu} --topology=torus:2x2 --fit=StartUp"],
    "goal": ["{goal} --topology=torus:2x2", "{goal} --ideal",
             "--write=allreduction=ring --members=2",
             "{goal} --topology=torus:2x2 --load=0.1 --rounds=2"],
    "timeline": ["{timeline} --out=page.html"],
    "machine list": [""],
    "machine show": [""],
    "fabric show": ["torus:2x2", "torus:2x2 --heat=barrier", "torus:2x2 --heat=waiting --time=20us"],
    "fabric check": ["torus:2x2", "{fabric}"],
    "fabric make": ["out.json --switches=6 --hosts=8 --ports=6", "out.json --topology=torus:2x2"],
    "fabric what-if": ["torus:2x2 --without=s0:0-s1:0 --algorithms=dissemination",
                       "torus:2x2 --with=s0:s3 --algorithms=dissemination --load=0.1 --rounds=2"],
    "fabric import": ["{anynet} --out=in.json"],
    "fabric export": ["torus:2x2 --to=dot"],
    "campaign": ["{sweep} --csv=sweep.csv --workers=1"],
    "reproduce": ["nothing-of-the-kind"],
    "study": ["routing-comparison --fabrics=torus:2x2 --no-simulate"],
}

FILES = {
    "goal": "num_ranks 2\nrank 0 {\nl1: send 64b to 1 tag 0\n}\nrank 1 {\nl1: recv 64b from 0 tag 0\n}\n",
    "osu": "# OSU MPI Latency Test\n# Size    Latency (us)\n8  9.1\n64 9.6\n256 11.0\n",
    "anynet": "router 0 node 0 router 1\nrouter 1 node 1\n",
    "sweep": '{"study": "routing_comparison", "seeds": 1, "fixed": {"fabrics": ["torus:2x2"], '
             '"simulate": false}, "parameters": {"engines": ["up-down"]}}',
    "fabric": '{"hosts": ["h0", "h1"], "links": [["h0", 0, "s0", 2], ["s0", 0, "s1", 1], '
              '["h1", 0, "s1", 2]]}',
    "timeline": '{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "name": "a"}]}',
}
SUFFIXES = {"goal": ".goal", "osu": ".txt", "anynet": ".anynet", "sweep": ".json", "fabric": ".json",
            "timeline": ".json"}


def commands(group=cli.app, path=()):
    """Yields the words and the command of each that runs something."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def write_files(folder: pathlib.Path) -> dict[str, str]:
    """Writes the files that runs read. Returns their names."""
    names = {}
    for name, text in FILES.items():
        (folder / f"{name}{SUFFIXES[name]}").write_text(text, encoding="utf-8")
        names[name] = f"{name}{SUFFIXES[name]}"
    return names


def run(words: list[str]) -> tuple[int, str, str]:
    """Runs a command. Returns its exit status, standard output and standard error."""
    simulation.reset()
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = options.run(cli.app, "ns3-wormhole", words)
    return status, out.getvalue(), err.getvalue()


def names_of(option: click.Option) -> list[str]:
    """Returns an option's names, the longest first."""
    return sorted((*option.opts, *option.secondary_opts), key=len, reverse=True)


def is_named(option: click.Option, text: str) -> bool:
    """Returns whether a text names an option, in any spelling."""
    plain = re.sub(r"[-_]", "", text).lower()
    return any(re.sub(r"[-_]", "", name).lower() in plain for name in names_of(option))
