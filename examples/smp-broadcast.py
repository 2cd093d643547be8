#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program smp-broadcast from Python: the same options, the same numbers.

Example: smp-broadcast.py --job=8 --topology=torus:2x2,hosts=2 --bytes=64
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.smp_broadcast, "smp-broadcast"), "smp-broadcast"))
