# SPDX-License-Identifier: GPL-2.0-only
"""The rules by which published values and claims are judged, on made-up numbers and on data/."""

import math

import pytest
from conftest import measured, refuses, write
from ns3_wormhole.reproduce import (btin, btin_claims, claims, papers, places, rdma, report, runner, smp, sync,
                                    sync_conclusions, trees, verdict)
from ns3_wormhole.reproduce.claims import Finding, Printed
from ns3_wormhole.reproduce.comparison import (bounded, by_chance, Chapter, CHECK, counting, deviation, FEWEST, HOLDS,
                                               is_near_copy, PREDICTED, read, Row, SAME, Section)


def test_a_name_is_as_printed_and_a_bound_holds():
    assert deviation("btin", "btin") == SAME and deviation("btin", "multicast").text == "differs"
    assert bounded("below 1.4", 1.39) == HOLDS and bounded("below 1.4", 1.41).text == "not below"
    assert bounded("between 1 and 2", 2) == HOLDS and bounded("between 1 and 2", 3).text == "differs"
    assert sync.differs("never", sync.NEVER - 1) == HOLDS and sync.differs("always", 1).text == "differs"
    figure = {"value": "binomial", "quantity": "best"}
    assert trees.differs(figure, "binomial") == SAME and trees.differs(figure, "fibo").text == "differs"
    assert trees.differs({"value": "15", "quantity": "finish"}, 15) == ("+0.0 %", 0.0)
    # As printed, as far as that goes; and a misprinted term is not nearly right.
    assert trees.differs({"value": "1.47", "quantity": "lambda"}, 1.46557) == ("-0.3 %", 0.0)
    assert trees.differs({"value": "25", "quantity": "population"}, 26) == ("+4.0 %", math.inf)


def test_within_a_bound_as_the_paper_rounds():
    """6.28 % is within 6 %, as Hyder and Wood print it; 6.7 % is not."""
    assert bounded("within 6", 6.28) == HOLDS
    assert bounded("within 6", 6.7).text == "not within"
    assert bounded("within 6.0", 6.28).text == "not within"
    assert bounded("below 1.2", 1.21315).text == "not below"  # "below" is not rounded


def test_near_copies_of_fitted_cells_are_fits():
    assert is_near_copy("12.09", "11.99") and is_near_copy("100", "105") and not is_near_copy("100", "106")
    figures = read(sync.PUBLISHED)
    uses = {figure["id"]: sync.use_of(figure, figures) for figure in figures}
    copies = [name for name, use in uses.items() if use == "near-copy"]
    assert {"table-3-barnes-none-0us", "table-4-applu-none-100us"} <= set(copies)
    assert uses["table-3-water-none-0us"] == "predicted"  # 12.8 % from the fitted one
    for figure in figures:
        if figure["id"] in copies:
            assert abs(float(sync.fitted_beside(figure, figures)["value"]) / float(figure["value"]) - 1) <= 0.05
    prices = {(each["row"], each["hardware"]): uses[each["id"]] for each in figures if each["table"] == "7"}
    assert prices["DSMC", "hw-all"] == "repeated"  # only HW-1 is used for it
    assert prices["WWT", "hw-all"] == prices["metspin", "hw-all"] == prices["nbody", "hw-all"] == "predicted"
    figures = read(rdma.PUBLISHED)
    uses = {figure["id"]: rdma.use_of(figure, figures) for figure in figures}
    assert uses["gain-16-cluster-3"] == "near-copy" and uses["gain-16-cluster-2"] == "predicted"


def test_the_likely_reading_counts():
    rows = [Row(("a",), "a", PREDICTED, 9.0), Row(("",), "a", PREDICTED, 1.0, likely=True)]
    assert counting(rows) == rows[1:] and counting(rows[:1]) == rows[:1]


@pytest.mark.parametrize("own, ours, said", [
    (True, True, "holds"), (None, True, "holds"), (True, None, "holds"),
    (False, False, "contradicted by the paper's own numbers, and by ours"),
    (False, True, "contradicted by the paper's own numbers, holds by ours"),
    (False, None, "contradicted by the paper's own numbers"),
    (True, False, "contradicted by ours, holds by the paper's own"),
    (None, False, "contradicted by ours"), (None, None, "not reproducible")])
def test_verdicts_of_claims(own, ours, said):
    finding = Finding(own, ours)
    assert finding.verdict == said and finding.holds == (said == "holds")
    assert own is False or Finding(own, ours, undecided=True).verdict == "undecided"
    assert not finding.holds or Finding(own, ours, in_part=True).verdict == "holds in part"


