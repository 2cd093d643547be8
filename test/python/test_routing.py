# SPDX-License-Identifier: GPL-2.0-only
"""Routing engines by name, compared over fabrics, and bounds of routes against networkx."""

import collections
import inspect
import itertools
import json
import re

import networkx
import pandas
import pytest
from conftest import call, PROGRAMS, ROOT, refused, refuses, run, write

# Of one lane each.
NAMES = ["up-down[Root=center]", "balanced", "depth-first[Root=best|Length=any]",
         "turn-prohibition[Sets=2]", "nue", "in-transit"]


def test_every_engine_has_its_entry_in_the_docs(wh):
    page = (ROOT / "doc/user/routing-engines.rst").read_text().split("\nEngines\n")[1].split("\nEvery engine but")[0]
    entries = re.findall(r"^(``.+``) \(", page, re.MULTILINE)
    named = re.findall(r"``([a-z0-9-]+)``", " ".join(entries))
    assert sorted(named) == sorted(wh.routing_engines())


def test_all_engines_are_compared(wh):
    asked = inspect.signature(wh.studies.routing_comparison).parameters["engines"].default
    assert {name.partition("[")[0] for name in asked} == set(wh.routing_engines()) - {"table"}


@pytest.mark.parametrize("name", NAMES)
def test_fabric_takes_a_routing(wh, name):
    drawn = wh.Fabric.irregular(switches=16, hosts=40, routing=name)
    drawn.check()
    assert drawn.barrier("dissemination", 8).cross() > 0
    torus = wh.Fabric.from_text("torus:4x4", routing=name)
    torus.check()
    assert 0 < torus.saturation_bound() <= 1


def test_balanced_routes_carry_more(wh):
    plain, balanced = (wh.Fabric.irregular(routing=name).saturation_bound()
                       for name in ["up-down", "depth-first[Root=best|Length=any]"])
    assert balanced > 1.5 * plain


def test_a_file_keeps_the_routing(wh, tmp_path):
    path = tmp_path / "torus.json"
    made = wh.Fabric.from_text("torus:4x4", routing="balanced[Root=first]")
    made.to_file(path)
    read = wh.Fabric.from_file(path)
    assert '"routing": "balanced[Root=first]"' in path.read_text()
    assert read.saturation_bound() == made.saturation_bound()
    assert read.to_networkx().graph["routing"] == "balanced[Root=first]"
    again = wh.Fabric.from_networkx(read.to_networkx())
    assert again.saturation_bound() == made.saturation_bound()


@pytest.mark.parametrize("name, part", [
    ("best", "routing 'best': expected up-down, "), ("nue[Lanes=x]", "Lanes"),
    ("dateline", "was not made as a torus")])
def test_others_are_refused(wh, name, part):
    refuses(part.replace("[", r"\["), wh.Fabric.irregular, switches=16, hosts=40, routing=name)
    refuses("expected one of them", wh.Fabric.irregular, switches=16, hosts=40, routing="nue", root="first")


def test_a_routing_replaces_that_of_a_text(wh, capsys, tmp_path):
    text = "torus:4x4,routing=up-down,root=center,spread=hash"
    made = wh.Fabric.from_text(text, routing="balanced")
    assert made.to_networkx().graph["routing"] == "balanced"
    assert made.saturation_bound() == wh.Fabric.from_text("torus:4x4", routing="balanced").saturation_bound()
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, f"--topology={text}", "--routing=nue")[0] == 0
    assert '"routing": "nue"' in path.read_text()
    named = wh.Fabric.from_text(str(path), routing="balanced")
    assert named.to_networkx().graph["routing"] == "balanced"
    # A root without a routing of its own beside it is not replaced, but refused.
    refuses("only routing=up-down has a root", wh.Fabric.from_text, "torus:4x4,root=center", routing="balanced")


def test_commands_take_a_routing(capsys, tmp_path):
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, "--switches=16", "--hosts=40", "--routing=nue")[0] == 0
    assert '"routing": "nue"' in path.read_text()
    assert call(capsys, "fabric", "check", path, "--routing=balanced")[1].endswith("free of deadlock\n")
    bounds = [call(capsys, "fabric", "show", "torus:6x6", f"--routing={name}")[1] for name in ["up-down", "balanced"]]
    assert bounds[0] != bounds[1] and all("saturation bound" in each for each in bounds)
    assert "routing 'best': expected" in refused(capsys, "osu", "barrier", f"--fabric={path}", "--routing=best")


