# SPDX-License-Identifier: GPL-2.0-only
"""The basis of all other packages: loading ns-3, errors, arguments, files, machines, the one simulation."""
