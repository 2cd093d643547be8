# SPDX-License-Identifier: GPL-2.0-only
"""Examples in Python print what those in C++ do."""

import json
import re
import runpy
import sys

import pytest
from conftest import PROGRAMS, ROOT, examples, refused_by, run, write

CALLS = [
    "first-barrier",
    "first-ip",
    "first-ip --topology=mesh:2x2 --packets=50 --bytes=1kB --interval=30us "
    "--ns3::ArpL3Protocol::RequestJitter=ns3::UniformRandomVariable[Max=1]",
    "btin-comparison --switches=8 --hosts=16 --groupSizes=2,4 --runs=2",
    "btin-comparison --fabric=data/moh-figure-1.json --groupSizes=14 --runs=2 --btinTiming=flits "
    "--schemes=btin,unicast --startUp=3us --linkDelay=50ns",
    "latency-load --switches=8 --hosts=16 --flits=16 --loads=0.01,1.5 --noSearch --worms=64",
    "latency-load --topology=torus:4x4 --flits=8 --loads=0.05 --noSearch --worms=64 --pattern=transpose "
    "--bufferDepth=9 --switchDelay=100ns",
    "fibo-tree --processes=2,19 --network=ideal,fabric",
    "fibo-tree --s=5us --r=9us,20us --processes=8 --trees=fibo,chain",
    "rdma-barrier --nodes=2,3 --tasksPerNode=1,2",
    "rdma-barrier --preset=cluster-2 --nodes=8 --flag=1us --topology=torus:4x4",
    "rdma-barrier --nodes=2,3 --withinHost=memory,interface --interfacePercent=0,50 --exchange=direct "
    "--registration=5us",
    "collective-schedule --switches=8 --hosts=16 --tasksPerHost=2 --rounds=2",
    "split-barrier --members=8 --compute=0us,20us --steps=5",
    "split-barrier --topology=torus:4x4 --algorithms=tree[Tree=fibo],hw-all --pieces=4 "
    "--progressBy=in-call,interrupt --compute=30us --imbalance=20 --steps=5 --startUp=3us --receive=2us "
    "--interrupt=2us --stream=7",
    "print-attributes",
    "smp-broadcast --hosts=8,12",
    "smp-broadcast --case=44 --placements=2 --hosts=8 --receive=1us",
    "smp-broadcast --topology=torus:4x4,hosts=4 --job=40 --jobSwitches=12 --placement=shuffled --placements=3 "
    "--hosts=10 --bytes=64,200 --flitBytes=6 --algorithms=tree[Tree=fibo],sss-mst --startUp=1us",
    "smp-broadcast --fabric=data/moh-figure-1.json --bytes=64,1kB --tasksPerHost=2 "
    "--algorithms=tree[Tree=binomial],smp[Inner=tree] --flag=1us",
    "btin-comparison --topology=torus:4x4,routing=up-down --groupSizes=2,8 --runs=2",
    "rdma-barrier --fabric=data/moh-figure-1.json --nodes=2,3 --tasksPerNode=1",
    "sync-hardware --table=1,7 --nodes=8 --supersteps=10 --memoryPrice=800",
    "sync-hardware --table=3,uniprocessor --supersteps=5 --hardware=none,hw-1",
    "sync-hardware --table=1 --hardware=in-switch --topology=clos:ports=8,levels=2 --nodes=8 --delays=0us "
    "--networkDone=add --r=9us",
    "barriers-under-load --topology=torus:3x3 --loads=0.1,0.9 --rounds=10",
    "broadcast-load --windows=0,1 --loads=0.2 --rounds=8 --gaps=0us,30us",
    "broadcast-load --topology=torus:3x3 --broadcasters=3 --broadcasts=mpich,tree[Tree=fibo] --bytes=1kB --rounds=8 "
    "--acks=hw-all --unexpected=3us --startUp=1us",
    "network-done --messages=1,5 --rounds=8",
    "network-done --topology=torus:3x3 --methods=network-done[Answers=true|Inner=btin] --messages=0.5 --bytes=1kB "
    "--quantum=50us --rounds=8 --load=0.1 --flits=32 --progressBy=interrupt --interrupt=1us --startUp=1us --seed=2",
    "collective-schedule --topology=torus:4x4 --allreduction=butterfly[Operation=MIN]",
    "collective-schedule --topology=torus:4x4 --allreduction=hw-all --split",
]

# Columns of fabric-benchmark that are times or memory of the process, and so not the same twice.
NOISY = {"cpu_ns_per_worm_hop", "bare_two_events_ns", "ratio", "peak_mib", "cpu_ms_per_barrier",
         "draw_s", "build_s", "group_s", "barrier_s", "total_s", "wall_s"}


def output_of(command, **settings):
    return run(*command, cwd=ROOT, timeout=300, **settings).stdout


def compare(environment, name, *arguments):
    expected = output_of([PROGRAMS / name, *arguments])
    assert expected
    found = output_of([sys.executable, ROOT / f"examples/{name}.py", *arguments], env=environment)
    assert found == expected


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_twin(environment, wh, capsys, monkeypatch, call):
    """Those of studies run in this process, which has loaded ns-3."""
    name, *arguments = call.split()
    if (ROOT / f"examples/{name}.cc").exists():
        compare(environment, name, *arguments)
        return
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(f"examples/{name}.py", run_name="__main__")
    assert (ended.value.code, capsys.readouterr().out) == (0, output_of([PROGRAMS / name, *arguments]))


