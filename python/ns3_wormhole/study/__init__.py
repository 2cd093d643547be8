# SPDX-License-Identifier: GPL-2.0-only
"""Studies of collectives, routes and programs, campaigns of studies, and fits to measurements."""
