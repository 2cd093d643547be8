#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program barriers-under-load from Python: the same options, the same numbers.

Example: barriers-under-load.py --topology=torus:4x4 --loads=0.1,0.2
"""

from ns3_wormhole import options, studies

options.run_study(studies.barriers_under_load, "barriers-under-load")
