#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program latency-load from Python: the same options, the same numbers.

Example: latency-load.py --switches=8 --hosts=16 --flits=16 --loads=0.01,1.5 --noSearch --worms=64
"""

from ns3_wormhole import options, studies

options.run_study(studies.latency_load, "latency-load")
