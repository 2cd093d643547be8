#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""first-allreduction.cc from Python, with NumPy arrays; times count from the entry of all members.

Eight hosts of a torus add vectors of integers, by messages around a ring and in the switches, and
print the sums.
"""

import sys

import numpy
import ns3_wormhole as wh

N_ELEMENTS = 1024


def main():
    for algorithm in ("ring", "btin[Window=32]"):
        print(algorithm)
        fabric = wh.Fabric.from_text("torus:4x4")
        total = fabric.allreduction(algorithm, range(8), operation="sum", bytes=4 * N_ELEMENTS)
        print(f"set up in {total.setup_us:.6g} us")
        total.cross(values=[numpy.arange(rank, rank + N_ELEMENTS, dtype=numpy.int32) for rank in range(8)])
        for rank, (leaves, result) in enumerate(zip(total.leaves_us, total.results)):
            print(f"{leaves:.6g} us: member {rank} leaves with {result[0]}, ..., {result[-1]}")
        wh.reset()


if __name__ == "__main__":
    try:
        main()
    except wh.WormholeError as error:
        sys.exit(f"first-allreduction: {error}")
