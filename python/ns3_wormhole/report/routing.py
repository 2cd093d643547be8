# SPDX-License-Identifier: GPL-2.0-only
"""The table of routing_comparison() as text and as a plot."""

import re

from ..core.errors import WormholeError
from ..core.gnuplot import COLOURS, draw, quoted, tics
from .crossover import wrapped

# What begins a reason, and stands beside it anyway.
_BESIDE = re.compile(r"^(topology '[^']*': )?(routing [\w-]+(\[\S*\])?(:| (?=needs )))?\s*")
TITLE = "load of each host, by routing engine"
_SHOWN = {"lanes": "lanes", "mean_channels": "channels", "longest": "longest", "bound": "bound",
          "of_equal_split": "of equal split",
                    "saturation": "saturation", "latency_us": "us at low load"}


def means(table):
    """Returns the means over drawings for each fabric and each engine that serves all of them; for lanes and longest,
    the maxima. For engines that were not simulated, only bounds are returned."""
    able = table[_served(table)]
    numbers = [column for column in able.columns if able[column].dtype.kind in "if" and column != "run"]
    found = able.groupby(["fabric", "engine"], sort=False)[numbers].agg(
        {column: "max" if column in ("lanes", "longest") else "mean" for column in numbers})
    return found[_served(table).groupby([table.fabric, table.engine], sort=False).all().reindex(found.index)]


def _served(table):
    return table.bound.notna() if "bound" in table else table.reason == ""


def _reasons(rows):
    lines: dict[str, list[str]] = {}
    for row, served in zip(rows.itertuples(), _served(rows)):
        if row.reason:
            loads = getattr(row, "saturation", float("nan"))
            what = "no routes" if not served else "not simulated" if loads != loads else "a barrier can't run"
            lines.setdefault(f"{what}: {_BESIDE.sub('', row.reason)}", []).append(row.engine)
    return [wrapped(f"{', '.join(dict.fromkeys(engines))}: {line}") for line, engines in lines.items()]


def as_text(table) -> str:
    """Returns a table in text for each fabric, and why engines can't serve it."""
    found = means(table)
    lines = [table.attrs["conditions"]] if "conditions" in table.attrs else []
    for fabric, rows in table.groupby("fabric", sort=False):
        runs = rows.run.nunique()
        lines.append(f"{fabric}{f', mean of {runs} drawings' if runs > 1 else ''}")
        if fabric in found.index.get_level_values("fabric"):
            shown = found.loc[fabric].dropna(axis=1, how="all")
            shown = shown.sort_values("saturation" if "saturation" in shown else "bound", ascending=False).rename(
                columns={name: _SHOWN.get(name, name.replace("_us", ", us")) for name in shown})
            shown.index.name = None
            lines.append(shown.to_string(na_rep="-", float_format=lambda value: f"{value:.4g}"))
            choosing = list(dict.fromkeys(rows.engine[rows.has_choices.fillna(False).astype(bool)]))
            if choosing:
                lines.append(wrapped(f"{', '.join(choosing)}: the bound counts first choices alone; as worms have "
                                     "others, they may carry more"))
        lines += [*_reasons(rows), ""]
    return "\n".join(lines[:-1])


def plot(table, path: str, title: str = TITLE) -> None:
    """Plots bounds and saturation of engines, with a panel for each fabric, like gnuplot.draw(). Also raises
    WormholeError if no engine serves any fabric."""
    found = means(table)
    fabrics = list(dict.fromkeys(found.index.get_level_values("fabric")))
    if not fabrics:
        raise WormholeError(f"{path}: there is nothing to plot; expected engines that serve all "
                            "drawings of a fabric")
    most = max(len(found.loc[fabric]) for fabric in fabrics)
    draw(path, f"{140 + len(fabrics) * (90 + 26 * most)},600", title, len(fabrics), script(table))


def script(table) -> list[str]:
    """Returns gnuplot's commands for all panels."""
    found = means(table)
    lines = ["set style data histograms", "set style histogram clustered gap 1", "set boxwidth 0.9",
             "set style fill solid 0.9 noborder", "set yrange [0:*]", "set grid ytics",
             "set xtics rotate by -75 scale 0 noenhanced",
             "set ylabel \"load of a host, over a channel's rate\" offset 1",
             # Between a panel's title and the one above all panels.
             "set key at graph 0.5,screen 0.93 center top horizontal Left reverse",
             # Characters are about half as wide as lines are high.
             f"set bmargin {3 + 0.5 * max(len(str(engine)) for _, engine in found.index):.0f}",
             "set tmargin 6"]
    for fabric in dict.fromkeys(found.index.get_level_values("fabric")):
        rows = found.loc[fabric]
        parts, data = [], []
        for number, (column, title) in enumerate((("bound", "busiest channel full"), ("saturation", "saturated"))):
            if column in rows and rows[column].notna().any():
                parts.append(f"'-' using 1 lc rgb {quoted(COLOURS[number])} title {quoted(title)}")
                data += [*map(repr, rows[column].astype(float).tolist()), "e"]
        lines += [f"set title {quoted(str(fabric))} noenhanced",
                  f"set xtics {tics(map(str, rows.index))}", "plot " + ", ".join(parts), *data]
    return lines
