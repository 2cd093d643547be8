# SPDX-License-Identifier: GPL-2.0-only
"""Tables of measurements in what jobs print: the OSU micro benchmarks, IMB and netgauge."""

import time

import pytest
from conftest import refuses, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ns3_wormhole as wh
from ns3_wormhole import osu
from ns3_wormhole.study import measured_tables

OSU = """Loading module mpi
+ srun ./osu_latency

# OSU MPI Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   P50 Tail Lat(us)   P90 Tail Lat(us)   P99 Tail Lat(us)
1                       1.20               1.19               1.30               2.00
1024                    1.90               1.88               2.00               3.00
real 2.59
0.00user 0.00system 0:00.01elapsed 99%CPU
12 nodes were used
# OSU MPI Allreduce Latency Test v7.2
# Datatype: MPI_INT.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations        Validation
4                       3.10              2.90              3.30        1000              Pass
1024                    5.20              5.00              5.60        1000              Fail
[node1:1234] rank 0 exited
"""
IMB = """#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
# Date                  : Mon Jan  5 10:00:00 2026
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
# ( 14 additional processes waiting in MPI_Barrier)
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         1.20         0.00
            8         1000         1.25         6.40

#-----------------------------------------------------------------------------
# Benchmarking Sendrecv
# #processes = 4
#-----------------------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
            0         1000         1.80         1.90         1.85         0.00
            8         1000         1.80         1.90         1.85         8.00

#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 4
# ( 12 additional processes waiting in MPI_Barrier)
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.02         0.03         0.03
            4         1000         2.00         2.40         2.20

#---------------------------------------------------
# Benchmarking Barrier
# #processes = 16
#---------------------------------------------------
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         5.00         5.20         5.10

# All processes entering MPI_Finalize
"""
LOGGP = """# Info:   (0): writing data to ng.out
# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)
# to get o: plot "./loggp.out" using 1:(($5-$3)/($2-1)-$3)
1 10 2.400000 6.000000 24.000000 1.200000 0.100000 0.110000 0.400000 0.000080 0.010000
1025 10 3.000000 9.000000 30.000000 1.200000 0.100000 0.110000 0.400000 0.000080 0.010000
1025 10 3.000000 9.000000 30.000000 1.200000 0.100000 0.110000 0.400000 0.000090 0.020000
"""
ONE_ONE = """## Netgauge v2.4.6 - mode mpi - 2 processes
##
## A...message size [byte]
##
## B...minimum send blocking time
## H...minimum RTT/2
## I...average RTT/2
## J...median RTT/2
## K...maximum RTT/2
##
## A  -  B  C  D  E  (F G) - H  I  J  K  (L M)  -  N  O  P  Q
1 - 0.10 0.12 0.11 0.90 (0.05 3) - 1.10 1.30 1.20 9.00 (0.20 4) - 0.89 6.15 6.67 7.27
2 - 0.10 0.12 0.11 0.90 (0.05 3) - 1.10 1.30 1.25 9.00 (0.20 4) - 1.78 12.3 12.8 14.5
"""
TERMINAL = """# Info:   (0): Netgauge v2.4.6 MPI enabled (P=2)
1 bytes \t -> 1.20 us \t == 6.66 Mbit/s
1024 bytes \t -> 1.90 us \t == 4311.58 Mbit/s
"""


def read(tmp_path, text, name="job.out", option=""):
    """Returns tables of a text as (benchmark, rows, members), and notes."""
    path, notes = write(tmp_path / name, text), []
    found = measured_tables.read(f"{path}{option}", notes)
    assert all(note.startswith(f"{path}:") and "\n" not in note for note in notes), notes
    return [(each.benchmark, each.rows, each.members) for each in found], notes


def test_a_job_has_several_tables_and_other_lines(tmp_path):
    found, notes = read(tmp_path, OSU)
    assert found == [("latency", ((1, 1.2), (1024, 1.9)), None), ("allreduce", ((4, 3.1),), None)]
    told = "\n".join(notes)
    assert "job.out:9: the table of Latency ends here, at 'real 2.59'" in told
    assert "job.out:16: 1 value whose validation failed left out" in told
    assert "job.out:1: 6 lines outside of tables passed over" in told and len(notes) == 4