def test_what_a_failure_leaves_is_proved(capsys, tmp_path):
    told = call(capsys, "fabric", "check", "torus:3x3", "--without=s0,s1:0-s2:1")[1].splitlines()
    assert told[1:] == ["without s0: 1 host cut off; routes: up-down: free of deadlock",
                        "without s1:0-s2:1: 0 hosts cut off; routes: up-down: free of deadlock"]
    status, _, error = call(capsys, "fabric", "check", "torus:3x3", "--without=s9")
    assert status == 1 and "there is no switch or cable 's9'" in error
    # A table stays, and what it leads to must be there.
    path = write(tmp_path / "two.json", '{"hosts": ["h0", "h1"], "links": [["h0", 0, "a", 0], '
                                        '["h1", 0, "b", 0], ["a", 1, "b", 1]]}')
    assert "without a:1-b:1: 1 host cut off; nothing is left to prove\n" in call(
        capsys, "fabric", "check", path, "--without=each-cable")[1]


def test_tree_worms_of_a_group_are_proved(capsys):
    """They pass where routes have one way down, and else where buffers hold them whole."""
    line = call(capsys, "fabric", "check", "mesh:4,routing=up-down", "--members=h0,h3")[1]
    assert line.endswith("free of deadlock, with tree worms of 2 members\n")
    told = call(capsys, "fabric", "check", "torus:4x4", "--members=8")[1]
    assert "members that buffers hold whole (longer ones: worms on these routes can wait" in told


def test_compare_and_what_if_take_a_routing(wh, capsys, tmp_path):
    path = tmp_path / "torus.json"
    assert call(capsys, "fabric", "make", path, "--topology=torus:4x4")[0] == 0
    asked = ["compare", "--names=dissemination", "--group-sizes=16"]
    for place in (["--topology=torus:4x4"], [f"--fabric={path}"], ["--switches=8", "--hosts=16"]):
        plain, nue = (call(capsys, *asked, *place, *more) for more in ([], ["--routing=nue"]))
        assert plain[0] == nue[0] == 0
        assert "routing 'best': expected" in refused(capsys, *asked, *place, "--routing=best")
    lengths = ["compare", "--bytes=64", "--names=ring", "--group-sizes=8", "--topology=torus:4x4"]
    assert call(capsys, *lengths, "--routing=nue")[0] == 0
    told = refused(capsys, *lengths, "--routing=nue", "--network=ideal")
    assert "routing=nue: has no effect on the ideal network" in told
    told = call(capsys, "fabric", "what-if", path, "--without=s3", "--routing=dateline")[1]
    assert "whole fabric dateline " in told and "up-down: routes computed anew" in told


def test_a_torus_stays_one(wh, capsys, tmp_path):
    path, graphml = tmp_path / "torus.json", tmp_path / "torus.graphml"
    made = wh.Fabric.from_text("torus:4x4")
    made.to_file(path)
    made.write(graphml)
    wanted = wh.Fabric.from_text("torus:4x4,routing=dateline").saturation_bound()
    for fabric in (wh.Fabric.from_file(path, routing="dateline"), made.with_routing("dateline"),
                   wh.Fabric.read(graphml, routing="dateline"),
                   wh.Fabric.from_networkx(made.to_networkx(), routing="dateline")):
        assert fabric.router().GetNLanes() == 2 and fabric.saturation_bound() == wanted
    assert wh.Fabric.from_file(path).saturation_bound() == made.saturation_bound()
    # Its cables are looked at only where they matter.
    text = path.read_text()
    path.write_text(text.replace("torus:4x4", "torus:4x5"))
    assert wh.Fabric.from_file(path).saturation_bound() == made.saturation_bound()
    refuses("dateline of torus:4x5: .*instead of 20 switches", wh.Fabric.from_file, path, routing="dateline")


