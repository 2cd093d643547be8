# SPDX-License-Identifier: GPL-2.0-only
"""Campaigns: the same table whatever runs them, kept over a break, and a death costs one point."""

import contextlib
import json
import logging
import re
import signal
import subprocess
import sys
import threading

import campaign_points
import pandas
import pytest
from conftest import refuses, wait_for_lines, write
from ns3_wormhole.study import dask_cluster

LONGEST_S = 300


@pytest.fixture(autouse=True)
def bounded():
    def end(*_):
        raise AssertionError(f"not done after {LONGEST_S} s")
    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LONGEST_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def cluster_of(workers, threads=1):
    distributed = pytest.importorskip("distributed")
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=threads, dashboard_address=None,
                                    silence_logs=logging.CRITICAL)


@pytest.fixture
def small(wh):
    parameters = {"algorithm": ["btin", "tree"], "members": [2, 8]}
    return wh.campaign.Campaign(campaign_points.crossing, parameters, seeds=3)


@pytest.fixture
def whole(small, tmp_path_factory):
    """The small campaign's table, by one worker, whose points run for the first test alone."""
    path = tmp_path_factory.getbasetemp() / "whole.csv"
    outcome = small.run(path, workers=1)
    assert not outcome.failures and outcome.reused in (0, 12)
    return path


def test_same_table_by_one_two_and_dask(small, whole, tmp_path):
    small.run(tmp_path / "two.csv", workers=2)
    with cluster_of(2, threads=2) as cluster:
        small.run(tmp_path / "dask.csv", dask=cluster.scheduler_address)
    assert whole.read_bytes() == (tmp_path / "two.csv").read_bytes() == (tmp_path / "dask.csv").read_bytes()
    table = pandas.read_csv(whole)
    assert len(table) == 12
    assert list(table.columns) == ["point", "algorithm", "members", "seed", "latency_us", "setup_us"]


def test_study_by_name_with_provenance(wh, tmp_path):
    wh.campaign.Campaign("rdma", {"nodes": [[2], [4]]}, fixed={"barriers": 2, "transports": ["rdma"]})
    refuses("barrieres.*did you mean barriers", wh.campaign.Campaign, "rdma", fixed={"barrieres": 1})
    campaign = wh.campaign.Campaign("algorithms", {"group_sizes": [2, 4]}, seeds=2,
                                    fixed={"switches": 8, "hosts": 16, "names": ["btin"]})
    campaign.run(tmp_path / "a.csv", workers=1)
    told = json.loads((tmp_path / "a.provenance.json").read_text(encoding="utf-8"))
    assert told["study"] == "algorithms" and told["seeds"] == [1, 2] and told["finished"] == 4
    assert told["parameters"] == {"group_sizes": [2, 4]} and told["fixed"]["hosts"] == 16
    assert told["versions"]["ns3"].startswith("3.")
    assert list(pandas.read_csv(tmp_path / "a.csv")["group_size"]) == [2, 2, 4, 4]


@pytest.mark.parametrize("how", ["processes", "dask"])
def test_a_worker_that_dies_loses_its_point_only(wh, tmp_path, how):
    campaign = wh.campaign.Campaign(campaign_points.dangerous, {"number": list(range(8))})
    with cluster_of(2) if how == "dask" else contextlib.nullcontext() as cluster:
        outcome = campaign.run(tmp_path / "d.csv", **{"dask": cluster.scheduler_address} if cluster else {"workers": 2})
    assert list(outcome.table["number"]) == [0, 1, 2, 4, 6, 7]
    assert [str(each) for each in outcome.failures] == [
        "number=3, seed=1: its worker died: signal 9 (SIGKILL)",
        "number=5, seed=1: ValueError: five is refused"]
    told = json.loads((tmp_path / "d.provenance.json").read_text(encoding="utf-8"))
    assert [each["point"]["number"] for each in told["failures"]] == [3, 5]


def test_a_dask_worker_that_dies_loses_nothing(wh, tmp_path):
    campaign = wh.campaign.Campaign(campaign_points.deadly, {"number": list(range(6))},
                                    fixed={"mark": str(tmp_path / "died")})
    with cluster_of(2) as cluster:
        outcome = campaign.run(tmp_path / "d.csv", dask=cluster.scheduler_address)
    assert (tmp_path / "died").exists()
    assert list(outcome.table["value"]) == list(range(6)) and not outcome.failures


def test_a_point_that_ends_dask_workers_is_named(wh, tmp_path):
    """As Dask's setting for a cluster allows, here at the first; others that it had are not."""
    dask = pytest.importorskip("dask")
    campaign = wh.campaign.Campaign(campaign_points.deadly, {"number": list(range(6))})
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), cluster_of(2) as cluster:
        outcome = campaign.run(tmp_path / "d.csv", dask=cluster.scheduler_address)
    assert list(outcome.table["number"]) == [0, 1, 3, 4, 5]
    assert [str(each) for each in outcome.failures] == [
        "number=2, seed=1: its worker died, and so did others that tried"]


