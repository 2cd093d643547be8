#!/usr/bin/env python3
# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""From a cluster's files to a decision: its topology, its measured tables, its collectives.

The files in data/example-cluster are of no real cluster: their measurements are simulated, by
test/python/example_cluster.py.
See "From files to a decision" in doc/user/your-cluster.rst.
"""

import argparse
import pathlib

import ns3_wormhole as wh

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "data" / "example-cluster"

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="where the files are")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."),
                    help="where cluster.json and machine.toml go")
parser.add_argument("--tasks", type=int, default=40, help="processes of a host [40, 2 x 20]")
given = parser.parse_args()
cluster, machine = given.out / "cluster.json", given.out / "machine.toml"

# 1. What the cluster is: ibnetdiscover's output.
fabric = wh.Fabric.read(given.folder / "subnet.txt")
fabric.check()
fabric.to_file(cluster)
print(f"{len(fabric.switches)} switches, {len(fabric.hosts)} hosts, saturation bound "
      f"{fabric.saturation_bound():.3f}")

# 2. What its hosts cost: OSU's tables, two of them kept aside.
found = wh.calibrate.calibrate(
    fabric, [str(given.folder / name) for name in ("osu_latency.txt", "osu_bw.txt",
                                                    "osu_bcast.txt:members=8")],
    ["StartUp", "ReceiveOverhead", "SendDataRate", "ReceiveDataRate", "EagerLimit"],
    predict=[str(given.folder / f"{name}:members={len(fabric.hosts)}")
             for name in ("osu_barrier.txt", "osu_allreduce.txt")],
    algorithms={"allreduce": "butterfly"}, machine="edr-infiniband")
machine.write_text(found.to_toml("Example cluster", "fitted to OSU's tables; else edr-infiniband"),
                   encoding="utf-8")
for row in found.parameters.itertuples():
    print(f"{row.name:15} {row.value}")
for row in found.predictions.itertuples():
    print(f"{row.benchmark} of {row.members}: measured {row.measured:.2f} us, predicted "
          f"{row.predicted:.2f} us ({row.deviation:+.1%})")

# 3. Which barrier and broadcast should run, and what would hardware buy?
fabric = wh.Fabric.from_file(cluster, machine=machine)
for kind in ("barrier", "broadcast"):
    table = wh.studies.algorithms(fabric=fabric, kind=kind, group_sizes=[len(fabric.hosts)],
                                  tasks_per_host=given.tasks)
    able = table[table.refused == ""].sort_values("latency_us", kind="stable")
    software, hardware = (able[able.hypothetical == is_it].iloc[0] for is_it in (False, True))
    print(f"{kind} of {len(fabric.hosts) * given.tasks} processes: {software.algorithm} takes "
          f"{software.latency_us:.2f} us, {hardware.algorithm} would take "
          f"{hardware.latency_us:.2f} us")

# 4. What would hurt most, and would a cable help?
table = fabric.what_if(["each-switch"], ["spine1:spine2"], ["dissemination"])
for row in table.itertuples():
    print(f"{row.variant:32} hosts cut off {row.cut_off:2}, saturation bound "
          f"{row.saturation_bound:.3f}, barrier {row.dissemination_us:.2f} us")