def test_what_is_drawn_too_seldom_has_no_verdict(tmp_path):
    figure = next(each for each in read(btin.PUBLISHED) if each["id"] == "btin-latency-1024")
    for runs in (FEWEST - 1, FEWEST):
        path = tmp_path / "size.csv"
        measured(path, f"btin,in-switch,300,1024,0.75,1024,recursive,flits,11.5,11.5,0.1,{runs}",
                 columns="scheme,reduction,switches,hosts,connectivity,group_size,law,btin_timing,"
                         "latency_us_model,latency_us_mean,latency_us_ci95,runs")
        known = btin.Results([path])
        row, = btin.rows_of(figure, known)[0]
        assert known.few == ({"size"} if runs < FEWEST else set())
        assert verdict.count([row])[PREDICTED] == (
            verdict.Counts(undecided=1) if runs < FEWEST else verdict.Counts(reproduced=1))
        assert row.cells[-1] == ("+0.0 % (no verdict)" if runs < FEWEST else "+0.0 %")


def test_a_sum_is_close_by_chance():
    close = deviation("100", 100.5)
    assert by_chance(close, [1, 5, 50]) == close and by_chance(deviation("100", 90), [50]).percent == 10
    assert by_chance(close, [1, 50, 50]).text.endswith("by chance: 2 of its 3 parts are off by more than 5 %")
    assert verdict.verdict(by_chance(close, [1, 50, 50]).percent) == "missed"


def test_steps_beyond_doubling_are_undecided():
    """Not every placement can be served in so few; within them, nothing is open."""
    rows = [{"algorithm": smp.INFORMED, "hosts": "16", "steps": steps} for steps in ("4", "5")]
    finding = smp.Claims(rows, smp.INFORMED, ()).steps()
    assert finding.verdict == "undecided" and "1 of 2 of n = 16" in finding.our_text
    assert smp.Claims(rows[:1], smp.INFORMED, ()).steps().verdict == "holds"


def test_bounds_of_the_postal_model_fail_at_one_step(tmp_path):
    path = write(tmp_path / "trees-speed-speed.csv", "s_us,r_us,lambda,time_us,processes\n" + "".join(
        f"1.000,1.000,1.61803,{time}.000,{count}\n" for time, count in enumerate([1, 1, 2, 3, 5, 8, 13, 21])))
    finding = trees.Claims([], Printed(trees.PUBLISHED), tmp_path).bounds()
    assert not finding.own and not finding.ours and finding.our_text.startswith("f(1) = 1 is outside")
    assert ";" not in finding.our_text  # nowhere else
    write(path, path.read_text(encoding="utf-8").replace("3.000,3\n", "3.000,9\n"))
    finding = trees.Claims([], Printed(trees.PUBLISHED), tmp_path).bounds()
    assert "f(3) = 9" in finding.our_text and "f(3)" not in finding.own_text


def test_faster_reductions_and_deadlocks_contradict(tmp_path):
    for fastest, holds in ((99, True), (90, False)):
        measured(tmp_path / f"{trees.REDUCTIONS}.csv", f"8,{trees.BINOMIAL},100",
                 f"8,{trees.BACKWARDS},{fastest}", columns="members,algorithm,latency_us")
        assert trees.Claims([], None, tmp_path).reductions().ours is holds
    for state, holds in (("steady", True), ("saturated", True), ("deadlock", False)):
        measured(tmp_path / f"{btin_claims.FREE_OF_DEADLOCK}.csv", "btin,0,steady", f"btin,0.1,{state}",
                 columns="algorithm,load,state")
        assert btin_claims.Claims(btin.Results([]), None, tmp_path, ()).deadlock().ours is holds


def test_growth_of_gains():
    assert claims.grows([1, 2, 3]) and not claims.grows([3, 3]) and not claims.grows([1, 3, 2])
    assert claims.series([1.5, 2], 1) == "1.5, then 2.0"


