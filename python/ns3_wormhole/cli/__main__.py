# SPDX-License-Identifier: GPL-2.0-only
"""Also runs the command, by python -m ns3_wormhole.cli."""

from . import main

main()
