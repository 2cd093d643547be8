# SPDX-License-Identifier: GPL-2.0-only
"""Tables of studies as text and as plots, in other programs' forms, and as pages."""
