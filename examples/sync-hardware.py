#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program sync-hardware from Python: the same options, the same numbers.

Example: sync-hardware.py --table=1,7 --hardware=none,hw-1
"""

from ns3_wormhole import options, studies

options.run_study(studies.sync_hardware, "sync-hardware")
