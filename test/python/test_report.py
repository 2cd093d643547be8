# SPDX-License-Identifier: GPL-2.0-only
"""What "ns3-wormhole reproduce" leaves, its report looked at by a real browser."""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest
from conftest import ROOT, browse, needs_chromium, run, write
from ns3_wormhole import cli
from ns3_wormhole.reproduce import (claims, papers, pictures, places, report, runner, sensitivity, verdict)
from ns3_wormhole.reproduce.comparison import (CHECK, FIT, IMPOSSIBLE, PREDICTED, Chapter, Row,
                                               Section, deviation, read)

LAPTOP = 1366  # px
PHONE = 390  # px

# What the page tells of itself, written into its title, which --dump-dom shows.
PROBE = """<script>addEventListener("load", () => {
  const wide = document.documentElement;
  document.querySelectorAll("details").forEach(each => each.open = true);
  const off = [...document.querySelectorAll("figure, figure:not(.wide) img, h1, h2, h3, p, nav, pre, details")].filter(
    each => each.getBoundingClientRect().right > innerWidth + 1);
  const images = [...document.images];
  document.title = JSON.stringify({
    width: innerWidth, scrolls: wide.scrollWidth, off: off.length, images: images.length,
    empty: images.filter(each => !(each.complete && each.naturalWidth > 100 && each.width > 200
                                   && each.height > 100)).length,
    loaded: performance.getEntriesByType("resource").filter(
      each => !each.name.startsWith("data:")).map(each => each.name),
    columns: Math.min(...[...document.querySelectorAll("th")].map(each => each.clientWidth)),
    stacked: [...document.querySelectorAll("tbody tr")].every(
      each => getComputedStyle(each).display === "block")});
});</script>"""


