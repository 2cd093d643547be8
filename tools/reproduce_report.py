# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Makes report.html, one page with everything in it: tables, plots, and how to rerun each study."""

import base64
import dataclasses
import html
import re
import string

import mistune

PAGE = string.Template("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
$style
</style>
</head>
<body>
<header>
<h1>$title</h1>
<p>$about</p>
<nav>
<ul>
$contents
</ul>
</nav>
</header>
<main>
$chapters
</main>
<footer><p>$footer</p></footer>
</body>
</html>
""")

STYLE = """\
:root { --ink: #1d2733; --soft: #5b6875; --line: #d8dee4; --accent: #0072b2; --paper: #ffffff;
        --shade: #f5f7f9; --off: #b34700; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1.5rem 3rem; color: var(--ink);
       background: var(--paper); font: 16px/1.5 system-ui, "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 1.8rem; line-height: 1.2; margin: 2rem 0 0.5rem; }
h2 { font-size: 1.4rem; margin: 3rem 0 0.5rem; padding-top: 0.5rem;
     border-top: 3px solid var(--accent); }
h3 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
p, li { max-width: 48rem; }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1.5rem; }
a { color: var(--accent); }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.85rem; line-height: 1.35; width: 100%;
        font-variant-numeric: tabular-nums; }
th { text-align: left; color: var(--soft); font-weight: 600; border-bottom: 2px solid var(--line);
     white-space: nowrap; }
th, td { padding: 0.35rem 0.6rem; vertical-align: top; }
td { border-bottom: 1px solid var(--line); }
tbody tr:hover { background: var(--shade); }
td.far { color: var(--off); font-weight: 600; }
code { font-size: 0.85em; background: var(--shade); padding: 0.1em 0.3em; border-radius: 3px; }
pre { background: var(--shade); padding: 0.8rem 1rem; overflow-x: auto; border-radius: 4px;
      font-size: 0.8rem; line-height: 1.4; }
pre code { padding: 0; background: none; }
figure { margin: 1.5rem 0; }
figure img { width: 100%; height: auto; border: 1px solid var(--line); border-radius: 4px; }
figure.narrow { max-width: 48rem; }
.fabrics { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.fabrics figure { min-width: 0; }
figcaption { color: var(--soft); font-size: 0.85rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); color: var(--soft);
         font-size: 0.85rem; }
@media print {
  body { max-width: none; font-size: 10pt; padding: 0; }
  nav, details.rerun { display: none; }
  h2 { break-before: page; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  a { color: inherit; text-decoration: none; }
}
"""

# Beyond this a deviation stands out, in percent. It judges nothing.
FAR = 10


@dataclasses.dataclass
class Chapter:
    """What belongs to one paper: its part of summary.md, its plots and its studies."""

    text: str  # Markdown, beginning with a line '# heading'
    plots: list = dataclasses.field(default_factory=list)  # SVG files
    fabrics: list = dataclasses.field(default_factory=list)  # SVG files
    commands: dict = dataclasses.field(default_factory=dict)  # command lines, by study

    @property
    def title(self):
        """Returns the heading."""
        return self.text.lstrip().splitlines()[0].lstrip("# ")

    @property
    def short_title(self):
        """Returns the heading without what all of them end with."""
        return self.title.partition(":")[0]

    @property
    def anchor(self):
        """Returns the name of its place in the page."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")


def picture(path, as_drawn=False):
    """Returns a figure that holds a picture; as_drawn: not larger than it says it is."""
    data = path.read_bytes()
    box = re.search(rb'viewBox="0 0 (\d+) (\d+)"', data)
    kind = "" if box and int(box[1]) > 2 * int(box[2]) else " class=narrow"
    if as_drawn and box:
        kind = f' style="max-width: {int(box[1])}px"'
    caption = html.escape(path.stem.replace("-", " "))
    source = "data:image/svg+xml;base64," + base64.b64encode(data).decode()
    return (f'<figure{kind}><img alt="{caption}" src="{source}">'
            f"<figcaption>{caption}</figcaption></figure>\n")


def mark(table):
    """Returns a table in which great deviations stand out."""
    def cell(found):
        return "<td class=far>" + found[1] if abs(float(found[2])) >= FAR else found[0]
    return re.sub(r"<td>((?:<[^>]*>)?([+-]\d+(?:\.\d+)?)&nbsp;%)", cell, table)


def body(chapter):
    """Returns a chapter as HTML."""
    markdown = mistune.create_markdown(plugins=["table"])
    text = markdown(chapter.text).replace(" +- ", "&nbsp;±&nbsp;").replace(" %</td>", "&nbsp;%</td>")
    for level in (3, 2, 1):  # the page has a heading of its own
        text = text.replace(f"<h{level}>", f"<h{level + 1}>") \
                   .replace(f"</h{level}>", f"</h{level + 1}>")
    text = re.sub(r"<table>.*?</table>",
                  lambda found: f"<div class=table>{mark(found[0])}</div>", text, flags=re.DOTALL)
    pictures = "".join(picture(path) for path in chapter.plots)
    if chapter.fabrics:
        pictures += ("<h3>Fabrics, with the barrier tree of a group</h3>\n<div class=fabrics>"
                     + "".join(picture(path, as_drawn=True) for path in chapter.fabrics) + "</div>\n")
    rerun = ""
    if chapter.commands:
        lines = "\n".join(f"# {name}\n{command}" for name, command in chapter.commands.items())
        rerun = ("<details class=rerun><summary>How to rerun these studies</summary>"
                 f"<pre><code>{html.escape(lines)}</code></pre></details>\n")
    return f'<section id="{chapter.anchor}">\n{text}{pictures}{rerun}</section>\n'


def page(chapters, title, about, footer):
    """
    Returns the page.

    chapters: of what it consists, in order
    title, about, footer: plain text
    """
    contents = "\n".join(f'<li><a href="#{c.anchor}">{html.escape(c.short_title)}</a></li>'
                         for c in chapters)
    return PAGE.substitute(title=html.escape(title), style=STYLE, about=html.escape(about).replace("ns-3", "ns&#8209;3"),
                           contents=contents, chapters="".join(body(c) for c in chapters),
                           footer=html.escape(footer))

