# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Sets published figures beside modelled and simulated ones, all of them read from files."""

import csv

HEADING = """\
# Barriers in the switches of irregular fabrics: published, model, simulated

S. Moh, C. Yu, D. S. Han, B. Lee, D. Lee: "A Fast Tree-Based Barrier Synchronization on Switch-Based
Irregular Networks" (2001), repeated with {runs} random fabrics a point. *Published*: what the paper
prints, or what its formula gives. *Model*: the closed form without flit times. *Simulated*: mean
over the runs, with the half width of its 95 % interval. *Deviation*: simulated against published.

Law: how the random fabrics are drawn, which the paper does not say. Reduction: how the n messages
of the multicast scheme's first phase are looked at; `simulated`, the fabric as it is; `ideal`,
without contention; `paper-inferred`, n t_r / (f k - p / q) added to the barrier tree's latency,
which is an inference about the authors' model, not their statement.
"""

LOADS = """
## Latency over load

No published figure: what `latency-load` finds on a fabric of the smaller size, drawn by law
recursive. Loads are parts of the rate of a host's channel. Latency: mean over the worms of a
simulation, with the half width of its 95 % interval, at the least load and at the greatest one
below saturation; from saturation on there is none.

| fabric | traffic | worms | saturated from | latency at load | latency at load |
|---|---|---|---|---|---|
"""

COLUMNS = "| figure | published | compared with | model | simulated | deviation |\n" \
          "|---|---|---|---|---|---|\n"

REDUCTIONS = ("simulated", "ideal", "paper-inferred")
LAWS = ("recursive", "walk", "pairing")
CHECK = "check fabric"  # a fabric that is known in full


class Missing(Exception):
    """A result that a figure needs and no file has."""


def read(path):
    """Returns all rows of a CSV file."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Results:
    """All rows of all studies."""

    def __init__(self, files):
        self.rows = [row for path in files for row in read(path)]

    def find(self, figure, which, scheme, reduction, law=None):
        """Returns the row of a figure's fabric and group; which: 0, or 1 for the second of two."""
        place = {name: figure[name].split()[-1 if which else 0]
                 for name in ("switches", "hosts", "connectivity", "group_size")}
        for row in self.rows:
            if (row["scheme"] == scheme and row["reduction"] == reduction
                    and all(row[name] == place[name] for name in ("switches", "hosts",
                                                                  "group_size"))
                    and abs(float(row["connectivity"]) - float(place["connectivity"])) < 1e-4
                    and law in (None, row["law"])):
                return row
        return None


def ways(figure, results):
    """Yields what a figure can be compared with: its name, a function that finds rows."""
    if figure["scheme"] == "btin":
        for law in LAWS + ("file",):
            if results.find(figure, 1, "btin", "in-switch", law):
                name = CHECK if law == "file" else f"law {law}"
                yield name, lambda which, law=law: results.find(figure, which, "btin",
                                                                "in-switch", law)
    else:
        for reduction in REDUCTIONS:
            if results.find(figure, 1, figure["scheme"], reduction):
                yield f"reduction {reduction}", lambda which, reduction=reduction: results.find(
                    figure, which, figure["scheme"], reduction)


def number(row, column):
    """Returns a number of a row."""
    return float(row[column])


def compare(figure, results):
    """Yields lines for a figure: compared with what, model, simulated, half width; None: none."""
    quantity = figure["quantity"]
    for name, at in ways(figure, results):
        row = at(1)
        btin = results.find(figure, 1, "btin", "in-switch")
        if quantity == "latency":
            yield (name, number(row, "latency_us_model"), number(row, "latency_us_mean"),
                   number(row, "latency_us_ci95"))
        elif quantity in ("latency_difference", "latency_ratio"):
            if not at(0):
                raise Missing(f"{figure['id']}: no study has its first fabric ({name})")
            join = (lambda a, b: a - b) if quantity == "latency_difference" else lambda a, b: a / b
            yield (name, join(number(row, "latency_us_model"), number(at(0), "latency_us_model")),
                   join(number(row, "latency_us_mean"), number(at(0), "latency_us_mean")), None)
        elif quantity == "latency_factor":
            yield (name, number(row, "latency_us_model") / number(btin, "latency_us_model"),
                   number(row, "latency_us_mean") / number(btin, "latency_us_mean"), None)
        elif quantity == "traffic_factor":
            for count in ("message_hops", "flit_hops"):
                yield (count.replace("_", "-"), None,
                       number(row, count + "_mean") / number(btin, count + "_mean"), None)
            return
        elif quantity == "message_hops":
            model = 2 * (number(row, "edges_mean") + number(row, "group_size"))
            yield name, model, number(row, "message_hops_mean"), None
        elif quantity in ("height", "edges"):
            yield name, None, number(row, quantity + "_mean"), None
        elif quantity in ("root_switch", "root_host"):
            yield name, None, row[quantity], None
        else:
            raise Missing(f"{figure['id']}: quantity '{quantity}' is not known")