@pytest.mark.parametrize("change", [
    lambda text: text.replace("\n", "\r\n"), lambda text: "\ufeff" + text,
    lambda text: text.encode() + b"\xff\xfe noise\n", lambda text: text.encode("utf-16"),
    lambda text: "".join(f"0: {line}\n" for line in text.splitlines()),
    lambda text: "".join(f"[1,0]<stdout>:{line}\n" for line in text.splitlines())])
def test_ends_of_lines_marks_and_tags_do_not_matter(tmp_path, change):
    assert read(tmp_path, change(OSU))[0] == read(tmp_path, OSU)[0]


@pytest.mark.parametrize("variant", ["", "-CUDA", "-ROCM", "-OPENACC", "-SYCL", "-CUDA MANAGED"])
@pytest.mark.parametrize("version", ["3.1.1", "4.4.1", "5.6.3", "6.2", "7.5"])
def test_titles_of_all_kinds_of_memory_and_versions(tmp_path, variant, version):
    for of in osu.BENCHMARKS.values():
        unit = "Bandwidth (MB/s)" if of.name == "bw" else "Latency (us)"
        size = "8   " if of.sizes else ""
        text = f"# OSU MPI{variant} {of.title} Test v{version}\n# Send Buffer on DEVICE (D)\n" \
               f"# {'Size' if size else ''}    {unit}\n{size} 2.5\n"
        found, notes = read(tmp_path, text)
        assert found == [(of.name, ((8 if size else 0, 2.5),), None)]
        assert len(notes) == bool(variant) and all(variant[1:] in note for note in notes)


def test_tables_that_are_not_simulated_are_left_out(tmp_path):
    other = "# OSU MPI Bi-Directional Bandwidth Test v7.5\n# Size   Bandwidth (MB/s)\n1 5.0\n"
    found, notes = read(tmp_path, other + OSU + "# OSU NCCL-CUDA Allreduce Latency Test v7.5\n4 9\n")
    assert [each[0] for each in found] == ["latency", "allreduce"]
    told = "\n".join(notes)
    assert "job.out:1: a table of Bi-Directional Bandwidth left out" in told
    assert "a table of NCCL Allreduce Latency left out" in told
    refuses("job.out:1: benchmark 'Bi-Directional Bandwidth'", read, tmp_path, other)


def test_imb_tells_processes_and_has_its_own_columns(tmp_path):
    found, notes = read(tmp_path, IMB)
    assert found == [("latency", ((0, 1.2), (8, 1.25)), None), ("allreduce", ((4, 2.2),), 4),
                     ("barrier", ((0, 5.1),), 16)]
    told = "\n".join(notes)
    assert "a table of Sendrecv left out" in told and "1 value of 0 bytes" in told
    refuses("the file says 4 members", read, tmp_path, IMB, option=":members=8")
    wrong = IMB.replace("t_avg[usec]\n            0         1000         0.02         0.03         0.03\n"
                        "            4         1000         2.00         2.40         2.20",
                        "t_avg[usec] defects\n 4 1000 2.00 2.40 2.20 0.00\n 8 1000 2 2 2 1.00")
    found, notes = read(tmp_path, wrong)
    assert found[1] == ("allreduce", ((4, 2.2),), 4) and "validation failed" in "\n".join(notes)


@pytest.mark.parametrize("text, rows", [
    (LOGGP, ((1, 1.2), (1025, 1.5))), (ONE_ONE, ((1, 1.2), (2, 1.25))),
    (TERMINAL, ((1, 1.2), (1024, 1.9)))])
def test_netgauge_tells_latency(tmp_path, text, rows):
    found, _ = read(tmp_path, text)
    assert found[0] == ("latency", rows, None)
    assert found[1:] == ([] if text != LOGGP else [
        ("gap", ((1, 0.4), (1025, pytest.approx(2 / 3))), None), ("o_s", ((1, 0.1), (1025, 0.1)), None),
        ("o_r", ((1, 0.11), (1025, 0.11)), None)])


def test_columns_of_csv_without_benchmarks(tmp_path):
    found, _ = read(tmp_path, "size,n,PRTT1_us,gap_us,o_s_us,o_r_us\n8,10,3,0.2,0.1,0.3\n", "t.csv")
    assert found == [(name, ((8, value),), None) for name, value in
                     (("latency", 1.5), ("gap", 0.2), ("o_s", 0.1), ("o_r", 0.3))]
    for name in ("median", "latency"):
        (table,) = measured_tables.read(str(write(tmp_path / "s.csv", f"size,min,{name},p90\n8,1.5,1.6,1.8\n")))
        assert (table.rows, table.spread) == (((8, 1.6),), {8: (1.5, 1.8)})
    assert read(tmp_path, "size,bw\n8,16\n", "t.csv")[0] == [("bw", ((8, 16.0),), None)]
    refuses("job.out:2: 'Send Latency Test' before a title", read, tmp_path, "-----\n Send Latency Test\n 2 1 0.9\n")


