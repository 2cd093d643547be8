# SPDX-License-Identifier: GPL-2.0-only
"""What holds whatever is asked, by random examples: few of them here, 100,000 by make check-long."""

import itertools
import json
import re

import command_options
import networkx
import plain_oracle
import pytest
from conftest import ROOT, cables, write
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def examples(share):
    """Has a test take its share, in percent, of the profile's examples."""
    return settings(max_examples=max(1, settings.default.max_examples * share // 100),
                    suppress_health_check=list(HealthCheck))


def tried(wh, function, *arguments):
    """Returns what a request gives, and None; or None, and what it is refused with, a line."""
    try:
        return function(*arguments), None
    except wh.WormholeError as error:
        assert str(error) and "\n" not in str(error)
        return None, str(error)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("properties")


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 70), st.floats(), st.text(max_size=5),
                    st.sampled_from(["", "4", "tree", "0us", ":", "a:b", "\n"]))
ANYTHING = st.recursive(SCALARS, lambda inner: st.one_of(
    st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6)
NAMES = st.sampled_from(["group_sizes", "hosts", "start_up", "runs", "seed", "grop_sizes", ""])
DESCRIPTIONS = st.fixed_dictionaries({}, optional={
    "study": st.one_of(st.sampled_from(["barriers", "trees", "latency-load", ":", "barrier"]), ANYTHING),
    "seeds": st.one_of(st.integers(-1, 4), st.lists(st.integers(-1, 4), max_size=3), ANYTHING),
    "fixed": st.one_of(st.dictionaries(NAMES, SCALARS, max_size=2), ANYTHING),
    "parameters": st.one_of(st.dictionaries(NAMES, st.lists(SCALARS, max_size=3), max_size=2), ANYTHING)})
GOOD = st.fixed_dictionaries({
    "study": st.just("barriers"), "seeds": st.integers(1, 4),
    "fixed": st.dictionaries(st.sampled_from(["law", "runs"]), SCALARS),
    "parameters": st.dictionaries(st.sampled_from(["group_sizes", "hosts", "start_up"]), st.lists(
        st.integers(1, 9), min_size=1, max_size=3, unique=True))})


@examples(30)
@given(content=st.one_of(DESCRIPTIONS, ANYTHING))
def test_a_description_is_a_campaign_or_refused(wh_quick, folder, content):
    path = write(folder / "any.json", json.dumps(content))
    made, refused = tried(wh_quick, wh_quick.campaign.Campaign.from_file, path)
    if refused:
        assert refused.startswith(f"{path}: ")
        return
    # Only what is wholly of its kinds may pass.
    assert isinstance(content["study"], str) and isinstance(content.get("fixed", {}), dict)
    seeds = content.get("seeds", 1)
    assert not isinstance(seeds, bool) and isinstance(seeds, (int, list)) and seeds
    lists = content.get("parameters", {}).values()
    assert all(isinstance(values, list) and values for values in lists)
    count = seeds if isinstance(seeds, int) else len(seeds)
    assert len(made.points()) == count * len(list(itertools.product(*lists)))


@examples(10)
@given(content=GOOD)
def test_a_good_description_is_not_refused(wh_quick, folder, content):
    points = wh_quick.campaign.Campaign.from_file(write(folder / "good.json", content)).points()
    wanted = [dict(zip([*content["parameters"], "seed"], values)) for values in itertools.product(
        *content["parameters"].values(), range(1, content["seeds"] + 1))]
    assert points == wanted


LINES = st.lists(st.one_of(st.integers(0, 4), st.binary(max_size=12),
                           ANYTHING.map(lambda value: json.dumps(value).encode()),
                           st.tuples(st.integers(0, 4), st.integers(1, 40))), max_size=7)


@examples(20)
@given(lines=LINES, torn=st.booleans())
def test_a_journal_keeps_what_is_whole(wh_quick, folder, lines, torn):
    """Lines: a point by number, one that is cut short, or something else."""
    from ns3_wormhole.core.files import Journal
    head, path = {"study": "s", "fixed": {}, "version": "1"}, folder / "any.points.jsonl"
    points = {f"k{i}": {"number": i, "seed": 1} for i in range(5)}
    whole = [json.dumps({"key": key, "point": point, "rows": [{"value": point["number"]}]}).encode()
             for key, point in points.items()]
    written = [json.dumps(head).encode()]
    wanted = {}
    for line in lines:
        if isinstance(line, int):
            wanted[f"k{line}"] = [{"value": line}]
        written.append(whole[line] if isinstance(line, int) else
                       whole[line[0]][:-line[1]] if isinstance(line, tuple) else
                       line.replace(b"\n", b""))
    content = b"\n".join(written) + b"\n"
    path.write_bytes(content + (whole[0][:-3] if torn else b""))
    with Journal(path, head, points) as journal:
        assert journal.found == wanted
        journal.add("k1", points["k1"], [{"value": -1}])
    assert path.read_bytes().startswith(content)
    with Journal(path, head, points) as journal:
        assert journal.found == {**wanted, "k1": [{"value": -1}]}


@st.composite
def networks(draw):
    """A connected graph of switches, perhaps with parallel cables, and its hosts."""
    count = draw(st.integers(1, 6))
    graph = networkx.MultiGraph()
    graph.add_nodes_from((f"s{i}" for i in range(count)), kind="switch")
    for i in range(1, count):
        graph.add_edge(f"s{i}", f"s{draw(st.integers(0, i - 1))}")
    for a, b in draw(st.lists(st.tuples(*[st.integers(0, count - 1)] * 2), max_size=4)):
        if a != b:
            graph.add_edge(f"s{a}", f"s{b}")
    for i in range(draw(st.integers(1, 6))):
        graph.add_node(f"h{i}", kind="host")
        graph.add_edge(f"h{i}", f"s{draw(st.integers(0, count - 1))}")
    return graph


@examples(10)
@given(graph=networks())
def test_networkx_and_files_keep_a_fabric(wh_quick, folder, graph):
    made = wh_quick.Fabric.from_networkx(graph)
    assert sorted(tuple(sorted(edge)) for edge in made.to_networkx().edges()) == sorted(
        tuple(sorted(edge)) for edge in graph.edges())
    made.to_file(folder / "fabric.json")
    kept = wh_quick.Fabric.from_file(folder / "fabric.json")
    for other in (kept, wh_quick.Fabric.from_networkx(made.to_networkx(), ports=int(made.graph.GetNPorts(0)))):
        assert cables(other) == cables(made) and other.hosts == made.hosts
        assert sorted(other.switches) == sorted(made.switches)


FABRIC = {"ports": 4, "hosts": ["h0", "h1"], "links": [
    ["h0", 0, "s0", 0], ["h1", 0, "s1", 3], ["s0", 1, "s1", 1], ["s0", 2, "s1", 2]]}
EDITS = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 6), st.sampled_from(
    ["", "0", "7", "-", "1.5", '"', ",", "[", "]", "{", "}", ":", "true", "null", "h0", "s0", "\\", "\n"])),
    min_size=1, max_size=3)