def test_sizes_of_gains_are_computed():
    """On the printed values themselves: what the text says of Tables 1, 5 and 6."""
    figures = read(sync.PUBLISHED)
    numbers = {(f["table"], f["row"], f["hardware"], float(f["delay_us"])):
               {"simulated": f["value"], "model": f["value"]} for f in figures}
    found = sync_conclusions.Claims(figures, numbers, None)
    assert found.modest() == Finding(True, True, "at most 17.4 %", "at most 17.4 %, +0.0 % beside that",
                                     ("sync-hardware",))
    assert found.nearly_50().ours and found.half().our_text == "4 of 9 gain at most 5 %"
    assert found.magnitude().our_text == "17 to 125 times"
    assert found.workloads().holds and found.workloads().own_text.startswith("10 of its 12")
    numbers["5", "WWT-Appbt", "hw-1", 0.0] = {"simulated": "10.1", "model": "10.1"}  # 18.1 % over 8.55
    assert found.modest().ours is False and found.modest().own


def test_table_2_is_what_the_study_takes():
    rows = sync_conclusions.rates().rows
    assert len(rows) == 20 and all(row.percent == 0 for row in rows)


def test_headlines_say_what_is_published_and_here():
    section = Section("", ("figure", "published", "model", "simulated", "deviation"), [
        Row(("gain", "20 %", "1", "6.6", "-67.0 %"), "gain", PREDICTED, 67.0, likely=True),
        Row(("", "20 %", "1", "19.8 +- 0.1", "-1.0 %"), "gain", PREDICTED, 1.0),
        Row(("lambda", "1.618", "1.61803", "", "none"), "lambda", CHECK, 0.0)])
    claimed = Section(claims.HEADING, claims.COLUMNS, [
        Row(("c", "Abstract", "1.0", "2.0", "contradicted by ours", ""), "claim", PREDICTED, math.inf)])
    chapter = Chapter("T", "S", "", [section, claimed])
    line = {"claim": "All is well", "where": "Abstract"}
    found = report._headline("T", line, [chapter.readings(name) for name in ("gain", "lambda")])
    assert found.published == "20 %; 1.618"
    assert found.here == "6.6 %, off by -67.0 % (6.6 to 19.8 +- 0.1 by all readings); 1.61803"
    assert found.verdict == "holds in part" and found.percent == 67.0
    assert report._headline("T", line, [chapter.readings("gain")] * 2).verdict == "does not hold"
    found = report._headline("T", line, [chapter.readings("claim")])
    assert (found.published, found.here, found.verdict) == ("1.0", "2.0", "contradicted by ours")


def test_a_report_of_what_is_there_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(runner.subprocess, "Popen", None)
    for study in trees.studies():
        for path in study.targets(tmp_path).values():
            path.touch()
    made = runner.Reproduction([papers.PAPERS["trees"]], places.build_folder(), tmp_path, 100, 1)
    made.inputs.note("run", {"runs": 7})
    made.check_results()
    assert made.runs == 7
    (tmp_path / "trees-manna.csv").unlink()
    refuses("no --report-only: study trees-manna is missing", made.check_results)


def test_pictures_as_wide_as_two_take_a_row(tmp_path):
    for size, is_wide in (("760 640", False), ("1520 1280", True), ("900 640", True), ("1100 840", True)):
        path = write(tmp_path / "picture.svg", f'<svg viewBox="0 0 {size}"></svg>')
        assert report.Picture(path, "").is_wide is is_wide


def test_the_command_makes_the_same_report():
    assert report.again(set(papers.PAPERS), 1) == "make reproduce REPRODUCE_ARGS='--all --runs 1'"
    assert report.again(set(papers.FIRST), 10) == "make reproduce REPRODUCE_ARGS='--runs 10'"
    assert report.again({"trees", "btin"}, 5) == "make reproduce REPRODUCE_ARGS='btin trees --runs 5'"


def test_what_is_saved_spans_all_wirings():
    """The least, the nearest and the greatest of those for the same number of switches."""
    found = {("mesh-1", "by host", 1): {(1, False): [3, 12.0], (3, True): [3, 99.0]},
             ("line-4", "random", 3): {(1, False): [4, 21.0], (1, True): [5, 40.0], (3, False): [6, 1.0]}}
    text = "of all wirings, the {}, ranks {}, {}".format
    mesh, line = "full mesh, one cable a pair, blocks of 1", "line, four cables a pair, blocks of 3"
    assert [(told, simulated) for told, _, simulated, _ in smp.spread({"switches": "", "value": "20"}, found)] == [
        (text(f"least: {mesh}", "by host", "all sizes"), 12.0),
        (text(f"nearest: {line}", "random", "all sizes"), 21.0),
        (text(f"greatest: {line}", "random", "whole jobs"), 40.0)]
    assert next(smp.spread({"switches": "3", "value": "30"}, found))[0] == text(f"least: {line}", "random", "all sizes")
