# SPDX-License-Identifier: GPL-2.0-only
"""GOAL schedules: the command, places of jobs, collectives that are replaced."""


import pandas
import pytest
from conftest import call, check_path, passed, refused, refuses, shown_on, write

import ns3_wormhole as wh
from ns3_wormhole import goal

PING = """num_ranks 2
rank 0 {
l1: calc 100
l2: send 11b to 1 tag 5
l2 requires l1
}
rank 1 {
l1: recv 11b from 0 tag 5
}
"""
FIRST = "num_ranks 4\n" + "".join(
    f"rank {rank} {{\nl1: calc {1000 * rank}\nl2: send 8b to {rank ^ 1} tag 0\nl2 requires l1\n"
    f"l3: recv 8b from {rank ^ 1} tag 0\nl4: calc 500\nl4 requires l3\nl4 requires l2\n}}\n"
    for rank in range(4))


@pytest.fixture
def ping(tmp_path):
    return write(tmp_path / "ping.goal", PING)


@pytest.fixture
def replaced(tmp_path):
    """Returns a function of a collective and algorithms, that reads FIRST with it in place of its messages."""
    def read(entry, *algorithms):
        sets = [{"labels": {str(rank): ["l2", "l3"] for rank in range(4)}, **entry}]
        return goal.read(str(write(tmp_path / "pairs.goal", FIRST)),
                         str(write(tmp_path / "sets.json", sets)), *algorithms)
    return read


def test_ideal(capsys, ping, tmp_path):
    """100 ns, then o + L + o + 10 G at the receiver."""
    csv = tmp_path / "ends.csv"
    out = passed(capsys, "goal", str(ping), "--ideal", "--L=2us", "--o=1500ns", "--G=1ns", "--O=0", f"--csv={csv}")
    assert out.endswith("2 ranks, 3 operations: 5.110 us, rank 1 last\n")
    frame = pandas.read_csv(csv)
    assert list(frame.columns) == ["rank", "finish_ns"]
    assert list(frame.finish_ns) == [1600, 100 + 1500 + 2000 + 1500 + 10]


def test_defaults_of_loggopsim(capsys, tmp_path):
    """A binomial reduction of 1,024 bytes over eight ranks ends as LogGOPSim's README has it."""
    lines = ["num_ranks 8"]
    for rank in range(8):
        froms = [rank + 2**bit for bit in (2, 1, 0) if bit >= rank.bit_length()]
        lines.append(f"rank {rank} {{")
        lines += [f"r{each}: recv 1024b from {each} tag 0" for each in froms]
        if rank:
            lines.append(f"s: send 1024b to {rank - 2**(rank.bit_length() - 1)} tag 0")
            lines += [f"s requires r{each}" for each in froms]
        lines.append("}")
    file, csv = write(tmp_path / "reduce.goal", "\n".join(lines) + "\n"), tmp_path / "ends.csv"
    assert "34.914 us, rank 0 last" in passed(capsys, "goal", str(file), "--ideal", f"--csv={csv}")
    assert list(pandas.read_csv(csv).finish_ns) == [34914, 24776, 13138, 13138] + [1500] * 4


def test_ideal_explained(capsys, ping, tmp_path):
    """The calculation, then o + L + o + 10 G."""
    frame, path = goal.ideal_explained(str(ping), L="2us", G="1ns")
    assert frame.equals(goal.ideal(str(ping), L="2us", G="1ns"))
    check_path(path, 0, 5_110_000)
    assert list(path.cause) == ["compute", "send-overhead", "ideal-network", "receive-overhead", "byte-gap"]
    assert path.attrs["sum"] == "2 o + L + 10 G + 100 ns" and path.attrs["rank"] == 1
    csv, plot = tmp_path / "path.csv", tmp_path / "why.svg"
    out = passed(capsys, "goal", str(ping), "--ideal", "--L=2us", "--G=1ns", "--explain",
                 f"--explain-csv={csv}", f"--plot={plot}")
    assert "  39.1 %      2.000000 us  the ideal network: rank 0 to 1\n" in out
    assert "    = 2 o + L + 10 G + 100 ns\n    by cause: ideal-network 39.1 %, " in out
    read = pandas.read_csv(csv, keep_default_na=False, na_values={"lane": [""]}, dtype={"lane": "Int64"})
    assert list(read) == ["job", *path.columns] and read[path.columns].equals(path)
    assert "byte-gap" in plot.read_text(encoding="utf-8")
    assert out.startswith(passed(capsys, "goal", str(ping), "--ideal", "--L=2us", "--G=1ns")), "nothing else changes"


