#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Ten lines: a fabric of your own, barriers by name, a study as a data frame."""

import networkx
import ns3_wormhole as wh

ring = networkx.cycle_graph(["s0", "s1", "s2", "s3"])
ring.add_edges_from((f"s{i % 4}", f"h{i}") for i in range(8))
fabric = wh.Fabric.from_networkx(ring)
fabric.check()
for name in wh.algorithms("barrier"):
    print(f"{name:20} {fabric.barrier(name, ['h0', 'h3', 'h5', 'h6']).cross():8.3f} us")
total = fabric.allreduction("dissemination", Operation="ADD", WidthBits=32)
print("sum in", total.cross(values=range(8)), "us:", total.results[0])
table = wh.studies.barriers(fabric=fabric, group_sizes=[2, 4, 8], runs=5)
print(table.pivot_table("latency_us_mean", "group_size", ["scheme", "reduction"]).to_string())