def test_show_and_check_name_the_routes(capsys):
    told = call(capsys, "fabric", "show", "torus:4x4", "--routing=dateline")[1]
    assert "routes: dateline, 2 lanes, 4.13 channels in the mean, 6 at most\n" in told
    told = call(capsys, "fabric", "check", "torus:4x4,lanes=3,grant=worm")[1]
    assert told.endswith("; routes: up-down, 3 lanes of which they take 1: free of deadlock\n")


@pytest.mark.parametrize("fabric, engine, note", [
    ("torus:4x4", "", ""), ("torus:4x4", "balanced", ""), ("torus:4x4", "dateline", "dateline, take 2 of the 2"),
    ("torus:4x4,lanes=3,grant=worm", "", "up-down, take 1 of the 3"),
    ("torus:4x4,lanes=3,grant=worm", "dateline", "dateline, take 2 of the 3"),
    ("mesh:4x4", "balanced[FreeLanes=4]", "balanced[FreeLanes=4], take 4 of the 4")])
def test_programs_tell_the_lanes_that_routes_take(fabric, engine, note):
    done = run(PROGRAMS / "fabric-benchmark", f"--topology={fabric}", *[f"--routing={engine}"] * bool(engine),
               "--loads=0.01", "--flits=2", "--worms=100", "--repeats=1", "--members=0")
    assert done.stderr == (note and f"wormhole: the routes, {note} lanes of each channel\n")


def test_fabrics_shown_after_another(capsys, tmp_path):
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, "--switches=8", "--hosts=16")[0] == 0
    for fabric in ("torus:3x3", path, path):  # the router of a file's routes is held by nobody else
        for command in ("show", "check"):
            told = call(capsys, "fabric", command, fabric)
            assert told[0] == 0 and "routes: up-down, 1 lane" in told[1]


TEXT = "irregular:switches=8,hosts=16"


def test_figures_are_those_of_the_routes(wh):
    found = wh.studies.routing_comparison(
        fabrics=["mesh:4x4", "torus:4x4"], engines=["up-down", "balanced"], simulate=False,
        barriers=[])
    assert list(found.fabric) == ["mesh:4x4"] * 2 + ["torus:4x4"] * 2
    assert (found.reason == "").all() and (found.lanes == 1).all()
    for row in found.itertuples():
        fabric = wh.Fabric.from_text(row.fabric, routing=row.engine)
        assert row.bound == fabric.saturation_bound()
        # No legal route is shorter than a shortest one.
        graph = fabric.to_networkx()
        hosts = [node for node, kind in graph.nodes(data="kind") if kind == "host"]
        lengths = [networkx.shortest_path_length(graph, a, b) for a in hosts for b in hosts if a != b]
        assert row.mean_channels >= sum(lengths) / len(lengths) - 1e-9
        assert row.longest >= max(lengths)
        node, far = row.busiest.split(" to ")
        assert row.bound < 1 and graph.has_edge(node.split(":")[0], far)


def test_saturation_latency_and_barriers(wh):
    asked = dict(fabrics=[TEXT], engines=["up-down", "depth-first[Root=best|Length=any]"], runs=2,
                 worms=64, group_size=6)
    found = wh.studies.routing_comparison(**asked)
    assert len(found) == 4 and list(found.run) == [1, 1, 2, 2]
    assert (found.saturation > 0).all() and (found.latency_us > 0).all()
    assert (found.btin_us > 0).all() and (found.dissemination_us > found.btin_us).all()
    # No fabric carries more than its busiest channel; the search's interval is 2 %.
    assert (found.saturation <= 1.05 * found.bound).all()
    again = wh.studies.routing_comparison(**asked)
    pandas.testing.assert_frame_equal(found, again)
    assert found.bound[0] != found.bound[2]  # another drawing


def test_what_an_engine_cannot_do_is_told(wh):
    found = wh.studies.routing_comparison(topology=["mesh:3x3"], engines=["up-down", "valiant"],
                                          simulate=False, barriers=[], times=True)
    assert found.reason[0] == "" and "valiant" in found.reason[1]
    assert found.compute_s[0] >= 0
    refuses("valiant", wh.studies.routing_comparison, fabrics=["mesh:3x3"], engines=["valiant"])
    refuses("no-such", wh.studies.routing_comparison, engines=["no-such"])


