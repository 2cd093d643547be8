# SPDX-License-Identifier: GPL-2.0-only
from .collective.values import *