@examples(10)
@given(edits=EDITS)
def test_an_edited_fabric_file_is_read_or_refused(wh_quick, folder, edits):
    text = json.dumps(FABRIC)
    for place, length, new in edits:
        text = text[:place] + new + text[place + length:]
    path = write(folder / "edited.json", text)
    made, refused = tried(wh_quick, wh_quick.Fabric.from_file, path)
    if refused:
        assert refused.startswith(f"{path}")
    else:  # then Python reads the same in it
        assert cables(made) == {frozenset(((a, i), (b, j))) for a, i, b, j in json.loads(text)["links"]}


@st.composite
def cases(draw):
    """A case of worms, each to one host or several on a tree, which may block each other."""
    graph = draw(networks())
    free = {node: itertools.count() for node in graph}
    links = [[a, next(free[a]), b, next(free[b])] for a, b in graph.edges()]
    ports = {}
    for a, i, b, j in links:
        ports.setdefault((a, b), []).append(i)
        ports.setdefault((b, a), []).append(j)
    hosts = [node for node in graph if node.startswith("h")]
    worms = []
    for _ in range(draw(st.integers(1, 6))):
        root = draw(st.sampled_from(hosts))
        ends = set(draw(st.lists(st.sampled_from(hosts), min_size=1, max_size=3))) - {root}
        way = dict(networkx.bfs_predecessors(graph, root))
        tree = {}
        for node in sorted(ends):
            while node != root:
                out = draw(st.sampled_from(ports[way[node], node]))
                tree.setdefault(way[node], {}).setdefault(node, out)
                node = way[node]
        if tree:
            worms.append({"time": draw(st.integers(0, 60)), "flits": draw(st.integers(1, 9)),
                          "root": root, "tree": {node: sorted(outs.values())
                                                 for node, outs in tree.items()}})
    return {"ports": max(graph.degree(node) for node in graph), "hosts": hosts, "links": links,
            "flit_time": draw(st.integers(1, 7)), "link_delay": draw(st.integers(1, 9)),
            "switch_delay": draw(st.integers(0, 9)), "depth": draw(st.integers(1, 6)),
            "replication": draw(st.sampled_from(["async", "sync"])),
            "route_header": draw(st.sampled_from(["none", "source"])),
            "flit_size": draw(st.integers(1, 4)), "worms": worms}


