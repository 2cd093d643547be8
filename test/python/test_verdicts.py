# SPDX-License-Identifier: GPL-2.0-only
"""The rules by which published values and claims are judged, on made-up numbers and on data/."""

import pytest
from ns3_wormhole.core.errors import WormholeError
from ns3_wormhole.reproduce import papers, places, runner, trees


def test_a_report_of_what_is_there_alone(tmp_path, monkeypatch):
    """--report-only simulates nothing, takes the number of fabrics from the run, and says what is
    missing."""
    monkeypatch.setattr(runner.subprocess, "Popen", None)
    for study in trees.studies():
        for path in study.targets(tmp_path).values():
            path.touch()
    made = runner.Reproduction([papers.PAPERS["trees"]], places.build_folder(), tmp_path, 100, 1)
    made.inputs.note("run", {"runs": 7})
    made.check_results()
    assert made.runs == 7
    (tmp_path / "trees-manna.csv").unlink()
    with pytest.raises(WormholeError, match="no --report-only: study trees-manna is missing"):
        made.check_results()
