#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program latency-load from Python: the same options, the same numbers.

Example: latency-load.py --switches=8 --hosts=16 --flits=16 --loads=0.01,1.5 --noSearch --worms=64
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.latency_load, "latency-load"), "latency-load"))
