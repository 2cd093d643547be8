# SPDX-License-Identifier: GPL-2.0-only
"""Predictions beside measurements of real machines."""

import csv
import re

import pytest

import ns3_wormhole as wh
from ns3_wormhole.report import predictions as report
from ns3_wormhole.reproduce import hardware
from ns3_wormhole.study import osu
from ns3_wormhole.study.measured_tables import read
from ns3_wormhole.study.predictions import predictions

from conftest import ROOT, call, measured, refused, refuses

DATA = ROOT / "data/measured"
COLUMNS = "benchmark,algorithm,members,size,value,statistic"
GIVEN = {"topology": "clos:ports=16", "machine": "edr-infiniband", "progress": False}


def test_hc44rs_is_predicted():
    tables = [str(DATA / "hc44rs" / name) for name in ("osu_latency.txt", "loggp.csv")]
    found = predictions(tables=tables, predict=[str(DATA / "hc44rs/collectives.csv")], **GIVEN)
    shown = found[found.use == "predicted"]
    assert len(shown) == 45
    figures = report.sums(found, ["use"])
    assert figures["mean, %"]["predicted"] < 12 and figures["within 20 %"]["predicted"] >= 36
    assert figures["mean, %"]["fitted"] < 3


def test_what_is_fitted_is_not_predicted():
    for machine in ("hc44rs", "lumi-c"):
        rows = [tuple(row.values()) for path in sorted((DATA / machine).glob("*.csv"))
                if path.name not in ("loggp.csv", "p2p_spread.csv")
                for row in csv.DictReader(path.open())]
        assert len(rows) == len(set(rows)) > 40


def test_reductions_in_switches_are_predicted_by_eight_bytes():
    """The time of a message gives longer ones; vectors that hosts combine stand out at the same lengths."""
    (longer,) = of_study("switch-ib-2").deviation
    assert 0 < longer < 0.35
    quantum = of_study("quantum").set_index("bytes")
    for us in (quantum.measured, quantum.simulated):
        assert us[4096] > 4 * us[2048] and us[8192] > 2 * us[16384]
    assert quantum.deviation[quantum.index <= 2048].abs().max() < 0.2


def of_study(name):
    """Returns the predictions of a study of the report."""
    _, options, tables = hardware.MACHINES[name]
    given = dict(option[2:].split("=", 1) for option in options)
    attributes = dict([given.pop("attribute").split("=")]) if "attribute" in given else None
    *fitted, last = (str(DATA / table) for table in tables)
    found = predictions(tables=fitted, predict=[last], attributes=attributes, progress=False,
                        fit=given.pop("fit").split(","), **given)
    return found[found.use == "predicted"]


def test_a_statistic_is_what_was_measured(tmp_path):
    path = measured(tmp_path / "some.csv", *(f"bcast,binomial,8,4096,1,{statistic}" for statistic in osu.STATISTICS),
                    columns=COLUMNS)
    latency = measured(tmp_path / "latency.csv", *(
        f"latency,{2 ** power},{2 + 2 ** power / 1024}" for power in range(3, 15)))
    found = predictions(tables=[latency], predict=[path], **GIVEN)
    mean, low, high = found[found.use == "predicted"].simulated
    assert low < mean < high
    table = osu.measure(wh.Fabric.from_text("clos:ports=16"), "bcast", [4096], members=8,
                        algorithm="binomial", iterations=1, machine="edr-infiniband",
                        attributes=found.attrs["attributes"])
    assert (mean, low, high) == tuple(table.loc[0, ["value", "min", "max"]])


@pytest.mark.parametrize("row, text", [
    ("bcast,binomial,8,4096,1,median", "some.csv:2: statistic 'median'; expected mean, min, max"),
    ("latency,binomial,,4096,1,mean", "some.csv:2: algorithm 'binomial' of latency; expected none")])
def test_mistakes(tmp_path, row, text):
    refuses(re.escape(text), read, measured(tmp_path / "some.csv", row, columns=COLUMNS))


def test_a_barrier_before_each_call_brings_its_skew(capsys):
    fabric = ("--topology=clos:ports=16", "--members=5", "-m", "64:64", "-f", "--machine=edr-infiniband")
    told = [call(capsys, "osu", "bcast", *fabric, *more)[1].split("\n")[3].split()
            for more in ((), ("--barrier=tree[Tree=binomial]",))]
    assert told[0] != told[1]
    error = refused(capsys, "osu", "latency", "--topology=clos:ports=16", "--barrier=btin")
    assert "barrier=btin: expected with collectives that have lengths" in error


def test_patterns_take_the_time_of_their_messages():
    fabric = wh.Fabric.from_text("clos:ports=16")
    found = {name: osu.measure(fabric, "pattern", [16], members=8, algorithm=name).value[0]
             for name in ("dissemination", "ring")}
    one = osu.measure(fabric, "latency", [16]).value[0]
    assert found["dissemination"] >= 2.9 * one  # three steps, with the start-ups of answers
    assert found["ring"] > 2 * found["dissemination"]
