# SPDX-License-Identifier: GPL-2.0-only
"""Whatever is given to an option of a command ends in one line and a status, or is accepted."""

import click
import pytest

import command_options as commands

WRONG = ["", "²", "٣", "1_0", "9" * 5000, "-1", "0", "nan", "inf", "1e999", "a\x01b", "\n", "=", "[",
         "],[", "a" * 5000, "folder", "no/such/file", "/dev/null", "\udcff", "ü\u202e", "%s{}",
         "18446744073709551616", ",", "1:", "torus:9999999999x2"]
# Values that an option takes, and what that takes too long for.
LONG = {("campaign", "dask"), ("routing-comparison", "jobs")}


@pytest.mark.parametrize("path", [path for path, _ in commands.commands()])
def test_wrong_values(path, tmp_path, monkeypatch):
    """Every option of every command, and its arguments."""
    monkeypatch.chdir(tmp_path)
    names = commands.write_files(tmp_path)
    (tmp_path / "folder").mkdir()
    words = [*path.split(), *commands.RUNS[path][0].format(**names).split()]
    command = dict(commands.commands())[path]
    if path == "study":  # hands all on
        return
    for option in command.params:
        if (path, option.name) in LONG or isinstance(option, click.Option) and option.is_flag:
            continue
        for wrong in WRONG:
            if isinstance(option, click.Argument):
                given = [*words, wrong] if option.nargs != 1 else [*path.split(), wrong, *words[
                    len(path.split()) + 1:]]
            else:
                given = [*words, f"{commands.names_of(option)[0]}={wrong}"]
            status, _, err = commands.run(given)
            shown = f"{option.name}: {wrong[:20]!r}: {err[:200]}"
            assert status in (0, 1, 2), shown
            lines = err.strip().split("\n")
            assert all(line.startswith(("ns3-wormhole: ", "failed: ", "passed over")) for line in lines
                       if status and not line.startswith("Usage")), shown
            assert not status or err.strip(), shown
            assert len(err) < 2000 and "Traceback" not in err, shown
