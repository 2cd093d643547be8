# SPDX-License-Identifier: GPL-2.0-only
"""Claims of Gupta et al. (2002): that the advantage of remote writes grows with the processors."""

from __future__ import annotations

from .claims import Finding, grows, Printed, section, series
from .comparison import Section

NODES = ("2", "4", "8", "16", "32")
CLUSTER = "cluster-2"  # the one of which the paper prints two sizes


class Claims:
    """What the studies say. barriers: latencies of all clusters; made_by: studies of CLUSTER"""

    def __init__(self, barriers, printed: Printed, made_by):
        self._barriers = barriers
        self._printed = printed
        self._made_by = made_by

    def _latencies(self):
        """Simulated latencies by remote writes and by messages, by the number of nodes."""
        return [tuple(self._barriers.latency(CLUSTER, transport, nodes, "1")[1]
                      for transport in ("rdma", "send-receive")) for nodes in NODES]

    def saved_time(self) -> Finding:
        """Whether the time that is saved grows."""
        values = self._printed.values
        own = [messages - writes for writes, messages in (
            values(f"{CLUSTER}-rdma-{nodes}", f"{CLUSTER}-messages-{nodes}") for nodes in (8, 16))]
        ours = [messages - writes for writes, messages in self._latencies()]
        return Finding(grows(own), grows(ours), series(own, 1) + " us", series(ours, 1) + " us",
                       self._made_by)

    def saved_part(self) -> Finding:
        """Whether the part of the time that is saved grows."""
        own = self._printed.values(f"gain-8-{CLUSTER}", f"gain-16-{CLUSTER}")
        ours = [round(100 * (1 - writes / messages), 1) for writes, messages in self._latencies()]
        return Finding(grows(own), grows(ours), series(own, 1) + " %", series(ours, 1) + " %",
                       self._made_by)

    def section(self) -> Section:
        """Returns the table."""
        return section("rdma", {"saved time": self.saved_time, "saved part": self.saved_part})
