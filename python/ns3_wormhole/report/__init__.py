# SPDX-License-Identifier: GPL-2.0-only
"""Tables of studies as text, as plots, as web pages and in the formats of other programs."""
