# SPDX-License-Identifier: GPL-2.0-only
"""A study's table of parameters: one line of it is everywhere."""

import inspect
import json

import click
import pytest
from conftest import PROGRAMS, ROOT, run
from ns3_wormhole import options, studies
from ns3_wormhole.study import functions
from ns3_wormhole.campaign import Campaign

PRINTER = PROGRAMS / "print-attributes"


@pytest.mark.parametrize("kind, path", [("json", "build/parameters.json"), ("rst", "build/study-parameters.rst")])
def test_what_is_made_of_the_tables_is_up_to_date(kind, path):
    assert run(PRINTER, f"--studies={kind}").stdout == (ROOT / path).read_text(encoding="utf-8"), "make build"


def with_one_more():
    """Returns a form of trees with one parameter more, and what it was set to."""
    from ns3_wormhole.core.loader import cppyy, load
    load()
    cppyy.cppdef("""
        #include "ns3/study-definition.h"
        #include "ns3/wormhole-study-program.h"
        namespace ns3_wormhole_test
        {
        inline std::unique_ptr<ns3::StudyDefinition> MakeForm()
        {
            auto form = ns3::StudyRegistry::Make("trees");
            form->Add({{"leafShape=round (oval): Shape of the leaves", {"oval", "round"}}});
            return form;
        }
        inline std::string GetShape(const ns3::StudyDefinition& form)
        {
            return form.Get<std::string>("leafShape");
        }
        inline std::string GetDocumentation()
        {
            std::ostringstream os;
            ns3::StudyRegistry::PrintRst(os, *MakeForm());
            return os.str();
        }
        inline std::string GetHelp()
        {
            auto form = MakeForm();
            ns3::ProgramOptions options("fibo-tree", "Usage.");
            ns3::StudyProgram("fibo-tree", *form).AddOptions(options);
            return options.GetHelp();
        }
        } // namespace ns3_wormhole_test""")
    return cppyy.gbl.ns3_wormhole_test


def test_one_parameter_more_is_everywhere(wh, monkeypatch):
    from ns3_wormhole.core.loader import ns, printed
    added = with_one_more()
    form = added.MakeForm()
    table = json.loads(printed(ns.StudyRegistry.PrintJson, form))
    trees = functions.make_study(table)

    assert inspect.signature(trees).parameters["leaf_shape"].default == "oval"
    assert "leaf_shape: shape of the leaves (oval or round)" in inspect.getdoc(trees)
    assert "``--leafShape``\n     - ``leaf_shape``\n     - ``oval``\n     - Shape of the leaves" in \
        str(added.GetDocumentation())
    assert "--leafShape=round Shape of the leaves (oval or round) [oval]" in \
        " ".join(str(added.GetHelp()).split())
    command = options.study_command(trees, "fibo-tree")
    assert "--leaf-shape" in command.get_help(click.Context(command))

    monkeypatch.setitem(studies.STUDIES, "trees", trees)
    campaign = Campaign("trees", {"leafShape": ["oval", "round"]}, fixed={"processes": [2]})
    assert [point["leaf_shape"] for point in campaign.points()] == ["oval", "round"]

    values = wh.ns.OptionValues(wh.ns.OptionValues.PYTHON)
    form.Declare(values)
    functions.give(values, table, {"leaf_shape": "round", "processes": [2]})
    form.Read(values)
    assert str(added.GetShape(form)) == "round"
    values = wh.ns.OptionValues(wh.ns.OptionValues.PYTHON)
    form = added.MakeForm()
    form.Declare(values)
    functions.give(values, table, {"leaf_shape": "rond"})
    with pytest.raises(wh.WormholeError, match="leaf_shape=rond: .* did you mean round?"), wh.translated():
        form.Read(values)


def test_programs_and_python_have_the_same_options(wh):
    for table in functions.tables():
        told = run(PROGRAMS / table["program"], "--help").stdout
        assert max(map(len, told.splitlines())) <= 80
        for parameter in table["parameters"]:
            assert f"--{parameter['option']}" in told
            assert parameter["name"] in inspect.signature(studies.study(table["name"])).parameters
