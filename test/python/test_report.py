# SPDX-License-Identifier: GPL-2.0-only
"""What "ns3-wormhole reproduce" leaves, its report looked at by a real browser."""

import html.parser
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT
from ns3_wormhole import cli

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
LAPTOP = 1366  # px
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")

# What the page tells of itself, written into its title, which --dump-dom shows.
PROBE = """<script>addEventListener("load", () => {
  const wide = document.documentElement;
  const off = [...document.querySelectorAll("figure, img, h1, h2, h3, p, nav, pre, details")].filter(
    each => each.getBoundingClientRect().right > innerWidth + 1);
  const images = [...document.images];
  document.title = JSON.stringify({
    width: innerWidth, scrolls: wide.scrollWidth, off: off.length, images: images.length,
    empty: images.filter(each => !(each.complete && each.naturalWidth > 100 && each.width > 200
                                   && each.height > 100)).length,
    loaded: performance.getEntriesByType("resource").filter(
      each => !each.name.startsWith("data:")).map(each => each.name),
    columns: Math.min(...[...document.querySelectorAll("th")].map(each => each.clientWidth))});
});</script>"""


def reproduce(*arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(["reproduce", *map(str, arguments)])
    return ended.value.code


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A results folder with all papers, one random fabric a point."""
    folder = tmp_path_factory.mktemp("results")
    assert reproduce(f"--results={folder}", "--runs=1") == 0
    return folder


def browse(path, folder, *options):
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               f"--user-data-dir={folder / 'browser'}", f"--window-size={LAPTOP},900", *options,
               path.as_uri()]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


class Page(html.parser.HTMLParser):
    """Notes what a page links to and shows."""

    def __init__(self, text):
        super().__init__()
        self.links, self.sources, self.ids, self.headings = [], [], [], []
        self._heading = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self._heading = tag == "h2"
        self.ids += [given["id"]] if "id" in given else []
        self.sources += [given["src"]] if "src" in given else []
        self.links += [given["href"]] if "href" in given else []

    def handle_data(self, data):
        if self._heading:
            self.headings.append(data.partition(":")[0])
            self._heading = False


def test_page_holds_everything(results):
    text = (results / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    pictures = list((results / "plots").glob("*.svg")) + list((results / "fabrics").glob("*.svg"))
    assert len(page.sources) == len(pictures) > 20
    assert len(list((results / "fabrics").glob("*.svg"))) == 4
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert all(link[0] == "#" and link[1:] in page.ids for link in page.links)
    assert len(page.headings) == 5 and len(page.links) == 5
    assert "url(" not in text and "@import" not in text and "<script" not in text
    assert str(ROOT) not in text and str(results) not in text


@needs_chromium
def test_page_in_a_browser(results, tmp_path):
    """Every picture is there, nothing is loaded from elsewhere, nothing sticks out of a laptop."""
    probed = tmp_path / "report.html"
    text = (results / "report.html").read_text(encoding="utf-8")
    probed.write_text(text.replace("</head>", PROBE + "</head>"), encoding="utf-8")
    dom = browse(probed, tmp_path, "--virtual-time-budget=20000", "--dump-dom")
    told = read_json(re.search(r"<title>(\{.*?\})</title>", dom)[1])
    assert told["width"] == LAPTOP and told["scrolls"] <= LAPTOP and told["off"] == 0
    assert told["images"] == text.count("<img ") and told["empty"] == 0
    assert told["loaded"] == [] and told["columns"] > 20


def read_json(text):
    """Returns what the page told."""
    import html
    import json
    return json.loads(html.unescape(text))


@needs_chromium
def test_page_is_drawn_and_printed(results, tmp_path):
    """A picture of it has more than one colour; in print, each chapter begins a page."""
    shot, printed = tmp_path / "shot.png", tmp_path / "report.pdf"
    browse(results / "report.html", tmp_path, f"--screenshot={shot}")
    assert shot.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and shot.stat().st_size > 30000
    browse(results / "report.html", tmp_path, f"--print-to-pdf={printed}")
    pages = len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))
    assert 5 <= pages <= 60


def test_papers_by_name_author_and_number(results, tmp_path, capfd):
    assert reproduce("cordsen", "003", f"--results={tmp_path}") == 0
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert page.headings == ["Trees of processes", "Barriers by remote writes and by messages"]
    for name in ("trees-manna.csv", "rdma-cluster-2.csv"):
        assert (tmp_path / name).read_bytes() == (results / name).read_bytes()
    assert not (tmp_path / "size-75-256.csv").exists()
    assert reproduce("tree", f"--results={tmp_path / 'never'}") == 1
    err = capfd.readouterr().err.splitlines()[-1]
    assert err == ("reproduce: there is no paper 'tree'; accepted are btin, trees, rdma, sync, smp, "
                   "their authors and 001 to 005; did you mean trees?")
    assert not (tmp_path / "never").exists()


def test_help_lists_the_papers(capsys):
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import reproduce as tool
    finally:
        sys.path.remove(str(ROOT / "tools"))
    with pytest.raises(SystemExit):
        cli.main(["reproduce", "--help"])
    text = capsys.readouterr().out
    for number, (name, (author, _)) in enumerate(tool.PAPERS.items(), 1):
        assert re.search(rf"{name} +{author} +{number:03} ", text)
        assert re.search(rf"{name} +{author} +{number:03} ", tool.__doc__)


def test_elsewhere_it_says_what_is_missing(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "site/ns3_wormhole/cli.py"))
    assert reproduce(f"--results={tmp_path}") == 1
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "accepted is an installed package, or a checkout" in err
