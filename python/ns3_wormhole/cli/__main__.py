# SPDX-License-Identifier: GPL-2.0-only
"""Runs the command by python -m ns3_wormhole.cli, too."""

from . import main

main()