def test_the_page_shows_what_is_printed(capsys, in_folder):
    schedule, printed = shown_on("goal.rst", "num_ranks", "app.goal: ")
    (in_folder / "app.goal").write_text(schedule, encoding="utf-8")
    assert call(capsys, "goal", "app.goal", "--ideal", "--explain") == (0, printed, "")


def test_jobs_are_explained(capsys, tmp_path):
    csv, plot = tmp_path / "paths.csv", tmp_path / "why.svg"
    file = write(tmp_path / "ring.goal", goal.as_text(goal.collective("allreduction", "ring", 2, 100000)))
    fabric = wh.Fabric.from_text("mesh:2,hosts=2")
    words = {"places": "round-robin", "tasks_per_host": 2}
    frame, paths = goal.run_explained(fabric, [str(file)] * 3, **words)
    assert frame.equals(goal.run(fabric, [str(file)] * 3, **words))
    for job, path in enumerate(paths):
        ends = frame[frame.job == job].finish_ns
        check_path(path, 0, round(1000 * ends.max()))
        assert path.attrs["rank"] == list(ends).index(ends.max())
    assert any(paths[0].other.str.contains("(job 2)", regex=False))
    assert "    held up by: job " in passed(
        capsys, "goal", *[str(file)] * 3, "--topology=mesh:2,hosts=2", "--place=round-robin", "--tasks-per-host=2",
        "--explain", f"--explain-csv={csv}", f"--plot={plot}")
    drawn = plot.read_text(encoding="utf-8")
    assert all(f"ring.goal, job {job}" in drawn for job in range(3)), "a bar each"
    assert list(pandas.read_csv(csv).groupby("job").to_ps.max()) \
        == [path.to_ps.max() for path in paths]


def test_jobs_on_a_fabric(ping):
    fabric = wh.Fabric.from_text("mesh:2,hosts=2")
    long = goal.collective("allreduction", "ring", 2, 100000)
    assert list(goal.run(fabric, [long, long], places="block").slowdown) == [1.0] * 4
    across = goal.run(fabric, [long, long], places="round-robin")
    assert list(across.host) == ["h0", "h1", "h2", "h3"] or across.slowdown.max() >= 1.0
    assert goal.place(fabric, [2, 2], "round-robin", tasks_per_host=2) == [[0, 1], [2, 3]]
    assert goal.place(fabric, [3], "block", tasks_per_host=2) == [[0, 0, 1]]


def test_places_by_file(tmp_path, ping):
    file = write(tmp_path / "places.txt", "h3\nh0  # the second\n")
    fabric = wh.Fabric.from_text("mesh:2,hosts=2")
    assert goal.place(fabric, [2], str(file)) == [[3, 0]]
    refuses("2 hosts; expected one for each of 3 ranks", goal.place, fabric, [3], str(file))
    assert list(goal.run(fabric, [str(ping)], places=str(file)).host) == ["h3", "h0"]


def test_collectives_are_replaced(tmp_path, replaced):
    after = goal.ideal(replaced({"kind": "allreduce", "bytes": 400}, {"allreduction": "ring"}))
    before = goal.ideal(str(tmp_path / "pairs.goal"))
    assert before.finish_ns[0] < before.finish_ns[3]
    # Every rank waits for rank 3, whose calculation takes 3 us, and then calculates for 500 ns.
    assert (after.finish_ns > 3000 + 500).all() and after.finish_ns.min() > before.finish_ns.max()


