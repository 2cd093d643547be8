# SPDX-License-Identifier: GPL-2.0-only
"""Writes summary.md and report.html from templates; the page is self-contained."""

import base64
import dataclasses
import functools
import math
import pathlib
import re
import shlex

from ..core import files
from ..core.errors import WormholeError
from . import verdict
from .claims import NO_NUMBERS
from .comparison import Chapter, CLOSE, counting, FEWEST, read, REPRODUCED
from .papers import FIRST, PAPERS
from .pictures import CUT_NOTE
from .places import CHECKOUT, DATA, PACKAGE, TABLES

TEMPLATES = pathlib.Path(__file__).parent / "templates"
WIDE = 2.0  # width over height from which on a picture takes a row of its own
LARGE = 800  # px of width from which on it does, too: half as wide, its text can't be read
HEADLINES = DATA / "headlines.csv"
MISSED, PARTLY, CLOSELY = "does not hold", "holds in part", f"holds within {CLOSE:g} %"
UNDECIDED = "undecided"
#: Verdicts on headlines, as the first sentence names them; all others are "do not".
KINDS = {"holds": "hold", CLOSELY: "hold", PARTLY: "in part", "holds by fitted values": "by fitted values",
         UNDECIDED: UNDECIDED}
COLOURS = 7  # of the style sheet
CUT_OFF = " A number in a bar is the value of a bar that is cut off there."


@dataclasses.dataclass(frozen=True)
class Picture:
    """A picture of the report."""

    path: pathlib.Path
    caption: str
    section: str = ""  # heading

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, as stated in the SVG."""
        box = re.search(rb'viewBox="0 0 (\d+) (\d+)"', self.path.read_bytes())
        return (int(box[1]), int(box[2])) if box else (1, 1)

    @property
    def is_wide(self) -> bool:
        """Whether the picture needs a row of its own."""
        return self.size[0] > WIDE * self.size[1] or self.size[0] > LARGE

    @property
    def source(self) -> str:
        """The picture's content, as a URL."""
        return "data:image/svg+xml;base64," + base64.b64encode(self.path.read_bytes()).decode()


