#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program fibo-tree from Python: the same options, the same numbers.

Example: fibo-tree.py --processes=2,19 --network=ideal,fabric
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.trees, "fibo-tree"), "fibo-tree"))