@pytest.mark.parametrize("entry, told", [
    ({"root": 9}, "entry 0: root is 9; expected a rank that labels name"),
    ({"root": -1}, "entry 0: root is -1"), ({"root": "x"}, "entry 0: root is 'x'"),
    ({"root": True}, "entry 0: root is True"), ({"kind": "foo"}, "entry 0: there is no kind"),
    ({"bytes": "64"}, "entry 0: bytes is '64'"),
    ({"algorithm": "bar"}, "there is no broadcast 'bar'; there are .*scatter-allgather")])
def test_collectives_are_refused(replaced, entry, told):
    refuses(told, replaced, {"kind": "broadcast", "bytes": 64, **entry})


@pytest.mark.parametrize("kind, name", [
    ("barrier", "dissemination"), ("allreduction", "recursive-doubling"), ("broadcast", "binomial"),
    ("reduction", "binomial"), ("gather", "binomial"), ("scatter", "binomial"),
    ("allgather", "recursive-doubling"), ("reduce-scatter", "pairwise"), ("alltoall", "pairwise"),
    ("scan", "recursive-doubling")])
def test_collectives_are_replaced_without_an_algorithm(replaced, kind, name):
    """By software, since the first by name may be one of the switches."""
    entry = {"kind": kind, **({} if kind == "barrier" else {"bytes": 64})}
    assert goal.as_text(replaced(entry)) == goal.as_text(replaced(entry, {kind: name}))


def test_algorithms_as_goal(capsys, tmp_path):
    out = passed(capsys, "goal", "--write=allreduction=ring", "--members=4", "--bytes=64")
    assert out.startswith("num_ranks 4\n") and len(goal.ideal(str(write(tmp_path / "ring.goal", out)))) == 4


@pytest.mark.parametrize("words, told", [
    (["--ideal"], "no schedule is named"),
    (["FILE", "--ideal", "--topology=torus:4"],
     "--topology=torus:4 has no effect with --ideal"),
    (["FILE", "--ideal", "--recovery=local"], "--recovery=local has no effect with --ideal"),
    (["FILE", "--topology=torus:4", "--G=1ns"], "--G is for --ideal alone"),
    (["FILE", "--ideal", "--L=1parsec"], "1parsec"),
    (["FILE", "--topology=torus:2", "--place=/nowhere"], "'/nowhere' is no placement; expected first,"),
    (["FILE", "--ideal", "--plot=why.svg"], "--plot has no effect without --explain"),
    (["/nowhere"], "/nowhere: No such file or directory"),
    (["FILE"], "expected one of --fabric=FILE and --topology=TEXT"),
    (["--write=allreduction"], "expected KIND=NAME"),
    (["--write=barrier=btin"], "not by software alone"),
    (["--write=broadcast=multicast"], "can't be written as GOAL"),
    (["FILE", "--topology=torus:2", "--place=PLACES"], ":2: h1 has 2 ranks; expected up to 1"),
    (["STUCK", "--ideal"], "stuck.goal: rank 1: 'recv 64b from 0 tag 7' waits for ever"),
    (["STUCK", "--topology=torus:2"], "stuck.goal: rank 1: 'recv 64b from 0 tag 7' waits for ever"),
])
def test_refusals(capsys, tmp_path, ping, words, told):
    places = write(tmp_path / "places", "h1\nh1\n")
    stuck = write(tmp_path / "stuck.goal", "num_ranks 2\nrank 0 {\nl1: calc 1\n}\n"
                                           "rank 1 {\nl1: recv 64b from 0 tag 7\n}\n")
    files = {"FILE": str(ping), "STUCK": str(stuck)}
    assert told in refused(capsys, "goal", *[files.get(word, word.replace("PLACES", str(places))) for word in words])


@pytest.mark.parametrize("line, told", [
    ("put 4b to 1", "{}:4: "), ("l1: send 4 to 1", "{}:4: "), ("send 4b to 9", "names a rank that is none"),
    ("l1 requires l9", "{}:4: "), ("l2: calc -5", "{}:4: duration '-5': expected")])
def test_lines_are_named(capsys, tmp_path, line, told):
    file = write(tmp_path / "wrong.goal", f"num_ranks 2\nrank 0 {{\nl1: calc 1\n{line}\n}}\nrank 1 {{\n}}\n")
    assert told.format(file) in refused(capsys, "goal", str(file), "--ideal")
