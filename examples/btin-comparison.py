#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program btin-comparison from Python: the same options, the same numbers.

Example: btin-comparison.py --switches=8 --hosts=16 --groupSizes=2,4 --runs=2
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.barriers, "btin-comparison"), "btin-comparison"))
