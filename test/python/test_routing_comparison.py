# SPDX-License-Identifier: GPL-2.0-only
"""Routing engines compared over fabrics."""

import networkx
import pandas
import pytest
from conftest import call

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
        lengths = [networkx.shortest_path_length(graph, a, b)
                   for a in hosts for b in hosts if a != b]
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
    found = wh.studies.routing_comparison(fabrics=["mesh:3x3"], engines=["up-down", "valiant"],
                                          simulate=False, barriers=[], times=True)
    assert found.reason[0] == "" and "valiant" in found.reason[1]
    assert found.compute_s[0] >= 0
    with pytest.raises(wh.WormholeError, match="valiant"):
        wh.studies.routing_comparison(fabrics=["mesh:3x3"], engines=["valiant"])
    with pytest.raises(wh.WormholeError, match="no-such"):
        wh.studies.routing_comparison(engines=["no-such"])


@pytest.mark.parametrize("wrong, told", [
    ({"flits": "x"}, "'x' is no length of worms"), ({"pattern": "s0"}, "no pattern 's0'"),
    ({"machine": "nope"}, "there is no machine 'nope'"),
    ({"attributes": {"ns3::WormholeFabric::Flitsize": 2}}, "did you mean FlitSize"),
    ({"fabrics": ["mesh:2x2", "nonsense:3"]}, "there is no family 'nonsense'"),
    ({"fabrics": ["mesh:2x2", "/no/such.json"]}, "/no/such.json"),
], ids=str)
def test_what_is_none_is_refused_before_anything_is_computed(wh, monkeypatch, wrong, told):
    monkeypatch.setattr("ns3_wormhole.study.routing_comparison._routed", None)
    with pytest.raises(wh.WormholeError, match=told):
        wh.studies.routing_comparison(**{"fabrics": ["mesh:2x2"], "engines": ["balanced"], **wrong})


def test_the_command(tmp_path, capsys):
    plot, csv = tmp_path / "routing.svg", tmp_path / "routing.csv"
    asked = ["routing-comparison", f"--fabrics={TEXT},torus:3x3", "--engines=up-down,balanced",
             "--no-simulate", "--barriers=btin"]
    status, out, error = call(capsys, *asked, f"--plot={plot}")
    assert status == 0, error
    assert TEXT in out and "torus:3x3" in out and "btin, us" in out and "balanced" in out
    assert "busiest channel full" in plot.read_text()
    assert call(capsys, *asked, f"--csv={csv}")[0] == 0
    assert list(pandas.read_csv(csv).fabric) == [TEXT] * 2 + ["torus:3x3"] * 2
    assert call(capsys, "study", *asked)[1] == out
    status, _, error = call(capsys, *asked, "--fabrics=torus:3x")
    assert status == 1 and error.count("\n") == 1


def test_worms_fit_into_lanes_by_default(wh):
    asked = dict(fabrics=["torus:3x3"], engines=["up-down", "dateline"], worms=16, barriers=[],
                 flits="64")
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


@pytest.mark.parametrize("asked, told", [
    ({"fabrics": []}, "fabrics is empty"), ({"engines": ()}, "engines is empty")])
def test_empty_lists_are_refused(wh, asked, told):
    with pytest.raises(wh.WormholeError, match=told):
        wh.studies.routing_comparison(**asked)


def test_a_fabric_among_texts_is_refused(wh):
    with pytest.raises(wh.WormholeError, match="3 hosts> among fabrics; expected texts and files"):
        wh.studies.routing_comparison(fabrics=[wh.Fabric.from_text("torus:3")])


def test_a_root_beside_other_routes_is_refused(capfd, tmp_path):
    """It would replace them, and prove or measure what nobody has asked for."""
    path = tmp_path / "cluster.json"
    assert call(capfd, "fabric", "make", path, "--switches=6", "--hosts=9", "--routing=balanced")[0] == 0
    program = ["study", "latency-load", f"--fabric={path}", "--loads=0.1", "--noSearch", "--worms=64"]
    for asked in (program, ["fabric", "check", path]):
        status, out, error = call(capfd, *asked, "--root=center")
        assert status == 1 and out == "" and error.count("\n") == 1
        assert "which are balanced; expected --routing=up-down[Root=center]" in error
        assert call(capfd, *asked, "--routing=up-down[Root=center]")[0] == 0
    status, _, error = call(capfd, *program, "--routing=balanced", "--root=center")
    assert status == 1 and "which are balanced; expected --routing=up-down[Root=center]" in error


def test_what_is_not_simulated_has_its_bounds_shown(capsys):
    status, out, error = call(
        capsys, "routing-comparison", "--fabrics=torus:3x3", "--engines=up-down,dateline,valiant,ugal",
        "--worms=16", "--barriers=", "--attribute=WormholePort::BufferDepth=56", "--jobs=1")
    assert status == 0, error
    row = next(line for line in out.splitlines() if line.startswith("dateline "))
    assert row.split()[1] == "2" and row.split()[-1] == "-"
    text = " ".join(out.split())
    assert "dateline: not simulated: h" in text and "BufferDepth=64" in text
    assert "valiant, ugal: no routes: the fabric was not made as a dragonfly" in text


def test_small_fabrics_and_files(wh, tmp_path):
    path = tmp_path / "small.json"
    wh.Fabric.irregular(switches=4, hosts=6, connectivity=0.5).to_file(path)
    found = wh.studies.routing_comparison(fabrics=[str(path)], engines=["up-down"], simulate=False)
    assert found.reason[0] == "" and found.btin_us[0] > 0
    # No engine serves what isn't there, so that is no row.
    for fabric, part in [(str(tmp_path / "none.json"), "none.json"), ("taurus:3", "taurus")]:
        with pytest.raises(wh.WormholeError, match=part):
            wh.studies.routing_comparison(fabrics=["torus:3x3", fabric], engines=["up-down"],
                                          simulate=False)
