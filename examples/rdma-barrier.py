#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The study of the program rdma-barrier from Python: the same options, the same numbers.

Example: rdma-barrier.py --nodes=2,3 --tasksPerNode=1,2
"""

import sys

from ns3_wormhole import options, studies

if __name__ == "__main__":
    sys.exit(options.run(options.study_command(studies.rdma, "rdma-barrier"), "rdma-barrier"))
