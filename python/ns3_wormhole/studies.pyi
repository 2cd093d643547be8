# SPDX-License-Identifier: GPL-2.0-only
from collections.abc import Callable

import pandas

from .study.studies import *

def __getattr__(name: str) -> Callable[..., pandas.DataFrame]: ...  # of the table of studies
