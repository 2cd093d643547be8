# SPDX-License-Identifier: GPL-2.0-only
from .core.plugin import *
