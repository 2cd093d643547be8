# SPDX-License-Identifier: GPL-2.0-only
"""Fabrics and ideal networks, and what groups of their hosts do together, by name."""

from .values import KINDS, Collective, algorithms

__all__ = ["KINDS", "Collective", "algorithms"]
