# SPDX-License-Identifier: GPL-2.0-only
"""The example programs with their options, found in their --help, and small runs of each."""

import pathlib
import re
import subprocess

_SMALL = "--topology=torus:2x2"

# Short runs of each program, in which each of its options is varied.
RUNS = {
    "barrier-animation": [f"{_SMALL} --members=4 --out=a.xml"],
    "barriers-under-load": [f"{_SMALL} --algorithms=dissemination --loads=0.1 --rounds=20",
                            "--topology=torus:4x4 --members=4 --algorithms=btin --loads=0.1 --rounds=20"],
    "broadcast-load": [f"{_SMALL} --broadcasts=mpich --windows=1 --gaps=0us --rounds=4 --broadcasters=2"],
    "btin-comparison": ["--switches=8 --hosts=12 --groupSizes=4 --runs=2 --schemes=btin",
                        f"{_SMALL} --groupSizes=3 --runs=1 --schemes=multicast,unicast"],
    "collective-schedule": [f"{_SMALL} --rounds=2"],
    "fabric-benchmark": ["--fabrics=torus:2x2 --loads=0.1 --flits=16 --worms=100 --barriers=1 "
                         "--repeats=1 --members=4 --algorithms=dissemination"],
    "fibo-tree": ["--s=27us --r=88us --processes=5", f"--s=27us --r=88us --processes=4 --network=fabric "
                  f"{_SMALL}"],
    "first-allreduction": [""], "first-barrier": [""],
    "first-ip": [f"{_SMALL} --packets=3"],
    "latency-load": ["--switches=8 --hosts=12 --loads=0.01 --noSearch --worms=64",
                     f"{_SMALL} --loads=0.1 --noSearch --worms=64",
                     f"{_SMALL} --pattern=hotspot --loads=0.1 --noSearch --worms=64"],
    "mixed-network": ["--time=2ms --ip=4"],
    "network-done": [f"{_SMALL} --methods=network-done --messages=2 --rounds=4"],
    "own-barrier": ["--topology=torus:4x2"], "own-switch-broadcast": ["--topology=torus:4x2"],
    "print-attributes": [""],
    "route-recovery": [f"{_SMALL}"],
    "rdma-barrier": ["--nodes=2,4 --tasksPerNode=1,2 --barriers=4",
                     f"{_SMALL} --nodes=4 --tasksPerNode=1 --barriers=4"],
    "shrink-group": [f"{_SMALL}"],
    "smp-broadcast": [f"{_SMALL} --job=3 --placement=shuffled --placements=2 --bytes=64", f"{_SMALL} --hosts=4 --bytes=64",
                      "--case=28 --bytes=64"],
    "split-barrier": ["--members=4 --steps=3 --compute=10us", f"{_SMALL} --members=4 --steps=3"],
    "sync-hardware": ["--table=1", "--table=7 --supersteps=2"],
    "worm-replay": ["--case=case.json"],
}


def options(folder: pathlib.Path, program: str) -> list[tuple[str, bool]]:
    """Returns a program's own options: names, and whether each takes a value."""
    told = subprocess.run([folder / program, "--help"], capture_output=True, text=True, check=True,
                          timeout=60).stdout.partition("\nOptions")[2]
    found = re.findall(r"^  --(\w+)(=?)", told, re.MULTILINE)
    return [(name, bool(equals)) for name, equals in found if name != "help" and "Print" not in name
            and name != "ns3"]
