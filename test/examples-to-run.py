#! /usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only

# The examples that ns-3's test.py runs: (name and arguments, run it, run it under valgrind).
cpp_examples = [
    ("first-barrier", "True", "True"),
    ("first-allreduction", "True", "True"),
    ("worm-replay --help", "True", "False"),
    (
        "btin-comparison --switches=8 --hosts=16 --ports=8 --groupSizes=2,4 --runs=2",
        "True",
        "False",
    ),
    (
        "latency-load --switches=8 --hosts=16 --flits=16 --loads=0.01,1.5 --noSearch --worms=64",
        "True",
        "False",
    ),
    ("fibo-tree --processes=2,19 --network=ideal,fabric", "True", "False"),
    ("rdma-barrier --nodes=2,3 --tasksPerNode=1,2", "True", "False"),
    ("barriers-under-load --topology=torus:3x3 --loads=0.1,0.3 --rounds=10", "True", "False"),
    ("broadcast-load --windows=0,1 --loads=0.2 --rounds=8", "True", "False"),
    ("network-done --messages=1 --rounds=8", "True", "False"),
    ("sync-hardware --table=1,7 --supersteps=10", "True", "False"),
    ("smp-broadcast --case=28 --placements=2 --hosts=8,28 --bytes=64,200000", "True", "False"),
    ("smp-broadcast --topology=torus:3x3 --tasksPerHost=2 --bytes=64,1kB", "True", "False"),
    ("split-barrier --members=8 --compute=0us,20us --steps=5", "True", "False"),
    ("collective-schedule --switches=8 --hosts=16 --tasksPerHost=2 --rounds=2", "True", "False"),
    ("collective-schedule --topology=torus:3x3 --rounds=2", "True", "False"),
    ("collective-schedule --topology=torus:3x3 --rounds=2 --explain", "True", "False"),
    (
        "fabric-benchmark --fabrics=torus:4x4 --loads=0.05 --flits=2,64 --worms=1000 --members=16 "
        "--repeats=1",
        "True",
        "False",
    ),
    ("print-attributes", "True", "False"),
    ("own-barrier --topology=torus:3x3", "True", "False"),
    ("route-recovery --topology=torus:3x3", "True", "False"),
    ("shrink-group --topology=torus:3x3", "True", "False"),
    ("own-switch-broadcast --topology=torus:3x3", "True", "False"),
    ("compare-barriers --maxMembers=4 --runs=2", "True", "False"),
    ("compare-broadcasts --topology=torus:3x3 --maxBytes=256", "True", "False"),
    ("compare-trees --maxProcesses=19", "True", "False"),
    # These are built where ns-3 has the modules that they need.
    ("distributed-fabrics --time=1ms", "True", "False"),
    ("first-ip", "True", "True"),
    ("mixed-network --time=5ms", "True", "False"),
    ("barrier-animation --out=barrier-animation.xml", "True", "False"),
]

# The Python examples need the package ns3_wormhole, which a tree does not build; test/python runs
# them. test.py evaluates this list by itself, so that nothing else may be in it.
python_examples = [
    ("first-barrier.py", "False"),
    ("first-allreduction.py", "False"),
    ("first-ip.py", "False"),
    ("tour.py", "False"),
    ("your-cluster.py", "False"),
    ("own-algorithm.py", "False"),
    ("own-switch-broadcast.py", "False"),
    ("btin-comparison.py", "False"),
    ("latency-load.py", "False"),
    ("fibo-tree.py", "False"),
    ("rdma-barrier.py", "False"),
    ("barriers-under-load.py --topology=torus:3x3 --loads=0.1 --rounds=10", "False"),
    ("broadcast-load.py", "False"),
    ("network-done.py", "False"),
    ("collective-schedule.py", "False"),
    ("split-barrier.py", "False"),
    ("smp-broadcast.py", "False"),
    ("sync-hardware.py", "False"),
    ("fabric-benchmark.py", "False"),
    ("print-attributes.py", "False"),
    ("worm-replay.py", "False"),
]