def reproduce(*arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(["reproduce", *map(str, arguments)])
    return ended.value.code


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A results folder with all studies, one random fabric a point; WORMHOLE_RESULTS names one that
    "make reproduce-all" made."""
    if os.environ.get("WORMHOLE_RESULTS"):
        return pathlib.Path(os.environ["WORMHOLE_RESULTS"]).resolve()
    folder = tmp_path_factory.mktemp("results")
    assert reproduce(f"--results={folder}", "--all", "--runs=1") == 0
    return folder


def told_by(path, folder, *options):
    """Returns what a page with PROBE, or with a frame of one, tells."""
    dom = shown(path, folder, *options, "--virtual-time-budget=20000", "--dump-dom")
    return json.loads(html.unescape(re.search(r"<title>(\{.*?\})</title>", dom)[1]))


def shown(path, folder, *options):
    return browse(path.as_uri(), "--hide-scrollbars", f"--user-data-dir={folder / 'browser'}",
                  f"--window-size={LAPTOP},900", *options)


def headings_of(text):
    """Returns the chapters' headings on a page, up to a colon."""
    return re.findall(r"<h2\b[^>]*>([^<:]*)", text)


def test_page_holds_everything(results):
    text = (results / "report.html").read_text(encoding="utf-8")
    links, sources, ids = (re.findall(rf'<[^<>]*\s{name}="([^"]*)"', text) for name in ("href", "src", "id"))
    pictures = list((results / "plots").glob("*.svg")) + list((results / "fabrics").glob("*.svg"))
    assert len(sources) == len(pictures) > 20
    assert len(list((results / "fabrics").glob("*.svg"))) == 4
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert all(link[0] == "#" and link[1:] in ids for link in links)
    assert headings_of(text)[:2] == ["What holds", "Contents"]
    assert len(headings_of(text)) == 12 and len(links) == 12 + 1 + 5 + 10
    assert re.search(r"Version [0-9.]+(, commit [0-9a-f]{10}( with local changes)?)?; run on "
                     r"\d{4}-\d\d-\d\d; random fabrics a point: 1\.", text)
    for caption in ("Figure 6: latency", "Figure 5.4: time", "Figures 4(c) (left) and 6", "Figure 10:"):
        assert f"<figcaption>{caption}" in text
    assert "url(" not in text and "@import" not in text and "<script" not in text
    assert str(ROOT) not in text and str(results) not in text


def probed(results, tmp_path):
    """Returns the page with what it tells of itself, and its text without."""
    text = (results / "report.html").read_text(encoding="utf-8")
    return write(tmp_path / "report.html", text.replace("</head>", PROBE + "</head>")), text


@needs_chromium
def test_page_in_a_browser(results, tmp_path):
    path, text = probed(results, tmp_path)
    told = told_by(path, tmp_path)
    assert told["width"] == LAPTOP and told["scrolls"] <= LAPTOP and told["off"] == 0
    assert told["images"] == text.count("<img ") and told["empty"] == 0
    assert told["loaded"] == [] and told["columns"] > 20 and not told["stacked"]


@needs_chromium
def test_page_on_a_phone(results, tmp_path):
    probed(results, tmp_path)
    # Windows of chromium are at least 500 px wide; a frame is as wide as it is asked to be.
    page = write(tmp_path / "phone.html",
                 f'<iframe src="report.html" width={PHONE} height=800></iframe><script>'
                 'addEventListener("load", () => setTimeout(() => document.title = '
                 'document.querySelector("iframe").contentDocument.title, 1000))</script>')
    told = told_by(page, tmp_path, "--allow-file-access-from-files")
    assert told["width"] <= PHONE and told["scrolls"] <= told["width"] and told["off"] == 0
    assert told["stacked"]


def test_every_published_value_has_a_row_and_every_miss_a_reason(results):
    known = {}
    for path in sorted(places.DATA.glob("*-published.csv")):
        for figure in read(path):
            assert figure["id"] not in known, f"{figure['id']} is there twice"
            known[figure["id"]] = figure
    seen = set()
    for paper in papers.PAPERS.values():
        for row in paper.module.chapter(results).rows:
            if row.value:
                seen.add(row.value)
                assert row.use in verdict.USES, row.value
                assert known[row.value]["where"], row.value
                assert not row.percent > 5 or known[row.value]["why"], f"{row.value}: no reason"
    assert seen == set(known)
    reversed_order = next(row for row in papers.PAPERS["sync"].module.chapter(results).rows
                          if row.value == "order-wwt-appbt-0us")
    assert reversed_order.cells[3:6] == ("HW-All", "HW-All", "differs")


def test_likely_readings_are_marked_once(results):
    for name in ("btin", "rdma", "smp"):
        chapter = papers.PAPERS[name].module.chapter(results)
        likely = [row.value for row in chapter.rows if row.likely]
        assert likely and len(likely) == len(set(likely))
        for row in chapter.rows:
            assert any("(likely)" in cell for cell in row.cells) == row.likely
    rows = {row.value: row for row in papers.PAPERS["btin"].module.chapter(results).rows if row.likely}
    assert "paper-inferred" not in " ".join(" ".join(row.cells) for row in rows.values())
    assert rows["btin-latency-1024"].cells[2] == "law pairing, no flit times (likely)"


def test_every_claim_has_a_check_and_a_row(results):
    found = {}
    for paper in papers.PAPERS.values():
        for section in paper.module.chapter(results).sections:
            if section.heading == claims.HEADING:
                found |= {row.value: row for row in section.rows}
    assert set(found) == {each["id"] for each in read(claims.PUBLISHED)}
    verdicts = {name: row.cells[4] for name, row in found.items()}
    assert verdicts["btin-gain-network"].startswith("contradicted by the paper's own numbers")
    assert verdicts["btin-gain-connectivity"].startswith("contradicted by the paper's own numbers")
    assert verdicts["trees-postal-bounds"].startswith("contradicted by the paper's own numbers")
    assert verdicts["btin-faster"] == "undecided"  # by one random fabric
    assert verdicts["workloads-10"] == "holds by fitted values"
    assert verdicts["orders-of-magnitude"] == verdicts["half-without-benefit"] == "holds"
    assert all(row.made_by for row in found.values())


def test_headlines_name_values_that_there_are(results):
    known = {paper.name: {row.value for row in paper.module.chapter(results).rows} for paper in papers.PAPERS.values()}
    lines = read(report.HEADLINES)
    assert {line["paper"] for line in lines} == {"btin", "trees", "rdma", "sync", "smp"}
    for line in lines:
        assert set(line["values"].split()) <= known[line["paper"]], line["claim"]


def test_what_is_said_outside_the_report_is_its_first_sentence(results):
    """From fewer fabrics come other verdicts, of as many predictions and headlines."""
    lines = read(report.HEADLINES)
    parts = [report.Part(name, "", papers.PAPERS[name].module.chapter(results), [], [], {}, {})
             for name in dict.fromkeys(line["paper"] for line in lines)]
    found = report.found_in(parts)
    held, of, rest = re.search(r"(\d+) of (\d+) headlines hold(.*)", found).groups()
    assert int(held) + sum(map(int, re.findall(r"\d+", rest))) == int(of) == len(lines), found
    whole = json.loads((results / "inputs.json").read_text(encoding="utf-8"))["run"]["runs"] == 100
    for name in ("README.md", "doc/app-store.md"):
        text = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        totals = rf"of {report.totals(parts)[PREDICTED].all} predictions .* of {of} (headlines|main claims)"
        assert re.search(r"\D+".join(re.findall(r"\d+", found)) if whole else totals, text), found


def test_rows_name_the_files_that_they_are_from(results):
    for paper in papers.PAPERS.values():
        files = {path.stem for study in paper.module.studies() for path in study.targets(results).values()}
        for row in paper.module.chapter(results).rows:
            assert set(row.made_by) <= files
            is_input = "not possible" in row.cells or row.value.startswith("rate-") or row.value == "memory"
            assert not row.value or bool(row.made_by) != is_input, row.value


def test_report_names_the_code_of_studies():
    code = {name: report.Part(name, "", None, [], [], {}, {study.name: study.program for study in paper.module.studies()}
                              ).code for name, paper in papers.PAPERS.items()}
    assert code["trees"] == ["helper/study/tree/tree-study.cc"]
    assert "helper/study/sync/sync-study.cc" in code["sync"] and not code["lengths"]


def test_maps_name_winners_ties_and_factors():
    assert str(sensitivity.Contest({"btin": 2.0, "multicast": 3.0})) == "btin 1.50x"
    tie = sensitivity.Contest({"fibo": 4.01, "binomial": 4.0, "kary-8": 8.0})
    assert str(tie) == "Fibo-tree = binomial 1.00x"
    assert Section.winner(str(tie)) == "fibo-tree" and Section.winner("none") == "none"
    cells = [sensitivity.Contest({"a": 1.0, "b": second, "c": 2.0}) for second in (0.5, 1.0, 4.0)]
    assert sensitivity.spread(cells, "a", ["b", "c"]) == (2, 3, 0.5, 2.0, 1)


def test_conclusions_are_looked_at_over_the_ranges(results):
    chapter = sensitivity.chapter(results)
    conclusions, *maps = chapter.sections
    assert [row.cells[0] for row in conclusions.rows] == \
        [each["conclusion"] for each in read(sensitivity.PUBLISHED)]
    for row in conclusions.rows:
        holds, of = map(int, row.cells[3].split()[0:3:2])
        assert 0 <= holds <= of and float(row.cells[4]) <= float(row.cells[5])
    assert all(each.is_map and each.rows for each in maps)
    by_ports = {row.cells[0]: row.cells[1:] for row in maps[3].rows}
    assert by_ports["256 switches of 4 ports"][0] == "none" != by_ports["256 switches of 4 ports"][1]
    assert len(set(row.cells for row in maps[0].rows)) == len(maps[0].rows)


@needs_chromium
def test_page_is_drawn_and_printed(results, tmp_path):
    shot, printed = tmp_path / "shot.png", tmp_path / "report.pdf"
    shown(results / "report.html", tmp_path, f"--screenshot={shot}")
    assert shot.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and shot.stat().st_size > 30000
    shown(results / "report.html", tmp_path, f"--print-to-pdf={printed}")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))
    assert 5 <= pages <= 150  # some 100; hundreds more if tables broke row by row


