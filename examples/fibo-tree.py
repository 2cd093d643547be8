#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program fibo-tree from Python: the same options, the same numbers.

Example: fibo-tree.py --processes=2,19 --network=ideal,fabric
"""

from ns3_wormhole import options, studies

options.run_study(studies.trees, "fibo-tree")