@pytest.mark.parametrize("wrong, told", [
    ({"flits": "x"}, "'x' is no length of worms"), ({"pattern": "s0"}, "no pattern 's0'"),
    ({"machine": "nope"}, "there is no machine 'nope'"),
    ({"attributes": {"ns3::WormholeFabric::Flitsize": 2}}, "did you mean FlitSize"),
    ({"fabrics": ["mesh:2x2", "nonsense:3"]}, "there is no family 'nonsense'"),
    ({"fabrics": ["mesh:2x2", "/no/such.json"]}, "/no/such.json"),
    ({"fabrics": []}, "fabrics is empty"), ({"engines": ()}, "engines is empty"),
], ids=str)
def test_what_is_none_is_refused_before_anything_is_computed(wh, monkeypatch, wrong, told):
    monkeypatch.setattr("ns3_wormhole.study.routing_comparison._routed", None)
    refuses(told, wh.studies.routing_comparison, **{"fabrics": ["mesh:2x2"], "engines": ["balanced"], **wrong})


def test_the_command(tmp_path, capsys):
    plot, csv = tmp_path / "routing.svg", tmp_path / "routing.csv"
    asked = ["routing-comparison", f"--fabrics={TEXT},torus:3x3", "--engines=up-down,balanced",
             "--no-simulate", "--barriers=btin"]
    status, out, error = call(capsys, *asked, f"--plot={plot}")
    assert status == 0, error
    assert out.startswith("bounds: uniform traffic; barriers: 16 hosts; machine: defaults\n" + TEXT)
    assert "torus:3x3" in out and "btin, us" in out and "balanced" in out and "first choices" not in out
    assert "busiest channel full" in plot.read_text()
    assert call(capsys, *asked, f"--csv={csv}")[0] == 0
    assert list(pandas.read_csv(csv).fabric) == [TEXT] * 2 + ["torus:3x3"] * 2
    assert call(capsys, "study", *(word.replace("--fabrics", "--topology") for word in asked))[1] == out
    refused(capsys, *asked, "--fabrics=torus:3x")


def test_worms_fit_into_lanes_by_default(wh):
    asked = dict(fabrics=["torus:3x3"], engines=["up-down", "dateline"], worms=16, barriers=[], flits="64")
    found = wh.studies.routing_comparison(**asked)
    assert (found.reason == "").all() and (found.saturation > 0).all()
    deep = wh.studies.routing_comparison(**asked, attributes={"ns3::WormholePort::BufferDepth": 128})
    pandas.testing.assert_frame_equal(found, deep)
    # What is said stands, and routes of what isn't simulated are told of.
    short = wh.studies.routing_comparison(**asked, attributes={"ns3::WormholeFabric::Buffers": "round-trip"})
    assert short.reason[0] == "" and "BufferDepth=64" in short.reason[1]
    assert short.bound.notna().all() and short.saturation.isna().tolist() == [False, True]
    # A round trip that is longer than two worms is covered.
    short = dict(asked, flits="8")
    pandas.testing.assert_frame_equal(
        wh.studies.routing_comparison(**short),
        wh.studies.routing_comparison(**short, attributes={"ns3::WormholePort::BufferDepth": 56}))


def test_a_fabric_among_texts_is_refused(wh):
    refuses("3 hosts> among fabrics; expected texts and files",
            wh.studies.routing_comparison, fabrics=[wh.Fabric.from_text("torus:3")])


def test_a_root_beside_other_routes_is_refused(capfd, tmp_path):
    """It would replace them, and prove or measure what nobody has asked for."""
    path = tmp_path / "cluster.json"
    assert call(capfd, "fabric", "make", path, "--switches=6", "--hosts=9", "--routing=balanced")[0] == 0
    program = ["study", "latency-load", f"--fabric={path}", "--loads=0.1", "--noSearch", "--worms=64"]
    cure = "which are balanced; expected --routing=up-down[Root=center]"
    for asked in (program, ["fabric", "check", path]):
        assert cure in refused(capfd, *asked, "--root=center")
        assert call(capfd, *asked, "--routing=up-down[Root=center]")[0] == 0
    assert cure in refused(capfd, *program, "--routing=balanced", "--root=center")


