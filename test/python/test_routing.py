# SPDX-License-Identifier: GPL-2.0-only
"""Routing engines by name, from Python and on the command line."""

import pytest
from conftest import call

# Of one lane each.
NAMES = ["up-down[Root=center]", "balanced", "depth-first[Root=best|Length=any]",
         "turn-prohibition[Sets=2]", "nue", "in-transit"]


def test_engines_have_names(wh):
    assert {"up-down", "balanced", "depth-first", "turn-prohibition", "nue", "lash", "dfsssp",
            "adaptive", "dateline", "dragonfly-minimal", "valiant", "ugal", "in-transit",
            "fat-tree", "table", "direct", "dimension-order", "nearest-ancestor",
            "minimal"} == set(wh.routing_engines())


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
    with pytest.raises(wh.WormholeError, match=part.replace("[", r"\[")):
        wh.Fabric.irregular(switches=16, hosts=40, routing=name)
    with pytest.raises(wh.WormholeError, match="expected one of them"):
        wh.Fabric.irregular(switches=16, hosts=40, routing="nue", root="first")


def test_a_routing_replaces_that_of_a_text(wh, capsys, tmp_path):
    text = "torus:4x4,routing=up-down,root=center,spread=hash"
    made = wh.Fabric.from_text(text, routing="balanced")
    assert made.to_networkx().graph["routing"] == "balanced"
    assert made.saturation_bound() == wh.Fabric.from_text("torus:4x4",
                                                          routing="balanced").saturation_bound()
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, f"--topology={text}", "--routing=nue")[0] == 0
    assert '"routing": "nue"' in path.read_text()
    named = wh.Fabric.from_text(str(path), routing="balanced")
    assert named.to_networkx().graph["routing"] == "balanced"
    # A root without a routing of its own beside it is not replaced, but refused.
    with pytest.raises(wh.WormholeError, match="only routing=up-down has a root"):
        wh.Fabric.from_text("torus:4x4,root=center", routing="balanced")


def test_commands_take_a_routing(capsys, tmp_path):
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, "--switches=16", "--hosts=40",
                "--routing=nue")[0] == 0
    assert '"routing": "nue"' in path.read_text()
    assert call(capsys, "fabric", "check", path, "--routing=balanced")[1].endswith(
        "free of deadlock\n")
    bounds = [call(capsys, "fabric", "show", "torus:6x6", f"--routing={name}")[1]
              for name in ["up-down", "balanced"]]
    assert bounds[0] != bounds[1] and all("saturation bound" in each for each in bounds)
    told = call(capsys, "osu", "barrier", f"--fabric={path}", "--routing=best")
    assert told[0] == 1 and "routing 'best': expected" in told[2]


def test_compare_and_what_if_take_a_routing(wh, capsys, tmp_path):
    path = tmp_path / "torus.json"
    assert call(capsys, "fabric", "make", path, "--topology=torus:4x4")[0] == 0
    asked = ["compare", "--names=dissemination", "--group-sizes=16"]
    for place in (["--topology=torus:4x4"], [f"--fabric={path}"], ["--switches=8", "--hosts=16"]):
        plain, nue = (call(capsys, *asked, *place, *more) for more in ([], ["--routing=nue"]))
        assert plain[0] == nue[0] == 0
        told = call(capsys, *asked, *place, "--routing=best")
        assert told[0] == 1 and "routing 'best': expected" in told[2]
    lengths = ["compare", "--bytes=64", "--names=ring", "--group-sizes=8", "--topology=torus:4x4"]
    assert call(capsys, *lengths, "--routing=nue")[0] == 0
    told = call(capsys, *lengths, "--routing=nue", "--network=ideal")
    assert told[0] == 1 and "routing=nue: has no effect on the ideal network" in told[2]
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
    with pytest.raises(wh.WormholeError, match="dateline of torus:4x5: .*instead of 20 switches"):
        wh.Fabric.from_file(path, routing="dateline")


def test_show_and_check_name_the_routes(capsys):
    told = call(capsys, "fabric", "show", "torus:4x4", "--routing=dateline")[1]
    assert "routes: dateline, 2 lanes, 4.13 channels in the mean, 6 at most\n" in told
    told = call(capsys, "fabric", "check", "torus:4x4,lanes=3,grant=worm")[1]
    assert told.endswith("; routes: up-down, 3 lanes of which they take 1: free of deadlock\n")


def test_fabrics_shown_after_another(capsys, tmp_path):
    path = tmp_path / "fabric.json"
    assert call(capsys, "fabric", "make", path, "--switches=8", "--hosts=16")[0] == 0
    for fabric in ("torus:3x3", path, path):  # the router of a file's routes is held by nobody else
        for command in ("show", "check"):
            told = call(capsys, "fabric", command, fabric)
            assert told[0] == 0 and "routes: up-down, 1 lane" in told[1]
