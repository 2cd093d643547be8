# SPDX-License-Identifier: GPL-2.0-only
"""Studies as data frames: what they hold, how far they are, and what they refuse."""

import csv
import io
import re

import pytest
from conftest import refuses
from ns3_wormhole import benchmark, options, studies

SMALL = {"switches": [8], "hosts": [16], "group_sizes": [2, 4], "runs": 3}


def test_frame_is_what_the_csv_says(wh):
    frame = studies.smp_broadcast(hosts=[8, 16], bytes=[200000])
    assert list(frame.columns[:4]) == ["algorithm", "switches", "hosts", "bytes"]
    assert len(frame) == 6 and (frame.time_us > 0).all()
    rows = list(csv.DictReader(io.StringIO(frame.attrs["csv"])))
    assert frame.time_us.tolist() == [float(row["time_us"]) for row in rows]
    assert frame.algorithm.tolist() == [row["algorithm"] for row in rows]
    # sss-mst on one switch of 8 hosts: log2 of these steps at unit cost.
    assert frame[(frame.algorithm == "sss-mst") & (frame.hosts == 8)].steps.item() == 3


def test_hardware_is_faster(wh):
    frame = studies.sync_hardware(hardware=["none", "hw-1"], delays=["0us"])
    barrier = frame[frame.row == "simple barrier"].set_index("hardware")
    assert barrier.simulated["hw-1"] < barrier.simulated["none"] / 10
    assert barrier.published["none"] > 0
    # What the paper prints is of its own machine alone.
    assert studies.sync_hardware(hardware=["hw-1"], nodes=8).published.isna().all()


def test_benchmark_counts_are_the_same_every_time(wh):
    counted = ["worms", "worm_hops", "events_per_worm_hop", "latency_us_mean", "latency_us_p99"]
    asked = {"fabrics": "torus:4x4", "loads": [0.05], "flits": [2], "worms": 500, "members": 16,
             "barriers": 2, "repeats": 1}
    traffic, barriers = benchmark.fabrics(**asked, schedulers=["PriorityQueue", "Map"])
    assert list(traffic.scheduler) == ["PriorityQueue", "Map"]
    assert traffic[counted].nunique().max() == 1 and traffic.worms[0] == 500
    assert set(barriers.barrier) == {"btin", "dissemination"} and len(barriers) == 4
    again, _ = benchmark.fabrics(**asked, schedulers=["Map"])
    assert again[counted].equals(traffic[counted][:1])
    ahead, _ = benchmark.fabrics(**asked)
    assert list(ahead.scheduler) == ["Wormhole"]  # which saves events, and changes nothing else
    rest = [name for name in counted if name != "events_per_worm_hop"]
    assert ahead[rest].equals(traffic[rest][:1])
    assert benchmark.scale(hosts=[256]).hosts.item() == 256


@pytest.mark.parametrize("name, given", [
    ("barriers", SMALL),
    ("latency_load", {"switches": 8, "hosts": 16, "flits": [8], "loads": [0.01], "search": False, "worms": 64}),
    ("trees", {"processes": [4, 8]}), ("rdma", {"nodes": [2, 3], "barriers": 2}), ("smp_broadcast", {"hosts": [8]}),
    ("sync_hardware", {"table": ["3"], "supersteps": 2}), ("split_barrier", {"members": 8, "compute": ["5us"]}),
    ("algorithms", {"switches": 8, "hosts": 16, "names": ["btin"]}), ("scale", {"hosts": [64]})])
def test_bars_tell_how_far_it_is(wh, capsys, name, given):
    run = getattr(benchmark if name == "scale" else studies, name)
    run(**given)
    assert capsys.readouterr().err == ""  # no terminal
    run(**given, progress=True)
    err = capsys.readouterr().err
    assert name in err and "run/s" in err.replace("s/run", "run/s")
    assert "100%" in err or name == "latency_load"  # whose end nobody knows


def test_twins_have_the_option(capsys):
    command = options.study_command(studies.trees, "fibo-tree")
    assert options.run(command, "fibo-tree", ["--processes=4", "--progress"]) == 0
    told = capsys.readouterr()
    assert "trees: 100%" in told.err and told.out.startswith("tree,")