def test_what_is_not_simulated_has_its_bounds_shown(capsys):
    status, out, error = call(
        capsys, "routing-comparison", "--fabrics=torus:3x3", "--engines=up-down,dateline,valiant,ugal,adaptive",
        "--worms=16", "--barriers=", "--attribute=WormholePort::BufferDepth=56", "--jobs=1")
    assert status == 0, error
    row = next(line for line in out.splitlines() if line.startswith("dateline "))
    assert row.split()[1] == "2" and row.split()[-1] == "-"
    text = " ".join(out.split())
    assert "\nadaptive: the bound counts first choices alone" in out  # those of dateline are lanes
    assert "dateline, adaptive: not simulated: h" in text and "BufferDepth=64" in text
    assert "valiant, ugal: no routes: the fabric was not made as a dragonfly" in text


def test_small_fabrics_and_files(wh, tmp_path):
    path = tmp_path / "small.json"
    wh.Fabric.irregular(switches=4, hosts=6, connectivity=0.5).to_file(path)
    found = wh.studies.routing_comparison(fabrics=[str(path)], engines=["up-down"], simulate=False)
    assert found.reason[0] == "" and found.btin_us[0] > 0
    # No engine serves what isn't there, so that is no row.
    for fabric, part in [(str(tmp_path / "none.json"), "none.json"), ("taurus:3", "taurus")]:
        refuses(part, wh.studies.routing_comparison, fabrics=["torus:3x3", fabric], engines=["up-down"], simulate=False)


