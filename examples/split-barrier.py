#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program split-barrier from Python: the same options, the same numbers.

Example: split-barrier.py --compute=0us,20us --imbalance=0
"""

from ns3_wormhole import options, studies

options.run_study(studies.split_barrier, "split-barrier")
