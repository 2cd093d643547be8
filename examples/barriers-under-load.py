#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program barriers-under-load from Python: the same options, the same numbers.

Example: barriers-under-load.py --topology=torus:4x4 --loads=0.1,0.2
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    command = options.study_command(studies.barriers_under_load, "barriers-under-load")
    sys.exit(options.run(command, "barriers-under-load"))