def tree(levels=3, without=(), upper=0):
    """Returns a fat tree of switches of 4 ports as a fabric file has it, without routing: some cables
    are missing, by their number, and so many hosts are at top switches."""
    links, open_port = [], collections.Counter()

    def join(a, b):
        ends = []
        for node in (a, b):
            ends += [node, 0 if node.startswith("h") else open_port[node]]
            open_port[node] += 1
        links.append(ends)
    if levels == 3:
        cables = [(f"a{pod}.{i}", f"c{i}.{k}") for pod in range(4) for i in range(2) for k in range(2)]
        cables += [(f"l{pod}.{k}", f"a{pod}.{i}") for pod in range(4) for k in range(2) for i in range(2)]
        leaves, tops = [f"l{pod}.{k}" for pod in range(4) for k in range(2)], ["c0.0", "c1.1"]
    else:
        leaves, tops = [f"l{i}" for i in range(6)], [f"c{i}" for i in range(3)]
        cables = [(leaf, top) for leaf in leaves for top in tops]
    for number, cable in enumerate(cables):
        if number not in without:
            join(*cable)
    hosts = [f"h{i}" for i in range(2 * len(leaves) + upper)]
    for number, host in enumerate(hosts):
        join(host, leaves[number // 2] if number < 2 * len(leaves) else tops[number % len(tops)])
    return {"hosts": hosts, "links": links}


def written(tmp_path, described, name="tree.json"):
    return write(tmp_path / name, json.dumps(described))


def loads_of_equal_split(graph, hosts):
    """Returns the load of the busiest channel if pairs take all shortest paths evenly."""
    loads = collections.Counter()
    for a, b in itertools.permutations(hosts, 2):
        paths = list(networkx.all_shortest_paths(graph, a, b))
        for path in paths:
            for channel in itertools.pairwise(path):
                loads[channel] += 1 / len(paths) / (len(hosts) - 1)
    return max(loads.values())


@pytest.mark.parametrize("described", [tree(), tree(2), tree(without=(0, 21)), tree(2, without=(4,), upper=2)])
def test_the_equal_split_is_that_of_networkx(wh, tmp_path, described):
    fabric = wh.Fabric.from_file(written(tmp_path, described))
    most = loads_of_equal_split(networkx.Graph(fabric.to_networkx()), fabric.hosts)
    assert fabric.equal_split_bound() == pytest.approx(min(1, 1 / most))
    figures = fabric.route_figures()
    assert not figures["has_choices"] and figures["bound"] == fabric.saturation_bound() and not figures["is_estimate"]
    assert figures["of_equal_split"] == pytest.approx(figures["bound"] / fabric.equal_split_bound())


@pytest.mark.parametrize("described", [tree(), tree(2), tree(without=(0, 21)), tree(2, without=(4,)), tree(upper=2)])
def test_a_fat_tree_without_routing_has_routes_of_its_own(wh, tmp_path, described):
    fabric = wh.Fabric.from_file(written(tmp_path, described))
    assert fabric.to_networkx().graph["routing"] == "fat-tree"
    fabric.check()
    assert fabric.saturation_bound() >= 0.8 * fabric.equal_split_bound()
    one = written(tmp_path, {**described, "root": "first"}, "one.json")
    assert wh.Fabric.from_file(one).to_networkx().graph["routing"] == "up-down"
    bare = fabric.to_networkx()
    for key in ("routing", "root", "spread", "family"):
        del bare.graph[key]
    assert wh.Fabric.from_networkx(bare).to_networkx().graph["routing"] == "fat-tree"


def test_import_writes_the_engine_and_tells_both_bounds(wh, capsys, tmp_path):
    out = tmp_path / "out.json"
    status, told, err = call(capsys, "fabric", "import", written(tmp_path, tree()), f"--out={out}")
    assert status == 0 and "20 switches, 16 hosts" in told
    assert "a fat tree: routing fat-tree, saturation bound 1.0000; up*/down* below one root had 0.4" in err
    assert json.loads(out.read_text())["routing"] == "fat-tree"
    told = call(capsys, "fabric", "show", out)[1]
    assert "routes: fat-tree, 1 lane" in told and "of the bound of an equal split" in told


def test_what_if_keeps_routes_of_a_fat_tree(wh, tmp_path):
    fabric = wh.Fabric.from_file(written(tmp_path, {**tree(), "ports": 6}))
    for jobs in (1, 2):
        table = fabric.what_if("each-cable", ["c0.0:c0.1"], jobs=jobs)
        assert set(table.routing) == {"fat-tree"} and set(table.cut_off) == {0}
        assert (table.of_equal_split > 0.5).all()
        cut = table[table.variant.str.startswith("without")]
        assert (cut.saturation_bound < table.saturation_bound[0]).all() and len(cut) == 32


@pytest.mark.parametrize("text", ["clos:ports=4,levels=3", "clos:down=4x4,up=2", "torus:4x4", "irregular"])
@pytest.mark.parametrize("routing", ["up-down", "balanced"])
def test_accepted_load_is_below_an_exact_bound(wh, text, routing):
    fabric = (wh.Fabric.irregular(switches=8, hosts=16, routing=routing) if text == "irregular"
              else wh.Fabric.from_text(text, routing=routing))
    table = wh.studies.latency_load(fabric=fabric, flits=("64",), loads=(0.3, 0.9), worms=64, jobs=1, search=False)
    assert (table.accepted <= 1.02 * fabric.saturation_bound()).all()


def test_an_estimate_is_called_one(wh, capsys):
    told = call(capsys, "fabric", "show", "clos:down=150x30,up=50")[1]  # 4,500 hosts
    assert "(estimate, +- " in told and "saturation bound" in told
    each = wh.Fabric.from_text("clos:ports=8,spread=each").route_figures()
    assert each["is_estimate"] and 0 < each["error"] < 0.05 and each["bound"] == pytest.approx(1, rel=each["error"])


def test_a_note_is_told_once_and_of_what(tmp_path, capfd):
    lanes = str(tmp_path / "lanes.json")
    call(capfd, "fabric", "make", lanes, "--topology=torus:3x3", "--lanes=2", "--grant=worm")
    status, _, err = call(capfd, "routing-comparison", f"--fabrics=torus:3x3,{lanes}", "--engines=up-down,dateline",
                          "--barriers=", "--worms=32")
    assert status == 0 and len(err.splitlines()) == 2
    assert re.search(rf"worms=32 has no effect .*\(torus:3x3: up-down, dateline; {lanes}: up-down, dateline\)\n", err)
    assert f"the routes take 1 of the 2 lanes of each channel ({lanes}: up-down)\n" in err