@dataclasses.dataclass
class Part:
    """A chapter with its pictures and the commands of its studies."""

    name: str
    module: str  # that makes the chapter
    chapter: Chapter
    plots: list[Picture]
    fabrics: list[Picture]
    commands: dict[str, str]
    programs: dict[str, str] = dataclasses.field(default_factory=dict)  # by CSV file

    @functools.cached_property
    def code(self) -> list[str]:
        """The files of a checkout that hold the studies in C++."""
        return [path.relative_to(CHECKOUT).as_posix()
                for path in sorted((CHECKOUT / "helper/study").rglob("*-study.cc"))
                if any(f'"{name}"' in path.read_text(encoding="utf-8") for name in self.programs.values())]

    def made_by(self, row) -> str:
        """Returns the files and programs from which a row comes, as Markdown."""
        files: dict[str, list[str]] = {}
        for name in row.made_by:
            files.setdefault(self.programs[name], []).append(f"`{name}.csv`")
        return "; ".join(f"{', '.join(names)} (`{program}`)" for program, names in files.items())

    @property
    def short_title(self) -> str:
        """The title without the ending that all titles share."""
        return self.chapter.title.partition(":")[0]

    @property
    def anchor(self) -> str:
        """The name of the part's anchor in the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.short_title.lower()).strip("-")

    @property
    def colours(self) -> dict[str, str]:
        """The classes of winners in all maps of the chapter."""
        names = dict.fromkeys(section.winner(cell) for section in self.chapter.sections if section.is_map
                              for row in section.rows for cell in row.cells[1:])
        return {name: f"c{number % COLOURS}" for number, name in enumerate(names) if name != "none"}

    @property
    def counts(self) -> dict[str, verdict.Counts]:
        """The verdicts, by use."""
        return verdict.count(self.chapter.rows)


@dataclasses.dataclass(frozen=True)
class Headline:
    """A claim that a paper is known for, and whether it holds."""

    part: Part
    claim: str
    where: str
    published: str
    here: str
    verdict: str
    percent: float

    @property
    def compared(self) -> str:
        """The published values, and the values here."""
        return f"published: {self.published}; " * (self.published != NO_NUMBERS) + f"here: {self.here}"


def headlines(parts: list[Part]) -> list[Headline]:
    """Returns the headlines of papers."""
    return [_headline(part, line, [part.chapter.readings(value) for value in line["values"].split()])
            for part in parts for line in read(HEADLINES) if line["paper"] == part.name]


def _headline(part, line, values) -> Headline:
    """Returns a headline. values: the readings of each published value on which it is based"""
    published, here, verdicts, worst = [], [], [], []
    for readings in values:
        rows = counting([reading.row for reading in readings])
        main = next(reading for reading in readings if reading.row in rows)
        published.append(readings[0]["published"] or main["the paper's own numbers"])
        unit = re.search(r"\d( %| times)", published[-1])
        text = main["here"] or (main["simulated"] or main["model"]) + (unit[1] if unit else "")
        percent = verdict.farthest(row.percent for row in rows)
        if percent > REPRODUCED and main["deviation"]:
            text += f", off by {main['deviation']}"
        if len({reading.row.percent for reading in readings if reading.row.percent >= 0}) > 1:
            found = sorted((reading["simulated"] for reading in readings),
                           key=lambda text: float(text.partition(" ")[0]))  # without its interval
            text += f" ({found[0]} to {found[-1]} by all readings)"
        here.append(text)
        verdicts.append(main["verdict"] or (UNDECIDED if math.isnan(percent) else "holds" if percent <= REPRODUCED else
                                            CLOSELY if percent <= CLOSE else MISSED))
        worst.append(percent)
    if UNDECIDED in verdicts:
        verdicts = [UNDECIDED]
    if MISSED in verdicts and len(set(verdicts)) > 1:
        verdicts = [PARTLY]
    return Headline(part, line["claim"], line["where"], "; ".join(published), "; ".join(here),
                    max(verdicts, key=len), verdict.farthest(worst))


def totals(parts: list[Part]) -> dict[str, verdict.Counts]:
    """Returns the verdicts of all papers, by use."""
    return {use: sum((part.counts[use] for part in parts if use in part.counts), verdict.Counts())
            for use in verdict.USES if any(use in part.counts for part in parts)}


def found_in(parts: list[Part]) -> str:
    """Returns how many predictions and headlines hold, in at most two sentences."""
    counts = totals(parts).get(verdict.PREDICTED)
    lines = [KINDS.get(each.verdict, "do not") for each in headlines(parts)]
    told = [counts.sentence] if counts else []
    rest = "".join(f", {lines.count(kind)} {kind}" for kind in ("in part", "by fitted values", "do not", UNDECIDED)
                   if kind in lines)
    told += [f"{lines.count('hold')} of {len(lines)} headlines hold{rest}."] if lines else []
    return " ".join(told)


def part_of(paper, reproduction) -> Part:
    """Returns the part of a paper."""
    results = reproduction.results
    plots = []
    for group in paper.module.plots():
        for ending, caption in group.captions.items():
            path = results / "plots" / f"{group.prefix}{ending}.svg"
            if path.exists():
                script = path.with_suffix(".plt").read_text(encoding="utf-8")
                text = caption.text + "." + (CUT_OFF if CUT_NOTE in script else "")
                plots.append(Picture(path, text, caption.section))
    fabrics = [Picture(results / "fabrics" / f"{name}.svg", caption + ".")
               for name, _, _, caption in paper.module.FABRICS]
    start = "ns3-wormhole study " if reproduction.build == PACKAGE else "build/examples/"
    commands = {study.name: " ".join([
        f"{'ns3-wormhole ' if study.program in TABLES else start}{study.program}",
        *(_word(word) for word in study.complete(reproduction.runs)),
        *([] if study.refused else [f"--csv={study.name}.csv"])])
        for study in paper.module.studies()}
    module = "python/" + paper.module.__name__.replace(".", "/") + ".py"
    return Part(paper.name, module, paper.module.chapter(results), plots,
                [picture for picture in fabrics if picture.path.exists()], commands,
                {path.stem: study.program for study in paper.module.studies()
                 for path in study.targets(results).values()})


def _word(argument):
    """Returns an argument for a shell, with quotes only around its value."""
    name, equals, value = argument.replace(f"{DATA}/", "data/").partition("=")
    return shlex.quote(name) + equals + (shlex.quote(value) if value else "")


def render(template: str, **values) -> str:
    """Returns a template, filled with values."""
    import jinja2
    import markupsafe
    import mistune
    markdown = mistune.create_markdown()

    def typeset(text):
        return text.replace(" +- ", "\xa0±\xa0").replace(" %", "\xa0%").replace("ns-3", "ns\u20113")

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), trim_blocks=True, lstrip_blocks=True,
        undefined=jinja2.StrictUndefined, keep_trailing_newline=True,
        autoescape=lambda name: name is not None and name.endswith(".html"))
    made.filters.update(typeset=typeset, markdown=lambda text: markupsafe.Markup(markdown(typeset(text))))
    made.globals.update(USES=verdict.USES, RULE=verdict.RULE, FEWEST=FEWEST, verdict=verdict.verdict)
    return made.get_template(template).render(**values)


def again(names: set[str], runs: int) -> str:
    """Returns the command that makes a report of these papers, with this number of random fabrics a point."""
    words = ["--all"] if names == set(PAPERS) else [] if names == set(FIRST) else \
        [name for name in PAPERS if name in names]
    return f"make reproduce REPRODUCE_ARGS='{' '.join([*words, '--runs', str(runs)])}'"


def write(reproduction) -> None:
    """Writes summary.md and report.html. Raises WormholeError if results are not as they must be."""
    results = reproduction.results
    parts = [part_of(paper, reproduction) for paper in reproduction.papers]
    values = {"parts": parts, "totals": totals(parts), "headlines": headlines(parts),
              "found": found_in(parts), "runs": reproduction.runs,
              "run": reproduction.inputs.get("run") or {},
              "again": again({part.name for part in parts}, reproduction.runs)}
    for template in ("summary.md", "report.html"):
        files.write_whole(results / template, render(template, **values))
    if wrong := [each for part in parts for each in part.chapter.wrong]:
        raise WormholeError("of what must come out, " + "; ".join(wrong))
    for each in values["headlines"]:
        print(f"- {each.verdict}: {each.claim}\n  ({each.part.name}, {each.where}; {each.compared})")
    for part in parts:
        if part.chapter.lead:
            print(f"- {part.chapter.lead} ({part.name})")
    print(f"reproduce: {values['found']}\nreproduce: {results / 'report.html'} has each paper's values, plots "
          f"and commands; {results / 'summary.md'} the same as text")