@examples(5)
@given(case=cases())
def test_worms_move_as_flit_by_flit(wh_quick, folder, case):
    if not case["worms"]:
        return
    check_replay(wh_quick.ns, write(folder / "case.json", case), case)


def test_the_example_case_moves_as_flit_by_flit(wh_quick):
    path = ROOT / "data/worms-example.json"
    check_replay(wh_quick.ns, path, json.loads(path.read_text(encoding="utf-8")))


def check_replay(ns, path, case):
    """Compares the times of a case, in a file, with those of the oracle."""
    outcome = ns.ReplayWorms(ns.ReadWormCase(str(path)))
    oracle = plain_oracle.Oracle(case).run()
    for i, worm in enumerate(outcome.worms):
        legs = {str(end): (int(leg.headStart), int(leg.tailEnd.value()) if leg.tailEnd.has_value()
                           else None) for end, leg in worm.legs}
        assert legs == oracle.legs[i]
        assert {str(host): int(time) for host, time in worm.delivered} == oracle.delivered[i]


WORDS = st.sampled_from(["--", "-", "=", "x", "1", "compare", "fabric", "show", "check", "make", "campaign",
                         "torus:2x2", "mesh:2", "torus", "--topology", "--group-sizes=2,x", "--runs=z",
                         "--kind=barier", "--members=h9", "--members=0", "--csv", "--svg", "--csv=",
                         "--svg=/nowhere/x", "--csv=/nowhere/x.csv", "--seed=-1", "/nowhere.json",
                         "--workers=no", "--tasks-per-host=0", "--operation=ADD", "--root=nobody",
                         "--attribute=Delay", "--patience=soon", "\n", "\ud800", "ä"])
WRONG = ["--nonsense", "--topology=torsu:2", "--attribute=x", "--root=nobody", "--svg=/nowhere/x",
         "--members=h99", "--csv=/nowhere/x.csv"]


@examples(15)
@given(words=st.lists(WORDS, max_size=4), wrong=st.sampled_from(WRONG), place=st.integers(0, 4))
def test_nonsense_on_the_command_line_is_one_line(wh_quick, words, wrong, place):
    status, out, err = command_options.run([*words[:place], "--nonsense", wrong, *words[place:]])
    assert status == 1 and not out and re.fullmatch("ns3-wormhole: [^\n]+\n", err), err