def test_netgauge_without_times_is_named(tmp_path):
    line = " L=1.2  s=1  o_s=0.1  o_r=0.1  g=0.4  G=0.000080 (12 GiB/s) lsqu(g,G)=0.01\n"
    refuses("output file .-o. has times", read, tmp_path, line)
    refuses("'netgauge'", read, tmp_path, "## Netgauge v2.4.6 - mode mpi - 8 processes\n# eBB\n8 1000 2000\n")


HEAD = "# OSU MPI Latency Test v7.3\n# Size          Latency (us)\n"


@pytest.mark.parametrize("row", ["1_0 2", "8 1_0", "8 0x10", "8 1,5", "8 +1", "8 1e400", "\u0661 2",
                                 "8 -2", "1e1 2", "8 inf", "8 " + "9" * 5000, "9" * 5000 + " 2"])
def test_what_is_no_number_is_refused(tmp_path, row):
    try:
        found, _ = read(tmp_path, HEAD + "1 1\n" + row + "\n16 2\n")
    except wh.WormholeError as error:
        assert "job.out:4: " in str(error) and "\n" not in str(error) and len(str(error)) < 400
    else:  # it is no row
        assert row.startswith("\u0661") and found == [("latency", ((1, 1.0),), None)]


@pytest.mark.parametrize("option", ["1_0", "9" * 5000, "\u0661", "0", "1", ""])
def test_members_are_plain_numbers(tmp_path, option):
    for given in (("# OSU MPI Barrier Latency Test v7\n 5\n", "job.out", f":members={option}"),
                  (f"benchmark,size,value,members\nbarrier,,5,{option or '0'}\n", "t.csv")):
        refuses("expected a whole number from 2 to", read, tmp_path, *given)


def test_the_same_benchmark_may_come_twice(tmp_path):
    found, _ = read(tmp_path, HEAD + "8 1.5\n" + HEAD + "8 1.6\n", option="")
    assert [rows for _, rows, _ in found] == [((8, 1.5),), ((8, 1.6),)]
    found, notes = read(tmp_path, HEAD + "8 1.5\n" + HEAD)
    assert len(found) == 1 and "has no values" in notes[0]
    # Of two tables the number of processes is that of the collective.
    found, _ = read(tmp_path, OSU, option=":members=8")
    assert [members for *_, members in found] == [None, 8]


def test_long_files_take_time_in_proportion(tmp_path):
    start = time.process_time()
    read(tmp_path, HEAD + "".join(f"{size} 1\n" for size in range(1, 200000)))
    read(tmp_path, HEAD + "8 1\n" + "# OSU MPI " + " " * 2000000 + "\n# OSU MPI " + "a " * 100000 + "\n")
    assert time.process_time() - start < 10


EDITS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 30), st.one_of(
    st.sampled_from(["# OSU MPI ", "\n", " ", "1_0", "nan", "-", "# Benchmarking ", "## Netgauge v1",
                     "9" * 30, "bytes -> ", ":", "\u2028", "Fail", "\t"]),
    st.text(max_size=6))), max_size=8)


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(which=st.sampled_from([OSU, IMB, LOGGP, ONE_ONE, TERMINAL]), edits=EDITS, rest=st.binary(max_size=20))
def test_any_text_is_tables_or_refused_in_a_line(tmp_path_factory, which, edits, rest):
    for at, cut, new in edits:
        at %= len(which) + 1
        which = which[:at] + new + which[at + cut:]
    path = write(tmp_path_factory.getbasetemp() / "any.out", which.encode("utf-8", "surrogatepass") + rest)
    notes = []
    try:
        found = measured_tables.read(str(path), notes)
    except wh.WormholeError as error:
        assert str(error).startswith(f"{path}") and "\n" not in str(error) and len(str(error)) < 2000
        return
    assert found and all(each.rows for each in found)
    for each in found:
        assert all(isinstance(size, int) and 0 < value < 1e12 for size, value in each.rows)
        assert len({size for size, _ in each.rows}) == len(each.rows)
    assert all("\n" not in note for note in notes)
