# SPDX-License-Identifier: GPL-2.0-only
"""Bounds of routes against networkx, routes of fat trees that are read, and what is accepted."""

import collections
import itertools
import json

import networkx
import pytest
from conftest import call


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
    path = tmp_path / name
    path.write_text(json.dumps(described), encoding="utf-8")
    return path


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
    assert figures["bound"] == fabric.saturation_bound() and not figures["is_estimate"]
    assert figures["of_equal_split"] == pytest.approx(figures["bound"] / fabric.equal_split_bound())


@pytest.mark.parametrize("described", [tree(), tree(2), tree(without=(0, 21)), tree(2, without=(4,)),
                                       tree(upper=2)])
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
    table = wh.studies.latency_load(fabric=fabric, flits=("64",), loads=(0.3, 0.9), worms=64, jobs=1,
                                    search=False)
    assert (table.accepted <= 1.02 * fabric.saturation_bound()).all()


def test_an_estimate_is_called_one(wh, capsys):
    told = call(capsys, "fabric", "show", "clos:down=150x30,up=50")[1]  # 4,500 hosts
    assert "(estimate, +- " in told and "saturation bound" in told
