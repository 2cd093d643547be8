#!/usr/bin/env python3
# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A program of studies.txt from Python: the same options, the same numbers.

Examples: study.py btin-comparison --switches=8 --hosts=16 --groupSizes=2,4 --runs=2
          study.py latency-load --switches=8 --hosts=16 --flits=16 --loads=0.01,1.5 --noSearch
          study.py fibo-tree --help
"""

import sys

from ns3_wormhole import options, studies

STUDIES = {table["program"]: table["name"] for table in studies.tables()}

if __name__ == "__main__":
    program = sys.argv.pop(1) if len(sys.argv) > 1 else ""
    if program not in STUDIES:
        sys.exit(f"study: expected one of {', '.join(STUDIES)}")
    command = options.study_command(studies.study(STUDIES[program]), program)
    sys.exit(options.run(command, program))
