# SPDX-License-Identifier: GPL-2.0-only
"""All commands of ns3-wormhole with their options, found in the parser, and small runs of each."""

import contextlib
import io
import pathlib
import re

import click

from ns3_wormhole import cli, options, simulation

# Runs of each command, cheap ones, in which all of its options are varied. {x} is a file of FILES, without its suffix.
RUNS = {
    "compare": [
        "--fabric={chain} --group-sizes=3 --names=btin,dissemination",
        "--fabric={chain} --group-sizes=3 --kind=allreduction --bytes=4KiB --names=btin,ring",
        "--hosts=4 --group-sizes=3 --kind=allreduction --bytes=64 --names=ring --network=ideal",
        "--topology=torus:2x2 --group-sizes=4 --names=dissemination --load=0.1 --rounds=2",
    ],
    "routing-comparison": ["--fabrics=torus:2x2 --engines=up-down --no-simulate"],
    "osu": ["latency --fabric={chain} -m 8:16 -i 2 --load=0.1", "barrier --fabric={chain} -i 2"],
    "calibrate": ["{osu} --fabric={chain} --fit=StartUp"],
    "goal": ["{goal} --fabric={chain} --place=random", "{goal} --ideal",
             "--write=allreduction=ring --group-size=3"],
    "predict": ["--topology=torus:2x2 --tables={osu} --predict={osu} --fit=StartUp"],
    "adapter": ["--fabric={chain} --size=3 --host-us=20 --adapter-us=15"],
    "outages": ["--fabric={chain} --names=dissemination --failures=s0:0-s1:0,h5 --before=100us --down=300us "
                "--after=100us"],
    "fabric place": ["{chain} --size=2 --bytes=64 --tries=4"],
    "timeline": ["{timeline} --out=page.html"],
    "cxxflags": [""],
    "machine list": [""],
    "machine show": [""],
    "fabric show": ["{chain}", "{chain} --heat=barrier", "{chain} --heat=waiting --time=20us"],
    "fabric check": ["torus:2x2"],
    "fabric make": ["out.json --switches=6 --hosts=8 --ports=6", "out.json --topology=torus:2x2"],
    "fabric what-if": ["{chain} --without=s0:0-s1:0 --algorithms=dissemination",
                       "{chain} --with=s0:s2 --algorithms=dissemination --load=0.1 --rounds=2"],
    "fabric year": ["{chain} --cable-mtbf=1000 --cable-mttr=10 --switch-mtbf=2000 --switch-mttr=10 "
                    "--algorithms=dissemination",
                    "{chain} --cable-mtbf=1000 --cable-mttr=100 --switch-mtbf=2000 --switch-mttr=100 "
                    "--algorithms=dissemination --runs=3"],
    "fabric import": ["{anynet} --out=in.json"],
    "fabric export": ["torus:2x2 --to=dot"],
    "campaign": ["{sweep} --csv=sweep.csv --workers=1"],
    "reproduce": ["nothing-of-the-kind"],
    "study": ["routing-comparison --fabrics=torus:2x2 --no-simulate"],
}

FILES = {
    "goal.goal": "num_ranks 2\nrank 0 {\nl1: send 64b to 1 tag 0\nl2: send 64b to 1 tag 1\n}\n"
            "rank 1 {\nl1: recv 64b from 0 tag 0\nl2: recv 64b from 0 tag 1\n}\n",
    "osu.txt": "# OSU MPI Latency Test\n# Size    Latency (us)\n8  9.1\n64 9.6\n256 11.0\n",
    "anynet.anynet": "router 0 node 0 router 1\nrouter 1 node 1\n",
    "sweep.json": '{"study": "routing_comparison", "seeds": 1, "fixed": {"fabrics": ["torus:2x2"], '
             '"simulate": false}, "parameters": {"engines": ["up-down"]}}',
    # Three switches in a row, of 1, 2 and 3 hosts: groups differ by who is in them.
    "chain.json": '{"hosts": ["h0", "h1", "h2", "h3", "h4", "h5"], "links": [["s0", 0, "s1", 0], '
             '["s1", 1, "s2", 0], ["h0", 0, "s0", 2], ["h1", 0, "s1", 2], ["h2", 0, "s1", 3], '
             '["h3", 0, "s2", 2], ["h4", 0, "s2", 3], ["h5", 0, "s2", 4], ["s0", 5, "s1", 5], ["s1", 6, "s2", 6]]}',
    "timeline.json": '{"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 1, "name": "a"}]}',
}


def commands(group=cli.app, path=()):
    """Yields the words and the command of each that runs something."""
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def write_files(folder: pathlib.Path) -> dict[str, str]:
    """Writes the files that runs read. Returns their names, by those without a suffix."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return {name.partition(".")[0]: name for name in FILES}


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
