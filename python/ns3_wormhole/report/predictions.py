# SPDX-License-Identifier: GPL-2.0-only
"""Deviations of simulated values from measured ones: a summary as text, and a plot."""

import math

from ..core import gnuplot
from ..core.gnuplot import COLOURS, quoted

BAND = 0.15  # of a plot


def sums(table, by: list[str]):
    """Returns for each group the number of values, their mean and greatest deviation, and how many are within 20 %."""
    rows = table.assign(far=table.deviation.abs()).groupby(by, sort=False)
    found = rows.far.agg(["size", "mean"]).rename(columns={"size": "values", "mean": "mean, %"})
    found["mean, %"] *= 100
    found["greatest, %"] = rows.deviation.apply(lambda some: 100 * some.loc[some.abs().idxmax()])
    found["within 20 %"] = rows.far.apply(lambda some: (some <= 0.2).sum())
    return found


def as_text(table) -> str:
    """Returns notes on the fit, then summaries by use and by collective."""
    lines = [*table.attrs.get("notes", ()), sums(table, ["use"]).to_string(float_format="%.1f")]
    lines += ["", sums(table, ["use", "benchmark", "algorithm", "members"]).to_string(float_format="%.1f")]
    return "\n".join(lines)


def plot(table, path: str, title: str) -> None:
    """Plots the ratio of simulated to measured values over the measured values, with a band of 15 %."""
    gnuplot.draw(path, "640,560", title, 1, script(table))


def script(table) -> list[str]:
    """Returns gnuplot's commands."""
    shown = table[table.use == "predicted"] if (table.use == "predicted").any() else table
    low, high = shown.measured.min() / 2, shown.measured.max() * 2
    far = 1.1 * max([2.0, *(abs(math.log2(1 + each)) for each in shown.deviation if each > -1)])
    tics = ", ".join(f"{digit * 10.0 ** power:g}" for power in range(math.floor(math.log10(low)),
                                                                    math.ceil(math.log10(high)))
                     for digit in ((1, 2, 5) if high < 1000 * low else (1,)))
    lines = ["set logscale xy", f"set xrange [{low}:{high}]", f"set yrange [{2 ** -far}:{2 ** far}]",
             "set xlabel 'measured, us'", "set ylabel 'simulated / measured'", "set key left top Left reverse",
             f"set xtics ({tics})", "set ytics (0.25, 0.5, 0.7, 0.85, 1, 1.15, 1.5, 2, 3, 4)", "set grid",
             "set samples 3"]
    parts = [f"{1 + BAND} with lines dt 2 lc rgb '#56b4e9' title '+- {BAND:.0%}'",
             f"{1 - BAND} with lines dt 2 lc rgb '#56b4e9' notitle",
             "1 with lines lc rgb '#808080' title 'as measured'"]
    data = []
    for number, ((benchmark, algorithm), rows) in enumerate(shown.groupby(["benchmark", "algorithm"], sort=False)):
        parts.append(f"'-' using 1:2 with points pt {number + 4} lc rgb "
                     f"{quoted(COLOURS[number % len(COLOURS)])} title "
                     f"{quoted(' '.join(filter(None, (benchmark, algorithm))))} noenhanced")
        data += [f"{row.measured!r} {1 + row.deviation!r}" for row in rows.itertuples()] + ["e"]
    return [*lines, "plot " + ", ".join(parts), *data]
