# SPDX-License-Identifier: GPL-2.0-only
"""What all else stands on: loading ns-3, errors, arguments, files, machines, the one simulation."""