@pytest.mark.parametrize("study, arguments, told", [
    ("barriers", {"schemes": ["btni"]}, "schemes=btni: there is no barrier 'btni'; there are btin, butterfly, dissemination"),
    ("barriers", {"group_sizes": [1000]}, "1000 is not accepted; expected 1 to 256"),
    ("barriers", {"start_up": "2"}, "'2' is no time: give a number and a unit"),
    ("barriers", {"link_delay": "0ns"}, "link_delay=0ns: '0ns' is not accepted; expected a time above 0"),
    ("barriers", {"connectivity": [0.5]}, "least feasible is 0.6733"),
    ("barriers", {"connectivity": [1.5]}, "expected numbers above 0, up to 1, with commas"),
    ("barriers", {"switches": [8, 16], "hosts": [8, 9, 10]}, "switches=8,16: 2 values, but another option names 3 fabrics"),
    ("barriers", {"fabric": "/nowhere.json"}, "/nowhere.json: No such file or directory"),
    ("barriers", {"btin_timing": "flit"}, "did you mean flits?"),
    ("barriers", {"runs": 2.5}, "runs=2.5: expected a whole number from 1 to 1000000"),
    ("latency_load", {"pattern": "unifrom"}, "nearest-switch; did you mean uniform?"),
    ("latency_load", {"search": False}, "search=False: leaves no loads to measure"),
    ("latency_load", {"loads": [-1]}, "loads=-1: '-1' is not accepted; expected numbers above 0, up to 10"),
    ("latency_load", {"flits": ["uniform:9:2"]}, "'uniform:9:2' is no length of worms"),
    ("latency_load", {"topology": "torus:4x4", "fabric": "x"},
     "topology=torus:4x4: has no effect with fabric"),
    ("trees", {"trees": ["fbio"]}, "unknown tree 'fbio': expected sequential"),
    ("trees", {"preset": "mana"}, "preset=mana: expected manna, figure-4, steps; did you mean manna?"),
    ("trees", {"preset": "manna", "s": "1us"}, "s=1us: has no effect with preset"),
    ("trees", {"s": ["1us", "2us"], "r": ["1us", "2us", "3us"]}, "3 values, but s has 2; expected 1"),
    ("trees", {"network": "fabrics"}, "expected ideal, fabric; did you mean fabric?"),
    ("rdma", {"preset": "cluster-9"}, "preset=cluster-9: expected cluster-1, cluster-2"),
    ("rdma", {"transports": ["tcp"]}, "transports=tcp: there is no 'tcp'; expected rdma, send-receive"),
    ("rdma", {"nodes": [0]}, "expected whole numbers from 1 to 10000"),
    ("rdma", {"interface_percent": [0, 99]}, "of which it occupies the interface; expected as much"),
    ("rdma", {"registration": "1us"}, "has no effect without"),
    ("smp_broadcast", {"case": "45"}, "case=45: expected 64, 44, 38, 28"),
    ("smp_broadcast", {"case": "44", "job": 3}, "job=3: has no effect with case"),
    ("smp_broadcast", {"job_switches": 2}, "job_switches=2: has no effect without job"),
    ("smp_broadcast", {"placement": "first", "placements": 3}, "placements=3: has no effect where placement"),
    ("smp_broadcast", {"placement": "ranom"}, "shuffled, best, names of hosts with commas between, or"),
    ("smp_broadcast", {"hosts": [65]}, "expected whole numbers from 1 to 64"),
    ("smp_broadcast", {"algorithms": ["btin"]}, "200000 bytes, but a register holds a whole message"),
    ("smp_broadcast", {"topology": "torus:4x4", "case": "64"}, "a job of 64 hosts on 4 switches; of"),
    ("smp_broadcast", {"topology": "torus:4x4", "job": 17}, "a job of 17 hosts"),
    ("smp_broadcast", {"flit_bytes": 7}, "56 bits at 1200000000bps is no whole number of femtosec"),
    ("smp_broadcast", {"data_rate": "fast"}, "'fast' is not accepted; expected a data rate above 0, such as 100Gbps"),
    ("smp_broadcast", {"bytes": ["64kb"]}, "bytes=64kb: '64kb' is not accepted"),
    ("smp_broadcast", {"flag": "1us"}, "flag=1us: has no effect without tasks_per_host=2"),
    ("sync_hardware", {"fabric": "/nowhere.json"}, "/nowhere.json: No such file or directory"),
    ("trees", {"network": "fabric", "fabric": "/nowhere.json"}, "/nowhere.json: No such file"),
    ("smp_broadcast", {"bytes": [1]}, "expected whole numbers of bytes, 2 to 1073741824"),
    ("sync_hardware", {"table": ["2"]}, "there is no '2'; expected 1, 3, 4, 5, 6, 7, uniprocessor"),
    ("sync_hardware", {"hardware": ["hw-2"]}, "expected none, hw-1, hw-all, in-switch; did you"),
    ("sync_hardware", {"nodes": 1}, "nodes=1: expected a whole number from 2 to 4096"),
    ("sync_hardware", {"workloads": "/nowhere.json"}, "/nowhere.json: No such file or directory"),
    ("sync_hardware", {"published": "/nowhere.csv"}, "/nowhere.csv: No such file or directory"),
    ("sync_hardware", {"topology": "torus:4x4", "hardware": ["none"]},
     "topology=torus:4x4: has no effect without in-switch"),
    ("sync_hardware", {"delays": ["1"]}, "'1' is no time: give a number and a unit"),
    ("sync_hardware", {"network_done": "ack"}, "expected auto, acks, add; did you mean acks?"),
    ("sync_hardware", {"memory_price": -1}, "memory_price=-1: expected a whole number from 0 to"),
    ("network_done", {"methods": ["btin"]}, "methods=btin: 'btin' does not wait for messages of data; expected network-done"),
    ("network_done", {"rounds": 0}, "rounds=0: expected a whole number from 4 to"),
    ("network_done", {"flits": "8"}, "flits=8: has no effect without load"),
    ("network_done", {"interrupt": "1us"}, "has no effect without progress_by=interrupt"),
    ("algorithms", {"kind": "barier"}, "there is no kind of collective 'barier'; there are barrier"),
    ("algorithms", {"group_sizes": [0]}, "group_sizes=0: expected a whole number from 1 to"),
    ("algorithms", {"fabric": "x", "topology": "torus:4x4"}, "topology has no effect with fabric"),
])
def test_bad_arguments_are_refused_in_one_line(wh, study, arguments, told):
    refuses(re.escape(told), studies.study(study), **arguments)


