#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program network-done from Python: the same options, the same numbers.

Example: network-done.py --messages=1,5 --rounds=16
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.network_done, "network-done"), "network-done"))
