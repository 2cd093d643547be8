# SPDX-License-Identifier: GPL-2.0-only
"""Numbers of texts are read strictly, whoever reads them."""

import click
import pytest

from ns3_wormhole import WormholeError, options
from ns3_wormhole.core import arguments as checks, lengths

NONE_WHOLE = ["", " ", "²", "٣", "１", "1_0", "+1", " 1", "1 ", "1\n", "1.0", "1e3", "0x10", "--1",
              "nan", "inf", "9" * 19, "9" * 5000, "-", "one"]
NONE_NUMBER = ["", "²", "٣", "1_0", "1.0_0", " 1", "1\n", "nan", "inf", "-inf", "1e999", "0x1p3",
               "1,5", ".", "e5", "9" * 400, "1." + "0" * 5000]


@pytest.mark.parametrize("text", NONE_WHOLE)
def test_what_is_no_whole_number(text):
    """What int() would take, or fail at, is none."""
    assert checks.parse_whole(text, -10**18, 10**18) is None
    with pytest.raises(click.BadParameter) as refused:
        options.WHOLE.convert(text, None, None)
    assert len(refused.value.message) < 120


@pytest.mark.parametrize("text", NONE_NUMBER)
def test_what_is_no_number(text):
    """What float() would take, or overflow at, is none."""
    assert checks.parse_number(text) is None


def test_numbers():
    """Plain numbers are read, within their range."""
    assert checks.parse_whole("007") == 7
    assert checks.parse_whole("-3", -5) == -3
    assert checks.parse_whole("-3") is None
    assert checks.parse_whole("5", 1, 4) is None
    assert [checks.parse_number(each) for each in ("1", "-.5", "2.", "1.5e-3", "1E3")] == \
        [1, -0.5, 2, 0.0015, 1000]
    assert checks.parse_number("1.5", 0, 1) is None


def test_values_in_messages():
    """A message does not hold all of a long value, nor fails at one."""
    for value in (10**5000, "x" * 5000, ["x"] * 5000):
        assert len(checks.shown(value)) < 80
        with pytest.raises(WormholeError) as refused:
            checks.whole("seed", value)
        assert len(str(refused.value)) < 200


@pytest.mark.parametrize("text", ["9" * 400, "٣", "1_0", "1" * 5000 + "KiB", "1.0.0", "nan"])
def test_what_is_no_length(text):
    """Lengths are as strict."""
    with pytest.raises(WormholeError, match="expected a length"):
        lengths.parse("bytes", text)


def test_members():
    """Members are a number or names; a number that none can be is refused as such."""
    assert options.members_from("12") == 12
    assert options.members_from("h0,h1") == ["h0", "h1"]
    assert options.members_from("²") == ["²"]
    assert options.members_from(None) is None
    for text in ("0", "9" * 30, "9" * 5000):
        with pytest.raises(WormholeError, match="expected a whole number"):
            options.members_from(text)