def shown(value, half_width=None):
    """Returns a number as text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    sure = half_width is not None and half_width == half_width  # not so for NaN
    return f"{value:.2f}" + (f" +- {half_width:.2f}" if sure else "")


def deviation(published, simulated):
    """Returns by how much a value deviates, as text."""
    if isinstance(simulated, str):
        return "none" if simulated == published else "differs"
    percent = round(100 * (simulated / float(published) - 1), 1) + 0.0  # no -0.0
    return f"{percent:+.1f} %"


def cells(*texts):
    """Returns a line of a table."""
    return "| " + " | ".join(texts) + " |\n"


def told(figure, more=""):
    """Returns where a figure is from, and what there is to say about it."""
    return ". ".join(filter(None, [figure["where"], " ".join(filter(None, [figure["why"], more]))]))


def plots(pictures):
    """Returns the section with all pictures."""
    text = "\n# Plots\n\n"
    for picture in pictures:
        text += f"![{picture.stem.replace('-', ' ')}](plots/{picture.name})\n\n"
    return text.rstrip("\n") + "\n"


def title(figure):
    """Returns what a figure is about."""
    words = {"latency": "latency of {scheme}",
             "latency_difference": "growth of the latency of {scheme}, second less first",
             "latency_ratio": "growth of the latency of {scheme}, second over first",
             "latency_factor": "latency of {scheme} over btin's",
             "traffic_factor": "traffic of {scheme} over btin's",
             "height": "height of the barrier tree",
             "edges": "edges of the barrier tree",
             "message_hops": "links crossed by messages of {scheme}",
             "root_switch": "root switch of the barrier tree",
             "root_host": "root host of the barrier tree"}
    places = zip(*(figure[name].split() for name in ("switches", "hosts", "group_size")))
    where = ", then ".join(f"{s} switches, {h} hosts, {n} members" for s, h, n in places)
    what = words.get(figure["quantity"], figure["quantity"]).format(**figure)
    return f"{what} ({where}, f = {figure['connectivity']})"


def unit(figure):
    """Returns a figure's unit, to stand behind it."""
    return {"ratio": "", "name": "", "not given": " (unit not given)"}.get(
        figure["unit"], " " + figure["unit"])


def is_exact(published, simulated):
    """Returns whether a value is the published one, as far as its decimals go."""
    if isinstance(simulated, str):
        return simulated == published
    decimals = len(published.partition(".")[2])
    return abs(simulated - float(published)) <= 0.5 * 10 ** -decimals


def loads(results):
    """Returns a table of studies of latency over load: a line for each curve."""
    curves = {}
    for row in results.rows:
        place = (f"{row['switches']} switches, {row['hosts']} hosts",
                 f"{row['pattern']}, {row['arrivals']}", f"{row['flits']} flits")
        curves.setdefault(place, []).append(row)
    lines = []
    for place, rows in curves.items():
        steady = [row for row in rows if row["state"] == "steady"] or [None]
        at = [f"{number(row, 'latency_us_mean'):.2f} +- {number(row, 'latency_us_ci95'):.2f} us "
              f"at {number(row, 'load'):.4g}" if row else "none"
              for row in (steady[0], steady[-1])]
        low, high = (number(rows[0], f"saturation_{end}") for end in ("low", "high"))
        lines.append(cells(*place, f"{low:.4g} to {high:.4g}", *at))
    return LOADS + "".join(lines)


class Summary:
    """The text of summary.md, and what must be as published but is not."""

    def __init__(self, published_file, csv_files, refusal_files, load_files):
        self.results = Results(csv_files)
        self.refusals = {}  # what the program says, by figure
        self.wrong = []
        for path in refusal_files:
            f = path.name.split(".refused")[0].split("-")[-1]
            self.refusals[f"latency-factor-f-{f}"] = \
                f"The program says: `{path.read_text().strip()}`."
        figures = read(published_file)
        self.text = HEADING.format(runs=max(int(row["runs"]) for row in self.results.rows))
        for heading, kind in (("Figures that can be reproduced", "yes"),
                              ("Figures that can't be reproduced, and why", "no")):
            self.text += self.section(heading, [f for f in figures if f["reproducible"] == kind])
        self.text += loads(Results(load_files))

    def section(self, heading, figures):
        """Returns a table of some figures, and what there is to say about them."""
        lines = [f"\n## {heading}\n\n", COLUMNS]
        notes = []
        for figure in figures:
            published = figure["value"] + unit(figure)
            published += " (formula)" if figure["source"] == "formula" else ""
            first = (title(figure), published)
            compared = list(compare(figure, self.results))
            for name, model, simulated, half_width in compared:
                lines.append(f"| {first[0]} | {first[1]} | {name} | {shown(model)} | "
                             f"{shown(simulated, half_width)} | "
                             f"{deviation(figure['value'], simulated)} |\n")
                first = ("", "")
                if name == CHECK and not is_exact(figure["value"], simulated):
                    self.wrong.append(f"{figure['id']} is {figure['value']} and was simulated as "
                                      f"{shown(simulated)}")
            if not compared:
                lines.append(f"| {first[0]} | {first[1]} | no study | | not possible | |\n")
            told = " ".join(filter(None, [figure["why"], self.refusals.get(figure["id"], "")]))
            if told:
                notes.append(f"- `{figure['id']}` ({figure['where']}): {told}\n")
        return "".join(lines) + ("\n" if notes else "") + "".join(notes)
