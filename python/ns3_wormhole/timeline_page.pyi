# SPDX-License-Identifier: GPL-2.0-only
from .report.timeline_page import *
