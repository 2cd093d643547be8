# SPDX-License-Identifier: GPL-2.0-only
"""The command ns3-wormhole."""

from .commands import app, main

__all__ = ["app", "main"]
