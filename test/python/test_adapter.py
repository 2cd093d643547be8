# SPDX-License-Identifier: GPL-2.0-only
"""What barriers gain that network adapters run."""

import math

import pytest
from conftest import refuses

from ns3_wormhole.study.adapter import adapter


def test_ratio_gives_the_measured_time():
    """The cost of messages makes both barriers as long as measured; a dear doorbell leaves no ratio."""
    table = adapter(topology="clos:ports=16", size=8, host_us=37.5, adapter_us=14.2)
    found = table[table.measured].set_index("handover")
    assert found.simulated_us[0.0] == pytest.approx(14.2, abs=0.01)
    assert found.factor[0.0] == pytest.approx(37.5 / 14.2, rel=1e-3)
    # Three steps of two messages and the way from host to host, 959 ns as in the tests of costs.
    message = table.message_us.iloc[0]
    alone = 37.5 / 3 - 2 * message
    assert found.ratio[0.0] == pytest.approx((14.2 / 3 - alone) / (2 * message), rel=1e-3)
    assert 0.2 < found.ratio[0.25] < found.ratio[0.0] and math.isnan(
        adapter(topology="clos:ports=16", size=8, host_us=37.5, adapter_us=3).query("measured").ratio.iloc[-1])


def test_refusals():
    refuses("host-us=0.1: expected at least", adapter, topology="clos:ports=16", size=8, host_us=0.1, adapter_us=0.05)