def test_papers_by_name_author_and_number(results, tmp_path, capfd):
    assert reproduce("cordsen", "003", f"--results={tmp_path}") == 0
    assert headings_of((tmp_path / "report.html").read_text(encoding="utf-8")) == [
        "What holds", "Contents", "Trees of processes", "Barriers by remote writes and by messages"]
    for name in ("trees-manna.csv", "rdma-cluster-2.csv"):
        assert (tmp_path / name).read_bytes() == (results / name).read_bytes()
    assert not (tmp_path / "size-75-256.csv").exists()
    assert reproduce("tree", f"--results={tmp_path / 'never'}") == 1
    err = capfd.readouterr().err.splitlines()[-1]
    assert err == ("ns3-wormhole: there is no paper 'tree'; expected btin, trees, rdma, sync, smp, "
                   "sensitivity, lengths, routing, hardware, outages, their authors and 001 to 010; did you mean trees?")
    assert not (tmp_path / "never").exists()


def test_help_lists_the_papers(capsys, environment):
    assert reproduce("--help") == 0
    text = capsys.readouterr().out
    for each in papers.PAPERS.values():
        assert re.search(rf"{each.name} +{each.author} +{each.number}  {each.about}", text)
    module = run(sys.executable, "-m", "ns3_wormhole.reproduce", "--help", env=environment).stdout
    assert module.partition("\n")[2] == text.partition("\n")[2]


