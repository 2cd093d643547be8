# SPDX-License-Identifier: GPL-2.0-only
"""Claims of Sun et al.: that broadcasts take the optimal number of steps."""

from __future__ import annotations

from .claims import Finding, section
from .comparison import Section


class Claims:
    """What the studies say. rows: of all placements; algorithm: the paper's; made_by: studies"""

    def __init__(self, rows, algorithm, made_by):
        self._rows = [row for row in rows if row["algorithm"] == algorithm]
        self._made_by = made_by

    def steps(self) -> Finding:
        """Whether no broadcast takes more steps than doubling in each."""
        more = [int(row["steps"]) - (int(row["hosts"]) - 1).bit_length() for row in self._rows]
        late = [each for each in more if each > 0]
        text = f"{len(late)} of {len(more)} placements take more than log2 n steps, rounded up"
        if late:
            text += f", by {max(late)} at most"
        return Finding(None, not late, "", text, self._made_by)

    def section(self) -> Section:
        """Returns the table."""
        return section("smp", {"steps": self.steps})