def test_jobs_change_no_result(wh):
    def rows(**arguments):
        return wh.studies.barriers(switches=12, hosts=20, group_sizes=[4], runs=4, **arguments).to_csv(index=False)
    assert rows(jobs=3) == rows(jobs=1) == rows()
    refuses("jobs=0: expected a whole number from 1 to 1024", rows, jobs=0)
    with pytest.raises(TypeError, match="jobs"):
        wh.studies.rdma(jobs=2)


def test_any_spelling_is_accepted_and_a_wrong_name_names_the_nearest(wh):
    one = studies.trees(processes=[4], link_delay="20ns", network=["fabric"])
    assert one.equals(studies.trees(**{"processes": [4], "linkDelay": "20ns", "network": "fabric"}))
    with pytest.raises(TypeError, match="'proceses'; did you mean processes?"):
        studies.trees(proceses=[4])
    with pytest.raises(TypeError, match="multiple values for argument 'link_delay'"):
        studies.trees(**{"link-delay": "20ns", "linkDelay": "20ns"})


def test_attributes_hold_for_one_study_only(wh):
    def first():
        return studies.barriers(**SMALL, schemes=["multicast"], reduction=["ideal"]).latency_us_mean[0]
    slow = studies.barriers(**SMALL, schemes=["multicast"], reduction=["ideal"],
                            attributes={"ns3::HostSoftware::StartUp": "9us"}).latency_us_mean[0]
    assert slow > first() == first()
    own = wh.Fabric.irregular(8, 16).with_attributes({"ns3::WormholeChannel::Delay": "1us"})
    asked = {"flits": [8], "loads": [0.01], "search": False}
    far = studies.latency_load(fabric=own, **asked).latency_us_mean[0]
    assert far > studies.latency_load(fabric=wh.Fabric.irregular(8, 16), **asked).latency_us_mean[0]
    asked = {"rounds": 4, "windows": [1]}
    near = studies.broadcast_load(fabric=wh.Fabric.irregular(8, 16), **asked).latency_us[0]
    assert studies.broadcast_load(fabric=own, **asked).latency_us[0] > near
    refuses("expected attributes of ns3::WormholeFabric", studies.rdma, nodes=[2], attributes={"ns3::Node::Id": 3})


@pytest.mark.parametrize("run, told", [
    (lambda: benchmark.fabrics(fabrics="torus:4x4"), "fabrics=torus:4x4: needs loads that suit them"),
    (lambda: benchmark.fabrics(worms=3), "worms=3: expected a whole number from 100 to"),
    (lambda: benchmark.fabrics(schedulers=["Quick"]), "expected Wormhole, PriorityQueue, Map, Heap, Cal"),
    (lambda: benchmark.fabrics(algorithms=["bitn"]), "there is no barrier 'bitn'; there are btin"),
    (lambda: benchmark.fabrics(loads=[0]), "loads=0: expected a number above 0, up to 1"),
    (lambda: benchmark.scale(hosts=[0]), "hosts=0: expected a whole number from 1 to 16777216"),
    (lambda: studies.study("smp-brodcast"), "did you mean smp_broadcast?"),
])
def test_bad_measurements_are_refused_in_one_line(wh, run, told):
    refuses(re.escape(told), run)
