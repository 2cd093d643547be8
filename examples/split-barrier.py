#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program split-barrier from Python: the same options, the same numbers.

Example: split-barrier.py --compute=0us,20us --imbalance=0
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    command = options.study_command(studies.split_barrier, "split-barrier")
    sys.exit(options.run(command, "split-barrier"))