def test_replay(environment, tmp_path):
    case = json.loads((ROOT / "data/line-of-five.json").read_text(encoding="utf-8"))
    way = {"h0": [0], "s0": [1], "s1": [1], "s2": [1], "s3": [1], "s4": [4]}
    case.update(flit_time=6250, link_delay=20000, switch_delay=300000, depth=4,
                worms=[{"time": time, "flits": 30, "root": "h0", "tree": way} for time in (0, 5)])
    path = write(tmp_path / "case.json", json.dumps(case))
    compare(environment, "worm-replay", f"--case={path}")


def test_replay_of_a_deadlock(environment, tmp_path):
    hosts, switches = [f"h{i}" for i in range(4)], [f"s{i}" for i in range(4)]
    links = [[switches[i], 0, switches[i - 3], 1] for i in range(4)]
    links += [[hosts[i], 0, switches[i], 2] for i in range(4)]
    worms = [{"time": 0, "flits": 1000, "root": hosts[i],
              "tree": {hosts[i]: [0], switches[i]: [0], switches[i - 3]: [0], switches[i - 2]: [2]}}
             for i in range(4)]
    path = write(tmp_path / "ring.json", json.dumps({
        "hosts": hosts, "links": links, "worms": worms, "flit_time": 100, "link_delay": 100, "switch_delay": 0, "depth": 2}))
    runs = [run(*command, f"--case={path}", status=1, env=environment, cwd=ROOT, timeout=300)
            for command in ([PROGRAMS / "worm-replay"],
                            [sys.executable, ROOT / "examples/worm-replay.py"])]
    for done in runs:
        assert json.loads(done.stdout)["blocked"] == [0, 1, 2, 3]
        assert done.stderr.startswith("worm-replay: deadlock") and done.stderr.count("\n") == 1
    assert (runs[0].stdout, runs[0].stderr) == (runs[1].stdout, runs[1].stderr)


@pytest.mark.parametrize("arguments", [
    ["--fabrics=torus:4x4;mesh:3x3,hosts=2", "--loads=0.05,1", "--flits=2,64", "--worms=1000",
     "--members=16", "--repeats=1", "--bufferDepth=8", "--schedulers=PriorityQueue,Map"],
    ["--hosts=256,512", "--switches=200"],
], ids=" ".join)
def test_benchmark(environment, arguments):
    expected, found = (output_of([*command, *arguments], env=environment).splitlines() for command in (
        [PROGRAMS / "fabric-benchmark"], [sys.executable, ROOT / "examples/fabric-benchmark.py"]))
    assert len(found) == len(expected) > 2
    compared = set()
    for one, other in zip(expected, found):
        if not any(field[:1].isdigit() for field in one.split(",")):
            columns = one.split(",")
            assert other == one and len(NOISY & set(columns)) > 0
        for column, *both in zip(columns, one.split(","), other.split(",")):
            if column not in NOISY:
                compared.add(column)
                assert both[0] == both[1], column
    assert len(compared) >= 5


def test_every_example_has_its_twin():
    """But for those about ns-3 modules that the package does not load."""
    assert examples(".cc") - {"barrier-animation", "distributed-fabrics", "mixed-network"} \
        - {"own-barrier", "route-recovery", "shrink-group"} \
        - {"compare-barriers", "compare-broadcasts", "compare-trees"} | {"tour", "own-algorithm", "your-cluster"} == examples(".py")


def test_tour(environment):
    lines = output_of([sys.executable, ROOT / "examples/tour.py"], env=environment).splitlines()
    assert lines[0].startswith("btin") and any(line.endswith("us: 28") for line in lines)


def test_first_allreduction_is_that_of_cpp(environment):
    """But for the order of members, and from when times are counted."""
    def rounds(*words):
        lines = output_of([*words], env=environment).splitlines()
        setup = [float(re.search(r"set up in \+?([0-9.]+) ?us", line)[1]) for line in lines if "set up" in line]
        leaves = [re.fullmatch(r"\+?([0-9.]+) ?us: member (\d) leaves with (.*)", line).groups()
                  for line in lines if "leaves" in line]
        begin = [time for time in setup for _ in range(8)]
        return sorted((place // 8, int(rank), float(time), start, values)
                      for place, ((time, rank, values), start) in enumerate(zip(leaves, begin)))
    python = rounds(sys.executable, ROOT / "examples/first-allreduction.py")
    cpp = rounds(ROOT / "build/examples/first-allreduction")
    assert len(python) == len(cpp) == 16
    for mine, other in zip(python, cpp):
        assert mine[:2] == other[:2] and mine[4] == other[4] == "28, ..., 8212"
        assert mine[2] == pytest.approx(other[2] - other[3], abs=0.01)


def test_own_algorithm_takes_as_long_as_the_same_in_cpp(environment):
    mine = output_of([sys.executable, ROOT / "examples/own-algorithm.py"], env=environment)
    assert mine == "token: 53.190 us\ndissemination: 14.096 us\n"
    cpp = output_of([ROOT / "build/examples/own-barrier"], env=environment)
    assert cpp == "ring: +53.19us\ndissemination: +14.0962us\n"


def test_own_programs_in_switches_take_as_long_as_the_same_in_cpp(environment):
    mine = output_of([sys.executable, ROOT / "examples/own-switch-broadcast.py"], env=environment).splitlines()
    cpp = output_of([ROOT / "build/examples/own-switch-broadcast"], env=environment)
    times = dict(re.findall(r"(\S+): \+(\S+)us", cpp))
    assert mine[:2] == [f"{name}: {float(times[name]):.3f} us" for name in ("flood", "multicast")]
    assert [line.split(":")[0] for line in mine[2:]] == ["up-and-down", "btin"]


def test_wrong_option_names_the_nearest(environment):
    assert "groupSizes" in refused_by(sys.executable, ROOT / "examples/btin-comparison.py", "--grupSizes=2",
                                      env=environment, timeout=60)