def test_elsewhere_it_says_what_is_missing(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(places, "PACKAGE", tmp_path / "site/ns3_wormhole")
    monkeypatch.setattr(places, "CHECKOUT", tmp_path)
    assert reproduce(f"--results={tmp_path}") == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "expected an installed package, or a checkout" in err


def row(value, use, published, simulated, first=True, likely=False):
    """Returns a row of a made-up comparison; simulated is None: there can be no such simulation."""
    off = IMPOSSIBLE if simulated is None else deviation(published, simulated)
    return Row((value if first else "", published, str(simulated), off.text), value, use, off.percent,
               likely, ("study",))


ROWS = [row("a", PREDICTED, "100", 102.0), row("b", PREDICTED, "100", 97.9),
        row("c", PREDICTED, "100", 105.0), row("d", PREDICTED, "100", 105.1),
        row("e", PREDICTED, "8.7", None), row("name", PREDICTED, "s3", "s3"),
        # Under several readings, the likely one counts; without one, that which is farthest off.
        row("f", PREDICTED, "10", 10.0), row("f", PREDICTED, "10", 20.0, first=False),
        row("g", PREDICTED, "10", 10.0), row("g", PREDICTED, "10", 10.4, first=False, likely=True),
        row("k", PREDICTED, "10", 10.1, likely=True), row("k", PREDICTED, "10", 20.0, first=False),
        row("h", FIT, "5", 5.0), row("i", CHECK, "7.16", 7.16), row("j", CHECK, "9", 6.0)]


def test_verdicts_are_counted():
    assert verdict.count(ROWS) == {PREDICTED: verdict.Counts(3, 3, 3, 2, 4),
                                   CHECK: verdict.Counts(1, 0, 1, 1, 1), FIT: verdict.Counts(1)}
    assert verdict.count(ROWS)[PREDICTED].spread == "2 to 4"
    assert verdict.count([*ROWS, Row(("no published value",))]) == verdict.count(ROWS)
    assert verdict.count([]) == {}


def test_report_opens_with_the_verdicts():
    chapter = Chapter("Made up: a test", "Nobody, 2000", "Of *nothing*.",
                      [Section("Table <1>", ("figure", "published", "simulated", "deviation"), ROWS)])
    part = report.Part("made-up", "made_up.py", chapter, [], [], {"study": "program --a <b>"}, {"study": "program"})
    headlines = [report.Headline(part, "All is well", "Abstract", "1", "2", "does not hold", 100)]
    text = report.render("report.html", parts=[part], totals=report.totals([part]), runs=3,
                         headlines=headlines, found=report.found_in([part]),
                         run={"version": "9.9", "commit": "", "date": "2000-01-01"}, again="make")
    plain = " ".join(re.sub("<[^>]*>", " ", text[text.index("<h2"):]).split())
    assert plain.startswith(
        "What holds 3 of 9 predictions are within 2 % of the published value, 3 more within 5 %; 3 are "
        "not reproduced. Random fabrics a point: 3, where a verdict takes 80. does not hold : All is well ( Made up , Abstract; published: 1; here: 2) All "
        "published values, by paper")
    plain = plain[plain.index("Made up Nobody"):]
    assert plain.startswith("Made up Nobody, 2000 Predictions 9 3 3 3 0 2 to 4 Formulas and checks 2 1 0 1 "
                            "0 1 Fits and inputs 1 1 0 0 0 0 A published value is reproduced if")
    assert text.index('id="verdicts"') < text.index('id="made-up"')
    assert "Version 9.9; run on 2000-01-01; random fabrics a point: 3." in text
    assert "Table &lt;1&gt;" in text and "program --a &lt;b&gt;" in text and "<em>nothing</em>" in text
    assert '<td data-label="deviation" class="missed">+5.1\xa0%</td>' in text
    summary = {"parts": [part], "headlines": headlines, "found": report.found_in([part]), "runs": 3, "run": {}, "again": ""}
    text = report.render("summary.md", **summary, totals=report.totals([part]))
    assert text.startswith("# What holds\n\n3 of 9 predictions are within 2 %")
    assert text.splitlines()[4] == "Random fabrics a point: 3, where a verdict takes 80."
    assert "| Made up | All is well | Abstract | 1 | 2 | does not hold |" in text
    assert "| d | 100 | 105.1 | +5.1 % | `study.csv` (`program`) |" in text
    assert "`made_up.py` compares" in text and "| study.csv | `program --a <b>` |" in text
    # Chapters without published values have none.
    chapter = Chapter("Made up: a test", "Nobody, 2000", "Of *nothing*.", [])
    part = report.Part("made-up", "made_up.py", chapter, [], [], {})
    summary |= {"parts": [part], "headlines": []}
    assert report.totals([part]) == {}
    assert report.render("summary.md", **summary, totals={}).startswith("# Made up: a test\n")
    run = {"version": "9.9", "commit": "", "date": "2000-01-01"}
    assert 'id="verdicts"' not in report.render("report.html", **{**summary, "run": run, "again": "make"}, totals={})


def test_bars_that_are_cut_off_are_marked(results):
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in (results / "plots").glob("sync-*.plt")}
    assert [name for name, script in sorted(scripts.items()) if pictures.CUT_NOTE in script] == ["sync-break-even"]
    # The price at which hardware pays goes far beyond the axis.
    plot = (results / "plots/sync-break-even.svg").read_text(encoding="utf-8")
    assert "8625 →" in plot
    assert report.CUT_OFF in (results / "report.html").read_text(encoding="utf-8")