def test_a_cluster_without_workers_is_not_waited_for(wh, tmp_path, monkeypatch):
    campaign = wh.campaign.Campaign(campaign_points.slow, {"number": [1, 2]})
    with cluster_of(0) as cluster:
        outcome = campaign.run(tmp_path / "d.csv", dask=cluster.scheduler_address, patience=2)
    assert [each.reason for each in outcome.failures] == ["the Dask cluster has no workers, for 2 s"] * 2
    monkeypatch.setattr(dask_cluster, "CONNECT_S", 1)
    refuses("no Dask scheduler at tcp://127.0.0.1:9: ", campaign.run, tmp_path / "d.csv", dask="tcp://127.0.0.1:9")
    refuses("patience=0: expected a number of seconds above 0", campaign.run, tmp_path / "d.csv", patience=0)


def test_a_scheduler_that_goes_away_is_told(wh, tmp_path):
    campaign = wh.campaign.Campaign(campaign_points.slow, {"number": list(range(60))})
    with cluster_of(1) as cluster:
        journal = tmp_path / "d.points.jsonl"
        closer = threading.Thread(target=lambda: (wait_for_lines(journal, 3), cluster.close()))
        closer.start()
        outcome = campaign.run(tmp_path / "d.csv", dask=cluster.scheduler_address, patience=5)
        closer.join()
    assert 2 <= len(outcome.table) < 60 and len(outcome.table) + len(outcome.failures) == 60
    reasons = {each.reason for each in outcome.failures}
    assert len(reasons) == 1 and re.search("^the Dask (scheduler at tcp:|cluster has)", *reasons)
    assert json.loads((tmp_path / "d.provenance.json").read_text(encoding="utf-8"))["failures"]


def test_finished_points_are_not_run_again(wh, tmp_path):
    def make(numbers):
        return wh.campaign.Campaign(campaign_points.counted, {"number": numbers}, seeds=2,
                                    fixed={"folder": str(tmp_path)})
    make([0, 1]).run(tmp_path / "c.csv", workers=1)
    with open(tmp_path / "c.points.jsonl", "a", encoding="utf-8") as file:
        file.write('{"key": "interrup')
    outcome = make([0, 1, 2]).run(tmp_path / "c.csv", workers=1)
    assert outcome.reused == 4 and len(outcome.table) == 6
    assert [path.read_text(encoding="utf-8") for path in tmp_path.glob("[012]-[12]")] == ["run\n"] * 6
    assert make([0, 1, 2]).run(tmp_path / "c.csv", workers=1).reused == 6
    other = wh.campaign.Campaign(campaign_points.dangerous, {"number": [1]})
    refuses("c.points.jsonl is of", other.run, tmp_path / "c.csv")


def test_killed_and_resumed(small, whole, tmp_path, environment):
    path = tmp_path / "killed.csv"
    script = write(tmp_path / "run.py",
        "import campaign_points as points\nfrom ns3_wormhole.campaign import Campaign\n"
        "if __name__ == '__main__':\n"
        "    Campaign(points.crossing, {'algorithm': ['btin', 'tree'], 'members': [2, 8]},"
        f" seeds=3).run({str(path)!r}, workers=1)\n")
    journal = tmp_path / "killed.points.jsonl"
    process = subprocess.Popen([sys.executable, script], stderr=subprocess.DEVNULL, env=environment)
    wait_for_lines(journal, 4)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert journal.read_text().count("\n") >= 4
    assert small.run(path, workers=1).reused >= 3
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("ask, told", [
    (lambda make: make("bariers"), "did you mean barriers"),
    (lambda make: make("barriers", {"switch": [8]}), "did you mean switches"),
    (lambda make: make("barriers", {"runs": 3}), "runs=3: expected a list of values"),
    (lambda make: make("barriers", {"seed": [1, 2]}), "seed is no parameter of a campaign"),
    (lambda make: make("barriers", seeds=[0]), r"seeds=\[0\]: expected a whole number from 1 to 1000000, or a list of whole"),
    (lambda make: make("barriers", seeds=[1, 1]), "a value or seed is there twice; expected each once"),
    (lambda make: make("barriers", {"runs": [1]}, fixed={"runs": 2}), "'runs' is both a parameter and fixed"),
    (lambda make: make("no.such:function"), "no.such:function: No module named 'no'"),
    (lambda make: make.from_file("/nowhere.json"), "/nowhere.json"),
    (lambda make: make("barriers").run("out.txt"), "out.txt: expected a name that ends in .csv"),
    (lambda make: make("barriers").run("out.csv", workers=0), "workers=0: expected a whole number from 1"),
])
def test_bad_input_is_refused_before_anything_runs(wh, ask, told):
    refuses(told, ask, wh.campaign.Campaign)
