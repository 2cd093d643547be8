# SPDX-License-Identifier: GPL-2.0-only
"""Makes the files in data/example-cluster: what the tools of a cluster print.

There is no such cluster. Its topology is what ibnetdiscover prints of cables. Its tables are what
`osu` simulates with hosts' costs that are planted here, each value with an error of 2 % (normal, by
a seeded generator), so that calibrate has something to find. Run it to write the files again.
"""

import pathlib
import random
import re

import format_writers as writers
import networkx

import ns3_wormhole as wh
from ns3_wormhole import osu

FOLDER = pathlib.Path(__file__).parents[2] / "data" / "example-cluster"
MACHINE = "edr-infiniband"
PLANTED = {"ns3::HostSoftware::StartUp": "430ns",
           "ns3::HostSoftware::ReceiveOverhead": "270ns",
           "ns3::HostSoftware::SendDataRate": "80Gbps",
           "ns3::HostSoftware::ReceiveDataRate": "120Gbps",
           "ns3::HostSoftware::EagerLimit": "16384"}
NOISE = 0.02
# File, benchmark, members, its algorithm.
TABLES = (("osu_latency.txt", "latency", None, None),
          ("osu_bw.txt", "bw", None, None),
          ("osu_bcast.txt", "bcast", 8, "tree[Tree=binomial]"),
          ("osu_barrier.txt", "barrier", 60, "dissemination"),
          ("osu_allreduce.txt", "allreduce", 60, "butterfly"))


def graph() -> networkx.MultiGraph:
    """Returns three leaves of 20 hosts, each with 8 cables to either of two spines; 36 ports each."""
    made = networkx.MultiGraph()
    made.add_nodes_from(["leaf1", "leaf2", "leaf3", "spine1", "spine2"], kind="switch")
    for leaf in range(3):
        for port in range(20):
            name = f"node{20 * leaf + port + 1:02}"
            made.add_node(name, kind="host")
            made.add_edge(f"leaf{leaf + 1}", name, ports={f"leaf{leaf + 1}": port, name: 0})
        for spine in range(2):
            for cable in range(8):
                made.add_edge(f"leaf{leaf + 1}", f"spine{spine + 1}",
                              ports={f"leaf{leaf + 1}": 20 + 8 * spine + cable,
                                     f"spine{spine + 1}": 8 * leaf + cable})
    return made


def files() -> dict[str, str]:
    """Returns the texts of all files by their names."""
    fabric = wh.Fabric.from_networkx(graph(), ports=36)
    made = {"subnet.txt": re.sub(r"(?m)^(\w+=0x.*)?\n", "", writers.ibnetdiscover(fabric))}
    noise = random.Random(36)
    for name, benchmark, members, algorithm in TABLES:
        table = osu.measure(fabric, benchmark, attributes=PLANTED, machine=MACHINE, algorithm=algorithm,
                            members=None if members is None else list(range(members)))
        lines = [f"# OSU MPI {osu.BENCHMARKS[benchmark].title} Test v7.5"]
        lines += ["# Avg Latency(us)"] if benchmark == "barrier" else \
            [f"# Size       {osu.BENCHMARKS[benchmark].column}"]
        for row in table.itertuples():
            value = f"{row.value * noise.gauss(1, NOISE):.2f}"
            lines.append(f"{value:>17}" if benchmark == "barrier" else f"{row.size:<10}{value:>19}")
        made[name] = "\n".join([*lines, ""])
    return made


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in files().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