def test_the_bar_counts_studies_by_what_they_take(capsys):
    """Once it said "100 %, 00:00 left" for two thirds of the time: studies without random fabrics had
    no weight."""
    studies = list(dict.fromkeys(study for paper in papers.PAPERS.values() for study in paper.module.studies()))
    progress = runner.Progress(studies, 100)
    random = [study for study in studies if study.random]
    for study in random:
        progress.update(study, 1.0)
    with progress.bar:
        assert 5 < progress.bar.n < 50
    assert "studies" in capsys.readouterr().err


def group_size(group):
    """Returns how many processes a process group has."""
    stats = [path.read_text(encoding="utf-8") for path in pathlib.Path("/proc").glob("[0-9]*/stat") if path.exists()]
    return sum(int(stat.rpartition(")")[2].split()[2]) == group for stat in stats)


def test_studies_end_with_what_started_them(environment, tmp_path):
    process = subprocess.Popen([sys.executable, "-m", "ns3_wormhole.reproduce", "btin", "--runs=1000",
                                f"--results={tmp_path}"], env=environment, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    assert any(" studies, " in line for line in process.stderr)
    while group_size(process.pid) < 2:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.1)
    process.terminate()
    assert "what is done is kept" in process.communicate(timeout=60)[1]
    assert group_size(process.pid) == 0
