#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program broadcast-load from Python: the same options, the same numbers.

Example: broadcast-load.py --windows=0,1 --loads=0.2
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.broadcast_load, "broadcast-load"), "broadcast-load"))
