#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program network-done from Python: the same options, the same numbers.

Example: network-done.py --messages=1,5 --rounds=16
"""

from ns3_wormhole import options, studies

options.run_study(studies.network_done, "network-done")
