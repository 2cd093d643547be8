# SPDX-License-Identifier: GPL-2.0-only
"""Studies of collectives, routes and programs, campaigns of them, and fits to measurements."""
