# SPDX-License-Identifier: GPL-2.0-only
"""Runs the command: python -m ns3_wormhole.reproduce."""

import sys

from ..core import options
from .command import reproduce

if __name__ == "__main__":
    sys.exit(options.run(reproduce, "reproduce"))
