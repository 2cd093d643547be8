# Copyright (c) 2026 The wormhole authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""Why rounds take as long as they do: tables, and sums by cause as bars."""

from __future__ import annotations

from typing import Mapping

from ._loader import pandas
from .errors import WormholeError

COLUMNS = ["from_ps", "to_ps", "cause", "place", "lane", "worm", "other", "note"]
_SHOWN = 9  # causes with a colour of their own


def table(report) -> pandas.DataFrame:
    """Returns a LatencyReport's intervals as a table.

    Args:
        report: an ns3::LatencyReport

    Returns:
        a row for each interval, in order of time: from_ps, to_ps; cause; place, an output, buffer,
        switch or process; lane of an output or buffer, <NA> where there is but one; worm, that which
        is explained there; other, who holds it up; note. Of its attrs, "text" has the sums in words
    """
    rows = [[int(row.fromPs), int(row.toPs), str(row.cause), str(row.place),
             int(str(row.lane)) if str(row.lane) else None, str(row.worm), str(row.other),
             str(row.note)] for row in report.GetRows()]
    frame = pandas.DataFrame(rows, columns=COLUMNS).astype({"lane": "Int64"})
    frame.attrs["text"] = str(report.ToText())
    return frame


def sums(frame: pandas.DataFrame) -> pandas.Series:
    """Returns how long each cause of a table took, us, the longest first."""
    durations = (frame.to_ps - frame.from_ps) / 1e6
    found = durations.groupby(frame.cause).sum()
    return found[found > 0].sort_values(ascending=False)


def plot(bars: Mapping[str, pandas.Series] | pandas.DataFrame, path: str, title: str) -> None:
    """Draws times by cause as stacked bars.

    Args:
        bars: by label, what sums returns, or a mean of several
        path: the file, .svg or .png
        title: above all

    Raises:
        WormholeError: if it can't be plotted, or there is nothing to plot
    """
    from ._gnuplot import COLOURS, draw, quoted
    colours = (*COLOURS[:6], "#999999", "#f0e442", "#8c6d31", "#dddddd")
    frame = pandas.DataFrame(bars).fillna(0.0)
    frame = frame.loc[frame.sum(axis=1) > 0]
    if frame.empty:
        raise WormholeError(f"{path}: there is no time to plot; accepted are rounds that take some")
    order = frame.sum(axis=1).sort_values(ascending=False).index
    frame = frame.loc[order]
    if len(frame) > _SHOWN:
        rest = frame.iloc[_SHOWN:].sum().rename("all else")
        frame = pandas.concat([frame.iloc[:_SHOWN], rest.to_frame().T])
    lines = ["set style data histograms", "set style histogram rowstacked", "set boxwidth 0.7",
             "set style fill solid 0.9 border rgb 'white'", "set ylabel 'us'", "set yrange [0:*]",
             "set grid ytics", "set xtics rotate by -30 scale 0 noenhanced",
             "set key outside right top Left reverse invert noenhanced"]
    data, parts = [], []
    for number, (cause, values) in enumerate(frame.iterrows()):
        parts.append(f"'-' using 2:xtic(1) lc rgb '{colours[number]}' title {quoted(str(cause))}")
        data += [f'"{label}" {float(value)!r}' for label, value in values.items()] + ["e"]
    width = 420 + 90 * len(frame.columns)
    draw(path, f"{width},480", title, 1, [*lines, "plot " + ", ".join(parts), *data])


def columns(frame: pandas.DataFrame) -> dict[str, object]:
    """Returns a table as columns of a study's row: explanation, the text, and for each cause its time,
    us, as "send_overhead_us"."""
    return {"explanation": frame.attrs["text"],
            **{f"{cause.replace('-', '_')}_us": time for cause, time in sums(frame).items()}}


def cause_columns(frame: pandas.DataFrame) -> list[str]:
    """Returns the columns of studies.algorithms' table that have the time of a cause."""
    return [column for column in frame if column.endswith("_us")
            and column not in ("latency_us", "setup_us", "unloaded_us")]


def filled(frame: pandas.DataFrame, is_explained: pandas.Series) -> pandas.DataFrame:
    """Returns a table of studies with 0 for causes that explained rows do not have."""
    causes = cause_columns(frame)
    frame[causes] = frame[causes].where(frame[causes].notna() | ~is_explained, 0.0, axis=0)
    return frame
