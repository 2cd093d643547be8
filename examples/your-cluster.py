#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""From a cluster's files to a decision: its topology, its measured tables, its collectives.

The topology in data/example-cluster is imaginary; the tables in data/measured/hc44rs were measured
on a cluster with EDR InfiniBand, whose topology is not published.
See "From files to a decision" in doc/user/your-cluster.rst.
"""

import argparse
import pathlib

import ns3_wormhole as wh

# InfiniBand adapters send packets to several hosts in turn; a long send returns when it has left.
ADAPTER = {"HostSoftware::Sharing": "in-turn", "HostSoftware::MaxPacketBytes": 4096,
           "HostSoftware::SendReturn": "0:copied,8KiB:left"}
DATA = pathlib.Path(__file__).resolve().parents[1] / "data"

parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
parser.add_argument("--folder", type=pathlib.Path, default=DATA / "example-cluster", help="where subnet.txt is")
parser.add_argument("--tables", type=pathlib.Path, default=DATA / "measured" / "hc44rs", help="where tables are")
parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."),
                    help="folder for cluster.json and machine.toml")
parser.add_argument("--tasks", type=int, default=40, help="processes per host [40, 2 x 20]")
given = parser.parse_args()
cluster, machine = given.out / "cluster.json", given.out / "machine.toml"

# 1. What the cluster is: ibnetdiscover's output.
fabric = wh.Fabric.read(given.folder / "subnet.txt")
fabric.check()
fabric.to_file(cluster)
print(f"{len(fabric.switches)} switches, {len(fabric.hosts)} hosts, saturation bound "
      f"{fabric.saturation_bound():.3f}")

# 2. What its hosts cost, fitted to tables of two hosts; collectives are kept to be predicted.
found = wh.calibrate.calibrate(fabric, [str(given.tables / name) for name in ("osu_latency.txt", "loggp.csv")],
                               predict=[str(given.tables / "collectives.csv")], attributes=ADAPTER,
                               machine="edr-infiniband")
machine.write_text(found.to_toml("Example cluster", "fitted to measured tables; else edr-infiniband"), encoding="utf-8")
for name, rows in found.parameters.groupby("name", sort=False):
    print(f"{name:15} {len(rows)} lengths, {', '.join(rows.state.unique())}")
for (benchmark, algorithm), rows in found.predictions.groupby(["benchmark", "algorithm"], sort=False):
    print(f"{benchmark} by {algorithm}: {len(rows)} measured, predicted {100 * rows.deviation.abs().mean():.0f} % off "
          "in the mean")

# 3. Which barrier and broadcast should run, and what would hardware buy?
fabric = wh.Fabric.from_file(cluster, machine=machine)
for kind in ("barrier", "broadcast"):
    table = wh.studies.algorithms(fabric=fabric, kind=kind, group_sizes=[len(fabric.hosts)], tasks_per_host=given.tasks)
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
