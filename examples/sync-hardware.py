#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program sync-hardware from Python: the same options, the same numbers.

Example: sync-hardware.py --table=1,7 --hardware=none,hw-1
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.sync_hardware, "sync-hardware"), "sync-hardware"))
